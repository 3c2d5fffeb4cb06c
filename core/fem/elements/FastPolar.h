// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

/// Frames and rotations of deformed elements in closed form, for the inner loops of element kernels. The reference for
/// all of them is core/math/Decompositions.h, which they call where the closed form loses accuracy.
namespace sofa::core {

/// Rotation R of the polar decomposition F = R S, as `polarRotation(f).r` up to rounding errors of at most 1e-12.
///
/// R is the derivative of I = tr S with respect to F. With a = tr C, C = FᵀF, and J = det F, I is the largest root of
///
///     g(I) = I⁴ − 2 a I² − 8 J I + a² − 4 ‖cof F‖² = 0
///
/// (Franca, "An algorithm to compute the square root of a 3 × 3 positive definite matrix", 1989; here the signs of S
/// are those of a proper rotation), found by Newton's method, which decreases monotonically from √(3 a) ≥ I. Implicit
/// differentiation gives
///
///     R = ((I² + a) F + 2 I cof F − 2 F C) / (I³ − a I − 2 J).
///
/// The denominator is 2 (s₀ + s₁)(s₁ + s₂)(s₂ + s₀): where it is below 0.02 I³ (two singular values below about 0.5%
/// of the largest one, or an inversion that is nearly ambiguous), the reference takes over.
Mat3 fastPolarRotation(const Mat3& f);

/// Orthogonal factor of the polar decomposition with positive semi-definite S, as `polarOrthogonal(f).r` up to rounding
/// errors of at most 1e-12: a reflection where det F < 0.
Mat3 fastPolarOrthogonal(const Mat3& f);

/// Frame of two edges, as `edgeFrame(x, y)` up to rounding errors of at most 1e-11.
Mat3 fastEdgeFrame(const Vec3& x, const Vec3& y);

}  // namespace sofa::core
