// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/DrawSize.h"

#include "core/visual/DrawElements.h"

namespace sofa::component {

void drawConstrainedPoints(core::DrawTool& tool, std::span<const core::Vec3> points, double radius)
{
    const core::Color color = radius > 0. ? core::Color(1.f, 0.35f, 0.35f) : core::Color(1.f, 0.5f, 0.5f);
    core::drawPoints(tool, points, color, 10.f, radius);
}

}  // namespace sofa::component
