// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/linearsolver/CGLinearSolver.h"
#include "components/linearsolver/PCGLinearSolver.h"
#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/linearsolver/MixedScene.h"

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("Minimal residuals solve the systems of a column that buckles, which are not positive definite",
          "[linearsolver]")
{
    // Points on a line under compression: the geometric stiffness across it is negative.
    const auto after = [](const std::string& solver) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0' dt='0.5'><DefaultAnimationLoop/><EulerImplicitSolver "
            "rayleighStiffness='0' "
            "rayleighMass='0.2'/>" +
                solver +
                "<MechanicalObject name='dofs' position='0 0 0  1 0.01 0  2 0 0  3 0.01 0  4 0 0'/><UniformMass "
                "vertexMass='1'/><FixedProjectiveConstraint indices='0 4'/><SpringForceField spring='0 1 40 0 1.2  1 2 "
                "40 0 1.2  2 3 40 0 1.2  3 4 40 0 1.2'/></Node>",
            "column.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 3; ++i) sim.step();
        Vector<double> x(15);
        ExecutionPlan::of(*root).independentStates()[0]->getScalars(vec_id::position, x.data());
        return x;
    };
    const Vector<double> exact = after("<DirectSolver method='dense'/>");
    const MessageCapture messages;
    CHECK(difference(after("<MinResLinearSolver iterations='200' tolerance='1e-14'/>"), exact) < 1e-9);
    CHECK(messages.text().empty());
    // Conjugate gradients that check the curvature refuse them.
    (void)after("<PCGLinearSolver iterations='200' tolerance='1e-28'/>");
    CHECK_THAT(messages.text(), Catch::Contains("not positive definite"));
}

TEST_CASE("conjugate gradients stop at the number of iterations, the tolerance, the threshold")
{
    const auto iterations = [](const std::string& solver) {
        auto root = mixed(solver);
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        sim.step();
        return root->component("CGLinearSolver1")->findData("lastIterations")->text();
    };
    CHECK(iterations("<CGLinearSolver iterations='2' tolerance='0' threshold='0'/>") == "2");
    CHECK(iterations("<CGLinearSolver iterations='50' tolerance='1e9' threshold='0'/>") == "1");
    CHECK(iterations("<CGLinearSolver iterations='50' tolerance='0' threshold='1e9'/>") == "2");
}

TEST_CASE("light bodies fall with conjugate gradients as they do without, unless SOFA's numbers are asked for")
{
    // 1 kg in 1,000 points, h = 0.01 s, 100 steps of Euler: g h² n (n + 1)/2 = 4.954 m; SOFA's threshold of 1e-5 J is
    // more than p'Ap of the whole body.
    const auto fallen = [](const std::string& compatibility) {
        std::string points;
        for (int i = 0; i < 1000; ++i)
            points += toText(Vec3{0.1 * (i % 10), 0.1 * (i / 10 % 10), 0.1 * (i / 100)}) + "  ";
        auto root =
            loadSceneText("<Node name='root' gravity='0 0 -9.81' dt='0.01' compatibility='" + compatibility +
                              "'><EulerImplicitSolver/><CGLinearSolver name='cg'/><MechanicalObject position='" +
                              points + "'/><UniformMass totalMass='1'/></Node>",
                          "fall.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 100; ++i) sim.step();
        const auto* s = root->get<State<Vec3Types>>(Search::Down);
        CHECK(root->component("cg")->findData("unconvergedSolves")->text() == (compatibility == "sofa" ? "99" : "0"));
        return -s->positions()[0][2];
    };
    MessageCapture capture;
    CHECK(fallen("exact") == Approx(9.81 * 1e-4 * 100. * 101. / 2.).epsilon(1e-9));
    CHECK(capture.count(Severity::Warning) == 0);
    CHECK(fallen("sofa") == Approx(9.81 * 1e-4 * 100.).epsilon(1e-9));
    CHECK(capture.has(Severity::Warning, "p'Ap is below the threshold of 1e-05 at the first iteration"));
    CHECK(capture.count(Severity::Warning) == 1);
}

TEST_CASE("conjugate gradients that run out of iterations say so once, with the residual, and count")
{
    auto root = mixed("<CGLinearSolver name='cg' iterations='2' tolerance='1e-12' threshold='0'/>");
    Simulation sim(root);
    REQUIRE(sim.init());
    MessageCapture capture;
    for (int i = 0; i < 5; ++i) sim.step();
    CHECK(capture.count(Severity::Warning) == 1);
    CHECK(capture.has(Severity::Warning, "a solve ended with |r|/|b| = "));
    CHECK(capture.has(Severity::Warning, "all 2 iterations were used"));
    CHECK(root->component("cg")->findData("unconvergedSolves")->text() == "5");
    sim.reset();
    CHECK(root->component("cg")->findData("unconvergedSolves")->text() == "0");
}

TEST_CASE("conjugate gradients stop at once when a number is not finite, and say so")
{
    auto root = loadSceneText(
        "<Node name='root' gravity='0 0 1e300' dt='0.01'><EulerImplicitSolver/><CGLinearSolver "
        "name='cg' iterations='2147483647' tolerance='1e-9' threshold='1e-9'/><MechanicalObject "
        "position='0 0 0'/><UniformMass totalMass='1'/></Node>",
        "overflow.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    std::string error;
    try {
        sim.step();
    } catch (const SimulationError& e) {
        error = e.what();
    }
    CHECK(error.find("/cg (CGLinearSolver): the norm of the right-hand side is not finite") != std::string::npos);
}
