// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/VectorKernels.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"
#include "tests/harness/ParallelGuard.h"

namespace vector_kernels_test {

using namespace sofa::core;

namespace {

std::vector<double> randomVector(std::size_t n, unsigned seed)
{
    std::mt19937 gen(seed);
    std::uniform_real_distribution<double> value(-1., 1.);
    std::vector<double> x(n);
    for (double& v : x) v = value(gen);
    return x;
}

/// Everything that the kernels compute of four vectors, one after the other.
std::vector<double> all(std::size_t n)
{
    const auto a = randomVector(n, 1), b = randomVector(n, 2);
    auto y = randomVector(n, 3), r = randomVector(n, 4);
    std::vector<double> result{vector::dot(a, b)};
    vector::addScaled(y, a, 0.3);
    vector::scaleAndAdd(y, -1.7, b);
    auto p = a;
    result.push_back(vector::updateResidual(r, b, 0.9));
    vector::updateDirection(y, p, r, 0.9, 0.);
    result.insert(result.end(), y.begin(), y.end());
    result.insert(result.end(), r.begin(), r.end());
    // Another step, along b.
    p = b;
    result.push_back(vector::updateResidual(r, a, -0.4));
    vector::updateDirection(y, p, r, 0.7, -1.2);
    for (const auto* v : {&y, &p, &r}) result.insert(result.end(), v->begin(), v->end());
    return result;
}

}  // namespace

TEST_CASE("vector kernels compute what they say", "[linalg]")
{
    for (const std::size_t n : {0u, 1u, 7u, 31u, 32u, 33u, 100u, 20000u}) {
        const auto a = randomVector(n, 1), b = randomVector(n, 2), y = randomVector(n, 3), r = randomVector(n, 4);
        const auto result = all(n);
        long double ab = 0., rr = 0.;
        double worst = 0.;
        for (std::size_t i = 0; i < n; ++i) {
            ab += static_cast<long double>(a[i]) * b[i];
            const double moved = (y[i] + 0.3 * a[i]) * -1.7 + b[i] + 0.9 * a[i], rest = r[i] - 0.9 * b[i];
            rr += static_cast<long double>(rest) * rest;
            worst = std::max({worst, std::abs(result[2 + i] - moved), std::abs(result[2 + n + i] - rest)});
        }
        long double square = 0.;
        for (std::size_t i = 0; i < n; ++i) {
            const double moved = (y[i] + 0.3 * a[i]) * -1.7 + b[i] + 0.9 * a[i] + 0.7 * b[i],
                         rest = r[i] - 0.9 * b[i] + 0.4 * a[i];
            square += static_cast<long double>(rest) * rest;
            const double* halves = result.data() + 3 + 2 * n + i;
            worst = std::max({worst, std::abs(halves[0] - moved), std::abs(halves[n] - (rest - 1.2 * b[i])),
                              std::abs(halves[2 * n] - rest)});
        }
        CHECK(worst < 1e-14);
        CHECK(std::abs(result[2 + 2 * n] - static_cast<double>(square)) <= 1e-15 * static_cast<double>(n));
        CHECK(std::abs(result[0] - static_cast<double>(ab)) <= 1e-13 * std::sqrt(static_cast<double>(n)));
        CHECK(std::abs(result[1] - static_cast<double>(rr)) <= 1e-15 * static_cast<double>(n));
    }
}

TEST_CASE("vector kernels give the same bits for any instruction set and number of threads", "[linalg]")
{
    const sofa::test::ParallelGuard guard;
    const std::size_t n = 3 * 16384 + 77;
    setThreadCount(1);
    const auto reference = all(n);
    for (const SimdLevel level : {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512})
        for (const unsigned threads : {1u, 2u, 4u}) {
            setSimdLevel(level);
            setThreadCount(threads);
            CHECK(all(n) == reference);
        }
}

}  // namespace vector_kernels_test
