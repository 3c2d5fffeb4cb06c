// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "core/behavior/Solvers.h"
#include "core/collision/CollisionDetection.h"
#include "core/collision/ContactPoints.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/core/geometry/GeometryRandom.h"

namespace contact_weights_test {

using namespace sofa;
using namespace sofa::core;
using sofa::test::GeometryRandom;

namespace {

/// Whether weights make a point of a primitive from vertices that are at x, a number for each point of the state.
bool makePoint(const CollisionModel& m, Index primitive, const PrimitiveWeights& w, const Vec3& point,
               const Vector<Vec3>& x)
{
    const auto v = m.vertices(primitive);
    double sum = 0., extent = 0.;
    Vec3 at;
    for (std::size_t k = 0; k < v.size(); ++k) {
        at += x[v[k]] * w[k];
        sum += w[k];
        extent = std::max(extent, norm(x[v[k]]));
    }
    const bool inside = std::ranges::all_of(w, [](double a) { return a >= 0. && a <= 1. + 1e-15; });
    return inside && std::abs(sum - 1.) < 1e-14 && norm(at - point) <= 1e-13 * extent;
}

Vector<Vec3> positionsOf(const CollisionModel& m)
{
    Vector<Vec3> x(m.state().size());
    for (Index k = 0; k < m.state().size(); ++k) x[k] = m.point(k);
    return x;
}

/// Number of points of contacts that have weights; those that are wrong, or that lack where vertices carry the point,
/// are failures.
std::size_t checked(const CollisionModel& a, const Vector<Vec3>& xa, const CollisionModel& b, const Vector<Vec3>& xb,
                    const Vector<DetectedContact>& contacts)
{
    std::size_t wrong = 0, count = 0;
    const auto look = [&](const CollisionModel& m, Index i, const PrimitiveWeights& w, const Vec3& p,
                          const Vector<Vec3>& x) {
        if (m.vertices(i).size() < 2) return;
        ++count;
        if (!makePoint(m, i, w, p, x)) ++wrong;
    };
    for (const DetectedContact& c : contacts) {
        look(a, c.primitive1, c.weights1, c.point1, xa);
        look(b, c.primitive2, c.weights2, c.point2, xb);
    }
    CHECK(wrong == 0);
    return count;
}

std::string text(const Vec3& p)
{
    return std::to_string(p[0]) + ' ' + std::to_string(p[1]) + ' ' + std::to_string(p[2]) + ' ';
}

/// A mesh of one random primitive with 1 to 3 corners, which all move.
std::string primitive(GeometryRandom& random, std::size_t corners)
{
    const char* const elements[] = {"", "<MeshTopology edges='0 1'/>", "<MeshTopology triangles='0 1 2'/>"};
    const char* const models[] = {"<PointCollisionModel bothSide='1'/>", "<LineCollisionModel bothSide='1'/>",
                                  "<TriangleCollisionModel bothSide='1'/>"};
    std::string x, v;
    for (std::size_t k = 0; k < corners; ++k) {
        x += text(random.point(1.));
        v += text(random.point(1.));
    }
    return "<MechanicalObject position='" + x + "' velocity='" + v + "'/>" + elements[corners - 1] +
           models[corners - 1];
}

}  // namespace

TEST_CASE("contacts have the weights of their points on lines and triangles")
{
    struct Method
    {
        const char* text;
        bool moving;
        std::vector<std::pair<std::size_t, std::size_t>> corners;  ///< of the pairs that it compares
    };
    const std::vector<Method> methods{
        {"<NewProximityIntersection alarmDistance='2' contactDistance='0.1' useLineLine='1'/>",
         false,
         {{2, 1}, {2, 2}, {3, 1}, {3, 2}, {3, 3}}},
        {"<MinProximityIntersection alarmDistance='2' contactDistance='0.1'/>", false, {{2, 1}, {2, 2}, {3, 1}}},
        {"<LocalMinDistance alarmDistance='2' contactDistance='0.1' filterIntersection='0'/>",
         false,
         {{2, 1}, {2, 2}, {3, 1}}},
        {"<DiscreteIntersection/>", false, {{3, 2}}},
        {"<CCDTightInclusionIntersection continuousCollisionType='Inertia' alarmDistance='0' contactDistance='1e-3'/>",
         true,
         {{3, 1}, {2, 2}}}};
    GeometryRandom random(18);
    for (const Method& m : methods)
        for (const auto& [na, nb] : m.corners) {
            INFO(m.text << ", " << na << " and " << nb << " corners");
            std::size_t count = 0;
            for (int k = 0; k < 60; ++k) {
                const auto root = loadSceneText("<Node name='root'>" + std::string(m.text) + "<Node name='a'>" +
                                                    primitive(random, na) + "</Node><Node name='b'>" +
                                                    primitive(random, nb) + "</Node></Node>",
                                                "test.scn");
                REQUIRE((root && initGraph(*root)));
                auto *a = root->child("a")->get<CollisionModel>(Search::Local),
                     *b = root->child("b")->get<CollisionModel>(Search::Local);
                const CollisionUpdate update{.motion = m.moving ? CollisionMotion::Inertia : CollisionMotion::None,
                                             .dt = 1.};
                a->update(update);
                b->update(update);
                const auto* method = root->get<IntersectionMethod>(Search::Local);
                bool swapped = false;
                const PrimitiveTest test = method->find(a->shape(), b->shape(), swapped);
                REQUIRE((test && !swapped));
                Vector<DetectedContact> contacts;
                test(*method, *a, 0, *b, 0, contacts);
                count += checked(*a, positionsOf(*a), *b, positionsOf(*b), contacts);
            }
            CHECK(count > 0);
        }
}

TEST_CASE("a contact seen from the other primitive")
{
    DetectedContact c{1, 2, 3, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}, -0.5, Vec2{0.25, 0.75}, Vec3{1., 0., 0.}};
    c.sides = {1, -1};
    c.swapPrimitives();
    CHECK(c.primitive1 == 2);
    CHECK(c.primitive2 == 1);
    CHECK(c.point1 == Vec3{0., 1., 0.});
    CHECK(c.point2 == Vec3{1., 0., 0.});
    CHECK(c.normal == Vec3{0., 0., -1.});
    CHECK(c.weights1 == PrimitiveWeights(Vec3{1., 0., 0.}));
    CHECK(c.weights2 == PrimitiveWeights(Vec2{0.25, 0.75}));
    CHECK(c.sides == std::array<std::int8_t, 2>{-1, 1});
    CHECK(c.value == -0.5);
}

