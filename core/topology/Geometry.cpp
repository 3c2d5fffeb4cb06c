// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/Geometry.h"

#include <algorithm>
#include <numbers>

#include "core/mesh/SubElements.h"

namespace sofa::core::geometry {

namespace {

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) { return dot(a, cross(b, c)); }

}  // namespace

double edgeLength(const Vec3& a, const Vec3& b) { return norm(b - a); }

Vec3 triangleAreaVector(const Vec3& a, const Vec3& b, const Vec3& c) { return cross(b - a, c - a) * 0.5; }

double triangleArea(const Vec3& a, const Vec3& b, const Vec3& c) { return norm(triangleAreaVector(a, b, c)); }

double quadArea(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return triangleArea(a, b, c) + triangleArea(a, c, d);
}

double tetrahedronVolume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return determinant(b - a, c - a, d - a) / 6.;
}

double hexahedronVolume(const std::array<Vec3, 8>& x)
{
    return (determinant(x[6] - x[1] + x[7] - x[0], x[6] - x[3], x[2] - x[0]) +
            determinant(x[7] - x[0], x[6] - x[3] + x[5] - x[0], x[6] - x[4]) +
            determinant(x[6] - x[1], x[5] - x[0], x[6] - x[4] + x[2] - x[0])) /
           12.;
}

Vec3 triangleNormal(const Vec3& a, const Vec3& b, const Vec3& c) { return normalized(cross(b - a, c - a)); }

Vec3 quadNormal(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return normalized(cross(c - a, d - b)); }

double angle(const Vec3& a, const Vec3& b, const Vec3& c)
{
    // atan2 keeps its accuracy near 0 and π, where acos loses half the digits.
    const Vec3 u = a - b, v = c - b;
    return std::atan2(norm(cross(u, v)), dot(u, v));
}

double dihedralAngle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 edge = b - a;
    // Normals of the two half planes, each turned by the same quarter around the edge.
    const Vec3 u = cross(edge, c - a), v = cross(edge, d - a);
    return std::atan2(norm(cross(u, v)), dot(u, v));
}

Vec3 circumcentre(const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 u = b - a, v = c - a, n = cross(u, v);
    return a + (cross(n, u) * norm2(v) + cross(v, n) * norm2(u)) / (2. * norm2(n));
}

Vec3 circumcentre(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 u = b - a, v = c - a, w = d - a;
    return a + (cross(v, w) * norm2(u) + cross(w, u) * norm2(v) + cross(u, v) * norm2(w)) / (2. * determinant(u, v, w));
}

Vec4 barycentric(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3 u = b - a, v = c - a, w = d - a, r = p - a;
    const double det = determinant(u, v, w);
    const double wb = determinant(r, v, w) / det, wc = determinant(u, r, w) / det, wd = determinant(u, v, r) / det;
    return {1. - wb - wc - wd, wb, wc, wd};
}

Vec3 barycentric(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 u = b - a, v = c - a, r = p - a, n = cross(u, v);
    const double s = 1. / norm2(n);
    const double wb = dot(cross(r, v), n) * s, wc = dot(cross(u, r), n) * s;
    return {1. - wb - wc, wb, wc};
}

Nearest<2> nearestOnSegment(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const Vec3 u = b - a;
    const double length2 = norm2(u);
    const double t = length2 > 0. ? std::clamp(dot(p - a, u) / length2, 0., 1.) : 0.;
    Nearest<2> r;
    r.weights = {1. - t, t};
    r.point = a + u * t;
    r.distance = norm(p - r.point);
    return r;
}

Nearest<3> nearestOnTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    Nearest<3> r;
    const Vec3 n = cross(b - a, c - a);
    if (norm2(n) > 0.) {
        const Vec3 w = barycentric(p, a, b, c);
        if (w[0] >= 0. && w[1] >= 0. && w[2] >= 0.) {
            r.weights = w;
            r.point = a * w[0] + b * w[1] + c * w[2];
            r.distance = norm(p - r.point);
            return r;
        }
    }
    // Outside: the nearest point lies on a side.
    const std::array<const Vec3*, 3> x{&a, &b, &c};
    r.distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const auto side = nearestOnSegment(p, *x[i], *x[j]);
        if (!(side.distance < r.distance)) continue;
        r.distance = side.distance;
        r.point = side.point;
        r.weights = {};
        r.weights[i] = side.weights[0];
        r.weights[j] = side.weights[1];
    }
    return r;
}

