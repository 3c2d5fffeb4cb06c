// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/ElementStretch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fem/elements/FiniteElements.h"
#include "core/math/Decompositions.h"

namespace sofa::core {

namespace {

template <class Shape>
Vec<Shape::dimension> middle()
{
    Vec<Shape::dimension> sum;
    for (const auto& c : Shape::corners) sum += c;
    return sum / static_cast<double>(Shape::nodes);
}

/// Orthonormal axes of the columns of the rest shape's Jacobian by Gram and Schmidt; in these, the gradient of the
/// deformation is the other Jacobian times the inverse of a triangular matrix.
template <class Shape>
ElementStretch stretchOf(std::span<const Index> vertices, std::span<const Vec3> rest, std::span<const Vec3> now)
{
    constexpr std::size_t M = Shape::dimension;
    static const auto gradients = Shape::gradients(middle<Shape>());
    std::array<Vec3, M> axes{}, f{};
    double scale = 0.;
    for (std::size_t a = 0; a < M; ++a) {
        for (std::size_t k = 0; k < Shape::nodes; ++k) {
            axes[a] += rest[vertices[k]] * gradients[k][a];
            f[a] += now[vertices[k]] * gradients[k][a];
        }
        scale = std::max(scale, norm(axes[a]));
    }
    for (std::size_t a = 0; a < M; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const double along = dot(axes[a], axes[b]);
            axes[a] -= axes[b] * along;
            f[a] -= f[b] * along;
        }
        const double length = norm(axes[a]);
        if (!(length > 1e-12 * scale)) return {};
        axes[a] /= length;
        f[a] /= length;
    }
    ElementStretch out;
    out.dimension = M;
    Mat<M> directions = Mat<M>::identity();
    if constexpr (M == 1) {
        out.values[0] = norm(f[0]);
    } else {
        Mat<M> c;
        for (std::size_t a = 0; a < M; ++a)
            for (std::size_t b = 0; b < M; ++b) c[a][b] = dot(f[a], f[b]);
        const auto eigen = symmetricEigen(c);
        directions = eigen.vectors;
        for (std::size_t a = 0; a < M; ++a) out.values[a] = std::sqrt(std::max(eigen.values[a], 0.));
    }
    for (std::size_t a = 0; a < M; ++a) {
        for (std::size_t b = 0; b < M; ++b) {
            out.rest[a] += axes[b] * directions[b][a];
            out.now[a] += f[b] * directions[b][a];
        }
        if (out.values[a] > 0.) out.now[a] /= out.values[a];
    }
    return out;
}

}  // namespace

ElementStretch elementStretch(ElementType type, std::span<const Index> vertices, std::span<const Vec3> rest,
                              std::span<const Vec3> now)
{
    switch (type) {
        case ElementType::Edges:
            return stretchOf<EdgeShape>(vertices, rest, now);
        case ElementType::Triangles:
            return stretchOf<TriangleShape>(vertices, rest, now);
        case ElementType::Quads:
            return stretchOf<QuadShape>(vertices, rest, now);
        case ElementType::Tetrahedra:
            return stretchOf<TetrahedronShape>(vertices, rest, now);
        case ElementType::Pyramids:
            return stretchOf<PyramidShape>(vertices, rest, now);
        case ElementType::Prisms:
            return stretchOf<PrismShape>(vertices, rest, now);
        case ElementType::Hexahedra:
            return stretchOf<HexahedronShape>(vertices, rest, now);
        case ElementType::Points:
            break;
    }
    return {};
}

double principalStrain(const ElementStretch& s)
{
    if (s.dimension == 0) return std::numeric_limits<double>::quiet_NaN();
    double largest = 0.;
    for (std::size_t i = 0; i < s.dimension; ++i) {
        const double strain = 0.5 * (s.values[i] * s.values[i] - 1.);
        if (std::abs(strain) > std::abs(largest)) largest = strain;
    }
    return largest;
}

namespace {

/// Σ values of the dimension times direction directionᵀ.
template <class F>
Mat3 tensorOf(const ElementStretch& s, const std::array<Vec3, 3>& directions, F&& value)
{
    Mat3 sum;
    for (std::size_t i = 0; i < s.dimension; ++i) sum += outer(directions[i] * value(s.values[i]), directions[i]);
    return s.dimension == 0 ? Mat3::identity() * std::numeric_limits<double>::quiet_NaN() : sum;
}

}  // namespace

Mat3 greenStrain(const ElementStretch& s)
{
    return tensorOf(s, s.rest, [](double stretch) { return 0.5 * (stretch * stretch - 1.); });
}

Mat3 hookeStress(const ElementStretch& s, const LameParameters& material)
{
    double sum = 0.;
    for (std::size_t i = 0; i < s.dimension; ++i) sum += s.values[i] - 1.;
    return tensorOf(s, s.now,
                    [&](double stretch) { return material.lambda * sum + 2. * material.mu * (stretch - 1.); });
}

}  // namespace sofa::core
