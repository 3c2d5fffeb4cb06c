// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Convex.h"

#include <algorithm>

namespace sofa::core::geometry {

namespace {

using Kind = ConvexBody::Kind;

Vec3 perpendicular(const Vec3& d)
{
    std::size_t least = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(d[k]) < std::abs(d[least])) least = k;
    return normalized(cross(d, Vec3::unit(least)), Vec3::unit(0));
}

Vec3 cylinderAxis(const ConvexBody& b) { return normalized(b.points[1] - b.points[0], Vec3::unit(1)); }

/// Length of a body, for tolerances.
double sizeOf(const ConvexBody& b)
{
    double s = 0.;
    for (std::size_t i = 1; i < b.count; ++i) s = std::max(s, norm2(b.points[i] - b.points[0]));
    return std::sqrt(s) + b.cylinderRadius;
}

// --- Gilbert, Johnson, Keerthi -----------------------------------------------------------------------------------

/// A point of the Minkowski difference B − A, and the two that make it.
struct Vertex
{
    Vec3 w, a, b;
};

Vertex vertexAlong(const ConvexBody& a, const ConvexBody& b, const Vec3& d)
{
    Vertex v;
    v.a = a.support(-d);
    v.b = b.support(d);
    v.w = v.b - v.a;
    return v;
}

struct Simplex
{
    std::array<Vertex, 4> vertices;
    std::array<double, 4> weights{};
    std::size_t count = 0;
    bool inside = false;

    /// The nearest point to the origin; vertices without weight are dropped.
    Vec3 nearest()
    {
        Vec3 v;
        const auto take = [&](const auto& p) {
            for (std::size_t k = 0; k < count; ++k) weights[k] = p.weightsB[k];
            v = p.pointB;
        };
        const auto& x = vertices;
        if (count == 1) {
            weights[0] = 1.;
            return x[0].w;
        }
        if (count == 2) take(pointSegment({}, x[0].w, x[1].w));
        if (count == 3) take(pointTriangle({}, x[0].w, x[1].w, x[2].w));
        if (count == 4) {
            const auto p = pointTetrahedron({}, x[0].w, x[1].w, x[2].w, x[3].w);
            take(p);
            inside = p.inside;
            if (inside) return {};
        }
        std::size_t kept = 0;
        for (std::size_t k = 0; k < count; ++k)
            if (weights[k] > 0.) {
                vertices[kept] = vertices[k];
                weights[kept++] = weights[k];
            }
        count = kept;
        return v;
    }
    Vec3 onA() const
    {
        Vec3 p;
        for (std::size_t k = 0; k < count; ++k) p += vertices[k].a * weights[k];
        return p;
    }
    Vec3 onB() const
    {
        Vec3 p;
        for (std::size_t k = 0; k < count; ++k) p += vertices[k].b * weights[k];
        return p;
    }
};

// --- Expanding polytope ------------------------------------------------------------------------------------------

/// Grows a polytope inside the Minkowski difference around the origin, at its nearest face, until that face is one of
/// the difference.
class Polytope
{
public:
    Polytope(const ConvexBody& a, const ConvexBody& b, double scale) : m_a(a), m_b(b), m_scale(scale) {}

