// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ProximityTests.h"

#include <algorithm>
#include <cmath>

#include "core/collision/ContactSides.h"
#include "core/collision/SurfaceAdjacency.h"
#include "core/geometry/Proximity.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

Reach::Reach(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    const double more = a.d_contactDistance.value() + b.d_contactDistance.value() + a.radius(i) + b.radius(j);
    alarm = m.alarmDistance() + more;
    contact = m.contactDistance() + more;
}

bool reportContact(const Reach& reach, Index i, Index j, std::int64_t id, const NearestPoints& x,
                   Vector<DetectedContact>& out)
{
    const Vec3 d = x.second - x.first;
    const double squared = norm2(d);
    if (!(squared < reach.alarm * reach.alarm)) return false;
    const double distance = std::sqrt(squared);
    // Points that coincide have no direction; any will do, but always the same.
    const Vec3 normal = distance > 1e-15 ? d / distance : Vec3{1., 0., 0.};
    out.push_back({i, j, id, x.first, x.second, normal, distance - reach.contact, x.weights1, x.weights2});
    return true;
}

bool leadsIntoTriangle(const Feature& line, const Vec3& d, const Feature& other)
{
    const auto ends = line.vertices;
    const BaseMeshTopology* mesh = line.model.topology();
    if (ends.size() != 2 || !mesh) return false;
    const Vec3 p = line.model.point(ends[0]), e = line.model.point(ends[1]) - p;
    bool into = false, away = mesh->isClosedSurface();
    const bool sameMesh = other.model.topology() == mesh;
    for (const Index t : mesh->trianglesAroundVertex(ends[0])) {
        const Triangle& corners = mesh->triangles()[t];
        if (std::ranges::find(corners, ends[1]) == corners.end()) continue;
        for (const Index v : corners) {
            if (v == ends[0] || v == ends[1] ||
                (sameMesh && std::ranges::find(other.vertices, v) != other.vertices.end()))
                continue;
            const Vec3 to = line.model.point(v) - p, inside = to - e * (dot(to, e) / norm2(e));
            const double along = dot(inside, d), limit = 0.1 * norm(inside);
            into = into || along > limit;
            away = away || along < -limit;
        }
    }
    return into && away;
}

namespace {

/// Turns a contact round: what was the distance of its points is how deep they are in each other.
void turn(DetectedContact& c)
{
    const double separation = dot(c.point2 - c.point1, c.normal) - c.value;
    c.normal = -c.normal;
    c.value = dot(c.point2 - c.point1, c.normal) - separation;
}

/// Whether contacts with a model have sides to remember.
bool isOpenSurface(const IntersectionMethod& m, const CollisionModel& s)
{
    return (s.shape() == CollisionShape::Triangle || s.shape() == CollisionShape::Line) && s.topology() &&
           !hasOutside(m, s);
}

}  // namespace

bool keepSide(const IntersectionMethod& m, const Feature& a, const Feature& b, DetectedContact& c)
{
    if (!m.sides()) return false;
    // Where a contact leads along a surface, by less than 30 degrees off it, it goes around a border.
    const auto side = [&c](const Vec3& n, double sign) {
        const double along = sign * dot(n, c.normal);
        return std::abs(along) > 0.5 * norm(n) ? (along > 0. ? 1 : -1) : 0;
    };
    bool turned = false;
    Vec3 normals[2];
    const auto look = [&](const Feature& on, const Feature& other, double sign, Vec3& normal) {
        if (!isOpenSurface(m, on.model)) return;
        normal = ContactSides::normalOf(on.model, on.model.vertices(on.primitive));
        const int now = side(normal, sign);
        if (turned || now == 0 || m.sides()->of(on.model, on.primitive, other.model, other.primitive) != -now) return;
        turn(c);
        turned = true;
    };
    look(a, b, 1., normals[0]);
    look(b, a, -1., normals[1]);
    c.sides = {static_cast<std::int8_t>(side(normals[0], 1.)), static_cast<std::int8_t>(side(normals[1], -1.))};
    return turned;
}

bool settleSide(const IntersectionMethod& m, const Feature& a, const Feature& b, DetectedContact& c)
{
    if (m.compatibility() == Compatibility::Sofa) return true;
    keepSide(m, a, b, c);
    const bool behindFirst = dot(outwards(m, a), c.normal)<0., behindSecond = dot(outwards(m, b), c.normal)> 0.;
    if (behindFirst != behindSecond) return false;
    if (behindFirst) turn(c);
    return !leadsIntoTriangle(a, c.normal, b) && !leadsIntoTriangle(b, -c.normal, a);
}

bool reportContactOfSurfaces(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                             Index j, std::int64_t id, const NearestPoints& x, Vector<DetectedContact>& out)
{
    if (!reportContact({m, a, i, b, j}, i, j, id, x, out)) return false;
    if (settleSide(m, {a, i}, {b, j}, out.back())) return true;
    out.pop_back();
    return false;
}

bool nearestInLine(const Vec3& p0, const Vec3& p1, const Vec3& q, NearestPoints& x)
{
    const auto nearest = geometry::pointSegment(q, p0, p1);
    x = {nearest.pointB, q, nearest.weightsB};
    return std::min(nearest.weightsB[0], nearest.weightsB[1]) >= proximityBorder;
}

