// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/linearsolver/CGLinearSolver.h"
#include "components/linearsolver/PCGLinearSolver.h"
#include "core/behavior/State.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/Operations.h"
#include "tests/components/linearsolver/MixedScene.h"

namespace matrix_free_product_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// A grid of boxes with implicit Euler, and the components that are given.
std::shared_ptr<Node> grid(const std::string& solver, const std::string& more)
{
    return loadSceneText(
        "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver rayleighStiffness='0.05' "
        "rayleighMass='0.02'/>" +
            solver +
            "<MechanicalObject name='state'/><RegularGridTopology name='grid' nx='3' ny='4' nz='11' min='0 0 0' "
            "max='1 2 3'/>" +
            more + "</Node>",
        "grid.scn");
}

/// Positions of the first state after five steps.
Vector<double> afterFiveSteps(Simulation& sim)
{
    REQUIRE(sim.init());
    for (int i = 0; i < 5; ++i) sim.step();
    BaseState* s = ExecutionPlan::of(sim.root()).independentStates().front();
    Vector<double> x(s->size() * 3);
    s->getScalars(vec_id::position, x.data());
    return x;
}

}  // namespace

TEST_CASE("a matrix that nobody sees is not assembled where products are as fast without one")
{
    // Equal boxes: their products need no matrix (core/fem/elements/BoxHexahedra.h). What else gives stiffness needs
    // one.
    const auto positions = [](const std::string& solver, const std::string& more, unsigned& iterations) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver "
            "rayleighStiffness='0.05' rayleighMass='0.02'/>" +
                solver +
                "<MechanicalObject/><UniformMass totalMass='3'/><RegularGridTopology nx='3' "
                "ny='4' nz='6' min='0 0 0' max='1 2 3'/><HexahedronFEMForceField "
                "youngModulus='4000' poissonRatio='0.3'/><FixedProjectiveConstraint "
                "indices='0 1 2 3 4 5'/>" +
                more + "</Node>",
            "boxes.scn");
        Simulation sim(root);
        Vector<double> x = afterFiveSteps(sim);
        iterations =
            static_cast<unsigned>(std::stoul(root->component("CGLinearSolver1")->findData("lastIterations")->text()));
        return x;
    };
    const std::string cg =
        "<CGLinearSolver template='CompressedRowSparseMatrixMat3x3' iterations='200' tolerance='1e-12' "
        "threshold='1e-20' assembly='";
    const std::string system = "<MatrixLinearSystem template='CompressedRowSparseMatrixMat3x3'/>";
    const std::string spring = "<SpringForceField spring='8 20 60 0.3 0.9'/>";
    unsigned whole = 0, without = 0, other = 0;
    const Vector<double> always = positions(cg + "always'/>", "", whole);
    const Vector<double> automatic = positions(cg + "auto'/>", "", without);
    CHECK(whole > 10);
    // The last bits of |r| decide whether one more is needed.
    CHECK(std::abs(static_cast<int>(without) - static_cast<int>(whole)) <= 1);
    CHECK(difference(automatic, always) < 1e-10);
    CHECK(difference(automatic, always) > 0.);
    // Products of the whole grid sum in another order than those of single boxes (assembly never).
    const Vector<double> never = positions(cg + "never'/>", "", other);
    CHECK(difference(never, always) < 1e-10);
    CHECK(difference(never, automatic) > 0.);
    // A component for the system may be asked for its matrix.
    CHECK(positions(system + cg + "auto'/>", "", other) == always);
    CHECK(positions(cg + "auto'/>", spring, other) == positions(cg + "always'/>", spring, other));
}

