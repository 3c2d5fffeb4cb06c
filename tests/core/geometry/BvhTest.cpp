// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Bvh.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "core/geometry/BvhPairs.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/harness/AllocationCounter.h"

namespace bvh_test {

using namespace sofa::core;
using namespace sofa::core::geometry;
using sofa::test::GeometryRandom;
using sofa::test::triangleBoxes;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

using Boxes = std::vector<Aabb>;
using Pairs = std::vector<IndexPair>;

struct Defaults
{
    ~Defaults()
    {
        setThreadCount(0);
        setSimdLevel(bestSimdLevel());
    }
};

Pairs copy(std::span<const IndexPair> p) { return {p.begin(), p.end()}; }

Pairs bruteBetween(const Boxes& a, const Boxes& b, double distance)
{
    Pairs r;
    for (Index i = 0; i < a.size(); ++i)
        for (Index j = 0; j < b.size(); ++j)
            if (a[i].valid() && b[j].valid() && a[i].overlaps(b[j], distance)) r.push_back({i, j});
    return r;
}

Pairs bruteWithin(const Boxes& a, double distance)
{
    Pairs r;
    for (Index i = 0; i < a.size(); ++i)
        for (Index j = i + 1; j < a.size(); ++j)
            if (a[i].valid() && a[j].valid() && a[i].overlaps(a[j], distance)) r.push_back({i, j});
    return r;
}

/// Every query of pairs against brute force, with 1, 2 and 4 threads, on every instruction set.
void checkPairs(const Bvh& treeA, const Boxes& a, const Bvh& treeB, const Boxes& b, double distance)
{
    const Defaults defaults;
    const Pairs between = bruteBetween(a, b, distance), within = bruteWithin(a, distance);
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512}) {
        setSimdLevel(level);
        for (const unsigned threads : {1u, 2u, 4u}) {
            setThreadCount(threads);
            BvhPairs query;
            CHECK((copy(query.between(treeA, treeB, distance)) == between));
            CHECK((copy(query.within(treeA, distance)) == within));
        }
    }
}

void move(GeometryRandom& random, Boxes& boxes, double by)
{
    for (Aabb& b : boxes) {
        const Vec3 d = random.point(by);
        b = {b.lower + d, b.upper + d};
    }
}

/// Structure: every primitive once, every node once, boxes within those of their parents.
void checkStructure(const Bvh& tree, const Boxes& boxes)
{
    std::vector<int> primitives(tree.size()), nodes(tree.nodes().size());
    if (!nodes.empty()) ++nodes[0];
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const BvhNode& node = tree.nodes()[i];
        REQUIRE(node.count >= 1);
        REQUIRE(node.count <= bvhWidth);
        for (std::uint32_t k = 0; k < bvhWidth; ++k) {
            if (k >= node.count) {
                for (const auto& bound : node.bounds) CHECK(std::isnan(bound[k]));
                continue;
            }
            const bool leaf = (node.child[k] & bvhPrimitive) != 0;
            const std::uint32_t child = node.child[k] & ~bvhPrimitive;
            ++(leaf ? primitives : nodes).at(child);
            const Aabb& box = leaf ? boxes[child] : tree.nodeBounds(child);
            if (!box.valid()) {
                CHECK(std::isnan(node.bounds[0][k]));
                continue;
            }
            for (std::size_t c = 0; c < 3; ++c) {
                CHECK(node.bounds[c][k] == box.lower[c]);
                CHECK(node.bounds[3 + c][k] == box.upper[c]);
                CHECK(tree.nodeBounds(i).lower[c] <= box.lower[c]);
                CHECK(tree.nodeBounds(i).upper[c] >= box.upper[c]);
            }
        }
    }
    CHECK(std::all_of(primitives.begin(), primitives.end(), [](int n) { return n == 1; }));
    CHECK(std::all_of(nodes.begin(), nodes.end(), [](int n) { return n == 1; }));
}

}  // namespace

