// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The elementary changes of TopologyTransaction.
#include <algorithm>
#include <array>

#include "core/behavior/BaseState.h"
#include "core/mesh/ElementsAround.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyNumbers.h"
#include "core/topology/TopologyTransaction.h"

namespace sofa::core {

namespace {

using List = StoredTopology::List;

List& listOf(StoredTopology& t, ElementType type)
{
    for (List* l : t.lists())
        if (l->type() == type) return *l;
    throw std::runtime_error("'" + t.pathName() + "' has no elements of type " + elementTypeName(type));
}

Vector<Index> reversed(const Vector<Index>& v) { return {v.rbegin(), v.rend()}; }

/// The first element of a list that has all these vertices; InvalidIndex if none has.
Index findOn(const List& list, std::span<const Index> vertices)
{
    for (const Index e : list.around(vertices[0]))
        if (hasAll(list.element(e), vertices)) return e;
    return InvalidIndex;
}

/// What goes with elements: sides and edges on which no other element is, and points.
class Removal
{
public:
    using Gone = std::vector<std::pair<List*, Vector<Index>>>;

    Removal(const StoredTopology& t, ElementType type, Vector<Index> elements)
    {
        for (List* l : t.lists())
            if (!l->isWaiting()) m_lists.push_back(l);
        List* list = t.list(type);
        for (const Index e : elements)
            m_touched.insert(m_touched.end(), list->element(e).begin(), list->element(e).end());
        sortUnique(m_touched);
        m_gone.emplace_back(list, std::move(elements));
        for (std::size_t dimension = dimensionOf(type); dimension-- > 1;)
            for (List* sides : m_lists)
                if (dimensionOf(sides->type()) == dimension && sides->size() > 0) takeSides(*sides);
    }

    /// The elements, their sides, then the edges of these, each in increasing order.
    const Gone& gone() const { return m_gone; }
    /// The points of the elements, in increasing order.
    const Vector<Index>& touched() const { return m_touched; }
    /// Those that have no elements any more.
    Vector<Index> points() const
    {
        Vector<Index> gone;
        for (const Index v : m_touched)
            if (std::ranges::none_of(m_lists, [&](const List* l) {
                    const auto which = goneOf(*l);
                    return std::ranges::any_of(l->around(v),
                                               [&](Index e) { return !std::ranges::binary_search(which, e); });
                }))
                gone.push_back(v);
        return gone;
    }

private:
    void takeSides(List& sides)
    {
        Vector<Index> gone;
        std::vector<std::span<const Index>> staying, going;  // elements on a point that the sides may belong to
        for (const Index v : m_touched) {
            staying.clear();
            going.clear();
            for (const List* l : m_lists) {
                if (dimensionOf(l->type()) <= dimensionOf(sides.type())) continue;
                const auto which = goneOf(*l);
                for (const Index e : l->around(v))
                    (std::ranges::binary_search(which, e) ? going : staying).push_back(l->element(e));
            }
            for (const Index s : sides.around(v)) {
                const auto side = sides.element(s);
                const auto hasSide = [&](std::span<const Index> element) { return hasAll(element, side.subspan(1)); };
                if (side[0] == v && std::ranges::none_of(staying, hasSide) && std::ranges::any_of(going, hasSide))
                    gone.push_back(s);
            }
        }
        std::ranges::sort(gone);
        if (!gone.empty()) m_gone.emplace_back(&sides, std::move(gone));
    }
    std::span<const Index> goneOf(const List& l) const
    {
        const auto it = std::ranges::find(m_gone, &l, &Gone::value_type::first);
        return it == m_gone.end() ? std::span<const Index>() : std::span<const Index>(it->second);
    }

