// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/components/constraint/ContactScene.h"

namespace box_stacks_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

TEST_CASE("A stack of ten boxes stands for 300 steps of a hundred iterations", "[contact][physics]")
{
    for (const bool turned : {false, true}) {
        INFO("every second box turned: " << turned);
        std::string bodies;
        const double half = 0.5, pitch = 2. * half + 0.01;
        for (int k = 0; k < 10; ++k) {
            const double angle = turned && k % 2 ? 0.5 : 0.;
            bodies += box("box" + std::to_string(k), {half, half, half},
                          "0.31 " + text(0.51 + pitch * k) + " 4.2 0 " + text(std::sin(angle / 2.)) + " 0 " +
                              text(std::cos(angle / 2.)));
        }
        Scene s(bodies + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.5&amp;warmStart=1'",
                "0 -9.81 0",
                "<BlockGaussSeidelConstraintSolver maxIterations='100' tolerance='1e-5' allVerified='1'/>");
        s.step(300);
        // A hundred iterations leave a creep of a few millimetres.
        for (int k = 0; k < 10; ++k) {
            const auto& frame = s.body("box" + std::to_string(k)).positions()[0];
            INFO("box " << k);
            CHECK(std::abs(frame.center[0] - 0.31) < 0.1);
            CHECK(std::abs(frame.center[2] - 4.2) < 0.1);
            CHECK(std::abs(frame.center[1] - (0.51 + pitch * k)) < 5e-3);
            CHECK(frame.orientation.rotate({0., 1., 0.})[1] > 0.9999);
        }
        CHECK(s.contacts() >= 40);
    }
}

namespace {

/// Steps of a stack of boxes with the defaults of all components, each of which must converge unless it may not: how
/// far the boxes are then from where they were.
double drift(int boxes, const std::string& intersection, int steps, const std::string& body = "", double height = 0.25,
             const std::string& solver = "<BlockGaussSeidelConstraintSolver/>", bool converges = true)
{
    std::string bodies;
    std::vector<Vec3> start;
    for (int k = 0; k < boxes; ++k) {
        start.push_back({0.31, 0.01 + height + k * (2. * height + 0.01), 4.2});
        const std::string position = text(start.back()) + " 0 0 0 1";
        bodies += body.empty() ? box("box" + std::to_string(k), {0.5, height, 0.5}, position)
                               : "<Node name='box" + std::to_string(k) +
                                     "'><EulerImplicitSolver/><CGLinearSolver/><MechanicalObject template='Rigid3' "
                                     "position='" +
                                     position + "'/>" + body + "<UncoupledConstraintCorrection/></Node>";
    }
    Scene s(bodies + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 -9.81 0", solver,
            intersection);
    s.step(steps);
    double most = 0.;
    for (int k = 0; k < boxes; ++k)
        most = std::max(
            most, norm(s.body("box" + std::to_string(k)).positions()[0].center - start[static_cast<std::size_t>(k)]));
    if (converges) CHECK(s.solver().d_unconvergedSolves.value() == 0);
    return most;
}

}  // namespace

TEST_CASE("Stacks of boxes stand with default settings, whatever finds the contacts", "[contact][physics]")
{
    for (const char* method : {"LocalMinDistance", "MinProximityIntersection", "NewProximityIntersection",
                               "CCDTightInclusionIntersection continuousCollisionType='Inertia'",
                               "CCDTightInclusionIntersection continuousCollisionType='FreeMotion'"}) {
        INFO(method);
        CHECK(drift(5, "<" + std::string(method) + limits, 200) < 1e-6);
        CHECK(drift(1, "<" + std::string(method) + limits, 2000) < 1e-6);
    }
}

TEST_CASE("Thirty boxes stand for ten seconds with default settings", "[contact][physics]")
{
    CHECK(drift(30, "<LocalMinDistance" + limits, 1000, solid) < 1e-5);
}

