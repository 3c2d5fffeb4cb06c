// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/HexahedraInGrid.h"
#include "components/topology/TopologyModifiers.h"

namespace sofa::component {

/// Container of hexahedra that are cells of a fine regular grid, and know the cells of a coarser one that they are in.
///
/// A coarse cell has 2 to the power of `level` fine cells along each axis. What hangs together in it is a piece: matter
/// that comes into a coarse cell from two sides without touching makes two. `coarseComponents` gives the piece of each
/// hexahedron and follows changes, so that a cut through a coarse cell divides its piece. Hexahedra hang together where
/// they share the four points of a face. The cells of hexahedra are found as in DynamicSparseGridTopologyContainer.
///
/// In SOFA coarse hexahedra are made by other components, the components are not given to the scene, and
/// `fineComponents` holds pointers to what is here the hexahedra themselves.
class MultilevelHexahedronSetTopologyContainer final : public HexahedraInGrid
{
public:
    Data<int> d_level{this,
                      {.name = "level",
                       .help = "How many times the cells are doubled from the fine to the coarse grid",
                       .range = Range::closed(0., 16.)},
                      0};
    Data<Vector<Index>> d_coarseComponents{
        this,
        {.name = "coarseComponents",
         .help = "Piece of a coarse cell that each hexahedron belongs to, named by the first fine cell of the piece; "
                 "follows changes"}};

    /// Number of coarse cells along x, y and z; those at the far ends may be larger than the fine grid.
    Vec3i coarseResolution() const;
    /// Place of the coarse cell that contains a hexahedron. Throws std::out_of_range if there is no such hexahedron.
    Vec3i coarsePlace(Index hexahedron) const;
    /// Piece of a hexahedron, named by its first fine cell.
    Index pieceOf(Index hexahedron) const { return d_coarseComponents.value().at(hexahedron); }
    /// All hexahedra of the piece that a hexahedron belongs to, by increasing fine cell.
    Vector<Index> hexahedraWith(Index hexahedron) const;
    /// All hexahedra in a coarse cell, by increasing fine cell; none outside of the grid.
    Vector<Index> hexahedraIn(const Vec3i& coarsePlace) const;

protected:
    void cellsAreKnown() override;
    void cellsChanged(const Vector<Index>& cells) override;

private:
    bool hangTogether(Index a, Index b) const;
    void findPieces(const Vec3i& coarsePlace, Vector<Index>& pieces) const;
};

/// Lets hexahedra of several levels come and go; the container finds the pieces of coarse cells anew where they do.
class MultilevelHexahedronSetTopologyModifier final : public HexahedronSetTopologyModifier
{
public:
    void init() override;
};

}  // namespace sofa::component