    std::vector<List*> m_lists;  ///< that are there
    Vector<Index> m_touched;
    Gone m_gone;
};

}  // namespace

void TopologyTransaction::remove(ElementType type, Vector<Index> elements)
{
    if (type == ElementType::Points) return removePoints(std::move(elements));
    StoredTopology& t = *m_edited.front();
    const std::string what = elementTypeName(type), where = "'" + t.pathName() + "'";
    sortUnique(elements);
    if (elements.empty()) return;
    const List& list = listOf(t, type);
    if (list.size() == 0) throw std::runtime_error(where + " has no elements of type " + what);
    if (elements.back() >= list.size())
        throw std::runtime_error("there is no " + what + " " + std::to_string(elements.back()) + " in " + where +
                                 ", only " + std::to_string(list.size()));
    for (const List* l : t.lists()) {
        if (dimensionOf(l->type()) <= dimensionOf(type) || l->size() == 0) continue;
        for (const Index e : elements)
            if (const Index of = findOn(*l, list.element(e)); of != InvalidIndex)
                throw std::runtime_error(what + " " + std::to_string(e) + " of " + where + " is a side of " +
                                         elementTypeName(l->type()) + " " + std::to_string(of) +
                                         ": remove that instead");
    }
    const Removal removal(t, type, std::move(elements));
    Vector<Index> points;
    const auto* modifier = t.node()->get<TopologyModifier>(Search::Local);
    if (modifier && modifier->removesIsolatedPoints(type)) points = removal.points();
    if (!points.empty() && !modifier->changesState()) {
        findStates();
        if (!m_states.empty()) points.clear();
        if (!m_pointsConcerned) m_states.clear();
    }
    for (const auto& [l, which] : removal.gone()) ask({.topology = &t, .type = l->type(), .elements = which});
    if (!points.empty()) ask({.topology = &t, .type = ElementType::Points, .elements = points});
    take(t, removal.gone(), removal.touched());
    if (!points.empty()) takePoints(points);
}

/// `points` are those of what is gone.
void TopologyTransaction::take(StoredTopology& t, const Gone& gone, const Vector<Index>& points)
{
    touch(t, points);
    for (const auto& [l, which] : gone) {
        Vector<Index> renumbered;  // vertices
        for (auto e = static_cast<Index>(l->size() - which.size()); e < l->size(); ++e)
            renumbered.insert(renumbered.end(), l->element(e).begin(), l->element(e).end());
        touch(t, renumbered);
        const Vector<Index> inOrder = reversed(which);
        numbersOf(t, l->type(), l->size()).remove(inOrder);
        did(l->remove(inOrder));
    }
}

/// Notes points whose elements change.
void TopologyTransaction::touch(const StoredTopology& t, std::span<const Index> vertices)
{
    const Numbers& points = numbersOf(t, ElementType::Points, t.nbPoints());
    auto& touched = m_touched[&t];
    for (const Index v : vertices) touched.insert(points.at(v));
}

void TopologyTransaction::removePoints(Vector<Index> points)
{
    StoredTopology& t = *m_edited.front();
    sortUnique(points);
    if (points.empty()) return;
    checkVertices(points);
    for (const List* l : t.lists())
        for (const Index v : points)
            if (const auto all = l->around(v); !all.empty())
                throw std::runtime_error("point " + std::to_string(v) + " of '" + t.pathName() + "' belongs to " +
                                         elementTypeName(l->type()) + " " + std::to_string(all[0]) +
                                         ": remove that first");
    ask({.topology = &t, .elements = points});
    takePoints(points);
}

template <class Note, class OfState, class OfTopology>
void TopologyTransaction::changePoints(const std::vector<StoredTopology*>& topologies,
                                       const std::vector<BaseState*>& states, Note note, OfState ofState,
                                       OfTopology ofTopology)
{
    for (BaseState* s : states) {
        note(numbersOf(*s, ElementType::Points, s->size()));
        did(ofState(*s));
    }
    for (StoredTopology* t : topologies) {
        note(numbersOf(*t, ElementType::Points, t->nbPoints()));
        ofTopology(*t);
    }
}

/// In the lists of elements of a topology.
void TopologyTransaction::renumberVertices(StoredTopology& t, const List::Renumberings& vertices)
{
    for (List* l : t.lists())
        if (!l->isWaiting() && l->size() > 0) did(l->renumber(vertices));
}

void TopologyTransaction::takePoints(const Vector<Index>& points)
{
    StoredTopology& t = *m_edited.front();
    const Vector<Index> inOrder = reversed(points);
    Numbers numbers(t.nbPoints());
    numbers.remove(inOrder);
    changePoints(
        m_sharing, m_states, [&](Numbers& n) { n.remove(inOrder); },
        [&](BaseState& s) { return s.removePoints(inOrder); },
        [&](StoredTopology& other) { did(other.points().remove(inOrder)); });
    renumberVertices(t, numbers.source().renumberings());
}

void TopologyTransaction::followThrough(TopologicalMapping& m)
{
    auto& out = dynamic_cast<StoredTopology&>(*m.output());
    const ElementType type = m.outputType();
    begin(out);
    TopologyChange change;
    addSteps(change);
    const auto translation = m.translate(change);
    if (!translation.gone.empty()) {
        const Removal removal(out, type, translation.gone);
        take(out, removal.gone(), removal.touched());
    }
    if (m_pointsConcerned)
        renumberVertices(out, numbersOf(out, ElementType::Points, out.nbPoints()).source().renumberings());
    append(out, type, translation.vertices, {});
    did(m.follow(change.source(*m.input(), m.sourceType()), numbersOf(out, type, out.list(type)->size()).source(),
                 translation.inputs));
}

void TopologyTransaction::followInput(TopologicalMapping& m)
{
    const auto made = std::ranges::find(m_made, &m, &Made::mapping);
    if (m.makesPoints() && (made == m_made.end() || !made->concerned)) return;
    const auto* from = dynamic_cast<const StoredTopology*>(m.input());
    const bool isKnown = std::ranges::find(m_edited, from) != m_edited.end() ||
                         std::ranges::find(m_translated, from) != m_translated.end();
    TopologyChange change;
    if (isKnown)
        addSteps(change);
    else
        change = changeSince(m_before, m_statesBefore);
    const auto followed = m.followInput(change);
    if (followed.undo) did(followed.undo);
    if (!m.makesPoints()) return;
    changeMadePoints(*made, followed.before, followed.from);
    const Numbers& points = numbersOf(*from, ElementType::Points, from->nbPoints());
    if (!points.moved) return;
    // They count as changed, so that a reset puts them back.
    changePoints(
        made->topologies, made->states, [](Numbers& n) { n.moved = true; },
        [](BaseState& s) { return s.movePoints({}, {}); }, [&](StoredTopology& t) { did(t.movePoints({}, {})); });
    did(m.placePoints(identity(followed.before.size()), made->states, false));
}

/// New points come to the end, and those that are gone are replaced, as in other meshes; then all get the numbers that
/// the mapping gives them.
void TopologyTransaction::changeMadePoints(const Made& made, const Vector<Index>& before,
                                           const std::map<Index, Ancestors>& from)
{
    const Index count = made.topologies.front()->nbPoints();
    Vector<Index> place(count, InvalidIndex);  // what each will be, by the number that it has
    Vector<Index> created, gone;
    Vector<Ancestors> ancestors;
    for (Index i = 0; i < before.size(); ++i) {
        if (before[i] != InvalidIndex) {
            place[before[i]] = i;
            continue;
        }
        created.push_back(i);
        const auto it = from.find(i);
        ancestors.push_back(it == from.end() ? Ancestors() : it->second);
    }
    for (Index i = count; i-- > 0;)
        if (place[i] == InvalidIndex) gone.push_back(i);
    place.insert(place.end(), created.begin(), created.end());
    if (!created.empty())
        changePoints(
            made.topologies, made.states,
            [&](Numbers& n) {
                for (const Ancestors& a : ancestors) n.add(a);
            },
            [&](BaseState& s) { return s.addPoints(ancestors); },
            [&](StoredTopology& t) {
                for (const Ancestors& a : ancestors) did(t.points().append({}, a));
            });
    if (!gone.empty()) {
        (void)removeEntries(place, gone);
        changePoints(
            made.topologies, made.states, [&](Numbers& n) { n.remove(gone); },
            [&](BaseState& s) { return s.removePoints(gone); },
            [&](StoredTopology& t) { did(t.points().remove(gone)); });
    }
    if (place != identity(place.size())) {
        List::Renumberings all;
        for (Index i = 0; i < place.size(); ++i) all.emplace_back(i, place[i]);
        changePoints(
            made.topologies, made.states, [&](Numbers& n) { n.renumber(place); },
            [&](BaseState& s) { return s.renumberPoints(place); },
            [&](StoredTopology& t) { did(t.points().renumber(all)); });
    }
    if (!created.empty()) (void)made.mapping->placePoints(created, made.states, true);
}

void TopologyTransaction::checkVertices(std::span<const Index> vertices) const
{
    const StoredTopology& t = *m_edited.front();
    for (const Index v : vertices)
        if (v >= t.nbPoints())
            throw std::runtime_error("there is no point " + std::to_string(v) + " in '" + t.pathName() + "', only " +
                                     std::to_string(t.nbPoints()));
}

Index TopologyTransaction::add(ElementType type, std::span<const Index> vertices, const Vector<Ancestors>& from)
{
    StoredTopology& t = *m_edited.front();
    List& list = listOf(t, type);
    const std::size_t n = nodeCount(type), count = vertices.size() / n;
    const auto first = static_cast<Index>(list.size());
    if (vertices.size() % n != 0)
        throw std::runtime_error("a " + std::string(elementTypeName(type)) + " has " + std::to_string(n) +
                                 " vertices, " + std::to_string(vertices.size()) + " were given");
    if (!from.empty() && from.size() != count)
        throw std::runtime_error("ancestors are given for " + std::to_string(from.size()) + " of " +
                                 std::to_string(count) + " elements");
    checkVertices(vertices);
    for (std::size_t i = 0; i < count; ++i) {
        const auto e = vertices.subspan(i * n, n);
        for (std::size_t k = 0; k < n; ++k)
            if (std::ranges::count(e, e[k]) > 1)
                throw std::runtime_error("a new " + std::string(elementTypeName(type)) + " of '" + t.pathName() +
                                         "' has point " + std::to_string(e[k]) + " twice");
    }
    for (const Ancestors& a : from)
        for (const Ancestor& one : a)
            if (one.index >= first)
                throw std::runtime_error("there is no " + std::string(elementTypeName(type)) + " " +
                                         std::to_string(one.index) + " in '" + t.pathName() + "'");
    if (count == 0) return first;
    ask({.kind = TopologyStep::Kind::Add, .topology = &t, .type = type});
    append(t, type, vertices, from);
    return first;
}

void TopologyTransaction::append(StoredTopology& t, ElementType type, std::span<const Index> vertices,
                                 const Vector<Ancestors>& from)
{
    addSides(t, type, vertices);
    List& list = *t.list(type);
    const std::size_t n = nodeCount(type);
    Numbers& numbers = numbersOf(t, type, list.size());
    touch(t, vertices);
    for (std::size_t i = 0; i < vertices.size() / n; ++i) {
        numbers.add(from.empty() ? Ancestors() : from[i]);
        did(list.append(vertices.subspan(i * n, n), {}));
    }
}

/// Where the topology lists them; lists that still follow from others do so.
void TopologyTransaction::addSides(StoredTopology& t, ElementType type, std::span<const Index> vertices)
{
    for (List* l : t.lists()) {
        if (dimensionOf(l->type()) >= dimensionOf(type) || l->isWaiting() || !l->isEdited()) continue;
        Numbers& numbers = numbersOf(t, l->type(), l->size());
        const auto addMissing = [&](const auto& sides) {
            for (const auto& side : sides) {
                if (findOn(*l, side) != InvalidIndex) continue;
                numbers.add({});
                did(l->append(side, {}));
            }
        };
        if (l->type() == ElementType::Edges) {
            if (type == ElementType::Triangles) addMissing(edgesOf(elementsFrom<Triangle>(vertices), {}));
            if (type == ElementType::Quads) addMissing(edgesOf(Vector<Triangle>(), elementsFrom<Quad>(vertices)));
            if (type == ElementType::Tetrahedra)
                addMissing(edgesOf(elementsFrom<Tetrahedron>(vertices), Vector<Hexahedron>()));
            if (type == ElementType::Hexahedra)
                addMissing(edgesOf(Vector<Tetrahedron>(), elementsFrom<Hexahedron>(vertices)));
        }
        if (l->type() == ElementType::Triangles && type == ElementType::Tetrahedra)
            addMissing(trianglesOf(elementsFrom<Tetrahedron>(vertices)));
        if (l->type() == ElementType::Quads && type == ElementType::Hexahedra)
            addMissing(quadsOf(elementsFrom<Hexahedron>(vertices)));
    }
}

Index TopologyTransaction::addPoints(const Vector<Ancestors>& from)
{
    StoredTopology& t = *m_edited.front();
    const Index first = t.nbPoints();
    for (const Ancestors& a : from)
        for (const Ancestor& one : a) checkVertices({&one.index, 1});
    if (from.empty()) return first;
    ask({.kind = TopologyStep::Kind::Add, .topology = &t});
    changePoints(
        m_sharing, m_states,
        [&](Numbers& n) {
            for (const Ancestors& a : from) n.add(a);
        },
        [&](BaseState& s) { return s.addPoints(from); },
        [&](StoredTopology& other) {
            for (const Ancestors& a : from) did(other.points().append({}, a));
        });
    return first;
}

void TopologyTransaction::renumberPoints(const Vector<Index>& now)
{
    StoredTopology& t = *m_edited.front();
    Vector<Index> sorted = now;
    std::ranges::sort(sorted);
    if (sorted != identity(t.nbPoints()))
        throw std::runtime_error("the new numbers of the points of '" + t.pathName() + "' are no permutation of " +
                                 std::to_string(t.nbPoints()) + " numbers");
    ask({.kind = TopologyStep::Kind::Renumber, .topology = &t});
    List::Renumberings all;
    for (Index i = 0; i < now.size(); ++i) all.emplace_back(i, now[i]);
    changePoints(
        m_sharing, m_states, [&](Numbers& n) { n.renumber(now); }, [&](BaseState& s) { return s.renumberPoints(now); },
        [&](StoredTopology& other) { did(other.points().renumber(all)); });
    renumberVertices(t, all);
}

void TopologyTransaction::movePoints(const Vector<Index>& points, const Vector<Ancestors>& to)
{
    StoredTopology& t = *m_edited.front();
    checkVertices(points);
    if (points.size() != to.size()) throw std::runtime_error("each point that is moved needs ancestors");
    for (const Ancestors& a : to) {
        if (a.empty()) throw std::runtime_error("each point that is moved needs ancestors");
        for (const Ancestor& one : a) checkVertices({&one.index, 1});
    }
    if (points.empty()) return;
    ask({.kind = TopologyStep::Kind::Move, .topology = &t, .elements = points});
    changePoints(
        m_sharing, m_states, [](Numbers& n) { n.moved = true; }, [&](BaseState& s) { return s.movePoints(points, to); },
        [&](StoredTopology& other) {
            did(other.movePoints(points, to));
            const bool isFollowed = &other == &t || std::ranges::find(m_translated, &other) != m_translated.end();
            for (const List* l : other.lists())
                for (const Index v : points)
                    if (isFollowed && !l->isWaiting())
                        for (const Index e : l->around(v)) touch(other, l->element(e));
        });
}

/// The Data by which topologies tell how many points they have, `nbPoints`, follow.
void TopologyTransaction::tellPointCounts() const
{
    const auto tell = [](const std::vector<StoredTopology*>& topologies) {
        for (const StoredTopology* t : topologies) {
            auto* count = dynamic_cast<Data<Index>*>(t->findData("nbPoints"));
            if (!count || count->value() == t->nbPoints()) continue;
            const bool isSet = count->isSet();
            count->setValue(t->nbPoints());
            count->setIsSet(isSet);
        }
    };
    for (const auto* topologies : {&m_edited, &m_sharing, &m_topologies, &m_translated}) tell(*topologies);
    for (const Made& made : m_made) tell(made.topologies);
}

std::vector<BaseData*> TopologyTransaction::changedLists(TopologyFollower& f)
{
    std::vector<BaseData*> all;
    const auto add = [&](const ElementLists& lists) {
        for (const ElementData& d : lists.data)
            if (d.kind != ElementData::Kind::Kept && d.kind != ElementData::Kind::Computed &&
                f.m_initial.contains(d.data))
                all.push_back(d.data);
    };
    if (f.m_initial.empty()) return all;
    add(f.elementLists());
    for (const ElementLists& l : f.pointLists().value_or(std::vector<ElementLists>())) add(l);
    return all;
}

}  // namespace sofa::core
