// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/ConvexContact.h"

#include <algorithm>

#include "core/math/Decompositions.h"

namespace sofa::core::geometry {

namespace {

using BodyKind = ConvexBody::Kind;

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
        if (a.kind == BodyKind::Cylinder || b.kind == BodyKind::Cylinder) {
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

}  // namespace

Contact coreContact(const ConvexBody& a, const ConvexBody& b)
{
    const auto& p = a.points;
    const auto& q = b.points;
    if (static_cast<int>(a.kind) > static_cast<int>(b.kind)) return swapped(coreContact(b, a));
    switch (a.kind) {
        case BodyKind::Point:
            if (b.kind == BodyKind::Point) return sphereSphere({p[0], 0.}, {q[0], 0.});
            if (b.kind == BodyKind::Segment) return sphereCapsule({p[0], 0.}, {q[0], q[1], 0.});
            if (b.kind == BodyKind::Triangle) return sphereTriangle({p[0], 0.}, q[0], q[1], q[2]);
            if (b.kind == BodyKind::Box) return swapped(obbSphere(b.box, {p[0], 0.}));
            if (b.kind == BodyKind::Cylinder) return sphereCylinder({p[0], 0.}, {q[0], q[1], b.cylinderRadius});
            break;
        case BodyKind::Segment:
            if (b.kind == BodyKind::Segment) return capsuleCapsule({p[0], p[1], 0.}, {q[0], q[1], 0.});
            if (b.kind == BodyKind::Triangle) return capsuleTriangle({p[0], p[1], 0.}, q[0], q[1], q[2]);
            if (b.kind == BodyKind::Box) return swapped(obbCapsule(b.box, {p[0], p[1], 0.}));
            break;
        case BodyKind::Triangle:
            if (b.kind == BodyKind::Box) return swapped(obbTriangle(b.box, p[0], p[1], p[2]));
            break;
        case BodyKind::Box:
            if (b.kind == BodyKind::Box) return obbObb(a.box, b.box);
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

}  // namespace sofa::core::geometry
