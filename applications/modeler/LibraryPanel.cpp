// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/LibraryPanel.h"

#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSettings>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "applications/modeler/Prototype.h"
#include "applications/modeler/TreeModel.h"
#include "applications/qt/CoreTexts.h"
#include "applications/qt/panels/Panel.h"
#include "core/Installation.h"
#include "core/factory/PluginManager.h"

namespace sofa::modeler {

namespace {

constexpr int usedLimit = 12, fittingLimit = 15;

QString html(const std::string& s) { return QString::fromStdString(s).toHtmlEscaped(); }

QStringList list(const char* key) { return QSettings().value(key).toStringList(); }

}  // namespace

/// Drags the element of a component.
class LibraryPanel::Tree : public QTreeWidget
{
public:
    using QTreeWidget::QTreeWidget;

protected:
    QStringList mimeTypes() const override { return {sceneMimeType}; }
    QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override
    {
        if (items.isEmpty() || items.front()->data(0, Qt::UserRole).isNull()) return nullptr;
        const QString text = elementOf(items.front()->data(0, Qt::UserRole).toString());
        auto* dragged = new QMimeData;
        dragged->setData(sceneMimeType, text.toUtf8());
        dragged->setText(text);
        return dragged;
    }
    Qt::DropActions supportedDropActions() const override { return Qt::CopyAction; }
};

LibraryPanel::LibraryPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName("library");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    m_search = new QLineEdit;
    m_search->setObjectName("librarySearch");
    m_search->setAccessibleName(tr("Search in the library"));
    m_search->setPlaceholderText(tr("Name, alias, words of the help, unit"));
    m_search->setClearButtonEnabled(true);
    layout->addWidget(m_search);
    auto* splitter = new QSplitter(Qt::Vertical);
    layout->addWidget(splitter, 1);
    m_tree = new Tree;
    m_tree->setObjectName("libraryTree");
    m_tree->setAccessibleName(tr("Components"));
    m_tree->setHeaderHidden(true);
    m_tree->setDragEnabled(true);
    m_tree->setDragDropMode(QAbstractItemView::DragOnly);
    m_tree->setUniformRowHeights(true);
    m_tree->setExpandsOnDoubleClick(false);
    splitter->addWidget(m_tree);
    m_help = new QTextBrowser;
    m_help->setObjectName("libraryHelp");
    m_help->setAccessibleName(tr("Help of the component"));
    m_help->setOpenLinks(false);
    splitter->addWidget(m_help);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    auto* bar = new QHBoxLayout;
    layout->addLayout(bar);
    const auto button = [&](const char* name, const QString& text, const QString& help) {
        auto* b = new QToolButton;
        b->setObjectName(name);
        b->setText(text);
        b->setToolTip(help);
        bar->addWidget(b);
        return b;
    };
    m_insert =
        button("libraryInsert", tr("&Insert"), tr("Put it into the selected node, or behind the selected component"));
    m_example = button("libraryExample", tr("Open &Example"), tr("Open its example scene in a tab"));
    m_favourite = button("libraryFavourite", tr("Fa&vourite"), tr("Keep it among the favourites"));
    m_favourite->setCheckable(true);
    bar->addStretch();
    connect(m_search, &QLineEdit::textChanged, this, &LibraryPanel::fill);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (!selected().isEmpty()) Q_EMIT insertAsked(selected());
        m_search->selectAll();  // the next name takes its place
    });
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &LibraryPanel::showHelp);
    const auto note = [this](const QTreeWidgetItem* item, bool open) {
        if (!m_filling) m_open[item->text(0)] = open;
    };
    connect(m_tree, &QTreeWidget::itemExpanded, this, [note](QTreeWidgetItem* item) { note(item, true); });
    connect(m_tree, &QTreeWidget::itemCollapsed, this, [note](QTreeWidgetItem* item) { note(item, false); });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        if (item->data(0, Qt::UserRole).isNull())
            item->setExpanded(!item->isExpanded());
        else
            Q_EMIT insertAsked(selected());
    });
    connect(m_insert, &QToolButton::clicked, this, [this] { Q_EMIT insertAsked(selected()); });
    connect(m_example, &QToolButton::clicked, this,
            [this] { Q_EMIT exampleAsked(m_example->property("path").toString()); });
    connect(m_favourite, &QToolButton::clicked, this, [this](bool on) {
        QStringList favourites = list("modeler/favourites");
        favourites.removeAll(selected());
        if (on) favourites << selected();
        favourites.sort();
        QSettings().setValue("modeler/favourites", favourites);
        const QString name = selected();
        fill();
        const auto items = m_tree->findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
        if (!items.isEmpty()) m_tree->setCurrentItem(items.back());
    });
    refresh();
}

