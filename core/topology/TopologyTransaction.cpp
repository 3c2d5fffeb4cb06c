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

bool isMadeForAWhile(const Component& c) { return isTransient(c) || isTransient(*c.node()); }

void checkFollowed(const Component& c)
{
    if (c.isValid()) return;
    throw std::runtime_error(nameOf(c) + ": " + (c.messages().empty() ? "it cannot follow" : c.messages().back().text));
}

}  // namespace

/// How a list follows, and what it was.
struct TopologyTransaction::Kept
{
    Kept(ElementNumbering n, const ElementData& d)
        : numbering(std::move(n)), what(d), counter(d.data->counter()), isSet(d.data->isSet())
    {
        if (what.kind == ElementData::Kind::Kept) value = what.data->shareValue();
    }
    /// What brings the value back; lists that follow still have it.
    std::function<void()> keeper() const
    {
        return [data = what.data, old = value ? value : what.data->shareValue(), set = isSet] {
            data->unlink();
            data->restoreValue(old, set);
        };
    }

    ElementNumbering numbering;
    ElementData what;
    std::size_t counter;
    bool isSet;
    std::shared_ptr<void> value{};  ///< of what is kept
};

TopologyTransaction::TopologyTransaction(StoredTopology& topology)
    : TopologyTransaction(topology.node()->root(), {&topology}, {}, false)
{
    for (const TopologicalMapping* m : m_root.getAll<TopologicalMapping>(Search::Down))
        if (m->output() == &topology)
            throw std::runtime_error("the elements of '" + topology.pathName() + "' are made by " + nameOf(*m) +
                                     ": change those that they come from");
    for (TopologicalMapping* m : m_mappings)
        if (auto* out = dynamic_cast<StoredTopology*>(m->output());
            out && m->isValid() && m->translates() && !contains(m_edited, out) && !contains(m_translated, out) &&
            (m->input() == &topology || contains(m_translated, m->input())))
            m_translated.push_back(out);
    begin(topology);
    m_before = snapshots(false);
}

void TopologyTransaction::begin(StoredTopology& t)
{
    // Lists that follow from others keep their numbers from now on.
    for (StoredTopology::List* l : t.lists()) {
        if (l->isWaiting()) continue;
        if (l->size() > 0) did(l->beginEdit());
        numbersOf(t, l->type(), l->size());
    }
    if (t.holdPointCount()) did([&t] { t.freePointCount(); });
    m_touched[&t];
}

TopologyTransaction::TopologyTransaction(Node& root, std::vector<StoredTopology*> edited,
                                         std::vector<BaseState*> states, bool points)
    : m_root(root), m_edited(std::move(edited)), m_states(std::move(states)), m_pointsConcerned(points)
{
    for (Component* c : componentsOf(m_root)) {
        if (!c->isValid()) continue;
        Candidate found{c, dynamic_cast<TopologyFollower*>(c), dynamic_cast<const BaseMapping*>(c)};
        // A topology follows changes of its own lists, and a mapping those of its input's followers, if it says so.
        found.isMesh = !found.follower && (dynamic_cast<TopologicalMapping*>(c) || dynamic_cast<BaseMeshTopology*>(c));
        m_candidates.push_back(found);
    }
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
    return std::ranges::any_of(m_topologies, [b](const StoredTopology* t) { return t == b; }) || pointsConcerned(b);
}

bool TopologyTransaction::pointsConcerned(const Base* b) const
{
    const auto has = [b](const auto& all) {
        return std::ranges::any_of(all, [b](const auto* one) { return static_cast<const Base*>(one) == b; });
    };
    if (m_pointsConcerned && (has(m_sharing) || has(m_states))) return true;
    return std::ranges::any_of(
        m_made, [&](const Made& made) { return made.concerned && (has(made.topologies) || has(made.states)); });
}

bool TopologyTransaction::anyPointsConcerned() const
{
    return m_pointsConcerned || std::ranges::any_of(m_made, &Made::concerned);
}

bool TopologyTransaction::concerns(const ElementLists& lists) const
{
    return concerns(lists.numbering.topology) || concerns(lists.numbering.state);
}

bool TopologyTransaction::isLinked(const Component& c, bool points) const
{
    return std::ranges::any_of(c.links(), [&](const BaseLink* l) {
        if (dynamic_cast<const TopologyView*>(l)) return false;
        return std::ranges::any_of(l->targets(), [&](Base* b) { return points ? pointsConcerned(b) : concerns(b); });
    });
}

