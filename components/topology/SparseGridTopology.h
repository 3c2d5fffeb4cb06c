// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/MeshTopology.h"
#include "core/topology/SparseGrid.h"

namespace sofa::component {

using Vec3i = Vec<3, int>;

/// Hexahedra around a body: those cells of a regular grid that its surface touches or encloses.
///
/// The body is a closed surface (a mesh file, or `position` with `triangles`, `quads` and `facets`; of a mesh without
/// faces the border of its volume), or voxels (.voxel: text with numbers, sizes and values; .raw: one byte each, with
/// `dataResolution` and `voxelSize`). The grid has `n` points along the axes of the box from `min` to `max`; where both
/// are zero, it is the box of the surface, enlarged by a hundredth on each side. Afterwards `position` holds the
/// corners of the cells, and the surface's own elements are gone.
///
/// Cells at the boundary come first, then those inside; points are numbered by x, then y, then z. With
/// `nbVirtualFinerLevels` the surface is voxelised on a grid that is finer by 2 to that power, and cells are made of
/// the finer ones: they are numbered by x, then y, then z. Edges and quads are not derived.
///
/// `stiffnessFactor` is what force fields scale a cell's stiffness with: ½ at the boundary, 1 inside; with finer levels
/// the mean over the finest cells, empty ones counting as 0; always 1 if `fillWeighted` is off. What has its own mass
/// scales that in the same way.
///
/// Numbers and results are SOFA's; the differences are: `cellWidth` counts with finer levels too; the box of a .voxel
/// file is not cut to whole numbers; of grids of voxels every cell may be the nearest one to a point outside.
class SparseGridTopology : public MeshTopology
{
public:
    Data<bool> d_fillWeighted{
        this,
        {.name = "fillWeighted", .help = "Whether cells at the boundary count as half filled, else as full"},
        true};
    Data<bool> d_onlyInsideCells{
        this, {.name = "onlyInsideCells", .help = "Leave out the cells that the surface touches"}, false};
    Data<Vec3i> d_n{this,
                    {.name = "n", .help = "Number of points along x, y and z if every cell were filled; at least 2"},
                    Vec3i{2, 2, 2}};
    Data<Vec3> d_min{this, {.name = "min", .help = "Corner of the grid with the least coordinates", .unit = "m"}};
    Data<Vec3> d_max{this,
                     {.name = "max",
                      .help = "Corner of the grid with the greatest coordinates; min = max = 0: around the surface",
                      .unit = "m"}};
    Data<double> d_cellWidth{this,
                             {.name = "cellWidth",
                              .help = "Largest size of a cell, which then sets the number of points; 0: `n` sets it",
                              .unit = "m",
                              .range = Range::nonNegative()},
                             0.};
    Data<int> d_nbVirtualFinerLevels{this,
                                     {.name = "nbVirtualFinerLevels",
                                      .help = "How many times the cells are halved before the surface is voxelised",
                                      .range = Range::closed(0., 8.)},
                                     0};
    Data<Vec3i> d_dataResolution{
        this, {.name = "dataResolution", .help = "Number of voxels of a .raw file along x, y and z"}};
    Data<Vec3> d_voxelSize{
        this, {.name = "voxelSize", .help = "Size of a voxel of a .raw file", .unit = "m"}, Vec3{1., 1., 1.}};
    Data<Vector<Vector<Index>>> d_facets{
        this,
        {.name = "facets", .help = "Faces of the surface with any number of corners, besides triangles and quads"}};

    SparseGridTopology();

    double stiffnessFactor(Index hexahedron) const override;
    double massFactor(Index hexahedron) const override;
    std::span<const SparseLevel> sparseLevels() const override
    {
        prepareOnce();
        return m_levels;
    }
    bool locatesCells() const override { return !isEdited(); }
    CellLocation locateCell(const Vec3& x) const override;

protected:
    /// What the grid is made of.
    struct Body
    {
        geometry::CellGrid grid;
        Vector<geometry::CellFill> fill;
        Vector<double> stiffness;  ///< factor of each cell; empty: ½ or 1 at the boundary, 1 inside
        Vector<double> mass;       ///< the same; empty: as the stiffness
        geometry::PolygonSurface surface;
    };

    /// The grid is made once, of what the scene gave: the lists that it was made of are gone.
    void undoInit() override {}
    void prepare() override;
    virtual Body readBody();
    /// Makes the coarser levels of `levels`, which holds the finest one, and the mesh of the last.
    virtual SparseMesh buildLevels(std::vector<SparseLevel>& levels, const geometry::PolygonSurface& surface);
    /// Whether the cell of a point is looked for on the finest level, not on that of the hexahedra.
    virtual bool locatesOnFinestLevel() const { return false; }
    Vector<Edge> computeEdges() const override { return {}; }
    Vector<Quad> computeQuads() const override { return {}; }

    /// Surface of a mesh file at an absolute path.
    geometry::PolygonSurface readSurfaceFile(const std::string& path) const;
    /// Sets min, max and n for a surface of these points, as far as the scene leaves it open, and returns the finest
    /// grid. \throws std::runtime_error for a box without volume, or too many cells.
    geometry::CellGrid gridAround(const Vector<Vec3>& points);

private:
    geometry::PolygonSurface readSurface() const;
    Body voxelizedSurface();
    Body rawVoxels(const std::string& path);
    Body textVoxels(const std::string& path) const;
    /// The grid of `n` points between min and max, made finer.
    geometry::CellGrid finestGrid() const;
    void clearInput();

    std::vector<SparseLevel> m_levels;  ///< the finest one first
};

}  // namespace sofa::component
