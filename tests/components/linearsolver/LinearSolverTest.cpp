// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/linearsolver/CGLinearSolver.h"
#include "components/linearsolver/PCGLinearSolver.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/AssembledLinearSolver.h"
#include "core/visitor/Operations.h"
#include "tests/components/linearsolver/MixedScene.h"

namespace linear_solver_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

Vector<double> statesAfter(const std::string& solver, int steps)
{
    auto root = mixed(solver);
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < steps; ++i) sim.step();
    Vector<double> all;
    for (BaseState* s : ExecutionPlan::of(*root).independentStates()) {
        Vector<double> v(s->size() * s->coordSize());
        s->getScalars(vec_id::position, v.data());
        all.insert(all.end(), v.begin(), v.end());
    }
    return all;
}

}  // namespace

TEST_CASE("the assembled system is the matrix of the matrix-free product, mapped and constrained states included")
{
    auto root = mixed("<SparseLDLSolver/>");
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < 3; ++i) sim.step();

    MechanicalParams mp;
    mp.implicit = true;
    mp.mFactor = 1.3;
    mp.bFactor = -0.2;
    mp.kFactor = -0.7;
    MechanicalOperations mop(*root, mp);
    VectorOperations vop(*root);
    const VecDerivId p{30}, q{31};
    vop.allocate(p);
    vop.allocate(q);
    mop.propagateXAndV(vec_id::position, vec_id::velocity);
    mop.computeForce(vec_id::force);
    SystemAssembly a;
    a.assemble(*root, mop.mp);
    REQUIRE(a.size() == 9 + 6);
    REQUIRE(a.eliminated().size() == 3);
    SystemAssembly factored;
    factored.assemble(*root, mop.mp, {.factored = true});

    const auto n = static_cast<std::size_t>(a.size());
    Vector<double> in(n), assembled(n), free(n), direct(n);
    double mapped = 0.;
    for (std::size_t column = 3; column < n; ++column) {  // the first point is fixed
        std::fill(in.begin(), in.end(), 0.);
        in[column] = 1.;
        a.layout().scatter(in.data(), p);
        mop.addMBKdx(q, p, 1.3, -0.2, -0.7, true);
        mop.projectResponse(q);
        a.layout().gather(q, free.data());
        a.matrix().multiply(in, assembled);
        double scale = 0.;
        for (double v : assembled) scale = std::max(scale, std::abs(v));
        REQUIRE(scale > 0.);
        CHECK(difference(assembled, free) < 1e-12 * scale);
        factored.matrix().multiply(in, direct);
        mapped = std::max(mapped, difference(direct, free) / scale);
        factored.addFactoredProduct(in, direct);
        CHECK(difference(direct, free) < 1e-12 * scale);
    }
    CHECK(mapped > 0.1);  // what the matrix lacks

    // The blocks on the diagonal, also without the others, where mappings and constraints are between.
    SystemAssembly diagonal;
    diagonal.assemble(*root, mop.mp, {.diagonalOnly = true});
    const BlockCsrMatrix &whole = a.matrix(), &blocks = diagonal.matrix();
    REQUIRE(blocks.blockRows() == whole.blockRows());
    CHECK(blocks.nonZeros() < whole.nonZeros());
    for (int i = 0; i < whole.blockRows(); ++i)
        for (std::size_t k = 0; k < 9; ++k) {
            const double expected = whole.block(static_cast<std::size_t>(whole.diagonal(i)))[k];
            CHECK(blocks.block(static_cast<std::size_t>(blocks.diagonal(i)))[k] == Approx(expected).epsilon(1e-13));
        }
    CHECK(a.layout().describe(9 + 4) == "/rigid/body, point 0, component 4");
}

