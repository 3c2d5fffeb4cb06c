// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mass/ReferenceElements.h"

#include <cmath>

namespace sofa::component {

using core::Vec3;

namespace {

/// Corners of the square and the cube [−1, 1]ⁿ, in the order of their elements' vertices.
constexpr double s_corners[8][3] = {{-1., -1., -1.}, {1., -1., -1.}, {1., 1., -1.}, {-1., 1., -1.},
                                    {-1., -1., 1.},  {1., -1., 1.},  {1., 1., 1.},  {-1., 1., 1.}};

/// The eight Gauss points of the cube, of weight 1: exact for polynomials of degree 3 in each coordinate.
std::vector<QuadraturePoint> cubeQuadrature()
{
    const double g = 1. / std::sqrt(3.);
    std::vector<QuadraturePoint> points;
    for (const auto& c : s_corners) points.push_back({Vec3{c[0] * g, c[1] * g, c[2] * g}, 1.});
    return points;
}

}  // namespace

std::vector<QuadraturePoint> EdgeShape::quadrature() { return {{Vec3(), 2.}}; }

void EdgeShape::evaluate(const Vec3& q, double* n, Vec3* dn)
{
    n[0] = 0.5 * (1. - q[0]);
    n[1] = 0.5 * (1. + q[0]);
    dn[0] = {-0.5, 0., 0.};
    dn[1] = {0.5, 0., 0.};
}

std::vector<QuadraturePoint> TriangleShape::quadrature() { return {{Vec3{1. / 3., 1. / 3., 0.}, 0.5}}; }

void TriangleShape::evaluate(const Vec3& q, double* n, Vec3* dn)
{
    n[0] = 1. - q[0] - q[1];
    n[1] = q[0];
    n[2] = q[1];
    dn[0] = {-1., -1., 0.};
    dn[1] = {1., 0., 0.};
    dn[2] = {0., 1., 0.};
}

/// Three points, exact for polynomials of degree 2.
std::vector<QuadraturePoint> QuadShape::quadrature()
{
    const double a = std::sqrt(2. / 3.), b = 1. / std::sqrt(6.), c = 1. / std::sqrt(2.), w = 4. / 3.;
    return {{Vec3{a, 0., 0.}, w}, {Vec3{-b, -c, 0.}, w}, {Vec3{-b, c, 0.}, w}};
}

void QuadShape::evaluate(const Vec3& q, double* n, Vec3* dn)
{
    for (std::size_t i = 0; i < 4; ++i) {
        const double *c = s_corners[i], x = 1. + c[0] * q[0], y = 1. + c[1] * q[1];
        n[i] = 0.25 * x * y;
        dn[i] = {0.25 * c[0] * y, 0.25 * c[1] * x, 0.};
    }
}

std::vector<QuadraturePoint> TetrahedronShape::quadrature() { return {{Vec3{0.25, 0.25, 0.25}, 1. / 6.}}; }

void TetrahedronShape::evaluate(const Vec3& q, double* n, Vec3* dn)
{
    n[0] = 1. - q[0] - q[1] - q[2];
    dn[0] = {-1., -1., -1.};
    for (std::size_t i = 0; i < 3; ++i) {
        n[i + 1] = q[i];
        dn[i + 1] = Vec3::unit(i);
    }
}

std::vector<QuadraturePoint> HexahedronShape::quadrature() { return cubeQuadrature(); }

void HexahedronShape::evaluate(const Vec3& q, double* n, Vec3* dn)
{
    for (std::size_t i = 0; i < 8; ++i) {
        const double *c = s_corners[i], x = 1. + c[0] * q[0], y = 1. + c[1] * q[1], z = 1. + c[2] * q[2];
        n[i] = 0.125 * x * y * z;
        dn[i] = {0.125 * c[0] * y * z, 0.125 * c[1] * x * z, 0.125 * c[2] * x * y};
    }
}

/// The centre of the triangle, and two Gauss points along the axis.
std::vector<QuadraturePoint> PrismShape::quadrature()
{
    const double g = 1. / std::sqrt(3.);
    return {{Vec3{1. / 3., 1. / 3., 0.5 * (1. - g)}, 0.25}, {Vec3{1. / 3., 1. / 3., 0.5 * (1. + g)}, 0.25}};
}

void PrismShape::evaluate(const Vec3& q, double* n, Vec3* dn)
{
    double t[3];
    Vec3 dt[3];
    TriangleShape::evaluate(q, t, dt);
    for (std::size_t i = 0; i < 3; ++i) {
        n[i] = t[i] * (1. - q[2]);
        n[i + 3] = t[i] * q[2];
        dn[i] = {dt[i][0] * (1. - q[2]), dt[i][1] * (1. - q[2]), -t[i]};
        dn[i + 3] = {dt[i][0] * q[2], dt[i][1] * q[2], t[i]};
    }
}

std::vector<QuadraturePoint> PyramidShape::quadrature() { return cubeQuadrature(); }

void PyramidShape::evaluate(const Vec3& q, double* n, Vec3* dn)
{
    for (std::size_t i = 0; i < 4; ++i) {
        const double *c = s_corners[i], x = 1. + c[0] * q[0], y = 1. + c[1] * q[1], z = 1. - q[2];
        n[i] = 0.125 * x * y * z;
        dn[i] = {0.125 * c[0] * y * z, 0.125 * c[1] * x * z, -0.125 * x * y};
    }
    n[4] = 0.5 * (1. + q[2]);
    dn[4] = {0., 0., 0.5};
}

}  // namespace sofa::component