TEST_CASE("boxes: inclusion, gaps, distances and what is not a number", "[geometry]")
{
    Aabb b;
    CHECK_FALSE(b.valid());
    CHECK_FALSE(b.isNaN());
    b = Aabb::of(Vec3{1, 2, 3}, Vec3{-1, 5, 3});
    CHECK(b == Aabb({-1, 2, 3}, {1, 5, 3}));
    CHECK(b.valid());
    CHECK(b.halfArea() == 6.);
    CHECK(b.center() == Vec3(0, 3.5, 3));
    CHECK(b.contains({0, 5, 3}));
    CHECK_FALSE(b.contains({0, 5, 3.1}));
    CHECK(b.inflated(1.) == Aabb({-2, 1, 2}, {2, 6, 4}));
    CHECK(b.distance2(Vec3{4, 6, 3}) == 10.);
    CHECK(b.distance2(Vec3{0, 3, 3}) == 0.);
    const Aabb c({3, 2, 3}, {4, 9, 4});
    CHECK(b.distance2(c) == 4.);
    CHECK_FALSE(b.overlaps(c));
    CHECK_FALSE(b.overlaps(c, 1.99));
    CHECK(b.overlaps(c, 2.));
    CHECK(c.overlaps(b, 2.));
    CHECK(b.overlaps(Aabb({1, 5, 3}, {2, 6, 7})));  // closed: a corner is enough
    Aabb n = b;
    n.include(Vec3{0, notANumber, 0});
    n.include(Vec3{0, 1, 0});
    CHECK(n.isNaN());
    CHECK_FALSE(n.valid());
    CHECK_FALSE(n.overlaps(b));
    b.include(n);
    CHECK(b.isNaN());
    const Aabb everywhere(Vec3::filled(-Aabb::infinity), Vec3::filled(Aabb::infinity));
    CHECK(everywhere.valid());
    CHECK(everywhere.overlaps(c));
    CHECK(everywhere.overlaps(everywhere));
}

TEST_CASE("pairs of boxes equal brute force on soups of triangles, between and within, before and after refits",
          "[geometry]")
{
    const Defaults defaults;
    GeometryRandom random(1);
    for (const std::size_t n : {0u, 1u, 2u, 7u, 8u, 9u, 17u, 100u, 700u, 5000u}) {
        const double size = 1.2 / std::cbrt(static_cast<double>(n) + 1.);
        Boxes a = triangleBoxes(random, n, 1., size), b = triangleBoxes(random, n / 2 + 3, 1., 2. * size);
        Bvh treeA, treeB;
        setThreadCount(3);
        treeA.build(a);
        treeB.build(b);
        setThreadCount(0);
        checkStructure(treeA, a);
        checkPairs(treeA, a, treeB, b, 0.);
        checkPairs(treeA, a, treeB, b, 0.5 * size);
        for (int step = 0; step < 2; ++step) {
            move(random, a, 2. * size);
            treeA.refit(a);
            checkStructure(treeA, a);
            checkPairs(treeA, a, treeB, b, 0.1 * size);
        }
    }
}

TEST_CASE("pairs do not depend on the order in which primitives are inserted", "[geometry]")
{
    GeometryRandom random(2);
    const Boxes a = triangleBoxes(random, 1500, 1., 0.15);
    std::vector<Index> order(a.size());
    for (Index i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i-- > 1;) std::swap(order[i], order[random.below(static_cast<unsigned>(i + 1))]);
    Boxes shuffled;
    for (const Index i : order) shuffled.push_back(a[i]);
    Bvh tree, other;
    tree.build(a);
    other.build(shuffled);
    BvhPairs query;
    const Pairs expected = copy(query.within(tree));
    Pairs renamed;
    for (const IndexPair p : query.within(other)) {
        const Index i = order[p.first], j = order[p.second];
        renamed.push_back({std::min(i, j), std::max(i, j)});
    }
    std::sort(renamed.begin(), renamed.end());
    CHECK(expected.size() > 1000);
    CHECK((renamed == expected));
}

TEST_CASE("a tree is the same for any number of threads", "[geometry]")
{
    const Defaults defaults;
    GeometryRandom random(3);
    const Boxes boxes = triangleBoxes(random, 30000, 1., 0.05);
    setThreadCount(1);
    Bvh one;
    one.build(boxes);
    CHECK(one.depth() <= 9);
    for (const unsigned threads : {2u, 4u}) {
        setThreadCount(threads);
        Bvh tree;
        tree.build(boxes);
        REQUIRE(tree.nodes().size() == one.nodes().size());
        bool same = true;
        for (std::size_t i = 0; i < tree.nodes().size(); ++i)
            for (std::uint32_t k = 0; k < tree.nodes()[i].count; ++k)
                same = same && tree.nodes()[i].child[k] == one.nodes()[i].child[k] &&
                       tree.nodes()[i].bounds[0][k] == one.nodes()[i].bounds[0][k];
        CHECK(same);
    }
}

