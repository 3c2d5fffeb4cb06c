// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/SleepingBodies.h"

#include <algorithm>
#include <stdexcept>

#include "components/animation/StepPhases.h"
#include "core/behavior/LagrangianConstraint.h"
#include "core/math/Fingerprint.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

namespace {

std::span<const double> scalarsOf(const BaseState& s, VecDerivId v) { return {s.scalars(v), s.derivScalars()}; }

bool isZero(const BaseState& s, VecDerivId v)
{
    return std::ranges::all_of(scalarsOf(s, v), [](double x) { return x == 0.; });
}

/// Numbers of positions of a state, and of positions with velocities.
std::size_t coords(const BaseState& s) { return s.size() * s.coordSize(); }
std::size_t pairs(const BaseState& s) { return coords(s) + s.derivScalars(); }

}  // namespace

void SleepingBodies::clear()
{
    m_target = nullptr;
    m_units.clear();
    m_known.clear();
    m_asleep.clear();
}

int SleepingBodies::count() const
{
    const auto sleeps = [](const Unit& u) { return u.memory.phase == Phase::Asleep; };
    const auto known = std::ranges::count_if(m_known, [&](const auto& entry) { return sleeps(entry.second); });
    return static_cast<int>(std::ranges::count_if(m_units, sleeps) + known);
}

void SleepingBodies::collect(Node& target)
{
    if (m_target == &target && m_version == target.version()) return;
    for (Unit& u : m_units) m_known[u.memory.id] = std::move(u);
    m_units.clear();
    m_unitOf.clear();
    m_unitsBehind.clear();
    const auto add = [this](ObjectId id, Node* node, std::vector<BaseState*> states) {
        Unit u;
        if (const auto known = m_known.find(id); known != m_known.end()) u = std::move(known->second);
        u.memory.id = id;
        u.node = node;
        u.states = std::move(states);
        for (const BaseState* s : u.states) m_unitsBehind[s] = {m_units.size()};
        m_units.push_back(std::move(u));
    };
    for (Node* n : phases::integratedNodes(target)) {
        std::vector<BaseState*> states = ExecutionPlan::of(*n).independentStates();
        std::erase_if(states, [this](const BaseState* s) { return s->size() == 0 || m_unitsBehind.contains(s); });
        if (states.empty()) continue;
        m_unitOf[n] = m_units.size();
        add(n->id(), n, std::move(states));
        m_units.back().mayRest = std::ranges::none_of(n->getAll<OdeSolver>(), &OdeSolver::isStatic);
    }
    const ExecutionPlan& plan = ExecutionPlan::of(target);
    for (BaseState* s : plan.independentStates())
        if (!m_unitsBehind.contains(s)) add(s->id(), nullptr, {s});
    for (const BaseMapping* m : plan.mappings()) {
        std::vector<std::size_t> behind;
        for (const BaseState* in : m->inputs())
            if (const auto units = m_unitsBehind.find(in); units != m_unitsBehind.end())
                behind.insert(behind.end(), units->second.begin(), units->second.end());
        for (const BaseState* out : m->outputs()) {
            std::vector<std::size_t>& units = m_unitsBehind[out];
            units.insert(units.end(), behind.begin(), behind.end());
        }
    }
    m_known.clear();
    m_target = &target;
    m_version = target.version();
}

std::uint64_t SleepingBodies::stateOf(const Unit& u)
{
    Fingerprint f;
    for (const BaseState* s : u.states) {
        m_scratch.resize(coords(*s));
        s->getScalars(vec_id::position, m_scratch.data());
        f.add(std::span<const double>(m_scratch)).add(scalarsOf(*s, vec_id::velocity));
    }
    return f.value();
}

void SleepingBodies::begin(Node& target)
{
    collect(target);
    for (Unit& u : m_units) {
        if (u.isBody()) continue;
        const std::uint64_t now = stateOf(u);
        u.moved = now != u.memory.own ||
                  !std::ranges::all_of(u.states, [](const BaseState* s) { return isZero(*s, vec_id::velocity); });
        u.memory.own = now;
    }
}

std::uint64_t SleepingBodies::whatActsOn(const Unit& u, double dt)
{
    MechanicalParams mp;
    mp.dt = dt;
    mp.implicit = true;
    VectorOperations(*u.node).allocate(vec_id::force);
    MechanicalOperations mop(*u.node, mp);
    mop.computeForce(vec_id::force);
    Fingerprint f(stateOf(u));
    for (const BaseState* s : u.states) f.add(scalarsOf(*s, vec_id::force));
    f.add(u.node->gravity());  // masses may keep it out of the forces
    for (const BaseProjectiveConstraint* c : mop.plan().constraints()) {
        f.add(c->id());
        for (const BaseData* d : c->data())
            if (!d->isReadOnly()) f.add(d->text());
    }
    return f.value();
}

