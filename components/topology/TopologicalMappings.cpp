// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/TopologicalMappings.h"

#include <algorithm>
#include <map>

#include "components/topology/GridTopology.h"
#include "core/factory/Registry.h"
#include "core/mesh/Adjacency.h"
#include "core/mesh/ElementsAround.h"
#include "core/mesh/SubElements.h"
#include "core/topology/ElementsOf.h"
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
    Vector<char> isMirrored(hexahedra.size(), open);
    Vector<Index> queue;
    for (Index i = 0; i < hexahedra.size(); ++i) {
        const Index initial = initialIndex(input, ElementType::Hexahedra, i);
        if (initial >= m_mirrored.size()) continue;
        isMirrored[i] = m_mirrored[initial];
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
                        diagonal(hexahedra[k], face, false) != diagonal(hexahedra[i], face, isMirrored[i]);
                    if (isMirrored[k] == open) {
                        isMirrored[k] = differs;
                        queue.push_back(k);
                    } else if (isMirrored[k] != static_cast<char>(differs)) {
                        throw std::runtime_error(
                            "tetrahedraPerHexahedron: five tetrahedra do not fit at the face between hexahedra " +
                            std::to_string(i) + " and " + std::to_string(k) + " of '" + input.pathName() + "': take 6");
                    }
                }
            }
        }
        if (isMirrored[start] != open) continue;
        isMirrored[start] = d_swapping.value();
        queue.push_back(start);
        --start;
    }
    if (m_mirrored.empty()) m_mirrored = isMirrored;
    return isMirrored;
}

void Hexa2TetraTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const Index each = d_tetrahedraPerHexahedron.value();
    if (each != 5 && each != 6)
        throw std::runtime_error("tetrahedraPerHexahedron must be 6 or 5, not " + std::to_string(each));
    m_alternate = each == 5 ? alternating(input) : Vector<char>();
    DividingTopologicalMapping::map(input, output);
}

namespace {

void setElements(StoredTopology& output, ElementType type, const Vector<Index>& vertices)
{
    switch (type) {
        case ElementType::Edges:
            return output.setElements("edges", elementsFrom<Edge>(vertices));
        case ElementType::Triangles:
            return output.setElements("triangles", elementsFrom<Triangle>(vertices));
        case ElementType::Quads:
            return output.setElements("quads", elementsFrom<Quad>(vertices));
        case ElementType::Tetrahedra:
            return output.setElements("tetrahedra", elementsFrom<Tetrahedron>(vertices));
        case ElementType::Prisms:
            return output.setElements("prisms", elementsFrom<Prism>(vertices));
        default:
            throw std::logic_error("no topological mapping gives these elements");
    }
}

void append(Vector<Index>& all, std::span<const Index> vertices)
{
    all.insert(all.end(), vertices.begin(), vertices.end());
}

}  // namespace

void DividingTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    Vector<Index> vertices;
    const std::size_t count = elementCount(input, inputType());
    for (Index i = 0; i < count; ++i)
        divide(input, i, [&](std::span<const Index> part) {
            append(vertices, part);
            addElement(i);
        });
    setElements(output, outputType(), vertices);
}

TopologicalMapping::Translation DividingTopologicalMapping::translate(const TopologyChange& change)
{
    const ElementSource source = change.source(*input(), inputType());
    Translation t;
    for (const Index e : source.gone)
        for (const Index o : outputElements(e)) t.gone.push_back(o);
    std::ranges::sort(t.gone);
    for (const ElementSource::Moved& m : source.moved)
        if (m.before == InvalidIndex)
            divide(*input(), m.now, [&](std::span<const Index> part) {
                append(t.vertices, part);
                t.inputs.push_back(m.now);
            });
    return t;
}

void Hexa2TetraTopologicalMapping::divide(const BaseMeshTopology& input, Index i, const Emit& emit)
{
    const auto [nx, ny] = cellsAlong(input);
    Hexahedron h = input.hexahedra()[i];
    bool reflected = false;
    const auto reflect = [&](std::size_t axis) {
        for (const auto& [a, b] : mirrored[axis]) std::swap(h[a], h[b]);
        reflected = !reflected;
    };
    const bool five = !m_alternate.empty();
    if (five) {
        if (m_alternate[i] != 0) reflect(0);
    } else if (d_swapping.value()) {
        // Neighbours agree about the diagonals of their faces, also when others of the row were removed.
        const Index cell = initialIndex(input, ElementType::Hexahedra, i);
        const std::array<bool, 3> mirror{(cell % nx) % 2 == 0, (cell / nx) % ny % 2 == 1, cell / (nx * ny) % 2 == 1};
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (mirror[axis]) reflect(axis);
    }
    for (const Tetrahedron& local :
         five ? std::span<const Tetrahedron>(fiveTetrahedra) : std::span<const Tetrahedron>(hexahedronTetrahedra)) {
        Tetrahedron t = subElement(h, local);
        if (reflected) std::swap(t[2], t[3]);  // keeps the volume positive
        emit(t);
    }
}

