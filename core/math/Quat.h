// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

namespace sofa::core {

/// Quaternion x i + y j + z k + w, stored and written in the order x y z w. Default: the identity rotation.
struct Quat
{
    Vec4 q{0., 0., 0., 1.};

    constexpr Quat() = default;
    constexpr Quat(double x, double y, double z, double w) : q{x, y, z, w} {}

    /// Rotation by `angle` [rad] about `axis` (need not be of unit length; a zero axis gives the identity).
    static Quat fromAxisAngle(const Vec3& axis, double angle)
    {
        const double n = norm(axis);
        if (n == 0.) return {};
        const double s = std::sin(0.5 * angle) / n;
        return {axis[0] * s, axis[1] * s, axis[2] * s, std::cos(0.5 * angle)};
    }
    /// Exponential map: rotation by |r| [rad] about r.
    static Quat fromRotationVector(const Vec3& r)
    {
        const double a2 = norm2(r);
        const double a = std::sqrt(a2);
        // sin(a/2)/a → 1/2 − a²/48 for small angles.
        const double s = a < 1e-6 ? 0.5 - a2 / 48. : std::sin(0.5 * a) / a;
        return {r[0] * s, r[1] * s, r[2] * s, std::cos(0.5 * a)};
    }
    /// Rotation from Euler angles [rad], applied about x, then y, then z: R = Rz Ry Rx.
    static Quat fromEulerXYZ(const Vec3& a)
    {
        return fromAxisAngle({0, 0, 1}, a[2]) * fromAxisAngle({0, 1, 0}, a[1]) * fromAxisAngle({1, 0, 0}, a[0]);
    }
    /// Rotation matrix to quaternion (Shepperd's method: divides by the largest component).
    static Quat fromMatrix(const Mat3& r)
    {
        const double t = trace(r);
        Quat out;
        if (t > 0.) {
            const double s = std::sqrt(t + 1.) * 2.;
            out = {(r[2][1] - r[1][2]) / s, (r[0][2] - r[2][0]) / s, (r[1][0] - r[0][1]) / s, 0.25 * s};
        } else {
            std::size_t i = r[1][1] > r[0][0] ? 1 : 0;
            if (r[2][2] > r[i][i]) i = 2;
            const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
            const double s = std::sqrt(r[i][i] - r[j][j] - r[k][k] + 1.) * 2.;
            out.q[i] = 0.25 * s;
            out.q[j] = (r[j][i] + r[i][j]) / s;
            out.q[k] = (r[k][i] + r[i][k]) / s;
            out.q[3] = (r[k][j] - r[j][k]) / s;
        }
        return out.normalized();
    }

    constexpr double& operator[](std::size_t i) { return q[i]; }
    constexpr const double& operator[](std::size_t i) const { return q[i]; }
    constexpr Vec3 imaginary() const { return {q[0], q[1], q[2]}; }
    constexpr double w() const { return q[3]; }

    constexpr Quat conjugate() const { return {-q[0], -q[1], -q[2], q[3]}; }
    /// Inverse of a unit quaternion.
    constexpr Quat inverse() const { return conjugate(); }
    Quat normalized() const
    {
        const double n = norm(q);
        if (!(n > 0.)) return {};
        return {q[0] / n, q[1] / n, q[2] / n, q[3] / n};
    }
    void normalize() { *this = normalized(); }

    /// Composition: (a * b) rotates first by b, then by a.
    friend constexpr Quat operator*(const Quat& a, const Quat& b)
    {
        return {a.q[3] * b.q[0] + a.q[0] * b.q[3] + a.q[1] * b.q[2] - a.q[2] * b.q[1],
                a.q[3] * b.q[1] + a.q[1] * b.q[3] + a.q[2] * b.q[0] - a.q[0] * b.q[2],
                a.q[3] * b.q[2] + a.q[2] * b.q[3] + a.q[0] * b.q[1] - a.q[1] * b.q[0],
                a.q[3] * b.q[3] - a.q[0] * b.q[0] - a.q[1] * b.q[1] - a.q[2] * b.q[2]};
    }
    friend constexpr bool operator==(const Quat& a, const Quat& b) { return a.q == b.q; }

    /// Rotated vector R v (unit quaternion).
    constexpr Vec3 rotate(const Vec3& v) const
    {
        const Vec3 u = imaginary();
        const Vec3 t = cross(u, v) * 2.;
        return v + t * q[3] + cross(u, t);
    }
    constexpr Vec3 inverseRotate(const Vec3& v) const { return inverse().rotate(v); }

    constexpr Mat3 toMatrix() const
    {
        const double x = q[0], y = q[1], z = q[2], w = q[3];
        Mat3 r;
        r[0] = {1. - 2. * (y * y + z * z), 2. * (x * y - z * w), 2. * (z * x + y * w)};
        r[1] = {2. * (x * y + z * w), 1. - 2. * (z * z + x * x), 2. * (y * z - x * w)};
        r[2] = {2. * (z * x - y * w), 2. * (y * z + x * w), 1. - 2. * (y * y + x * x)};
        return r;
    }
    /// Rotation vector (axis × angle, angle in [0, π]) of a unit quaternion: the logarithm.
    Vec3 toRotationVector() const
    {
        Quat a = q[3] < 0. ? Quat{-q[0], -q[1], -q[2], -q[3]} : *this;
        const double s = norm(a.imaginary());
        if (s < 1e-12) return a.imaginary() * 2.;
        return a.imaginary() * (2. * std::atan2(s, a.q[3]) / s);
    }
};

}  // namespace sofa::core
