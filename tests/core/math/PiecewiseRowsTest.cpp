// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/PiecewiseRows.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

namespace piecewise_rows_test {

using namespace sofa::core;

TEST_CASE("rows that change one by one are those of a list of lists, in memory that is used again")
{
    PiecewiseRows<int, 3> rows;
    std::vector<std::vector<int>> should;
    std::mt19937 random(4);  // NOLINT: the same numbers each time
    const auto some = [&](std::size_t most) {
        std::vector<int> row(random() % (most + 1));
        for (int& v : row) v = static_cast<int>(random() % 1000);
        return row;
    };
    rows.reserve(10, 20);
    for (int k = 0; k < 200; ++k) {
        should.push_back(some(6));
        rows.push_back(should.back());
        CHECK(
            (k == 0 || rows.first(rows.size() - 1) == rows.first(rows.size() - 2) + should[should.size() - 2].size()));
    }
    std::size_t most = 0;
    for (int k = 0; k < 20000; ++k) {
        if (random() % 50 == 0) {
            const std::size_t n = 150 + random() % 100;
            rows.resize(n);
            should.resize(n);
        }
        const std::size_t row = random() % rows.size();
        should[row] = some(k % 100 == 0 ? 60 : 8);
        rows.set(row, should[row]);
        most = std::max(most, rows.extent());
        if (k % 500 != 0) continue;
        std::size_t count = 0;
        REQUIRE(rows.size() == should.size());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            count += should[r].size();
            REQUIRE(std::ranges::equal(rows[r], should[r]));
        }
        CHECK(rows.count() == count);
    }
    CHECK(most < 2 * 250 * 10 + 1200);
    rows.clear();
    CHECK(rows.empty());
    CHECK(rows.count() == 0);
}

}  // namespace piecewise_rows_test
