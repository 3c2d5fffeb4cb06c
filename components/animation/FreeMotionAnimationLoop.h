// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/animation/SleepingBodies.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

/// Time step with Lagrangian constraints: integrators compute the motion without constraint forces (free positions and
/// velocities), collisions are detected, the constraint solver finds the constraint forces, and bodies are moved by
/// them.
///
///     free motion    v_free by the integrators;  x_free = x + dt v_free on all states (mapped ones by v_free = J
///     v_free) constraints    v = v_free + c_v A⁻¹ Hᵀ λ,  x = x_free + c_x A⁻¹ Hᵀ λ
///
/// Where an intersection method asks for it (IntersectionMethod::maxImpacts) the motion that results is looked at
/// again: rows are linear in the motion, and what an impact turns by a large angle leaves them. If bodies that contacts
/// hold apart come too near on their way, the step is done again, from impact to impact: all bodies go along their free
/// motion until the first ones come too near, contacts are detected there, the constraint solver makes the velocities
/// obey them, and with these bodies go on. (B. Mirtich, J. Canny, "Impulse-based simulation of rigid bodies", Symposium
/// on Interactive 3D Graphics, 1995; steps that are checked along the whole way: Z. Ferguson et al., "Intersection-free
/// rigid body dynamics", ACM Transactions on Graphics 40(4), 2021.)
///
/// Where it asks for corrections (IntersectionMethod::maxCorrections), contacts that are missing at the end of the
/// motion are added before that, and the constraints are solved again from the same free motion.
///
/// With `sleepAfter`, bodies that rest are left out of all this (SleepingBodies).
///
/// With `solveVelocityConstraintFirst` the violations are those of velocities, and x = x + dt v.
class FreeMotionAnimationLoop : public core::AnimationLoop
{
public:
    core::Data<bool> d_solveVelocityConstraintFirst{
        this,
        {.name = "solveVelocityConstraintFirst",
         .help = "Solve for violations of velocities, and move positions by the corrected velocities"},
        false};
    core::Data<double> d_sleepAfter{
        this,
        {.name = "sleepAfter",
         .help = "Bodies sleep when they, and all that they touch or are tied to, have been slower than sleepSpeed and "
                 "sleepSpin for this time, and would stay so for ten times as long: they cost little then, until "
                 "anything acts on them. 0: never",
         .unit = "s",
         .range = core::Range::nonNegative()},
        0.};
    core::Data<double> d_sleepSpeed{this,
                                    {.name = "sleepSpeed",
                                     .help = "Largest speed of the points and centres of a body that rests",
                                     .unit = "m/s",
                                     .range = core::Range::nonNegative()},
                                    0.01};
    core::Data<double> d_sleepSpin{this,
                                   {.name = "sleepSpin",
                                    .help = "Largest angular velocity of a rigid body that rests",
                                    .unit = "rad/s",
                                    .range = core::Range::nonNegative()},
                                   0.03};
    core::Data<int> d_impacts{
        this,
        {.name = "impacts",
         .help = "Impacts within the last step that were resolved one after the other, because the "
                 "contacts of the step did not hold solids apart",
         .group = "Stats",
         .readOnly = true,
         .saved = false},
        0};
    core::Data<int> d_sleepingBodies{this,
                                     {.name = "sleepingBodies",
                                      .help = "Number of bodies that sleep: what one node with integrators moves",
                                      .group = "Stats",
                                      .readOnly = true,
                                      .saved = false},
                                     0};
    core::Data<int> d_corrections{
        this,
        {.name = "corrections",
         .help = "How often the constraints of the last step were solved again, because contacts were missing at its "
                 "end",
         .group = "Stats",
         .readOnly = true,
         .saved = false},
        0};
    core::Link<core::Node> l_targetNode{this, {"targetNode", "Node that is animated; default: the node of the loop"}};
    core::Link<core::ConstraintSolver> l_constraintSolver{
        this,
        {"constraintSolver",
         "Constraint solver; default: the first in the node or below, or a BlockGaussSeidelConstraintSolver"}};

    FreeMotionAnimationLoop()
    {
        ignoreAttribute("threadSafeVisitor", "visitors are always safe here");
        ignoreAttribute("parallelCollisionDetectionAndFreeMotion", "both are in parallel inside, one after the other");
        ignoreAttribute("parallelODESolving", "integrators run one after the other, each in parallel inside");
        ignoreAttribute("computeBoundingBox", "bounding boxes are computed when something asks for them");
    }

    void init() override;
    void step(double dt) override;
    bool hasFreeMotion() const override { return true; }
    void reset() override
    {
        m_lostReported = false;
        m_sleep.clear();
    }
    void archive(core::Archive& a) override;

protected:
    /// True if collisions are detected before the free motion, so that penalty contacts take part in it.
    virtual bool collidesFirst() const { return false; }
    /// Adds a BlockGaussSeidelConstraintSolver with the given values to the node and links it.
    void createConstraintSolver(const std::vector<std::pair<std::string, std::string>>& values);

private:
    bool sleeps() const { return d_sleepAfter.value() > 0.; }
    void computeFreeMotion(core::Node& target, const core::ConstraintParams& p);
    /// Wakes what a detection has found to be touched by what is awake, and computes its free motion. True if there is
    /// anything: what was detected then lacks that motion. The states that sleep on are in `p` afterwards.
    bool wake(core::Node& target, core::ConstraintParams& p, bool later);
    /// Mapped free velocities, and free positions of all states, from the free velocities of independent ones.
    void propagateFreeMotion(core::Node& target, const core::ConstraintParams& p);
    /// Whether a pipeline wants to look at the motion that results; positions and velocities at which the step begins,
    /// and free positions, are then kept.
    bool keepStart(core::Node& target);
    /// Positions and velocities that obey the constraints, from the free motion.
    void solveConstraints(core::Node& target, const core::ConstraintParams& p);
    /// Lets the pipelines look at the motion to the present positions. If contacts are missing there they are added,
    /// and everything is as before the constraints were solved; tells whether.
    bool addEndContacts(core::Node& target, core::ConstraintParams& p);
    /// Whether the motion from the kept positions to the present ones brings no bodies too near to each other.
    bool isNonPenetrating(core::Node& target, double dt);
    /// Does the step from the kept positions again, from impact to impact.
    void resolveImpacts(core::Node& target, const core::ConstraintParams& p);

    /// Where a step began, as long as its constraints are solved.
    struct Start
    {
        explicit Start(core::VectorOperations& vop) : position(vop), freePosition(vop), velocity(vop) {}
        core::TempCoord position, freePosition;
        core::TempDeriv velocity;
    };
    std::optional<Start> m_start;
    SleepingBodies m_sleep;
    bool m_lostReported = false;
};

}  // namespace sofa::component
