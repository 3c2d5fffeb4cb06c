// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/TopologyContainers.h"
#include "core/geometry/Voxelization.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using Vec3i = Vec<3, int>;

/// Hexahedra that are cells of a regular grid, at most one in each: what DynamicSparseGridTopologyContainer and
/// MultilevelHexahedronSetTopologyContainer have in common. Cells are numbered with x running fastest.
///
/// The cells are given by `idxInRegularGrid`, or found at the positions of the container, which are also what tells the
/// cell of a hexahedron that is added. Positions that follow a state are looked at when they are needed.
class HexahedraInGrid : public HexahedronSetTopologyContainer, public TopologyFollower
{
public:
    Data<Vec3i> d_resolution{
        this, {.name = "resolution", .help = "Number of cells along x, y and z; 0 0 0: as many as the hexahedra need"}};
    Data<Vector<Index>> d_idxInRegularGrid{
        this,
        {.name = "idxInRegularGrid",
         .help = "Cell of each hexahedron; default: where its points are. Follows changes"}};

    void init() override;
    Index cellCount() const { return static_cast<Index>(m_hexahedronIn.size()); }
    /// Cell of a hexahedron. Throws std::out_of_range if there is no such one.
    Index cellOf(Index hexahedron) const { return d_idxInRegularGrid.value().at(hexahedron); }
    /// Hexahedron in a cell; InvalidIndex where there is none.
    Index hexahedronIn(Index cell) const { return cell < cellCount() ? m_hexahedronIn[cell] : InvalidIndex; }
    /// Place of a cell along x, y and z, each from 0.
    Vec3i placeOf(Index cell) const { return m_grid.place(cell); }
    /// Hexahedra on the other side of the faces at x, x + 1, y, y + 1, z, z + 1; InvalidIndex where there is none.
    std::array<Index, 6> neighbors(Index hexahedron) const;
    /// The grid; its origin and spacing only have a meaning if knowsPlaces().
    const geometry::CellGrid& grid() const { return m_grid; }
    /// Whether the positions told where the grid is.
    bool knowsPlaces() const { return m_knowsPlaces; }

    bool locatesCells() const override { return m_knowsPlaces && m_isUpright; }
    /// The hexahedron that contains `x` [m] at rest, else the nearest one; of equally near ones that of the first cell.
    CellLocation locateCell(const Vec3& x) const override;

    PointLists pointLists() override { return noLists(); }
    ElementLists elementLists() override;
    void followTopology(const TopologyChange& change) override;

protected:
    /// All cells are known anew.
    virtual void cellsAreKnown() {}
    /// These cells lost, got or renumbered their hexahedron: in increasing order.
    virtual void cellsChanged(const Vector<Index>& /*cells*/) {}
    /// Size of a cell [m] that the scene gives.
    virtual std::optional<Vec3> givenSpacing() const { return std::nullopt; }

private:
    void findGrid();
    /// The cell in which the points of a hexahedron are. Throws std::runtime_error if they are no cell's corners.
    Index findCell(Index hexahedron) const;
    void makeTable();

    geometry::CellGrid m_grid;
    Vector<Index> m_hexahedronIn;
    bool m_knowsPlaces = false;
    mutable bool m_isUpright = true;  ///< the points of all hexahedra are in the order of the axes
};

}  // namespace sofa::component
