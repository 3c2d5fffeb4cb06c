// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/collision/ProximityTests.h"
#include "core/factory/Registry.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

namespace {

Vec3 unit(const Vec3& v)
{
    const double length = norm(v);
    return length > 1e-300 ? v / length : Vec3();
}

using Shape = CollisionShape;

/// Pairs of points whose distance is a local minimum: each lies inside its primitive, and in the directions that no
/// neighbouring primitive is nearer in.
///
/// For a convex corner or side of a mesh these directions form a cone around the mean normal n of the triangles around
/// it: with the tangent t of each neighbour, which points away from it, a direction d of unit length is kept if
/// d · t ≥ −(coneFactor max(0, n · t) + angleCone), and for surfaces with an outside, d · n ≥ 0. (The idea is that of
/// D. E. Johnson and P. Willemsen, "Six degree-of-freedom haptic rendering of complex polygonal models", Haptics 2003;
/// limits and their use are SOFA's.)
///
/// What SOFA drops and bodies need to rest on is kept, but with compatibility="sofa": directions along which a surface
/// is flat, so that rounding does not decide; what is within the contact distance already, since a neighbour that is a
/// little nearer does not hold it up; and both sides of a surface that is not closed, as a floor.
class LocalMinDistance final : public ProximityIntersection
{
public:
    Data<bool> d_filterIntersection{
        this, {.name = "filterIntersection", .help = "Keep the local minima of the distance only"}, true};
    Data<double> d_angleCone{
        this,
        {.name = "angleCone",
         .help = "Widens the cones of directions in which contacts are kept: sine of the angle added on each side",
         .unit = "1"},
        0.};
    Data<double> d_coneFactor{
        this,
        {.name = "coneFactor",
         .help = "Part of the angle between normals and neighbouring primitives by which the cones are widened",
         .unit = "1"},
        0.5};
    Data<bool> d_useLMDFilters{
        this,
        {.name = "useLMDFilters",
         .help = "Leave filtering to separate filter components, which SOFA has no more: nothing is filtered"},
        false};

    LocalMinDistance();
    void init() override
    {
        ProximityIntersection::init();
        if (d_useLMDFilters.value())
            msgWarning() << "useLMDFilters leaves filtering to filter components, which SOFA removed in v21.12: "
                            "contacts are not filtered";
    }

    void prepare(const ModelPair& models) const override
    {
        IntersectionMethod::prepare(models);
        prepareNeighbours(models);
    }

