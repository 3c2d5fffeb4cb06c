// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/EdgeSetController.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/behavior/BaseForceField.h"
#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"
#include "core/interaction/MouseWheelEvent.h"
#include "core/objectmodel/Archive.h"
#include "core/objectmodel/Node.h"
#include "core/topology/TopologyTransaction.h"
#include "core/visitor/StatePropagation.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

Index EdgeSetController::pointAt(Index place) const { return d_reversed.value() ? m_state->size() - 1 - place : place; }

Index EdgeSetController::start() const
{
    const auto n = static_cast<int>(m_state->size());
    const int i = d_startingIndex.value();
    return static_cast<Index>(std::clamp(i < 0 ? i + n : i, 0, n - 2));
}

Index EdgeSetController::edgeBetween(Index placeA, Index placeB) const
{
    return l_topology->edgeIndex(pointAt(placeA), pointAt(placeB));
}

double EdgeSetController::length() const { return std::accumulate(m_lengths.begin(), m_lengths.end(), 0.); }

/// What is wrong with the wire; empty if it is one.
std::string EdgeSetController::checkWire() const
{
    const Index n = m_state->size();
    const std::string where = "'" + l_topology->pathName() + "'";
    if (l_topology->nbPoints() != n)
        return where + " has " + std::to_string(l_topology->nbPoints()) + " points, but the state '" +
               m_state->pathName() + "' has " + std::to_string(n);
    if (n < 2) return "a wire has two points at least, " + where + " has " + std::to_string(n);
    for (Index i = 0; i + 1 < n; ++i)
        if (l_topology->edgeIndex(i, i + 1) == InvalidIndex)
            return where + " is no wire: there is no edge between points " + std::to_string(i) + " and " +
                   std::to_string(i + 1);
    if (l_topology->edges().size() != n - 1)
        return where + " is no wire: " + std::to_string(n) + " points have " + std::to_string(n - 1) + " edges, not " +
               std::to_string(l_topology->edges().size());
    return {};
}

void EdgeSetController::init()
{
    if (!resolveChangeable(l_topology, *this)) return;
    m_state = findMechanicalState<State<Rigid3Types>>(*node(), Search::Local);
    if (!m_state) return fail("it needs a state of type " + std::string(Rigid3Types::name()) + " in its node");
    if (!l_topology->node()->get<TopologyModifier>(Search::Local))
        return fail("the edges of '" + l_topology->pathName() +
                    "' cannot come and go: there is no topology modifier in its node");
    if (const std::string error = checkWire(); !error.empty()) return fail(error);
    const auto n = static_cast<int>(m_state->size());
    if (d_reversed.value() && d_startingIndex.value() != 0)
        return fail("startingIndex: only 0 is possible with reversed");
    if (d_startingIndex.value() < -n || d_startingIndex.value() >= n)
        return fail("startingIndex: there is no point " + d_startingIndex.text() + ", only " + std::to_string(n));
    if (!(d_minLength.value() <= d_maxLength.value())) return fail("minLength must not be above maxLength");
    m_state->allocate(vec_id::restPosition);
    const auto& rest = m_state->read(vec_id::restPosition);
    m_initialRest.assign(rest.begin(), rest.end());
    m_initialLengths.clear();
    for (Index i = 0; i + 1 < m_state->size(); ++i)
        m_initialLengths.push_back(norm(rest[pointAt(i + 1)].center - rest[pointAt(i)].center));
    if (const auto zero = std::ranges::find(m_initialLengths, 0.); zero != m_initialLengths.end()) {
        const auto i = static_cast<Index>(zero - m_initialLengths.begin());
        return fail("the edge between points " + std::to_string(pointAt(i)) + " and " + std::to_string(pointAt(i + 1)) +
                    " has no length at rest");
    }
    m_edgeLength = m_initialLengths.front();
    m_lengths = m_initialLengths;
    const RigidCoord3 &end = rest[pointAt(start())], &next = rest[pointAt(start() + 1)];
    const Vec3 direction = end.orientation.rotate(d_mainDirection.value()), edge = next.center - end.center;
    if (d_mainDirection.isSet() && !(std::abs(dot(direction, edge)) > 0.1 * norm(direction) * norm(edge)))
        return fail("mainDirection: " + d_mainDirection.text() + " of the frame of point " +
                    std::to_string(pointAt(start())) + " is across the wire, or zero");
    m_wanted = m_speedByKeys = 0.;
    m_stale = m_changing = false;
}

