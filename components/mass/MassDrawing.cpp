// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/MassDrawing.h"

namespace sofa::component {

std::optional<core::Vec3> centerOfMass(std::span<const core::Vec3> points,
                                       const std::function<double(core::Index)>& mass)
{
    core::Vec3 sum;
    double total = 0.;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double m = mass(static_cast<core::Index>(i));
        sum += points[i] * m;
        total += m;
    }
    if (!(total > 0.)) return {};
    return sum / total;
}

void drawCenterOfMass(core::DrawTool& tool, std::span<const core::Vec3> points,
                      const std::function<double(core::Index)>& mass, double size, const core::Color& color)
{
    if (const auto center = centerOfMass(points, mass)) core::drawCross(tool, *center, size, color);
}

}  // namespace sofa::component
