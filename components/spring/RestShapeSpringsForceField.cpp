// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/RestShapeSpringsForceField.h"

#include <algorithm>
#include <numeric>

#include "core/factory/Registry.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;
using core::MechanicalParams;

template <class D>
RestShapeSpringsForceField<D>::RestShapeSpringsForceField()
{
    for (const char* name : {"damping", "angularDamping"})
        this->ignoreAttribute(name, "the springs have no damping; use rayleighStiffness");
    m_tracker.track(d_points);
    m_tracker.track(d_externalPoints);
    m_tracker.track(d_stiffness);
    m_tracker.track(d_angularStiffness);
    m_tracker.track(d_activeDirections);
}

template <class D>
void RestShapeSpringsForceField<D>::parse(core::ComponentDescription& desc)
{
    if (core::Attribute* a = desc.find("external_rest_shape"); a && !a->value.empty() && a->value[0] != '@') {
        this->message(core::Severity::Deprecated,
                      "external_rest_shape is a link: write \"@" + a->value + "\" instead of \"" + a->value + '"',
                      a->where);
        a->value.insert(0, 1, '@');
    }
    Base::parse(desc);
}

template <class D>
void RestShapeSpringsForceField<D>::bwdInit()
{
    if (!this->isValid()) return;
    std::string error;
    if (!l_externalState.resolve(error)) return this->fail("external_rest_shape: " + error);
    if (!core::resolveOrFind(l_topology, *this)) return;
    if (d_stiffness.value().empty()) d_stiffness.setValue({100.});
    if (D::isRigid) {
        // As many as stiffnesses; missing ones are 100.
        const auto a = d_angularStiffness.edit();
        a->resize(d_stiffness.value().size(), 100.);
    }
    findPoints();
}

template <class D>
void RestShapeSpringsForceField<D>::reinit()
{
    findPoints();
}

template <class D>
core::TopologyFollower::PointLists RestShapeSpringsForceField<D>::pointLists()
{
    if (takesAll()) {
        if (l_externalState) return std::nullopt;
        return {{{pointsOf(this->state()), {{&d_stiffness}, {&d_angularStiffness}}}}};
    }
    if (l_externalState && d_externalPoints.value().empty() && !m_emptied) return std::nullopt;
    constexpr auto kept = core::ElementData::Kind::Kept;
    std::vector<core::ElementLists> lists{
        {pointsOf(this->state()),
         {{&d_points, kept}, {&d_externalPoints, kept}, {&d_stiffness, kept}, {&d_angularStiffness, kept}}}};
    if (l_externalState) lists.push_back({pointsOf(*l_externalState), {}});
    return lists;
}

template <class D>
void RestShapeSpringsForceField<D>::followTopology(const core::TopologyChange& change)
{
    if (change.restores()) m_emptied = false;
    if (change.restores() || takesAll()) return findPoints();
    const core::State<D>& targetState = l_externalState ? *l_externalState : this->state();
    const auto ofPoints = change.source(pointsOf(this->state())), ofTargets = change.source(pointsOf(targetState));
    const core::Vector<Index> now = ofPoints.inverse(), targetsNow = ofTargets.inverse();
    const auto renumbered = [](Index i, const core::Vector<Index>& numbers) {
        return numbers.empty() ? i : numbers.at(i);
    };
    const core::Vector<double> stiffness = d_stiffness.value(), angular = d_angularStiffness.value();
    core::Vector<Index> points, external;
    core::Vector<double> k, kAngular;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Index p = renumbered(m_points[i], now), q = renumbered(m_targets[i], targetsNow);
        if (p == core::InvalidIndex || q == core::InvalidIndex) continue;
        points.push_back(p);
        external.push_back(q);
        if (!stiffness.empty()) k.push_back(i < stiffness.size() ? stiffness[i] : stiffness.front());
        if (!angular.empty()) kAngular.push_back(i < angular.size() ? angular[i] : angular.front());
    }
    m_emptied = points.empty();
    if (l_externalState) d_externalPoints.setValue(std::move(external));
    d_points.setValue(std::move(points));
    if (!m_emptied && stiffness.size() > 1) d_stiffness.setValue(std::move(k));
    if (!m_emptied && angular.size() > 1) d_angularStiffness.setValue(std::move(kAngular));
    findPoints();
}

template <class D>
const typename D::VecCoord& RestShapeSpringsForceField<D>::targets() const
{
    if (l_externalState) return l_externalState->positions();
    const core::State<D>& s = this->state();
    return s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
}

