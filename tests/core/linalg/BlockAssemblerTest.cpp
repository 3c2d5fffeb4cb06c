// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockAssembler.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "tests/core/linalg/BlockCalls.h"

namespace block_assembler_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

std::vector<Call> randomCalls(int blocks, int b, std::size_t count, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<Call> calls;
    for (std::size_t k = 0; k < count; ++k) {
        Call c;
        const int sizes[] = {1, 1, 1, 2};
        c.nr = b * sizes[gen() % 4];
        c.nc = b * sizes[gen() % 4];
        c.row = b * static_cast<int>(gen() % static_cast<unsigned>(blocks - 1));
        c.col = b * static_cast<int>(gen() % static_cast<unsigned>(blocks - 1));
        c.factor = value(gen);
        for (int i = 0; i < c.nr * (c.nc + 1); ++i) c.block.push_back(value(gen));
        calls.push_back(c);
    }
    return calls;
}

void play(BlockAssembler& a, int n, int b, const std::vector<Call>& calls)
{
    a.begin(n, n, b);
    for (const Call& c : calls) a.add(c.row, c.col, c.block.data(), c.nr, c.nc, c.nc + 1, c.factor);
    a.end();
}

}  // namespace

TEST_CASE("recording and replaying give the same bits", "[linalg]")
{
    for (const int b : {1, 2, 3, 6}) {
        const int blocks = 12, n = blocks * b;
        BlockAssembler a;
        auto calls = randomCalls(blocks, b, 200, static_cast<unsigned>(b));
        play(a, n, b, calls);
        CHECK_FALSE(a.replayed());
        CHECK(a.patternVersion() == 1);
        checkAgainst(a.matrix(), calls);
        const double* values = a.values().data();
        for (int pass = 0; pass < 3; ++pass) {
            for (Call& c : calls) c.factor *= 1.1;
            play(a, n, b, calls);
            CHECK(a.replayed());
            CHECK(a.patternVersion() == 1);
            checkAgainst(a.matrix(), calls);
        }
        CHECK(a.values().data() == values);
    }
}

TEST_CASE("a changed sequence is recorded anew", "[linalg]")
{
    const int b = 3, blocks = 10, n = blocks * b;
    auto calls = randomCalls(blocks, b, 100, 5);
    BlockAssembler a;
    play(a, n, b, calls);

    SECTION("another place in the middle")
    {
        calls[60].row = calls[60].col = 0;
        play(a, n, b, calls);
        CHECK_FALSE(a.replayed());
        checkAgainst(a.matrix(), calls);
        play(a, n, b, calls);
        CHECK(a.replayed());
        checkAgainst(a.matrix(), calls);
    }
    SECTION("longer")
    {
        const auto more = randomCalls(blocks, b, 5, 77);
        calls.insert(calls.end(), more.begin(), more.end());
        play(a, n, b, calls);
        CHECK_FALSE(a.replayed());
        checkAgainst(a.matrix(), calls);
    }
    SECTION("shorter: blocks that are not used any more leave the pattern")
    {
        calls.resize(10);
        play(a, n, b, calls);
        CHECK_FALSE(a.replayed());
        CHECK(a.patternVersion() == 2);
        checkAgainst(a.matrix(), calls);
        BlockAssembler fresh;
        play(fresh, n, b, calls);
        CHECK(fresh.matrix().samePattern(a.matrix()));
    }
    SECTION("empty: only the diagonal stays")
    {
        play(a, n, b, {});
        CHECK(a.matrix().blockCount() == 10);
        CHECK(a.matrix().maxAbs() == 0.);
        play(a, n, b, {});
        CHECK(a.replayed());
    }
    SECTION("reordered: same pattern, same version")
    {
        std::reverse(calls.begin(), calls.end());
        play(a, n, b, calls);
        CHECK_FALSE(a.replayed());
        CHECK(a.patternVersion() == 1);
        checkAgainst(a.matrix(), calls);
    }
    SECTION("another size, then back")
    {
        play(a, n + b, b, calls);
        CHECK(a.matrix().rows() == n + b);
        checkAgainst(a.matrix(), calls);
        CHECK(a.patternVersion() == 2);
        play(a, n, b, calls);
        CHECK(a.patternVersion() == 3);
        checkAgainst(a.matrix(), calls);
    }
}

