// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/MeshFaults.h"

#include <algorithm>
#include <map>

#include "core/mesh/SubElements.h"
#include "core/topology/BezierTopology.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/Geometry.h"

namespace sofa::core {

namespace {

constexpr ElementType allTypes[] = {ElementType::Edges,      ElementType::Triangles, ElementType::Quads,
                                    ElementType::Tetrahedra, ElementType::Pyramids,  ElementType::Prisms,
                                    ElementType::Hexahedra};

class Examination
{
public:
    Examination(const BaseMeshTopology& mesh, const std::function<Vec3(Index)>& position)
        : m_mesh(mesh), m_position(position)
    {
    }

    std::vector<MeshFault> run()
    {
        for (const ElementType type : allTypes) checkVertices(type);
        const bool sound = m_faults.empty();
        for (const ElementType type : allTypes) checkDuplicates(type);
        if (!sound) return std::move(m_faults);
        checkTables();
        if (m_position)
            for (const ElementType type : allTypes) checkVolumes(type);
        const std::size_t dimension = dimensionOf(m_mesh.topologyType());
        if (dimension == 2) checkSurface();
        if (dimension == 3) checkFaces();
        if (dimension > 0) checkPoints();
        return std::move(m_faults);
    }

private:
    using Kind = MeshFault::Kind;

    std::span<const Index> element(ElementType type, std::size_t i) const
    {
        const std::size_t n = nodeCount(type);
        return verticesOf(m_mesh, type).subspan(i * n, n);
    }
    static std::string listed(std::span<const Index> vertices)
    {
        std::string s;
        for (const Index v : vertices) s += (s.empty() ? "" : " ") + std::to_string(v);
        return s;
    }
    /// "triangle 3 (0 1 2)"
    std::string name(ElementType type, std::size_t i) const
    {
        return elementTypeName(type) + (' ' + std::to_string(i)) + " (" + listed(element(type, i)) + ")";
    }
    void add(Kind kind, ElementType type, std::size_t i, const std::string& what)
    {
        m_faults.push_back({kind, type, static_cast<Index>(i),
                            type == ElementType::Points ? "point " + std::to_string(i) + what : name(type, i) + what});
    }

    void checkVertices(ElementType type)
    {
        for (std::size_t i = 0; i < elementCount(m_mesh, type); ++i) {
            const auto v = element(type, i);
            const auto missing = std::ranges::find_if(v, [&](Index p) { return p >= m_mesh.nbPoints(); });
            if (missing != v.end())
                add(Kind::Vertex, type, i,
                    " has the vertex " + std::to_string(*missing) + ", but there are " +
                        std::to_string(m_mesh.nbPoints()) + " points");
            for (std::size_t k = 1; k < v.size(); ++k)
                if (std::find(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(k), v[k]) !=
                    v.begin() + static_cast<std::ptrdiff_t>(k)) {
                    add(Kind::Vertex, type, i, " has the vertex " + std::to_string(v[k]) + " twice");
                    break;
                }
        }
    }

    void checkDuplicates(ElementType type)
    {
        const std::size_t count = elementCount(m_mesh, type), n = nodeCount(type);
        Vector<Index> sorted(count * n), order(count);
        const auto key = [&](Index i) { return std::span<const Index>(sorted.data() + i * n, n); };
        for (std::size_t i = 0; i < count; ++i) {
            const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(i * n);
            std::ranges::copy(element(type, i), begin);
            std::sort(begin, begin + static_cast<std::ptrdiff_t>(n));
            order[i] = static_cast<Index>(i);
        }
        std::ranges::stable_sort(
            order, [&](Index a, Index b) { return std::ranges::lexicographical_compare(key(a), key(b)); });
        Vector<Index> first(count, InvalidIndex);
        for (std::size_t k = 1; k < count; ++k)
            if (std::ranges::equal(key(order[k]), key(order[k - 1])))
                first[order[k]] = first[order[k - 1]] == InvalidIndex ? order[k - 1] : first[order[k - 1]];
        for (std::size_t i = 0; i < count; ++i)
            if (first[i] != InvalidIndex)
                add(Kind::Duplicate, type, i,
                    std::string(" has the vertices of ") + elementTypeName(type) + ' ' + std::to_string(first[i]));
    }

    // --- Tables ---------------------------------------------------------------------------------------------------