void Hexa2PrismTopologicalMapping::divide(const BaseMeshTopology& input, Index i, const Emit& emit)
{
    for (const Prism& local : {Prism{0, 5, 1, 3, 6, 2}, Prism{0, 4, 5, 3, 7, 6}})
        emit(subElement(input.hexahedra()[i], local));
}

void Quad2TriangleTopologicalMapping::divide(const BaseMeshTopology& input, Index i, const Emit& emit)
{
    const auto [nx, ny] = cellsAlong(input);
    const Index row = nx > 0 ? nx : ny;
    const Quad& q = input.quads()[i];
    const Index cell = initialIndex(input, ElementType::Quads, i);
    if (d_swapping.value() && ((cell % row) ^ (cell / row)) % 2 == 1) {
        emit(Triangle{q[0], q[1], q[3]});
        emit(Triangle{q[2], q[3], q[1]});
    } else {
        emit(Triangle{q[1], q[2], q[0]});
        emit(Triangle{q[3], q[0], q[2]});
    }
}

void Quad2TriangleTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const auto [nx, ny] = cellsAlong(input);
    if (nx == 0 && ny == 0) throw std::runtime_error("input: a grid of one dimension has no quads to divide");
    DividingTopologicalMapping::map(input, output);
}

bool BorderTopologicalMapping::isNew(const BaseMeshTopology& input, Index side) const
{
    const Index initial = initialIndex(input, sourceType(), side);
    return initial >= m_wasBorder.size() || !m_wasBorder[initial];
}

void BorderTopologicalMapping::emitSide(std::span<const Index> side, std::span<const Index> owner, bool isNew,
                                        const Emit& emit) const
{
    Vector<Index> out(side.begin(), side.end());
    // Turned as the owner has it; faces begin at their lowest vertex.
    const auto turn = [&](const auto& sidesOfOwner) {
        for (auto s : sidesOfOwner) {
            for (Index& v : s) v = owner[v];
            if (!hasAll(s, side)) continue;
            if (s.size() > 2) std::rotate(s.begin(), std::ranges::min_element(s), s.end());
            out.assign(s.begin(), s.end());
        }
    };
    if (isNew && inputType() == ElementType::Triangles) turn(triangleEdges);
    if (isNew && inputType() == ElementType::Tetrahedra) turn(tetrahedronFaces);
    if (isNew && inputType() == ElementType::Hexahedra) turn(hexahedronFaces);
    divide(out, [&](std::span<const Index> part) {
        if (!flips()) return emit(part);
        Vector<Index> turned(part.begin(), part.end());
        std::reverse(turned.begin() + (turned.size() == 3 ? 1 : 0), turned.end());
        emit(turned);
    });
}

void Hexa2TriangleTopologicalMapping::divide(std::span<const Index> q, const Emit& emit) const
{
    emit(Triangle{q[0], q[1], q[2]});
    emit(Triangle{q[0], q[2], q[3]});
}

void BorderTopologicalMapping::map(const BaseMeshTopology& input, StoredTopology& output)
{
    const std::span<const Index> sides = verticesOf(input, sourceType()), owners = verticesOf(input, inputType());
    const std::size_t n = nodeCount(sourceType()), m = nodeCount(inputType()), count = sides.size() / n;
    const Adjacency around(input.nbPoints(), owners.size() / m,
                           [&](std::size_t e) { return owners.subspan(e * m, m); });
    const bool first = !m_noted;
    m_noted = true;
    if (first) m_wasBorder.assign(count, false);
    Vector<Index> vertices;
    for (Index i = 0; i < count; ++i) {
        const auto side = sides.subspan(i * n, n);
        Index found = 0, owner = 0;
        for (const Index e : around[side[0]]) {
            if (!hasAll(owners.subspan(e * m, m), side)) continue;
            ++found;
            owner = e;
        }
        if (found != 1) continue;
        if (first) m_wasBorder[i] = true;
        const bool isNewSide = isNew(input, i);
        if (leavesOut(isNewSide)) continue;
        emitSide(side, owners.subspan(owner * m, m), isNewSide, [&](std::span<const Index> part) {
            append(vertices, part);
            addElement(i);
        });
    }
    setElements(output, outputType(), vertices);
}

