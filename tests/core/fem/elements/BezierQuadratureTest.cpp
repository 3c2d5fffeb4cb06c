// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/BezierQuadrature.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/fem/elements/BezierShape.h"

namespace bezier_quadrature_test {

using namespace sofa::core;

namespace {

double factorial(int n) { return n < 2 ? 1. : n * factorial(n - 1); }

/// A straight element, one of whose faces bulges by a part of its size.
Vector<Vec3> bulging(double bulge)
{
    Vector<Vec3> x{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    for (const auto& [a, b] : bezierEdges) {
        const bool far = a > 0 && b > 0;
        x.push_back((x[a] + x[b]) * 0.5 + Vec3{1., 1., 1.} * (far ? bulge : 0.));
    }
    return x;
}

const Vector<BezierTetrahedron> one{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};

}  // namespace

TEST_CASE("Rules for quadratic tetrahedra integrate polynomials of their degree", "[fem]")
{
    const std::size_t counts[] = {14, 64, 125, 216, 343, 512};
    for (int level = 0; level < bezierQuadratureLevels; ++level) {
        CAPTURE(level);
        const auto& rule = bezierQuadrature(level);
        REQUIRE(rule.points.size() == counts[level]);
        const int degree = 2 * level + 5;
        double largest = 0., beyond = 0.;
        for (int a = 0; a <= degree + 3; ++a)
            for (int b = 0; a + b <= degree + 3; ++b)
                for (int c = 0; a + b + c <= degree + 3; ++c) {
                    double sum = 0.;
                    for (const auto& p : rule.points)  // the gradient of α² is 2 α ∇α
                        sum += p.weight * std::pow(p.gradients[1][0] / 2., a) * std::pow(p.gradients[2][1] / 2., b) *
                               std::pow(p.gradients[3][2] / 2., c);
                    const double exact = factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
                    double& error = a + b + c <= degree ? largest : beyond;
                    error = std::max(error, std::abs(sum / exact - 1.));
                }
        CHECK(largest < 1e-10);
        CHECK(beyond > 1e-6);  // and no higher ones
    }
    CHECK(&bezierQuadrature(99) == &bezierQuadrature(bezierQuadratureLevels - 1));
}

TEST_CASE("The order of the quadrature follows the estimated error", "[fem]")
{
    CHECK(chooseBezierQuadrature(one, bulging(0.), 1e-12).level == 0);
    int before = 0;
    for (const double bulge : {0.02, 0.1, 0.2}) {
        CAPTURE(bulge);
        const Vector<Vec3> x = bulging(bulge);
        const auto loose = chooseBezierQuadrature(one, x, 1e-2), tight = chooseBezierQuadrature(one, x, 1e-6);
        CHECK(loose.level <= tight.level);
        CHECK(tight.level >= before);
        CHECK(tight.worst == InvalidIndex);
        CHECK(tight.error <= 1e-6);
        before = tight.level;
        // The volume, of degree 3, is exact with all rules: V + what the face bulges by.
        for (int level = 0; level < bezierQuadratureLevels; ++level) {
            const auto volumeBy = [&](int at) {
                double sum = 0.;
                for (const auto& p : bezierQuadrature(at).points) {
                    Mat3 j;
                    for (std::size_t k = 0; k < 10; ++k)
                        for (std::size_t i = 0; i < 3; ++i) j[i] += p.gradients[k] * x[k][i];
                    sum += p.weight * determinant(j);
                }
                return sum;
            };
            CHECK(volumeBy(level) == Approx(volumeBy(bezierQuadratureLevels - 1)).epsilon(1e-12));
            CHECK(volumeBy(level) > 1. / 6.);
        }
    }
    CHECK(before > 0);
    // Nearly folded: no rule is good enough.
    const auto bad = chooseBezierQuadrature(one, bulging(-0.1666), 1e-10);
    CHECK(bad.worst == 0);
    CHECK(bad.error > 1e-10);
}

}  // namespace bezier_quadrature_test
