// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Proximity.h"

#include <algorithm>
#include <limits>

#include "core/geometry/Orientation.h"

namespace sofa::core::geometry {

namespace {

double clamp01(double x) { return x > 0. ? (x < 1. ? x : 1.) : 0.; }

/// Parameter of the point of the segment 0–u nearest to r.
double project(const Vec3& r, const Vec3& u)
{
    const double length2 = norm2(u);
    return length2 > 0. ? clamp01(dot(r, u) / length2) : 0.;
}

Vec3 between(const Vec3& a, const Vec3& b, double t) { return t == 1. ? b : a + (b - a) * t; }

Vec3 combine(const Vec3& w, const Vec3& a, const Vec3& b, const Vec3& c)
{
    // From the corner with the largest weight: exact at corners, and never farther than the rounding of one side.
    if (w[0] >= w[1] && w[0] >= w[2]) return a + (b - a) * w[1] + (c - a) * w[2];
    if (w[1] >= w[2]) return b + (a - b) * w[0] + (c - b) * w[2];
    return c + (a - c) * w[0] + (b - c) * w[1];
}

/// Nearest point of a triangle to a point: weights and the way there.
struct OnTriangle
{
    Vec3 weights, delta;
    double distance2 = Aabb::infinity;

    void offer(const Vec3& w, const Vec3& d)
    {
        const double d2 = norm2(d);
        if (d2 < distance2) *this = {w, d, d2};
    }
};

/// Weights of e1 and e2 in the projection of r on the plane that they span, with normal n = e1 × e2, n2 = |n|².
void planeWeights(const Vec3& r, const Vec3& e1, const Vec3& e2, const Vec3& n, double n2, double& w1, double& w2)
{
    w1 = dot(cross(r, e2), n) / n2;
    w2 = dot(cross(e1, r), n) / n2;
}

/// Refines weights `steps` times, puts them into the triangle w1, w2 ≥ 0, w1 + w2 ≤ 1, and offers the point to `best`;
/// the order of the result is (corner, e1, e2) turned by `turn`.
void offerInterior(OnTriangle& best, const Vec3& r, const Vec3& e1, const Vec3& e2, const Vec3& n, double n2, double w1,
                   double w2, std::size_t turn, int steps)
{
    for (int step = 0; step < steps; ++step) {
        double d1 = 0., d2 = 0.;
        planeWeights(r - e1 * w1 - e2 * w2, e1, e2, n, n2, d1, d2);
        w1 += d1;
        w2 += d2;
    }
    w1 = std::max(0., w1);
    w2 = std::max(0., w2);
    if (w1 + w2 > 1.) {
        const double sum = w1 + w2;
        w1 /= sum;
        w2 = 1. - w1;
    }
    Vec3 w;
    w[turn] = std::max(0., 1. - w1 - w2);
    w[(turn + 1) % 3] = w1;
    w[(turn + 2) % 3] = w2;
    best.offer(w, e1 * w1 + e2 * w2 - r);
}

/// Nearest point on the side from corner i to the next. r is the point as seen from corner i, u the side.
void offerSide(OnTriangle& best, const Vec3& r, const Vec3& u, std::size_t i)
{
    const double t = project(r, u);
    Vec3 w;
    w[i] = 1. - t;
    w[(i + 1) % 3] = t;
    best.offer(w, u * t - r);
}

OnTriangle nearestOnTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const Vec3 ab = b - a, bc = c - b, ca = a - c, n = cross(bc, ca);  // = ab × ac
    const double n2 = norm2(n), lab = norm2(ab), lbc = norm2(bc), lca = norm2(ca), l = std::max({lab, lbc, lca});
    OnTriangle best;
    const Vec3 ra = p - a, rb = p - b, rc = p - c;
    if (n2 > 1e-6 * l * l) {
        double wb = 0., wc = 0.;
        const Vec3 ac = -ca;
        planeWeights(ra, ab, ac, n, n2, wb, wc);
        const double wa = 1. - wb - wc;
        if (wa >= 0. && wb >= 0. && wc >= 0.) {
            offerInterior(best, ra, ab, ac, n, n2, wb, wc, 0, 1);
            return best;
        }
        // The nearest point of a convex set lies on a side that faces the point.
        if (wc < 0.) offerSide(best, ra, ab, 0);
        if (wa < 0.) offerSide(best, rb, bc, 1);
        if (wb < 0.) offerSide(best, rc, ca, 2);
        if (best.distance2 < Aabb::infinity) return best;
    }
    // Narrow: which sides face the point is not certain. All are candidates, and the interior by the two shorter sides,
    // whose cross product is the most precise.
    offerSide(best, ra, ab, 0);
    offerSide(best, rb, bc, 1);
    offerSide(best, rc, ca, 2);
    const std::size_t turn = lbc == l ? 0 : lca == l ? 1 : 2;
    const Vec3 &r = turn == 0 ? ra : turn == 1 ? rb : rc, e1 = turn == 0 ? ab : turn == 1 ? bc : ca;
    const Vec3 e2 = turn == 0 ? -ca : turn == 1 ? -ab : -bc;
    const Vec3 m = cross(e1, e2);
    const double m2 = norm2(m);
    if (m2 > 1e-30 * norm2(e1) * norm2(e2)) {
        double w1 = 0., w2 = 0.;
        planeWeights(r, e1, e2, m, m2, w1, w2);
        if (w1 > -0.5 && w2 > -0.5 && w1 + w2 < 1.5) offerInterior(best, r, e1, e2, m, m2, w1, w2, turn, 5);
    }
    if (!(best.distance2 < Aabb::infinity)) {
        const Vec3 d = (ab + bc) * 0. - ra;  // not a number where anything is not finite
        best = {{1., 0., 0.}, d, norm2(d)};
    }
    return best;
}

/// Parameters of the nearest points of two segments, and the way from the first to the second.
struct OnSegments
{
    double s = 0., t = 0.;
    Vec3 delta;
    double distance2 = Aabb::infinity;

