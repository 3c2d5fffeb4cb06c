// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/GridTopology.h"

namespace sofa::component {

/// Grid of nx × ny × nz points, evenly spaced in a box along the axes.
///
/// Point (i, j, k) lies at p0 + (i hx, j hy, k hz). Without `cellWidth`, hx = (max − min)_x / (nx − 1) and so on, and
/// p0 is `min` unless given. Along an axis with one point, the spacing is the extent of the box, and the points lie in
/// its middle along x and y but at its lower end along z, as in SOFA. A positive `cellWidth` w sets all spacings to w
/// and the number of points to ⌈(max − min) / w⌉ + 1.
class RegularGridTopology : public GridTopology
{
public:
    Data<Vec3> d_min{this, {.name = "min", .help = "Corner of the box with the least coordinates", .unit = "m"}};
    Data<Vec3> d_max{this,
                     {.name = "max", .help = "Corner of the box with the greatest coordinates", .unit = "m"},
                     Vec3{1., 1., 1.}};
    Data<Vec3> d_p0{
        this, {.name = "p0", .help = "Position of the first point; default: follows from min and max", .unit = "m"}};
    Data<double> d_cellWidth{this,
                             {.name = "cellWidth",
                              .help = "Size of a cell, which then sets the number of points; 0: n, min and max set it",
                              .unit = "m",
                              .range = Range::nonNegative()},
                             0.};

    RegularGridTopology();
    void setDeclared(std::string_view name, std::string_view text) override;
    void parse(ComponentDescription& desc) override;
    void init() override;
    void reinit() override;
    BoundingBox boundingBox() const override;

    /// Distance [m] of neighbouring points along x, y and z.
    Vec3 spacing() const;
    /// Position [m] of the first point.
    Vec3 origin() const;
    /// Nearest grid point; InvalidIndex if `x` rounds to a place outside the grid.
    Index findPoint(const Vec3& x) const;
    /// Cell that contains `x`; the cell is InvalidIndex outside the grid or where the grid is flat.
    CellLocation findCell(const Vec3& x) const;
    /// Cell nearest to `x`, which may lie outside it; InvalidIndex where the grid is flat.
    CellLocation findNearestCell(const Vec3& x) const;
    bool locatesCells() const override { return !isEdited(); }
    CellLocation locateCell(const Vec3& x) const override { return findNearestCell(x); }

protected:
    Vec3 gridPosition(const Vec3i& p) const override;

private:
    void applyCellWidth();
    Vec3 cellCoordinates(const Vec3& x) const;
};

}  // namespace sofa::component
