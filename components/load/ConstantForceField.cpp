// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ConstantForceField.h"

#include <algorithm>
#include <numeric>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

template <class D>
ConstantForceField<D>::ConstantForceField()
{
    this->addAlias(d_indices, "points");
    this->addAlias(d_forces, "force");
    this->addAlias(d_showArrowSize, "arrowSizeCoef");
    for (const core::BaseData* d : std::initializer_list<core::BaseData*>{&d_indices, &d_forces, &d_totalForce})
        m_tracker.track(*d);
}

template <class D>
void ConstantForceField<D>::parse(core::ComponentDescription& desc)
{
    for (core::Attribute& a : desc.attributes)
        if (a.value.find_first_not_of(" \t\r\n") == std::string::npos) a.used = a.used || this->findData(a.name);
    Base::parse(desc);
}

template <class D>
void ConstantForceField<D>::init()
{
    Base::init();
    if (!this->isValid()) return;
    if (!core::resolveOrFind(l_topology, *this)) return;
    if (!d_forces.isSet() && !d_totalForce.isSet()) return this->fail("no force is given: set forces or totalForce");
    if (d_forces.isSet() && d_totalForce.isSet())
        this->msgWarning() << "both forces and totalForce are given: forces are used";
    m_fromTotal = !d_forces.isSet();
    m_all = d_indices.value().empty();
    m_points = this->state().size();
    distribute();
}

template <class D>
void ConstantForceField<D>::bwdInit()
{
    if (!this->isValid()) return;
    if (m_points != this->state().size()) {
        m_points = this->state().size();
        distribute();
    }
    const std::string error = indexError(m_points);
    if (!error.empty()) this->fail(error);
}

template <class D>
void ConstantForceField<D>::reinit()
{
    distribute();
}

template <class D>
core::TopologyFollower::PointLists ConstantForceField<D>::pointLists()
{
    if (followsAll()) return noLists();
    if (d_indexFromEnd.value()) return std::nullopt;
    constexpr auto kept = core::ElementData::Kind::Kept;
    return {{{pointsOf(this->state()), {{&d_indices, kept}, {&d_forces, kept}, {&d_totalForce, kept}}}}};
}

template <class D>
void ConstantForceField<D>::followTopology(const core::TopologyChange& change)
{
    m_points = this->state().size();
    if (followsAll()) return distribute();
    const auto source = change.source(pointsOf(this->state()));
    if (!change.restores() && !source.same) {
        const core::Vector<Index> now = source.inverse();
        const core::Vector<Index> points = d_indices.value();
        const VecDeriv before = d_forces.value();
        core::Vector<Index> left;
        VecDeriv forces;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (points[i] >= now.size() || now[points[i]] == core::InvalidIndex) continue;
            left.push_back(now[points[i]]);
            if (i < before.size()) forces.push_back(before[i]);
        }
        if (m_all) {
            VecDeriv all(m_points);
            for (std::size_t i = 0; i < left.size(); ++i) all[left[i]] = forces[i];
            m_single = false;
            forces = std::move(all);
        }
        d_indices.setValue(std::move(left));
        d_forces.setValue(std::move(forces));
        distribute();
    }
    m_tracker.changed();
}

template <class D>
bool ConstantForceField<D>::isSingle() const
{
    const auto& forces = d_forces.value();
    if (forces.size() == 1) return true;
    return m_single && !forces.empty() &&
           std::all_of(forces.begin(), forces.end(), [this](const Deriv& f) { return f == m_force; });
}

template <class D>
void ConstantForceField<D>::distribute()
{
    if (m_all) {
        const auto indices = d_indices.edit();
        indices->resize(m_points);
        std::iota(indices.begin(), indices.end(), Index(0));
    }
    const std::size_t n = d_indices.value().size();
    if (m_fromTotal) {
        m_force = n > 0 ? d_totalForce.value() / static_cast<double>(n) : Deriv();
        d_forces.edit()->assign(n, m_force);
    } else if (const auto& forces = d_forces.value(); isSingle()) {
        m_single = true;
        m_force = forces.front();
        d_forces.edit()->assign(n, m_force);
        d_totalForce.setValue(m_force * static_cast<double>(n));
    } else {
        m_single = false;
        if (forces.size() != n) {
            if (!this->tolerate("forces has " + std::to_string(forces.size()) + " values for " + std::to_string(n) +
                                    " points: give one, or one for each",
                                "the last one acts on all that have none") ||
                forces.empty())
                return;
            const Deriv last = forces.back();
            d_forces.edit()->resize(n, last);
        }
        Deriv sum;
        for (const Deriv& f : d_forces.value()) sum += f;
        d_totalForce.setValue(sum);
    }
    m_tracker.changed();
}

template <class D>
std::string ConstantForceField<D>::indexError(std::size_t points) const
{
    if (m_all) return {};
    for (const Index i : d_indices.value())
        if (i >= points)
            return "indices: point " + std::to_string(i) + " of '" + this->state().pathName() + "', which has " +
                   std::to_string(points) + " points";
    return {};
}

template <class D>
void ConstantForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    const bool resized = f.size() != m_points;
    if (m_tracker.changed() || resized) {
        m_points = f.size();
        distribute();
        const std::string error = this->isValid() ? indexError(m_points) : "the forces were changed to invalid ones";
        if (!error.empty()) throw std::runtime_error(this->pathName() + ": " + error);
    }
    const auto& forces = d_forces.value();
    for (std::size_t i = 0; i < forces.size(); ++i) f[pointOf(i, f.size())] += forces[i];
}

template <class D>
double ConstantForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const auto& forces = d_forces.value();
    double e = 0.;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const auto& p = x[pointOf(i, x.size())];
        if constexpr (D::isRigid) {
            e -= dot(D::linear(forces[i]), D::position(p));
            for (std::size_t k = D::spatialDimensions; k < D::derivSize; ++k)
                if (forces[i][k] != 0.) return std::numeric_limits<double>::quiet_NaN();
        } else {
            e -= dot(forces[i], p);
        }
    }
    return e;
}

template <class D>
void ConstantForceField<D>::draw(core::DrawTool& tool)
{
    const double scale = d_showArrowSize.value();
    if (!tool.shows(core::DisplayFlags::ForceFields) || scale == 0. || !this->l_state) return;
    const auto& x = this->state().positions();
    const auto& forces = d_forces.value();
    auto ends = tool.scratch<core::Vec3>();
    for (std::size_t i = 0; i < forces.size(); ++i) {
        if (!m_all && i >= d_indices.value().size()) break;
        const std::size_t k = pointOf(i, x.size());
        if (k >= x.size()) continue;
        const core::Vec3 p = D::position(x[k]), along = D::linear(forces[i]) * std::abs(scale);
        // Arrows that push end at the point.
        ends.push_back(scale > 0. ? p : p - along);
        ends.push_back(scale > 0. ? p + along : p);
    }
    core::drawArrows(tool, ends, 1. / 20., d_showColor.value());
}

static const core::RegisterComponent registeredConstantForceField =
    core::RegisterComponent("ConstantForceField", "ForceField", "Sofa.Component.MechanicalLoad")
        .help("Given forces on given points")
        .example("component/load/ConstantForceField.scn")
        .add<ConstantForceField, core::Vec3Types, core::Vec2Types, core::Vec1Types, core::Vec6Types, core::Rigid3Types,
             core::Rigid2Types>();

}  // namespace sofa::component