    void offer(double s_, double t_, const Vec3& u, const Vec3& v, const Vec3& w)
    {
        const Vec3 d = v * t_ - u * s_ - w;
        const double d2 = norm2(d);
        if (d2 < distance2) *this = {s_, t_, d, d2};
    }
};

OnSegments nearestOnSegments(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    // |w + s u − t v|² is least where its derivatives vanish: A s − B t = −D, B s − C t = −E.
    const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const double A = norm2(u), B = dot(u, v), C = norm2(v), D = dot(u, w), E = dot(v, w);
    OnSegments best;
    const double n2 = A > 0. && C > 0. ? norm2(cross(u, v)) : 0.;
    if (n2 > 1e-2 * A * C) {
        double s = clamp01((B * E - C * D) / n2), t = (B * s + E) / C;
        if (t < 0.) {
            t = 0.;
            s = clamp01(-D / A);
        } else if (t > 1.) {
            t = 1.;
            s = clamp01((B - D) / A);
        }
        best.offer(s, t, u, v, w);
        if (best.distance2 < Aabb::infinity) return best;
    }
    best.offer(0., C > 0. ? clamp01(E / C) : 0., u, v, w);
    best.offer(A > 0. ? clamp01(-D / A) : 0., 0., u, v, w);
    best.offer(1., C > 0. ? clamp01((E + B) / C) : 0., u, v, w);
    best.offer(A > 0. ? clamp01((B - D) / A) : 0., 1., u, v, w);
    if (n2 > 1e-30 * A * C && n2 > 0.) {
        // s = ((v × w) · n) / |n|², t = ((u × w) · n) / |n|², n = u × v: the products do not cancel as the determinant
        // A C − B² does. Refined with what remains of w + s u − t v.
        const Vec3 n = cross(u, v);
        double s = 0., t = 0.;
        for (int step = 0; step < 4; ++step) {
            const Vec3 rest = w + u * s - v * t;
            s = clamp01(s + dot(cross(v, rest), n) / n2);
            t = clamp01(t + dot(cross(u, rest), n) / n2);
        }
        best.offer(s, project(w + u * s, v), u, v, w);
        best.offer(project(v * t - w, u), t, u, v, w);
        best.offer(s, t, u, v, w);
    }
    if (!(best.distance2 < Aabb::infinity)) {
        const Vec3 d = (u + v) * 0. - w;  // not a number where anything is not finite
        best = {0., 0., d, norm2(d)};
    }
    return best;
}

}  // namespace

Proximity<1, 1> pointPoint(const Vec3& p, const Vec3& q) { return {Vec1(1.), Vec1(1.), p, q, q - p, norm2(q - p)}; }

Proximity<1, 2> pointSegment(const Vec3& p, const Vec3& a, const Vec3& b)
{
    const Vec3 u = b - a, r = p - a;
    const double t = project(r, u);
    const Vec3 delta = t == 1. ? b - p : u * t - r;
    return {Vec1(1.), {1. - t, t}, p, between(a, b, t), delta, norm2(delta)};
}