Nearest<4> nearestOnTetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    Nearest<4> r;
    if (determinant(b - a, c - a, d - a) != 0.) {
        const Vec4 w = barycentric(p, a, b, c, d);
        if (w[0] >= 0. && w[1] >= 0. && w[2] >= 0. && w[3] >= 0.) {
            r.weights = w;
            r.point = p;
            return r;
        }
    }
    const std::array<Vec3, 4> x{a, b, c, d};
    r.distance = std::numeric_limits<double>::infinity();
    for (const auto& f : tetrahedronFaces) {
        const auto face = nearestOnTriangle(p, x[f[0]], x[f[1]], x[f[2]]);
        if (!(face.distance < r.distance)) continue;
        r.distance = face.distance;
        r.point = face.point;
        r.weights = {};
        for (std::size_t k = 0; k < 3; ++k) r.weights[f[k]] = face.weights[k];
    }
    return r;
}

BoundingBox boundingBox(const Vector<Vec3>& x)
{
    BoundingBox b;
    for (const Vec3& p : x) b.include(p);
    return b;
}

double totalLength(const Vector<Vec3>& x, const Vector<Edge>& edges)
{
    double sum = 0.;
    for (const Edge& e : edges) sum += edgeLength(x[e[0]], x[e[1]]);
    return sum;
}

double totalArea(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
{
    double sum = 0.;
    for (const Triangle& t : triangles) sum += triangleArea(x[t[0]], x[t[1]], x[t[2]]);
    return sum;
}

double totalArea(const Vector<Vec3>& x, const Vector<Quad>& quads)
{
    double sum = 0.;
    for (const Quad& q : quads) sum += quadArea(x[q[0]], x[q[1]], x[q[2]], x[q[3]]);
    return sum;
}

double totalVolume(const Vector<Vec3>& x, const Vector<Tetrahedron>& tetrahedra)
{
    double sum = 0.;
    for (const Tetrahedron& t : tetrahedra) sum += tetrahedronVolume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
    return sum;
}

double totalVolume(const Vector<Vec3>& x, const Vector<Hexahedron>& hexahedra)
{
    double sum = 0.;
    for (const Hexahedron& h : hexahedra) {
        std::array<Vec3, 8> corners;
        for (std::size_t i = 0; i < 8; ++i) corners[i] = x[h[i]];
        sum += hexahedronVolume(corners);
    }
    return sum;
}

double enclosedVolume(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
{
    if (triangles.empty()) return 0.;
    const Vec3 origin = x[triangles.front()[0]];  // near the surface, which keeps the terms small
    double sum = 0.;
    for (const Triangle& t : triangles) sum += tetrahedronVolume(origin, x[t[0]], x[t[1]], x[t[2]]);
    return sum;
}

SolidMoments enclosedMoments(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
{
    SolidMoments m;
    const BoundingBox box = boundingBox(x);
    if (!box.valid()) return m;
    const Vec3 apex = (box.low + box.high) * 0.5;
    Vec3 first;
    for (const Triangle& t : triangles) {
        const Vec3 a = x[t[0]] - apex, b = x[t[1]] - apex, c = x[t[2]] - apex, sum = a + b + c;
        const double volume = determinant(a, b, c) / 6.;
        m.volume += volume;
        first += sum * (volume / 4.);
        m.spread += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (volume / 20.);
    }
    const Vec3 shift = first / m.volume;
    m.center = apex + shift;
    m.spread -= outer(shift, shift) * m.volume;
    return m;
}

double openness(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
{
    Vec3 sum;
    double area = 0.;
    for (const Triangle& t : triangles) {
        const Vec3 a = triangleAreaVector(x[t[0]], x[t[1]], x[t[2]]);
        sum += a;
        area += norm(a);
    }
    return area > 0. ? norm(sum) / area : 0.;
}

Vector<Vec3> pointNormals(const Vector<Vec3>& x, const Vector<Triangle>& triangles, const Vector<Quad>& quads)
{
    Vector<Vec3> normals(x.size());
    for (const Triangle& t : triangles) {
        const Vec3 n = triangleAreaVector(x[t[0]], x[t[1]], x[t[2]]);
        for (const Index i : t) normals[i] += n;
    }
    for (const Quad& q : quads) {
        const Vec3 n = cross(x[q[2]] - x[q[0]], x[q[3]] - x[q[1]]) * 0.5;
        for (const Index i : q) normals[i] += n;
    }
    for (Vec3& n : normals) n = normalized(n);
    return normals;
}

}  // namespace sofa::core::geometry
