// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/DenseFactorization.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace dense_factorization_test {

using namespace sofa::core;

namespace {

using Values = std::vector<double>;

Values randomValues(std::size_t n, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    Values v(n);
    for (double& x : v) x = value(gen);
    return v;
}

/// B Bᵀ + I, or with the sign of the last rows and columns' diagonal changed an indefinite matrix.
Values symmetric(std::size_t n, std::size_t negative, unsigned seed)
{
    const Values b = randomValues(n * n, seed);
    Values a(n * n, 0.);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const bool in = i < n - negative, jn = j < n - negative;
            if (in != jn) {
                a[i * n + j] = in ? b[i * n + j] : b[j * n + i];
                continue;
            }
            for (std::size_t k = 0; k < n; ++k) a[i * n + j] += (in ? 1. : -1.) * b[i * n + k] * b[j * n + k];
            if (i == j) a[i * n + j] += in ? 1. : -1.;
        }
    return a;
}

double residual(std::size_t n, const Values& a, const Values& x, const Values& b)
{
    double worst = 0.;
    for (std::size_t i = 0; i < n; ++i) {
        double sum = -b[i];
        for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
        worst = std::max(worst, std::abs(sum));
    }
    return worst;
}

}  // namespace

TEST_CASE("dense solvers solve", "[linalg]")
{
    for (const std::size_t n : {1u, 2u, 3u, 7u, 20u}) {
        const int size = static_cast<int>(n);
        const Values b = randomValues(n, 3), definite = symmetric(n, 0, 1), general = randomValues(n * n, 2);
        Values x(n);
        DenseCholesky cholesky;
        REQUIRE(cholesky.factorize(size, definite));
        cholesky.solve(b, x);
        CHECK(residual(n, definite, x, b) < 1e-12);

        DenseLdlt ldlt;
        const std::size_t negative = n / 3;
        const Values indefinite = symmetric(n, negative, 5);
        REQUIRE(ldlt.factorize(size, indefinite));
        CHECK(ldlt.negativePivots() == static_cast<int>(negative));
        ldlt.solve(b, x);
        CHECK(residual(n, indefinite, x, b) < 1e-11);

        DenseLu lu;
        REQUIRE(lu.factorize(size, general));
        x = b;
        lu.solve(x, x);
        CHECK(residual(n, general, x, b) < 1e-11);
    }
}

TEST_CASE("dense factors multiply to the matrix", "[linalg]")
{
    const std::size_t n = 6;
    const Values a = symmetric(n, 2, 8), d = symmetric(n, 0, 9);
    DenseLdlt ldlt;
    DenseCholesky cholesky;
    REQUIRE(ldlt.factorize(6, a));
    REQUIRE(cholesky.factorize(6, d));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            double p = 0., q = 0.;
            for (std::size_t k = 0; k < n; ++k) {
                p += ldlt.factor()[i * n + k] * ldlt.pivots()[k] * ldlt.factor()[j * n + k];
                q += cholesky.factor()[i * n + k] * cholesky.factor()[j * n + k];
            }
            CHECK(p == Approx(a[i * n + j]).margin(1e-13));
            CHECK(q == Approx(d[i * n + j]).margin(1e-13));
        }
}

TEST_CASE("determinants", "[linalg]")
{
    DenseLu lu;
    REQUIRE(lu.factorize(2, Values{0., 2., 3., 0.}));
    CHECK(lu.determinant() == -6.);
    REQUIRE(lu.factorize(3, Values{0., 1., 0., 0., 0., 1., 1., 0., 0.}));
    CHECK(lu.determinant() == 1.);
    CHECK_FALSE(lu.factorize(2, Values{1., 2., 2., 4.}));
    CHECK(lu.determinant() == 0.);
}

TEST_CASE("unfit matrices are refused", "[linalg]")
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    DenseCholesky cholesky;
    DenseLdlt ldlt;
    DenseLu lu;
    CHECK_FALSE(cholesky.factorize(2, Values{1., 2., 2., 1.}));
    CHECK_FALSE(ldlt.factorize(2, Values{0., 1., 1., 0.}));
    CHECK(lu.factorize(2, Values{0., 1., 1., 0.}));
    CHECK_FALSE(cholesky.factorize(1, Values{nan}));
    CHECK_FALSE(ldlt.factorize(2, Values{1., 0., nan, 1.}));
    CHECK_FALSE(lu.factorize(2, Values{1., nan, 0., 1.}));
    Values x(2);
    CHECK_THROWS_WITH(lu.solve(x, x), Catch::Contains("no factorisation"));
    CHECK_THROWS_WITH(lu.factorize(2, Values{1.}), Catch::Contains("1 values") && Catch::Contains("2 × 2"));
    REQUIRE(lu.factorize(1, Values{2.}));
    CHECK_THROWS_WITH(lu.solve(x, x), Catch::Contains("expected 1"));
}

}  // namespace dense_factorization_test
