// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/ConvexBody.h"
#include "core/interaction/Picking.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// The element of the mesh on which what was picked lies: the tetrahedron below a triangle of its skin. Throws
/// std::runtime_error, which says why, if there is none.
RemovableElement pickedElement(const Picked& picked);

/// Distance of the core of a body from an element with these vertices [m]; 0 or less where they overlap.
double elementDistance(const geometry::ConvexBody& body, ElementType type, const std::vector<Vec3>& vertices);

}  // namespace sofa::component
