// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace dense_solvers_test {

using namespace sofa::core;
using Catch::Matchers::Contains;

namespace {

struct Run
{
    Run(const std::string& root, const std::string& scene)
        : node(loadSceneText("<Node name='root' " + root + ">" + scene + "</Node>", "dense.scn")), sim(node)
    {
        REQUIRE(sim.init());
    }
    double value(const char* data) const { return std::stod(node->component("solver")->findData(data)->text()); }

    std::shared_ptr<Node> node;
    Simulation sim;
};

/// Two points of 2 kg and a spring of 300 N/m along x, which nothing holds, pulled apart by 30 N.
const std::string freeSpring =
    "<StaticSolver/><NewtonRaphsonSolver absoluteResidualStoppingThreshold='1e-10'/>"
    "<MechanicalObject name='dofs' position='0 0 0  1 0 0'/><SpringForceField spring='0 1 300 0 1'/>"
    "<ConstantForceField indices='0 1' forces='-30 0 0  30 0 0'/>";

}  // namespace

TEST_CASE("The singular value decomposition solves for a body that nothing holds, and tells its rank")
{
    MessageCapture log;
    Run run("gravity='0 0 0'", "<SVDLinearSolver name='solver'/>" + freeSpring);
    run.sim.step();
    // The spring has grown by 30/300 m, about its middle; K = 300 [1 -1; -1 1] along x: singular values 600 and 0.
    const auto& x = run.node->get<State<Vec3Types>>()->positions();
    CHECK(x[0][0] == Approx(-0.05).epsilon(1e-10));
    CHECK(x[1][0] == Approx(1.05).epsilon(1e-10));
    CHECK(log.has(Severity::Warning, "rank 1 of 6: solutions leave out what nothing holds (first at /dofs, point "));
    CHECK(run.value("rank") >= 1.);
    Explanation e;
    dynamic_cast<const LinearSolver&>(*run.node->component("solver")).explain(e);
    CHECK_THAT(std::string(e.text("factorisation")), Contains("DenseSVD"));
    CHECK_THAT(std::string(e.text("rank")), Contains("condition number"));
}

TEST_CASE("Singular values of a system are those of its masses")
{
    // (m) Δv = h f for two masses: condition number 5.
    Run run("gravity='0 -1 0' dt='0.1'",
            "<EulerImplicitSolver/><SVDLinearSolver name='solver'/><MechanicalObject position='0 0 0  1 0 0'/>"
            "<DiagonalMass vertexMass='2 10'/>");
    run.sim.step();
    CHECK(run.value("conditionNumber") == Approx(5.).epsilon(1e-14));
    CHECK(run.value("rank") == 6.);
    CHECK(run.node->component("solver")->findData("singularValues")->text() == "10 10 10 2 2 2");
    CHECK(run.node->get<State<Vec3Types>>()->velocities()[1][1] == Approx(-0.1).epsilon(1e-14));
}

TEST_CASE("Small singular values count by their fraction of the largest, in scenes of SOFA by their size")
{
    const std::string light =
        "<EulerImplicitSolver/><SVDLinearSolver name='solver'/><MechanicalObject position='0 0 0  1 0 0'/>"
        "<UniformMass vertexMass='1e-7'/>";
    const auto velocity = [](const Run& r) { return r.node->get<State<Vec3Types>>()->velocities()[0][1]; };
    Run ours("gravity='0 -1 0' dt='0.1'", light), sofa("gravity='0 -1 0' dt='0.1' compatibility='sofa'", light);
    MessageCapture log;
    ours.sim.step();
    CHECK(log.count(Severity::Warning) == 0);
    sofa.sim.step();
    CHECK(velocity(ours) == Approx(-0.1).epsilon(1e-14));
    CHECK(velocity(sofa) == 0.);
    CHECK(sofa.value("rank") == 0.);
    CHECK(log.has(Severity::Warning, "rank 0 of 6"));
}

TEST_CASE("A dense Cholesky factorisation names what nothing holds")
{
    Run run("gravity='0 0 0'", "<CholeskySolver name='solver'/>" + freeSpring);
    CHECK_THROWS_WITH(run.sim.step(), Contains("/solver (CholeskySolver)") && Contains("/dofs, point 0, component 1"));
}

TEST_CASE("Names that SOFA's direct solvers have in other modules are known")
{
    for (const char* name : {"SparseLUSolver", "LULinearSolver", "SparseCholeskySolver"}) {
        Run run("gravity='0 -1 0' dt='0.1'",
                std::string("<EulerImplicitSolver/><") + name + "/><MechanicalObject position='0 0 0'/><UniformMass/>");
        run.sim.step();
        CHECK(run.node->get<State<Vec3Types>>()->velocities()[0][1] == Approx(-0.1).epsilon(1e-14));
    }
}

}  // namespace dense_solvers_test
