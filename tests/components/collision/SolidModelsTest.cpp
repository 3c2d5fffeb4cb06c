// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/collision/ContactMappings.h"
#include "components/collision/CubeCollisionModel.h"
#include "components/collision/RayCollisionModel.h"
#include "components/collision/SolidCollisionModels.h"
#include "components/collision/TetrahedronCollisionModel.h"
#include "core/interaction/Picking.h"
#include "core/math/Quat.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/collision/SolidScenes.h"
#include "tests/core/geometry/GeometryRandom.h"
#include "tests/harness/MappingCheck.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;
using namespace sofa::core;
using sofa::test::GeometryRandom;
using namespace sofa::test;

TEST_CASE("rays record what they hit, from either end of the pair, and push nothing")
{
    const std::string pipeline =
        "<CollisionPipeline name='p'/><BruteForceBroadPhase/><BVHNarrowPhase/><DefaultAnimationLoop/>"
        "<CollisionResponse response='PenalityContactForceField'/><MinProximityIntersection alarmDistance='0.1' "
        "contactDistance='0.05'/>";
    const auto root = loadSceneText(
        "<Node name='root' gravity='0 0 0'>" + pipeline + "<Node name='before'>" +
            frame("5 0 0 0 0 0 1", "<OBBCollisionModel extents='1 1 1'/>") +
            "</Node><Node name='rays'><MechanicalObject position='0 0 0  0 3 0'/><RayCollisionModel defaultLength='20' "
            "directions='1 0 0  1 0 0'/></Node><Node name='ball'>" +
            frame("10 0.5 0 0 0 0 1", "<SphereCollisionModel template='Rigid3' radius='1'/>") +
            "</Node><Node name='cylinder'>" +
            frame("15 0 0 0 0 0 1", "<CylinderCollisionModel radii='1' heights='3'/>") + "</Node><Node name='wall'>" +
            mesh("18 -1 -1  18 1 -1  18 0 2", "triangles='0 2 1'", "<TriangleCollisionModel/>") +
            "</Node><Node name='far'>" + frame("30 0 0 0 0 0 1", "<OBBCollisionModel/>") + "</Node></Node>",
        "test.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    simulation.step();
    const auto* rays = root->child("rays")->get<component::BaseRayCollisionModel>(Search::Local);
    const auto hit = [&](const std::string& node) {
        for (const auto& h : rays->hits())
            if (h.model->node() == root->child(node)) return h.contacts;
        return Vector<DetectedContact>();
    };
    CHECK(rays->hits().size() == 4);
    for (const auto& [node, x] : {std::pair{"before", 4.}, {"cylinder", 14.}, {"wall", 18.}}) {
        const auto c = hit(node);
        REQUIRE(c.size() == 1);
        CHECK(c[0].primitive1 == 0);
        CHECK(norm(c[0].point1 - Vec3{x, 0., 0.}) < 1e-12);
        CHECK(c[0].normal[0] == Approx(1.));
        CHECK(c[0].value == 0.);
    }
    const auto ball = hit("ball");
    REQUIRE(ball.size() == 1);
    CHECK(norm(ball[0].point1 - Vec3{10., 0., 0.}) < 1e-12);
    CHECK(ball[0].value == Approx(-0.5));
    CHECK(hit("far").empty());
    // Turned away, they hit nothing.
    auto* model =
        dynamic_cast<component::RayCollisionModel<Vec3Types>*>(root->child("rays")->get<CollisionModel>(Search::Local));
    model->setRay(0, {{0., 0., 0.}, {-1., 0., 0.}, 5.});
    const Index added = model->addRay({{5., 5., 0.}, {0., -2., 0.}, 2.1});
    CHECK(added == 2);
    simulation.step();
    REQUIRE(rays->hits().size() == 1);
    CHECK(hit("before")[0].primitive1 == 2);
    CHECK(norm(hit("before")[0].point1 - Vec3{5., 1., 0.}) < 1e-12);
}

TEST_CASE("solids are picked where the ray enters them")
{
    const auto root =
        loadSceneText("<Node name='root'><Node name='a'>" +
                          frame("0 5 0 0 0 0 1", "<OBBCollisionModel extents='1 2 1'/>") + "</Node><Node name='b'>" +
                          frame("5 5 0 0 0 0 1", "<CapsuleCollisionModel template='Rigid3' radii='1' heights='4'/>") +
                          "</Node><Node name='c'>" +
                          frame("10 5 0 0 0 0 1", "<CylinderCollisionModel radii='1' heights='4'/>") + "</Node></Node>",
                      "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    for (const auto& [x, y] : {std::pair{0.5, 7.}, {5., 8.}, {5.6, 7.8}, {10.5, 7.}}) {
        const auto picked = pick(*root, {{x, 20., 0.}, {0., -1., 0.}}, 0.);
        REQUIRE(picked);
        CHECK(picked->distance == Approx(20. - y));
    }
    CHECK(!pick(*root, {{2.5, 20., 0.}, {0., -1., 0.}}, 0.));
}

TEST_CASE("the box model has the boxes of the other models of its node")
{
    const auto root = loadSceneText(
        "<Node name='root'>" +
            frame("1 2 3 0 0 0 1  4 2 3 0 0 0 1",
                  "<CubeCollisionModel name='boxes'/><OBBCollisionModel extents='1 2 3  1 1 1' proximity='0.5'/>"
                  "<SphereCollisionModel template='Rigid3' radius='0.25'/>") +
            "</Node>",
        "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    auto* boxes = root->get<component::CubeCollisionModel>(Search::Local);
    boxes->update();
    REQUIRE(boxes->size() == 2);
    CHECK(boxes->modelBox(0).lower == Vec3{-0.5, -0.5, -0.5});
    CHECK(boxes->modelBox(0).upper == Vec3{5.5, 4.5, 6.5});
    CHECK(boxes->box().upper == Vec3{5.5, 4.5, 6.5});
    CHECK(boxes->modelBox(1).lower == Vec3{0.75, 1.75, 2.75});
}

TEST_CASE("old names, defaults, and sizes that are not valid")
{
    const auto root = loadSceneText(
        "<Node name='root'><Node name='a'>" +
            frame("0 0 0 0 0 0 1  0 0 9 0 0 0 1", "<TCapsuleModel template='Rigid3' radii='0.25' dafaultHeight='3'/>") +
            "</Node><Node name='b'>" + frame("0 0 0 0 0 0 1", "<OBBModel/>") + "</Node><Node name='c'>" +
            frame("0 0 0 0 0 0 1", "<CylinderModel axes='2 0 0'/>") + "</Node></Node>",
        "test.scn");
    REQUIRE(root);
    REQUIRE(initGraph(*root));
    const auto model = [&](const char* node) {
        auto* m = root->child(node)->get<CollisionModel>(Search::Local);
        REQUIRE(m);
        m->update();
        return m;
    };
    CHECK(model("a")->radius(0) == 0.25);
    CHECK(model("a")->radius(1) == 0.5);
    CHECK(model("a")->boxes()[1].upper == Vec3{0.5, 2., 9.5});
    CHECK(model("b")->box().upper == Vec3{1., 1., 1.});
    CHECK(norm(model("c")->box().upper - Vec3{1., 0.5, 0.5}) < 1e-12);
    for (const std::string bad : {"<CapsuleCollisionModel template='Rigid3' radii='-1'/>",
                                  "<CylinderCollisionModel axes='0 0 0'/>", "<OBBCollisionModel extents='1 -1 1'/>"}) {
        const auto scene = loadSceneText("<Node name='root'>" + frame("0 0 0 0 0 0 1", bad) + "</Node>", "test.scn");
        CHECK((!scene || !initGraph(*scene)));
    }
    CHECK(!initGraph(*loadSceneText("<Node name='root'>" +
                                        mesh("0 0 0 1 0 0", "edges='0 5'", "<CapsuleCollisionModel template='Vec3'/>") +
                                        "</Node>",
                                    "test.scn")));
}

TEST_CASE("neighbours in a mesh do not collide with themselves")
{
    const auto contacts = [](const std::string& node) {
        const auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0'><CollisionPipeline/><BruteForceBroadPhase/>"
            "<BVHNarrowPhase/><DefaultAnimationLoop/><MinProximityIntersection "
            "alarmDistance='0.2' contactDistance='0.1'/><CollisionResponse "
            "response='PenalityContactForceField'/><Node>" +
                node + "</Node></Node>",
            "test.scn");
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        simulation.step();
        return std::stoi(root->get<CollisionPipeline>(Search::Local)->findData("contactCount")->text());
    };
    // A chain in the shape of a U: only its two legs are near each other.
    CHECK(contacts(mesh("0 0 0  1 0 0  1 0.3 0  0 0.3 0", "edges='0 1 1 2 2 3'",
                        "<CapsuleCollisionModel template='Vec3' defaultRadius='0.1' selfCollision='1'/>")) == 2);
    CHECK(contacts(mesh("0 0 0  1 0 0  1 0.3 0  0 0.3 0", "edges='0 1 1 2 2 3'",
                        "<CapsuleCollisionModel template='Vec3' defaultRadius='0.1'/>")) == 0);
    // Two tetrahedra with a common face.
    CHECK(contacts(mesh("0 0 0  1 0 0  0 1 0  0 0 1  1 1 1", "tetrahedra='0 1 2 3  1 2 3 4'",
                        "<TetrahedronCollisionModel selfCollision='1'/>")) == 0);
    // Frames have no neighbours.
    CHECK(contacts(frame("0 0 0 0 0 0 1  0.5 0 0 0 0 0 1  5 0 0 0 0 0 1",
                         "<OBBCollisionModel extents='0.2 0.2 0.2  0.2 0.2 0.2  0.2 0.2 0.2' selfCollision='1'/>")) ==
          4);
}

TEST_CASE("mappings of contact points obey the laws of mappings")
{
    GeometryRandom random(31);
    SECTION("weights of vertices")
    {
        Node root;
        auto& in = test::addState<Vec3Types>(root, {random.point(), random.point(), random.point(), random.point()});
        auto child = root.createChild("points");
        auto& out = test::addState<Vec3Types>(*child, Vector<Vec3>(3));
        auto& mapping = child->create<component::WeightedPointsMapping>();
        mapping.l_input.set(&in);
        mapping.l_output.set(&out);
        mapping.rows = {
            {{0, 1, 2, 3}, {0.1, 0.2, 0.3, 0.4}, 4}, {{3, 1}, {0.25, 0.75}, 2}, {{2, 0, 1}, {0.5, 0.3, 0.2}, 3}};
        REQUIRE(test::initialise(root));
        test::checkMapping(mapping, {.translates = true});
    }
    SECTION("points of frames")
    {
        Node root;
        const auto q = [&] { return Quat::fromRotationVector(random.point()); };
        auto& in = test::addState<Rigid3Types>(root, {{random.point(), q()}, {random.point(), q()}});
        auto child = root.createChild("points");
        auto& out = test::addState<Vec3Types>(*child, Vector<Vec3>(3));
        auto& mapping = child->create<component::FramePointsMapping>();
        mapping.l_input.set(&in);
        mapping.l_output.set(&out);
        mapping.rows = {{1, random.point()}, {0, random.point()}, {1, random.point()}};
        REQUIRE(test::initialise(root));
        test::checkMapping(mapping, {.translates = true, .exactGeometricStiffness = false});
    }
    SECTION("points of round surfaces move with the velocity of the body where it touches, and never come off")
    {
        Node root;
        const RigidCoord3 found{random.point(), Quat::fromRotationVector(random.point())};
        auto& in = test::addState<Rigid3Types>(root, {found});
        auto child = root.createChild("points");
        auto& out = test::addState<Vec3Types>(*child, Vector<Vec3>(1));
        auto& mapping = child->create<component::FramePointsMapping>();
        mapping.l_input.set(&in);
        mapping.l_output.set(&out);
        const Vec3 local = random.point(), arm = random.point(), velocity = random.point(), spin = random.point();
        mapping.rows = {{0, local, arm, found.orientation}};
        REQUIRE(test::initialise(root));
        Vector<Vec3> x;
        mapping.apply(x, {found});
        const Vec3 axis = found.orientation.rotate(local), expected = velocity + cross(spin, axis + arm);
        CHECK(norm(x[0] - (found.center + axis + arm)) < 1e-15);
        in.write(vec_id::velocity)[0] = Rigid3Types::makeDeriv(velocity, spin);
        BaseMapping& base = mapping;
        base.applyJ(MechanicalParams(), vec_id::velocity, vec_id::velocity);
        CHECK(norm(out.velocities()[0] - expected) < 1e-14);
        const auto at = [&](double h) {
            RigidCoord3 moved = found;
            Rigid3Types::add(moved, Rigid3Types::makeDeriv(velocity * h, spin * h));
            mapping.apply(x, {moved});
            return x[0];
        };
        const double h = 1e-5;
        CHECK(norm((at(h) - at(-h)) / (2. * h) - expected) < 1e-9);
        // Turned by radians about the axis of a capsule: the height over the ground is that of the axis.
        mapping.rows[0].local = {};
        CHECK(std::abs(dot(at(2.) - found.center - velocity * 2., arm) - dot(arm, arm)) < 1e-12);
    }
}
