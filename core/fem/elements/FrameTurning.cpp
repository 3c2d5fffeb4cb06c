// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/FrameTurning.h"

#include <cmath>

namespace sofa::core {

Mat3 polarTurning(const Mat3& p)
{
    const Mat3 moment = Mat3::identity() * trace(p) - (p + p.transposed()) * 0.5;
    const double size = trace(moment);
    return std::abs(determinant(moment)) > 1e-12 * std::abs(size * size * size) ? inverse(moment) : Mat3();
}

std::array<Mat3, 2> edgeFrameTurning(const Mat3& axes, const Vec3& h1, const Vec3& h2)
{
    // With axes e and ω = (a, b, c) in them: dh₁ = |h₁| (c e₂ − b e₃) across h₁, and e₃ stays normal to h₂ = p e₁ +
    // q e₂: b p − a q + e₃·dh₂ = 0.
    const Vec3 e1 = axes[0], e2 = axes[1], e3 = axes[2];
    const double length = norm(h1), p = dot(h2, e1), q = dot(h2, e2);
    return {(outer(e3, e2) - outer(e2, e3) - outer(e1, e3) * (p / q)) * (1. / length), outer(e1, e3) * (1. / q)};
}

}  // namespace sofa::core
