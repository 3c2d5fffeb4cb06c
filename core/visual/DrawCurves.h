// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/mesh/BezierElements.h"
#include "core/visual/DrawTool.h"

namespace sofa::core {

/// The edges of quadratic Bézier elements, each once, as chains of lines.
void drawCurvedEdges(DrawTool& tool, std::span<const BezierTetrahedron> elements, std::span<const Vec3> points,
                     const DrawStyle& style);
void drawCurvedEdges(DrawTool& tool, std::span<const BezierTriangle> elements, std::span<const Vec3> points,
                     const DrawStyle& style);

}  // namespace sofa::core
