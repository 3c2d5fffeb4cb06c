// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Intersection methods: which pairs of primitives are compared, and what their contact is. Contacts, their order of
// points, ids and values are SOFA's.
#include <cmath>

#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"

namespace sofa::component {

using namespace sofa::core;

namespace {

using enum CollisionShape;

/// Closest points nearer to an end or a border than this part are those of the neighbouring primitive.
constexpr double border = 1e-6;

/// Distances at which a pair is reported, and at which its contact begins: those of the method, skins and radii.
struct Reach
{
    Reach(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j)
    {
        const double more = a.d_contactDistance.value() + b.d_contactDistance.value() + a.radius(i) + b.radius(j);
        alarm = m.alarmDistance() + more;
        contact = m.contactDistance() + more;
    }
    double alarm, contact;
};

/// Appends the contact of the points p and q if they are nearer than the alarm distance.
void report(const Reach& reach, Index i, Index j, std::int64_t id, const Vec3& p, const Vec3& q,
            Vector<DetectedContact>& out)
{
    const Vec3 d = q - p;
    const double squared = norm2(d);
    if (!(squared < reach.alarm * reach.alarm)) return;
    const double distance = std::sqrt(squared);
    // Points that coincide have no direction; any will do, but always the same.
    const Vec3 normal = distance > 1e-15 ? d / distance : Vec3{1., 0., 0.};
    out.push_back({i, j, id, p, q, normal, distance - reach.contact});
}

std::int64_t idOfLarger(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    return a.size() > b.size() ? i : j;
}

void spheres(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
             Vector<DetectedContact>& out)
{
    // The skins do not count here.
    const double radii = a.radius(i) + b.radius(j), reach = m.alarmDistance() + radii;
    const Vec3 p = a.vertex(i, 0), q = b.vertex(j, 0), d = q - p;
    const double squared = norm2(d);
    if (!(squared <= reach * reach)) return;
    const double distance = std::sqrt(squared);
    const Vec3 normal = distance > 0. ? d / distance : Vec3{1., 0., 0.};
    out.push_back({i, j, idOfLarger(a, i, b, j), p, q, normal, distance - radii - m.contactDistance()});
}

void points(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
            Vector<DetectedContact>& out)
{
    report({m, a, i, b, j}, i, j, idOfLarger(a, i, b, j), a.vertex(i, 0), b.vertex(j, 0), out);
}

void sphereAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                    Vector<DetectedContact>& out)
{
    report({m, a, i, b, j}, i, j, i, a.vertex(i, 0), b.vertex(j, 0), out);
}

/// The nearest point of a line to a point, its ends included.
void lineAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                  Vector<DetectedContact>& out)
{
    const Vec3 p0 = a.vertex(i, 0), p1 = a.vertex(i, 1), q = b.vertex(j, 0), edge = p1 - p0;
    const double length = dot(edge, edge), alpha = length > 0. ? dot(q - p0, edge) / length : 0.;
    const Vec3 p = alpha <= 0. ? p0 : alpha >= 1. ? p1 : p0 + edge * alpha;
    report({m, a, i, b, j}, i, j, j, p, q, out);
}

/// The nearest point inside a line to the centre of a sphere. (SOFA takes the point mirrored at the middle of the line;
/// that is a mistake, which shows only off the middle.)
void lineAndSphere(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                   Vector<DetectedContact>& out)
{
    const Vec3 p0 = a.vertex(i, 0), edge = a.vertex(i, 1) - p0, q = b.vertex(j, 0);
    const double length = dot(edge, edge);
    if (!(length > 0.)) return;
    const double alpha = dot(q - p0, edge) / length;
    if (alpha < border || alpha > 1. - border) return;
    report({m, a, i, b, j}, i, j, j, p0 + edge * alpha, q, out);
}

/// The nearest points inside two lines; the middles of parallel ones.
void lines(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
           Vector<DetectedContact>& out)
{
    const Vec3 p0 = a.vertex(i, 0), ab = a.vertex(i, 1) - p0, q0 = b.vertex(j, 0), cd = b.vertex(j, 1) - q0,
               ac = q0 - p0;
    const double a00 = dot(ab, ab), a11 = dot(cd, cd), a01 = -dot(cd, ab), b0 = dot(ab, ac), b1 = -dot(cd, ac),
                 det = a00 * a11 - a01 * a01;
    double alpha = 0.5, beta = 0.5;
    if (std::abs(det) > 1e-15) {
        alpha = (b0 * a11 - b1 * a01) / det;
        beta = (b1 * a00 - b0 * a01) / det;
        if (alpha < border || alpha > 1. - border || beta < border || beta > 1. - border) return;
    }
    report({m, a, i, b, j}, i, j, idOfLarger(a, i, b, j), p0 + ab * alpha, q0 + cd * beta, out);
}

/// The projection of a point, or of the centre of a sphere, to the inside of a triangle.
void triangleAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                      Vector<DetectedContact>& out)
{
    const Vec3 p0 = a.vertex(i, 0), ab = a.vertex(i, 1) - p0, ac = a.vertex(i, 2) - p0, q = b.vertex(j, 0), aq = q - p0;
    const double a00 = dot(ab, ab), a11 = dot(ac, ac), a01 = dot(ab, ac), b0 = dot(aq, ab), b1 = dot(aq, ac),
                 det = a00 * a11 - a01 * a01;
    if (!(det > 0.)) return;  // a triangle without area has no inside
    const double alpha = (b0 * a11 - b1 * a01) / det, beta = (b1 * a00 - b0 * a01) / det;
    if (alpha < border || beta < border || alpha + beta > 1. - border) return;
    report({m, a, i, b, j}, i, j, j, p0 + ab * alpha + ac * beta, q, out);
}

