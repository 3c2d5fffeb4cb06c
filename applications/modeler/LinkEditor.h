// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QComboBox>

#include "applications/modeler/Document.h"
#include "applications/qt/panels/DataEditor.h"

namespace sofa::modeler {

/// Paths from an element to the objects of the text: those that fit first. `type` is the label of the objects wanted
/// (LinkEntry::typeName), or, with `data`, the type of the Data wanted.
QStringList linkTargets(const Document& document, XmlId from, const std::string& type, bool data);

/// Edits a link: a path that is typed, or chosen from a list that is made when it opens.
class LinkEditor : public qt::DataEditor
{
public:
    explicit LinkEditor(std::function<QStringList()> targets, QWidget* parent = nullptr);
    QString value() const override;
    void setValue(const QString& text) override;
    void setReadOnly(bool on) override;

private:
    class Box;
    Box* m_box;
};

}  // namespace sofa::modeler
