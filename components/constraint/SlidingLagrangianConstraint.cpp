// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/SlidingLagrangianConstraint.h"

#include <algorithm>
#include <limits>

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace core;

template <class D>
void SlidingLagrangianConstraint<D>::bwdInit()
{
    if (!this->isValid()) return;
    const std::pair<const Data<Index>*, const State<D>*> points[] = {
        {&d_slidingPoint, &this->state1()}, {&d_axis1, &this->state2()}, {&d_axis2, &this->state2()}};
    for (const auto& [index, state] : points)
        if (index->value() >= state->size())
            return this->fail(index->name() + ": point " + std::to_string(index->value()) + " is not in " +
                              state->pathName() + ", which has " + std::to_string(state->size()) + " points");
}

template <class D>
TopologyFollower::PointLists SlidingLagrangianConstraint<D>::pointLists()
{
    constexpr auto kept = ElementData::Kind::Kept;
    return {{{pointsOf(this->state1()), {{&d_slidingPoint, kept}}},
             {pointsOf(this->state2()), {{&d_axis1, kept}, {&d_axis2, kept}}}}};
}

template <class D>
void SlidingLagrangianConstraint<D>::followTopology(const TopologyChange& change)
{
    if (change.restores()) return;
    const std::pair<Data<Index>*, const State<D>*> points[] = {
        {&d_slidingPoint, &this->state1()}, {&d_axis1, &this->state2()}, {&d_axis2, &this->state2()}};
    for (const auto& [index, state] : points) {
        const Vector<Index> now = change.source(pointsOf(*state)).renumbered({index->value()});
        if (change.source(pointsOf(*state)).same) continue;
        if (now.empty())
            throw std::runtime_error("'" + this->pathName() + "' (SlidingLagrangianConstraint): the point of " +
                                     index->name() + " would go");
        index->setValue(now[0]);
    }
}

template <class D>
void SlidingLagrangianConstraint<D>::buildRows(const ConstraintParams& params, ConstraintMatrix& h)
{
    constexpr double tiny = std::numeric_limits<double>::epsilon();
    State<D>&s1 = this->state1(), &s2 = this->state2();
    const Index i = d_slidingPoint.value(), ia = d_axis1.value(), ib = d_axis2.value();
    const auto& x2 = s2.read(params.freeX.at(s2));
    const Deriv p = s1.read(params.freeX.at(s1))[i], a = x2[ia], b = x2[ib];
    const double length = norm(b - a);
    m_held = length < tiny;
    if (m_held) {
        const int first = h.addRows(3);
        for (std::size_t k = 0; k < 3; ++k) {
            Deriv n;
            n[k] = 1.;
            m_directions[k] = n;
            h.add(s1, first + static_cast<int>(k), i, n);
            h.add(s2, first + static_cast<int>(k), ia, -n);
        }
        return;
    }
    const Deriv t = (b - a) / length;
    const double along = dot(p - a, t);
    m_beta = std::clamp(along / length, 0., 1.);
    Deriv across = p - (a + t * along);
    if (norm(across) < tiny) {
        across = cross(Deriv{1., 0., 0.}, t);
        if (norm(across) < tiny) across = cross(Deriv{1., 1., 0.}, t);
    }
    across = across / norm(across);
    const Deriv other = cross(across, t);
    m_directions = {across, other / norm(other), t, -t};
    const int first = h.addRows(4);
    for (std::size_t k = 0; k < 4; ++k) {
        const int row = first + static_cast<int>(k);
        const Deriv& n = m_directions[k];
        h.add(s1, row, i, n);
        if (k < 2) {
            h.add(s2, row, ia, -n * (1. - m_beta));
            h.add(s2, row, ib, -n * m_beta);
        } else {
            h.add(s2, row, k == 2 ? ia : ib, -n);
        }
    }
}

template <class D>
void SlidingLagrangianConstraint<D>::violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d)
{
    const State<D>&s1 = this->state1(), &s2 = this->state2();
    const auto& x2 = s2.read(x.at(s2));
    const Deriv p = s1.read(x.at(s1))[d_slidingPoint.value()], a = x2[d_axis1.value()], b = x2[d_axis2.value()];
    if (m_held) {
        for (std::size_t k = 0; k < 3; ++k) d[k] = p[k] - a[k];
        return;
    }
    const Deriv toAxis = p - (b * m_beta + a * (1. - m_beta));
    d[0] = dot(toAxis, m_directions[0]);
    d[1] = dot(toAxis, m_directions[1]);
    d[2] = dot(p - a, m_directions[2]);
    d[3] = dot(p - b, m_directions[3]);
}

template <class D>
void SlidingLagrangianConstraint<D>::laws(const ConstraintParams&, std::vector<ConstraintLaw*>& out)
{
    out.push_back(&m_bilateral[0]);
    out.push_back(&m_bilateral[1]);
    if (m_held) {
        out.push_back(&m_bilateral[2]);
    } else {
        out.push_back(&m_unilateral[0]);
        out.push_back(&m_unilateral[1]);
    }
}

template <class D>
void SlidingLagrangianConstraint<D>::storeForces(const ConstraintParams&, std::span<const double> lambda)
{
    Deriv f;
    for (std::size_t k = 0; k < lambda.size(); ++k) f += m_directions[k] * lambda[k];
    d_force.setValue(f);
}

template <class D>
void SlidingLagrangianConstraint<D>::draw(core::DrawTool& tool)
{
    if (!tool.shows(core::DisplayFlags::InteractionForceFields) || !this->l_state1 || !this->l_state2) return;
    const core::Index sliding[] = {d_slidingPoint.value()}, axis[] = {d_axis1.value(), d_axis2.value()};
    // Held at a segment without length, it cannot slide.
    const core::Color color = m_held ? core::Color(1.f, 1.f, 0.f) : core::Color(0.f, 1.f, 0.f);
    tool.points(core::drawnPoints(tool, this->state1(), sliding), core::plainStyle(color, 10.f));
    tool.lines(core::drawnPoints(tool, this->state2(), axis), core::plainStyle(core::Color(0.f, 0.f, 1.f)));
}

static const RegisterComponent registeredSlidingLagrangianConstraint =
    RegisterComponent("SlidingLagrangianConstraint", "LagrangianConstraint",
                      "Sofa.Component.Constraint.Lagrangian.Model")
        .help("Keeps a point of one object on a segment of another by constraint forces")
        .alias("SlidingConstraint")
        .example("component/constraint/SlidingLagrangianConstraint.scn")
        .add<SlidingLagrangianConstraint, Vec3Types>();

}  // namespace sofa::component
