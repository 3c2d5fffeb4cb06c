// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/IncompleteCholesky.h"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <random>

#include "tests/core/linalg/ElasticMatrix.h"

namespace incomplete_cholesky_test {

using namespace sofa::core;

namespace {

/// Symmetric matrix of blocks of `size` scalars; `coupled` tells which blocks off the diagonal it has. Random, with
/// `diagonal` added to its diagonal.
template <class F>
BlockCsrMatrix randomMatrix(int blocks, int size, F&& coupled, double diagonal)
{
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const int n = blocks * size;
    Eigen::MatrixXd a = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
    a = (0.5 * (a + a.transpose())).eval();
    a.diagonal().array() += diagonal;
    BlockAssembler assembler;
    assembler.begin(n, n, size);
    for (int i = 0; i < blocks; ++i)
        for (int j = 0; j < blocks; ++j) {
            if (i != j && !coupled(i, j)) continue;
            const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> block =
                a.block(i * size, j * size, size, size);
            assembler.add(i * size, j * size, block.data(), size, size, size, 1.);
        }
    return assembler.end();
}

Eigen::MatrixXd dense(const BlockCsrMatrix& a)
{
    return Eigen::MatrixXd::NullaryExpr(a.rows(), a.cols(), [&](Eigen::Index i, Eigen::Index j) {
        return a.value(static_cast<int>(i), static_cast<int>(j));
    });
}

/// The matrix L Lᵀ of a factorisation: the inverse of what `apply` does.
Eigen::MatrixXd product(const IncompleteCholesky& factor, int n)
{
    Eigen::MatrixXd inverse(n, n);
    for (int i = 0; i < n; ++i) {
        Vector<double> r(static_cast<std::size_t>(n), 0.), z(r.size());
        r[static_cast<std::size_t>(i)] = 1.;
        factor.apply(r, z);
        inverse.col(i) = Eigen::Map<const Eigen::VectorXd>(z.data(), n);
    }
    return inverse.inverse();
}

const auto all = [](int, int) { return true; };
const auto neighbours = [](int i, int j) { return std::abs(i - j) == 1; };

}  // namespace

TEST_CASE("Incomplete Cholesky is the whole factorisation where there is no fill")
{
    for (const int size : {1, 2, 3, 6}) {
        INFO(size);
        for (const BlockCsrMatrix& a : {randomMatrix(7, size, all, 40.), randomMatrix(20, size, neighbours, 12.)}) {
            const Eigen::MatrixXd m = dense(a);
            IncompleteCholesky factor;
            factor.factorize(a);
            CHECK(factor.shift() == 0.);
            const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(a.rows(), -1., 2.), b = m * x;
            Vector<double> z(b.begin(), b.end());
            factor.apply(z, z);
            CHECK((Eigen::Map<const Eigen::VectorXd>(z.data(), x.size()) - x).norm() < 1e-12 * x.norm());
        }
    }
}

TEST_CASE("Incomplete Cholesky has the blocks of the matrix, and others elsewhere")
{
    const auto coupled = [](int i, int j) { return (i * j + i + j) % 3 == 1; };
    for (const int size : {1, 2, 3, 6}) {
        INFO(size);
        const BlockCsrMatrix a = randomMatrix(9, size, coupled, 60.);
        IncompleteCholesky factor;
        factor.factorize(a);
        REQUIRE(factor.shift() == 0.);
        const Eigen::MatrixXd m = dense(a), llt = product(factor, a.rows());
        double inside = 0., outside = 0.;
        for (int i = 0; i < a.rows(); ++i)
            for (int j = 0; j < a.rows(); ++j) {
                double& largest = a.find(i / size, j / size) >= 0 ? inside : outside;
                largest = std::max(largest, std::abs(m(i, j) - llt(i, j)));
            }
        CHECK(inside < 1e-11 * m.norm());
        CHECK(outside > 1e-6 * m.norm());
    }
}

TEST_CASE("Incomplete Cholesky increases the diagonal where a pivot fails")
{
    // Positive definite, but its incomplete factorisation is not (Kershaw, J. Comput. Phys. 26, 1978).
    const double values[4][4] = {{3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}};
    BlockAssembler assembler;
    assembler.begin(4, 4, 1);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (values[i][j] != 0.) assembler.add(i, j, &values[i][j], 1, 1, 1, 1.);
    const BlockCsrMatrix& a = assembler.end();
    REQUIRE(dense(a).selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() > 0.);
    IncompleteCholesky factor;
    factor.factorize(a);
    CHECK(factor.shift() > 0.);
    CHECK(factor.shift() < 1.);
    Eigen::MatrixXd shifted = dense(a), llt = product(factor, 4);
    shifted.diagonal() *= 1. + factor.shift();
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (values[i][j] != 0.) CHECK(llt(i, j) == Approx(shifted(i, j)).margin(1e-12));
    CHECK(product(factor, 4).selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() > 0.);
}

TEST_CASE("Incomplete Cholesky brings the spectrum of elasticity together")
{
    BlockAssembler assembler;
    sofa::test::assembleElastic(assembler, 5, 5, 5, 0.01, 1.);
    const BlockCsrMatrix& a = assembler.matrix();
    IncompleteCholesky factor;
    factor.factorize(a);
    const Eigen::MatrixXd m = dense(a);
    Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> pair(m, product(factor, a.rows()));
    const Eigen::VectorXd before = m.selfadjointView<Eigen::Lower>().eigenvalues(), after = pair.eigenvalues();
    CHECK(after.minCoeff() > 0.);
    CHECK(after.maxCoeff() / after.minCoeff() < 0.2 * before.maxCoeff() / before.minCoeff());
    CHECK(factor.nonZeros() > a.nonZeros() / 2);
    CHECK(factor.nonZeros() < a.nonZeros() * 6 / 10);
}

TEST_CASE("Incomplete Cholesky refuses matrices that are not positive definite", "[input]")
{
    IncompleteCholesky factor;
    CHECK_THROWS_WITH(factor.factorize(randomMatrix(5, 3, neighbours, -20.)), "the matrix is not positive definite");
    const int rowPtr[] = {0, 1}, column[] = {0};
    CHECK_THROWS_WITH(factor.factorize(BlockCsrMatrix(1, 2, 1, rowPtr, column)), "the matrix is not square");
    const int otherPtr[] = {0, 1, 1};
    CHECK_THROWS_WITH(factor.factorize(BlockCsrMatrix(2, 2, 1, otherPtr, column)),
                      "a block of the diagonal is missing");
    BlockCsrMatrix infinite = randomMatrix(5, 3, neighbours, 20.);
    infinite.values()[0] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(factor.factorize(infinite), "the matrix is not positive definite");
}

}  // namespace incomplete_cholesky_test
