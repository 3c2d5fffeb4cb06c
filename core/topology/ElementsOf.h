// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>

#include "core/mesh/Renumbering.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// The elements of one kind, for code that is written once for all of them.
template <ElementType T>
const auto& elementsOf(const BaseMeshTopology& t)
{
    if constexpr (T == ElementType::Edges)
        return t.edges();
    else if constexpr (T == ElementType::Triangles)
        return t.triangles();
    else if constexpr (T == ElementType::Quads)
        return t.quads();
    else if constexpr (T == ElementType::Tetrahedra)
        return t.tetrahedra();
    else if constexpr (T == ElementType::Pyramids)
        return t.pyramids();
    else if constexpr (T == ElementType::Prisms)
        return t.prisms();
    else {
        static_assert(T == ElementType::Hexahedra, "a kind of element that has a list");
        return t.hexahedra();
    }
}

/// Number of vertices of an element.
constexpr std::size_t nodeCount(ElementType type)
{
    constexpr std::size_t counts[] = {1, 2, 3, 4, 4, 5, 6, 8};
    return counts[static_cast<std::size_t>(type)];
}

/// Vertices of all elements of a kind, one element after the other.
inline std::span<const Index> verticesOf(const BaseMeshTopology& t, ElementType type)
{
    const auto flat = [](const auto& elements) {
        return elements.empty() ? std::span<const Index>()
                                : std::span<const Index>(elements.data()->data(), elements.size() * elements[0].size());
    };
    switch (type) {
        case ElementType::Edges:
            return flat(t.edges());
        case ElementType::Triangles:
            return flat(t.triangles());
        case ElementType::Quads:
            return flat(t.quads());
        case ElementType::Tetrahedra:
            return flat(t.tetrahedra());
        case ElementType::Pyramids:
            return flat(t.pyramids());
        case ElementType::Prisms:
            return flat(t.prisms());
        case ElementType::Hexahedra:
            return flat(t.hexahedra());
        case ElementType::Points:
            break;
    }
    return {};
}

/// Elements given by their vertices, one after the other.
template <class T>
Vector<T> elementsFrom(std::span<const Index> vertices)
{
    Vector<T> out(vertices.size() / std::tuple_size_v<T>);
    for (std::size_t i = 0; i < out.size(); ++i)
        std::ranges::copy(vertices.subspan(i * out[i].size(), out[i].size()), out[i].begin());
    return out;
}

/// Number of elements of a kind.
inline std::size_t elementCount(const BaseMeshTopology& t, ElementType type)
{
    return type == ElementType::Points ? t.nbPoints() : verticesOf(t, type).size() / nodeCount(type);
}

/// The elements around a point, in increasing order; of edges, triangles, quads, tetrahedra and hexahedra.
inline std::span<const Index> elementsAround(const BaseMeshTopology& t, ElementType type, Index point)
{
    switch (type) {
        case ElementType::Edges:
            return t.edgesAroundVertex(point);
        case ElementType::Triangles:
            return t.trianglesAroundVertex(point);
        case ElementType::Quads:
            return t.quadsAroundVertex(point);
        case ElementType::Tetrahedra:
            return t.tetrahedraAroundVertex(point);
        case ElementType::Hexahedra:
            return t.hexahedraAroundVertex(point);
        default:
            return {};
    }
}

/// Those around any of some points, in increasing order.
inline Vector<Index> elementsAround(const BaseMeshTopology& t, ElementType type, const Vector<Index>& points)
{
    Vector<Index> all;
    for (const Index p : points)
        for (const Index e : elementsAround(t, type, p)) all.push_back(e);
    sortUnique(all);
    return all;
}

/// Those that have both points, in increasing order.
inline Vector<Index> elementsWith(const BaseMeshTopology& t, ElementType type, Index a, Index b)
{
    const auto first = elementsAround(t, type, a), second = elementsAround(t, type, b);
    Vector<Index> both;
    std::ranges::set_intersection(first, second, std::back_inserter(both));
    return both;
}

/// The triangles or quads that have both ends of an edge, in increasing order; none for an edge that is there before.
inline Vector<Index> facesOn(const BaseMeshTopology& t, ElementType type, Index edge)
{
    const Edge& ends = t.edges()[edge];
    const bool isRepeated = elementsWith(t, ElementType::Edges, ends[0], ends[1]).front() != edge;
    return isRepeated ? Vector<Index>() : elementsWith(t, type, ends[0], ends[1]);
}

/// Adds the vertices of some elements to points, which are in increasing order then.
inline void addVertices(const BaseMeshTopology& t, ElementType type, const Vector<Index>& elements,
                        Vector<Index>& points)
{
    const std::size_t n = nodeCount(type);
    const std::span<const Index> all = verticesOf(t, type);
    for (const Index e : elements) {
        const auto vertices = all.subspan(e * n, n);
        points.insert(points.end(), vertices.begin(), vertices.end());
    }
    sortUnique(points);
}

/// The Data of a topology that hold its elements, for who depends on all of them. Grids have none: their elements
/// follow from a few numbers.
inline std::vector<BaseData*> elementLists(BaseMeshTopology& t)
{
    std::vector<BaseData*> lists;
    for (const char* name : {"edges", "triangles", "quads", "tetrahedra", "hexahedra", "prisms", "pyramids"})
        if (BaseData* d = t.findData(name)) lists.push_back(d);
    return lists;
}

/// Whether the triangles are the quads once more, cut, as those of grids are.
inline bool areHalves(const Vector<Triangle>& triangles, const Vector<Quad>& quads)
{
    if (triangles.size() != 2 * quads.size()) return false;
    for (std::size_t i = 0; i < quads.size(); ++i) {
        const Quad& q = quads[i];
        if (triangles[2 * i] != Triangle{q[0], q[1], q[2]} || triangles[2 * i + 1] != Triangle{q[0], q[2], q[3]})
            return false;
    }
    return true;
}

}  // namespace sofa::core
