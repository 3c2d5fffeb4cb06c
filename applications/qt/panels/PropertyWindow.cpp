// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/qt/panels/PropertyWindow.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDrag>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <optional>

#include "applications/qt/CoreTexts.h"
#include "applications/qt/Widgets.h"
#include "applications/qt/panels/DataEditor.h"
#include "applications/qt/panels/PlotsPanel.h"

namespace sofa::qt {

using core::DataEntry;
using core::ObjectSnapshot;
using core::Simulation;

namespace {

QString plain(const std::string& s) { return text(s).toHtmlEscaped(); }

/// The name of a Data, which can be dragged to the plots.
class DataLabel final : public QLabel
{
public:
    DataLabel(const std::string& path, std::string name) : m_path(path), m_name(std::move(name)) {}

protected:
    void mousePressEvent(QMouseEvent* e) override
    {
        m_pressed = e->position();
        e->accept();
    }
    void mouseMoveEvent(QMouseEvent* e) override
    {
        const double way = (e->position() - m_pressed).manhattanLength();
        if (!e->buttons().testFlag(Qt::LeftButton) || way < QApplication::startDragDistance()) return;
        auto* drag = new QDrag(this);
        drag->setMimeData(PlotsPanel::mimeOf(m_path, m_name));
        drag->exec(Qt::CopyAction);
    }

private:
    const std::string& m_path;  ///< of the window
    std::string m_name;
    QPointF m_pressed;
};

/// A page that scrolls up and down.
QVBoxLayout* addPage(QTabWidget* tabs, const QString& title)
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    tabs->addTab(scrolled(page), title);
    return layout;
}

}  // namespace

PropertyWindow::PropertyWindow(core::SimulationThread& thread, std::string path, QWidget* parent, Qt::WindowFlags flags)
    : Panel(parent, flags), m_path(std::move(path))
{
    setObjectName("properties");
    setWindowTitle(text(m_path));
    resize(460, 560);
    auto* layout = new QVBoxLayout(this);
    m_head = new QLabel(tr("Loading…"));
    m_head->setWordWrap(true);
    m_head->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_head);
    m_tabs = new QTabWidget;
    layout->addWidget(m_tabs);
    m_messages = new QPlainTextEdit;
    m_messages->setReadOnly(true);
    m_status = new QLabel;
    m_status->setObjectName("propertyStatus");
    m_status->setWordWrap(true);
    layout->addWidget(m_status);
    auto* bar = new QHBoxLayout;
    layout->addLayout(bar);
    auto* copy = new QPushButton(tr("Copy &path"));
    bar->addWidget(copy);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text(m_path)); });
    bar->addStretch();
    m_revert = new QPushButton(tr("&Revert"));
    m_revert->setObjectName("propertyRevert");
    m_revert->setToolTip(tr("Forget what was edited and show the present values"));
    m_revert->setEnabled(false);
    bar->addWidget(m_revert);
    connect(m_revert, &QPushButton::clicked, this, [this] {
        for (auto& [name, row] : m_rows) {
            mark(name, false);
            row.counter = ~std::size_t{0};
            row.error->hide();
        }
        m_status->clear();
        refresh();
    });
    m_update = new QPushButton(tr("&Update"));
    m_update->setObjectName("propertyUpdate");
    m_update->setToolTip(tr("Give the component the new values and have it take them over (Ctrl+Return)"));
    m_update->setEnabled(false);
    bar->addWidget(m_update);
    connect(m_update, &QPushButton::clicked, this, [this] { apply(); });
    auto* now = new QShortcut(QKeySequence("Ctrl+Return"), this);
    now->setContext(Qt::WidgetWithChildrenShortcut);
    connect(now, &QShortcut::activated, this, [this] { apply(); });
    if (isWindow())
        connect(new QShortcut(QKeySequence(Qt::Key_Escape), this), &QShortcut::activated, this, [this] { close(); });
    connect(&m_timer, &QTimer::timeout, this, [this] { refresh(); });
    m_timer.setInterval(300);
    setSimulation(&thread);
}

void PropertyWindow::showEvent(QShowEvent*)
{
    m_timer.start();
    refresh();
}
void PropertyWindow::hideEvent(QHideEvent*) { m_timer.stop(); }

DataEditor* PropertyWindow::editor(const std::string& name) const
{
    const auto it = m_rows.find(name);
    return it == m_rows.end() ? nullptr : it->second.editor;
}

QString PropertyWindow::error(const std::string& name) const
{
    const auto it = m_rows.find(name);
    return it == m_rows.end() || it->second.error->isHidden() ? QString() : it->second.error->text();
}

std::vector<std::string> PropertyWindow::edited() const
{
    std::vector<std::string> out;
    for (const auto& [name, row] : m_rows)
        if (row.edited) out.push_back(name);
    return out;
}

