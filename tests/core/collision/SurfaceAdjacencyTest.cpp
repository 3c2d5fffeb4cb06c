// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/SurfaceAdjacency.h"

#include <catch2/catch.hpp>

using namespace sofa::core;

TEST_CASE("neighbours of triangles: across sides, around points, and the border")
{
    // 3---2
    // | / |   and a triangle of its own, 4 5 6
    // 0---1
    const Vector<Triangle> triangles{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}};
    const SurfaceAdjacency s(triangles, 8);
    CHECK(s.opposite(0, 0) == InvalidIndex);
    CHECK(s.opposite(0, 1) == InvalidIndex);
    CHECK(s.opposite(0, 2) == 3);
    CHECK(s.opposite(1, 0) == 1);
    CHECK(s.opposite(2, 1) == InvalidIndex);
    const auto ring = [&](Index p) { return Vector<Index>(s.ring(p).begin(), s.ring(p).end()); };
    CHECK(ring(0) == Vector<Index>{1, 2, 3});
    CHECK(ring(1) == Vector<Index>{0, 2});
    CHECK(ring(5) == Vector<Index>{4, 6});
    CHECK(ring(7).empty());
    CHECK(s.onBorder(0));
    CHECK(!s.onBorder(7));
}

TEST_CASE("a closed surface has no border; three triangles at a side know one another")
{
    const SurfaceAdjacency closed({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}, 4);
    for (Index p = 0; p < 4; ++p) CHECK(!closed.onBorder(p));
    for (Index t = 0; t < 4; ++t)
        for (std::size_t k = 0; k < 3; ++k) CHECK(closed.opposite(t, k) != InvalidIndex);
    const SurfaceAdjacency fan({{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}, 5);
    CHECK(fan.opposite(0, 0) == 3);
    CHECK(fan.opposite(1, 0) == 2);
    CHECK(fan.opposite(2, 0) == 2);
    // The same triangles twice, as grids give them: from their triangles and from their quads.
    const SurfaceAdjacency twice({{0, 1, 2}, {0, 2, 3}, {1, 2, 0}, {3, 0, 2}}, 4);
    CHECK(twice.opposite(0, 0) == InvalidIndex);
    CHECK(twice.opposite(0, 2) == 3);
    CHECK(twice.opposite(3, 1) == 1);
    CHECK(twice.onBorder(1));
}
