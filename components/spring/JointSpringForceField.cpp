// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/JointSpringForceField.h"

#include <algorithm>

#include "components/spring/FollowPoints.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::crossMatrix;
using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::Rigid3Types;
using core::Vec3;
using Block = core::Mat<6, 6>;

namespace {

Block block(const Mat3& a, const Mat3& b, const Mat3& c, const Mat3& d)
{
    Block m;
    m.setBlock(0, 0, a);
    m.setBlock(0, 3, b);
    m.setBlock(3, 0, c);
    m.setBlock(3, 3, d);
    return m;
}

/// Adds the derivatives of the forces on both frames by both frames.
void add(core::MatrixAccumulator& k, const core::State<Rigid3Types>& a, const core::State<Rigid3Types>& b,
         const JointSpring& s, const std::array<Block, 4>& blocks)
{
    k.sink(a, a).add(s.m1, s.m1, blocks[0]);
    k.sink(a, b).add(s.m1, s.m2, blocks[1]);
    k.sink(b, a).add(s.m2, s.m1, blocks[2]);
    k.sink(b, b).add(s.m2, s.m2, blocks[3]);
}

}  // namespace

JointSpringForceField::JointSpringForceField()
{
    for (const char* name : {"outfile", "infile", "period", "reinit"})
        ignoreAttribute(name, "probes and exports write what joints do; constant forces are a ConstantForceField");
    for (const char* name : {"showLawfulTorsion", "showExtraTorsion"})
        ignoreAttribute(name, "the free axes are drawn with the flag ForceFields");
}

void JointSpringForceField::bwdInit()
{
    if (!isValid()) return;
    try {
        check();
    } catch (const std::runtime_error& e) {
        fail(e.what());
    }
}

void JointSpringForceField::check() const
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

core::TopologyFollower::PointLists JointSpringForceField::pointLists()
{
    return {{{pointsOf(state1()), {{&d_springs, core::ElementData::Kind::Kept}}}, {pointsOf(state2()), {}}}};
}

void JointSpringForceField::followTopology(const core::TopologyChange& change)
{
    if (!change.restores()) d_springs.setValue(springsLeft(d_springs.value(), change, state1(), state2()));
}

void JointSpringForceField::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                     const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2)
{
    check();
    for (const JointSpring& s : d_springs.value()) {
        const core::RigidCoord3 &a = x1[s.m1], &b = x2[s.m2];
        const JointLaw law(s, a, b);
        const Vec3 arm = b.center - a.center;
        const Vec3 w1 = Rigid3Types::angular(v1[s.m1]);
        const Vec3 force = a.orientation.normalized().rotate(law.force) -
                           (Rigid3Types::linear(v2[s.m2]) - Rigid3Types::linear(v1[s.m1]) - cross(w1, arm)) * s.damping;
        const Vec3 torque =
            a.orientation.normalized().rotate(law.torque) - (Rigid3Types::angular(v2[s.m2]) - w1) * s.damping;
        f1[s.m1] -= Rigid3Types::makeDeriv(force, torque + cross(arm, force));
        f2[s.m2] += Rigid3Types::makeDeriv(force, torque);
    }
}

void JointSpringForceField::buildStiffness(const MechanicalParams&, core::MatrixAccumulator& k)
{
    const VecCoord &x1 = state1().positions(), &x2 = state2().positions();
    for (const JointSpring& s : d_springs.value()) {
        const core::RigidCoord3 &a = x1[s.m1], &b = x2[s.m2];
        const JointLaw law(s, a, b);
        const Mat3 turn = a.orientation.normalized().toMatrix(), arm = crossMatrix(b.center - a.center);
        const Mat3 along = turn * law.stiffness * turn.transposed(), about = turn * law.turning * turn.transposed();
        const Vec3 force = turn * law.force;
        const Mat3 forceCross = crossMatrix(force), zero;
        // Of the force F on the second frame, by the turn of the first: ω × F, and its place is moved by r × ω.
        const Mat3 byTurn = forceCross * -1. - along * arm;
        const Mat3 torqueByTurn = crossMatrix(turn * law.torque) * -1. + about;
        // The first frame has -F and -(τ + r × F).
        const Mat3 armByPlace = arm * along * -1. - forceCross;
        add(k, state1(), state2(), s,
            {block(along * -1., byTurn * -1., armByPlace, (torqueByTurn + arm * byTurn) * -1.),
             block(along, zero, armByPlace * -1., about), block(along, byTurn, zero, torqueByTurn),
             block(along * -1., zero, zero, about * -1.)});
    }
}

void JointSpringForceField::buildDamping(const MechanicalParams&, core::MatrixAccumulator& b)
{
    const VecCoord &x1 = state1().positions(), &x2 = state2().positions();
    for (const JointSpring& s : d_springs.value()) {
        if (s.damping == 0.) continue;
        const Mat3 d = Mat3::identity() * s.damping, arm = crossMatrix(x2[s.m2].center - x1[s.m1].center) * s.damping;
        const Mat3 zero, armArm = arm * arm * (1. / s.damping);
        add(b, state1(), state2(), s,
            {block(d * -1., arm, arm * -1., armArm - d), block(d, zero, arm, d), block(d, arm * -1., zero, d),
             block(d * -1., zero, zero, d * -1.)});
    }
}

bool JointSpringForceField::hasDamping() const
{
    const auto& springs = d_springs.value();
    return std::any_of(springs.begin(), springs.end(), [](const JointSpring& s) { return s.damping != 0.; });
}

double JointSpringForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x1, const VecCoord& x2) const
{
    double energy = 0.;
    for (const JointSpring& s : d_springs.value()) energy += JointLaw(s, x1[s.m1], x2[s.m2]).energy;
    return energy;
}

void JointSpringForceField::draw(core::DrawTool& tool)
{
    if (!l_state1 || !l_state2) return;
    const auto &a = state1(), &b = state2();
    using core::DisplayFlags;
    if (!tool.shows(&a != &b ? DisplayFlags::InteractionForceFields : DisplayFlags::ForceFields)) return;
    auto lines = tool.scratch<Vec3>(), axes = tool.scratch<Vec3>();
    for (const JointSpring& s : d_springs.value()) {
        if (s.m1 >= a.size() || s.m2 >= b.size()) continue;
        const core::RigidCoord3& frame = a.positions()[s.m1];
        const Vec3 end = b.pointPosition(s.m2);
        lines.push_back(frame.center);
        lines.push_back(end);
        for (std::size_t i = 0; i < 3; ++i) {
            if (!s.turns(i)) continue;
            Vec3 axis;
            axis[i] = d_showFactorSize.value() / 2.;
            axes.push_back(end - frame.orientation.rotate(axis));
            axes.push_back(end + frame.orientation.rotate(axis));
        }
    }
    tool.lines(lines, core::plainStyle(core::Color(0.f, 1.f, 0.5f)));
    tool.lines(axes, core::plainStyle(core::Color(1.f, 1.f, 0.f)));
}

static const core::RegisterComponent registeredJointSpringForceField =
    core::RegisterComponent("JointSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Joints between frames, by springs along six axes")
        .example("component/spring/JointSpringForceField.scn")
        .add<JointSpringForceField>();

}  // namespace sofa::component
