// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/Factorization.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "core/linalg/DenseFactorization.h"
#include "core/linalg/SupernodalLdlt.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/linalg/ElasticMatrix.h"
#include "tests/harness/AllocationCounter.h"
#include "tests/harness/ParallelGuard.h"

namespace factorization_test {

using namespace sofa::core;
using sofa::test::assembleElastic;

namespace {

using Values = std::vector<double>;

using enum FactorizationMethod;
const FactorizationMethod symmetricMethods[] = {supernodalLdlt, eigenLdlt, eigenLlt};
const FactorizationMethod allMethods[] = {supernodalLdlt, eigenLdlt, eigenLlt,     eigenLu,
                                          eigenQr,        denseLu,   denseCholesky};
const OrderingMethod allOrders[] = {OrderingMethod::automatic,        OrderingMethod::natural,
                                    OrderingMethod::minimumDegree,    OrderingMethod::reverseCuthillMckee,
                                    OrderingMethod::nestedDissection, OrderingMethod::columnMinimumDegree};

Values randomValues(std::size_t n, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    Values v(n);
    for (double& x : v) x = value(gen);
    return v;
}

/// Random symmetric matrix with the given couplings between blocks; blocks from `firstNegative` on get a negative
/// definite diagonal, which makes the matrix quasi-definite: as many negative eigenvalues as such scalars.
void assembleRandom(BlockAssembler& assembler, int blocks, int b, const std::vector<std::pair<int, int>>& edges,
                    int firstNegative, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    assembler.begin(blocks * b, blocks * b, b);
    Values v(static_cast<std::size_t>(b * b)), t(v.size()), d(v.size());
    std::vector<int> degree(static_cast<std::size_t>(blocks), 0);
    for (const auto& [i, j] : edges) {
        for (double& x : v) x = value(gen);
        for (int r = 0; r < b; ++r)
            for (int c = 0; c < b; ++c) t[static_cast<std::size_t>(c * b + r)] = v[static_cast<std::size_t>(r * b + c)];
        assembler.add(i * b, j * b, v.data(), b, b, b, 1.);
        assembler.add(j * b, i * b, t.data(), b, b, b, 1.);
        ++degree[static_cast<std::size_t>(i)];
        ++degree[static_cast<std::size_t>(j)];
    }
    for (int i = 0; i < blocks; ++i) {
        const double sign = i < firstNegative ? 1. : -1.;
        for (int r = 0; r < b; ++r)
            for (int c = 0; c < b; ++c)
                d[static_cast<std::size_t>(r * b + c)] =
                    sign * (r == c ? b * (degree[static_cast<std::size_t>(i)] + 1.5) + 0.1 * r : 0.3);
        assembler.add(i * b, i * b, d.data(), b, b, b, 1.);
    }
    assembler.end();
}

std::vector<std::vector<std::pair<int, int>>> patterns(int blocks)
{
    std::vector<std::pair<int, int>> none, path, arrow, reversedArrow, full, random, islands;
    std::mt19937 gen(4);
    const auto pick = [&] { return static_cast<int>(gen() % static_cast<unsigned>(blocks)); };
    for (int i = 0; i + 1 < blocks; ++i) {
        path.emplace_back(i, i + 1);
        arrow.emplace_back(i, blocks - 1);
        reversedArrow.emplace_back(i + 1, 0);
        if (i % 7 != 0) islands.emplace_back(i, i + 1);
    }
    for (int i = 0; i < blocks; ++i)
        for (int j = 0; j < i; ++j) full.emplace_back(i, j);
    for (int k = 0; k < 3 * blocks; ++k)
        if (const int i = pick(), j = pick(); i != j) random.emplace_back(i, j);
    return {none, path, arrow, reversedArrow, full, random, islands};
}

double largest(const Values& v)
{
    return std::accumulate(v.begin(), v.end(), 0., [](double m, double x) { return std::max(m, std::abs(x)); });
}

/// max |A x − b| / (‖A‖∞ max|x| + max|b|): the backward error.
double backwardError(const BlockCsrMatrix& a, const Values& x, const Values& b)
{
    Values r(b.size());
    a.multiply(x, r);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= b[i];
    return largest(r) / (a.infinityNorm() * largest(x) + largest(b));
}

Values denseValues(const BlockCsrMatrix& a)
{
    Values d;
    for (int i = 0; i < a.rows(); ++i)
        for (int j = 0; j < a.cols(); ++j) d.push_back(a.value(i, j));
    return d;
}

}  // namespace

TEST_CASE("all methods and orders solve all patterns", "[linalg]")
{
    for (const int b : {1, 2, 3, 6})
        for (const int blocks : {1, 2, 23})
            for (const auto& edges : patterns(blocks)) {
                BlockAssembler assembler;
                assembleRandom(assembler, blocks, b, edges, blocks, 7);
                const BlockCsrMatrix& a = assembler.matrix();
                REQUIRE(a.isSymmetric());
                const auto n = static_cast<std::size_t>(a.rows());
                const Values rhs = randomValues(n, 9);
                DenseLu lu;
                REQUIRE(lu.factorize(a.rows(), denseValues(a)));
                Values expected(n);
                lu.solve(rhs, expected);
                for (const FactorizationMethod method : allMethods)
                    for (const OrderingMethod order : allOrders) {
                        const auto f = makeFactorization(method, order);
                        f->analyze(a);
                        REQUIRE(f->factorize(a) == FactorizationStatus::ok);
                        Values x(n);
                        f->solve(rhs, x);
                        double error = 0.;
                        for (std::size_t i = 0; i < n; ++i) error = std::max(error, std::abs(x[i] - expected[i]));
                        CHECK(error <= 1e-13 * largest(expected));
                    }
            }
}

TEST_CASE("elasticity matrices", "[linalg]")
{
    BlockAssembler assembler;
    assembleElastic(assembler, 7, 5, 6, 1e-3, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    const auto n = static_cast<std::size_t>(a.rows());
    const Values b = randomValues(n, 1);
    for (const FactorizationMethod method : symmetricMethods)
        for (const OrderingMethod order : allOrders) {
            const auto f = makeFactorization(method, order);
            REQUIRE(f->factorize(a) == FactorizationStatus::ok);  // analyses first
            CHECK(f->report().negativePivots == 0);
            CHECK(f->report().factorNonZeros > a.nonZeros() / 2);
            if (order != OrderingMethod::automatic) CHECK(f->report().ordering == order);
            Values x(n);
            f->solve(b, x);
            CHECK(backwardError(a, x, b) < 1e-15);
        }
}

TEST_CASE("the supernodal factors multiply to the matrix", "[linalg]")
{
    for (const OrderingMethod order : allOrders) {
        BlockAssembler assembler;
        assembleElastic(assembler, 4, 4, 3, 0.1, 1.);
        const BlockCsrMatrix& a = assembler.matrix();
        SupernodalLdlt f(order);
        f.analyze(a);
        REQUIRE(f.factorize(a) == FactorizationStatus::ok);
        const int n = a.rows();
        double error = 0.;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) {
                double sum = 0.;
                for (int k = 0; k <= j; ++k)
                    sum += (k == i ? 1. : f.factorEntry(i, k)) * f.pivots()[static_cast<std::size_t>(k)] *
                           (k == j ? 1. : f.factorEntry(j, k));
                error = std::max(error, std::abs(sum - a.value(f.originalRow(i), f.originalRow(j))));
            }
        CHECK(error <= 1e-14 * a.maxAbs());
    }
}

TEST_CASE("a dense matrix is factorised in the documented order of operations, bit for bit", "[linalg]")
{
    // One front, so the definition in DenseKernels.h can be followed literally, whatever the blocking.
    for (const int blocks : {1, 3, 4, 5, 9, 30, 71}) {
        BlockAssembler assembler;
        assembleRandom(assembler, blocks, 3, patterns(blocks)[4], blocks, 3);
        const BlockCsrMatrix& a = assembler.matrix();
        SupernodalLdlt f(OrderingMethod::natural);
        REQUIRE(f.factorize(a) == FactorizationStatus::ok);
        const int n = a.rows();
        Values l(static_cast<std::size_t>(n * n));
        const auto at = [&](int i, int j) -> double& { return l[static_cast<std::size_t>(i * n + j)]; };
        bool same = true;
        for (int j = 0; j < n; ++j)
            for (int i = j; i < n; ++i) {
                double sum = a.value(f.originalRow(i), f.originalRow(j));
                for (int k = 0; k < j; ++k) sum = std::fma(-at(i, k), at(j, k) * at(k, k), sum);
                at(i, j) = i == j ? sum : sum * (1. / at(j, j));
                same = same && at(i, j) == (i == j ? f.pivots()[static_cast<std::size_t>(j)] : f.factorEntry(i, j));
            }
        CHECK(same);
    }
}

TEST_CASE("the supernodal method is bitwise the same for all threads and instruction sets", "[linalg]")
{
    const sofa::test::ParallelGuard guard;
    BlockAssembler assembler;
    assembleElastic(assembler, 13, 12, 11, 0.1, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    const auto n = static_cast<std::size_t>(a.rows());
    const Values b = randomValues(5 * n, 2);
    Values reference, referencePivots;
    for (const unsigned threads : {1u, 2u, 3u})
        for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2, SimdLevel::scalar}) {
            if (level == SimdLevel::scalar && threads == 2) continue;
            setThreadCount(threads);
            setSimdLevel(level);
            SupernodalLdlt f;
            f.analyze(a);
            REQUIRE(f.factorize(a) == FactorizationStatus::ok);
            const Values pivots(f.pivots().begin(), f.pivots().end());
            Values x(6 * n);
            f.solve(b, std::span(x).first(5 * n), 5);
            f.solve(std::span(b).first(n), std::span(x).last(n));
            if (reference.empty()) {
                reference = x;
                referencePivots = pivots;
            }
            CHECK(pivots == referencePivots);
            CHECK(x == reference);
        }
}