    /// The direction in which B leaves A soonest, from the simplex that holds the origin.
    Contact leave(const Simplex& start, const Vec3& otherwise)
    {
        for (std::size_t k = 0; k < start.count; ++k) m_vertices[m_vertexCount++] = start.vertices[k];
        Contact c;
        if (!complete()) {
            // Flat: the bodies touch in a plane that holds both, or one is degenerate.
            // Apart they come the soonest across that plane, or the line that holds both.
            const auto& x = m_vertices;
            Vec3 n = otherwise;
            if (m_vertexCount == 2) n = perpendicular(x[1].w - x[0].w);
            if (m_vertexCount >= 3) n = normalized(cross(x[1].w - x[0].w, x[2].w - x[0].w), otherwise);
            c.pointA = start.onA();
            c.normal = dot(n, otherwise) < 0. ? -n : n;
            c.pointB = c.pointA;
            return c;
        }
        for (const auto& f : {std::array<unsigned, 3>{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}})
            addFace(f[0], f[1], f[2]);
        // Of every direction that is tried, the support tells how far B must move to leave A along it: the least of
        // these is the answer, whatever rounding does to thin faces.
        double depth = std::numeric_limits<double>::infinity();
        Face f{};
        for (int step = 0; step < 200; ++step) {
            const Face& candidate = m_faces[nearest()];
            const Vertex v = vertexAlong(m_a, m_b, candidate.normal);
            const double h = dot(v.w, candidate.normal);
            if (h < depth) {
                depth = h;
                f = candidate;
            }
            if (!(h - candidate.distance > 1e-12 * m_scale) || m_vertexCount == maxVertices || !expand(v)) break;
        }
        const auto& x = m_vertices;
        const auto p = pointTriangle(f.normal * f.distance, x[f.v[0]].w, x[f.v[1]].w, x[f.v[2]].w);
        for (std::size_t k = 0; k < 3; ++k) c.pointA += x[f.v[k]].a * p.weightsB[k];
        // The origin leaves B − A along the normal: B moves against it.
        c.normal = -f.normal;
        c.distance = -std::max(depth, 0.);
        c.pointB = c.pointA + c.normal * c.distance;
        return c;
    }

private:
    static constexpr std::size_t maxVertices = 160, maxFaces = 640;
    struct Face
    {
        std::array<unsigned, 3> v;
        Vec3 normal;
        double distance;
        bool alive;
    };

    /// Adds vertices until there are four that span a volume.
    bool complete()
    {
        const auto tryDirection = [&](const Vec3& d) {
            for (const double s : {1., -1.}) {
                const Vertex v = vertexAlong(m_a, m_b, d * s);
                if (spans(v)) {
                    m_vertices[m_vertexCount++] = v;
                    return true;
                }
            }
            return false;
        };
        while (m_vertexCount < 4) {
            bool added = false;
            if (m_vertexCount == 3) {
                const Vec3 n = cross(m_vertices[1].w - m_vertices[0].w, m_vertices[2].w - m_vertices[0].w);
                if (norm(n) > 0.) added = tryDirection(normalized(n));
            } else if (m_vertexCount == 2) {
                const Vec3 e = perpendicular(m_vertices[1].w - m_vertices[0].w);
                added = tryDirection(e) || tryDirection(normalized(cross(m_vertices[1].w - m_vertices[0].w, e)));
            } else {
                for (std::size_t k = 0; !added && k < 3; ++k) added = tryDirection(Vec3::unit(k));
            }
            if (!added) return false;
        }
        const auto& x = m_vertices;
        const double volume = dot(cross(x[1].w - x[0].w, x[2].w - x[0].w), x[3].w - x[0].w);
        if (!(std::abs(volume) > 0.)) return false;
        if (volume > 0.) std::swap(m_vertices[1], m_vertices[2]);
        return true;
    }
    bool spans(const Vertex& v) const
    {
        const auto& x = m_vertices;
        const double small = 1e-9 * m_scale;
        if (m_vertexCount == 1) return norm(v.w - x[0].w) > small;
        const Vec3 e = normalized(x[1].w - x[0].w);
        if (m_vertexCount == 2) return norm(cross(e, v.w - x[0].w)) > small;
        const Vec3 n = normalized(cross(e, x[2].w - x[0].w));
        return std::abs(dot(n, v.w - x[0].w)) > small;
    }
    void addFace(unsigned i, unsigned j, unsigned k)
    {
        const auto& x = m_vertices;
        const Vec3 n = cross(x[j].w - x[i].w, x[k].w - x[i].w);
        const double area = norm(n);
        Face f{{i, j, k}, area > 0. ? n / area : Vec3(), 0., true};
        f.distance = area > 0. ? dot(f.normal, x[i].w) : std::numeric_limits<double>::infinity();
        m_faces[m_faceCount++] = f;
    }
    std::size_t nearest() const
    {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t f = 0; f < m_faceCount; ++f)
            if (m_faces[f].alive && m_faces[f].distance < least) {
                least = m_faces[f].distance;
                best = f;
            }
        return best;
    }
    /// Replaces the faces that see v by those that join their outline to it.
    bool expand(const Vertex& v)
    {
        const auto index = static_cast<unsigned>(m_vertexCount);
        std::array<std::array<unsigned, 2>, maxFaces> outline;
        std::size_t edges = 0;
        const auto toggle = [&](unsigned i, unsigned j) {
            for (std::size_t e = 0; e < edges; ++e)
                if (outline[e][0] == j && outline[e][1] == i) {
                    outline[e] = outline[--edges];
                    return;
                }
            if (edges < maxFaces) outline[edges++] = {i, j};
        };
        std::size_t seen = 0, alive = 0;
        for (std::size_t f = 0; f < m_faceCount; ++f) {
            if (!m_faces[f].alive) continue;
            if (dot(m_faces[f].normal, v.w - m_vertices[m_faces[f].v[0]].w) > 1e-13 * m_scale) {
                for (std::size_t k = 0; k < 3; ++k) toggle(m_faces[f].v[k], m_faces[f].v[(k + 1) % 3]);
                m_faces[f].alive = false;
                ++seen;
            } else {
                ++alive;
            }
        }
        if (seen == 0 || alive + edges > maxFaces) return false;
        std::size_t to = 0;
        for (std::size_t f = 0; f < m_faceCount; ++f)
            if (m_faces[f].alive) m_faces[to++] = m_faces[f];
        m_faceCount = to;
        m_vertices[m_vertexCount++] = v;
        for (std::size_t e = 0; e < edges; ++e) addFace(outline[e][0], outline[e][1], index);
        return true;
    }