Proximity<1, 3> pointTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const OnTriangle n = nearestOnTriangle(p, a, b, c);
    return {Vec1(1.), n.weights, p, combine(n.weights, a, b, c), n.delta, n.distance2};
}

TetrahedronProximity pointTetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const std::array<Vec3, 4> x{a, b, c, d};
    const Vec3 ab = b - a, ac = c - a, ad = d - a, r = p - a;
    const Vec3 nb = cross(ac, ad), nc = cross(ad, ab), nd = cross(ab, ac);
    const double volume = dot(ab, nb), l = std::max({norm2(ab), norm2(ac), norm2(ad)});
    TetrahedronProximity result;
    result.weightsA = Vec1(1.);
    result.pointA = p;
    const auto insideWith = [&](const Vec3& w) {
        result.weightsB = {std::max(0., 1. - w[0] - w[1] - w[2]), w[0], w[1], w[2]};
        result.pointB = p;
        result.inside = true;
        return result;
    };
    bool well = false;
    std::array<bool, 4> faces{true, true, true, true};  // opposite the corners: those that may hold the nearest point
    if (std::abs(volume) > 1e-4 * l * std::sqrt(l)) {
        well = true;
        Vec3 w = Vec3{dot(r, nb), dot(r, nc), dot(r, nd)} / volume;
        const Vec3 rest = r - ab * w[0] - ac * w[1] - ad * w[2];
        w += Vec3{dot(rest, nb), dot(rest, nc), dot(rest, nd)} / volume;
        const double wa = 1. - w[0] - w[1] - w[2];
        if (wa >= 0. && w[0] >= 0. && w[1] >= 0. && w[2] >= 0.) return insideWith(w);
        faces = {wa < 0., w[0] < 0., w[1] < 0., w[2] < 0.};
    } else {
        // Flat: whether the point is inside is decided exactly.
        const double va = orientation(p, b, c, d), vb = orientation(a, p, c, d), vc = orientation(a, b, p, d),
                     vd = orientation(a, b, c, p);
        if ((va >= 0. && vb >= 0. && vc >= 0. && vd >= 0.) || (va <= 0. && vb <= 0. && vc <= 0. && vd <= 0.)) {
            const Vec3 v{exactOrientation(a, p, c, d), exactOrientation(a, b, p, d), exactOrientation(a, b, c, p)};
            const double sum = exactOrientation(p, b, c, d) + v[0] + v[1] + v[2];
            if (sum != 0.) return insideWith(v / sum);
        }
    }
    result.distance2 = Aabb::infinity;
    for (const bool certain : {well, false}) {
        for (std::size_t i = 0; i < 4; ++i) {
            if (certain && !faces[i]) continue;
            const std::size_t j = (i + 1) % 4, k = (i + 2) % 4, m = (i + 3) % 4;
            const OnTriangle n = nearestOnTriangle(p, x[j], x[k], x[m]);
            if (!(n.distance2 < result.distance2)) continue;
            result.weightsB = {};
            result.weightsB[j] = n.weights[0];
            result.weightsB[k] = n.weights[1];
            result.weightsB[m] = n.weights[2];
            result.pointB = combine(n.weights, x[j], x[k], x[m]);
            result.delta = n.delta;
            result.distance2 = n.distance2;
        }
        if (result.distance2 < Aabb::infinity) break;
    }
    if (!(result.distance2 < Aabb::infinity)) {
        result.weightsB = {1., 0., 0., 0.};
        result.pointB = a;
        result.delta = (ab + ac + ad) * 0. - r;  // not a number where anything is not finite
        result.distance2 = norm2(result.delta);
    }
    return result;
}

Proximity<2, 2> segmentSegment(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1)
{
    const OnSegments n = nearestOnSegments(a0, a1, b0, b1);
    return {{1. - n.s, n.s}, {1. - n.t, n.t}, between(a0, a1, n.s), between(b0, b1, n.t), n.delta, n.distance2};
}

