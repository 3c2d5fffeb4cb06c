// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/load/LoadedElements.h"
#include "core/behavior/MatrixFree.h"

namespace sofa::component {

/// A clamp that turns to and fro: a moment about an axis acts on the points of triangles, which are held, as stiff as
/// `penalty`, in the places that they have in the shape at rest when that is turned by one angle for all.
///
/// With the rest position X + C of a point, where C is its foot on the axis u through `center`, its present arm r from
/// the axis, and the rotation R(θ) about the axis,
///
///     E = ½ k Σ |R(θ) X_i + C_i − x_i|² − M(t) θ,     θ = Σ w_i ∠(X_i, r_i),     M(t) = moment · cos(2π · frequency ·
///     t)
///
/// with the time t at the beginning of the step. The weights w_i, whose sum is one, are those with which SOFA shares a
/// moment: of each triangle a third of the area, times the sum of the squared distances from the axis at five points
/// around the corner, times the distance of the corner, at rest. Forces are minus the gradient of E:
///
///     f_i = k (R X_i + C_i − x_i) + (M − P) g_i,     g_i = ∂θ/∂x_i = w_i u × r_i/|r_i|²,     P = −k Σ r_j·(u × R X_j)
///
/// Their moment about the axis is M, whatever the shape. The tangent is exact; it couples all points, and solvers that
/// can should work without a matrix.
///
/// SOFA's forces are these but for θ, in which it weighs angles with the present distances, so that there is no
/// potential; and it has no tangent. Angles are those between −180° and 180°: beyond them points jump.
class OscillatingTorsionPressureForceField final : public LoadedElements<3>, public core::MatrixFreeStiffness
{
public:
    core::Data<double> d_moment{
        this, {.name = "moment", .help = "Largest moment on all points about the axis", .unit = "N m"}, 0.};
    core::Data<core::Vec3> d_axis{this,
                                  {.name = "axis",
                                   .help = "Direction of the axis, and normal of the planes dmin and dmax; its length "
                                           "does not matter",
                                   .unit = "1"},
                                  core::Vec3(0., 0., 1.)};
    core::Data<core::Vec3> d_center{this, {.name = "center", .help = "A point of the axis", .unit = "m"}};
    core::Data<double> d_penalty{this,
                                 {.name = "penalty",
                                  .help = "Stiffness that holds each point in its place of the turned shape",
                                  .unit = "N/m",
                                  .range = core::Range::nonNegative()},
                                 1000.};
    core::Data<double> d_frequency{this, {.name = "frequency", .help = "Frequency of the moment", .unit = "Hz"}, 1.};

    OscillatingTorsionPressureForceField();

    void init() override;
    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void addDForce(const core::MechanicalParams& mp, const core::MultiVecDerivId& df) override;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    bool isMatrixFreeFast() const override { return true; }
    bool couplesAllPoints() const override { return true; }

    /// θ at the last force [rad].
    double angle() const { return m_turn.angle; }

    using ForceField::addForce;
    using ForceField::buildStiffness;
    using ForceField::potentialEnergy;

protected:
    core::Vec3 planeNormal() const override { return normalized(d_axis.value()); }
    core::Vec3 cornerForce(std::size_t, const VecCoord&) const override { return {}; }
    void update() override;

private:
    struct Point
    {
        core::Index index;
        core::Vec3 arm, foot;  ///< X, C
        double weight = 0.;    ///< w
    };
    /// A pose of the points.
    struct Turn
    {
        double angle = 0., moment = 0.;        ///< θ, M − P
        double stiffness = 0.;                 ///< ∂P/∂θ where points stay [N m]
        core::Vector<core::Vec3> goals, ways;  ///< R X + C, and u × R X
        core::Vector<core::Vec3> gradients;    ///< g
        core::Vector<core::Mat3> curvatures;   ///< ∂g/∂x
    };
    double momentNow() const;
    core::Vec3 armOf(const core::Vec3& x) const;
    void find(Turn& turn, const VecCoord& x) const;

    core::Vector<Point> m_points;
    Turn m_turn;  ///< at the last force
    mutable Turn m_other;
};

}  // namespace sofa::component
