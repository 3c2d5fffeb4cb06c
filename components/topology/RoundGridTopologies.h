// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/GridTopology.h"

namespace sofa::component {

/// Grid whose layers of constant k are discs across an axis.
///
/// A point (u, v) of the square [−r, r]² goes to (u, v) max(|u|, |v|) / |(u, v)|, which maps concentric squares to
/// circles; layer k lies at k l / (nz − 1) from the centre along the axis. Where there is one point along u or v, it
/// lies on the axis.
class CylinderGridTopology : public GridTopology
{
public:
    Data<Vec3> d_center{this, {.name = "center", .help = "Centre of the first disc", .unit = "m"}};
    Data<Vec3> d_axis{
        this, {.name = "axis", .help = "Direction of the axis, of any length", .unit = "1"}, Vec3{0., 0., 1.}};
    Data<double> d_radius{this, {.name = "radius", .help = "Radius", .unit = "m", .range = Range::nonNegative()}, 1.};
    Data<double> d_length{
        this, {.name = "length", .help = "Length along the axis", .unit = "m", .range = Range::nonNegative()}, 1.};

    CylinderGridTopology();
    void init() override;

protected:
    Vec3 gridPosition(const Vec3i& p) const override;
};

/// Grid of a ball: a point p of the cube [−r, r]³ goes to p max|pᵢ| / |p|, which maps concentric cubes to spheres.
/// Where there is one point along a direction, it lies in the middle.
class SphereGridTopology : public GridTopology
{
public:
    Data<Vec3> d_center{this, {.name = "center", .help = "Centre", .unit = "m"}};
    Data<Vec3> d_axis{
        this, {.name = "axis", .help = "Direction of the grid's z axis, of any length", .unit = "1"}, Vec3{0., 0., 1.}};
    Data<double> d_radius{this, {.name = "radius", .help = "Radius", .unit = "m", .range = Range::nonNegative()}, 1.};

    SphereGridTopology();
    void init() override;

protected:
    Vec3 gridPosition(const Vec3i& p) const override;
};

}  // namespace sofa::component
