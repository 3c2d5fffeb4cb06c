// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/spring/JointSpring.h"
#include "core/behavior/ForceField.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Adds the derivatives of the forces on both frames of a joint by both frames.
void addJointBlocks(core::MatrixAccumulator& k, const core::State<core::Rigid3Types>& state1, core::Index m1,
                    const core::State<core::Rigid3Types>& state2, core::Index m2, const JointForces::Blocks& blocks);

/// Joints between frames of one or two states: what those by axes and those between points have in common.
template <class Spring>
class FrameJoints : public core::PairInteractionForceField<core::Rigid3Types>, public core::TopologyFollower
{
public:
    using Base = core::PairInteractionForceField<core::Rigid3Types>;

    core::Data<core::Vector<Spring>> d_springs;

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

protected:
    /// `help` of the list of springs, a literal.
    explicit FrameJoints(std::string_view help) : d_springs(this, {.name = "spring", .help = help}) {}
    /// Length of the axes drawn [m].
    virtual double axisSize() const { return 0.; }

private:
    /// Throws std::runtime_error if a frame of a joint does not exist.
    void check() const;
};

}  // namespace sofa::component