void PropertyWindow::refresh()
{
    if (m_asked) return;
    m_asked = true;
    fetch(
        [path = m_path](Simulation& s) -> std::optional<ObjectSnapshot> {
            const core::Base* object = core::findObject(s.root(), path);
            if (!object) return std::nullopt;
            return core::takeObject(*object);
        },
        [this](const std::optional<ObjectSnapshot>& o) {
            m_asked = false;
            if (!o) {
                m_status->setText(tr("The object is not in the scene any more."));
                m_tabs->setEnabled(false);
                m_update->setEnabled(false);
                return;
            }
            m_tabs->setEnabled(true);
            if (!m_built) build(*o);
            display(*o);
        });
}

void PropertyWindow::build(const ObjectSnapshot& o)
{
    m_built = true;
    const std::string title = o.templateName.empty() ? o.className : o.className + "<" + o.templateName + ">";
    setWindowTitle(text(o.name + " – " + title));
    QString head = "<b>" + plain(o.path) + "</b> &nbsp; " + plain(title);
    if (!o.help.empty()) head += "<br>" + plain(o.help);
    if (!o.location.empty()) head += "<br><small>" + plain(o.location) + "</small>";
    m_head->setText(head);

    // Groups become tabs in the order of their first Data; what has none comes first.
    std::map<std::string, QVBoxLayout*> pages;
    pages[""] = addPage(m_tabs, tr("Properties"));
    for (const DataEntry& d : o.data) {
        QVBoxLayout*& page = pages[d.group];
        if (!page) page = addPage(m_tabs, coreText(d.group));
        addRow(page, d);
    }
    for (auto& [name, page] : pages) page->addStretch();

    if (!o.links.empty()) {
        QVBoxLayout* page = addPage(m_tabs, tr("Links"));
        for (const core::LinkEntry& l : o.links) {
            auto* label = new QLabel("<b>" + plain(l.name) + "</b> &nbsp; <i>" + plain(l.typeName) + "</i>");
            label->setToolTip(text(l.help));
            page->addWidget(label);
            if (l.targets.empty()) page->addWidget(new QLabel(tr("leads nowhere")));
            for (const std::string& t : l.targets) {
                auto* button = new QToolButton;
                button->setText("→ " + text(t));
                button->setObjectName("link:" + text(l.name));
                button->setToolTip(tr("Open the properties of this object"));
                button->setAutoRaise(true);
                page->addWidget(button);
                connect(button, &QToolButton::clicked, this, [this, t] {
                    if (onFollow) onFollow(t);
                });
            }
        }
        page->addStretch();
    }
    m_tabs->addTab(m_messages, tr("Messages"));
}

void PropertyWindow::addRow(QVBoxLayout* layout, const DataEntry& d)
{
    Row row;
    row.defaultText = d.defaultText;
    row.readOnly = d.readOnly;
    row.unit = d.unit;
    auto* head = new QHBoxLayout;
    layout->addLayout(head);
    row.label = new DataLabel(m_path, d.name);
    auto* plot = new QAction(tr("&Plot"), row.label);
    connect(plot, &QAction::triggered, this, [this, name = d.name] {
        if (onPlot) onPlot(m_path, name);
    });
    row.label->addAction(plot);
    row.label->setContextMenuPolicy(Qt::ActionsContextMenu);
    row.label->setTextFormat(Qt::RichText);
    QString tip = plain(d.help) + "<br><i>" + plain(d.typeName) + "</i>";
    if (!d.unit.empty()) tip += "<br>" + tr("Unit: %1; others of the same kind may be written").arg(plain(d.unit));
    if (!d.range.empty()) tip += "<br>" + tr("Must be %1").arg(plain(d.range));
    if (d.defaultText.size() < 100) tip += "<br>" + tr("Default: %1").arg(plain(d.defaultText));
    row.label->setToolTip(tip);
    row.label->setText(plain(d.name) +
                       (d.unit.empty() || d.unit == "1" ? "" : " <small>[" + plain(d.unit) + "]</small>"));
    head->addWidget(row.label);
    if (d.readOnly) {
        auto* lock = new QLabel("<small><i>" + tr("computed") + "</i></small>");
        head->addWidget(lock);
    }
    if (!d.linkPath.empty()) {
        auto* follow = new QToolButton;
        follow->setText(text(d.linkPath));
        follow->setAutoRaise(true);
        follow->setToolTip(tr("The value follows another one"));
        head->addWidget(follow);
        const std::string name = d.name;
        connect(follow, &QToolButton::clicked, this, [this, name] {
            fetch(
                [path = m_path, dataName = name](Simulation& s) -> std::string {
                    const core::Base* o = core::findObject(s.root(), path);
                    const core::BaseData* followed = o ? o->findData(dataName) : nullptr;
                    return followed && followed->parent() ? followed->parent()->owner()->pathName() : std::string();
                },
                [this](const std::string& target) {
                    if (!target.empty() && onFollow) onFollow(target);
                });
        });
    }
    row.editor = makeEditor(d);
    if (row.editor->isTall()) {
        head->addStretch();
    } else {
        row.label->setMinimumWidth(150);
        head->addWidget(row.editor, 1);
    }
    row.editor->setObjectName("data:" + text(d.name));
    row.editor->setToolTip(tip);
    row.editor->setSpokenName(text(d.name));
    row.editor->setReadOnly(d.readOnly || !d.complete());
    row.label->setBuddy(row.editor);
    const std::string name = d.name;
    if (!d.complete()) {
        row.whole = new QPushButton(tr("Show all of %1 characters").arg(d.length));
        row.whole->setToolTip(tr("Only the beginning is shown; load all of it to edit it"));
        head->addWidget(row.whole);
        connect(row.whole, &QPushButton::clicked, this, [this, name] {
            fetch(
                [path = m_path, name](Simulation& s) {
                    const core::Base* o = core::findObject(s.root(), path);
                    return o ? core::wholeText(*o, name) : std::string();
                },
                [this, name](const std::string& all) {
                    Row& r = m_rows.at(name);
                    r.editor->setValue(text(all));
                    r.editor->setReadOnly(r.readOnly);
                    mark(name, !r.readOnly);
                    r.whole->hide();
                });
        });
    }
    if (!d.readOnly) {
        auto* back = new QToolButton;
        back->setText("↺");
        back->setAutoRaise(true);
        back->setToolTip(tr("Take the default value"));
        back->setAccessibleName(back->toolTip());
        back->setObjectName("default:" + text(d.name));
        head->addWidget(back);
        connect(back, &QToolButton::clicked, this, [this, name] {
            Row& r = m_rows.at(name);
            r.editor->setValue(text(r.defaultText));
            mark(name, true);
        });
    }
    row.editor->onEdited = [this, name] { mark(name, true); };
    if (row.editor->isTall()) layout->addWidget(row.editor);
    row.error = new QLabel;
    row.error->setWordWrap(true);
    row.error->setStyleSheet("color: #b00020;");
    row.error->hide();
    layout->addWidget(row.error);
    row.counter = ~std::size_t{0};
    m_rows.emplace(d.name, row);
}

