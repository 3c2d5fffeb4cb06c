// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/modeler/LinkEditor.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>
#include <cctype>

#include "applications/modeler/Prototype.h"
#include "core/factory/Registry.h"

namespace sofa::modeler {

namespace {

/// Letters of a label of a type, without its template: "State<Vec3>" and "state of type Vec3" -> "state".
std::string stem(const std::string& label)
{
    std::string out;
    for (const char c : label.substr(0, std::min(label.find('<'), label.find(" of type "))))
        if (std::isalnum(static_cast<unsigned char>(c))) out += static_cast<char>(std::tolower(c));
    return out;
}

bool isOfType(const std::string& className, const std::string& label)
{
    if (!Registry::instance().find(className)) return false;
    const std::string wanted = stem(label);
    for (const std::string& base : Registry::instance().basesOf(className))
        if (const std::string s = stem(base); s == wanted || s == "base" + wanted) return true;
    return false;
}

}  // namespace

QStringList linkTargets(const Document& document, XmlId from, const std::string& type, bool data)
{
    const TextLinks* names = document.links();
    const XmlDocument* x = document.text().tree();
    const std::uint32_t here = x ? x->find(from) : XmlItem::none;
    if (!names || here == XmlItem::none) return {};
    QStringList fitting, others;
    for (std::uint32_t i = 0; i < x->items().size(); ++i) {
        if (!x->items()[i].isElement() || names->nameOf(i).empty() || i == here) continue;
        const XmlId id = x->items()[i].id;
        std::string path = '@' + names->nameOf(i);
        if (names->target(here, path) != id) path = '@' + names->pathOf(i);
        if (names->target(here, path) != id) continue;
        if (data) {
            const auto prototype = names->isNode(i) ? nullptr : Prototype::of(names->classOf(i));
            if (!prototype) continue;
            for (const auto* list : {&prototype->outputs(), &prototype->data()})
                for (const DataEntry& d : *list)
                    if (d.typeName == type) fitting << QString::fromStdString(path + '.' + d.name);
            continue;
        }
        const bool fits = names->isNode(i) ? stem(type) == "node" : isOfType(names->classOf(i), type);
        (fits ? fitting : others) << QString::fromStdString(path);
    }
    return fitting.isEmpty() ? others : fitting;
}

/// Fills its list when it opens.
class LinkEditor::Box : public QComboBox
{
public:
    explicit Box(std::function<QStringList()> targets) : m_targets(std::move(targets))
    {
        setEditable(true);
        setInsertPolicy(NoInsert);
        setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
        setMinimumContentsLength(8);
    }
    void showPopup() override
    {
        const QString before = currentText();
        {
            const QSignalBlocker blocker(this);
            clear();
            addItems(m_targets());
            setEditText(before);
            setCurrentIndex(findText(before));
            setEditText(before);
        }
        QComboBox::showPopup();
    }

private:
    std::function<QStringList()> m_targets;
};

LinkEditor::LinkEditor(std::function<QStringList()> targets, QWidget* parent)
    : DataEditor(parent), m_box(new Box(std::move(targets)))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_box);
    setFocusProxy(m_box);
    m_box->lineEdit()->setPlaceholderText("@");
    const auto edited = [this] {
        if (onEdited) onEdited();
    };
    connect(m_box->lineEdit(), &QLineEdit::textEdited, this, edited);
    connect(m_box, &QComboBox::activated, this, edited);
}

QString LinkEditor::value() const { return m_box->currentText(); }

void LinkEditor::setValue(const QString& text)
{
    if (m_box->currentText() == text) return;
    const QSignalBlocker blocker(m_box);
    m_box->setEditText(text);
}

void LinkEditor::setReadOnly(bool on) { m_box->setEnabled(!on); }

}  // namespace sofa::modeler
