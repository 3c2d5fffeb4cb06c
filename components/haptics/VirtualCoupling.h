// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ForceField.h"
#include "core/interaction/HapticDevice.h"

namespace sofa::component {

using namespace sofa::core;

/// Virtual coupling: a damped spring of six degrees of freedom between the pose of a device and a tool that the scene
/// moves (Colgate, Stanley and Brown, Issues in the haptic display of tool use, IROS 1995; Adams and Hannaford, Stable
/// haptic interaction with virtual environments, IEEE Trans. Robotics and Automation 15(3), 1999). On the tool
///
///     f = k (x_d − x) + b (v_d − v),    τ = k_r log(R_d Rᵀ) + b_r (ω_d − ω),
///
/// on the hand the opposite. However stiff the scene is, the hand feels no more than the spring, so that what is stable
/// is a matter of the two stiffnesses, the damping of the hand and the rates.
///
/// The spring acts twice. In a step the device stays where it was at the beginning. In the loop of the device the tool
/// stays where it was at the end of the last step: this delay feels like friction when the hand moves freely, which
/// `cancelArtificialDamping` takes away, at the price of a force that sets in suddenly with the contact, and sticks
/// when it ends. With `synchronous` the hand gets the very force that the tool got at the end of the last step.
class VirtualCoupling final : public ForceField<Rigid3Types>, public HapticRendering, public TopologyFollower
{
public:
    using ForceField<Rigid3Types>::typeLabel;
    using T = Rigid3Types;

    Data<Index> d_index{this, {.name = "index", .help = "Point of the state that is the tool"}, 0};
    Data<double> d_stiffness{
        this, {.name = "stiffness", .help = "Stiffness k", .unit = "N/m", .range = Range::nonNegative()}, 500.};
    Data<double> d_angularStiffness{this,
                                    {.name = "angularStiffness",
                                     .help = "Stiffness of rotations k_r",
                                     .unit = "N m/rad",
                                     .range = Range::nonNegative()},
                                    1.};
    Data<double> d_damping{
        this, {.name = "damping", .help = "Damping b", .unit = "N s/m", .range = Range::nonNegative()}, 1.};
    Data<double> d_angularDamping{this,
                                  {.name = "angularDamping",
                                   .help = "Damping of rotations b_r",
                                   .unit = "N m s/rad",
                                   .range = Range::nonNegative()},
                                  0.001};
    Data<bool> d_synchronous{
        this,
        {.name = "synchronous",
         .help = "Give the hand the force that the tool had at the end of the last step, instead of "
                 "that of the spring to where the hand is meanwhile"},
        false};
    Data<bool> d_cancelArtificialDamping{
        this,
        {.name = "cancelArtificialDamping", .help = "Give the hand no force while nothing touches the tool"},
        false};

    VirtualCoupling();
    void init() override;
    void bwdInit() override;
    void reset() override;
    void archive(Archive& a) override;
    ElementLists elementLists() override { return l_state ? ElementLists{pointsOf(state()), {}} : ElementLists(); }

    void addForce(const MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    void buildStiffness(const MechanicalParams& mp, BlockSink& sink) override;
    bool hasDamping() const override { return true; }
    void buildDamping(const MechanicalParams& mp, BlockSink& sink) override;
    double potentialEnergy(const MechanicalParams& mp, const VecCoord& x) const override;
    void draw(DrawTool& tool) override;

    void beginStep(const HapticMotion& m, double dt) override;
    void prepare() override;
    void publish() override { m_used = m_prepared; }
    void clear() override { m_used = m_prepared = {}; }
    Vec6 wrench(const HapticMotion& m) override;

private:
    struct Spring
    {
        double k = 0., angular = 0., b = 0., angularDamping = 0.;
        /// Force on the tool.
        Vec6 force(const RigidCoord3& device, const Vec6& deviceVelocity, const RigidCoord3& tool,
                   const Vec6& toolVelocity) const;
    };
    /// What the loop of the device uses.
    struct View
    {
        bool acts = false;
        bool fixed = false;  ///< the force is `held`
        Spring spring;
        RigidCoord3 tool;
        Vec6 velocity{}, held{};
    };
    Spring spring() const;
    bool isTouched() const;

    RigidCoord3 m_device;  ///< in the step
    Vec6 m_deviceVelocity{};
    Vec3 m_turn;  ///< rotation from the tool to the device at the last forces
    View m_prepared, m_used;
};

}  // namespace sofa::component