TEST_CASE("several right-hand sides, in place too", "[linalg]")
{
    BlockAssembler assembler;
    assembleElastic(assembler, 5, 5, 5, 0.1, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    const auto n = static_cast<std::size_t>(a.rows());
    for (const FactorizationMethod method : allMethods) {
        const auto f = makeFactorization(method);
        f->factorize(a);
        for (const int count : {0, 1, 2, 3, 8, 9, 11, 17}) {
            const Values b = randomValues(n * static_cast<std::size_t>(count), 11);
            Values x(b.size()), inPlace = b;
            f->solve(b, x, count);
            f->solve(inPlace, inPlace, count);
            CHECK(x == inPlace);
            for (std::size_t c = 0; c < static_cast<std::size_t>(count); ++c) {
                const auto begin = static_cast<std::ptrdiff_t>(c * n), end = begin + static_cast<std::ptrdiff_t>(n);
                CHECK(backwardError(a, Values(x.begin() + begin, x.begin() + end),
                                    Values(b.begin() + begin, b.begin() + end)) < 1e-15);
            }
        }
    }
}

TEST_CASE("new values reuse the analysis and nothing is allocated", "[linalg]")
{
    const sofa::test::ParallelGuard guard;
    setThreadCount(1);
    BlockAssembler assembler;
    assembleElastic(assembler, 6, 6, 6, 1., 1.);
    const auto n = static_cast<std::size_t>(assembler.matrix().rows());
    const Values b = randomValues(4 * n, 1);
    Values x(4 * n), first(4 * n);
    SupernodalLdlt f;
    f.factorize(assembler.matrix());
    f.solve(b, first, 4);
    const double analysis = f.report().analyzeSeconds;
    for (int pass = 0; pass < 3; ++pass) {
        assembleElastic(assembler, 6, 6, 6, 1., pass == 2 ? 1. : 3.);
        REQUIRE(assembler.replayed());
        const std::size_t before = sofa::test::allocationCount();
        f.factorize(assembler.matrix());
        f.solve(b, x, 4);
        f.solve(std::span(b).first(n), std::span(x).first(n));
        const std::size_t after = sofa::test::allocationCount();
        CHECK(after == before);
        f.solve(b, x, 4);
        CHECK((x == first) == (pass == 2));
    }
    CHECK(f.report().analyzeSeconds == analysis);
    // Replaying an assembly does not allocate either.
    const BlockCsrMatrix& m = assembler.matrix();
    BlockAssembler replay;
    const double block[9] = {1.};
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t before = sofa::test::allocationCount();
        replay.begin(m.rows(), m.cols(), 3);
        for (int i = 0; i < m.rows(); i += 3) replay.add(i, i, block, 3, 3, 3, 1.);
        replay.end();
        replay.eliminate(std::vector<int>{});
        CHECK((sofa::test::allocationCount() == before) == (pass == 1));
    }
    // The counter does count.
    const std::size_t before = sofa::test::allocationCount();
    CHECK(Values(10).size() == 10);
    CHECK(sofa::test::allocationCount() > before);
}

