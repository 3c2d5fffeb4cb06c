// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Solids.h"
#include "core/math/Decompositions.h"

#include <algorithm>
#include <limits>

namespace sofa::core::geometry {

namespace {

/// Contact of balls of radii ra, rb around the points p, q that are `delta` apart.
Contact rounded(const Vec3& p, const Vec3& q, const Vec3& delta, double ra, double rb, const Vec3& otherwise)
{
    Contact c;
    const double d = norm(delta);
    c.normal = d > 0. ? delta / d : otherwise;
    c.pointA = p + c.normal * ra;
    c.pointB = q - c.normal * rb;
    c.distance = d - ra - rb;
    return c;
}

// --- In the frame of a box with half extents h ------------------------------------------------------------------

Vec3 clampToBox(const Vec3& p, const Vec3& h)
{
    Vec3 r;
    for (std::size_t k = 0; k < 3; ++k) r[k] = std::clamp(p[k], -h[k], h[k]);
    return r;
}

/// Parameter of the point p + t d, t in [0, 1], nearest to the box. The squared distance is convex and piecewise
/// quadratic with breaks where a coordinate passes ±h; its derivative is followed from break to break to its root.
double nearestToBox(const Vec3& p, const Vec3& d, const Vec3& h)
{
    std::array<double, 8> breaks{0., 1.};
    std::size_t count = 2;
    for (std::size_t k = 0; k < 3; ++k)
        for (const double side : {-h[k], h[k]}) {
            const double t = (side - p[k]) / d[k];
            if (t > 0. && t < 1.) breaks[count++] = t;
        }
    std::sort(breaks.begin(), breaks.begin() + static_cast<std::ptrdiff_t>(count));
    const auto slope = [&](double t) {
        const Vec3 x = p + d * t;
        return dot(x - clampToBox(x, h), d);
    };
    double before = breaks[0], slopeBefore = slope(before);
    if (slopeBefore >= 0.) return before;
    for (std::size_t i = 1; i < count; ++i) {
        const double t = breaks[i], s = slope(t);
        if (s >= 0.) return before + (t - before) * (-slopeBefore / (s - slopeBefore));
        before = t;
        slopeBefore = s;
    }
    return 1.;
}

/// The axis of least overlap of a box and a convex body, or the first that separates them.
struct LeastOverlap
{
    double depth = Aabb::infinity;
    Vec3 normal;  ///< from the box to the body
    enum class Kind
    {
        boxFace,
        bodyFace,
        edges
    } kind = Kind::boxFace;
    std::size_t boxEdge = 0, bodyEdge = 0;