/// A sphere that meets the plane of a triangle, with its centre above or below the triangle.
void sphereThroughTriangle(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b,
                           Index j, Vector<DetectedContact>& out)
{
    const Vec3 p[3] = {b.vertex(j, 0), b.vertex(j, 1), b.vertex(j, 2)}, centre = a.vertex(i, 0);
    const Vec3 area = cross(p[1] - p[0], p[2] - p[0]);
    const double length = norm(area);
    if (!(length > 0.)) return;
    const Vec3 normal = area / length;
    const double height = dot(centre, normal) - dot(normal, p[0]), distance = std::abs(height) - a.radius(i);
    if (distance > 1e-5) return;
    const Vec3 foot = centre - normal * height;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &from = p[(k + 1) % 3], edge = p[(k + 2) % 3] - from;
        if (dot(cross(edge, foot - from), cross(edge, p[k] - from)) < 0.) return;
    }
    out.push_back({i, j, i, centre, foot, -normal, -distance});
}

/// A line through a triangle.
void triangleAndLine(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                     Vector<DetectedContact>& out)
{
    const Vec3 p0 = a.vertex(i, 0), ab = a.vertex(i, 1) - p0, ac = a.vertex(i, 2) - p0, q0 = b.vertex(j, 0),
               pq = b.vertex(j, 1) - q0, right = q0 - p0;
    // AB α + AC β − PQ γ = P − A
    const double det = dot(ab, cross(ac, -pq));
    if (!(std::abs(det) > 1e-300)) return;
    const double alpha = dot(right, cross(ac, -pq)) / det, beta = dot(ab, cross(right, -pq)) / det,
                 gamma = dot(ab, cross(ac, right)) / det;
    if (!(alpha >= 0. && beta >= 0. && alpha + beta <= 1. && gamma >= 0. && gamma <= 1.)) return;
    const Vec3 x = q0 + pq * gamma;
    out.push_back({i, j, j, x, x, a.normal(i), 0.});
}

/// Primitives that overlap.
class DiscreteIntersection : public IntersectionMethod
{
public:
    DiscreteIntersection()
    {
        setTest(Sphere, Sphere, spheres);
        setTest(Sphere, Triangle, sphereThroughTriangle);
        setTest(Triangle, Line, triangleAndLine);
    }
};

/// Distances of an intersection method with proximity.
class ProximityIntersection : public IntersectionMethod
{
public:
    Data<double> d_alarmDistance{
        this,
        {.name = "alarmDistance", .help = "Distance of surfaces below which contacts are looked at", .unit = "m"},
        1.};
    Data<double> d_contactDistance{
        this, {.name = "contactDistance", .help = "Distance of surfaces at which contact begins", .unit = "m"}, 0.5};

    void init() override
    {
        if (d_contactDistance.value() > d_alarmDistance.value())
            msgWarning() << "contactDistance (" << d_contactDistance.value() << ") is larger than alarmDistance ("
                         << d_alarmDistance.value() << "): contacts begin with a jump";
    }
    double alarmDistance() const override { return d_alarmDistance.value(); }
    double contactDistance() const override { return d_contactDistance.value(); }
};

/// Pairs of nearest points inside of points, lines, triangles and spheres.
class MinProximityIntersection final : public ProximityIntersection
{
public:
    Data<bool> d_useSphereTriangle{
        this, {.name = "useSphereTriangle", .help = "Compare spheres with points, lines and triangles"}, true};
    Data<bool> d_usePointPoint{this, {.name = "usePointPoint", .help = "Compare points with points"}, true};
    Data<bool> d_useSurfaceNormals{
        this,
        {.name = "useSurfaceNormals", .help = "Take the normal of the triangle for that of its contacts with points"},
        false};
    Data<bool> d_useLinePoint{this, {.name = "useLinePoint", .help = "Compare lines with points"}, true};
    Data<bool> d_useLineLine{this, {.name = "useLineLine", .help = "Compare lines with lines"}, true};

    void init() override
    {
        ProximityIntersection::init();
        setTest(Sphere, Sphere, spheres);
        setTest(Point, Point, d_usePointPoint.value() ? points : nullptr);
        setTest(Line, Point, d_useLinePoint.value() ? lineAndPoint : nullptr);
        setTest(Line, Line, d_useLineLine.value() ? lines : nullptr);
        setTest(Triangle, Point, d_useSurfaceNormals.value() ? alongNormal : triangleAndPoint);
        const bool withSpheres = d_useSphereTriangle.value();
        setTest(Sphere, Point, withSpheres ? sphereAndPoint : nullptr);
        setTest(Line, Sphere, withSpheres ? lineAndSphere : nullptr);
        setTest(Triangle, Sphere, withSpheres ? triangleAndPoint : nullptr);
    }
    void reinit() override { init(); }

private:
    static void alongNormal(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                            Index j, Vector<DetectedContact>& out)
    {
        const std::size_t before = out.size();
        triangleAndPoint(m, a, i, b, j, out);
        if (out.size() > before) out.back().normal = a.normal(i);
    }
};

const RegisterComponent discrete =
    RegisterComponent("DiscreteIntersection", "IntersectionMethod", "Sofa.Component.Collision.Detection.Intersection")
        .help("Contacts of primitives that overlap: spheres, spheres and triangles, lines through triangles")
        .example("component/collision/Spheres.scn")
        .add<DiscreteIntersection>();
const RegisterComponent minProximity = RegisterComponent("MinProximityIntersection", "IntersectionMethod",
                                                         "Sofa.Component.Collision.Detection.Intersection")
                                           .help("Contacts of primitives that come near, at their nearest points")
                                           .example("component/collision/MeshContacts.scn")
                                           .add<MinProximityIntersection>();

}  // namespace

}  // namespace sofa::component