bool SleepingBodies::rests(Node& body, double dt)
{
    const auto at = m_unitOf.find(&body);
    if (at == m_unitOf.end()) return false;
    Unit& u = m_units[at->second];
    Memory& m = u.memory;
    if (m.phase == Phase::Awake) return false;
    // A body that has got or lost points is another one.
    if (u.kept.size() != sizeOf(u)) u.kept.clear();
    if (u.kept.empty()) {
        wake(u);
        return false;
    }
    const std::uint64_t now = whatActsOn(u, dt);
    if (m.phase == Phase::Stopped)
        m.own = now;
    else if (now == m.own)
        moveFreely(u);
    else
        wake(u);
    return m.phase == Phase::Asleep;
}

std::size_t SleepingBodies::sizeOf(const Unit& u)
{
    std::size_t size = 0;
    for (const BaseState* s : u.states) size += 2 * pairs(*s);
    return size;
}

void SleepingBodies::stop(Unit& u)
{
    u.memory.phase = Phase::Stopped;
    u.kept.resize(sizeOf(u));
    double* to = u.kept.data();
    for (BaseState* s : u.states) {
        s->getScalars(vec_id::position, to);
        s->getScalars(vec_id::velocity, to + coords(*s));
        s->clear(vec_id::velocity);
        to += 2 * pairs(*s);
    }
}

void SleepingBodies::keepFreeMotion(Unit& u)
{
    double* to = u.kept.data();
    for (const BaseState* s : u.states) {
        s->getScalars(vec_id::freePosition, to + pairs(*s));
        s->getScalars(vec_id::freeVelocity, to + pairs(*s) + coords(*s));
        to += 2 * pairs(*s);
    }
}

void SleepingBodies::moveFreely(const Unit& u)
{
    const double* from = u.kept.data();
    for (BaseState* s : u.states) {
        s->setScalars(vec_id::freePosition, from + pairs(*s));
        s->setScalars(vec_id::freeVelocity, from + pairs(*s) + coords(*s));
        from += 2 * pairs(*s);
    }
}

void SleepingBodies::fallAsleep(Unit& u)
{
    u.memory.phase = Phase::Asleep;
    const double* from = u.kept.data();
    for (BaseState* s : u.states) {
        s->setScalars(vec_id::position, from);
        s->clear(vec_id::velocity);
        from += 2 * pairs(*s);
    }
}

void SleepingBodies::wake(Unit& u, double missed)
{
    u.memory.phase = Phase::Awake;
    u.memory.slow = 0.;
    const double* from = u.kept.data();
    for (BaseState* s : u.states) {
        if (u.kept.empty()) break;
        const double* velocity = from + coords(*s);
        from += 2 * pairs(*s);
        // Somebody may have given it another velocity while it slept.
        if (missed == 0. && !isZero(*s, vec_id::velocity)) continue;
        m_scratch.assign(scalarsOf(*s, vec_id::velocity).begin(), scalarsOf(*s, vec_id::velocity).end());
        s->setScalars(vec_id::velocity, velocity);
        if (missed > 0.) s->add(vec_id::position, vec_id::position, vec_id::velocity, missed);
        for (std::size_t k = 0; k < m_scratch.size(); ++k) m_scratch[k] += velocity[k];
        s->setScalars(vec_id::velocity, m_scratch.data());
    }
    u.kept.clear();
    MechanicalOperations(*u.node, {}).propagateV(vec_id::velocity);
}

std::size_t SleepingBodies::islandOf(std::size_t unit)
{
    while (m_parent[unit] != unit) unit = m_parent[unit] = m_parent[m_parent[unit]];
    return unit;
}

void SleepingBodies::findIslands(Node& target)
{
    m_parent.resize(m_units.size());
    for (std::size_t k = 0; k < m_parent.size(); ++k) m_parent[k] = k;
    m_contacts.assign(m_units.size(), 0);
    m_touchesMoved.assign(m_units.size(), 0);
    std::vector<std::size_t> units;
    const auto collectUnits = [&](const std::vector<BaseState*>& states) {
        units.clear();
        for (const BaseState* s : states)
            if (const auto behind = m_unitsBehind.find(s); behind != m_unitsBehind.end())
                units.insert(units.end(), behind->second.begin(), behind->second.end());
        std::ranges::sort(units);
        units.erase(std::unique(units.begin(), units.end()), units.end());
    };
    const auto join = [&] {
        // Bodies come before ground.
        for (std::size_t k = 1; k < units.size() && m_units[units[k]].isBody(); ++k)
            m_parent[islandOf(units[k])] = islandOf(units[0]);
    };
    for (const Node* n : target.descendants())
        n->forOwn<BaseLagrangianConstraint>([&](const BaseLagrangianConstraint& c) {
            const std::uint64_t asks = c.isActive() ? c.fingerprint() : 0;
            if (asks == 0) return;
            collectUnits(c.states());
            join();
            const bool moved = std::ranges::any_of(units, [this](std::size_t k) { return m_units[k].moved; });
            for (const std::size_t k : units) {
                // A sum: the order of the constraints is that of the detection.
                m_contacts[k] += asks;
                m_touchesMoved[k] = static_cast<char>(m_touchesMoved[k] || moved);
            }
        });
    for (const BaseForceField* f : ExecutionPlan::of(target).forceFields()) {
        collectUnits(f->states());
        join();
    }
}

