// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "core/behavior/MatrixAccumulator.h"
#include "core/linalg/BlockAssembler.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/linalg/BlockCalls.h"

namespace block_assembler_elements_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

void randomize(std::vector<Mat3>& blocks, std::mt19937& gen)
{
    std::uniform_real_distribution<double> value(-1., 1.);
    for (Mat3& b : blocks)
        for (std::size_t k = 0; k < 9; ++k) b.data()[k] = value(gen);
}

/// A ring of points, each coupled to its two neighbours and one to a point far away.
SymmetricPattern ringPattern(std::uint32_t n, std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs)
{
    for (std::uint32_t v = 0; v + 1 < n; ++v) {
        pairs.emplace_back(v, v + 1);
        if (v == 0) pairs.emplace_back(v, n - 1);
    }
    SymmetricPattern p;
    p.rowStart.push_back(0);
    for (std::uint32_t v = 0; v < n + 1; ++v) {  // the last point has no neighbours
        for (std::uint32_t k = 0; k < pairs.size(); ++k)
            if (pairs[k].second == v) p.entries.push_back({pairs[k].first, k, 1});
        for (std::uint32_t k = 0; k < pairs.size(); ++k)
            if (pairs[k].first == v) p.entries.push_back({pairs[k].second, k, 0});
        p.rowStart.push_back(p.entries.size());
    }
    p.id = SymmetricPattern::newId();
    return p;
}

}  // namespace

TEST_CASE("a symmetric matrix is added like its blocks one by one, recorded, replayed, or after a change", "[linalg]")
{
    const std::uint32_t n = 12;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    SymmetricPattern p = ringPattern(n, pairs);
    std::vector<Mat3> blocks(pairs.size());
    std::mt19937 gen(3);
    const int size = 3 * (static_cast<int>(n) + 2), offset = 3;
    const Mat3 extra = Mat3::identity() * 0.7;

    // The blocks one by one, as the default of BlockSink gives them.
    struct OneByOne final : BlockSink
    {
        explicit OneByOne(std::vector<Call>& c) : calls(c) {}
        void addBlock(Index i, Index j, const double* b, std::size_t, std::size_t) override
        {
            Call c{offset + 3 * static_cast<int>(i), offset + 3 * static_cast<int>(j), 3, 3, 1.5, {}};
            for (int r = 0; r < 3; ++r) {
                c.block.insert(c.block.end(), b + 3 * r, b + 3 * r + 3);
                c.block.push_back(0.);
            }
            calls.push_back(c);
        }
        std::vector<Call>& calls;
    };

    BlockAssembler a;
    const auto pass = [&](bool before, bool after) {
        randomize(blocks, gen);
        std::vector<Call> calls;
        const Call diagonal{6, 6, 3, 3, 2., {0.7, 0., 0., 0., 0., 0.7, 0., 0., 0., 0., 0.7, 0.}};
        if (before) calls.push_back(diagonal);
        OneByOne sink(calls);
        StoredPairs stored(p, blocks.data());
        sink.addSymmetric(p, stored);
        if (after) calls.push_back(diagonal);

        a.begin(size, size, 3);
        if (before) a.add(6, 6, extra.data(), 3, 3, 3, 2.);
        a.addSymmetric(offset, p, stored, 1.5);
        if (after) a.add(6, 6, extra.data(), 3, 3, 3, 2.);
        a.end();
        checkAgainst(a.matrix(), calls);
        CHECK(a.matrix().maxAbs() > 0.);
        CHECK(a.matrix().isSymmetric());
    };
    pass(true, false);
    CHECK_FALSE(a.replayed());
    pass(true, false);
    CHECK(a.replayed());
    pass(true, true);  // one call more at the end
    CHECK_FALSE(a.replayed());
    pass(true, true);
    CHECK(a.replayed());
    pass(false, true);  // one call less at the beginning
    CHECK_FALSE(a.replayed());
    pass(false, true);
    CHECK(a.replayed());
    CHECK(a.patternVersion() == 1);
    pairs.clear();
    p = ringPattern(n - 2, pairs);
    blocks.resize(pairs.size());
    pass(false, true);  // another structure
    CHECK_FALSE(a.replayed());
    CHECK(a.patternVersion() == 2);

    StoredPairs stored(p, blocks.data());
    a.begin(30, 30, 3);
    CHECK_THROWS_WITH(a.addSymmetric(3, p, stored, 1.), Catch::Contains("is outside one of 30 × 30"));
    a.begin(size, size, 1);
    CHECK_THROWS_WITH(a.addSymmetric(3, p, stored, 1.), Catch::Contains("is not aligned to blocks of 1"));
}

