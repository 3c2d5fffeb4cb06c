// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameEngine.h"

#include <algorithm>

#include "core/factory/Registry.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNameEngine::doUpdate()
{
    Vector<double> distances;
    double largest = 0.;
    for (const Vec3& x : *d_position) {
        distances.push_back(norm(x - *d_center));
        largest = std::max(largest, distances.back());
    }
    d_distance.setValue(std::move(distances));
    d_largest.setValue(largest);
}

static const RegisterComponent registered = RegisterComponent("PluginNameEngine", "Engine", "PluginName")
                                                .help("Distances of points from a centre, and the largest of them")
                                                .example("PluginName.scn")
                                                .add<PluginNameEngine>();

}  // namespace sofa::component
