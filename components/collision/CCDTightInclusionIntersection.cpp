// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "components/collision/MovingSolids.h"
#include "components/collision/ProximityTests.h"
#include "components/collision/SolidContacts.h"
#include "core/behavior/Solvers.h"
#include "core/factory/Registry.h"
#include "core/geometry/Ccd.h"
#include "core/geometry/ConvexContact.h"
#include "core/geometry/Proximity.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::component {

namespace {

/// Pairs of points and triangles, and of lines, that come within the contact distance of each other on their way in the
/// step (core/geometry/Ccd.h), and solids (MovingSolids.h): fast and thin objects do not pass through each other.
///
/// A contact stands at the parameters of the moment of contact, with its points at their begin positions and its normal
/// at that moment: constraints keep the points from passing the plane to which the normal belongs. The value is the
/// distance along the normal at the begin, less that at which contact begins.
class CCDTightInclusionIntersection final : public CorrectedIntersection
{
public:
    Data<Options> d_continuousCollisionType{
        this,
        {.name = "continuousCollisionType",
         .help = "Way of the points within the step: none (as they are), that of their velocities, or that of the free "
                 "motion. Not given: the free motion where the animation loop has one, else the velocities; with "
                 "compatibility=\"sofa\" none"},
        Options({"None", "Inertia", "FreeMotion"})};
    Data<double> d_tolerance{this,
                             {.name = "tolerance",
                              .help = "How precisely the moment of contact is found: variation of the distance",
                              .unit = "m",
                              .range = Range::positive()},
                             1e-10};
    Data<long long> d_maxIterations{
        this,
        {.name = "maxIterations",
         .help =
             "Intervals of time and parameters that are looked at for a pair, at most; then the earliest moment that "
             "is still possible counts as contact",
         .range = {.low = 1.}},
        1000};

    Data<int> d_maxImpacts{
        this,
        {.name = "maxImpacts",
         .help =
             "Impacts of solids in a step that are resolved one after the other, at most, where the contacts of the "
             "whole step do not hold them apart; what then is left of the step is lost. 0: the motion that "
             "results is not looked at. FreeMotionAnimationLoop only",
         .range = Range::closed(0., 1e6)},
        50};

    CCDTightInclusionIntersection();
    int maxImpacts() const override { return motion() == CollisionMotion::None ? 0 : d_maxImpacts.value(); }
    int maxCorrections() const override
    {
        const bool looks = motion() != CollisionMotion::None || d_maxCorrections.isSet();
        return looks ? CorrectedIntersection::maxCorrections() : 0;
    }
    const IntersectionMethod* timesOfImpact() const override { return maxImpacts() > 0 ? &m_timesOfImpact : nullptr; }
    void init() override
    {
        if (!(d_contactDistance.value() >= 0.))
            return fail("contactDistance is " + d_contactDistance.text() + ", expected >= 0");
        m_motion = static_cast<CollisionMotion>(d_continuousCollisionType.value().index());
        if (d_continuousCollisionType.isSet() || compatibility() == Compatibility::Sofa) return;
        const auto* loop = node()->root().get<AnimationLoop>(Search::Local);
        m_motion = loop && loop->hasFreeMotion() ? CollisionMotion::FreeMotion : CollisionMotion::Inertia;
    }
    CollisionMotion motion() const override { return m_motion; }
    void prepare(const ModelPair& models) const override;
    /// What is within the contact distance is in contact.
    double alarmDistance() const override { return std::max(d_alarmDistance.value(), d_contactDistance.value()); }

    geometry::CcdParameters parameters(double separation) const
    {
        return {.minimumSeparation = separation,
                .tolerance = d_tolerance.value(),
                .maxIterations = static_cast<std::size_t>(d_maxIterations.value())};
    }