TEST_CASE("hierarchies over identical, flat, straight, infinite, empty and undefined boxes", "[geometry]")
{
    GeometryRandom random(4);
    const auto check = [](const Boxes& a, std::size_t undefined) {
        Bvh tree;
        tree.build(a);
        checkStructure(tree, a);
        CHECK(tree.invalid().size() == undefined);
        CHECK(tree.degradation() == 1.);
        checkPairs(tree, a, tree, a, 0.);
        checkPairs(tree, a, tree, a, 0.01);
        Vector<Index> found, expected;
        const Aabb box({-0.3, -0.3, -0.3}, {0.4, 0.4, 0.4});
        tree.boxQuery(box, 0.1, found);
        for (Index i = 0; i < a.size(); ++i)
            if (a[i].valid() && box.overlaps(a[i], 0.1)) expected.push_back(i);
        CHECK(found == expected);
    };
    check(Boxes(200, Aabb({0, 0, 0}, {1, 1, 1})), 0);
    check(Boxes(200, Aabb({1, 2, 3}, {1, 2, 3})), 0);
    check(Boxes(50, Aabb{}), 0);
    Boxes flat, straight, powers, mixed = triangleBoxes(random, 300, 1., 0.2), far = mixed;
    for (int i = 0; i < 300; ++i) {
        const Vec3 p = random.point(), q = random.point(0.1);
        flat.push_back(Aabb::of(Vec3{p[0], p[1], 0.}, Vec3{p[0] + q[0], p[1] + q[1], 0.}));
        straight.push_back(Aabb::of(Vec3{p[0], 0., 0.}, Vec3{p[0] + 0.1 * q[0], 0., 0.}));
        const double x = std::ldexp(1., 3 * i - 450);  // bins never separate more than a few of these
        powers.push_back(Aabb::of(Vec3{x, 0., 0.}, Vec3{1.5 * x, 0., 0.}));
    }
    check(flat, 0);
    check(straight, 0);
    check(powers, 0);
    mixed[0] = Aabb(Vec3::filled(-Aabb::infinity), Vec3::filled(Aabb::infinity));
    mixed[10].upper[1] = Aabb::infinity;
    mixed[20].lower[2] = notANumber;
    mixed[21] = Aabb::of(Vec3::filled(notANumber));
    for (std::size_t i = 100; i < 120; ++i) mixed[i] = Aabb{};
    mixed[130] = Aabb(Vec3::filled(Aabb::infinity), Vec3::filled(Aabb::infinity));
    check(mixed, 2);
    for (Aabb& b : far) b = {b.lower * 1e300, b.upper * 1e300};
    check(far, 0);

    Bvh tree;
    tree.build(mixed);
    CHECK(tree.invalid()[0] == 20);
    CHECK(tree.invalid()[1] == 21);
    // What was not valid may become so, and the other way round.
    Boxes healthy = triangleBoxes(random, mixed.size(), 1., 0.2);
    healthy[7].upper[0] = notANumber;
    tree.refit(healthy);
    CHECK(tree.invalid().size() == 1);
    CHECK(tree.invalid()[0] == 7);
    checkPairs(tree, healthy, tree, healthy, 0.);
}

TEST_CASE("degradation follows disorder, and update builds anew", "[geometry]")
{
    GeometryRandom random(5);
    Boxes boxes = triangleBoxes(random, 2000, 1., 0.05);
    Bvh tree;
    CHECK(tree.update(boxes));
    CHECK(tree.degradation() == 1.);
    Boxes scaled = boxes;
    for (Aabb& b : scaled) b = {b.lower * 4., b.upper * 4.};
    CHECK_FALSE(tree.update(scaled));
    CHECK(tree.degradation() == Approx(1.).epsilon(1e-12));
    std::shuffle(scaled.begin(), scaled.end(), std::mt19937(1));
    tree.refit(scaled);
    CHECK(tree.degradation() > 5.);
    CHECK(tree.update(scaled));
    CHECK(tree.degradation() == 1.);
    // Primitives on a line have no area, and are still told apart.
    Boxes line;
    for (int i = 0; i < 500; ++i) line.push_back(Aabb::of(Vec3{i * 1., 0., 0.}, Vec3{i + 0.5, 0., 0.}));
    tree.build(line);
    std::shuffle(line.begin(), line.end(), std::mt19937(1));
    tree.refit(line);
    CHECK(tree.degradation() > 2.);
    CHECK(tree.update(triangleBoxes(random, 17, 1., 1.)));
    CHECK(tree.size() == 17);
    CHECK_THROWS_WITH(tree.refit(boxes), "the bounding-volume hierarchy has 17 primitives; given to refit: 2000");
}

TEST_CASE("a filter leaves pairs out", "[geometry]")
{
    const Defaults defaults;
    GeometryRandom random(6);
    const Boxes a = triangleBoxes(random, 800, 1., 0.2);
    Bvh tree;
    tree.build(a);
    const auto keep = [](Index i, Index j) { return (i + j) % 3 != 0; };
    Pairs expected;
    for (const IndexPair p : bruteWithin(a, 0.))
        if (keep(p.first, p.second)) expected.push_back(p);
    for (const unsigned threads : {1u, 4u}) {
        setThreadCount(threads);
        BvhPairs query;
        CHECK((copy(query.within(tree, 0., keep)) == expected));
        CHECK(query.between(tree, tree, 0., [](Index, Index) { return false; }).empty());
    }
}

