// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/ExecutionPlan.h"

#include <algorithm>
#include <unordered_map>

#include "core/log/Timer.h"

namespace sofa::core {

namespace {

bool hasTags(const Component& c, const TagSet& tags)
{
    if (tags.empty()) return true;
    const TagSet& own = c.d_tags.value();
    return std::includes(own.begin(), own.end(), tags.begin(), tags.end());
}

}  // namespace

ExecutionPlan::StateSet ExecutionPlan::mappedStatesBelow(Node& scope)
{
    StateSet out;
    for (const Node* n : scope.descendants())
        n->forOwn<BaseMapping>([&out](const BaseMapping& m) {
            for (const BaseState* s : m.outputs())
                if (s) out.insert(s);
        });
    return out;
}

ExecutionPlan::NodeSteps ExecutionPlan::compileNode(Node& n, const StateSet& mapped)
{
    NodeSteps e;
    std::vector<Step> interactions;
    const auto step = [](Kind k, Component& c) {
        Step s{};
        s.kind = k;
        s.component = &c;
        return s;
    };
    n.forOwn<OdeSolver>([&](auto& o) { e.down.push_back(step(Kind::OdeSolver, o)), e.down.back().odeSolver = &o; });
    n.forOwn<BaseMapping>([&](auto& o) {
        if (o.isMechanical()) e.down.push_back(step(Kind::Mapping, o)), e.down.back().mapping = &o;
    });
    n.forOwn<BaseState>([&](auto& o) {
        if (!o.isMechanical()) return;
        e.down.push_back(step(mapped.contains(&o) ? Kind::MappedState : Kind::State, o));
        e.down.back().state = &o;
    });
    n.forOwn<BaseMass>([&](auto& o) {
        e.down.push_back(step(Kind::Mass, dynamic_cast<Component&>(o)));
        e.down.back().isMass = true;
        e.down.back().mass = &o;
    });
    n.forOwn<BaseForceField>([&](auto& o) {
        const bool pair = o.states().size() > 1;
        auto& list = pair ? interactions : e.down;
        list.push_back(step(pair ? Kind::InteractionForceField : Kind::ForceField, o));
        list.back().isMass = dynamic_cast<BaseMass*>(&o) && !o.hasStiffness();
        list.back().forceField = &o;
    });
    e.down.insert(e.down.end(), interactions.begin(), interactions.end());
    n.forOwn<BaseProjectiveConstraint>([&](auto& o) {
        e.down.push_back(step(Kind::ProjectiveConstraint, o));
        e.down.back().constraint = &o;
    });
    // On the way up: constraints, states, mappings, solvers, each kind in the order of the node.
    const auto goesUp = [&e](auto... kinds) {
        for (const Step& s : e.down)
            if (((s.kind == kinds) || ...)) e.up.push_back(s);
    };
    goesUp(Kind::ProjectiveConstraint);
    goesUp(Kind::State, Kind::MappedState);
    goesUp(Kind::Mapping);
    goesUp(Kind::OdeSolver);
    return e;
}

MechanicalVisitor::Result ExecutionPlan::callDown(MechanicalVisitor& v, Node& n, const Step& s)
{
    switch (s.kind) {
        case Kind::OdeSolver:
            return v.fwdOdeSolver(n, *s.odeSolver);
        case Kind::Mapping:
            return v.stopAtMapping(*s.mapping) ? MechanicalVisitor::Prune : v.fwdMapping(n, *s.mapping);
        case Kind::State:
            return v.fwdState(n, *s.state);
        case Kind::MappedState:
            return v.fwdMappedState(n, *s.state);
        case Kind::Mass:
            return v.fwdMass(n, *s.mass);
        case Kind::ForceField:
            return v.fwdForceField(n, *s.forceField);
        case Kind::InteractionForceField:
            return v.fwdInteractionForceField(n, *s.forceField);
        case Kind::ProjectiveConstraint:
            return v.fwdProjectiveConstraint(n, *s.constraint);
    }
    return MechanicalVisitor::Continue;
}

void ExecutionPlan::callUp(MechanicalVisitor& v, Node& n, const Step& s)
{
    switch (s.kind) {
        case Kind::OdeSolver:
            return v.bwdOdeSolver(n, *s.odeSolver);
        case Kind::Mapping:
            return v.bwdMapping(n, *s.mapping);
        case Kind::State:
            return v.bwdState(n, *s.state);
        case Kind::MappedState:
            return v.bwdMappedState(n, *s.state);
        case Kind::ProjectiveConstraint:
            return v.bwdProjectiveConstraint(n, *s.constraint);
        default:
            return;
    }
}

ExecutionPlan& ExecutionPlan::of(const SolverScope& scope)
{
    Node& node = scope.node();
    auto* plan = dynamic_cast<ExecutionPlan*>(node.cache.get());
    if (!plan || plan->m_version != node.version()) {
        auto fresh = std::make_shared<ExecutionPlan>();
        fresh->compile(node, plan);
        node.cache = fresh;
        plan = fresh.get();
    }
    if (scope.tags().empty()) return *plan;
    auto known = std::ranges::find(plan->m_tagged, scope, [](const auto& p) { return p->m_scope; });
    if (known == plan->m_tagged.end()) {
        auto fresh = std::make_unique<ExecutionPlan>();
        fresh->compile(scope, nullptr);
        known = plan->m_tagged.insert(known, std::move(fresh));
    }
    return (*known)->m_independent.empty() ? *plan : **known;
}

namespace {

std::vector<BaseState*> statesOf(const ExecutionPlan::Step& s)
{
    using Kind = ExecutionPlan::Kind;
    switch (s.kind) {
        case Kind::Mapping:
            return s.mapping->inputs();
        case Kind::State:
        case Kind::MappedState:
            return {s.state};
        case Kind::Mass:
            if (const auto* f = dynamic_cast<const BaseForceField*>(s.component)) return f->states();
            return {};
        case Kind::ForceField:
        case Kind::InteractionForceField:
            return s.forceField->states();
        case Kind::ProjectiveConstraint:
            return s.constraint->states();
        case Kind::OdeSolver:
            return {};
    }
    return {};
}

}  // namespace

/// Leaves what belongs to the tags of the scope.
void ExecutionPlan::select()
{
    const TagSet& tags = m_scope.tags();
    StateSet here, mine;  // all states of the scope, and those that belong to the tags
    for (const Step& s : m_down.all)
        if (s.kind == Kind::State || s.kind == Kind::MappedState) here.insert(s.state);
    const auto isOthers = [&](const BaseState* s) { return s && here.contains(s) && !mine.contains(s); };
    // Independent states first: mappings may have inputs in nodes that come later.
    for (const Step& s : m_down.all)
        if (s.kind == Kind::State && hasTags(*s.component, tags)) mine.insert(s.state);
    const auto belongs = [&](const Step& s) {
        if (s.kind == Kind::State) return mine.contains(s.state);
        if (s.kind == Kind::MappedState && !mine.contains(s.state)) return false;
        const bool tagged = s.kind == Kind::OdeSolver || !s.component->d_tags.value().empty();
        return (!tagged || hasTags(*s.component, tags)) && std::ranges::none_of(statesOf(s), isOthers);
    };
    // A mapped state belongs to the tags if a mapping to it does, and it has no other tags.
    for (std::size_t before = mine.size() + 1; before != mine.size();) {
        before = mine.size();
        for (const Step& s : m_down.all)
            if (s.kind == Kind::Mapping && belongs(s))
                for (BaseState* out : s.mapping->outputs())
                    if (out && here.contains(out) && (out->d_tags.value().empty() || hasTags(*out, tags)))
                        mine.insert(out);
    }
    for (auto* steps : {&m_down, &m_up}) {
        Lists<Step> left;
        for (std::size_t e = 0; e < m_nodes.size(); ++e) {
            const auto list = (*steps)[e];
            std::vector<Step> some(list.begin(), list.end());
            std::erase_if(some, [&](const Step& s) {
                if (!belongs(s)) return true;
                return s.kind == Kind::Mapping && std::ranges::any_of(s.mapping->outputs(), isOthers);
            });
            left.append(some);
        }
        *steps = std::move(left);
    }
}

void ExecutionPlan::add(Node& n, std::span<const std::size_t> parents)
{
    const NodeSteps steps = compileNode(n, {});
    m_nodes.push_back({&n, n.version(), 1});
    m_down.append(steps.down);
    m_up.append(steps.up);
    m_parents.append(parents);
    std::vector<const BaseState*> outputs;
    std::vector<BaseMapping*> others;
    n.forOwn<BaseMapping>([&](auto& m) {
        for (const BaseState* s : m.outputs())
            if (s) outputs.push_back(s);
        if (!m.isMechanical()) others.push_back(&m);
    });
    m_outputs.append(outputs);
    m_otherMappings.append(others);
    std::vector<BehaviorModel*> behaviors;
    n.forOwn<BehaviorModel>([&](auto& b) { behaviors.push_back(&b); });
    m_behaviors.append(behaviors);
}

void ExecutionPlan::append(const ExecutionPlan& before, std::size_t entry)
{
    const std::size_t count = before.m_nodes[entry].size;
    const auto from = before.m_nodes.begin() + static_cast<std::ptrdiff_t>(entry);
    m_nodes.insert(m_nodes.end(), from, from + static_cast<std::ptrdiff_t>(count));
    m_down.append(before.m_down, entry, count);
    m_up.append(before.m_up, entry, count);
    m_parents.append(before.m_parents, entry, count);
    m_outputs.append(before.m_outputs, entry, count);
    m_behaviors.append(before.m_behaviors, entry, count);
    m_otherMappings.append(before.m_otherMappings, entry, count);
}

bool ExecutionPlan::addTree(Node& n, std::size_t parent, const ExecutionPlan* before, std::size_t entry)
{
    const std::size_t here = m_nodes.size();
    if (entry != none && before->m_nodes[entry].version == n.version()) {
        append(*before, entry);
        if (parent != none) m_parents.all[m_parents.begin(here)] = here - parent;
        return true;
    }
    const std::size_t distance = here - parent;
    add(n, parent == none ? std::span<const std::size_t>() : std::span(&distance, 1));
    // Children are mostly those before in the same order, but for some that came or went.
    constexpr int ahead = 8;
    const std::size_t end = entry == none ? 0 : entry + before->m_nodes[entry].size;
    std::size_t next = entry == none ? 0 : entry + 1;
    for (const auto& c : n.children()) {
        if (!c->isActive()) continue;
        if (c->parents().size() > 1) return false;
        std::size_t known = none, k = next;
        for (int i = 0; i < ahead && k < end && known == none; ++i) {
            const NodeEntry& e = before->m_nodes[k];
            if (e.node == c.get()) known = k;
            k += e.size;
        }
        if (known != none) next = k;
        if (!addTree(*c, here, before, known)) return false;
    }
    m_nodes[here].size = m_nodes.size() - here;
    return true;
}

void ExecutionPlan::addGraph(Node& scope)
{
    std::unordered_map<const Node*, std::size_t> places;
    std::vector<std::size_t> parents;
    for (Node* n : scope.descendants()) {
        parents.clear();
        for (const Node* p : n->parents())
            if (const auto it = places.find(p); it != places.end()) parents.push_back(m_nodes.size() - it->second);
        places.emplace(n, m_nodes.size());
        add(*n, parents);
    }
}

/// Which states are outputs of mappings depends on all nodes.
void ExecutionPlan::classifyStates()
{
    const StateSet mapped(m_outputs.all.begin(), m_outputs.all.end());
    for (auto* steps : {&m_down, &m_up})
        for (Step& s : steps->all)
            if (s.kind == Kind::State || s.kind == Kind::MappedState)
                s.kind = mapped.contains(s.state) ? Kind::MappedState : Kind::State;
}

void ExecutionPlan::compile(const SolverScope& scope, const ExecutionPlan* before)
{
    Node& node = scope.node();
    const bool follows = before && before->m_isTree && !before->m_nodes.empty();
    if (node.isActive()) m_isTree = addTree(node, none, before, follows ? 0 : none);
    if (!m_isTree) {
        *this = ExecutionPlan();
        addGraph(node);
    }
    m_scope = scope;
    m_version = node.version();
    classifyStates();
    if (!scope.tags().empty()) select();
    m_pruned.resize(m_nodes.size());

    struct Collector final : MechanicalVisitor
    {
        explicit Collector(ExecutionPlan& p) : plan(p) {}
        Result fwdMapping(Node&, BaseMapping& m) override { return plan.m_mappings.push_back(&m), Continue; }
        Result fwdState(Node&, BaseState& s) override { return plan.m_independent.push_back(&s), Continue; }
        Result fwdMappedState(Node&, BaseState& s) override { return plan.m_mapped.push_back(&s), Continue; }
        Result fwdMass(Node&, BaseMass& m) override { return plan.m_masses.push_back(&m), Continue; }
        Result fwdForceField(Node&, BaseForceField& f) override { return plan.m_forceFields.push_back(&f), Continue; }
        Result fwdProjectiveConstraint(Node&, BaseProjectiveConstraint& c) override
        {
            return plan.m_constraints.push_back(&c), Continue;
        }
        ExecutionPlan& plan;
    };
    Collector collect(*this);
    run(collect);
    m_independentSet.insert(m_independent.begin(), m_independent.end());
    m_massesAreIndependent =
        std::ranges::all_of(m_masses, [this](const BaseMass* m) { return m_independentSet.contains(m->massState()); });
    for (const BaseState* s : m_mapped) m_mappingTo.emplace(s, nullptr);
    StateSet once;
    for (BaseMapping* m : m_mappings)
        for (const BaseState* s : m->outputs())
            if (const auto known = m_mappingTo.find(s); known != m_mappingTo.end())
                known->second = once.insert(s).second ? m : nullptr;
}

BaseMapping* ExecutionPlan::mappingTo(const BaseState& s) const
{
    const auto known = m_mappingTo.find(&s);
    return known == m_mappingTo.end() ? nullptr : known->second;
}

namespace {

/// Whether a component's share of this visit gets a line in the table of timers.
bool isTimed(const MechanicalVisitor& v, const ExecutionPlan::Step& s)
{
    using Kind = ExecutionPlan::Kind;
    if (s.kind == Kind::Mapping) return v.timesMappings();
    if (s.kind == Kind::Mass) return v.timesMasses();
    const bool force = s.kind == Kind::ForceField || s.kind == Kind::InteractionForceField;
    return force && v.timesForces() && !(s.isMass && v.timesMasses());
}

/// Runs a call, on the component's own timer when timers are on.
template <class F>
auto timed(bool on, const MechanicalVisitor& v, const ExecutionPlan::Step& s, F&& call)
{
    if (!on || !isTimed(v, s)) return call();
    const ScopedTimer timer([&s] { return s.component->pathName(); });
    return call();
}

}  // namespace

void ExecutionPlan::run(MechanicalVisitor& v)
{
    const bool timers = Timers::enabled();
    // A visitor may start another one on the same scope: the outer run keeps the flags, the inner one gets fresh ones.
    std::vector<char> pruned;
    pruned.swap(m_pruned);
    pruned.assign(m_nodes.size(), 0);
    const TagSet& tags = v.tags();
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        const auto parents = m_parents[i];
        bool reached = parents.empty();
        for (const std::size_t p : parents) reached = reached || !pruned[i - p];
        pruned[i] = reached ? 0 : 1;
        if (!reached) continue;
        for (const Step& s : m_down[i]) {
            if (!hasTags(*s.component, tags)) continue;
            if (timed(timers, v, s, [&] { return callDown(v, *m_nodes[i].node, s); }) == MechanicalVisitor::Prune) {
                pruned[i] = 1;
                break;
            }
        }
    }
    for (std::size_t i = m_nodes.size(); i-- > 0;) {
        if (pruned[i]) continue;
        for (const Step& s : m_up[i])
            if (hasTags(*s.component, tags)) timed(timers, v, s, [&] { callUp(v, *m_nodes[i].node, s); });
    }
    m_pruned.swap(pruned);
}

