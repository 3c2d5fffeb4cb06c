// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

namespace sofa::core {

/// Derivative of a rotation vector r of length below 2π: if R has r, exp(ω) R has r + M ω (the inverse of the left
/// Jacobian of SO(3); Barfoot, State Estimation for Robotics, 2017, section 7.1.5). R exp(ω) has r + Mᵀ ω.
inline Mat3 rotationVectorDerivative(const Vec3& r)
{
    const double a2 = norm2(r), a = std::sqrt(a2);
    const double c = a < 1e-3 ? 1. / 12. + a2 / 720. : 1. / a2 - 1. / (2. * a * std::tan(0.5 * a));
    const Mat3 x = crossMatrix(r);
    return Mat3::identity() - x * 0.5 + x * x * c;
}

}  // namespace sofa::core
