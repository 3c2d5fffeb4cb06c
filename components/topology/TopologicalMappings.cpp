// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/TopologicalMappings.h"

#include <algorithm>
#include <map>

#include "components/topology/GridTopology.h"
#include "core/factory/Registry.h"
#include "core/mesh/SubElements.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

namespace {

/// Cells along x and y of a grid; of any other topology 2 and 1, which makes a row of pairs of it.
std::pair<Index, Index> cellsAlong(const BaseMeshTopology& t)
{
    const auto* grid = dynamic_cast<const GridTopology*>(&t);
    if (!grid) return {2, 1};
    const Vec3i n = grid->resolution();
    return {static_cast<Index>(n[0] - 1), static_cast<Index>(n[1] - 1)};
}

/// Pairs of vertices that a reflection along x, y or z of a hexahedron exchanges.
constexpr std::array<std::array<std::array<std::size_t, 2>, 4>, 3> mirrored{
    {{{{0, 1}, {3, 2}, {4, 5}, {7, 6}}}, {{{0, 3}, {1, 2}, {4, 7}, {5, 6}}}, {{{0, 4}, {1, 5}, {2, 6}, {3, 7}}}}};

constexpr std::array<Tetrahedron, 5> fiveTetrahedra{
    {{0, 2, 7, 5}, {0, 1, 2, 5}, {0, 2, 3, 7}, {0, 5, 7, 4}, {2, 7, 5, 6}}};

/// The points of a quad that are among the corners 0 2 5 7 of a hexahedron, or 1 3 4 6 if it is mirrored.
Edge diagonal(const Hexahedron& h, const Quad& face, bool isMirrored)
{
    Edge ends{InvalidIndex, InvalidIndex};
    std::size_t n = 0;
    for (const Index k : isMirrored ? Quad{1, 3, 4, 6} : Quad{0, 2, 5, 7})
        if (n < 2 && std::ranges::count(face, h[k]) > 0) ends[n++] = h[k];
    return sortedVertices(ends);
}

}  // namespace

Vector<char> Hexa2TetraTopologicalMapping::alternating(const BaseMeshTopology& input)
{
    constexpr char open = 2;
    const auto& hexahedra = input.hexahedra();
    std::map<Quad, Vector<Index>> around;
    for (Index i = 0; i < hexahedra.size(); ++i)
        for (const Quad& f : hexahedronFaces) around[sortedVertices(subElement(hexahedra[i], f))].push_back(i);
    Vector<char> mirrored(hexahedra.size(), open);
    Vector<Index> queue;
    for (Index i = 0; i < hexahedra.size(); ++i) {
        const Index initial = initialIndex(input, ElementType::Hexahedra, i);
        if (initial >= m_mirrored.size()) continue;
        mirrored[i] = m_mirrored[initial];
        queue.push_back(i);
    }
    for (Index start = 0; start < hexahedra.size(); ++start) {
        for (; !queue.empty();) {
            const Index i = queue.back();
            queue.pop_back();
            for (const Quad& local : hexahedronFaces) {
                const Quad face = sortedVertices(subElement(hexahedra[i], local));
                for (const Index k : around[face]) {
                    const bool differs =
                        diagonal(hexahedra[k], face, false) != diagonal(hexahedra[i], face, mirrored[i]);
                    if (mirrored[k] == open) {
                        mirrored[k] = differs;
                        queue.push_back(k);
                    } else if (mirrored[k] != static_cast<char>(differs)) {
                        throw std::runtime_error(
                            "tetrahedraPerHexahedron: five tetrahedra do not fit at the face between hexahedra " +
                            std::to_string(i) + " and " + std::to_string(k) + " of '" + input.pathName() + "': take 6");
                    }
                }
            }
        }
        if (mirrored[start] != open) continue;
        mirrored[start] = d_swapping.value();
        queue.push_back(start);
        --start;
    }
    if (m_mirrored.empty()) m_mirrored = mirrored;
    return mirrored;
}

