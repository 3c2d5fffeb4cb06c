// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <sstream>

#include "components/constraint/BilateralLagrangianConstraint.h"
#include "components/constraint/LagrangianSolver.h"
#include "components/constraint/UnilateralLagrangianConstraint.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace constraint_response_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;

    Scene(const std::string& body, const std::string& response, const std::string& gravity = "0 -9.81 0",
          const std::string& intersection = "<MinProximityIntersection alarmDistance='0.2' contactDistance='0.01'/>")
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='0.01' gravity='" + gravity +
                                 "'><FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver maxIterations='5000' "
                                 "tolerance='1e-13' allVerified='1'/><CollisionPipeline/><BruteForceBroadPhase/>"
                                 "<BVHNarrowPhase/>" +
                                 intersection + "<CollisionResponse " + response + "/>" + body + "</Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        REQUIRE(sim->init());
    }
    void step(int n = 1)
    {
        for (int i = 0; i < n; ++i) sim->step();
    }
    template <class D>
    State<D>& state(const std::string& node)
    {
        return *root->child(node)->get<State<D>>(Search::Local);
    }
    std::size_t contacts() const
    {
        std::size_t n = 0;
        for (auto* c : root->getAll<UnilateralLagrangianConstraint>(Search::Down)) n += c->contacts().size();
        return n;
    }
    LagrangianSolver& solver() { return *root->get<LagrangianSolver>(Search::Local); }
};

std::string text(double x)
{
    std::ostringstream s;
    s.precision(17);
    s << x;
    return s.str();
}

std::string balls(const std::string& positions, const std::string& velocities, const std::string& model)
{
    return "<Node name='balls'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Vec3' position='" +
           positions + "' velocity='" + velocities +
           "'/><UniformMass vertexMass='1'/><LinearSolverConstraintCorrection/><SphereCollisionModel "
           "selfCollision='1' " +
           model + "/></Node>";
}
const std::string floorMesh =
    "<Node name='floor'><RegularGridTopology n='3 1 3' min='-4 0 -4' max='4 0 4'/><MechanicalObject/>"
    "<TriangleCollisionModel moving='0' simulated='0'/></Node>";

}  // namespace

TEST_CASE("A ball comes to rest on a floor at the contact distance, the floor bears its weight", "[collision][contact]")
{
    Scene s(balls("0.1 1 0.2", "0.5 0 0", "radius='0.3'") + floorMesh,
            "response='FrictionContactConstraint' responseParams='mu=0.4'");
    s.step(300);
    const auto& x = s.state<Vec3Types>("balls").positions()[0];
    CHECK(x[1] == Approx(0.31).epsilon(1e-9));
    CHECK(norm(s.state<Vec3Types>("balls").velocities()[0]) < 1e-9);
    REQUIRE(s.contacts() == 1);
    auto* c = s.root->get<UnilateralLagrangianConstraint>(Search::Down);
    const double sign = c->contacts()[0].normal[1] > 0. ? 1. : -1.;
    CHECK(c->d_contactForces.value()[0][1] * sign == Approx(9.81).epsilon(1e-9));
    CHECK(s.solver().d_currentResidual.value() < 1e-12);
}

TEST_CASE("Without friction a ball glides on, with the parameters as the scene writes them", "[collision][contact]")
{
    for (const std::string response :
         {"response='FrictionlessContactConstraint'", "response='FrictionContactConstraint' responseParams='mu=0'",
          "response='FrictionContact' responseParams='modelFriction=1'"}) {
        Scene s(balls("-3 0.31 0.7", "1 0 0", "radius='0.3' contactFriction='0'") + floorMesh, response);
        s.step(200);
        CHECK(s.state<Vec3Types>("balls").velocities()[0][0] == Approx(1.).epsilon(1e-12));
        CHECK(s.state<Vec3Types>("balls").positions()[0][1] == Approx(0.31).epsilon(1e-12));
    }
    // SOFA's coefficient where the scene gives none: 0.8.
    Scene s(balls("-3 0.31 0.7", "1 0 0", "radius='0.3'") + floorMesh, "response='FrictionContactConstraint'");
    s.step(5);
    CHECK(s.state<Vec3Types>("balls").velocities()[0][0] == Approx(1. - 5 * 0.01 * 0.8 * 9.81).epsilon(1e-9));
}

