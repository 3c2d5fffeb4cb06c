// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "core/math/PiecewiseRows.h"
#include "core/math/Vector.h"
#include "core/objectmodel/Archive.h"
#include "core/topology/ElementData.h"

namespace sofa::core {

/// The order in which a sweep goes over the elements of a mesh, chosen such that few vertices are in use at a time: a
/// vertex is in use from its first element to its last one.
///
/// Each vertex has a *rank* and each element a *place*. Meshes that are numbered well keep their numbers; for others
/// the ranks are those of the reverse Cuthill-McKee ordering (George, "Computer implementation of the finite element
/// method", 1971), and elements stand in the order of their lowest rank.
struct ElementReordering
{
    Vector<Index> rank;      ///< per vertex; empty: its number
    Vector<Index> vertices;  ///< by rank; empty like `rank`
    Vector<Index> places;    ///< per element; empty: its number
    Vector<Index> elements;  ///< by place; empty like `places`

    Index rankOf(Index v) const { return rank.empty() ? v : rank[v]; }
    Index vertexAt(std::size_t r) const { return vertices.empty() ? static_cast<Index>(r) : vertices[r]; }
    Index placeOf(Index e) const { return places.empty() ? e : places[e]; }
    Index elementAt(std::size_t place) const { return elements.empty() ? static_cast<Index>(place) : elements[place]; }
};

/// For each vertex in increasing order (sortedVertices) its place in the element, which may name one more than once.
template <std::size_t N>
std::array<std::size_t, N> placesOf(const std::array<Index, N>& sorted, const std::array<Index, N>& element)
{
    std::array<std::size_t, N> places{};
    for (std::size_t k = 0; k < N; ++k) {
        if (k > 0 && sorted[k] == sorted[k - 1]) places[k] = places[k - 1] + 1;
        while (element[places[k]] != sorted[k]) ++places[k];
    }
    return places;
}

/// A mesh as the sums over its elements take it.
struct ElementConnectivity
{
    const Index* elements;  ///< `count` of them, n vertices each
    std::size_t count, n;
    const PiecewiseRows<std::uint32_t>& slots;  ///< per vertex: element · n + local vertex, increasing
    const ElementReordering& order;
    /// Control points of quadratic elements from here on are in the middle of the ends of their edges; they have no
    /// rows.
    Index middles = InvalidIndex;

    std::size_t points() const { return slots.size(); }
    const Index* verticesOf(std::size_t element) const { return elements + element * n; }
    const Index* verticesAt(std::size_t place) const { return verticesOf(order.elementAt(place)); }
};

/// Follows elements and vertices that come, go and get other numbers: new ones take the places and ranks of those that
/// are gone, then come at the end; places that are left are taken by those at the end. Elements that got another place
/// in this way, and vertices another rank, are added to `moved` and to `movedVertices`. No order stays none.
void followOrder(ElementReordering& order, const ElementSource& elements, const ElementSource& vertices,
                 Vector<Index>& moved, Vector<Index>& movedVertices);

/// What is to become of the order of the elements.
enum class ElementOrder
{
    Sorted,  ///< by their lowest rank, always
    Kept     ///< that of the mesh, unless it is bad
};

/// The order for `count` elements with n vertices each, all below `points`. Meshes of less than some five hundred
/// vertices, and such whose sweep has at most twice as many vertices in use as that of an ordered cube, keep their
/// numbering; others change it if that halves this number. Elements with equal lowest ranks stay in the order of the
/// mesh.
ElementReordering elementReordering(const Index* elements, std::size_t count, std::size_t n, Index points,
                                    ElementOrder order);

/// The places of elements in packs whose sums are in the order of the places: their last bits depend on them. After
/// changes these are not those that the mesh would get if it were new, so that checkpoints have them.
class PackOrder
{
public:
    PackOrder() = default;
    /// The places of a sweep, and the elements by place.
    PackOrder(Vector<Index> places, Vector<Index> elements) : m_places{{}, {}, std::move(places), std::move(elements)}
    {
    }

    Index placeOf(Index e) const { return m_places.placeOf(e); }
    Index elementAt(std::size_t place) const { return m_places.elementAt(place); }
    /// Empty: those of the mesh.
    const Vector<Index>& places() const { return m_places.places; }

    /// Follows a change, in which the elements `touched` differ; returns the places where something differs, in
    /// increasing order. Nothing, and the order is of no use any more, if so much has changed that all had better be
    /// built anew.
    std::optional<Vector<Index>> follow(const ElementSource& elements, Vector<Index>& touched);
    /// Saves the order, or loads that of so many elements; false if what is there is none.
    bool archive(Archive& a, Index elements);

private:
    ElementReordering m_places;  ///< without ranks
    Index m_changed = 0;         ///< elements that have changed since these were the places of a sweep
};

}  // namespace sofa::core