void Hexa2TetraTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const auto& hexahedra = input.hexahedra();
    const auto [nx, ny] = cellsAlong(input);
    const Index each = d_tetrahedraPerHexahedron.value();
    if (each != 5 && each != 6)
        throw std::runtime_error("tetrahedraPerHexahedron must be 6 or 5, not " + std::to_string(each));
    const Vector<char> alternate = each == 5 ? alternating(input) : Vector<char>();
    Vector<Tetrahedron> tetrahedra;
    tetrahedra.reserve(each * hexahedra.size());
    for (Index i = 0; i < hexahedra.size(); ++i) {
        Hexahedron h = hexahedra[i];
        bool reflected = false;
        if (each == 5) {
            reflected = alternate[i] != 0;
            if (reflected)
                for (const auto& [a, b] : mirrored[0]) std::swap(h[a], h[b]);
        } else if (d_swapping.value()) {
            // Neighbours agree about the diagonals of their faces, also when others of the row were removed.
            const Index cell = initialIndex(input, ElementType::Hexahedra, i);
            const std::array<bool, 3> mirror{(cell % nx) % 2 == 0, (cell / nx) % ny % 2 == 1,
                                             cell / (nx * ny) % 2 == 1};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (!mirror[axis]) continue;
                for (const auto& [a, b] : mirrored[axis]) std::swap(h[a], h[b]);
                reflected = !reflected;
            }
        }
        for (const Tetrahedron& local : each == 5 ? std::span<const Tetrahedron>(fiveTetrahedra)
                                                  : std::span<const Tetrahedron>(hexahedronTetrahedra)) {
            Tetrahedron t = subElement(h, local);
            if (reflected) std::swap(t[2], t[3]);  // keeps the volume positive
            tetrahedra.push_back(t);
            addElement(i);
        }
    }
    output.setElements("tetrahedra", std::move(tetrahedra));
}

void Hexa2PrismTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const auto& hexahedra = input.hexahedra();
    Vector<Prism> prisms;
    prisms.reserve(2 * hexahedra.size());
    for (Index i = 0; i < hexahedra.size(); ++i) {
        for (const Prism& local : {Prism{0, 5, 1, 3, 6, 2}, Prism{0, 4, 5, 3, 7, 6}}) {
            prisms.push_back(subElement(hexahedra[i], local));
            addElement(i);
        }
    }
    output.setElements("prisms", std::move(prisms));
}

void BorderTopologicalMapping::forEachBorder(const BaseMeshTopology& input, ElementType sides, std::size_t count,
                                             const std::function<std::size_t(Index)>& elementsAround,
                                             const std::function<void(Index, bool)>& f)
{
    const bool first = !m_noted;
    m_noted = true;
    if (first) m_wasBorder.assign(count, false);
    for (Index i = 0; i < count; ++i) {
        if (elementsAround(i) != 1) continue;
        if (first) m_wasBorder[i] = true;
        const Index initial = initialIndex(input, sides, i);
        f(i, initial >= m_wasBorder.size() || !m_wasBorder[initial]);
    }
}

namespace {

/// The side among `sides` that has the vertices of this one.
template <class T>
T turnedAs(const T& side, const Vector<T>& sides)
{
    const auto it = std::ranges::find(sides, sortedVertices(side), [](const T& s) { return sortedVertices(s); });
    return it == sides.end() ? side : *it;
}

}  // namespace

void BorderTopologicalMapping::forEachBorderQuad(const BaseMeshTopology& input,
                                                 const std::function<void(Index, const Quad&)>& f)
{
    const auto& all = input.quads();
    forEachBorder(
        input, ElementType::Quads, all.size(), [&](Index i) { return input.hexahedraAroundQuad(i).size(); },
        [&](Index i, bool isNew) {
            const Hexahedron& h = input.hexahedra()[input.hexahedraAroundQuad(i)[0]];
            f(i, isNew ? turnedAs(all[i], quadsOf({h})) : all[i]);
        });
}

void Hexa2QuadTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    Vector<Quad> quads;
    forEachBorderQuad(input, [&](Index i, const Quad& q) {
        quads.push_back(d_flipNormals.value() ? Quad{q[3], q[2], q[1], q[0]} : q);
        addElement(i);
    });
    output.setElements("quads", std::move(quads));
}

void Hexa2TriangleTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    Vector<Triangle> triangles;
    forEachBorderQuad(input, [&](Index i, const Quad& q) {
        for (const Triangle& t : {Triangle{q[0], q[1], q[2]}, Triangle{q[0], q[2], q[3]}}) {
            triangles.push_back(d_flipNormals.value() ? Triangle{t[0], t[2], t[1]} : t);
            addElement(i);
        }
    });
    output.setElements("triangles", std::move(triangles));
}

