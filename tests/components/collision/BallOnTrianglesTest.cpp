// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace ball_on_triangles_test {

using namespace sofa::core;

namespace {

constexpr double g = 9.81, radius = 0.1, mass = 0.7, begin = 0.01;
const std::string reach = " alarmDistance='0.05' contactDistance='0.01'";

/// A way to find contacts, and the distance of surfaces at which they begin.
struct Method
{
    std::string element;
    double begin;
};
const std::vector<Method> methods{
    {"DiscreteIntersection", 0.},
    {"MinProximityIntersection" + reach, begin},
    {"NewProximityIntersection" + reach, begin},
    {"LocalMinDistance" + reach, begin},
    {"CCDTightInclusionIntersection" + reach, begin},
    {"CCDTightInclusionIntersection continuousCollisionType='Inertia'" + reach, begin},
    {"CCDTightInclusionIntersection continuousCollisionType='FreeMotion'" + reach, begin}};

/// A response, and how far it lets the ball in.
struct Response
{
    std::string loop, response;
    bool yields;
};
const std::vector<Response> responses{
    {"<DefaultAnimationLoop/>", "PenalityContactForceField", true},
    {"<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver tolerance='1e-12' allVerified='1'/>",
     "FrictionlessContactConstraint", false},
    {"<FreeMotionAnimationLoop/><BlockGaussSeidelConstraintSolver tolerance='1e-12' allVerified='1'/>",
     "FrictionContactConstraint", false}};

/// Triangles of a floor that look up or down, the diagonal below the place where the ball falls, or away from it.
std::string floorOf(bool up, bool onDiagonal)
{
    const std::string x = onDiagonal ? "-3 0 -3  3 0 -3  -3 0 3  3 0 3" : "-3 0 -5  3 0 -5  -3 0 2  3 0 2";
    return "<Node name='floor'><MeshTopology position='" + x + "' triangles='" +
           (up ? "0 2 1  1 2 3" : "0 1 2  1 3 2") +
           "'/><MechanicalObject/><TriangleCollisionModel moving='0' simulated='0' contactStiffness='20' "
           "bothSide='1'/></Node>";
}

/// Where the ball is after 4 s, having fallen from 0.25 m, and its greatest height after the first half second.
std::pair<Vec3, double> fall(bool frame, const Method& method, const Response& response, const std::string& floor)
{
    const std::string kind = frame ? "Rigid3" : "Vec3";
    LoadReport report;
    const auto root =
        loadSceneText("<Node name='root' dt='0.005' gravity='0 -9.81 0'>" + response.loop +
                          "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><" + method.element +
                          " name='method'/><CollisionResponse response='" + response.response +
                          "'/><Node name='ball'><EulerImplicitSolver rayleighMass='5'/><CGLinearSolver iterations='50' "
                          "tolerance='1e-15' threshold='1e-30'/><MechanicalObject template='" +
                          kind + "' position='0 0.25 0" + (frame ? " 0 0 0 1" : "") + "'/><UniformMass " +
                          (frame ? "vertexMass='0.7 1 [0.004 0 0,0 0.004 0,0 0 0.004]'" : "vertexMass='0.7'") +
                          "/><UncoupledConstraintCorrection" + (frame ? "" : " defaultCompliance='1.428571'") +
                          "/><SphereCollisionModel radius='0.1' contactStiffness='20'/></Node>" + floor + "</Node>",
                      "test.scn", {}, &report);
    REQUIRE(report.ok());
    Simulation sim(root);
    REQUIRE(sim.init());
    BaseState& ball = *root->child("ball")->get<BaseState>(Search::Local);
    double highest = 0.;
    for (int k = 0; k < 800; ++k) {
        sim.step();
        if (k > 100) highest = std::max(highest, ball.pointPosition(0)[1]);
    }
    return {ball.pointPosition(0), highest};
}

}  // namespace

TEST_CASE("A ball that falls on triangles comes to rest on them", "[contact][ball]")
{
    for (const bool frame : {true, false})
        for (const bool up : {true, false})
            for (const bool onDiagonal : {false, true})
                for (const Method& method : methods)
                    for (const Response& response : responses) {
                        INFO((frame ? "frame, " : "point, ")
                             << method.element << ", " << response.response << ", triangles look "
                             << (up ? "up" : "down") << (onDiagonal ? ", on the diagonal" : ""));
                        const auto [x, highest] = fall(frame, method, response, floorOf(up, onDiagonal));
                        // On the diagonal a method may find a contact with each triangle.
                        const double distance = method.begin + radius, depth = mass * g * distance / 400.,
                                     least = response.yields ? depth : 0.,
                                     most = response.yields && !onDiagonal ? depth : 0.;
                        CHECK(x[1] >= distance - least - 1e-6);
                        CHECK(x[1] <= distance - most + 1e-6);
                        CHECK(std::abs(x[0]) + std::abs(x[2]) < 1e-6);
                        CHECK(highest < 0.25);
                    }
}

TEST_CASE("A ball does not fall through the diagonal of a quad whose lines are compared", "[contact][ball]")
{
    // The diagonal is no line of the mesh: it belongs to one of the two triangles.
    const std::string floor =
        "<Node name='floor'><MeshTopology position='-3 0 -3  -3 0 3  3 0 3  3 0 -3' quads='0 1 2 "
        "3'/><MechanicalObject/>"
        "<LineCollisionModel moving='0' simulated='0' contactStiffness='20'/><TriangleCollisionModel moving='0' "
        "simulated='0' contactStiffness='20' bothSide='1'/></Node>";
    for (const bool frame : {true, false})
        for (const Method& method : methods)
            for (const Response& response : responses) {
                INFO((frame ? "frame, " : "point, ") << method.element << ", " << response.response);
                const auto [x, highest] = fall(frame, method, response, floor);
                CHECK(x[1] >= method.begin + radius - (response.yields ? 0.02 : 1e-6));
                CHECK(x[1] <= method.begin + radius + 1e-6);
                CHECK(highest < 0.25);
            }
}

}  // namespace ball_on_triangles_test
