// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/BezierDegreeController.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "core/behavior/Momentum.h"
#include "core/behavior/ProjectiveConstraint.h"
#include "core/factory/Registry.h"
#include "core/fem/elements/RecoveredGradients.h"
#include "core/log/Timer.h"
#include "core/objectmodel/DefaultLink.h"
#include "core/objectmodel/Event.h"
#include "core/objectmodel/Node.h"
#include "core/topology/TopologyTransaction.h"
#include "core/visitor/StatePropagation.h"

namespace sofa::component {

void BezierDegreeController::init()
{
    Component::init();
    StoredTopology* topology = resolveChangeable(l_topology, *this);
    if (!topology) return;
    if (!dynamic_cast<const BezierTopology*>(topology))
        return fail("the topology '" + topology->pathName() +
                    "' has edges of one degree only; a BezierTetrahedronSetTopologyContainer has both");
    if (!resolveOrNeed(l_forceField, *this)) return;
    if (!node()->get<BaseMass>(Search::Local)) return fail("it needs a mass in its node");
    if (d_interval.value() == 0) return fail("interval is 0: a test at most every step");
    if (!(d_lowerBelow.value() < d_raiseAbove.value()))
        return fail("lowerBelow is not less than raiseAbove: edges would change at every test");
    count();
}

void BezierDegreeController::count()
{
    Index n = 0;
    if (mesh())
        for (const Index c : mesh()->edgeControlPoints()) n += c != InvalidIndex;
    d_nbQuadratic.setValue(n);
}

void BezierDegreeController::reset()
{
    m_steps = 0;
    if (isValid()) count();
}

void BezierDegreeController::archive(Archive& a)
{
    a(m_steps);
    if (a.loading() && isValid()) count();
}

bool BezierDegreeController::canWork() const
{
    return isValid() && mesh() && l_forceField && l_forceField->isValid() && l_forceField->l_state &&
           node()->get<BaseMass>(Search::Local);
}

void BezierDegreeController::handleEvent(const Event& e)
{
    if (!dynamic_cast<const AnimateBeginEvent*>(&e) || !canWork()) return;
    if (m_steps++ % d_interval.value() != 0) return;
    const ScopedTimer timer("Degree");
    const Vector<Index> edges = test();
    if (edges.empty()) return;
    change(edges);
    // Embedded points and the Jacobians of their mappings are those of the last step.
    propagateState(*node());
    count();
}

void BezierDegreeController::findBends()
{
    const Vector<Index>& control = mesh()->edgeControlPoints();
    const Vector<Edge>& edges = l_topology->edges();
    const Vector<Vec3>& x = state().positions();
    const Vector<Vec3>& rest =
        state().read(state().isAllocated(vec_id::restPosition) ? vec_id::restPosition : vec_id::position);
    recoverGradients(mesh()->bezierTetrahedra(), mesh()->middlePoints(), rest, x, m_gradients);
    l_forceField->middleForces(x, m_forces);
    const Vector<double>& stiffness = l_forceField->mechanics().middleStiffness();
    if (m_forces.size() != mesh()->middlePoints().ends.size())
        throw std::runtime_error("'" + pathName() + "': '" + l_forceField->pathName() + "' acts on another mesh");
    constexpr double othersGiveWay = 1.5;
    m_bends.resize(edges.size());
    std::size_t middle = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const auto& [a, b] = edges[e];
        const Vec3 edge = rest[b] - rest[a];
        if (control[e] != InvalidIndex) {
            m_bends[e] = 0.5 * norm(x[control[e]] - (x[a] + x[b]) * 0.5) / norm(edge);
            continue;
        }
        const double recovered = norm((m_gradients[b] - m_gradients[a]) * edge) / 8.,
                     hierarchical = othersGiveWay * 0.5 * norm(m_forces[middle]) / stiffness[middle];
        m_bends[e] = std::max(recovered, hierarchical) / norm(edge);
        ++middle;
    }
}

Vector<Index> BezierDegreeController::test()
{
    findBends();
    double raiseAbove = d_raiseAbove.value(), lowerBelow = d_lowerBelow.value();
    if (d_share.value() < 1.) {
        double wanted = 0., sum = 0.;
        m_sorted.clear();
        for (const double bend : m_bends) {
            wanted += d_share.value() * bend * bend;
            if (bend > raiseAbove) m_sorted.push_back(bend);
        }
        std::ranges::sort(m_sorted, std::greater<>());
        std::size_t n = 0;
        while (n < m_sorted.size() && (n == 0 || sum < wanted)) {
            sum += m_sorted[n] * m_sorted[n];
            ++n;
        }
        // Edges that bend as much as the last one, but for rounding, get degree 2 with it: shapes stay symmetric.
        const double larger = n > 0 && sum >= wanted ? std::max(1., (1. - 1e-6) * m_sorted[n - 1] / raiseAbove) : 1.;
        if (std::isfinite(larger)) {
            raiseAbove *= larger;
            lowerBelow *= larger;
        }
    }
    Vector<Index> edges;
    const Vector<Index>& control = mesh()->edgeControlPoints();
    for (Index e = 0; e < control.size(); ++e)
        if (control[e] == InvalidIndex ? m_bends[e] > raiseAbove : m_bends[e] < lowerBelow) edges.push_back(e);
    return edges;
}

void BezierDegreeController::change(const Vector<Index>& edges)
{
    const auto& control = mesh()->edgeControlPoints();
    BaseMass& mass = *node()->get<BaseMass>(Search::Local);
    const Vec6 momentum = mass.momentum(MechanicalParams());
    Vector<Vec3>& v = *state().write(vec_id::velocity);
    const Vector<Vec3> before = v;
    // Where the mass is on the diagonal, new control points turn with their ends, but nearer to the axis.
    bool keepsMomentum = !mass.isDiagonal();
    std::map<Index, std::pair<double, Vec3>> given;  // mass and momentum, by end
    for (const Index e : edges) {
        if (control[e] == InvalidIndex) continue;
        keepsMomentum = false;
        const double half = 0.5 * mass.pointMass(control[e]);
        for (const Index end : l_topology->edges()[e]) {
            auto& [part, impulse] = given[end];
            part += half;
            impulse += v[control[e]] * half;
        }
    }
    for (const auto& [end, gift] : given) {
        const double own = mass.pointMass(end);
        v[end] = (v[end] * own + gift.second) / (own + gift.first);
    }
    try {
        changeDegrees(dynamic_cast<StoredTopology&>(*l_topology.get()), edges);
    } catch (const std::runtime_error& e) {
        *state().write(vec_id::velocity) = before;
        throw std::runtime_error("'" + pathName() + "': degrees cannot be changed: " + e.what());
    }
    if (keepsMomentum) return;
    std::vector<BaseProjectiveConstraint*> constraints = node()->getAll<BaseProjectiveConstraint>(Search::Root);
    std::erase_if(constraints, [&](const BaseProjectiveConstraint* c) {
        const auto states = c->states();
        return !c->isActive() || std::ranges::find(states, &state()) == states.end();
    });
    for (BaseProjectiveConstraint* c : constraints) c->projectVelocity(MechanicalParams(), vec_id::velocity);
    if (constraints.empty()) giveMomentum(state(), mass, momentum);
}

static const RegisterComponent registeredBezierDegreeController =
    RegisterComponent("BezierDegreeController", "Controller", "Sofa.Component.Controller")
        .help("Chooses the degree of the edges of a Bézier mesh while it moves: 2 where they bend, 1 elsewhere")
        .example("component/fem/BezierDegreeController.scn")
        .add<BezierDegreeController>();

}  // namespace sofa::component
