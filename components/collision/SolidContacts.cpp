// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/SolidContacts.h"

#include <algorithm>

#include "components/collision/MeshCollisionModels.h"
#include "components/collision/ProximityTests.h"
#include "components/collision/RayCollisionModel.h"
#include "components/collision/SolidCollisionModels.h"
#include "components/collision/TetrahedronCollisionModel.h"
#include "core/geometry/ConvexContact.h"
#include "core/geometry/ConvexPatch.h"
#include "core/geometry/ConvexRay.h"
#include "core/math/Fingerprint.h"

namespace sofa::component {

using geometry::ConvexBody;
using geometry::ConvexFace;

namespace {

using Kind = CollisionShape;
using Out = Vector<DetectedContact>;

/// What the sides of a triangle and of a solid may differ from a plane for corners to count: sin 20°.
constexpr double tilt = 0.34;
/// How far neighbours of a corner of a soft surface may rise towards a flat side before which it lies (sine).
constexpr double flat = 0.1;
/// Ridges of which the far side falls off by more than this (sine) are sharp.
constexpr double sharp = 0.2;

/// Identity of a contact by what touches: the same while it lasts, other ones for other features.
std::int64_t identity(std::uint64_t kind, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0)
{
    return static_cast<std::int64_t>(Fingerprint(kind).add(a).add(b).add(c).value() >> 1);
}

/// Whether lines and points of a mesh leave their contacts to the triangles of its node.
bool isLeftToTriangles(const CollisionModel& m)
{
    if (m.shape() != Kind::Line && m.shape() != Kind::Point) return false;
    const auto* triangles = m.node()->get<TriangleCollisionModel>(Search::Local);
    return triangles && triangles->size() > 0 && triangles->d_active.value();
}

/// Two solids, spheres, points or lines.
void solidContactsSolids(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                         Index j, Out& out)
{
    if (isLeftToTriangles(a) || isLeftToTriangles(b)) return;
    const Reach reach(m, a, i, b, j);
    const auto patch = geometry::coreContacts(a.body(i), b.body(j), reach.alarm);
    for (std::size_t k = 0; k < patch.count; ++k) {
        const geometry::Contact& c = patch.contacts[k];
        out.push_back(
            {i, j, identity(1, i, j, patch.codes[k]), c.pointA, c.pointB, c.normal, c.distance - reach.contact});
    }
}

// --- Solids and triangles ------------------------------------------------------------------------------------------

/// A triangle of a surface that a solid is compared with.
struct Facet
{
    const CollisionModel& model;
    const SurfaceAdjacency* surface;
    Index triangle;  ///< in the surface
    std::array<Index, 3> vertices;
    std::array<Vec3, 3> x;
    Vec3 normal;            ///< unit; zero without area
    bool soft = false;      ///< its corners count one by one
    double time = 0.;       ///< of the motion
    bool oneSided = false;  ///< only what is before it, where the normal points, has contacts