template <class D>
void RestShapeSpringsForceField<D>::findPoints()
{
    const std::size_t points = this->state().size(), targetPoints = targets().size();
    const auto all = [](std::size_t n) {
        core::Vector<Index> v(n);
        std::iota(v.begin(), v.end(), Index(0));
        return v;
    };
    if (!d_points.value().empty()) m_emptied = false;
    m_points = takesAll() ? all(points) : d_points.value();
    if (!l_externalState)
        m_targets = m_points;
    else
        m_targets = d_externalPoints.value().empty() && !m_emptied ? all(targetPoints) : d_externalPoints.value();
    m_sizes[0] = points;
    m_sizes[1] = targetPoints;
    m_tracker.changed();
    if (m_points.size() != m_targets.size()) {
        if (!this->tolerate(std::to_string(m_points.size()) + " points cannot be pulled to " +
                                std::to_string(m_targets.size()) + " points of external_rest_shape: set points and " +
                                "external_points to lists of equal length",
                            "the shorter list counts"))
            return;
        const std::size_t pairs = std::min(m_points.size(), m_targets.size());
        m_points.resize(pairs);
        m_targets.resize(pairs);
    }
    m_diagonals.resize(m_points.size());
    for (std::size_t i = 0; i < m_points.size(); ++i) m_diagonals[i] = diagonal(i);
    const auto check = [&](const core::Vector<Index>& list, std::size_t n, const char* name) {
        for (const Index i : list)
            if (i >= n) {
                this->fail(std::string(name) + ": there is no point " + std::to_string(i) + ", only " +
                           std::to_string(n) + " points");
                return false;
            }
        return true;
    };
    if (check(m_points, points, "points"))
        check(m_targets, targetPoints, l_externalState ? "external_points" : "points");
}

template <class D>
typename D::Deriv RestShapeSpringsForceField<D>::diagonal(std::size_t spring) const
{
    const auto of = [spring](const core::Vector<double>& list) {
        if (list.empty()) return 0.;
        return spring < list.size() ? list[spring] : list.front();
    };
    const double k = of(d_stiffness.value());
    const auto& active = d_activeDirections.value();
    Deriv d;
    for (std::size_t i = 0; i < Position::size; ++i) d[i] = active[i] ? k : 0.;
    if constexpr (D::isRigid) {
        const double angular = of(d_angularStiffness.value());
        for (std::size_t i = Position::size; i < D::derivSize; ++i) d[i] = active[i] ? angular : 0.;
    }
    return d;
}

template <class D>
void RestShapeSpringsForceField<D>::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    const VecCoord& target = targets();
    const bool resized = x.size() != m_sizes[0] || target.size() != m_sizes[1];
    if (m_tracker.changed() || (resized && d_recomputeIndices.value())) {
        findPoints();
        if (!this->isValid()) throw std::runtime_error(this->pathName() + ": the points were changed to invalid ones");
    }
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Deriv d = D::difference(x[m_points[i]], target[m_targets[i]]);
        const Deriv& k = m_diagonals[i];
        Deriv& out = f[m_points[i]];
        for (std::size_t j = 0; j < D::derivSize; ++j) out[j] -= d[j] * k[j];
    }
}

template <class D>
void RestShapeSpringsForceField<D>::addDForce(const MechanicalParams& mp, const core::MultiVecDerivId& df)
{
    const double factor = mp.stiffnessFactor(this->d_rayleighStiffness.value());
    core::State<D>& s = this->state();
    const auto out = s.write(df.at(s));
    const VecDeriv& dx = s.read(mp.dx.at(s));
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Deriv& k = m_diagonals[i];
        const Deriv& d = dx[m_points[i]];
        for (std::size_t j = 0; j < D::derivSize; ++j) out[m_points[i]][j] -= d[j] * k[j] * factor;
    }
}

template <class D>
void RestShapeSpringsForceField<D>::buildStiffness(const MechanicalParams&, core::BlockSink& sink)
{
    using Block = core::Mat<D::derivSize, D::derivSize>;
    for (std::size_t i = 0; i < m_points.size(); ++i)
        sink.add(m_points[i], m_points[i], Block::diagonal(-m_diagonals[i]));
}

template <class D>
double RestShapeSpringsForceField<D>::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    const VecCoord& target = targets();
    double energy = 0.;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Deriv d = D::difference(x[m_points[i]], target[m_targets[i]]);
        const Deriv& k = m_diagonals[i];
        for (std::size_t j = 0; j < D::derivSize; ++j) energy += 0.5 * k[j] * d[j] * d[j];
    }
    // The torque of single directions of a rotation vector has no potential.
    if constexpr (D::isRigid) {
        const auto& active = d_activeDirections.value();
        const bool some = active[3] || active[4] || active[5], allThree = active[3] && active[4] && active[5];
        if (some && !allThree) return std::numeric_limits<double>::quiet_NaN();
    }
    return energy;
}

template <class D>
void RestShapeSpringsForceField<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::ForceFields) || !d_drawSpring.value() || !this->l_state) return;
    const auto &x = this->state().positions(), &target = targets();
    auto ends = tool.scratch<core::Vec3>();
    for (std::size_t i = 0; i < m_points.size() && i < m_targets.size(); ++i) {
        if (m_points[i] >= x.size() || m_targets[i] >= target.size()) continue;
        ends.push_back(D::position(x[m_points[i]]));
        ends.push_back(D::position(target[m_targets[i]]));
    }
    tool.lines(ends, core::plainStyle(d_springColor.value(), 5.f));
}

template class RestShapeSpringsForceField<core::Vec1Types>;
template class RestShapeSpringsForceField<core::Vec3Types>;
template class RestShapeSpringsForceField<core::Rigid3Types>;

static const core::RegisterComponent registeredRestShapeSpringsForceField =
    core::RegisterComponent("RestShapeSpringsForceField", "ForceField", "Sofa.Component.SolidMechanics.Spring")
        .help("Springs that pull points to their rest positions or to another state")
        .example("component/spring/RestShapeSpringsForceField.scn")
        .add<RestShapeSpringsForceField, core::Vec3Types, core::Vec1Types, core::Rigid3Types>();

}  // namespace sofa::component
