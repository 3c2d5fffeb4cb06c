// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/ComplianceCache.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "core/linalg/SupernodalLdlt.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/linalg/ElasticMatrix.h"
#include "tests/harness/AllocationCounter.h"

namespace compliance_cache_test {

using namespace sofa::core;
using sofa::test::assembleElastic;

namespace {

struct Row
{
    std::vector<int> columns;
    std::vector<double> values;
};

/// Owner of what SparseRows refers to.
struct Matrix
{
    std::vector<int> ptr{0}, columns;
    std::vector<double> values;

    explicit Matrix(const std::vector<Row>& rows)
    {
        for (const Row& r : rows) {
            columns.insert(columns.end(), r.columns.begin(), r.columns.end());
            values.insert(values.end(), r.values.begin(), r.values.end());
            ptr.push_back(static_cast<int>(columns.size()));
        }
    }
    SparseRows view() const { return {ptr, columns, values}; }
};

bool sameBits(std::span<const double> a, std::span<const double> b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

std::vector<double> direct(const Factorization& f, const SparseRows& h)
{
    std::vector<double> w(static_cast<std::size_t>(h.size()) * static_cast<std::size_t>(h.size()), 0.);
    f.addCompliance(h, w, 0.7);
    return w;
}

Row randomRow(std::mt19937& gen, int unknowns)
{
    Row r;
    const auto n = static_cast<std::size_t>(unknowns);
    const std::size_t near = gen() % n;
    for (std::size_t k = 0; k < 1 + gen() % 5; ++k) {
        r.columns.push_back(static_cast<int>((near + gen() % 9) % n));
        r.values.push_back(static_cast<double>(gen() % 1000) / 500. - 1.);
    }
    return r;
}

/// Some rows go, some change, some come, some change places.
void change(std::vector<Row>& rows, std::mt19937& gen, int unknowns)
{
    const auto place = [&] { return static_cast<std::ptrdiff_t>(gen() % rows.size()); };
    for (std::size_t k = gen() % 5; k > 0 && rows.size() > 1; --k) rows.erase(rows.begin() + place());
    for (std::size_t k = gen() % 4; k > 0; --k) rows[static_cast<std::size_t>(place())] = randomRow(gen, unknowns);
    for (std::size_t k = gen() % 5; k > 0; --k) rows.insert(rows.begin() + place(), randomRow(gen, unknowns));
    if (gen() % 3 == 0) std::swap(rows[static_cast<std::size_t>(place())], rows[static_cast<std::size_t>(place())]);
    if (gen() % 4 == 0) rows.push_back(rows[static_cast<std::size_t>(place())]);  // twice the same
    if (gen() % 10 == 0) rows.assign(rows.begin(), rows.begin() + place() + 1);
}

struct Guard
{
    SimdLevel level = simdLevel();
    unsigned threads = threadCount();
    ~Guard()
    {
        setSimdLevel(level);
        setThreadCount(threads);
    }
};

}  // namespace

TEST_CASE("A kept compliance has the bits of a new one while rows come, go and change places", "[linalg]")
{
    const Guard guard;
    BlockAssembler assembler;
    assembleElastic(assembler, 6, 6, 7, 0.1, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512})
        for (const unsigned threads : {1u, 3u}) {
            setSimdLevel(level);
            setThreadCount(threads);
            SupernodalLdlt f;
            REQUIRE(f.factorize(a) == FactorizationStatus::ok);
            std::mt19937 gen(5);
            std::vector<Row> rows;
            for (int i = 0; i < 37; ++i) rows.push_back(randomRow(gen, a.rows()));
            ComplianceCache cache;
            cache.expect(1, 0.7);
            for (int step = 0; step < 60; ++step) {
                const Matrix h(rows);
                f.updateCompliance(h.view(), 0.7, cache);
                REQUIRE(cache.size() == h.view().size());
                REQUIRE(sameBits(cache.values(), direct(f, h.view())));
                if (step % 4 != 3) change(rows, gen, a.rows());
            }
            CHECK(cache.rowsComputed() > 37);
            CHECK(cache.rowsComputed() < cache.rowsSeen() / 2);
        }
}

TEST_CASE("Methods that solve for all rows at once keep the compliance while all rows stay", "[linalg]")
{
    BlockAssembler assembler;
    assembleElastic(assembler, 3, 3, 3, 0.1, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    for (const FactorizationMethod method :
         {FactorizationMethod::eigenLdlt, FactorizationMethod::eigenLu, FactorizationMethod::denseLu}) {
        const auto f = makeFactorization(method);
        REQUIRE(f->factorize(a) == FactorizationStatus::ok);
        std::mt19937 gen(6);
        std::vector<Row> rows(7);
        for (Row& r : rows) r = randomRow(gen, a.rows());
        ComplianceCache cache;
        for (int step = 0; step < 9; ++step) {
            const Matrix h(rows);
            f->updateCompliance(h.view(), 0.7, cache);
            CHECK(sameBits(cache.values(), direct(*f, h.view())));
            CHECK(cache.lastComputed() == (step % 3 == 0 ? 7 : 0));
            if (step % 3 == 2) rows[static_cast<std::size_t>(step) % 7] = randomRow(gen, a.rows());
        }
    }
}

TEST_CASE("A new version of the matrix forgets all rows", "[linalg]")
{
    BlockAssembler soft, stiff;
    assembleElastic(soft, 3, 3, 3, 0.1, 1.);
    assembleElastic(stiff, 3, 3, 3, 0.1, 5.);
    SupernodalLdlt f;
    f.factorize(soft.matrix());
    std::mt19937 gen(7);
    std::vector<Row> rows(12);
    for (Row& r : rows) r = randomRow(gen, soft.matrix().rows());
    const Matrix h(rows);
    ComplianceCache cache;
    cache.expect(1, 0.7);
    f.updateCompliance(h.view(), 0.7, cache);
    const auto before = direct(f, h.view());
    CHECK(sameBits(cache.values(), before));
    f.factorize(stiff.matrix());
    // The version is the caller's word: with the old one the old values stay.
    cache.expect(1, 0.7);
    f.updateCompliance(h.view(), 0.7, cache);
    CHECK(sameBits(cache.values(), before));
    CHECK(cache.lastComputed() == 0);
    cache.expect(2, 0.7);
    f.updateCompliance(h.view(), 0.7, cache);
    CHECK(cache.lastComputed() == 12);
    CHECK(sameBits(cache.values(), direct(f, h.view())));
    CHECK_FALSE(sameBits(cache.values(), before));
    // Another factor, too.
    cache.expect(2, 0.5);
    CHECK_FALSE(cache.begin(h.view()));
    CHECK(cache.fresh().size() == 12);
}

TEST_CASE("Rows are recognised by their bits and keep their order", "[linalg]")
{
    const auto unit = [](int column, double value = 1.) { return Row{{column}, {value}}; };
    const auto sources = [&](const std::vector<Row>& last, const std::vector<Row>& now) {
        ComplianceCache cache;
        const Matrix a(last), b(now);
        CHECK_FALSE(cache.begin(a.view()));
        CHECK(cache.fresh().size() == last.size());
        cache.finish();
        CHECK_FALSE(cache.begin(b.view()));
        return std::vector<int>(cache.source().begin(), cache.source().end());
    };
    CHECK(sources({unit(0), unit(1), unit(2)}, {unit(1), unit(3), unit(2)}) == std::vector{1, -1, 2});
    // A value that compares equal but has other bits is another row.
    CHECK(sources({unit(0, 0.), unit(1)}, {unit(0, -0.), unit(1)}) == std::vector{-1, 1});
    // One of two that have changed places; the first that has become the last.
    CHECK(sources({unit(0), unit(1)}, {unit(1), unit(0)}) == std::vector{-1, 0});
    CHECK(sources({unit(0), unit(1), unit(2), unit(3)}, {unit(1), unit(2), unit(3), unit(0)}) ==
          std::vector{1, 2, 3, -1});
    // Equal rows go one to one.
    CHECK(sources({unit(4), unit(4)}, {unit(4), unit(5), unit(4), unit(4)}) == std::vector{0, -1, 1, -1});
    CHECK(sources({unit(4), unit(4), unit(4)}, {unit(4)}) == std::vector{0});
    CHECK(sources({unit(4), {{}, {}}}, {{{}, {}}, {{}, {}}}) == std::vector{1, -1});
    CHECK(sources({{{1, 2}, {3., 4.}}}, {{{1, 2}, {3., 5.}}, {{1}, {3.}}, {{2, 1}, {4., 3.}}}) ==
          std::vector{-1, -1, -1});
    // Fewer than a quarter are not worth it.
    CHECK(sources({unit(0)}, {unit(5), unit(6), unit(0), unit(7)}) == std::vector{-1, -1, 0, -1});
    CHECK(sources({unit(0)}, {unit(5), unit(6), unit(0), unit(7), unit(8)}) == std::vector{-1, -1, -1, -1, -1});
    // A step that was not finished leaves nothing behind.
    ComplianceCache cache;
    const Matrix h({unit(0)});
    CHECK_FALSE(cache.begin(h.view()));
    CHECK_FALSE(cache.begin(h.view()));
    CHECK(cache.fresh().size() == 1);
    cache.finish();
    CHECK(cache.begin(h.view()));
    CHECK(cache.fresh().empty());
    cache.clear();
    CHECK_FALSE(cache.begin(h.view()));
}

TEST_CASE("A steady compliance does not allocate, whether rows stay or change", "[linalg]")
{
    const Guard guard;
    setThreadCount(1);
    BlockAssembler assembler;
    assembleElastic(assembler, 4, 4, 4, 0.1, 1.);
    SupernodalLdlt f;
    f.factorize(assembler.matrix());
    std::mt19937 gen(8);
    std::vector<Row> pool(60);
    for (Row& r : pool) {
        r = randomRow(gen, assembler.matrix().rows());
        r.columns.resize(1);
        r.values.resize(1);
    }
    // A window of 40 rows that moves by ten, there and back.
    std::vector<Matrix> steps;
    for (const std::ptrdiff_t first : {0, 10, 20, 10})
        steps.emplace_back(std::vector<Row>(pool.begin() + first, pool.begin() + first + 40));
    ComplianceCache cache;
    const auto round = [&] {
        for (const Matrix& h : steps)
            for (int twice = 0; twice < 2; ++twice) f.updateCompliance(h.view(), 0.7, cache);
    };
    for (int i = 0; i < 3; ++i) round();
    const std::uint64_t computed = cache.rowsComputed();
    const std::size_t before = sofa::test::allocationCount();
    round();
    CHECK(sofa::test::allocationCount() == before);
    CHECK(cache.rowsComputed() - computed == 40);
    for (const Matrix& h : steps) {
        f.updateCompliance(h.view(), 0.7, cache);
        CHECK(sameBits(cache.values(), direct(f, h.view())));
    }
}

}  // namespace compliance_cache_test