    Facet(const CollisionModel& m, Index i, const std::array<Index, 3>& v, double t = 0.)
        : model(m), surface(m.surface()), triangle(i), time(t)
    {
        vertices = v;
        for (std::size_t k = 0; k < 3; ++k) x[k] = point(v[k]);
        normal = normalized(cross(x[1] - x[0], x[2] - x[0]), Vec3());
        soft = m.d_simulated.value();
    }
    Vec3 point(Index k) const { return model.pointAt(k, time); }
    std::int64_t sideId(std::uint64_t kind, std::uint64_t solid, std::size_t k, std::uint64_t more = 0) const
    {
        const Index v = vertices[k], w = vertices[(k + 1) % 3];
        return identity(kind, solid, (std::uint64_t(std::min(v, w)) << 32) | std::max(v, w), more);
    }
    bool hasNeighbour(std::size_t k) const { return surface && surface->opposite(triangle, k) != InvalidIndex; }
    /// From side k into the neighbour, perpendicular to the side.
    Vec3 intoNeighbour(std::size_t k) const
    {
        const Vec3 e = normalized(x[(k + 1) % 3] - x[k], Vec3());
        const Vec3 w = point(surface->opposite(triangle, k)) - x[k];
        return normalized(w - e * dot(w, e), Vec3());
    }
    /// Whether the surface ends at side k or falls off from n there.
    bool isRidge(std::size_t k, const Vec3& n) const { return !hasNeighbour(k) || dot(intoNeighbour(k), n) < -sharp; }
    /// Whether the surface ends at a side or falls off from n there: where no side does, a neighbour is nearer than any
    /// point of the sides to what lies above.
    bool fallsOff(const Vec3& n) const
    {
        for (std::size_t k = 0; k < 3; ++k)
            if (!hasNeighbour(k) || dot(intoNeighbour(k), n) < -1e-9) return true;
        return false;
    }
    /// Whether no point of the surface near the given one, which lies on side k or on corner k (the other number is 3),
    /// is farther along d.
    bool isFarthest(std::size_t side, std::size_t corner, const Vec3& d) const
    {
        constexpr double small = 1e-9;
        if (side < 3) return !hasNeighbour(side) || dot(intoNeighbour(side), d) < -small;
        if (!surface) return true;
        const bool border = surface->onBorder(vertices[corner]);
        return std::ranges::all_of(surface->ring(vertices[corner]), [&](Index w) {
            const double rise = dot(normalized(point(w) - x[corner], Vec3()), d);
            return border ? rise <= small : rise < -small;
        });
    }
};

/// A solid that is compared with triangles, with the identities of its corners.
struct Solid
{
    const CollisionModel& model;
    Index index;
    ConvexBody body;
    const TetrahedronCollisionModel* mesh = nullptr;  ///< of a tetrahedron

    /// A corner of a surface, by its number in the state.
    static Solid corner(const CollisionModel& m, Index vertex)
    {
        const Vec3 p = m.point(vertex);
        return {m, vertex, ConvexBody::of({&p, 1})};
    }
    Solid(const CollisionModel& m, Index i) : Solid(m, i, m.body(i))
    {
        if (m.shape() == Kind::Tetrahedron) mesh = static_cast<const TetrahedronCollisionModel*>(&m);
    }
    Solid(const CollisionModel& m, Index i, const ConvexBody& b) : model(m), index(i), body(b) {}

    /// Corners inside a mesh do not count.
    bool hasCorner(unsigned k) const { return !mesh || mesh->onBoundary(mesh->vertices(index)[k]); }
    std::int64_t cornerId(unsigned k) const
    {
        return mesh ? identity(2, mesh->vertices(index)[k]) : identity(3, index, k);
    }
};

/// Contacts of a solid and a triangle; the triangle is the second one.
class SolidAndFacet
{
public:
    /// `emit(id, onSolid, onTriangle, normal, distance)`: unit normal from the solid to the triangle.
    using Emit = core::FunctionRef<void(std::int64_t, const Vec3&, const Vec3&, const Vec3&, double)>;