TEST_CASE("contact points take the weights of a contact, and look for those that are not given")
{
    const auto root = loadSceneText(
        "<Node name='root'><MechanicalObject position='0 0 0  1 0 0  0 1 0  0 0 1  5 0 0  6 0 0  8 0 0'/>"
        "<MeshTopology edges='0 1' triangles='0 1 2  4 5 6'/>"
        "<LineCollisionModel/><TriangleCollisionModel/></Node>",
        "test.scn");
    REQUIRE((root && initGraph(*root)));
    std::vector<CollisionModel*> models = root->getAll<CollisionModel>(Search::Local);
    REQUIRE(models.size() == 2);
    for (CollisionModel* m : models) m->update();
    const auto placed = [](const CollisionModel& m, Index i, const PrimitivePoint& p) {
        const auto points = ContactPoints::create(m, "points");
        points->clear();
        const Index k = points->add(i, p);
        points->finish();
        const Vec3 x = points->state().positions()[k];
        points->remove();
        return x;
    };
    const CollisionModel &lines = *models[0], &triangles = *models[1];
    Index edge = InvalidIndex;
    for (Index i = 0; i < lines.size(); ++i)
        if (lines.vertices(i)[0] == 0 && lines.vertices(i)[1] == 1) edge = i;
    REQUIRE(edge != InvalidIndex);
    // Given ones count, whatever the position says.
    CHECK(placed(lines, edge, {{9., 9., 9.}, Vec2{0.25, 0.75}}) == Vec3{0.75, 0., 0.});
    CHECK(placed(triangles, 0, {{9., 9., 9.}, Vec3{0.25, 0.25, 0.5}}) == Vec3{0.25, 0.5, 0.});
    CHECK(norm(placed(lines, edge, {{0.25, 0., 0.}, {}}) - Vec3{0.25, 0., 0.}) < 1e-15);
    CHECK(norm(placed(triangles, 0, {{0.25, 0.5, 0.}, {}}) - Vec3{0.25, 0.5, 0.}) < 1e-15);
    // Of a triangle without area too.
    CHECK(norm(placed(triangles, 1, {{7., 0., 0.}, {}}) - Vec3{7., 0., 0.}) < 1e-14);
}