TEST_CASE("a matrix of multiples of the identity is added like its blocks, alone and to elements", "[linalg]")
{
    const std::uint32_t n = 12;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    const SymmetricPattern ring = ringPattern(n, pairs);
    std::mt19937 gen(3);
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<Mat3> blocks(pairs.size());
    randomize(blocks, gen);
    const int size = 3 * (static_cast<int>(n) + 2), offset = 3;

    // On the pattern of the elements, in an order of its own, or with places that it lacks.
    enum class Where
    {
        Within,
        Backwards,
        Beyond
    };
    for (const Where where : {Where::Within, Where::Backwards, Where::Beyond}) {
        ScalarBlockMatrix mass;
        for (std::uint32_t v = 0; v < n; ++v) mass.places.push_back({v, v});
        for (const auto& [i, j] : pairs) mass.places.push_back({std::min(i, j), std::max(i, j)});
        if (where == Where::Backwards) std::ranges::reverse(mass.places);
        if (where == Where::Beyond) mass.places.push_back({0, n / 2});
        mass.id = SymmetricPattern::newId();
        mass.values.resize(mass.places.size());

        BlockAssembler whole, single;
        const auto pass = [&](bool elements, bool twice) {
            for (double& v : mass.values) v = value(gen);
            for (BlockAssembler* a : {&whole, &single}) {
                a->begin(size, size, 3);
                StoredPairs stored(ring, blocks.data());
                if (elements) a->addSymmetric(offset, ring, stored, 1.5);
                for (int k = 0; k < (twice ? 2 : 1); ++k) {
                    if (a == &whole) {
                        whole.addScalarBlocks(offset, mass, 0.3);
                        continue;
                    }
                    for (std::size_t p = 0; p < mass.places.size(); ++p) {
                        const int row = offset + 3 * static_cast<int>(mass.places[p].row),
                                  column = offset + 3 * static_cast<int>(mass.places[p].column);
                        single.addScalarBlock(row, column, mass.values[p], 0.3);
                        if (row != column) single.addScalarBlock(column, row, mass.values[p], 0.3);
                    }
                }
                a->addScalarBlock(6, 6, 0.4, 1.);
                a->end();
            }
            whole.complete();
            REQUIRE(whole.matrix().samePattern(single.matrix()));
            CHECK(std::ranges::equal(whole.matrix().values(), single.matrix().values()));
            CHECK(whole.matrix().isSymmetric());
            CHECK(whole.isSymmetricOffDiagonal());
        };
        for (const bool upper : {false, true}) {
            whole.setUpperOnly(upper);
            pass(true, false);
            pass(true, false);
            CHECK(whole.replayed());
            pass(true, true);  // one matrix more
            CHECK_FALSE(whole.replayed());
            pass(true, true);
            CHECK(whole.replayed());
            pass(false, false);  // no elements
            CHECK_FALSE(whole.replayed());
            pass(false, false);
            CHECK(whole.replayed());
            mass.id = SymmetricPattern::newId();  // another structure
            pass(false, false);
            CHECK_FALSE(whole.replayed());
        }
        CHECK_FALSE(single.isSymmetricOffDiagonal());

        whole.begin(12, 12, 3);
        CHECK_THROWS_WITH(whole.addScalarBlocks(0, mass, 1.), Catch::Contains("of a matrix of 12 × 12 is at"));
        whole.begin(size, size, 1);
        CHECK_THROWS_WITH(whole.addScalarBlocks(0, mass, 1.), Catch::Contains("is not aligned to blocks of 1"));
    }
}

