// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <numbers>
#include <string_view>

#include "core/math/Mat.h"
#include "core/mesh/Elements.h"

/// Linear finite elements, one description for every force field and mass that integrates over them: shape functions
/// N_i on a reference element, their gradients ∂N_i/∂ξ and a quadrature rule (Hughes, "The Finite Element Method",
/// chapter 3; Zienkiewicz and Taylor, "The Finite Element Method", volume 1, chapters 8 and 9). The shape functions sum
/// to one, are one at their own node and zero at the others, and reproduce linear fields.
///
/// Reference coordinates ξ [1] run from −1 to 1 for edges, quads, hexahedra and pyramids (whose apex is the collapsed
/// side ξ₂ = 1 of a hexahedron), from 0 to 1 for triangles, tetrahedra and prisms. The rules are those of SOFA.
namespace sofa::core {

template <std::size_t D>
struct QuadraturePoint
{
    Vec<D> at;
    double weight;
};

struct EdgeShape
{
    using Element = Edge;
    static constexpr ElementType type = ElementType::Edges;
    static constexpr std::string_view name = "Edge";
    static constexpr std::size_t dimension = 1, nodes = 2;
    static constexpr std::array<Vec1, 2> corners{Vec1(-1.), Vec1(1.)};
    /// Exact for polynomials of degree 1.
    static constexpr std::array<QuadraturePoint<1>, 1> quadrature{{{Vec1(0.), 2.}}};

    static constexpr std::array<double, 2> values(const Vec1& q) { return {0.5 * (1. - q[0]), 0.5 * (1. + q[0])}; }
    static constexpr std::array<Vec1, 2> gradients(const Vec1&) { return {Vec1(-0.5), Vec1(0.5)}; }
};

struct TriangleShape
{
    using Element = Triangle;
    static constexpr ElementType type = ElementType::Triangles;
    static constexpr std::string_view name = "Triangle";
    static constexpr std::size_t dimension = 2, nodes = 3;
    static constexpr std::array<Vec2, 3> corners{Vec2{0., 0.}, Vec2{1., 0.}, Vec2{0., 1.}};
    /// Exact for polynomials of degree 1.
    static constexpr std::array<QuadraturePoint<2>, 1> quadrature{{{Vec2{1. / 3., 1. / 3.}, 0.5}}};

    static constexpr std::array<double, 3> values(const Vec2& q) { return {1. - q[0] - q[1], q[0], q[1]}; }
    static constexpr std::array<Vec2, 3> gradients(const Vec2&) { return {Vec2{-1., -1.}, Vec2{1., 0.}, Vec2{0., 1.}}; }
};

struct QuadShape
{
    using Element = Quad;
    static constexpr ElementType type = ElementType::Quads;
    static constexpr std::string_view name = "Quad";
    static constexpr std::size_t dimension = 2, nodes = 4;
    static constexpr std::array<Vec2, 4> corners{Vec2{-1., -1.}, Vec2{1., -1.}, Vec2{1., 1.}, Vec2{-1., 1.}};
    /// Three points, exact for polynomials of degree 2 (Stroud, "Approximate Calculation of Multiple Integrals", 1971):
    /// (√(2/3), 0) and (−1/√6, ±1/√2).
    static constexpr std::array<QuadraturePoint<2>, 3> quadrature{
        {{Vec2{std::numbers::sqrt2 * std::numbers::inv_sqrt3, 0.}, 4. / 3.},
         {Vec2{-0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrt3, -0.5 * std::numbers::sqrt2}, 4. / 3.},
         {Vec2{-0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrt3, 0.5 * std::numbers::sqrt2}, 4. / 3.}}};

    static constexpr std::array<double, 4> values(const Vec2& q)
    {
        std::array<double, 4> n{};
        for (std::size_t i = 0; i < 4; ++i) n[i] = 0.25 * (1. + corners[i][0] * q[0]) * (1. + corners[i][1] * q[1]);
        return n;
    }
    static constexpr std::array<Vec2, 4> gradients(const Vec2& q)
    {
        std::array<Vec2, 4> g;
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec2& c = corners[i];
            g[i] = {0.25 * c[0] * (1. + c[1] * q[1]), 0.25 * c[1] * (1. + c[0] * q[0])};
        }
        return g;
    }
};

