// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>
#include <limits>

#include "components/collision/ProximityTests.h"
#include "core/factory/Registry.h"
#include "core/geometry/Proximity.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

namespace {

using Shape = CollisionShape;

/// Which corners and sides of a triangle are its own: each corner and each side of a mesh belongs to the first of the
/// triangles around it, so that it is compared once. Triangles that are halves of quads own none. Side k is opposite to
/// corner k. Triangles without a mesh own all.
struct Parts
{
    bool corner[3] = {true, true, true}, side[3] = {true, true, true};

    Parts(const CollisionModel& m, Index triangle) : Parts(m.ownedParts(), triangle) {}
    Parts(const std::uint8_t* owned, Index triangle)
    {
        if (!owned) return;
        for (std::size_t k = 0; k < 3; ++k) {
            corner[k] = (owned[triangle] >> k & 1) != 0;
            side[k] = (owned[triangle] >> (3 + k) & 1) != 0;
        }
    }
    /// Whether the point with these weights lies inside, or on a corner or side that is its own. Weights below `border`
    /// count as 0.
    bool own(const Vec3& weights, double border) const
    {
        std::size_t zeros = 0, zero = 0, other = 0;
        for (std::size_t k = 0; k < 3; ++k)
            if (weights[k] < border) {
                ++zeros;
                zero = k;
            } else {
                other = k;
            }
        return zeros == 0 || (zeros == 1 ? side[zero] : corner[other]);
    }
};

/// Points nearer to a border than this part of the triangle are on it: in SOFA rounding for points, more for spheres.
constexpr double pointBorder = std::numeric_limits<double>::epsilon(), lineParallel = 1e-12;

/// Corners of a primitive.
template <std::size_t N>
struct Corners
{
    Corners(const CollisionModel& m, Index i)
    {
        for (std::size_t k = 0; k < N; ++k) x[k] = m.vertex(i, k);
    }
    Corners(const Vec3* points, const Index* vertices)
    {
        for (std::size_t k = 0; k < N; ++k) x[k] = points[vertices[k]];
    }
    const Vec3& operator[](std::size_t k) const { return x[k]; }
    Vec3 x[N];
};

/// The box of a triangle: tells points whose nearest point of the triangle is too far without looking for it.
class TriangleBox
{
public:
    explicit TriangleBox(const Corners<3>& t)
    {
        for (std::size_t k = 0; k < 3; ++k) {
            m_lower[k] = std::min(std::min(t[0][k], t[1][k]), t[2][k]);
            m_upper[k] = std::max(std::max(t[0][k], t[1][k]), t[2][k]);
        }
    }
    /// Squared distance of a point from the box [m²].
    double distance2(const Vec3& q) const
    {
        double squared = 0.;
        for (std::size_t k = 0; k < 3; ++k) {
            const double gap = std::max(std::max(m_lower[k] - q[k], q[k] - m_upper[k]), 0.);
            squared += gap * gap;
        }
        return squared;
    }

private:
    Vec3 m_lower, m_upper;
};

/// Square of a distance [m²] beyond which points or boxes of two models are farther apart than `distance`, by more than
/// the rounding of nearest points.
double beyond2(double distance, const CollisionModel& a, const CollisionModel& b)
{
    double size = distance;
    for (const CollisionModel* m : {&a, &b})
        for (std::size_t k = 0; k < 3; ++k) size += std::abs(m->box().lower[k]) + std::abs(m->box().upper[k]);
    const double reach = distance + 1e-9 * size;
    return reach * reach;
}

/// The nearest point of a triangle to a point, if that lies on a part of it that is its own.
bool nearestOfTriangle(const Corners<3>& t, const Parts& parts, const Vec3& q, double border,
                       geometry::Proximity<1, 3>& found)
{
    found = geometry::pointTriangle(q, t[0], t[1], t[2]);
    return parts.own(found.weightsB, border);
}

/// The corner, the side or the inside of a primitive on which a point lies, by the vertices whose weights are not zero.
struct Part
{
    Part(std::span<const Index> vertices, const PrimitiveWeights& weights)
    {
        for (std::size_t k = 0; k < vertices.size(); ++k)
            if (!(weights[k] < pointBorder)) v[count++] = vertices[k];
    }
    Feature of(const CollisionModel& m, Index i) const { return {m, i, {v, count}}; }
    Index v[3] = {};
    std::size_t count = 0;
};

/// Appends the contact of two primitives if it is near and on the outside of surfaces, for the parts where its points
/// are.
void reportContactOfParts(const IntersectionMethod& m, const Reach& reach, const CollisionModel& a, Index i,
                          const CollisionModel& b, Index j, std::int64_t id, const NearestPoints& x,
                          Vector<DetectedContact>& out)
{
    if (!reportContact(reach, i, j, id, x, out)) return;
    const Part inA(a.vertices(i), x.weights1), inB(b.vertices(j), x.weights2);
    if (!settleSide(m, inA.of(a, i), inB.of(b, j), out.back())) out.pop_back();
}

/// Spheres and points with each other.
void newProximityCentres(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                         Index j, Vector<DetectedContact>& out)
{
    reportContactOfSurfaces(m, a, i, b, j, idOfLarger(a, i, b, j), {a.vertex(i, 0), b.vertex(j, 0)}, out);
}

/// A line, its ends included, and a point or the centre of a sphere.
void newProximityLineAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                              Index j, Vector<DetectedContact>& out)
{
    const Vec3 q = b.vertex(j, 0);
    const auto nearest = geometry::pointSegment(q, a.vertex(i, 0), a.vertex(i, 1));
    reportContactOfSurfaces(m, a, i, b, j, j, {nearest.pointB, q, nearest.weightsB}, out);
}