void EdgeSetController::reset()
{
    if (!isValid() || !m_state) return;
    m_wanted = m_speedByKeys = 0.;
    m_lengths = m_initialLengths;
    if (m_state->size() != m_initialRest.size()) return;
    const auto rest = m_state->write(vec_id::restPosition);
    std::ranges::copy(m_initialRest, rest.begin());
    m_stale = true;
}

void EdgeSetController::archive(Archive& a)
{
    a(m_lengths);
    a(m_wanted);
    a(m_speedByKeys);
    m_stale = m_stale || a.loading();
}

std::string EdgeSetController::refusal(const TopologyStep& step) const
{
    if (m_changing || step.kind == TopologyStep::Kind::Move) return {};
    const bool concerned = std::ranges::find(step.topologies, l_topology.get()) != step.topologies.end() &&
                           (step.type == ElementType::Points || step.type == ElementType::Edges);
    return concerned ? "only itself may change the wire" : std::string();
}

Vec3 EdgeSetController::along(Index place) const
{
    const auto& rest = m_state->read(vec_id::restPosition);
    const RigidCoord3 &a = rest[pointAt(place)], &b = rest[pointAt(place + 1)];
    const Vec3 edge = b.center - a.center;
    if (!d_mainDirection.isSet()) return edge / norm(edge);
    const Vec3 direction = a.orientation.rotate(d_mainDirection.value());
    // Scenes give it in either sense.
    return direction * ((dot(direction, edge) < 0. ? -1. : 1.) / norm(direction));
}

void EdgeSetController::move(double dt)
{
    const double speed = d_speed.value() + m_speedByKeys;
    m_wanted += speed * dt;
    if (m_wanted == 0.) return;
    const double limit = d_maxDepl.value();
    const Index s = start();
    double d = limit > 0. ? std::clamp(m_wanted, -limit, limit) : m_wanted;
    d = std::max(d, -0.75 * m_lengths[s]);  // the edge keeps a length, and becomes one with the next
    m_wanted -= d;
    const double now = length();
    d = std::clamp(d, std::min(0., d_minLength.value() - now), std::max(0., d_maxLength.value() - now));
    if (d == 0.) return;
    const Vec3 shift = along(s) * -d;
    {
        const auto rest = m_state->write(vec_id::restPosition);
        for (Index i = 0; i <= s; ++i) rest[pointAt(i)].center += shift;
    }
    m_lengths[s] += d;
    changeEdges();
    refresh();
    projectState(*node());
    propagateState(*node());
}

void EdgeSetController::changeEdges()
{
    const Index s = start();
    m_changing = true;
    try {
        if (m_lengths[s] > 2. * m_edgeLength) divide(s);
        if (m_lengths[s] < 0.5 * m_edgeLength && s + 2 < m_state->size()) join(s);
    } catch (const std::runtime_error& e) {
        m_changing = false;
        throw std::runtime_error("'" + pathName() + "': the wire cannot change: " + e.what());
    }
    m_changing = false;
}

/// New numbers of the points, by their place.
Vector<Index> EdgeSetController::inOrder(const Vector<Index>& byPlace) const
{
    Vector<Index> now(byPlace.size());
    for (Index i = 0; i < byPlace.size(); ++i) now[byPlace[i]] = pointAt(i);
    return now;
}

