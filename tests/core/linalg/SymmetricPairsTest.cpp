// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricPairs.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace symmetric_pairs_test {

using namespace sofa::core;

namespace {

Mat3 blockOf(std::size_t pair)
{
    Mat3 b;
    for (std::size_t k = 0; k < 9; ++k) b.data()[k] = std::sin(static_cast<double>(9 * pair + k));
    return b;
}

}  // namespace

TEST_CASE("pairs give each block once, and on the diagonal minus the sums of rows, in any order of the rows")
{
    const Vector<std::pair<Index, Index>> sorted = {{0, 1}, {0, 4}, {1, 2}, {1, 4}, {2, 4}};
    SymmetricPairs pairs;
    pairs.build(Vector<std::pair<Index, Index>>{{0, 1}, {0, 2}, {1, 2}}, 3);  // whose memory is used
    for (const bool reordered : {false, true}) {
        const std::uint64_t before = pairs.pattern().id;
        // Rows of the points 1 3 2 4 0 5, and pairs in any order.
        const Vector<Index> vertices = reordered ? Vector<Index>{1, 3, 2, 4, 0, 5} : Vector<Index>();
        const Vector<std::pair<Index, Index>> all =
            reordered ? Vector<std::pair<Index, Index>>{{1, 2}, {1, 4}, {0, 1}, {2, 4}, {0, 4}} : sorted;
        pairs.build(all, 6, vertices);
        const SymmetricPattern& p = pairs.pattern();
        CHECK(p.id != before);
        REQUIRE(p.rows() == 6);
        CHECK(pairs.count() == 5);
        const std::vector<std::vector<std::uint32_t>> columns = {{1, 4}, {2, 4}, {4}, {}, {}, {}};
        for (std::size_t v = 0; v < 6; ++v)
            CHECK(std::vector<std::uint32_t>(p.columns[v].begin(), p.columns[v].end()) == columns[v]);

        Vector<Mat3> given(5);
        for (std::size_t k = 0; k < 5; ++k) given[k] = blockOf(k);
        StoredPairs source(pairs, given.data());
        SymmetricBlocks blocks;
        blocks.set(p, source);
        std::vector<Mat3> sums(6);
        for (std::size_t k = 0; k < 5; ++k) {
            const auto [v, w] = all[k];
            const auto row = p.columns[v];
            const auto at = std::find(row.begin(), row.end(), w) - row.begin();
            INFO("pair " << v << ' ' << w);
            CHECK(blocks.pairs[p.columns.first(v) + static_cast<std::size_t>(at)] == given[k]);
            sums[v] -= given[k];
            sums[w] -= given[k].transposed();
        }
        for (std::size_t v = 0; v < 6; ++v) {
            const Mat3 should = (sums[v] + sums[v].transposed()) * 0.5;
            CHECK(blocks.diagonals[v] == blocks.diagonals[v].transposed());
            for (std::size_t k = 0; k < 9; ++k)
                CHECK(blocks.diagonals[v].data()[k] == Approx(should.data()[k]).margin(1e-15));
        }
    }
}

TEST_CASE("pairs that are built again tell which rows have changed, if these are few")
{
    const Index points = 100;
    Vector<std::pair<Index, Index>> ring;
    for (Index v = 0; v + 1 < points; ++v) ring.emplace_back(v, v + 1);
    SymmetricPairs pairs;
    pairs.build(ring, points);
    CHECK(pairs.pattern().previous == 0);
    const auto again = [&](Index n) {
        const std::uint64_t before = pairs.pattern().id;
        pairs.build(ring, n);
        CHECK(pairs.pattern().id != before);
        CHECK((pairs.pattern().previous == before || pairs.pattern().previous == 0));
        return pairs.pattern().previous == before ? pairs.pattern().changed : Vector<Index>{InvalidIndex};
    };
    CHECK(again(points).empty());
    ring.insert(ring.begin() + 6, {5, 50});
    ring.erase(ring.begin() + 20);  // 19, 20
    CHECK(again(points) == Vector<Index>{5, 19});
    ring.back() = {98, 101};
    CHECK(again(points + 2) == Vector<Index>{98, 100, 101});
    ring.pop_back();
    CHECK(again(points) == Vector<Index>{98});
    std::erase_if(ring, [](const auto& p) { return p.first % 4 == 0; });
    CHECK(again(points) == Vector<Index>{InvalidIndex});
}

}  // namespace symmetric_pairs_test
