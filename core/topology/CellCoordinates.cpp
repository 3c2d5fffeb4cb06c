// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/CellCoordinates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/geometry/Proximity.h"
#include "core/mesh/SubElements.h"

namespace sofa::core::geometry {

namespace {

constexpr double accuracy = 1e-12, finest = 1e-7;

template <std::size_t N>
double extentOf(const std::array<Vec3, N>& x)
{
    BoundingBox b;
    for (const Vec3& c : x) b.include(c);
    return norm(b.high - b.low);
}

/// A nearest point so far, by its coordinates.
struct BestPlace
{
    double distance = std::numeric_limits<double>::infinity();
    Vec3 v, point;

    void consider(const Vec3& p, const std::array<Vec3, 4>& x, const Vec3& at)
    {
        const Vec3 found = CellPoint<4>(x, at).x;
        if (!(norm(found - p) < distance)) return;
        distance = norm(found - p);
        v = at;
        point = found;
    }
};

/// One step of Newton's method for the gradient of |x(u, v) − p|² / 2, or nothing where its Hessian is not definite:
/// there the least value is on the border, or elsewhere.
std::optional<Vec3> stepToNearest(const Vec3& p, const std::array<Vec3, 4>& x, const Vec3& v)
{
    const CellPoint<4> at(x, v);
    const Vec3 r = at.x - p;
    const auto& [u, w, none] = at.slopes;
    const double mixed = dot(u, w) + dot(r, x[0] - x[1] + x[2] - x[3]);
    const double a = dot(u, u), c = dot(w, w), det = a * c - mixed * mixed;
    if (!(det > 1e-14 * a * c)) return std::nullopt;
    const double gu = dot(r, u), gw = dot(r, w);
    return Vec3{-(c * gu - mixed * gw) / det, -(a * gw - mixed * gu) / det, 0.};
}

/// Goes from a place of the quad to the nearest one that Newton's method finds within it.
void refine(BestPlace& best, const Vec3& p, const std::array<Vec3, 4>& x, Vec3 v)
{
    best.consider(p, x, v);
    for (int iteration = 0; iteration < 20; ++iteration) {
        const auto step = stepToNearest(p, x, v);
        if (!step) return;
        Vec3 next = v + *step;
        for (std::size_t k = 0; k < 2; ++k) next[k] = std::clamp(next[k], 0., 1.);
        best.consider(p, x, next);
        if (norm(next - v) < 1e-15) return;
        v = next;
    }
}

/// Part of a quad, by its corners and its place in the coordinates.
struct QuadPart
{
    std::array<Vec3, 4> x;
    Vec3 low;
    double size = 1.;
};

/// Newton's method for x(v) = p.
std::optional<Vec3> solve(const Vec3& p, const std::array<Vec3, 8>& x, Vec3 v, double extent)
{
    const Vec3 start = v;
    // What the corners are rounded to, in coordinates.
    const double rounding = 1e-15 * (norm(p) + norm(x[0])) / extent;
    for (int iteration = 0; iteration < 30; ++iteration) {
        const CellPoint<8> at(x, v);
        if (norm(p - at.x) < 1e-15 * extent) return v;
        const auto& [a, b, c] = at.slopes;
        const Mat3 slopes = Mat3::fromColumns(a, b, c);
        if (!(std::abs(determinant(slopes)) > 1e-14 * norm(a) * norm(b) * norm(c))) return std::nullopt;
        const Vec3 step = inverse(slopes) * (p - at.x);
        v += step;
        if (!(norm(v - start) < 1e3)) return std::nullopt;
        if (norm(step) > 1e-14 * (1. + norm(v)) + 10. * rounding) continue;
        if (norm(CellPoint<8>(x, v).x - p) > (accuracy + rounding) * extent * (1. + norm2(v))) return std::nullopt;
        return v;
    }
    return std::nullopt;
}

struct HexahedronPart
{
    Vec3 low;
    double size;
    int level;
};

template <std::size_t N>
Nearest<N> merged(const Nearest<8>& n, const std::array<Index, 8>& cornerOf)
{
    Nearest<N> r{n.point, {}, n.distance};
    for (std::size_t k = 0; k < 8; ++k) r.weights[cornerOf[k]] += n.weights[k];
    return r;
}

template <std::size_t N>
Nearest<N> nearestOnCollapsed(const Vec3& p, const std::array<Vec3, N>& x, const std::array<Index, 8>& cornerOf)
{
    std::array<Vec3, 8> all;
    for (std::size_t k = 0; k < 8; ++k) all[k] = x[cornerOf[k]];
    return merged<N>(nearestOnHexahedron(p, all), cornerOf);
}

}  // namespace

/// A part lies within t/4 of its two triangles, t = |x₀ − x₁ + x₂ − x₃|, which a division into four makes a quarter.
Nearest<4> nearestOnQuad(const Vec3& p, const std::array<Vec3, 4>& x)
{
    BestPlace best;
    const double tolerance = accuracy * extentOf(x), smallestBend = finest * extentOf(x);
    std::vector<QuadPart> parts{{x, {}, 1.}};
    while (!parts.empty()) {
        const QuadPart part = parts.back();
        parts.pop_back();
        const auto& c = part.x;
        const double bend = norm(c[0] - c[1] + c[2] - c[3]) / 4.;
        const auto first = pointTriangle(p, c[0], c[1], c[2]), second = pointTriangle(p, c[0], c[2], c[3]);
        const bool isFirst = !(second.distance2 < first.distance2);
        const double least = isFirst ? first.distance() : second.distance();
        if (!(least - bend < best.distance - tolerance)) continue;
        const Vec3 w = isFirst ? first.weightsB : second.weightsB;
        const Vec3 within = isFirst ? Vec3{w[1] + w[2], w[2], 0.} : Vec3{w[1], w[1] + w[2], 0.};
        refine(best, p, x, part.low + within * part.size);
        if (!(bend > smallestBend)) continue;
        const Vec3 center = (c[0] + c[1] + c[2] + c[3]) / 4.;
        const std::array<Vec3, 4> middles{(c[0] + c[1]) / 2., (c[1] + c[2]) / 2., (c[2] + c[3]) / 2.,
                                          (c[3] + c[0]) / 2.};
        const double half = part.size / 2.;
        parts.push_back({{c[0], middles[0], center, middles[3]}, part.low, half});
        parts.push_back({{middles[0], c[1], middles[1], center}, part.low + Vec3{half, 0., 0.}, half});
        parts.push_back({{center, middles[1], c[2], middles[2]}, part.low + Vec3{half, half, 0.}, half});
        parts.push_back({{middles[3], center, middles[2], c[3]}, part.low + Vec3{0., half, 0.}, half});
    }
    Nearest<4> r{best.point, {}, best.distance};
    const auto weights = cornerWeights<4>(best.v);
    std::ranges::copy(weights, r.weights.begin());
    return r;
}

Vec2 quadCoordinates(const Vec3& p, const std::array<Vec3, 4>& x)
{
    const Vec4 w = nearestOnQuad(p, x).weights;
    const Vec3 nearest{w[1] + w[2], w[2] + w[3], 0.};
    Vec3 v = nearest;
    for (int iteration = 0; iteration < 50; ++iteration) {
        const auto step = stepToNearest(p, x, v);
        if (!step || !(norm(v + *step - nearest) < 10.)) break;
        v += *step;
        if (norm(*step) < 1e-14 * (1. + norm(v))) return {v[0], v[1]};
    }
    return {nearest[0], nearest[1]};
}

bool areInside(const Vec3& coordinates, double margin)
{
    return std::ranges::all_of(coordinates, [margin](double c) { return c >= -margin && c <= 1. + margin; });
}

/// The image of a part of the cube lies in the box of its eight corners.
std::optional<Vec3> hexahedronCoordinates(const Vec3& p, const std::array<Vec3, 8>& x)
{
    const double extent = extentOf(x), margin = accuracy * extent;
    constexpr int deepest = 7;
    std::vector<HexahedronPart> parts{{{}, 1., 0}};
    while (!parts.empty()) {
        const HexahedronPart part = parts.back();
        parts.pop_back();
        BoundingBox box;
        for (const auto& corner : unitCorners)
            box.include(CellPoint<8>(x, part.low + Vec3{corner[0], corner[1], corner[2]} * part.size).x);
        bool mayContain = true;
        for (std::size_t k = 0; k < 3; ++k)
            mayContain = mayContain && p[k] >= box.low[k] - margin && p[k] <= box.high[k] + margin;
        if (!mayContain) continue;
        const auto v = solve(p, x, part.low + Vec3::filled(part.size / 2.), extent);
        if (v && areInside(*v, accuracy)) return v;
        if (part.level == deepest) continue;
        for (const auto& corner : unitCorners)
            parts.push_back(
                {part.low + Vec3{corner[0], corner[1], corner[2]} * (part.size / 2.), part.size / 2., part.level + 1});
    }
    return solve(p, x, Vec3::filled(0.5), extent);
}

Nearest<8> nearestOnHexahedron(const Vec3& p, const std::array<Vec3, 8>& x)
{
    Nearest<8> r;
    if (const auto v = hexahedronCoordinates(p, x); v && areInside(*v, accuracy)) {
        Vec3 inside = *v;
        for (double& c : inside) c = std::clamp(c, 0., 1.);
        const auto w = cornerWeights<8>(inside);
        std::ranges::copy(w, r.weights.begin());
        r.point = p;
        return r;
    }
    r.distance = std::numeric_limits<double>::infinity();
    for (const auto& f : hexahedronFaces) {
        const Nearest<4> face = nearestOnQuad(p, {x[f[0]], x[f[1]], x[f[2]], x[f[3]]});
        if (!(face.distance < r.distance)) continue;
        r.distance = face.distance;
        r.point = face.point;
        r.weights = {};
        for (std::size_t k = 0; k < 4; ++k) r.weights[f[k]] = face.weights[k];
    }
    return r;
}

Nearest<6> nearestOnPrism(const Vec3& p, const std::array<Vec3, 6>& x)
{
    return nearestOnCollapsed<6>(p, x, {0, 1, 2, 2, 3, 4, 5, 5});
}

Nearest<5> nearestOnPyramid(const Vec3& p, const std::array<Vec3, 5>& x)
{
    return nearestOnCollapsed<5>(p, x, {0, 1, 2, 3, 4, 4, 4, 4});
}

}  // namespace sofa::core::geometry
