// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/StoredTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// Container of points. The number of points is that of the positions if they are given, else `nbPoints`, raised as far
/// as the elements of the derived classes need.
class PointSetTopologyContainer : public StoredTopology
{
public:
    Data<bool> d_checkTopology{
        this,
        {.name = "checkTopology", .help = "Check at init that no element repeats a point or another element"},
        false};
    Data<Index> d_nbPoints{this, {.name = "nbPoints", .help = "Number of points", .unit = "1"}, 0};

    void init() override;
    const Vector<Edge>& edges() const override { return none<Edge>(); }
    const Vector<Triangle>& triangles() const override { return none<Triangle>(); }
    const Vector<Quad>& quads() const override { return none<Quad>(); }
    const Vector<Tetrahedron>& tetrahedra() const override { return none<Tetrahedron>(); }
    const Vector<Hexahedron>& hexahedra() const override { return none<Hexahedron>(); }
    ElementType topologyType() const override { return ElementType::Points; }
    bool isContainer() const override { return true; }
    bool takesLooseMesh() const override { return true; }

protected:
    Index countPoints() const override;

private:
    template <std::size_t N>
    void checkElements(const char* kind, const Vector<std::array<Index, N>>& elements) const;
};

/// Container of edges.
class EdgeSetTopologyContainer : public PointSetTopologyContainer
{
public:
    Data<Vector<Edge>> d_edges{
        this, {.name = "edges", .help = "Edges, two points each; default: those of the faces or cells"}};
    Data<bool> d_checkConnexity{
        this, {.name = "checkConnexity", .help = "Warn at init if the mesh falls into several parts"}, false};

    EdgeSetTopologyContainer();
    void init() override;
    const Vector<Edge>& edges() const override { return read(d_edges); }
    ElementType topologyType() const override { return ElementType::Edges; }
    /// Number of parts that are not joined by edges, points without edge left aside.
    Index connectedParts() const;
};

/// Container of triangles and the edges on them, which are numbered triangle by triangle and follow the orientation of
/// the first triangle that has them.
class TriangleSetTopologyContainer : public EdgeSetTopologyContainer
{
public:
    Data<Vector<Triangle>> d_triangles{
        this, {.name = "triangles", .help = "Triangles, three points each; default: the faces of the tetrahedra"}};

    TriangleSetTopologyContainer();
    const Vector<Triangle>& triangles() const override { return read(d_triangles); }
    ElementType topologyType() const override { return ElementType::Triangles; }
};

/// Container of quads and the edges on them, numbered quad by quad, from the lower to the higher point.
class QuadSetTopologyContainer : public EdgeSetTopologyContainer
{
public:
    Data<Vector<Quad>> d_quads{
        this, {.name = "quads", .help = "Quads, four points each; default: the faces of the hexahedra"}};

    QuadSetTopologyContainer();
    const Vector<Quad>& quads() const override { return read(d_quads); }
    ElementType topologyType() const override { return ElementType::Quads; }
};

/// Container of tetrahedra with their faces and edges. Edges and triangles that are not given are derived from the
/// tetrahedra, numbered tetrahedron by tetrahedron.
class TetrahedronSetTopologyContainer : public TriangleSetTopologyContainer
{
public:
    Data<Vector<Tetrahedron>> d_tetrahedra{this, {.name = "tetrahedra", .help = "Tetrahedra, four points each"}};

    TetrahedronSetTopologyContainer();
    const Vector<Tetrahedron>& tetrahedra() const override { return read(d_tetrahedra); }
    ElementType topologyType() const override { return ElementType::Tetrahedra; }
};

/// Container of hexahedra with their faces and edges, derived like those of tetrahedra.
class HexahedronSetTopologyContainer : public QuadSetTopologyContainer
{
public:
    Data<Vector<Hexahedron>> d_hexahedra{this, {.name = "hexahedra", .help = "Hexahedra, eight points each"}};

    HexahedronSetTopologyContainer();
    const Vector<Hexahedron>& hexahedra() const override { return read(d_hexahedra); }
    ElementType topologyType() const override { return ElementType::Hexahedra; }
};

}  // namespace sofa::component
