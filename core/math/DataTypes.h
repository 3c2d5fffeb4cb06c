// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string_view>

#include "core/math/Quat.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// Rigid frame in space: seven scalars, written "x y z qx qy qz qw".
struct RigidCoord3
{
    Vec3 center;
    Quat orientation;

    friend constexpr bool operator==(const RigidCoord3&, const RigidCoord3&) = default;
    /// World position of a point given in this frame.
    constexpr Vec3 apply(const Vec3& local) const { return center + orientation.rotate(local); }
    /// Composition of frames: `this` followed, in its own axes, by `o`.
    RigidCoord3 compose(const RigidCoord3& o) const { return {apply(o.center), orientation * o.orientation}; }
};

/// Rigid frame in the plane: three scalars, written "x y angle" with the angle in radians.
struct RigidCoord2
{
    Vec2 center;
    double angle = 0.;

    friend constexpr bool operator==(const RigidCoord2&, const RigidCoord2&) = default;
    Vec2 rotate(const Vec2& v) const
    {
        const double c = std::cos(angle), s = std::sin(angle);
        return {c * v[0] - s * v[1], s * v[0] + c * v[1]};
    }
    Vec2 apply(const Vec2& local) const { return center + rotate(local); }
};

/// Translational degrees of freedom: N scalars per point; positions and their derivatives alike are Vec<N>.
template <std::size_t N>
struct VecTypes
{
    using Real = double;
    using Coord = Vec<N>;
    using Deriv = Vec<N>;
    using VecCoord = Vector<Coord>;
    using VecDeriv = Vector<Deriv>;
    static constexpr std::size_t spatialDimensions = N < 3 ? N : 3;
    static constexpr std::size_t coordSize = N;
    static constexpr std::size_t derivSize = N;
    static constexpr bool isRigid = false;
    static constexpr std::string_view name()
    {
        constexpr std::string_view names[] = {"", "Vec1", "Vec2", "Vec3", "Vec4", "Vec5", "Vec6"};
        return names[N];
    }

    /// x moved by the displacement d.
    static void add(Coord& x, const Deriv& d) { x += d; }
    /// Displacement that leads from `from` to `to`.
    static Deriv difference(const Coord& to, const Coord& from) { return to - from; }
    /// Position in space, padded with zeros (first three scalars for N > 3).
    static Vec3 position(const Coord& x)
    {
        Vec3 p;
        for (std::size_t i = 0; i < spatialDimensions; ++i) p[i] = x[i];
        return p;
    }
    static void setPosition(Coord& x, const Vec3& p)
    {
        for (std::size_t i = 0; i < spatialDimensions; ++i) x[i] = p[i];
    }
    /// Translational part of a derivative, padded with zeros; and its inverse.
    static Vec3 linear(const Deriv& d) { return position(d); }
    static void setLinear(Deriv& d, const Vec3& p) { setPosition(d, p); }
};

/// Rigid bodies in space. Derivative: (linear, angular), both in world axes.
struct Rigid3Types
{
    using Real = double;
    using Coord = RigidCoord3;
    using Deriv = Vec6;
    using VecCoord = Vector<Coord>;
    using VecDeriv = Vector<Deriv>;
    static constexpr std::size_t spatialDimensions = 3;
    static constexpr std::size_t coordSize = 7;
    static constexpr std::size_t derivSize = 6;
    static constexpr bool isRigid = true;
    static constexpr std::string_view name() { return "Rigid3"; }

    static Vec3 linear(const Deriv& d) { return {d[0], d[1], d[2]}; }
    static Vec3 angular(const Deriv& d) { return {d[3], d[4], d[5]}; }
    static Deriv makeDeriv(const Vec3& l, const Vec3& a) { return {l[0], l[1], l[2], a[0], a[1], a[2]}; }

    /// x moved by the displacement d: the centre along a straight line, the orientation by the exponential map in world
    /// axes, q ← exp(ω/2) q, as SOFA does. Rotations about a fixed axis are exact. q is not renormalised.
    static void add(Coord& x, const Deriv& d)
    {
        x.center += linear(d);
        x.orientation = Quat::fromRotationVector(angular(d)) * x.orientation;
    }
    /// Displacement that leads from `from` to `to`: translation and rotation vector.
    static Deriv difference(const Coord& to, const Coord& from)
    {
        const Quat q = (to.orientation * from.orientation.inverse()).normalized();
        return makeDeriv(to.center - from.center, q.toRotationVector());
    }
    static Vec3 position(const Coord& x) { return x.center; }
    static void setPosition(Coord& x, const Vec3& p) { x.center = p; }
    static void setLinear(Deriv& d, const Vec3& p)
    {
        for (std::size_t i = 0; i < 3; ++i) d[i] = p[i];
    }
};

/// Rigid bodies in the plane. Derivative: (vx, vy, ω).
struct Rigid2Types
{
    using Real = double;
    using Coord = RigidCoord2;
    using Deriv = Vec3;
    using VecCoord = Vector<Coord>;
    using VecDeriv = Vector<Deriv>;
    static constexpr std::size_t spatialDimensions = 2;
    static constexpr std::size_t coordSize = 3;
    static constexpr std::size_t derivSize = 3;
    static constexpr bool isRigid = true;
    static constexpr std::string_view name() { return "Rigid2"; }

    static void add(Coord& x, const Deriv& d)
    {
        x.center += Vec2{d[0], d[1]};
        x.angle += d[2];
    }
    /// Displacement that leads from `from` to `to`, by the shorter way round: the angle is in [−π, π].
    static Deriv difference(const Coord& to, const Coord& from)
    {
        constexpr double turn = 6.283185307179586476925;
        return {to.center[0] - from.center[0], to.center[1] - from.center[1],
                std::remainder(to.angle - from.angle, turn)};
    }
    static Vec3 position(const Coord& x) { return {x.center[0], x.center[1], 0.}; }
    static void setPosition(Coord& x, const Vec3& p) { x.center = {p[0], p[1]}; }
    static Vec3 linear(const Deriv& d) { return {d[0], d[1], 0.}; }
    static void setLinear(Deriv& d, const Vec3& p)
    {
        d[0] = p[0];
        d[1] = p[1];
    }
};

using Vec1Types = VecTypes<1>;
using Vec2Types = VecTypes<2>;
using Vec3Types = VecTypes<3>;
using Vec6Types = VecTypes<6>;

/// X(D) for each type of degrees of freedom, where a template is instantiated for all of them.
#define SOFA_STATE_TYPES(X)      \
    X(::sofa::core::Vec1Types)   \
    X(::sofa::core::Vec2Types)   \
    X(::sofa::core::Vec3Types)   \
    X(::sofa::core::Vec6Types)   \
    X(::sofa::core::Rigid2Types) \
    X(::sofa::core::Rigid3Types)

/// Flat access to the scalars of a coordinate, in the order in which they are written.
template <std::size_t N>
constexpr double* scalars(Vec<N>& v)
{
    return v.data();
}
inline double* scalars(RigidCoord3& c) { return c.center.data(); }
inline double* scalars(RigidCoord2& c) { return c.center.data(); }
template <class Coord>
const double* scalars(const Coord& c)
{
    return scalars(const_cast<Coord&>(c));
}

static_assert(sizeof(RigidCoord3) == 7 * sizeof(double) && sizeof(RigidCoord2) == 3 * sizeof(double));

}  // namespace sofa::core
