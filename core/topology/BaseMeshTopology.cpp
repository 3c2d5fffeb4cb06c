// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/BaseMeshTopology.h"

#include <algorithm>
#include <optional>
#include <ranges>

#include "core/mesh/Adjacency.h"
#include "core/mesh/SubElements.h"

namespace sofa::core {

namespace {

/// Sub-elements of every element, by their index in the list of sub-elements.
template <std::size_t K>
using Incidence = Vector<std::array<Index, K>>;

template <std::size_t M, std::size_t N, std::size_t K>
Incidence<K> findSubElements(const ElementFinder<M>& finder, const Vector<std::array<Index, N>>& elements,
                             const std::array<std::array<Index, M>, K>& local)
{
    Incidence<K> out(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i)
        for (std::size_t k = 0; k < K; ++k) out[i][k] = finder.find(subElement(elements[i], local[k]));
    return out;
}

template <std::size_t K>
std::array<Index, K> row(const Incidence<K>& table, Index i)
{
    std::array<Index, K> none;
    none.fill(InvalidIndex);
    return i < table.size() ? table[i] : none;
}

template <class T, class Build>
const T& lazily(std::optional<T>& slot, Build build)
{
    if (!slot) slot.emplace(build());
    return *slot;
}

}  // namespace

struct BaseMeshTopology::Tables
{
    std::optional<Adjacency> edgesAroundVertex, trianglesAroundVertex, quadsAroundVertex, tetrahedraAroundVertex,
        hexahedraAroundVertex;
    std::optional<Adjacency> trianglesAroundEdge, quadsAroundEdge, tetrahedraAroundEdge, hexahedraAroundEdge;
    std::optional<Adjacency> tetrahedraAroundTriangle, hexahedraAroundQuad;
    std::optional<Incidence<3>> edgesInTriangle;
    std::optional<Incidence<4>> edgesInQuad;
    std::optional<Incidence<6>> edgesInTetrahedron;
    std::optional<Incidence<12>> edgesInHexahedron;
    std::optional<Incidence<4>> trianglesInTetrahedron;
    std::optional<Incidence<6>> quadsInHexahedron;
    std::optional<ElementFinder<2>> edgeFinder;
    std::optional<ElementFinder<3>> triangleFinder;
    std::optional<ElementFinder<4>> quadFinder;
    std::optional<bool> closed;

