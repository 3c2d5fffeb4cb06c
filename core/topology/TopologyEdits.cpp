// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The elementary changes of TopologyTransaction.
#include <algorithm>

#include "core/behavior/BaseState.h"
#include "core/mesh/Adjacency.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/TopologyNumbers.h"

namespace sofa::core {

namespace {

using List = StoredTopology::List;

List& listOf(StoredTopology& t, ElementType type)
{
    for (List* l : t.lists())
        if (l->type() == type) return *l;
    throw std::runtime_error("'" + t.pathName() + "' has no elements of type " + elementTypeName(type));
}

/// Whether an element has all these vertices.
bool hasAll(std::span<const Index> element, std::span<const Index> vertices)
{
    return std::ranges::all_of(vertices, [&](Index v) { return std::ranges::find(element, v) != element.end(); });
}

void sortUnique(Vector<Index>& v)
{
    std::ranges::sort(v);
    v.erase(std::unique(v.begin(), v.end()), v.end());
}

Vector<Index> reversed(const Vector<Index>& v) { return {v.rbegin(), v.rend()}; }

/// Elements around each point.
class Around
{
public:
    explicit Around(std::size_t points) : m_points(points) {}
    void add(std::span<const Index> element) { m_elements.push_back(element); }
    void finish()
    {
        m_around = Adjacency(m_points, m_elements.size(), [this](std::size_t i) { return m_elements[i]; });
    }
    /// The first one that has these vertices, by the order in which they were added; InvalidIndex if none has.
    Index find(std::span<const Index> vertices) const
    {
        for (const Index e : m_around[vertices[0]])
            if (hasAll(m_elements[e], vertices)) return e;
        return InvalidIndex;
    }
    bool hasOneWith(std::span<const Index> vertices) const { return find(vertices) != InvalidIndex; }

private:
    std::size_t m_points;
    std::vector<std::span<const Index>> m_elements;
    Adjacency m_around;
};

/// What goes with elements: sides and edges on which no other element is, and points.
class Removal
{
public:
    Removal(StoredTopology& t, ElementType type, const Vector<Index>& elements)
        : m_topology(t), m_type(type), m_touched(t.nbPoints(), false), m_gone(elements.begin(), elements.end())
    {
        const List& list = listOf(t, type);
        for (const Index e : elements)
            for (const Index v : list.element(e)) m_touched[v] = true;
    }

    /// In increasing order.
    Vector<Index> sides(List& sides) const
    {
        Around removed(m_touched.size()), left(m_touched.size());
        for (List* l : m_topology.lists()) {
            if (dimensionOf(l->type()) <= dimensionOf(sides.type()) || l->isWaiting()) continue;
            forTouched(*l, [&](Index i, std::span<const Index> e) {
                if (l->type() == m_type && std::ranges::binary_search(m_gone, i))
                    removed.add(e);
                else if (!isSideOfRemoved(*l, i))
                    left.add(e);
            });
        }
        removed.finish();
        left.finish();
        Vector<Index> gone;
        forTouched(sides, [&](Index i, std::span<const Index> e) {
            if (removed.hasOneWith(e) && !left.hasOneWith(e)) gone.push_back(i);
        });
        return gone;
    }
    /// Notes sides that go, before sides of them are asked for.
    void alsoRemoves(ElementType type, const Vector<Index>& gone) { m_sides[type] = gone; }

    Vector<Index> points() const
    {
        Vector<char> left(m_touched.size(), false);
        for (List* l : m_topology.lists()) {
            if (l->isWaiting()) continue;
            forTouched(*l, [&](Index i, std::span<const Index> e) {
                if ((l->type() == m_type && std::ranges::binary_search(m_gone, i)) || isSideOfRemoved(*l, i)) return;
                for (const Index v : e) left[v] = true;
            });
        }
        Vector<Index> gone;
        for (Index v = 0; v < m_touched.size(); ++v)
            if (m_touched[v] && !left[v]) gone.push_back(v);
        return gone;
    }

private:
    template <class F>
    void forTouched(const List& l, F f) const
    {
        for (Index i = 0; i < l.size(); ++i) {
            const auto e = l.element(i);
            if (std::ranges::any_of(e, [&](Index v) { return m_touched[v] != 0; })) f(i, e);
        }
    }
    bool isSideOfRemoved(const List& l, Index i) const
    {
        const auto it = m_sides.find(l.type());
        return it != m_sides.end() && std::ranges::binary_search(it->second, i);
    }

