// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/JointSpring.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Joints between frames of one or two states, by springs along six axes (JointLaw, in JointSpring.h).
///
/// The forces follow from one energy, so that linear and angular momentum are kept, and the stiffness is its exact
/// second derivative. Dampers (KD) act on the velocity of the second frame relative to the point of the first one
/// there; their derivative by velocities is exact.
///
/// SOFA's forces have no lever arms and, for joints with one free rotation, vanish to second order in the tilt, while
/// its stiffness is that of the held axes; beyond limits the soft spring lets go; the damping is explicit. With REST_T
/// it takes the rest place from the state, whatever is given.
class JointSpringForceField final : public core::PairInteractionForceField<core::Rigid3Types>,
                                    public core::TopologyFollower
{
public:
    using Base = core::PairInteractionForceField<core::Rigid3Types>;

    core::Data<core::Vector<JointSpring>> d_springs{
        this,
        {.name = "spring",
         .help = "Joints, each as: BEGIN_SPRING frame of object1, frame of object2, keywords, END_SPRING. Keywords: "
                 "FREE_AXIS tx ty tz rx ry rz (0 or 1; default 0 0 0 1 1 1), KS_T soft hard [N/m] (0 10000), KS_R soft "
                 "hard [N m/rad] (0 10000), KS_B beyond limits [N m/rad] (hard / 100), KD [N s/m, N m s/rad], R_LIM_X, "
                 "R_LIM_Y and R_LIM_Z low high [rad], REST_T vector [m], REST_R quaternion"}};
    core::Data<double> d_showFactorSize{
        this,
        {.name = "showFactorSize", .help = "Length of the axes drawn", .unit = "m", .group = "Visualization"},
        1.};

    JointSpringForceField();

    void bwdInit() override;
    PointLists pointLists() override;
    /// Joints go with their frames.
    void followTopology(const core::TopologyChange& change) override;

    void addForce(const core::MechanicalParams& mp, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1, const VecCoord& x2,
                  const VecDeriv& v1, const VecDeriv& v2) override;
    void buildStiffness(const core::MechanicalParams& mp, core::MatrixAccumulator& k) override;
    void buildDamping(const core::MechanicalParams& mp, core::MatrixAccumulator& b) override;
    bool hasDamping() const override;
    double potentialEnergy(const core::MechanicalParams& mp, const VecCoord& x1, const VecCoord& x2) const override;
    /// Lines between the frames, and the free axes of rotation (flag ForceFields; InteractionForceFields between two
    /// states).
    void draw(core::DrawTool& tool) override;

    using Base::addForce;
    using Base::potentialEnergy;

private:
    /// Throws std::runtime_error if a frame of a joint does not exist.
    void check() const;
};

}  // namespace sofa::component
