// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/ProximityTests.h"

#include <cmath>

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
    out.push_back({i, j, id, x.first, x.second, normal, distance - reach.contact});
    return true;
}

bool nearestInLine(const Vec3& p0, const Vec3& p1, const Vec3& q, NearestPoints& x)
{
    const auto nearest = geometry::pointSegment(q, p0, p1);
    x = {nearest.pointB, q};
    return std::min(nearest.weightsB[0], nearest.weightsB[1]) >= proximityBorder;
}

bool nearestInTriangle(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& q, NearestPoints& x)
{
    const auto nearest = geometry::pointTriangle(q, p0, p1, p2);
    const Vec3& w = nearest.weightsB;
    x = {nearest.pointB, q};
    return std::min({w[0], w[1], w[2]}) >= proximityBorder;
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
    x = {p0 + ab * alpha, q0 + cd * beta};
    return true;
}

void prepareNeighbours(const ModelPair& models)
{
    for (const CollisionModel* m : {models.first, models.second}) {
        const BaseMeshTopology* mesh = m->topology();
        if (!mesh) continue;
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