TEST_CASE("Stacks of boxes stand with default settings, whatever solves", "[contact][physics]")
{
    for (const char* solver :
         {"UnbuiltGaussSeidelConstraintSolver", "NNCGConstraintSolver", "ImprovedJacobiConstraintSolver",
          "LCPConstraintSolver", "LCPConstraintSolver build_lcp='0'"}) {
        INFO(solver);
        CHECK(drift(10, "<LocalMinDistance" + limits, 300, solid, 0.25, "<" + std::string(solver) + "/>") < 1e-6);
    }
}

TEST_CASE("Thirty boxes stand for twenty seconds with default settings, whatever finds the contacts", "[nightly]")
{
    for (const char* method : {"LocalMinDistance", "MinProximityIntersection", "NewProximityIntersection",
                               "CCDTightInclusionIntersection continuousCollisionType='Inertia'"}) {
        INFO(method);
        CHECK(drift(30, "<" + std::string(method) + limits, 2000) < 1e-5);
    }
}

TEST_CASE("Thirty boxes stand for twenty seconds with default settings, whatever solves", "[nightly]")
{
    for (const char* solver :
         {"BlockGaussSeidelConstraintSolver", "UnbuiltGaussSeidelConstraintSolver", "NNCGConstraintSolver",
          "ImprovedJacobiConstraintSolver", "LCPConstraintSolver", "LCPConstraintSolver build_lcp='0'"}) {
        INFO(solver);
        CHECK(drift(30, "<LocalMinDistance" + limits, 2000, solid, 0.25, "<" + std::string(solver) + "/>", false) <
              1e-5);
    }
}

TEST_CASE("A hundred boxes stand for ten seconds with default settings", "[contact][physics]")
{
    CHECK(drift(100, "<LocalMinDistance" + limits, 1000, solid) < 1e-6);
}

TEST_CASE("A light box carries one of a thousand times its mass", "[contact][physics]")
{
    std::string bodies = box("light", {0.5, 0.25, 0.5}, "0.31 0.26 4.2 0 0 0 1"),
                heavy = box("heavy", {0.5, 0.25, 0.5}, "0.31 0.77 4.2 0 0 0 1");
    const std::string mass = "vertexMass='2 ";
    heavy.replace(heavy.find(mass), mass.size(), "vertexMass='2000 ");
    Scene s(bodies + heavy + ground(0.), "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 -9.81 0",
            "<BlockGaussSeidelConstraintSolver/>");
    s.step(500);
    CHECK(norm(s.body("light").positions()[0].center - Vec3(0.31, 0.26, 4.2)) < 1e-6);
    CHECK(norm(s.body("heavy").positions()[0].center - Vec3(0.31, 0.77, 4.2)) < 1e-6);
    CHECK(s.solver().d_unconvergedSolves.value() == 0);
}

TEST_CASE("Boxes stand on the diagonal of a floor, whichever side of it is up", "[contact][physics]")
{
    for (const char* triangles : {"0 2 1  1 2 3", "0 1 2  1 3 2"})
        for (const double angle : {0., 0.3, pi / 4.}) {
            INFO("triangles " << triangles << ", turned by " << angle);
            // Two of its corners stand on the diagonal if it is turned by 45 degrees.
            std::string floor = ground(0.);
            const std::string before = "triangles='0 2 1  1 2 3'";
            floor.replace(floor.find(before), before.size(), "triangles='" + std::string(triangles) + "'");
            Scene s(box("box", {0.5, 0.5, 0.5},
                        "0 0.51 0 0 " + text(std::sin(angle / 2.)) + " 0 " + text(std::cos(angle / 2.))) +
                        floor,
                    "response='FrictionContactConstraint' responseParams='mu=0.5'", "0 -9.81 0",
                    "<BlockGaussSeidelConstraintSolver/>", "<LocalMinDistance" + limits);
            s.step(600);
            const auto& frame = s.body("box").positions()[0];
            CHECK(norm(frame.center - Vec3(0., 0.51, 0.)) < 1e-6);
            CHECK(frame.orientation.rotate({0., 1., 0.})[1] > 1. - 1e-9);
        }
}

}  // namespace box_stacks_test
