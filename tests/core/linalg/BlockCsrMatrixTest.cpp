// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockCsrMatrix.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/harness/ParallelGuard.h"

namespace block_csr_matrix_test {

using namespace sofa::core;

namespace {

/// Random matrix with about `perRow` blocks in each row, the diagonal where `diagonal`.
BlockCsrMatrix randomMatrix(int blockRows, int blockCols, int b, int perRow, bool diagonal, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<int> rowPtr{0}, colIdx;
    for (int i = 0; i < blockRows; ++i) {
        std::vector<int> cols;
        for (int k = 0; k < perRow; ++k) cols.push_back(static_cast<int>(gen() % static_cast<unsigned>(blockCols)));
        if (diagonal) cols.push_back(i);
        std::sort(cols.begin(), cols.end());
        cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
        colIdx.insert(colIdx.end(), cols.begin(), cols.end());
        rowPtr.push_back(static_cast<int>(colIdx.size()));
    }
    BlockCsrMatrix a(blockRows, blockCols, b, rowPtr, colIdx);
    for (double& v : a.values()) v = value(gen);
    return a;
}

std::vector<double> randomVector(int n, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& v : x) v = value(gen);
    return x;
}

}  // namespace

TEST_CASE("a pattern has no values until it is set to zero", "[linalg]")
{
    const int rowPtr[] = {0, 2, 3}, colIdx[] = {0, 1, 1};
    BlockCsrMatrix a(2, 2, 3, rowPtr, colIdx, BlockCsrMatrix::Values::None);
    CHECK(a.values().empty());
    CHECK(a.nonZeros() == 27);
    CHECK(a.samePattern(BlockCsrMatrix(2, 2, 3, rowPtr, colIdx)));
    a.setZero();
    REQUIRE(a.values().size() == 27);
    CHECK(a.maxAbs() == 0.);
    a.values()[5] = 2.;
    a.setZero();
    CHECK(a.maxAbs() == 0.);
}

TEST_CASE("products agree with the dense definition", "[linalg]")
{
    for (const int b : {1, 2, 3, 6}) {
        const BlockCsrMatrix a = randomMatrix(17, 11, b, 4, false, static_cast<unsigned>(b));
        REQUIRE(a.rows() == 17 * b);
        REQUIRE(a.cols() == 11 * b);
        const auto x = randomVector(a.cols(), 7), z = randomVector(a.rows(), 8);
        std::vector<double> y(z.size()), yt(x.size(), 0.5);
        a.multiply(x, y);
        std::vector<double> sum = z;
        a.addMultiply(x, sum, -2.5);
        a.addTransposeMultiply(z, yt, 1.5);
        for (int i = 0; i < a.rows(); ++i) {
            double expected = 0.;
            for (int j = 0; j < a.cols(); ++j) expected += a.value(i, j) * x[static_cast<std::size_t>(j)];
            const auto r = static_cast<std::size_t>(i);
            CHECK(y[r] == Approx(expected).epsilon(1e-14).margin(1e-14));
            CHECK(sum[r] == z[r] + -2.5 * y[r]);
        }
        for (int j = 0; j < a.cols(); ++j) {
            double expected = 0.5;
            for (int i = 0; i < a.rows(); ++i) expected += 1.5 * a.value(i, j) * z[static_cast<std::size_t>(i)];
            CHECK(yt[static_cast<std::size_t>(j)] == Approx(expected).epsilon(1e-13).margin(1e-13));
        }
    }
}

TEST_CASE("products are bitwise the same for all instruction sets and numbers of threads", "[linalg]")
{
    const sofa::test::ParallelGuard guard;
    const int blockSize = GENERATE(1, 2, 3, 6);
    const BlockCsrMatrix a = randomMatrix(6000, 6000, blockSize, 14, true, 3);
    const auto x = randomVector(a.cols(), 4);
    setThreadCount(1);
    setSimdLevel(SimdLevel::scalar);
    std::vector<double> reference(x.size()), y(x.size());
    a.multiply(x, reference);
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512})
        for (const unsigned threads : {1u, 2u, 3u, 5u}) {
            setSimdLevel(level);
            setThreadCount(threads);
            std::fill(y.begin(), y.end(), 0.);
            a.multiply(x, y);
            CHECK(y == reference);
            std::fill(y.begin(), y.end(), 0.);
            a.addMultiply(x, y, 1.);
            CHECK(y == reference);
        }
}