TopologicalMapping::Translation BorderTopologicalMapping::translate(const TopologyChange& change)
{
    const auto& in = dynamic_cast<const StoredTopology&>(*input());
    const StoredTopology::List &sides = *in.list(sourceType()), &owners = *in.list(inputType());
    const ElementSource source = change.source(in, sourceType());
    Translation t;
    for (const Index s : source.gone)
        for (const Index o : outputElements(s)) t.gone.push_back(o);
    // All sides that may have come to light or been covered are on points whose elements changed.
    const Vector<Index> touched = change.touchedPoints(in);
    for (const Index v : touched)
        for (const Index s : sides.around(v)) {
            const auto side = sides.element(s);
            if (side[0] != v) continue;
            if (!std::ranges::all_of(side, [&](Index p) { return std::ranges::binary_search(touched, p); })) continue;
            Index found = 0, owner = 0;
            for (const Index e : owners.around(v)) {
                if (!hasAll(owners.element(e), side)) continue;
                ++found;
                owner = e;
            }
            const Index before = source.from(s);
            const Vector<Index> there = before == InvalidIndex ? Vector<Index>() : outputElements(before);
            if (found != 1) {
                append(t.gone, there);
            } else if (const bool isNewSide = there.empty() && isNew(in, s); there.empty() && !leavesOut(isNewSide)) {
                emitSide(side, owners.element(owner), isNewSide, [&](std::span<const Index> part) {
                    append(t.vertices, part);
                    t.inputs.push_back(s);
                });
            }
        }
    std::ranges::sort(t.gone);
    return t;
}

namespace {

constexpr const char* mappingModule = "Sofa.Component.Topology.Mapping";

const RegisterComponent registeredHexa2TetraTopologicalMapping =
    RegisterComponent("Hexa2TetraTopologicalMapping", "TopologicalMapping", mappingModule)
        .help("Divides hexahedra into tetrahedra, six or five each")
        .example("component/topology/Hexa2TetraTopologicalMapping.scn")
        .add<Hexa2TetraTopologicalMapping>();
const RegisterComponent registeredHexa2PrismTopologicalMapping =
    RegisterComponent("Hexa2PrismTopologicalMapping", "TopologicalMapping", mappingModule)
        .help("Divides hexahedra into prisms, two each")
        .example("component/topology/Hexa2PrismTopologicalMapping.scn")
        .add<Hexa2PrismTopologicalMapping>();
const RegisterComponent registeredHexa2QuadTopologicalMapping =
    RegisterComponent("Hexa2QuadTopologicalMapping", "TopologicalMapping", mappingModule)
        .help("Border quads of a hexahedral mesh")
        .example("component/topology/Hexa2QuadTopologicalMapping.scn")
        .add<Hexa2QuadTopologicalMapping>();
const RegisterComponent registeredHexa2TriangleTopologicalMapping =
    RegisterComponent("Hexa2TriangleTopologicalMapping", "TopologicalMapping", mappingModule)
        .help("Border of a hexahedral mesh, two triangles for each quad")
        .example("component/topology/Hexa2TriangleTopologicalMapping.scn")
        .add<Hexa2TriangleTopologicalMapping>();
const RegisterComponent registeredTetra2TriangleTopologicalMapping =
    RegisterComponent("Tetra2TriangleTopologicalMapping", "TopologicalMapping", mappingModule)
        .help("Border triangles of a tetrahedral mesh")
        .example("component/topology/Tetra2TriangleTopologicalMapping.scn")
        .add<Tetra2TriangleTopologicalMapping>();
const RegisterComponent registeredQuad2TriangleTopologicalMapping =
    RegisterComponent("Quad2TriangleTopologicalMapping", "TopologicalMapping", mappingModule)
        .help("Divides quads into triangles, two each")
        .example("component/topology/Quad2TriangleTopologicalMapping.scn")
        .add<Quad2TriangleTopologicalMapping>();
const RegisterComponent registeredTriangle2EdgeTopologicalMapping =
    RegisterComponent("Triangle2EdgeTopologicalMapping", "TopologicalMapping", mappingModule)
        .help("Border edges of a triangle mesh")
        .example("component/topology/Triangle2EdgeTopologicalMapping.scn")
        .add<Triangle2EdgeTopologicalMapping>();

}  // namespace

}  // namespace sofa::component
