// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/collision/CollisionDetection.h"

/// What intersection methods with proximity share: their distances, and nearest points of primitives. Contacts, their
/// order of points, ids and values are SOFA's.
namespace sofa::component {

using namespace sofa::core;

/// Distances at which a pair of primitives is reported, and at which its contact begins [m]: those of the method, the
/// skins of both models and the radii of both primitives.
struct Reach
{
    Reach(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j);
    double alarm, contact;
};

/// Nearest points of the primitive of the first and of the second model [m], with their weights where vertices carry
/// them.
struct NearestPoints
{
    Vec3 first, second;
    PrimitiveWeights weights1{}, weights2{};
};

/// Appends the contact of two points if they are nearer than the alarm distance, and tells whether. Points that
/// coincide get the normal (1, 0, 0).
bool reportContact(const Reach& reach, Index i, Index j, std::int64_t id, const NearestPoints& x,
                   Vector<DetectedContact>& out);

/// A primitive of a model, or a corner or side of it, by its vertices.
struct Feature
{
    Feature(const CollisionModel& m, Index i) : Feature(m, i, m.vertices(i)) {}
    Feature(const CollisionModel& m, Index i, std::span<const Index> of) : model(m), primitive(i), vertices(of) {}
    const CollisionModel& model;
    Index primitive;
    std::span<const Index> vertices;
};

/// Whether a direction that starts at a line of a surface leads along one of its triangles, which is nearer. Of a
/// surface that is not closed it must also lead away from another one: between two triangles that meet in a fold it
/// stays. Triangles that have a vertex of the other primitive say nothing: they are nearest to it there.
bool leadsIntoTriangle(const Feature& line, const Vec3& d, const Feature& other);
/// Turns a contact that was on the other side of an open surface in the last detection (ContactSides) back to there,
/// and notes where it is now. True if it has turned it.
bool keepSide(const IntersectionMethod& m, const Feature& a, const Feature& b, DetectedContact& c);
/// The same, and turns a contact of points, lines and triangles to the outside of closed surfaces: one that lies behind
/// both pushes each back out of the other, from the negative distance, so that bodies that overlap part. (In SOFA it
/// holds them together, at the contact distance inside.) False if it is none: behind one of them only, across a body,
/// or from a line along its triangles, which are nearer.
bool settleSide(const IntersectionMethod& m, const Feature& a, const Feature& b, DetectedContact& c);
/// reportContact, turned to the outside.
bool reportContactOfSurfaces(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                             Index j, std::int64_t id, const NearestPoints& x, Vector<DetectedContact>& out);

/// Id of contacts that do not belong to a point: the primitive of the larger model, of the second if they are equal.
inline std::int64_t idOfLarger(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
{
    return a.size() > b.size() ? i : j;
}

/// Nearest points nearer to an end or a border than this part of it are those of the neighbouring primitive.
inline constexpr double proximityBorder = 1e-6;

/// Whether what comes near a model of a mesh may only come from the side of its normals: closed surfaces without
/// `bothSide`. (In SOFA all surfaces without it, which lets floors whose triangles face down hold nothing.)
bool hasOutside(const IntersectionMethod& m, const CollisionModel& surface);

/// Sum of the normals of the triangles around a point, line or triangle of a surface that has an outside. Zero if it
/// has none.
Vec3 outwards(const IntersectionMethod& m, const Feature& f);

/// The projection of a point on a line (first) if it falls inside of it.
bool nearestInLine(const Vec3& p0, const Vec3& p1, const Vec3& q, NearestPoints& x);
/// Sides and corners of a surface that count for a triangle.
enum class Sides
{
    none,
    cuts,   ///< only those that divide quads: the others are left to lines
    inner,  ///< not those where the surface ends
    all
};
/// The nearest point of a triangle of a surface (first) to a point that is a minimum of the distance from the surface:
/// inside, or where `sides` says so, on a side or corner beyond which no neighbouring triangle is nearer. The first of
/// the triangles at a side or corner has it.
bool nearestOnSurface(const CollisionModel& m, Index triangle, const Vec3& q, Sides sides, NearestPoints& x);
/// The same at a part t of the way that the points of the surface make in the step, 0: where they are.
bool nearestOnMovingSurface(const CollisionModel& m, Index triangle, double t, const Vec3& q, Sides sides,
                            NearestPoints& x);
/// The sides of a surface that count where the method compares lines: if there are lines those only that divide quads,
/// else all between two triangles. In SOFA none count: between the triangles of a surface without lines things fall
/// through.
Sides sidesBesideLines(const IntersectionMethod& m, const CollisionModel& surface);
/// The nearest points of two lines if both are inside of them, by more than `border` (a part of the length). Lines
/// whose determinant |p|² |q|² − (p · q)² [m⁴] is at most `parallel` are taken for parallel, and their middles for the
/// nearest points.
bool nearestInLines(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1, double parallel, double border,
                    NearestPoints& x);

/// Makes the tables of the neighbours of points and edges in the meshes of two models, before tests on several threads
/// read them.
void prepareNeighbours(const ModelPair& models);

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

    /// Warns if contacts would begin with a jump.
    void init() override;
    double alarmDistance() const override { return d_alarmDistance.value(); }
    double contactDistance() const override { return d_contactDistance.value(); }
};

/// A method whose contacts are completed at the end of the step (EndContacts).
class CorrectedIntersection : public ProximityIntersection
{
public:
    Data<int> d_maxCorrections{
        this,
        {.name = "maxCorrections",
         .help = "How often the constraints of a step are solved again, at most, with the contacts of points, lines, "
                 "triangles and spheres that are missing at the end of the motion that results. 0, and where it is not "
                 "given with compatibility=\"sofa\": the end is not looked at. FreeMotionAnimationLoop only",
         .range = Range::closed(0., 1e6)},
        10};
    Data<double> d_correctionTolerance{
        this,
        {.name = "correctionTolerance",
         .help = "A contact is missing where a pair is nearer than the distance at which contact begins by more than "
                 "this part of it",
         .unit = "1",
         .range = Range::closed(0., 1.)},
        0.01};

    int maxCorrections() const override
    {
        return d_maxCorrections.isSet() || compatibility() == Compatibility::Exact ? d_maxCorrections.value() : 0;
    }
    double correctionTolerance() const override { return d_correctionTolerance.value(); }
};

}  // namespace sofa::component
