// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ProjectiveConstraint.h"

namespace sofa::component {

/// A joint of a skeleton, and how it moves relative to its parent.
///
/// Text: "Parent p", then any of "Rest pose" and "Key time pose", the latter once for each key; a pose is "x y z qx qy
/// qz qw" in the axes of the parent. The form in which SOFA writes joints is read too: "Parent p Channels n poses Times
/// n times PreviousMotion pose PreviousMotionTime t NextMotion pose NextMotionTime t LocalRigid pose".
struct SkeletonJoint
{
    struct Key
    {
        double time = 0.;        ///< of the animation [s]
        core::RigidCoord3 pose;  ///< in the parent [m]

        friend bool operator==(const Key&, const Key&) = default;
    };

    int parent = -1;         ///< joint that carries it; −1: none
    core::RigidCoord3 rest;  ///< pose [m] of a joint without keys, and of any joint at time 0 if its first key is later
    core::Vector<Key> keys;  ///< by increasing time

    /// Pose [m] in the parent at a time [s] of the animation: between two keys the centre moves along a straight line,
    /// and the orientation turns the shorter way at constant speed.
    core::RigidCoord3 pose(double time) const;

    friend bool operator==(const SkeletonJoint&, const SkeletonJoint&) = default;
};

/// The joints of a skeleton. Text: "[joint, joint, ...]"; brackets and commas may be left out.
struct Skeleton
{
    core::Vector<SkeletonJoint> joints;

    static std::string_view typeName() { return "skeleton"; }
    friend bool operator==(const Skeleton&, const Skeleton&) = default;
};

bool readValue(core::TextCursor& c, SkeletonJoint& j);
void writeValue(std::string& out, const SkeletonJoint& j);
bool readValue(core::TextCursor& c, Skeleton& s);
void writeValue(std::string& out, const Skeleton& s);

/// A list of numbers that is read with SOFA's brackets and commas too: "[ 0, 1 ]".
class BoneList final : public core::Data<core::Vector<core::Index>>
{
public:
    using Data::Data;
    bool read(std::string_view text, std::string& error) override;
};

/// Moves frames as the joints of a skeleton that is animated by key poses: frame i follows joint `bones[i]`.
///
/// The place of a joint is W_j = W_parent(j) L_j(s t), L_j the pose in the parent, t the time at the begin of the step
/// and s `animationSpeed`. Velocities lead to the place one step later, v = (W(s (t + dt)) − W(s t)) / dt. Before the
/// first key a joint is on its way from its rest pose, where it is at time 0; after the last it stays.
///
/// Differences from SOFA: systems of direct solvers know of the constraint; the velocity is right for any
/// `animationSpeed` (SOFA compares W(s t + dt) with the present place); frames are led at time 0 too; frames without a
/// bone are free, where SOFA holds them back from accelerating; parents that form a circle are an error.
class SkeletalMotionProjectiveConstraint final : public core::ProjectiveConstraint<core::Rigid3Types>
{
public:
    core::Data<Skeleton> d_joints{
        this,
        {.name = "joints",
         .help = "Joints: 'Parent p', then 'Rest pose' and, for each key, 'Key time pose' (pose: x y z qx qy qz qw in "
                 "the parent, m; time in s)"}};
    BoneList d_bones{this, {.name = "bones", .help = "Joint that each frame follows; frames beyond them are free"}};
    core::Data<double> d_animationSpeed{
        this, {.name = "animationSpeed", .help = "Time of the animation for each second", .unit = "1"}, 1.};
    core::Data<bool> d_active{this, {.name = "active", .help = "Whether the frames follow"}, true};

    void init() override;
    void reinit() override { check(); }
    using ProjectiveConstraint::projectPosition;
    using ProjectiveConstraint::projectResponse;
    using ProjectiveConstraint::projectVelocity;
    void projectResponse(VecDeriv& dx) const override;
    void projectVelocity(VecDeriv& v) const override;
    void projectPosition(VecCoord& x) const override;
    void eliminate(core::EliminationSink& sink) const override;
    /// The skeleton as it was when it was used last: joints, and lines to their parents (flag BehaviorModels).
    void draw(core::DrawTool& tool) override;

private:
    void check();
    /// Places [m] of all joints at a time [s] of the scene.
    void place(double time, VecCoord& places) const;
    template <class F>
    void forEachBone(std::size_t frames, F f) const;

    core::Vector<SkeletonJoint> m_joints;  ///< as they were checked; none: not to be used
    core::Vector<core::Index> m_order;     ///< parents before their children
    mutable VecCoord m_now, m_next;        ///< places of the joints, now and a step later
};

}  // namespace sofa::component