void newProximityLines(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                       Vector<DetectedContact>& out)
{
    NearestPoints x;
    if (nearestInLines(a.vertex(i, 0), a.vertex(i, 1), b.vertex(j, 0), b.vertex(j, 1), lineParallel, proximityBorder,
                       x))
        reportContactOfSurfaces(m, a, i, b, j, idOfLarger(a, i, b, j), x, out);
}

void newProximityTriangleAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i,
                                  const CollisionModel& b, Index j, Vector<DetectedContact>& out)
{
    const Vec3 q = b.vertex(j, 0);
    const Reach reach(m, a, i, b, j);
    const Corners<3> t(a, i);
    geometry::Proximity<1, 3> found;
    if (TriangleBox(t).distance2(q) <= beyond2(reach.alarm, a, b) &&
        nearestOfTriangle(t, {a, i}, q, pointBorder, found))
        reportContactOfParts(m, reach, a, i, b, j, j, {found.pointB, q, found.weightsB, PrimitiveWeights::corner(0)},
                             out);
}

/// Where lines of the mesh are compared too, SOFA asks of a sphere over side 31 whether side 12 belongs to the
/// triangle, and over side 23 whether side 31 does. Sides are then left to their lines, or have a second contact, and
/// which one is nearest decides the motion (Collision/Detection/CompositeCollisionPipeline_none.scn). Without lines a
/// side would be passed through: each belongs to one triangle, as for points.
Parts partsForSpheres(const CollisionModel& m, Index triangle)
{
    Parts parts(m, triangle);
    if (m.hasLines()) {
        parts.side[0] = parts.side[1];
        parts.side[1] = parts.side[2];
    }
    return parts;
}

/// A triangle and a sphere. SOFA's contact of a sphere of a frame is at the point of its surface, and the responses
/// count the radius again from there: the sphere is thrown off as if it were inside by its radius.
void triangleAndSphere(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                       Vector<DetectedContact>& out)
{
    const Vec3 q = b.vertex(j, 0);
    NearestPoints x;
    if (m.compatibility() == Compatibility::Exact) {
        if (nearestOnSurface(a, i, q, a.hasLines() ? Sides::cuts : Sides::all, x))
            reportContactOfSurfaces(m, a, i, b, j, j, x, out);
        return;
    }
    geometry::Proximity<1, 3> found;
    if (!nearestOfTriangle({a, i}, partsForSpheres(a, i), q, proximityBorder, found)) return;
    x = {found.pointB, q, found.weightsB};
    if (!reportContact({m, a, i, b, j}, i, j, j, x, out)) return;
    if (dynamic_cast<const State<Rigid3Types>*>(&b.state())) out.back().point2 -= out.back().normal * b.radius(j);
}

class NewProximityIntersection;

/// Corners and ends with the other primitive, and sides with lines where that is asked for.
void newProximityTriangleAndLine(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                                 Index j, Vector<DetectedContact>& out);
void newProximityTriangles(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                           Index j, Vector<DetectedContact>& out);
void manyTriangles(const IntersectionMethod& m, const CollisionModel& a, const CollisionModel& b,
                   std::span<const Candidate> candidates, Vector<DetectedContact>& out);