    bool separated() const { return depth < 0.; }
    /// The axis n, not necessarily of unit length; the body spans [low, high] along it, the box [−extent, extent]. An
    /// axis of two edges must be better by more than rounding, for faces give better contacts. False if it separates.
    bool test(const Vec3& n, double extent, double low, double high, Kind k, std::size_t i = 0, std::size_t j = 0)
    {
        const double length = norm(n);
        if (!(length > 1e-8)) return true;  // of two parallel edges: another axis does it
        const double forward = (extent - low) / length, backward = (high + extent) / length;
        const double d = std::min(forward, backward);
        const double better = k == Kind::edges && depth < Aabb::infinity ? depth * (1. - 1e-6) - 1e-14 * extent : depth;
        if (d < better || d < 0.) {
            depth = d;
            normal = n * ((forward <= backward ? 1. : -1.) / length);
            kind = k;
            boxEdge = i;
            bodyEdge = j;
        }
        return d >= 0.;
    }
};

double extentAlong(const Vec3& h, const Vec3& n)
{
    return h[0] * std::abs(n[0]) + h[1] * std::abs(n[1]) + h[2] * std::abs(n[2]);
}

Vec3 cornerAlong(const Vec3& h, const Vec3& n)
{
    Vec3 c;
    for (std::size_t k = 0; k < 3; ++k) c[k] = std::copysign(h[k], n[k]);
    return c;
}

/// The edge along `axis` of the box that is farthest along n.
std::array<Vec3, 2> edgeAlong(const Vec3& h, const Vec3& n, std::size_t axis)
{
    Vec3 from = cornerAlong(h, n), to = from;
    from[axis] = -h[axis];
    to[axis] = h[axis];
    return {from, to};
}

/// Contact along n from a point of the box or of the body, of which the other is `depth` away.
Contact alongNormal(const Vec3& onBox, const Vec3& onBody, const Vec3& n, double depth, bool bodyIsExact)
{
    Contact c;
    c.normal = n;
    c.distance = -depth;
    c.pointA = bodyIsExact ? onBody + n * depth : onBox;
    c.pointB = bodyIsExact ? onBody : onBox - n * depth;
    return c;
}

/// Contact where two edges are nearest, along n.
Contact alongEdges(const std::array<Vec3, 2>& boxEdge, const Vec3& b0, const Vec3& b1, const Vec3& n, double depth)
{
    const auto s = segmentSegment(boxEdge[0], boxEdge[1], b0, b1);
    return alongNormal(s.pointA, s.pointB, n, depth, false);
}

Contact toWorld(const Obb& box, const Contact& c)
{
    return {box.toWorld(c.pointA), box.toWorld(c.pointB), box.axes * c.normal, c.distance};
}

/// The points of a body given by corners: the one farthest along −n. Of several within rounding, their mean.
Vec3 deepest(std::span<const Vec3> x, const Vec3& n)
{
    double low = Aabb::infinity, size = 0.;
    for (const Vec3& p : x) {
        low = std::min(low, dot(p, n));
        size = std::max(size, norm(p));
    }
    Vec3 sum;
    double count = 0.;
    for (const Vec3& p : x)
        if (dot(p, n) <= low + 1e-12 * size) {
            sum += p;
            count += 1.;
        }
    return count > 0. ? sum / count : x[0];
}

void rangeAlong(std::span<const Vec3> x, const Vec3& n, double& low, double& high)
{
    low = Aabb::infinity;
    high = -Aabb::infinity;
    for (const Vec3& p : x) {
        low = std::min(low, dot(p, n));
        high = std::max(high, dot(p, n));
    }
}

}  // namespace

// --- Spheres, capsules, cylinders -------------------------------------------------------------------------------

Contact sphereSphere(const Sphere& a, const Sphere& b)
{
    return rounded(a.center, b.center, b.center - a.center, a.radius, b.radius, Vec3::unit(0));
}

Contact sphereCapsule(const Sphere& a, const Capsule& b)
{
    const auto p = pointSegment(a.center, b.a, b.b);
    return rounded(a.center, p.pointB, p.delta, a.radius, b.radius, perpendicular(b.b - b.a));
}

Contact capsuleCapsule(const Capsule& a, const Capsule& b)
{
    const auto p = segmentSegment(a.a, a.b, b.a, b.b);
    const Vec3 u = a.b - a.a, v = b.b - b.a, n = cross(u, v);
    const bool crossed = norm2(n) > 1e-24 * norm2(u) * norm2(v);
    const Vec3 otherwise = crossed ? normalized(n) : perpendicular(norm2(u) >= norm2(v) ? u : v);
    return rounded(p.pointA, p.pointB, p.delta, a.radius, b.radius, otherwise);
}

Contact sphereTriangle(const Sphere& a, const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    const auto p = pointTriangle(a.center, t0, t1, t2);
    const Vec3 n = normalized(cross(t1 - t0, t2 - t0), Vec3::unit(0));
    return rounded(a.center, p.pointB, p.delta, a.radius, 0., -n);
}

Contact capsuleTriangle(const Capsule& a, const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    const auto p = segmentTriangle(a.a, a.b, t0, t1, t2);
    if (!p.crossing) {
        const Vec3 n = normalized(cross(t1 - t0, t2 - t0), Vec3::unit(0));
        return rounded(p.pointA, p.pointB, p.delta, a.radius, 0., -n);
    }
    // The end that has gone less far beyond the plane is pushed back through it.
    const Vec3 n = normalized(cross(t1 - t0, t2 - t0));
    const double ha = dot(a.a - t0, n), hb = dot(a.b - t0, n);
    const bool up = -std::min(ha, hb) <= std::max(ha, hb);
    const double depth = up ? -std::min(ha, hb) : std::max(ha, hb);
    const Vec3 out = up ? n : -n, end = (ha < hb) == up ? a.a : a.b;
    Contact c;
    c.normal = -out;
    c.distance = -depth - a.radius;
    c.pointA = end - out * a.radius;
    c.pointB = end + out * depth;
    return c;
}

Contact sphereCylinder(const Sphere& a, const Cylinder& b)
{
    const Vec3 axis = b.b - b.a, r = a.center - b.a;
    const double length = norm(axis);
    const Vec3 e = length > 0. ? axis / length : Vec3::unit(0);
    const double along = dot(r, e);
    const Vec3 across = r - e * along;
    const double off = norm(across);
    // Of a centre on the axis, only rounding is left, which need not be perpendicular to it.
    const Vec3 outwards = off > 1e-14 * (norm(r) + length) ? normalized(across - e * dot(across, e)) : perpendicular(e);
    // On the surface, or nearer than rounding: as inside, for there is no direction to go by.
    const double rounding = 1e-15 * (norm(r) + length + b.radius);
    if (along >= -rounding && along <= length + rounding && off <= b.radius + rounding) {
        const double toSide = b.radius - off, toA = along, toB = length - along;
        const double depth = std::min({toSide, toA, toB});
        const Vec3 n = toSide <= depth ? outwards : toA <= depth ? -e : e;
        Contact c;
        c.normal = -n;
        c.distance = -depth - a.radius;
        c.pointA = a.center - n * a.radius;
        c.pointB = a.center + n * depth;
        return c;
    }
    const Vec3 nearest = b.a + e * std::clamp(along, 0., length) + outwards * std::min(off, b.radius);
    return rounded(a.center, nearest, nearest - a.center, a.radius, 0., -e);
}

// --- Oriented boxes ---------------------------------------------------------------------------------------------

Contact obbSphere(const Obb& a, const Sphere& b)
{
    const Vec3 p = a.toLocal(b.center), h = a.halfExtents, q = clampToBox(p, h);
    if (!(q == p)) return toWorld(a, rounded(q, p, p - q, 0., b.radius, Vec3::unit(0)));
    std::size_t face = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (h[k] - std::abs(p[k]) < h[face] - std::abs(p[face])) face = k;
    Contact c;
    c.normal[face] = std::copysign(1., p[face]);
    c.distance = std::abs(p[face]) - h[face] - b.radius;
    c.pointA = p;
    c.pointA[face] = std::copysign(h[face], p[face]);
    c.pointB = p - c.normal * b.radius;
    return toWorld(a, c);
}

Contact obbCapsule(const Obb& a, const Capsule& b)
{
    const Vec3 h = a.halfExtents;
    const std::array<Vec3, 2> x{a.toLocal(b.a), a.toLocal(b.b)};
    const Vec3 d = x[1] - x[0];
    const double t = nearestToBox(x[0], d, h);
    const Vec3 q = t == 1. ? x[1] : x[0] + d * t, onBox = clampToBox(q, h);
    const double size = norm(h) + norm(d);
    if (norm(q - onBox) > 1e-14 * size) return toWorld(a, rounded(onBox, q, q - onBox, 0., b.radius, Vec3::unit(0)));

    using Kind = LeastOverlap::Kind;
    LeastOverlap least;
    const auto test = [&](const Vec3& n, Kind kind, std::size_t edge) {
        const double p = dot(x[0], n), r = dot(x[1], n);
        least.test(n, extentAlong(h, n), std::min(p, r), std::max(p, r), kind, edge);
    };
    for (std::size_t k = 0; k < 3; ++k) test(Vec3::unit(k), Kind::boxFace, 0);
    const double length = norm(d);
    if (length > 0.)
        for (std::size_t k = 0; k < 3; ++k) test(cross(Vec3::unit(k), d / length), Kind::edges, k);
    const double depth = std::max(least.depth, 0.);
    Contact c = least.kind == Kind::edges
                    ? alongEdges(edgeAlong(h, least.normal, least.boxEdge), x[0], x[1], least.normal, depth)
                    : alongNormal({}, deepest(x, least.normal), least.normal, depth, true);
    c.distance -= b.radius;
    c.pointB -= c.normal * b.radius;
    return toWorld(a, c);
}

Contact obbTriangle(const Obb& a, const Vec3& t0, const Vec3& t1, const Vec3& t2)
{
    using Kind = LeastOverlap::Kind;
    const Vec3 h = a.halfExtents;
    const std::array<Vec3, 3> x{a.toLocal(t0), a.toLocal(t1), a.toLocal(t2)};
    const std::array<Vec3, 3> sides{x[1] - x[0], x[2] - x[1], x[0] - x[2]};
    LeastOverlap least;
    const auto test = [&](const Vec3& n, Kind kind, std::size_t i, std::size_t j) {
        double low = 0., high = 0.;
        rangeAlong(x, n, low, high);
        return least.test(n, extentAlong(h, n), low, high, kind, i, j);
    };
    bool overlap = true;
    for (std::size_t k = 0; overlap && k < 3; ++k) overlap = test(Vec3::unit(k), Kind::boxFace, 0, 0);
    if (overlap) overlap = test(normalized(cross(sides[0], sides[1])), Kind::bodyFace, 0, 0);
    for (std::size_t i = 0; overlap && i < 3; ++i)
        for (std::size_t j = 0; overlap && j < 3; ++j)
            overlap = test(cross(Vec3::unit(i), normalized(sides[j])), Kind::edges, i, j);
    if (overlap) {
        const Vec3 n = least.normal;
        if (least.kind == Kind::boxFace) return toWorld(a, alongNormal({}, deepest(x, n), n, least.depth, true));
        if (least.kind == Kind::bodyFace) return toWorld(a, alongNormal(cornerAlong(h, n), {}, n, least.depth, false));
        return toWorld(a, alongEdges(edgeAlong(h, n, least.boxEdge), x[least.bodyEdge], x[(least.bodyEdge + 1) % 3], n,
                                     least.depth));
    }
    // Apart: a side of the triangle is nearest to the box, or a corner of the box to the triangle.
    Vec3 onBox, onBody;
    double best = Aabb::infinity;
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = nearestToBox(x[i], sides[i], h);
        const Vec3 q = t == 1. ? x[(i + 1) % 3] : x[i] + sides[i] * t, b = clampToBox(q, h);
        if (norm2(q - b) < best) {
            best = norm2(q - b);
            onBox = b;
            onBody = q;
        }
    }
    for (unsigned corner = 0; corner < 8; ++corner) {
        const Vec3 p{(corner & 1) != 0 ? h[0] : -h[0], (corner & 2) != 0 ? h[1] : -h[1],
                     (corner & 4) != 0 ? h[2] : -h[2]};
        const auto nearest = pointTriangle(p, x[0], x[1], x[2]);
        if (nearest.distance2 < best) {
            best = nearest.distance2;
            onBox = p;
            onBody = nearest.pointB;
        }
    }
    return toWorld(a, rounded(onBox, onBody, onBody - onBox, 0., 0., least.normal));
}

