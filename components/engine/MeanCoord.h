// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/DataTypes.h"

namespace sofa::component {

using namespace sofa::core;

/// Adds up coordinates of one type and divides. The mean orientation of rigid frames in space is that of the normalised
/// sum of their quaternions, each with the sign that is nearer to the sum before it; angles in the plane are averaged
/// as numbers.
template <class Coord>
struct SumOfCoords
{
    Coord total;
    void add(const Coord& x) { total += x; }
    Coord mean(double n) const { return total / n; }
};

template <>
struct SumOfCoords<RigidCoord2>
{
    RigidCoord2 total;
    void add(const RigidCoord2& x)
    {
        total.center += x.center;
        total.angle += x.angle;
    }
    RigidCoord2 mean(double n) const { return {total.center / n, total.angle / n}; }
};

template <>
struct SumOfCoords<RigidCoord3>
{
    Vec3 center;
    Vec<4> turns;
    void add(const RigidCoord3& x)
    {
        center += x.center;
        const Vec<4> q{x.orientation.q[0], x.orientation.q[1], x.orientation.q[2], x.orientation.q[3]};
        turns += dot(turns, q) < 0. ? q * -1. : q;
    }
    RigidCoord3 mean(double n) const { return {center / n, Quat(turns[0], turns[1], turns[2], turns[3]).normalized()}; }
};

}  // namespace sofa::component
