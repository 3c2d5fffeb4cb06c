// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/DrawCurves.h"

#include <algorithm>

namespace sofa::core {

namespace {

template <class Element, std::size_t Edges>
void drawEdgesOf(DrawTool& tool, std::span<const Element> elements,
                 const std::array<std::array<std::size_t, 2>, Edges>& sides, std::span<const Vec3> points,
                 const DrawStyle& style)
{
    constexpr int pieces = 8;
    auto curves = tool.scratch<std::array<Index, 3>>();  // a control point belongs to one edge
    curves.reserve(elements.size() * Edges);
    for (const Element& e : elements)
        for (std::size_t k = 0; k < Edges; ++k) {
            const Index a = e[sides[k][0]], b = e[sides[k][1]];
            if (std::max(a, b) < points.size())
                curves.push_back({e[e.size() - Edges + k], std::min(a, b), std::max(a, b)});
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

}  // namespace

void drawCurvedEdges(DrawTool& tool, std::span<const BezierTetrahedron> elements, std::span<const Vec3> points,
                     const DrawStyle& style)
{
    drawEdgesOf(tool, elements, bezierEdges, points, style);
}

void drawCurvedEdges(DrawTool& tool, std::span<const BezierTriangle> elements, std::span<const Vec3> points,
                     const DrawStyle& style)
{
    drawEdgesOf(tool, elements, bezierTriangleEdges, points, style);
}

}  // namespace sofa::core