    SolidAndFacet(const Solid& s, const Facet& f, double limit, Emit emit)
        : m_s(s), m_f(f), m_limit(limit), m_emit(emit)
    {
    }
    void run()
    {
        const auto& [a, b, c] = m_f.x;
        const ConvexBody triangle = ConvexBody::of(m_f.x);
        if (norm2(m_f.normal) == 0.) {
            const geometry::Contact k = geometry::coreContact(m_s.body, triangle);
            if (k.distance <= m_limit) report(identity(4, m_s.index, m_f.triangle), k);
            return;
        }
        const bool below = dot(m_s.body.center() - a, m_f.normal) < 0.;
        m_n = below && !m_f.oneSided ? -m_f.normal : m_f.normal;
        const double low = dot(m_s.body.support(-m_n) - a, m_n);
        if (low > m_limit || dot(m_s.body.support(m_n) - a, m_n) < -m_limit) return;
        // Above the plane, only what the neighbours leave over needs the nearest points.
        geometry::Contact nearest;
        const auto isNear = [&] {
            nearest = geometry::coreContact(m_s.body, triangle);
            return nearest.distance <= m_limit;
        };
        if (low < 0.) {
            if (!isNear()) return;
            m_overlaps = nearest.distance <= 0.;
            // Its own normal is the long way out for a triangle that stands in the solid.
            if (m_overlaps && !m_f.oneSided && low < 2. * nearest.distance - m_limit) return cut(nearest);
        }
        m_face = geometry::faceAlong(m_s.body, -m_n, tilt);
        corners();
        ridges();
        if (m_found) return;
        if (m_overlaps)
            cut(nearest);
        else if (m_f.fallsOff(m_n) && (low < 0. || isNear()))
            nearestFeature(nearest);
    }

private:
    void report(std::int64_t id, const geometry::Contact& c)
    {
        m_emit(id, c.pointA, c.pointB, c.normal, c.distance);
        m_found = true;
    }
    double height(const Vec3& p) const { return dot(p - m_f.x[0], m_n); }

