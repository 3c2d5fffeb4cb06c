// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>
#include <vector>

#include "core/collision/CollisionModel.h"

namespace sofa::component {

using namespace sofa::core;

/// Whether a model has the points or lines of a node whose triangles are compared too.
bool standsForTriangles(const CollisionModel& m);

/// Which surfaces pass through each other: one sentence for each pair of models that may collide, with their paths, the
/// first pair of primitives, and the number of pairs; or which closed surface has the other in it. Looked at are
/// spheres, capsules, cylinders, boxes, tetrahedra and triangles, with each other, and points and lines of nodes
/// without triangles with these; not models of one node.
std::vector<std::string> describeInterpenetrations(const std::vector<CollisionModel*>& models);

}  // namespace sofa::component
