// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/GearSpringForceField.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/spring/FrameJoints.h"
#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Rigid3Types;
using core::RigidCoord3;
using core::Vec3;

JointSpring GearSpring::bearing(std::size_t wheel) const
{
    JointSpring s;
    s.m1 = wheel == 0 ? p1 : p2;
    s.m2 = wheel == 0 ? m1 : m2;
    s.freeAxes = {};
    s.freeAxes[3 + axes[wheel]] = true;
    s.hardTranslation = translation;
    s.hardRotation = rotation;
    s.damping = damping;
    return s;
}

bool readValue(core::TextCursor& c, GearSpring& s)
{
    using core::readValue;
    s = {};
    if (c.token() != "BEGIN_SPRING") return c.fail("BEGIN_SPRING");
    for (Index* frame : {&s.p1, &s.m1, &s.p2, &s.m2})
        if (!readValue(c, *frame)) return false;
    while (!c.atEnd()) {
        const std::string_view word = c.token();
        bool good = true;
        if (word == "END_SPRING") return true;
        if (word == "AXIS")
            good = readValue(c, s.axes[0]) && readValue(c, s.axes[1]);
        else if (word == "KS_T")
            good = readValue(c, s.translation);
        else if (word == "KS_R")
            good = readValue(c, s.gear) && readValue(c, s.rotation);
        else if (word == "KD")
            good = readValue(c, s.damping);
        else if (word == "RATIO")
            good = readValue(c, s.ratio);
        else
            return c.fail("AXIS, KS_T, KS_R, KD, RATIO or END_SPRING");
        if (!good) return false;
        if (std::max(s.axes[0], s.axes[1]) > 2) return c.fail("axes 0, 1 or 2");
        if (s.ratio == 0.) return c.fail("a ratio that is not zero");
    }
    return c.fail("END_SPRING");
}

void writeValue(std::string& out, const GearSpring& s)
{
    out += "BEGIN_SPRING";
    const auto put = [&out](std::string_view word, const auto&... values) {
        out += word;
        const auto one = [&out](const auto& v) {
            using core::writeValue;
            out += ' ';
            writeValue(out, v);
        };
        (one(values), ...);
    };
    put("", s.p1, s.m1, s.p2, s.m2);
    put(" AXIS", s.axes[0], s.axes[1]);
    put(" KS_T", s.translation);
    put(" KS_R", s.gear, s.rotation);
    put(" KD", s.damping);
    put(" RATIO", s.ratio);
    out += " END_SPRING";
}

GearSpringForceField::GearSpringForceField()
{
    for (const char* name : {"filename", "period", "reinit"})
        ignoreAttribute(name, "probes and exports write what gears do");
}

void GearSpringForceField::bwdInit()
{
    if (!isValid()) return;
    m_wheels.clear();
    try {
        check();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void GearSpringForceField::check() const
{
    const auto& springs = d_springs.value();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const GearSpring& s = springs[i];
        const bool first = std::max(s.p1, s.m1) >= state1().size();
        if (!first && std::max(s.p2, s.m2) < state2().size()) continue;
        const auto& state = first ? state1() : state2();
        throw std::runtime_error("gear " + std::to_string(i) + " joins frame " +
                                 std::to_string(first ? std::max(s.p1, s.m1) : std::max(s.p2, s.m2)) + " of '" +
                                 state.pathName() + "', which has " + std::to_string(state.size()) + " frames");
    }
}

auto GearSpringForceField::gearAt(std::size_t spring, const VecCoord& x1, const VecCoord& x2) const -> Gear
{
    const GearSpring& s = d_springs.value()[spring];
    const bool started = m_wheels.size() == 2 * d_springs.value().size();
    Gear g;
    for (std::size_t w = 0; w < 2; ++w) {
        const VecCoord& x = w == 0 ? x1 : x2;
        const Index p = w == 0 ? s.p1 : s.p2, m = w == 0 ? s.m1 : s.m2;
        g.wheels[w] = x[m];
        g.bearings[w] = p == m && started ? m_wheels[2 * spring + w].fixed : x[p];
        double angle = JointTwist(g.bearings[w], g.wheels[w], s.axes[w]).angle;
        // The full turns that lead on from the last angle.
        constexpr double full = 2. * std::numbers::pi;
        if (started) angle += full * std::round((m_wheels[2 * spring + w].angle - angle) / full);
        g.angles[w] = angle;
    }
    g.torque = s.gear / std::abs(s.ratio) * (s.ratio * g.angles[0] + g.angles[1]);
    return g;
}

void GearSpringForceField::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                    const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2)
{
    check();
    const auto& springs = d_springs.value();
    const bool starts = m_wheels.size() != 2 * springs.size();
    core::Vector<Wheel> wheels;
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const GearSpring& s = springs[i];
        const Gear g = gearAt(i, x1, x2);
        for (std::size_t w = 0; w < 2; ++w) {
            wheels.push_back({starts ? g.bearings[w] : m_wheels[2 * i + w].fixed, g.angles[w]});
            const JointSpring bearing = s.bearing(w);
            JointForces forces(bearing, g.bearings[w], g.wheels[w]);
            forces.addTwist(JointTwist(g.bearings[w], g.wheels[w], s.axes[w]), w == 0 ? s.ratio * g.torque : g.torque);
            VecDeriv& f = w == 0 ? f1 : f2;
            const VecDeriv& v = w == 0 ? v1 : v2;
            const bool fixed = bearing.m1 == bearing.m2;
            Rigid3Types::Deriv onBearing, onWheel;
            forces.add(onBearing, onWheel, fixed ? Rigid3Types::Deriv() : v[bearing.m1], v[bearing.m2]);
            f[bearing.m2] += onWheel;
            if (!fixed) f[bearing.m1] += onBearing;
        }
    }
    m_wheels = std::move(wheels);
}