    /// Corners of the solid over the triangle.
    void corners()
    {
        for (std::size_t k = 0; k < m_face.count; ++k) {
            const Vec3& p = m_face.points[k];
            const double h = height(p);
            if (m_s.hasCorner(m_face.corners[k]) && h <= m_limit && isOver(p) && counts(h))
                report(m_s.cornerId(m_face.corners[k]), {p, p - m_n * h, -m_n, h});
        }
    }
    bool counts(double height) const { return height >= 0. || (m_overlaps && !m_f.oneSided); }
    bool isOver(const Vec3& p) const
    {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 e = m_f.x[(k + 1) % 3] - m_f.x[k];
            if (dot(cross(e, p - m_f.x[k]), m_f.normal) < -1e-12 * norm2(e)) return false;
        }
        return true;
    }
    /// Where the side of the solid passes over the end of the surface, or over a ridge: corners of the surface below
    /// the side, and crossings of edges.
    void ridges()
    {
        if (m_face.count < 2 || m_f.oneSided) return;
        std::array<bool, 3> ridge{};
        for (std::size_t k = 0; k < 3; ++k) ridge[k] = m_f.isRidge(k, m_n);
        const std::size_t edges = m_face.count == 2 ? 1 : m_face.count;
        Vec3 middle;
        if (m_face.count >= 3)
            for (std::size_t k = 2; k < m_face.count; ++k)
                middle += cross(m_face.points[k - 1] - m_face.points[0], m_face.points[k] - m_face.points[0]);
        for (std::size_t k = 0; k < 3; ++k) {
            if (!ridge[k]) continue;
            const Vec3 &p = m_f.x[k], &q = m_f.x[(k + 1) % 3];
            for (std::size_t e = 0; e < edges; ++e) {
                const Vec3 &a = m_face.points[e], &b = m_face.points[(e + 1) % m_face.count];
                const Vec3 u = b - a, v = q - p, w = p - a;
                const double det = dot(cross(u, v), m_n);
                if (!(std::abs(det) > 1e-9 * norm(u) * norm(v))) continue;
                const double s = dot(cross(w, v), m_n) / det, t = dot(cross(w, u), m_n) / det;
                if (!(s > 0. && s < 1. && t > 0. && t < 1.)) continue;
                const Vec3 x = a + u * s;
                const double h = height(x);
                if (h <= m_limit && counts(h))
                    report(m_f.sideId(5, m_s.index, k, m_face.corners[e] + 1), {x, x - m_n * h, -m_n, h});
            }
            const double slope = dot(middle, m_n);
            if (ridge[(k + 2) % 3] && m_face.count >= 3 && std::abs(slope) > 0.1 * norm(middle) &&
                geometry::insidePolygon({m_face.points.data(), m_face.count}, m_n, p)) {
                const Vec3 x = p + m_n * (dot(middle, m_face.points[0] - p) / slope);
                const double h = height(x);
                if (h <= m_limit && counts(h)) report(identity(6, m_s.index, m_f.vertices[k]), {x, p, -m_n, h});
            }
        }
    }
    /// The nearest points, where they are on a side or corner of the triangle that no neighbour exceeds.
    void nearestFeature(const geometry::Contact& c)
    {
        const auto p = geometry::pointTriangle(c.pointB, m_f.x[0], m_f.x[1], m_f.x[2]);
        std::size_t zeros = 0, zero = 0, other = 0;
        for (std::size_t k = 0; k < 3; ++k)
            if (p.weightsB[k] < 1e-8) {
                ++zeros;
                zero = k;
            } else {
                other = k;
            }
        if (zeros == 0) return;  // inside: its corners are over the neighbours
        const Vec3 towards = -c.normal;
        if (m_f.oneSided && dot(towards, m_n) < 0.) return;
        if (zeros == 2) {
            if (m_f.isFarthest(3, other, towards)) report(identity(6, m_s.index, m_f.vertices[other]), c);
            return;
        }
        const std::size_t side = (zero + 1) % 3;
        if (!m_f.isFarthest(side, 3, towards)) return;
        const std::array<Vec3, 2> ends{m_f.x[side], m_f.x[(side + 1) % 3]};
        const auto patch = geometry::coreContacts(m_s.body, ConvexBody::of(ends), m_limit);
        const double close2 = 1e-16 * norm2(ends[1] - ends[0]);
        for (std::size_t k = 0; k < patch.count; ++k)
            if (!m_f.soft || (norm2(patch.contacts[k].pointB - ends[0]) > close2 &&
                              norm2(patch.contacts[k].pointB - ends[1]) > close2))
                report(m_f.sideId(7, m_s.index, side, patch.codes[k]), patch.contacts[k]);
    }
    /// The triangle cuts the solid, and no corner of the solid is over it: corners of the triangle in the solid leave
    /// it the shortest way, else the solid leaves the triangle as a whole. Tetrahedra are left through the boundary.
    void cut(const geometry::Contact& c)
    {
        if (m_f.oneSided || (m_s.mesh && m_s.mesh->boundaryFaces(m_s.index).empty())) return;
        bool inside = false;
        for (std::size_t k = 0; k < 3; ++k) {
            const geometry::Contact in = geometry::coreContact(m_s.body, ConvexBody::of({&m_f.x[k], 1}));
            inside = inside || in.distance <= 0.;
            if (!m_s.mesh && in.distance <= 0. && m_f.isFarthest(3, k, -in.normal))
                report(identity(6, m_s.index, m_f.vertices[k]), in);
        }
        if (!m_found && !(m_s.mesh && inside)) report(identity(4, m_s.index, m_f.triangle), c);
    }

