// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/TopologyTransaction.h"

#include <algorithm>

#include "core/behavior/BaseMapping.h"
#include "core/objectmodel/Node.h"
#include "core/objectmodel/Transient.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyNumbers.h"
#include "core/topology/TopologyView.h"

namespace sofa::core {

namespace {

std::string nameOf(const Component& c) { return "'" + c.pathName() + "' (" + c.className() + ")"; }

/// All components of a scene, in its order.
std::vector<Component*> componentsOf(const Node& root)
{
    std::vector<Component*> all;
    for (const Node* n : root.descendants(true))
        for (const auto& c : n->components()) all.push_back(c.get());
    return all;
}

template <class List, class T>
bool contains(const List& list, const T& value)
{
    return std::ranges::find(list, value) != list.end();
}

std::string dataName(ElementType type)
{
    constexpr const char* names[] = {"",           "edges",    "triangles", "quads",
                                     "tetrahedra", "pyramids", "prisms",    "hexahedra"};
    return names[static_cast<int>(type)];
}

void checkFollowed(const Component& c)
{
    if (c.isValid()) return;
    throw std::runtime_error(nameOf(c) + ": " + (c.messages().empty() ? "it cannot follow" : c.messages().back().text));
}

}  // namespace

/// A list as it was, and how it follows.
struct TopologyTransaction::Kept
{
    Kept(ElementNumbering n, const ElementData& d) : numbering(std::move(n)), what(d)
    {
        what.data->counter();  // brings it up to date
        value = what.data->shareValue();
        isSet = what.data->isSet();
    }
    void restoreValue() const
    {
        what.data->unlink();
        what.data->restoreValue(value, isSet);
    }

