// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/TopologyChange.h"

#include <algorithm>
#include <set>

#include "core/behavior/BaseState.h"
#include "core/objectmodel/Node.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyView.h"

namespace sofa::core {

namespace {

int dimensionOf(ElementType t)
{
    if (t == ElementType::Points) return 0;
    if (t == ElementType::Edges) return 1;
    return t == ElementType::Triangles || t == ElementType::Quads ? 2 : 3;
}

/// Whether an element has all these vertices.
bool hasAll(std::span<const Index> element, std::span<const Index> vertices)
{
    return std::ranges::all_of(vertices, [&](Index v) { return std::ranges::find(element, v) != element.end(); });
}

std::string nameOf(const Component& c) { return "'" + c.pathName() + "' (" + c.className() + ")"; }

StoredTopology::List* listOf(StoredTopology& t, ElementType type)
{
    for (StoredTopology::List* l : t.lists())
        if (l->type() == type) return l;
    return nullptr;
}

/// All components of a scene, in its order.
std::vector<Component*> componentsOf(const Node& root)
{
    std::vector<Component*> all;
    for (const Node* n : root.descendants(true))
        for (const auto& c : n->components()) all.push_back(c.get());
    return all;
}

const TopologicalMapping* mappingTo(const BaseMeshTopology& t)
{
    for (const TopologicalMapping* m : t.node()->getAll<TopologicalMapping>(Search::Root))
        if (m->output() == &t) return m;
    return nullptr;
}

// --- Lists that refer to elements ---------------------------------------------------------------------------------

/// A Data as it was.
class KeptData
{
public:
    explicit KeptData(const ElementData& what) : m_what(what)
    {
        m_what.data->counter();  // brings it up to date
        m_value = m_what.data->shareValue();
        m_isSet = m_what.data->isSet();
    }
    BaseData* data() const { return m_what.data; }
    void restoreValue() const
    {
        m_what.data->unlink();
        m_what.data->restoreValue(m_value, m_isSet);
    }
    void follow(const ElementSource& s) const
    {
        if (m_what.follow) m_what.follow(m_what, m_value.get(), m_isSet, s);
    }

private:
    ElementData m_what;
    std::shared_ptr<void> m_value;
    bool m_isSet = false;
};

}  // namespace

ElementData::ElementData(BaseData* d, Kind k) : data(d), kind(k)
{
    if (k != Kind::Kept) throw std::logic_error("a value of type " + d->typeName() + " does not follow elements");
}

Vector<Index> ElementSource::renumbered(const Vector<Index>& elements) const
{
    Vector<Index> now(before, InvalidIndex), out;
    for (Index i = 0; i < numbers.size(); ++i)
        if (numbers[i] < now.size()) now[numbers[i]] = i;
    for (const Index e : elements)
        if (e < now.size() && now[e] != InvalidIndex) out.push_back(now[e]);
    return out;
}

TopologyChange::Source TopologyChange::source(const ElementNumbering& n) const
{
    Source all;
    for (const ElementType kind : n.kinds) {
        const auto it = m_sources.find({n.topology, kind});
        if (it == m_sources.end()) continue;  // another mesh
        for (const Index e : it->second.numbers)
            for (Index k = 0; k < n.parts; ++k)
                all.numbers.push_back(e == InvalidIndex ? InvalidIndex : all.before + e * n.parts + k);
        all.before += it->second.before * n.parts;
        all.same = all.same && it->second.same;
    }
    return all;
}

/// One change: everything that it concerns, the change itself, and the way back.
class TopologyTransaction
{
public:
    TopologyTransaction(Node& root, const std::vector<StoredTopology*>& edited) : m_root(root), m_edited(edited)
    {
        findTopologies();
        for (Component* c : componentsOf(root)) {
            if (dynamic_cast<BaseMeshTopology*>(c) || dynamic_cast<TopologicalMapping*>(c)) continue;
            if (!c->isValid()) continue;
            const bool linked = isLinked(*c);
            auto* f = dynamic_cast<TopologyFollower*>(c);
            if (f && (linked || m_owners.contains(c) || concerns(f->elementLists().numbering.topology)))
                m_followers.push_back(c);
            else if (linked && !dynamic_cast<const BaseState*>(c))
                m_unable.push_back(c);
        }
    }

