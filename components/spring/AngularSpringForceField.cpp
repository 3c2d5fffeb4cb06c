// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/AngularSpringForceField.h"

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

AngularSpringForceField::AngularSpringForceField()
{
    ignoreAttribute("limit", "it has no effect in SOFA either; JointSpringForceField has limits");
    m_tracker.track(d_indices);
    m_tracker.track(d_stiffness);
}

void AngularSpringForceField::bwdInit()
{
    if (!isValid()) return;
    try {
        findSprings();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void AngularSpringForceField::findSprings()
{
    m_tracker.changed();
    m_springs.clear();
    const auto& indices = d_indices.value();
    const auto& stiffness = d_stiffness.value();
    for (std::size_t i = 1; i < indices.size(); ++i) {
        const Index frame = indices[i];
        if (frame == 0 || frame >= state().size())
            throw std::runtime_error("indices: frame " + std::to_string(frame) +
                                     (frame == 0 ? " has none before it" : " does not exist, there are only ") +
                                     (frame == 0 ? std::string() : std::to_string(state().size())));
        JointSpring s;
        s.m1 = frame - 1;
        s.m2 = frame;
        s.freeAxes = {};
        s.hardTranslation = 0.;
        s.hardRotation = stiffness.empty() ? 100. : stiffness[i < stiffness.size() ? i : 0];
        m_springs.push_back(s);
    }
}

void AngularSpringForceField::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv& v)
{
    if (m_tracker.changed()) findSprings();
    m_x = x;
    for (const JointSpring& s : m_springs) JointForces(s, x[s.m1], x[s.m2]).add(f[s.m1], f[s.m2], v[s.m1], v[s.m2]);
}

void AngularSpringForceField::buildStiffness(const MechanicalParams&, core::BlockSink& k)
{
    for (const JointSpring& s : m_springs) {
        const auto blocks = JointForces(s, m_x[s.m1], m_x[s.m2]).stiffness();
        const Index ends[] = {s.m1, s.m2};
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) k.add(ends[i], ends[j], blocks[2 * i + j]);
    }
}

double AngularSpringForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double energy = 0.;
    for (const JointSpring& s : m_springs) energy += JointForces(s, x[s.m1], x[s.m2]).energy();
    return energy;
}

void AngularSpringForceField::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !d_drawSpring.value() || !l_state) return;
    auto ends = tool.scratch<core::Vec3>();
    for (const JointSpring& s : m_springs) {
        if (s.m1 >= state().size() || s.m2 >= state().size()) continue;
        ends.push_back(state().pointPosition(s.m1));
        ends.push_back(state().pointPosition(s.m2));
    }
    tool.lines(ends, core::plainStyle(d_springColor.value(), 5.f));
}

static const core::RegisterComponent registeredAngularSpringForceField =
    core::RegisterComponent("AngularSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs that keep frames of a chain parallel")
        .example("component/spring/FrameSpringForceField.scn")
        .add<AngularSpringForceField>();

}  // namespace sofa::component