    const ConvexBody &m_a, &m_b;
    double m_scale;
    std::array<Vertex, maxVertices> m_vertices;
    std::size_t m_vertexCount = 0;
    std::array<Face, maxFaces> m_faces;
    std::size_t m_faceCount = 0;
};

Vec3 nearestTo(const Vec3& p, const ConvexBody& body)
{
    const Contact c = coreContact(ConvexBody::of({&p, 1}), body);
    return c.distance > 0. ? c.pointB : p;
}

/// Where simplices become too thin for the round side of a cylinder, the nearest points are those that are nearest to
/// each other: either is projected on the other body in turn (W. Cheney, A. A. Goldstein, "Proximity maps for convex
/// sets", Proceedings of the AMS 10, 1959) as long as the gap between the bounds of the distance is not closed.
void project(const ConvexBody& a, const ConvexBody& b, double scale, Contact& c)
{
    for (int step = 0; step < 100; ++step) {
        const double below = dot(b.support(-c.normal) - a.support(c.normal), c.normal);
        if (!(c.distance - below > 1e-12 * c.distance)) return;
        const Vec3 onB = nearestTo(c.pointA, b), onA = nearestTo(onB, a), v = onB - onA;
        const double d = norm(v);
        if (!(d < c.distance && d > 1e-12 * scale)) return;  // nearer, their direction would be rounding
        c = {onA, onB, v / d, d};
    }
}

Contact iterate(const ConvexBody& a, const ConvexBody& b)
{
    const double scale = sizeOf(a) + sizeOf(b);
    const Vec3 between = b.center() - a.center();
    const Vec3 otherwise = normalized(between, Vec3::unit(0));
    Simplex s;
    s.vertices[s.count++] = vertexAlong(a, b, -otherwise);
    Vec3 v = s.nearest();
    // The direction across which planes leave the most between them.
    Vec3 best = otherwise;
    double bestBound = -std::numeric_limits<double>::infinity();
    for (int step = 0; step < 200; ++step) {
        const double d2 = norm2(v);
        if (!(d2 > 1e-28 * scale * scale)) break;
        const Vertex w = vertexAlong(a, b, -v);
        // v·w is a lower bound of the distance times |v|.
        const double bound = dot(v, w.w) / std::sqrt(d2);
        if (bound > bestBound) {
            bestBound = bound;
            best = v / std::sqrt(d2);
        }
        if (!(d2 - dot(v, w.w) > 1e-14 * d2)) break;
        bool known = false;
        for (std::size_t k = 0; k < s.count; ++k) known = known || norm2(s.vertices[k].w - w.w) == 0.;
        if (known) break;
        const Simplex before = s;
        s.vertices[s.count++] = w;
        const Vec3 next = s.nearest();
        if (s.inside) {
            v = {};
            break;
        }
        if (!(norm2(next) < d2)) {
            s = before;
            break;
        }
        v = next;
    }
    const double d = norm(v);
    if (!s.inside && d > 1e-14 * scale) {
        Contact c;
        c.normal = v / d;
        c.distance = d;
        c.pointA = s.onA();
        c.pointB = c.pointA + v;
        if (a.kind == Kind::Cylinder || b.kind == Kind::Cylinder) {
            project(a, b, scale, c);
            // Of points that all but touch, the direction is rounding.
            const double below = dot(b.support(-c.normal) - a.support(c.normal), c.normal);
            if (c.distance < 1e-7 * scale && below < bestBound) {
                c.normal = best;
                c.pointB = c.pointA + best * c.distance;
            }
        }
        return c;
    }
    return Polytope(a, b, scale).leave(s, otherwise);
}

