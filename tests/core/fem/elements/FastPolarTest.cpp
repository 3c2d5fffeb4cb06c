// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/FastPolar.h"

#include <catch2/catch.hpp>

#include <random>

#include "core/math/Decompositions.h"

namespace fast_polar_test {

using namespace sofa::core;

namespace {

/// Random matrices with chosen singular values (the last one signed) and random rotations on both sides.
class RandomMatrices
{
public:
    double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(m_random); }
    Mat3 matrix()
    {
        Mat3 m;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) m[i][j] = uniform(-1., 1.);
        return m;
    }
    Mat3 withValues(const Vec3& s)
    {
        const Svd3 d = svd(matrix());
        Mat3 m;
        for (std::size_t i = 0; i < 3; ++i) m[i][i] = s[i];
        return d.u * (m * d.v.transposed());
    }

private:
    std::mt19937 m_random{5};
};

}  // namespace

TEST_CASE("Closed-form polar factors are those of the reference", "[fem]")
{
    RandomMatrices random;
    double worstRotation = 0., worstOrthogonal = 0.;
    for (int k = 0; k < 20000; ++k) {
        const double sign = k % 2 ? 1. : -1.;
        // Values over three decades, all signs; the nearest rotation of an inverted F is unique if |s₂| is well below
        // s₁.
        const double s0 = std::pow(10., random.uniform(-1., 2.)), s1 = s0 * std::pow(10., random.uniform(-3., 0.));
        const Mat3 f = random.withValues({s0, s1, sign * s1 * random.uniform(0., 0.9)});
        worstRotation = std::max(worstRotation, norm(fastPolarRotation(f) - polarRotation(f).r));
        const Mat3 g = random.withValues({s0, s1, sign * s1 * random.uniform(0.001, 1.)});
        worstOrthogonal = std::max(worstOrthogonal, norm(fastPolarOrthogonal(g) - polarOrthogonal(g).r));
    }
    CHECK(worstRotation < 1e-12);
    CHECK(worstOrthogonal < 1e-12);
}

TEST_CASE("Closed-form polar factors near rotations are accurate to rounding", "[fem]")
{
    RandomMatrices random;
    double worst = 0.;
    for (int k = 0; k < 5000; ++k) {
        const double scale = std::pow(10., random.uniform(-6., 6.));
        const auto value = [&] { return scale * random.uniform(0.5, 2.); };
        const Mat3 f = random.withValues({value(), value(), value()});
        const Mat3 r = fastPolarRotation(f);
        worst = std::max({worst, norm(r - polarRotation(f).r), norm(r.transposed() * r - Mat3::identity())});
    }
    CHECK(worst < 2e-14);
}

TEST_CASE("Closed-form polar factors hand over to the reference where they must", "[fem]")
{
    RandomMatrices random;
    for (const Vec3& s : {Vec3{1., 0., 0.}, Vec3{1., 1e-9, 1e-10}, Vec3{0., 0., 0.}, Vec3{1., 0.5, -0.4999},
                          Vec3{1e-100, 1e-100, 1e-100}, Vec3{1e100, 1e99, 1e98}}) {
        const Mat3 f = random.withValues(s);
        CHECK(fastPolarRotation(f) == polarRotation(f).r);
    }
    CHECK(fastPolarRotation(Mat3()) == Mat3::identity());
}

TEST_CASE("The fast frame of edges is that of the reference", "[fem]")
{
    RandomMatrices random;
    double worst = 0.;
    for (int k = 0; k < 20000; ++k) {
        const Mat3 m = random.matrix();
        const Vec3 x = m[0], y = x * random.uniform(-2., 2.) + m[1] * std::pow(10., random.uniform(-8., 2.));
        worst = std::max(worst, norm(fastEdgeFrame(x, y) - edgeFrame(x, y)));
    }
    CHECK(worst < 1e-11);
    CHECK(fastEdgeFrame({1., 2., 3.}, {2., 4., 6.}) == edgeFrame({1., 2., 3.}, {2., 4., 6.}));
    CHECK(fastEdgeFrame({}, {1., 0., 0.}) == edgeFrame({}, {1., 0., 0.}));
}

}  // namespace fast_polar_test