TEST_CASE("elements and springs of the same points give the same bits for all instruction sets", "[linalg]")
{
    // Two rings in the same rows: neither has all blocks of a row, so that both are added.
    const std::uint32_t n = 14;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    const SymmetricPattern ring = ringPattern(n, pairs);
    std::mt19937 gen(5);
    std::vector<Mat3> blocks(pairs.size());
    randomize(blocks, gen);
    const int size = 3 * (static_cast<int>(n) + 3);
    const auto pass = [&](BlockAssembler& a, bool early = false, bool second = true) {
        a.begin(size, size, 3);
        StoredPairs stored(ring, blocks.data());
        a.addSymmetric(0, ring, stored, 1.5);
        if (early) a.addScalarBlock(9, 9, 0.2, 1.);
        if (second) a.addSymmetric(3, ring, stored, -0.7);
        a.addScalarBlock(6, 6, 0.4, 1.);
        a.end();
    };
    BlockAssembler recorded;
    pass(recorded);
    const auto should = recorded.matrix().values();
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512}) {
        setSimdLevel(level);
        BlockAssembler a;
        for (int k = 0; k < 3; ++k) pass(a);
        CHECK(a.replayed());
        CHECK(std::memcmp(a.matrix().values().data(), should.data(), should.size_bytes()) == 0);
        for (const int passes : {1, 2, 3}) {
            BlockAssembler upper;
            upper.setUpperOnly(true);
            for (int k = 0; k < passes; ++k) pass(upper);
            CHECK(upper.replayed() == (passes > 1));
            CHECK(upper.isUpper());  // in the first pass, too, which so needs no values of the whole matrix
            CHECK(upper.matrix().values().empty());
            upper.complete();
            CHECK(std::memcmp(upper.matrix().values().data(), should.data(), should.size_bytes()) == 0);
        }
        // A pass that differs in the middle, or stops there, must not find what the pass before has written.
        for (const auto& [early, second] : {std::pair{true, true}, std::pair{false, false}, std::pair{false, true}})
            for (int k = 0; k < 2; ++k) {
                pass(a, early, second);
                CHECK(a.replayed() == (k == 1));
                BlockAssembler fresh;
                pass(fresh, early, second);
                REQUIRE(a.matrix().samePattern(fresh.matrix()));
                CHECK(std::memcmp(a.matrix().values().data(), fresh.matrix().values().data(),
                                  fresh.matrix().values().size_bytes()) == 0);
            }
    }
    setSimdLevel(bestSimdLevel());
    CHECK(recorded.matrix().maxAbs() > 0.);
}

