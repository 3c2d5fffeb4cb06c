// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/Subdivision.h"

#include <algorithm>
#include <numeric>

#include "core/mesh/ElementsAround.h"
#include "core/mesh/SubElements.h"
#include "core/topology/ElementsOf.h"

namespace sofa::core {

namespace {

using List = StoredTopology::List;

/// Replaces elements by new ones, given by their vertices and the element that each comes from.
void exchange(TopologyTransaction& change, ElementType type, const Vector<Index>& vertices, const Vector<Index>& from,
              const Vector<Index>& gone)
{
    Vector<Ancestors> ancestors;
    for (const Index e : from) ancestors.push_back({{e, 1.}});
    change.add(type, vertices, ancestors);
    change.remove(type, gone);
}

/// The sides of an element on one of its vertices: edges of a triangle, triangles of a tetrahedron.
std::vector<Vector<Index>> sidesOn(std::span<const Index> element, Index vertex)
{
    std::vector<Vector<Index>> sides;
    for (const Index without : element) {
        if (without == vertex) continue;
        Vector<Index> side;
        for (const Index v : element)
            if (v != without) side.push_back(v);
        std::ranges::sort(side);
        sides.push_back(std::move(side));
    }
    return sides;
}

/// Elements around a vertex in groups that hang together by sides that are not open, each in increasing order and with
/// the lowest first.
std::vector<Vector<Index>> groupsAround(const List& list, Index vertex, const Sides& open)
{
    const auto around = list.around(vertex);
    std::vector<std::size_t> group(around.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto root = [&group](std::size_t i) {
        while (group[i] != i) i = group[i];
        return i;
    };
    std::map<Vector<Index>, std::size_t> firstOn;
    for (std::size_t i = 0; i < around.size(); ++i)
        for (const Vector<Index>& side : sidesOn(list.element(around[i]), vertex)) {
            if (open.contains(side)) continue;
            const auto entry = firstOn.emplace(side, i);
            const std::size_t a = root(entry.first->second), b = root(i);
            group[std::max(a, b)] = std::min(a, b);
        }
    std::vector<Vector<Index>> groups(around.size());
    for (std::size_t i = 0; i < around.size(); ++i) groups[root(i)].push_back(around[i]);
    std::erase_if(groups, [](const Vector<Index>& g) { return g.empty(); });
    return groups;
}

}  // namespace

ElementType divisibleElements(const StoredTopology& mesh)
{
    bool tetrahedra = false, triangles = false;
    for (const List* l : mesh.lists()) {
        if (l->size() == 0) continue;
        tetrahedra = tetrahedra || l->type() == ElementType::Tetrahedra;
        triangles = triangles || l->type() == ElementType::Triangles;
        if (l->type() != ElementType::Tetrahedra && dimensionOf(l->type()) >= 2 && l->type() != ElementType::Triangles)
            throw std::runtime_error("'" + mesh.pathName() + "' has " + elementTypeName(l->type()) +
                                     " elements: only triangles and tetrahedra can be cut");
    }
    if (!tetrahedra && !triangles)
        throw std::runtime_error("'" + mesh.pathName() + "' has no triangles or tetrahedra that could be cut");
    return tetrahedra ? ElementType::Tetrahedra : ElementType::Triangles;
}

Index splitEdge(TopologyTransaction& change, StoredTopology& mesh, Index a, Index b, double t)
{
    const ElementType type = divisibleElements(mesh);
    const List& list = *mesh.list(type);
    Vector<Index> elements, from, vertices;
    for (const Index e : list.around(a))
        if (hasAll(list.element(e), std::array{b})) elements.push_back(e);
    if (elements.empty())
        throw std::runtime_error("'" + mesh.pathName() + "' has no edge from point " + std::to_string(a) + " to " +
                                 std::to_string(b));
    const Index x = change.addPoints({{{a, 1. - t}, {b, t}}});
    for (const Index e : elements)
        for (const Index replaced : {b, a}) {
            from.push_back(e);
            for (const Index v : list.element(e)) vertices.push_back(v == replaced ? x : v);
        }
    exchange(change, type, vertices, from, elements);
    return x;
}

Index splitTriangle(TopologyTransaction& change, StoredTopology& mesh, Index triangle, const Vec3& weights)
{
    const auto element = mesh.list(ElementType::Triangles)->element(triangle);
    const std::array v{element[0], element[1], element[2]};
    const Index x = change.addPoints({{{v[0], weights[0]}, {v[1], weights[1]}, {v[2], weights[2]}}});
    exchange(change, ElementType::Triangles, {v[0], v[1], x, x, v[1], v[2], v[0], x, v[2]},
             {triangle, triangle, triangle}, {triangle});
    return x;
}

Vector<OpenedPoint> open(TopologyTransaction& change, StoredTopology& mesh, const Sides& sides)
{
    const ElementType type = divisibleElements(mesh);
    const List& list = *mesh.list(type);
    std::set<Index> points;
    for (const Vector<Index>& side : sides) points.insert(side.begin(), side.end());

    Vector<OpenedPoint> opened;
    Vector<Ancestors> copies;
    std::map<Index, Vector<Index>> replaced;  // elements with other vertices
    for (const Index p : points) {
        const auto groups = groupsAround(list, p, sides);
        if (groups.size() < 2) continue;
        opened.push_back({p, {}});
        OpenedPoint& o = opened.back();
        for (std::size_t g = 1; g < groups.size(); ++g) {
            o.copies.push_back(mesh.nbPoints() + static_cast<Index>(copies.size()));
            copies.push_back({{p, 1.}});
            for (const Index e : groups[g]) {
                const auto now = list.element(e);
                const auto entry = replaced.try_emplace(e, now.begin(), now.end());
                // Numbers of copies are beyond those of all points, so that p stands for itself only.
                std::ranges::replace(entry.first->second, p, o.copies.back());
            }
        }
    }
    if (opened.empty()) return opened;
    change.addPoints(copies);
    Vector<Index> vertices, from;
    for (const auto& [e, now] : replaced) {
        vertices.insert(vertices.end(), now.begin(), now.end());
        from.push_back(e);
    }
    exchange(change, type, vertices, from, from);
    return opened;
}

Vector<Index> smallPieces(const StoredTopology& mesh, const Vector<Index>& points, std::size_t least)
{
    const List& list = *mesh.list(divisibleElements(mesh));
    std::set<Index> small, seen;
    for (const Index p : points)
        for (const Index first : list.around(p)) {
            if (!seen.insert(first).second) continue;
            std::set<Index> piece{first};
            Vector<Index> next{first};
            while (!next.empty() && piece.size() < least) {
                const Index e = next.back();
                next.pop_back();
                for (const Index v : list.element(e))
                    for (const Index other : list.around(v))
                        if (piece.insert(other).second) next.push_back(other);
            }
            if (piece.size() < least) small.insert(piece.begin(), piece.end());
            seen.insert(piece.begin(), piece.end());
        }
    return {small.begin(), small.end()};
}

}  // namespace sofa::core