TEST_CASE("implicit Euler takes the product along the velocity from the matrix where that is the same",
          "[linearsolver]")
{
    std::string points, triangles;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            points += std::to_string(0.1 * i) + " " + std::to_string(0.1 * j) + " " +
                      std::to_string(0.01 * ((3 * i + 5 * j) % 7)) + "  ";
            const int p = 6 * i + j;
            if (i < 5 && j < 5)
                for (const int v : {p, p + 1, p + 6, p + 1, p + 7, p + 6}) triangles += std::to_string(v) + " ";
        }
    bool byMatrix = false;
    const auto positions = [&](const std::string& assembly, const std::string& integrator, const std::string& forces,
                               const std::string& more) {
        std::string velocity;
        for (int i = 0; i < 37; ++i) velocity += i == 0 ? "0 0 0 " : i == 36 ? "0 0 1 " : "0.1 -0.2 0.3 ";
        auto root =
            loadSceneText("<Node name='root' gravity='0 -9.81 0' dt='0.01'><EulerImplicitSolver " + integrator +
                              "/><CGLinearSolver name='cg' template='CompressedRowSparseMatrixMat3x3' "
                              "iterations='400' tolerance='1e-14' threshold='1e-30' assembly='" +
                              assembly + "'/><MechanicalObject position='" + points + "' velocity='" +
                              velocity.substr(0, velocity.size() - 6) + "'/><MeshTopology triangles='" + triangles +
                              "'/><UniformMass totalMass='0.3'/><TriangularFEMForceField "
                              "youngModulus='2000' poissonRatio='0.3' method='large' " +
                              forces + "/>" + more + "</Node>",
                          "membrane.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        for (int i = 0; i < 5; ++i) sim.step();
        auto& cg = dynamic_cast<sofa::component::CGLinearSolver&>(*root->component("cg"));
        BaseState* s = ExecutionPlan::of(*root).independentStates().front();
        const std::size_t n = s->size() * 3;
        Vector<double> before(n), after(n);
        s->getScalars(vec_id::force, before.data());
        byMatrix = cg.addProduct(vec_id::force, vec_id::velocity, 0.5);
        s->getScalars(vec_id::force, after.data());
        CHECK((before == after) != byMatrix);
        Vector<double> x(n);
        s->getScalars(vec_id::position, x.data());
        return x;
    };
    const std::string damped = "rayleighStiffness='0.05' rayleighMass='0.1'";
    struct Case
    {
        std::string integrator, forces, more;
        bool byMatrix;
    };
    const std::string fixed = "<FixedProjectiveConstraint indices='0'/>";
    for (const Case& c : {Case{"", "", "", true}, Case{damped, "", fixed, true},
                          Case{damped + " trapezoidalScheme='1'", "", fixed, true},
                          Case{damped, "rayleighStiffness='0.1'", fixed, true},  // the integrator must not ask for it
                          Case{damped, "", "<FixedProjectiveConstraint indices='1'/>", false},  // it moves
                          Case{damped, "", "<PlaneProjectiveConstraint indices='0 1' normal='1 1 0'/>", false}}) {
        INFO(c.integrator << ' ' << c.forces << ' ' << c.more);
        const Vector<double> never = positions("never", c.integrator, c.forces, c.more);
        CHECK_FALSE(byMatrix);
        const Vector<double> always = positions("always", c.integrator, c.forces, c.more);
        CHECK(byMatrix == c.byMatrix);
        CHECK(difference(always, never) < 1e-10);
    }
}

TEST_CASE("grids of boxes are multiplied as a whole, with masses and fixed points", "[linearsolver]")
{
    unsigned iterations = 0;
    bool assembled = false;
    const auto positions = [&](const std::string& assembly, const std::string& more) {
        auto root = grid(
            "<CGLinearSolver name='cg' iterations='400' tolerance='1e-13' threshold='1e-25' assembly='" + assembly +
                "'/>",
            "<CorotationalFEMForceField template='Vec3,Hexahedron' youngModulus='4000' poissonRatio='0.3'/>" + more);
        Simulation sim(root);
        Vector<double> x = afterFiveSteps(sim);
        auto& cg = dynamic_cast<sofa::component::CGLinearSolver&>(*root->component("cg"));
        iterations = cg.d_lastIterations.value();
        assembled = cg.l_linearSystem->assembly().size() > 0;
        return x;
    };
    const std::string fixed = "<FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11'/>",
                      density = "<FEMMass template='Vec3,Hexahedron' massDensity='2'/>";
    for (const std::string& more :
         {fixed + density, fixed + "<UniformMass totalMass='3'/>",
          fixed + density + "<UniformMass totalMass='3' rayleighMass='0.1'/>",
          "<PartialFixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11 20' fixedDirections='1 1 0'/>" +
              density}) {
        INFO(more);
        const Vector<double> always = positions("always", more);
        CHECK(assembled);
        const Vector<double> automatic = positions("auto", more);
        CHECK_FALSE(assembled);
        CHECK(iterations > 20);
        CHECK(difference(automatic, always) < 1e-9);
        CHECK(difference(automatic, always) > 0.);
    }
    // What the product does not have: other forces, masses that differ, directions that are no axes.
    for (const std::string& more :
         {fixed + density + "<SpringForceField spring='8 20 60 0.3 0.9'/>",
          fixed + "<NodalMassDensity property='1 2 1'/><FEMMass template='Vec3,Hexahedron'/>",
          fixed + "<MeshMatrixMass massDensity='2'/>",
          "<LineProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11' origin='0 0 0' direction='1 1 0'/>" +
              density}) {
        INFO(more);
        CHECK(positions("auto", more) == positions("always", more));
        CHECK(assembled);
    }
}

