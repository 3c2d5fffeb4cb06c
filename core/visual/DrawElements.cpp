// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visual/DrawElements.h"

#include <algorithm>

#include "core/mesh/SubElements.h"
#include "core/topology/ElementsOf.h"

namespace sofa::core {

namespace {

constexpr Index none = InvalidIndex;
constexpr Quad edgeFaces[] = {{0, 1, none, none}};
constexpr Quad triangleFaces[] = {{0, 1, 2, none}};
constexpr Quad quadFaces[] = {{0, 1, 2, 3}};
constexpr Quad tetrahedronSides[] = {{0, 2, 1, none}, {1, 2, 3, none}, {0, 3, 2, none}, {1, 3, 0, none}};
constexpr Quad pyramidSides[] = {{0, 3, 2, 1}, {0, 1, 4, none}, {1, 2, 4, none}, {2, 3, 4, none}, {3, 0, 4, none}};
constexpr Quad prismSides[] = {{0, 2, 1, none}, {3, 4, 5, none}, {0, 1, 4, 3}, {0, 3, 5, 2}, {1, 2, 5, 4}};
constexpr Quad hexahedronSides[] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

/// A face as one triangle or two, for the vertices of an element.
template <class Vertex>
void addFace(Geometry& out, const Quad& face, const Vertex& vertex)
{
    if (face[3] == none)
        out.triangles.push_back({vertex(face[0]), vertex(face[1]), vertex(face[2])});
    else
        out.addQuad(vertex(face[0]), vertex(face[1]), vertex(face[2]), vertex(face[3]));
}

}  // namespace

DrawStyle plainStyle(const Color& color, float size)
{
    DrawStyle s;
    s.color = color;
    s.size = size;
    s.lit = false;
    return s;
}

DrawStyle litStyle(const Color& color)
{
    DrawStyle s;
    s.color = color;
    return s;
}

Scratch<Vec3> drawnPoints(DrawTool& tool, const BaseState& state, VecCoordId id)
{
    auto out = tool.scratch<Vec3>();
    if (!state.isAllocated(id)) return out;
    out.reserve(state.size());
    for (Index i = 0; i < state.size(); ++i) out.push_back(state.pointPosition(i, id));
    return out;
}

Scratch<Vec3> drawnPoints(DrawTool& tool, const BaseState& state, std::span<const Index> indices)
{
    auto out = tool.scratch<Vec3>();
    out.reserve(indices.size());
    for (const Index i : indices)
        if (i < state.size()) out.push_back(state.pointPosition(i));
    return out;
}

void drawPoints(DrawTool& tool, std::span<const Vec3> points, const Color& color, float pixels, double radius)
{
    if (radius > 0.)
        tool.spheres(points, {&radius, 1}, litStyle(color));
    else
        tool.points(points, plainStyle(color, pixels));
}

void drawCross(DrawTool& tool, const Vec3& center, double size, const Color& color)
{
    std::array<Vec3, 6> ends;
    for (std::size_t i = 0; i < 3; ++i) {
        ends[2 * i] = center - Vec3::unit(i) * size;
        ends[2 * i + 1] = center + Vec3::unit(i) * size;
    }
    tool.lines(ends, plainStyle(color, 4.f));
}

void drawDirections(DrawTool& tool, std::span<const Vec3> points, std::span<const Vec3> directions, double length,
                    const Color& color)
{
    auto ends = tool.scratch<Vec3>();
    ends.reserve(2 * points.size());
    for (std::size_t i = 0; i < points.size() && i < directions.size(); ++i) {
        ends.push_back(points[i]);
        ends.push_back(points[i] + directions[i] * length);
    }
    tool.lines(ends, plainStyle(color));
}

std::span<const Quad> facesOf(ElementType type)
{
    switch (type) {
        case ElementType::Edges:
            return edgeFaces;
        case ElementType::Triangles:
            return triangleFaces;
        case ElementType::Quads:
            return quadFaces;
        case ElementType::Tetrahedra:
            return tetrahedronSides;
        case ElementType::Pyramids:
            return pyramidSides;
        case ElementType::Prisms:
            return prismSides;
        case ElementType::Hexahedra:
            return hexahedronSides;
        case ElementType::Points:
            break;
    }
    return {};
}

std::span<const Color> elementPalette(ElementType type)
{
    static const Color green(0.f, 1.f, 0.f), teal(0.f, 0.5f, 0.5f), blue(0.f, 0.f, 1.f), navy(0.f, 0.f, 0.5f),
        gold(1.f, 0.84f, 0.f), purple(0.5f, 0.f, 0.5f);
    static const Color points[] = {Color()};
    static const Color edges[] = {{0.5f, 1.f, 0.f}, {0.75f, 0.75f, 0.75f}};
    static const Color triangles[] = {green, teal, blue};
    static const Color quads[] = {green, {1.f, 0.5f, 0.f}};
    static const Color tetrahedra[] = {blue, {0.f, 0.f, 0.f}, {0.f, 0.5f, 1.f}, {0.f, 1.f, 1.f}};
    static const Color solids[] = {green, teal, navy, gold, purple};
    static const Color hexahedra[] = {{0.7f, 0.7f, 0.1f}, {0.7f, 0.f, 0.f},   {0.f, 0.7f, 0.f},
                                      {0.f, 0.f, 0.7f},   {0.1f, 0.7f, 0.7f}, {0.7f, 0.1f, 0.7f}};
    switch (type) {
        case ElementType::Edges:
            return edges;
        case ElementType::Triangles:
            return triangles;
        case ElementType::Quads:
            return quads;
        case ElementType::Tetrahedra:
            return tetrahedra;
        case ElementType::Pyramids:
        case ElementType::Prisms:
            return solids;
        case ElementType::Hexahedra:
            return hexahedra;
        case ElementType::Points:
            break;
    }
    return points;
}

void drawElements(DrawTool& tool, ElementType type, std::span<const Index> vertices, std::span<const Vec3> points,
                  const ElementDrawing& how)
{
    const std::size_t n = nodeCount(type), count = vertices.size() / n;
    const std::span<const Quad> faces = facesOf(type);
    const bool isLine = type == ElementType::Edges;
    const bool isFlat = isLine || type == ElementType::Triangles || type == ElementType::Quads;
    const bool perElement = !how.elementColors.empty(), perPoint = !perElement && !how.pointColors.empty();
    const bool colored = perElement || perPoint;
    const std::span<const Color> palette = how.faceColors.empty() ? elementPalette(type) : how.faceColors;
    const std::size_t groups = colored ? 1 : isFlat ? palette.size() : std::min(palette.size(), faces.size());
    const bool own = perElement || (how.gap > 0. && !tool.wireframe());  // vertices of its own for each element
    const double keep = tool.wireframe() ? 1. : 1. - how.gap;

    auto drawn = tool.scratch<Index>();  // the elements whose points exist
    drawn.reserve(count);
    for (std::size_t e = 0; e < count; ++e) {
        const auto element = vertices.subspan(e * n, n);
        if (std::ranges::all_of(element, [&](Index v) { return v < points.size(); }))
            drawn.push_back(static_cast<Index>(e));
    }

    // Faces in groups of one colour: of solids by their face, of flat elements in turn.
    const auto fill = [&](Geometry& g) {
        if (own) {
            g.positions.reserve(drawn.size() * n);
            for (const Index e : drawn) {
                Vec3 center;
                for (std::size_t k = 0; k < n; ++k) center += points[vertices[e * n + k]];
                center /= static_cast<double>(n);
                for (std::size_t k = 0; k < n; ++k)
                    g.positions.push_back(Vec3f(center + (points[vertices[e * n + k]] - center) * keep));
            }
        } else {
            g.positions.reserve(points.size());
            for (const Vec3& p : points) g.positions.push_back(Vec3f(p));
        }
        if (perElement) {
            g.colors.reserve(g.positions.size());
            for (const Index e : drawn) {
                const std::size_t i = std::min(how.firstElement + e, how.elementColors.size() - 1);
                for (std::size_t k = 0; k < n; ++k) g.colors.push_back(how.elementColors[i]);
            }
        } else if (perPoint) {
            const auto colorOf = [&](std::size_t v) {
                return v < how.pointColors.size() ? how.pointColors[v] : Color();
            };
            g.colors.reserve(g.positions.size());
            if (own)
                for (const Index e : drawn)
                    for (std::size_t k = 0; k < n; ++k) g.colors.push_back(colorOf(vertices[e * n + k]));
            else
                for (std::size_t v = 0; v < points.size(); ++v) g.colors.push_back(colorOf(v));
        }
        for (std::size_t group = 0; group < groups; ++group) {
            for (std::size_t i = 0; i < drawn.size(); ++i) {
                if (isFlat && i % groups != group) continue;
                const auto vertex = [&](Index local) {
                    return own ? static_cast<Index>(i * n + local) : vertices[drawn[i] * n + local];
                };
                if (isLine) continue;
                for (std::size_t f = 0; f < faces.size(); ++f)
                    if (isFlat || f % groups == group) addFace(g, faces[f], vertex);
            }
        }
    };

    if (isLine) {
        // Lines cannot be drawn in parts: one geometry for each colour.
        for (std::size_t group = 0; group < groups; ++group)
            tool.geometry(plainStyle(colored ? Color() : palette[group], 2.f), [&](Geometry& g) {
                fill(g);
                for (std::size_t i = group; i < drawn.size(); i += groups) {
                    const auto first = static_cast<Index>(i * 2);
                    g.lines.push_back(own ? Edge{first, first + 1}
                                          : Edge{vertices[drawn[i] * 2], vertices[drawn[i] * 2 + 1]});
                }
            });
        return;
    }
    DrawStyle style = how.lit ? litStyle(Color()) : plainStyle(Color());
    style.wireframe = tool.wireframe();
    // Where each colour begins follows from the numbers of faces, before the geometry is written.
    auto triangles = tool.scratch<int>();
    triangles.assign(groups, 0);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const int each = faces[f][3] == none ? 1 : 2;
        for (std::size_t group = 0; group < groups; ++group) {
            const auto inTurn = static_cast<int>((drawn.size() + groups - 1 - group) / groups);
            if (isFlat)
                triangles[group] += each * inTurn;
            else if (f % groups == group)
                triangles[group] += each * static_cast<int>(drawn.size());
        }
    }
    int first = 0;
    for (std::size_t group = 0; group < groups; ++group) {
        if (!colored) style.color = palette[group];
        style.firstTriangle = groups > 1 ? first : 0;
        style.triangleCount = groups > 1 ? triangles[group] : -1;
        first += triangles[group];
        if (group == 0)
            tool.geometry(style, fill);
        else if (triangles[group] > 0)
            tool.again(style);
    }
}