TEST_CASE("a pass that was abandoned leaves a working assembler", "[linalg]")
{
    const int b = 3, n = 30;
    const auto calls = randomCalls(10, b, 50, 9), others = randomCalls(10, b, 50, 10);
    BlockAssembler a;
    play(a, n, b, calls);
    a.begin(n, n, b);
    for (const Call& c : others) a.add(c.row, c.col, c.block.data(), c.nr, c.nc, c.nc + 1, c.factor);
    // No end().
    play(a, n, b, calls);
    checkAgainst(a.matrix(), calls);
    a.begin(n, n, b);
    a.add(calls[0].row, calls[0].col, calls[0].block.data(), calls[0].nr, calls[0].nc, calls[0].nc + 1, 1.);
    play(a, n, b, calls);
    CHECK(a.replayed());
    checkAgainst(a.matrix(), calls);
}

TEST_CASE("rectangular matrices", "[linalg]")
{
    BlockAssembler a;
    const double one[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    a.begin(6, 12, 3);
    a.add(3, 9, one, 3, 3, 3, 2.);
    const BlockCsrMatrix& m = a.end();
    CHECK(m.blockCount() == 3);
    CHECK(m.value(5, 9) == 14.);
    CHECK(m.value(3, 11) == 6.);
}

TEST_CASE("elimination leaves the identity in the eliminated rows and columns", "[linalg]")
{
    const int b = 3, blocks = 9, n = blocks * b;
    const auto calls = randomCalls(blocks, b, 150, 21);
    BlockAssembler a;
    BlockAssembler plain;
    play(plain, n, b, calls);
    const std::vector<int> first{0, 1, 2, 13}, second{26, 4};
    for (int pass = 0; pass < 3; ++pass) {
        play(a, n, b, calls);
        a.eliminate(first);
        a.eliminate(second);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const auto fixed = [&](int d) { return d < 3 || d == 13 || d == 26 || d == 4; };
                const double expected = fixed(i) || fixed(j) ? (i == j ? 1. : 0.) : plain.matrix().value(i, j);
                REQUIRE(a.matrix().value(i, j) == expected);
            }
    }
    // Another list in the next pass.
    play(a, n, b, calls);
    a.eliminate(second);
    CHECK(a.matrix().value(4, 4) == 1.);
    CHECK(a.matrix().value(0, 0) == plain.matrix().value(0, 0));
    CHECK_THROWS_WITH(a.eliminate(std::vector<int>{27}), Catch::Contains("27"));
}