std::optional<Crossing> segmentCrossesTriangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                                               const Vec3& c)
{
    const double hp = orientation(a, b, c, p), hq = orientation(a, b, c, q);
    if (!((hp <= 0. && hq >= 0.) || (hp >= 0. && hq <= 0.)) || hp == hq) return {};
    // Volumes that the segment spans with the sides have one sign inside.
    const double wa = orientation(p, q, b, c), wb = orientation(p, q, c, a), wc = orientation(p, q, a, b);
    if (!((wa >= 0. && wb >= 0. && wc >= 0.) || (wa <= 0. && wb <= 0. && wc <= 0.))) return {};
    Crossing r;
    const auto set = [&](double heightP, double heightQ, const Vec3& volumes) {
        const double sum = volumes[0] + volumes[1] + volumes[2];
        if (sum == 0.) return false;
        r.s = clamp01(heightP / (heightP - heightQ));
        r.weights = volumes / sum;
        return true;
    };
    if (!set(hp, hq, {wa, wb, wc})) return {};
    // For flat arrangements the signs are right and the digits may not be: then the two points do not meet.
    const Vec3 d = q - p, ab = b - a, ac = c - a, gap = p - a + d * r.s - ab * r.weights[1] - ac * r.weights[2];
    if (!(norm2(gap) <= 1e-30 * std::max({norm2(d), norm2(ab), norm2(ac)})))
        set(exactOrientation(a, b, c, p), exactOrientation(a, b, c, q),
            {exactOrientation(p, q, b, c), exactOrientation(p, q, c, a), exactOrientation(p, q, a, b)});
    r.point = between(p, q, r.s);
    return r;
}

SegmentTriangleProximity segmentTriangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    SegmentTriangleProximity r;
    if (const auto x = segmentCrossesTriangle(p, q, a, b, c)) {
        r.weightsA = {1. - x->s, x->s};
        r.weightsB = x->weights;
        r.pointA = r.pointB = x->point;
        r.crossing = true;
        return r;
    }
    r.distance2 = Aabb::infinity;
    for (std::size_t end = 0; end < 2; ++end) {
        const OnTriangle n = nearestOnTriangle(end == 0 ? p : q, a, b, c);
        if (!(n.distance2 < r.distance2)) continue;
        r.weightsA = Vec2::unit(end);
        r.weightsB = n.weights;
        r.delta = n.delta;
        r.distance2 = n.distance2;
    }
    const std::array<const Vec3*, 3> x{&a, &b, &c};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const OnSegments n = nearestOnSegments(p, q, *x[i], *x[j]);
        if (!(n.distance2 < r.distance2)) continue;
        r.weightsA = {1. - n.s, n.s};
        r.weightsB = {};
        r.weightsB[i] = 1. - n.t;
        r.weightsB[j] = n.t;
        r.delta = n.delta;
        r.distance2 = n.distance2;
    }
    if (!(r.distance2 < Aabb::infinity)) {
        r.weightsA = Vec2::unit(0);
        r.weightsB = Vec3::unit(0);
        r.delta = a - p + (b + c + q) * 0.;
        r.distance2 = norm2(r.delta);
    }
    r.pointA = between(p, q, r.weightsA[1]);
    r.pointB = combine(r.weightsB, a, b, c);
    return r;
}

TriangleTriangleProximity triangleTriangle(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b)
{
    TriangleTriangleProximity r;
    const auto side = [](std::size_t i, double t) {
        Vec3 w;
        w[i] = 1. - t;
        w[(i + 1) % 3] = t;
        return w;
    };
    /// Whether the corners of x lie on both sides of the plane of y, or on it.
    const auto straddles = [](const std::array<Vec3, 3>& x, const std::array<Vec3, 3>& y) {
        const double h0 = orientation(y[0], y[1], y[2], x[0]), h1 = orientation(y[0], y[1], y[2], x[1]);
        if ((h0 <= 0. && h1 >= 0.) || (h0 >= 0. && h1 <= 0.)) return true;
        const double h2 = orientation(y[0], y[1], y[2], x[2]);
        return h0 < 0. ? h2 >= 0. : h2 <= 0.;
    };
    if (straddles(a, b) && straddles(b, a))
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3;
            auto x = segmentCrossesTriangle(a[i], a[j], b[0], b[1], b[2]);
            if (x) {
                r.weightsA = side(i, x->s);
                r.weightsB = x->weights;
            } else if ((x = segmentCrossesTriangle(b[i], b[j], a[0], a[1], a[2]))) {
                r.weightsA = x->weights;
                r.weightsB = side(i, x->s);
            } else {
                continue;
            }
            r.pointA = r.pointB = x->point;
            r.crossing = true;
            return r;
        }
    r.distance2 = Aabb::infinity;
    for (std::size_t i = 0; i < 3; ++i) {
        const OnTriangle n = nearestOnTriangle(a[i], b[0], b[1], b[2]);
        if (!(n.distance2 < r.distance2)) continue;
        r.weightsA = Vec3::unit(i);
        r.weightsB = n.weights;
        r.delta = n.delta;
        r.distance2 = n.distance2;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const OnTriangle n = nearestOnTriangle(b[i], a[0], a[1], a[2]);
        if (!(n.distance2 < r.distance2)) continue;
        r.weightsA = n.weights;
        r.weightsB = Vec3::unit(i);
        r.delta = -n.delta;
        r.distance2 = n.distance2;
    }
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            const OnSegments n = nearestOnSegments(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
            if (!(n.distance2 < r.distance2)) continue;
            r.weightsA = side(i, n.s);
            r.weightsB = side(j, n.t);
            r.delta = n.delta;
            r.distance2 = n.distance2;
        }
    if (!(r.distance2 < Aabb::infinity)) {
        r.weightsA = r.weightsB = Vec3::unit(0);
        r.delta = b[0] - a[0] + (a[1] + a[2] + b[1] + b[2]) * 0.;
        r.distance2 = norm2(r.delta);
    }
    r.pointA = combine(r.weightsA, a[0], a[1], a[2]);
    r.pointB = combine(r.weightsB, b[0], b[1], b[2]);
    return r;
}

