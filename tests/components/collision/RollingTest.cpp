// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace rolling_test {

using namespace sofa::core;

namespace {

std::string text(double x)
{
    std::ostringstream s;
    s.precision(17);
    s << x;
    return s.str();
}

constexpr double g = 9.81, radius = 0.1, mass = 0.7, begin = 0.001, dt = 0.01;

/// A floor in the plane y = 0. What rolls on triangles passes sides and diagonals.
struct Floor
{
    std::string name, nodes;
};
const Floor triangles{"triangles",
                      "<Node name='floor'><RegularGridTopology n='40 1 5' min='-2 0 -2' max='37 0 2'/>"
                      "<MechanicalObject/><TriangleCollisionModel moving='0' simulated='0' bothSide='1'/></Node>"},
    solid{"box",
          "<Node name='floor'><MechanicalObject template='Rigid3' position='20 -1 0 0 0 0 1'/><OBBCollisionModel "
          "template='Rigid3' extents='30 1 8' moving='0' simulated='0'/></Node>"};

/// What rolls, and its moment of inertia about the axis around which it rolls, in units of mass times radius squared.
struct Body
{
    std::string name, model;
    double inertia;
};
const Body sphere{"sphere", "<SphereCollisionModel template='Rigid3' radius='0.1'/>", 0.4},
    capsule{"capsule", "<CapsuleCollisionModel template='Rigid3' defaultRadius='0.1' defaultHeight='0.3'/>", 0.45};

const std::string friction = "response='FrictionContactConstraint' responseParams='mu=";

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;

    Scene(const Body& body, const Floor& floor, const std::string& intersection, const std::string& response,
          const Vec3& gravity, const std::string& velocity = "0 0 0  0 0 0", const std::string& root_ = "",
          const std::string& solver =
              "<BlockGaussSeidelConstraintSolver maxIterations='500' tolerance='1e-14' "
              "allVerified='1'/>")
    {
        const double i = body.inertia * radius * radius;
        // The y axis of a capsule lies across the way.
        const double height = radius + begin, half = std::sqrt(0.5);
        LoadReport report;
        root = loadSceneText(
            "<Node name='root' dt='" + text(dt) + "' gravity='" + text(gravity[0]) + ' ' + text(gravity[1]) + " 0' " +
                root_ + "><FreeMotionAnimationLoop/>" + solver +
                "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><" + intersection +
                " name='method'/><CollisionResponse " + response +
                "/><Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-15' "
                "threshold='1e-30'/><MechanicalObject template='Rigid3' position='0.37 " +
                text(height) + " 0.21 " + text(half) + " 0 0 " + text(half) + "' velocity='" + velocity +
                "'/><UniformMass vertexMass='" + text(mass) + " 1 [" + text(i) + " 0 0,0 " + text(i) + " 0,0 0 " +
                text(i) + "]'/><UncoupledConstraintCorrection/>" + body.model + "</Node>" + floor.nodes + "</Node>",
            "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        REQUIRE(sim->init());
    }
    void step(int n)
    {
        for (int i = 0; i < n; ++i) sim->step();
    }
    State<Rigid3Types>& body() { return *root->child("body")->get<State<Rigid3Types>>(Search::Local); }
    /// Along the floor, and what the turning makes of it where the body touches.
    double speed() { return body().velocities()[0][0]; }
    double turning() { return -body().velocities()[0][5] * radius; }
    double way() { return body().positions()[0].center[0] - 0.37; }
    double height() { return body().positions()[0].center[1] - radius; }
};

const std::string reach = " alarmDistance='0.05' contactDistance='0.001'";
const std::vector<std::string> methods{"MinProximityIntersection" + reach,
                                       "NewProximityIntersection" + reach,
                                       "LocalMinDistance" + reach,
                                       "CCDTightInclusionIntersection" + reach,
                                       "CCDTightInclusionIntersection continuousCollisionType='Inertia'" + reach,
                                       "CCDTightInclusionIntersection continuousCollisionType='FreeMotion'" + reach};

/// Gravity along a floor whose slope has this tangent.
Vec3 downhill(double slope)
{
    const double angle = std::atan(slope);
    return {g * std::sin(angle), -g * std::cos(angle), 0.};
}

}  // namespace

TEST_CASE("Spheres and capsules roll down an incline with g sin θ / (1 + I / m r²)", "[contact][rolling]")
{
    const double slope = 0.3, seconds = 2.;
    const Vec3 gravity = downhill(slope);
    for (const Body& body : {sphere, capsule})
        for (const Floor& floor : {triangles, solid})
            for (const std::string& method : methods) {
                INFO(body.name << " on " << floor.name << ", " << method);
                Scene s(body, floor, method, friction + "0.5'", gravity);
                s.step(static_cast<int>(seconds / dt));
                const double a = gravity[0] / (1. + body.inertia);
                CHECK(s.speed() == Approx(a * seconds).epsilon(1e-9));
                CHECK(s.turning() == Approx(a * seconds).epsilon(1e-9));
                // 4.03 m for a sphere; the way of implicit Euler is that of the velocities at the ends of the steps.
                CHECK(s.way() == Approx(0.5 * a * seconds * (seconds + dt)).epsilon(1e-9));
                CHECK(s.height() == Approx(begin).epsilon(1e-9));
                CHECK(std::abs(s.body().positions()[0].center[2] - 0.21) < 1e-9);
            }
}