    std::vector<const BaseMeshTopology*> topologies() const { return {m_topologies.begin(), m_topologies.end()}; }

    /// Throws std::runtime_error if a component cannot follow.
    void ask(const ElementRemoval& removal) const
    {
        const auto refuse = [&](const Component& c, const std::string& why) {
            c.message(Severity::Warning,
                      "elements cannot be removed from '" + removal.topology->pathName() + "': " + why);
            throw std::runtime_error(nameOf(c) + ": " + why);
        };
        for (const Component* c : m_unable) refuse(*c, "it cannot follow changes of the mesh");
        for (const Component* c : componentsOf(m_root))
            if (const auto* f = dynamic_cast<const TopologyFollower*>(c))
                if (const std::string why = f->refusal(removal); !why.empty()) refuse(*c, why);
    }

    /// Makes a change of the lists of the edited topologies, or takes it back and throws std::runtime_error.
    void make(const std::function<void()>& edit, bool restoring)
    {
        takeSnapshots();
        const auto before = std::move(m_lists);
        for (Component* c : m_followers) {
            const ElementLists lists = follower(*c).elementLists();
            for (const ElementData& d : lists.data) m_data[c].emplace_back(d);
        }
        m_restoring = restoring;
        try {
            m_lists = {};
            for (StoredTopology* t : m_edited) t->holdPointCount();
            edit();
            rebuild(before);
        } catch (const std::runtime_error& e) {
            rollBack(before);
            throw std::runtime_error(e.what());
        }
        if (!restoring) return;
        for (StoredTopology* t : m_edited) t->freePointCount();
    }

private:
    struct ListState
    {
        StoredTopology* topology;
        StoredTopology::List* list;
        std::shared_ptr<StoredTopology::List::Snapshot> snapshot;
    };

    static TopologyFollower& follower(Component& c) { return dynamic_cast<TopologyFollower&>(c); }

    bool concerns(const BaseMeshTopology* t) const
    {
        return std::ranges::any_of(m_topologies, [t](const StoredTopology* s) { return s == t; });
    }

    bool isLinked(const Component& c) const
    {
        return std::ranges::any_of(c.links(), [&](const BaseLink* l) {
            if (dynamic_cast<const TopologyView*>(l)) return false;
            return std::ranges::any_of(l->targets(),
                                       [&](Base* b) { return concerns(dynamic_cast<const BaseMeshTopology*>(b)); });
        });
    }

    /// Everything downstream of the edited topologies: by mappings, and by Data linked to their lists.
    void findTopologies()
    {
        m_topologies = m_edited;
        const auto mappings = m_root.getAll<TopologicalMapping>(Search::Down);
        for (std::size_t k = 0; k < m_topologies.size(); ++k) {
            StoredTopology* t = m_topologies[k];
            const auto add = [&](BaseMeshTopology* other) {
                auto* stored = dynamic_cast<StoredTopology*>(other);
                if (stored && std::ranges::find(m_topologies, stored) == m_topologies.end())
                    m_topologies.push_back(stored);
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
                    if (std::ranges::find(reached, out) != reached.end()) continue;
                    reached.push_back(out);
                    const auto* d = dynamic_cast<BaseData*>(out);
                    if (!d || !d->owner()) continue;
                    add(dynamic_cast<BaseMeshTopology*>(d->owner()));
                    if (auto* c = dynamic_cast<Component*>(d->owner())) m_owners.insert(c);
                }
        }
    }

    static std::string dataName(ElementType type)
    {
        constexpr const char* names[] = {"",           "edges",    "triangles", "quads",
                                         "tetrahedra", "pyramids", "prisms",    "hexahedra"};
        return names[static_cast<int>(type)];
    }

