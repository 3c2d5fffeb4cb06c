// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/ConvexBody.h"

/// Where two convex bodies touch, or come nearest.
///
/// Sources: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A fast procedure for computing the distance between complex
/// objects in three-dimensional space", IEEE Journal of Robotics and Automation 4(2), 1988; G. van den Bergen,
/// Collision Detection in Interactive 3D Environments (2003), chapter 4, for the expanding polytope.
namespace sofa::core::geometry {

/// Nearest points of the cores, or the deepest ones: the contact of Solids.h for those pairs that it has, as exact as
/// rounding allows; others by the iteration of Gilbert, Johnson and Keerthi, overlaps by an expanding polytope, to
/// about 1e-12 of the size of the bodies. With cylinders, distances are right to 5e-9 of it, and depths, of which the
/// polytope has 160 corners at most, to 1e-4 in the worst case; the normal of bodies nearer than 1e-9 to 1e-3. With
/// other round forms, distances are right to about 1e-7 of it.
Contact coreContact(const ConvexBody& a, const ConvexBody& b);

}  // namespace sofa::core::geometry