void GearSpringForceField::buildStiffness(const MechanicalParams&, core::MatrixAccumulator& k)
{
    const core::State<Rigid3Types>* states[] = {&state1(), &state2()};
    const auto& springs = d_springs.value();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const GearSpring& s = springs[i];
        const Gear g = gearAt(i, state1().positions(), state2().positions());
        // A frame that feels the gear, and the derivative of ρ ψ₁ + ψ₂ by its turn.
        struct End
        {
            std::size_t wheel;
            Index frame;
            Vec3 slope;
        };
        std::vector<End> ends;
        for (std::size_t w = 0; w < 2; ++w) {
            const JointSpring bearing = s.bearing(w);
            const bool fixed = bearing.m1 == bearing.m2;
            const double ratio = w == 0 ? s.ratio : 1.;
            const JointTwist twist(g.bearings[w], g.wheels[w], s.axes[w]);
            JointForces forces(bearing, g.bearings[w], g.wheels[w]);
            forces.addTwist(twist, ratio * g.torque);
            const auto blocks = forces.stiffness();
            if (fixed)
                k.sink(*states[w], *states[w]).add(bearing.m2, bearing.m2, blocks[3]);
            else
                addJointBlocks(k, *states[w], bearing.m1, *states[w], bearing.m2, blocks);
            const Vec3 slope = g.bearings[w].orientation.normalized().rotate(twist.gradient) * ratio;
            ends.push_back({w, bearing.m2, slope});
            if (!fixed) ends.push_back({w, bearing.m1, -slope});
        }
        for (const End& a : ends)
            for (const End& b : ends) {
                core::Mat<6> block;
                block.setBlock(3, 3, outer(a.slope, b.slope) * (-s.gear / std::abs(s.ratio)));
                k.sink(*states[a.wheel], *states[b.wheel]).add(a.frame, b.frame, block);
            }
    }
}

void GearSpringForceField::buildDamping(const MechanicalParams&, core::MatrixAccumulator& b)
{
    const core::State<Rigid3Types>* states[] = {&state1(), &state2()};
    const auto& springs = d_springs.value();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        if (springs[i].damping == 0.) continue;
        const Gear g = gearAt(i, state1().positions(), state2().positions());
        for (std::size_t w = 0; w < 2; ++w) {
            const JointSpring bearing = springs[i].bearing(w);
            const auto blocks = JointForces(bearing, g.bearings[w], g.wheels[w]).damping();
            if (bearing.m1 == bearing.m2)
                b.sink(*states[w], *states[w]).add(bearing.m2, bearing.m2, blocks[3]);
            else
                addJointBlocks(b, *states[w], bearing.m1, *states[w], bearing.m2, blocks);
        }
    }
}

bool GearSpringForceField::hasDamping() const
{
    const auto& springs = d_springs.value();
    return std::any_of(springs.begin(), springs.end(), [](const GearSpring& s) { return s.damping != 0.; });
}

double GearSpringForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x1, const VecCoord& x2) const
{
    double energy = 0.;
    const auto& springs = d_springs.value();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const Gear g = gearAt(i, x1, x2);
        energy += 0.5 * g.torque * (springs[i].ratio * g.angles[0] + g.angles[1]);
        for (std::size_t w = 0; w < 2; ++w)
            energy += JointForces(springs[i].bearing(w), g.bearings[w], g.wheels[w]).energy();
    }
    return energy;
}

void GearSpringForceField::draw(core::DrawTool& tool)
{
    if (!l_state1 || !l_state2) return;
    using core::DisplayFlags;
    const bool between = &state1() != &state2();
    if (!tool.shows(between ? DisplayFlags::InteractionForceFields : DisplayFlags::ForceFields)) return;
    auto axes = tool.scratch<Vec3>();
    for (const GearSpring& s : d_springs.value())
        for (std::size_t w = 0; w < 2; ++w) {
            const auto& state = w == 0 ? state1() : state2();
            const Index wheel = w == 0 ? s.m1 : s.m2;
            if (wheel >= state.size()) continue;
            const RigidCoord3& x = state.positions()[wheel];
            axes.push_back(x.center);
            axes.push_back(x.apply(Vec3::unit(s.axes[w]) * d_showFactorSize.value()));
        }
    core::drawSprings(tool, axes, 1, d_showFactorSize.value() / 15., core::Color(1.f, 1.f, 0.f));
}

static const core::RegisterComponent registeredGearSpringForceField =
    core::RegisterComponent("GearSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Gears: wheels on bearings whose turns are coupled")
        .example("component/spring/GearSpringForceField.scn")
        .add<GearSpringForceField>();

}  // namespace sofa::component
