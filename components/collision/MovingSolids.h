// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/collision/CollisionDetection.h"

/// Continuous detection of convex solids: spheres, capsules, cylinders, boxes, with each other and with points, lines
/// and triangles.
///
/// Conservative advancement: B. Mirtich, "Impulse-based dynamic simulation of rigid body systems", PhD thesis,
/// University of California, Berkeley (1996), section 2.3; with the bound of the motion along the direction of the
/// nearest points as in X. Zhang, M. Lee, Y. J. Kim, "Interactive continuous collision detection for non-convex
/// polyhedra", The Visual Computer 22 (2006). With the unit normal n from A to B and the gap g of the two planes across
/// it between the cores, the gap stays above g − μ Δt for
///
///     μ = max over points of A of (n · ẋ) − min over points of B of (n · ẋ)  ≤  n · (ways of A and B) + arcs of both,
///
/// so that nothing can touch before t + (g − d) / μ, d being the distance at which contact begins; there it looks
/// again. Bodies of which no point approaches along n (μ ≤ 0) do not meet any more.
namespace sofa::component {

using namespace sofa::core;

/// How bodies advance towards each other.
struct Advance
{
    double time = 0.;  ///< of the motion: they do not come within the distance before
    double approach =
        0.;  ///< bound of the way of any point of one relative to any of the other, from then to the end [m]
};

/// The first time, in [0, 1], at which the cores of two primitives may come within `distance` [m] of each other on the
/// way for which their models were updated; nothing if they do not. The time is never later than the true one, and
/// earlier by less than it takes them to come nearer by `tolerance` [m]; or, after `maxSteps` steps, by more.
std::optional<Advance> firstTimeWithin(const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                                       double distance, double tolerance, std::size_t maxSteps);

/// The distance of the cores of two primitives below which contacts that begin at `contact` [m] between surfaces
/// `radii` [m] around them may not let them come, from their distance now on: half of the gap is for what is not exact
/// in the solution, or a twentieth of the radii. 0 if there is no such distance: they overlap already, or nothing is
/// between cores that touch.
double leastDistance(double now, double contact, double radii);

}  // namespace sofa::component
