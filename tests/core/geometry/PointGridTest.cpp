// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/PointGrid.h"

#include <catch2/catch.hpp>
#include <map>

#include "tests/harness/EngineCheck.h"

using namespace sofa::core;

TEST_CASE("the nearest point of a grid is that of all points within the range")
{
    sofa::test::RandomInput random(5);
    for (const double range : {0., 0.05, 0.3, 5.}) {
        INFO("range " << range);
        geometry::PointGrid grid(range);
        std::map<Index, Vec3> points;
        for (Index i = 0; i < 300; ++i) {
            const Vec3 x = random.point();
            grid.insert(i, x);
            points[i] = x;
            if (const Index gone = random.index(600); points.count(gone) && gone != i) {
                grid.remove(gone, points[gone]);
                points.erase(gone);
            }
            const Vec3 p = random.point();
            for (const Index except : {InvalidIndex, i}) {
                Index nearest = InvalidIndex;
                double least = range;
                for (const auto& [k, y] : points)
                    if (k != except && norm(p - y) < least) {
                        least = norm(p - y);
                        nearest = k;
                    }
                const auto found = grid.nearest(p, except);
                CHECK(found.point == nearest);
                if (nearest != InvalidIndex) CHECK(found.distance == least);
            }
        }
    }
}

TEST_CASE("of points at the same distance a grid gives the one with the least number, and none at the range itself")
{
    geometry::PointGrid grid(1.);
    grid.insert(7, {0.5, 0., 0.});
    grid.insert(3, {-0.5, 0., 0.});
    grid.insert(9, {0., 3., 0.});
    CHECK(grid.nearest({}).point == 3);
    CHECK(grid.nearest({}, 3).point == 7);
    CHECK(grid.nearest({0., 2., 0.}).point == InvalidIndex);
    CHECK_THROWS_WITH(grid.insert(4, {0., 1. / 0., 0.}), "point 4 is not finite");
}
