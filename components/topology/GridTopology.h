// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/MeshTopology.h"

namespace sofa::component {

using Vec3i = Vec<3, int>;

/// Grid of nx × ny × nz points, without a shape of its own.
///
/// Point (i, j, k) has the index i + nx (j + ny k), cell (i, j, k) the index i + (nx − 1)(j + (ny − 1) k). Quads: all
/// in planes of constant z (x fastest, then y, then z), then constant y, then constant x. Each quad (0 1 2 3) gives the
/// triangles (0 1 2) and (0 2 3), and the edges are those of the triangles (so they include the diagonals); without
/// triangles they are the grid lines along x, then y, then z. This is the numbering of SOFA.
class GridTopology : public MeshTopology
{
public:
    Data<Vec3i> d_n{
        this, {.name = "n", .help = "Number of points along x, y and z", .range = Range::atLeast(1.)}, Vec3i{2, 2, 2}};
    Data<bool> d_computeHexaList{this, list("computeHexaList", "Whether the grid has hexahedra"), true};
    Data<bool> d_computeQuadList{
        this, list("computeQuadList", "Whether the quads are those of the grid (else those of the hexahedra)"), true};
    Data<bool> d_computeTriangleList{this, list("computeTriangleList", "Whether the grid has triangles"), true};
    Data<bool> d_computeEdgeList{
        this, list("computeEdgeList", "Whether the edges are those of the grid (else those of cells or faces)"), true};
    Data<bool> d_computePointList{
        this, list("computePointList", "Whether the Data `position` holds the positions of the points"), true};
    Data<bool> d_createTexCoords{
        this, list("createTexCoords", "Whether texture coordinates are made from the place in the grid"), false};

    GridTopology();
    void setDeclared(std::string_view name, std::string_view text) override;
    void init() override;

    Index nbPoints() const override;
    bool hasPositions() const override { return true; }
    Vec3 pointPosition(Index i) const override;
    /// Index of a point, and of a cell.
    Index pointIndex(int i, int j, int k) const;
    Index cellIndex(int i, int j, int k) const;
    /// Place of a point in the grid.
    Vec3i pointCoordinates(Index i) const;
    /// Resolution in effect: `n`, or the default 2 2 2 where a component of it is below 1.
    Vec3i resolution() const;
    BoundingBox boundingBox() const override;
    std::array<Index, 3> gridCells() const override;

protected:
    /// Position of grid point (i, j, k) [m].
    virtual Vec3 gridPosition(const Vec3i& p) const;
    Vector<Edge> computeEdges() const override;
    Vector<Triangle> computeTriangles() const override;
    Vector<Quad> computeQuads() const override;
    Index countPoints() const override { return nbPoints(); }
    Index validPoints() const override { return nbPoints(); }
    /// Writes texture coordinates for the points into `uv`.
    void createTextureCoordinates();
    /// Makes `position` follow gridPosition(), which depends on `n` and these Data.
    void computePositionsFrom(const std::vector<BaseData*>& shape);

    void prepare() override {}

private:
    class Positions;
    static DataInfo list(std::string_view name, std::string_view help) { return {.name = name, .help = help}; }
    Vector<Quad> gridQuads() const;
    Vector<Hexahedron> gridHexahedra() const;
    std::unique_ptr<DdgNode> m_positions;
};

}  // namespace sofa::component
