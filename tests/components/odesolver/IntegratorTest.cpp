// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "components/odesolver/StaticSolver.h"
#include "core/behavior/State.h"
#include "core/log/Timer.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/odesolver/Oscillator.h"

namespace integrator_test {

using namespace sofa::core;
using sofa::test::oscillator;
using sofa::test::Run;
using sofa::test::SpringRun;

namespace {

double exactX(double t) { return 1. + 0.1 * std::cos(2. * t); }

/// Observed order from the errors at t = 1 with step h and h/2.
double order(const std::string& solvers, double h)
{
    const int n = static_cast<int>(std::lround(1. / h));
    const double e1 = std::abs(oscillator(solvers, h, n).x - exactX(1.));
    const double e2 = std::abs(oscillator(solvers, h / 2., 2 * n).x - exactX(1.));
    REQUIRE(e1 > 1e-12);
    return std::log2(e1 / e2);
}

const std::string direct = "<SparseLDLSolver/>";

}  // namespace

TEST_CASE("integrators have their order of accuracy")
{
    CHECK(order("<EulerExplicitSolver/>", 0.01) == Approx(1.).margin(0.1));
    CHECK(order("<EulerExplicitSolver symplectic='0'/>", 0.01) == Approx(1.).margin(0.1));
    CHECK(order("<EulerImplicitSolver/>" + direct, 0.01) == Approx(1.).margin(0.1));
    CHECK(order("<RungeKutta4Solver/>", 0.1) == Approx(4.).margin(0.2));
}

TEST_CASE("symplectic Euler follows its recurrence at every step")
{
    // v' = v − h ω² (x − 1), x' = x + h v'
    double x = 1.1, v = 0.;
    const double h = 0.05;
    for (int n = 1; n <= 20; ++n) {
        v -= h * 4. * (x - 1.);
        x += h * v;
        const Run r = oscillator("<EulerExplicitSolver/>", h, n);
        CHECK(r.x == Approx(x).epsilon(1e-13));
        CHECK(r.v == Approx(v).epsilon(1e-12).margin(1e-14));
    }
}

TEST_CASE("velocityDamping takes exp(-h d) of the velocity at the end of each step, and nothing of its way")
{
    const double h = 0.05, d = 3.;
    for (const std::string solver : {"EulerImplicitSolver", "NewmarkImplicitSolver"}) {
        const auto one = [&](const std::string& damping) {
            SpringRun r({.solvers = "<" + solver + " " + damping + "/>" + direct, .h = h, .v = {0.7, 0., 0.}});
            r.run(1);
            return std::pair(r.x()[0], r.v()[0]);
        };
        const auto free = one(""), damped = one("velocityDamping='3'");
        CHECK(damped.second == Approx(free.second * std::exp(-h * d)).epsilon(1e-14));
        CHECK(damped.first == free.first);
        CHECK(std::abs(free.second) > 0.1);
    }
}

TEST_CASE("implicit Euler and the trapezoidal scheme follow their recurrences, with Rayleigh damping")
{
    // (m + t h rM m + t h (t h + rK) k) Δv = h (−k u − (t h + rK) k v − rM m v) with u = x − 1
    const double h = 0.05, k = 4., rM = 0.2, rK = 0.1;
    for (const double t : {1., 0.5}) {
        double x = 1.1, v = 0.;
        const std::string solver =
            "<EulerImplicitSolver rayleighMass='0.2' rayleighStiffness='0.1' trapezoidalScheme='" +
            std::string(t == 1. ? "0" : "1") + "'/>";
        for (int n = 1; n <= 10; ++n) {
            const double dv =
                h * (-k * (x - 1.) - (t * h + rK) * k * v - rM * v) / (1. + t * h * rM + t * h * (t * h + rK) * k);
            v += dv;
            x += h * v;
            const Run r = oscillator(solver + direct, h, n);
            CHECK(r.x == Approx(x).epsilon(1e-12));
            const Run cg =
                oscillator(solver + "<CGLinearSolver iterations='100' tolerance='1e-14' threshold='1e-30'/>", h, n);
            CHECK(cg.x == Approx(x).epsilon(1e-12));
        }
    }
}

TEST_CASE(
    "the symplectic scheme keeps the energy of an oscillator bounded; implicit Euler dissipates, explicit Euler gains")
{
    const auto energy = [](const Run& r) { return 0.5 * r.v * r.v + 2. * (r.x - 1.) * (r.x - 1.); };
    const double e0 = 2. * 0.01;
    CHECK(energy(oscillator("<EulerExplicitSolver/>", 0.02, 5000)) == Approx(e0).epsilon(0.05));
    CHECK(energy(oscillator("<EulerImplicitSolver/>" + direct, 0.02, 500)) < 0.8 * e0);
    CHECK(energy(oscillator("<EulerExplicitSolver symplectic='0'/>", 0.02, 500)) > 1.2 * e0);
}

TEST_CASE("a static solver finds the equilibrium of a hanging spring")
{
    // k (x − 1) = m g: x = 1 + 10/100
    auto root = loadSceneText(
        "<Node name='root' gravity='10 0 0'><StaticSolver/><NewtonRaphsonSolver maxNbIterationsNewton='20'/>" + direct +
            "<MechanicalObject position='0 0 0  1.02 0 0'/><UniformMass vertexMass='1'/><FixedProjectiveConstraint "
            "indices='0'/>"
            "<SpringForceField spring='0 1 100 0 1'/><PartialFixedProjectiveConstraint indices='1' fixedDirections='0 "
            "1 1'/></Node>",
        "static.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    sim.step();
    const auto* s = root->get<State<Vec3Types>>(Search::Down);
    CHECK(s->positions()[1][0] == Approx(1.1).epsilon(1e-9));
    CHECK(root->component("NewtonRaphsonSolver1")->findData("status")->text().find("Converged") == 0);
}

TEST_CASE("settings of Newton's method that a static solver has of old go to the solver that has them now")
{
    auto root = loadSceneText(
        "<Node name='root'><StaticSolver newton_iterations='7' "
        "absolute_residual_tolerance_threshold='0.5'/>" +
            direct + "<MechanicalObject position='0 0 0'/><UniformMass vertexMass='1'/></Node>",
        "old.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    const Base* newton = root->get<sofa::component::StaticSolver>()->l_newtonSolver.get();
    REQUIRE(newton);
    CHECK(newton->findData("maxNbIterationsNewton")->text() == "7");
    CHECK(newton->findData("absoluteResidualStoppingThreshold")->text() == "0.5");
    CHECK(newton->findData("relativeInitialStoppingThreshold")->text() == "1e-05");
    CHECK(newton->findData("absoluteEstimateDifferenceThreshold")->text() == "0");
}

TEST_CASE("a missing linear solver is named with what to add")
{
    MessageCapture capture;
    auto root =
        loadSceneText("<Node name='root'><EulerImplicitSolver/><MechanicalObject/><UniformMass totalMass='1'/></Node>",
                      "missing.scn");
    Simulation sim(root);
    CHECK_FALSE(sim.init());
    CHECK(capture.has(Severity::Error, "missing.scn:1:"));
    CHECK(capture.has(Severity::Error, "it needs a linear solver in node '/', for example <CGLinearSolver"));
}

TEST_CASE("a run that diverges stops with component, index and the last good time")
{
    MessageCapture capture;
    auto root = loadSceneText(
        "<Node name='root' gravity='0 0 0' dt='1e150'><DefaultAnimationLoop divergenceFactor='0'/><EulerExplicitSolver "
        "symplectic='0'/><MechanicalObject "
        "name='dofs' position='0 0 0  1.5 0 0'/>"
        "<UniformMass vertexMass='1'/><SpringForceField spring='0 1 1e100 0 1'/></Node>",
        "diverge.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    std::string error;
    try {
        for (int i = 0; i < 10; ++i) sim.step();
    } catch (const SimulationError& e) {
        error = e.what();
    }
    CHECK(error.find("of /dofs (MechanicalObject) is not finite after step") != std::string::npos);
    CHECK(error.find("the last good time is") != std::string::npos);
}

TEST_CASE("a mass, which is a force field too, has one line and one call in each phase of the timers")
{
    auto root = loadSceneText(
        "<Node name='root' dt='0.01'><EulerImplicitSolver rayleighMass='0.1'/><SparseLDLSolver/><MechanicalObject "
        "position='0 0 0  1 0 0' velocity='0 0 0  0 1 0'/><UniformMass name='mass' vertexMass='1'/>"
        "<FixedProjectiveConstraint indices='0'/><SpringForceField name='spring' spring='0 1 4 0 1'/></Node>",
        "timers.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    Timers::reset();
    Timers::enable(true);
    for (int i = 0; i < 3; ++i) sim.step();
    Timers::enable(false);
    int masses = 0, springs = 0;
    for (const auto& r : Timers::rows()) {
        INFO(r.path << ": " << r.count);
        if (r.phase == "/mass") ++masses;
        if (r.phase == "/spring") ++springs;
        if (r.phase == "/mass" || r.phase == "/spring") CHECK(r.count == 3);
    }
    Timers::reset();
    CHECK(masses == 3);  // the force, the right-hand side and the matrix
    CHECK(springs == 3);
}

TEST_CASE("a line search ends when its steps vanish, however many are allowed")
{
    // Nothing holds the point, so no step finds a smaller residual.
    const MessageCapture messages;
    auto root = loadSceneText(
        "<Node name='root' gravity='10 0 0'><StaticSolver/><NewtonRaphsonSolver "
        "maxNbIterationsNewton='2' maxNbIterationsLineSearch='4294967295'/><CGLinearSolver "
        "iterations='5' tolerance='1e-9' threshold='1e-9'/><MechanicalObject position='0 0 0'/>"
        "<UniformMass vertexMass='1'/></Node>",
        "free.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    sim.step();
    CHECK(messages.has(Severity::Warning, "line search failed at Newton iteration"));
}

}  // namespace integrator_test
