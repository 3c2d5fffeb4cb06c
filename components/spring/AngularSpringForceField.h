// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/JointSpring.h"
#include "core/behavior/ForceField.h"
#include "core/visual/Color.h"

namespace sofa::component {

/// Springs that keep frames of a chain parallel: each of the list, from the second one on, with the frame before it in
/// the state.
///
/// With the rotation vector θ from the frame before to the frame, E = ½ k |θ|² (JointLaw without translations); both
/// frames feel the torque, with opposite signs, and the tangent is exact. RestShapeSpringsForceField holds frames
/// against turns from their rest positions.
///
/// In SOFA only the second frame of each pair feels the torque, so that angular momentum is not kept and there is no
/// energy, and the stiffness is −k 1, also of the first frame of the list, which has no spring.
class AngularSpringForceField final : public core::ForceField<core::Rigid3Types>
{
public:
    using Base = core::ForceField<core::Rigid3Types>;

    core::Data<core::Vector<core::Index>> d_indices{
        this,
        {.name = "indices",
         .help = "Frames: each from the second one of the list on is held to the frame before it in the state"}};
    core::Data<core::Vector<double>> d_stiffness{
        this,
        {.name = "angularStiffness",
         .help = "Stiffness for each frame of the list, that of the first one without effect; those beyond the end "
                 "have the first value",
         .unit = "N m/rad",
         .range = core::Range::nonNegative()},
        {100.}};
    core::Data<bool> d_drawSpring{
        this, {.name = "drawSpring", .help = "Show the springs", .group = "Visualization"}, false};
    core::Data<core::Color> d_springColor{
        this, {.name = "springColor", .help = "Color of the springs shown"}, core::Color(0.F, 1.F, 0.F, 1.F)};

    AngularSpringForceField();

    /// Checks the list, once the state has its size.
    void bwdInit() override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f, const VecCoord& x, const VecDeriv& v) override;
    using core::ForceField<core::Rigid3Types>::buildStiffness;
    void buildStiffness(const core::MechanicalParams& mp, core::BlockSink& k) override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x) const override;
    /// Lines between the frames (flag ForceFields and `drawSpring`).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::potentialEnergy;

private:
    /// Makes the springs of the list; throws std::runtime_error where a frame does not exist.
    void findSprings();

    core::Vector<JointSpring> m_springs;
    VecCoord m_x;  ///< of the last addForce
    core::DataTracker m_tracker;
};

}  // namespace sofa::component
