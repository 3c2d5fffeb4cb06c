// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/SparseGridTopology.h"

namespace sofa::component {

/// Sparse grid in which parts of a body that are near each other without hanging together move apart.
///
/// Finest cells with a common face hang together; with `finestConnectivity`, two cells at the boundary only if the
/// surface touches that face. A cell of the next level has a hexahedron for each connected part of the finer cells in
/// it, and hexahedra share points only with those that they hang together with. See core/topology/SparseGrid.h. Points
/// of a mapping belong to the hexahedron of the finest cell that contains them, or of the nearest one.
///
/// Unless `exact` is set, two mistakes of SOFA are made, which its results need: only edges of the surface are looked
/// for in faces of cells, not the one that closes a polygon, and each counts as if it began as long before its first
/// point as it is (geometry::facesCrossedByEdges); and the stiffness of a hexahedron is made of some of the finer cells
/// in it only (Coarsening::RamifiedAsSofa).
class SparseGridRamificationTopology : public SparseGridTopology
{
public:
    Data<bool> d_finestConnectivity{this,
                                    {.name = "finestConnectivity",
                                     .help = "Whether the finest cells at the boundary hang together only where the "
                                             "surface passes from one to the other, else wherever they are adjacent"},
                                    true};
    Data<bool> d_exact{this,
                       {.name = "exact",
                        .help = "Whether connections and stiffness follow from all of the surface and of the finer "
                                "cells, else from what SOFA sees of them"},
                       false};

protected:
    SparseMesh buildLevels(std::vector<SparseLevel>& levels, const geometry::PolygonSurface& surface) override;
    bool locatesOnFinestLevel() const override { return ramifies(); }
    /// Whether parts that do not hang together get hexahedra of their own.
    virtual bool ramifies() const { return true; }
};

}  // namespace sofa::component
