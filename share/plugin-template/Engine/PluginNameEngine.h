// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Engine.h"

namespace sofa::component {

/// Distances of points from a centre, and the largest of them. Outputs are computed when they are read, and again only
/// after an input changed.
///
/// This is the law that the template starts with: replace it by yours, here and in the test.
class PluginNameEngine : public core::Engine
{
public:
    core::Input<core::Vector<core::Vec3>> d_position{
        this, {.name = "position", .help = "Points", .unit = "m", .group = "Inputs", .required = true}};
    core::Input<core::Vec3> d_center{
        this,
        {.name = "center", .help = "Point from which distances are measured", .unit = "m", .group = "Inputs"},
        core::Vec3()};
    core::Output<core::Vector<double>> d_distance{
        this, {.name = "distance", .help = "Distance of each point", .unit = "m", .group = "Outputs"}};
    core::Output<double> d_largest{
        this, {.name = "largest", .help = "Largest distance; 0 without points", .unit = "m", .group = "Outputs"}};

protected:
    void doUpdate() override;
};

}  // namespace sofa::component