TEST_CASE("another pattern is analysed anew", "[linalg]")
{
    for (const FactorizationMethod method : allMethods) {
        const auto f = makeFactorization(method);
        for (const int size : {4, 5, 3, 5}) {
            BlockAssembler assembler;
            assembleElastic(assembler, size, 3, 3, 1., 1.);
            const BlockCsrMatrix& a = assembler.matrix();
            REQUIRE(f->factorize(a) == FactorizationStatus::ok);
            const Values b = randomValues(static_cast<std::size_t>(a.rows()), 1);
            Values x(b.size());
            f->solve(b, x);
            CHECK(backwardError(a, x, b) < 1e-15);
        }
    }
}

TEST_CASE("inertia of indefinite matrices", "[linalg]")
{
    for (const auto& edges : patterns(20))
        for (const FactorizationMethod method : {FactorizationMethod::supernodalLdlt, FactorizationMethod::eigenLdlt}) {
            BlockAssembler assembler;
            assembleRandom(assembler, 20, 3, edges, 14, 5);
            const BlockCsrMatrix& a = assembler.matrix();
            const auto f = makeFactorization(method);
            REQUIRE(f->factorize(a) == FactorizationStatus::ok);
            CHECK(f->report().negativePivots == 18);
            const Values b = randomValues(60, 1);
            Values x(60);
            f->solve(b, x);
            CHECK(backwardError(a, x, b) < 1e-15);
        }
}

