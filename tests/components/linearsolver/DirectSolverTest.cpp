// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/linearsolver/PCGLinearSolver.h"
#include "core/behavior/State.h"
#include "core/log/Timer.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/linearsolver/MixedScene.h"

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("a block tridiagonal solver moves chains of frames as others do, and says when there is no chain")
{
    const auto moved = [](const std::string& solver, const std::string& lines) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver rayleighStiffness='0.01'/>" + solver +
                "<MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1  3 0 0 0 0 "
                "0 1'/><MeshTopology lines='" +
                lines +
                "'/><FixedProjectiveConstraint indices='0'/><UniformMass vertexMass='1 1 [0.1 0 0, 0 0.2 0, 0 0 0.2]'/>"
                "<BeamFEMForceField radius='0.1' youngModulus='1e5' poissonRatio='0.3'/></Node>",
            "chain.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 20; ++i) sim.step();
        Vector<double> x;
        for (const RigidCoord3& c : root->get<State<Rigid3Types>>()->positions())
            for (const double v : {c.center[0], c.center[1], c.center[2], c.orientation[2], c.orientation[3]})
                x.push_back(v);
        return x;
    };
    MessageCapture capture;
    const auto reference = moved("<SparseLDLSolver/>", "0 1 1 2 2 3");
    CHECK(reference[16] < -0.01);
    CHECK(difference(moved("<BTDLinearSolver/>", "0 1 1 2 2 3"), reference) < 1e-12);
    CHECK(difference(moved("<BTDLinearSolver template='BTDMatrix6d'/>", "0 1 1 2 2 3"), reference) < 1e-12);
    CHECK(capture.count(Severity::Warning) == 0);
    moved("<BTDLinearSolver/>", "0 1 1 2 1 3");
    CHECK(capture.count(Severity::Warning) == 1);
    CHECK(capture.has(Severity::Warning, "point 1, component 0 with /MechanicalObject1, point 3, component 0"));
}

TEST_CASE("direct solvers keep the factor of a matrix that does not change")
{
    const auto factorizations = [](const std::string& solver, const std::string& force) {
        auto root = loadSceneText("<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/>" + solver +
                                      "<MechanicalObject position='0 0 0  1 0 0'/><UniformMass totalMass='1'/>" +
                                      force + "</Node>",
                                  "two.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        Timers::reset();
        Timers::enable(true);
        for (int i = 0; i < 5; ++i) sim.step();
        Timers::enable(false);
        std::uint64_t count = 0;
        for (const Timers::Row& row : Timers::rows())
            if (row.phase == "Factorize") count += row.count;
        return count;
    };
    for (const char* solver : {"<SparseLDLSolver/>", "<EigenSimplicialLLT/>", "<EigenSparseLU/>"}) {
        INFO(solver);
        CHECK(factorizations(solver, "") == 0);
        CHECK(factorizations(solver, "<SpringForceField spring='0 1 10 0 0.5'/>") == 5);
    }
}

TEST_CASE("direct solvers notice that a matrix does not change any more")
{
    auto root = loadSceneText(
        "<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/><SparseLDLSolver/>"
        "<MechanicalObject name='state' position='0 0 0  1 0 0'/><UniformMass name='mass' "
        "vertexMass='1'/></Node>",
        "two.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    Timers::reset();
    Timers::enable(true);
    std::vector<std::uint64_t> factorizations;  // until the end of each step
    for (int step = 0; step < 8; ++step) {
        // The mass changes before the steps 2, 3 and 4.
        std::string error;
        if (step >= 2 && step < 5)
            REQUIRE(root->component("mass")->findData("vertexMass")->read(std::to_string(step), error));
        sim.step();
        std::uint64_t count = 0;
        for (const Timers::Row& row : Timers::rows())
            if (row.phase == "Factorize") count += row.count;
        factorizations.push_back(count);
    }
    Timers::enable(false);
    // Once more than necessary after a series of changes, during which matrices are not kept for comparison.
    CHECK(factorizations == std::vector<std::uint64_t>{1, 1, 2, 3, 4, 5, 5, 5});
    const auto& v = dynamic_cast<State<Vec3Types>&>(*root->get<BaseState>(Search::Local)).velocities();
    CHECK(v[0][1] == Approx(-8. * root->dt()));
}

TEST_CASE("the analysis of a matrix is kept while its pattern is the same")
{
    // Three points, of which two are tied by a spring of a changing stiffness matrix; the second body appears later.
    const auto phases = [](const std::string& solver) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/>" + solver +
                "<MechanicalObject position='0 0 0  1 0 0  0 1 0'/><UniformMass totalMass='1'/><SpringForceField "
                "name='springs' spring='0 1 10 0 0.5'/></Node>",
            "three.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        const auto count = [&](int steps) {
            Timers::reset();
            Timers::enable(true);
            for (int i = 0; i < steps; ++i) sim.step();
            Timers::enable(false);
            std::pair<std::uint64_t, std::uint64_t> n{0, 0};
            for (const Timers::Row& row : Timers::rows()) {
                if (row.phase == "Analyze") n.first += row.count;
                if (row.phase == "Factorize") n.second += row.count;
            }
            return n;
        };
        const auto steady = count(5);
        std::string error;
        REQUIRE(root->component("springs")->findData("spring")->read("0 1 10 0 0.5  1 2 10 0 0.5", error));
        dynamic_cast<Component*>(root->component("springs"))->reinit();
        return std::pair{steady, count(5)};
    };
    for (const char* solver :
         {"<SparseLDLSolver/>", "<SparseLDLSolver/><MetisOrderingMethod/>", "<EigenSparseLU/>",
          "<EigenSimplicialLDLT implementation='eigen'/>", "<DirectSolver printLog='0'/>",
          "<DirectSolver printLog='0' method='supernodal'/>", "<PCGLinearSolver/><MultigridPreconditioner/>"}) {
        INFO(solver);
        const auto [steady, changed] = phases(solver);
        CHECK(steady == std::pair<std::uint64_t, std::uint64_t>{0, 5});
        CHECK(changed == std::pair<std::uint64_t, std::uint64_t>{1, 5});
    }
}

