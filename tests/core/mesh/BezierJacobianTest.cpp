// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/mesh/BezierJacobian.h"

#include <catch2/catch.hpp>

#include "core/fem/elements/BezierShape.h"
#include "core/math/Mat.h"
#include "tests/core/geometry/GeometryRandom.h"

namespace bezier_jacobian_test {

using namespace sofa::core;

namespace {

using Control = std::array<Vec3, 10>;

/// The unit tetrahedron, its control points moved by up to `size`.
Control element(sofa::test::GeometryRandom& random, double size)
{
    Control x;
    const std::array<Vec3, 4> corner{Vec3{}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i; j < 4; ++j)
            x[bezierControl[i][j]] = (corner[i] + corner[j]) * 0.5 + random.point() * (i == j ? 0. : size);
    return x;
}

double jacobianAt(const Control& x, const Vec3& q)
{
    const auto g = BezierTetrahedronShape::gradients(q);
    Mat3 j;
    for (std::size_t k = 0; k < 10; ++k)
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b) j[a][b] += x[k][a] * g[k][b];
    return determinant(j);
}

}  // namespace

TEST_CASE("Jacobian of Bézier tetrahedra: the bound holds everywhere, and the value is that at its place", "[mesh]")
{
    sofa::test::GeometryRandom random(5);
    std::size_t folded = 0, divided = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Control x = element(random, 0.05 + 0.0015 * trial);
        double sampled = 1e300, largest = 0.;
        for (int i = 0; i <= 12; ++i)
            for (int j = 0; i + j <= 12; ++j)
                for (int k = 0; i + j + k <= 12; ++k) {
                    const double d = jacobianAt(x, {i / 12., j / 12., k / 12.});
                    sampled = std::min(sampled, d);
                    largest = std::max(largest, std::abs(d));
                }
        for (const double tolerance : {1e-2, 1e-5}) {
            const LowestJacobian lowest = lowestJacobian(x, tolerance);
            CHECK(lowest.bound <= lowest.value);
            CHECK(lowest.value - lowest.bound <= 10. * tolerance * largest);  // of coefficients, which are larger
            CHECK(lowest.bound <= sampled + 1e-12);
            CHECK(lowest.value <= sampled + 10. * tolerance * largest);
            const auto& p = lowest.place;
            CHECK(p[0] + p[1] + p[2] + p[3] == Approx(1.));
            CHECK(jacobianAt(x, {p[1], p[2], p[3]}) == Approx(lowest.value).margin(1e-12));
            divided += *std::max_element(p.begin(), p.end()) < 1.;
        }
        folded += lowestJacobian(x).value < 0.;
    }
    CHECK(folded > 30);
    CHECK(folded < 270);
    CHECK(divided > 30);
}

TEST_CASE("Jacobian of a tetrahedron with straight edges is six times its volume", "[mesh]")
{
    sofa::test::GeometryRandom random(2);
    Control x = element(random, 0.);
    for (const double sign : {1., -1.}) {
        const LowestJacobian lowest = lowestJacobian(x);
        CHECK(lowest.value == Approx(sign));
        CHECK(lowest.bound == Approx(sign));
        for (Vec3& p : x) p = -p;
    }
    CHECK(lowestJacobian(Control{}).bound == 0.);
}

TEST_CASE("Jacobian of a tetrahedron that is folded where no point of a rule of quadrature is", "[mesh]")
{
    sofa::test::GeometryRandom random(1);
    Control x = element(random, 0.);
    x[bezierControl[0][1]] = {0.3, 0.2, 0.};
    x[bezierControl[0][2]] = {0.33, 0.2, 0.};
    for (const auto& [at, weight] : BezierTetrahedronShape::quadrature) CHECK(jacobianAt(x, at) > 0.1);
    const LowestJacobian lowest = lowestJacobian(x);
    CHECK(lowest.value == Approx(-0.024));
    CHECK(lowest.place == std::array<double, 4>{1., 0., 0., 0.});
    x[bezierControl[0][2]] = {0.3, 0.21, 0.};
    CHECK(lowestJacobian(x).bound > 0.);
}

}  // namespace bezier_jacobian_test
