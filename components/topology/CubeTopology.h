// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/MeshTopology.h"

namespace sofa::component {

/// The surface of a box as a grid of points with quads, turned outwards, and edges. Points are numbered face by face
/// z = min, z = max, then layer by layer between; with `internalPoints` as in a RegularGridTopology; with
/// `splitNormals` each side has points of its own: those at x, y, z = min, then at max.
class CubeTopology : public MeshTopology
{
public:
    Data<int> d_nx{this, {.name = "nx", .help = "Points along x, at least 2"}, 0};
    Data<int> d_ny{this, {.name = "ny", .help = "Points along y, at least 2"}, 0};
    Data<int> d_nz{this, {.name = "nz", .help = "Points along z, at least 2"}, 0};
    Data<bool> d_internalPoints{this, {.name = "internalPoints", .help = "Points in the inside too"}, false};
    Data<bool> d_splitNormals{
        this, {.name = "splitNormals", .help = "Sides share no points, so that they look plane"}, false};
    Data<Vec3> d_min{this, {.name = "min", .help = "Corner of the box with the least coordinates", .unit = "m"}};
    Data<Vec3> d_max{this,
                     {.name = "max", .help = "Corner of the box with the greatest coordinates", .unit = "m"},
                     Vec3{1., 1., 1.}};

    void init() override;

protected:
    void prepare() override;
    /// What is wrong with the parameters; empty if nothing is.
    virtual std::string mistake() const;
    /// Position of a place on the box, from 0 0 0 to n − 1.
    virtual Vec3 placePosition(const std::array<int, 3>& place) const;

private:
    /// Number of a place; `side` is its axis, plus 3 at the greater end, or −1 where it does not matter.
    Index pointAt(std::array<int, 3> place, int side = -1) const;
    std::array<int, 3> size() const { return {d_nx.value(), d_ny.value(), d_nz.value()}; }
};

/// A sphere: the surface of a box, with the points at a distance from a centre. The box itself does not matter.
class SphereQuadTopology final : public CubeTopology
{
public:
    Data<Vec3> d_center{this, {.name = "center", .help = "Centre of the sphere", .unit = "m"}};
    Data<double> d_radius{
        this,
        {.name = "radius", .help = "Radius of the sphere, to be given", .unit = "m", .range = Range::nonNegative()},
        0.};

protected:
    std::string mistake() const override;
    Vec3 placePosition(const std::array<int, 3>& place) const override;
};

}  // namespace sofa::component
