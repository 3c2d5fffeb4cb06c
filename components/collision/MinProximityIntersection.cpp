// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/collision/ProximityTests.h"
#include "core/factory/Registry.h"
#include "core/geometry/Proximity.h"

namespace sofa::component {

namespace {

using Shape = CollisionShape;

void minProximitySpheres(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                         Index j, Vector<DetectedContact>& out)
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

void minProximityPoints(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                        Vector<DetectedContact>& out)
{
    reportContactOfSurfaces(m, a, i, b, j, idOfLarger(a, i, b, j), {a.vertex(i, 0), b.vertex(j, 0)}, out);
}

void minProximitySphereAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                                Index j, Vector<DetectedContact>& out)
{
    reportContact({m, a, i, b, j}, i, j, i, {a.vertex(i, 0), b.vertex(j, 0)}, out);
}

/// The nearest point of a line to a point, its ends included.
void minProximityLineAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                              Index j, Vector<DetectedContact>& out)
{
    const Vec3 q = b.vertex(j, 0);
    const auto nearest = geometry::pointSegment(q, a.vertex(i, 0), a.vertex(i, 1));
    reportContactOfSurfaces(m, a, i, b, j, j, {nearest.pointB, q, nearest.weightsB}, out);
}

/// The nearest point inside a line to the centre of a sphere. (SOFA takes the point mirrored at the middle of the line:
/// its parameter is counted from one end and used from the other.)
void lineAndSphere(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                   Vector<DetectedContact>& out)
{
    const Vec3 p0 = a.vertex(i, 0), p1 = a.vertex(i, 1);
    NearestPoints x;
    if (!nearestInLine(p0, p1, b.vertex(j, 0), x)) return;
    if (m.compatibility() == Compatibility::Sofa) {
        x.first = p0 + p1 - x.first;
        std::swap(x.weights1[0], x.weights1[1]);
    }
    reportContact({m, a, i, b, j}, i, j, j, x, out);
}

void minProximityLines(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                       Vector<DetectedContact>& out)
{
    NearestPoints x;
    if (nearestInLines(a.vertex(i, 0), a.vertex(i, 1), b.vertex(j, 0), b.vertex(j, 1), 1e-15, proximityBorder, x))
        reportContactOfSurfaces(m, a, i, b, j, idOfLarger(a, i, b, j), x, out);
}

/// The projection of a point, or of the centre of a sphere, to the inside of a triangle.
void minProximityTriangleAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i,
                                  const CollisionModel& b, Index j, Vector<DetectedContact>& out)
{
    NearestPoints x;
    if (nearestOnSurface(a, i, b.vertex(j, 0), sidesBesideLines(m, a), x))
        reportContactOfSurfaces(m, a, i, b, j, j, x, out);
}

void triangleAndPointAlongNormal(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                                 Index j, Vector<DetectedContact>& out)
{
    const std::size_t before = out.size();
    minProximityTriangleAndPoint(m, a, i, b, j, out);
    if (out.size() > before) out.back().normal = a.normal(i);
}

/// Pairs of nearest points inside of points, lines, triangles and spheres.
class MinProximityIntersection final : public CorrectedIntersection
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

    void prepare(const ModelPair& models) const override
    {
        IntersectionMethod::prepare(models);
        prepareNeighbours(models);
    }
    void init() override
    {
        ProximityIntersection::init();
        setTest(Shape::Sphere, Shape::Sphere, minProximitySpheres);
        setTest(Shape::Point, Shape::Point, d_usePointPoint.value() ? minProximityPoints : nullptr);
        setTest(Shape::Line, Shape::Point, d_useLinePoint.value() ? minProximityLineAndPoint : nullptr);
        setTest(Shape::Line, Shape::Line, d_useLineLine.value() ? minProximityLines : nullptr);
        setTest(Shape::Triangle, Shape::Point,
                d_useSurfaceNormals.value() ? triangleAndPointAlongNormal : minProximityTriangleAndPoint);
        const bool withSpheres = d_useSphereTriangle.value();
        setTest(Shape::Sphere, Shape::Point, withSpheres ? minProximitySphereAndPoint : nullptr);
        setTest(Shape::Line, Shape::Sphere, withSpheres ? lineAndSphere : nullptr);
        setTest(Shape::Triangle, Shape::Sphere, withSpheres ? minProximityTriangleAndPoint : nullptr);
    }
    void reinit() override { init(); }
};

const RegisterComponent registeredMinProximityIntersection =
    RegisterComponent("MinProximityIntersection", "IntersectionMethod",
                      "Sofa.Component.Collision.Detection.Intersection")
        .help("Contacts of primitives that come near, at their nearest points")
        .example("component/collision/MeshContacts.scn")
        .add<MinProximityIntersection>();

}  // namespace

}  // namespace sofa::component
