// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/math/PositionPart.h"
#include "core/visual/DrawTool.h"

namespace sofa::component {

/// Law of a plane that pushes out what is behind it, shared by the force fields that have planes.
///
/// With n = normal (of unit length, or k grows with |n|²) and the signed distance δ = n·x − d, points with δ < 0 (all
/// points if bilateral) get
///     f = −k δ n + c δ v,
/// so that damping grows with depth and opposes the velocity. |f| is limited to maxForce where that is positive. The
/// energy is ½ k δ², with stiffness −k n nᵀ. As in SOFA the damping term and the limit are left out of it, so that it
/// is exact at zero velocity below the limit; derivative() has all. On rigid frames the plane acts at the centres.
template <class DataTypes>
struct PlanePenalty
{
    using Coord = typename DataTypes::Coord;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
    using Position = core::PositionPart<DataTypes>;
    using Vector = typename Position::Vector;
    /// First point on which the plane acts and the one after the last.
    using Range = std::pair<std::size_t, std::size_t>;

    Vector normal;           ///< n, towards the free side
    double distance = 0.;    ///< d [m]
    double stiffness = 0.;   ///< k [N/m]
    double damping = 0.;     ///< c [N s/m²]
    double maxForce = 0.;    ///< [N]; 0: no limit
    bool bilateral = false;  ///< acts on points of the free side too

    /// δ of a point [m].
    double depth(const Coord& x) const { return dot(Position::of(x), normal) - distance; }

    /// Derivatives of the force on a point by its position and by its velocity.
    struct Derivative
    {
        core::Index point;
        core::Mat<Position::size, Position::size> dfdx, dfdv;
    };
    Derivative derivative(core::Index point, const Coord& x, const typename DataTypes::Deriv& v) const;

    /// Adds the forces on the points of the range, and appends those on which the plane acts to `contacts`.
    void addForce(VecDeriv& f, const VecCoord& x, const VecDeriv& v, const Range& range,
                  core::Vector<core::Index>& contacts) const;
    /// df += factor K dx, where K is the stiffness of the contacts.
    void addDForce(VecDeriv& df, const VecDeriv& dx, double factor, const core::Vector<core::Index>& contacts) const;
    /// The blocks of K.
    void addStiffness(core::BlockSink& k, const core::Vector<core::Index>& contacts) const;
    /// ½ k δ² of the points of the range on which the plane acts [J]; without regard to maxForce.
    double energy(const VecCoord& x, const Range& range) const;
    /// Appends the two ends of a line from each point of the range behind the plane to the place of the plane next to
    /// it.
    void appendDepths(core::Vector<core::Vec3>& lines, const VecCoord& x, const Range& range) const;
};

extern template struct PlanePenalty<core::Vec1Types>;
extern template struct PlanePenalty<core::Vec2Types>;
extern template struct PlanePenalty<core::Vec3Types>;
extern template struct PlanePenalty<core::Vec6Types>;
extern template struct PlanePenalty<core::Rigid3Types>;

}  // namespace sofa::component
