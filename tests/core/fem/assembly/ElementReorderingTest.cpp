// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/ElementReordering.h"

#include "tests/core/fem/FemTestUtilities.h"

namespace element_reordering_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

template <std::size_t N>
ElementReordering orderOf(const Vector<std::array<Index, N>>& elements, Index points,
                          ElementOrder order = ElementOrder::Kept)
{
    return elementReordering(elements.empty() ? nullptr : elements[0].data(), elements.size(), N, points, order);
}

/// Most vertices that are in use at a time.
template <std::size_t N>
std::size_t front(const Vector<std::array<Index, N>>& elements, Index points, const ElementReordering& order)
{
    Vector<std::size_t> last(points, 0);
    for (std::size_t place = 0; place < elements.size(); ++place)
        for (const Index v : elements[order.elementAt(place)]) last[v] = place;
    std::vector<bool> met(points, false);
    std::size_t used = 0, most = 0;
    for (std::size_t place = 0; place < elements.size(); ++place) {
        for (const Index v : elements[order.elementAt(place)])
            if (!met[v]) {
                met[v] = true;
                most = std::max(most, ++used);
            }
        for (const Index v : elements[order.elementAt(place)])
            if (met[v] && last[v] == place) {
                last[v] = elements.size();
                --used;
            }
    }
    return most;
}

/// Whether both lists are empty, or permutations of [0, n) and inverse to each other.
bool inverse(const Vector<Index>& a, const Vector<Index>& b, std::size_t n)
{
    if (a.empty() && b.empty()) return true;
    if (a.size() != n || b.size() != n) return false;
    for (std::size_t k = 0; k < n; ++k)
        if (a[k] >= n || b[a[k]] != k) return false;
    return true;
}

}  // namespace

TEST_CASE("ordered meshes keep their numbers, shuffled ones get good ones", "[fem]")
{
    BoxMesh mesh(12, 10, 14, {1., 1., 1.});
    const auto points = static_cast<Index>(mesh.points.size());
    const ElementReordering own = orderOf<4>(mesh.tetrahedra, points);
    CHECK(own.rank.empty());
    CHECK(own.vertices.empty());
    CHECK(own.places.empty());
    CHECK(own.elements.empty());
    CHECK(own.rankOf(17) == 17);
    CHECK(own.elementAt(own.placeOf(5)) == 5);
    const std::size_t good = front<4>(mesh.tetrahedra, points, own);

    const auto check = [&](const auto& elements, const ElementReordering& order, Index n) {
        CHECK(!order.rank.empty());
        CHECK(inverse(order.rank, order.vertices, n));
        CHECK(inverse(order.places, order.elements, elements.size()));
        std::size_t unsorted = 0;
        const auto lowest = [&](std::size_t place) {
            Index r = n;
            for (const Index v : elements[order.elementAt(place)]) r = std::min(r, order.rankOf(v));
            return r;
        };
        for (std::size_t place = 1; place < elements.size(); ++place)
            if (lowest(place - 1) > lowest(place)) ++unsorted;
        CHECK(unsorted == 0);
    };
    renumber<4>(mesh.tetrahedra, points);
    CHECK(front<4>(mesh.tetrahedra, points, own) > 5 * good);
    for (const ElementOrder elements : {ElementOrder::Kept, ElementOrder::Sorted}) {
        const ElementReordering order = orderOf<4>(mesh.tetrahedra, points, elements);
        check(mesh.tetrahedra, order, points);
        CHECK(front<4>(mesh.tetrahedra, points, order) < 2 * good);
    }
    renumber<8>(mesh.hexahedra, points);
    check(mesh.hexahedra, orderOf<8>(mesh.hexahedra, points), points);

    // Two bodies, points without elements between them.
    const std::size_t one = mesh.tetrahedra.size();
    for (std::size_t e = 0; e < one; ++e) {
        mesh.tetrahedra.push_back(mesh.tetrahedra[e]);
        for (Index& v : mesh.tetrahedra.back()) v += points + 50;
    }
    const ElementReordering two = orderOf<4>(mesh.tetrahedra, 2 * points + 60);
    check(mesh.tetrahedra, two, 2 * points + 60);
    CHECK(front<4>(mesh.tetrahedra, 2 * points + 60, two) < 2 * good);
    CHECK(two.rankOf(points + 7) >= 2 * points);  // no element has it
}

TEST_CASE("where only the elements are in disorder, vertices keep their numbers", "[fem]")
{
    BoxMesh mesh(12, 10, 14, {1., 1., 1.});
    std::mt19937 random(3);
    std::shuffle(mesh.tetrahedra.begin(), mesh.tetrahedra.end(), random);
    const auto points = static_cast<Index>(mesh.points.size());
    const ElementReordering order = orderOf<4>(mesh.tetrahedra, points);
    CHECK(order.rank.empty());
    CHECK(order.elements.size() == mesh.tetrahedra.size());
    CHECK(inverse(order.places, order.elements, mesh.tetrahedra.size()));
}

TEST_CASE("sweeps of small, empty and collapsed meshes", "[fem]")
{
    BoxMesh mesh(5, 5, 5, {1., 1., 1.});
    renumber<4>(mesh.tetrahedra, 216);
    CHECK(orderOf<4>(mesh.tetrahedra, 216).rank.empty());
    CHECK(orderOf<4>({}, 7).elements.empty());
    CHECK(orderOf<4>({}, 0, ElementOrder::Sorted).elements.empty());
    // Elements at one vertex each, and one that joins far ones.
    Vector<std::array<Index, 4>> points;
    for (Index v = 0; v < 3000; ++v) points.push_back({v, v, v, v});
    points.push_back({0, 2999, 2999, 0});
    const ElementReordering order = orderOf<4>(points, 3000);
    CHECK(inverse(order.rank, order.vertices, 3000));
    CHECK(inverse(order.places, order.elements, points.size()));
}

}  // namespace element_reordering_test
