// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "core/linalg/SupernodalLdlt.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/linalg/ElasticMatrix.h"
#include "tests/harness/ParallelGuard.h"

namespace supernodal_band_test {

using namespace sofa::core;
using sofa::test::assembleElastic;

namespace {

using Values = std::vector<double>;

/// A symmetric matrix of b × b blocks whose row i has random blocks from column i − reach(i) on, with a dominant
/// diagonal of changing sign.
template <class Reach>
void assembleEnvelope(BlockAssembler& assembler, int blocks, int b, Reach&& reach)
{
    std::mt19937 gen(5);
    std::uniform_real_distribution<double> value(-1., 1.);
    assembler.begin(blocks * b, blocks * b, b);
    Values v(static_cast<std::size_t>(b * b)), t(v.size());
    for (int i = 0; i < blocks; ++i) {
        for (int j = std::max(0, i - reach(i)); j < i; ++j) {
            // Holes within the envelope are filled by the factorisation.
            if (j > i - reach(i) && gen() % 3 == 0) continue;
            for (double& x : v) x = value(gen);
            for (int r = 0; r < b; ++r)
                for (int c = 0; c < b; ++c)
                    t[static_cast<std::size_t>(c * b + r)] = v[static_cast<std::size_t>(r * b + c)];
            assembler.add(i * b, j * b, v.data(), b, b, b, 1.);
            assembler.add(j * b, i * b, t.data(), b, b, b, 1.);
        }
        std::fill(v.begin(), v.end(), 0.25);
        for (int r = 0; r < b; ++r)
            v[static_cast<std::size_t>(r * b + r)] = (i % 3 == 1 ? -1. : 1.) * (100. + value(gen));
        assembler.add(i * b, i * b, v.data(), b, b, b, 1.);
    }
    assembler.end();
}

/// Whether factor, pivots and so on are those of the definition in DenseKernels.h, followed literally for all of the
/// matrix.
bool isAsDefined(const SupernodalLdlt& f, const BlockCsrMatrix& a)
{
    const int n = a.rows();
    Values l(static_cast<std::size_t>(n * n));
    const auto at = [&](int i, int j) -> double& { return l[static_cast<std::size_t>(i * n + j)]; };
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            double sum = a.value(f.originalRow(i), f.originalRow(j));
            for (int k = 0; k < j; ++k) sum = std::fma(-at(i, k), at(j, k) * at(k, k), sum);
            at(i, j) = i == j ? sum : sum * (1. / at(j, j));
            if (at(i, j) != (i == j ? f.pivots()[static_cast<std::size_t>(j)] : f.factorEntry(i, j))) return false;
        }
    return true;
}

}  // namespace

TEST_CASE("a band has the documented bits for all blocks and instruction sets", "[linalg]")
{
    const sofa::test::ParallelGuard guard;
    for (const SimdLevel level : {SimdLevel::avx512, SimdLevel::avx2, SimdLevel::scalar}) {
        setSimdLevel(level);
        for (const int b : {1, 2, 3, 6})
            for (const int scalars : {6, 24, 30, 96, 210})
                for (const int shape : {0, 1, 2}) {
                    BlockAssembler assembler;
                    const int blocks = scalars / b;
                    assembleEnvelope(assembler, blocks, b, [&](int i) {
                        if (shape == 0) return 42 / b;                     // an even band
                        if (shape == 1) return (42 + i * b * 7 % 12) / b;  // a ragged one
                        return (i < blocks / 2 ? 66 : 36) / b;             // one that becomes narrow
                    });
                    const BlockCsrMatrix& a = assembler.matrix();
                    SupernodalLdlt f(OrderingMethod::natural);
                    REQUIRE(f.factorize(a) == FactorizationStatus::ok);
                    CHECK((f.report().negativePivots > 0) == (blocks > 1));
                    if (scalars >= 210 || f.structure().isBand()) {
                        CHECK(f.structure().isBand());
                        CHECK(isAsDefined(f, a));
                    }
                    // With one right-hand side in place, with several front by front.
                    const auto n = static_cast<std::size_t>(a.rows());
                    Values rhs(3 * n), x(3 * n), product(n);
                    for (std::size_t k = 0; k < rhs.size(); ++k) rhs[k] = std::sin(static_cast<double>(k));
                    f.solve(std::span(rhs).first(n), std::span(x).first(n));
                    f.solve(rhs, x, 3);
                    for (std::size_t c = 0; c < 3; ++c) {
                        a.multiply(std::span(x).subspan(c * n, n), product);
                        for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(product[k] - rhs[c * n + k]) < 1e-12);
                    }
                    f.solve(std::span(rhs).first(n), std::span(x).first(n));
                    a.multiply(std::span(x).first(n), product);
                    for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(product[k] - rhs[k]) < 1e-12);
                }
    }
}