TEST_CASE("The augmented Lagrangian method leads to the same motion, by updates that are small against m/dt",
          "[collision][contact]")
{
    const auto after = [](const std::string& response) {
        Scene s(balls("-3 0.31 0.7", "1 0 0", "radius='0.3'") + floorMesh, response);
        s.step(20);
        const auto& state = s.state<Vec3Types>("balls");
        return std::pair(state.positions()[0], state.velocities()[0]);
    };
    const auto usual = after("response='FrictionContactConstraint' responseParams='mu=0.4'");
    CHECK(usual.second[0] == Approx(1. - 20 * 0.01 * 0.4 * 9.81).epsilon(1e-9));
    for (const std::string parameters : {"mu=0.4", "mu=0.4&amp;epsilon=0", "mu=0.4&amp;epsilon=20"}) {
        INFO(parameters);
        const auto augmented =
            after("response='AugmentedLagrangianResponseConstraint' responseParams='" + parameters + "'");
        CHECK(norm(augmented.first - usual.first) < 1e-8);
        CHECK(norm(augmented.second - usual.second) < 1e-7);
    }
    // Without a coefficient there is no friction.
    CHECK(after("response='AugmentedLagrangianResponseConstraint'").second[0] == Approx(1.).epsilon(1e-12));
}

TEST_CASE("Contacts at the same points count once", "[collision][contact]")
{
    // A ball above two triangles that lie one on the other touches both.
    Scene s(balls("-0.2 0.31 0", "0 0 0", "radius='0.3'") +
                "<Node name='floor'><MechanicalObject position='-1 0 0  1 0 -1  1 0 1  0.9 0 -1'/><MeshTopology "
                "triangles='0 2 1  0 2 3'/><TriangleCollisionModel moving='0' simulated='0'/></Node>",
            "response='FrictionContactConstraint'");
    s.step();
    CHECK(s.contacts() == 1);
}

TEST_CASE("A contact stiffness of zero switches contacts off", "[collision][contact]")
{
    Scene s(balls("0.3 0.31 0.5", "0 0 0", "radius='0.3' contactStiffness='0'") + floorMesh,
            "response='FrictionContactConstraint'");
    s.step(10);
    CHECK(s.state<Vec3Types>("balls").positions()[0][1] < 0.3);
}

TEST_CASE("Elastic spheres keep momentum and energy over many collisions", "[collision][contact]")
{
    // Spheres of different masses in free space between others that surround them would fly apart: four walls of
    // heavy balls are not needed where two rows meet again and again, so the box is a cage of spheres that are held.
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-1., 1.);
    std::string positions, velocities;
    const int n = 4;
    int count = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k, ++count) {
                for (const int c : {i, j, k}) positions += text(0.55 * (c - 1.5) + 0.02 * unit(random)) + ' ';
                for (int c = 0; c < 3; ++c) velocities += text(2. * unit(random)) + ' ';
            }
    Scene s(balls(positions, velocities, "radius='0.22' contactRestitution='1'"),
            "response='FrictionlessContactConstraint'", "0 0 0");
    const auto& v = s.state<Vec3Types>("balls").velocities();
    const auto totals = [&] {
        Vec3 momentum;
        double energy = 0.;
        for (const Vec3& u : v) {
            momentum += u;
            energy += 0.5 * dot(u, u);
        }
        return std::pair(momentum, energy);
    };
    const auto [momentum, energy] = totals();
    int collisions = 0;
    Vector<Vec3> before;
    for (int i = 0; i < 60; ++i) {
        before = v;
        s.step();
        int changed = 0;
        for (std::size_t k = 0; k < v.size(); ++k) changed += norm(v[k] - before[k]) > 1e-6;
        collisions += changed / 2;
    }
    CHECK(collisions > 50);
    CHECK(norm(totals().first - momentum) < 1e-10);
    CHECK(std::abs(totals().second - energy) < 1e-10 * energy);
}

