// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/VectorSpringForceField.h"

#include <algorithm>

#include "components/spring/FollowPoints.h"
#include "core/factory/Registry.h"
#include "core/io/DataRepository.h"
#include "core/io/XspFormat.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;
using core::Vec3;

void VectorSpringForceField::init()
{
    Base::init();
    if (isValid() && d_useTopology.value()) core::resolveOrNeed(l_topology, *this);
}

void VectorSpringForceField::bwdInit()
{
    if (!isValid()) return;
    try {
        makeSprings();
        check();
    } catch (const std::runtime_error& e) {
        fail(e);
    }
}

void VectorSpringForceField::makeSprings()
{
    m_ofEdges = false;
    if (d_springs.isSet()) return;
    core::Vector<VectorSpring> springs;
    if (!d_file.value().text.empty()) {
        try {
            for (const auto& s : core::io::readXsp(core::requireFile(d_file)).springs)
                springs.push_back({s.a, s.b, s.stiffness, s.damping, s.restVector});
        } catch (const std::runtime_error& e) {
            throw std::runtime_error(std::string("filename: ") + e.what());
        }
    } else if (d_useTopology.value()) {
        m_ofEdges = true;
        return springsOfEdges();
    } else {
        if (state1().size() > state2().size())
            throw std::runtime_error("object1 has " + std::to_string(state1().size()) + " points, but object2 only " +
                                     std::to_string(state2().size()) +
                                     ": without springs, each point is joined to that of the same number");
        for (Index i = 0; i < state1().size(); ++i)
            springs.push_back({i, i, d_stiffness.value(), d_viscosity.value(), Vec3()});
    }
    d_springs.setValue(std::move(springs));
    d_springs.setIsSet(false);
}

void VectorSpringForceField::springsOfEdges()
{
    const auto id =
        state1().isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position;
    const VecCoord& rest = state1().read(id);
    core::Vector<VectorSpring> springs;
    for (const auto& [a, b] : l_topology->edges()) {
        if (std::max(a, b) >= rest.size())
            throw std::runtime_error("the mesh has a point " + std::to_string(std::max(a, b)) + ", but the state '" +
                                     state1().pathName() + "' has only " + std::to_string(rest.size()));
        springs.push_back({a, b, d_stiffness.value(), d_viscosity.value(), rest[b] - rest[a]});
    }
    d_springs.setValue(std::move(springs));
    d_springs.setIsSet(false);
}

void VectorSpringForceField::check() const
{
    const auto& springs = d_springs.value();
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const bool first = springs[i].m1 >= state1().size();
        if (!first && springs[i].m2 < state2().size()) continue;
        const auto& s = first ? state1() : state2();
        throw std::runtime_error("spring " + std::to_string(i) + " joins point " +
                                 std::to_string(first ? springs[i].m1 : springs[i].m2) + " of '" + s.pathName() +
                                 "', which has " + std::to_string(s.size()) + " points");
    }
}

core::TopologyFollower::PointLists VectorSpringForceField::pointLists()
{
    return {{{pointsOf(state1()), {{&d_springs, core::ElementData::Kind::Kept}}}, {pointsOf(state2()), {}}}};
}

void VectorSpringForceField::followTopology(const core::TopologyChange& change)
{
    if (m_ofEdges) return springsOfEdges();
    if (!change.restores()) d_springs.setValue(springsLeft(d_springs.value(), change, state1(), state2()));
}

void VectorSpringForceField::addForce(const MechanicalParams&, VecDeriv& f1, VecDeriv& f2, const VecCoord& x1,
                                      const VecCoord& x2, const VecDeriv& v1, const VecDeriv& v2)
{
    check();
    for (const VectorSpring& s : d_springs.value()) {
        const Vec3 force = (x2[s.m2] - x1[s.m1] - s.restVector) * s.ks + (v2[s.m2] - v1[s.m1]) * s.kd;
        f1[s.m1] += force;
        f2[s.m2] -= force;
    }
}

void VectorSpringForceField::addBlocks(core::MatrixAccumulator& out, double VectorSpring::*factor) const
{
    const core::State<core::Vec3Types>&a = state1(), &b = state2();
    for (const VectorSpring& s : d_springs.value()) {
        const double k = s.*factor;
        if (k == 0.) continue;
        out.sink(a, a).addIdentity(s.m1, s.m1, -k, 3);
        out.sink(a, b).addIdentity(s.m1, s.m2, k, 3);
        out.sink(b, a).addIdentity(s.m2, s.m1, k, 3);
        out.sink(b, b).addIdentity(s.m2, s.m2, -k, 3);
    }
}

void VectorSpringForceField::buildStiffness(const MechanicalParams&, core::MatrixAccumulator& k)
{
    addBlocks(k, &VectorSpring::ks);
}

void VectorSpringForceField::buildDamping(const MechanicalParams&, core::MatrixAccumulator& b)
{
    if (hasDamping()) addBlocks(b, &VectorSpring::kd);
}

bool VectorSpringForceField::hasDamping() const
{
    if (compatibility() == core::Compatibility::Sofa) return false;
    const auto& springs = d_springs.value();
    return std::any_of(springs.begin(), springs.end(), [](const VectorSpring& s) { return s.kd != 0.; });
}

double VectorSpringForceField::potentialEnergy(const MechanicalParams&, const VecCoord& x1, const VecCoord& x2) const
{
    double energy = 0.;
    for (const VectorSpring& s : d_springs.value()) energy += 0.5 * s.ks * norm2(x2[s.m2] - x1[s.m1] - s.restVector);
    return energy;
}

void VectorSpringForceField::draw(core::DrawTool& tool)
{
    if (!l_state1 || !l_state2) return;
    const core::State<core::Vec3Types>&a = state1(), &b = state2();
    using core::DisplayFlags;
    if (!tool.shows(&a != &b ? DisplayFlags::InteractionForceFields : DisplayFlags::ForceFields)) return;
    auto ends = tool.scratch<Vec3>();
    for (const VectorSpring& s : d_springs.value()) {
        if (s.m1 >= a.size() || s.m2 >= b.size()) continue;
        ends.push_back(a.pointPosition(s.m1));
        ends.push_back(b.pointPosition(s.m2));
    }
    tool.lines(ends, core::plainStyle(core::Color(1.f, 0.f, 0.f), 3.f));
}

static const core::RegisterComponent registeredVectorSpringForceField =
    core::RegisterComponent("VectorSpringForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs between points of one or two states that keep the vector between their ends")
        .example("component/spring/RepulsiveSpringForceField.scn")
        .add<VectorSpringForceField>();

}  // namespace sofa::component
