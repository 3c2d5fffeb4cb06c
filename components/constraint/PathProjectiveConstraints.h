// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>

#include "components/constraint/PointsProjectiveConstraint.h"

namespace sofa::component {

/// Base of constraints that lead points along a path between two times; frames keep their orientation. Velocities are
/// those of the next step, (p(t + dt) − p(t)) / dt.
template <class DataTypes>
class PathProjectiveConstraint : public PointsProjectiveConstraint<DataTypes>
{
public:
    using Base = PointsProjectiveConstraint<DataTypes>;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<double> d_begin{this, {.name = "BeginTime", .help = "Begin of the motion", .unit = "s"}, 0.};
    core::Data<double> d_end{this, {.name = "EndTime", .help = "End of the motion", .unit = "s"}, 0.};

    /// The points, and the path (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;
    void init() override;
    void reinit() override;
    using Base::projectPosition;
    using Base::projectVelocity;
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(VecCoord& x) const override;
    /// Place at the part u of the time, 0 at the begin and 1 at the end [m].
    virtual core::Vec3 place(double u) const = 0;

protected:
    bool acts() const override;
    /// Prepares places. A subclass fails where the path does not exist.
    virtual void preparePath() {}
    /// Points that the scene gives, which are shown; of two the last one once more.
    virtual std::array<core::Vec3, 3> givenPoints() const = 0;

private:
    double part(double time) const { return (time - d_begin.value()) / (d_end.value() - d_begin.value()); }
};

/// Moves points along the parabola from P1 through P2 to P3, at constant speed along P1 P3.
template <class DataTypes>
class ParabolicProjectiveConstraint final : public PathProjectiveConstraint<DataTypes>
{
public:
    core::Data<core::Vec3> d_p1{this, {.name = "P1", .help = "First point of the parabola", .unit = "m"}};
    core::Data<core::Vec3> d_p2{this, {.name = "P2", .help = "Second point of the parabola", .unit = "m"}};
    core::Data<core::Vec3> d_p3{this, {.name = "P3", .help = "Third point of the parabola", .unit = "m"}};

    core::Vec3 place(double u) const override;

protected:
    void preparePath() override;
    std::array<core::Vec3, 3> givenPoints() const override { return {d_p1.value(), d_p2.value(), d_p3.value()}; }

private:
    core::Mat3 m_axes;             ///< columns: P1 P3, its normal in the plane, the plane's normal
    core::Vec3 m_second, m_third;  ///< P2 and P3 along these axes
};

/// Moves points along a cubic Hermite curve from X0 to X1,
///
///     p(s) = (2s³ − 3s² + 1) X0 + (s³ − 2s² + s) dX0 + (3s² − 2s³) X1 + (s³ − s²) dX1,
///
/// where s follows a Hermite curve from 0 to 1 of the part of the time, with the slopes SX0 and SX1 (their second
/// numbers; 0 and 0: slow at both ends). Velocities are those of p(s(t)); SOFA's are dp/ds.
template <class DataTypes>
class HermiteSplineProjectiveConstraint final : public PathProjectiveConstraint<DataTypes>
{
public:
    core::Data<core::Vec3> d_x0{this, {.name = "X0", .help = "First point of the curve", .unit = "m"}};
    core::Data<core::Vec3> d_dx0{this, {.name = "dX0", .help = "Tangent at the first point", .unit = "m"}};
    core::Data<core::Vec3> d_x1{this, {.name = "X1", .help = "Last point of the curve", .unit = "m"}};
    core::Data<core::Vec3> d_dx1{this, {.name = "dX1", .help = "Tangent at the last point", .unit = "m"}};
    core::Data<core::Vec2> d_sx0{
        this, {.name = "SX0", .help = "Slope of the course of time at the begin: the second number", .unit = "1"}};
    core::Data<core::Vec2> d_sx1{
        this, {.name = "SX1", .help = "Slope of the course of time at the end: the second number", .unit = "1"}};

    core::Vec3 place(double u) const override;

protected:
    std::array<core::Vec3, 3> givenPoints() const override { return {d_x0.value(), d_x1.value(), d_x1.value()}; }
};

}  // namespace sofa::component
