// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/math/NegativePart.h"

#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>
#include <vector>

namespace negative_part_test {

using namespace sofa::core;

namespace {

/// A matrix with these eigenvalues: H D H for the reflection H = 1 − 2 v vᵀ / |v|², which is symmetric and orthogonal.
template <std::size_t M>
Mat<M, M> withEigenvalues(const Vec<M>& values, const Vec<M>& v)
{
    Mat<M, M> h = Mat<M, M>::identity(), d;
    for (std::size_t i = 0; i < M; ++i) {
        d[i][i] = values[i];
        for (std::size_t j = 0; j < M; ++j) h[i][j] -= 2. * v[i] * v[j] / norm2(v);
    }
    return h * d * h;
}

template <std::size_t M>
double distance(const Mat<M, M>& a, const Mat<M, M>& b)
{
    double most = 0.;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < M; ++j) most = std::max(most, std::abs(a[i][j] - b[i][j]));
    return most;
}

template <std::size_t M>
void check(std::mt19937& random)
{
    std::uniform_real_distribution<double> number(-1., 1.);
    Vec<M> values, negative, v;
    for (std::size_t i = 0; i < M; ++i) {
        values[i] = (i % 2 == 0 ? 1. : -1.) * (1. + std::abs(number(random)));
        negative[i] = std::min(values[i], 0.);
        v[i] = number(random);
    }
    const Mat<M, M> k = withEigenvalues(values, v), expected = withEigenvalues(negative, v);
    REQUIRE(distance(k, expected) > 0.1);
    CHECK(distance(negativePart(k), expected) < 1e-13);

    // Of any matrix that of its symmetric part.
    std::vector<double> all(M * M);
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < M; ++j) all[M * i + j] = k[i][j] + (i < j ? 0.5 : i > j ? -0.5 : 0.);
    takeNegativePart(all, M);
    Mat<M, M> taken;
    for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < M; ++j) taken[i][j] = all[M * i + j];
    CHECK(distance(taken, expected) < 1e-13);
}

}  // namespace

TEST_CASE("the negative part of a matrix has its negative eigenvalues, and their eigenvectors")
{
    std::mt19937 random(3);
    check<3>(random);
    check<6>(random);
    check<9>(random);
    check<12>(random);
    CHECK(distance(negativePart(Mat3::identity()), Mat3()) == 0.);
    std::vector<double> wrong(5);
    CHECK_THROWS_AS(takeNegativePart(wrong, 2), std::invalid_argument);
}

}  // namespace negative_part_test
