// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/collision/ProximityTests.h"
#include "core/factory/Registry.h"

namespace sofa::component {

namespace {

using Shape = CollisionShape;

/// What rests on a surface touches it, whatever rounding says [m]; SOFA's value.
constexpr double slack = 1e-5;

void discreteSpheres(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                     Vector<DetectedContact>& out)
{
    // The skins do not count here.
    const double radii = a.radius(i) + b.radius(j);
    const Vec3 p = a.vertex(i, 0), q = b.vertex(j, 0), d = q - p;
    const double squared = norm2(d);
    if (!(squared <= radii * radii)) return;
    const double distance = std::sqrt(squared);
    const Vec3 normal = distance > 0. ? d / distance : Vec3{1., 0., 0.};
    out.push_back({i, j, idOfLarger(a, i, b, j), p, q, normal, distance - radii});
}

/// A sphere that meets a surface leaves it to the side where its centre is. In SOFA it leaves a triangle to that of the
/// normal, even from behind, and passes the sides.
void discreteSphereAndTriangle(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b,
                               Index j, Vector<DetectedContact>& out)
{
    NearestPoints x;
    if (!nearestOnSurface(b, j, a.vertex(i, 0), Sides::all, x)) return;
    const Vec3 d = x.first - x.second;
    const double distance = norm(d), radius = a.radius(i);
    if (distance > radius + slack) return;
    const Vec3 normal = distance > 1e-9 * radius ? d / distance : -b.normal(j);
    out.push_back({i, j, i, x.second, x.first, normal, distance - radius, {}, x.weights1});
}

/// A sphere that meets the plane of a triangle, with its centre above or below the triangle.
void sphereThroughPlane(const IntersectionMethod&, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                        Vector<DetectedContact>& out)
{
    const Vec3 p[3] = {b.vertex(j, 0), b.vertex(j, 1), b.vertex(j, 2)}, centre = a.vertex(i, 0);
    const Vec3 area = cross(p[1] - p[0], p[2] - p[0]);
    const double length = norm(area);
    if (!(length > 0.)) return;
    const Vec3 normal = area / length;
    const double height = dot(centre, normal) - dot(normal, p[0]), distance = std::abs(height) - a.radius(i);
    if (distance > slack) return;
    const Vec3 foot = centre - normal * height;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &from = p[(k + 1) % 3], edge = p[(k + 2) % 3] - from;
        if (dot(cross(edge, foot - from), cross(edge, p[k] - from)) < 0.) return;
    }
    out.push_back({i, j, i, centre, foot, -normal, -distance});
}

/// A line through a triangle. One whose angle to the plane of the triangle is rounding crosses it nowhere; in SOFA such
/// lines, of flat surfaces, have contacts anywhere on them.
void discreteTriangleAndLine(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                             Index j, Vector<DetectedContact>& out)
{
    const Vec3 p0 = a.vertex(i, 0), ab = a.vertex(i, 1) - p0, ac = a.vertex(i, 2) - p0, q0 = b.vertex(j, 0),
               pq = b.vertex(j, 1) - q0, right = q0 - p0;
    // AB α + AC β − PQ γ = P − A
    const double det = dot(ab, cross(ac, -pq));
    const double least = m.compatibility() == Compatibility::Sofa ? 1e-300 : 1e-10 * norm(cross(ab, ac)) * norm(pq);
    if (!(std::abs(det) > least)) return;
    const double alpha = dot(right, cross(ac, -pq)) / det, beta = dot(ab, cross(right, -pq)) / det,
                 gamma = dot(ab, cross(ac, right)) / det;
    if (!(alpha >= 0. && beta >= 0. && alpha + beta <= 1. && gamma >= 0. && gamma <= 1.)) return;
    const Vec3 x = q0 + pq * gamma;
    out.push_back({i, j, j, x, x, a.normal(i), 0., Vec3{1. - alpha - beta, alpha, beta}, Vec2{1. - gamma, gamma}});
}

/// Primitives that overlap.
class DiscreteIntersection : public IntersectionMethod
{
public:
    DiscreteIntersection()
    {
        setTest(Shape::Sphere, Shape::Sphere, discreteSpheres);
        setTest(Shape::Sphere, Shape::Triangle, discreteSphereAndTriangle);
        setTest(Shape::Triangle, Shape::Line, discreteTriangleAndLine);
    }
    void init() override
    {
        IntersectionMethod::init();
        if (compatibility() == Compatibility::Sofa) setTest(Shape::Sphere, Shape::Triangle, sphereThroughPlane);
    }
};

const RegisterComponent registeredDiscreteIntersection =
    RegisterComponent("DiscreteIntersection", "IntersectionMethod", "Sofa.Component.Collision.Detection.Intersection")
        .help("Contacts of primitives that overlap: spheres, spheres and triangles, lines through triangles")
        .example("component/collision/Spheres.scn")
        .add<DiscreteIntersection>();

}  // namespace

}  // namespace sofa::component