TEST_CASE("singular and unfit matrices are reported with their rows", "[linalg]")
{
    BlockAssembler assembler;
    const auto assemble = [&](double d4) {
        assembler.begin(6, 6, 3);
        const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, other[9] = {2, 0, 0, 0, d4, 0, 0, 0, 2};
        assembler.add(0, 0, identity, 3, 3, 3, 1.);
        assembler.add(3, 3, other, 3, 3, 3, 1.);
        return &assembler.end();
    };
    const Values b(6, 1.);
    Values x(6);
    SECTION("exactly zero")
    {
        for (const FactorizationMethod method : allMethods) {
            const auto f = makeFactorization(method);
            CHECK(f->factorize(*assemble(0.)) == FactorizationStatus::singular);
            if (method == FactorizationMethod::supernodalLdlt || method == FactorizationMethod::eigenLdlt ||
                method == FactorizationMethod::denseLu || method == FactorizationMethod::denseCholesky) {
                CHECK(f->report().zeroPivotRows == Vector<int>{4});
                CHECK_THAT(f->report().describe(), Catch::Equals("the matrix is singular: 1 bad pivot, in row 4"));
            }
            f->solve(b, x);
            for (const double v : x) CHECK(std::isfinite(v));
            if (method == FactorizationMethod::supernodalLdlt) CHECK(x == Values{1., 1., 1., 0.5, 0., 0.5});
            // And it recovers.
            CHECK(f->factorize(*assemble(4.)) == FactorizationStatus::ok);
            CHECK(f->report().describe() == "ok");
            f->solve(b, x);
            CHECK(x[4] == Approx(0.25));
        }
    }
    SECTION("not finite")
    {
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
            for (const FactorizationMethod method : allMethods) {
                const auto f = makeFactorization(method);
                CHECK(f->factorize(*assemble(bad)) == FactorizationStatus::notFinite);
                CHECK_THAT(f->report().describe(), Catch::Contains("not finite"));
                f->solve(b, x);
                CHECK(x == Values(6, 0.));
                CHECK(f->factorize(*assemble(1.)) == FactorizationStatus::ok);
            }
    }
    SECTION("negative for Cholesky")
    {
        CHECK(makeFactorization(FactorizationMethod::eigenLlt)->factorize(*assemble(-1.)) ==
              FactorizationStatus::singular);
    }
    SECTION("a free body: six rigid motions")
    {
        assembleElastic(assembler, 4, 4, 4, 0., 1.);
        for (const FactorizationMethod method : {FactorizationMethod::supernodalLdlt, FactorizationMethod::eigenLdlt}) {
            for (const OrderingMethod order : allOrders)
                CHECK(makeFactorization(method, order)->factorize(assembler.matrix()) ==
                      FactorizationStatus::nearlySingular);
            const auto f = makeFactorization(method, OrderingMethod::natural);
            f->factorize(assembler.matrix());
            CHECK(f->report().zeroPivots == 6);
            CHECK(f->report().zeroPivotRows.size() == 6);
            CHECK_THAT(f->report().describe(), Catch::Contains("nearly singular: 6 bad pivots, in rows"));
        }
        // Holding one point still leaves three rotations, three points hold the body.
        assembler.eliminate(std::vector<int>{0, 1, 2});
        SupernodalLdlt f(OrderingMethod::natural);
        CHECK(f.factorize(assembler.matrix()) == FactorizationStatus::nearlySingular);
        CHECK(f.report().zeroPivots == 3);
        assembler.eliminate(std::vector<int>{9, 10, 11, 12, 13, 14});
        CHECK(f.factorize(assembler.matrix()) == FactorizationStatus::ok);
    }
}