Contact swapped(const Contact& c) { return {c.pointB, c.pointA, -c.normal, c.distance}; }

}  // namespace

// --- Bodies --------------------------------------------------------------------------------------------------------

ConvexBody ConvexBody::of(std::span<const Vec3> points, double radius)
{
    ConvexBody b;
    constexpr std::array<Kind, 4> kinds{Kind::Point, Kind::Segment, Kind::Triangle, Kind::Tetrahedron};
    b.count = std::min<std::size_t>(points.size(), 4);
    b.kind = kinds[b.count > 0 ? b.count - 1 : 0];
    for (std::size_t k = 0; k < b.count; ++k) b.points[k] = points[k];
    b.radius = radius;
    return b;
}

ConvexBody ConvexBody::of(const Obb& box)
{
    ConvexBody b;
    b.kind = Kind::Box;
    b.box = box;
    b.count = 8;
    const Vec3& h = box.halfExtents;
    for (std::size_t i = 0; i < 8; ++i)
        b.points[i] =
            box.toWorld({(i & 1) != 0 ? h[0] : -h[0], (i & 2) != 0 ? h[1] : -h[1], (i & 4) != 0 ? h[2] : -h[2]});
    return b;
}

ConvexBody ConvexBody::of(const Cylinder& cylinder)
{
    ConvexBody b;
    b.kind = Kind::Cylinder;
    b.count = 2;
    b.points[0] = cylinder.a;
    b.points[1] = cylinder.b;
    b.cylinderRadius = cylinder.radius;
    return b;
}

ConvexBody ConvexBody::of(const ConvexForm& form, const Vec3& center, const Mat3& axes, double radius)
{
    ConvexBody b;
    b.kind = Kind::Form;
    b.count = 1;
    b.points[0] = b.box.center = center;
    b.box.axes = axes;
    b.cylinderRadius = form.reach();
    b.radius = radius;
    b.form = &form;
    return b;
}

ConvexFace ConvexForm::faceAlong(const Vec3& n, double) const
{
    ConvexFace f;
    f.points[0] = support(n);
    f.count = 1;
    return f;
}

Vec3 ConvexBody::center() const
{
    Vec3 c;
    for (std::size_t k = 0; k < count; ++k) c += points[k];
    return c * (1. / static_cast<double>(count));
}

Vec3 ConvexBody::support(const Vec3& d) const
{
    if (kind == Kind::Form) {
        const Vec3 local = transposeTimes(box.axes, d);
        return box.center + box.axes * form->support(norm2(local) > 0. ? local : Vec3::unit(0));
    }
    std::size_t best = 0;
    double most = dot(points[0] - points[0], d);
    for (std::size_t k = 1; k < count; ++k) {
        const double h = dot(points[k] - points[0], d);
        if (h > most) {
            most = h;
            best = k;
        }
    }
    if (kind != Kind::Cylinder) return points[best];
    // Twice, for what is left of a direction along the axis is not perpendicular to it.
    const Vec3 axis = cylinderAxis(*this), across = d - axis * dot(d, axis),
               u = normalized(across, Vec3(), 1e-15 * norm(d)), out = u - axis * dot(u, axis);
    return points[best] + normalized(out, Vec3(), 0.5) * cylinderRadius;
}

