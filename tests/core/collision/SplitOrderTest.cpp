// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/SplitOrder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <stack>

namespace split_order_test {

using namespace sofa;
using namespace sofa::core;

namespace {

/// A tree as SOFA describes it, with children that are cells or leaves, and its descent with a stack, written plainly.
struct Cell
{
    std::vector<Cell> cells;  ///< empty: a leaf
    std::size_t leaf = 0;
};

Cell build(const std::vector<geometry::Aabb>& boxes, std::vector<std::size_t> members, int depth)
{
    Cell cell;
    if (members.size() <= 4 || depth == 0) {
        for (const std::size_t m : members) {
            Cell leaf;
            leaf.leaf = m;
            cell.cells.push_back(leaf);
        }
        return cell;
    }
    geometry::Aabb box;
    for (const std::size_t m : members) box.include(boxes[m]);
    const Vec3 l = box.upper - box.lower;
    std::size_t axis = 2;
    if (l[0] > l[1]) {
        if (l[0] > l[2]) axis = 0;
    } else if (l[1] > l[2]) {
        axis = 1;
    }
    std::stable_sort(members.begin(), members.end(), [&](std::size_t p, std::size_t q) {
        return boxes[p].lower[axis] + boxes[p].upper[axis] < boxes[q].lower[axis] + boxes[q].upper[axis];
    });
    const auto middle = members.begin() + static_cast<std::ptrdiff_t>((members.size() + 1) / 2);
    cell.cells.push_back(build(boxes, {members.begin(), middle}, depth - 1));
    cell.cells.push_back(build(boxes, {middle, members.end()}, depth - 1));
    return cell;
}

using Pair = std::pair<std::size_t, std::size_t>;

std::vector<Pair> descend(const Cell& a, const Cell& b)
{
    using Range = std::vector<const Cell*>;
    const auto children = [](const Cell& c) {
        Range r;
        for (const Cell& child : c.cells) r.push_back(&child);
        return r;
    };
    std::vector<Pair> found;
    std::stack<std::pair<Range, Range>> open;
    open.push({children(a), children(b)});
    while (!open.empty()) {
        const auto [first, second] = open.top();
        open.pop();
        for (const Cell* x : first)
            for (const Cell* y : second) {
                if (x->cells.empty() && y->cells.empty())
                    found.push_back({x->leaf, y->leaf});
                else
                    open.push({x->cells.empty() ? Range{x} : children(*x), y->cells.empty() ? Range{y} : children(*y)});
            }
    }
    return found;
}

std::vector<geometry::Aabb> randomBoxes(std::mt19937& random, std::size_t n, bool grid)
{
    std::uniform_real_distribution<double> value(0., 8.);
    std::vector<geometry::Aabb> boxes(n);
    for (auto& b : boxes) {
        Vec3 p{value(random), value(random), value(random)};
        if (grid)
            for (std::size_t k = 0; k < 3; ++k) p[k] = std::floor(p[k]);
        b.include(p);
        b.include(p + Vec3{1., 1., 1.});
    }
    return boxes;
}

}  // namespace

TEST_CASE("pairs are ordered as a descent of both trees with a stack comes upon them")
{
    std::mt19937 random(5);
    const std::size_t sizes[] = {1, 3, 4, 5, 9, 17, 64, 150};
    for (const bool grid : {false, true})
        for (const int depth : {0, 1, 2, 6, 15})
            for (const std::size_t n : sizes)
                for (const std::size_t m : sizes) {
                    const auto a = randomBoxes(random, n, grid), b = randomBoxes(random, m, grid);
                    const auto indices = [](std::size_t count) {
                        std::vector<std::size_t> all(count);
                        std::iota(all.begin(), all.end(), std::size_t{0});
                        return all;
                    };
                    const std::vector<Pair> expected =
                        descend(build(a, indices(n), depth), build(b, indices(m), depth));
                    REQUIRE(expected.size() == n * m);
                    SplitOrder orderA, orderB;
                    orderA.build(a, depth);
                    orderB.build(b, depth);
                    std::vector<Pair> pairs = expected;
                    std::shuffle(pairs.begin(), pairs.end(), random);
                    std::sort(pairs.begin(), pairs.end(), [&](const Pair& p, const Pair& q) {
                        return SplitOrder::before(orderA, orderB, p.first, p.second, q.first, q.second);
                    });
                    CHECK(pairs == expected);
                }
}

TEST_CASE("an order without boxes is empty; it survives an archive")
{
    SplitOrder none;
    none.build({}, SplitOrder::defaultDepth);
    CHECK(none.size() == 0);
    std::mt19937 random(6);
    const auto boxes = randomBoxes(random, 40, false);
    SplitOrder order, restored;
    order.build(boxes, SplitOrder::defaultDepth);
    Archive save;
    order.archive(save);
    Archive load(save.bytes());
    restored.archive(load);
    REQUIRE(restored.size() == 40);
    for (std::size_t k = 0; k < 1600; ++k)
        CHECK(SplitOrder::before(order, order, k / 40, k % 40, 7, 11) ==
              SplitOrder::before(restored, restored, k / 40, k % 40, 7, 11));
}

}  // namespace split_order_test
