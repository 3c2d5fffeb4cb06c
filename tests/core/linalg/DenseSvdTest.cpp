// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/DenseSvd.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/linalg/BlockAssembler.h"

namespace dense_svd_test {

using namespace sofa::core;

namespace {

using Values = std::vector<double>;

/// The dense matrix of these rows.
struct DenseMatrix
{
    DenseMatrix(int size, const Values& entries) : n(size), values(entries)
    {
        assembler.begin(n, n, 1);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) assembler.add(i, j, &values[static_cast<std::size_t>(i * n + j)], 1, 1, 1, 1.);
        matrix = &assembler.end();
    }
    Values times(const Values& x) const
    {
        Values y(x.size());
        matrix->multiply(x, y);
        return y;
    }
    Values transposeTimes(const Values& x) const
    {
        Values y(x.size());
        matrix->addTransposeMultiply(x, y);
        return y;
    }

    int n;
    Values values;
    BlockAssembler assembler;
    const BlockCsrMatrix* matrix;
};

double dot(const Values& a, const Values& b)
{
    double sum = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

}  // namespace

TEST_CASE("Singular values are those that are known", "[linalg]")
{
    DenseSvd svd;
    // [[3, 0], [4, 5]]: √45 and √5. Symmetric with eigenvalues 3 and −1. Diagonal with a sign.
    REQUIRE(svd.factorize(*DenseMatrix(2, {3., 0., 4., 5.}).matrix) == FactorizationStatus::ok);
    CHECK(svd.singularValues()[0] == Approx(std::sqrt(45.)).epsilon(1e-14));
    CHECK(svd.singularValues()[1] == Approx(std::sqrt(5.)).epsilon(1e-14));
    CHECK(svd.conditionNumber() == Approx(3.).epsilon(1e-14));
    svd.factorize(*DenseMatrix(2, {1., 2., 2., 1.}).matrix);
    CHECK(svd.singularValues()[0] == Approx(3.).epsilon(1e-14));
    CHECK(svd.singularValues()[1] == Approx(1.).epsilon(1e-14));
    Values x(2);
    svd.solve(Values{3., 0.}, x);
    CHECK(x[0] == Approx(-1.).epsilon(1e-14));
    CHECK(x[1] == Approx(2.).epsilon(1e-14));

    // The condition number of Hilbert's matrix of 5 × 5 (Higham, Accuracy and Stability, section 28.1).
    Values hilbert;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) hilbert.push_back(1. / (i + j + 1));
    svd.factorize(*DenseMatrix(5, hilbert).matrix);
    CHECK(svd.conditionNumber() == Approx(476607.2502).epsilon(1e-9));
    CHECK(svd.rank() == 5);
}

TEST_CASE("A matrix of deficient rank is solved by its pseudo-inverse", "[linalg]")
{
    // A = u1 v1ᵀ + 2 u2 v2ᵀ + ... of random vectors: rank 3 of 6, once symmetric.
    std::mt19937 gen(4);
    std::uniform_real_distribution<double> value(-1., 1.);
    for (const bool symmetric : {false, true}) {
        Values a(36);
        for (int k = 0; k < 3; ++k) {
            Values u(6), v(6);
            for (int i = 0; i < 6; ++i) {
                u[static_cast<std::size_t>(i)] = value(gen);
                v[static_cast<std::size_t>(i)] = symmetric ? u[static_cast<std::size_t>(i)] : value(gen);
            }
            for (std::size_t i = 0; i < 36; ++i) a[i] += (k - 1.5) * u[i / 6] * v[i % 6];
        }
        const DenseMatrix m(6, a);
        REQUIRE(m.matrix->isSymmetric(1e-14) == symmetric);
        DenseSvd svd;
        REQUIRE(svd.factorize(*m.matrix) == FactorizationStatus::ok);
        CHECK(svd.rank() == 3);
        CHECK(svd.report().zeroPivots == 3);
        Values b(12), x(12);
        for (double& v : b) v = value(gen);
        svd.solve(b, x, 2);
        for (std::size_t c = 0; c < 2; ++c) {
            const Values solution(x.begin() + 6 * static_cast<int>(c), x.begin() + 6 * static_cast<int>(c + 1));
            // Least squares: the residual is orthogonal to the range of A.
            Values r = m.times(solution);
            for (std::size_t i = 0; i < 6; ++i) r[i] -= b[6 * c + i];
            CHECK(std::sqrt(dot(r, r)) > 1e-2);
            for (const double v : m.transposeTimes(r)) CHECK(std::abs(v) < 1e-13);
            // The shortest: orthogonal to the null space. x = Aᵀ w for some w, and A A⁺ A = A gives it back.
            Values back(6);
            svd.solve(m.times(solution), back);
            for (std::size_t i = 0; i < 6; ++i) CHECK(back[i] == Approx(solution[i]).margin(1e-12));
        }
    }
}

TEST_CASE("What counts as zero is a fraction of the largest singular value, or a number", "[linalg]")
{
    const DenseMatrix m(3, {1e-3, 0., 0., 0., 1e-6, 0., 0., 0., 1e-9});
    DenseSvd svd;
    const auto rank = [&](double bound, bool absolute) {
        svd.setSmallest(bound, absolute);
        svd.factorize(*m.matrix);
        return svd.rank();
    };
    CHECK(rank(1e-13, false) == 3);
    CHECK(rank(1e-5, false) == 2);
    CHECK(svd.report().zeroPivotRows == Vector<int>{2});
    CHECK(rank(1e-5, true) == 1);
    CHECK(svd.report().zeroPivotRows == Vector<int>{1, 2});
    CHECK(rank(1., true) == 0);
    Values x(3, 7.);
    svd.solve(Values{1., 2., 3.}, x);
    CHECK(x == Values{0., 0., 0.});
    CHECK(DenseSvd().conditionNumber() == 1.);
    svd.factorize(*DenseMatrix(2, {1., 0., 0., 0.}).matrix);
    CHECK(std::isinf(svd.conditionNumber()));
    CHECK(svd.factorize(*DenseMatrix(2, {1., 0., 0., std::nan("")}).matrix) == FactorizationStatus::notFinite);
    CHECK_THROWS_WITH(svd.solve(x, x), Catch::Contains("expected 2"));
}

}  // namespace dense_svd_test