Aabb ConvexBody::bounds() const
{
    Aabb b;
    if (kind == Kind::Cylinder) {
        const Vec3 axis = cylinderAxis(*this);
        Vec3 r;
        for (std::size_t k = 0; k < 3; ++k) r[k] = cylinderRadius * std::sqrt(std::max(0., 1. - axis[k] * axis[k]));
        for (std::size_t k = 0; k < 2; ++k) b.include(Aabb(points[k] - r, points[k] + r));
    } else if (kind == Kind::Form) {
        for (std::size_t k = 0; k < 3; ++k) {
            b.lower[k] = support(-Vec3::unit(k))[k];
            b.upper[k] = support(Vec3::unit(k))[k];
        }
    } else {
        for (std::size_t k = 0; k < count; ++k) b.include(points[k]);
    }
    return radius > 0. ? b.inflated(radius) : b;
}

ConvexFace cornersTowards(const ConvexBody& body, const Vec3& d, double sine)
{
    if (body.kind == Kind::Cylinder || body.kind == Kind::Form) return faceAlong(body, d, sine);
    ConvexFace f;
    for (std::size_t k = 0; k < body.count; ++k) {
        f.points[k] = body.points[k];
        f.corners[k] = static_cast<unsigned>(k);
    }
    f.count = body.count;
    return f;
}

ConvexFace faceAlong(const ConvexBody& body, const Vec3& d, double sine)
{
    ConvexFace f;
    const Vec3 n = normalized(d, Vec3::unit(0));
    if (body.kind == Kind::Form) {
        f = body.form->faceAlong(transposeTimes(body.box.axes, n), sine);
        for (std::size_t k = 0; k < f.count; ++k) f.points[k] = body.box.center + body.box.axes * f.points[k];
        return f;
    }
    if (body.kind == Kind::Cylinder) {
        const Vec3 axis = cylinderAxis(body), across = n - axis * dot(n, axis);
        const double along = dot(n, axis), off = norm(across);
        const unsigned end = along >= 0. ? 1 : 0;
        // The side: a line. An end: eight points of its rim. Else one point of the rim.
        if (std::abs(along) <= sine) {
            const Vec3 out = across / off * body.cylinderRadius;
            f.count = 2;
            for (unsigned k = 0; k < 2; ++k) {
                f.points[k] = body.points[k] + out;
                f.corners[k] = 8 * k;
            }
            return f;
        }
        const Vec3 first = off > 1e-12 ? across / off : perpendicular(axis), second = cross(axis, first);
        constexpr double h = 0.70710678118654752440;
        constexpr std::array<std::array<double, 2>, 8> circle{
            {{1., 0.}, {h, h}, {0., 1.}, {-h, h}, {-1., 0.}, {-h, -h}, {0., -1.}, {h, -h}}};
        f.count = off <= sine ? 8 : 1;
        for (unsigned k = 0; k < f.count; ++k) {
            f.points[k] = body.points[end] + (first * circle[k][0] + second * circle[k][1]) * body.cylinderRadius;
            f.corners[k] = 8 * end + k;
        }
        return f;
    }
    if (body.kind == Kind::Box) {
        // The corners that differ from the farthest one along those sides that are nearly across n.
        const Vec3 local = transposeTimes(body.box.axes, n);
        for (unsigned k = 0; k < 8; ++k) {
            bool in = true;
            for (unsigned axis = 0; axis < 3; ++axis)
                in = in && (std::abs(local[axis]) <= sine || ((k >> axis & 1) != 0) == (local[axis] > 0.));
            if (!in) continue;
            f.points[f.count] = body.points[k];
            f.corners[f.count++] = k;
        }
        if (f.count == 4) {  // they came row by row
            std::swap(f.points[2], f.points[3]);
            std::swap(f.corners[2], f.corners[3]);
            return f;
        }
    } else {
        // All corners are joined to the farthest one.
        const Vec3 top = body.support(n);
        for (unsigned k = 0; k < body.count; ++k) {
            const Vec3 down = top - body.points[k];
            if (!(dot(down, n) <= sine * norm(down))) continue;
            f.points[f.count] = body.points[k];
            f.corners[f.count++] = k;
        }
    }
    if (f.count <= 3) return f;
    // In order around their middle.
    Vec3 middle;
    for (std::size_t k = 0; k < f.count; ++k) middle += f.points[k] * (1. / static_cast<double>(f.count));
    const Vec3 u = perpendicular(n), v = cross(n, u);
    std::array<std::pair<double, std::size_t>, ConvexFace::maxCount> order;
    for (std::size_t k = 0; k < f.count; ++k) {
        const Vec3 r = f.points[k] - middle;
        order[k] = {std::atan2(dot(r, v), dot(r, u)), k};
    }
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(f.count));
    const ConvexFace given = f;
    for (std::size_t k = 0; k < f.count; ++k) {
        f.points[k] = given.points[order[k].second];
        f.corners[k] = given.corners[order[k].second];
    }
    return f;
}