void EdgeSetController::divide(Index place)
{
    const Index a = pointAt(place), b = pointAt(place + 1), e = edgeBetween(place, place + 1);
    const Edge edge = l_topology->edges()[e];
    const double half = 0.5 * m_lengths[place];
    RigidCoord3 middle = m_state->read(vec_id::restPosition)[a];
    middle.center += along(place) * half;
    Vector<Index> byPlace;
    for (Index i = 0; i < m_state->size(); ++i) byPlace.push_back(pointAt(i));

    TopologyTransaction change(topology());
    const Index p = change.addPoints({{{a, 0.5}, {b, 0.5}}});
    m_state->write(vec_id::restPosition)[p] = middle;
    change.add(ElementType::Edges, std::array{edge[0], p, p, edge[1]}, {{{e, 1.}}, {{e, 1.}}});
    change.remove(ElementType::Edges, {e});
    byPlace.insert(byPlace.begin() + place + 1, p);
    change.renumberPoints(inOrder(byPlace));
    change.commit();
    m_lengths[place] = half;
    m_lengths.insert(m_lengths.begin() + place, half);
}

void EdgeSetController::join(Index place)
{
    const Index p = pointAt(place + 1), first = edgeBetween(place, place + 1),
                second = edgeBetween(place + 1, place + 2);
    const Edge edge = l_topology->edges()[first];
    const Index other = pointAt(place + 2);
    const Edge joined = edge[0] == p ? Edge{other, edge[1]} : Edge{edge[0], other};
    Vector<Index> byPlace;
    for (Index i = 0; i < m_state->size(); ++i) byPlace.push_back(pointAt(i));

    TopologyTransaction change(topology());
    change.add(ElementType::Edges, joined, {{{first, 0.5}, {second, 0.5}}});
    change.remove(ElementType::Edges, {first, second});
    // It goes with its edges unless the modifier keeps it; the last one takes its number.
    const auto last = static_cast<Index>(byPlace.size() - 1);
    if (l_topology->nbPoints() > last) change.removePoints({p});
    byPlace.erase(byPlace.begin() + place + 1);
    for (Index& i : byPlace)
        if (i == last) i = p;
    change.renumberPoints(inOrder(byPlace));
    change.commit();
    m_lengths[place + 1] += m_lengths[place];
    m_lengths.erase(m_lengths.begin() + place);
}

void EdgeSetController::refresh()
{
    m_stale = false;
    for (auto* f : node()->getAll<BaseForceField>(Search::Local)) f->reinit();
}

void EdgeSetController::handleEvent(const Event& e)
{
    if (!isValid() || !m_state) return;
    if (const auto* k = dynamic_cast<const KeyEvent*>(&e); k && k->pressed()) {
        const double step = d_step.value();
        switch (k->key()) {
            case '+':
                m_wanted += 2. * step;
                break;
            case '-':
                m_wanted -= 2. * step;
                break;
            case '*':
                m_speedByKeys += 10. * step;
                break;
            case '/':
                m_speedByKeys -= 10. * step;
                break;
            case '0':
                m_speedByKeys = -d_speed.value();
                break;
            default:
                break;
        }
    } else if (const auto* wheel = dynamic_cast<const MouseWheelEvent*>(&e)) {
        m_wanted += d_step.value() * wheel->notches();
    } else if (const auto* begin = dynamic_cast<const AnimateBeginEvent*>(&e)) {
        if (m_stale) refresh();
        move(begin->dt());
    }
}

void EdgeSetController::draw(DrawTool& tool)
{
    if (!tool.shows(DisplayFlags::BehaviorModels) || !m_state || !l_topology) return;
    drawEdges(tool, {l_topology->edges().data(), l_topology->edges().size()}, drawnPoints(tool, *m_state),
              Color(1.f, 1.f, 0.f, 1.f));
}

static const RegisterComponent registeredEdgeSetController =
    RegisterComponent("EdgeSetController", "Controller", "Sofa.Component.Controller")
        .help("Pushes a wire out of one end or pulls it in, edge by edge")
        .example("component/interaction/EdgeSetController.scn")
        .add<EdgeSetController>();

}  // namespace sofa::component
