// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/PropertiesPanel.h"

#include <QCheckBox>
#include <QEvent>
#include <QFileInfo>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "applications/modeler/FilePreview.h"
#include "applications/modeler/LinkEditor.h"
#include "applications/modeler/PointPicker.h"
#include "applications/qt/CoreTexts.h"
#include "applications/qt/panels/DataEditor.h"

namespace sofa::modeler {

namespace {

QString plain(const std::string& s) { return QString::fromStdString(s).toHtmlEscaped(); }

bool isLinkText(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && text[first] == '@';
}

/// The words of the tip of a Data.
QString tipOf(const DataEntry& d)
{
    QString tip = plain(d.help);
    if (!d.typeName.empty()) tip += "<br><i>" + plain(d.typeName) + "</i>";
    if (!d.unit.empty() && d.unit != "1")
        tip += PropertiesPanel::tr(" in %1; other units of the same kind may be written").arg(plain(d.unit));
    if (!d.range.empty()) tip += "<br>" + PropertiesPanel::tr("Must be %1").arg(plain(d.range));
    if (d.required) tip += "<br><b>" + PropertiesPanel::tr("Required") + "</b>";
    if (!d.defaultText.empty() && d.defaultText.size() < 100)
        tip += "<br>" + PropertiesPanel::tr("Default: %1").arg(plain(d.defaultText));
    return tip;
}

/// Attributes of elements whose class is not known.
DataEntry freeText(const std::string& name, bool file = false)
{
    DataEntry e;
    e.name = name;
    e.typeName = file ? "file name" : "string";
    return e;
}

}  // namespace

PropertiesPanel::PropertiesPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName("properties");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    m_head = new QLabel;
    m_head->setObjectName("propertiesHead");
    m_head->setWordWrap(true);
    m_head->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_head);
    auto* bar = new QHBoxLayout;
    layout->addLayout(bar);
    m_search = new QLineEdit;
    m_search->setObjectName("propertiesSearch");
    m_search->setAccessibleName(tr("Search in the attributes"));
    m_search->setPlaceholderText(tr("Search in names and help"));
    m_search->setClearButtonEnabled(true);
    bar->addWidget(m_search);
    m_onlySet = new QCheckBox(tr("Only &set"));
    m_onlySet->setObjectName("propertiesOnlySet");
    m_onlySet->setToolTip(tr("Show only what the scene gives"));
    bar->addWidget(m_onlySet);
    m_area = new QScrollArea;
    m_area->setWidgetResizable(true);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setFrameShape(QFrame::NoFrame);
    layout->addWidget(m_area, 1);
    m_help = new QLabel;
    m_help->setObjectName("propertiesHelp");
    m_help->setWordWrap(true);
    m_help->setTextFormat(Qt::RichText);
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_help->setMinimumHeight(m_help->fontMetrics().height() * 4);
    m_help->setFrameShape(QFrame::StyledPanel);
    m_help->setMargin(4);
    layout->addWidget(m_help);
    connect(m_search, &QLineEdit::textChanged, this, &PropertiesPanel::filter);
    connect(m_onlySet, &QCheckBox::toggled, this, &PropertiesPanel::filter);
    build();
}

void PropertiesPanel::setDocument(Document* document)
{
    if (m_document) m_document->disconnect(this);
    m_document = document;
    m_signature.clear();
    if (document) {
        connect(document, &Document::changed, this, &PropertiesPanel::follow);
        connect(document, &Document::selectionChanged, this, &PropertiesPanel::follow);
    }
    follow();
}

qt::DataEditor* PropertiesPanel::editor(const std::string& attribute) const
{
    const auto it = m_rows.find(attribute);
    return it == m_rows.end() ? nullptr : it->second.editor;
}

const FilePreview* PropertiesPanel::preview(const std::string& attribute) const
{
    const auto it = m_rows.find(attribute);
    return it == m_rows.end() ? nullptr : it->second.preview;
}

QString PropertiesPanel::problem(const std::string& attribute) const
{
    const auto it = m_rows.find(attribute);
    return it == m_rows.end() || it->second.problem->isHidden() ? QString() : it->second.problem->text();
}

