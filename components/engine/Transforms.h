// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math/DataTypes.h"
#include "core/math/Mat.h"

/// Affine maps of space as 4 × 4 matrices, which act on columns (x, y, z, 1).
namespace sofa::component {

using Mat4 = core::Mat<4, 4>;

inline constexpr double degree = std::numbers::pi / 180.;

inline Mat4 affine(const core::Mat3& linear, const core::Vec3& translation)
{
    Mat4 m = Mat4::identity();
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) m[i][j] = linear[i][j];
        m[i][3] = translation[i];
    }
    return m;
}

inline Mat4 affine(const core::RigidCoord3& frame) { return affine(frame.orientation.toMatrix(), frame.center); }

inline core::Mat3 linearPart(const Mat4& m)
{
    core::Mat3 a;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) a[i][j] = m[i][j];
    return a;
}

inline core::Vec3 translationPart(const Mat4& m) { return {m[0][3], m[1][3], m[2][3]}; }

inline core::RigidCoord3 inverse(const core::RigidCoord3& x)
{
    const core::Quat q = x.orientation.inverse();
    return {q.rotate(x.center) * -1., q};
}

/// Euler angles [rad] of a unit quaternion, about x, then y, then z: the inverse of Quat::fromEulerXYZ.
inline core::Vec3 eulerXYZ(const core::Quat& q)
{
    const double sine = std::clamp(2. * (q[3] * q[1] - q[2] * q[0]), -1., 1.);
    return {std::atan2(2. * (q[3] * q[0] + q[1] * q[2]), 1. - 2. * (q[0] * q[0] + q[1] * q[1])), std::asin(sine),
            std::atan2(2. * (q[3] * q[2] + q[0] * q[1]), 1. - 2. * (q[1] * q[1] + q[2] * q[2]))};
}

inline core::Mat3 diagonal(const core::Vec3& d)
{
    core::Mat3 m;
    for (std::size_t i = 0; i < 3; ++i) m[i][i] = d[i];
    return m;
}

}  // namespace sofa::component
