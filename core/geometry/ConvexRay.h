// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/ConvexBody.h"

namespace sofa::core::geometry {

/// Part of a ray in a body, its radius included; conventions as in Proximity.h. Flat bodies without a radius: a
/// triangle is met in a point (enter = leave), points and segments never.
std::optional<RaySpan> rayConvex(const Vec3& origin, const Vec3& direction, const ConvexBody& body);

}  // namespace sofa::core::geometry