    ElementNumbering numbering;
    ElementData what;
    std::shared_ptr<void> value;
    bool isSet = false;
};

TopologyChange::Source TopologyChange::source(const ElementNumbering& n) const
{
    Source all;
    const Base* of = n.topology;
    if (n.state) of = n.state;
    for (const ElementType kind : n.kinds) {
        const auto it = m_sources.find({of, kind});
        if (it == m_sources.end()) continue;  // another mesh
        const Source& s = it->second;
        for (Index i = 0; i < s.numbers.size(); ++i)
            for (Index k = 0; k < n.parts; ++k) {
                const Index e = s.numbers[i];
                if (e == InvalidIndex)
                    for (const Ancestor& a : s.ancestorsOf(i))
                        all.ancestors[static_cast<Index>(all.numbers.size())].push_back(
                            {all.before + a.index * n.parts + k, a.weight});
                all.numbers.push_back(e == InvalidIndex ? InvalidIndex : all.before + e * n.parts + k);
            }
        all.before += s.before * n.parts;
        all.same = all.same && s.same;
    }
    return all;
}

std::string TopologyStep::refusal() const
{
    const std::string things = type == ElementType::Points ? "points" : "elements";
    const std::string where = "'" + topology->pathName() + "'";
    switch (kind) {
        case Kind::Remove:
            return things + " cannot be removed from " + where;
        case Kind::Add:
            return things + " cannot be added to " + where;
        case Kind::Renumber:
            return "points of " + where + " cannot get other numbers";
        case Kind::Move:
            break;
    }
    return "points of " + where + " cannot be moved";
}

TopologyTransaction::TopologyTransaction(StoredTopology& topology)
    : TopologyTransaction(topology.node()->root(), {&topology}, {}, false)
{
    for (const TopologicalMapping* m : m_root.getAll<TopologicalMapping>(Search::Down))
        if (m->output() == &topology)
            throw std::runtime_error("the elements of '" + topology.pathName() + "' are made by " + nameOf(*m) +
                                     ": change those that they come from");
    m_before = snapshots(false);
    // Lists that follow from others keep their numbers from now on.
    for (StoredTopology::List* l : topology.lists()) {
        if (l->isWaiting()) continue;
        if (l->size() > 0) did(l->beginEdit());
        numbersOf(topology, l->type(), l->size());
    }
    if (topology.holdPointCount()) did([&topology] { topology.freePointCount(); });
}

TopologyTransaction::TopologyTransaction(Node& root, std::vector<StoredTopology*> edited,
                                         std::vector<BaseState*> states, bool points)
    : m_root(root), m_edited(std::move(edited)), m_states(std::move(states)), m_pointsConcerned(points)
{
    findTopologies();
    findFollowers();
}

TopologyTransaction::~TopologyTransaction()
{
    if (m_open) rollBack();
}

// --- Whom a change concerns -----------------------------------------------------------------------------------------

bool TopologyTransaction::concerns(const Base* b) const
{
    if (!b) return false;
    return std::ranges::any_of(m_topologies, [b](const StoredTopology* t) { return t == b; }) ||
           (m_pointsConcerned && std::ranges::any_of(m_states, [b](const BaseState* s) { return s == b; }));
}

bool TopologyTransaction::concerns(const ElementLists& lists) const
{
    return concerns(lists.numbering.topology) || concerns(lists.numbering.state);
}

bool TopologyTransaction::isLinked(const Component& c) const
{
    return std::ranges::any_of(c.links(), [&](const BaseLink* l) {
        if (dynamic_cast<const TopologyView*>(l)) return false;
        return std::ranges::any_of(l->targets(), [&](Base* b) { return concerns(b); });
    });
}

/// Everything downstream of the edited topologies: by mappings, and by Data linked to their lists.
void TopologyTransaction::findTopologies()
{
    m_topologies = m_edited;
    const auto mappings = m_root.getAll<TopologicalMapping>(Search::Down);
    for (std::size_t k = 0; k < m_topologies.size(); ++k) {
        StoredTopology* t = m_topologies[k];
        const auto add = [&](BaseMeshTopology* other) {
            auto* stored = dynamic_cast<StoredTopology*>(other);
            if (stored && !contains(m_topologies, stored)) m_topologies.push_back(stored);
        };
        for (TopologicalMapping* m : mappings)
            if (m->input() == t) {
                m_mappings.push_back(m);
                add(m->output());
            }
        std::vector<DdgNode*> reached;
        for (StoredTopology::List* l : t->lists())
            if (auto* d = t->findData(dataName(l->type()))) reached.push_back(d);
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (DdgNode* out : reached[i]->outputs()) {
                if (contains(reached, out)) continue;
                reached.push_back(out);
                const auto* d = dynamic_cast<BaseData*>(out);
                if (!d || !d->owner()) continue;
                add(dynamic_cast<BaseMeshTopology*>(d->owner()));
                if (auto* c = dynamic_cast<Component*>(d->owner())) m_owners.insert(c);
            }
    }
}

void TopologyTransaction::findFollowers()
{
    m_followers.clear();
    m_unable.clear();
    for (Component* c : componentsOf(m_root)) {
        if (dynamic_cast<BaseMeshTopology*>(c) || dynamic_cast<TopologicalMapping*>(c) || !c->isValid()) continue;
        bool linked = isLinked(*c);
        if (const auto* m = dynamic_cast<const BaseMapping*>(c); m && m->sharesPoints()) {
            const auto changes = [&](const BaseState* s) { return concerns(s); };
            if (std::ranges::any_of(m->inputs(), changes) != std::ranges::any_of(m->outputs(), changes)) {
                m_unable.push_back(c);
                continue;
            }
        }
        auto* f = dynamic_cast<TopologyFollower*>(c);
        if (f && f->followsPoints()) {
            if (m_pointsConcerned) m_followers.push_back(c);
            continue;
        }
        if (!f) {
            if (isTransient(*c)) continue;
            if (linked && !dynamic_cast<const BaseState*>(c)) m_unable.push_back(c);
            continue;
        }
        const ElementLists elements = f->elementLists();
        const auto points = m_pointsConcerned ? f->pointLists() : TopologyFollower::PointLists();
        linked = linked || concerns(elements);
        for (const ElementLists& l : points.value_or(std::vector<ElementLists>())) linked = linked || concerns(l);
        if (!linked && !m_owners.contains(c)) continue;
        if (linked && m_pointsConcerned && !points) {
            m_unable.push_back(c);
            continue;
        }
        m_followers.push_back(c);
        auto& kept = m_data[c];
        const auto keep = [&kept](const ElementLists& lists) {
            for (const ElementData& d : lists.data)
                if (std::ranges::none_of(kept, [&](const Kept& k) { return k.what.data == d.data; }))
                    kept.emplace_back(lists.numbering, d);
        };
        keep(elements);
        for (const ElementLists& l : points.value_or(std::vector<ElementLists>())) keep(l);
    }
}

/// The states whose points are those of the topologies.
void TopologyTransaction::findStates()
{
    for (const StoredTopology* t : m_topologies)
        for (BaseState* s : t->node()->getAll<BaseState>(t == m_edited.front() ? Search::Up : Search::Local)) {
            if (!s->isMechanical() || contains(m_states, s)) continue;
            if (s->size() != t->nbPoints()) {
                if (t != m_edited.front() || s->node() != t->node()) break;
                throw std::runtime_error("the points of '" + t->pathName() + "' cannot change: it has " +
                                         std::to_string(t->nbPoints()) + ", but the state '" + s->pathName() +
                                         "' has " + std::to_string(s->size()));
            }
            m_states.push_back(s);
            break;
        }
    const auto mappings = m_root.getAll<BaseMapping>(Search::Down);
    for (std::size_t k = 0; k < m_states.size(); ++k)
        for (const BaseMapping* m : mappings)
            if (m->isValid() && m->sharesPoints() && contains(m->inputs(), m_states[k]))
                for (BaseState* out : m->outputs())
                    if (!contains(m_states, out)) m_states.push_back(out);
    for (const auto* t : m_root.getAll<BaseMeshTopology>(Search::Down)) {
        if (concerns(t) || t->nbPoints() == 0) continue;
        for (const BaseState* s : t->node()->getAll<BaseState>(Search::Local))
            if (contains(m_states, s))
                throw std::runtime_error("the points of '" + m_edited.front()->pathName() + "' are those of " +
                                         nameOf(*t) + " too, which does not follow");
    }
}

/// From now on points change as well.
void TopologyTransaction::concernPoints()
{
    if (m_pointsConcerned) return;
    const auto* modifier = m_edited.front()->node()->get<TopologyModifier>(Search::Local);
    if (!modifier)
        throw std::runtime_error("the points of '" + m_edited.front()->pathName() +
                                 "' cannot change: there is no topology modifier in its node");
    findStates();
    if (!modifier->changesState() && !m_states.empty()) {
        m_states.clear();
        throw std::runtime_error("the points of '" + m_edited.front()->pathName() +
                                 "' cannot change: propagateToDOF is off");
    }
    m_pointsConcerned = true;
    findFollowers();
    for (StoredTopology* t : m_topologies) numbersOf(*t, ElementType::Points, t->nbPoints());
    for (BaseState* s : m_states) numbersOf(*s, ElementType::Points, s->size());
}

/// Throws std::runtime_error if a component cannot follow.
void TopologyTransaction::ask(TopologyStep step)
{
    if (step.type == ElementType::Points) concernPoints();
    step.topologies = {m_topologies.begin(), m_topologies.end()};
    const auto refuse = [&](const Component& c, const std::string& why) {
        c.message(Severity::Warning, step.refusal() + ": " + why);
        throw std::runtime_error(nameOf(c) + ": " + why);
    };
    for (const Component* c : m_unable) refuse(*c, "it cannot follow changes of the mesh");
    for (const Component* c : componentsOf(m_root))
        if (const auto* f = dynamic_cast<const TopologyFollower*>(c); f && c->isValid())
            if (const std::string why = f->refusal(step); !why.empty()) refuse(*c, why);
}

// --- Following ------------------------------------------------------------------------------------------------------

TopologyTransaction::Numbers& TopologyTransaction::numbersOf(const Base& b, ElementType type, std::size_t size)
{
    auto& numbers = m_numbers[{&b, type}];
    if (!numbers) numbers = std::make_shared<Numbers>(size);
    return *numbers;
}

/// Of all lists but those that nobody has read yet.
std::vector<TopologyTransaction::ListState> TopologyTransaction::snapshots(bool ofEdited) const
{
    std::vector<ListState> all;
    for (StoredTopology* t : m_topologies) {
        if (!ofEdited && contains(m_edited, t)) continue;
        for (StoredTopology::List* l : t->lists())
            if (!l->isWaiting()) all.push_back({t, l, l->snapshot()});
        if (ofEdited) all.push_back({t, &t->points(), t->points().snapshot()});
    }
    return all;
}

std::vector<TopologyTransaction::StateNumbers> TopologyTransaction::stateNumbers() const
{
    std::vector<StateNumbers> all;
    for (BaseState* s : m_states)
        all.push_back(
            {s, s->size(), s->hasChangedPoints() ? std::optional<Vector<Index>>(s->pointOrigin()) : std::nullopt});
    return all;
}

TopologyChange TopologyTransaction::changeSince(const std::vector<ListState>& lists,
                                                const std::vector<StateNumbers>& states) const
{
    TopologyChange change;
    change.m_changesPoints = m_pointsConcerned;
    for (const auto& [key, numbers] : m_numbers)
        if (m_open) change.m_sources[key] = numbers->source();
    std::map<const StoredTopology*, Vector<Index>> pointsNow;  // where they have other numbers
    const auto compare = [&](const ListState& l) {
        const auto now = pointsNow.find(l.topology);
        change.m_sources[{l.topology, l.list->type()}] =
            sourceOf(static_cast<Index>(l.snapshot->size()),
                     l.snapshot->numbers(now == pointsNow.end() ? nullptr : &now->second));
    };
    for (const ListState& l : lists)
        if (l.list->type() == ElementType::Points) compare(l);
    for (const StoredTopology* t : m_topologies)
        if (const auto it = change.m_sources.find({t, ElementType::Points});
            it != change.m_sources.end() && !it->second.same)
            pointsNow[t] = it->second.inverse();
    for (const ListState& l : lists)
        if (l.list->type() != ElementType::Points) compare(l);
    for (const auto& [s, size, origin] : states) {
        const Vector<Index> now = s->hasChangedPoints() ? s->pointOrigin() : identity(s->size());
        const Vector<Index> then = origin ? *origin : identity(size);
        change.m_sources[{s, ElementType::Points}] = sourceOf(size, numbersSince(then, now));
    }
    for (const StoredTopology* t : m_topologies)
        for (int k = 0; k < 8; ++k) change.m_sources.try_emplace({t, static_cast<ElementType>(k)});
    return change;
}

void TopologyTransaction::commit()
{
    try {
        follow();
    } catch (const std::runtime_error&) {
        rollBack();
        throw;
    }
    m_open = false;
}

void TopologyTransaction::replace(const std::function<void()>& edit, bool restoring)
{
    m_before = snapshots(true);
    m_statesBefore = stateNumbers();
    m_restoring = restoring;
    did([this, before = m_before] {
        for (const auto& [t, list, snapshot] : before)
            if (contains(m_edited, t)) snapshot->restoreValue();
        for (StoredTopology* t : m_edited) {
            // A list without a snapshot had not been read, and was not edited.
            for (StoredTopology::List* l : t->lists())
                if (std::ranges::none_of(before, [l](const ListState& s) { return s.list == l; })) l->restore();
            if (!t->isEdited()) t->freePointCount();
        }
    });
    for (StoredTopology* t : m_edited) t->holdPointCount();
    edit();
    commit();
    if (!restoring) return;
    for (StoredTopology* t : m_edited) t->freePointCount();
}

void TopologyTransaction::follow()
{
    for (TopologicalMapping* m : m_mappings) {
        m->rebuild();
        checkFollowed(*m);
    }
    TopologyChange change = changeSince(m_before, m_statesBefore);
    change.m_bringsBack = m_restoring;
    m_listsFollowed = true;
    for (Component* c : m_followers) followLists(*c, change);
    for (Component* c : m_followers) {
        m_followed.push_back(c);
        follower(*c).followTopology(change);
        checkFollowed(*c);
    }
}

void TopologyTransaction::followLists(Component& c, const TopologyChange& change)
{
    TopologyFollower& f = follower(c);
    if (m_restoring) {
        for (const auto& [data, restore] : f.m_initial) restore();
        f.m_initial.clear();
        return;
    }
    const auto kept = m_data.find(&c);
    if (kept == m_data.end()) return;
    for (const Kept& d : kept->second) {
        if (f.m_initial.try_emplace(d.what.data, [d] { d.restoreValue(); }).second)
            m_inserted.emplace_back(&f, d.what.data);
        if (const auto saved = std::ranges::find(m_saved, d.what.data, &SavedValues::value_type::first);
            saved != m_saved.end()) {
            std::string error;
            d.what.data->unlink();
            if (!d.what.data->read(saved->second, error))
                throw std::runtime_error(nameOf(c) + ": " + d.what.data->name() + ": " + error);
            d.what.data->setIsSet(d.isSet);
            continue;
        }
        const TopologyChange::Source source = change.source(d.numbering);
        if (!source.same && d.what.follow) d.what.follow(d.what, d.value.get(), d.isSet, source);
    }
}

std::vector<BaseData*> TopologyTransaction::changedLists(TopologyFollower& f)
{
    std::vector<BaseData*> all;
    const auto add = [&](const ElementLists& lists) {
        for (const ElementData& d : lists.data)
            if (d.kind != ElementData::Kind::Kept && f.m_initial.contains(d.data)) all.push_back(d.data);
    };
    if (f.m_initial.empty()) return all;
    add(f.elementLists());
    for (const ElementLists& l : f.pointLists().value_or(std::vector<ElementLists>())) add(l);
    return all;
}

TopologyTransaction::SavedValues TopologyTransaction::archiveFollowers(Archive& a, Node& root)
{
    SavedValues values;
    const auto components = componentsOf(root);
    if (!a.loading())
        for (Component* c : components)
            if (auto* f = dynamic_cast<TopologyFollower*>(c))
                for (BaseData* d : changedLists(*f)) values.emplace_back(d, d->text());
    std::uint64_t count = values.size();
    a(count);
    for (std::uint64_t k = 0; k < count; ++k) {
        std::string owner, name, text;
        if (!a.loading()) {
            owner = dynamic_cast<const Component*>(values[k].first->owner())->pathName();
            name = values[k].first->name();
            text = values[k].second;
        }
        a(owner);
        a(name);
        a(text);
        if (!a.loading()) continue;
        const auto c = std::ranges::find(components, owner, [](const Component* x) { return x->pathName(); });
        BaseData* d = c == components.end() ? nullptr : (*c)->findData(name);
        if (!d) throw std::runtime_error("there is no '" + owner + "." + name + "'");
        values.emplace_back(d, text);
    }
    return values;
}

/// Everything as it was before.
void TopologyTransaction::rollBack()
{
    const auto failed = snapshots(true);
    const auto failedStates = stateNumbers();
    m_open = false;
    for (Component* c : m_followers) c->setValid(true);
    for (TopologicalMapping* m : m_mappings) m->setValid(true);
    for (; !m_undo.empty(); m_undo.pop_back()) m_undo.back()();
    for (TopologicalMapping* m : m_mappings) m->rebuild();
    if (m_listsFollowed)
        for (const auto& [c, data] : m_data)
            for (const Kept& d : data) d.restoreValue();
    for (const auto& [f, data] : m_inserted) f->m_initial.erase(data);
    TopologyChange change = changeSince(failed, failedStates);
    change.m_bringsBack = true;
    for (Component* c : m_followed) {
        try {
            follower(*c).followTopology(change);
        } catch (const std::runtime_error& e) {
            c->fail(e.what());
        }
    }
}

}  // namespace sofa::core
