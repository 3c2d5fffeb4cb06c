// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <cstddef>

#include "core/math/Vec.h"

/// Continuous collision detection: the first time at which points that move on straight lines, x(t) = (1 − t) start +
/// t end, bring a point and a triangle, or two segments, within a separation of each other.
///
/// B. Wang, Z. Ferguson, T. Schneider, X. Jiang, M. Attene, D. Panozzo, "A large-scale benchmark and an inclusion-based
/// algorithm for continuous collision detection", ACM Transactions on Graphics 40(5), 2021. The difference F(t, u, v)
/// of the two points with parameters u, v is linear in each argument, so that over a box of arguments it stays within
/// the box of its eight corner values, which is the tightest axis-aligned one. Boxes that cannot contain 0, widened by
/// the separation and by a bound of all rounding errors, are thrown away; the others are halved where F varies most,
/// until F varies by less than the tolerance. A collision is never missed: what is reported besides comes no nearer
/// than √3 (separation + tolerance + rounding).
///
/// Unlike the paper, boxes are taken in the order of their earliest time, and of those with the same time the smallest
/// first, instead of level by level: the first small one is then the answer.
namespace sofa::core::geometry {

struct CcdParameters
{
    double minimumSeparation = 0.;  ///< largest difference of coordinates that counts as contact, ≥ 0
    double tolerance = 1e-6;        ///< of F, > 0: the smaller, the tighter is the time
    double maxTime = 1.;            ///< end of the motion that is looked at, in (0, 1]
    /// Boxes that are looked at, at most. When they are used up the earliest time that is still possible is reported as
    /// a collision, and `CcdResult::tolerance` tells that it is coarser.
    std::size_t maxIterations = 1000000;
    /// Reduces the tolerance for primitives that begin nearer to each other than it, so that the time is positive for
    /// all that are apart at the start by more than √3 (separation + rounding).
    bool positiveTime = false;
};

enum class CcdStatus
{
    separate,   ///< no contact during the motion
    collision,  ///< contact not before `time`
    invalid     ///< a coordinate or parameter is not finite or out of range: nothing can be said, time is 0
};

struct CcdResult
{
    CcdStatus status = CcdStatus::separate;
    double time = 0.;       ///< lower bound of the time of contact; the end of the motion if there is none
    double tolerance = 0.;  ///< variation of F over the box that was found: how precise `time` and `parameters` are
    Vec2 parameters;        ///< u, v of the box found
    std::size_t iterations = 0;
};

/// Point x[0] and triangle x[1] + u (x[2] − x[1]) + v (x[3] − x[1]), u, v ≥ 0, u + v ≤ 1.
CcdResult pointTriangleCcd(const std::array<Vec3, 4>& start, const std::array<Vec3, 4>& end,
                           const CcdParameters& parameters = {});

/// Segments x[0] + u (x[1] − x[0]) and x[2] + v (x[3] − x[2]), u, v in [0, 1].
CcdResult edgeEdgeCcd(const std::array<Vec3, 4>& start, const std::array<Vec3, 4>& end,
                      const CcdParameters& parameters = {});

}  // namespace sofa::core::geometry
