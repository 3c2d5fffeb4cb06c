// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QString>

class QWidget;

namespace sofa::qt {

/// Shows a file in a window of its own, with a line (from 1 on) marked, and a button that opens it in the editor of the
/// desktop. Returns why not; empty if it is shown.
QString showSource(QWidget* parent, const QString& file, int line);

}  // namespace sofa::qt
