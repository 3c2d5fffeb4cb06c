// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/BaseState.h"
#include "core/behavior/Solvers.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace explanation_test {

using namespace sofa::core;
using Catch::Matchers::Contains;

namespace {

const char* const beam =
    "<RegularGridTopology n='3 3 5' min='0 0 0' max='1 1 2'/><MechanicalObject name='dofs'/>"
    "<UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0-8'/>";
const char* const tetrahedra = "<TetrahedronFEMForceField youngModulus='1e4' poissonRatio='0.3'/>";

/// What the solver named 'solver' says after so many steps.
Explanation explained(const std::string& body, int steps = 1)
{
    auto root = loadSceneText(
        "<Node name='root' gravity='0 -9.81 0' dt='0.02'><EulerImplicitSolver/>" + body + "</Node>", "explained.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < steps; ++i) sim.step();
    Explanation e;
    dynamic_cast<const LinearSolver&>(*root->component("solver")).explain(e);
    return e;
}

std::string text(const Explanation& e, std::string_view heading) { return std::string(e.text(heading)); }

}  // namespace

TEST_CASE("Iterative solvers tell their operator, and why it is that")
{
    const std::string cg = "<CGLinearSolver name='solver' iterations='50' tolerance='1e-9' threshold='1e-9'";
    SECTION("a matrix")
    {
        const Explanation e = explained(cg + "/>" + beam + tetrahedra);
        CHECK_THAT(text(e, "operator"), Contains("assembled matrix"));
        CHECK_THAT(text(e, "because"), Contains("cost less than those by force fields"));
        CHECK(e.text("unknowns") == "135");
        CHECK(std::stoi(text(e, "non-zeros")) > 135 * 9);
        CHECK_THAT(text(e, "last solve"), Contains(" iterations, stopped by tolerance"));
        CHECK(e.bytes() > 4 * std::stoul(text(e, "non-zeros")));  // of which the half is stored
    }
    SECTION("a matrix that the scene asks for")
    {
        CHECK_THAT(text(explained(cg + " assembly='always'/>" + beam + tetrahedra), "because"),
                   Contains("asks for a matrix"));
        CHECK_THAT(text(explained(cg + " template='CompressedRowSparseMatrixd'/>" + beam + tetrahedra), "because"),
                   Contains("template"));
    }
    SECTION("components")
    {
        const Explanation e = explained(cg + " assembly='never'/>" + beam + tetrahedra);
        CHECK_THAT(text(e, "operator"), Contains("without a matrix"));
        CHECK_THAT(text(e, "because"), Contains("asks for no matrix"));
        CHECK(e.text("unknowns") == "135");
        CHECK(e.text("non-zeros").empty());
    }
    SECTION("a grid")
    {
        const Explanation e = explained(cg + "/>" + beam +
                                        "<CorotationalFEMForceField name='fem' template='Vec3,Hexahedron' "
                                        "youngModulus='4000' poissonRatio='0.3'/>");
        CHECK_THAT(text(e, "operator"),
                   Contains("/fem (CorotationalFEMForceField)") && Contains("grid of equal boxes"));
        CHECK_THAT(text(e, "because"), Contains("only unknown state"));
        CHECK(e.text("unknowns") == "135");
        CHECK(e.bytes() > 0);
    }
    SECTION("nothing to solve")
    {
        const Explanation none = explained(cg + "/>" + beam + tetrahedra, 0);
        CHECK_THAT(text(none, "operator"), Contains("none yet"));
        CHECK(none.bytes() == 0);
    }
}

TEST_CASE("Solvers tell their factorisation and their preconditioner")
{
    const Explanation direct = explained(std::string("<SparseLDLSolver name='solver'/>") + beam + tetrahedra);
    CHECK(direct.text("operator") == "assembled matrix, its upper triangle only");
    CHECK(direct.text("unknowns") == "135");
    CHECK_FALSE(direct.text("ordering").empty());
    CHECK_THAT(text(direct, "factorisation"), Contains("SupernodalLDLT, ") && Contains(" numbers in the factor, "));
    CHECK(direct.bytes() > 8 * std::stoul(text(direct, "non-zeros")));
    CHECK_THAT(text(explained(std::string("<SparseLDLSolver name='solver'/>") + beam + tetrahedra, 0), "operator"),
               Contains("none yet"));

    const std::string pcg = "<PCGLinearSolver name='solver' iterations='100' tolerance='1e-16'/>";
    CHECK(explained(pcg + beam + tetrahedra).text("preconditioner") == "none");
    const Explanation ic = explained(pcg + "<IncompleteCholeskyPreconditioner name='ic'/>" + beam + tetrahedra);
    CHECK(ic.text("preconditioner") == "/ic (IncompleteCholeskyPreconditioner)");
    CHECK_THAT(text(ic, "factorisation"), Contains("incomplete Cholesky without fill"));
    const Explanation multigrid =
        explained(pcg + "<MultigridPreconditioner name='m' coarsest='30'/>" + beam + tetrahedra);
    CHECK_THAT(text(multigrid, "levels"), Contains("135 ") && Contains(" unknowns"));
    // The hierarchy is memory beside that of the matrix; before the first solve there is none.
    CHECK(multigrid.bytes() > explained(pcg + beam + tetrahedra).bytes() + 1000);
    CHECK(explained(pcg + "<MultigridPreconditioner name='m' coarsest='30'/>" + beam + tetrahedra, 0).bytes() ==
          explained(pcg + beam + tetrahedra, 0).bytes());
    // Dense factorisations have no ordering.
    const Explanation dense =
        explained(std::string("<DirectSolver name='solver'/><RegularGridTopology n='2 2 2' min='0 0 0' max='1 1 1'/>"
                              "<MechanicalObject/><UniformMass totalMass='1'/>") +
                  tetrahedra);
    CHECK_THAT(text(dense, "factorisation"), Contains("DenseLU, 576 numbers"));
    CHECK(dense.text("ordering").empty());
}

TEST_CASE("A direct solver that reads one triangle gives the bits of one that has both")
{
    // A linear system of the scene may have other readers: it is assembled as a whole.
    const auto positions = [](const std::string& solver, bool whole, const std::string& more) {
        auto root = loadSceneText("<Node name='root' gravity='0 -9.81 0' dt='0.02'><EulerImplicitSolver/>" + solver +
                                      beam + tetrahedra + more + "</Node>",
                                  "triangle.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 5; ++i) sim.step();
        Explanation e;
        dynamic_cast<const LinearSolver&>(*root->component("solver")).explain(e);
        CHECK((e.text("operator") == "assembled matrix") == whole);
        BaseState* s = root->get<BaseState>();
        Vector<double> x(s->size() * 3);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    const std::string alone = "<SparseLDLSolver name='solver'/>",
                      shared =
                          "<MatrixLinearSystem name='system'/><SparseLDLSolver name='solver' linearSystem='@system'/>";
    CHECK(positions(alone, false, "") == positions(shared, true, ""));
    const std::string spring = "<SpringForceField spring='20 40 60 0.3 0.9'/>";
    CHECK(positions(alone, false, spring) == positions(shared, true, spring));
    // Projections on directions that are no axes need both.
    const std::string line = "<LineProjectiveConstraint indices='40 41' origin='0 0 0' direction='1 1 0'/>";
    CHECK(positions(alone, true, line) == positions(shared, true, line));
    (void)positions("<EigenSimplicialLLT name='solver'/>", true, "");
}

}  // namespace explanation_test