TEST_CASE("closest point and ray queries equal brute force", "[geometry]")
{
    GeometryRandom random(7);
    for (const std::size_t n : {0u, 1u, 8u, 400u}) {
        Boxes boxes = triangleBoxes(random, n, 1., 0.1);
        if (n > 300) {
            boxes[17] = boxes[230] = boxes[5];  // at the same distance: the smallest index
            boxes[44].lower[0] = notANumber;
        }
        Bvh tree;
        tree.build(boxes);
        for (int query = 0; query < 300; ++query) {
            const Vec3 p = query % 10 == 0 && n > 300 ? boxes[17].center() : random.point(2.);
            const double maxDistance = query % 3 == 0 ? 0.5 : 10.;
            Bvh::Nearest expected;
            expected.distance2 = maxDistance * maxDistance;
            for (Index i = 0; i < n; ++i)
                if (boxes[i].valid() && (boxes[i].distance2(p) < expected.distance2 ||
                                         (boxes[i].distance2(p) == expected.distance2 && i < expected.primitive)))
                    expected = {i, boxes[i].distance2(p)};
            const auto nearest = tree.closest(p, maxDistance, [&](Index i) { return boxes[i].distance2(p); });
            CHECK(nearest.primitive == expected.primitive);
            if (nearest.primitive != InvalidIndex) CHECK(nearest.distance2 == expected.distance2);

            Vec3 direction = random.direction();
            if (query % 4 == 0) direction[query % 3] = 0.;
            if (query % 12 == 0) direction = Vec3::unit(query % 3) * -2.;
            Vec3 origin = p;
            if (query % 5 == 0 && n > 0) origin[0] = boxes[0].lower[0];  // along a face
            std::vector<Index> met, hit;
            tree.rayQuery(origin, direction, 3., [&](Index i, double last) {
                met.push_back(i);
                return last;
            });
            std::sort(met.begin(), met.end());
            CHECK(std::adjacent_find(met.begin(), met.end()) == met.end());
            for (Index i = 0; i < n; ++i) {
                if (!boxes[i].valid()) continue;
                long double enter = 0., leave = 3.;
                for (std::size_t k = 0; k < 3; ++k) {
                    const long double lo = (long double)boxes[i].lower[k] - origin[k],
                                      hi = (long double)boxes[i].upper[k] - origin[k];
                    if (direction[k] == 0.) {
                        if (lo > 0. || hi < 0.) leave = -1.;
                        continue;
                    }
                    enter = std::max(enter, std::min(lo / direction[k], hi / direction[k]));
                    leave = std::min(leave, std::max(lo / direction[k], hi / direction[k]));
                }
                const bool listed = std::binary_search(met.begin(), met.end(), i);
                if (enter <= leave) CHECK(listed);
                if (enter > leave + 1e-12L) CHECK_FALSE(listed);
            }
        }
    }
    // The nearest only: what is behind the first hit is not looked at.
    Boxes row;
    for (int i = 0; i < 1000; ++i) row.push_back(Aabb({i * 1., 0., 0.}, {i + 0.5, 1., 1.}));
    Bvh tree;
    tree.build(row);
    int visits = 0;
    tree.rayQuery({-1., 0.5, 0.5}, {1., 0., 0.}, Aabb::infinity, [&](Index i, double last) {
        ++visits;
        return std::min(last, row[i].lower[0] + 1.);
    });
    CHECK(visits <= 16);
}

TEST_CASE("refits and queries do not allocate in a steady state", "[geometry]")
{
    const Defaults defaults;
    setThreadCount(1);
    GeometryRandom random(8);
    Boxes a = triangleBoxes(random, 3000, 1., 0.1);
    Bvh tree;
    BvhPairs query;
    Vector<Index> found;
    std::size_t counted = 0;
    const auto step = [&] {
        const std::size_t before = sofa::test::allocationCount();
        tree.update(a);
        const std::size_t pairs = query.within(tree, 0.01).size() + query.between(tree, tree).size();
        tree.boxQuery(tree.bounds(), 0., found);
        tree.closest({0, 0, 0}, 1., [&](Index i) { return a[i].distance2(Vec3{}); });
        tree.build(a);
        counted = sofa::test::allocationCount() - before;
        return pairs;
    };
    CHECK(step() > 3000);
    CHECK(counted > 0);  // the counter counts
    step();
    CHECK(counted == 0);
}

}  // namespace bvh_test