    const Solid& m_s;
    const Facet& m_f;
    double m_limit;
    Emit m_emit;
    Vec3 m_n;  ///< of the triangle, to the side where the solid is
    bool m_overlaps = false, m_found = false;
    ConvexFace m_face;
};

/// Corners of a soft surface that lie before a solid, or in it: each one, where the solid has one contact with a stiff
/// surface. `outwards(v)` is the outer normal of the surface at a point, or zero if both sides are.
template <class Outwards, class Emit>
void softCorners(const Solid& solid, const CollisionModel& model, std::span<const Index> vertices, double limit,
                 const Outwards& outwards, const Emit& emit, double time = 0.)
{
    const SurfaceAdjacency& surface = *model.surface();
    for (const Index v : vertices) {
        const Vec3 p = model.pointAt(v, time), normal = outwards(v);
        const geometry::Contact c = geometry::coreContact(solid.body, ConvexBody::of({&p, 1}));
        const Vec3 towards = -c.normal;
        if (!(c.distance <= limit) || (norm2(normal) > 0. && dot(normal, towards) <= 0.)) continue;
        const bool flatHere = std::ranges::all_of(surface.ring(v), [&](Index w) {
            return dot(normalized(model.pointAt(w, time) - p, Vec3()), towards) <= flat;
        });
        if (flatHere) emit(identity(6, solid.index, v), c.pointA, c.pointB, c.normal, c.distance);
    }
}

Vec3 noSide(Index) { return {}; }

/// A triangle of the boundary of a tetrahedral mesh, with its normal outwards. Of a tetrahedron that is turned inside
/// out, the face is, too.
Facet boundaryFacet(const TetrahedronCollisionModel& mesh, Index f)
{
    Facet facet(mesh, f, mesh.boundary()[f]);
    const auto v = mesh.vertices(mesh.owner(f));
    const Vec3 middle = (mesh.point(v[0]) + mesh.point(v[1]) + mesh.point(v[2]) + mesh.point(v[3])) * 0.25;
    if (dot(facet.normal, middle - facet.x[0]) > 0.) facet.normal = -facet.normal;
    facet.soft = true;
    facet.oneSided = true;
    return facet;
}

/// A solid before faces of the boundary of a tetrahedron, and corners of it inside, which leave through the face of the
/// boundary to which they are nearest, of those that touch the tetrahedron. `emit(tetrahedron, id, onSolid, onMesh,
/// normal, distance)`.
template <class Emit>
void solidAndBoundary(const Solid& solid, const TetrahedronCollisionModel& mesh, Index j, double limit,
                      const Emit& emit)
{
    for (const Index f : mesh.boundaryFaces(j)) {
        const Facet facet = boundaryFacet(mesh, f);
        SolidAndFacet(solid, facet, limit, [&](std::int64_t id, const Vec3& p, const Vec3& q, const Vec3& n, double d) {
            emit(j, id, p, q, n, d);
        }).run();
    }
    const ConvexBody hull = mesh.body(j);
    const auto& x = hull.points;
    const ConvexFace corners = geometry::cornersTowards(solid.body, hull.center() - solid.body.center(), tilt);
    for (std::size_t k = 0; k < corners.count; ++k) {
        const Vec3& p = corners.points[k];
        if (!solid.hasCorner(corners.corners[k]) || !geometry::pointTetrahedron(p, x[0], x[1], x[2], x[3]).inside)
            continue;
        double least = std::numeric_limits<double>::infinity();
        Index nearest = InvalidIndex;
        Vec3 foot, outwards;
        for (const Index f : mesh.nearbyFaces(j)) {
            const Facet facet = boundaryFacet(mesh, f);
            const auto near = geometry::pointTriangle(p, facet.x[0], facet.x[1], facet.x[2]);
            if (!(near.distance2 < least)) continue;
            least = near.distance2;
            nearest = f;
            foot = near.pointB;
            outwards = normalized(near.delta, facet.normal);
        }
        emit(mesh.owner(nearest), solid.cornerId(corners.corners[k]), p, foot, -outwards, -std::sqrt(least));
    }
}

void solidAndTriangle(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                      Out& out)
{
    const Solid solid(a, i);
    const auto v = b.vertices(j);
    const Reach reach(m, a, i, b, j);
    const auto add = [&](std::int64_t id, const Vec3& p, const Vec3& q, const Vec3& n, double d) {
        out.push_back({i, j, id, p, q, n, d - reach.contact});
    };
    if (!solid.mesh) {
        SolidAndFacet(solid, Facet(b, j, {v[0], v[1], v[2]}), reach.alarm, add).run();
        if (b.d_simulated.value()) softCorners(solid, b, v, reach.alarm, noSide, add);
        return;
    }
    if (solid.mesh->nearbyFaces(i).empty()) return;
    SolidAndFacet(solid, Facet(b, j, {v[0], v[1], v[2]}), reach.alarm, add).run();
    // The corners of the triangle and the boundary; of a stiff surface, only those inside.
    const double limit = b.d_simulated.value() ? reach.alarm : 0.;
    for (const Index w : v)
        solidAndBoundary(Solid::corner(b, w), *solid.mesh, i, limit,
                         [&](Index tetrahedron, std::int64_t, const Vec3& p, const Vec3& q, const Vec3& n, double d) {
                             out.push_back({tetrahedron, j, identity(9, w), q, p, -n, d - reach.contact});
                         });
}

/// A solid and the boundary of a tetrahedral mesh, and the corners of the boundary before or in the solid.
void solidAndTetrahedron(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                         Index j, Out& out)
{
    if (isLeftToTriangles(a)) return;
    const auto& mesh = static_cast<const TetrahedronCollisionModel&>(b);
    if (mesh.nearbyFaces(j).empty()) return;
    const Solid solid(a, i);
    const Reach reach(m, a, i, b, j);
    solidAndBoundary(solid, mesh, j, reach.alarm,
                     [&](Index t, std::int64_t id, const Vec3& p, const Vec3& q, const Vec3& n, double d) {
                         out.push_back({i, t, id, p, q, n, d - reach.contact});
                     });
    // Another mesh has its corners compared with this one's boundary; points and balls are over it or in it.
    if (solid.mesh || solid.body.kind == ConvexBody::Kind::Point) return;
    const auto outwards = [&](Index v) {
        Vec3 n;
        for (const Index f : mesh.facesAround(v)) n += boundaryFacet(mesh, f).normal;
        return n;
    };
    std::array<Index, 4> outer{};
    std::size_t count = 0;
    for (const Index v : mesh.vertices(j))
        if (mesh.onBoundary(v)) outer[count++] = v;
    softCorners(solid, b, {outer.data(), count}, reach.alarm, outwards,
                [&](std::int64_t id, const Vec3& p, const Vec3& q, const Vec3& n, double d) {
                    out.push_back({i, j, id, p, q, n, d - reach.contact});
                });
}

void tetrahedra(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                Out& out)
{
    solidAndTetrahedron(m, a, i, b, j, out);
    // And the other way round; turned back.
    const std::size_t before = out.size();
    solidAndTetrahedron(m, b, j, a, i, out);
    for (std::size_t k = before; k < out.size(); ++k) {
        DetectedContact& c = out[k];
        c.swapPrimitives();
        c.id = identity(8, static_cast<std::uint64_t>(c.id));
    }
}

// --- Rays ----------------------------------------------------------------------------------------------------------

CollisionRay rayOf(const CollisionModel& m, Index i) { return static_cast<const BaseRayCollisionModel&>(m).ray(i); }

void addHit(Index i, Index j, const Vec3& x, const Vec3& normal, Out& out)
{
    out.push_back({i, j, static_cast<std::int64_t>(i), x, x, normal, 0.});
}

void rayAndTriangle(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                    Out& out)
{
    const CollisionRay r = rayOf(a, i);
    const auto hit = geometry::rayTriangle(r.origin, r.direction, b.vertex(j, 0), b.vertex(j, 1), b.vertex(j, 2));
    if (hit && hit->t <= r.length) addHit(i, j, r.origin + r.direction * hit->t, -b.normal(j), out);
}

/// Spheres and capsules: the point of the ray that is nearest to the centre or axis.
void rayAndRounded(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                   Out& out)
{
    const geometry::Contact c = geometry::coreContact(a.body(i), b.body(j));
    const double radius = b.radius(j);
    if (!(c.distance < radius)) return;
    out.push_back(
        {i, j, static_cast<std::int64_t>(i), c.pointA, c.pointB - c.normal * radius, c.normal, c.distance - radius});
}

/// Other solids: where the ray enters.
void rayAndBody(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b, Index j, Out& out)
{
    const CollisionRay r = rayOf(a, i);
    if (norm2(r.direction) == 0.) return;
    const auto span = geometry::rayConvex(r.origin, r.direction, b.body(j));
    if (span && span->enter <= r.length)
        addHit(i, j, r.origin + r.direction * span->enter, normalized(r.direction), out);
}

}  // namespace

