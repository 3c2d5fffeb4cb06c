// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockTridiagonal.h"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <cmath>

namespace block_tridiagonal_test {

using namespace sofa::core;

namespace {

/// A matrix of blocks of `b` scalars within `band` scalars of the diagonal, diagonally dominant and not symmetric.
BlockCsrMatrix banded(int rows, int b, int band)
{
    const int n = rows / b;
    std::vector<int> ptr{0}, col;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j)
            if (std::abs(i - j) * b < band) col.push_back(j);
        ptr.push_back(static_cast<int>(col.size()));
    }
    BlockCsrMatrix m(n, n, b, ptr, col);
    for (int i = 0; i < n; ++i)
        for (int k = ptr[static_cast<std::size_t>(i)]; k < ptr[static_cast<std::size_t>(i) + 1]; ++k)
            for (int r = 0; r < b; ++r)
                for (int c = 0; c < b; ++c) {
                    const int row = i * b + r, column = col[static_cast<std::size_t>(k)] * b + c;
                    m.block(static_cast<std::size_t>(k))[r * b + c] =
                        std::sin(1. + 3. * row + 7. * column) + (row == column ? 20. : 0.);
                }
    return m;
}

}  // namespace

TEST_CASE("a block tridiagonal matrix is solved, whatever its own blocks are")
{
    for (const auto& [rows, b, size] : {std::array{24, 6, 6}, std::array{24, 3, 6}, std::array{27, 3, 6},
                                        std::array{7, 1, 6}, std::array{6, 6, 6}, std::array{12, 2, 3}}) {
        INFO(rows << " scalars in blocks of " << b << ", solved by blocks of " << size);
        const BlockCsrMatrix m = banded(rows, b, size);
        // Within size − 1 scalars of the diagonal nothing is outside of neighbouring blocks.
        BlockTridiagonal t(size);
        CHECK_FALSE(t.assign(m));
        REQUIRE(t.factorize());
        Eigen::MatrixXd dense(rows, rows);
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < rows; ++j) dense(i, j) = m.value(i, j);
        CHECK((dense - dense.transpose()).norm() > 1.);
        Vector<double> x(static_cast<std::size_t>(rows));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(static_cast<double>(i));
        const Eigen::VectorXd expected = dense.partialPivLu().solve(Eigen::Map<Eigen::VectorXd>(x.data(), rows));
        t.solve(x, x);
        for (int i = 0; i < rows; ++i) CHECK(x[static_cast<std::size_t>(i)] == Approx(expected[i]).epsilon(1e-12));
    }
}

TEST_CASE("numbers beside the three block diagonals are found, but for zeros")
{
    BlockCsrMatrix m = banded(24, 6, 24);
    BlockTridiagonal t(6);
    auto outside = t.assign(m);
    REQUIRE(outside);
    CHECK(outside->row == 0);
    CHECK(outside->column == 12);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (std::abs(i - j) > 1) std::fill_n(m.block(static_cast<std::size_t>(m.find(i, j))), 36, 0.);
    CHECK_FALSE(t.assign(m));
}

TEST_CASE("a block without a pivot is named by its row")
{
    BlockCsrMatrix m = banded(18, 6, 6);
    // Row 8 of the second block becomes zero.
    for (int j = 0; j < 3; ++j)
        if (const int k = m.find(1, j); k >= 0) std::fill_n(m.block(static_cast<std::size_t>(k)) + 12, 6, 0.);
    BlockTridiagonal t(6);
    t.assign(m);
    CHECK_FALSE(t.factorize());
    CHECK(t.failedRow() >= 6);
    CHECK(t.failedRow() < 12);
    Vector<double> x(18);
    CHECK_THROWS_WITH(t.solve(x, x), Catch::Contains("without a factorisation"));
}

}  // namespace block_tridiagonal_test
