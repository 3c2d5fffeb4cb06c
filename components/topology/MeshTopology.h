// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/StoredTopology.h"

namespace sofa::component {

using namespace sofa::core;

/// Topology that does not change: lists given in the scene, linked (src="@loader"), or read from `filename`.
/// (Older scenes that give nothing and have a loader beside: the scene loader links the lists.)
///
/// What is empty is derived: edges from tetrahedra and hexahedra if there are any, else from triangles and quads;
/// triangles from tetrahedra; quads from hexahedra; numbered as in core/mesh/SubElements.h. The number of points is
/// one more than the largest index in an element, or that of the positions where there is no element.
class MeshTopology : public StoredTopology
{
public:
    Data<Vector<Edge>> d_edges{this, {.name = "edges", .help = "Edges, two points each"}};
    Data<Vector<Triangle>> d_triangles{this, {.name = "triangles", .help = "Triangles, three points each"}};
    Data<Vector<Quad>> d_quads{this, {.name = "quads", .help = "Quads, four points each"}};
    Data<Vector<Tetrahedron>> d_tetrahedra{this, {.name = "tetrahedra", .help = "Tetrahedra, four points each"}};
    Data<Vector<Hexahedron>> d_hexahedra{this, {.name = "hexahedra", .help = "Hexahedra, eight points each"}};
    Data<Vector<Prism>> d_prisms{this, {.name = "prisms", .help = "Prisms (wedges), six points each"}};
    Data<Vector<Pyramid>> d_pyramids{this, {.name = "pyramids", .help = "Pyramids, five points each"}};
    Data<Vector<Vec2>> d_uv{this, {.name = "uv", .help = "Texture coordinates of the points", .unit = "1"}};
    Data<bool> d_computeAllBuffers{
        this,
        {.name = "computeAllBuffers", .help = "Build every adjacency table at init, not at its first use"},
        false};
    Data<bool> d_drawEdges{this, display("drawEdges", "Show the edges"), false};
    Data<bool> d_drawTriangles{this, display("drawTriangles", "Show the triangles"), false};
    Data<bool> d_drawQuads{this, display("drawQuads", "Show the quads"), false};
    Data<bool> d_drawTetrahedra{this, display("drawTetrahedra", "Show the tetrahedra"), false};
    Data<bool> d_drawHexahedra{this, display("drawHexahedra", "Show the hexahedra"), false};

    MeshTopology();
    bool takesLooseMesh() const override { return true; }
    void init() override;
    /// What the draw... Data ask for, at the positions that the topology has, else at those of the state of its node.
    void draw(DrawTool& tool) override;

    const Vector<Edge>& edges() const override { return read(d_edges); }
    const Vector<Triangle>& triangles() const override { return read(d_triangles); }
    const Vector<Quad>& quads() const override { return read(d_quads); }
    const Vector<Tetrahedron>& tetrahedra() const override { return read(d_tetrahedra); }
    const Vector<Hexahedron>& hexahedra() const override { return read(d_hexahedra); }
    const Vector<Prism>& prisms() const override { return read(d_prisms); }
    const Vector<Pyramid>& pyramids() const override { return read(d_pyramids); }

protected:
    void prepare() override;
    /// How an empty list follows from the others.
    virtual Vector<Edge> computeEdges() const;
    virtual Vector<Triangle> computeTriangles() const;
    virtual Vector<Quad> computeQuads() const;

    static DataInfo display(std::string_view name, std::string_view help)
    {
        return {.name = name, .help = help, .group = "Visualization"};
    }

private:
    void readMeshFile();
};

}  // namespace sofa::component
