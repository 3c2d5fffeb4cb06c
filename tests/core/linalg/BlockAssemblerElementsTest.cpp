// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "core/behavior/MatrixAccumulator.h"
#include "core/linalg/BlockAssembler.h"
#include "core/linalg/SymmetricPairs.h"
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
std::vector<std::pair<Index, Index>> ringOf(Index n)
{
    std::vector<std::pair<Index, Index>> pairs;
    for (Index v = 0; v + 1 < n; ++v) {
        pairs.emplace_back(v, v + 1);
        if (v == 0) pairs.emplace_back(v, n - 1);
    }
    return pairs;
}
/// Sets m_vw = value(v, w), v ≤ w.
template <class Value>
void setValues(ScalarBlockMatrix& m, Value&& value)
{
    m.values.clear();
    Vector<double> row;
    for (Index v = 0; v < m.pattern.rows(); ++v) {
        row.assign(1, value(v, v));
        for (const Index w : m.pattern.columns[v]) row.push_back(value(v, w));
        m.values.push_back(row);
    }
}

/// The last point of `points` has no neighbours if there are more than in the ring.
SymmetricPairs ringPattern(Index points, const std::vector<std::pair<Index, Index>>& pairs)
{
    SymmetricPairs p;
    p.build(pairs, points);
    return p;
}

}  // namespace

TEST_CASE("a symmetric matrix is added like its blocks one by one, recorded, replayed, or after a change", "[linalg]")
{
    const std::uint32_t n = 12;
    std::vector<std::pair<Index, Index>> pairs = ringOf(n);
    SymmetricPairs p = ringPattern(n + 1, pairs);
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
        OneByOne sink(calls);
        StoredPairs stored(p, blocks.data());
        sink.addSymmetric(p.pattern(), stored);
        if (after) calls.push_back(diagonal);
        if (before) calls.push_back(diagonal);  // single blocks are added to the sum of the others

        a.begin(size, size, 3);
        if (before) a.add(6, 6, extra.data(), 3, 3, 3, 2.);
        a.addSymmetric(offset, p.pattern(), stored, 1.5);
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
    pass(true, true);  // one call more at the end: the diagonal has a place for it
    CHECK(a.replayed());
    pass(false, true);  // one call less at the beginning
    CHECK(a.replayed());
    pass(false, false);
    CHECK(a.replayed());
    CHECK(a.patternVersion() == 1);
    pairs = ringOf(n - 2);
    p = ringPattern(n - 1, pairs);
    blocks.resize(pairs.size());
    pass(false, true);  // another structure
    CHECK_FALSE(a.replayed());
    CHECK(a.patternVersion() == 2);

    StoredPairs stored(p, blocks.data());
    a.begin(30, 30, 3);
    CHECK_THROWS_WITH(a.addSymmetric(3, p.pattern(), stored, 1.), Catch::Contains("is outside one of 30 × 30"));
    a.begin(size, size, 1);
    CHECK_THROWS_WITH(a.addSymmetric(3, p.pattern(), stored, 1.), Catch::Contains("is not aligned to blocks of 1"));
}

