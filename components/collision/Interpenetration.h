// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

#include "core/collision/CollisionModel.h"

namespace sofa::component {

using namespace sofa::core;

/// Which surfaces pass through each other: one sentence for each pair of models that may collide, with their paths, the
/// first pair of primitives, and the number of pairs. Looked at are spheres with spheres and triangles, triangles with
/// triangles, and lines of nodes without triangles with triangles; not models of one node, and not what lies within a
/// closed surface without touching it.
std::vector<std::string> describeInterpenetrations(const std::vector<CollisionModel*>& models);

}  // namespace sofa::component
