// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/MultigridPreconditioner.h"

#include <catch2/catch.hpp>

#include "components/linearsolver/PCGLinearSolver.h"
#include "core/behavior/State.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/StoredTopology.h"
#include "core/topology/TopologyChange.h"
#include "tests/core/linalg/ElasticMatrix.h"
#include "tests/harness/ParallelGuard.h"
#include "tests/harness/Paths.h"

namespace multigrid_preconditioner_test {

using namespace sofa::core;
using sofa::component::MultigridPreconditioner;
using sofa::component::PCGLinearSolver;

namespace {

/// A box of tetrahedra, fixed at its first points, that bends under its weight.
std::string bodyText(const std::string& name, int nx, int ny, int nz, const std::string& more = "")
{
    std::string points, tetrahedra, fixed;
    for (const Vec3& p : sofa::test::boxPoints(nx, ny, nz)) points += toText(p) + "  ";
    for (const auto& t : sofa::test::boxTetrahedra(nx, ny, nz))
        for (const int v : t) tetrahedra += std::to_string(v) + " ";
    for (int i = 0; i < nx * ny; ++i) fixed += std::to_string(i) + " ";
    return "<Node name='" + name + "'><MeshTopology name='mesh' position='" + points + "' tetrahedra='" + tetrahedra +
           "'/><MechanicalObject name='state'/><UniformMass vertexMass='0.1'/><FixedProjectiveConstraint indices='" +
           fixed + "'/><TetrahedronFEMForceField youngModulus='3000' poissonRatio='0.4' method='large'/>" + more +
           "</Node>";
}

struct Run
{
    Run(const std::string& solver, const std::string& bodies, const std::string& root = "")
        : sim(loadSceneText("<Node name='root' dt='0.02' gravity='0 -2 0' " + root + "><EulerImplicitSolver/>" +
                                solver + bodies + "</Node>",
                            "multigrid.scn"))
    {
        REQUIRE(sim.init());
    }
    void steps(int n)
    {
        for (int i = 0; i < n; ++i) sim.step();
    }
    PCGLinearSolver& solver() { return dynamic_cast<PCGLinearSolver&>(*sim.root().component("pcg")); }
    unsigned iterations() { return solver().d_lastIterations.value(); }
    std::size_t levels()
    {
        return dynamic_cast<MultigridPreconditioner&>(*sim.root().component("multigrid")).d_levels.value().size();
    }
    Vector<double> positions()
    {
        Vector<double> all;
        for (BaseState* s : ExecutionPlan::of(sim.root()).independentStates()) {
            Vector<double> v(s->size() * s->coordSize());
            s->getScalars(vec_id::position, v.data());
            all.insert(all.end(), v.begin(), v.end());
        }
        return all;
    }
    Simulation sim;
};

const std::string multigrid =
    "<PCGLinearSolver name='pcg' iterations='200' tolerance='1e-20'/><MultigridPreconditioner name='multigrid' "
    "coarsest='100'/>";
const std::string direct = "<SparseLDLSolver/>";

double difference(const Vector<double>& a, const Vector<double>& b)
{
    REQUIRE(a.size() == b.size());
    double m = 0.;
    for (std::size_t i = 0; i < a.size(); ++i) m = std::max(m, std::abs(a[i] - b[i]));
    return m;
}

}  // namespace

TEST_CASE("a body with a multigrid preconditioner moves as with a direct solver")
{
    const std::string body = bodyText("body", 5, 5, 14);
    Run exact(direct, body), run(multigrid, body),
        diagonal(
            "<PCGLinearSolver name='pcg' iterations='1000' "
            "tolerance='1e-20'/><JacobiPreconditioner/>",
            body);
    for (Run* r : {&exact, &run, &diagonal}) r->steps(10);
    CHECK(run.levels() >= 2);
    CHECK(difference(run.positions(), exact.positions()) < 1e-8);
    CHECK(run.iterations() < 40);
    CHECK(3 * run.iterations() < diagonal.iterations());
}

TEST_CASE("several bodies, frames and points in one matrix have a multigrid preconditioner")
{
    // Two bodies, one of them without support; beams, whose frames have six scalars; points without any coupling.
    std::string frames, lines;
    for (int i = 0; i < 60; ++i) {
        frames += std::to_string(0.2 * i) + " 9 0 0 0 0 1  ";
        if (i > 0) lines += std::to_string(i - 1) + " " + std::to_string(i) + " ";
    }
    std::string loose = bodyText("loose", 4, 4, 6);
    loose.erase(loose.find("<FixedProjectiveConstraint"), loose.find("<TetrahedronFEM") - loose.find("<FixedProj"));
    const std::string bodies =
        bodyText("body", 5, 5, 9) + loose + "<Node name='beam'><MechanicalObject template='Rigid3' position='" +
        frames + "'/><MeshTopology lines='" + lines +
        "'/><FixedProjectiveConstraint indices='0'/><UniformMass vertexMass='0.1 1 [0.01 0 0, 0 0.01 0, 0 0 0.01]'/>"
        "<BeamFEMForceField radius='0.1' youngModulus='1e6' poissonRatio='0.3'/></Node>"
        "<Node name='dust'><MechanicalObject position='0 0 0  5 5 5  6 6 6'/><UniformMass vertexMass='2'/></Node>";
    Run exact(direct, bodies), run(multigrid, bodies);
    for (Run* r : {&exact, &run}) r->steps(10);
    CHECK(run.levels() >= 2);
    CHECK(run.iterations() < 60);
    CHECK(difference(run.positions(), exact.positions()) < 1e-7);
}

TEST_CASE("bodies in the plane have a multigrid preconditioner with three modes")
{
    std::string points, triangles, fixed;
    constexpr int n = 16;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            points += std::to_string(0.1 * i) + " " + std::to_string(0.1 * j) + "  ";
            const int p = n * i + j;
            if (i == 0) fixed += std::to_string(p) + " ";
            if (i + 1 < n && j + 1 < n)
                for (const int v : {p, p + n, p + 1, p + 1, p + n, p + n + 1}) triangles += std::to_string(v) + " ";
        }
    const std::string body = "<Node name='plane'><MechanicalObject template='Vec2' position='" + points +
                             "'/><MeshTopology triangles='" + triangles +
                             "'/><UniformMass vertexMass='0.01'/><FixedProjectiveConstraint indices='" + fixed +
                             "'/><LinearSmallStrainFEMForceField template='Vec2,Triangle' youngModulus='1000' "
                             "poissonRatio='0.3'/></Node>";
    Run exact(direct, body), run(multigrid, body);
    for (Run* r : {&exact, &run}) r->steps(10);
    CHECK(run.levels() >= 2);
    CHECK(run.iterations() < 40);
    CHECK(difference(run.positions(), exact.positions()) < 1e-8);
}

