// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/FiniteElements.h"

#include <catch2/catch.hpp>

namespace finite_elements_test {

using namespace sofa::core;

#define ALL_SHAPES EdgeShape, TriangleShape, QuadShape, TetrahedronShape, HexahedronShape, PrismShape, PyramidShape

namespace {

/// A few points, some of them outside of the elements: the identities hold everywhere.
template <std::size_t D>
std::vector<Vec<D>> somePoints()
{
    std::vector<Vec<D>> points(4);
    const double scalars[] = {0.1, -0.3, 0.7, 0.25, 0.5, -0.9, 0.33, 0.41, 0.05, 0.6, 0.2, -0.1};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < D; ++k) points[i][k] = scalars[3 * i + k];
    return points;
}

/// ∫ q₀ᵃ q₁ᵇ q₂ᶜ over the reference element, from the closed forms of the interval, the simplex and the pyramid.
double exactIntegral(ElementType type, const std::array<int, 3>& p)
{
    const auto interval = [](int n) { return n % 2 ? 0. : 2. / (n + 1); };  // from −1 to 1
    const auto simplex = [&](int n) {
        double value = 1.;
        int sum = 0;
        for (int k = 0; k < n; ++k) {
            value *= std::tgamma(p[static_cast<std::size_t>(k)] + 1.);
            sum += p[static_cast<std::size_t>(k)];
        }
        return value / std::tgamma(sum + n + 1.);
    };
    switch (type) {
        case ElementType::Edges:
            return interval(p[0]);
        case ElementType::Triangles:
            return simplex(2);
        case ElementType::Quads:
            return interval(p[0]) * interval(p[1]);
        case ElementType::Tetrahedra:
            return simplex(3);
        case ElementType::Prisms:
            return simplex(2) / (p[2] + 1);
        default:  // pyramids are hexahedra whose top is collapsed: their reference coordinates fill the cube
            return interval(p[0]) * interval(p[1]) * interval(p[2]);
    }
}

/// Whether the rule claims to be exact for this monomial.
bool claimsExact(ElementType type, const std::array<int, 3>& p)
{
    const int total = p[0] + p[1] + p[2];
    switch (type) {
        case ElementType::Quads:
            return total <= 2;
        case ElementType::Hexahedra:
        case ElementType::Pyramids:
            return p[0] <= 3 && p[1] <= 3 && p[2] <= 3;
        case ElementType::Prisms:
            return p[0] + p[1] <= 1 && p[2] <= 3;
        default:
            return total <= 1;
    }
}

}  // namespace

TEMPLATE_TEST_CASE("Shape functions sum to one and are one at their own corner only", "[fem]", ALL_SHAPES)
{
    using Shape = TestType;
    for (const auto& q : somePoints<Shape::dimension>()) {
        double sum = 0.;
        for (const double n : Shape::values(q)) sum += n;
        CHECK(sum == Approx(1.).epsilon(1e-15));
    }
    for (std::size_t i = 0; i < Shape::nodes; ++i) {
        const auto n = Shape::values(Shape::corners[i]);
        for (std::size_t j = 0; j < Shape::nodes; ++j) CHECK(n[j] == (i == j ? 1. : 0.));
    }
}

TEMPLATE_TEST_CASE("Gradients are the derivatives of the shape functions", "[fem]", ALL_SHAPES)
{
    using Shape = TestType;
    // Shape functions are quadratic at most along each axis: central differences are exact but for rounding.
    const double h = 0.25;
    for (const auto& q : somePoints<Shape::dimension>()) {
        const auto g = Shape::gradients(q);
        Vec<Shape::dimension> sum;
        for (std::size_t k = 0; k < Shape::dimension; ++k) {
            auto low = q, high = q;
            low[k] -= h;
            high[k] += h;
            const auto a = Shape::values(low), b = Shape::values(high);
            for (std::size_t i = 0; i < Shape::nodes; ++i)
                CHECK(g[i][k] == Approx((b[i] - a[i]) / (2. * h)).margin(1e-14));
        }
        for (const auto& v : g) sum += v;
        CHECK(norm(sum) < 1e-15);
    }
}

