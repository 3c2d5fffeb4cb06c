// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/math/Mat.h"
#include "core/topology/Geometry.h"

/// Coordinates in quads and hexahedra, which are the images of the unit square and cube under the bilinear and the
/// trilinear map of their corners, and their nearest points.
namespace sofa::core::geometry {

/// Corners of the unit square (the first four) and cube, in the order of the vertices of quads and hexahedra.
inline constexpr double unitCorners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                             {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

/// Weights of the corners of a quad or hexahedron at coordinates v: they sum to 1. For quads v[2] does not count.
template <std::size_t N>
constexpr std::array<double, N> cornerWeights(const Vec3& v)
{
    static_assert(N == 4 || N == 8);
    const double x = v[0], y = v[1], z = v[2];
    if constexpr (N == 4)
        return {(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y};
    else
        return {(1 - x) * (1 - y) * (1 - z), x * (1 - y) * (1 - z), x * y * (1 - z), (1 - x) * y * (1 - z),
                (1 - x) * (1 - y) * z,       x * (1 - y) * z,       x * y * z,       (1 - x) * y * z};
}

/// The point at coordinates v, and its derivatives by these; of a quad two, the third is zero.
template <std::size_t N>
struct CellPoint
{
    Vec3 x;
    std::array<Vec3, 3> slopes{};

    CellPoint(const std::array<Vec3, N>& corners, const Vec3& v)
    {
        const auto w = cornerWeights<N>(v);
        constexpr std::size_t dimensions = N == 4 ? 2 : 3;
        for (std::size_t n = 0; n < N; ++n) {
            x += corners[n] * w[n];
            for (std::size_t k = 0; k < dimensions; ++k) {
                double slope = unitCorners[n][k] > 0. ? 1. : -1.;
                for (std::size_t j = 0; j < dimensions; ++j)
                    if (j != k) slope *= unitCorners[n][j] > 0. ? v[j] : 1. - v[j];
                slopes[k] += corners[n] * slope;
            }
        }
    }
};

/// The nearest point of a quad, on the curved surface where its corners are in no plane, and its weights. Parts of the
/// quad are left out only where all their points are farther away, down to parts that are flat to 1e-7 of the extent of
/// the quad; from there Newton's method leads to the nearest point, to 1e-12 of the extent.
Nearest<4> nearestOnQuad(const Vec3& p, const std::array<Vec3, 4>& x);
/// Coordinates of the point of a quad, or of the surface that continues it, where the line to p is normal to it: those
/// of the projection of p. By Newton's method from the nearest point, whose coordinates they are where it finds none
/// that is near.
Vec2 quadCoordinates(const Vec3& p, const std::array<Vec3, 4>& x);

/// Coordinates of p in a hexahedron: of its point p if it contains p, which is found by bisection down to where
/// Newton's method converges; of the continued map outside, as far as Newton's method from the middle finds them.
std::optional<Vec3> hexahedronCoordinates(const Vec3& p, const std::array<Vec3, 8>& x);
/// Whether coordinates are those of a point inside or on the border, with a margin.
bool areInside(const Vec3& coordinates, double margin = 0.);
/// p itself where it lies inside, to 1e-12 of the extent; else the nearest one on the faces, which are quads.
Nearest<8> nearestOnHexahedron(const Vec3& p, const std::array<Vec3, 8>& x);

/// Prisms and pyramids are hexahedra with corners that coincide: all points between a triangle and the other one, a
/// quad and the apex.
Nearest<6> nearestOnPrism(const Vec3& p, const std::array<Vec3, 6>& x);
Nearest<5> nearestOnPyramid(const Vec3& p, const std::array<Vec3, 5>& x);

}  // namespace sofa::core::geometry
