// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/geometry/ConvexBody.h"

/// Signed distances of solids by comparison of all their features in extended precision: the reference of
/// SolidPairsTest.cpp. It shares nothing with the functions under test, neither clamping on boxes nor iterations.
namespace sofa::test::reference {

using Real = long double;
constexpr Real infinity = std::numeric_limits<Real>::infinity();

struct V
{
    Real x = 0, y = 0, z = 0;
    friend V operator+(const V& a, const V& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend V operator-(const V& a, const V& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend V operator*(const V& a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
};
inline Real dot(const V& a, const V& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V cross(const V& a, const V& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline Real length(const V& a) { return std::sqrt(dot(a, a)); }
inline V of(const core::Vec3& p) { return {p[0], p[1], p[2]}; }
/// Of unit length; zero if it has none.
inline V unit(const V& a)
{
    const Real l = length(a);
    return l > 0 ? a * (1 / l) : V();
}

/// The hull of points with its edges and faces, or a cylinder. Rounding (radius) is left to the caller.
struct Shape
{
    std::vector<V> points;
    std::vector<std::array<unsigned, 2>> edges;
    std::vector<std::vector<unsigned>> faces;  ///< flat polygons in order
    std::vector<V> normals;                    ///< of the faces, unit or zero
    std::vector<V> directions;                 ///< of the edges, unit, each once
    bool flat = false;                         ///< it has no volume
    bool isCylinder = false;
    V a, b, axis;  ///< of a cylinder
    Real radius = 0;

    Real height(const V& n) const  ///< farthest along n
    {
        if (isCylinder) {
            const V across = n - axis * dot(n, axis);
            return std::max(dot(a, n), dot(b, n)) + radius * length(across);
        }
        Real h = -infinity;
        for (const V& p : points) h = std::max(h, dot(p, n));
        return h;
    }
    V farthest(const V& n) const
    {
        if (isCylinder) {
            // Twice, for what is left of a direction along the axis is not perpendicular to it.
            V across = n - axis * dot(n, axis);
            if (length(across) <= 1e-15L * length(n)) return dot(b, n) > dot(a, n) ? b : a;
            across = unit(across);
            return (dot(b, n) > dot(a, n) ? b : a) + unit(across - axis * dot(across, axis)) * radius;
        }
        V best = points[0];
        for (const V& p : points)
            if (dot(p, n) > dot(best, n)) best = p;
        return best;
    }
};

inline Shape shapeOf(const core::geometry::ConvexBody& body)
{
    using Kind = core::geometry::ConvexBody::Kind;
    Shape s;
    if (body.kind == Kind::Cylinder) {
        s.isCylinder = true;
        s.a = of(body.points[0]);
        s.b = of(body.points[1]);
        s.axis = unit(s.b - s.a);
        if (length(s.axis) == 0) s.axis = {0, 1, 0};  // as documented for no length: any will do
        s.radius = body.cylinderRadius;
        return s;
    }
    if (body.kind == Kind::Box) {
        // From its frame, for its corners are rounded.
        std::array<V, 3> axes;
        for (std::size_t k = 0; k < 3; ++k) axes[k] = of(body.box.axes.column(k));
        const core::Vec3& h = body.box.halfExtents;
        for (unsigned i = 0; i < 8; ++i) {
            V p = of(body.box.center);
            for (unsigned k = 0; k < 3; ++k) p = p + axes[k] * ((i >> k & 1) != 0 ? Real(h[k]) : -Real(h[k]));
            s.points.push_back(p);
        }
        for (unsigned k = 0; k < 3; ++k) {
            const unsigned u = 1u << (k + 1) % 3, v = 1u << (k + 2) % 3, w = 1u << k;
            for (unsigned i = 0; i < 8; ++i)
                if ((i & w) == 0) s.edges.push_back({i, i | w});
            s.faces.push_back({0, u, u | v, v});
            s.faces.push_back({w, w | u, w | u | v, w | v});
            s.normals.insert(s.normals.end(), {axes[k], axes[k]});
            s.directions.push_back(axes[k]);
        }
        s.flat = std::min({h[0], h[1], h[2]}) == 0.;
        return s;
    }
    const auto n = static_cast<unsigned>(body.count);
    for (unsigned i = 0; i < n; ++i) s.points.push_back(of(body.points[i]));
    for (unsigned i = 0; i < n; ++i)
        for (unsigned j = i + 1; j < n; ++j) {
            s.edges.push_back({i, j});
            s.directions.push_back(unit(s.points[j] - s.points[i]));
            for (unsigned k = j + 1; k < n; ++k) {
                s.faces.push_back({i, j, k});
                s.normals.push_back(unit(cross(unit(s.points[j] - s.points[i]), unit(s.points[k] - s.points[i]))));
            }
        }
    s.flat = n < 4;
    if (n == 4) {
        const V u = s.points[1] - s.points[0], v = s.points[2] - s.points[0], w = s.points[3] - s.points[0];
        s.flat = std::abs(dot(cross(u, v), w)) <= 1e-12L * length(u) * length(v) * length(w);
    }
    return s;
}

inline Real pointSegment(const V& p, const V& a, const V& b)
{
    const V d = b - a;
    const Real dd = dot(d, d);
    const Real t = dd > 0 ? std::clamp(dot(p - a, d) / dd, Real(0), Real(1)) : Real(0);
    // From the nearer end, so that nothing cancels.
    return t < 0.5L ? length(p - a - d * t) : length(p - b + d * (1 - t));
}

inline Real segmentSegment(const V& a0, const V& a1, const V& b0, const V& b1)
{
    Real best = std::min(
        {pointSegment(a0, b0, b1), pointSegment(a1, b0, b1), pointSegment(b0, a0, a1), pointSegment(b1, a0, a1)});
    const V u = a1 - a0, v = b1 - b0, w = b0 - a0, n = cross(u, v);
    const Real nn = dot(n, n);
    if (!(nn > 0)) return best;
    const Real s = dot(cross(w, v), n) / nn, t = dot(cross(w, u), n) / nn;
    if (s > 0 && s < 1 && t > 0 && t < 1) {
        // The distance of the lines, and that of the two points: the larger, for both are not below the true one but
        // for rounding.
        best = std::min(best, std::abs(dot(w, n)) / std::sqrt(nn));
    }
    return best;
}

/// Whether the foot of p falls into face f, and how high p is above it (either side); infinity otherwise.
inline Real overFace(const V& p, const Shape& s, std::size_t f)
{
    const V& n = s.normals[f];
    if (dot(n, n) == 0) return infinity;
    bool left = false, right = false;
    const auto& x = s.faces[f];
    for (std::size_t k = 0; k < x.size(); ++k) {
        const V &q = s.points[x[k]], e = s.points[x[(k + 1) % x.size()]] - q;
        if (dot(e, e) == 0) return infinity;  // no area: its sides are as near
        const Real side = dot(cross(e, p - q), n);
        left = left || side > 0;
        right = right || side < 0;
    }
    return left && right ? infinity : std::abs(dot(p - s.points[x[0]], n));
}

/// Least distance of the surfaces of two hulls: all corners, edges and faces of one with those of the other.
inline Real featureDistance(const Shape& a, const Shape& b)
{
    Real best = infinity;
    const auto cornersOf = [&](const Shape& x, const Shape& y) {
        for (const V& p : x.points) {
            if (y.edges.empty()) best = std::min(best, length(p - y.points[0]));
            if (x.edges.empty())
                for (const auto& e : y.edges) best = std::min(best, pointSegment(p, y.points[e[0]], y.points[e[1]]));
            for (std::size_t f = 0; f < y.faces.size(); ++f) best = std::min(best, overFace(p, y, f));
        }
    };
    cornersOf(a, b);
    cornersOf(b, a);
    for (const auto& e : a.edges)
        for (const auto& f : b.edges)
            best = std::min(best, segmentSegment(a.points[e[0]], a.points[e[1]], b.points[f[0]], b.points[f[1]]));
    return best;
}

/// How far B must move to leave A along n, or the gap, negative, if there is one, of either sense the less.
inline Real overlapAlong(const Shape& a, const Shape& b, const V& n)
{
    const V m = n * -1;
    return std::min(a.height(n) + b.height(m), a.height(m) + b.height(n));
}

/// Calls f for the directions among which are the normals of all facets of the hull of differences b − a: normals of
/// faces and products of edges; where that hull may be flat, also directions in its plane.
template <class F>
void forEachNormal(const Shape& a, const Shape& b, F&& f)
{
    std::vector<V> first;
    const auto add = [&](const V& v) {
        const Real l = length(v);
        if (l > 1e-15L) first.push_back(v * (1 / l));
    };
    for (const V& n : a.normals) add(n);
    for (const V& n : b.normals) add(n);
    for (const V& u : a.directions)
        for (const V& v : b.directions) add(cross(u, v));
    for (const V& n : first) f(n);
    if (!a.flat || !b.flat) return;
    f(V{1, 0, 0});
    std::vector<V> edges = a.directions;
    edges.insert(edges.end(), b.directions.begin(), b.directions.end());
    for (const V& p : a.points)
        for (const V& q : b.points) edges.push_back(unit(q - p));
    for (const V& e : edges) {
        if (length(e) == 0) continue;
        f(e);
        const V least = std::abs(e.x) <= std::min(std::abs(e.y), std::abs(e.z)) ? V{1, 0, 0}
                        : std::abs(e.y) <= std::abs(e.z)                        ? V{0, 1, 0}
                                                                                : V{0, 0, 1};
        const V u = unit(cross(e, least));
        f(u);
        f(cross(e, u));
        for (const V& n : first)
            if (length(cross(e, n)) > 1e-15L) f(unit(cross(e, n)));
    }
}

/// Least of overlapAlong: the depth of the overlap, or negative if a plane separates the two.
inline Real leastOverlap(const Shape& a, const Shape& b)
{
    Real least = infinity;
    forEachNormal(a, b, [&](const V& n) { least = std::min(least, overlapAlong(a, b, n)); });
    return least;
}

// --- Cylinders -----------------------------------------------------------------------------------------------------

inline Real pointCylinder(const V& p, const Shape& c)
{
    const V r = p - c.a;
    const Real along = dot(r, c.axis), off = length(r - c.axis * along);
    const Real beyond = std::max({Real(0), -along, along - length(c.b - c.a)}), out = std::max(Real(0), off - c.radius);
    return std::hypot(beyond, out);
}

/// Least value of a convex function on [low, high]: golden section, until nothing is left of the interval.
template <class F>
Real leastOf(Real low, Real high, int steps, F&& f)
{
    constexpr Real g = 0.61803398874989484820L;
    Real x = high - g * (high - low), y = low + g * (high - low), fx = f(x), fy = f(y);
    Real best = std::min({f(low), f(high), fx, fy});
    for (int k = 0; k < steps; ++k) {
        if (fx <= fy) {
            high = y;
            y = x;
            fy = fx;
            x = high - g * (high - low);
            fx = f(x);
            best = std::min(best, fx);
        } else {
            low = x;
            x = y;
            fx = fy;
            y = low + g * (high - low);
            fy = f(y);
            best = std::min(best, fy);
        }
    }
    return best;
}

/// Distance of a hull from a cylinder that it does not meet: each edge, and the point of the cylinder that is nearest
/// to the plane of each face, if it is before it. (If the nearest point of the hull is inside a face, the nearest
/// points of the cylinder lie before that face, or beside it too: then an edge is as near.)
inline Real hullCylinder(const Shape& a, const Shape& c)
{
    Real best = infinity;
    if (a.edges.empty()) best = pointCylinder(a.points[0], c);
    for (const auto& e : a.edges) {
        const V &p = a.points[e[0]], d = a.points[e[1]] - p;
        best = std::min(best, leastOf(0, 1, 90, [&](Real t) { return pointCylinder(p + d * t, c); }));
    }
    for (std::size_t f = 0; f < a.faces.size(); ++f)
        for (const Real s : {Real(1), Real(-1)}) best = std::min(best, overFace(c.farthest(a.normals[f] * s), a, f));
    return best;
}

/// Distance of two cylinders that do not meet: the ends of each from the other one; if the nearest points are on both
/// sides, they lie on the common perpendicular of the axes.
inline Real cylinderCylinder(const Shape& a, const Shape& b)
{
    Real best = infinity;
    const auto ends = [&](const Shape& x, const Shape& y) {
        const V least = std::abs(x.axis.x) <= std::min(std::abs(x.axis.y), std::abs(x.axis.z)) ? V{1, 0, 0}
                        : std::abs(x.axis.y) <= std::abs(x.axis.z)                             ? V{0, 1, 0}
                                                                                               : V{0, 0, 1};
        const V u = unit(cross(x.axis, least)), v = cross(x.axis, u);
        for (const V& c : {x.a, x.b})
            best = std::min(best, leastOf(-x.radius, x.radius, 70, [&](Real s) {
                                const Real w = std::sqrt(std::max(Real(0), x.radius * x.radius - s * s));
                                return leastOf(-w, w, 70, [&](Real t) { return pointCylinder(c + u * s + v * t, y); });
                            }));
    };
    ends(a, b);
    ends(b, a);
    const V u = a.b - a.a, v = b.b - b.a, w = b.a - a.a, n = cross(u, v);
    const Real nn = dot(n, n);
    if (nn > 0) {
        const Real s = dot(cross(w, v), n) / nn, t = dot(cross(w, u), n) / nn;
        if (s > 0 && s < 1 && t > 0 && t < 1)
            best = std::min(best, std::max(Real(0), std::abs(dot(w, n)) / std::sqrt(nn) - a.radius - b.radius));
    }
    return best;
}

}  // namespace sofa::test::reference