bool nearestOnSurface(const CollisionModel& m, Index triangle, const Vec3& q, Sides sides, NearestPoints& x)
{
    return nearestOnMovingSurface(m, triangle, 0., q, sides, x);
}

bool nearestOnMovingSurface(const CollisionModel& m, Index triangle, double t, const Vec3& q, Sides sides,
                            NearestPoints& x)
{
    const auto point = [&](Index i) { return t == 0. ? m.point(i) : m.point(i) * (1. - t) + m.endPoint(i) * t; };
    const auto v = m.vertices(triangle);
    const Vec3 p[3] = {point(v[0]), point(v[1]), point(v[2])};
    const auto nearest = geometry::pointTriangle(q, p[0], p[1], p[2]);
    const Vec3& w = nearest.weightsB;
    x = {nearest.pointB, q, w};
    if (std::min({w[0], w[1], w[2]}) >= proximityBorder) return true;
    const SurfaceAdjacency* surface = m.surface();
    if (sides == Sides::none || !surface) return false;
    const Vec3 d = x.second - x.first;
    // Whether the foot of the point lies beyond, in the neighbour: by more than what counts as its border, or both
    // triangles would leave it to each other.
    const auto isBeyond = [&](const Vec3& towards) { return dot(towards, d) > 2. * proximityBorder * norm2(towards); };
    for (std::size_t k = 0; k < 3; ++k) {
        if (w[k] < 1. - proximityBorder) continue;
        if (sides == Sides::cuts) return false;
        if (!surface->ownsCorner(triangle, v[k]) || (sides == Sides::inner && surface->onBorder(v[k]))) return false;
        return std::ranges::none_of(surface->ring(v[k]), [&](Index other) { return isBeyond(point(other) - p[k]); });
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (w[(k + 2) % 3] >= proximityBorder) continue;
        if (!surface->ownsSide(triangle, k) || (sides == Sides::cuts && !m.dividesQuad(triangle, k))) return false;
        if (surface->opposite(triangle, k) == InvalidIndex) return sides == Sides::all;
        const Vec3 e = p[(k + 1) % 3] - p[k], to = point(surface->opposite(triangle, k)) - p[k];
        const double length2 = norm2(e);
        return !isBeyond(length2 > 0. ? to - e * (dot(to, e) / length2) : to);
    }
    return false;
}

Sides sidesBesideLines(const IntersectionMethod& m, const CollisionModel& surface)
{
    if (m.compatibility() == Compatibility::Sofa) return Sides::none;
    return surface.hasLines() ? Sides::cuts : Sides::inner;
}

bool hasOutside(const IntersectionMethod& m, const CollisionModel& surface)
{
    if (surface.bothSide()) return false;
    return m.compatibility() == Compatibility::Sofa || surface.topology()->isClosedSurface();
}

Vec3 outwards(const IntersectionMethod& m, const Feature& f)
{
    if (!f.model.topology() || !hasOutside(m, f.model)) return {};
    return ContactSides::normalOf(f.model, f.vertices);
}

// The general functions of core/geometry/Proximity.h return an end where lines are parallel. SOFA's contacts lie at the
// middles, and its limits are absolute: they are part of its numbers.
bool nearestInLines(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1, double parallel, double border,
                    NearestPoints& x)
{
    const Vec3 ab = p1 - p0, cd = q1 - q0, ac = q0 - p0;
    const double a00 = dot(ab, ab), a11 = dot(cd, cd), a01 = -dot(cd, ab), b0 = dot(ab, ac), b1 = -dot(cd, ac),
                 det = a00 * a11 - a01 * a01;
    double alpha = 0.5, beta = 0.5;
    if (std::abs(det) > parallel) {
        alpha = (b0 * a11 - b1 * a01) / det;
        beta = (b1 * a00 - b0 * a01) / det;
        const auto inside = [border](double t) { return t >= border && t <= 1. - border; };
        if (!inside(alpha) || !inside(beta)) return false;
    }
    x = {p0 + ab * alpha, q0 + cd * beta, Vec2{1. - alpha, alpha}, Vec2{1. - beta, beta}};
    return true;
}

void prepareNeighbours(const ModelPair& models)
{
    for (const CollisionModel* m : {models.first, models.second}) {
        const BaseMeshTopology* mesh = m->topology();
        if (!mesh) continue;
        (void)mesh->isClosedSurface();
        (void)mesh->edgesAroundVertex(0);
        (void)mesh->trianglesAroundVertex(0);
        if (!mesh->edges().empty()) (void)mesh->trianglesAroundEdge(0);
        if (!mesh->triangles().empty()) (void)mesh->edgesInTriangle(0);
        (void)m->ownedParts();
    }
}

void ProximityIntersection::init()
{
    if (d_contactDistance.value() > d_alarmDistance.value())
        msgWarning() << "contactDistance (" << d_contactDistance.value() << ") is larger than alarmDistance ("
                     << d_alarmDistance.value() << "): contacts begin with a jump";
}

}  // namespace sofa::component