TEST_CASE("wide bands are the same for any number of threads", "[linalg]")
{
    const sofa::test::ParallelGuard guard;
    BlockAssembler assembler;
    assembleElastic(assembler, 13, 13, 3, 0.1, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    Values reference;
    for (const unsigned threads : {1u, 2u, 3u}) {
        setThreadCount(threads);
        SupernodalLdlt f(OrderingMethod::natural);
        REQUIRE(f.factorize(a) == FactorizationStatus::ok);
        REQUIRE(f.structure().isBand());
        Values x(static_cast<std::size_t>(a.rows()));
        f.solve(Values(x.size(), 1.), x);
        if (reference.empty()) reference = x;
        CHECK(x == reference);
    }
}

TEST_CASE("beams are bands, also when badly numbered; wide and starlike matrices are not", "[linalg]")
{
    BlockAssembler assembler;
    assembleElastic(assembler, 4, 4, 20, 0.1, 1.);
    for (const OrderingMethod order : {OrderingMethod::natural, OrderingMethod::automatic}) {
        SupernodalLdlt f(order);
        f.analyze(assembler.matrix());
        CHECK(f.structure().isBand());
        CHECK(f.structure().supernodes.size() == 40);
    }
    // The same with its layers last: each point far from its neighbours.
    assembleElastic(assembler, 20, 4, 4, 0.1, 1.);
    SupernodalLdlt natural(OrderingMethod::natural), automatic;
    natural.analyze(assembler.matrix());
    automatic.analyze(assembler.matrix());
    CHECK(automatic.structure().isBand());
    CHECK(automatic.report().ordering == OrderingMethod::reverseCuthillMckee);
    CHECK(automatic.report().operations < 0.2 * natural.report().operations);

    assembler.begin(300, 300, 3);
    const double block[9] = {1., 0., 0., 0., 1., 0., 0., 0., 1.};
    for (int i = 0; i < 300; i += 3) {
        assembler.add(i, i, block, 3, 3, 3, 5.);
        if (i > 0) {
            assembler.add(i, 0, block, 3, 3, 3, 0.01);
            assembler.add(0, i, block, 3, 3, 3, 0.01);
        }
    }
    assembler.end();
    SupernodalLdlt star;
    star.analyze(assembler.matrix());
    CHECK_FALSE(star.structure().isBand());
}

TEST_CASE("where the order of a band meets a singular minor, another order is taken", "[linalg]")
{
    BlockAssembler assembler;
    assembleEnvelope(assembler, 300, 1, [](int) { return 40; });
    // Equal in the first two rows and columns.
    assembler.values()[0] = assembler.values()[1] = 1.;
    for (const int column : {0, 1}) {
        const int k = assembler.matrix().find(1, column);
        REQUIRE(k >= 0);
        assembler.values()[static_cast<std::size_t>(k)] = 1.;
    }
    const BlockCsrMatrix& a = assembler.matrix();
    REQUIRE(a.isSymmetric());
    REQUIRE(a.value(0, 1) == 1.);
    const int n = a.rows();
    SupernodalLdlt natural(OrderingMethod::natural);
    CHECK(natural.factorize(a) == FactorizationStatus::singular);
    SupernodalLdlt automatic;
    automatic.analyze(a);
    REQUIRE(automatic.structure().isBand());
    CHECK(automatic.factorize(a) == FactorizationStatus::ok);
    CHECK_FALSE(automatic.structure().isBand());
    const Values b(static_cast<std::size_t>(n), 1.);
    Values x(b.size()), product(b.size());
    for (int pass = 0; pass < 2; ++pass) {
        automatic.solve(b, x);
        a.multiply(x, product);
        for (const double v : product) CHECK(v == Approx(1.));
        const double seconds = automatic.report().analyzeSeconds;
        CHECK(automatic.factorize(a) == FactorizationStatus::ok);
        CHECK(automatic.report().analyzeSeconds == seconds);  // the other order is kept
    }
}

}  // namespace supernodal_band_test
