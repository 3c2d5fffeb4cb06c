// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/PrecomputedConstraintCorrection.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "components/constraint/LagrangianSolver.h"
#include "core/objectmodel/Path.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace precomputed_constraint_correction_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

struct Folder : sofa::test::TemporaryDirectory
{
    std::string attribute() const { return "fileDir='" + path().string() + "' "; }
};

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    bool good = false;

    Scene(const std::string& correction, const std::string& linear = "<SparseLDLSolver/>",
          const std::string& fixed = "<FixedProjectiveConstraint indices='0 2'/>",
          const std::string& solver = "<BlockGaussSeidelConstraintSolver tolerance='1e-14' maxIterations='5000'/>",
          const std::string& held = "13 26")
    {
        LoadReport report;
        root = loadSceneText(
            "<Node name='root' dt='0.02' gravity='0 -9.81 0'><FreeMotionAnimationLoop/>" + solver +
                "<Node name='cube'><EulerImplicitSolver rayleighStiffness='0.02' rayleighMass='0.1'/>" + linear +
                "<RegularGridTopology n='3 3 3' min='0 0 0' max='1 1 1'/><MechanicalObject name='points'/><UniformMass "
                "totalMass='2'/><HexahedronFEMForceField name='fem' youngModulus='4000' poissonRatio='0.3'/>" +
                fixed + correction + "<FixedLagrangianConstraint indices='" + held + "'/></Node></Node>",
            "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        good = sim->init();
    }
    void step(int n = 1)
    {
        REQUIRE(good);
        for (int i = 0; i < n; ++i) sim->step();
    }
    State<Vec3Types>& state() { return *root->getAll<State<Vec3Types>>(Search::Down).front(); }
    const ConstraintProblem& problem() { return root->get<LagrangianSolver>(Search::Local)->problem(); }
};

double difference(const Vector<double>& a, const Vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double worst = 0., largest = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(a[i] - b[i]));
        largest = std::max(largest, std::abs(a[i]));
    }
    REQUIRE(largest > 0.);
    return worst / largest;
}

void turn(State<Vec3Types>& s)
{
    const Quat q = Quat::fromAxisAngle(Vec3(1, 2, -1) / std::sqrt(6.), 1.1);
    for (Vec3& x : s.write(vec_id::position)) x = q.rotate(x);
}

const std::string precomputed = "<PrecomputedConstraintCorrection recompute='1' ";
const std::string exact = "<LinearSolverConstraintCorrection/>";

}  // namespace

TEST_CASE("The precomputed compliance is that of the matrix at the initial positions", "[constraint]")
{
    const Folder folder;
    Scene reference(exact), direct(precomputed + folder.attribute() + "/>"),
        iterative(precomputed + folder.attribute() + "/>", "<CGLinearSolver iterations='5' tolerance='1e-3'/>"),
        unbuilt(precomputed + folder.attribute() + "/>", "<SparseLDLSolver/>",
                "<FixedProjectiveConstraint indices='0 2'/>",
                "<UnbuiltGaussSeidelConstraintSolver tolerance='1e-14' maxIterations='5000'/>");
    for (Scene* s : {&reference, &direct, &iterative, &unbuilt}) s->step();
    REQUIRE(reference.problem().size == 6);
    CHECK(difference(reference.problem().w.dense(), direct.problem().w.dense()) < 1e-12);
    CHECK(difference(reference.problem().w.dense(), iterative.problem().w.dense()) < 1e-8);
    CHECK(difference(reference.problem().force, direct.problem().force) < 1e-10);
    CHECK(difference(direct.problem().force, unbuilt.problem().force) < 1e-10);
    double worst = 0.;
    for (std::size_t i = 0; i < 27; ++i)
        worst = std::max(worst,
                         norm(reference.state().read(vec_id::position)[i] - direct.state().read(vec_id::position)[i]));
    CHECK(worst < 1e-12);
    // The iterative solver keeps its own settings.
    CHECK(iterative.root->child("cube")->getAll<LinearSolver>().front()->findData("iterations")->text() == "5");
}