/// Nearest points of points, lines, triangles and spheres, corners and sides of triangles included.
class NewProximityIntersection final : public ProximityIntersection
{
public:
    Data<bool> d_useLineLine{
        this, {.name = "useLineLine", .help = "Compare the sides of triangles with lines and with each other"}, false};

    NewProximityIntersection()
    {
        setTest(Shape::Sphere, Shape::Sphere, newProximityCentres);
        setTest(Shape::Sphere, Shape::Point, newProximityCentres);
        setTest(Shape::Point, Shape::Point, newProximityCentres);
        setTest(Shape::Line, Shape::Point, newProximityLineAndPoint);
        setTest(Shape::Line, Shape::Sphere, newProximityLineAndPoint);
        setTest(Shape::Line, Shape::Line, newProximityLines);
        setTest(Shape::Triangle, Shape::Point, newProximityTriangleAndPoint);
        setTest(Shape::Triangle, Shape::Sphere, triangleAndSphere);
        setTest(Shape::Triangle, Shape::Line, newProximityTriangleAndLine);
        setTest(Shape::Triangle, Shape::Triangle, newProximityTriangles);
        setPairsTest(Shape::Triangle, Shape::Triangle, manyTriangles);
    }
    void prepare(const ModelPair& models) const override
    {
        IntersectionMethod::prepare(models);
        prepareNeighbours(models);
    }
};

bool usesLines(const IntersectionMethod& m)
{
    return static_cast<const NewProximityIntersection&>(m).d_useLineLine.value();
}

/// SOFA's order of sides, from which the ids follow.
constexpr std::size_t sideOrder[3] = {2, 0, 1};

void newProximityTriangleAndLine(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                                 Index j, Vector<DetectedContact>& out)
{
    const Reach reach(m, a, i, b, j);
    const Corners<3> t(a, i);
    const Corners<2> l(b, j);
    const Parts parts(a, i);
    const auto add = [&](const Feature& line, const NearestPoints& x) {
        if (reportContact(reach, i, j, j, x, out) &&
            !settleSide(m, Part(a.vertices(i), x.weights1).of(a, i), line, out.back()))
            out.pop_back();
    };
    for (std::size_t k = 0; k < 3; ++k) {
        if (!parts.corner[k]) continue;
        const auto nearest = geometry::pointSegment(t[k], l[0], l[1]);
        add({b, j}, {t[k], nearest.pointB, PrimitiveWeights::corner(k), nearest.weightsB});
    }
    for (std::size_t k = 0; k < 2; ++k) {
        geometry::Proximity<1, 3> found;
        const PrimitiveWeights end = PrimitiveWeights::corner(k);
        if (nearestOfTriangle(t, parts, l[k], pointBorder, found))
            add(Part(b.vertices(j), end).of(b, j), {found.pointB, l[k], found.weightsB, end});
    }
    if (!usesLines(m)) return;
    for (const std::size_t k : sideOrder) {
        const std::size_t from = (k + 1) % 3, to = (k + 2) % 3;
        NearestPoints x;
        if (!parts.side[k] || !nearestInLines(t[from], t[to], l[0], l[1], lineParallel, proximityBorder, x)) continue;
        x.weights1 = PrimitiveWeights::onSide(from, to, x.weights1[1]);
        add({b, j}, x);
    }
}

/// What is the same for all pairs of triangles of two models.
struct TrianglePairs
{
    TrianglePairs(const IntersectionMethod& m, const CollisionModel& first, const CollisionModel& second)
        : method(m),
          a(first),
          b(second),
          reach(m, a, 0, b, 0),
          beyond2(component::beyond2(reach.alarm, a, b)),
          boxesBeyond2(component::beyond2(m.alarmDistance() + missing(a) + missing(b), a, b)),
          lines(usesLines(m)),
          self(&a == &b),
          firstId(std::int64_t{a.size()} * 3)
    {
    }
    /// What boxes lack of the triangles, at most, where the skin has a negative thickness.
    static double missing(const CollisionModel& m) { return std::max(0., -m.d_contactDistance.value()); }

    const IntersectionMethod& method;
    const CollisionModel &a, &b;
    const Reach reach;  ///< triangles have no radius
    const double beyond2, boxesBeyond2;
    const bool lines, self;
    const std::int64_t firstId;  ///< of the corners of the second model
};

struct ComparedTriangle
{
    Index index;
    const Index* vertices;
    Corners<3> x;
    Parts parts;
};

