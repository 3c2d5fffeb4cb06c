// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/SpringForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Springs between the points of a regular grid: along its lines, along the diagonals of its squares and along those of
/// its cubes, besides those that SpringForceField is given.
///
/// As in MeshSpringForceField, stiffness and damping are those of unit length: a spring of rest length L has k/L and
/// d/L. The attributes "stiffness" and "damping" set all three kinds. Without a regular grid only the given springs
/// act.
template <class DataTypes>
class RegularGridSpringForceField : public SpringForceField<DataTypes>
{
public:
    using Base = SpringForceField<DataTypes>;

    core::Data<double> d_linesStiffness{
        this, {.name = "linesStiffness", .help = "Stiffness along the lines per unit of 1/length", .unit = "N"}, 100.};
    core::Data<double> d_linesDamping{
        this, {.name = "linesDamping", .help = "Damping along the lines per unit of 1/length", .unit = "N s"}, 5.};
    core::Data<double> d_quadsStiffness{
        this,
        {.name = "quadsStiffness", .help = "Stiffness along the squares' diagonals per unit of 1/length", .unit = "N"},
        100.};
    core::Data<double> d_quadsDamping{
        this,
        {.name = "quadsDamping", .help = "Damping along the squares' diagonals per unit of 1/length", .unit = "N s"},
        5.};
    core::Data<double> d_cubesStiffness{
        this,
        {.name = "cubesStiffness", .help = "Stiffness along the cubes' diagonals per unit of 1/length", .unit = "N"},
        100.};
    core::Data<double> d_cubesDamping{
        this,
        {.name = "cubesDamping", .help = "Damping along the cubes' diagonals per unit of 1/length", .unit = "N s"},
        5.};

    void parse(core::ComponentDescription& desc) override;
    void init() override;
    std::string refusal(const core::TopologyStep& step) const override;

private:
    void addGrid(core::Vector<LinearSpring>& springs, const core::Vec<3, int>& n, const std::array<core::Vec3, 3>& d);
};

}  // namespace sofa::component
