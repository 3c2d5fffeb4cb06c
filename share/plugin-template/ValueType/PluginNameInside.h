// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "PluginNameInterval.h"
#include "core/objectmodel/Engine.h"

namespace sofa::component {

/// Counts the points whose height lies in each of some intervals: an engine with a value type of the plugin.
class PluginNameInside : public core::Engine
{
public:
    core::Input<core::Vector<core::Vec3>> d_position{
        this, {.name = "position", .help = "Points", .unit = "m", .group = "Inputs", .required = true}};
    core::Input<core::Vector<PluginNameInterval>> d_heights{
        this, {.name = "heights", .help = "Intervals of y [m], as 0 : 1.5", .group = "Inputs", .required = true}};
    core::Output<core::Vector<core::Index>> d_counts{
        this, {.name = "counts", .help = "Number of points in each interval", .group = "Outputs"}};

protected:
    void doUpdate() override;
};

}  // namespace sofa::component