TEST_CASE("A cradle of balls passes the motion on to the last one", "[collision][contact]")
{
    for (const double gap : {1e-9, 1e-3, 0.02}) {
        INFO("gap " << gap);
        const double pitch = 0.6 + 0.01 + gap;
        std::string positions = text(-pitch - 0.3) + " 0 0 ", velocities = "2 0 0 ";
        for (int k = 0; k < 4; ++k) {
            positions += text(pitch * k) + " 0 0 ";
            velocities += "0 0 0 ";
        }
        Scene s(balls(positions, velocities, "radius='0.3' contactRestitution='1'"),
                "response='FrictionlessContactConstraint'", "0 0 0");
        s.step(60);
        const auto& v = s.state<Vec3Types>("balls").velocities();
        for (Index k = 0; k < 4; ++k) CHECK(norm(v[k]) < 1e-11);
        CHECK(norm(v[4] - Vec3(2., 0., 0.)) < 1e-11);
    }
}

TEST_CASE("Points that stick move together, also after detection has lost them", "[collision][contact]")
{
    for (const bool keepAlive : {true, false}) {
        Scene s(balls("0.3 0.32 0.5  0.3 1.2 0.5", "0 -1 0  0 0 0", "radius='0.3'") + floorMesh,
                std::string("response='StickContactConstraint' responseParams='keepAlive=") + (keepAlive ? "1'" : "0'"),
                "0 0 0");
        s.step(5);
        const auto& state = s.state<Vec3Types>("balls");
        const Vec3 stuck = state.positions()[0];
        CHECK(norm(state.velocities()[0]) < 1e-11);
        CHECK(norm(state.velocities()[1]) < 1e-11);
        auto* joint = s.root->get<BilateralLagrangianConstraint<Vec3Types>>(Search::Down);
        REQUIRE(joint);
        CHECK(joint->d_firstPoint.value().size() == 1);
        s.step(20);
        CHECK(norm(state.positions()[0] - stuck) < 1e-11);
        // Moved away by hand: detection finds the pair no more.
        s.state<Vec3Types>("balls").write(vec_id::position)[0] = {0., 2., 2.};
        s.step();
        CHECK((norm(s.state<Vec3Types>("balls").positions()[0] - stuck) < 1e-9) == keepAlive);
        CHECK((s.root->get<BilateralLagrangianConstraint<Vec3Types>>(Search::Down) != nullptr) == keepAlive);
    }
}

TEST_CASE("Points that stick let go when their primitives are others", "[collision][contact]")
{
    Scene s(balls("0.3 0.32 0.5  0.3 0.32 2", "0 -1 0  0 -1 0", "radius='0.3'") + floorMesh,
            "response='StickContactConstraint'", "0 0 0");
    s.step(5);
    auto& state = s.state<Vec3Types>("balls");
    auto* joint = s.root->get<BilateralLagrangianConstraint<Vec3Types>>(Search::Down);
    REQUIRE(joint);
    REQUIRE(joint->d_firstPoint.value().size() == 2);
    for (Vec3& x : state.write(vec_id::position)) x[1] += 3.;
    s.step();
    CHECK(s.root->get<BilateralLagrangianConstraint<Vec3Types>>(Search::Down) == joint);
    // Away from the floor, where only the joint would bring it back, with one ball less.
    state.resize(1);
    state.write(vec_id::position)[0] = {0.3, 3., 0.5};
    s.step();
    CHECK_FALSE(s.root->get<BilateralLagrangianConstraint<Vec3Types>>(Search::Down));
}

TEST_CASE("Contact forces do not depend on the order of the models in the scene", "[collision][contact]")
{
    const auto one = [](const std::string& name, double x) {
        return "<Node name='" + name +
               "'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Vec3' position='" + text(x) +
               " 0.31 0.5'/><UniformMass vertexMass='1'/><LinearSolverConstraintCorrection/><SphereCollisionModel "
               "radius='0.3'/>"
               "</Node>";
    };
    Scene a(one("p", 0.) + one("q", 0.6) + floorMesh, "response='FrictionContactConstraint' responseParams='mu=0.4'"),
        b(one("q", 0.6) + one("p", 0.) + floorMesh, "response='FrictionContactConstraint' responseParams='mu=0.4'");
    a.step(50);
    b.step(50);
    for (const char* name : {"p", "q"})
        CHECK(norm(a.state<Vec3Types>(name).positions()[0] - b.state<Vec3Types>(name).positions()[0]) < 1e-11);
}

}  // namespace constraint_response_test
