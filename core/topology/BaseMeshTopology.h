// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>
#include <span>

#include "core/mesh/Elements.h"
#include "core/objectmodel/Component.h"

namespace sofa::core {

struct SparseLevel;

/// Connectivity of a mesh: points, the elements on them, and the tables that lead from one kind to another.
///
/// Components find it with node()->get<BaseMeshTopology>() or a "topology" link. Lists that a topology does not store
/// are derived on first use (edges of the triangles, triangles of the tetrahedra, ...), and tables are built lazily.
class BaseMeshTopology : public Component
{
public:
    static std::string_view typeLabel() { return "topology"; }
    /// Node::get finds the last topology of a node first.
    static constexpr bool lastInNodeWins = true;

    Data<FileName> d_filename{
        this, {.name = "filename", .help = "Mesh file to read; empty: the lists come from Data, links or a loader"}};

    virtual Index nbPoints() const = 0;
    virtual const Vector<Edge>& edges() const = 0;
    virtual const Vector<Triangle>& triangles() const = 0;
    virtual const Vector<Quad>& quads() const = 0;
    virtual const Vector<Tetrahedron>& tetrahedra() const = 0;
    virtual const Vector<Hexahedron>& hexahedra() const = 0;
    virtual const Vector<Prism>& prisms() const { return none<Prism>(); }
    virtual const Vector<Pyramid>& pyramids() const { return none<Pyramid>(); }

    /// Highest kind of element that the topology holds: Points if it has no element.
    virtual ElementType topologyType() const;

    /// Rest position of a point [m] as the topology knows it (mesh file, grid); hasPositions() tells whether it does.
    virtual bool hasPositions() const { return false; }
    virtual Vec3 pointPosition(Index) const { return {}; }

    /// Number of cells along x, y and z when the hexahedra are the cells of a full grid, x running fastest; zeros else.
    virtual std::array<Index, 3> gridCells() const { return {}; }
    /// Part of a hexahedron that is filled with material, in (0, 1], by which force fields scale its stiffness: sparse
    /// grids know it, for other topologies it is 1.
    virtual double stiffnessFactor(Index /*hexahedron*/) const { return 1.; }
    /// The same for its mass, which differs where a hexahedron is filled with materials of different density.
    virtual double massFactor(Index hexahedron) const { return stiffnessFactor(hexahedron); }
    /// The levels of a sparse grid, the finest first: the hexahedra are the pieces of the last one, as they were at the
    /// beginning. Empty for other topologies.
    virtual std::span<const SparseLevel> sparseLevels() const { return {}; }

    /// True for topology containers (PointSetTopologyContainer and its family), which some algorithms treat
    /// differently.
    virtual bool isContainer() const { return false; }
    /// A hexahedron and the coordinates of a point in it: 0 to 1 along each axis inside.
    struct CellLocation
    {
        Index cell = InvalidIndex;
        Vec3 local;
    };
    /// True for regular and sparse grids, which find the cell of a point directly.
    virtual bool locatesCells() const { return false; }
    /// The cell that contains `x` [m] at rest, else the nearest one; an invalid cell where there is none.
    virtual CellLocation locateCell(const Vec3& /*x*/) const { return {}; }

    // --- Tables ---------------------------------------------------------------------------------------------------
    // The first use of a table builds it and is not thread safe; later reads are. Spans are valid until a list changes.
    // In a mesh that changes, those of the elements around a vertex follow; the others are built anew.
    /// Elements that contain a vertex, in increasing order; empty for a vertex outside the mesh, as for all tables.
    std::span<const Index> edgesAroundVertex(Index v) const;
    std::span<const Index> trianglesAroundVertex(Index v) const;
    std::span<const Index> quadsAroundVertex(Index v) const;
    std::span<const Index> tetrahedraAroundVertex(Index v) const;
    std::span<const Index> hexahedraAroundVertex(Index v) const;
    /// Elements that contain an edge, in increasing order.
    std::span<const Index> trianglesAroundEdge(Index e) const;
    std::span<const Index> quadsAroundEdge(Index e) const;
    std::span<const Index> tetrahedraAroundEdge(Index e) const;
    std::span<const Index> hexahedraAroundEdge(Index e) const;
    /// Elements that contain a face, in increasing order.
    std::span<const Index> tetrahedraAroundTriangle(Index t) const;
    std::span<const Index> hexahedraAroundQuad(Index q) const;
    /// Edges of an element: of a triangle, edge i is opposite to vertex i, as in SOFA; the others follow
    /// core/mesh/SubElements.h. InvalidIndex where the list of edges does not contain one.
    std::array<Index, 3> edgesInTriangle(Index t) const;
    std::array<Index, 4> edgesInQuad(Index q) const;
    std::array<Index, 6> edgesInTetrahedron(Index t) const;
    std::array<Index, 12> edgesInHexahedron(Index h) const;
    /// Faces of an element; triangle i of a tetrahedron is opposite to vertex i.
    std::array<Index, 4> trianglesInTetrahedron(Index t) const;
    std::array<Index, 6> quadsInHexahedron(Index h) const;
    /// Vertices joined to `v` by an edge, in the order of its edges.
    Vector<Index> verticesAroundVertex(Index v) const;
    /// Index of the element with these vertices (in any order); InvalidIndex if there is none.
    Index edgeIndex(Index a, Index b) const;
    Index triangleIndex(Index a, Index b, Index c) const;
    Index quadIndex(Index a, Index b, Index c, Index d) const;

    /// Whether triangles and quads bound a body: each of their sides belongs to two that run along it in opposite
    /// directions. Only then "outside" has a meaning.
    bool isClosedSurface() const;

    /// Changes whenever a list changed, so that what was computed from the lists can be kept until then; 0 if the
    /// topology does not tell.
    virtual std::size_t revision() const { return 0; }

    BaseMeshTopology();
    ~BaseMeshTopology() override;

protected:
    /// The elements around a vertex, where a list keeps them while its elements come and go.
    virtual std::optional<std::span<const Index>> keptAround(ElementType, Index /*vertex*/) const { return {}; }
    /// Drops every table: the lists changed.
    void invalidateTables() const;

    template <class T>
    static const Vector<T>& none()
    {
        static const Vector<T> empty;
        return empty;
    }

private:
    struct Tables;
    Tables& tables() const;
    mutable std::unique_ptr<Tables> m_tables;
    mutable std::size_t m_tablesRevision = 0;
};

}  // namespace sofa::core
