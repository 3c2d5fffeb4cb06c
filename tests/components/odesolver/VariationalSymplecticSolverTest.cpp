// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "core/log/Message.h"
#include "core/simulation/Checkpoint.h"
#include "tests/components/odesolver/Oscillator.h"
#include "tests/harness/Paths.h"
#include "tests/harness/SceneText.h"

namespace variational_symplectic_solver_test {

using namespace sofa::core;
using sofa::test::SpringRun;
using sofa::test::SpringScene;

namespace {

std::string variational(const std::string& attributes)
{
    return "<VariationalSymplecticSolver name='solver' newtonError='1e-13' steps='10' " + attributes +
           "/><SparseLDLSolver/>";
}

double hamiltonian(const SpringRun& r)
{
    return std::stod(r.root->component("solver")->findData("hamiltonianEnergy")->text());
}

}  // namespace

TEST_CASE("the variational integrator follows the midpoint rule of an oscillator")
{
    // (4/h² + k) r = −k u + 2 p/h, v = 2 r/h, p' = v − h/2 k (u + r), u' = u + h v
    const double h = 0.05, k = 4.;
    double u = 0.1, p = 0.;
    SpringRun run({.solvers = variational(""), .h = h});
    for (int i = 0; i < 10; ++i) {
        const double r = (-k * u + 2. * p / h) / (4. / (h * h) + k), v = 2. * r / h;
        p = v - 0.5 * h * k * (u + r);
        u += h * v;
        run.run(1);
        CHECK(run.x()[0] - 1. == Approx(u).epsilon(1e-11));
        CHECK(run.v()[0] == Approx(v).epsilon(1e-11));
        CHECK(hamiltonian(run) == Approx(0.5 * p * p + 0.5 * k * u * u).epsilon(1e-11));
    }
    // The midpoint rule keeps the energy of a linear oscillator.
    CHECK(hamiltonian(run) == Approx(0.02).epsilon(1e-11));
}

TEST_CASE("what the variational integrator comes to does not depend on the linear solver")
{
    // A heavy top: the stiffness of its weight is not symmetric, and solvers for symmetric matrices take a part of it.
    const auto top = [](const std::string& linear) {
        const sofa::test::SceneText s(
            "<VariationalSymplecticSolver newtonError='1e-14' steps='30'/>" + linear +
                "<MechanicalObject template='Rigid3' position='0 0 0 0.49999999999999994 0 0 0.8660254037844387' "
                "velocity='0 0 0 0 -17.32050807568877 10'/><UniformMass vertexMass='1 1 [0.5 0 0,0 0.5 0,0 0 0.2]'/>"
                "<PartialFixedProjectiveConstraint indices='0' fixedDirections='1 1 1 0 0 0'/><Node name='weight'>"
                "<MechanicalObject position='0 0 0.5'/><RigidMapping geometricStiffness='Exact'/>"
                "<ConstantForceField forces='0 0 -5'/></Node>",
            "0.01", "0 0 0");
        REQUIRE(s.good);
        for (int i = 0; i < 100; ++i) s.simulation->step();
        return s.root->get<State<Rigid3Types>>()->positions()[0].orientation.q;
    };
    const Vec4 right = top("<EigenSparseLU/>");
    CHECK(norm(top("<SparseLDLSolver/>") - right) < 1e-10);
    CHECK(norm(top("<CGLinearSolver iterations='4' tolerance='1e-15'/>") - right) < 1e-10);
}

TEST_CASE("the variational integrator is of second order, and its energy does not drift")
{
    const auto at = [](double h, int steps, const char* attributes) {
        return SpringRun({.solvers = variational(attributes), .h = h, .v = {0., 1., 0.}}).run(steps).x();
    };
    const Vec3 exact = at(0.05 / 64., 64 * 20, "");
    const double e1 = norm(at(0.05, 20, "") - exact), e2 = norm(at(0.025, 40, "") - exact);
    CHECK(std::log2(e1 / e2) == Approx(2.).margin(0.1));

    SpringRun run({.solvers = variational("useIncrementalPotentialEnergy='0'"), .h = 0.1, .v = {0., 1., 0.}});
    const double e0 = 0.5 + 0.5 * 4. * 0.01;
    double low = e0, high = e0;
    for (int i = 0; i < 3000; ++i) {
        run.run(1);
        low = std::min(low, hamiltonian(run));
        high = std::max(high, hamiltonian(run));
    }
    // Oscillations of the order h², the same at the beginning and at the end.
    CHECK(high - low < 0.02 * e0);
    CHECK(hamiltonian(run.run(1)) == Approx(e0).epsilon(0.02));
}

TEST_CASE("explicit variational integration is symplectic Euler")
{
    const double h = 0.05;
    double u = 0.1, v = 0.;
    SpringRun run({.solvers = "<VariationalSymplecticSolver explicitIntegration='1' rayleighMass='0.3'/>", .h = h});
    for (int i = 0; i < 10; ++i) {
        v += h * (-4. * u - 0.3 * v);
        u += h * v;
        run.run(1);
        CHECK(run.x()[0] - 1. == Approx(u).epsilon(1e-11));
        CHECK(run.v()[0] == Approx(v).epsilon(1e-11));
    }
}

TEST_CASE("the variational integrator continues from a checkpoint, starts anew after a reset, and writes its energies")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "state").string(), table = (folder.path() / "energy.csv").string();
    const SpringScene scene{.solvers = variational("saveEnergyInFile='1' file='" + table + "'"), .v = {0., 1., 0.}};
    {
        SpringRun whole(scene);
        whole.run(7);
        saveCheckpoint(whole.simulation, file);
        whole.run(7);
        SpringRun continued(scene);
        loadCheckpoint(continued.simulation, file);
        continued.run(7);
        CHECK(continued.x() == whole.x());
        CHECK(hamiltonian(continued) == hamiltonian(whole));
        whole.simulation.reset();
        whole.run(14);
        CHECK(continued.x() == whole.x());
    }
    {
        SpringRun(scene).run(3);
    }
    std::ifstream in(table);
    int lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    CHECK(lines == 4);

    MessageCapture capture;
    auto root = SpringScene{.solvers = variational("saveEnergyInFile='1'")}.load();
    Simulation simulation(root);
    CHECK_FALSE(simulation.init());
    CHECK(capture.has(Severity::Error, "cannot write ''"));
}

}  // namespace variational_symplectic_solver_test
