// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/elements/FiniteElements.h"
#include "core/topology/BezierTopology.h"
#include "core/topology/ElementsOf.h"

namespace sofa::core {

/// Quadratic Bézier tetrahedra as finite elements: Bernstein's polynomials B_ii = α_i², B_ij = 2 α_i α_j of the
/// barycentric coordinates (Farin, "Curves and Surfaces for CAGD", chapter 17). They are not one at their own control
/// point, but are nowhere negative, sum to one and reproduce linear fields whose control points lie on them.
struct BezierTetrahedronShape
{
    using Element = BezierTetrahedron;
    static constexpr ElementType type = ElementType::Tetrahedra;
    static constexpr std::string_view name = "BezierTetrahedron";
    static constexpr std::size_t dimension = 3, nodes = 10;

    static constexpr std::array<double, 4> barycentric(const Vec3& q)
    {
        return {1. - q[0] - q[1] - q[2], q[0], q[1], q[2]};
    }
    static constexpr std::array<double, 10> values(const Vec3& q)
    {
        const std::array<double, 4> a = barycentric(q);
        std::array<double, 10> n{};
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i; j < 4; ++j) n[bezierControl[i][j]] = (i == j ? 1. : 2.) * a[i] * a[j];
        return n;
    }
    static constexpr std::array<Vec3, 10> gradients(const Vec3& q)
    {
        const std::array<double, 4> a = barycentric(q);
        const std::array<Vec3, 4> b = TetrahedronShape::gradients(q);
        std::array<Vec3, 10> g;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i; j < 4; ++j)
                g[bezierControl[i][j]] = (b[j] * a[i] + b[i] * a[j]) * (i == j ? 1. : 2.);
        return g;
    }
    /// The integrals of the products of two of these over an element of volume one with a straight rest shape: those
    /// of powers of barycentric coordinates are 3! a! b! c! d! / (a + b + c + d + 3)!.
    static const Mat<10>& straightProducts()
    {
        static const Mat<10> products = [] {
            constexpr double factorial[] = {1., 1., 2., 6., 24.};
            Mat<10> m;
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = i; j < 4; ++j)
                    for (std::size_t k = 0; k < 4; ++k)
                        for (std::size_t l = k; l < 4; ++l) {
                            std::array<std::size_t, 4> powers{};
                            for (const std::size_t factor : {i, j, k, l}) ++powers[factor];
                            double value = (i == j ? 1. : 2.) * (k == l ? 1. : 2.) * 6. / 5040.;
                            for (const std::size_t p : powers) value *= factorial[p];
                            m[bezierControl[i][j]][bezierControl[k][l]] = value;
                        }
            return m;
        }();
        return products;
    }
    /// Gauss's rule of 5 × 5 × 5 points on a cube whose sides are collapsed (Stroud, "Approximate Calculation of
    /// Multiple Integrals", 1971, section 2.4): exact for polynomials of degree 7, and so for the masses of curved rest
    /// shapes, whose Jacobian is of degree 3.
    static constexpr std::array<QuadraturePoint<3>, 125> quadrature = [] {
        constexpr std::array<double, 5> at{-0.9061798459386640, -0.5384693101056831, 0., 0.5384693101056831,
                                           0.9061798459386640};
        constexpr std::array<double, 5> weight{0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                               0.4786286704993665, 0.2369268850561891};
        std::array<QuadraturePoint<3>, 125> points{};
        std::size_t n = 0;
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 5; ++j)
                for (std::size_t k = 0; k < 5; ++k) {
                    const double u = 0.5 * (1. + at[i]), v = 0.5 * (1. + at[j]), w = 0.5 * (1. + at[k]);
                    points[n++] = {Vec3{u, v * (1. - u), w * (1. - u) * (1. - v)},
                                   0.125 * weight[i] * weight[j] * weight[k] * (1. - u) * (1. - u) * (1. - v)};
                }
        return points;
    }();
};

/// Quadratic Bézier triangles, in the same way.
struct BezierTriangleShape
{
    using Element = BezierTriangle;
    static constexpr ElementType type = ElementType::Triangles;
    static constexpr std::string_view name = "BezierTriangle";
    static constexpr std::size_t dimension = 2, nodes = 6;

    static constexpr std::array<double, 3> barycentric(const Vec2& q) { return {1. - q[0] - q[1], q[0], q[1]}; }
    static constexpr std::array<double, 6> values(const Vec2& q)
    {
        const std::array<double, 3> a = barycentric(q);
        std::array<double, 6> n{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = i; j < 3; ++j) n[bezierTriangleControl[i][j]] = (i == j ? 1. : 2.) * a[i] * a[j];
        return n;
    }
    static constexpr std::array<Vec2, 6> gradients(const Vec2& q)
    {
        const std::array<double, 3> a = barycentric(q);
        const std::array<Vec2, 3> b = TriangleShape::gradients(q);
        std::array<Vec2, 6> g;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = i; j < 3; ++j)
                g[bezierTriangleControl[i][j]] = (b[j] * a[i] + b[i] * a[j]) * (i == j ? 1. : 2.);
        return g;
    }
    /// Three barycentric coordinates {a, a, 1 − 2 a} and their permutations, twelve points with those of six, exact for
    /// polynomials of degree 6 (Dunavant, "High degree efficient symmetrical Gaussian quadrature rules for the
    /// triangle", 1985). Masses of straight shapes have degree 4.
    static constexpr std::array<QuadraturePoint<2>, 12> quadrature = [] {
        std::array<QuadraturePoint<2>, 12> points{};
        std::size_t n = 0;
        const auto add = [&](double x, double y, double weight) { points[n++] = {Vec2{x, y}, 0.5 * weight}; };
        for (const auto& [a, weight] :
             {std::array{0.249286745170910, 0.116786275726379}, std::array{0.063089014491502, 0.050844906370207}}) {
            add(a, a, weight);
            add(1. - 2. * a, a, weight);
            add(a, 1. - 2. * a, weight);
        }
        constexpr double a = 0.053145049844817, b = 0.310352451033784, c = 1. - a - b, weight = 0.082851075618374;
        for (const auto& [x, y] : {std::array{a, b}, std::array{b, a}, std::array{a, c}, std::array{c, a},
                                   std::array{b, c}, std::array{c, b}})
            add(x, y, weight);
        return points;
    }();
};

/// Whether a shape has control points.
template <class Shape>
inline constexpr bool isBezierShape =
    std::is_same_v<Shape, BezierTetrahedronShape> || std::is_same_v<Shape, BezierTriangleShape>;

/// The elements of a mesh that have a shape. Throws std::runtime_error if the mesh cannot have such.
template <class Shape>
const auto& elementsOf(const BaseMeshTopology& t)
{
    if constexpr (std::is_same_v<Shape, BezierTetrahedronShape>)
        return bezierTopologyOf(t).bezierTetrahedra();
    else if constexpr (std::is_same_v<Shape, BezierTriangleShape>)
        return bezierTopologyOf(t).bezierTriangles();
    else
        return elementsOf<Shape::type>(t);
}

}  // namespace sofa::core
