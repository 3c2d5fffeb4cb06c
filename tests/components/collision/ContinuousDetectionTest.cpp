// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "core/collision/CollisionDetection.h"
#include "core/log/Message.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace continuous_detection_test {

using namespace sofa;
using namespace sofa::core;

namespace {

struct Scene
{
    explicit Scene(const std::string& text) : root(loadSceneText(text, "test.scn"))
    {
        REQUIRE(root != nullptr);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    State<Vec3Types>& points(const std::string& path)
    {
        auto* state = dynamic_cast<State<Vec3Types>*>(root->child(path)->get<BaseState>(Search::Down));
        REQUIRE(state);
        return *state;
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

const std::string world =
    "<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='1000' tolerance='1e-10'/>"
    "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/>"
    "<CollisionResponse response='FrictionContactConstraint' responseParams='mu=0.2'/>";

std::string method(const std::string& motion, const std::string& more = "")
{
    return "<CCDTightInclusionIntersection name='method' continuousCollisionType='" + motion +
           "' alarmDistance='0' contactDistance='1e-4' " + more + "/>";
}

/// Two models whose points have begin positions and velocities over a step of 1 s.
struct Moving
{
    Moving(const std::string& a, const std::string& b, const std::string& settings = "")
    {
        root = loadSceneText("<Node name='root'>" + method("Inertia", settings) + "<Node name='a'>" + a +
                                 "</Node><Node name='b'>" + b + "</Node></Node>",
                             "test.scn");
        REQUIRE(root != nullptr);
        REQUIRE(initGraph(*root));
        const auto update = [&](const char* name) {
            auto* m = root->child(name)->get<CollisionModel>(Search::Local);
            REQUIRE(m);
            m->update({.motion = CollisionMotion::Inertia, .dt = 1.});
            return m;
        };
        const CollisionModel *first = update("a"), *second = update("b");
        const auto* way = root->get<IntersectionMethod>(Search::Local);
        CHECK(way->motion() == CollisionMotion::Inertia);
        bool swapped = false;
        const PrimitiveTest test = way->find(first->shape(), second->shape(), swapped);
        REQUIRE(test != nullptr);
        if (swapped) std::swap(first, second);
        test(*way, *first, 0, *second, 0, contacts);
        boxesMeet = first->box().overlaps(second->box(), way->alarmDistance());
    }
    std::shared_ptr<Node> root;
    Vector<DetectedContact> contacts;
    bool boxesMeet = false;
};

std::string state(const std::string& positions, const std::string& velocities)
{
    return "<MechanicalObject position='" + positions + "' velocity='" + velocities + "'/>";
}

std::string text(const Vec3& v)
{
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "%.17g %.17g %.17g ", v[0], v[1], v[2]);
    return buffer;
}

}  // namespace

TEST_CASE("a point that passes a triangle within the step is in contact where and as it passes")
{
    const std::string triangle = state("0 0 0  2 0 0  0 0 -2", "0 0 0  0 0 0  0 0 0") +
                                 "<MeshTopology triangles='0 1 2'/><TriangleCollisionModel/>";
    const Moving through(triangle, state("0.2 3 -0.4", "0.6 -10 0") + "<PointCollisionModel/>");
    CHECK(through.boxesMeet);
    REQUIRE(through.contacts.size() == 1);
    const DetectedContact& c = through.contacts[0];
    // It reaches y = 1e-4 at t = 0.29999, at x = 0.2 + 0.6 t.
    CHECK(norm(c.point1 - Vec3{0.2 + 0.6 * 0.29999, 0., -0.4}) < 1e-4);
    CHECK(c.point2 == Vec3{0.2, 3., -0.4});
    CHECK(norm(c.normal - Vec3{0., 1., 0.}) < 1e-12);
    CHECK(c.value == Approx(3. - 1e-4).epsilon(1e-12));

    CHECK(Moving(triangle, state("0.2 3 -0.4", "0 -2.9 0") + "<PointCollisionModel/>").contacts.empty());
    CHECK(Moving(triangle, state("1.5 3 -1.4", "0 -10 0") + "<PointCollisionModel/>").contacts.empty());
    // From behind it is put to the front if the surface is closed, unless the triangle has two sides.
    CHECK(Moving(triangle, state("0.2 -3 -0.4", "0 10 0") + "<PointCollisionModel/>").contacts.at(0).normal[1] < -0.9);
    const std::string closed = state("0 0 0  2 0 0  0 0 -2  0 -5 0", "0 0 0  0 0 0  0 0 0  0 0 0") +
                               "<MeshTopology triangles='0 1 2  0 3 1  1 3 2  2 3 0'/><TriangleCollisionModel/>";
    const Moving behind(closed, state("0.2 -3 -0.4", "0 10 0") + "<PointCollisionModel/>");
    REQUIRE(behind.contacts.size() == 1);
    CHECK(behind.contacts[0].normal[1] == Approx(1.));
    CHECK(behind.contacts[0].value == Approx(-3. - 1e-4));
    std::string both = closed;
    both.insert(both.rfind("/>"), " bothSide='1'");
    const Moving sides(both, state("0.2 -3 -0.4", "0 10 0") + "<PointCollisionModel/>");
    REQUIRE(sides.contacts.size() == 1);
    CHECK(sides.contacts[0].normal[1] == Approx(-1.));
    CHECK(sides.contacts[0].value == Approx(3. - 1e-4));
}

TEST_CASE("lines that pass each other within the step, and those that do not")
{
    const std::string edges = "<MeshTopology edges='0 1'/><LineCollisionModel/>",
                      line = state("-1 0 0  1 0 0", "0 0 0  0 0 0") + edges;
    const Moving through(line, state("0.25 2 -1  0.25 2 1", "0 -8 0  0 -8 0") + edges);
    REQUIRE(through.contacts.size() == 1);
    const DetectedContact& c = through.contacts[0];
    CHECK(norm(c.point1 - Vec3{0.25, 0., 0.}) < 1e-9);
    CHECK(norm(c.point2 - Vec3{0.25, 2., 0.}) < 1e-9);
    CHECK(norm(c.normal - Vec3{0., 1., 0.}) < 1e-9);
    CHECK(c.value == Approx(2. - 1e-4).epsilon(1e-9));
    CHECK(Moving(line, state("1.25 2 -1  1.25 2 1", "0 -8 0  0 -8 0") + edges).contacts.empty());
    CHECK(Moving(line, state("0.25 2 -1  0.25 2 1", "0 -1.9 0  0 -1.9 0") + edges).contacts.empty());
}

TEST_CASE("no crossing is missed: random points and triangles, with the crossing known beforehand")
{
    std::mt19937 random(17);
    std::uniform_real_distribution<double> value(-1., 1.), part(0.05, 0.9);
    int crossings = 0;
    for (int trial = 0; trial < 300; ++trial) {
        // The triangle moves with the point in it at the time t.
        const auto vector = [&] { return Vec3{value(random), value(random), value(random)}; };
        const Vec3 x[3] = {vector(), vector(), vector()}, v[3] = {vector(), vector(), vector()};
        const double t = part(random);
        double a = part(random), b = part(random);
        if (a + b > 1.) {
            a = 1. - a;
            b = 1. - b;
        }
        Vec3 at;
        const double w[3] = {1. - a - b, a, b};
        std::string positions, velocities;
        for (std::size_t k = 0; k < 3; ++k) {
            at += (x[k] + v[k] * t) * w[k];
            positions += text(x[k]);
            velocities += text(v[k]);
        }
        const Vec3 u = vector() * 3.;
        const Moving m(
            state(positions, velocities) + "<MeshTopology triangles='0 1 2'/><TriangleCollisionModel bothSide='1'/>",
            state(text(at - u * t), text(u)) + "<PointCollisionModel/>");
        CHECK(m.boxesMeet);
        CHECK(m.contacts.size() == 1);
        if (m.contacts.empty()) continue;
        ++crossings;
        CHECK(norm(m.contacts[0].normal) == Approx(1.));
        CHECK(m.contacts[0].value >= -1e-4 - 1e-12);
    }
    CHECK(crossings == 300);
}

TEST_CASE("a ball that falls 50 m onto a thin sheet never passes it")
{
    // An octahedron, with a point down, in free fall for 3.2 s; at the end it makes 0.63 m in a step. The sheet has no
    // thickness; without continuous detection the ball is below it at once.
    const auto lowest = [](const std::string& motion, const std::string& turned) {
        Scene s(
            "<Node name='root' dt='0.02' gravity='0 -9.81 0'>" + world + method(motion) +
            "<Node name='ball'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='frame' "
            "template='Rigid3' position='0.13 50 -0.08 " +
            turned +
            "'/><UniformMass totalMass='2'/><LinearSolverConstraintCorrection/><Node name='surface'>"
            "<MeshTopology name='mesh' position='0.2 0 0  -0.2 0 0  0 0.2 0  0 -0.2 0  0 0 0.2  0 0 -0.2' triangles='"
            "0 2 4  2 1 4  1 3 4  3 0 4  2 0 5  1 2 5  3 1 5  0 3 5'/><MechanicalObject name='points' "
            "position='@mesh.position'/><TriangleCollisionModel/><LineCollisionModel/><PointCollisionModel/>"
            "<RigidMapping/></Node></Node><Node name='sheet'><RegularGridTopology n='4 1 4' min='-1 0 -1' "
            "max='1 0 1'/><MechanicalObject/><TriangleCollisionModel moving='0' simulated='0' bothSide='1'/>"
            "<LineCollisionModel moving='0' simulated='0'/><PointCollisionModel moving='0' "
            "simulated='0'/></Node></Node>");
        auto& ball =
            dynamic_cast<State<Vec3Types>&>(*s.root->child("ball")->child("surface")->get<BaseState>(Search::Local));
        double least = 1e9;
        for (int step = 0; step < 230; ++step) {
            s.simulation->step();
            for (const Vec3& x : ball.positions())
                if (std::abs(x[0]) < 1. && std::abs(x[2]) < 1.) least = std::min(least, x[1]);
        }
        return least;
    };
    for (const std::string turned :
         {"0 0 0 1", "0.3 0.1 0.2 0.9273618495495703", "0 0 0.3826834323650898 0.9238795325112867"}) {
        const double least = lowest("FreeMotion", turned);
        CHECK(least > 0.);
        CHECK(least < 0.05);  // it arrives
    }
    CHECK(lowest("None", "0 0 0 1") < -10.);
}

TEST_CASE("ways on which positions are less exact than the contact distance are errors", "[input]")
{
    const auto run = [](double dt, const std::string& distance) {
        Scene s("<Node name='root' dt='" + toText(dt) +
                "' gravity='0 -10 0'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='10'/>"
                "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><CCDTightInclusionIntersection "
                "name='method' continuousCollisionType='FreeMotion' alarmDistance='0' contactDistance='" +
                distance +
                "'/><CollisionResponse response='FrictionContactConstraint'/><Node name='body'><EulerImplicitSolver/>"
                "<CGLinearSolver iterations='20' tolerance='1e-9' threshold='1e-12'/><MechanicalObject position='0 1 0 "
                " 1 1 0  0 1 1'/><MeshTopology triangles='0 1 2'/><UniformMass totalMass='1'/>"
                "<UncoupledConstraintCorrection defaultCompliance='1'/><PointCollisionModel "
                "name='points'/></Node><Node name='floor'>"
                "<MechanicalObject position='-5 0 -5  5 0 -5  0 0 9'/><MeshTopology triangles='0 2 1'/>"
                "<TriangleCollisionModel moving='0' simulated='0' bothSide='1'/></Node></Node>");
        s.simulation->step();
    };
    // The way is g dt²: 1e13 m, exact to 2 mm, and 1e7 m, exact to 2 nm.
    CHECK_THROWS_WITH(run(1e6, "1e-3"),
                      Catch::Contains("/body/points (PointCollisionModel)") && Catch::Contains("1e+13 m") &&
                          Catch::Contains("0.001 m at which contact begins") &&
                          Catch::Contains("/method cannot tell") && Catch::Contains("time step of 1e+06 s"));
    CHECK_NOTHROW(run(1e6, "1e-2"));
    CHECK_NOTHROW(run(1e3, "1e-3"));
    CHECK_NOTHROW(run(1e6, "0"));
}

TEST_CASE("settings of continuous detection that make no sense are errors")
{
    const auto fails = [](const std::string& settings) {
        const MessageCapture messages;
        const std::shared_ptr<Node> root =
            loadSceneText("<Node><CCDTightInclusionIntersection " + settings + "/></Node>", "test.scn");
        return !root || !initGraph(*root) || messages.count(Severity::Error) > 0;
    };
    CHECK_FALSE(fails("tolerance='1e-8' maxIterations='10'"));
    CHECK(fails("tolerance='0'"));
    CHECK(fails("maxIterations='0'"));
    CHECK(fails("contactDistance='-1'"));
    CHECK(fails("continuousCollisionType='Teleport'"));
}

TEST_CASE("surfaces that pass through each other at the start are reported once, with their primitives")
{
    const std::string floor =
        "<Node name='floor'><MechanicalObject position='-5 0 -5  5 0 -5  0 0 9'/><MeshTopology triangles='0 2 "
        "1'/><TriangleCollisionModel name='t' moving='0' simulated='0'/></Node>";
    const auto report = [&](const std::string& body, int steps = 2) {
        MessageCapture messages;
        Scene s(
            "<Node name='root' dt='0.01' gravity='0 0 0'><DefaultAnimationLoop/><CollisionPipeline name='pipeline'/>"
            "<BruteForceBroadPhase/><BVHNarrowPhase/><LocalMinDistance alarmDistance='0.2' contactDistance='0.1'/>"
            "<CollisionResponse response='PenalityContactForceField'/><Node name='body'>" +
            body + "</Node>" + floor + "</Node>");
        for (int k = 0; k < steps; ++k) s.simulation->step();
        std::vector<std::string> texts;
        for (const Message& m : messages.messages())
            if (m.text.find(" each other at the start") != std::string::npos) texts.push_back(m.sender + ": " + m.text);
        return texts;
    };
    const auto mesh = report(
        "<MechanicalObject position='0 0.3 0  0.5 1 0  0 1 0.5  0 -0.4 1  0 0.6 1.5'/><MeshTopology triangles='0 1 2  "
        "1 2 "
        "3  2 3 4'/><TriangleCollisionModel name='t'/>");
    REQUIRE(mesh.size() == 1);
    CHECK_THAT(mesh[0], Catch::Contains("'/body/t' and '/floor/t'"));
    CHECK_THAT(mesh[0], Catch::Contains("triangle 1 of the first and triangle 0 of the second, 2 pairs in all"));
    CHECK_THAT(mesh[0], Catch::Contains("/pipeline (CollisionPipeline)"));
    const auto ball =
        report("<MechanicalObject position='9 9 9  0 0.3 0'/><SphereCollisionModel name='s' radius='0.5'/>");
    REQUIRE(ball.size() == 1);
    CHECK_THAT(ball[0], Catch::Contains("sphere 1 of the first and triangle 0 of the second"));
    const auto line =
        report("<MechanicalObject position='0 1 0  0 -1 0'/><MeshTopology edges='0 1'/><LineCollisionModel/>");
    REQUIRE(line.size() == 1);
    CHECK_THAT(line[0], Catch::Contains("line 0"));
    // Every solid, and what a closed surface has in it.
    for (const char* solid :
         {"<CapsuleCollisionModel radii='0.5' heights='0.2'/>", "<OBBCollisionModel extents='0.5 0.5 0.5'/>",
          "<CylinderCollisionModel radii='0.5' heights='1'/>"}) {
        INFO(solid);
        const std::string frame = "<MechanicalObject template='Rigid3' position='0 ";
        CHECK(report(frame + "0.3 0 0 0 0 1'/>" + solid).size() == 1);
        CHECK(report(frame + "0.7 0 0 0 0 1'/>" + solid).empty());
        const std::string other = "</Node><Node name='other'>" + frame;
        const auto both = report(frame + "2 0 0 0 0 1'/>" + solid + other + "2.5 0 0 0 0 1'/>" + solid);
        REQUIRE(both.size() == 1);
        CHECK_THAT(both[0], Catch::Contains("0 of the first"));
        const std::string shell =
            "2.5 0 0 0 0 1'/>" + std::string(solid) +
            "</Node><Node name='shell'><MechanicalObject position='-3 1 -3  3 1 -3  0 1 4  0 6 0'/><MeshTopology "
            "triangles='0 1 2  0 3 1  1 3 2  2 3 0'/><TriangleCollisionModel/>";
        const auto within = report(frame + shell);
        REQUIRE(within.size() == 1);
        CHECK_THAT(within[0], Catch::Contains("lie within each other"));
    }
    CHECK(report("<MechanicalObject position='0 0.6 0'/><SphereCollisionModel radius='0.5'/>").empty());
    CHECK(report("<MechanicalObject position='0 0.3 0  0.5 1 0  0 1 0.5'/><MeshTopology triangles='0 1 "
                 "2'/><TriangleCollisionModel/>")
              .empty());
}

TEST_CASE("degenerate and empty models and positions that are no numbers are told with their place")
{
    const auto warnings = [](const std::string& body) {
        MessageCapture messages;
        const auto root = loadSceneText("<Node name='root'><Node name='body'>" + body + "</Node></Node>", "test.scn");
        REQUIRE(root);
        REQUIRE(initGraph(*root));
        auto* model = root->child("body")->get<CollisionModel>(Search::Local);
        model->update();
        model->update();  // once
        std::string all;
        for (const Message& m : messages.messages()) all += m.sender + ": " + m.text + "\n";
        return all;
    };
    const std::string points = "<MechanicalObject position='0 0 0  1 0 0  2 0 0  0 1 0'/>";
    CHECK(warnings(points + "<MeshTopology triangles='0 1 3  0 1 2'/><TriangleCollisionModel name='t'/>") ==
          "/body/t (TriangleCollisionModel): 1 of 2 triangles have no area, the first is number 1 (vertices 0, 1, 2): "
          "there are no contacts with the inside of such\n");
    CHECK_THAT(warnings(points + "<MeshTopology edges='0 1  2 2'/><LineCollisionModel name='l'/>"),
               Catch::Contains("1 of 2 lines have no length, the first is number 1 (vertices 2, 2)"));
    CHECK_THAT(warnings(points + "<MeshTopology/><LineCollisionModel name='l'/>"),
               Catch::Contains("/body/l (LineCollisionModel): it has no lines"));
    CHECK(warnings(points + "<MeshTopology triangles='0 1 3'/><TriangleCollisionModel name='t'/>").empty());

    const auto root = loadSceneText("<Node name='root'><Node name='body'>" + points +
                                        "<MeshTopology triangles='0 1 3  1 2 3'/><TriangleCollisionModel name='t'/>"
                                        "</Node></Node>",
                                    "test.scn");
    REQUIRE(initGraph(*root));
    auto& x = dynamic_cast<State<Vec3Types>&>(*root->child("body")->get<BaseState>(Search::Local));
    x.write(vec_id::position)[2][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH(root->child("body")->get<CollisionModel>(Search::Local)->update(),
                      Catch::Contains("/body/t (TriangleCollisionModel)") && Catch::Contains("point 2 is not finite") &&
                          Catch::Contains("number 1 of its triangles"));
}

}  // namespace continuous_detection_test
