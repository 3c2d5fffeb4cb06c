// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QScrollArea>

class QBoxLayout;
class QCheckBox;

namespace sofa::qt {

/// Gives a widget bars to scroll where the window is smaller than it needs.
QScrollArea* scrolled(QWidget* widget);

/// Adds a check box at the end of a row or column. `name` is that of the widget, by which it is found.
QCheckBox* addCheckBox(QBoxLayout* layout, const char* name, const QString& text, const QString& help);

}  // namespace sofa::qt