TEST_CASE("multigrid follows elements that are removed, and constraints that come")
{
    const std::string body = bodyText("body", 5, 5, 10);
    Run exact(direct, body), run(multigrid, body);
    for (Run* r : {&exact, &run}) {
        r->steps(3);
        Node& node = *r->sim.root().children().front();
        removeElements(*node.get<StoredTopology>(Search::Local), ElementType::Tetrahedra, {500, 301, 300, 299});
        r->steps(3);
        std::string error;
        REQUIRE(node.component("FixedProjectiveConstraint1")->findData("indices")->read("0-40", error));
        dynamic_cast<Component&>(*node.component("FixedProjectiveConstraint1")).reinit();
        r->steps(3);
    }
    CHECK(run.iterations() < 40);
    CHECK(difference(run.positions(), exact.positions()) < 1e-8);
}

TEST_CASE("motion with a multigrid preconditioner is the same on any number of threads, and after a checkpoint")
{
    const sofa::test::ParallelGuard guard;
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "multigrid.checkpoint").string();
    const std::string body = bodyText("body", 8, 8, 20);
    // The levels serve for three steps: the checkpoint is between two updates.
    const std::string lagging =
        "<PCGLinearSolver name='pcg' iterations='200' tolerance='1e-10' assemblingRate='3'/><MultigridPreconditioner "
        "name='multigrid' coarsest='100'/>";
    for (const std::string& solver : {multigrid, lagging}) {
        setThreadCount(1);
        Run one(solver, body);
        one.steps(5);
        saveCheckpoint(one.sim, file);
        one.steps(5);
        setThreadCount(4);
        Run more(solver, body);
        more.steps(10);
        CHECK(more.positions() == one.positions());
        Run restored(solver, body);
        restored.steps(1);
        loadCheckpoint(restored.sim, file);
        restored.steps(5);
        CHECK(restored.positions() == one.positions());
        one.sim.reset();
        one.steps(10);
        CHECK(one.positions() == more.positions());
    }
}