Contact coreContact(const ConvexBody& a, const ConvexBody& b)
{
    const auto& p = a.points;
    const auto& q = b.points;
    if (static_cast<int>(a.kind) > static_cast<int>(b.kind)) return swapped(coreContact(b, a));
    switch (a.kind) {
        case Kind::Point:
            if (b.kind == Kind::Point) return sphereSphere({p[0], 0.}, {q[0], 0.});
            if (b.kind == Kind::Segment) return sphereCapsule({p[0], 0.}, {q[0], q[1], 0.});
            if (b.kind == Kind::Triangle) return sphereTriangle({p[0], 0.}, q[0], q[1], q[2]);
            if (b.kind == Kind::Box) return swapped(obbSphere(b.box, {p[0], 0.}));
            if (b.kind == Kind::Cylinder) return sphereCylinder({p[0], 0.}, {q[0], q[1], b.cylinderRadius});
            break;
        case Kind::Segment:
            if (b.kind == Kind::Segment) return capsuleCapsule({p[0], p[1], 0.}, {q[0], q[1], 0.});
            if (b.kind == Kind::Triangle) return capsuleTriangle({p[0], p[1], 0.}, q[0], q[1], q[2]);
            if (b.kind == Kind::Box) return swapped(obbCapsule(b.box, {p[0], p[1], 0.}));
            break;
        case Kind::Triangle:
            if (b.kind == Kind::Box) return swapped(obbTriangle(b.box, p[0], p[1], p[2]));
            break;
        case Kind::Box:
            if (b.kind == Kind::Box) return obbObb(a.box, b.box);
            break;
        default:
            break;
    }
    // Near the origin, so that differences of far coordinates are rounded once, not at every step.
    const Vec3 origin = p[0];
    const auto moved = [&](ConvexBody x) {
        for (std::size_t k = 0; k < x.count; ++k) x.points[k] -= origin;
        x.box.center -= origin;
        return x;
    };
    Contact c = iterate(moved(a), moved(b));
    c.pointA += origin;
    c.pointB += origin;
    return c;
}

// --- Several contacts ----------------------------------------------------------------------------------------------

bool insidePolygon(std::span<const Vec3> polygon, const Vec3& n, const Vec3& p)
{
    // On one side of all edges, whichever way round they go.
    bool left = false, right = false;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec3 &x = polygon[k], e = polygon[(k + 1) % polygon.size()] - x;
        const double side = dot(cross(e, p - x), n), small = 1e-12 * norm2(e);
        left = left || side > small;
        right = right || side < -small;
    }
    return !(left && right);
}

namespace {

/// Collects contacts along n between points of the face of A and of the face of B.
struct PatchBuilder
{
    ConvexPatch& patch;
    const Vec3& n;
    double limit;

    void add(const Vec3& onA, const Vec3& onB, unsigned code)
    {
        if (patch.count == ConvexPatch::maxCount) return;
        const double d = dot(onB - onA, n);
        if (!(d <= limit)) return;
        // Corners that lie on each other are one.
        const double close2 = 1e-18 * (norm2(onA) + norm2(onB));
        for (std::size_t k = 0; k < patch.count; ++k)
            if (norm2(patch.contacts[k].pointA - onA) <= close2) return;
        patch.contacts[patch.count] = {onA, onA + n * d, n, d};
        patch.codes[patch.count++] = code;
    }
};

/// Where the line through p along n meets the plane of a face; false if it is nearly parallel.
bool meetPlane(const ConvexFace& f, const Vec3& n, const Vec3& p, Vec3& at)
{
    Vec3 m;
    for (std::size_t k = 2; k < f.count; ++k) m += cross(f.points[k - 1] - f.points[0], f.points[k] - f.points[0]);
    const double slope = dot(m, n);
    if (!(std::abs(slope) > 0.1 * norm(m))) return false;
    at = p + n * (dot(m, f.points[0] - p) / slope);
    return true;
}

/// Nearest points of two edges seen along n, if they cross there.
bool crossEdges(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, const Vec3& n, Vec3& onA, Vec3& onB)
{
    const Vec3 u = a1 - a0, v = b1 - b0, w = b0 - a0;
    const double det = dot(cross(u, v), n);
    if (!(std::abs(det) > 1e-9 * norm(u) * norm(v))) return false;
    const double s = dot(cross(w, v), n) / det, t = dot(cross(w, u), n) / det;
    if (!(s > 0. && s < 1. && t > 0. && t < 1.)) return false;
    onA = a0 + u * s;
    onB = b0 + v * t;
    return true;
}

}  // namespace

