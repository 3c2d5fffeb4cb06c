// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/State.h"
#include "core/math/Quat.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/AssembledLinearSolver.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/components/linearsolver/MixedScene.h"
#include "tests/harness/Paths.h"

namespace warp_preconditioner_test {

using namespace sofa::core;
using namespace sofa::test;
using Catch::Matchers::Contains;

namespace {

const std::string pcg = "<PCGLinearSolver name='solver' iterations='300' tolerance='1e-20' preconditioner='@warp'/>";
const std::string warp = "<WarpPreconditioner name='warp' linearSystem='@rotations' linearSolver='@factor'/>";

std::string warped(int rate, const std::string& factor = "<SparseLDLSolver name='factor'/>")
{
    return pcg + "<RotationMatrixSystem name='rotations' assemblingRate='" + std::to_string(rate) + "'/>" + warp +
           factor;
}

/// A soft beam; held at one end, or free.
struct Beam
{
    explicit Beam(const std::string& solver, bool held = true, const std::string& law = "large")
        : root(loadSceneText("<Node name='root' gravity='0 -9.81 0' dt='0.02'><EulerImplicitSolver/>" + solver +
                                 "<RegularGridTopology n='3 3 8' min='0 0 0' max='1 1 3'/><MechanicalObject/>"
                                 "<UniformMass totalMass='1'/>" +
                                 (held ? "<FixedProjectiveConstraint indices='0-8'/>" : "") +
                                 "<HexahedronFEMForceField youngModulus='2e3' poissonRatio='0.4' method='" + law +
                                 "'/></Node>",
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
    /// Stretches it, turns it by a rotation vector, and makes a step from rest; says how many iterations that took. Its
    /// matrix is that of the rest shape, turned.
    int iterationsTurned(const Vec3& rotation)
    {
        const Quat q = Quat::fromRotationVector(rotation);
        std::string x, v, error;
        for (const Vec3& p : root->get<State<Vec3Types>>()->read(vec_id::restPosition)) {
            x += toText(q.rotate(Vec3(p[0], p[1], 1.2 * p[2]))) + ' ';
            v += "0 0 0 ";
        }
        REQUIRE(root->get<BaseState>()->findData("position")->read(x, error));
        REQUIRE(root->get<BaseState>()->findData("velocity")->read(v, error));
        sim.step();
        return std::stoi(root->component("solver")->findData("lastIterations")->text());
    }

    std::shared_ptr<Node> root;
    Simulation sim;
};

Vector<double> positionsAfter(const std::string& solver, int steps, const std::string& law = "large")
{
    Beam beam(solver, true, law);
    beam.steps(steps);
    return beam.positions();
}

/// The message with which a scene does not start.
std::string refusal(const std::string& solver)
{
    MessageCapture log;
    auto root = loadSceneText("<Node name='root'>\n<EulerImplicitSolver/>" + solver +
                                  "<MechanicalObject position='0 0 0'/><UniformMass/></Node>",
                              "bad.scn");
    Simulation sim(root);
    CHECK_FALSE(sim.init());
    return log.text();
}

}  // namespace

TEST_CASE("A precomputed solver keeps the first matrix")
{
    // A free point falls: m_0 Δv = h m_k g.
    auto root = loadSceneText(
        "<Node name='root' gravity='0 -10 0' dt='0.01'><EulerImplicitSolver/>"
        "<PrecomputedLinearSolver use_file='false'/><MechanicalObject position='0 0 0'/>"
        "<UniformMass name='mass' vertexMass='2'/></Node>",
        "point.scn");
    Simulation sim(root);
    REQUIRE(sim.init());
    double expected = 0.;
    for (const double mass : {2., 4., 1.}) {
        std::string error;
        REQUIRE(root->component("mass")->findData("vertexMass")->read(std::to_string(mass), error));
        sim.step();
        expected -= 0.1 * mass / 2.;
        CHECK(root->get<State<Vec3Types>>()->velocities()[0][1] == Approx(expected).epsilon(1e-14));
    }
    // A reset begins anew.
    sim.reset();
    sim.step();
    CHECK(root->get<State<Vec3Types>>()->velocities()[0][1] == Approx(-0.1).epsilon(1e-14));

    const std::string solver = "<PrecomputedLinearSolver/>";
    CHECK(difference(positionsAfter(solver, 20, "small"), positionsAfter("<SparseLDLSolver/>", 20, "small")) < 1e-10);
    CHECK(difference(positionsAfter(solver, 5), positionsAfter("<SparseLDLSolver/>", 5)) > 1e-6);
}

TEST_CASE("A factor that turns with a body is exact where the body has only turned")
{
    const Vec3 first(0.3, -0.5, 0.4), second(-1.1, 0.7, 2.);
    SECTION("since the rest shape")
    {
        for (const std::string& solver : {warped(100), pcg + "<PrecomputedWarpPreconditioner name='warp'/>"}) {
            Beam beam(solver, false);
            CHECK(beam.iterationsTurned(Vec3()) <= 2);
            CHECK(beam.iterationsTurned(first) <= 2);
            CHECK(beam.iterationsTurned(second) <= 2);
        }
        Beam still(pcg + "<PrecomputedWarpPreconditioner name='warp' use_rotations='0'/>", false);
        CHECK(still.iterationsTurned(Vec3()) <= 2);
        CHECK(still.iterationsTurned(second) > 10);
    }
    SECTION("since a shape that is turned already")
    {
        Beam beam(warped(2), false);
        CHECK(beam.iterationsTurned(first) <= 2);   // its own matrix
        CHECK(beam.iterationsTurned(second) <= 2);  // the same, turned
        CHECK(beam.iterationsTurned(first) <= 2);   // its own
        CHECK(beam.iterationsTurned(Vec3()) <= 2);
    }
    SECTION("by a solver whose factor is that of the update before")
    {
        Beam beam(warped(2, "<AsyncSparseLDLSolver name='factor'/>"), false);
        for (int k = 0; k < 3; ++k) {
            CHECK(beam.iterationsTurned(first) <= 2);
            CHECK(beam.iterationsTurned(second) <= 2);
            CHECK(beam.iterationsTurned(Vec3()) <= 2);
        }
    }
}

TEST_CASE("Warped preconditioners do not change what conjugate gradients find, and go on after a checkpoint")
{
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "state.ckpt").string();
    const auto exact = positionsAfter("<SparseLDLSolver/>", 20);
    std::string lagging = warped(3);
    lagging.replace(lagging.find("preconditioner='@warp'"), 22, "assemblingRate='2' preconditioner='@warp'");
    for (const std::string& solver :
         {warped(1), warped(3), warped(3, "<AsyncSparseLDLSolver name='factor'/>"), lagging,
          pcg + "<PrecomputedWarpPreconditioner name='warp'/>", std::string("<PrecomputedLinearSolver/>")}) {
        INFO(solver);
        if (solver.find("PCG") != std::string::npos) CHECK(difference(positionsAfter(solver, 20), exact) < 1e-7);
        for (const int before : {1, 2, 3, 4}) {
            Beam one(solver), other(solver);
            one.steps(before);
            saveCheckpoint(one.sim, file);
            one.steps(5);
            loadCheckpoint(other.sim, file);
            other.steps(5);
            CHECK(difference(one.positions(), other.positions()) == 0.);
            one.sim.reset();
            one.steps(before + 5);
            CHECK(difference(one.positions(), positionsAfter(solver, before + 5)) == 0.);
        }
    }
}

TEST_CASE("A turned factor gives the compliance of its solutions")
{
    Beam beam(pcg + "<PrecomputedWarpPreconditioner name='warp'/>", false);
    beam.iterationsTurned(Vec3(0.3, -0.5, 0.4));
    beam.iterationsTurned(Vec3(-1.1, 0.7, 2.));
    auto& solver = dynamic_cast<AssembledLinearSolver&>(*beam.root->component("warp"));
    const Vector<int> ptr{0, 2, 3}, columns{4, 30, 77};
    const Vector<double> values{1., -2., 0.5};
    Vector<double> w(4), b(216), x(216);
    solver.addCompliance({ptr, columns, values}, w, 1.);
    b[77] = 0.5;
    solver.apply(b, x);
    CHECK(w[0] > 0.);
    CHECK(w[3] == Approx(0.5 * x[77]).epsilon(1e-13));
    CHECK(w[1] == Approx(x[4] - 2. * x[30]).epsilon(1e-11));
    CHECK(w[2] == Approx(w[1]).epsilon(1e-11));
}

TEST_CASE("Mistakes with warped solvers are told with their place")
{
    CHECK_THAT(refusal(pcg + "<WarpPreconditioner name='warp'/>"),
               Contains("bad.scn:2") && Contains("node '/' has no solver to be warped"));
    CHECK_THAT(refusal(warped(5)), Contains("bad.scn:2") && Contains("knows how its points turn"));
    CHECK_THAT(refusal(pcg + "<PrecomputedWarpPreconditioner name='warp'/>"), Contains("use_rotations=\"false\""));
    CHECK_THAT(refusal("<MatrixLinearSystem name='rotations'/>" + pcg + warp + "<SparseLDLSolver name='factor'/>"),
               Contains("linearSystem: /rotations (MatrixLinearSystem) is no RotationMatrixSystem"));
    CHECK_THAT(refusal(pcg + warp +
                       "<RotationMatrixSystem name='rotations'/><WarpPreconditioner name='factor' "
                       "linearSolver='@warp'/>"),
               Contains("a WarpPreconditioner cannot be warped"));
}

}  // namespace warp_preconditioner_test