std::vector<Node*> SleepingBodies::wakeIslands(Node& target, bool later)
{
    collect(target);
    findIslands(target);
    std::vector<char> awake(m_units.size(), 0);
    for (std::size_t k = 0; k < m_units.size(); ++k) {
        Memory& m = m_units[k].memory;
        if (!m_units[k].isBody()) continue;
        if (m.phase == Phase::Stopped && !later) {
            m.contacts = m_contacts[k];
            keepFreeMotion(m_units[k]);
        }
        const bool same = later || (m.contacts == m_contacts[k] && !m_touchesMoved[k]);
        if (m.phase != Phase::Asleep || !same) awake[islandOf(k)] = 1;
    }
    std::vector<Node*> woken;
    for (std::size_t k = 0; k < m_units.size(); ++k) {
        Memory& m = m_units[k].memory;
        if (m.phase != Phase::Asleep || !awake[islandOf(k)]) continue;
        wake(m_units[k]);
        woken.push_back(m_units[k].node);
    }
    listStates();
    return woken;
}

void SleepingBodies::listStates()
{
    m_asleep.clear();
    for (const auto& [state, units] : m_unitsBehind)
        if (std::ranges::any_of(units, [this](std::size_t k) { return m_units[k].memory.phase == Phase::Asleep; }))
            m_asleep.insert(state);
}

void SleepingBodies::archive(Archive& a)
{
    // What a checkpoint has brought and no step has seen yet is in m_known.
    Vector<Memory> memories;
    Vector<double> kept;
    if (!a.loading()) {
        std::vector<const Unit*> all;
        for (const Unit& u : m_units) all.push_back(&u);
        for (const auto& [id, u] : m_known) all.push_back(&u);
        std::ranges::sort(all, {}, [](const Unit* u) { return u->memory.id; });
        for (const Unit* u : all) {
            memories.push_back(u->memory);
            memories.back().kept = u->kept.size();
            kept.insert(kept.end(), u->kept.begin(), u->kept.end());
        }
    }
    a(memories);
    a(kept);
    if (!a.loading()) return;
    clear();
    auto from = kept.begin();
    for (const Memory& m : memories) {
        if (m.kept > static_cast<std::uint64_t>(kept.end() - from)) throw std::runtime_error("truncated state");
        const auto to = from + static_cast<std::ptrdiff_t>(m.kept);
        Unit& u = m_known[m.id];
        u.memory = m;
        u.kept.assign(from, to);
        from = to;
    }
}

void SleepingBodies::end(double dt, const Limits& limits)
{
    const auto isSlower = [](const Unit& u, double speed, double spin) {
        return std::ranges::all_of(u.states, [&](const BaseState* s) {
            return s->firstFaster(vec_id::velocity, speed, spin) == InvalidIndex;
        });
    };
    // Islands of which all bodies may be stopped, and of those, which were stopped and have stayed at rest.
    std::vector<char> mayStop(m_units.size(), 1), rest(m_units.size(), 1);
    for (std::size_t k = 0; k < m_units.size(); ++k) {
        Unit& u = m_units[k];
        if (!u.isBody() || u.memory.phase == Phase::Asleep) continue;
        const bool slow = u.mayRest && !m_touchesMoved[k] && isSlower(u, limits.speed, limits.spin);
        u.memory.slow = slow ? u.memory.slow + dt : 0.;
        if (!slow || u.memory.slow < limits.time) mayStop[islandOf(k)] = 0;
        const double gain = dt / (patience * limits.time);
        if (u.memory.phase != Phase::Stopped || !isSlower(u, gain * limits.speed, gain * limits.spin))
            rest[islandOf(k)] = 0;
    }
    for (std::size_t k = 0; k < m_units.size(); ++k) {
        Unit& u = m_units[k];
        if (!u.isBody() || u.memory.phase == Phase::Asleep) continue;
        if (u.memory.phase == Phase::Stopped) {
            if (mayStop[islandOf(k)] && rest[islandOf(k)])
                fallAsleep(u);
            else
                wake(u, dt);
        } else if (mayStop[islandOf(k)]) {
            stop(u);
        }
    }
}

}  // namespace sofa::component