/// Triangles that share a vertex are not compared. The first corner of the first triangle is compared by each triangle
/// around it, as in SOFA; of contacts with one id responses keep the nearest.
void trianglePair(const TrianglePairs& of, const ComparedTriangle& p, const ComparedTriangle& q,
                  Vector<DetectedContact>& out)
{
    const TriangleBox boxA(p.x), boxB(q.x);
    const std::int64_t idA = std::int64_t{p.index} * 3, idB = of.firstId + std::int64_t{q.index} * 12;
    const auto add = [&](std::int64_t id, const NearestPoints& x) {
        reportContactOfParts(of.method, of.reach, of.a, p.index, of.b, q.index, id, x, out);
    };
    geometry::Proximity<1, 3> found;
    for (std::size_t k = 0; k < 3; ++k)
        if ((k == 0 || p.parts.corner[k]) && boxB.distance2(p.x[k]) <= of.beyond2 &&
            nearestOfTriangle(q.x, q.parts, p.x[k], pointBorder, found))
            add(idA + static_cast<std::int64_t>(k),
                {p.x[k], found.pointB, PrimitiveWeights::corner(k), found.weightsB});
    for (std::size_t k = 0; k < 3; ++k)
        if (q.parts.corner[k] && boxA.distance2(q.x[k]) <= of.beyond2 &&
            nearestOfTriangle(p.x, p.parts, q.x[k], pointBorder, found))
            add(idB + static_cast<std::int64_t>(k),
                {found.pointB, q.x[k], found.weightsB, PrimitiveWeights::corner(k)});
    if (!of.lines) return;
    std::int64_t id = idB + 2;
    for (const std::size_t k : sideOrder)
        for (const std::size_t l : sideOrder) {
            ++id;
            const std::size_t k1 = (k + 1) % 3, k2 = (k + 2) % 3, l1 = (l + 1) % 3, l2 = (l + 2) % 3;
            NearestPoints x;
            if (!p.parts.side[k] || !q.parts.side[l] ||
                !nearestInLines(p.x[k1], p.x[k2], q.x[l1], q.x[l2], lineParallel, proximityBorder, x))
                continue;
            x.weights1 = PrimitiveWeights::onSide(k1, k2, x.weights1[1]);
            x.weights2 = PrimitiveWeights::onSide(l1, l2, x.weights2[1]);
            add(id, x);
        }
}

bool shareVertex(std::span<const Index> a, std::span<const Index> b)
{
    return std::ranges::any_of(a, [b](Index v) { return std::ranges::find(b, v) != b.end(); });
}

void newProximityTriangles(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                           Index j, Vector<DetectedContact>& out)
{
    if (&a == &b && shareVertex(a.vertices(i), b.vertices(j))) return;
    trianglePair({m, a, b}, {i, a.vertices(i).data(), {a, i}, {a, i}}, {j, b.vertices(j).data(), {b, j}, {b, j}}, out);
}

/// Most candidates have boxes that meet within the distance along each axis, and no points that are as near: these are
/// told by their boxes, without looking at the triangles.
void manyTriangles(const IntersectionMethod& m, const CollisionModel& a, const CollisionModel& b,
                   std::span<const Candidate> candidates, Vector<DetectedContact>& out)
{
    const TrianglePairs of(m, a, b);
    const CollisionModel::Arrays inA = a.arrays(), inB = b.arrays();
    const std::uint8_t *ownedA = a.ownedParts(), *ownedB = b.ownedParts();
    const geometry::Aabb *boxesA = a.boxes().data(), *boxesB = b.boxes().data();
    for (const Candidate& c : candidates) {
        if (boxesA[c.i].distance2(boxesB[c.j]) > of.boxesBeyond2) continue;
        const Index *v = inA.vertices + std::size_t{3} * c.i, *w = inB.vertices + std::size_t{3} * c.j;
        if (of.self && shareVertex({v, 3}, {w, 3})) continue;
        trianglePair(of, {c.i, v, {inA.points, v}, {ownedA, c.i}}, {c.j, w, {inB.points, w}, {ownedB, c.j}}, out);
    }
}

const RegisterComponent registeredNewProximityIntersection =
    RegisterComponent("NewProximityIntersection", "IntersectionMethod",
                      "Sofa.Component.Collision.Detection.Intersection")
        .help(
            "Contacts of primitives that come near: nearest points, with triangles "
            "compared as wholes, each corner and side of a mesh once")
        .example("component/collision/NewProximity.scn")
        .add<NewProximityIntersection>();

}  // namespace

}  // namespace sofa::component