TEST_CASE("a matrix of multiples of the identity is added like its blocks, alone and to elements", "[linalg]")
{
    const std::uint32_t n = 12;
    const std::vector<std::pair<Index, Index>> pairs = ringOf(n);
    const SymmetricPairs ring = ringPattern(n + 1, pairs);
    std::mt19937 gen(3);
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<Mat3> blocks(pairs.size());
    randomize(blocks, gen);
    const int size = 3 * (static_cast<int>(n) + 2), offset = 3;

    // On the pattern of the elements, in fewer places, or with one that they lack.
    enum class Where
    {
        Within,
        Less,
        Beyond
    };
    for (const Where where : {Where::Within, Where::Less, Where::Beyond}) {
        auto places = pairs;
        if (where == Where::Less) places.resize(n / 2);
        if (where == Where::Beyond)
            places.insert(std::ranges::lower_bound(places, std::pair{Index(0), n / 2}), {0, n / 2});
        ScalarBlockMatrix mass;
        mass.pattern = ringPattern(n, places).pattern();

        BlockAssembler whole, single;
        const auto pass = [&](bool elements, bool twice) {
            setValues(mass, [&](Index, Index) { return value(gen); });
            for (BlockAssembler* a : {&whole, &single}) {
                a->begin(size, size, 3);
                StoredPairs stored(ring, blocks.data());
                if (elements) a->addSymmetric(offset, ring.pattern(), stored, 1.5);
                for (int k = 0; k < (twice ? 2 : 1); ++k) {
                    if (a == &whole) {
                        whole.addScalarBlocks(offset, mass, 0.3);
                        continue;
                    }
                    for (Index v = 0; v < n; ++v) {
                        const int row = offset + 3 * static_cast<int>(v);
                        single.addScalarBlock(row, row, mass.values[v][0], 0.3);
                        for (std::size_t c = 0; c < mass.pattern.columns[v].size(); ++c) {
                            const int column = offset + 3 * static_cast<int>(mass.pattern.columns[v][c]);
                            single.addScalarBlock(row, column, mass.values[v][c + 1], 0.3);
                            single.addScalarBlock(column, row, mass.values[v][c + 1], 0.3);
                        }
                    }
                }
                a->addScalarBlock(6, 6, 0.4, 1.);
                a->end();
            }
            whole.complete();
            REQUIRE(whole.matrix().samePattern(single.matrix()));
            // Of single blocks the sums come first.
            const auto is = whole.matrix().values(), should = single.matrix().values();
            CHECK(std::ranges::equal(is, should,
                                     [&](double a, double b) { return a == b || (twice && a == Approx(b)); }));
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
            mass.pattern.id = SymmetricPattern::newId();  // another structure
            mass.pattern.previous = 0;
            pass(false, false);
            CHECK_FALSE(whole.replayed());
        }
        CHECK(single.isSymmetricOffDiagonal());  // its blocks join those of the elements

        whole.begin(12, 12, 3);
        CHECK_THROWS_WITH(whole.addScalarBlocks(0, mass, 1.), Catch::Contains("is outside one of 12 × 12"));
        whole.begin(size, size, 1);
        CHECK_THROWS_WITH(whole.addScalarBlocks(0, mass, 1.), Catch::Contains("is not aligned to blocks of 1"));
    }
}

TEST_CASE("elements and springs of the same points give the same bits for all instruction sets", "[linalg]")
{
    // Two rings in the same rows: neither has all blocks of a row, so that both are added.
    const std::uint32_t n = 14;
    const std::vector<std::pair<Index, Index>> pairs = ringOf(n);
    const SymmetricPairs ring = ringPattern(n + 1, pairs);
    std::mt19937 gen(5);
    std::vector<Mat3> blocks(pairs.size());
    randomize(blocks, gen);
    const int size = 3 * (static_cast<int>(n) + 3);
    const auto pass = [&](BlockAssembler& a, bool early = false, bool second = true) {
        a.begin(size, size, 3);
        StoredPairs stored(ring, blocks.data());
        a.addSymmetric(0, ring.pattern(), stored, 1.5);
        if (early) a.addScalarBlock(9, 9, 0.2, 1.);
        if (second) a.addSymmetric(3, ring.pattern(), stored, -0.7);
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
                CHECK(a.replayed() == (early || k == 1));
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
    const std::vector<std::pair<Index, Index>> pairs = ringOf(n);
    const SymmetricPairs p = ringPattern(n, pairs);
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
            a.addSymmetric(r * body + (r == 2 ? 3 : 0), p.pattern(), stored, 1.5);
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
        CHECK(upper.isUpper() == !whole);
        CHECK((upper.patternVersion() == version) == whole);
        upper.complete();
        BlockAssembler fresh;
        pass(fresh, false, false, whole ? 3 : 2);
        REQUIRE(upper.matrix().samePattern(fresh.matrix()));
        CHECK(std::memcmp(upper.matrix().values().data(), fresh.matrix().values().data(),
                          fresh.matrix().values().size_bytes()) == 0);
    }
}