    StoredTopology& m_topology;
    ElementType m_type;
    Vector<char> m_touched;
    Vector<Index> m_gone;
    std::map<ElementType, Vector<Index>> m_sides;
};

/// Adds the elements of `sides` that are not in a list yet.
template <class T, class Append>
void addMissing(const List& list, const Vector<T>& sides, Append append)
{
    ElementFinder<std::tuple_size_v<T>> there(list.size() + sides.size());
    const auto insert = [&](std::span<const Index> vertices) {
        T e;
        std::ranges::copy(vertices, e.begin());
        return there.insert(e, 0).second;
    };
    for (std::size_t i = 0; i < list.size(); ++i) insert(list.element(i));
    for (const T& side : sides)
        if (insert(side)) append(side);
}

template <class T>
Vector<T> elementsFrom(std::span<const Index> vertices)
{
    constexpr std::size_t n = std::tuple_size_v<T>;
    Vector<T> out(vertices.size() / n);
    for (std::size_t i = 0; i < out.size(); ++i)
        for (std::size_t k = 0; k < n; ++k) out[i][k] = vertices[i * n + k];
    return out;
}

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
        Around higher(t.nbPoints());
        for (std::size_t i = 0; i < l->size(); ++i) higher.add(l->element(i));
        higher.finish();
        for (const Index e : elements)
            if (const Index of = higher.find(list.element(e)); of != InvalidIndex)
                throw std::runtime_error(what + " " + std::to_string(e) + " of " + where + " is a side of " +
                                         elementTypeName(l->type()) + " " + std::to_string(of) +
                                         ": remove that instead");
    }
    Removal removal(t, type, elements);
    std::vector<std::pair<List*, Vector<Index>>> gone{{&listOf(t, type), elements}};
    for (std::size_t dimension = dimensionOf(type); dimension-- > 1;)
        for (List* sides : t.lists()) {
            if (dimensionOf(sides->type()) != dimension || sides->isWaiting() || sides->size() == 0) continue;
            Vector<Index> found = removal.sides(*sides);
            removal.alsoRemoves(sides->type(), found);
            if (!found.empty()) gone.emplace_back(sides, std::move(found));
        }
    Vector<Index> points;
    const auto* modifier = t.node()->get<TopologyModifier>(Search::Local);
    if (modifier && modifier->removesIsolatedPoints(type)) points = removal.points();
    if (!points.empty() && !modifier->changesState()) {
        findStates();
        if (!m_states.empty()) points.clear();
        if (!m_pointsConcerned) m_states.clear();
    }
    for (const auto& [l, which] : gone) ask({.topology = &t, .type = l->type(), .elements = which});
    if (!points.empty()) ask({.topology = &t, .type = ElementType::Points, .elements = points});
    for (const auto& [l, which] : gone) {
        const Vector<Index> inOrder = reversed(which);
        numbersOf(t, l->type(), l->size()).remove(inOrder);
        did(l->remove(inOrder));
    }
    if (!points.empty()) takePoints(points);
}

void TopologyTransaction::removePoints(Vector<Index> points)
{
    StoredTopology& t = *m_edited.front();
    sortUnique(points);
    if (points.empty()) return;
    checkVertices(points);
    for (const List* l : t.lists())
        for (std::size_t i = 0; i < l->size(); ++i)
            for (const Index v : l->element(i))
                if (std::ranges::binary_search(points, v))
                    throw std::runtime_error("point " + std::to_string(v) + " of '" + t.pathName() + "' belongs to " +
                                             elementTypeName(l->type()) + " " + std::to_string(i) +
                                             ": remove that first");
    ask({.topology = &t, .elements = points});
    takePoints(points);
}

