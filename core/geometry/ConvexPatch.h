// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/ConvexBody.h"

/// Several contacts that hold one convex body on another.
namespace sofa::core::geometry {

/// Contacts that all have the same normal. `code` tells them apart while the same corners touch.
struct ConvexPatch
{
    static constexpr std::size_t maxCount = 16;
    std::array<Contact, maxCount> contacts;
    std::array<unsigned, maxCount> codes{};
    std::size_t count = 0;
};
/// Contacts of the cores within `limit`: where faces or edges that look at each other lie before each other, at the
/// corners of their overlap; otherwise the nearest points alone.
ConvexPatch coreContacts(const ConvexBody& a, const ConvexBody& b, double limit);

/// Whether the foot of p, along n, lies in the polygon (count ≥ 3, flat or nearly so, not seen edge-on along n).
bool insidePolygon(std::span<const Vec3> polygon, const Vec3& n, const Vec3& p);

}  // namespace sofa::core::geometry