void solidContactsAt(const CollisionModel& a, Index i, const CollisionModel& b, Index j, double t, double limit,
                     double further, double contact, Out& out)
{
    if (isLeftToTriangles(a) || isLeftToTriangles(b)) return;
    const std::size_t before = out.size();
    const auto add = [&](std::int64_t id, const Vec3& p, const Vec3& q, const Vec3& n, double) {
        for (std::size_t k = before; k < out.size(); ++k)
            if (out[k].id == id) return;
        const PrimitivePoint first = a.carriedBack(i, t, p), second = b.carriedBack(j, t, q);
        const Vec3 apart = second.position - first.position;
        // What has passed another triangle before it comes to this one does so from behind: it is held where it began.
        const Vec3 side = t > 0. && b.shape() == Kind::Triangle && dot(apart, n) < 0. ? -n : n;
        out.push_back({i, j, id, first.position, second.position, side, dot(apart, side) - contact, first.weights,
                       second.weights});
    };
    const ConvexBody body = a.bodyAt(i, t);
    if (b.shape() != Kind::Triangle) {
        const auto patch = geometry::coreContacts(body, b.bodyAt(j, t), further);
        for (std::size_t k = 0; k < patch.count; ++k) {
            const geometry::Contact& c = patch.contacts[k];
            add(identity(1, i, j, patch.codes[k]), c.pointA, c.pointB, c.normal, c.distance);
        }
        return;
    }
    const auto v = b.vertices(j);
    const Solid solid(a, i, body);
    const Facet facet(b, j, {v[0], v[1], v[2]}, t);
    SolidAndFacet(solid, facet, limit, add).run();
    if (b.d_simulated.value()) softCorners(solid, b, v, limit, noSide, add, t);
    if (out.size() == before || norm2(facet.normal) == 0.) return;
    // Its other corners over the triangle: they must not go on where the first one is held.
    const Vec3 n = dot(body.center() - facet.x[0], facet.normal) < 0. ? -facet.normal : facet.normal;
    const ConvexFace corners = geometry::cornersTowards(body, -n, tilt);
    for (std::size_t k = 0; k < corners.count; ++k) {
        const Vec3& p = corners.points[k];
        const double h = dot(p - facet.x[0], n);
        if (h >= 0. && h <= further && geometry::insidePolygon(facet.x, facet.normal, p))
            add(solid.cornerId(corners.corners[k]), p, p - n * h, -n, h);
    }
}

namespace {

const RegisterContactTests tests({
    {Kind::Solid, Kind::Solid, solidContactsSolids},
    {Kind::Sphere, Kind::Solid, solidContactsSolids},
    {Kind::Solid, Kind::Point, solidContactsSolids},
    {Kind::Solid, Kind::Line, solidContactsSolids},
    {Kind::Solid, Kind::Triangle, solidAndTriangle},
    {Kind::Tetrahedron, Kind::Triangle, solidAndTriangle},
    {Kind::Tetrahedron, Kind::Tetrahedron, tetrahedra},
    {Kind::Solid, Kind::Tetrahedron, solidAndTetrahedron},
    {Kind::Sphere, Kind::Tetrahedron, solidAndTetrahedron},
    {Kind::Point, Kind::Tetrahedron, solidAndTetrahedron},
    {Kind::Line, Kind::Tetrahedron, solidAndTetrahedron},
    {rayShape(), Kind::Triangle, rayAndTriangle},
    {rayShape(), Kind::Sphere, rayAndRounded},
    {rayShape(), capsuleShape(), rayAndRounded},
    {rayShape(), Kind::Solid, rayAndBody},
    {rayShape(), Kind::Tetrahedron, rayAndBody},
});

}  // namespace

}  // namespace sofa::component