TEST_CASE("without a preconditioner, preconditioned conjugate gradients multiply grids as a whole", "[linearsolver]")
{
    bool assembled = false;
    const auto positions = [&](const std::string& solver, const std::string& more) {
        auto root = grid(solver,
                         "<HexahedronFEMForceField youngModulus='4000' poissonRatio='0.3'/><UniformMass totalMass='3'/>"
                         "<FixedProjectiveConstraint indices='0 1 2 3 4 5 6 7 8 9 10 11'/>" +
                             more);
        Simulation sim(root);
        Vector<double> x = afterFiveSteps(sim);
        auto& pcg = dynamic_cast<sofa::component::PCGLinearSolver&>(*root->component("pcg"));
        CHECK(pcg.d_lastIterations.value() > 5);
        assembled = pcg.l_linearSystem->assembly().size() > 0;
        return x;
    };
    const std::string pcg = "<PCGLinearSolver name='pcg' iterations='400' tolerance='1e-26'/>",
                      assembling =
                          "<MatrixLinearSystem name='system'/><PCGLinearSolver name='pcg' iterations='400' "
                          "tolerance='1e-26' linearSystem='@system'/>";
    const Vector<double> always = positions(assembling, "");
    CHECK(assembled);
    const Vector<double> whole = positions(pcg, "");
    CHECK_FALSE(assembled);
    CHECK(difference(whole, always) < 1e-9);
    CHECK(difference(whole, always) > 0.);
    for (const char* ofDiagonal : {"<JacobiPreconditioner/>", "<BlockJacobiPreconditioner/>"}) {
        CHECK(difference(positions(pcg + ofDiagonal, ""), always) < 1e-9);
        CHECK_FALSE(assembled);
    }
    CHECK(difference(positions(pcg + "<SSORPreconditioner/>", ""), always) < 1e-9);
    CHECK(assembled);
    const std::string spring = "<SpringForceField spring='40 60 60 0.3 0.9'/>";
    CHECK(positions(pcg, spring) == positions(assembling, spring));
    CHECK(assembled);
}