TEST_CASE("a direct solver chooses its method by size and kind of the matrix, and says why")
{
    const auto chosen = [](const std::string& n, const std::string& more, const std::string& solver,
                           MessageCapture* log) {
        auto root = loadSceneText("<Node name='root' gravity='0 -1 0'><EulerImplicitSolver/>" + solver +
                                      "<RegularGridTopology name='grid' n='" + n +
                                      "' min='0 0 0' max='1 1 1'/><MechanicalObject/><UniformMass totalMass='1'/>"
                                      "<HexahedronFEMForceField youngModulus='100'/>" +
                                      more + "</Node>",
                                  "grid.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 3; ++i) sim.step();
        if (log) CHECK(log->count(Severity::Info) == 1);
        for (const auto& c : root->components())
            if (c->className() == "DirectSolver") return c->findData("chosen")->text();
        return std::string("none");
    };
    {
        MessageCapture log;
        CHECK(chosen("2 2 2", "", "<DirectSolver/>", &log) == "DenseLU");
        CHECK(log.has(Severity::Info, "24 unknowns, 576 numbers in the matrix. Up to 24 unknowns a dense LU"));
        CHECK(log.has(Severity::Info, "Chosen: DenseLU; the factor has 576 numbers (1 times the matrix)"));
    }
    {
        MessageCapture log;
        CHECK(chosen("3 3 3", "", "<DirectSolver/>", &log) == "SupernodalLDLT");
        CHECK(log.has(Severity::Info, "81 unknowns"));
        CHECK(log.has(Severity::Info,
                      "It is symmetric and positive definite: L D L' by supernodes, against 354294 "
                      "operations of a dense factorisation. Chosen: SupernodalLDLT, ordering AMD"));
        CHECK(log.has(Severity::Info, "threads"));
    }
    {
        MessageCapture log;
        // Not symmetric: a Laplacian with scaled rows.
        CHECK(chosen("3 3 3", "<DampingMatrixForceField laplacian='1' scaleRows='1'/>", "<DirectSolver/>", &log) ==
              "EigenSparseLU");
        CHECK(log.has(Severity::Info, "It is not symmetric and positive definite: sparse LU with pivoting"));
    }
    {
        MessageCapture log;
        CHECK(chosen("2 2 2", "", "<MetisOrderingMethod/><DirectSolver method='supernodal'/>", &log) ==
              "SupernodalLDLT");
        CHECK(log.has(Severity::Info,
                      "24 unknowns, 576 numbers in the matrix. Method: SupernodalLDLT, ordering METIS; the "
                      "factor has 300 numbers (0.520833 times the matrix) and takes"));
    }
    {
        MessageCapture log;
        CHECK(chosen("2 2 2", "", "<DirectSolver printLog='0'/>", nullptr) == "DenseLU");
        CHECK(log.count(Severity::Info) == 0);
    }
}