    /// Whether both points of a contact are local minima of the distance. `d`: from the first to the second one; `gap`
    /// [m]: the distance beyond that of contact.
    bool accepts(const CollisionModel& a, Index i, const CollisionModel& b, Index j, const Vec3& d, double gap) const
    {
        if (d_useLMDFilters.value() || !d_filterIntersection.value()) return true;
        if (compatibility() == Compatibility::Exact &&
            (leadsIntoTriangle({a, i}, unit(d), {b, j}) || leadsIntoTriangle({b, j}, -unit(d), {a, i})))
            return false;
        // No limit within the contact distance: every direction is above the tangent by more than this.
        const double widen = compatibility() == Compatibility::Sofa ? 0. : gap <= 0. ? 1. : 1e-3;
        return inCone(a, i, d, widen) && inCone(b, j, -d, widen);
    }

private:
    bool inCone(const CollisionModel& m, Index i, const Vec3& d, double widen) const
    {
        if (m.shape() == Shape::Point) return pointCone(m, i, d, widen);
        if (m.shape() == Shape::Line) return lineCone(m, i, d, widen);
        if (m.shape() != Shape::Triangle) return true;
        return !hasOutside(*this, m) ||
               dot(cross(m.vertex(i, 1) - m.vertex(i, 0), m.vertex(i, 2) - m.vertex(i, 0)), d) >= 0.;
    }
    /// How far below the tangent of a neighbour directions may point: the cosine of the angle with it.
    double limit(const Vec3& normal, const Vec3& tangent, double widen) const
    {
        return -(std::max(0., dot(normal, tangent) * d_coneFactor.value()) + d_angleCone.value() + widen);
    }
    bool pointCone(const CollisionModel& m, Index i, const Vec3& d, double widen) const;
    bool lineCone(const CollisionModel& m, Index i, const Vec3& d, double widen) const;
};

Vec3 normalOf(const CollisionModel& m, const Triangle& t)
{
    const Vec3 p = m.point(t[0]);
    return unit(cross(m.point(t[1]) - p, m.point(t[2]) - p));
}

/// Points are looked at as corners of a mesh only where there are lines too; else all their contacts count.
bool LocalMinDistance::pointCone(const CollisionModel& m, Index i, const Vec3& d, double widen) const
{
    const BaseMeshTopology* mesh = m.topology();
    if (!mesh || !m.hasLines()) return true;
    const Index self = m.vertices(i)[0];
    const auto edges = mesh->edgesAroundVertex(self);
    // From the other end of an edge to the point.
    const auto tangent = [&](Index e) {
        const Edge& edge = mesh->edges()[e];
        return unit(m.point(self) - m.point(edge[0] == self ? edge[1] : edge[0]));
    };
    Vec3 mean;
    const auto triangles = mesh->trianglesAroundVertex(self);
    for (const Index t : triangles) mean += normalOf(m, mesh->triangles()[t]);
    if (triangles.empty())
        for (const Index e : edges) mean += tangent(e);
    const double length = norm(d);
    if (norm(mean) > 1e-10) {
        mean = unit(mean);
        if (hasOutside(*this, m) && dot(mean, d) < -d_angleCone.value() * length) return false;
    }
    for (const Index e : edges) {
        const Vec3 t = tangent(e);
        if (dot(t, d) < limit(mean, t, widen) * length) return false;
    }
    return true;
}

bool LocalMinDistance::lineCone(const CollisionModel& m, Index i, const Vec3& d, double widen) const
{
    const auto ends = m.vertices(i);
    const Vec3 along = unit(m.point(ends[1]) - m.point(ends[0]));
    const BaseMeshTopology* mesh = m.topology();
    const auto triangles = mesh ? mesh->trianglesAroundEdge(i) : std::span<const Index>();
    if (triangles.size() != 2) {
        // Nearest points of parallel lines need not be nearest.
        return std::abs(dot(along, unit(d))) <= d_angleCone.value() + 1e-4;
    }
    // On the left the triangle has the edge in its own direction.
    const Triangle& first = mesh->triangles()[triangles[0]];
    bool firstIsLeft = false;
    for (std::size_t k = 0; k < 3; ++k)
        firstIsLeft = firstIsLeft || (first[k] == ends[0] && first[(k + 1) % 3] == ends[1]);
    const Vec3 right = normalOf(m, mesh->triangles()[triangles[firstIsLeft ? 1 : 0]]),
               left = normalOf(m, mesh->triangles()[triangles[firstIsLeft ? 0 : 1]]), mean = unit(right + left);
    if (hasOutside(*this, m) && dot(mean, d) < 0.) return false;
    const double length = norm(d);
    for (const Vec3& t : {unit(cross(right, along)), unit(cross(along, left))})
        if (dot(t, d) < limit(mean, t, widen) * length) return false;
    return true;
}

void reportMinimum(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                   std::int64_t id, const NearestPoints& x, Vector<DetectedContact>& out)
{
    if (!reportContact({m, a, i, b, j}, i, j, id, x, out)) return;
    // What has passed is at a minimum where it would be if it had not.
    const bool turned = keepSide(m, {a, i}, {b, j}, out.back());
    const Vec3 d = turned ? x.first - x.second : x.second - x.first;
    if (!static_cast<const LocalMinDistance&>(m).accepts(a, i, b, j, d, out.back().value)) out.pop_back();
}

/// Spheres and points with each other.
void localMinCentres(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                     Vector<DetectedContact>& out)
{
    reportMinimum(m, a, i, b, j, idOfLarger(a, i, b, j), {a.vertex(i, 0), b.vertex(j, 0)}, out);
}

/// A line and a point or the centre of a sphere.
void localMinLineAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                          Index j, Vector<DetectedContact>& out)
{
    NearestPoints x;
    if (nearestInLine(a.vertex(i, 0), a.vertex(i, 1), b.vertex(j, 0), x)) reportMinimum(m, a, i, b, j, j, x, out);
}

void localMinLines(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                   Vector<DetectedContact>& out)
{
    NearestPoints x;
    if (nearestInLines(a.vertex(i, 0), a.vertex(i, 1), b.vertex(j, 0), b.vertex(j, 1), 1e-30, 1e-15, x))
        reportMinimum(m, a, i, b, j, idOfLarger(a, i, b, j), x, out);
}

/// A triangle and a point or the centre of a sphere.
void localMinTriangleAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                              Index j, Vector<DetectedContact>& out)
{
    NearestPoints x;
    if (nearestOnSurface(a, i, b.vertex(j, 0), sidesBesideLines(m, a), x)) reportMinimum(m, a, i, b, j, j, x, out);
}

LocalMinDistance::LocalMinDistance()
{
    setTest(Shape::Sphere, Shape::Sphere, localMinCentres);
    setTest(Shape::Sphere, Shape::Point, localMinCentres);
    setTest(Shape::Point, Shape::Point, localMinCentres);
    setTest(Shape::Line, Shape::Point, localMinLineAndPoint);
    setTest(Shape::Line, Shape::Sphere, localMinLineAndPoint);
    setTest(Shape::Line, Shape::Line, localMinLines);
    setTest(Shape::Triangle, Shape::Point, localMinTriangleAndPoint);
    setTest(Shape::Triangle, Shape::Sphere, localMinTriangleAndPoint);
}

const RegisterComponent registeredLocalMinDistance =
    RegisterComponent("LocalMinDistance", "IntersectionMethod", "Sofa.Component.Collision.Detection.Intersection")
        .help(
            "Contacts of primitives that come near, at the local minima of the distance of the two surfaces: fewer "
            "than those of all pairs of nearest points, as constraints want them")
        .example("component/collision/LocalMinDistance.scn")
        .add<LocalMinDistance>();

}  // namespace

}  // namespace sofa::component