TEST_CASE("patterns that change by some rows follow, alone in their rows or not, with the bits of a new matrix",
          "[linalg]")
{
    enum class Beside
    {
        Nothing,
        Body,
        Springs,
        Mass,
        MassOfElements,
        Contacts,
        MappedContacts  // symmetric, which come and go, and are not symmetric at times
    };
    const Beside beside = GENERATE(Beside::Nothing, Beside::Body, Beside::Springs, Beside::Mass, Beside::MassOfElements,
                                   Beside::Contacts, Beside::MappedContacts);
    int round = 0;
    const Index n = 30;
    std::mt19937 gen(21);
    std::vector<std::pair<Index, Index>> pairs = ringOf(n);
    const std::vector<std::pair<Index, Index>> others = ringOf(n);
    const SymmetricPairs ring = ringPattern(n, others);
    std::vector<Mat3> blocks(n * n), otherBlocks(others.size());
    randomize(blocks, gen);
    randomize(otherBlocks, gen);
    ScalarBlockMatrix mass;
    std::vector<std::pair<Index, Index>> far;
    for (Index v = 0; v + 3 < n; ++v) far.emplace_back(v, v + 3);
    mass.pattern = ringPattern(n, far).pattern();

    const auto pass = [&](BlockAssembler& a, const SymmetricPairs& p, const SymmetricPattern& pattern, Index points) {
        const int size = 3 * static_cast<int>(points), behind = beside == Beside::Body ? 3 * static_cast<int>(n) : 0;
        a.begin(size + behind, size + behind, 3);
        StoredPairs others1(ring, otherBlocks.data());
        if (behind > 0) a.addSymmetric(0, ring.pattern(), others1, 0.5);
        StoredPairs source(p, blocks.data());
        a.addSymmetric(behind, pattern, source, 1.5);
        if (beside == Beside::Springs) a.addSymmetric(0, ring.pattern(), others1, 0.5);
        if (beside == Beside::MassOfElements) mass.pattern = pattern;
        setValues(mass, [](Index v, Index w) { return 0.3 + 0.1 * v + 0.01 * w; });
        if (beside == Beside::Mass || beside == Beside::MassOfElements) a.addScalarBlocks(0, mass, 2.);
        if (beside == Beside::Contacts) a.add(0, 33, blocks[7].data(), 3, 3, 3, 1.);
        if (beside == Beside::MappedContacts && round % 5 != 4)
            for (int k = 0; k < 3; ++k) {
                const int v = 3 * ((round / 2 + 4 * k) % static_cast<int>(n)), w = 3 * ((round / 3 + 7 * k + 9) % 29);
                Mat3 b = blocks[static_cast<std::size_t>(9 + k)];
                if (v == w) b = b + b.transposed();
                a.add(v, w, b.data(), 3, 3, 3, 1.);
                if (v == w) continue;
                const Mat3 image = b.transposed() * (round % 7 == 6 ? 1. + 1e-9 : 1. + 1e-15);
                a.add(w, v, image.data(), 3, 3, 3, 1.);
            }
        for (int i = 0; i < size; i += 3) a.addScalarBlock(i, i, 0.1 * i, 1.);
        a.end();
        const int fixed[] = {2, 9, 10, 11};
        a.eliminate(fixed);
    };
    BlockAssembler kept;
    kept.setUpperOnly(true);
    SymmetricPattern pattern;
    int followed = 0, packed = 0;
    for (; round < 60; ++round) {
        const Index points = n + static_cast<Index>(round % 7);
        const SymmetricPattern before = pattern;
        std::erase_if(pairs, [&](const auto& p) { return p.second >= points || gen() % 12 == 0; });
        for (int k = 0; k < 6; ++k) {
            const Index v = static_cast<Index>(gen()) % points, w = static_cast<Index>(gen()) % points;
            if (v != w) pairs.emplace_back(std::min(v, w), std::max(v, w));
        }
        std::ranges::sort(pairs);
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        const SymmetricPairs p = ringPattern(points, pairs);
        pattern = p.pattern();
        pattern.previous = before.id;
        for (Index v = 0; v < points; ++v)
            if (v >= before.rows() || !std::ranges::equal(pattern.columns[v], before.columns[v]))
                pattern.changed.push_back(v);
        const std::uint64_t version = kept.patternVersion();
        pass(kept, p, pattern, points);
        CHECK(kept.patternVersion() == version + 1);
        const bool asymmetric =
            beside == Beside::Contacts || (beside == Beside::MappedContacts && round % 7 == 6 && round % 5 != 4);
        CHECK(kept.isUpper() == !asymmetric);
        followed += kept.stored().hasGaps();
        BlockAssembler fresh;
        pass(fresh, p, pattern, points);
        if (round % 10 == 9) {
            kept.pack();
            ++packed;
        }
        Vector<int> isolated, isolatedOther;
        kept.isolatedRows(isolated);
        fresh.isolatedRows(isolatedOther);
        CHECK(isolated == isolatedOther);
        kept.complete();
        REQUIRE(kept.matrix().samePattern(fresh.matrix()));
        CHECK(kept.matrix().maxAbs() > 1.);
        REQUIRE(std::memcmp(kept.matrix().values().data(), fresh.matrix().values().data(),
                            fresh.matrix().values().size_bytes()) == 0);
    }
    CHECK(packed == 6);
    CHECK((followed > 30) == (beside != Beside::Contacts));
}

}  // namespace block_assembler_elements_test