    /// Compares the elements around points with a count over the list.
    void checkAround(ElementType type, std::span<const Index> (BaseMeshTopology::*around)(Index) const)
    {
        std::vector<Vector<Index>> expected(m_mesh.nbPoints());
        for (std::size_t i = 0; i < elementCount(m_mesh, type); ++i)
            for (const Index v : element(type, i)) expected[v].push_back(static_cast<Index>(i));
        for (Index v = 0; v < m_mesh.nbPoints(); ++v) {
            const auto found = (m_mesh.*around)(v);
            if (!std::ranges::equal(found, expected[v]))
                add(Kind::Table, ElementType::Points, v,
                    ": the table of " + std::string(elementTypeName(type)) + " numbers around it is (" + listed(found) +
                        "), the list has it in (" + listed(expected[v]) + ")");
        }
    }

    /// Compares the sides of elements, and the elements around sides, with the lists. `whole`: each side must be there.
    template <std::size_t N>
    void checkSides(ElementType type, ElementType sideType,
                    std::array<Index, N> (BaseMeshTopology::*sidesIn)(Index) const,
                    std::span<const Index> (BaseMeshTopology::*around)(Index) const)
    {
        std::vector<Vector<Index>> expected(elementCount(m_mesh, sideType));
        for (std::size_t i = 0; i < elementCount(m_mesh, type); ++i) {
            const auto v = element(type, i);
            for (const Index side : (m_mesh.*sidesIn)(static_cast<Index>(i))) {
                if (side == InvalidIndex) continue;
                const bool exists = side < expected.size();
                if (exists && std::ranges::all_of(element(sideType, side),
                                                  [&](Index p) { return std::ranges::find(v, p) != v.end(); }))
                    expected[side].push_back(static_cast<Index>(i));
                else
                    add(Kind::Table, type, i,
                        " has the side " + (exists ? name(sideType, side) : std::to_string(side)) +
                            " in its table, which is none of it");
            }
        }
        for (std::size_t s = 0; s < expected.size(); ++s) {
            const auto found = (m_mesh.*around)(static_cast<Index>(s));
            std::ranges::sort(expected[s]);
            if (!std::ranges::equal(found, expected[s]))
                add(Kind::Table, sideType, s,
                    ": the table of " + std::string(elementTypeName(type)) + " numbers around it is (" + listed(found) +
                        "), but it is a side of (" + listed(expected[s]) + ")");
        }
    }

    void checkTables()
    {
        using T = ElementType;
        using M = BaseMeshTopology;
        checkAround(T::Edges, &M::edgesAroundVertex);
        checkAround(T::Triangles, &M::trianglesAroundVertex);
        checkAround(T::Quads, &M::quadsAroundVertex);
        checkAround(T::Tetrahedra, &M::tetrahedraAroundVertex);
        checkAround(T::Hexahedra, &M::hexahedraAroundVertex);
        checkSides(T::Triangles, T::Edges, &M::edgesInTriangle, &M::trianglesAroundEdge);
        checkSides(T::Quads, T::Edges, &M::edgesInQuad, &M::quadsAroundEdge);
        checkSides(T::Tetrahedra, T::Edges, &M::edgesInTetrahedron, &M::tetrahedraAroundEdge);
        checkSides(T::Hexahedra, T::Edges, &M::edgesInHexahedron, &M::hexahedraAroundEdge);
        checkSides(T::Tetrahedra, T::Triangles, &M::trianglesInTetrahedron, &M::tetrahedraAroundTriangle);
        checkSides(T::Hexahedra, T::Quads, &M::quadsInHexahedron, &M::hexahedraAroundQuad);
    }

    // --- Orientation ----------------------------------------------------------------------------------------------

    double volume(std::span<const Index> v) const
    {
        const auto x = [&](std::size_t k) { return m_position(v[k]); };
        const auto tetrahedron = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
            return geometry::tetrahedronVolume(x(a), x(b), x(c), x(d));
        };
        switch (v.size()) {
            case 4:
                return tetrahedron(0, 1, 2, 3);
            case 5:
                return tetrahedron(0, 1, 2, 4) + tetrahedron(0, 2, 3, 4);
            case 6:
                return tetrahedron(0, 1, 2, 3) + tetrahedron(1, 2, 3, 4) + tetrahedron(2, 3, 4, 5);
            default: {
                std::array<Vec3, 8> corners;
                for (std::size_t k = 0; k < 8; ++k) corners[k] = x(k);
                return geometry::hexahedronVolume(corners);
            }
        }
    }

    void checkVolumes(ElementType type)
    {
        if (dimensionOf(type) != 3) return;
        for (std::size_t i = 0; i < elementCount(m_mesh, type); ++i)
            if (const double v = volume(element(type, i)); !(v > 0.))
                add(Kind::Orientation, type, i, v < 0. ? " is inside out: its volume is negative" : " has no volume");
    }

    // --- Neighbours -----------------------------------------------------------------------------------------------

