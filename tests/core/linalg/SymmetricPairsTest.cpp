// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricPairs.h"

#include <catch2/catch.hpp>

namespace symmetric_pairs_test {

using namespace sofa::core;

TEST_CASE("the pattern of pairs has each of them in the rows of its two points, columns in order")
{
    const Vector<std::pair<Index, Index>> pairs = {{0, 1}, {0, 4}, {1, 2}, {1, 4}, {2, 4}};
    SymmetricPattern pattern;
    setPairs(pattern, {{0, 1}, {0, 2}, {1, 2}}, 3);  // whose memory is used
    const std::uint64_t before = pattern.id;
    setPairs(pattern, pairs, 6);
    CHECK(pattern.id != before);
    CHECK(pattern.rows() == 6);
    CHECK(pattern.rowStart == Vector<std::size_t>{0, 2, 5, 7, 7, 10, 10});
    REQUIRE(pattern.entries.size() == 2 * pairs.size());
    for (Index v = 0; v < 6; ++v)
        for (std::size_t k = pattern.rowStart[v]; k < pattern.rowStart[v + std::size_t{1}]; ++k) {
            const SymmetricPattern::Entry& e = pattern.entries[k];
            INFO("row " << v << ", column " << e.column);
            CHECK((k == pattern.rowStart[v] || pattern.entries[k - 1].column < e.column));
            CHECK(e.transposed == (e.column < v ? 1u : 0u));
            CHECK(pairs.at(e.pair) == std::pair(std::min(v, e.column), std::max(v, e.column)));
        }
}

}  // namespace symmetric_pairs_test