ConvexPatch coreContacts(const ConvexBody& a, const ConvexBody& b, double limit)
{
    constexpr double sine = 0.1;
    ConvexPatch patch;
    const Contact single = coreContact(a, b);
    if (!(single.distance <= limit)) return patch;
    const Vec3& n = single.normal;
    PatchBuilder builder{patch, n, limit};
    const ConvexFace fa = faceAlong(a, n, sine), fb = faceAlong(b, -n, sine);
    Vec3 x, y;
    if (fa.count >= 3)
        for (std::size_t k = 0; k < fb.count; ++k)
            if (insidePolygon({fa.points.data(), fa.count}, n, fb.points[k]) && meetPlane(fa, n, fb.points[k], x))
                builder.add(x, fb.points[k], 1 + fb.corners[k]);
    if (fb.count >= 3)
        for (std::size_t k = 0; k < fa.count; ++k)
            if (insidePolygon({fb.points.data(), fb.count}, n, fa.points[k]) && meetPlane(fb, n, fa.points[k], x))
                builder.add(fa.points[k], x, 32 + fa.corners[k]);
    if (fa.count >= 2 && fb.count >= 2 && fa.count + fb.count > 4) {
        const std::size_t ea = fa.count == 2 ? 1 : fa.count, eb = fb.count == 2 ? 1 : fb.count;
        for (std::size_t i = 0; i < ea; ++i)
            for (std::size_t j = 0; j < eb; ++j)
                if (crossEdges(fa.points[i], fa.points[(i + 1) % fa.count], fb.points[j], fb.points[(j + 1) % fb.count],
                               n, x, y))
                    builder.add(x, y, 64 + 16 * fa.corners[i] + fb.corners[j]);
    }
    if (fa.count == 2 && fb.count == 2) {
        // Edges that are about parallel: the ends of the part where they lie beside each other.
        const Vec3 u = fa.points[1] - fa.points[0], v = fb.points[1] - fb.points[0];
        const double uu = norm2(u);
        if (uu > 0. && norm(cross(u, v)) <= sine * norm(u) * norm(v) && norm2(v) > 0.) {
            const double s0 = dot(fb.points[0] - fa.points[0], u) / uu, s1 = dot(fb.points[1] - fa.points[0], u) / uu;
            const double low = std::max(0., std::min(s0, s1)), high = std::min(1., std::max(s0, s1));
            if (low < high)
                for (const auto& [s, code] : {std::pair{low, 1u}, {high, 2u}})
                    builder.add(fa.points[0] + u * s, fb.points[0] + v * std::clamp((s - s0) / (s1 - s0), 0., 1.),
                                code);
        }
    }
    if (patch.count == 0) {
        patch.contacts[0] = single;
        patch.codes[0] = 0;
        patch.count = 1;
    }
    return patch;
}

// --- Rays ----------------------------------------------------------------------------------------------------------

namespace {

/// The part of a ray where h + t s ≤ 0 for all that were given.
struct Clipped
{
    double enter = 0., leave = std::numeric_limits<double>::infinity();