std::uint32_t PropertiesPanel::element() const
{
    const XmlDocument* x = m_document ? m_document->text().tree() : nullptr;
    const std::uint32_t i = x && m_document->current() != 0 ? x->find(m_document->current()) : XmlItem::none;
    return i != XmlItem::none && x->items()[i].isElement() ? i : XmlItem::none;
}

/// The value that the element gives to an attribute, under whatever name.
std::string PropertiesPanel::given(const std::string& attribute, std::string& spelling, bool& isGiven) const
{
    const XmlDocument& x = *m_document->text().tree();
    isGiven = false;
    spelling = attribute;
    for (const XmlAttribute& a : x.attributes(x.items()[element()])) {
        const std::string name(x.name(a));
        if (name != attribute && (!m_prototype || m_prototype->canonical(name) != attribute)) continue;
        isGiven = true;
        spelling = name;
        return x.value(a);
    }
    return {};
}

/// What decides which rows there are: the panel is built anew only where it changes.
std::string PropertiesPanel::signature() const
{
    const std::uint32_t i = element();
    if (i == XmlItem::none) return "none";
    const XmlDocument& x = *m_document->text().tree();
    std::string out = std::to_string(m_document->current()) + ' ' + m_document->links()->classOf(i);
    for (const XmlAttribute& a : x.attributes(x.items()[i])) {
        const std::string name(x.name(a)), value = x.value(a);
        if (name == "template") out += " template=" + value;
        if (isLinkText(value)) out += " @" + name;
        if (!isOverride(name) && (!m_prototype || m_prototype->canonical(name).empty())) out += " ?" + name;
    }
    for (const Overridable& o : m_overridable) out += ' ' + o.spelling + '=' + o.value;
    if (m_linkOf == m_document->current()) out += " link " + m_asLink;
    return out;
}

void PropertiesPanel::follow()
{
    if (m_editing) return;
    const std::uint32_t i = element();
    setEnabled(i != XmlItem::none && m_document->text().wellFormed());
    if (i != XmlItem::none) {
        const XmlDocument& x = *m_document->text().tree();
        const TextLinks& names = *m_document->links();
        const XmlAttribute* t = x.attribute(x.items()[i], "template");
        const bool isObject =
            names.isNode(i) || x.items()[i].parent == XmlItem::none || names.isNode(x.items()[i].parent);
        m_prototype =
            isObject ? Prototype::of(names.isNode(i) ? "Node" : names.classOf(i), t ? x.value(*t) : "") : nullptr;
        m_overridable.clear();
        try {
            if (!m_prototype && includedFile(x, i))
                m_overridable = overridable(m_document->text(), m_document->current());
        } catch (const EditError&) {
            // The messages say what is wrong with the file.
        }
    }
    if (const std::string now = signature(); now != m_signature) {
        m_signature = now;
        build();
    } else {
        for (auto& [name, row] : m_rows) display(row);
    }
    filter();
}

