// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/MouseSprings.h"

#include <cmath>

#include "core/visual/DrawElements.h"

namespace sofa::component {

namespace {

/// The new number of a point of a state; InvalidIndex if it is gone.
Index pointAfter(const TopologyChange& change, const BaseState& s, Index point)
{
    const Vector<Index> now = change.source(pointsOf(s)).inverse();
    return point < now.size() ? now[point] : now.empty() ? point : InvalidIndex;
}

}  // namespace

void MouseSprings::followTopology(const TopologyChange& change)
{
    for (Spring& s : springs) s.point = pointAfter(change, state(), s.point);
    std::erase_if(springs, [](const Spring& s) { return s.point == InvalidIndex; });
}

void MouseForce::followTopology(const TopologyChange& change) { point = pointAfter(change, state(), point); }

void MouseConstraint::followTopology(const TopologyChange& change) { point = pointAfter(change, state(), point); }

void MouseSprings::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord& x, const VecDeriv&)
{
    for (const Spring& s : springs)
        if (s.point < f.size()) f[s.point] += (s.anchor - x[s.point]) * s.stiffness;
}

void MouseSprings::buildStiffness(const MechanicalParams&, BlockSink& k)
{
    for (const Spring& s : springs)
        if (s.point < state().size()) k.add(s.point, s.point, Mat3::identity() * -s.stiffness);
}

double MouseSprings::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    double sum = 0.;
    for (const Spring& s : springs)
        if (s.point < x.size()) sum += 0.5 * s.stiffness * norm2(s.anchor - x[s.point]);
    return sum;
}

void MouseSprings::follow(const Vec3& target, double tau)
{
    m_target = target;
    m_tau = tau;
}

void MouseSprings::handleEvent(const Event& e)
{
    const auto* begin = dynamic_cast<const AnimateBeginEvent*>(&e);
    if (!begin || !(m_tau > 0.) || springs.empty()) return;
    // With y = a − t: y(h) = (y + (y′ + y/τ) h) e^{−h/τ}, y′(h) = (y′ − (y′ + y/τ) h/τ) e^{−h/τ}.
    const double h = begin->dt(), decay = std::exp(-h / m_tau);
    const Vec3 y = springs.front().anchor - m_target, slope = m_velocity + y / m_tau;
    const Vec3 anchor = m_target + (y + slope * h) * decay;
    m_velocity = (m_velocity - slope * (h / m_tau)) * decay;
    for (Spring& s : springs) s.anchor = anchor;
}

void MouseForce::addForce(const MechanicalParams&, VecDeriv& f, const VecCoord&, const VecDeriv&)
{
    if (point < f.size()) f[point] += force;
}

double MouseForce::potentialEnergy(const MechanicalParams&, const VecCoord& x) const
{
    return point < x.size() ? -dot(force, x[point]) : 0.;
}

void MouseForce::draw(DrawTool& tool)
{
    const double strength = norm(force);
    if (!l_state || point >= state().size() || !(strength > 0.)) return;
    const Vec3 x = state().pointPosition(point), along = force * (length / strength);
    const Vec3 ends[] = {pushes ? x - along : x, pushes ? x : x + along};
    DrawStyle style = litStyle(Color(1.f, 0.f, 0.f));
    style.layer = DrawStyle::Layer::Overlay;
    tool.arrows(ends, 0.03 * length, style);
}

void MouseConstraint::buildRows(const ConstraintParams&, ConstraintMatrix& h)
{
    if (point >= state().size()) return;
    const int first = h.addRows(3);
    for (std::size_t c = 0; c < 3; ++c) {
        Vec3 d;
        d[c] = 1.;
        h.add(state(), first + static_cast<int>(c), point, d);
    }
}

void MouseConstraint::violation(const ConstraintParams&, const MultiVecCoordId& x, std::span<double> d)
{
    if (d.empty()) return;
    const Vec3 gap = state().read(x.at(state()))[point] - anchor;
    for (std::size_t c = 0; c < 3; ++c) d[c] = gap[c];
}

void MouseSprings::draw(DrawTool& tool)
{
    if (!l_state) return;
    auto ends = tool.scratch<Vec3>();
    for (const Spring& s : springs) {
        if (s.point >= state().size()) continue;
        ends.push_back(state().pointPosition(s.point));
        ends.push_back(s.stiffness > 0. ? s.anchor : ends.back());  // one that does not pull marks its point
    }
    tool.lines(ends, plainStyle(Color(1.f, 0.f, 0.f), 3.f));
    tool.points(ends, plainStyle(Color(1.f, 0.f, 0.f), 6.f));
}

void MouseConstraint::draw(DrawTool& tool)
{
    if (!l_state || point >= state().size()) return;
    const Vec3 ends[] = {state().pointPosition(point), anchor};
    tool.lines(ends, plainStyle(Color(1.f, 0.f, 1.f), 3.f));
    tool.points(ends, plainStyle(Color(1.f, 0.f, 1.f), 6.f));
}

}  // namespace sofa::component