TEST_CASE("conjugate gradients take multigrid by themselves where a large system needs many iterations")
{
    const std::string large = bodyText("body", 13, 13, 30), small = bodyText("body", 5, 5, 30);
    const std::string pcg = "<PCGLinearSolver name='pcg' iterations='2000' tolerance='1e-20' ";
    const std::string message = "after 100 iterations on 15210 unknowns: a multigrid preconditioner from now on";
    const auto residual = [](Run& r) {
        r.steps(1);
        const Vector<double>& graph = r.solver().d_graph.value();
        CHECK(graph.back() <= 1e-20);
        return graph.at(graph.size() - 2);
    };
    {
        MessageCapture log;
        Run run(pcg + "/>", large), plain(pcg + "automaticPreconditioner='0'/>", large);
        for (Run* r : {&run, &plain}) r->steps(1);
        CHECK(log.has(Severity::Info, message));
        CHECK(run.iterations() > 100);
        CHECK(plain.iterations() > 150);
        CHECK(run.iterations() < plain.iterations());
        for (Run* r : {&run, &plain}) r->steps(2);
        CHECK(log.count(Severity::Info) == 1);
        CHECK(run.iterations() < 60);
        CHECK(difference(run.positions(), plain.positions()) < 1e-7);
        // The criterion remains the square of the residual: the last one but one is above it, within a few iterations.
        CHECK(residual(run) > 1e-20);
        CHECK(residual(run) < 1e-17);
    }
    for (const auto& [body, root, solver] :
         {std::tuple(small, "", pcg + "/>"), std::tuple(large, "compatibility='sofa'", pcg + "/>"),
          std::tuple(large, "", pcg + "use_precond='0'/>")}) {
        MessageCapture log;
        Run run(solver, body, root);
        run.steps(1);
        CHECK(run.iterations() > 100);
        CHECK(log.count(Severity::Info) == 0);
    }
}

TEST_CASE("automatic multigrid goes on after a checkpoint with the same bits")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "automatic.checkpoint").string();
    const std::string body = bodyText("body", 13, 13, 30);
    const std::string pcg = "<PCGLinearSolver name='pcg' iterations='2000' tolerance='1e-16' assemblingRate='2'/>";
    MessageCapture log;
    Run run(pcg, body);
    run.steps(2);
    saveCheckpoint(run.sim, file);
    run.steps(3);
    CHECK(log.count(Severity::Info) == 1);
    Run restored(pcg, body);
    loadCheckpoint(restored.sim, file);
    restored.steps(3);
    CHECK(restored.positions() == run.positions());
    CHECK(restored.iterations() < 60);
    CHECK(log.count(Severity::Info) == 1);
}

TEST_CASE("mistakes with multigrid are told with their place")
{
    {
        MessageCapture log;
        loadSceneText("<Node name='root'>\n<MultigridPreconditioner degree='0'/></Node>", "bad.scn");
        CHECK(log.has(Severity::Error, "expected values in [1, 8], found 0"));
    }
    {
        // Points that have neither mass nor elements.
        const std::string loose = "<Node name='loose'><MechanicalObject position='0 0 0  1 0 0'/></Node>";
        Simulation sim(loadSceneText(
            "<Node name='root'><EulerImplicitSolver/>" + multigrid + bodyText("body", 5, 5, 9) + loose + "</Node>",
            "loose.scn"));
        REQUIRE(sim.init());
        CHECK_THROWS_WITH(sim.step(), Catch::Contains("/multigrid (MultigridPreconditioner): ") &&
                                          Catch::Contains("not positive definite") &&
                                          Catch::Contains("Is every body held, or given a mass?"));
    }
}

}  // namespace multigrid_preconditioner_test
