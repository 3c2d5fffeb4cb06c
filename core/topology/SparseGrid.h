// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "core/geometry/Voxelization.h"

namespace sofa::core {

/// One level of a sparse grid: the cells of a regular grid that hold matter, and the pieces of matter in them.
///
/// A cell of an ordinary sparse grid has one piece. In a ramified grid matter that comes into a cell from different
/// sides and is not connected within it (arms of a C on both sides of its gap) makes several pieces, each of which
/// becomes a hexahedron of its own at the same place. M. Nesme, P. G. Kry, L. Jeřábková and F. Faure, "Preserving
/// topology and elasticity for embedded deformable models", ACM Transactions on Graphics 28 (2009).
///
/// Levels come from the finest one by `coarsen`; the numbers of cells, pieces and corners are SOFA's.
struct SparseLevel
{
    geometry::CellGrid grid;
    Vector<Index> sparseCell;         ///< of each cell of `grid`: its number here; InvalidIndex where it is empty
    Vector<Index> gridCell;           ///< of each cell: its number in `grid`
    Vector<geometry::CellFill> fill;  ///< of each cell: Inside, or Boundary where not all of it is inside
    Vector<Index> pieceStart{0};      ///< cell c has the pieces pieceStart[c] to pieceStart[c + 1]
    Vector<Index> pieceCell;          ///< of each piece: its cell
    Vector<double> stiffness, mass;   ///< of each piece: factors on the stiffness and mass of a full cell
    Vector<Index> parent;             ///< of each piece: that of the next coarser level which contains it
    /// Pieces on the other side of the faces at x, x + 1, y, y + 1, z, z + 1 that hang together with each piece, in
    /// increasing order; empty unless `connect` was called on the finest level.
    Vector<std::array<Vector<Index>, 6>> neighbors;

    std::size_t pieces() const { return pieceCell.size(); }
};

/// The cells of a voxelised solid: those of the boundary first, then those inside, each in the order of the grid.
/// @param onlyInside  leaves out those of the boundary
/// @param stiffness  of each cell of the grid
/// @param mass       the same; empty: as the stiffness
SparseLevel finestLevel(const geometry::CellGrid& grid, const Vector<geometry::CellFill>& fill,
                        const Vector<double>& stiffness, bool onlyInside, const Vector<double>& mass = {});

/// Makes the pieces of adjacent cells neighbours where `connected(upper, lower, axis)` says so of the two cells'
/// numbers here and the axis along which they lie side by side.
void connect(SparseLevel& level, const std::function<bool(Index upper, Index lower, std::size_t axis)>& connected);

/// How coarse cells are made of fine ones.
enum class Coarsening
{
    Plain,     ///< one piece for each cell
    Ramified,  ///< a piece for each connected part of the fine pieces in a cell
    /// Ramified, with SOFA's factors. There, if a cell has one piece, the fine values are looked up by the numbers of
    /// cells where those of pieces are meant; if it has several, of each only the last fine piece counts.
    RamifiedAsSofa
};

/// The level whose cells are eight cells of `fine` each (fewer at the far ends of odd grids); sets fine.parent. Cells
/// are numbered by x, then y, then z, z running fastest. The factors of a piece are the sums over the fine pieces in
/// it, divided by eight.
SparseLevel coarsen(SparseLevel& fine, Coarsening how);

/// A piece of a fine level in one of the coarsest level.
struct FinePiece
{
    Index piece = InvalidIndex;  ///< of the coarsest level
    Vec<3, int> place;           ///< of the fine cell in the coarse one, along each axis from 0
    double stiffness = 1., mass = 1.;
};
/// Calls f for the pieces of the level that is `finer` levels finer than the last one of `levels`, whose cells have 2
/// to the power of it cells along each edge. There must be as many levels.
void forEachFinePiece(std::span<const SparseLevel> levels, std::size_t finer,
                      const std::function<void(const FinePiece&)>& f);

/// Corners and hexahedra of a level; hexahedron h belongs to piece h.
struct SparseMesh
{
    Vector<Vec3> positions;
    Vector<Hexahedron> hexahedra;
};
/// One point at each corner of a cell, by x, then y, then z, z running fastest.
SparseMesh sharedCorners(const SparseLevel& level);
/// Hexahedra share a face where their pieces are neighbours, and nothing else. Points are numbered by the hexahedron
/// and corner that gave them their last name while faces were joined, as in SOFA: every hexahedron takes, for its lower
/// face along z, then y, then x, the points of its neighbours.
SparseMesh ramifiedCorners(const SparseLevel& level);

/// The boundary cell whose middle is nearest to `x`, of all cells if there is none at the boundary; of equal distances
/// in single precision the first one. InvalidIndex if there is no cell.
Index nearestCell(const SparseLevel& level, const Vec3& x);

}  // namespace sofa::core
