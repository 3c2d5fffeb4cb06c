// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "components/topology/GeometryAlgorithms.h"
#include "components/topology/HexahedraInGrid.h"
#include "components/topology/TopologyModifiers.h"

namespace sofa::component {

/// Container of hexahedra that are cells of a sparse regular grid, and knows which, whatever is removed and added.
///
/// The hexahedra may come from a SparseGridTopology or a RegularGridTopology, with their positions; `resolution` and
/// `idxInRegularGrid` are found there if they are not given. A hexahedron that is added must be a free cell of the grid
/// at the positions of the container, else the change is taken back. `stiffnessFactor` and all else is that of a
/// container of hexahedra; points that a mapping embeds are found by their cell.
///
/// In SOFA the voxels come from a loader, the cells of new hexahedra must be given by a program, and
/// `valuesIndexedInTopology` does not follow.
class DynamicSparseGridTopologyContainer final : public HexahedraInGrid
{
public:
    Data<Vector<unsigned char>> d_valuesIndexedInRegularGrid{
        this,
        {.name = "valuesIndexedInRegularGrid",
         .help = "255 for each cell that has a hexahedron, 0 for the others; follows changes. Values of all cells that "
                 "are given are those of the hexahedra at the beginning"}};
    Data<Vector<unsigned char>> d_valuesIndexedInTopology{
        this,
        {.name = "valuesIndexedInTopology",
         .help = "Value of each hexahedron, or one for all; new ones have that of their nearest ancestor, else of the "
                 "first hexahedron. Default: those given in valuesIndexedInRegularGrid, else 255"}};
    Data<std::map<Index, Index>> d_idInRegularGrid2IndexInTopo{
        this, {.name = "idInRegularGrid2IndexInTopo", .help = "Hexahedron of each cell that has one; follows changes"}};
    Data<Vec3> d_voxelSize{this,
                           {.name = "voxelSize", .help = "Size of a cell; default: that of hexahedron 0", .unit = "m"},
                           Vec3{1., 1., 1.}};

    void init() override;
    ElementLists elementLists() override;

protected:
    void cellsAreKnown() override;
    void cellsChanged(const Vector<Index>& cells) override;
    std::optional<Vec3> givenSpacing() const override;
};

/// Lets cells of a sparse grid come and go; the container keeps its maps true.
class DynamicSparseGridTopologyModifier final : public HexahedronSetTopologyModifier
{
public:
    void init() override;
};

/// Measures of a sparse grid: which hexahedron is where. Points and cells are those at rest, at the positions of the
/// container: a translation or rotation of the state does not count (SOFA subtracts the translation).
template <class DataTypes>
class DynamicSparseGridGeometryAlgorithms final : public HexahedronSetGeometryAlgorithms<DataTypes>
{
public:
    using At = typename HexahedronSetGeometryAlgorithms<DataTypes>::At;

    /// Fails where the topology is no DynamicSparseGridTopologyContainer.
    void init() override;
    /// Throws std::logic_error where init() found none.
    const DynamicSparseGridTopologyContainer& container() const;
    /// Hexahedron whose cell contains a point [m]; InvalidIndex where there is none.
    Index hexahedronAt(const Vec3& x) const;
    /// That, else the nearest one, and the coordinates of the point in it. Throws std::logic_error if the container has
    /// no positions.
    BaseMeshTopology::CellLocation nearestHexahedron(const Vec3& x) const;
    /// Where a place in a hexahedron is [m].
    Vec3 pointAt(const BaseMeshTopology::CellLocation& place, At at = At::Present) const;

private:
    const DynamicSparseGridTopologyContainer* m_container = nullptr;
};

}  // namespace sofa::component