namespace {

std::array<Vec3, 8> cornersOf(const Obb& b)
{
    std::array<Vec3, 8> x;
    for (unsigned i = 0; i < 8; ++i)
        x[i] = b.toWorld({(i & 1) != 0 ? b.halfExtents[0] : -b.halfExtents[0],
                          (i & 2) != 0 ? b.halfExtents[1] : -b.halfExtents[1],
                          (i & 4) != 0 ? b.halfExtents[2] : -b.halfExtents[2]});
    return x;
}

/// Corner and direction of the twelve edges: along `axis`, from the corners without that bit.
template <class F>
void forEachEdge(F&& f)
{
    for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned i = 0; i < 8; ++i)
            if ((i >> axis & 1) == 0) f(i, i | 1u << axis);
}

}  // namespace

Contact obbObb(const Obb& a, const Obb& b)
{
    using Kind = LeastOverlap::Kind;
    const Vec3 h = a.halfExtents;
    const Obb local{a.toLocal(b.center), a.axes.transposed() * b.axes, b.halfExtents};
    LeastOverlap least;
    const auto test = [&](const Vec3& n, Kind kind, std::size_t i, std::size_t j) {
        const double middle = dot(local.center, n),
                     extent = extentAlong(local.halfExtents, transposeTimes(local.axes, n));
        return least.test(n, extentAlong(h, n), middle - extent, middle + extent, kind, i, j);
    };
    bool overlap = true;
    for (std::size_t k = 0; overlap && k < 3; ++k) overlap = test(Vec3::unit(k), Kind::boxFace, 0, 0);
    for (std::size_t k = 0; overlap && k < 3; ++k) overlap = test(local.axes.column(k), Kind::bodyFace, 0, k);
    for (std::size_t i = 0; overlap && i < 3; ++i)
        for (std::size_t j = 0; overlap && j < 3; ++j)
            overlap = test(cross(Vec3::unit(i), local.axes.column(j)), Kind::edges, i, j);
    const std::array<Vec3, 8> x = cornersOf(local);
    if (overlap) {
        const Vec3 n = least.normal;
        if (least.kind == Kind::boxFace) return toWorld(a, alongNormal({}, deepest(x, n), n, least.depth, true));
        if (least.kind == Kind::bodyFace) {
            const std::array<Vec3, 8> own = cornersOf({{}, Mat3::identity(), h});
            return toWorld(a, alongNormal(deepest(own, -n), {}, n, least.depth, false));
        }
        const auto edge = edgeAlong(local.halfExtents, transposeTimes(local.axes, -n), least.bodyEdge);
        return toWorld(a, alongEdges(edgeAlong(h, n, least.boxEdge), local.toWorld(edge[0]), local.toWorld(edge[1]), n,
                                     least.depth));
    }
    // Apart: an edge of B is nearest to box A (edges and corners of B with anything of A), or a corner of A to box B.
    Vec3 onA, onB;
    double best = Aabb::infinity;
    forEachEdge([&](unsigned i, unsigned j) {
        const Vec3 d = x[j] - x[i];
        const double t = nearestToBox(x[i], d, h);
        const Vec3 q = t == 1. ? x[j] : x[i] + d * t, p = clampToBox(q, h);
        if (norm2(q - p) < best) {
            best = norm2(q - p);
            onA = p;
            onB = q;
        }
    });
    for (const Vec3& p : cornersOf({{}, Mat3::identity(), h})) {
        const Vec3 q = local.toWorld(clampToBox(local.toLocal(p), local.halfExtents));
        if (norm2(q - p) < best) {
            best = norm2(q - p);
            onA = p;
            onB = q;
        }
    }
    return toWorld(a, rounded(onA, onB, onB - onA, 0., 0., least.normal));
}

