// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/log/Message.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace divergence_test {

using namespace sofa::core;

namespace {

/// Runs a scene; the error, or nothing.
std::string run(const std::string& text, int steps)
{
    Simulation sim(loadSceneText(text, "run.scn"));
    REQUIRE(sim.init());
    try {
        for (int i = 0; i < steps; ++i) sim.step();
    } catch (const SimulationError& e) {
        return e.what();
    }
    return {};
}

/// A spring that is far too stiff for the step: each step multiplies the motion by about h² k / m = 4e3.
std::string unstable(const std::string& loop)
{
    return "<Node name='root' dt='0.02' gravity='0 0 0'><DefaultAnimationLoop name='loop' " + loop +
           "/><EulerExplicitSolver/><MechanicalObject name='dofs' position='0 0 0  1.01 0 0'/><UniformMass "
           "vertexMass='1'/><FixedProjectiveConstraint indices='0'/><SpringForceField spring='0 1 1e7 0 1'/></Node>";
}

}  // namespace

TEST_CASE("a run whose bodies are farther away than the scene can mean stops, and names component, point and step")
{
    const std::string error = run(unstable(""), 20);
    CHECK(error.find("the simulation diverged: the ") == 0);
    CHECK(error.find(" of point 1 of /dofs (MechanicalObject)") != std::string::npos);
    CHECK(error.find("after step ") != std::string::npos);
    CHECK(error.find("divergenceFactor=\"1e+09\" of /loop") != std::string::npos);
    CHECK(run(unstable("divergenceFactor='0'"), 20).empty());
    CHECK(run(unstable("divergenceFactor='1e3'"), 4).find("beyond what the scene can mean") != std::string::npos);
}

TEST_CASE("a body whose spin leaves all bounds stops the run")
{
    const std::string error =
        run("<Node name='root' dt='0.01' gravity='0 0 0'><EulerExplicitSolver/><MechanicalObject name='dofs' "
            "template='Rigid3' position='0 0 0 0 0 0 1'/><UniformMass vertexMass='1'/><ConstantForceField "
            "forces='0 0 0 0 0 1e16'/></Node>",
            10);
    CHECK(error.find("the velocity of point 0 of /dofs") != std::string::npos);
}

TEST_CASE("free fall for an hour, a rocket and a fast body in a small scene are no divergence")
{
    const std::string body =
        "<EulerExplicitSolver/><MechanicalObject position='0 0 0  0 0.001 0' velocity='100 0 0  0 0 0'/>"
        "<UniformMass vertexMass='0.001'/>";
    CHECK(run("<Node name='root' dt='1' gravity='0 0 -9810'>" + body + "</Node>", 3600).empty());
    CHECK(run("<Node name='root' dt='1' gravity='0 0 0'>" + body + "</Node>", 3600).empty());
    CHECK(run("<Node name='root' dt='1' gravity='0 0 0'><EulerExplicitSolver/><MechanicalObject position='0 0 0'/>"
              "<UniformMass vertexMass='1'/><ConstantForceField forces='30 0 0'/></Node>",
              3600)
              .empty());
}

TEST_CASE("a time step that is not positive is an error where it stands")
{
    for (const char* dt : {"0", "-0.01"}) {
        const MessageCapture capture;
        Simulation sim(
            loadSceneText("<Node name='root'\n dt='" + std::string(dt) + "'><MechanicalObject/></Node>", "dt.scn"));
        const bool started = sim.init();
        CHECK(started == (std::string(dt) != "0"));  // the range of dt refuses the other one when it is read
        CHECK(capture.has(Severity::Error, "dt.scn:2:"));
    }
}

TEST_CASE("Newton iterations of an implicit integrator that do not converge are told once, counted, and fail the run")
{
    for (const std::string solver : {"EulerImplicitSolver", "NewmarkImplicitSolver"}) {
        INFO(solver);
        const auto scene = [&](const std::string& more) {
            return loadSceneText("<Node name='root' dt='0.1' gravity='0 -10 0'><" + solver +
                                     " name='ode' epsilon='1e-12' " + more +
                                     "/><SparseLDLSolver/><MechanicalObject position='0 0 0  1 0 0'/>"
                                     "<UniformMass vertexMass='1'/><FixedProjectiveConstraint indices='0'/>"
                                     "<SpringForceField spring='0 1 100 0 1'/></Node>",
                                 "newton.scn");
        };
        MessageCapture capture;
        Simulation few(scene("maxIterations='2'"));
        REQUIRE(few.init());
        for (int i = 0; i < 5; ++i) few.step();
        CHECK(capture.count(Severity::Warning) == 1);
        CHECK(capture.has(Severity::Warning, "Newton's method did not converge in the 2 iterations of the step"));
        CHECK(few.unconverged().size() == 1);
        CHECK(few.unconverged()[0].find("/ode (" + solver + ") did not converge in ") == 0);
        few.reset();
        CHECK(few.unconverged().empty());
        Simulation accepted(scene("maxIterations='2' requireConvergence='0'"));
        REQUIRE(accepted.init());
        for (int i = 0; i < 5; ++i) accepted.step();
        CHECK(accepted.unconverged().empty());
        Simulation enough(scene("maxIterations='50'"));
        REQUIRE(enough.init());
        for (int i = 0; i < 5; ++i) enough.step();
        CHECK(enough.unconverged().empty());
    }
}

}  // namespace divergence_test