TEST_CASE("blocks and scalars are found", "[linalg]")
{
    BlockCsrMatrix a(2, 3, 2, std::vector<int>{0, 2, 3}, std::vector<int>{0, 2, 0});
    a.block(1)[2] = 4.;
    CHECK(a.find(0, 2) == 1);
    CHECK(a.find(0, 1) == -1);
    CHECK(a.diagonal(0) == 0);
    CHECK(a.diagonal(1) == -1);
    CHECK(a.value(1, 4) == 4.);
    CHECK(a.value(1, 2) == 0.);
    CHECK(a.nonZeros() == 12);
    CHECK_THROWS_WITH(a.value(4, 0), Catch::Contains("(4, 0)") && Catch::Contains("4 × 6"));
    std::vector<double> d(4, -1.);
    a.block(0)[3] = 9.;
    a.getDiagonal(d);
    CHECK(d == std::vector<double>{0., 9., 0., 0.});
    a.setZero();
    CHECK(a.maxAbs() == 0.);
}

TEST_CASE("norms, symmetry and finiteness", "[linalg]")
{
    BlockCsrMatrix a(2, 2, 1, std::vector<int>{0, 2, 4}, std::vector<int>{0, 1, 0, 1});
    const double v[] = {3., -4., 12., 0.};
    std::copy(v, v + 4, a.values().begin());
    CHECK(a.frobeniusNorm() == 13.);
    CHECK(a.infinityNorm() == 12.);
    CHECK(a.maxAbs() == 12.);
    CHECK(a.asymmetry() == 16.);
    CHECK_FALSE(a.isSymmetric(1.));
    CHECK(a.isSymmetric(1.5));
    a.values()[2] = -4.;
    CHECK(a.isSymmetric());
    CHECK(a.isFinite());
    a.values()[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(a.isFinite());
    CHECK_FALSE(a.isSymmetric());
    CHECK(std::isnan(a.maxAbs()));
    // An entry without a stored partner.
    BlockCsrMatrix b(2, 2, 1, std::vector<int>{0, 1, 1}, std::vector<int>{1});
    b.values()[0] = 2.;
    CHECK(b.asymmetry() == 2.);
    CHECK(std::isinf(BlockCsrMatrix(1, 2, 1, std::vector<int>{0, 0}, {}).asymmetry()));
    // Blocks must be compared with the transposed partner.
    BlockCsrMatrix c(2, 2, 2, std::vector<int>{0, 1, 2}, std::vector<int>{1, 0});
    c.block(0)[1] = 5.;
    c.block(1)[2] = 5.;
    CHECK(c.isSymmetric());
    c.block(1)[2] = 0.;
    c.block(1)[1] = 5.;
    CHECK_FALSE(c.isSymmetric());
}

TEST_CASE("text export", "[linalg]")
{
    BlockCsrMatrix a(1, 2, 2, std::vector<int>{0, 1}, std::vector<int>{1});
    const double v[] = {0.1, -2., 1e-300, 0.};
    std::copy(v, v + 4, a.values().begin());
    std::ostringstream dense, market;
    a.writeDense(dense);
    a.writeMatrixMarket(market);
    CHECK(dense.str() == "0 0 0.1 -2\n0 0 1e-300 0\n");
    CHECK(market.str() == "%%MatrixMarket matrix coordinate real general\n2 4 4\n1 3 0.1\n1 4 -2\n2 3 1e-300\n2 4 0\n");
}

TEST_CASE("invalid patterns and sizes are refused", "[linalg]")
{
    using V = std::vector<int>;
    CHECK_THROWS_WITH(BlockCsrMatrix(1, 1, 4, V{0, 0}, V{}), Catch::Contains("block size 4"));
    CHECK_THROWS_WITH(BlockCsrMatrix(2, 1, 3, V{0, 0}, V{}), Catch::Contains("2 entries, expected 3"));
    CHECK_THROWS_WITH(BlockCsrMatrix(1, 2, 3, V{0, 2}, V{1, 0}), Catch::Contains("not increasing"));
    CHECK_THROWS_WITH(BlockCsrMatrix(1, 2, 3, V{0, 1}, V{2}), Catch::Contains("out of range"));
    CHECK_THROWS_WITH(BlockCsrMatrix(1, 2, 3, V{0, 1}, V{}), Catch::Contains("does not span"));
    CHECK_THROWS_WITH(BlockCsrMatrix(2, 2, 3, V{0, 2, 1}, V{0}), Catch::Contains("decreases"));
    const BlockCsrMatrix a(1, 2, 3, V{0, 1}, V{1});
    std::vector<double> x(6), y(4);
    CHECK_THROWS_WITH(a.multiply(x, y), Catch::Contains("sizes 6 and 4, expected 6 and 3"));
}

TEST_CASE("an empty matrix is harmless", "[linalg]")
{
    const BlockCsrMatrix a;
    std::vector<double> none;
    a.multiply(none, none);
    CHECK(a.frobeniusNorm() == 0.);
    CHECK(a.isSymmetric());
}

}  // namespace block_csr_matrix_test