void MechanicalVisitor::execute(Node& scope) { ExecutionPlan::of(scope).run(*this); }

namespace {

/// Status of a node during a tree walk.
struct Visited
{
    Node* node;
    bool pruned;
};

const Visited* findVisited(const std::vector<Visited>& list, const Node* n)
{
    const auto it = std::find_if(list.begin(), list.end(), [n](const Visited& v) { return v.node == n; });
    return it == list.end() ? nullptr : &*it;
}

/// Visits `n` if all its parents in scope were visited and one of them was not pruned, then its children.
void walkDown(MechanicalVisitor& v, Node& n, Node& scope, const ExecutionPlan::StateSet& mapped,
              std::vector<Visited>& visited)
{
    if (findVisited(visited, &n)) return;
    bool reached = &n == &scope;
    if (&n != &scope) {
        for (const Node* p : n.parents()) {
            if (!scope.contains(*p) || !p->isActive()) continue;
            const Visited* status = findVisited(visited, p);
            if (!status) return;  // comes later, through that parent
            reached = reached || !status->pruned;
        }
    }
    bool pruned = !reached;
    if (reached) {
        for (const auto& s : ExecutionPlan::compileNode(n, mapped).down) {
            if (!hasTags(*s.component, v.tags())) continue;
            if (ExecutionPlan::callDown(v, n, s) == MechanicalVisitor::Prune) {
                pruned = true;
                break;
            }
        }
    }
    visited.push_back({&n, pruned});
    for (const auto& c : n.children())
        if (c->isActive()) walkDown(v, *c, scope, mapped, visited);
}

}  // namespace

void MechanicalVisitor::executeTreeWalk(Node& scope)
{
    if (!scope.isActive()) return;
    const auto mapped = ExecutionPlan::mappedStatesBelow(scope);
    std::vector<Visited> visited;
    walkDown(*this, scope, scope, mapped, visited);
    for (auto it = visited.rbegin(); it != visited.rend(); ++it) {
        if (it->pruned) continue;
        for (const auto& s : ExecutionPlan::compileNode(*it->node, mapped).up)
            if (hasTags(*s.component, m_tags)) ExecutionPlan::callUp(*this, *it->node, s);
    }
}

}  // namespace sofa::core
