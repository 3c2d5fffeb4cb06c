// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/InteractionEllipsoidForceField.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::crossMatrix;
using core::Index;
using core::Mat3;
using core::MechanicalParams;
using core::RigidCoord3;
using core::Vec3;

InteractionEllipsoidForceField::InteractionEllipsoidForceField()
{
    ignoreAttribute("contacts", "it was internal data of the component");
}

void InteractionEllipsoidForceField::init()
{
    std::string error;
    if (!l_state1.resolve(error)) return fail("object1: " + error);
    if (!l_state2.resolve(error)) return fail("object2: " + error);
    if (!core::findState(l_state1, *this)) return;
    if (!l_state2) return fail("it needs object2, a state of frames");
    if (ellipsoids() == 0) return fail("it needs an ellipsoid: give center and vradius");
    m_gone = false;
}

void InteractionEllipsoidForceField::bwdInit()
{
    if (isValid() && d_frame.value() >= l_state2->size())
        fail("object2_dof_index: there is no frame " + std::to_string(d_frame.value()) + " in '" +
             l_state2->pathName() + "', only " + std::to_string(l_state2->size()));
}

core::TopologyFollower::PointLists InteractionEllipsoidForceField::pointLists()
{
    return {{{pointsOf(*l_state1), {}}, {pointsOf(*l_state2), {{&d_frame, core::ElementData::Kind::Kept}}}}};
}

void InteractionEllipsoidForceField::followTopology(const core::TopologyChange& change)
{
    m_contacts.clear();
    if (change.restores()) {
        m_gone = false;
        return;
    }
    const core::Vector<Index> now = change.source(pointsOf(*l_state2)).inverse();
    if (m_gone || now.empty()) return;
    const Index frame = now.at(d_frame.value());
    m_gone = frame == core::InvalidIndex;
    if (!m_gone) d_frame.setValue(frame);
}

auto InteractionEllipsoidForceField::ellipsoid(std::size_t i) const -> Penalty
{
    const auto &centers = d_center.value(), &radii = d_radii.value();
    const auto of = [i](const core::Vector<Vec3>& list, const Vec3& fallback) {
        return list.empty() ? fallback : list[std::min(i, list.size() - 1)];
    };
    return {of(centers, Vec3()), of(radii, Vec3{1., 1., 1.}), d_stiffness.value(), d_damping.value(), likeSofa()};
}

auto InteractionEllipsoidForceField::deepest(const Vec3& u) const -> Penalty
{
    Penalty best = ellipsoid(0);
    for (std::size_t i = 1; i < ellipsoids(); ++i)
        if (const Penalty e = ellipsoid(i); e.level(u) < best.level(u)) best = e;
    return best;
}

RigidCoord3 InteractionEllipsoidForceField::placement(const RigidCoord3& frame) const
{
    if (!d_invert.value()) return frame;
    return {-frame.orientation.inverseRotate(frame.center), frame.orientation.inverse()};
}

void InteractionEllipsoidForceField::addForce(const MechanicalParams& mp, const core::MultiVecDerivId& fId)
{
    core::State<Points>& points = *l_state1;
    core::State<Frames>& frames = *l_state2;
    m_contacts.clear();
    if (m_gone) return;
    const auto& x = points.read(mp.x.at(points));
    const auto& v = points.read(mp.v.at(points));
    const RigidCoord3 frame = frames.read(mp.x.at(frames))[d_frame.value()], place = placement(frame);
    const bool invert = d_invert.value();
    m_turn = frame.orientation.toMatrix();
    const auto f = points.write(fId.at(points));
    Vec3 reaction, torque;
    for (Index i = 0; i < x.size(); ++i) {
        const Vec3 u = place.orientation.inverseRotate(x[i] - place.center);
        const Penalty e = deepest(u);
        if (!e.actsAt(e.level(u))) continue;
        const auto c = e.at(u);
        const Vec3 force = place.orientation.rotate(c.force), drag = v[i] * (-e.damping * std::abs(c.depth));
        f[i] += force + drag;
        const Vec3 arm = invert ? m_turn * x[i] : x[i] - frame.center;
        const Vec3 back = invert ? m_turn * (force + drag) : -(force + drag);
        reaction += back;
        torque += cross(arm, back);
        m_contacts.push_back({i, force, arm, invert ? c.dfdx : m_turn * c.dfdx * m_turn.transposed(), c.depth});
    }
    if (!d_forces.value()) return;
    auto& out = frames.write(fId.at(frames))[d_frame.value()];
    for (std::size_t k = 0; k < 3; ++k) {
        out[k] += reaction[k];
        out[3 + k] += torque[k];
    }
}