/// Everything downstream of the edited topologies: by mappings, and by Data linked to their lists.
void TopologyTransaction::findTopologies()
{
    m_topologies = m_sharing = m_edited;
    const auto mappings = m_root.getAll<TopologicalMapping>(Search::Down);
    for (std::size_t k = 0; k < m_topologies.size(); ++k) {
        StoredTopology* t = m_topologies[k];
        const auto add = [&](BaseMeshTopology* other, TopologicalMapping* maker = nullptr) {
            auto* stored = dynamic_cast<StoredTopology*>(other);
            if (!stored || contains(m_topologies, stored)) return;
            m_topologies.push_back(stored);
            if (maker) {
                m_made.push_back({maker, {stored}});
                m_made.back().concerned = m_pointsConcerned;
                return;
            }
            const auto of = std::ranges::find_if(m_made, [t](const Made& m) { return contains(m.topologies, t); });
            (of == m_made.end() ? m_sharing : of->topologies).push_back(stored);
        };
        for (TopologicalMapping* m : mappings)
            if (m->input() == t) {
                m_mappings.push_back(m);
                add(m->output(), m->makesPoints() ? m : nullptr);
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
    std::unordered_set<const Base*> leaving;
    for (const Candidate& candidate : m_candidates)
        if (candidate.follower && anyPointsConcerned())
            for (const Base* b : candidate.follower->takenAway()) leaving.insert(b);
    for (const auto& [c, f, m, isMesh] : m_candidates) {
        if (isMesh || leaving.contains(c) || leaving.contains(c->node())) continue;
        bool linked = isLinked(*c, false);
        if (m && m->sharesPoints()) {
            const auto changes = [&](const BaseState* s) { return concerns(s); };
            if (std::ranges::any_of(m->inputs(), changes) != std::ranges::any_of(m->outputs(), changes)) {
                m_unable.push_back(c);
                continue;
            }
        }
        if (f && f->followsPoints()) {
            if (anyPointsConcerned()) m_followers.push_back(c);
            continue;
        }
        if (!f) {
            if (isMadeForAWhile(*c)) continue;
            if (linked && !dynamic_cast<const BaseState*>(c)) m_unable.push_back(c);
            continue;
        }
        const ElementLists elements = f->elementLists();
        const auto points = anyPointsConcerned() ? f->pointLists() : TopologyFollower::PointLists();
        linked = linked || concerns(elements);
        for (const ElementLists& l : points.value_or(std::vector<ElementLists>())) linked = linked || concerns(l);
        if (!linked && !m_owners.contains(c)) continue;
        if (linked && !points && (isLinked(*c, true) || pointsConcerned(elements.numbering.topology))) {
            if (!isMadeForAWhile(*c)) m_unable.push_back(c);
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

/// The states whose points are those of the edited topology.
void TopologyTransaction::findStates() { findStates(m_sharing, m_states); }

void TopologyTransaction::findStates(const std::vector<StoredTopology*>& topologies,
                                     std::vector<BaseState*>& states) const
{
    for (const StoredTopology* t : topologies)
        for (BaseState* s : t->node()->getAll<BaseState>(t == m_edited.front() ? Search::Up : Search::Local)) {
            if (!s->isMechanical() || contains(states, s)) continue;
            if (s->size() != t->nbPoints()) {
                if (t != m_edited.front() || s->node() != t->node()) break;
                throw std::runtime_error("the points of '" + t->pathName() + "' cannot change: it has " +
                                         std::to_string(t->nbPoints()) + ", but the state '" + s->pathName() +
                                         "' has " + std::to_string(s->size()));
            }
            states.push_back(s);
            break;
        }
    const auto mappings = m_root.getAll<BaseMapping>(Search::Down);
    for (std::size_t k = 0; k < states.size(); ++k)
        for (const BaseMapping* m : mappings)
            if (m->isValid() && m->sharesPoints() && contains(m->inputs(), states[k]))
                for (BaseState* out : m->outputs())
                    if (!contains(states, out)) states.push_back(out);
    for (const auto* t : m_root.getAll<BaseMeshTopology>(Search::Down)) {
        if (concerns(t) || t->nbPoints() == 0) continue;
        for (const BaseState* s : t->node()->getAll<BaseState>(Search::Local))
            if (contains(states, s))
                throw std::runtime_error("the points of '" + topologies.front()->pathName() + "' are those of " +
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
    for (StoredTopology* t : m_sharing) numbersOf(*t, ElementType::Points, t->nbPoints());
    for (BaseState* s : m_states) numbersOf(*s, ElementType::Points, s->size());
}

/// From now on those points change that mappings make of what a step changes.
void TopologyTransaction::concernMadePoints(const TopologyStep& step)
{
    bool more = false;
    for (Made& made : m_made) {
        if (made.concerned) continue;
        const BaseMeshTopology* from = made.mapping->input();
        bool concerned = pointsConcerned(from);
        for (int k = 1; k < 8 && step.type != ElementType::Points; ++k) {
            // New elements bring sides; what other mappings make of them may be of any kind.
            const auto type = static_cast<ElementType>(k);
            const bool changes = from != step.topology || dimensionOf(type) <= dimensionOf(step.type);
            concerned = concerned || (changes && made.mapping->makesPointsOf(type));
        }
        if (!concerned) continue;
        findStates(made.topologies, made.states);
        made.concerned = more = true;
        for (StoredTopology* t : made.topologies) numbersOf(*t, ElementType::Points, t->nbPoints());
        for (BaseState* s : made.states) numbersOf(*s, ElementType::Points, s->size());
    }
    if (more) findFollowers();
}

/// Throws std::runtime_error if a component cannot follow.
void TopologyTransaction::ask(TopologyStep step)
{
    if (step.type == ElementType::Points) concernPoints();
    concernMadePoints(step);
    step.topologies = {m_topologies.begin(), m_topologies.end()};
    const auto refuse = [&](const Component& c, const std::string& why) {
        c.message(Severity::Warning, step.refusal() + ": " + why);
        throw std::runtime_error(nameOf(c) + ": " + why);
    };
    for (const Component* c : m_unable) refuse(*c, "it cannot follow changes of the mesh");
    for (const Candidate& c : m_candidates)
        if (c.follower)
            if (const std::string why = c.follower->refusal(step); !why.empty()) refuse(*c.component, why);
}

// --- Following ------------------------------------------------------------------------------------------------------

TopologyTransaction::Numbers& TopologyTransaction::numbersOf(const Base& b, ElementType type, std::size_t size)
{
    auto& numbers = m_numbers[{&b, type}];
    if (!numbers) numbers = std::make_shared<Numbers>(size);
    return *numbers;
}

/// The numbers of the elements of a list, where it is followed step by step: the list, or that which it is linked to.
const TopologyTransaction::Numbers* TopologyTransaction::knownNumbers(const StoredTopology& t, ElementType type) const
{
    const BaseData* d = t.findData(dataName(type));
    while (d && d->parent()) d = d->parent();
    const auto* of = d ? dynamic_cast<const StoredTopology*>(d->owner()) : nullptr;
    if (!of || (!contains(m_edited, of) && !contains(m_translated, of))) return nullptr;
    const auto it = m_numbers.find({of, type});
    return it == m_numbers.end() ? nullptr : it->second.get();
}

/// Of all lists but those that nobody has read yet, and those that are followed step by step.
std::vector<TopologyTransaction::ListState> TopologyTransaction::snapshots(bool all) const
{
    std::vector<ListState> out;
    for (StoredTopology* t : m_topologies) {
        if (!all && (contains(m_edited, t) || contains(m_translated, t))) continue;
        for (StoredTopology::List* l : t->lists())
            if (!l->isWaiting() && (all || !knownNumbers(*t, l->type()))) out.push_back({t, l, l->snapshot()});
        if (all) out.push_back({t, &t->points(), t->points().snapshot()});
    }
    return out;
}

std::vector<TopologyTransaction::StateNumbers> TopologyTransaction::stateNumbers() const
{
    std::vector<StateNumbers> all;
    const auto add = [&all](const std::vector<BaseState*>& states) {
        for (BaseState* s : states)
            all.push_back(
                {s, s->size(), s->hasChangedPoints() ? std::optional<Vector<Index>>(s->pointOrigin()) : std::nullopt});
    };
    add(m_states);
    for (const Made& made : m_made) add(made.states);
    return all;
}

TopologyChange TopologyTransaction::changeSince(const std::vector<ListState>& lists,
                                                const std::vector<StateNumbers>& states) const
{
    TopologyChange change;
    change.m_changesPoints = anyPointsConcerned();
    if (m_open) addSteps(change);
    std::map<const StoredTopology*, Vector<Index>> pointsNow;  // where they have other numbers
    const auto compare = [&](const ListState& l) {
        const auto now = pointsNow.find(l.topology);
        change.m_sources[{l.topology, l.list->type()}] =
            sourceOf(static_cast<Index>(l.snapshot->size()),
                     l.snapshot->numbers(now == pointsNow.end() ? nullptr : &now->second));
    };
    for (const ListState& l : lists)
        if (l.list->type() == ElementType::Points) compare(l);
    for (const ListState& l : lists)
        if (const auto it = change.m_sources.find({l.topology, ElementType::Points});
            it != change.m_sources.end() && !it->second.same && !pointsNow.contains(l.topology))
            pointsNow[l.topology] = it->second.inverse();
    for (const ListState& l : lists)
        if (l.list->type() != ElementType::Points) compare(l);
    for (const auto& [s, size, origin] : states) {
        const Vector<Index> now = s->hasChangedPoints() ? s->pointOrigin() : identity(s->size());
        const Vector<Index> then = origin ? *origin : identity(size);
        change.m_sources[{s, ElementType::Points}] = sourceOf(size, numbersSince(then, now));
    }
    for (const StoredTopology* t : m_topologies)
        for (int k = 1; k < 8; ++k) change.m_sources.try_emplace({t, static_cast<ElementType>(k)});
    return change;
}

/// What was done step by step.
void TopologyTransaction::addSteps(TopologyChange& change) const
{
    for (const auto& [key, numbers] : m_numbers) change.m_sources[key] = numbers->source();
    for (const StoredTopology* t : m_topologies)
        for (const StoredTopology::List* l : t->lists())
            if (const Numbers* n = knownNumbers(*t, l->type()); n && !change.m_sources.contains({t, l->type()}))
                change.m_sources[{t, l->type()}] = n->source();
    for (const auto& [t, touched] : m_touched) {
        const auto it = m_numbers.find({t, ElementType::Points});
        if (it != m_numbers.end()) change.m_touched[t] = it->second->placesOf(touched);
    }
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
    m_replacing = true;
    for (TopologicalMapping* m : m_mappings)
        if (m->hasTranslated()) did([m, inputs = m->localToGlobal()] { m->setLocalToGlobal(inputs); });
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
        if (contains(m_translated, m->output())) {
            followThrough(*m);
        } else if (m_restoring || !m->hasTranslated()) {
            if (m_replacing)
                did(m->remakeInput(m_restoring));
            else if (m->keepsInput())
                followInput(*m);
            m->rebuild();
        }
        checkFollowed(*m);
    }
    tellPointCounts();
    TopologyChange change = changeSince(m_before, m_statesBefore);
    change.m_bringsBack = m_restoring;
    change.m_undo = &m_undoLists;
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
        BaseData* const data = d.what.data;
        const auto before = f.m_initial.contains(data) ? std::function<void()>() : d.keeper();
        const auto saved = std::ranges::find(m_saved, data, &SavedValues::value_type::first);
        if (saved != m_saved.end()) {
            m_undoLists.push_back(before ? before : d.keeper());
            std::string error;
            data->unlink();
            if (!data->read(saved->second, error))
                throw std::runtime_error(nameOf(c) + ": " + data->name() + ": " + error);
            data->setIsSet(d.isSet);
        } else if (d.value) {
            m_undoLists.push_back(d.keeper());
            // What is linked to a selection has the new numbers already; the component translates those of before.
            if (data->counter() != d.counter) m_undoLists.back()();
        } else if (d.what.kind != ElementData::Kind::Computed) {
            // What is linked to Data of the mesh may have changed by itself.
            const TopologyChange::Source source = change.source(d.numbering);
            if (source.same || data->counter() != d.counter) continue;
            auto undo = d.what.follow(d.what, source);
            if (!undo) continue;
            m_undoLists.push_back(std::move(undo));
        }
        if (before) {
            f.m_initial.emplace(data, before);
            m_inserted.emplace_back(&f, data);
        }
    }
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
    for (TopologicalMapping* m : m_mappings)
        if (!m->hasTranslated() && !contains(m_translated, m->output())) m->rebuild();
    tellPointCounts();
    for (; !m_undoLists.empty(); m_undoLists.pop_back()) m_undoLists.back()();
    for (const auto& [f, data] : m_inserted) f->m_initial.erase(data);
    TopologyChange change = changeSince(failed, failedStates);
    change.m_bringsBack = true;
    for (Component* c : m_followed) {
        try {
            follower(*c).followTopology(change);
        } catch (const std::runtime_error& e) {
            c->fail(e);
        }
    }
}

}  // namespace sofa::core
