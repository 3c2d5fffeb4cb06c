// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <QPointF>
#include <QRect>
#include <QStringList>

#include "core/objectmodel/Node.h"

class QPainter;

/// The lines of information that the view shows on request (F1).
namespace sofa::qt {

using namespace sofa::core;

/// "CG: 12 iterations" of each iterative solver of the scene.
QStringList solverLines(const Node& root);
/// Writes a line on a dark box, its left side at a point; moved into the view where it would leave it.
void drawNote(QPainter& painter, const QPointF& at, const QString& text, const QRect& view);
/// Writes lines on a dark box in the upper left corner of a view of this width.
void drawOverlay(QPainter& painter, const QStringList& lines, int width);

}  // namespace sofa::qt