    struct Use
    {
        ElementType type{};
        Index element = 0;
        bool forwards = true;
    };
    void tellMany(const std::vector<Use>& uses, std::span<const Index> side, const char* sideName)
    {
        std::string which;
        for (const Use& u : uses)
            which +=
                (which.empty() ? "" : ", ") + std::string(elementTypeName(u.type)) + ' ' + std::to_string(u.element);
        m_faults.push_back({Kind::NonManifold, uses[0].type, uses[0].element,
                            std::string(sideName) + " (" + listed(side) + ") belongs to " +
                                std::to_string(uses.size()) + " elements: " + which});
    }

    void checkSurface()
    {
        // Quads that a grid gives once more as triangles are one surface, not two.
        const bool halves = areHalves(m_mesh.triangles(), m_mesh.quads());
        std::map<Edge, std::vector<Use>> uses;
        for (const ElementType type : {ElementType::Triangles, ElementType::Quads}) {
            if (halves && type == ElementType::Triangles) continue;
            for (std::size_t i = 0; i < elementCount(m_mesh, type); ++i) {
                const auto v = element(type, i);
                for (std::size_t k = 0; k < v.size(); ++k) {
                    const Index a = v[k], b = v[(k + 1) % v.size()];
                    uses[{std::min(a, b), std::max(a, b)}].push_back({type, static_cast<Index>(i), a < b});
                }
            }
        }
        for (const auto& entry : uses) {
            const std::vector<Use>& u = entry.second;
            if (u.size() == 2 && u[0].forwards == u[1].forwards)
                add(Kind::Orientation, u[1].type, u[1].element,
                    " and " + name(u[0].type, u[0].element) + " run along their edge (" + listed(entry.first) +
                        ") in the same direction: one of them is turned over");
            if (u.size() > 2) tellMany(u, entry.first, "edge");
        }
    }

    void checkFaces()
    {
        std::map<Quad, std::vector<Use>> uses;  // triangles end in InvalidIndex
        const auto face = [&](ElementType type, std::size_t i, std::initializer_list<Index> local) {
            const auto v = element(type, i);
            Quad q;
            q.fill(InvalidIndex);
            std::size_t n = 0;
            for (const Index k : local) q[n++] = v[k];
            uses[sortedVertices(q)].push_back({type, static_cast<Index>(i), true});
        };
        for (std::size_t i = 0; i < elementCount(m_mesh, ElementType::Tetrahedra); ++i)
            for (const auto& f : tetrahedronFaces) face(ElementType::Tetrahedra, i, {f[0], f[1], f[2]});
        for (std::size_t i = 0; i < elementCount(m_mesh, ElementType::Hexahedra); ++i)
            for (const auto& f : hexahedronFaces) face(ElementType::Hexahedra, i, {f[0], f[1], f[2], f[3]});
        for (std::size_t i = 0; i < elementCount(m_mesh, ElementType::Pyramids); ++i) {
            face(ElementType::Pyramids, i, {0, 1, 2, 3});
            for (Index k = 0; k < 4; ++k) face(ElementType::Pyramids, i, {k, (k + 1) % 4, 4});
        }
        for (std::size_t i = 0; i < elementCount(m_mesh, ElementType::Prisms); ++i) {
            face(ElementType::Prisms, i, {0, 1, 2});
            face(ElementType::Prisms, i, {3, 4, 5});
            for (Index k = 0; k < 3; ++k) face(ElementType::Prisms, i, {k, (k + 1) % 3, 3 + (k + 1) % 3, 3 + k});
        }
        for (const auto& entry : uses)
            if (entry.second.size() > 2)
                tellMany(entry.second, std::span(entry.first).first(entry.first[3] == InvalidIndex ? 3 : 4), "face");
    }

    void checkPoints()
    {
        Vector<bool> used(m_mesh.nbPoints(), false);
        for (const ElementType type : allTypes)
            for (const Index v : verticesOf(m_mesh, type)) used[v] = true;
        // Control points of curved elements stand on their edges.
        if (const auto* curved = dynamic_cast<const BezierTopology*>(&m_mesh))
            for (const Index v : curved->edgeControlPoints())
                if (v < used.size()) used[v] = true;
        for (std::size_t v = 0; v < used.size(); ++v)
            if (!used[v]) add(Kind::Unused, ElementType::Points, v, " belongs to no element");
    }

    const BaseMeshTopology& m_mesh;
    const std::function<Vec3(Index)>& m_position;
    std::vector<MeshFault> m_faults;
};

}  // namespace

std::vector<MeshFault> faultsOf(const BaseMeshTopology& mesh, const std::function<Vec3(Index)>& position)
{
    return Examination(mesh, position).run();
}

}  // namespace sofa::core
