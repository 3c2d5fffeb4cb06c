// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/LinearForceField.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/objectmodel/Node.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

template <class D>
void LinearForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!core::resolveOrFind(l_topology, *this)) return;
    const auto& times = d_times.value();
    if (times.size() != d_forces.value().size())
        return this->fail("times has " + std::to_string(times.size()) + " keys and forces has " +
                          std::to_string(d_forces.value().size()) + ": give a force for each time");
    if (std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) != times.end())
        return this->fail("times must increase: " + d_times.text());
}

template <class D>
void LinearForceField<D>::bwdInit()
{
    if (!this->isValid()) return;
    for (const Index i : d_points.value())
        if (i >= this->state().size())
            return this->fail("points: point " + std::to_string(i) + " of '" + this->state().pathName() +
                              "', which has " + std::to_string(this->state().size()) + " points");
}

template <class D>
typename D::Deriv LinearForceField<D>::currentForce() const
{
    const auto& times = d_times.value();
    const VecDeriv& forces = d_forces.value();
    const std::size_t n = std::min(times.size(), forces.size());
    const double t = this->node()->time();
    if (n == 0 || t < times.front()) return {};
    if (t >= times[n - 1]) return forces[n - 1];
    const auto next = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
    const Deriv slope = (forces[next] - forces[next - 1]) * (1. / (times[next] - times[next - 1]));
    return (slope * (t - times[next - 1]) + forces[next - 1]) * d_force.value();
}

template <class D>
void LinearForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    const Deriv force = currentForce();
    for (const Index i : d_points.value()) f.at(i) += force;
}

template <class D>
double LinearForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const Deriv force = currentForce();
    double energy = 0.;
    for (const Index i : d_points.value()) {
        if constexpr (D::isRigid) {
            energy -= dot(D::linear(force), D::position(x[i]));
            if (D::angular(force) != core::Vec3()) return std::numeric_limits<double>::quiet_NaN();
        } else {
            energy -= dot(force, x[i]);
        }
    }
    return energy;
}

template <class D>
void LinearForceField<D>::draw(core::DrawTool& tool)
{
    const double scale = d_arrowSizeCoef.value();
    if (!tool.shows(core::DisplayFlags::ForceFields) || scale == 0. || !this->l_state) return;
    const core::Vec3 along = D::linear(currentForce()) * scale;
    auto ends = tool.scratch<core::Vec3>();
    for (const core::Vec3& p : core::drawnPoints(tool, this->state(), d_points.value())) {
        ends.push_back(p);
        ends.push_back(p + along);
    }
    core::drawArrows(tool, ends, 1. / 20., core::Color(1.f, 0.4f, 0.4f));
}

static const core::RegisterComponent registeredLinearForceField =
    core::RegisterComponent("LinearForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("A force that is linear in time between keys")
        .example("component/load/LinearForceField.scn")
        .add<LinearForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types, core::Rigid3Types>();

}  // namespace sofa::component