TEST_CASE("The precomputed compliance has all points that can move, from the first to the last", "[constraint]")
{
    const Folder folder;
    const std::string solver = "<BlockGaussSeidelConstraintSolver tolerance='1e-14' maxIterations='5000'/>";
    for (const std::string held : {"1 26", "1 3"}) {
        Scene reference(exact, "<SparseLDLSolver/>", "<FixedProjectiveConstraint indices='0 2'/>", solver, held),
            precomputedOne(precomputed + folder.attribute() + "/>", "<SparseLDLSolver/>",
                           "<FixedProjectiveConstraint indices='0 2'/>", solver, held);
        for (Scene* s : {&reference, &precomputedOne}) s->step();
        CHECK(difference(reference.problem().w.dense(), precomputedOne.problem().w.dense()) < 1e-12);
    }
}

TEST_CASE("Computing the compliance leaves the positions and velocities as they were", "[constraint]")
{
    const Folder folder;
    Scene a(precomputed + folder.attribute() + "/>"), b(exact);
    for (std::size_t i = 0; i < 27; ++i) {
        CHECK(a.state().read(vec_id::position)[i] == b.state().read(vec_id::position)[i]);
        CHECK(a.state().read(vec_id::velocity)[i] == Vec3(0, 0, 0));
    }
}

TEST_CASE("The compliance turns with the material", "[constraint]")
{
    // The body as a whole has turned: the matrix of the corotational force field turns with it.
    const Folder folder;
    Scene reference(exact, "<SparseLDLSolver/>", ""),
        turned(precomputed + folder.attribute() + "rotations='1'/>", "<SparseLDLSolver/>", ""),
        fixed(precomputed + folder.attribute() + "/>", "<SparseLDLSolver/>", "");
    for (Scene* s : {&reference, &turned, &fixed}) {
        REQUIRE(s->good);
        turn(s->state());
        s->step();
    }
    CHECK(difference(reference.problem().w.dense(), turned.problem().w.dense()) < 1e-9);
    CHECK(difference(reference.problem().w.dense(), fixed.problem().w.dense()) > 1e-3);
    double worst = 0.;
    for (std::size_t i = 0; i < 27; ++i)
        worst = std::max(worst,
                         norm(reference.state().read(vec_id::position)[i] - turned.state().read(vec_id::position)[i]));
    CHECK(worst < 1e-9);
}

TEST_CASE("The compliance is kept in a file of SOFA's name and format", "[constraint]")
{
    const Folder folder;
    const std::string correction = "<PrecomputedConstraintCorrection " + folder.attribute();
    Scene first(correction + "/>");
    first.step(3);
    const auto path = folder / "cube-81-0.02.comp";
    REQUIRE(std::filesystem::exists(path));
    CHECK(std::filesystem::file_size(path) == 81 * 81 * 8);
    {
        // A file with twice the compliance is read, not computed again.
        Vector<double> c(81 * 81);
        std::ifstream in(path, std::ios::binary);
        in.read(reinterpret_cast<char*>(c.data()), 81 * 81 * 8);
        for (double& x : c) x *= 2.;
        in.close();
        std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(c.data()), 81 * 81 * 8);
    }
    Scene second(correction + "/>"), third(correction + "recompute='1'/>");
    second.step();
    third.step();
    const double ratio = second.problem().w(0, 0) / third.problem().w(0, 0);
    CHECK(ratio == Approx(2.).epsilon(1e-12));
    // By name.
    Scene named("<PrecomputedConstraintCorrection fileCompliance='" + path.string() + "'/>");
    named.step();
    CHECK(difference(named.problem().w.dense(), third.problem().w.dense()) < 1e-12);
    CHECK(folder.files().size() == 1);
}

TEST_CASE("A file that is no compliance of the body is an error", "[constraint]")
{
    const Folder folder;
    const auto path = folder / "cube-81-0.02.comp";
    std::ofstream(path, std::ios::binary) << "short";
    Scene wrong("<PrecomputedConstraintCorrection " + folder.attribute() + "/>");
    CHECK_FALSE(wrong.good);
    Scene again(precomputed + folder.attribute() + "/>");
    CHECK(again.good);
    CHECK(std::filesystem::file_size(path) == 5);  // until the first step
    again.step();
    CHECK(std::filesystem::file_size(path) == 81 * 81 * 8);
    Scene noSolver(precomputed + folder.attribute() + "/>", "");
    CHECK_FALSE(noSolver.good);
    Scene notThere("<PrecomputedConstraintCorrection fileCompliance='nowhere.comp' " + folder.attribute() + "/>");
    CHECK(notThere.good);
}

}  // namespace precomputed_constraint_correction_test
