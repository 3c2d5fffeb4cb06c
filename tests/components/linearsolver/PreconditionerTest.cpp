// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/linearsolver/PCGLinearSolver.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/linearsolver/MixedScene.h"

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("a preconditioner may be switched off and on between steps", "[linearsolver]")
{
    const auto positions = [](bool switched) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver/><PCGLinearSolver name='pcg' "
            "iterations='400' tolerance='1e-26'/><JacobiPreconditioner/><MechanicalObject name='state'/>"
            "<RegularGridTopology nx='3' ny='4' nz='11' min='0 0 0' max='1 2 3'/>"
            "<HexahedronFEMForceField youngModulus='4000' poissonRatio='0.3'/><UniformMass totalMass='3'/>"
            "<FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11'/></Node>",
            "grid.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        auto& pcg = dynamic_cast<sofa::component::PCGLinearSolver&>(*root->component("pcg"));
        // The solution is kept for the next start in the order of the state, whatever multiplies.
        for (int i = 0; i < 6; ++i) {
            pcg.d_usePreconditioner.setValue(!switched || i % 2 == 0);
            sim.step();
        }
        BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        Vector<double> x(s->size() * 3);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    CHECK(difference(positions(true), positions(false)) < 1e-9);
}

TEST_CASE("a preconditioner that is kept is renewed when points have come or gone", "[linearsolver]")
{
    const auto positions = [](unsigned rate) {
        auto root = loadSceneText(
            "<Node name='root' dt='0.01'><EulerImplicitSolver/><PCGLinearSolver name='pcg' "
            "iterations='200' tolerance='1e-12' update_step='" +
                std::to_string(rate) +
                "'/><JacobiPreconditioner/><Node name='a'><MechanicalObject position='0 0 0  1 0.1 0  2 0 0.2'/>"
                "<UniformMass vertexMass='0.5'/><SpringForceField spring='0 1 50 0 1  1 2 70 0 "
                "2'/></Node><Node name='b'><MechanicalObject position='0 1 0  1 1 0'/>"
                "<UniformMass vertexMass='0.2'/></Node></Node>",
            "two.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        const std::shared_ptr<Node> b = root->children().at(1);
        for (int k = 0; k < 2; ++k) {
            root->removeChild(*b);
            sim.step();
            root->addChild(b);
            sim.step();
        }
        Vector<double> x(15);
        double* to = x.data();
        for (BaseState* s : ExecutionPlan::of(*root).independentStates()) {
            s->getScalars(vec_id::position, to);
            to += s->derivScalars();
        }
        return x;
    };
    CHECK(difference(positions(100), positions(1)) < 1e-9);
}

TEST_CASE("preconditioners save iterations, and a factor of the present matrix needs one")
{
    const auto iterations = [](const std::string& solver) {
        auto root =
            loadSceneText("<Node name='root' gravity='0 -9.81 0' dt='0.05'><EulerImplicitSolver/>" + solver +
                              "<RegularGridTopology n='3 3 12' min='0 0 0' max='1 1 "
                              "4'/><MechanicalObject/><UniformMass totalMass='1'/>"
                              "<FixedProjectiveConstraint indices='0-8'/><HexahedronFEMForceField youngModulus='1e5' "
                              "poissonRatio='0.4' method='large'/></Node>",
                          "beam.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        return std::stoi(root->component("solver")->findData("lastIterations")->text());
    };
    const std::string pcg = "<PCGLinearSolver name='solver' iterations='1000' tolerance='1e-16'/>";
    const int plain = iterations(pcg), jacobi = iterations(pcg + "<JacobiPreconditioner/>"),
              block = iterations(pcg + "<BlockJacobiPreconditioner/>"),
              ssor = iterations(pcg + "<SSORPreconditioner/>"),
              cholesky = iterations(pcg + "<IncompleteCholeskyPreconditioner/>");
    CHECK(plain > 20);
    CHECK(jacobi <= plain);
    CHECK(block <= jacobi);
    CHECK(ssor < plain);
    CHECK(cholesky < ssor);
    CHECK(iterations("<PCGLinearSolver name='solver' iterations='1000' tolerance='1e-16' preconditioner='@p'/>"
                     "<SparseLDLSolver name='p'/>") <= 2);
    CHECK(iterations("<PCGLinearSolver name='solver' iterations='3' tolerance='0'/>") == 3);
}