void PropertiesPanel::build()
{
    m_rows.clear();
    m_help->clear();
    auto* inside = new QWidget;
    auto* layout = new QVBoxLayout(inside);
    layout->setContentsMargins(0, 0, 4, 0);
    const std::uint32_t i = element();
    if (i == XmlItem::none) {
        m_prototype.reset();
        m_head->setText(tr("Nothing is selected."));
    } else {
        const XmlDocument& x = *m_document->text().tree();
        const TextLinks& names = *m_document->links();
        const std::string type = names.classOf(i);
        const auto file = m_prototype ? std::nullopt : includedFile(x, i);
        m_head->setText(
            "<b>" + plain(names.nameOf(i)) + "</b> " + plain(type) +
            (m_prototype ? "<br>" + plain(m_prototype->help())
             : file      ? "<br>" + (file->path.empty() ? tr("The file is not found.") : plain(file->path))
                    : "<br><i>" + tr("This class is not known here; its attributes are kept as they are.") + "</i>"));
        const auto page = [&](const QString& title) {
            auto* box = new QGroupBox(title);
            auto* inner = new QVBoxLayout(box);
            inner->setContentsMargins(6, 4, 4, 4);
            inner->setSpacing(2);
            layout->addWidget(box);
            return inner;
        };
        // What is not known comes first: there is something to do about it.
        std::vector<std::string> unknown;
        for (const XmlAttribute& a : x.attributes(x.items()[i])) {
            const std::string name(x.name(a));
            const bool isSpecial = name == "template" || (name == "type" && x.name(x.items()[i]) == "Object");
            if (!isSpecial && !isOverride(name) && (!m_prototype || m_prototype->canonical(name).empty()))
                unknown.push_back(name);
        }
        if (!unknown.empty()) {
            QVBoxLayout* inner = page(m_prototype ? tr("Not known") : tr("Attributes"));
            for (const std::string& name : unknown) {
                Row row{name,    name,  freeText(name, name == "href"), nullptr, nullptr, nullptr, nullptr,
                        nullptr, false, m_prototype != nullptr};
                const std::string why = m_prototype ? m_prototype->ineffective(name) : std::string();
                addRow(inner, std::move(row),
                       !m_prototype  ? QString()
                       : why.empty() ? tr("%1 knows no attribute '%2': it has no effect.").arg(plain(type), plain(name))
                                     : plain(why));
            }
        }
        if (!m_overridable.empty()) addOverrides(page(tr("What the scene may replace")));
        if (m_prototype) {
            std::map<std::string, QVBoxLayout*> pages;
            pages[""] = page(tr("Properties"));
            if (const auto templates = m_prototype->templates(); templates.size() > 1) {
                DataEntry e = freeText("template");
                e.help =
                    tr("Types that the component works on. Without it: the first that fits the states of its node.")
                        .toStdString();
                const XmlAttribute* t = x.attribute(x.items()[i], "template");
                if (!t || std::ranges::find(templates, x.value(*t)) != templates.end()) e.choices = templates;
                addRow(pages[""], {"template", "template", e}, tipOf(e));
            }
            for (const DataEntry& d : m_prototype->data()) {
                QVBoxLayout*& inner = pages[d.group];
                if (!inner) inner = page(qt::coreText(d.group));
                addRow(inner, {d.name, d.name, d}, tipOf(d));
            }
            if (!m_prototype->links().empty()) {
                QVBoxLayout* inner = page(tr("Links"));
                for (const LinkEntry& l : m_prototype->links()) {
                    DataEntry e = freeText(l.name);
                    e.help = l.help;
                    e.typeName = l.typeName;
                    e.required = l.required;
                    Row row{l.name, l.name, e};
                    row.isLink = true;
                    addRow(inner, std::move(row), tipOf(e));
                }
            }
            if (!m_prototype->others().empty()) {
                QVBoxLayout* inner = page(tr("More"));
                for (const auto& [name, help] : m_prototype->others()) {
                    DataEntry e = freeText(name);
                    e.help = help;
                    addRow(inner, {name, name, e}, tipOf(e));
                }
            }
        }
    }
    layout->addStretch();
    // One of the widgets may be what has asked for this.
    if (QWidget* before = m_area->takeWidget()) before->deleteLater();
    m_area->setWidget(inside);
}

bool PropertiesPanel::isOverride(const std::string& attribute) const
{
    return std::ranges::any_of(m_overridable, [&](const Overridable& o) { return o.spelling == attribute; });
}

void PropertiesPanel::addOverrides(QVBoxLayout* page)
{
    for (const Overridable& o : m_overridable) {
        DataEntry e = freeText(o.spelling);
        const auto of = Prototype::of(o.className, o.templateName);
        const std::string name = of && !isLinkText(o.value) ? of->canonical(o.attribute) : std::string();
        if (!name.empty())
            for (const DataEntry& d : of->data())
                if (d.name == name) e = d;
        e.name = o.spelling;
        e.text = e.defaultText = o.value;
        e.length = o.value.size();
        e.required = false;
        const QString whose = o.spelling == o.attribute && o.component.empty()
                                  ? tr("Of all components that have it")
                                  : tr("Of %1").arg(plain(o.component) + " (" + plain(o.className) + ')');
        addRow(page, {o.spelling, o.spelling, e}, whose + "<br>" + tipOf(e));
    }
}

