// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <limits>

#include "core/math/Vec.h"

namespace sofa::core::geometry {

/// Axis-aligned box of points x with lower ≤ x ≤ upper, closed, in the unit of the positions. Default: empty. Bounds
/// may be infinite. A box into which a coordinate came that is not a number keeps it: it is not `valid`, and nothing
/// overlaps it.
struct Aabb
{
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    Vec3 lower = Vec3::filled(infinity), upper = Vec3::filled(-infinity);

    constexpr Aabb() = default;
    constexpr Aabb(const Vec3& lo, const Vec3& hi) : lower(lo), upper(hi) {}
    /// Smallest box of points.
    template <class... Point>
    static constexpr Aabb of(const Point&... p)
    {
        Aabb b;
        (b.include(p), ...);
        return b;
    }

    /// Whether the box holds a point: false for empty boxes, for bounds that are not numbers and for boxes at infinity.
    constexpr bool valid() const
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (!(lower[k] <= upper[k]) || !(lower[k] < infinity) || !(upper[k] > -infinity)) return false;
        return true;
    }
    /// Whether a bound is not a number.
    constexpr bool isNaN() const
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (lower[k] != lower[k] || upper[k] != upper[k]) return true;
        return false;
    }

    constexpr void include(const Vec3& p)
    {
        for (std::size_t k = 0; k < 3; ++k) {
            if (p[k] < lower[k] || p[k] != p[k]) lower[k] = p[k];
            if (p[k] > upper[k] || p[k] != p[k]) upper[k] = p[k];
        }
    }
    constexpr void include(const Aabb& b)
    {
        for (std::size_t k = 0; k < 3; ++k) {
            if (b.lower[k] < lower[k] || b.lower[k] != b.lower[k]) lower[k] = b.lower[k];
            if (b.upper[k] > upper[k] || b.upper[k] != b.upper[k]) upper[k] = b.upper[k];
        }
    }
    /// The box with every face moved outwards by `distance` (inwards where it is negative; the box may become empty).
    constexpr Aabb inflated(double distance) const
    {
        const Vec3 d = Vec3::filled(distance);
        return {lower - d, upper + d};
    }

    constexpr Vec3 center() const { return lower * 0.5 + upper * 0.5; }
    constexpr Vec3 extent() const { return upper - lower; }
    /// Half the surface: xy + yz + zx.
    constexpr double halfArea() const
    {
        const Vec3 e = extent();
        return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
    }
    constexpr bool contains(const Vec3& p) const
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (!(lower[k] <= p[k] && p[k] <= upper[k])) return false;
        return true;
    }
    /// Whether the gap of two valid boxes along every axis is at most `distance`; for 0, whether they have a point in
    /// common. Symmetric to the last bit, and never false where it is true of boxes that these contain.
    constexpr bool overlaps(const Aabb& b, double distance = 0.) const
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (!(lower[k] - b.upper[k] <= distance && b.lower[k] - upper[k] <= distance)) return false;
        return true;
    }
    /// Squared distance of a point, 0 inside.
    constexpr double distance2(const Vec3& p) const { return distance2(Aabb{p, p}); }
    /// Squared distance of the nearest points of two boxes, 0 where they overlap.
    constexpr double distance2(const Aabb& b) const
    {
        double sum = 0.;
        for (std::size_t k = 0; k < 3; ++k) {
            const double below = lower[k] - b.upper[k], above = b.lower[k] - upper[k];
            const double gap = below > above ? below : above;
            if (gap > 0.) sum += gap * gap;
        }
        return sum;
    }
    friend constexpr bool operator==(const Aabb& a, const Aabb& b) { return a.lower == b.lower && a.upper == b.upper; }
};

}  // namespace sofa::core::geometry