TEST_CASE("With too little friction a sphere slides while it starts to turn", "[contact][rolling]")
{
    const double slope = 0.7, seconds = 1., least = slope / (1. + 1. / sphere.inertia);  // 2/7 tan θ
    const Vec3 gravity = downhill(slope);
    for (const std::string& method : methods)
        for (const double factor : {0.5, 0.98, 1.02}) {
            INFO(method << ", mu = " << factor << " times what it needs to roll");
            Scene s(sphere, triangles, method, friction + text(factor * least) + "'", gravity);
            s.step(static_cast<int>(seconds / dt));
            const double mu = std::min(factor, 1.) * least;
            CHECK(s.speed() == Approx((gravity[0] + mu * gravity[1]) * seconds).epsilon(1e-9));
            CHECK(s.turning() == Approx(-mu * gravity[1] / sphere.inertia * seconds).epsilon(1e-9));
        }
}

TEST_CASE("A sphere that is launched sliding ends rolling with 5/7 of its velocity", "[contact][rolling]")
{
    const double v0 = 3., mu = 0.4;
    for (const std::string& method : methods)
        for (const std::string solver : {"BlockGaussSeidelConstraintSolver maxIterations='500' tolerance='1e-14' "
                                         "allVerified='1'",
                                         "UnbuiltGaussSeidelConstraintSolver maxIterations='500' tolerance='1e-14' "
                                         "allVerified='1'",
                                         "NNCGConstraintSolver maxIterations='500' tolerance='1e-14' allVerified='1'",
                                         "LCPConstraintSolver maxIt='500' tolerance='1e-14'",
                                         "LCPConstraintSolver maxIt='500' tolerance='1e-14' build_lcp='0'"}) {
            INFO(method << ", " << solver);
            Scene s(sphere, triangles, method, friction + text(mu) + "'", {0., -g, 0.}, text(v0) + " 0 0  0 0 0", "",
                    "<" + solver + (solver.starts_with("LCP") ? " mu='" + text(mu) + "'" : "") + "/>");
            // It rolls from 2 v0 / (7 mu g) = 0.22 s on.
            s.step(10);
            CHECK(s.speed() == Approx(v0 - mu * g * 0.1).epsilon(1e-9));
            CHECK(s.turning() == Approx(mu * g * 0.1 / sphere.inertia).epsilon(1e-9));
            s.step(190);
            CHECK(s.speed() == Approx(5. / 7. * v0).epsilon(1e-9));
            CHECK(s.turning() == Approx(5. / 7. * v0).epsilon(1e-9));
            CHECK(s.height() == Approx(begin).epsilon(1e-9));
        }
}

TEST_CASE("A sphere that turns by radians in a step goes on rolling", "[contact][rolling]")
{
    // 70 m/s at 0.1 m: 7 rad a step.
    const double v0 = 70.;
    Scene s(sphere, solid, methods[0], friction + "0.4'", {0., -g, 0.}, text(v0) + " 0 0  0 0 " + text(-v0 / radius));
    s.step(40);
    CHECK(s.speed() == Approx(v0).epsilon(1e-9));
    CHECK(s.turning() == Approx(v0).epsilon(1e-9));
    CHECK(s.height() == Approx(begin).epsilon(1e-9));
}

TEST_CASE("Springs that resist slip turn a sphere: 5/7 of its velocity are left", "[contact][rolling]")
{
    const double v0 = 1.;
    for (const std::string& method : methods) {
        INFO(method);
        const Body sticky{"sphere",
                          "<SphereCollisionModel template='Rigid3' radius='0.1' contactStiffness='3000' "
                          "contactFriction='0'/>",
                          0.4};
        Scene s(sticky, triangles, method, "response='StickContactForceField'", {0., 0., 0.}, text(v0) + " 0 0  0 0 0");
        s.step(300);
        CHECK(s.speed() == Approx(5. / 7. * v0).epsilon(1e-6));
        CHECK(s.turning() == Approx(5. / 7. * v0).epsilon(1e-6));
        CHECK(s.height() == Approx(begin).epsilon(1e-9));
    }
}

TEST_CASE("With SOFA's numbers friction acts at the centre of a sphere, which does not turn", "[contact][rolling]")
{
    Scene s(sphere, triangles, methods[0], friction + "0.5'", downhill(0.3), "0 0 0  0 0 0", "compatibility='sofa'");
    s.step(200);
    CHECK(std::abs(s.way()) < 1e-6);
    CHECK(std::abs(s.turning()) < 1e-9);
}

}  // namespace rolling_test