TEMPLATE_TEST_CASE("Quadrature rules are exact for the polynomials that they claim, and not for all", "[fem]",
                   ALL_SHAPES)
{
    using Shape = TestType;
    int inexact = 0;
    for (int a = 0; a <= 4; ++a)
        for (int b = 0; b <= (Shape::dimension > 1 ? 4 : 0); ++b)
            for (int c = 0; c <= (Shape::dimension > 2 ? 4 : 0); ++c) {
                double sum = 0.;
                for (const auto& [q, weight] : Shape::quadrature) {
                    double term = weight;
                    const std::array<int, 3> powers{a, b, c};
                    for (std::size_t k = 0; k < Shape::dimension; ++k) term *= std::pow(q[k], powers[k]);
                    sum += term;
                }
                const double exact = exactIntegral(Shape::type, {a, b, c});
                INFO("powers " << a << ' ' << b << ' ' << c);
                if (claimsExact(Shape::type, {a, b, c}))
                    CHECK(sum == Approx(exact).margin(2e-15));
                else if (std::abs(sum - exact) > 1e-6)
                    ++inexact;
            }
    CHECK(inexact > 0);
}

TEMPLATE_TEST_CASE("Elements reproduce linear fields and measure affine images", "[fem]", ALL_SHAPES)
{
    using Shape = TestType;
    constexpr std::size_t M = Shape::dimension;
    // An affine image in space, then one in the element's own dimension that reverses the orientation.
    std::array<Vec3, Shape::nodes> x;
    std::array<Vec<M>, Shape::nodes> mirrored;
    const Mat3 map = Mat3::fromColumns(Vec3{2., 0.5, 0.}, Vec3{-0.3, 1., 0.4}, Vec3{0.2, 0., 3.});
    Mat<3, M> columns;
    for (std::size_t i = 0; i < Shape::nodes; ++i) {
        for (std::size_t k = 0; k < M; ++k) x[i] += map.column(k) * Shape::corners[i][k];
        mirrored[i] = Shape::corners[i];
        mirrored[i][0] *= -2.;
    }
    for (std::size_t k = 0; k < M; ++k) columns.setColumn(k, map.column(k));
    const Vec3 slope{0.3, -0.7, 1.1};
    double measure = 0., reference = 0.;
    for (const auto& [q, weight] : Shape::quadrature) {
        const auto dn = Shape::gradients(q);
        const Mat<3, M> j = elementJacobian(x, dn);
        measure += weight * elementMeasure(j);
        const auto g = spatialGradients(j, dn);
        Vec3 gradient;
        for (std::size_t i = 0; i < Shape::nodes; ++i) gradient += g[i] * dot(slope, x[i]);
        // The part of the slope that is tangential to the element.
        for (std::size_t k = 0; k < M; ++k) CHECK(dot(gradient - slope, map.column(k)) == Approx(0.).margin(1e-14));
        if (M < 3) CHECK(dot(gradient, cross(map.column(0), map.column(M - 1))) == Approx(0.).margin(1e-14));
        const double signedMeasure = elementMeasure(elementJacobian(mirrored, dn));
        CHECK(signedMeasure < 0.);
        reference -= 0.5 * weight * signedMeasure;
    }
    const double factor = M == 3   ? determinant(map)
                          : M == 2 ? norm(cross(map.column(0), map.column(1)))
                                   : norm(map.column(0));
    CHECK(measure == Approx(factor * reference));
    const double expected = exactIntegral(Shape::type, {0, 0, 0});
    if (Shape::type != ElementType::Pyramids)
        CHECK(reference == Approx(expected));
    else
        CHECK(reference == Approx(8. / 3.));  // a third of base times height
}

}  // namespace finite_elements_test