TEST_CASE("contacts of moments within the step have weights of the points that carry them")
{
    // A cloth falls on the corners of a box while a ball hits it from above. Contacts are those of the begin of the
    // step, of a moment on the way, and of its end; constraints take all at the positions of the begin.
    const char* const method = GENERATE("MinProximityIntersection", "CCDTightInclusionIntersection");
    const std::string solvers = "<EulerImplicitSolver rayleighMass='0.5'/><SparseLDLSolver/>",
                      mass = "<UniformMass totalMass='0.3'/><LinearSolverConstraintCorrection/>";
    const auto root = loadSceneText(
        "<Node name='root' dt='0.01' gravity='0 -9.81 0'><FreeMotionAnimationLoop name='loop'/>"
        "<BlockGaussSeidelConstraintSolver/><CollisionPipeline name='pipeline'/><BruteForceBroadPhase/>"
        "<BVHNarrowPhase/><" +
            std::string(method) +
            " alarmDistance='0.02' contactDistance='0.01'/><CollisionResponse response='FrictionContactConstraint'/>"
            "<Node name='cloth'>" +
            solvers + "<RegularGridTopology n='9 1 9' min='-0.4 0 -0.4' max='0.4 0 0.4'/><MechanicalObject/>" + mass +
            "<TriangularFEMForceField youngModulus='2e4' poissonRatio='0.3'/>"
            "<MeshSpringForceField stiffness='5' damping='0.01'/>"
            "<TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/></Node>"
            "<Node name='ball'><RegularGridTopology n='2 2 2' min='-0.12 -0.33 -0.11' max='0.13 -0.08 0.14'/>"
            "<MechanicalObject name='state'/><TriangleCollisionModel moving='0' simulated='0'/>"
            "<LineCollisionModel moving='0' simulated='0'/><PointCollisionModel moving='0' simulated='0'/></Node>"
            "<Node name='weight'>" +
            solvers + "<MechanicalObject position='0.04 0.1 0.03' velocity='0 -9 0'/>" + mass +
            "<SphereCollisionModel radius='0.03'/>"
            "</Node></Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const auto& pipeline = *root->get<CollisionPipeline>(Search::Local);
    std::size_t count = 0, atEnd = 0;
    for (int step = 0; step < 60; ++step) {
        std::map<const CollisionModel*, Vector<Vec3>> before;
        for (const CollisionModel* m : root->getAll<CollisionModel>(Search::Down)) before[m] = positionsOf(*m);
        simulation.step();
        for (const DetectionOutput* o : pipeline.detected()) {
            const CollisionModel &a = *o->models.first, &b = *o->models.second;
            if (method[0] == 'C' && step == 0) continue;  // impacts may move the begin
            count += checked(a, before[&a], b, before[&b], o->contacts);
            atEnd += static_cast<std::size_t>(std::ranges::count(o->contacts, true, &DetectedContact::atEnd));
        }
    }
    CHECK(count > 100);
    CHECK(atEnd > 0);
}

namespace {

/// Velocities of the points of /mesh after one step in which a ball at rest touches it with a penalty. Forces are along
/// the normal, by the weights of the contact, and so are the velocities, since all points have the same mass.
Vector<Vec3> pushed(const std::string& mesh, const std::string& ball, const std::string& compatibility)
{
    Simulation s(
        loadSceneText("<Node name='root' gravity='0 0 0' dt='0.01' compatibility='" + compatibility +
                          "'><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
                          "<MinProximityIntersection alarmDistance='0.3' contactDistance='0.2'/>"
                          "<CollisionResponse response='PenalityContactForceField'/><EulerImplicitSolver/>"
                          "<CGLinearSolver iterations='100' tolerance='1e-14' threshold='1e-28'/><Node name='mesh'>" +
                          mesh + "<UniformMass vertexMass='1'/></Node><Node name='ball'><MechanicalObject position='" +
                          ball + "'/><UniformMass vertexMass='1'/><SphereCollisionModel radius='0.1'/></Node></Node>",
                      "pushed.scn"));
    REQUIRE(s.init());
    s.step();
    const auto& state = *s.root().child("mesh")->get<State<Vec3Types>>(Search::Local);
    return state.read(vec_id::velocity);
}

/// Parts of the whole that the velocities have along a direction; across it they have none.
Vector<double> partsAlong(const Vector<Vec3>& v, const Vec3& direction)
{
    Vector<double> parts;
    double sum = 0.;
    for (const Vec3& x : v) {
        CHECK(norm(cross(x, direction)) <= 1e-9 * norm(x));
        parts.push_back(dot(x, direction));
        sum += parts.back();
    }
    REQUIRE(sum > 0.);
    for (double& p : parts) p /= sum;
    return parts;
}

void checkParts(const Vector<double>& parts, const std::vector<double>& wanted)
{
    REQUIRE(parts.size() == wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) CHECK(parts[k] == Approx(wanted[k]).margin(1e-9));
}

}  // namespace

TEST_CASE("With SOFA's numbers a ball beside a line meets it at the point that is mirrored at its middle")
{
    const std::string line =
        "<MeshTopology edges='0 1'/><MechanicalObject position='0 0 0 1 0 0'/><LineCollisionModel bothSide='1'/>";
    checkParts(partsAlong(pushed(line, "0.4 0.1 0", "exact"), {0., -1., 0.}), {0.6, 0.4});
    // From (0.4, 0.1, 0) to (0.6, 0, 0).
    checkParts(partsAlong(pushed(line, "0.4 0.1 0", "sofa"), normalized(Vec3{0.2, -0.1, 0.})), {0.4, 0.6});
}

TEST_CASE("With SOFA's numbers a contact on a quad is carried by its four corners, as if it were a parallelogram")
{
    // A trapezium: the ball is over the half (1, 2, 0).
    const std::string quad =
        "<MeshTopology quads='0 1 2 3'/><MechanicalObject position='0 0 0 2 0 0 1 1 0 0 1 0'/>"
        "<TriangleCollisionModel bothSide='1'/>";
    const Vec3 p{1.1, 0.3, 0.1};
    const std::string ball = toText(p);
    // (1.1, 0.3) = w1 (2, 0) + w2 (1, 1).
    checkParts(partsAlong(pushed(quad, ball, "exact"), {0., 0., -1.}), {0.3, 0.4, 0.3, 0.});
    // (1.1, 0.3) = a (2, 0) + b (0, 1).
    const double a = 0.55, b = 0.3;
    checkParts(partsAlong(pushed(quad, ball, "sofa"), {0., 0., -1.}),
               {(1. - a) * (1. - b), a * (1. - b), a * b, (1. - a) * b});
    // Corner 3 lies on the side from 0 to 1: there are no such coordinates.
    const std::string bent =
        "<MeshTopology quads='0 1 2 3'/><MechanicalObject position='0 0 0 2 0 0 1 1 0 1 0 0'/>"
        "<TriangleCollisionModel bothSide='1'/>";
    for (const char* numbers : {"exact", "sofa"})
        checkParts(partsAlong(pushed(bent, "1.5 0.2 0.1", numbers), {0., 0., -1.}), {0.15, 0.65, 0.2, 0.});
}

}  // namespace contact_weights_test
