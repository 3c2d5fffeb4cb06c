// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "core/math/Vec.h"

namespace sofa::core {

/// Where the map from barycentric coordinates to a quadratic Bézier tetrahedron shrinks most. Its Jacobian
/// J = det ∂x/∂(α₁, α₂, α₃) is six times the volume [m³] of an element with straight edges.
struct LowestJacobian
{
    double bound;                 ///< the Jacobian is nowhere lower
    double value;                 ///< the lowest one that was found
    std::array<double, 4> place;  ///< its barycentric coordinates
};

/// The lowest Jacobian of the element with these control points, in the order of BezierTetrahedron; bound and value
/// differ by at most `tolerance` times the largest of the Jacobian's coefficients.
///
/// The Jacobian is a polynomial of the third degree. It is nowhere lower than the least of its 20 coefficients in the
/// Bernstein basis, and has those of the corners as values there. Elements are halved where that is not sharp enough
/// (Johnen, Remacle and Geuzaine, "Geometrical validity of curvilinear finite elements", 2013). So an element with a
/// positive bound is proven to be valid, up to rounding; nothing is sampled.
LowestJacobian lowestJacobian(const std::array<Vec3, 10>& control, double tolerance = 1e-3);

}  // namespace sofa::core
