// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "components/constraint/PointsProjectiveConstraint.h"

namespace sofa::component {

/// Moves points through displacements given at key times, linearly in between: x = x₀ + m(t), v = dm/dt (or x = m(t) if
/// the movements are absolute). Frames turn by the spherical interpolation of the orientations that the Euler angles of
/// the movements stand for (about x, then y, then z).
///
/// Before the first and from the last key time on the points are free. Times are those at the beginning of the step, as
/// in SOFA: positions lag by one step.
template <class DataTypes>
class LinearMovementProjectiveConstraint : public PointsProjectiveConstraint<DataTypes>
{
public:
    using Base = PointsProjectiveConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::Deriv;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<core::Vector<double>> d_keyTimes{
        this, {.name = "keyTimes", .help = "Key times, increasing", .unit = "s"}, core::Vector<double>{0.}};
    core::Data<VecDeriv> d_movements{
        this,
        {.name = "movements", .help = "Displacement at each key time (frames: then Euler angles in rad)", .unit = "m"},
        VecDeriv{Deriv()}};
    core::Data<bool> d_relativeMovements{
        this,
        {.name = "relativeMovements", .help = "Add the movements to the first position; otherwise they are positions"},
        true};
    core::Data<bool> d_showMovement{
        this, {.name = "showMovement", .help = "Draw the path of the points", .group = "Visualization"}, false};

    /// The points, or with `showMovement` the path of each (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;
    void init() override;
    void followTopology(const core::TopologyChange& change) override { this->followPoints(change, m_start); }
    using Base::projectPosition;
    using Base::projectVelocity;
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(VecCoord& x) const override;

protected:
    struct Segment
    {
        double from, to;
        Deriv start, end;
    };
    /// The key times around the present one; none outside.
    std::optional<Segment> segment() const;
    bool showsPoints() const override { return !d_showMovement.value(); }
    bool acts() const override { return segment().has_value(); }
    /// Which scalars of a derivative move.
    virtual bool moves(std::size_t) const { return true; }

private:
    mutable VecCoord m_start;  ///< positions at the first projection
};

/// As LinearMovementProjectiveConstraint, in some directions only; always relative to the first position.
template <class DataTypes>
class PartialLinearMovementProjectiveConstraint final : public LinearMovementProjectiveConstraint<DataTypes>
{
public:
    using Base = LinearMovementProjectiveConstraint<DataTypes>;
    using typename Base::VecDeriv;
    using Directions = std::array<bool, DataTypes::derivSize>;

    core::Data<Directions> d_movedDirections{
        this, {.name = "movedDirections", .help = "For each scalar of a derivative: 1 moved, 0 free"}, allMoved()};

    PartialLinearMovementProjectiveConstraint();
    using Base::projectResponse;
    void projectResponse(VecDeriv& dx) const override;
    void eliminate(core::EliminationSink& sink) const override;

protected:
    bool moves(std::size_t k) const override { return d_movedDirections.value()[k]; }

private:
    static Directions allMoved()
    {
        Directions d;
        d.fill(true);
        return d;
    }
};

/// Gives points velocities at key times, linear in between, and moves them by v dt at each step.
///
/// Before the first key time and, unless `continueAfterEnd` keeps the last velocity, after the last one the points are
/// free. With `coordinates` only these scalars follow; accelerations of the points are cleared in all.
template <class DataTypes>
class LinearVelocityProjectiveConstraint final : public PointsProjectiveConstraint<DataTypes>
{
public:
    using Base = PointsProjectiveConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::Deriv;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<core::Vector<double>> d_keyTimes{
        this, {.name = "keyTimes", .help = "Key times, increasing", .unit = "s"}, core::Vector<double>{0.}};
    core::Data<VecDeriv> d_velocities{this,
                                      {.name = "velocities",
                                       .help = "Velocity at each key time (frames: then angular velocity in rad/s)",
                                       .unit = "m/s"},
                                      VecDeriv{Deriv()}};
    core::Data<core::Vector<core::Index>> d_coordinates{
        this, {.name = "coordinates", .help = "Scalars of a derivative that follow; default: all"}};
    core::Data<bool> d_continueAfterEnd{
        this, {.name = "continueAfterEnd", .help = "Keep the last velocity after the last key time"}, false};

    void init() override;
    void reset() override { m_last.clear(); }
    void followTopology(const core::TopologyChange& change) override { this->followPoints(change, m_last); }
    void archive(core::Archive& a) override { a(m_last); }
    using Base::projectPosition;
    using Base::projectVelocity;
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(VecCoord& x) const override;

protected:
    bool acts() const override { return velocity().has_value(); }

private:
    /// Velocity now; none while the points are free.
    std::optional<Deriv> velocity() const;
    bool follows(std::size_t k) const;

    mutable VecCoord m_last;  ///< positions after the last projection
};

/// Lets points oscillate: x = x_m + a sin(ω t + φ), v = ω a cos(ω t + φ).
template <class DataTypes>
class OscillatorProjectiveConstraint final : public core::ProjectiveConstraint<DataTypes>, public core::TopologyFollower
{
public:
    using Base = core::ProjectiveConstraint<DataTypes>;
    using typename Base::Coord;
    using typename Base::Deriv;
    using typename Base::VecCoord;
    using typename Base::VecDeriv;

    core::Data<core::Vector<double>> d_oscillators{
        this,
        {.name = "oscillators",
         .help = "For each oscillator: point, mean position, amplitude, angular frequency in rad/s, phase in rad",
         .unit = "m"}};

    PointLists pointLists() override
    {
        return {{{pointsOf(this->state()), {{&d_oscillators, core::ElementData::Kind::Kept}}}}};
    }
    /// Oscillators go with their points.
    void followTopology(const core::TopologyChange& change) override;
    /// The points, and how far each one goes (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;
    void init() override;
    void reinit() override { read(); }
    using Base::projectPosition;
    using Base::projectResponse;
    using Base::projectVelocity;
    void projectResponse(VecDeriv& dx) const override;
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(VecCoord& x) const override;
    void eliminate(core::EliminationSink& sink) const override;

private:
    struct Oscillator
    {
        core::Index point;
        Coord mean;
        Deriv amplitude;
        double frequency, phase;
    };
    /// Numbers of each oscillator in the list.
    static constexpr std::size_t s_width = 1 + DataTypes::coordSize + DataTypes::derivSize + 2;
    void read();
    std::vector<Oscillator> m_oscillators;
};

}  // namespace sofa::component