TEST_CASE("all linear solvers give the same motion")
{
    const auto reference = statesAfter("<SparseLDLSolver/>", 20);
    for (const char* solver :
         {"<EigenSimplicialLDLT/>",
          "<EigenSimplicialLDLT implementation='eigen'/>",
          "<EigenSparseLU/>",
          "<EigenSparseLU implementation='eigen'/>",
          "<EigenSparseQR/>",
          "<EigenSparseQR implementation='eigen'/>",
          "<EigenSimplicialLLT/>",
          "<CholeskySolver/>",
          "<SVDLinearSolver minSingularValue='1e-14'/>",
          "<AsyncSparseLDLSolver delay='0'/>",
          "<DirectSolver/>",
          "<DirectSolver method='dense'/>",
          "<DirectSolver method='supernodal'/>",
          "<DirectSolver method='simplicialLDLT'/>",
          "<DirectSolver method='simplicialLLT'/>",
          "<DirectSolver method='LU'/>",
          "<DirectSolver method='QR'/>",
          "<CGLinearSolver iterations='500' tolerance='1e-15' threshold='1e-40' assembly='always'/>",
          "<CGLinearSolver iterations='500' tolerance='1e-15' threshold='1e-40' assembly='never'/>",
          "<SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><NaturalOrderingMethod/>",
          "<MinResLinearSolver iterations='500' tolerance='1e-15'/>",
          "<MinResLinearSolver iterations='500' tolerance='1e-15' template='CompressedRowSparseMatrixd'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/>",
          "<JacobiPreconditioner/><PCGLinearSolver iterations='500' tolerance='1e-30'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30' preconditioner='@p'/><BlockJacobiPreconditioner "
          "name='p'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><SSORPreconditioner omega='1.3'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><IncompleteCholeskyPreconditioner/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><MultigridPreconditioner/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30'/><MultigridPreconditioner coarsest='3'/>",
          "<PCGLinearSolver iterations='500' tolerance='1e-30' preconditioner='@p' "
          "assemblingRate='7'/><SparseLDLSolver "
          "name='p'/>",
          "<MatrixLinearSystem name='system'/><SparseLDLSolver linearSystem='@system'/>"}) {
        INFO(solver);
        CHECK(difference(statesAfter(solver, 20), reference) < 1e-10);
    }
}

TEST_CASE("Nothing happens until a force acts, and then what would have happened at once", "[linearsolver]")
{
    // The matrix waits while right-hand sides are zero; the first one that is not must find it.
    const auto fall = [](int still, const std::string& attributes) {
        const auto root = loadSceneText(
            "<Node name='root' gravity='0 0 0' dt='0.01'><DefaultAnimationLoop/><EulerImplicitSolver "
            "rayleighStiffness='0.1'/><CGLinearSolver name='cg' iterations='50' tolerance='1e-12' threshold='1e-20' " +
                attributes +
                "/><MechanicalObject name='x' position='0 0 0  1 0 0  0 2 0'/><UniformMass vertexMass='0.5'/>"
                "<SpringForceField spring='0 1 30 0 1  1 2 50 0 2.2360679774997898'/><ConstantForceField name='push' "
                "indices='0' forces='0 0 0'/></Node>",
            "test.scn");
        REQUIRE(root);
        Simulation simulation(root);
        REQUIRE(simulation.init());
        std::string error;
        auto* force = root->component("push")->findData("forces");
        for (int step = 0; step < still; ++step) simulation.step();
        REQUIRE(force->read("1 2 3", error));
        for (int step = 0; step < 5; ++step) simulation.step();
        REQUIRE(force->read("0 0 0", error));
        for (int step = 0; step < 5; ++step) simulation.step();
        return root->component("x")->findData("position")->text();
    };
    for (const std::string attributes : {"", "assembly='never'", "warmStart='1'"}) {
        const std::string expected = fall(0, attributes);
        CHECK(expected.find("nan") == std::string::npos);
        for (const int still : {1, 2, 5}) CHECK(fall(still, attributes) == expected);
    }
}

TEST_CASE("a singular system stops the run and names the free degree of freedom")
{
    MessageCapture capture;
    auto root = loadSceneText(
        "<Node name='root' gravity='0 0 0'><StaticSolver/><NewtonRaphsonSolver "
        "absoluteResidualStoppingThreshold='0'/><SparseLDLSolver/>"
        "<MechanicalObject name='dofs' position='0 0 0  1.1 0 0'/><UniformMass vertexMass='1'/><SpringForceField "
        "spring='0 1 10 0 1'/></Node>",
        "singular.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    std::string error;
    try {
        sim.step();
    } catch (const SimulationError& e) {
        error = e.what();
    }
    const bool told = error.find("/dofs, point") != std::string::npos || capture.has(Severity::Warning, "/dofs, point");
    CHECK(told);
}

TEST_CASE("a link to the linear system that is emptied in a running scene is an error with its place", "[input]")
{
    for (const char* solver : {"<SparseLDLSolver name='solver'/>", "<PCGLinearSolver name='solver'/>",
                               "<CGLinearSolver name='solver' iterations='20' tolerance='1e-9' threshold='1e-12'/>"}) {
        INFO(solver);
        auto root = mixed(solver);
        Simulation sim(root);
        REQUIRE(sim.init());
        sim.step();
        root->component("solver")->findLink("linearSystem")->setPath("", {});
        CHECK_THROWS_WITH(sim.step(), Catch::Contains("/solver (") &&
                                          Catch::Contains("the link 'linearSystem' points to nothing any more"));
    }
}

}  // namespace linear_solver_test