TEST_CASE("bodies that share a matrix give the same bits whether their rows are written or added to", "[linalg]")
{
    // Three rings in one matrix, none of which has a point without neighbours: their rows are their own. Between them
    // come calls of other sources, one of which may couple two rings and one touch a ring before it.
    const std::uint32_t n = 9;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    SymmetricPattern p = ringPattern(n, pairs);
    p.rowStart.pop_back();
    const int body = 3 * static_cast<int>(n), size = 3 * body + 6;
    std::mt19937 gen(11);
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<std::vector<Mat3>> blocks(3, std::vector<Mat3>(pairs.size()));
    const Mat3 extra = Mat3::identity() * 0.3;

    const auto pass = [&](BlockAssembler& a, bool early, bool coupled, int rings) {
        a.begin(size, size, 3);
        if (early) a.add(body + 3, body + 3, extra.data(), 3, 3, 3, 2.);
        for (int r = 0; r < rings; ++r) {
            StoredPairs stored(p, blocks[static_cast<std::size_t>(r)].data());
            a.addSymmetric(r * body + (r == 2 ? 3 : 0), p, stored, 1.5);
            a.addScalarBlock(r * body + 6, r * body + 6, 0.4, 1.);
            if (coupled && r == 1) a.add(0, body, extra.data(), 3, 3, 3, -1.);
        }
        a.add(2 * body, 2 * body, extra.data(), 3, 3, 3, 1.);
        a.end();
    };
    BlockAssembler kept, upper;
    upper.setUpperOnly(true);
    int leftOut = 0;
    const struct
    {
        bool early, coupled;
        int rings;
    } passes[] = {{false, false, 3}, {false, false, 3}, {false, false, 3}, {true, false, 3},  {true, false, 3},
                  {false, true, 3},  {false, true, 3},  {false, true, 2},  {false, true, 2},  {false, false, 3},
                  {false, false, 3}, {false, false, 1}, {false, false, 1}, {false, false, 3}, {false, false, 3}};
    for (const auto& [early, coupled, rings] : passes) {
        for (auto& b : blocks)
            for (Mat3& m : b)
                for (std::size_t k = 0; k < 9; ++k) m.data()[k] = value(gen);
        pass(kept, early, coupled, rings);
        BlockAssembler fresh;  // records, so that it only adds
        pass(fresh, early, coupled, rings);
        REQUIRE(kept.matrix().samePattern(fresh.matrix()));
        const auto is = kept.matrix().values(), should = fresh.matrix().values();
        REQUIRE(std::memcmp(is.data(), should.data(), is.size_bytes()) == 0);
        CHECK(kept.matrix().maxAbs() > 0.);
        // Without the blocks left of the diagonal, and with them.
        pass(upper, early, coupled, rings);
        REQUIRE(upper.matrix().samePattern(fresh.matrix()));
        const BlockCsrMatrix& half = upper.stored();
        leftOut += upper.isUpper();
        for (int i = 0; i < half.blockRows(); ++i) {
            const int first = half.diagonal(i), last = half.rowPtr()[static_cast<std::size_t>(i) + 1];
            CHECK((!upper.isUpper() || first == half.rowPtr()[static_cast<std::size_t>(i)]));
            REQUIRE(std::memcmp(half.block(static_cast<std::size_t>(first)),
                                fresh.matrix().block(static_cast<std::size_t>(fresh.matrix().diagonal(i))),
                                72 * static_cast<std::size_t>(last - first)) == 0);
        }
        const int fixed[] = {4, 5, body + 7};
        for (BlockAssembler* a : {&upper, &fresh}) a->eliminate(fixed);
        upper.complete();
        CHECK_FALSE(upper.isUpper());
        REQUIRE(std::memcmp(upper.matrix().values().data(), should.data(), should.size_bytes()) == 0);
        // Again in the whole matrix.
        upper.eliminate(fixed);
        REQUIRE(std::memcmp(upper.matrix().values().data(), should.data(), should.size_bytes()) == 0);
    }
    CHECK(kept.replayed());
    CHECK(leftOut >= 4);
    // A pass that stops early in the half, and one that wants the whole again.
    for (const bool whole : {false, true}) {
        for (int k = 0; k < 2; ++k) pass(upper, false, false, 3);
        REQUIRE(upper.isUpper());
        if (whole) upper.setUpperOnly(false);
        const std::uint64_t version = upper.patternVersion();
        pass(upper, false, false, whole ? 3 : 2);
        CHECK_FALSE(upper.isUpper());
        CHECK((upper.patternVersion() == version) == whole);
        BlockAssembler fresh;
        pass(fresh, false, false, whole ? 3 : 2);
        REQUIRE(upper.matrix().samePattern(fresh.matrix()));
        CHECK(std::memcmp(upper.matrix().values().data(), fresh.matrix().values().data(),
                          fresh.matrix().values().size_bytes()) == 0);
    }
}

}  // namespace block_assembler_elements_test
