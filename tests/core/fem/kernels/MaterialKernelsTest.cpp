// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/kernels/MaterialKernels.h"

#include <cmath>
#include <limits>

#include "core/math/Decompositions.h"
#include "core/parallel/SimdLevel.h"
#include "tests/core/fem/FemTestUtilities.h"

namespace material_kernels_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct LevelGuard
{
    ~LevelGuard() { setSimdLevel(SimdLevel::avx512); }
};

const auto levels = {SimdLevel::scalar, SimdLevel::avx2, SimdLevel::avx512};

/// Largest distance, in units in the last place, between f(x) of the kernels and of the standard library.
double worstError(void (*kernel)(const double*, double*), double (*f)(double), const std::vector<double>& x)
{
    double worst = 0.;
    for (std::size_t i = 0; i + 8 <= x.size(); i += 8) {
        alignas(64) double in[8], out[8];
        std::copy_n(&x[i], 8, in);
        kernel(in, out);
        for (int l = 0; l < 8; ++l) {
            const double exact = f(in[l]);
            const double ulp =
                std::nextafter(std::abs(exact), std::numeric_limits<double>::infinity()) - std::abs(exact);
            worst = std::max(worst, std::abs(out[l] - exact) / ulp);
        }
    }
    return worst;
}

/// Matrices of every kind: random, nearly singular, singular, inverted, with equal singular values, tiny and large.
std::vector<Mat3> matrices()
{
    std::vector<Mat3> all;
    std::mt19937 random(5);
    std::uniform_real_distribution<double> d(-1., 1.);
    const auto any = [&] {
        Mat3 m;
        for (auto& row : m.m)
            for (double& v : row) v = d(random);
        return m;
    };
    const auto diagonal = [](double a, double b, double c) {
        Mat3 m;
        m[0][0] = a;
        m[1][1] = b;
        m[2][2] = c;
        return m;
    };
    for (int i = 0; i < 200; ++i) all.push_back(any());
    for (int i = 0; i < 200; ++i) all.push_back(Mat3::identity() + any() * std::pow(10., -i % 16));
    const Mat3 r = someRotation();
    for (const double tiny : {0., 1e-100, 1e-20, 1e-8, 1e-3})
        for (const auto& m :
             {diagonal(1, 1, 1), diagonal(2, 1, tiny), diagonal(1, tiny, tiny), diagonal(tiny, tiny, tiny),
              diagonal(1, 1, -1), diagonal(3, 2, -2), diagonal(-1, -1, -1), diagonal(tiny, 1, -1)}) {
            all.push_back(m);
            all.push_back(r * m * r.transposed());
            all.push_back(m * r);
        }
    for (const double scale : {1e-30, 1e30}) all.push_back(any() * scale);
    while (all.size() % 8 != 0) all.push_back(any());
    return all;
}

}  // namespace

TEST_CASE("logarithm and exponential of packs are right to the last place", "[fem]")
{
    const LevelGuard guard;
    std::mt19937 random(1);
    std::vector<double> positive, exponents, nearOne;
    for (int i = 0; i < 80000; ++i) {
        positive.push_back(
            std::ldexp(1. + std::generate_canonical<double, 53>(random), static_cast<int>(random() % 2000) - 1000));
        exponents.push_back((std::generate_canonical<double, 53>(random) - 0.5) * 1400.);
        nearOne.push_back(1. + (std::generate_canonical<double, 53>(random) - 0.5) *
                                   std::pow(10., -static_cast<double>(random() % 15)));
    }
    for (const SimdLevel level : levels) {
        setSimdLevel(level);
        CHECK(worstError(materialKernels().logarithm, std::log, positive) <= 1.);
        CHECK(worstError(materialKernels().logarithm, std::log, nearOne) <= 1.);
        CHECK(worstError(materialKernels().exponential, std::exp, exponents) <= 1.);
        alignas(64) const double special[8] = {
            0.,   -1.,   std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1., -800.,
            800., 5e-324};
        alignas(64) double y[8];
        materialKernels().logarithm(special, y);
        CHECK(y[0] == -std::numeric_limits<double>::infinity());
        CHECK(std::isnan(y[1]));
        CHECK(y[2] == std::numeric_limits<double>::infinity());
        CHECK(std::isnan(y[3]));
        CHECK(y[4] == 0.);
        materialKernels().exponential(special, y);
        CHECK(y[0] == 1.);
        CHECK(y[2] == std::numeric_limits<double>::infinity());
        CHECK(std::isnan(y[3]));
        CHECK(y[5] == 0.);
        CHECK(y[6] == std::numeric_limits<double>::infinity());
    }
}

