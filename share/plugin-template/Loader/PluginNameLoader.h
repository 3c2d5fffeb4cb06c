// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Engine.h"

namespace sofa::component {

/// Reads points from a text file: three numbers a line; what follows a '#' is a comment. A loader is an engine: the
/// file is read when its points are first used, at init at the latest. `src="@loader"` gives them to a state.
///
/// This is the format that the template starts with: replace it by yours, here and in the test.
class PluginNameLoader : public core::Engine
{
public:
    core::Input<core::FileName> d_filename{this, {.name = "filename", .help = "File to read", .required = true}};
    core::Input<double> d_scale{
        this,
        {.name = "scale", .help = "Factor of the coordinates", .unit = "1", .range = core::Range::positive()},
        1.};
    core::Output<core::Vector<core::Vec3>> d_position{
        this, {.name = "position", .help = "Points of the file, scaled", .unit = "m"}};

    void init() override { run(); }

protected:
    void doUpdate() override;
};

}  // namespace sofa::component
