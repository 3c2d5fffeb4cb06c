// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>

#include "components/constraint/LagrangianSolver.h"
#include "components/constraint/SolverConstraintCorrection.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/AssembledLinearSolver.h"
#include "tests/harness/Paths.h"

namespace compliance_cache_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

const std::string gaussSeidel = "<BlockGaussSeidelConstraintSolver maxIterations='40' tolerance='1e-9'/>";

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;

    Scene(const std::string& body, bool cached, const std::string& solver = gaussSeidel, const std::string& loop = "")
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='0.01' gravity='0 -9.81 0'><FreeMotionAnimationLoop " + loop + "/>" +
                                 solver +
                                 "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><LocalMinDistance "
                                 "alarmDistance='0.03' contactDistance='0.01'/><CollisionResponse "
                                 "response='FrictionContactConstraint' responseParams='mu=0.4'/>" +
                                 body + "</Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        sim = std::make_unique<Simulation>(root);
        REQUIRE(sim->init());
        for (auto* c : corrections()) c->d_cacheCompliance.setValue(cached);
    }
    std::vector<SolverConstraintCorrection*> corrections() const
    {
        return root->getAll<SolverConstraintCorrection>(Search::Down);
    }
    SolverConstraintCorrection& correction() const { return *corrections().front(); }
    LagrangianSolver& solver() const { return *root->get<LagrangianSolver>(Search::Local); }
    AssembledLinearSolver& linear() const { return *root->get<AssembledLinearSolver>(Search::Down); }
    /// Every number of every state, and the forces and the compliance of the constraints.
    Vector<double> numbers() const
    {
        Vector<double> all;
        for (BaseState* s : root->getAll<BaseState>(Search::Down)) {
            const auto take = [&](const auto& v) {
                const auto* first = reinterpret_cast<const double*>(v.data());
                all.insert(all.end(), first, first + v.size() * sizeof(v[0]) / sizeof(double));
            };
            if (auto* points = dynamic_cast<State<Vec3Types>*>(s)) {
                take(points->read(vec_id::position));
                take(points->read(vec_id::velocity));
            } else if (auto* frames = dynamic_cast<State<Rigid3Types>*>(s)) {
                take(frames->read(vec_id::position));
                take(frames->read(vec_id::velocity));
            }
        }
        const ConstraintProblem& p = solver().problem();
        all.insert(all.end(), p.force.begin(), p.force.end());
        const Vector<double> w = p.w.dense();
        all.insert(all.end(), w.begin(), w.end());
        return all;
    }
};

bool sameBits(const Vector<double>& a, const Vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// A bar 0.1 above the ground that is held at one end by constraint forces.
std::string bar(const std::string& law, const std::string& linear, const std::string& correction,
                const std::string& integrator = "<EulerImplicitSolver rayleighStiffness='0.02' rayleighMass='0.1'/>")
{
    return "<Node name='bar'>" + integrator + linear +
           "<RegularGridTopology n='7 3 3' min='0 0.1 0' max='1.2 0.4 0.3'/><MechanicalObject name='points'/>"
           "<UniformMass totalMass='3'/>" +
           law + correction +
           "<FixedLagrangianConstraint name='hold' indices='0 7 14 21 28 35 42 49 56'/>"
           "<PointCollisionModel group='1'/></Node>";
}
const std::string ground =
    "<Node name='ground'><MeshTopology position='-3 0 -3  3 0.01 -3  -3 -0.01 3  3 0 3' triangles='0 2 1  1 2 3'/>"
    "<MechanicalObject/><TriangleCollisionModel moving='0' simulated='0' bothSide='1'/></Node>";
const std::string linearLaw =
                      "<HexahedronFEMForceField name='law' method='small' youngModulus='4000' poissonRatio='0.3'/>",
                  turningLaw = "<HexahedronFEMForceField name='law' youngModulus='4000' poissonRatio='0.3'/>";
const std::string ldl = "<SparseLDLSolver/>", linearSolver = "<LinearSolverConstraintCorrection/>",
                  generic = "<GenericConstraintCorrection/>";

/// A rigid block that falls on the ground, turning, with a linear solver.
const std::string block =
    "<Node name='block'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Rigid3' position='0 0.3 0 "
    "0.1 0.2 0 0.97' velocity='0.2 0 0 0 3 1'/><UniformMass totalMass='2'/><LinearSolverConstraintCorrection/>"
    "<Node name='surface'><MeshTopology position='-0.2 -0.1 -0.2  0.2 -0.1 -0.2  -0.2 0.1 -0.2  0.2 0.1 -0.2  -0.2 "
    "-0.1 0.2  0.2 -0.1 0.2  -0.2 0.1 0.2  0.2 0.1 0.2'/><MechanicalObject/><PointCollisionModel/><RigidMapping/>"
    "</Node></Node>";

}  // namespace