void PropertyWindow::mark(const std::string& name, bool isEdited)
{
    Row& row = m_rows.at(name);
    row.edited = isEdited && !row.readOnly;
    QFont f = row.label->font();
    f.setBold(row.edited);
    row.label->setFont(f);
    bool any = false;
    for (const auto& [n, r] : m_rows) any = any || r.edited;
    m_update->setEnabled(any);
    m_revert->setEnabled(any);
}

void PropertyWindow::display(const ObjectSnapshot& o)
{
    for (const DataEntry& d : o.data) {
        const auto it = m_rows.find(d.name);
        if (it == m_rows.end() || it->second.edited || it->second.counter == d.counter) continue;
        if (it->second.whole && it->second.whole->isHidden() && !d.complete()) continue;  // all of it was asked for
        it->second.counter = d.counter;
        it->second.editor->setValue(text(d.text));
    }
    if (o.messages.size() != m_messageCount) {
        m_messageCount = o.messages.size();
        QStringList lines;
        for (const core::Message& m : o.messages) lines += text(m.str());
        m_messages->setPlainText(lines.join('\n'));
        m_tabs->setTabText(m_tabs->indexOf(m_messages), tr("Messages (%1)").arg(m_messageCount));
    }
}

void PropertyWindow::apply()
{
    core::Edits edits;
    for (auto& [name, row] : m_rows) {
        row.error->hide();
        if (row.edited) edits.emplace_back(name, row.editor->value().toStdString());
    }
    if (edits.empty()) return;
    m_update->setEnabled(false);
    edit(
        [path = m_path, edits](Simulation& s) -> core::EditErrors {
            core::Base* object = core::findObject(s.root(), path);
            if (!object) return {{"", "the object is not in the scene any more"}};
            return core::editAttributes(s.root(), *object, edits);
        },
        [this, edits](const core::EditErrors& errors) {
            QStringList general;
            bool refused = false;
            for (const auto& [name, what] : errors) {
                const auto it = m_rows.find(name);
                if (it == m_rows.end()) {
                    general += text(what);
                    continue;
                }
                refused = true;
                it->second.error->setText(text(what));
                it->second.error->show();
            }
            if (!refused)
                for (const auto& [name, value] : edits) {
                    mark(name, false);
                    m_rows.at(name).counter = ~std::size_t{0};
                    if (onEdited) onEdited(m_path, name);
                }
            m_update->setEnabled(refused);
            m_status->setText(!general.isEmpty() ? general.join('\n')
                              : refused          ? tr("Nothing was changed; see the values marked in red.")
                                                 : tr("Updated."));
            // A new name is a new path.
            for (const auto& [name, value] : edits)
                if (name == "name" && !refused) m_path = m_path.substr(0, m_path.rfind('/') + 1) + value;
            refresh();
        });
}

}  // namespace sofa::qt
