// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/materials/LinearElasticity.h"

#include <catch2/catch.hpp>

using namespace sofa::core;

TEST_CASE("Lamé's parameters give back Young's modulus and Poisson's ratio", "[fem]")
{
    for (const double nu : {0., 0.1, 0.3, 0.45, 0.499}) {
        const LameParameters p = lameParameters(1234., nu);
        CHECK(p.mu * (3. * p.lambda + 2. * p.mu) / (p.lambda + p.mu) == Approx(1234.));
        CHECK(p.lambda / (2. * (p.lambda + p.mu)) == Approx(nu).margin(1e-15));
    }
}

TEST_CASE("In the plane and on a line, no stress across leaves E and ν as they are", "[fem]")
{
    const double young = 200., nu = 0.3, strain = 0.01;
    const LameParameters plane = lameParameters(young, nu, 2);
    Mat2 g;
    g[0][0] = strain;
    g[1][1] = -nu * strain;
    const Mat2 s = isotropicStress(g, plane.lambda, plane.mu);
    CHECK(s[0][0] == Approx(young * strain));
    CHECK(s[1][1] == Approx(0.).margin(1e-13));
    const LameParameters line = lameParameters(young, nu, 1);
    CHECK(line.lambda + 2. * line.mu == Approx(young));
}

TEST_CASE("Impossible materials are refused with the value", "[fem]")
{
    CHECK_THROWS_WITH(lameParameters(1., 0.5), Catch::Contains("Poisson's ratio") && Catch::Contains("0.5"));
    CHECK_THROWS_WITH(lameParameters(1., std::nan("")), Catch::Contains("Poisson's ratio"));
    CHECK_THROWS_WITH(lameParameters(1., -1.), Catch::Contains("Poisson's ratio"));
    CHECK_THROWS_WITH(lameParameters(-2., 0.3), Catch::Contains("Young's modulus") && Catch::Contains("-2"));
    CHECK_THROWS_WITH(lameParameters(std::nan(""), 0.3), Catch::Contains("Young's modulus"));
    CHECK_NOTHROW(lameParameters(0., 0.));
}

TEST_CASE("Uniaxial stress stretches by E and contracts by ν", "[fem]")
{
    const double young = 200., nu = 0.3, strain = 0.01;
    const LameParameters p = lameParameters(young, nu);
    Mat3 g;
    g[0][0] = strain;
    g[1][1] = g[2][2] = -nu * strain;
    const Mat3 s = isotropicStress(g, p.lambda, p.mu);
    CHECK(s[0][0] == Approx(young * strain));
    CHECK(s[1][1] == Approx(0.).margin(1e-13));
    CHECK(vonMisesStress(s) == Approx(young * strain));
    CHECK(0.5 * doubleContraction(s, g) == Approx(0.5 * young * strain * strain));
}

TEST_CASE("Shear stress is μ times the engineering shear", "[fem]")
{
    const LameParameters p = lameParameters(200., 0.3);
    Mat3 g;
    g[0][1] = 0.02;
    const Mat3 s = isotropicStress(g, p.lambda, p.mu);
    CHECK(s[0][1] == Approx(p.mu * 0.02));
    CHECK(s[1][0] == s[0][1]);
    CHECK(vonMisesStress(s) == Approx(std::sqrt(3.) * p.mu * 0.02));
    CHECK(vonMisesStress(Mat3::identity() * 5.) == 0.);
}

TEST_CASE("The stiffness block is that of strain-displacement and elasticity matrices", "[fem]")
{
    const double lambda = 3., mu = 2.;
    const Vec3 a{0.3, -1.2, 0.7}, b{2., 0.5, -0.4};
    const auto strain = [](const Vec3& n) {
        Mat<6, 3> m;
        for (std::size_t i = 0; i < 3; ++i) m[i][i] = n[i];
        m[3] = {n[1], n[0], 0.};
        m[4] = {0., n[2], n[1]};
        m[5] = {n[2], 0., n[0]};
        return m;
    };
    Mat<6, 6> d;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) d[i][j] = lambda;
        d[i][i] += 2. * mu;
        d[i + 3][i + 3] = mu;
    }
    const Mat3 expected = strain(a).transposed() * (d * strain(b));
    CHECK(norm(expected) > 1.);
    CHECK(norm(isotropicStiffnessBlock(a, b, lambda, mu) - expected) < 1e-14);
}
