// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/LinearSpring.h"

#include "core/visual/DrawElements.h"

namespace sofa::component {

void drawSprings(core::DrawTool& tool, std::span<const LinearSpring> springs, std::span<const core::Vec3> points,
                 const core::Color& shortened, const core::Color& others)
{
    for (const bool isShort : {true, false})
        tool.geometry(core::plainStyle(isShort ? shortened : others), [&](core::Geometry& g) {
            for (const LinearSpring& s : springs) {
                if (s.m1 >= points.size() || s.m2 >= points.size()) continue;
                if ((norm(points[s.m2] - points[s.m1]) < 0.9999 * s.initpos) != isShort) continue;
                const auto first = static_cast<core::Index>(g.positions.size());
                g.positions.push_back(core::Vec3f(points[s.m1]));
                g.positions.push_back(core::Vec3f(points[s.m2]));
                g.lines.push_back({first, first + 1});
            }
        });
}

}  // namespace sofa::component