void InteractionEllipsoidForceField::buildStiffness(const MechanicalParams&, core::MatrixAccumulator& k)
{
    const core::State<Points>& points = *l_state1;
    const core::State<Frames>& frames = *l_state2;
    const Index frame = d_frame.value();
    const bool invert = d_invert.value(), sofa = likeSofa(), forces = d_forces.value();
    const Mat3 turn = invert ? m_turn : Mat3::identity(), back = turn.transposed();
    const double sign = invert ? 1. : -1.;
    for (const Contact& c : m_contacts) {
        // The force F, in the axes of dfdx, by the point x, and by the centre c and the turn θ of the frame:
        // du = dx − dc + arm × dθ, or, inverted, R dx + dc − arm × dθ. The torque on the frame is ±arm × F.
        const Mat3 arm = sofa ? Mat3() : crossMatrix(c.arm), force = sofa ? Mat3() : crossMatrix(turn * c.force);
        const Mat3 turned = invert ? Mat3() : force, armTurned = invert ? force * arm : Mat3();
        const Mat3 byPoint = c.dfdx * turn, byCenter = c.dfdx * sign, byTurn = c.dfdx * arm * -sign - turned;
        k.sink(points, points).add(c.point, c.point, back * byPoint);
        if (sofa && !forces) continue;
        core::Mat<3, 6> pointByFrame;
        pointByFrame.setBlock(0, 0, back * byCenter);
        // With an inverted frame the point feels Rᵀ F, which turns back.
        pointByFrame.setBlock(0, 3, back * (invert ? byTurn + force : byTurn));
        k.sink(points, frames).add(c.point, frame, pointByFrame);
        if (!forces) continue;
        core::Mat<6, 3> frameByPoint;
        frameByPoint.setBlock(0, 0, byPoint * sign);
        frameByPoint.setBlock(3, 0, (arm * byPoint - force * turn) * sign);
        core::Mat<6> frameByFrame;
        frameByFrame.setBlock(0, 0, byCenter * sign);
        frameByFrame.setBlock(0, 3, byTurn * sign);
        frameByFrame.setBlock(3, 0, (arm * byCenter + turned) * sign);
        frameByFrame.setBlock(3, 3, (arm * byTurn + armTurned) * sign);
        k.sink(frames, points).add(frame, c.point, frameByPoint);
        k.sink(frames, frames).add(frame, frame, frameByFrame);
    }
}

void InteractionEllipsoidForceField::buildDamping(const MechanicalParams&, core::MatrixAccumulator& b)
{
    if (!hasDamping()) return;
    const core::State<Points>& points = *l_state1;
    const core::State<Frames>& frames = *l_state2;
    const Mat3 turn = d_invert.value() ? m_turn : -Mat3::identity();
    for (const Contact& c : m_contacts) {
        const double drag = -d_damping.value() * std::abs(c.depth);
        b.sink(points, points).addIdentity(c.point, c.point, drag, 3);
        if (!d_forces.value()) continue;
        core::Mat<6, 3> frameByPoint;
        frameByPoint.setBlock(0, 0, turn * drag);
        frameByPoint.setBlock(3, 0, crossMatrix(c.arm) * turn * drag);
        b.sink(frames, points).add(d_frame.value(), c.point, frameByPoint);
    }
}

double InteractionEllipsoidForceField::potentialEnergy(const MechanicalParams& mp) const
{
    if (ellipsoids() > 1 || !d_forces.value()) return std::nan("");
    if (m_gone) return 0.;
    const auto& x = l_state1->read(mp.x.at(*l_state1));
    const RigidCoord3 place = placement(l_state2->read(mp.x.at(*l_state2))[d_frame.value()]);
    const Penalty e = ellipsoid(0);
    double energy = 0.;
    for (const Vec3& p : x) energy += e.energy(place.orientation.inverseRotate(p - place.center));
    return energy;
}

void InteractionEllipsoidForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::InteractionForceFields) || !d_draw.value() || !l_state2 || m_gone) return;
    if (d_frame.value() >= l_state2->size()) return;
    core::DrawStyle style = core::litStyle(d_color.value());
    style.wireframe = tool.wireframe();
    const RigidCoord3 place = placement(l_state2->positions()[d_frame.value()]);
    // A little smaller, so that points on the ellipsoids are seen.
    for (std::size_t i = 0; i < ellipsoids(); ++i)
        drawEllipsoid(tool, place, ellipsoid(i).center, ellipsoid(i).radii * 0.99, style);
}

static const core::RegisterComponent registeredInteractionEllipsoidForceField =
    core::RegisterComponent("InteractionEllipsoidForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A body of ellipsoids that moves with a frame and pushes out points that are inside")
        .example("component/load/EllipsoidForceField.scn")
        .add<InteractionEllipsoidForceField>();

}  // namespace sofa::component