void PropertiesPanel::addRow(QVBoxLayout* page, Row row, const QString& tip)
{
    const std::string name = row.attribute;
    row.whole = new QWidget;
    auto* outer = new QVBoxLayout(row.whole);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(1);
    auto* line = new QHBoxLayout;
    outer->addLayout(line);
    row.label = new QLabel;
    row.label->setTextFormat(Qt::RichText);
    row.label->setToolTip(tip);
    row.label->setMinimumWidth(fontMetrics().horizontalAdvance('n') * 14);
    line->addWidget(row.label);

    bool isGiven = false;
    const std::string value = given(name, row.spelling, isGiven);
    const bool wantsLink = m_linkOf == m_document->current() && m_asLink == name;
    const bool isDataLink = !row.isLink && (isLinkText(value) || wantsLink);
    const XmlId id = m_document->current();
    DataEntry entry = row.entry;
    if (row.isLink || isDataLink) {
        row.editor = new LinkEditor([this, id, type = entry.typeName, isDataLink] {
            return m_document ? linkTargets(*m_document, id, type, isDataLink) : QStringList();
        });
    } else {
        if (isGiven) entry.text = value, entry.length = value.size();
        row.editor = qt::makeEditor(entry);
    }
    row.editor->setObjectName("attribute:" + QString::fromStdString(name));
    row.editor->setSpokenName(QString::fromStdString(name));
    row.editor->setToolTip(tip);
    row.label->setBuddy(row.editor);
    if (row.editor->isTall())
        line->addStretch();
    else
        line->addWidget(row.editor, 1);
    if (!row.isLink && !row.isUnknown && name != "template" && name != "name" && m_prototype) {
        auto* link = new QToolButton;
        link->setText("@");
        link->setAutoRaise(true);
        link->setCheckable(true);
        link->setChecked(isDataLink);
        link->setToolTip(tr("Follow the value of another component"));
        link->setAccessibleName(tr("Link of %1").arg(QString::fromStdString(name)));
        link->setObjectName("link:" + QString::fromStdString(name));
        line->addWidget(link);
        connect(link, &QToolButton::clicked, this, [this, name] { toggleLink(name); });
    }
    if (!row.isLink && !isDataLink && PointPicker::picks(row.entry)) {
        auto* pick = new QToolButton;
        pick->setText(tr("Pick"));
        pick->setAutoRaise(true);
        pick->setToolTip(tr("Click on the points in the view"));
        pick->setAccessibleName(tr("Pick %1").arg(QString::fromStdString(name)));
        pick->setObjectName("pick:" + QString::fromStdString(name));
        line->addWidget(pick);
        connect(pick, &QToolButton::clicked, this, [this, name] { Q_EMIT pickAsked(QString::fromStdString(name)); });
    }
    row.reset = new QToolButton;
    row.reset->setText(row.isUnknown ? "✕" : "↺");
    row.reset->setAutoRaise(true);
    row.reset->setToolTip(row.isUnknown ? tr("Remove the attribute")
                                        : tr("Take the default: remove it from the scene"));
    row.reset->setAccessibleName(tr("Reset %1").arg(QString::fromStdString(name)));
    row.reset->setObjectName("reset:" + QString::fromStdString(name));
    line->addWidget(row.reset);
    connect(row.reset, &QToolButton::clicked, this, [this, name] {
        const std::string spelling = m_rows.at(name).spelling;
        m_linkOf = 0;
        m_document->perform([&](SceneText& t) { t.clearAttribute(m_document->current(), spelling); });
    });
    if (row.editor->isTall()) outer->addWidget(row.editor);
    row.problem = new QLabel;
    row.problem->setWordWrap(true);
    row.problem->hide();
    outer->addWidget(row.problem);
    if (entry.typeName == "file name" && !isDataLink) {
        row.preview = new FilePreview;
        outer->addWidget(row.preview);
    }
    page->addWidget(row.whole);
    if (auto* nameLine = row.editor->findChild<QLineEdit*>(); nameLine && name == "name") {
        // Links follow a name that is complete.
        connect(nameLine, &QLineEdit::editingFinished, this, [this, id, nameLine] {
            const std::string now = nameLine->text().toStdString();
            if (m_document && element() != XmlItem::none && m_document->current() == id && !now.empty() &&
                now != m_document->links()->nameOf(element()))
                m_document->perform([&](SceneText& t) { t.rename(id, now); });
        });
    } else {
        row.editor->onEdited = [this, name] {
            Row& r = m_rows.at(name);
            const std::string now = r.editor->value().toStdString();
            const QScopedValueRollback editing(m_editing, true);
            m_document->perform([&](SceneText& t) { t.setAttribute(m_document->current(), r.spelling, now, true); });
            display(r);
            // Another template has other attributes.
            if (name == "template") QMetaObject::invokeMethod(this, &PropertiesPanel::follow, Qt::QueuedConnection);
        };
    }
    for (QWidget* w : row.whole->findChildren<QWidget*>()) w->installEventFilter(this);
    row.whole->setProperty("tip", "<b>" + plain(name) + "</b><br>" + tip);
    Row& kept = m_rows[name] = std::move(row);
    display(kept);
}