    /// Of all lists but those that nobody has read yet.
    void takeSnapshots()
    {
        m_lists.clear();
        for (StoredTopology* t : m_topologies)
            for (StoredTopology::List* l : t->lists())
                if (!l->isWaiting()) m_lists.push_back({t, l, l->snapshot()});
    }

    TopologyChange compare(const std::vector<ListState>& before) const
    {
        TopologyChange change;
        for (const auto& [t, list, snapshot] : before) {
            TopologyChange::Source s{static_cast<Index>(snapshot->size()), snapshot->numbers(), true};
            s.same = s.before == s.numbers.size();
            for (Index i = 0; s.same && i < s.before; ++i) s.same = s.numbers[i] == i;
            change.m_sources[{t, list->type()}] = std::move(s);
        }
        for (const StoredTopology* t : m_topologies)
            for (int k = 1; k < 8; ++k) change.m_sources.try_emplace({t, static_cast<ElementType>(k)});
        return change;
    }

    void rebuild(const std::vector<ListState>& before)
    {
        const auto check = [](const Component& c) {
            if (c.isValid()) return;
            throw std::runtime_error(nameOf(c) + ": " +
                                     (c.messages().empty() ? "it cannot follow" : c.messages().back().text));
        };
        for (TopologicalMapping* m : m_mappings) {
            m->rebuild();
            check(*m);
        }
        TopologyChange change = compare(before);
        change.m_bringsBack = m_restoring;
        for (Component* c : m_followers) followLists(*c, change);
        for (Component* c : m_followers) {
            follower(*c).followTopology(change);
            check(*c);
        }
    }

    void followLists(Component& c, const TopologyChange& change)
    {
        TopologyFollower& f = follower(c);
        if (m_restoring) {
            for (const auto& [data, restore] : f.m_initial) restore();
            f.m_initial.clear();
            return;
        }
        const auto kept = m_data.find(&c);
        if (kept == m_data.end() || kept->second.empty()) return;
        const TopologyChange::Source source = change.source(f.elementLists().numbering);
        for (const KeptData& d : kept->second) {
            if (f.m_initial.try_emplace(d.data(), [d] { d.restoreValue(); }).second)
                m_inserted.emplace_back(&f, d.data());
            if (!source.same) d.follow(source);
        }
    }

    /// Everything as it was before.
    void rollBack(const std::vector<ListState>& before)
    {
        takeSnapshots();
        const auto failed = m_lists;
        for (Component* c : m_followers) c->setValid(true);
        for (TopologicalMapping* m : m_mappings) m->setValid(true);
        for (const auto& [t, list, snapshot] : before)
            if (std::ranges::find(m_edited, t) != m_edited.end()) snapshot->restoreValue();
        for (StoredTopology* t : m_edited) {
            // A list without a snapshot had not been read, and was not edited.
            for (StoredTopology::List* l : t->lists())
                if (std::ranges::none_of(before, [l](const ListState& s) { return s.list == l; })) l->restore();
            if (!t->isEdited()) t->freePointCount();
        }
        for (TopologicalMapping* m : m_mappings) m->rebuild();
        for (const auto& [c, data] : m_data)
            for (const KeptData& d : data) d.restoreValue();
        for (const auto& [f, data] : m_inserted) f->m_initial.erase(data);
        TopologyChange change = compare(failed);
        change.m_bringsBack = true;
        for (Component* c : m_followers) {
            try {
                follower(*c).followTopology(change);
            } catch (const std::runtime_error& e) {
                c->fail(e.what());
            }
        }
    }

