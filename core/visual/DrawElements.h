// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/visual/DrawTool.h"

/// What components have in common when they draw: points, lines and elements on the points of a state. Indices of
/// points that do not exist are passed over, as a mesh may change before its state does.
namespace sofa::core {

/// Style of points, lines and faces that the lights of the scene do not touch.
DrawStyle plainStyle(const Color& color, float size = 1.f);
/// Style of faces and solids.
DrawStyle litStyle(const Color& color);

/// Positions [m] of all points of a state; none where it does not have the vector.
Scratch<Vec3> drawnPoints(DrawTool& tool, const BaseState& state, VecCoordId id = vec_id::position);
/// Positions [m] of some of them.
Scratch<Vec3> drawnPoints(DrawTool& tool, const BaseState& state, std::span<const Index> indices);

/// Points of a diameter in pixels; where a radius [m] is given, spheres of it.
void drawPoints(DrawTool& tool, std::span<const Vec3> points, const Color& color, float pixels, double radius = 0.);
/// A cross along the axes, `size` [m] to either side.
void drawCross(DrawTool& tool, const Vec3& center, double size, const Color& color);
/// Lines of a length [m] from points along unit vectors.
void drawDirections(DrawTool& tool, std::span<const Vec3> points, std::span<const Vec3> directions, double length,
                    const Color& color);

/// How elements are drawn. Without any colours, their faces have SOFA's colours for the kind.
struct ElementDrawing
{
    /// Part by which each element shrinks towards its centre: 0 none, 1 all. Edges (the flag Wireframe) do not shrink.
    double gap = 0.125;
    std::span<const Color> faceColors;     ///< of the faces of each element, in the order of facesOf
    std::span<const Color> elementColors;  ///< one for each element
    std::span<const Color> pointColors;    ///< one for each point
    bool lit = true;
    std::size_t firstElement = 0;  ///< number of the first element in `elementColors`
};

/// Elements of one kind, given by their vertices one after the other: edges as lines, all others by their faces.
void drawElements(DrawTool& tool, ElementType type, std::span<const Index> vertices, std::span<const Vec3> points,
                  const ElementDrawing& how = {});
template <std::size_t N>
void drawElements(DrawTool& tool, ElementType type, const Vector<std::array<Index, N>>& elements,
                  std::span<const Vec3> points, const ElementDrawing& how = {})
{
    if (!elements.empty()) drawElements(tool, type, {elements.data()->data(), N * elements.size()}, points, how);
}
/// Faces of an element, turned outwards, by local vertices; of triangles the last index is InvalidIndex. The order is
/// that of the colours.
std::span<const Quad> facesOf(ElementType type);
/// SOFA's colours of the faces of a kind; triangles, quads and edges take them in turn.
std::span<const Color> elementPalette(ElementType type);

/// Lines between points.
void drawEdges(DrawTool& tool, std::span<const Edge> edges, std::span<const Vec3> points, const Color& color,
               float pixels = 1.f);
/// The number of each element in its middle.
template <std::size_t N>
void drawElementIndices(DrawTool& tool, const Vector<std::array<Index, N>>& elements, std::span<const Vec3> points,
                        double size, const Color& color)
{
    auto middles = tool.scratch<Vec3>();
    middles.reserve(elements.size());
    for (const auto& e : elements) {
        Vec3 sum;
        for (const Index v : e)
            if (v < points.size()) sum += points[v];
        middles.push_back(sum / static_cast<double>(N));
    }
    tool.indices(middles, size, color);
}

/// Edges of elements (triangles, quads, tetrahedra or hexahedra), each once; of vertices below `points` only.
Scratch<Edge> edgesOf(DrawTool& tool, ElementType type, std::span<const Index> vertices, std::size_t points);
template <std::size_t N>
void drawElementEdges(DrawTool& tool, ElementType type, const Vector<std::array<Index, N>>& elements,
                      std::span<const Vec3> points, const DrawStyle& style)
{
    if (elements.empty()) return;
    tool.lines(points, edgesOf(tool, type, {elements.data()->data(), N * elements.size()}, points.size()), style);
}

/// Springs: lines (mode 0, or no radius), cylinders (1) or arrows (2) of a radius [m] between consecutive pairs of
/// points.
void drawSprings(DrawTool& tool, std::span<const Vec3> ends, int mode, double radius, const Color& color);
/// Points that follow others: they are yellow, and blue lines join them with what they follow (pairs of points).
void drawMapping(DrawTool& tool, std::span<const Vec3> points, std::span<const Vec3> lines);
/// Height of text [pixel] for one of SOFA's scales of indices. Scales up to 0.1 are those of old scenes, in which
/// text had a size in space: they count as 1.
double indexSize(double scale);
/// Arrows whose radius is a part of their length.
void drawArrows(DrawTool& tool, std::span<const Vec3> ends, double slenderness, const Color& color);

}  // namespace sofa::core
