// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ProjectiveConstraint.h"

namespace sofa::component {

/// Points of a second state follow points of a first one, which does not feel them: x₂ = x₁, v₂ = v₁, and the points
/// leave the linear system.
///
/// With `twoWay` both pull: they move as one point that has the masses of both and feels the forces on both. In the
/// linear system that is P A P + (1 − P) with the projection P to the mean of both. Positions and velocities go to
/// those of their centre of mass, which changes nothing where the points start together. Both states need the same
/// solver, explicit integrators a linear one, and a point can be in one pair only that no other projective constraint
/// holds. States that have solvers of their own are brought together after each step only. (SOFA adds up the
/// accelerations of both points, so that explicit integrators move pairs twice as fast, and takes the mean whatever
/// their masses are.)
///
/// A factor f below 1 moves a point a part of the way, x₂ ← x₂ + f (x₁ − x₂). Unlike in SOFA, where points in space go
/// half of the way and the velocities of both become their mean, the first state is left alone unless `twoWay` is set.
///
/// Behind the plane through `lastPos` with the normal `lastDir` points of the first state pull no more: their
/// followers are free, or with `clamp` stay at lastPos. So do followers that are further away than `minDistance`.
template <class DataTypes>
class AttachProjectiveConstraint final : public core::OnTwoStates<core::BaseProjectiveConstraint, DataTypes>
{
public:
    using Base = core::OnTwoStates<core::BaseProjectiveConstraint, DataTypes>;
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;

    core::Data<core::Vector<core::Index>> d_indices1{
        this, {.name = "indices1", .help = "Points of the first state, which are followed"}};
    core::Data<core::Vector<core::Index>> d_indices2{
        this, {.name = "indices2", .help = "Points of the second state, which follow them, as many"}};
    core::Data<bool> d_twoWay{
        this, {.name = "twoWay", .help = "Both states pull: pairs move as one point with both masses"}, false};
    core::Data<bool> d_freeRotations{
        this, {.name = "freeRotations", .help = "Frames: centres follow, rotations do not"}, false};
    core::Data<bool> d_lastFreeRotation{
        this,
        {.name = "lastFreeRotation", .help = "Frames: the rotation of the last follower that is not free is"},
        false};
    core::Data<bool> d_restRotations{
        this,
        {.name = "restRotations",
         .help = "Frames: followers are turned so that the next one, as it lies at rest, is on the x axis of the frame "
                 "that is followed"},
        false};
    core::Data<core::Vec3> d_lastPos{
        this, {.name = "lastPos", .help = "Place behind which nothing is followed", .unit = "m"}};
    core::Data<core::Vec3> d_lastDir{
        this, {.name = "lastDir", .help = "Direction that is behind lastPos; zero: none", .unit = "1"}};
    core::Data<bool> d_clamp{
        this, {.name = "clamp", .help = "Behind lastPos followers stay there, instead of being free"}, false};
    core::Data<double> d_minDistance{
        this,
        {.name = "minDistance", .help = "Followers that are further away are free; negative: none", .unit = "m"},
        -1.};
    core::Data<double> d_positionFactor{this,
                                        {.name = "positionFactor",
                                         .help = "Part of the way that positions go",
                                         .unit = "1",
                                         .range = core::Range::closed(0., 1.)},
                                        1.};
    core::Data<double> d_velocityFactor{
        this,
        {.name = "velocityFactor", .help = "The same of velocities", .unit = "1", .range = core::Range::closed(0., 1.)},
        1.};
    core::Data<core::Vector<double>> d_constraintFactor{
        this,
        {.name = "constraintFactor",
         .help = "Factor of each pair: 0 free, 1 follows; none: all follow",
         .unit = "1",
         .range = core::Range::closed(0., 1.)}};

    AttachProjectiveConstraint();
    /// States of nodes below have their points now.
    void bwdInit() override { reinit(); }
    void reinit() override;
    void archive(core::Archive& a) override { a(m_pairs); }

    void projectResponse(const core::MechanicalParams& mp, const core::MultiVecDerivId& dx) override;
    void projectVelocity(const core::MechanicalParams& mp, const core::MultiVecDerivId& v) override;
    void projectPosition(const core::MechanicalParams& mp, const core::MultiVecCoordId& x) override;
    void eliminate(core::EliminationSink& sink) const override;
    bool joinsPoints() const override { return d_twoWay.value() && this->isActive(); }
    /// The followers (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;

private:
    enum class Pair : unsigned char
    {
        Follows,
        Clamped,  ///< at lastPos
        Free
    };
    bool checkLists();
    double factor(std::size_t pair) const;
    bool turnsFreely(std::size_t pair) const;
    /// Both points of a pair move as one. Those at lastPos do not move.
    bool joins(std::size_t pair) const { return d_twoWay.value() && m_pairs[pair] == Pair::Follows; }
    /// Number of scalars of a follower that are not free.
    std::size_t held(std::size_t pair) const;
    void findPairs(const VecCoord& x1, const VecCoord& x2);
    core::Quat restTurn(std::size_t pair) const;
    /// Part of the way between the points of a pair that the first one goes: the lighter one goes further.
    double share(std::size_t pair) const;
    /// Where a follower goes.
    Coord target(std::size_t pair, const Coord& from, const Coord& follower) const;
    /// Calls `follow` with a pair and the follower, or with both points `join`, for all that are held.
    template <class V, class Follow, class Join>
    void forEachPair(const V& v, Follow follow, Join join);

    core::Vector<Pair> m_pairs;       ///< at the last positions
    core::Vector<double> m_beyond;    ///< of each pair, behind lastPos
    core::Vector<core::Vec3> m_rest;  ///< rotation vectors, if restRotations
};

}  // namespace sofa::component