TEST_CASE("directions of points leave the system: P A P + 1 - P", "[linalg]")
{
    // A symmetric pattern of blocks of 1 or 3, with unsymmetric values.
    const int n = 12;
    const auto check = [&](int b, bool full, const std::vector<int>& scalars, const std::vector<double>& p,
                           const auto& project) {
        std::mt19937 gen(5);
        std::uniform_real_distribution<double> value(-1., 1.);
        BlockAssembler a;
        std::vector<double> dense(n * n, 0.);
        a.begin(n, n, b);
        for (int i = 0; i < n / b; ++i)
            for (int j = 0; j < n / b; ++j) {
                if (!full && b == 3 && i != j && (i + j) % 3 == 0) continue;
                double block[9];
                for (double& x : block) x = value(gen);
                a.add(i * b, j * b, block, b, b, b, 1.);
                for (int r = 0; r < b; ++r)
                    for (int c = 0; c < b; ++c)
                        dense[static_cast<std::size_t>((i * b + r) * n + j * b + c)] = block[r * b + c];
            }
        a.end();
        project(a);
        const auto placeOf = [&](int i) {
            const auto at = std::find(scalars.begin(), scalars.end(), i);
            return at == scalars.end() ? -1 : static_cast<int>(at - scalars.begin());
        };
        const auto whole = [&](int i, int j) {
            const int r = placeOf(i), c = placeOf(j);
            if (r < 0 || c < 0) return i == j ? 1. : 0.;
            return p[static_cast<std::size_t>(r) * scalars.size() + static_cast<std::size_t>(c)];
        };
        for (int i = 0; i < n; ++i) {
            std::vector<double> unit(n, 0.), column(n, 0.);
            unit[static_cast<std::size_t>(i)] = 1.;
            a.matrix().multiply(unit, column);
            for (int r = 0; r < n; ++r) {
                double expected = (r == i ? 1. : 0.) - whole(r, i);
                for (int k = 0; k < n; ++k)
                    for (int l = 0; l < n; ++l)
                        expected += whole(r, k) * dense[static_cast<std::size_t>(k * n + l)] * whole(l, i);
                CHECK(column[static_cast<std::size_t>(r)] == Approx(expected).margin(1e-14));
            }
        }
    };
    for (const int b : {1, 3}) {
        // Three scalars of a point.
        const double u[3] = {0.6, 0., -0.8};
        std::vector<double> p(9);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) p[i * 3 + j] = (i == j ? 1. : 0.) - u[i] * u[j];
        check(b, false, {6, 7, 8}, p, [&](BlockAssembler& a) {
            a.project(6, 3, p.data());
            CHECK_THROWS(a.project(b == 3 ? 1 : 11, 3, p.data()));
        });
        // Two scalars of one value, of two points or of one.
        for (const int other : {10, 1})
            check(b, true, {2, other}, {0.5, 0.5, 0.5, 0.5}, [&](BlockAssembler& a) {
                a.join(2, other);
                CHECK_THROWS(a.join(2, 2));
                CHECK_THROWS(a.join(2, 12));
            });
    }
}

TEST_CASE("misuse is reported", "[linalg]")
{
    BlockAssembler a;
    const double v[36] = {};
    CHECK_THROWS_WITH(a.add(0, 0, v, 3, 3, 3, 1.), Catch::Contains("outside begin … end"));
    CHECK_THROWS_WITH(a.eliminate(std::vector<int>{0}), Catch::Contains("before end"));
    CHECK_THROWS_WITH(a.end(), Catch::Contains("without begin"));
    CHECK_THROWS_WITH(a.begin(10, 10, 3), Catch::Contains("10 × 10") && Catch::Contains("blocks of 3"));
    CHECK_THROWS_WITH(a.begin(10, 10, 5), Catch::Contains("block size 5"));
    a.begin(9, 9, 3);
    CHECK_THROWS_WITH(a.add(9, 0, v, 3, 3, 3, 1.), Catch::Contains("(9, 0)") && Catch::Contains("9 × 9"));
    CHECK_THROWS_WITH(a.add(-3, 0, v, 3, 3, 3, 1.), Catch::Contains("(-3, 0)"));
    CHECK_THROWS_WITH(a.add(0, 1, v, 3, 3, 3, 1.), Catch::Contains("not aligned"));
    CHECK_THROWS_WITH(a.add(0, 0, v, 3, 4, 4, 1.), Catch::Contains("3 × 4"));
    a.add(0, 0, v, 3, 3, 3, 1.);
    a.end();
    CHECK_THROWS_WITH(a.add(0, 0, v, 3, 3, 3, 1.), Catch::Contains("outside begin"));
    a.begin(9, 9, 3);
    a.add(0, 0, v, 3, 3, 3, 1.);
    CHECK_THROWS_WITH(a.add(0, 9, v, 3, 3, 3, 1.), Catch::Contains("(0, 9)"));
}

}  // namespace block_assembler_test
