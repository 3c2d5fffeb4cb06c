// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>

#include "core/scene/SceneSnapshot.h"

namespace sofa::qt {

/// Edits the text of one Data in the way that its type asks for: a box to tick, a list of choices, a line, a colour, a
/// file, a table.
class DataEditor : public QWidget
{
public:
    using QWidget::QWidget;
    /// Called when the user changes the value.
    std::function<void()> onEdited;
    /// The value as it would be written in a scene.
    virtual QString value() const = 0;
    /// Shows a value; does not call onEdited.
    virtual void setValue(const QString& text) = 0;
    /// Whether it takes more than a line: then it stands below its label.
    virtual bool isTall() const { return false; }
    /// Whether the user may change it.
    virtual void setReadOnly(bool on) = 0;
    /// What screen readers call it, and what takes the keys in it.
    void setSpokenName(const QString& name);
};

/// The editor for a Data: by its choices, its type, and the length of its text.
DataEditor* makeEditor(const core::DataEntry& data, QWidget* parent = nullptr);

/// Numbers in a row of a list's table: 3 for "list of Vec3", 4 for "list of 4 x unsigned int", 7 for rigid frames; 0
/// for types that a table does not suit.
int columnsOf(const std::string& typeName);

}  // namespace sofa::qt