template <class Note, class OfState, class OfTopology>
void TopologyTransaction::changePoints(Note note, OfState ofState, OfTopology ofTopology)
{
    for (BaseState* s : m_states) {
        note(numbersOf(*s, ElementType::Points, s->size()));
        did(ofState(*s));
    }
    for (StoredTopology* t : m_topologies) {
        note(numbersOf(*t, ElementType::Points, t->nbPoints()));
        ofTopology(*t);
    }
}

/// In the lists of elements.
void TopologyTransaction::renumberVertices(const Vector<Index>& now)
{
    for (List* l : m_edited.front()->lists())
        if (!l->isWaiting() && l->size() > 0) did(l->renumber(now));
}

void TopologyTransaction::takePoints(const Vector<Index>& points)
{
    const Vector<Index> inOrder = reversed(points);
    Vector<Index> left = identity(m_edited.front()->nbPoints()), now(left.size(), InvalidIndex);
    removeEntries(left, inOrder);
    for (Index i = 0; i < left.size(); ++i) now[left[i]] = i;
    changePoints([&](Numbers& n) { n.remove(inOrder); }, [&](BaseState& s) { return s.removePoints(inOrder); },
                 [&](StoredTopology& t) { did(t.points().remove(inOrder)); });
    renumberVertices(now);
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
    addSides(type, vertices);
    Numbers& numbers = numbersOf(t, type, list.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Ancestors none;
        numbers.add(from.empty() ? none : from[i]);
        did(list.append(vertices.subspan(i * n, n), none));
    }
    return first;
}

/// Where the topology lists them; lists that still follow from others do so.
void TopologyTransaction::addSides(ElementType type, std::span<const Index> vertices)
{
    StoredTopology& t = *m_edited.front();
    for (List* l : t.lists()) {
        if (dimensionOf(l->type()) >= dimensionOf(type) || l->isWaiting() || !l->isEdited()) continue;
        Numbers& numbers = numbersOf(t, l->type(), l->size());
        const auto append = [&](std::span<const Index> side) {
            numbers.add({});
            did(l->append(side, {}));
        };
        if (l->type() == ElementType::Edges) {
            if (type == ElementType::Triangles) addMissing(*l, edgesOf(elementsFrom<Triangle>(vertices), {}), append);
            if (type == ElementType::Quads)
                addMissing(*l, edgesOf(Vector<Triangle>(), elementsFrom<Quad>(vertices)), append);
            if (type == ElementType::Tetrahedra)
                addMissing(*l, edgesOf(elementsFrom<Tetrahedron>(vertices), Vector<Hexahedron>()), append);
            if (type == ElementType::Hexahedra)
                addMissing(*l, edgesOf(Vector<Tetrahedron>(), elementsFrom<Hexahedron>(vertices)), append);
        }
        if (l->type() == ElementType::Triangles && type == ElementType::Tetrahedra)
            addMissing(*l, trianglesOf(elementsFrom<Tetrahedron>(vertices)), append);
        if (l->type() == ElementType::Quads && type == ElementType::Hexahedra)
            addMissing(*l, quadsOf(elementsFrom<Hexahedron>(vertices)), append);
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
    changePoints([&](Numbers& n) { n.renumber(now); }, [&](BaseState& s) { return s.renumberPoints(now); },
                 [&](StoredTopology& other) { did(other.points().renumber(now)); });
    renumberVertices(now);
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
    changePoints([](Numbers& n) { n.moved = true; }, [&](BaseState& s) { return s.movePoints(points, to); },
                 [&](StoredTopology& other) { did(other.movePoints(points, to)); });
}

}  // namespace sofa::core