TEST_CASE("Runs with and without a kept compliance have the same bits", "[constraint]")
{
    struct Case
    {
        std::string name, body, solver = gaussSeidel, loop = "";
    };
    const sofa::test::TemporaryDirectory folder;
    const std::string eigen = "<EigenSimplicialLDLT implementation='eigen'/>";
    const std::vector<Case> cases = {
        {"linear bar", bar(linearLaw, ldl, linearSolver) + ground},
        {"linear bar, generic correction, regularised",
         bar(linearLaw, ldl, "<GenericConstraintCorrection complianceFactor='0.9' regularizationTerm='1e-6'/>") +
             ground},
        {"turning bar", bar(turningLaw, ldl, linearSolver) + ground},
        {"linear bar with Eigen", bar(linearLaw, eigen, generic) + ground},
        {"linear bar with LU", bar(linearLaw, "<EigenSparseLU/>", generic) + ground},
        {"linear bar with conjugate gradients",
         bar(linearLaw, "<CGLinearSolver iterations='60' tolerance='1e-12' threshold='1e-30'/>", generic) + ground},
        {"unbuilt", bar(linearLaw, ldl, generic) + ground,
         "<UnbuiltGaussSeidelConstraintSolver maxIterations='40' tolerance='1e-9'/>"},
        {"contact solver", bar(linearLaw, ldl, generic) + ground,
         "<LCPConstraintSolver maxIt='40' tolerance='1e-9' mu='0.4'/>"},
        {"velocities first", bar(linearLaw, ldl, generic) + ground, gaussSeidel, "solveVelocityConstraintFirst='1'"},
        {"projected points", bar(linearLaw + "<FixedProjectiveConstraint indices='3 4'/>", ldl, linearSolver) + ground},
        {"precomputed",
         bar(linearLaw, ldl,
             "<PrecomputedConstraintCorrection recompute='1' fileDir='" + folder.path().string() + "'/>") +
             ground},
        {"precomputed factor", bar(linearLaw, "<PrecomputedLinearSolver/>", generic) + ground},
        {"precomputed factor that turns", bar(turningLaw,
                                              "<PCGLinearSolver iterations='60' tolerance='1e-12' "
                                              "preconditioner='@warp'/><PrecomputedWarpPreconditioner "
                                              "name='warp'/>",
                                              "<GenericConstraintCorrection linearSolver='@warp'/>") +
                                              ground},
        {"rigid block", block + ground},
        {"block on a bar", bar(linearLaw, ldl, linearSolver) + block + ground},
    };
    for (const Case& c : cases) {
        INFO(c.name);
        Scene with(c.body, true, c.solver, c.loop), without(c.body, false, c.solver, c.loop);
        int least = 1000, most = 0;
        for (int step = 0; step < 60; ++step) {
            with.sim->step();
            without.sim->step();
            REQUIRE(sameBits(with.numbers(), without.numbers()));
            const int rows = with.solver().problem().size;
            least = std::min(least, rows);
            most = std::max(most, rows);
        }
        CHECK(most >= least + 3);  // contacts have come
        CHECK(without.correction().complianceCache().rowsComputed() ==
              (c.name == "precomputed" ? without.correction().complianceCache().rowsSeen() : 0));
    }
}

TEST_CASE("Rows that stay on a linear body are solved for once", "[constraint]")
{
    Scene s(bar(linearLaw, ldl, linearSolver), true);
    const ComplianceCache& cache = s.correction().complianceCache();
    s.sim->step();
    CHECK(cache.size() == 27);
    CHECK(cache.lastComputed() == 27);
    const std::uint64_t version = s.linear().matrixVersion();
    for (int i = 0; i < 20; ++i) {
        s.sim->step();
        CHECK(cache.lastComputed() == 0);
        CHECK(s.linear().matrixVersion() == version);
    }
    CHECK(cache.rowsComputed() == 27);
    CHECK(cache.rowsSeen() == 21 * 27);

    SECTION("another damping is another matrix")
    {
        std::string error;
        REQUIRE(s.root->get<OdeSolver>(Search::Down)->findData("rayleighMass")->read("0.2", error));
        s.sim->step();
        CHECK(s.linear().matrixVersion() != version);
        CHECK(cache.lastComputed() == 27);
    }
    SECTION("another time step is another matrix")
    {
        s.root->d_dt.setValue(0.02);
        s.sim->step();
        CHECK(s.linear().matrixVersion() != version);
        CHECK(cache.lastComputed() == 27);
    }
    SECTION("a reset scene has the same matrix")
    {
        s.sim->reset();
        s.sim->step();
        CHECK(s.linear().matrixVersion() == version);
        CHECK(cache.lastComputed() == 0);
    }
}

TEST_CASE("Only contacts that change are solved for", "[constraint]")
{
    Scene s(bar(linearLaw, ldl, linearSolver) + ground, true);
    const ComplianceCache& cache = s.correction().complianceCache();
    int contactSteps = 0;
    s.sim->step();
    for (int i = 0; i < 60; ++i) {
        s.sim->step();
        CHECK(cache.lastComputed() <= s.solver().problem().size - 27);
        if (s.solver().problem().size > 27) ++contactSteps;
    }
    CHECK(contactSteps > 20);
}