    void add(double h, double s)
    {
        if (s == 0.) {
            if (h > 0.) leave = -1.;
        } else if (s < 0.) {
            enter = std::max(enter, -h / s);
        } else {
            leave = std::min(leave, -h / s);
        }
    }
    std::optional<RaySpan> span() const { return enter <= leave ? std::optional(RaySpan{enter, leave}) : std::nullopt; }
};

/// Between the planes of its ends, and within the radius of its axis: the middle of the chord of the line with the
/// round side from the distance of the line, as in raySphere.
std::optional<RaySpan> rayCylinder(const Vec3& origin, const Vec3& direction, const Cylinder& c)
{
    const Vec3 axis = normalized(c.b - c.a, Vec3::unit(1)), o = origin - c.a,
               across = direction - axis * dot(direction, axis), off = o - axis * dot(o, axis);
    Clipped part;
    part.add(-dot(o, axis), -dot(direction, axis));
    part.add(dot(origin - c.b, axis), dot(direction, axis));
    const double aa = norm2(across), radius2 = c.radius * c.radius;
    if (!(aa > 1e-30 * norm2(direction))) return norm2(off) <= radius2 ? part.span() : std::nullopt;
    const double middle = -dot(off, across) / aa, rest = radius2 - norm2(off + across * middle);
    if (rest < 0.) return {};
    const double half = std::sqrt(rest / aa);
    part.enter = std::max(part.enter, middle - half);
    part.leave = std::min(part.leave, middle + half);
    return part.span();
}

/// From one side, then from the other one: the body lies behind the plane across the normal of its nearest point, so
/// that the ray can go as far as that plane (conservative advancement).
std::optional<RaySpan> rayForm(const Vec3& origin, const Vec3& direction, const ConvexBody& body)
{
    const double reach = body.cylinderRadius + body.radius;
    const auto ball = raySphere(origin, direction, body.box.center, reach);
    if (!ball) return {};
    const auto advance = [&](double from, double sign) -> std::optional<double> {
        double t = from;
        for (int step = 0; step < 200; ++step) {
            const Vec3 p = origin + direction * t;
            const Contact c = coreContact(ConvexBody::of({&p, 1}), body);
            const double gap = c.distance - body.radius, approach = sign * dot(direction, c.normal);
            if (!(gap > 1e-10 * reach)) return t;
            if (!(approach > 0.)) return {};
            t += sign * gap / approach;
            if (!(sign * (t - from) <= ball->leave - ball->enter)) return {};
        }
        return t;
    };
    const auto enter = advance(ball->enter, 1.);
    if (!enter) return {};
    const auto leave = advance(ball->leave, -1.);
    return leave && *enter <= *leave ? std::optional(RaySpan{*enter, *leave}) : std::nullopt;
}

}  // namespace

std::optional<RaySpan> rayConvex(const Vec3& origin, const Vec3& direction, const ConvexBody& body)
{
    const auto& x = body.points;
    switch (body.kind) {
        case Kind::Point:
            return body.radius > 0. ? raySphere(origin, direction, x[0], body.radius) : std::nullopt;
        case Kind::Segment: {
            if (!(body.radius > 0.)) return {};
            // The round side, and both balls: together one interval.
            std::optional<RaySpan> all;
            const auto take = [&](const std::optional<RaySpan>& s) {
                if (!s) return;
                all = all ? RaySpan{std::min(all->enter, s->enter), std::max(all->leave, s->leave)} : *s;
            };
            take(raySphere(origin, direction, x[0], body.radius));
            take(raySphere(origin, direction, x[1], body.radius));
            if (norm2(x[1] - x[0]) > 0.) take(rayCylinder(origin, direction, {x[0], x[1], body.radius}));
            return all;
        }
        case Kind::Triangle: {
            const auto hit = rayTriangle(origin, direction, x[0], x[1], x[2]);
            return hit ? std::optional(RaySpan{hit->t, hit->t}) : std::nullopt;
        }
        case Kind::Tetrahedron: {
            Clipped part;
            for (std::size_t k = 0; k < 4; ++k) {
                const Vec3 &p = x[(k + 1) % 4], &q = x[(k + 2) % 4], &r = x[(k + 3) % 4];
                Vec3 n = cross(q - p, r - p);
                if (dot(n, x[k] - p) > 0.) n = -n;
                part.add(dot(n, origin - p), dot(n, direction));
            }
            return part.span();
        }
        case Kind::Box:
            return rayObb(origin, direction, body.box);
        case Kind::Cylinder:
            return rayCylinder(origin, direction, {x[0], x[1], body.cylinderRadius});
        case Kind::Form:
            return rayForm(origin, direction, body);
    }
    return {};
}

}  // namespace sofa::core::geometry
