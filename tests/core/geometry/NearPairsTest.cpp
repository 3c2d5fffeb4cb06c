// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/NearPairs.h"

#include <catch2/catch.hpp>

#include "tests/core/geometry/GeometryRandom.h"

namespace near_pairs_test {

using namespace sofa::core;
using namespace sofa::core::geometry;
using sofa::test::GeometryRandom;
using sofa::test::triangleBoxes;

namespace {

using Boxes = std::vector<Aabb>;

std::vector<IndexPair> brute(const Boxes& a, const Boxes& b, double distance)
{
    std::vector<IndexPair> r;
    for (Index i = 0; i < a.size(); ++i)
        for (Index j = 0; j < b.size(); ++j)
            if (a[i].valid() && b[j].valid() && a[i].overlaps(b[j], distance)) r.push_back({i, j});
    return r;
}

/// Two soups of triangles, about 0.3 in size, and the pairs that are found in each step.
struct Bodies
{
    GeometryRandom random{5};
    Boxes a = triangleBoxes(random, 150, 2., 0.4), b = triangleBoxes(random, 120, 2., 0.4);
    BvhPairs search;
    NearPairs near;
    std::size_t pairs = 0;  ///< of the last step

    void check(double distance = 0.1)
    {
        Bvh treeA, treeB;
        treeA.build(a);
        treeB.build(b);
        const auto found = near.find(a, b, distance, [&](double d) { return search.between(treeA, treeB, d); });
        CHECK(std::vector<IndexPair>(found.begin(), found.end()) == brute(a, b, distance));
        pairs = found.size();
    }
    /// Moves each box by up to `own` in each direction and sides, and all by `common`.
    void move(double own, const Vec3& common = {}, const Vec3& ofB = {})
    {
        for (Boxes* boxes : {&a, &b})
            for (Aabb& box : *boxes) {
                const Vec3 way = random.point(own) + common + (boxes == &b ? ofB : Vec3());
                box = {box.lower + way, box.upper + way + Vec3::filled(0.1 * own * (random() + 1.))};
            }
    }
};

}  // namespace

TEST_CASE("near pairs of moving bodies are those of a search in each step", "[geometry]")
{
    Bodies s;
    std::size_t before = 0;
    // One after the other: nearly at rest, at moderate speed, at rest again.
    for (const double own : {0.001, 0.01, 0.02, 0.0001}) {
        for (int step = 0; step < 40; ++step) {
            s.move(own);
            s.check();
        }
        CHECK(s.pairs > 20);
        if (own > 0.005) CHECK(s.near.searches() > before);
        CHECK(s.near.searches() - before < (own < 0.005 ? 5 : 30));
        before = s.near.searches();
    }
}

TEST_CASE("near pairs hold while bodies fall together, not while one passes the other", "[geometry]")
{
    Bodies together, apart;
    std::size_t pairs = 0;
    for (int step = 0; step < 30; ++step) {
        together.move(0.0005, {0., -0.5, 0.1});
        together.check();
        apart.move(0.0005, {}, {0., -0.02, 0.01});
        apart.check();
        if (step == 0) pairs = apart.pairs;
    }
    CHECK(together.near.searches() <= 3);
    CHECK(apart.near.searches() > 3);
    CHECK(apart.near.searches() < 25);
    CHECK(apart.pairs != pairs);
}

TEST_CASE("fast bodies are searched in each step, those that are not finite too", "[geometry]")
{
    Bodies s;
    for (int step = 0; step < 10; ++step) {
        s.move(0.5);
        s.check();
    }
    CHECK(s.near.searches() == 10);
    for (int step = 0; step < 5; ++step) s.check();
    CHECK(s.near.searches() == 11);

    // Switched off, without bounds, turned inside out, and back.
    const Boxes saved = s.a;
    s.a[7] = Aabb();
    s.a[9] = {Vec3::filled(-Aabb::infinity), Vec3::filled(Aabb::infinity)};
    std::swap(s.a[3].lower, s.a[3].upper);
    for (int step = 0; step < 3; ++step) s.check();
    CHECK(s.near.searches() == 14);
    s.a = saved;
    for (int step = 0; step < 3; ++step) s.check();
    CHECK(s.near.searches() == 16);

    // Another distance, other primitives.
    s.check(0.2);
    s.check(0.2);
    CHECK(s.near.searches() == 18);
    s.a.pop_back();
    for (int step = 0; step < 3; ++step) s.check(0.2);
    CHECK(s.near.searches() == 20);
    s.b.clear();
    s.check(0.2);
    CHECK(s.pairs == 0);
}

TEST_CASE("few pairs of many boxes are searched in each step, and lists begin when there are more", "[geometry]")
{
    Bodies s;
    s.b.resize(4);
    for (int step = 0; step < 10; ++step) {
        s.move(0.001);
        s.check();
    }
    CHECK(s.near.searches() == 10);
    CHECK(s.pairs > 0);

    // The second body rests on the first one.
    s.b = s.a;
    for (int step = 0; step < 10; ++step) {
        s.move(0.001);
        s.check();
    }
    CHECK(4 * s.pairs > s.a.size() + s.b.size());
    CHECK(s.near.searches() == 13);
    for (Aabb& box : s.b) box = {box.lower + Vec3::filled(50.), box.upper + Vec3::filled(50.)};
    for (int step = 0; step < 10; ++step) s.check();
    CHECK(s.pairs == 0);
    CHECK(s.near.searches() == 23);
}

}  // namespace near_pairs_test
