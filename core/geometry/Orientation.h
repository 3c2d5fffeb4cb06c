// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Vec.h"

namespace sofa::core::geometry {

/// det(b − a, c − a, d − a), six times the volume of the tetrahedron, with the right sign: zero exactly for four points
/// in a plane. Where rounding could change the sign of the plain formula, the products of the exact differences are
/// summed without error. J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates", Discrete & Computational Geometry 18 (1997): the bound of section 4.3 and the expansions of section 2.
/// Exact unless products overflow or underflow.
double orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The same with all digits right, however flat the tetrahedron is; some microseconds.
double exactOrientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace sofa::core::geometry