// --- Rays -------------------------------------------------------------------------------------------------------

std::optional<RayHit> rayTriangle(const Vec3& origin, const Vec3& direction, const Vec3& a, const Vec3& b,
                                  const Vec3& c)
{
    // Axes permuted so that the direction is longest along the last, and sheared so that the ray is that axis: what
    // remains are the signs of three areas in the plane, and a side gives the same area for both of its triangles.
    std::size_t kz = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(direction[k]) > std::abs(direction[kz])) kz = k;
    if (!(std::abs(direction[kz]) > 0.)) return {};
    std::size_t kx = (kz + 1) % 3, ky = (kz + 2) % 3;
    if (direction[kz] < 0.) std::swap(kx, ky);
    const double sx = direction[kx] / direction[kz], sy = direction[ky] / direction[kz], sz = 1. / direction[kz];
    const auto sheared = [&](const Vec3& x) {
        const Vec3 r = x - origin;
        return Vec3{r[kx] - sx * r[kz], r[ky] - sy * r[kz], sz * r[kz]};
    };
    const Vec3 A = sheared(a), B = sheared(b), C = sheared(c);
    const double u = C[0] * B[1] - C[1] * B[0], v = A[0] * C[1] - A[1] * C[0], w = B[0] * A[1] - B[1] * A[0];
    if ((u < 0. || v < 0. || w < 0.) && (u > 0. || v > 0. || w > 0.)) return {};
    const double sum = u + v + w;
    if (sum == 0. || sum != sum) return {};
    const double t = (u * A[2] + v * B[2] + w * C[2]) / sum;
    if (!(t >= 0.)) return {};
    return RayHit{t, Vec3{u, v, w} / sum, sum > 0.};
}

std::optional<RaySpan> raySphere(const Vec3& origin, const Vec3& direction, const Vec3& center, double radius)
{
    const Vec3 f = origin - center;
    const double c = norm2(f) - radius * radius, length2 = norm2(direction);
    if (!(length2 > 0.)) return c <= 0. ? std::optional(RaySpan{0., Aabb::infinity}) : std::nullopt;
    const double length = std::sqrt(length2);
    const Vec3 d = direction / length;
    const double b = -dot(f, d);
    const double discriminant = radius * radius - norm2(f + d * b);
    if (!(discriminant >= 0.)) return {};
    const double q = b + std::copysign(std::sqrt(discriminant), b);
    double enter = q != 0. ? c / q : 0., leave = q;
    if (enter > leave) std::swap(enter, leave);
    if (leave < 0.) return {};
    return RaySpan{std::max(0., enter) / length, leave / length};
}

std::optional<RaySpan> rayBox(const Vec3& origin, const Vec3& direction, const Vec3& lower, const Vec3& upper)
{
    RaySpan r{0., Aabb::infinity};
    for (std::size_t k = 0; k < 3; ++k) {
        if (direction[k] == 0.) {
            if (!(lower[k] <= origin[k] && origin[k] <= upper[k])) return {};
            continue;
        }
        const double t0 = (lower[k] - origin[k]) / direction[k], t1 = (upper[k] - origin[k]) / direction[k];
        r.enter = std::max(r.enter, std::min(t0, t1));
        r.leave = std::min(r.leave, std::max(t0, t1));
    }
    if (!(r.enter <= r.leave)) return {};
    return r;
}

}  // namespace sofa::core::geometry
