// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/WashingMachineForceField.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Event.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::MechanicalParams;
using core::Vec3;

namespace {

/// SOFA's colours of the sides, in the order of sides().
const std::array<core::Color, 6> s_colors{{{0.5f, 0.5f, 0.4f},
                                           {0.4f, 0.4f, 0.5f},
                                           {0.5f, 0.4f, 0.4f},
                                           {0.4f, 0.5f, 0.4f},
                                           {0.5f, 0.4f, 0.5f},
                                           {0.4f, 0.5f, 0.5f}}};

/// Corners of a side, in an order that turns it outwards.
core::Quad cornersOf(std::size_t side)
{
    const std::size_t a = side / 2;
    const core::Index b = 1u << (a + 1) % 3, c = 1u << (a + 2) % 3;
    if (side % 2 == 0) return {0, c, b | c, b};
    const core::Index upper = 1u << a;
    return {upper, upper | b, 7, upper | c};
}

}  // namespace

WashingMachineForceField::WashingMachineForceField() { d_listening.setDefault(true); }

void WashingMachineForceField::init()
{
    Base::init();
    if (!isValid()) return;
    if (!(norm2(d_axis.value()) > 0.)) return fail("axis is zero: it must have a direction, about which the box turns");
    m_turn = {};
}

void WashingMachineForceField::reset() { m_turn = {}; }

void WashingMachineForceField::handleEvent(const core::Event& e)
{
    if (!dynamic_cast<const core::AnimateBeginEvent*>(&e)) return;
    m_turn = core::Quat::fromAxisAngle(d_axis.value(), -d_speed.value()) * m_turn;
    m_turn.normalize();
}

std::array<WashingMachineForceField::Penalty, WashingMachineForceField::s_sides> WashingMachineForceField::sides() const
{
    std::array<Penalty, s_sides> sides;
    for (std::size_t i = 0; i < s_sides; ++i) {
        const std::size_t a = i / 2;
        const double sign = i % 2 == 0 ? 1. : -1.;
        sides[i].normal = m_turn.rotate(Vec3::unit(a) * sign);
        sides[i].distance = sign * d_center.value()[a] - 0.5 * d_size.value()[a];
        sides[i].stiffness = d_stiffness.value();
        sides[i].damping = d_damping.value();
    }
    return sides;
}

void WashingMachineForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    const auto all = sides();
    for (std::size_t i = 0; i < s_sides; ++i) {
        m_contacts[i].clear();
        all[i].addForce(f, x, v, {0, x.size()}, m_contacts[i]);
    }
}

void WashingMachineForceField::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    const auto out = state().write(df.at(state()));
    const VecDeriv& dx = state().read(mp.dx.at(state()));
    const double factor = mp.stiffnessFactor(d_rayleighStiffness.value());
    const auto all = sides();
    for (std::size_t i = 0; i < s_sides; ++i) all[i].addDForce(out, dx, factor, m_contacts[i]);
}

void WashingMachineForceField::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    const auto all = sides();
    for (std::size_t i = 0; i < s_sides; ++i) all[i].addStiffness(k, m_contacts[i]);
}

double WashingMachineForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (const Penalty& side : sides()) energy += side.energy(x, {0, x.size()});
    return energy;
}

std::array<Vec3, 8> WashingMachineForceField::corners() const
{
    std::array<Vec3, 8> corners;
    for (std::size_t c = 0; c < corners.size(); ++c) {
        Vec3 p = d_center.value();
        for (std::size_t a = 0; a < 3; ++a) p[a] += ((c >> a & 1u) != 0 ? 0.5 : -0.5) * d_size.value()[a];
        corners[c] = m_turn.rotate(p);
    }
    return corners;
}

core::BoundingBox WashingMachineForceField::boundingBox() const
{
    core::BoundingBox box;
    for (const Vec3& p : corners()) box.include(p);
    return box;
}

void WashingMachineForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !l_state) return;
    const auto all = sides();
    const auto& x = state().positions();
    auto outside = tool.scratch<Vec3>();
    for (const Penalty& side : all) side.appendDepths(outside, x, {0, x.size()});
    tool.lines(outside, core::plainStyle(core::Color(1.f, 0.f, 0.f)));
    const auto points = corners();
    for (std::size_t i = 0; i < s_sides; ++i) {
        core::Color color = s_colors[i];
        color[3] = 0.5f;
        const core::Quad side[] = {cornersOf(i)};
        tool.quads(points, side, core::litStyle(color));
    }
}

static const core::RegisterComponent registeredWashingMachineForceField =
    core::RegisterComponent("WashingMachineForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A box that turns and keeps points inside")
        .example("component/load/WashingMachineForceField.scn")
        .add<WashingMachineForceField>();

}  // namespace sofa::component
