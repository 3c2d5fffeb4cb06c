// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Solvers.h"
#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/components/linearsolver/MixedScene.h"
#include "tests/harness/ParallelGuard.h"
#include "tests/harness/Paths.h"

namespace async_sparse_ldl_solver_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

struct Beam
{
    explicit Beam(const std::string& solver)
        : root(loadSceneText(
              "<Node name='root' gravity='0 -9.81 0' dt='0.02'><EulerImplicitSolver/>" + solver +
                  "<RegularGridTopology n='3 3 8' min='0 0 0' max='1 1 3'/><MechanicalObject/>"
                  "<UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0-8'/>"
                  "<HexahedronFEMForceField youngModulus='2e3' poissonRatio='0.4' method='large'/></Node>",
              "beam.scn")),
          sim(root)
    {
        REQUIRE(sim.init());
    }
    void steps(int n)
    {
        for (int i = 0; i < n; ++i) sim.step();
    }
    Vector<double> positions() const
    {
        const BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        Vector<double> x(s->size() * 3);
        s->getScalars(vec_id::position, x.data());
        return x;
    }

    std::shared_ptr<Node> root;
    Simulation sim;
};

Vector<double> positionsAfter(const std::string& solver, int steps)
{
    Beam beam(solver);
    beam.steps(steps);
    return beam.positions();
}

const std::string preconditioned =
    "<PCGLinearSolver name='solver' iterations='200' tolerance='1e-20' preconditioner='@factor'/>"
    "<AsyncSparseLDLSolver name='factor'";

}  // namespace

TEST_CASE("System k is solved with the factor of system k - delay, or of the first one")
{
    // A free point falls: m_j Δv = h m_k g with the mass m_k of the step and that of the factor, m_j.
    const double h = 0.01, g = -10.;
    const auto mass = [](int k) { return 1. + k * k; };
    const ParallelGuard guard;
    for (const unsigned threads : {1u, 4u})
        for (const int delay : {0, 1, 3}) {
            setThreadCount(threads);
            INFO("delay " << delay << ", " << threads << " threads");
            auto root = loadSceneText(
                "<Node name='root' gravity='0 -10 0' dt='0.01'><EulerImplicitSolver/><AsyncSparseLDLSolver delay='" +
                    std::to_string(delay) +
                    "'/><MechanicalObject position='0 0 0'/><UniformMass name='mass' vertexMass='1'/></Node>",
                "point.scn");
            Simulation sim(root);
            REQUIRE(sim.init());
            double expected = 0.;
            for (int k = 0; k < 8; ++k) {
                std::string error;
                REQUIRE(root->component("mass")->findData("vertexMass")->read(std::to_string(mass(k)), error));
                sim.step();
                expected += h * g * mass(k) / mass(std::max(0, k - delay));
                CHECK(root->get<State<Vec3Types>>()->velocities()[0][1] == Approx(expected).epsilon(1e-14));
            }
        }
}

TEST_CASE("The factor of an older matrix changes the motion, not that of conjugate gradients that it preconditions")
{
    const auto exact = positionsAfter("<SparseLDLSolver/>", 20);
    CHECK(difference(positionsAfter("<AsyncSparseLDLSolver delay='0'/>", 20), exact) == 0.);
    CHECK(difference(positionsAfter("<AsyncSparseLDLSolver/>", 20), exact) > 1e-5);
    CHECK(difference(positionsAfter(preconditioned + "/>", 20), exact) < 1e-7);
    CHECK(difference(positionsAfter(preconditioned + " delay='4'/>", 20), exact) < 1e-7);

    // It is nearly the inverse: few iterations where plain conjugate gradients need many.
    Beam beam(preconditioned + "/>"), plain("<PCGLinearSolver name='solver' iterations='200' tolerance='1e-20'/>");
    beam.steps(20);
    plain.steps(20);
    const auto iterations = [](const Beam& b) {
        return std::stoi(b.root->component("solver")->findData("lastIterations")->text());
    };
    CHECK(iterations(beam) < 15);
    CHECK(iterations(plain) > 3 * iterations(beam));
    CHECK(std::stoi(beam.root->component("factor")->findData("L_nnz")->text()) > 3 * 72);
}