ObbContacts obbManifold(const Obb& a, const Obb& b, double limit)
{
    ObbContacts result;
    const Contact single = obbObb(a, b);
    if (!(single.distance <= limit)) return result;
    // The reference face: of either box, the one whose normal is nearest to that of the contact.
    constexpr double aligned = 0.9999;
    const auto faceOf = [](const Obb& box, const Vec3& n, double& cosine) {
        std::size_t best = 0;
        const Vec3 local = transposeTimes(box.axes, n);
        for (std::size_t k = 1; k < 3; ++k)
            if (std::abs(local[k]) > std::abs(local[best])) best = k;
        cosine = std::abs(local[best]);
        return best;
    };
    double cosineA = 0., cosineB = 0.;
    const std::size_t faceA = faceOf(a, single.normal, cosineA), faceB = faceOf(b, single.normal, cosineB);
    const bool referenceIsA = cosineA >= cosineB * (1. - 1e-9);
    if (std::max(cosineA, cosineB) < aligned) {
        result.contacts[0] = single;
        result.count = 1;
        return result;
    }
    const Obb &reference = referenceIsA ? a : b, &other = referenceIsA ? b : a;
    const Vec3 outwards = transposeTimes(reference.axes, referenceIsA ? single.normal : -single.normal);
    const std::size_t face = referenceIsA ? faceA : faceB, u = (face + 1) % 3, v = (face + 2) % 3;
    const double sign = std::copysign(1., outwards[face]);
    const Vec3 h = reference.halfExtents;

    // The face of the other box that looks most against it, in the frame of the reference.
    const Vec3 direction = reference.axes * (Vec3::unit(face) * -sign);
    double unused = 0.;
    const std::size_t incident = faceOf(other, direction, unused), p = (incident + 1) % 3, q = (incident + 2) % 3;
    const double side = std::copysign(1., dot(other.axes.column(incident), direction));
    std::array<Vec3, 16> polygon, clipped;
    std::size_t count = 0;
    for (const auto& [s, t] : {std::pair{1., 1.}, {-1., 1.}, {-1., -1.}, {1., -1.}}) {
        Vec3 corner;
        corner[incident] = side * other.halfExtents[incident];
        corner[p] = s * other.halfExtents[p];
        corner[q] = t * other.halfExtents[q];
        polygon[count++] = reference.toLocal(other.toWorld(corner));
    }
    for (const std::size_t axis : {u, v})
        for (const double bound : {1., -1.}) {
            std::size_t kept = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const Vec3 &x = polygon[i], &y = polygon[(i + 1) % count];
                const double ex = bound * x[axis] - h[axis], ey = bound * y[axis] - h[axis];
                if (ex <= 0.) clipped[kept++] = x;
                if ((ex < 0. && ey > 0.) || (ex > 0. && ey < 0.)) clipped[kept++] = x + (y - x) * (ex / (ex - ey));
            }
            std::swap(polygon, clipped);
            count = kept;
        }
    for (std::size_t i = 0; i < count && result.count < result.contacts.size(); ++i) {
        const double distance = sign * polygon[i][face] - h[face];
        if (!(distance <= limit)) continue;
        Vec3 foot = polygon[i];
        foot[face] = sign * h[face];
        Contact c;
        c.pointA = reference.toWorld(foot);
        c.pointB = reference.toWorld(polygon[i]);
        c.normal = reference.axes * (Vec3::unit(face) * sign);
        c.distance = distance;
        result.contacts[result.count++] = referenceIsA ? c : swapped(c);
    }
    if (result.count == 0) {
        result.contacts[0] = single;
        result.count = 1;
        return result;
    }
    std::size_t first = 0;
    for (std::size_t i = 1; i < result.count; ++i)
        if (result.contacts[i].distance < result.contacts[first].distance) first = i;
    std::swap(result.contacts[0], result.contacts[first]);
    return result;
}

std::optional<RaySpan> rayObb(const Vec3& origin, const Vec3& direction, const Obb& box)
{
    return rayBox(box.toLocal(origin), transposeTimes(box.axes, direction), -box.halfExtents, box.halfExtents);
}

}  // namespace sofa::core::geometry