    const ElementFinder<2>& findEdges(const BaseMeshTopology& t)
    {
        return lazily(edgeFinder, [&] { return ElementFinder<2>(t.edges()); });
    }
    const ElementFinder<3>& findTriangles(const BaseMeshTopology& t)
    {
        return lazily(triangleFinder, [&] { return ElementFinder<3>(t.triangles()); });
    }
    const ElementFinder<4>& findQuads(const BaseMeshTopology& t)
    {
        return lazily(quadFinder, [&] { return ElementFinder<4>(t.quads()); });
    }
    const Incidence<3>& edgesOfTriangles(const BaseMeshTopology& t)
    {
        return lazily(edgesInTriangle, [&] { return findSubElements(findEdges(t), t.triangles(), triangleEdges); });
    }
    const Incidence<4>& edgesOfQuads(const BaseMeshTopology& t)
    {
        return lazily(edgesInQuad, [&] { return findSubElements(findEdges(t), t.quads(), quadEdges); });
    }
    const Incidence<6>& edgesOfTetrahedra(const BaseMeshTopology& t)
    {
        return lazily(edgesInTetrahedron,
                      [&] { return findSubElements(findEdges(t), t.tetrahedra(), tetrahedronEdges); });
    }
    const Incidence<12>& edgesOfHexahedra(const BaseMeshTopology& t)
    {
        return lazily(edgesInHexahedron, [&] { return findSubElements(findEdges(t), t.hexahedra(), hexahedronEdges); });
    }
    const Incidence<4>& trianglesOfTetrahedra(const BaseMeshTopology& t)
    {
        return lazily(trianglesInTetrahedron,
                      [&] { return findSubElements(findTriangles(t), t.tetrahedra(), tetrahedronFaces); });
    }
    const Incidence<6>& quadsOfHexahedra(const BaseMeshTopology& t)
    {
        return lazily(quadsInHexahedron, [&] { return findSubElements(findQuads(t), t.hexahedra(), hexahedronFaces); });
    }
};

BaseMeshTopology::BaseMeshTopology() { addAlias(d_filename, "fileTopology"); }
BaseMeshTopology::~BaseMeshTopology() = default;

ElementType BaseMeshTopology::topologyType() const
{
    if (!hexahedra().empty()) return ElementType::Hexahedra;
    if (!tetrahedra().empty()) return ElementType::Tetrahedra;
    if (!prisms().empty()) return ElementType::Prisms;
    if (!pyramids().empty()) return ElementType::Pyramids;
    if (!quads().empty()) return ElementType::Quads;
    if (!triangles().empty()) return ElementType::Triangles;
    return edges().empty() ? ElementType::Points : ElementType::Edges;
}

void BaseMeshTopology::invalidateTables() const { m_tables.reset(); }

BaseMeshTopology::Tables& BaseMeshTopology::tables() const
{
    const std::size_t now = revision();
    if (!m_tables || now != m_tablesRevision) m_tables = std::make_unique<Tables>();
    m_tablesRevision = now;
    return *m_tables;
}

namespace {

/// Items around the vertices: the keys of an item are its vertices.
template <class Elements>
std::span<const Index> aroundVertex(std::optional<Adjacency>& slot, const BaseMeshTopology& t, const Elements& list,
                                    Index v)
{
    return lazily(slot, [&] {
        return Adjacency(
            t.nbPoints(), list.size(), [&](std::size_t i) -> const auto& { return list[i]; });
    })[v];
}

/// Items around sub-elements: the keys of an item are a row of an incidence table.
template <class Table>
std::span<const Index> aroundSubElement(std::optional<Adjacency>& slot, std::size_t keyCount, const Table& table,
                                        Index key)
{
    return lazily(slot, [&] {
        return Adjacency(
            keyCount, table.size(), [&](std::size_t i) -> const auto& { return table[i]; });
    })[key];
}

}  // namespace

bool BaseMeshTopology::isClosedSurface() const
{
    return lazily(tables().closed, [&] {
        std::vector<Edge> sides;
        sides.reserve(3 * triangles().size() + 4 * quads().size());
        const auto add = [&](const auto& elements) {
            for (const auto& e : elements)
                for (std::size_t k = 0; k < e.size(); ++k) sides.push_back({e[k], e[(k + 1) % e.size()]});
        };
        add(triangles());
        add(quads());
        std::ranges::sort(sides);
        const bool repeated = std::ranges::adjacent_find(sides) != sides.end();
        return !sides.empty() && !repeated && std::ranges::all_of(sides, [&](const Edge& s) {
            return std::ranges::binary_search(sides, Edge{s[1], s[0]});
        });
    });
}

std::span<const Index> BaseMeshTopology::edgesAroundVertex(Index v) const
{
    if (const auto kept = keptAround(ElementType::Edges, v)) return *kept;
    return aroundVertex(tables().edgesAroundVertex, *this, edges(), v);
}
std::span<const Index> BaseMeshTopology::trianglesAroundVertex(Index v) const
{
    if (const auto kept = keptAround(ElementType::Triangles, v)) return *kept;
    return aroundVertex(tables().trianglesAroundVertex, *this, triangles(), v);
}
std::span<const Index> BaseMeshTopology::quadsAroundVertex(Index v) const
{
    if (const auto kept = keptAround(ElementType::Quads, v)) return *kept;
    return aroundVertex(tables().quadsAroundVertex, *this, quads(), v);
}
std::span<const Index> BaseMeshTopology::tetrahedraAroundVertex(Index v) const
{
    if (const auto kept = keptAround(ElementType::Tetrahedra, v)) return *kept;
    return aroundVertex(tables().tetrahedraAroundVertex, *this, tetrahedra(), v);
}
std::span<const Index> BaseMeshTopology::hexahedraAroundVertex(Index v) const
{
    if (const auto kept = keptAround(ElementType::Hexahedra, v)) return *kept;
    return aroundVertex(tables().hexahedraAroundVertex, *this, hexahedra(), v);
}

std::span<const Index> BaseMeshTopology::trianglesAroundEdge(Index e) const
{
    Tables& t = tables();
    return aroundSubElement(t.trianglesAroundEdge, edges().size(), t.edgesOfTriangles(*this), e);
}
std::span<const Index> BaseMeshTopology::quadsAroundEdge(Index e) const
{
    Tables& t = tables();
    return aroundSubElement(t.quadsAroundEdge, edges().size(), t.edgesOfQuads(*this), e);
}
std::span<const Index> BaseMeshTopology::tetrahedraAroundEdge(Index e) const
{
    Tables& t = tables();
    return aroundSubElement(t.tetrahedraAroundEdge, edges().size(), t.edgesOfTetrahedra(*this), e);
}
std::span<const Index> BaseMeshTopology::hexahedraAroundEdge(Index e) const
{
    Tables& t = tables();
    return aroundSubElement(t.hexahedraAroundEdge, edges().size(), t.edgesOfHexahedra(*this), e);
}
std::span<const Index> BaseMeshTopology::tetrahedraAroundTriangle(Index i) const
{
    Tables& t = tables();
    return aroundSubElement(t.tetrahedraAroundTriangle, triangles().size(), t.trianglesOfTetrahedra(*this), i);
}
std::span<const Index> BaseMeshTopology::hexahedraAroundQuad(Index q) const
{
    Tables& t = tables();
    return aroundSubElement(t.hexahedraAroundQuad, quads().size(), t.quadsOfHexahedra(*this), q);
}

std::array<Index, 3> BaseMeshTopology::edgesInTriangle(Index t) const
{
    return row(tables().edgesOfTriangles(*this), t);
}
std::array<Index, 4> BaseMeshTopology::edgesInQuad(Index q) const { return row(tables().edgesOfQuads(*this), q); }
std::array<Index, 6> BaseMeshTopology::edgesInTetrahedron(Index t) const
{
    return row(tables().edgesOfTetrahedra(*this), t);
}
std::array<Index, 12> BaseMeshTopology::edgesInHexahedron(Index h) const
{
    return row(tables().edgesOfHexahedra(*this), h);
}
std::array<Index, 4> BaseMeshTopology::trianglesInTetrahedron(Index t) const
{
    return row(tables().trianglesOfTetrahedra(*this), t);
}
std::array<Index, 6> BaseMeshTopology::quadsInHexahedron(Index h) const
{
    return row(tables().quadsOfHexahedra(*this), h);
}

Vector<Index> BaseMeshTopology::verticesAroundVertex(Index v) const
{
    Vector<Index> out;
    for (const Index e : edgesAroundVertex(v)) {
        const Edge& edge = edges()[e];
        out.push_back(edge[0] == v ? edge[1] : edge[0]);
    }
    return out;
}

Index BaseMeshTopology::edgeIndex(Index a, Index b) const { return tables().findEdges(*this).find({a, b}); }
Index BaseMeshTopology::triangleIndex(Index a, Index b, Index c) const
{
    return tables().findTriangles(*this).find({a, b, c});
}
Index BaseMeshTopology::quadIndex(Index a, Index b, Index c, Index d) const
{
    return tables().findQuads(*this).find({a, b, c, d});
}

}  // namespace sofa::core
