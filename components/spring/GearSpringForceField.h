// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/GearSpring.h"
#include "core/behavior/ForceField.h"

namespace sofa::component {

/// Gears: two wheels, each on a bearing about one axis, whose turns are coupled.
///
/// A bearing is a joint (JointLaw) with one free axis between a frame p and the wheel's frame m; where p and m are the
/// same frame, it is fixed in the world where that frame is at the first step. With the angles ψ₁, ψ₂ of the wheels in
/// their bearings, counted over full turns, and the ratio ρ,
///     E = ½ (k/|ρ|) (ρ ψ₁ + ψ₂)².
/// Each wheel feels the torque of it, and its bearing the opposite one: linear and angular momentum are kept. The
/// stiffness is the exact second derivative.
///
/// SOFA's bearings do not feel the gear's torque, and there k/ρ takes the place of k/|ρ|: with a negative ratio wheels
/// are driven apart.
class GearSpringForceField final : public core::PairInteractionForceField<core::Rigid3Types>
{
public:
    using Base = core::PairInteractionForceField<core::Rigid3Types>;

    core::Data<core::Vector<GearSpring>> d_springs{
        this,
        {.name = "spring",
         .help = "Gears, each as: BEGIN_SPRING bearing and wheel of object1, bearing and wheel of object2, keywords, "
                 "END_SPRING. Keywords: AXIS of both bearings (0 0), KS_T bearing [N/m] (10000), KS_R gear, bearing "
                 "[N m/rad] (10000 10000), KD [N s/m, N m s/rad] (1), RATIO (1)"}};
    core::Data<double> d_showFactorSize{
        this,
        {.name = "showFactorSize", .help = "Length of the axes drawn", .unit = "m", .group = "Visualization"},
        1.};

    GearSpringForceField();

    void bwdInit() override;
    void reinit() override { m_wheels.clear(); }
    void reset() override { m_wheels.clear(); }
    void archive(core::Archive& a) override { a(m_wheels); }

    void addForce(const core::MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1, const VecCoord& x2,
                  const VecDeriv& v1, const VecDeriv& v2) override;
    void buildStiffness(const core::MechanicalParams& mp, core::MatrixAccumulator& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::MatrixAccumulator& b) override;
    bool hasDamping() const override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const override;
    /// The axes of the wheels (flag ForceFields; InteractionForceFields between two states).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::potentialEnergy;

private:
    /// What is kept of a wheel.
    struct Wheel
    {
        core::RigidCoord3 fixed;  ///< its bearing, where that is fixed in the world
        double angle = 0.;        ///< ψ at the last force [rad]
    };
    /// A gear at some positions.
    struct Gear
    {
        std::array<core::RigidCoord3, 2> bearings, wheels;
        std::array<double, 2> angles;
        double torque = 0.;  ///< (k/|ρ|) (ρ ψ₁ + ψ₂) [N m]
    };
    Gear gearAt(std::size_t spring, const VecCoord& x1, const VecCoord& x2) const;
    /// Throws std::runtime_error if a frame or an axis of a gear does not exist.
    void check() const;

    core::Vector<Wheel> m_wheels;  ///< two for each gear; empty before the first force
};

}  // namespace sofa::component