TEST_CASE("singular value decompositions of packs", "[fem]")
{
    const LevelGuard guard;
    const auto all = matrices();
    std::vector<double> reference;
    for (const SimdLevel level : levels) {
        setSimdLevel(level);
        std::vector<double> bits;
        double reconstruction = 0., orthogonality = 0., values = 0., determinants = 0.;
        bool ordered = true;
        for (std::size_t first = 0; first < all.size(); first += 8) {
            alignas(64) double f[72], u[72], s[24], v[72];
            for (std::size_t l = 0; l < 8; ++l)
                for (std::size_t k = 0; k < 9; ++k) f[8 * k + l] = all[first + l].data()[k];
            materialKernels().svd(f, u, s, v);
            bits.insert(bits.end(), u, u + 72);
            bits.insert(bits.end(), s, s + 24);
            bits.insert(bits.end(), v, v + 72);
            for (std::size_t l = 0; l < 8; ++l) {
                const Mat3& m = all[first + l];
                Mat3 left, right, middle;
                double size = 0.;
                for (std::size_t k = 0; k < 9; ++k) {
                    left.data()[k] = u[8 * k + l];
                    right.data()[k] = v[8 * k + l];
                    size = std::max(size, std::abs(m.data()[k]));
                }
                for (std::size_t k = 0; k < 3; ++k) middle[k][k] = s[8 * k + l];
                const auto distance = [](const Mat3& a, const Mat3& b) {
                    double d = 0.;
                    for (std::size_t k = 0; k < 9; ++k) d = std::max(d, std::abs(a.data()[k] - b.data()[k]));
                    return d;
                };
                if (size > 0.)
                    reconstruction = std::max(reconstruction, distance(left * middle * right.transposed(), m) / size);
                orthogonality = std::max({orthogonality, distance(left * left.transposed(), Mat3::identity()),
                                          distance(right * right.transposed(), Mat3::identity())});
                determinants =
                    std::max({determinants, std::abs(determinant(left) - 1.), std::abs(determinant(right) - 1.)});
                const Svd3 exact = svd(m);
                for (std::size_t k = 0; k < 3; ++k)
                    if (size > 0.)
                        values = std::max(values, std::abs(std::abs(s[8 * k + l]) - std::abs(exact.s[k])) / size);
                const double slack = 1e-15 * size;
                ordered = ordered && s[l] >= s[8 + l] - slack && s[8 + l] >= std::abs(s[16 + l]) - slack &&
                          s[8 + l] >= -slack;
            }
        }
        CHECK(reconstruction < 4e-15);
        CHECK(orthogonality < 4e-15);
        CHECK(determinants < 4e-15);
        CHECK(values < 4e-15);
        CHECK(ordered);
        if (reference.empty()) reference = bits;
        CHECK(bits == reference);
    }
}

TEST_CASE("a lane does not depend on the others of its pack", "[fem]")
{
    const auto all = matrices();
    alignas(64) double f[72], u[72], s[24], v[72], s2[24], u2[72], v2[72];
    for (std::size_t first = 0; first + 8 <= all.size(); first += 8) {
        for (std::size_t l = 0; l < 8; ++l)
            for (std::size_t k = 0; k < 9; ++k) f[8 * k + l] = all[first + l].data()[k];
        materialKernels().svd(f, u, s, v);
        // Lane 2 alone among identities.
        for (std::size_t l = 0; l < 8; ++l)
            for (std::size_t k = 0; k < 9; ++k)
                if (l != 2) f[8 * k + l] = Mat3::identity().data()[k];
        materialKernels().svd(f, u2, s2, v2);
        for (std::size_t k = 0; k < 9; ++k) {
            CHECK(u[8 * k + 2] == u2[8 * k + 2]);
            CHECK(v[8 * k + 2] == v2[8 * k + 2]);
        }
    }
}

}  // namespace material_kernels_test
