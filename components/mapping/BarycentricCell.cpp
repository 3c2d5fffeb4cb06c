// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricCell.h"

#include <limits>

#include "core/geometry/Proximity.h"
#include "core/mesh/SubElements.h"
#include "core/topology/CellCoordinates.h"

namespace sofa::component {

namespace {

/// Inverse of the matrix with columns a, b, c. The operations and their order decide on which side of a face a point of
/// that face is found, and so which element it gets; they are those of SOFA.
bool inverseOfColumns(const Vec3& a, const Vec3& b, const Vec3& c, Mat3& out)
{
    const double det = a[0] * b[1] * c[2] + a[1] * b[2] * c[0] + a[2] * b[0] * c[1] - a[0] * b[2] * c[1] -
                       a[1] * b[0] * c[2] - a[2] * b[1] * c[0];
    if (det == 0. || !std::isfinite(det)) return false;
    out[0] = {(b[1] * c[2] - b[2] * c[1]) / det, (b[2] * c[0] - b[0] * c[2]) / det, (b[0] * c[1] - b[1] * c[0]) / det};
    out[1] = {(c[1] * a[2] - c[2] * a[1]) / det, (c[2] * a[0] - c[0] * a[2]) / det, (c[0] * a[1] - c[1] * a[0]) / det};
    out[2] = {(a[1] * b[2] - a[2] * b[1]) / det, (a[2] * b[0] - a[0] * b[2]) / det, (a[0] * b[1] - a[1] * b[0]) / det};
    return std::isfinite(out[0][0]) && std::isfinite(out[1][1]) && std::isfinite(out[2][2]);
}

}  // namespace

Cell::Cell(Shape s, std::span<const Index> vertices, const Vector<Vec3>& x) : shape(s), count(vertices.size())
{
    std::copy(vertices.begin(), vertices.end(), nodes.begin());
    origin = center = x[nodes[0]];
    for (std::size_t k = 1; k < count; ++k) center += x[nodes[k]];
    if (shape == Shape::Triangle)
        center /= 3.;
    else
        center *= 1. / static_cast<double>(count);
    const Vec3 a = x[nodes[1]] - origin;
    if (shape == Shape::Edge) {
        const double length2 = norm2(a);
        valid = length2 > 0. && std::isfinite(1. / length2);
        if (valid) base[0] = a / length2;
        return;
    }
    const bool four = shape == Shape::Quad || shape == Shape::Hexahedron;
    const Vec3 b = x[nodes[four ? 3 : 2]] - origin;
    Vec3 third = cross(a, b);
    if (shape == Shape::Tetrahedron) third = x[nodes[3]] - origin;
    if (shape == Shape::Hexahedron) third = x[nodes[4]] - origin;
    valid = inverseOfColumns(a, b, third, base);
}

std::array<double, 8> shapeWeights(Shape shape, const Vec3& v)
{
    const double x = v[0], y = v[1], z = v[2];
    switch (shape) {
        case Shape::Edge:
            return {1 - x, x};
        case Shape::Triangle:
            return {1 - x - y, x, y};
        case Shape::Quad: {
            const auto w = geometry::cornerWeights<4>(v);
            return {w[0], w[1], w[2], w[3]};
        }
        case Shape::Tetrahedron:
            return {1 - x - y - z, x, y, z};
        default:
            return geometry::cornerWeights<8>(v);
    }
}

Vec3 weighted(const Vector<Vec3>& x, std::span<const Index> nodes, std::span<const double> weights)
{
    Vec3 s;
    for (std::size_t k = 0; k < nodes.size(); ++k) s += x[nodes[k]] * weights[k];
    return s;
}

double distance2(const Cell& c, const Vector<Vec3>& x, const Vec3& point)
{
    using namespace core::geometry;
    const auto p = [&](Index k) { return x[c.nodes[k]]; };
    switch (c.shape) {
        case Shape::Edge:
            return pointSegment(point, p(0), p(1)).distance2;
        case Shape::Triangle:
            return pointTriangle(point, p(0), p(1), p(2)).distance2;
        case Shape::Quad:
            return std::min(pointTriangle(point, p(0), p(1), p(2)).distance2,
                            pointTriangle(point, p(0), p(2), p(3)).distance2);
        case Shape::Tetrahedron:
            return pointTetrahedron(point, p(0), p(1), p(2), p(3)).distance2;
        case Shape::Hexahedron:
            break;
    }
    double least = std::numeric_limits<double>::infinity();
    for (const auto& t : hexahedronTetrahedra)
        least = std::min(least, pointTetrahedron(point, p(t[0]), p(t[1]), p(t[2]), p(t[3])).distance2);
    return least;
}

namespace {

template <std::size_t N>
Vec3 solvedLocal(const Cell& c, const Vector<Vec3>& x, const Vec3& point)
{
    const Vec3 first = c.local(point);
    const Vec3 normal = cross(x[c.nodes[1]] - c.origin, x[c.nodes[3]] - c.origin);
    std::array<Vec3, N> corners;
    for (std::size_t n = 0; n < N; ++n) corners[n] = x[c.nodes[n]];
    Vec3 v = first;
    for (int iteration = 0; iteration < 20; ++iteration) {
        const geometry::CellPoint<N> at(corners, v);
        Vec3 rest = point - at.x, third = at.slopes[2];
        if constexpr (N == 4) {
            third = normal;
            rest -= normal * v[2];
        }
        Mat3 back;
        if (!inverseOfColumns(at.slopes[0], at.slopes[1], third, back)) return first;
        const Vec3 step = back * rest;
        v += step;
        if (!(norm(v - first) < 10.)) return first;
        if (norm(step) < 1e-15 * (1. + norm(v))) return v;
    }
    return v;
}

}  // namespace

Vec3 exactLocal(const Cell& c, const Vector<Vec3>& x, const Vec3& point)
{
    if (c.shape == Shape::Quad) return solvedLocal<4>(c, x, point);
    if (c.shape == Shape::Hexahedron) return solvedLocal<8>(c, x, point);
    return c.local(point);
}

}  // namespace sofa::component