TEST_CASE("one stored triangle is enough for the supernodal method", "[linalg]")
{
    BlockAssembler full;
    assembleElastic(full, 4, 4, 4, 1., 1.);
    const BlockCsrMatrix& a = full.matrix();
    SupernodalLdlt reference(OrderingMethod::nestedDissection);
    reference.factorize(a);
    for (const bool upper : {true, false}) {
        BlockAssembler half;
        half.begin(a.rows(), a.cols(), 3);
        for (int i = 0; i < a.blockRows(); ++i)
            for (int k = a.rowPtr()[static_cast<std::size_t>(i)]; k < a.rowPtr()[static_cast<std::size_t>(i) + 1];
                 ++k) {
                const int j = a.colIdx()[static_cast<std::size_t>(k)];
                if (i == j || (j > i) == upper)
                    half.add(3 * i, 3 * j, a.block(static_cast<std::size_t>(k)), 3, 3, 3, 1.);
            }
        SupernodalLdlt f(OrderingMethod::nestedDissection);
        CHECK(f.factorize(half.end()) == FactorizationStatus::ok);
        CHECK(std::ranges::equal(f.pivots(), reference.pivots()));
    }
}

TEST_CASE("general matrices are solved by LU and QR", "[linalg]")
{
    BlockAssembler assembler;
    std::mt19937 gen(8);
    std::uniform_real_distribution<double> value(-1., 1.);
    assembler.begin(45, 45, 3);
    for (int k = 0; k < 60; ++k) {
        double block[9];
        for (double& v : block) v = value(gen);
        const int i = k < 15 ? k : static_cast<int>(gen() % 15), j = k < 15 ? k : static_cast<int>(gen() % 15);
        assembler.add(3 * i, 3 * j, block, 3, 3, 3, 1.);
    }
    const BlockCsrMatrix& a = assembler.end();
    REQUIRE_FALSE(a.isSymmetric(0.1));
    const Values b = randomValues(45, 1);
    Values x(45);
    for (const FactorizationMethod method : {FactorizationMethod::eigenLu, FactorizationMethod::eigenQr,
                                             FactorizationMethod::denseLu, FactorizationMethod::denseSvd}) {
        const auto f = makeFactorization(method);
        REQUIRE(f->factorize(a) == FactorizationStatus::ok);
        f->solve(b, x);
        CHECK(backwardError(a, x, b) < 1e-14);
    }
}