struct TetrahedronShape
{
    using Element = Tetrahedron;
    static constexpr ElementType type = ElementType::Tetrahedra;
    static constexpr std::string_view name = "Tetrahedron";
    static constexpr std::size_t dimension = 3, nodes = 4;
    static constexpr std::array<Vec3, 4> corners{Vec3{}, Vec3{1., 0., 0.}, Vec3{0., 1., 0.}, Vec3{0., 0., 1.}};
    /// Exact for polynomials of degree 1.
    static constexpr std::array<QuadraturePoint<3>, 1> quadrature{{{Vec3{0.25, 0.25, 0.25}, 1. / 6.}}};

    static constexpr std::array<double, 4> values(const Vec3& q) { return {1. - q[0] - q[1] - q[2], q[0], q[1], q[2]}; }
    static constexpr std::array<Vec3, 4> gradients(const Vec3&)
    {
        return {Vec3{-1., -1., -1.}, Vec3{1., 0., 0.}, Vec3{0., 1., 0.}, Vec3{0., 0., 1.}};
    }
};

/// Corners of the cube [−1, 1]³ in the order of a hexahedron's vertices.
inline constexpr std::array<Vec3, 8> cubeCorners{Vec3{-1., -1., -1.}, Vec3{1., -1., -1.}, Vec3{1., 1., -1.},
                                                 Vec3{-1., 1., -1.},  Vec3{-1., -1., 1.}, Vec3{1., -1., 1.},
                                                 Vec3{1., 1., 1.},    Vec3{-1., 1., 1.}};

/// The 2 × 2 × 2 Gauss points (±1/√3, ±1/√3, ±1/√3) of the cube, in the order of its corners: exact for polynomials of
/// degree 3 in each coordinate.
constexpr std::array<QuadraturePoint<3>, 8> cubeQuadrature()
{
    std::array<QuadraturePoint<3>, 8> points{};
    for (std::size_t i = 0; i < 8; ++i) points[i] = {cubeCorners[i] * std::numbers::inv_sqrt3, 1.};
    return points;
}

struct HexahedronShape
{
    using Element = Hexahedron;
    static constexpr ElementType type = ElementType::Hexahedra;
    static constexpr std::string_view name = "Hexahedron";
    static constexpr std::size_t dimension = 3, nodes = 8;
    static constexpr std::array<Vec3, 8> corners = cubeCorners;
    static constexpr std::array<QuadraturePoint<3>, 8> quadrature = cubeQuadrature();

    static constexpr std::array<double, 8> values(const Vec3& q)
    {
        std::array<double, 8> n{};
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3& c = corners[i];
            n[i] = 0.125 * (1. + c[0] * q[0]) * (1. + c[1] * q[1]) * (1. + c[2] * q[2]);
        }
        return n;
    }
    static constexpr std::array<Vec3, 8> gradients(const Vec3& q)
    {
        std::array<Vec3, 8> g;
        for (std::size_t i = 0; i < 8; ++i) {
            const Vec3& c = corners[i];
            const double x = 1. + c[0] * q[0], y = 1. + c[1] * q[1], z = 1. + c[2] * q[2];
            g[i] = {0.125 * c[0] * y * z, 0.125 * c[1] * x * z, 0.125 * c[2] * x * y};
        }
        return g;
    }
};

struct PrismShape
{
    using Element = Prism;
    static constexpr ElementType type = ElementType::Prisms;
    static constexpr std::string_view name = "Prism";
    static constexpr std::size_t dimension = 3, nodes = 6;
    static constexpr std::array<Vec3, 6> corners{Vec3{},           Vec3{1., 0., 0.}, Vec3{0., 1., 0.},
                                                 Vec3{0., 0., 1.}, Vec3{1., 0., 1.}, Vec3{0., 1., 1.}};
    /// The centre of the triangle and two Gauss points along the axis: exact for polynomials of degree 1 in (ξ₀, ξ₁)
    /// and 3 in ξ₂.
    static constexpr std::array<QuadraturePoint<3>, 2> quadrature{
        {{Vec3{1. / 3., 1. / 3., 0.5 * (1. - std::numbers::inv_sqrt3)}, 0.25},
         {Vec3{1. / 3., 1. / 3., 0.5 * (1. + std::numbers::inv_sqrt3)}, 0.25}}};