TEST_CASE("what mapped states add, kept as factors, is what the matrix has of it where points move in a plane")
{
    std::string text = mixedScene;
    text.replace(text.find("%s"), 2, "<SparseLDLSolver/>");
    text.replace(text.find("<FixedProjectiveConstraint indices='0'/>"), 40,
                 "<PlaneProjectiveConstraint indices='1 2' normal='1 2 -1'/>");
    auto root = loadSceneText(text, "mixed.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    for (int i = 0; i < 3; ++i) sim.step();
    MechanicalParams mp;
    mp.implicit = true;
    mp.mFactor = 1.3;
    mp.kFactor = -0.7;
    SystemAssembly whole, factored;
    whole.assemble(*root, mp);
    factored.assemble(*root, mp, {.factored = true});
    REQUIRE(whole.size() == 9 + 6);
    const auto n = static_cast<std::size_t>(whole.size());
    Vector<double> in(n), expected(n), direct(n);
    double mapped = 0.;
    for (std::size_t column = 0; column < n; ++column) {
        std::fill(in.begin(), in.end(), 0.);
        in[column] = 1.;
        whole.matrix().multiply(in, expected);
        factored.matrix().multiply(in, direct);
        mapped = std::max(mapped, difference(direct, expected));
        factored.addFactoredProduct(in, direct);
        double scale = 0.;
        for (double v : expected) scale = std::max(scale, std::abs(v));
        CHECK(difference(direct, expected) < 1e-12 * scale);
    }
    CHECK(mapped > 1.);
}

TEST_CASE("contacts behind a dense mapping are factors beside the matrix")
{
    // A block of tetrahedra, whose surface is mapped, falls on its corner. Without contacts there is a matrix, then
    // factors beside it, and the motion is that of products without a matrix.
    struct Run
    {
        Vector<double> x;
        unsigned iterations, contacts;
    };
    const auto run = [](const std::string& assembly, int steps) {
        auto root = loadSceneText(
            "<Node name='root' gravity='0 -9.81 0' "
            "dt='0.01'><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
            "<NewProximityIntersection alarmDistance='0.1' contactDistance='0.04'/>"
            "<CollisionResponse response='PenalityContactForceField'/><DefaultAnimationLoop/>"
            "<Node name='block'><EulerImplicitSolver rayleighStiffness='0.02' rayleighMass='0.1'/>"
            "<CGLinearSolver name='cg' iterations='300' tolerance='1e-13' threshold='1e-30' assembly='" +
                assembly +
                "'/><MeshTopology position='0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1  1 1 1' "
                "tetrahedra='0 1 2 4  1 3 2 7  1 5 7 4  2 7 6 4  1 7 2 4'/>"
                "<MechanicalObject name='points' rotation='35 20 40' translation='0 0.35 0'/><UniformMass "
                "totalMass='1'/>"
                "<TetrahedronFEMForceField youngModulus='2000' poissonRatio='0.3' method='large'/>"
                "<Node name='surface'><MeshTopology position='0.1 0.1 0.1  0.9 0.1 0.1  0.1 0.9 0.1  0.1 0.1 0.9' "
                "triangles='0 2 1  0 1 3  0 3 2  1 2 3'/><MechanicalObject rotation='35 20 40' translation='0 0.35 0'/>"
                "<TriangleCollisionModel/><BarycentricMapping/></Node></Node>"
                "<Node name='floor'><MeshTopology position='-2 0 -2  2 0 -2  2 0 2  -2 0 2' triangles='0 2 1  0 3 2'/>"
                "<MechanicalObject/><TriangleCollisionModel name='faces' moving='0' simulated='0'/></Node></Node>",
            "block.scn");
        Simulation sim(root);
        REQUIRE(sim.init());
        Run r{{}, 0, 0};
        for (int i = 0; i < steps; ++i) {
            sim.step();
            if (root->children()[1]->component("faces")->findData("numberOfContacts")->text() != "0") ++r.contacts;
        }
        r.iterations =
            static_cast<unsigned>(std::stoul(root->children()[0]->component("cg")->findData("lastIterations")->text()));
        BaseState* s = ExecutionPlan::of(*root->children().front()).independentStates().front();
        r.x.resize(s->size() * 3);
        s->getScalars(vec_id::position, r.x.data());
        return r;
    };
    const Run never = run("never", 60), automatic = run("auto", 60), always = run("always", 60);
    CHECK(never.contacts > 20);
    CHECK(never.contacts < 60);
    CHECK(automatic.contacts == never.contacts);
    CHECK(automatic.iterations > 10);
    CHECK(difference(automatic.x, never.x) < 1e-9);
    CHECK(difference(automatic.x, always.x) < 1e-9);
    CHECK(difference(automatic.x, never.x) > 0.);
    CHECK(difference(automatic.x, always.x) > 0.);
    CHECK(difference(automatic.x, run("auto", 55).x) > 1e-6);
    setThreadCount(2);
    CHECK(run("auto", 60).x == automatic.x);
    setThreadCount(4);
    CHECK(run("auto", 60).x == automatic.x);
    setThreadCount(0);
}

TEST_CASE("Products without a matrix follow a scope that changes between two solves", "[linearsolver]")
{
    // As constraint corrections meet it: contacts add nodes after the matrix of the step.
    auto root =
        mixed("<CGLinearSolver name='cg' assembly='never' iterations='100' tolerance='1e-14' threshold='1e-30'/>");
    Simulation sim(root);
    REQUIRE(sim.init());
    sim.step();
    auto& cg = dynamic_cast<LinearSolver&>(*root->component("cg"));
    const std::shared_ptr<Node> rigid = root->children().at(1);
    const std::shared_ptr<Node> points = rigid->children().at(0);

    MechanicalParams mp;
    mp.implicit = true;
    mp.mFactor = 1.;
    mp.kFactor = -0.7;
    const VecDerivId x{30}, b{31};
    VectorOperations vop(*root);
    vop.allocate(x);
    vop.allocate(b);
    const auto& body = dynamic_cast<State<Rigid3Types>&>(*rigid->get<BaseState>(Search::Local));
    const auto solution = [&] {
        const auto rhs = dynamic_cast<State<Rigid3Types>&>(*rigid->get<BaseState>(Search::Local)).write(b);
        rhs[0] = {1., -2., 3., 0.4, 0.5, -0.6};
        cg.solve(x, b);
        return body.read(x)[0];
    };
    cg.setSystem(*root, mp);
    const auto whole = solution();

    points->d_activated.setValue(false);
    cg.setSystem(*root, mp);
    const auto without = solution();
    CHECK(norm(whole - without) > 1e-3 * norm(whole));

    points->d_activated.setValue(true);
    CHECK(norm(solution() - whole) < 1e-9 * norm(whole));
    points->d_activated.setValue(false);
    CHECK(norm(solution() - without) < 1e-9 * norm(whole));
}

}  // namespace matrix_free_product_test