TEST_CASE("compliance of constraints", "[linalg]")
{
    const sofa::test::ParallelGuard guard;
    BlockAssembler assembler;
    assembleElastic(assembler, 6, 6, 7, 0.1, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    const auto n = static_cast<std::size_t>(a.rows());
    SupernodalLdlt reference;
    reference.factorize(a);
    for (const std::size_t m : {0u, 1u, 8u, 9u, 21u}) {
        // Rows with up to five entries each, some columns twice, one row empty.
        std::mt19937 gen(3);
        std::vector<int> ptr{0}, columns;
        Values values;
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t k = 0; k < (i == 3 ? 0 : 1 + i % 5); ++k) {
                columns.push_back(static_cast<int>(gen() % (i % 2 == 0 ? n : 30)));
                values.push_back(static_cast<double>(gen() % 1000) / 500. - 1.);
                if (k == 2) columns.back() = columns[columns.size() - 2];
            }
            ptr.push_back(static_cast<int>(columns.size()));
        }
        const SparseRows h{ptr, columns, values};
        // By definition, one solution per row.
        Values expected(m * m, 0.5);
        for (std::size_t j = 0; j < m; ++j) {
            Values x(n, 0.);
            for (int k = ptr[j]; k < ptr[j + 1]; ++k)
                x[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])] +=
                    values[static_cast<std::size_t>(k)];
            reference.solve(x, x);
            for (std::size_t i = 0; i < m; ++i)
                for (int k = ptr[i]; k < ptr[i + 1]; ++k)
                    expected[i * m + j] += 2. * values[static_cast<std::size_t>(k)] *
                                           x[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])];
        }
        for (const FactorizationMethod method : allMethods) {
            const auto f = makeFactorization(method);
            f->factorize(a);
            Values w(m * m, 0.5);
            f->addCompliance(h, w, 2.);
            double error = 0., asymmetry = 0.;
            for (std::size_t i = 0; i < m; ++i)
                for (std::size_t j = 0; j < m; ++j) {
                    error = std::max(error, std::abs(w[i * m + j] - expected[i * m + j]));
                    asymmetry = std::max(asymmetry, std::abs(w[i * m + j] - w[j * m + i]));
                }
            CHECK(error <= 1e-13 * (1. + largest(expected)));
            if (method != FactorizationMethod::supernodalLdlt) continue;
            CHECK(asymmetry == 0.);
            for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512})
                for (const unsigned threads : {1u, 3u}) {
                    setSimdLevel(level);
                    setThreadCount(threads);
                    SupernodalLdlt other;
                    other.factorize(a);
                    Values again(m * m, 0.5);
                    other.addCompliance(h, again, 2.);
                    CHECK(again == w);
                    const std::size_t before = sofa::test::allocationCount();
                    if (threads == 1) other.addCompliance(h, again, 2.);
                    CHECK(sofa::test::allocationCount() == before);
                }
        }
    }
    Values w(1);
    const std::vector<int> ptr{0, 1}, column{static_cast<int>(n)};
    const Values one{1.};
    CHECK_THROWS_WITH(reference.addCompliance({ptr, column, one}, w),
                      Catch::Contains("column 756") && Catch::Contains("756 unknowns"));
    CHECK_THROWS_WITH(reference.addCompliance({ptr, ptr, one}, std::span<double>()), Catch::Contains("1 × 1"));
    CHECK_THROWS_WITH(SupernodalLdlt().addCompliance({}, {}), Catch::Contains("no factorisation"));
}