    Node& m_root;
    std::vector<StoredTopology*> m_edited, m_topologies;
    std::vector<TopologicalMapping*> m_mappings;  ///< each after those that fill its input
    std::set<const Component*> m_owners;          ///< of Data downstream of the lists; to look them up only
    std::vector<Component*> m_followers, m_unable;
    std::vector<ListState> m_lists;
    std::map<Component*, std::vector<KeptData>> m_data;               ///< looked up, and put back in any order
    std::vector<std::pair<TopologyFollower*, BaseData*>> m_inserted;  ///< initial lists kept by this change
    bool m_restoring = false;
};

namespace {

/// Elements of lower dimension that lie on removed elements and on none of those that are left.
Vector<Index> keptSides(const StoredTopology::List& sides, const std::vector<Vector<Index>>& removed,
                        const std::vector<StoredTopology::List*>& lists)
{
    std::set<Index> touched;
    for (const auto& e : removed) touched.insert(e.begin(), e.end());
    // What is left of the neighbours of the removed elements.
    std::vector<std::span<const Index>> neighbours;
    for (const StoredTopology::List* l : lists) {
        if (dimensionOf(l->type()) <= dimensionOf(sides.type()) || l->isWaiting()) continue;
        for (std::size_t i = 0; i < l->size(); ++i)
            if (std::ranges::any_of(l->element(i), [&](Index v) { return touched.contains(v); }))
                neighbours.push_back(l->element(i));
    }
    Vector<Index> kept;
    for (Index i = 0; i < sides.size(); ++i) {
        const auto side = sides.element(i);
        const auto holds = [&](const auto& e) { return hasAll(e, side); };
        if (!std::ranges::all_of(side, [&](Index v) { return touched.contains(v); }) ||
            std::ranges::none_of(removed, holds) || std::ranges::any_of(neighbours, holds))
            kept.push_back(i);
    }
    return kept;
}

void edit(StoredTopology& t, ElementType type, const Vector<Index>& elements)
{
    StoredTopology::List& list = *listOf(t, type);
    std::vector<Vector<Index>> removed;
    Vector<Index> kept;
    for (Index i = 0; i < list.size(); ++i) {
        if (!std::ranges::binary_search(elements, i)) {
            kept.push_back(i);
            continue;
        }
        const auto e = list.element(i);
        removed.emplace_back(e.begin(), e.end());
    }
    list.keep(kept);
    for (int dimension = dimensionOf(type) - 1; dimension > 0; --dimension)
        for (StoredTopology::List* sides : t.lists()) {
            // Lists that are derived follow by themselves, but those of grids are derived from the grid.
            if (dimensionOf(sides->type()) != dimension || sides->size() == 0) continue;
            const Vector<Index> left = keptSides(*sides, removed, t.lists());
            if (left.size() < sides->size()) sides->keep(left);
        }
}

}  // namespace

void removeElements(StoredTopology& topology, ElementType type, Vector<Index> elements)
{
    const std::string what = elementTypeName(type), where = "'" + topology.pathName() + "'";
    std::ranges::sort(elements);
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    if (elements.empty()) return;
    if (type == ElementType::Points) throw std::runtime_error("points are not removed, elements are");
    if (const TopologicalMapping* m = mappingTo(topology))
        throw std::runtime_error("the elements of " + where + " are made by " + nameOf(*m) +
                                 ": remove those that they come from");
    const StoredTopology::List* list = listOf(topology, type);
    if (!list || list->size() == 0) throw std::runtime_error(where + " has no elements of type " + what);
    if (elements.back() >= list->size())
        throw std::runtime_error("there is no " + what + " " + std::to_string(elements.back()) + " in " + where +
                                 ", only " + std::to_string(list->size()));
    for (const StoredTopology::List* l : topology.lists()) {
        if (dimensionOf(l->type()) <= dimensionOf(type)) continue;
        for (std::size_t i = 0; i < l->size(); ++i)
            for (const Index e : elements)
                if (hasAll(l->element(i), list->element(e)))
                    throw std::runtime_error(what + " " + std::to_string(e) + " of " + where + " is a side of " +
                                             elementTypeName(l->type()) + " " + std::to_string(i) +
                                             ": remove that instead");
    }
    TopologyTransaction transaction(topology.node()->root(), {&topology});
    transaction.ask({&topology, type, elements, transaction.topologies()});
    transaction.make([&] { edit(topology, type, elements); }, false);
}

namespace {

std::vector<StoredTopology*> editedTopologies(Node& root)
{
    std::vector<StoredTopology*> edited;
    for (Component* c : componentsOf(root))
        if (auto* t = dynamic_cast<StoredTopology*>(c); t && t->isEdited()) edited.push_back(t);
    return edited;
}

}  // namespace

bool mayStartEmpty(Component& c, const BaseMeshTopology& mesh, std::string_view elements)
{
    return mesh.node()->get<TopologyModifier>(Search::Local) ||
           c.tolerate("the topology '" + mesh.pathName() + "' has no " + std::string(elements),
                      "it has no effect until it has some");
}

bool hasRemovedElements(Node& root) { return !editedTopologies(root).empty(); }

void restoreElements(Node& root)
{
    const std::vector<StoredTopology*> edited = editedTopologies(root);
    if (edited.empty()) return;
    TopologyTransaction(root, edited)
        .make(
            [&] {
                for (StoredTopology* t : edited)
                    for (StoredTopology::List* l : t->lists()) l->restore();
            },
            true);
}

void archiveElements(Archive& a, Node& root)
{
    if (a.loading()) restoreElements(root);
    std::vector<StoredTopology*> all, edited;
    for (Component* c : componentsOf(root))
        if (auto* t = dynamic_cast<StoredTopology*>(c)) {
            all.push_back(t);
            if (t->isEdited()) edited.push_back(t);
        }
    std::uint64_t count = edited.size();
    a(count);
    std::vector<std::pair<StoredTopology::List*, Vector<Index>>> kept;
    for (std::uint64_t k = 0; k < count; ++k) {
        std::string path = a.loading() ? std::string() : edited[k]->pathName();
        a(path);
        const auto it = std::ranges::find(all, path, [](const StoredTopology* t) { return t->pathName(); });
        if (it == all.end()) throw std::runtime_error("there is no topology '" + path + "'");
        if (a.loading()) edited.push_back(*it);
        for (StoredTopology::List* l : (*it)->lists()) {
            bool isEdited = l->isEdited();
            a(isEdited);
            if (!isEdited) continue;
            Vector<Index> elements;
            if (!a.loading()) elements = l->origin();
            a(elements);
            if (!a.loading()) continue;
            if (std::ranges::any_of(elements, [l](Index e) { return e >= l->size(); }))
                throw std::runtime_error("'" + path + "' has fewer elements");
            kept.emplace_back(l, std::move(elements));
        }
    }
    if (!a.loading() || edited.empty()) return;
    TopologyTransaction(root, edited)
        .make(
            [&] {
                for (const auto& [list, elements] : kept) list->keep(elements);
            },
            false);
}

Index initialIndex(const BaseMeshTopology& t, ElementType type, Index i)
{
    const auto* stored = dynamic_cast<const StoredTopology*>(&t);
    return stored ? stored->initialIndex(type, i) : i;
}

RemovableElement elementOn(const BaseMeshTopology& topology, std::span<const Index> vertices, const BaseState& state,
                           const Vec3& near)
{
    const BaseMeshTopology* t = &topology;
    while (const TopologicalMapping* m = mappingTo(*t)) t = m->input();
    auto* stored = const_cast<StoredTopology*>(dynamic_cast<const StoredTopology*>(t));
    if (!stored) throw std::runtime_error(nameOf(*t) + " is a mesh that cannot change");
    std::optional<RemovableElement> best;
    double nearest = 0.;
    for (int dimension = 3; dimension > 0 && !best; --dimension)
        for (const StoredTopology::List* l : stored->lists()) {
            if (dimensionOf(l->type()) != dimension) continue;
            for (Index i = 0; i < l->size(); ++i) {
                const auto element = l->element(i);
                if (!hasAll(element, vertices)) continue;
                Vec3 center;
                for (const Index v : element) center += state.pointPosition(v) / static_cast<double>(element.size());
                const double distance = norm2(center - near);
                if (best && !(distance < nearest)) continue;
                best = RemovableElement{stored, l->type(), i};
                nearest = distance;
            }
        }
    if (!best) throw std::runtime_error("no element of '" + stored->pathName() + "' is there: points are not removed");
    return *best;
}

}  // namespace sofa::core