TEST_CASE("Factors in the background give the same bits for any number of threads, in each run")
{
    const ParallelGuard guard;
    for (const std::string& solver : {std::string("<AsyncSparseLDLSolver delay='2'/>"), preconditioned + "/>"}) {
        setThreadCount(1);
        const auto reference = positionsAfter(solver, 12);
        setThreadCount(4);
        for (int run = 0; run < 5; ++run) CHECK(difference(positionsAfter(solver, 12), reference) == 0.);
    }
}

TEST_CASE("Factors in the background go on after a checkpoint, and begin anew after a reset")
{
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "state.ckpt").string();
    for (const std::string& solver :
         {std::string("<AsyncSparseLDLSolver/>"), std::string("<AsyncSparseLDLSolver delay='3'/>"),
          preconditioned + " delay='2'/>",
          std::string("<PCGLinearSolver iterations='200' tolerance='1e-12' assemblingRate='3' "
                      "preconditioner='@factor'/><AsyncSparseLDLSolver name='factor'/>")})
        for (const int before : {1, 2, 7}) {
            INFO(solver << " after " << before);
            Beam one(solver), other(solver);
            one.steps(before);
            saveCheckpoint(one.sim, file);
            one.steps(8);
            loadCheckpoint(other.sim, file);
            other.steps(8);
            CHECK(difference(one.positions(), other.positions()) == 0.);
            one.sim.reset();
            one.steps(before + 8);
            CHECK(difference(one.positions(), positionsAfter(solver, before + 8)) == 0.);
        }
}

TEST_CASE("A matrix of another size is factorised at once")
{
    auto root = loadSceneText(
        "<Node name='root' gravity='0 -10 0' dt='0.01'><EulerImplicitSolver/><AsyncSparseLDLSolver/>"
        "<Node name='a'><MechanicalObject position='0 0 0'/><UniformMass name='mass' vertexMass='2'/></Node>"
        "<Node name='b'><MechanicalObject position='1 0 0'/><UniformMass vertexMass='1'/></Node></Node>",
        "two.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < 3; ++i) sim.step();
    const std::shared_ptr<Node> a = root->children().front();
    std::string error;
    REQUIRE(a->component("mass")->findData("vertexMass")->read("5", error));
    root->removeChild(*root->children().back());
    sim.step();
    CHECK(a->get<State<Vec3Types>>()->velocities()[0][1] == Approx(-0.4));
    // And from then on that of the step before is taken.
    REQUIRE(a->component("mass")->findData("vertexMass")->read("10", error));
    sim.step();
    CHECK(a->get<State<Vec3Types>>()->velocities()[0][1] == Approx(-0.6));
}

TEST_CASE("Solvers with a factor in the background say so, and name a body that nothing holds")
{
    Beam beam("<AsyncSparseLDLSolver name='solver' delay='2'/>");
    beam.steps(1);
    Explanation e;
    dynamic_cast<const LinearSolver&>(*beam.root->component("solver")).explain(e);
    CHECK(e.text("delay") == "2 systems, factorised in the background");
    CHECK_THAT(std::string(e.text("factorisation")), Catch::Matchers::Contains("numbers in the factor"));

    auto root = loadSceneText(
        "<Node name='root'><EulerImplicitSolver/><AsyncSparseLDLSolver name='solver'/>"
        "<MechanicalObject name='dofs' position='0 0 0'/><ConstantForceField indices='0' "
        "forces='1 0 0'/></Node>",
        "massless.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    CHECK_THROWS_WITH(sim.step(), Catch::Matchers::Contains("/dofs, point 0") &&
                                      Catch::Matchers::Contains("/solver (AsyncSparseLDLSolver)"));
}

}  // namespace async_sparse_ldl_solver_test