    /// Solids on their way in the motion for which the models are up to date.
    class TimesOfImpact final : public IntersectionMethod
    {
    public:
        explicit TimesOfImpact(const CCDTightInclusionIntersection& m);
        double alarmDistance() const override { return method.contactDistance(); }
        double contactDistance() const override { return method.contactDistance(); }
        CollisionMotion motion() const override { return method.motion(); }
        bool takesRegisteredTests() const override { return false; }

        const CCDTightInclusionIntersection& method;
    };

private:
    TimesOfImpact m_timesOfImpact{*this};
    CollisionMotion m_motion = CollisionMotion::None;
};

/// Sets a test for each pair of shapes of which the first is a solid or sphere, and the second one of these, a point,
/// line or triangle.
void setSolidTests(IntersectionMethod& method, PrimitiveTest test)
{
    method.setTest(CollisionShape::Sphere, CollisionShape::Sphere, test);
    method.setTest(CollisionShape::Sphere, CollisionShape::Solid, test);
    method.setTest(CollisionShape::Solid, CollisionShape::Solid, test);
    for (const CollisionShape solid : {CollisionShape::Sphere, CollisionShape::Solid})
        for (const CollisionShape other : {CollisionShape::Point, CollisionShape::Line, CollisionShape::Triangle})
            method.setTest(solid, other, test);
}

/// Points of the primitives of a pair at the begin and at the end of the step, those of the first one first.
template <std::size_t M, std::size_t N>
struct Path
{
    static constexpr std::size_t size = M + N;