void drawEdges(DrawTool& tool, std::span<const Edge> edges, std::span<const Vec3> points, const Color& color,
               float pixels)
{
    const auto exists = [&](const Edge& e) { return e[0] < points.size() && e[1] < points.size(); };
    if (std::ranges::all_of(edges, exists)) return tool.lines(points, edges, plainStyle(color, pixels));
    auto existing = tool.scratch<Edge>();
    std::ranges::copy_if(edges, std::back_inserter(existing), exists);
    tool.lines(points, existing, plainStyle(color, pixels));
}

Scratch<Edge> edgesOf(DrawTool& tool, ElementType type, std::span<const Index> vertices, std::size_t points)
{
    std::span<const std::array<Index, 2>> local = triangleEdges;
    if (type == ElementType::Quads) local = quadEdges;
    if (type == ElementType::Tetrahedra) local = tetrahedronEdges;
    if (type == ElementType::Hexahedra) local = hexahedronEdges;
    const std::size_t n = nodeCount(type);
    auto edges = tool.scratch<Edge>();
    edges.reserve(local.size() * (vertices.size() / n));
    for (std::size_t first = 0; first + n <= vertices.size(); first += n)
        for (const auto& [a, b] : local) {
            const Index u = vertices[first + a], v = vertices[first + b];
            if (std::max(u, v) < points) edges.push_back({std::min(u, v), std::max(u, v)});
        }
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

void drawSprings(DrawTool& tool, std::span<const Vec3> ends, int mode, double radius, const Color& color)
{
    if (mode == 1 && radius > 0.)
        tool.cylinders(ends, radius, litStyle(color));
    else if (mode == 2 && radius > 0.)
        tool.arrows(ends, radius, litStyle(color));
    else
        tool.lines(ends, plainStyle(color));
}

void drawMapping(DrawTool& tool, std::span<const Vec3> points, std::span<const Vec3> lines)
{
    tool.points(points, plainStyle(Color(1.f, 1.f, 0.f), 7.f));
    tool.lines(lines, plainStyle(Color(0.f, 0.f, 1.f)));
}

double indexSize(double scale) { return 14. * (scale > 0.1 ? scale : 1.); }

void drawArrows(DrawTool& tool, std::span<const Vec3> ends, double slenderness, const Color& color)
{
    auto radii = tool.scratch<double>();
    radii.reserve(ends.size() / 2);
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) radii.push_back(norm(ends[i + 1] - ends[i]) * slenderness);
    tool.arrows(ends, radii, litStyle(color));
}

}  // namespace sofa::core