TEST_CASE("misuse of a factorisation is reported", "[linalg]")
{
    for (const FactorizationMethod method : allMethods) {
        const auto f = makeFactorization(method);
        Values x(3);
        CHECK_THROWS_WITH(f->solve(x, x), Catch::Contains("no factorisation"));
        const BlockCsrMatrix oblong(1, 2, 3, std::vector<int>{0, 0}, {});
        CHECK_THROWS_WITH(f->analyze(oblong), Catch::Contains("3 × 6") && Catch::Contains("not square"));
        BlockAssembler assembler;
        assembleElastic(assembler, 2, 2, 2, 1., 1.);
        f->factorize(assembler.matrix());
        CHECK_THROWS_WITH(f->solve(x, x), Catch::Contains("sizes 3 and 3, expected 24"));
        CHECK_THROWS_WITH(f->solve(x, x, -1), Catch::Contains("negative"));
        CHECK(factorizationMethod(name(method)) == method);
    }
    CHECK_FALSE(factorizationMethod("MUMPS"));
}

TEST_CASE("an empty system is harmless", "[linalg]")
{
    for (const FactorizationMethod method : allMethods) {
        const auto f = makeFactorization(method);
        CHECK(f->factorize(BlockCsrMatrix()) == FactorizationStatus::ok);
        Values none;
        f->solve(none, none);
    }
}

TEST_CASE("The supernodal method reads one triangle: the other may be left out", "[linalg]")
{
    for (const int b : {1, 2, 3, 6})
        for (const auto& edges : patterns(12))
            for (const OrderingMethod order : allOrders) {
                BlockAssembler assembler;
                assembleRandom(assembler, 12, b, edges, 12, 3);
                const BlockCsrMatrix& whole = assembler.matrix();
                BlockCsrMatrix upper = whole.upperPattern();
                for (int i = 0; i < upper.blockRows(); ++i)
                    for (int k = upper.rowPtr()[static_cast<std::size_t>(i)];
                         k < upper.rowPtr()[static_cast<std::size_t>(i) + 1]; ++k) {
                        const int from = whole.find(i, upper.colIdx()[static_cast<std::size_t>(k)]);
                        std::copy_n(whole.block(static_cast<std::size_t>(from)), b * b,
                                    upper.block(static_cast<std::size_t>(k)));
                    }
                const Values right = randomValues(static_cast<std::size_t>(whole.rows()), 7);
                Values x(right.size()), y(right.size(), 1.);
                for (const BlockCsrMatrix* a : {&whole, static_cast<const BlockCsrMatrix*>(&upper)}) {
                    const auto f = makeFactorization(FactorizationMethod::supernodalLdlt, order);
                    REQUIRE(f->readsUpperTriangle());
                    f->analyze(*a);
                    REQUIRE(f->factorize(*a) == FactorizationStatus::ok);
                    f->solve(right, a == &whole ? x : y);
                }
                CHECK(x == y);
            }
    for (const FactorizationMethod m : allMethods)
        CHECK(makeFactorization(m)->readsUpperTriangle() == (m == FactorizationMethod::supernodalLdlt));
}

}  // namespace factorization_test
