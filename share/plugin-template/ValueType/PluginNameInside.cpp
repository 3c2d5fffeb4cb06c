// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameInside.h"

#include <algorithm>

#include "core/factory/Registry.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNameInside::doUpdate()
{
    Vector<Index> counts;
    for (const PluginNameInterval& heights : *d_heights)
        counts.push_back(static_cast<Index>(
            std::ranges::count_if(*d_position, [&](const Vec3& x) { return heights.contains(x[1]); })));
    d_counts.setValue(std::move(counts));
}

static const RegisterComponent registered = RegisterComponent("PluginNameInside", "Engine", "PluginName")
                                                .help("Counts the points in intervals of height")
                                                .example("PluginName.scn")
                                                .add<PluginNameInside>();

}  // namespace sofa::component