TEST_CASE("A body whose matrix changes is solved for in every step", "[constraint]")
{
    Scene s(bar(turningLaw, ldl, linearSolver), true);
    for (int i = 0; i < 5; ++i) {
        const std::uint64_t version = s.linear().matrixVersion();
        s.sim->step();
        CHECK(s.linear().matrixVersion() != version);
        CHECK(s.correction().complianceCache().lastComputed() == 27);
    }
}

TEST_CASE("Two bodies keep their compliance apart", "[constraint]")
{
    std::string second = bar(linearLaw, ldl, linearSolver);
    second.replace(second.find("'bar'"), 5, "'second'");
    second.replace(second.find("4000"), 4, "9000");
    Scene with(bar(linearLaw, ldl, linearSolver) + second, true),
        without(bar(linearLaw, ldl, linearSolver) + second, false);
    for (int i = 0; i < 5; ++i) {
        with.sim->step();
        without.sim->step();
        REQUIRE(sameBits(with.numbers(), without.numbers()));
    }
    const auto corrections = with.corrections();
    REQUIRE(corrections.size() == 2);
    CHECK(corrections[0]->complianceCache().rowsComputed() == 27);
    CHECK(corrections[1]->complianceCache().rowsComputed() == 27);
}

TEST_CASE("A checkpoint that is loaded into a running scene leaves no stale compliance", "[constraint]")
{
    const sofa::test::TemporaryDirectory folder;
    for (const std::string& law : {linearLaw, turningLaw}) {
        const std::string body = bar(law, ldl, linearSolver) + ground;
        Scene with(body, true), without(body, false);
        const auto run = [&](int steps) {
            for (int i = 0; i < steps; ++i) {
                with.sim->step();
                without.sim->step();
                REQUIRE(sameBits(with.numbers(), without.numbers()));
            }
        };
        run(25);
        REQUIRE(with.solver().problem().size > 27);  // on the ground
        const std::string first = (folder / "with").string(), second = (folder / "without").string();
        saveCheckpoint(*with.sim, first);
        saveCheckpoint(*without.sim, second);
        Vector<double> next;
        for (int i = 0; i < 3; ++i) {
            run(1);
            if (i == 0) next = with.numbers();
        }
        // Another time step: the compliance that is kept is of another matrix than that of the checkpoint.
        for (const Scene* s : {&with, &without}) s->root->d_dt.setValue(0.02);
        run(4);
        CHECK_FALSE(sameBits(next, with.numbers()));
        for (const Scene* s : {&with, &without}) s->root->d_dt.setValue(0.01);
        loadCheckpoint(*with.sim, first);
        loadCheckpoint(*without.sim, second);
        run(1);
        CHECK(sameBits(next, with.numbers()));
        run(10);
        // And one of the other run, which is the same.
        loadCheckpoint(*with.sim, second);
        loadCheckpoint(*without.sim, first);
        run(1);
        CHECK(sameBits(next, with.numbers()));
    }
}

TEST_CASE("A direct solver that is started anew leaves no stale compliance", "[constraint]")
{
    const std::string solver = "<DirectSolver method='supernodal'/>", body = bar(linearLaw, solver, linearSolver);
    Scene with(body, true), without(body, false);
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            with.sim->step();
            without.sim->step();
            REQUIRE(sameBits(with.numbers(), without.numbers()));
        }
    };
    const auto& cache = with.correction().complianceCache();
    run(3);
    CHECK(cache.lastComputed() == 0);
    for (const char* method : {"dense", "simplicialLDLT", "LU", "supernodal", "QR", "automatic"}) {
        INFO(method);
        const std::uint64_t version = with.linear().matrixVersion();
        const Vector<double> before = with.solver().problem().w.dense();
        for (const Scene* s : {&with, &without}) {
            std::string error;
            REQUIRE(s->linear().findData("method")->read(method, error));
            s->linear().init();
            REQUIRE(s->linear().isValid());
        }
        run(1);
        CHECK(with.linear().matrixVersion() != version);
        CHECK(cache.lastComputed() == 27);
        run(2);
        CHECK(cache.lastComputed() == 0);
        // The matrix is the same, its factor is not: the last bits tell which one the compliance came from.
        if (std::string(method) == "dense") CHECK_FALSE(sameBits(before, with.solver().problem().w.dense()));
    }
    // The same method again is a new factor of the same bits.
    const Vector<double> before = with.solver().problem().w.dense();
    for (const Scene* s : {&with, &without}) s->linear().init();
    run(1);
    CHECK(cache.lastComputed() == 27);
    CHECK(sameBits(before, with.solver().problem().w.dense()));
}

}  // namespace compliance_cache_test
