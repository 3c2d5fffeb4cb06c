// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <tuple>

#include "components/collision/SolidCollisionModels.h"
#include "components/collision/TetrahedronCollisionModel.h"
#include "core/math/Quat.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/collision/SolidScenes.h"
#include "tests/core/geometry/GeometryRandom.h"

namespace solids_at_rest_test {

using namespace sofa;
using namespace sofa::core;
using sofa::test::GeometryRandom;
using namespace sofa::test;

namespace {

const std::string penaltyScene =
    "<CollisionPipeline name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/><DefaultAnimationLoop/>"
    "<CollisionResponse response='PenalityContactForceField'/><MinProximityIntersection alarmDistance='0.1' "
    "contactDistance='0.05'/>";
const std::string solver =
    "<EulerImplicitSolver rayleighMass='1' rayleighStiffness='0.05'/><CGLinearSolver iterations='200' "
    "tolerance='1e-14' threshold='1e-24'/>";

struct Drop
{
    Drop(const std::string& body, int cells = 3)
        : root(loadSceneText("<Node name='root' dt='0.01' gravity='0 -10 0'>" + penaltyScene + "<Node name='body'>" +
                                 solver + body + "</Node><Node name='floor'>" + floorOf(cells) + "</Node></Node>",
                             "test.scn")),
          simulation(root)
    {
        REQUIRE(root);
        REQUIRE(simulation.init());
    }
    BaseState& state() const { return *root->child("body")->get<BaseState>(Search::Local); }
    std::shared_ptr<Node> root;
    Simulation simulation;
};

}  // namespace

TEST_CASE("solids dropped on a floor of triangles come to rest where the penalty forces carry them")
{
    const std::string mass = "<UniformMass vertexMass='2 1 [0.1 0 0,0 0.1 0,0 0 0.1]'/>";
    const std::string turned = "0 0 0.70710678118654757 0.70710678118654757";
    struct Case
    {
        std::string position, model;
        double halfHeight, radius;
        unsigned contacts;
    };
    // A capsule's contacts begin at its radius more, so that its penalty is softer.
    for (const Case& c :
         {Case{"0.1 0.5 0.2 " + turned,
               "<CapsuleCollisionModel template='Rigid3' radii='0.2' heights='0.8' contactStiffness='30'/>", 0.2, 0.2,
               2},
          Case{"0.1 0.5 0.2 0 0 0 1", "<OBBCollisionModel extents='0.4 0.3 0.3' contactStiffness='30'/>", 0.3, 0., 4},
          Case{"0.1 0.5 0.2 0 0 0.02 0.9998", "<OBBCollisionModel extents='0.4 0.3 0.3' contactStiffness='30'/>", 0.3,
               0., 4},
          Case{"0.1 0.5 0.2 0 0 0 1", "<CylinderCollisionModel radii='0.4' heights='0.6' contactStiffness='30'/>", 0.3,
               0., 8},
          Case{"0.1 0.5 0.2 " + turned, "<CylinderCollisionModel radii='0.3' heights='0.8' contactStiffness='30'/>",
               0.3, 0., 2}})
        for (const int cells : {2, 7}) {
            INFO(c.model << " on " << cells);
            Drop d("<MechanicalObject template='Rigid3' position='" + c.position + "'/>" + mass + c.model, cells);
            for (int step = 0; step < 600; ++step) d.simulation.step();
            const double begin = 0.05 + c.radius, stiffness = 30. * 20. / begin * c.contacts;
            CHECK(d.state().pointPosition(0)[1] == Approx(0.05 + c.halfHeight - 2. * 10. / stiffness).epsilon(1e-4));
            auto& s = dynamic_cast<State<Rigid3Types>&>(d.state());
            CHECK(norm(s.velocities()[0]) < 1e-3);
        }
}

TEST_CASE("a soft block, seen as tetrahedra, comes to rest on a floor of triangles")
{
    Drop d(
        "<RegularGridTopology name='grid' n='3 3 3' min='-0.4 0.1 -0.4' max='0.4 0.9 0.4'/><MechanicalObject "
        "name='points' position='@grid.position'/><Node name='t'><TetrahedronSetTopologyContainer name='m'/>"
        "<TetrahedronSetTopologyModifier/><Hexa2TetraTopologicalMapping input='@../grid' output='@m'/>"
        "<TetrahedronFEMForceField youngModulus='10000' poissonRatio='0.3'/><UniformMass totalMass='1'/>"
        "<TetrahedronCollisionModel contactStiffness='10'/></Node>");
    for (int step = 0; step < 500; ++step) d.simulation.step();
    const auto& s = dynamic_cast<State<Vec3Types>&>(d.state());
    double low = 1., fastest = 0., weight = 0.;
    for (std::size_t i = 0; i < s.positions().size(); ++i) {
        low = std::min(low, s.positions()[i][1]);
        fastest = std::max(fastest, norm(s.velocities()[i]));
        if (s.positions()[i][1] < 0.05) weight += 10. * 20. / 0.05 * (0.05 - s.positions()[i][1]);
    }
    CHECK(fastest < 1e-3);
    // Nine points stand on the floor and carry the weight of the block.
    CHECK(weight == Approx(10.).epsilon(1e-3));
    CHECK(low > 0.04);
}

TEST_CASE("solids slide on an incline as Coulomb's law says, and stick where it holds them")
{
    const double angle = 20. * 3.14159265358979323846 / 180., g = 9.81;
    const std::string turned = "0 0 0.70710678118654757 0.70710678118654757";
    for (const auto& [position, model] :
         {std::pair<std::string, std::string>{"0 0.23 0 0 0 0 1", "<OBBCollisionModel extents='0.3 0.2 0.3'/>"},
          {"0 0.23 0 0 0 0 1", "<CylinderCollisionModel radii='0.3' heights='0.4'/>"},
          {"0 0.23 0 " + turned, "<CapsuleCollisionModel template='Rigid3' radii='0.2' heights='0.6'/>"}})
        for (const double mu : {0.3, 0.5}) {
            const auto root = loadSceneText(
                "<Node name='root' dt='0.01' gravity='" + text(Vec3{g * std::sin(angle), -g * std::cos(angle), 0.}) +
                    "'><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection "
                    "alarmDistance='0.1' contactDistance='0.02'/><CollisionResponse "
                    "response='FrictionContactConstraint' responseParams='mu=" +
                    (mu == 0.3 ? "0.3" : "0.5") +
                    "'/><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='1000' "
                    "tolerance='1e-10'/><Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='50' "
                    "tolerance='1e-12' threshold='1e-20'/><MechanicalObject template='Rigid3' position='" +
                    position + "'/><UniformMass vertexMass='1 1 [0.05 0 0,0 0.05 0,0 0 0.05]'/>" + model +
                    "<UncoupledConstraintCorrection/></Node><Node name='floor'>" + floorOf(5) + "</Node></Node>",
                "test.scn");
            REQUIRE(root);
            Simulation simulation(root);
            REQUIRE(simulation.init());
            INFO(model << " " << mu);
            const auto speed = [&] {
                return dynamic_cast<State<Rigid3Types>&>(*root->child("body")->get<BaseState>(Search::Local))
                    .velocities()[0][0];
            };
            for (int step = 0; step < 30; ++step) simulation.step();
            const double before = speed();
            for (int step = 0; step < 50; ++step) simulation.step();
            const double slope = g * (std::sin(angle) - mu * std::cos(angle));
            CHECK(speed() - before == Approx(slope > 0. ? 0.5 * slope : 0.).epsilon(1e-6).margin(1e-6));
            if (slope < 0.) CHECK(std::abs(speed()) < 1e-6);
        }
}

TEST_CASE("soft blocks rest on a box, and on each other, each corner on its own")
{
    const auto block = [](const std::string& name, const std::string& low, const std::string& high) {
        return "<Node name='" + name + "'><RegularGridTopology name='grid' n='3 3 3' min='-0.4 " + low +
               " -0.4' max='0.4 " + high +
               " 0.4'/><MechanicalObject name='points' position='@grid.position'/><Node name='t'>"
               "<TetrahedronSetTopologyContainer name='m'/><TetrahedronSetTopologyModifier/>"
               "<Hexa2TetraTopologicalMapping input='@../grid' output='@m'/><TetrahedronFEMForceField "
               "youngModulus='10000' poissonRatio='0.3'/><UniformMass totalMass='1'/><TetrahedronCollisionModel "
               "contactStiffness='10'/></Node></Node>";
    };
    const auto root = loadSceneText(
        "<Node name='root' dt='0.01' gravity='0 -10 0'>" + penaltyScene + solver + block("lower", "0.1", "0.9") +
            block("upper", "1", "1.8") +
            "<Node name='table'><MechanicalObject template='Rigid3' position='0 -1 0 0 0 0 1'/><UniformMass "
            "totalMass='1'/><FixedProjectiveConstraint fixAll='1'/><OBBCollisionModel extents='2 1 2' "
            "contactStiffness='20' simulated='0' moving='0'/></Node></Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    for (int step = 0; step < 500; ++step) simulation.step();
    const auto positions = [&](const char* node) {
        return dynamic_cast<State<Vec3Types>&>(*root->child(node)->get<BaseState>(Search::Local)).positions();
    };
    const auto x = positions("lower"), y = positions("upper");
    double onTable = 0.;
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t low = 9 * k + i, high = low + 6;
            onTable += 10. * 20. / 0.05 * (0.05 - x[low][1]);
            // The block above lies on the one below: nearer than where contact begins, and not in it.
            CHECK(y[low][1] - x[high][1] > 0.03);
            CHECK(y[low][1] - x[high][1] < 0.05);
        }
    CHECK(onTable == Approx(20.).epsilon(2e-3));
    for (const auto* node : {"lower", "upper"})
        for (const Vec3& v :
             dynamic_cast<State<Vec3Types>&>(*root->child(node)->get<BaseState>(Search::Local)).velocities())
            CHECK(norm(v) < 1e-2);
}

TEST_CASE("solids rest on solids: a stack of a box, a cylinder and a capsule, moved by one solver")
{
    const auto body = [](const std::string& name, const std::string& position, const std::string& model) {
        return "<Node name='" + name + "'><MechanicalObject template='Rigid3' position='" + position +
               "'/><UniformMass vertexMass='1 1 [0.1 0 0,0 0.1 0,0 0 0.1]'/>" + model + "</Node>";
    };
    const auto root = loadSceneText(
        "<Node name='root' dt='0.01' gravity='0 -10 0'>" + penaltyScene + solver +
            body("box", "0 0.35 0 0 0 0 1", "<OBBCollisionModel extents='0.5 0.3 0.5' contactStiffness='30'/>") +
            body("cylinder", "0 0.95 0 0 0 0 1",
                 "<CylinderCollisionModel radii='0.4' heights='0.4' contactStiffness='30'/>") +
            body("capsule", "0 1.4 0 0 0 0.70710678118654757 0.70710678118654757",
                 "<CapsuleCollisionModel template='Rigid3' radii='0.1' heights='0.5' contactStiffness='30'/>") +
            "<Node name='floor'>" + floorOf(3) + "<UniformMass/><FixedProjectiveConstraint fixAll='1'/></Node></Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    for (int step = 0; step < 600; ++step) simulation.step();
    const auto height = [&](const char* node) {
        return root->child(node)->get<BaseState>(Search::Local)->pointPosition(0)[1];
    };
    // Gaps: the weight above, over the stiffnesses of all contacts.
    const double box = 0.35 - 30. / (4 * 30. * 20. / 0.05), cylinder = box + 0.55 - 20. / (8 * 30. * 30. / 0.05),
                 capsule = cylinder + 0.35 - 10. / (2 * 30. * 30. / 0.15);
    CHECK(height("box") == Approx(box).epsilon(1e-4));
    CHECK(height("cylinder") == Approx(cylinder).epsilon(1e-4));
    CHECK(height("capsule") == Approx(capsule).epsilon(1e-4));
}

TEST_CASE("contacts of solids do not depend on the number of threads, nor on the order of primitives")
{
    GeometryRandom random(41);
    std::vector<std::string> frames, extents;
    for (int k = 0; k < 40; ++k) {
        const Quat q = Quat::fromRotationVector(random.point(2.));
        frames.push_back(text(Vec3{1.6 * random(), 0.1 + 0.3 * std::abs(random()), 1.6 * random()}) + text(q[0]) +
                         text(q[1]) + text(q[2]) + text(q[3]));
        extents.push_back(text(Vec3{0.1 + 0.2 * std::abs(random()), 0.15, 0.2}));
    }
    const auto scene = [&](bool turned) {
        std::string x, e;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            const std::size_t i = turned ? frames.size() - 1 - k : k;
            x += frames[i];
            e += extents[i];
        }
        return frame(x, "<OBBCollisionModel extents='" + e + "'/>");
    };
    // What a contact is, with the box by its number in the first order.
    const auto found = [&](bool turned) {
        std::vector<std::tuple<Index, Index, Vec3, Vec3, double>> all;
        for (const DetectedContact& c : Pair(scene(turned), floorOf(12)).contacts())
            all.emplace_back(turned ? static_cast<Index>(frames.size()) - 1 - c.primitive1 : c.primitive1, c.primitive2,
                             c.point1, c.point2, c.value);
        const auto less = [](const auto& p, const auto& q) {
            return std::tuple(std::get<0>(p), std::get<1>(p), std::get<2>(p)[0], std::get<2>(p)[2], std::get<4>(p)) <
                   std::tuple(std::get<0>(q), std::get<1>(q), std::get<2>(q)[0], std::get<2>(q)[2], std::get<4>(q));
        };
        std::sort(all.begin(), all.end(), less);
        return all;
    };
    const auto straight = found(false);
    CHECK(straight.size() > 50);
    CHECK(straight == found(true));
    // The same motion, bit by bit.
    const auto motion = [&](unsigned threads) {
        const unsigned before = threadCount();
        setThreadCount(threads);
        Drop d(
            "<MechanicalObject template='Rigid3' position='0 0.5 0 0.1 0.2 0.3 0.9273618  0.2 1.2 0.1 0 0 0 1  -0.5 "
            "0.6 0.3 0 0 0 1'/><UniformMass vertexMass='1 1 [0.1 0 0,0 0.1 0,0 0 0.1]'/><OBBCollisionModel "
            "extents='0.3 0.2 0.2 0.2 0.2 0.2 0.2 0.3 0.1' selfCollision='1' contactStiffness='30'/>");
        for (int step = 0; step < 150; ++step) d.simulation.step();
        setThreadCount(before);
        return dynamic_cast<State<Rigid3Types>&>(d.state()).velocities();
    };
    const auto one = motion(1);
    CHECK(one == motion(2));
    CHECK(one == motion(5));
}

}  // namespace solids_at_rest_test
