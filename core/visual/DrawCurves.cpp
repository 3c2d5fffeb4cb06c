// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/DrawCurves.h"

#include <algorithm>

namespace sofa::core {

void drawCurvedEdges(DrawTool& tool, std::span<const BezierTetrahedron> elements, std::span<const Vec3> points,
                     const DrawStyle& style)
{
    constexpr int pieces = 8;
    auto curves = tool.scratch<std::array<Index, 3>>();  // a control point belongs to one edge
    curves.reserve(elements.size() * bezierEdges.size());
    for (const BezierTetrahedron& t : elements)
        for (std::size_t k = 0; k < bezierEdges.size(); ++k) {
            const Index a = t[bezierEdges[k][0]], b = t[bezierEdges[k][1]];
            if (std::max(a, b) < points.size()) curves.push_back({t[4 + k], std::min(a, b), std::max(a, b)});
        }
    std::ranges::sort(curves);
    curves.erase(std::unique(curves.begin(), curves.end()), curves.end());
    auto ends = tool.scratch<Vec3>();
    ends.reserve(curves.size() * 2 * pieces);
    for (const auto& [control, from, to] : curves) {
        if (control >= points.size()) {  // an edge of degree 1
            ends.push_back(points[from]);
            ends.push_back(points[to]);
            continue;
        }
        for (int i = 0; i < pieces; ++i)
            for (const int end : {i, i + 1}) {
                const double s = static_cast<double>(end) / pieces, r = 1. - s;
                ends.push_back(points[from] * (r * r) + points[control] * (2. * s * r) + points[to] * (s * s));
            }
    }
    tool.lines(ends, style);
}

}  // namespace sofa::core
