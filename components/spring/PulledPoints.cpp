// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/PulledPoints.h"

#include <algorithm>
#include <numeric>

#include "core/objectmodel/DefaultLink.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using core::Index;

template <class D>
PulledPoints<D>::PulledPoints()
{
    m_tracker.track(d_points);
    m_tracker.track(d_externalPoints);
}

template <class D>
void PulledPoints<D>::parse(core::ComponentDescription& desc)
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
void PulledPoints<D>::bwdInit()
{
    if (!this->isValid()) return;
    std::string error;
    if (!l_externalState.resolve(error)) return this->fail("external_rest_shape: " + error);
    if (!core::resolveOrFind(l_topology, *this)) return;
    findPoints();
}

template <class D>
void PulledPoints<D>::reinit()
{
    findPoints();
}

template <class D>
core::TopologyFollower::PointLists PulledPoints<D>::pointLists()
{
    const Values lists = values();
    const std::vector<core::BaseData*> further = furtherLists();
    if (takesAll()) {
        if (l_externalState || !further.empty()) return std::nullopt;
        return {{{pointsOf(this->state()), {lists.begin(), lists.end()}}}};
    }
    if (l_externalState && d_externalPoints.value().empty() && !m_emptied) return std::nullopt;
    constexpr auto kept = core::ElementData::Kind::Kept;
    std::vector<core::ElementData> data{{&d_points, kept}, {&d_externalPoints, kept}};
    for (auto* list : lists) data.emplace_back(list, kept);
    for (auto* list : further) data.emplace_back(list, kept);
    std::vector<core::ElementLists> all{{pointsOf(this->state()), std::move(data)}};
    if (l_externalState) all.push_back({pointsOf(*l_externalState), {}});
    return all;
}

template <class D>
void PulledPoints<D>::followTopology(const core::TopologyChange& change)
{
    if (change.restores()) m_emptied = false;
    if (change.restores() || takesAll()) return findPoints();
    const core::State<D>& targetState = l_externalState ? *l_externalState : this->state();
    const auto ofPoints = change.source(pointsOf(this->state())), ofTargets = change.source(pointsOf(targetState));
    const core::Vector<Index> now = ofPoints.inverse(), targetsNow = ofTargets.inverse();
    const auto renumbered = [](Index i, const core::Vector<Index>& numbers) {
        return numbers.empty() ? i : numbers.at(i);
    };
    core::Vector<Index> points, external, left;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const Index p = renumbered(m_points[i], now), q = renumbered(m_targets[i], targetsNow);
        if (p == core::InvalidIndex || q == core::InvalidIndex) continue;
        points.push_back(p);
        external.push_back(q);
        left.push_back(static_cast<Index>(i));
    }
    m_emptied = points.empty();
    if (l_externalState) d_externalPoints.setValue(std::move(external));
    d_points.setValue(std::move(points));
    if (!m_emptied) {
        for (auto* list : values()) {
            if (list->value().size() <= 1) continue;
            core::Vector<double> those;
            for (const Index i : left) those.push_back(valueOf(list->value(), i));
            list->setValue(std::move(those));
        }
        keepSprings(left);
    }
    findPoints();
}

template <class D>
const typename D::VecCoord& PulledPoints<D>::targets() const
{
    if (l_externalState) return l_externalState->positions();
    const core::State<D>& s = this->state();
    return s.read(s.isAllocated(core::vec_id::restPosition) ? core::vec_id::restPosition : core::vec_id::position);
}

template <class D>
double PulledPoints<D>::valueOf(const core::Vector<double>& list, std::size_t spring)
{
    if (list.empty()) return 0.;
    return spring < list.size() ? list[spring] : list.front();
}

template <class D>
void PulledPoints<D>::findPoints()
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
    const auto check = [&](const core::Vector<Index>& list, std::size_t n, const char* name) {
        for (const Index i : list)
            if (i >= n) {
                this->fail(std::string(name) + ": there is no point " + std::to_string(i) + ", only " +
                           std::to_string(n) + " points");
                return false;
            }
        return true;
    };
    if (check(m_points, points, "points") &&
        check(m_targets, targetPoints, l_externalState ? "external_points" : "points"))
        springsFound();
}

template <class D>
void PulledPoints<D>::updateSprings()
{
    const bool resized = this->state().size() != m_sizes[0] || targets().size() != m_sizes[1];
    if (!m_tracker.changed() && !(resized && d_recomputeIndices.value())) return;
    findPoints();
    if (!this->isValid()) throw std::runtime_error(this->pathName() + ": the points were changed to invalid ones");
}

template <class D>
void PulledPoints<D>::draw(core::DrawTool& tool)
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

template class PulledPoints<core::Vec1Types>;
template class PulledPoints<core::Vec3Types>;
template class PulledPoints<core::Rigid3Types>;

}  // namespace sofa::component
