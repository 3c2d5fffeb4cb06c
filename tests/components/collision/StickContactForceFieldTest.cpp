// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/collision/StickContactForceField.h"

#include <catch2/catch.hpp>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace stick_contact_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::StickContactForceField;

TEST_CASE("sticking contacts obey the laws of force fields", "[collision][contact]")
{
    for (const bool same : {false, true}) {
        Node root;
        auto& a = test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}, {0., 2., 0.}});
        Node other;
        auto& b = test::addState<Vec3Types>(other, {{0.1, 0.2, 0.}, {1., 0.1, 0.3}});
        auto force = std::make_shared<StickContactForceField>();
        force->l_state1.set(&a);
        force->l_state2.set(same ? &a : &b);
        root.addComponent(force);
        force->setSprings({{0, 1, {0., 1., 0.}, 40., 0.}, {2, 0, {0.3, -0.2, 0.1}, 15., 0.}});
        REQUIRE(test::initialise(root));
        test::checkForceField(*force);
        // While it does not act there is nothing, and its springs stay.
        force->setActive(false);
        const MechanicalParams mp;
        CHECK(force->potentialEnergy(mp) == 0.);
        a.allocate(vec_id::force);
        b.allocate(vec_id::force);
        a.clear(vec_id::force);
        force->addForce(mp, vec_id::force);
        for (const Vec3& f : a.forces()) CHECK(f == Vec3());
        CHECK(force->springs().size() == 2);
    }
}

TEST_CASE("damping of sticking contacts is a force against the relative velocity", "[collision][contact]")
{
    Node root;
    auto& a = test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}});
    auto force = std::make_shared<StickContactForceField>();
    force->l_state1.set(&a);
    force->l_state2.set(&a);
    root.addComponent(force);
    force->setSprings({{0, 1, {1., 0., 0.}, 10., 0.5}});
    REQUIRE(test::initialise(root));
    a.write(vec_id::velocity)[0] = {0., 2., 0.};
    a.write(vec_id::velocity)[1] = {3., 0., 0.};
    a.allocate(vec_id::force);
    a.clear(vec_id::force);
    force->addForce(MechanicalParams(), vec_id::force);
    CHECK(a.forces()[0] == Vec3(1.5, -1., 0.));
    CHECK(a.forces()[1] == Vec3(-1.5, 1., 0.));
}

namespace {

constexpr double h = 0.01, mass = 2., stiffness = 300. + 500., damping = 7. + 9.;

struct Scene
{
    explicit Scene(const std::string& parameters, const std::string& more = "")
        : root(loadSceneText(
              "<Node name='root' dt='0.01' gravity='0 0 0'><DefaultAnimationLoop/><CollisionPipeline "
              "name='pipeline'/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection "
              "alarmDistance='0.3' contactDistance='0.1'/><CollisionResponse response='StickContactForceField' " +
                  parameters +
                  "/><Node name='ball'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-15' "
                  "threshold='1e-30'/><MechanicalObject name='x' position='0.3 0.45 0.2" +
                  more + "' velocity='0.2 -1 0.1" + more +
                  "'/><UniformMass vertexMass='2'/><SphereCollisionModel radius='0.3' contactStiffness='300' "
                  "contactFriction='7'/></Node><Node name='floor'><MechanicalObject position='-5 0 -5  5 0 -5  0 0 9'/>"
                  "<MeshTopology triangles='0 2 1'/><TriangleCollisionModel contactStiffness='500' "
                  "contactFriction='9' simulated='0' moving='0'/></Node></Node>",
              "test.scn"))
    {
        REQUIRE(root);
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    State<Vec3Types>& ball() const { return *root->child("ball")->get<State<Vec3Types>>(Search::Local); }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

}  // namespace

TEST_CASE("while a pair is detected its springs start anew in each step; then it sticks by the last ones",
          "[collision][contact]")
{
    for (const bool keepAlive : {true, false}) {
        Scene s(keepAlive ? "" : "responseParams='keepAlive=0'");
        Vec3 v{0.2, -1., 0.1};
        for (int step = 0; step < 40; ++step) {
            s.simulation->step();
            // m (v' − v) = −h (c v + k h v')
            v *= (1. - h * damping / mass) / (1. + h * h * stiffness / mass);
            CHECK(norm(s.ball().velocities()[0] - v) < 1e-12);
        }
        // Taken away by hand, beyond the reach of detection; the spring remembers where it was in the last contact.
        const Vec3 anchor = s.ball().positions()[0], away{0.3, 3., 0.2};
        s.simulation->step();
        const Vec3 held = anchor;
        s.ball().write(vec_id::position)[0] = away;
        s.ball().write(vec_id::velocity)[0] = {};
        s.simulation->step();
        // m v' = −h k (x + h v' − x₀)
        const Vec3 pulled = (held - away) * (h * stiffness / mass / (1. + h * h * stiffness / mass));
        CHECK(norm(s.ball().velocities()[0] - (keepAlive ? pulled : Vec3())) < 1e-10);
        CHECK((s.root->get<StickContactForceField>(Search::Down) != nullptr) == keepAlive);
        s.simulation->reset();
        CHECK_FALSE(s.root->get<StickContactForceField>(Search::Down));
    }
}

TEST_CASE("a pair that sticks lets go when its primitives are others", "[collision][contact]")
{
    Scene s("", " 0.3 0.45 2");
    for (int step = 0; step < 5; ++step) s.simulation->step();
    auto* force = s.root->get<StickContactForceField>(Search::Down);
    REQUIRE(force);
    REQUIRE(force->springs().size() == 2);
    for (Vec3& x : s.ball().write(vec_id::position)) x[1] += 3.;
    s.simulation->step();
    CHECK(s.root->get<StickContactForceField>(Search::Down) == force);
    s.ball().resize(1);
    s.simulation->step();
    CHECK_FALSE(s.root->get<StickContactForceField>(Search::Down));
}

}  // namespace stick_contact_force_field_test
