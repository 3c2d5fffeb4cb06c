// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointer>
#include <QWidget>
#include <map>

#include "applications/modeler/Document.h"
#include "applications/modeler/Prototype.h"
#include "core/scene/SceneIncludes.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace sofa::qt {
class DataEditor;
}

namespace sofa::modeler {

class FilePreview;

/// The attributes of the selected element, each with the editor that its type asks for. Every change becomes an edit
/// of the text at once; what is edited in one go is one step.
class PropertiesPanel : public QWidget
{
    Q_OBJECT

public:
    explicit PropertiesPanel(QWidget* parent = nullptr);
    void setDocument(Document* document);

    /// Editor of an attribute; nullptr if there is none of this name.
    qt::DataEditor* editor(const std::string& attribute) const;
    /// What is shown of the file that an attribute names; nullptr if it names none.
    const FilePreview* preview(const std::string& attribute) const;
    /// What the panel says of its value; empty if it is good.
    QString problem(const std::string& attribute) const;

Q_SIGNALS:
    /// The points of a list of indices are to be picked in the view.
    void pickAsked(const QString& attribute);

protected:
    bool eventFilter(QObject* object, QEvent* e) override;

private:
    struct Row
    {
        std::string attribute, spelling;  ///< today's name, and that in the text
        DataEntry entry;
        qt::DataEditor* editor = nullptr;
        QWidget* whole = nullptr;
        QLabel *label = nullptr, *problem = nullptr;
        QToolButton* reset = nullptr;
        bool isLink = false;  ///< what is edited is a link
        bool isUnknown = false;
        FilePreview* preview = nullptr;  ///< of a file; nullptr for others
    };
    void follow();
    void build();
    void display(Row& row);
    void addRow(QVBoxLayout* page, Row row, const QString& tip);
    void toggleLink(const std::string& attribute);
    void filter();
    std::uint32_t element() const;
    std::string signature() const;
    /// Whether an attribute replaces one of what the selected include brings.
    bool isOverride(const std::string& attribute) const;
    void addOverrides(QVBoxLayout* page);
    std::string given(const std::string& attribute, std::string& spelling, bool& isGiven) const;

    QPointer<Document> m_document;
    std::shared_ptr<const Prototype> m_prototype;
    std::vector<Overridable> m_overridable;  ///< by the selected include
    QLabel *m_head, *m_help;
    QLineEdit* m_search;
    QCheckBox* m_onlySet;
    QScrollArea* m_area;
    std::map<std::string, Row> m_rows;  ///< by attribute
    std::string m_signature;
    std::string m_asLink;  ///< the attribute that is to become a link, of the element m_linkOf
    XmlId m_linkOf = 0;
    bool m_editing = false;
};

}  // namespace sofa::modeler