QString LibraryPanel::elementOf(const QString& name)
{
    if (name == "Node") return "<Node name=\"node\">\n</Node>";
    if (name == "include") return "<include href=\"\"/>";
    return '<' + name + "/>";
}

void LibraryPanel::refresh()
{
    std::vector<ComponentEntryPtr> now = Registry::instance().entries();
    if (now == m_all) return;
    m_all = std::move(now);
    m_words.clear();
    m_prefabs.clear();
    const QDir folder(QString::fromStdString((shareDirectory() / "Objects").string()));
    for (const QString& file : folder.entryList({"*.xml"}, QDir::Files, QDir::Name)) m_prefabs << file.chopped(4);
    fill();
}

void LibraryPanel::setFitting(const std::vector<std::string>& classes)
{
    if (classes == m_fitting) return;
    m_fitting = classes;
    if (m_search->text().isEmpty()) fill();
}

void LibraryPanel::noteUsed(const QString& name)
{
    QStringList used = list("modeler/used");
    used.removeAll(name);
    used.prepend(name);
    QSettings().setValue("modeler/used", QStringList(used.mid(0, usedLimit)));
    if (m_search->text().isEmpty()) fill();
}

QString LibraryPanel::selected() const
{
    const QTreeWidgetItem* item = m_tree->currentItem();
    return item ? item->data(0, Qt::UserRole).toString() : QString();
}

QTreeWidgetItem* LibraryPanel::group(const QString& title)
{
    auto* item = new QTreeWidgetItem(m_tree, {title});
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    QFont f = font();
    f.setBold(true);
    item->setFont(0, f);
    return item;
}

void LibraryPanel::addTo(QTreeWidgetItem* parent, const QString& name)
{
    auto* item = new QTreeWidgetItem(parent, {name});
    item->setData(0, Qt::UserRole, name);
    const ComponentEntryPtr entry = Registry::instance().find(name.toStdString());
    item->setIcon(0, qt::categoryIcon(entry ? entry->category : name == "Node" ? "Node" : "Prefab"));
    if (entry) item->setToolTip(0, QString::fromStdString(entry->help));
}

/// All the words of what is known of a component.
const QString& LibraryPanel::helpWords(const QString& name)
{
    const auto known = m_words.find(name);
    if (known != m_words.end()) return known->second;
    QString words;
    if (const auto p = Prototype::of(name.toStdString()); p && p->entry()) {
        const ComponentEntry& e = *p->entry();
        words = QString::fromStdString(e.help + ' ' + e.category + ' ' + e.module);
        for (const DataEntry& d : p->data())
            words += ' ' + QString::fromStdString(d.name + ' ' + d.help + " [" + d.unit + ']');
        for (const LinkEntry& l : p->links()) words += ' ' + QString::fromStdString(l.name + ' ' + l.help);
    }
    return m_words[name] = words;
}

/// How well a component answers a search; 0: not at all.
int LibraryPanel::score(const QString& name, const QStringList& words)
{
    const ComponentEntryPtr entry = Registry::instance().find(name.toStdString());
    QStringList names{name};
    if (entry)
        for (const std::string& alias : entry->aliases) names << QString::fromStdString(alias);
    int total = 0;
    for (const QString& w : words) {
        int best = 0;
        for (const QString& n : names) {
            if (n.compare(w, Qt::CaseInsensitive) == 0) best = std::max(best, 100);
            if (n.startsWith(w, Qt::CaseInsensitive)) best = std::max(best, 60);
            if (n.contains(w, Qt::CaseInsensitive)) best = std::max(best, 40);
        }
        if (best == 0 && entry && QString::fromStdString(entry->help).contains(w, Qt::CaseInsensitive)) best = 10;
        if (best == 0 && helpWords(name).contains(w, Qt::CaseInsensitive)) best = 3;
        if (best == 0) return 0;
        total += best;
    }
    return total;
}