    static constexpr std::array<double, 6> values(const Vec3& q)
    {
        const std::array<double, 3> t = TriangleShape::values({q[0], q[1]});
        std::array<double, 6> n{};
        for (std::size_t i = 0; i < 3; ++i) {
            n[i] = t[i] * (1. - q[2]);
            n[i + 3] = t[i] * q[2];
        }
        return n;
    }
    static constexpr std::array<Vec3, 6> gradients(const Vec3& q)
    {
        const std::array<double, 3> t = TriangleShape::values({q[0], q[1]});
        const std::array<Vec2, 3> dt = TriangleShape::gradients({q[0], q[1]});
        std::array<Vec3, 6> g;
        for (std::size_t i = 0; i < 3; ++i) {
            g[i] = {dt[i][0] * (1. - q[2]), dt[i][1] * (1. - q[2]), -t[i]};
            g[i + 3] = {dt[i][0] * q[2], dt[i][1] * q[2], t[i]};
        }
        return g;
    }
};

struct PyramidShape
{
    using Element = Pyramid;
    static constexpr ElementType type = ElementType::Pyramids;
    static constexpr std::string_view name = "Pyramid";
    static constexpr std::size_t dimension = 3, nodes = 5;
    static constexpr std::array<Vec3, 5> corners{cubeCorners[0], cubeCorners[1], cubeCorners[2], cubeCorners[3],
                                                 Vec3{0., 0., 1.}};
    /// The Jacobian of a pyramid is of degree 2 in ξ₂, so that these integrate products of two gradients exactly.
    static constexpr std::array<QuadraturePoint<3>, 8> quadrature = cubeQuadrature();

    static constexpr std::array<double, 5> values(const Vec3& q)
    {
        std::array<double, 5> n{};
        for (std::size_t i = 0; i < 4; ++i)
            n[i] = 0.125 * (1. + corners[i][0] * q[0]) * (1. + corners[i][1] * q[1]) * (1. - q[2]);
        n[4] = 0.5 * (1. + q[2]);
        return n;
    }
    static constexpr std::array<Vec3, 5> gradients(const Vec3& q)
    {
        std::array<Vec3, 5> g;
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3& c = corners[i];
            const double x = 1. + c[0] * q[0], y = 1. + c[1] * q[1], z = 1. - q[2];
            g[i] = {0.125 * c[0] * y * z, 0.125 * c[1] * x * z, -0.125 * x * y};
        }
        g[4] = {0., 0., 0.5};
        return g;
    }
};

/// Jacobian J = ∂X/∂ξ = Σ_i X_i ⊗ ∂N_i/∂ξ of an element in space, with the gradients of its shape functions at ξ.
template <std::size_t D, std::size_t N, std::size_t M>
constexpr Mat<D, M> elementJacobian(const std::array<Vec<D>, N>& nodes, const std::array<Vec<M>, N>& gradients)
{
    Mat<D, M> j;
    for (std::size_t i = 0; i < N; ++i) j += outer(nodes[i], gradients[i]);
    return j;
}

/// Length, area or volume of space per unit of reference space, √det(JᵀJ). For elements as high as the space it is
/// det J, negative where the element is numbered inside out.
template <std::size_t D, std::size_t M>
double elementMeasure(const Mat<D, M>& j)
{
    static_assert(M <= D, "an element cannot have a higher dimension than its space");
    if constexpr (M == D)
        return determinant(j);
    else if constexpr (M == 1)
        return norm(j.column(0));
    else
        return norm(cross(j.column(0), j.column(1)));
}

/// Gradients ∂N_i/∂X of the shape functions in space, tangential for an element that is lower than the space:
/// J (JᵀJ)⁻¹ ∂N_i/∂ξ. Not finite where the element is degenerate.
template <std::size_t D, std::size_t N, std::size_t M>
constexpr std::array<Vec<D>, N> spatialGradients(const Mat<D, M>& j, const std::array<Vec<M>, N>& gradients)
{
    std::array<Vec<D>, N> g;
    if constexpr (M == 1) {
        // Also for edges on a line.
        const Vec<D> pseudo = j.column(0) * (1. / norm2(j.column(0)));
        for (std::size_t i = 0; i < N; ++i) g[i] = pseudo * gradients[i][0];
    } else if constexpr (M == D) {
        const Mat<D> inverseJ = inverse(j);
        for (std::size_t i = 0; i < N; ++i) g[i] = transposeTimes(inverseJ, gradients[i]);
    } else {
        const Mat<D, M> pseudo = j * inverse(j.transposed() * j);
        for (std::size_t i = 0; i < N; ++i) g[i] = pseudo * gradients[i];
    }
    return g;
}

}  // namespace sofa::core
