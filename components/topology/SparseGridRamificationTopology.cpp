// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/SparseGridRamificationTopology.h"

#include "core/factory/Registry.h"

namespace sofa::component {

using geometry::CellFill;

SparseMesh SparseGridRamificationTopology::buildLevels(std::vector<SparseLevel>& levels,
                                                       const geometry::PolygonSurface& surface)
{
    const int finer = d_nbVirtualFinerLevels.value();
    if (!ramifies() || (finer == 0 && !d_finestConnectivity.value()))
        return SparseGridTopology::buildLevels(levels, surface);
    const bool bySurface = d_finestConnectivity.value() && surface.faces() > 0;
    Vector<std::uint8_t> crossed;
    if (bySurface)
        crossed =
            d_exact.value() ? touchedFaces(levels[0].grid, surface) : facesCrossedByEdges(levels[0].grid, surface);
    connect(levels[0], [&](Index upper, Index lower, std::size_t axis) {
        const SparseLevel& l = levels[0];
        if (!bySurface || l.fill[upper] != CellFill::Boundary || l.fill[lower] != CellFill::Boundary) return true;
        return (crossed[l.gridCell[upper]] >> axis & 1) != 0;
    });
    const Coarsening how = d_exact.value() ? Coarsening::Ramified : Coarsening::RamifiedAsSofa;
    for (int i = 0; i < finer; ++i) {
        SparseLevel coarse = coarsen(levels.back(), how);
        levels.push_back(std::move(coarse));
    }
    return ramifiedCorners(levels.back());
}

namespace {

const RegisterComponent registeredSparseGridRamificationTopology =
    RegisterComponent("SparseGridRamificationTopology", "Topology", "Sofa.Component.Topology.Container.Grid")
        .help("Sparse grid whose hexahedra overlap where near parts of a body do not hang together")
        .example("component/topology/SparseGridRamificationTopology.scn")
        .add<SparseGridRamificationTopology>();

}  // namespace

}  // namespace sofa::component