void LibraryPanel::fill()
{
    const QString before = selected();
    const int scrolled = m_tree->verticalScrollBar()->value();
    const QScopedValueRollback filling(m_filling, true);
    m_tree->clear();
    const QStringList words = m_search->text().split(' ', Qt::SkipEmptyParts);
    if (!words.isEmpty()) {
        std::vector<std::pair<int, QString>> found;
        QStringList names{"Node", "include"};
        for (const ComponentEntryPtr& e : m_all) names << QString::fromStdString(e->name);
        names << m_prefabs;
        for (const QString& n : names)
            if (const int s = score(n, words); s > 0) found.emplace_back(-s, n);
        std::ranges::sort(found);
        auto* top = group(found.empty() ? tr("Nothing found") : tr("%1 found").arg(found.size()));
        for (const auto& [s, n] : found) addTo(top, n);
        top->setExpanded(true);
        if (top->childCount() > 0) m_tree->setCurrentItem(top->child(0));
        return showHelp();
    }
    const auto fixed = [&](const QString& title, const QStringList& names, bool open) {
        if (names.isEmpty()) return;
        auto* g = group(title);
        for (const QString& n : names) addTo(g, n);
        const auto chosen = m_open.find(title);
        g->setExpanded(chosen == m_open.end() ? open : chosen->second);
    };
    QStringList fitting;
    for (std::size_t i = 0; i < m_fitting.size() && i < fittingLimit; ++i)
        fitting << QString::fromStdString(m_fitting[i]);
    fixed(tr("Fits here"), fitting, true);
    fixed(tr("Favourites"), list("modeler/favourites"), true);
    fixed(tr("Used last"), list("modeler/used"), false);
    fixed(tr("Structure"), {"Node", "include"}, true);
    std::map<QString, QStringList> categories;
    for (const ComponentEntryPtr& e : m_all)
        categories[qt::kindText(e->category.empty() ? "Other" : e->category)] << QString::fromStdString(e->name);
    for (const auto& [category, names] : categories) fixed(category, names, false);
    fixed(tr("Prefabs"), m_prefabs, false);
    if (!before.isEmpty()) {
        const auto items = m_tree->findItems(before, Qt::MatchExactly | Qt::MatchRecursive);
        if (!items.isEmpty() && items.front()->parent()->isExpanded()) m_tree->setCurrentItem(items.front());
    }
    m_tree->verticalScrollBar()->setValue(scrolled);
    showHelp();
}

void LibraryPanel::showHelp()
{
    const QString name = selected();
    m_insert->setEnabled(!name.isEmpty());
    m_favourite->setEnabled(!name.isEmpty());
    m_favourite->setChecked(list("modeler/favourites").contains(name));
    m_example->setEnabled(false);
    const auto prototype = name.isEmpty() ? nullptr : Prototype::of(name.toStdString());
    if (!prototype) {
        m_help->setHtml(m_prefabs.contains(name)
                            ? tr("<h3>%1</h3>A prefab: a file of share/Objects takes its place.").arg(name)
                        : name == "include" ? tr("<h3>include</h3>Another scene file takes its place.")
                                            : QString());
        return;
    }
    QString text = "<h3>" + name + "</h3><p>" + html(prototype->help()) + "</p>";
    if (const ComponentEntryPtr& e = prototype->entry()) {
        const auto line = [&](const QString& title, const QString& what) {
            if (!what.isEmpty()) text += "<b>" + title + ":</b> " + what + "<br>";
        };
        QStringList aliases, templates;
        for (const std::string& a : e->aliases) aliases << html(a);
        for (const std::string& t : prototype->templates()) templates << html(t);
        line(tr("Kind"), qt::kindText(e->category).toHtmlEscaped());
        line(tr("Also called"), aliases.join(", "));
        line(tr("Templates"), templates.join(", "));
        line(tr("Module"), html(e->module));
        line(tr("Authors"), html(e->authors));
        line(tr("Licence"), html(e->license));
        const auto example = shareDirectory() / "scenes" / e->example;
        if (!e->example.empty() && std::filesystem::exists(example)) {
            m_example->setEnabled(true);
            m_example->setProperty("path", QString::fromStdString(example.string()));
            line(tr("Example"), html(e->example));
        }
    }
    text += "<table cellpadding='2'>";
    for (const DataEntry& d : prototype->data()) {
        const std::string value = d.defaultText.size() > 30 ? d.defaultText.substr(0, 27) + "..." : d.defaultText;
        text += "<tr><td><b>" + html(d.name) + "</b></td><td>" + html(d.typeName) +
                (d.unit.empty() || d.unit == "1" ? "" : " [" + html(d.unit) + "]") + "</td><td>" + html(value) +
                "</td></tr><tr><td colspan='3'>" + html(d.help) + "</td></tr>";
    }
    for (const LinkEntry& l : prototype->links())
        text += "<tr><td><b>@" + html(l.name) + "</b></td><td colspan='2'>" + html(l.typeName) +
                "</td></tr><tr><td colspan='3'>" + html(l.help) + "</td></tr>";
    m_help->setHtml(text + "</table>");
}

}  // namespace sofa::modeler