    Path(const CollisionModel& a, Index i, const CollisionModel& b, Index j)
    {
        for (std::size_t k = 0; k < size; ++k) {
            const CollisionModel& m = k < M ? a : b;
            const Index v = k < M ? m.vertices(i)[k] : m.vertices(j)[k - M];
            start[k] = m.point(v);
            end[k] = m.endPoint(v);
        }
    }
    std::array<Vec3, size> at(double t) const
    {
        std::array<Vec3, size> x;
        for (std::size_t k = 0; k < size; ++k) x[k] = start[k] * (1. - t) + end[k] * t;
        return x;
    }
    std::array<Vec3, size> start, end;
};

/// Unit vector along the first of some directions that is not zero compared with `scale`.
Vec3 unitOf(std::initializer_list<Vec3> directions, double scale)
{
    for (const Vec3& d : directions)
        if (const double length = norm(d); length > 1e-12 * scale) return d / length;
    return {1., 0., 0.};
}

/// Whether the lines of a model are those of triangles.
bool isOfSurface(const CollisionModel& m) { return m.topology() && !m.topology()->triangles().empty(); }

double skins(const CollisionModel& a, const CollisionModel& b)
{
    return a.d_contactDistance.value() + b.d_contactDistance.value();
}

/// The side of the triangle of a closed surface is that to which its normal points: a point that comes from behind is
/// put to the front. Others have both sides. What comes near a side or corner of the triangle from beyond it is held
/// off in the direction of the nearest point, unless a neighbouring triangle is nearer. (In SOFA the normal of the
/// triangle counts there too, so that a corner above the edge of a box is pushed to the side.)
void tightTriangleAndPoint(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b,
                           Index j, Vector<DetectedContact>& out)
{
    const Path<3, 1> path(a, i, b, j);
    const auto pointFirst = [](const std::array<Vec3, 4>& x) { return std::array<Vec3, 4>{x[3], x[0], x[1], x[2]}; };
    const double separation = m.contactDistance() + skins(a, b);
    const auto found =
        geometry::pointTriangleCcd(pointFirst(path.start), pointFirst(path.end),
                                   static_cast<const CCDTightInclusionIntersection&>(m).parameters(separation));
    if (found.status != geometry::CcdStatus::collision) {
        NearestPoints near;
        if (m.compatibility() == Compatibility::Exact && nearestOnSurface(a, i, path.start[3], Sides::all, near))
            reportContactOfSurfaces(m, a, i, b, j, idOfLarger(a, i, b, j), near, out);
        return;
    }
    const auto x = path.at(found.time);
    const Vec3 ab = x[1] - x[0], ac = x[2] - x[0];
    const auto nearest = geometry::pointTriangle(x[3], x[0], x[1], x[2]);
    const Vec3& w = nearest.weightsB;
    const Vec3 p = path.start[0] * w[0] + path.start[1] * w[1] + path.start[2] * w[2], q = path.start[3];
    const double scale = norm(ab) + norm(ac);
    // Of a triangle without area, the direction of the nearest point.
    Vec3 normal = unitOf({cross(ab, ac) / std::max(scale, 1e-300), -nearest.delta, q - p}, scale);
    if (!hasOutside(m, a) && dot(q - p, normal) < 0.) normal = -normal;
    if (m.compatibility() == Compatibility::Exact && std::min({w[0], w[1], w[2]}) < proximityBorder &&
        nearest.distance() > 1e-9 * scale) {
        NearestPoints near;
        if (!nearestOnMovingSurface(a, i, found.time, x[3], Sides::all, near)) return;
        normal = unitOf({near.second - near.first}, 0.);
    }
    out.push_back({i, j, idOfLarger(a, i, b, j), p, q, normal, dot(q - p, normal) - separation, w});
}

/// The normal is the direction between the nearest points at the moment of contact, or where they meet, the common
/// perpendicular, on the side of the begin. Ends of lines of surfaces are their points, which meet triangles. Pairs
/// that do not meet, but are near at the begin, have the contacts of proximity: what rests then stays in contact.
void tightLines(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                Vector<DetectedContact>& out)
{
    const Path<2, 2> path(a, i, b, j);
    const double separation = m.contactDistance() + skins(a, b);
    const auto found = geometry::edgeEdgeCcd(
        path.start, path.end, static_cast<const CCDTightInclusionIntersection&>(m).parameters(separation));
    if (found.status != geometry::CcdStatus::collision) {
        NearestPoints near;
        if (m.compatibility() == Compatibility::Exact &&
            nearestInLines(path.start[0], path.start[1], path.start[2], path.start[3], 1e-15, proximityBorder, near))
            reportContactOfSurfaces(m, a, i, b, j, idOfLarger(a, i, b, j), near, out);
        return;
    }
    const auto x = path.at(found.time);
    const auto nearest = geometry::segmentSegment(x[0], x[1], x[2], x[3]);
    if (m.compatibility() == Compatibility::Exact && isOfSurface(a) && isOfSurface(b) &&
        std::min({nearest.weightsA[0], nearest.weightsA[1], nearest.weightsB[0], nearest.weightsB[1]}) <
            proximityBorder)
        return;
    const auto between = [](const Vec3& from, const Vec3& to, const Vec2& w) { return from * w[0] + to * w[1]; };
    const Vec3 p = between(path.start[0], path.start[1], nearest.weightsA),
               q = between(path.start[2], path.start[3], nearest.weightsB), u = x[1] - x[0], v = x[3] - x[2];
    const double scale = norm(u) + norm(v);
    Vec3 across = cross(u, v) / std::max(scale, 1e-300);
    if (dot(across, q - p) < 0.) across = -across;
    const bool apart = nearest.distance() > std::max(0.5 * separation, 1e-9 * scale);
    const Vec3 normal = apart ? unitOf({nearest.delta}, 0.) : unitOf({across, nearest.delta, q - p}, scale);
    DetectedContact c{i, j, idOfLarger(a, i, b, j), p, q, normal, dot(q - p, normal) - separation};
    c.weights1 = nearest.weightsA;
    c.weights2 = nearest.weightsB;
    if (settleSide(m, {a, i}, {b, j}, c)) out.push_back(c);
}

/// Solids, the second one a triangle, line or point too: where they come within the contact distance on their way, the
/// contacts of that moment, of all corners that the rest of the way may bring as near. If they do not, those of the
/// begin within the alarm distance.
void movingSolids(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                  Vector<DetectedContact>& out)
{
    const auto& method = static_cast<const CCDTightInclusionIntersection&>(m);
    const Reach reach(m, a, i, b, j);
    const auto limits = method.parameters(reach.contact);
    const auto met = m.motion() == CollisionMotion::None || a.isAtImpact()
                         ? std::nullopt
                         : firstTimeWithin(a, i, b, j, reach.contact, limits.tolerance, limits.maxIterations);
    if (!met) return solidContactsAt(a, i, b, j, 0., reach.alarm, reach.alarm, reach.contact, out);
    const double near = reach.contact + 2. * limits.tolerance;
    solidContactsAt(a, i, b, j, met->time, near, near + met->approach, reach.contact, out);
}

/// Refuses ways so long that rounding of positions at their end exceeds the distance at which contact begins: what is
/// met on them is noise, and every primitive seems to meet every other one. Throws std::runtime_error.
void CCDTightInclusionIntersection::prepare(const ModelPair& models) const
{
    IntersectionMethod::prepare(models);
    prepareNeighbours(models);
    const double begin = contactDistance() + skins(*models.first, *models.second);
    if (motion() == CollisionMotion::None || !(begin > 0.)) return;
    for (const CollisionModel* m : {models.first, models.second}) {
        double far = 0.;
        for (std::size_t k = 0; k < 3; ++k)
            far = std::max({far, std::abs(m->box().lower[k]), std::abs(m->box().upper[k])});
        const double rounding = far * std::numeric_limits<double>::epsilon();
        if (!(rounding > begin)) continue;
        std::ostringstream text;
        text << m->pathName() << " (" << m->className() << "): on its way within the step it comes to a distance of "
             << far << " m from the origin, where positions are exact to " << rounding
             << " m only, more than the distance of " << begin << " m at which contact begins: " << pathName()
             << " cannot tell what it meets. Is the time step of " << m->node()->dt() << " s right?";
        throw std::runtime_error(text.str());
    }
}

/// The time at which two solids, or a solid and a point, line or triangle, come nearer to each other than contacts may
/// let them, as the value of a contact.
void timeOfImpact(const IntersectionMethod& m, const CollisionModel& a, Index i, const CollisionModel& b, Index j,
                  Vector<DetectedContact>& out)
{
    const auto& method = static_cast<const CCDTightInclusionIntersection::TimesOfImpact&>(m).method;
    const double now = geometry::coreContact(a.bodyAt(i, 0.), b.bodyAt(j, 0.)).distance,
                 radii = a.radius(i) + b.radius(j),
                 least = leastDistance(now, method.contactDistance() + skins(a, b), radii);
    if (!(least > 0.)) return;
    // A hundredth of what may be lost is precise enough; what is found is not later in any case.
    const auto met = firstTimeWithin(a, i, b, j, least, 0.01 * (now - least), method.parameters(0.).maxIterations);
    if (met) out.push_back({i, j, 0, {}, {}, {}, met->time});
}

CCDTightInclusionIntersection::TimesOfImpact::TimesOfImpact(const CCDTightInclusionIntersection& m) : method(m)
{
    setSolidTests(*this, timeOfImpact);
}

CCDTightInclusionIntersection::CCDTightInclusionIntersection()
{
    setSolidTests(*this, movingSolids);  // tetrahedra and rays are as they are at the begin of the step
    setTest(CollisionShape::Triangle, CollisionShape::Point, tightTriangleAndPoint);
    setTest(CollisionShape::Line, CollisionShape::Line, tightLines);
}

const RegisterComponent registeredCCDTightInclusionIntersection =
    RegisterComponent("CCDTightInclusionIntersection", "IntersectionMethod",
                      "Sofa.Component.Collision.Detection.Intersection")
        .help(
            "Contacts of points with triangles, of lines, and of solids that come near "
            "each other on their way in the step: nothing passes through")
        .example("component/collision/ContinuousDetection.scn")
        .add<CCDTightInclusionIntersection>();

}  // namespace

}  // namespace sofa::component