void Tetra2TriangleTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const auto& all = input.triangles();
    Vector<Triangle> triangles;
    forEachBorder(
        input, ElementType::Triangles, all.size(), [&](Index i) { return input.tetrahedraAroundTriangle(i).size(); },
        [&](Index i, bool isNew) {
            if (isNew ? d_noNewTriangles.value() : d_noInitialTriangles.value()) return;
            const Tetrahedron& owner = input.tetrahedra()[input.tetrahedraAroundTriangle(i)[0]];
            const Triangle t = isNew ? turnedAs(all[i], trianglesOf({owner})) : all[i];
            triangles.push_back(d_flipNormals.value() ? Triangle{t[0], t[2], t[1]} : t);
            addElement(i);
        });
    output.setElements("triangles", std::move(triangles));
}

void Quad2TriangleTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const auto [nx, ny] = cellsAlong(input);
    const Index row = nx > 0 ? nx : ny;
    if (row == 0) throw std::runtime_error("input: a grid of one dimension has no quads to divide");
    const auto& quads = input.quads();
    Vector<Triangle> triangles;
    triangles.reserve(2 * quads.size());
    for (Index i = 0; i < quads.size(); ++i) {
        const Quad& q = quads[i];
        const Index cell = initialIndex(input, ElementType::Quads, i);
        if (d_swapping.value() && ((cell % row) ^ (cell / row)) % 2 == 1) {
            triangles.push_back({q[0], q[1], q[3]});
            triangles.push_back({q[2], q[3], q[1]});
        } else {
            triangles.push_back({q[1], q[2], q[0]});
            triangles.push_back({q[3], q[0], q[2]});
        }
        addElement(i);
        addElement(i);
    }
    output.setElements("triangles", std::move(triangles));
}

void Triangle2EdgeTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const auto& all = input.edges();
    Vector<Edge> edges;
    forEachBorder(
        input, ElementType::Edges, all.size(), [&](Index i) { return input.trianglesAroundEdge(i).size(); },
        [&](Index i, bool isNew) {
            const Triangle& t = input.triangles()[input.trianglesAroundEdge(i)[0]];
            edges.push_back(isNew ? turnedAs(all[i], edgesOf({t}, {})) : all[i]);
            addElement(i);
        });
    output.setElements("edges", std::move(edges));
}

namespace {

constexpr const char* module = "Sofa.Component.Topology.Mapping";

const RegisterComponent hexa2Tetra = RegisterComponent("Hexa2TetraTopologicalMapping", "TopologicalMapping", module)
                                         .help("Divides hexahedra into tetrahedra, six or five each")
                                         .example("component/topology/Hexa2TetraTopologicalMapping.scn")
                                         .add<Hexa2TetraTopologicalMapping>();
const RegisterComponent hexa2Prism = RegisterComponent("Hexa2PrismTopologicalMapping", "TopologicalMapping", module)
                                         .help("Divides hexahedra into prisms, two each")
                                         .example("component/topology/Hexa2PrismTopologicalMapping.scn")
                                         .add<Hexa2PrismTopologicalMapping>();
const RegisterComponent hexa2Quad = RegisterComponent("Hexa2QuadTopologicalMapping", "TopologicalMapping", module)
                                        .help("Border quads of a hexahedral mesh")
                                        .example("component/topology/Hexa2QuadTopologicalMapping.scn")
                                        .add<Hexa2QuadTopologicalMapping>();
const RegisterComponent hexa2Triangle =
    RegisterComponent("Hexa2TriangleTopologicalMapping", "TopologicalMapping", module)
        .help("Border of a hexahedral mesh, two triangles for each quad")
        .example("component/topology/Hexa2TriangleTopologicalMapping.scn")
        .add<Hexa2TriangleTopologicalMapping>();
const RegisterComponent tetra2Triangle =
    RegisterComponent("Tetra2TriangleTopologicalMapping", "TopologicalMapping", module)
        .help("Border triangles of a tetrahedral mesh")
        .example("component/topology/Tetra2TriangleTopologicalMapping.scn")
        .add<Tetra2TriangleTopologicalMapping>();
const RegisterComponent quad2Triangle =
    RegisterComponent("Quad2TriangleTopologicalMapping", "TopologicalMapping", module)
        .help("Divides quads into triangles, two each")
        .example("component/topology/Quad2TriangleTopologicalMapping.scn")
        .add<Quad2TriangleTopologicalMapping>();
const RegisterComponent triangle2Edge =
    RegisterComponent("Triangle2EdgeTopologicalMapping", "TopologicalMapping", module)
        .help("Border edges of a triangle mesh")
        .example("component/topology/Triangle2EdgeTopologicalMapping.scn")
        .add<Triangle2EdgeTopologicalMapping>();

}  // namespace

}  // namespace sofa::component
