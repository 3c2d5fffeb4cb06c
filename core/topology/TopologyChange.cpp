// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/TopologyChange.h"

#include <algorithm>
#include <set>

#include "core/behavior/BaseState.h"
#include "core/mesh/ElementsAround.h"
#include "core/mesh/Renumbering.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/PresentPositions.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyTransaction.h"

namespace sofa::core {

Vector<Index> TopologyChange::touchedPoints(const BaseMeshTopology& t) const
{
    if (const auto it = m_touched.find(&t); it != m_touched.end()) return it->second;
    return identity(t.nbPoints());
}

TopologyChange::Source TopologyChange::source(const ElementNumbering& n) const
{
    const Base* of = n.topology;
    if (n.state) of = n.state;
    Source all;
    for (const ElementType kind : n.kinds) {
        const auto it = m_sources.find({of, kind});
        Source unchanged;
        if (it == m_sources.end()) {
            if (kind != ElementType::Points) continue;  // another mesh
            unchanged.before = unchanged.now = n.state ? n.state->size() : n.topology->nbPoints();
        }
        const Source& s = it == m_sources.end() ? unchanged : it->second;
        if (n.parts == 1 && all.before == 0 && all.now == 0) {
            const bool same = all.same;
            all = s;
            all.same = all.same && same;
            continue;
        }
        const auto add = [&](Index i, Index e) {
            for (Index k = 0; k < n.parts; ++k) {
                const Index now = all.now + i * n.parts + k;
                all.moved.push_back({now, e == InvalidIndex ? e : all.before + e * n.parts + k});
                if (e != InvalidIndex) continue;
                for (const Ancestor& a : s.ancestorsOf(i))
                    all.ancestors[now].push_back({all.before + a.index * n.parts + k, a.weight});
            }
        };
        if (all.now == all.before)
            for (const Source::Moved& m : s.moved) add(m.now, m.before);
        else
            for (Index i = 0; i < s.now; ++i) add(i, s.from(i));
        for (const Index e : s.gone)
            for (Index k = 0; k < n.parts; ++k) all.gone.push_back(all.before + e * n.parts + k);
        all.before += s.before * n.parts;
        all.now += s.now * n.parts;
        all.same = all.same && s.same;
    }
    return all;
}

Vector<Index> TopologyChange::touchedElements(const BaseMeshTopology& t, ElementType type) const
{
    const auto it = m_touched.find(&t);
    if (it == m_touched.end()) return identity(elementCount(t, type));
    Vector<Index> all;
    const StoredTopology::List& list = *dynamic_cast<const StoredTopology&>(t).list(type);
    for (const Index v : it->second) all.insert(all.end(), list.around(v).begin(), list.around(v).end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
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

StoredTopology* resolveChangeable(Link<BaseMeshTopology>& link, Component& c)
{
    std::string error;
    if (!link.resolve(error)) {
        c.fail("topology: " + error);
        return nullptr;
    }
    if (!link) link.set(c.node()->get<BaseMeshTopology>(Search::Local));
    auto* stored = dynamic_cast<StoredTopology*>(link.get());
    if (!link)
        c.fail("it needs a topology in its node, or the link 'topology'");
    else if (!stored)
        c.fail("'" + link->pathName() + "' (" + link->className() + ") is a mesh that cannot change");
    return stored;
}

void removeElements(StoredTopology& topology, ElementType type, Vector<Index> elements)
{
    TopologyTransaction change(topology);
    change.remove(type, std::move(elements));
    change.commit();
}

namespace {

std::vector<StoredTopology*> editedTopologies(Node& root)
{
    auto all = root.getAll<StoredTopology>(Search::Down);
    std::erase_if(all, [](const StoredTopology* t) { return !t->isEdited(); });
    return all;
}

std::vector<BaseState*> changedStates(Node& root)
{
    auto all = root.getAll<BaseState>(Search::Down);
    std::erase_if(all, [](const BaseState* s) { return !s->hasChangedPoints(); });
    return all;
}

}  // namespace

bool mayStartEmpty(Component& c, const BaseMeshTopology& mesh, std::string_view elements)
{
    return mesh.node()->get<TopologyModifier>(Search::Local) ||
           c.tolerate("the topology '" + mesh.pathName() + "' has no " + std::string(elements),
                      "it has no effect until it has some");
}

bool hasChangedElements(Node& root) { return !editedTopologies(root).empty() || !changedStates(root).empty(); }

void restoreElements(Node& root)
{
    const std::vector<StoredTopology*> edited = editedTopologies(root);
    const std::vector<BaseState*> states = changedStates(root);
    if (edited.empty() && states.empty()) return;
    const bool points =
        !states.empty() || std::ranges::any_of(edited, [](StoredTopology* t) { return t->points().isEdited(); });
    TopologyTransaction change(root, edited, states, points);
    change.replace(
        [&] {
            for (StoredTopology* t : edited) {
                for (StoredTopology::List* l : t->lists()) l->restore();
                t->points().restore();
            }
            for (BaseState* s : states) change.did(s->restorePoints());
        },
        true);
}

namespace {

/// Saves or loads which of all these a scene has edited, by their paths.
template <class T, class IsEdited>
std::vector<T*> archiveEdited(Archive& a, const std::vector<T*>& all, const char* what, IsEdited isEdited)
{
    std::vector<T*> edited;
    if (!a.loading()) std::ranges::copy_if(all, std::back_inserter(edited), isEdited);
    std::uint64_t count = edited.size();
    a(count);
    for (std::uint64_t k = 0; k < count; ++k) {
        std::string path = a.loading() ? std::string() : edited[k]->pathName();
        a(path);
        if (!a.loading()) continue;
        const auto it = std::ranges::find(all, path, [](const T* t) { return t->pathName(); });
        if (it == all.end()) throw std::runtime_error(std::string("there is no ") + what + " '" + path + "'");
        edited.push_back(*it);
    }
    return edited;
}

struct SavedList
{
    StoredTopology::List* list;
    Vector<Index> vertices, origin;
};

/// Saves or loads the edited lists of a topology, its points last.
void archiveLists(Archive& a, StoredTopology& t, std::vector<SavedList>& lists)
{
    std::vector<StoredTopology::List*> all = t.lists();
    all.push_back(&t.points());
    for (StoredTopology::List* l : all) {
        bool isEdited = l->isEdited();
        a(isEdited);
        if (!isEdited) continue;
        SavedList saved{l, {}, {}};
        if (!a.loading()) {
            saved.origin = l->origin();
            for (std::size_t i = 0; i < l->size(); ++i)
                saved.vertices.insert(saved.vertices.end(), l->element(i).begin(), l->element(i).end());
        }
        a(saved.origin);
        a(saved.vertices);
        if (saved.vertices.size() != saved.origin.size() * (l == &t.points() ? 0 : nodeCount(l->type())))
            throw std::runtime_error("'" + t.pathName() + "' has lists that are damaged");
        for (const Index e : saved.origin)
            if (a.loading() && e != InvalidIndex && e >= l->size())
                throw std::runtime_error("'" + t.pathName() + "' has fewer elements");
        lists.push_back(std::move(saved));
    }
}

}  // namespace

void archiveElements(Archive& a, Node& root)
{
    if (a.loading()) restoreElements(root);
    const auto edited = archiveEdited(a, root.getAll<StoredTopology>(Search::Down), "topology",
                                      [](const StoredTopology* t) { return t->isEdited(); });
    const auto states = archiveEdited(a, root.getAll<BaseState>(Search::Down), "state",
                                      [](const BaseState* s) { return s->hasChangedPoints(); });
    std::vector<SavedList> lists;
    std::vector<Vector<Vec3>> positions;
    std::vector<std::pair<TopologicalMapping*, Vector<Index>>> mapped;
    for (StoredTopology* t : edited) {
        archiveLists(a, *t, lists);
        for (TopologicalMapping* m : root.getAll<TopologicalMapping>(Search::Down)) {
            if (m->output() != t) continue;
            bool translated = m->hasTranslated();
            a(translated);
            if (!translated) continue;
            mapped.emplace_back(m, m->localToGlobal());
            a(mapped.back().second);
        }
        positions.push_back(t->d_position.value());
        a(positions.back());
    }
    std::vector<std::pair<Vector<Index>, std::string>> points;
    for (BaseState* s : states) {
        points.emplace_back();
        if (!a.loading()) {
            Archive vectors;
            s->archive(vectors);
            points.back() = {s->pointOrigin(), vectors.bytes()};
        }
        a(points.back().first);
        a(points.back().second);
        for (const Index p : points.back().first)
            if (a.loading() && p != InvalidIndex && p >= s->size())
                throw std::runtime_error("'" + s->pathName() + "' has fewer points");
    }
    std::vector<std::pair<TopologicalMapping*, std::string>> kept;
    for (TopologicalMapping* m : root.getAll<TopologicalMapping>(Search::Down)) {
        Archive own;
        if (!a.loading()) m->archiveInput(own);
        kept.emplace_back(m, own.bytes());
        a(kept.back().second);
        if (kept.back().second.empty()) kept.pop_back();
    }
    const auto values = TopologyTransaction::archiveFollowers(a, root);
    if (!a.loading() || (edited.empty() && states.empty())) return;
    const bool changesPoints = !states.empty() || std::ranges::any_of(lists, [](const SavedList& l) {
        return l.list->type() == ElementType::Points;
    });
    TopologyTransaction change(root, edited, states, changesPoints);
    change.m_saved = values;
    change.replace(
        [&] {
            for (const SavedList& l : lists) l.list->assign(l.vertices, l.origin);
            for (const auto& [m, inputs] : mapped) {
                const std::size_t count = elementCount(*m->input(), m->sourceType());
                if (inputs.size() != elementCount(*m->output(), m->outputType()) ||
                    std::ranges::any_of(inputs, [&](Index i) { return i != InvalidIndex && i >= count; }))
                    throw std::runtime_error("'" + m->pathName() + "' has elements of another mesh");
                m->setLocalToGlobal(inputs);
            }
            for (const auto& [m, bytes] : kept) {
                Archive before, own(bytes);
                m->archiveInput(before);
                change.did([mapping = m, old = before.bytes()] {
                    Archive back(old);
                    mapping->archiveInput(back);
                });
                m->archiveInput(own);
            }
            for (std::size_t k = 0; k < edited.size(); ++k)
                if (edited[k]->points().isEdited()) edited[k]->setOwnPositions(positions[k]);
            for (std::size_t k = 0; k < states.size(); ++k) {
                change.did(states[k]->assignPoints(points[k].first));
                Archive vectors(points[k].second);
                states[k]->archive(vectors);
            }
        },
        false);
}

Index initialIndex(const BaseMeshTopology& t, ElementType type, Index i)
{
    const auto* stored = dynamic_cast<const StoredTopology*>(&t);
    return stored ? stored->initialIndex(type, i) : i;
}

namespace {

const TopologicalMapping* mappingTo(const BaseMeshTopology& t)
{
    for (const TopologicalMapping* m : t.node()->getAll<TopologicalMapping>(Search::Root))
        if (m->output() == &t) return m;
    return nullptr;
}

}  // namespace

RemovableElement elementOn(const BaseMeshTopology& topology, std::span<const Index> vertices, const BaseState& state,
                           const Vec3& near)
{
    const BaseMeshTopology* t = &topology;
    Vector<Index> on(vertices.begin(), vertices.end());
    bool isMade = false;
    while (const TopologicalMapping* m = mappingTo(*t)) {
        t = m->input();
        if (!m->makesPoints()) continue;
        std::set<Index> from;
        for (const Index v : on)
            for (const Ancestor& a : m->mappedPoints()[v].from) from.insert(a.index);
        on.assign(from.begin(), from.end());
        isMade = true;
    }
    auto* stored = const_cast<StoredTopology*>(dynamic_cast<const StoredTopology*>(t));
    if (!stored)
        throw std::runtime_error("'" + t->pathName() + "' (" + t->className() + ") is a mesh that cannot change");
    const PresentPositions present(*t);
    const auto positionOf = [&](Index v) { return isMade ? present(v) : state.pointPosition(v); };
    std::optional<RemovableElement> best;
    double nearest = 0.;
    for (std::size_t dimension = 3; dimension > 0 && !best; --dimension)
        for (const StoredTopology::List* l : stored->lists()) {
            if (dimensionOf(l->type()) != dimension) continue;
            for (const Index i : l->around(on.front())) {
                const auto element = l->element(i);
                if (!hasAll(element, on)) continue;
                Vec3 center;
                for (const Index v : element) center += positionOf(v) / static_cast<double>(element.size());
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