void PropertiesPanel::display(Row& row)
{
    bool isGiven = false;
    const std::string value = given(row.attribute, row.spelling, isGiven);
    const std::string shown = isGiven ? value : row.isLink ? std::string() : row.entry.defaultText;
    if (!m_editing) row.editor->setValue(QString::fromStdString(shown));
    if (row.preview)
        row.preview->setFile(QString::fromStdString(shown),
                             QFileInfo(QString::fromStdString(m_document->text().path())).path());
    QString name = plain(row.attribute);
    if (!row.entry.unit.empty() && row.entry.unit != "1") name += " <small>[" + plain(row.entry.unit) + "]</small>";
    if (row.entry.required && !isGiven) name += " *";
    if (isGiven) name = "<b>" + name + "</b>";
    const QColor red = palette().base().color().lightness() < 128 ? QColor(255, 130, 130) : QColor(170, 20, 30);
    if (row.isUnknown) name = "<span style=\"color: " + red.name() + "\">" + name + "</span>";
    row.label->setText(name);
    row.reset->setEnabled(isGiven);
    const std::string wrong = isGiven && m_prototype ? m_prototype->problem(row.attribute, value) : std::string();
    row.problem->setText("<span style=\"color: " + red.name() + "\">" + plain(wrong) + "</span>");
    row.problem->setVisible(!wrong.empty());
}

void PropertiesPanel::toggleLink(const std::string& attribute)
{
    bool isGiven = false;
    std::string spelling;
    const std::string value = given(attribute, spelling, isGiven);
    const XmlId id = m_document->current();
    const bool wasAsked = m_linkOf == id && m_asLink == attribute;
    m_linkOf = 0;
    if (isLinkText(value)) {
        m_document->perform([&](SceneText& t) { t.clearAttribute(id, spelling); });
        return;
    }
    if (!wasAsked) {
        m_linkOf = id;
        m_asLink = attribute;
    }
    follow();
    if (qt::DataEditor* e = editor(attribute); e && !wasAsked) {
        if (m_linkOf == id) e->setValue("@");
        e->setFocus();
    }
}

void PropertiesPanel::filter()
{
    const QString wanted = m_search->text();
    for (auto& [name, row] : m_rows) {
        const bool matches = wanted.isEmpty() || QString::fromStdString(name).contains(wanted, Qt::CaseInsensitive) ||
                             QString::fromStdString(row.entry.help).contains(wanted, Qt::CaseInsensitive) ||
                             QString::fromStdString(row.entry.unit) == wanted;
        row.whole->setVisible(matches && (!m_onlySet->isChecked() || row.reset->isEnabled()));
    }
    for (QGroupBox* box : m_area->widget()->findChildren<QGroupBox*>()) {
        bool any = false;
        for (int i = 0; i < box->layout()->count(); ++i)
            if (const QWidget* w = box->layout()->itemAt(i)->widget()) any = any || !w->isHidden();
        box->setVisible(any);
    }
}

bool PropertiesPanel::eventFilter(QObject* object, QEvent* e)
{
    if (e->type() == QEvent::FocusIn || e->type() == QEvent::Enter)
        for (const QObject* o = object; o; o = o->parent())
            if (const QVariant tip = o->property("tip"); tip.isValid()) {
                m_help->setText(tip.toString());
                break;
            }
    return QWidget::eventFilter(object, e);
}

}  // namespace sofa::modeler
