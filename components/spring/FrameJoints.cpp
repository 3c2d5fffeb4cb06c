// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/FrameJoints.h"

#include <algorithm>

#include "components/spring/FollowPoints.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::MechanicalParams;
using core::Rigid3Types;
using core::Vec3;

void addJointBlocks(core::MatrixAccumulator& k, const core::State<Rigid3Types>& state1, core::Index m1,
                    const core::State<Rigid3Types>& state2, core::Index m2, const JointForces::Blocks& blocks)
{
    k.sink(state1, state1).add(m1, m1, blocks[0]);
    k.sink(state1, state2).add(m1, m2, blocks[1]);
    k.sink(state2, state1).add(m2, m1, blocks[2]);
    k.sink(state2, state2).add(m2, m2, blocks[3]);
}

template <class Spring>
void FrameJoints<Spring>::bwdInit()
{
    if (!isValid()) return;
    try {
        check();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

template <class Spring>
void FrameJoints<Spring>::check() const
{
    const std::size_t n1 = state1().size(), n2 = state2().size();
    const auto& springs = d_springs.value();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const bool first = springs[i].m1 >= n1;
        if (!first && springs[i].m2 < n2) continue;
        const auto& state = first ? state1() : state2();
        throw std::runtime_error("spring " + std::to_string(i) + " joins frame " +
                                 std::to_string(first ? springs[i].m1 : springs[i].m2) + " of '" + state.pathName() +
                                 "', which has " + std::to_string(state.size()) + " frames");
    }
}

template <class Spring>
core::TopologyFollower::PointLists FrameJoints<Spring>::pointLists()
{
    return {{{pointsOf(state1()), {{&d_springs, core::ElementData::Kind::Kept}}}, {pointsOf(state2()), {}}}};
}

template <class Spring>
void FrameJoints<Spring>::followTopology(const core::TopologyChange& change)
{
    if (!change.restores()) d_springs.setValue(springsLeft(d_springs.value(), change, state1(), state2()));
}

template <class Spring>
void FrameJoints<Spring>::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                   const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2)
{
    check();
    for (const Spring& spring : d_springs.value()) {
        const JointSpring& s = spring.joint();
        JointForces(s, x1[s.m1], x2[s.m2]).add(f1[s.m1], f2[s.m2], v1[s.m1], v2[s.m2]);
    }
}

template <class Spring>
void FrameJoints<Spring>::buildStiffness(const MechanicalParams&, core::MatrixAccumulator& k)
{
    const VecCoord &x1 = state1().positions(), &x2 = state2().positions();
    for (const Spring& spring : d_springs.value()) {
        const JointSpring& s = spring.joint();
        addJointBlocks(k, state1(), s.m1, state2(), s.m2, JointForces(s, x1[s.m1], x2[s.m2]).stiffness());
    }
}

template <class Spring>
void FrameJoints<Spring>::buildDamping(const MechanicalParams&, core::MatrixAccumulator& b)
{
    const VecCoord &x1 = state1().positions(), &x2 = state2().positions();
    for (const Spring& spring : d_springs.value()) {
        const JointSpring& s = spring.joint();
        if (s.damping == 0.) continue;
        addJointBlocks(b, state1(), s.m1, state2(), s.m2, JointForces(s, x1[s.m1], x2[s.m2]).damping());
    }
}

template <class Spring>
bool FrameJoints<Spring>::hasDamping() const
{
    const auto& springs = d_springs.value();
    return std::any_of(springs.begin(), springs.end(), [](const Spring& s) { return s.damping != 0.; });
}

template <class Spring>
double FrameJoints<Spring>::potentialEnergy(const MechanicalParams&, const VecCoord& x1, const VecCoord& x2) const
{
    double energy = 0.;
    for (const Spring& spring : d_springs.value()) {
        const JointSpring& s = spring.joint();
        energy += JointForces(s, x1[s.m1], x2[s.m2]).energy();
    }
    return energy;
}

template <class Spring>
void FrameJoints<Spring>::draw(core::DrawTool& tool)
{
    if (!l_state1 || !l_state2) return;
    const auto &a = state1(), &b = state2();
    using core::DisplayFlags;
    if (!tool.shows(&a != &b ? DisplayFlags::InteractionForceFields : DisplayFlags::ForceFields)) return;
    auto lines = tool.scratch<Vec3>(), axes = tool.scratch<Vec3>();
    for (const Spring& spring : d_springs.value()) {
        const JointSpring& s = spring.joint();
        if (s.m1 >= a.size() || s.m2 >= b.size()) continue;
        const core::RigidCoord3& frame = a.positions()[s.m1];
        const Vec3 end = b.pointPosition(s.m2);
        lines.push_back(frame.center);
        lines.push_back(end);
        for (std::size_t i = 0; i < 3; ++i) {
            if (!s.turns(i)) continue;
            Vec3 axis;
            axis[i] = axisSize() / 2.;
            axes.push_back(end - frame.orientation.rotate(axis));
            axes.push_back(end + frame.orientation.rotate(axis));
        }
    }
    tool.lines(lines, core::plainStyle(core::Color(0.f, 1.f, 0.5f)));
    tool.lines(axes, core::plainStyle(core::Color(1.f, 1.f, 0.f)));
}

template class FrameJoints<JointSpring>;
template class FrameJoints<FrameSpring>;

}  // namespace sofa::component
