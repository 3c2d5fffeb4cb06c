// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/CuttingManager.h"

#include <catch2/catch.hpp>

#include "core/parallel/Parallel.h"
#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/CutScene.h"
#include "tests/harness/Paths.h"

namespace cutting_manager_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;
using component::CuttingManager;

namespace {

/// A cube that is held at one side and shakes, and a blade of two points, or three, that goes through it in 30 steps.
std::string scene(const std::string& manager, const std::string& blade = "0.45 1.2 -0.5 0.55 1.2 1.5",
                  const std::string& lines = "")
{
    std::string velocities;
    for (auto i = std::ptrdiff_t{0}; i < std::ranges::count(blade, ' ') / 3 + 1; ++i) velocities += "0 -5 0 ";
    return cutScene(jittered(ElementType::Tetrahedra, 3, 0.15, 1),
                    elasticity(ElementType::Tetrahedra) + "<FixedProjectiveConstraint indices='0 4 8'/>" + manager +
                        "<Node name='skin'><TriangleSetTopologyContainer name='triangles'/>"
                        "<Tetra2TriangleTopologicalMapping/><Node><OglModel/><IdentityMapping/></Node></Node>",
                    "<Node name='blade'><EulerExplicitSolver/>" + lines +
                        "<MechanicalObject name='points' tags='CuttingTool' position='" + blade + "' velocity='" +
                        velocities + "'/><UniformMass totalMass='1'/></Node>");
}

CuttingManager& managerOf(const Run& r) { return *r.body().get<CuttingManager>(Search::Local); }

}  // namespace

TEST_CASE("A blade of a scene cuts a body through, and a reset makes it whole")
{
    Run run(scene("<CuttingManager active='1'/>"));
    const auto before = run.mesh().tetrahedra();
    run.steps(5);
    CHECK(managerOf(run).d_divided.value() > 0);
    CHECK(pieceCount(run.mesh()) == 1);
    run.steps(25);
    CHECK(pieceCount(run.mesh()) == 2);
    CHECK(managerOf(run).d_opened.value() > 10);
    checkVolumeMesh(run.mesh(), run.state().read(vec_id::restPosition));
    const auto cut = run.mesh().tetrahedra();
    run.simulation->reset();
    CHECK(run.mesh().tetrahedra() == before);
    CHECK(managerOf(run).d_divided.value() == 0);
    run.steps(30);
    CHECK(run.mesh().tetrahedra() == cut);
}

TEST_CASE("Blades have the edges of their mesh, or join their points in order")
{
    // A bent blade whose middle comes last among its points.
    Run chain(scene("<CuttingManager active='1'/>", "0.3 1.2 -0.5 0.5 1.3 0.5 0.4 1.2 1.5"));
    Run edges(scene("<CuttingManager active='1' blade='@/blade/points'/>", "0.3 1.2 -0.5 0.4 1.2 1.5 0.5 1.3 0.5",
                    "<EdgeSetTopologyContainer edges='0 2 2 1'/>"));
    chain.steps(30);
    edges.steps(30);
    CHECK(pieceCount(chain.mesh()) == 2);
    CHECK(chain.mesh().tetrahedra() == edges.mesh().tetrahedra());
    CHECK(sameState(chain, edges));
}

TEST_CASE("A blade cuts while it is switched on, and begins a cut anew when it is switched on again")
{
    Run run(scene("<CuttingManager key='c' keySwitch='t'/>"));
    const std::size_t before = run.mesh().tetrahedra().size();
    run.steps(10);
    CHECK(run.mesh().tetrahedra().size() == before);
    managerOf(run).handleEvent(KeyEvent('t', true));
    run.steps(1);  // placed
    CHECK(run.mesh().tetrahedra().size() == before);
    run.steps(5);
    const std::size_t cut = run.mesh().tetrahedra().size();
    CHECK(cut > before);
    managerOf(run).handleEvent(KeyEvent('t', true));
    run.steps(5);
    CHECK(run.mesh().tetrahedra().size() == cut);
    CHECK(pieceCount(run.mesh()) == 1);
}

TEST_CASE("A cut goes on from a checkpoint to the bit, on any number of threads")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "cut.bin").string();
    const std::string text = scene("<CuttingManager active='1'/>");
    for (int steps = 3; steps < 28; steps += 4) {
        INFO(steps);
        Run run(text);
        run.steps(steps);
        saveCheckpoint(*run.simulation, file);
        run.steps(6);
        for (const unsigned threads : {1u, 3u}) {
            setThreadCount(threads);
            Run again(text);
            loadCheckpoint(*again.simulation, file);
            again.steps(6);
            CHECK(sameState(run, again));
            CHECK(run.mesh().tetrahedra() == again.mesh().tetrahedra());
            CHECK(managerOf(run).d_opened.value() == managerOf(again).d_opened.value());
        }
        setThreadCount(1);
    }
}

TEST_CASE("A cut follows other changes of its mesh")
{
    Run run(scene("<CuttingManager active='1'/>"));
    std::mt19937 random(1);
    for (int k = 0; k < 30; ++k) {
        run.steps(1);
        if (k % 3 == 0) {  // points of the corners go, others get their numbers
            const auto& t = run.mesh().tetrahedra();
            std::uniform_int_distribution<Index> any(0, static_cast<Index>(t.size() - 1));
            removeElements(run.mesh(), ElementType::Tetrahedra, {any(random)});
        }
    }
    checkVolumeMesh(run.mesh(), run.state().read(vec_id::restPosition));
    // No element has points on both sides of the cut.
    const auto& rest = run.state().read(vec_id::restPosition);
    int crossing = 0;
    for (const Tetrahedron& t : run.mesh().tetrahedra()) {
        double low = 1e9, high = -1e9;
        for (const Index v : t) {
            const double d = rest[v][0] - (0.475 + 0.05 * rest[v][2]);
            low = std::min(low, d);
            high = std::max(high, d);
        }
        crossing += low < -0.1 && high > 0.1;
    }
    CHECK(crossing == 0);
}

TEST_CASE("A cut that lacks a blade or a mesh, or has one that cannot be cut, is told")
{
    const auto fails = [](const std::string& text) {
        LoadReport report;
        const auto root = loadSceneText(text, "cut.scn", {}, &report);
        Simulation simulation(root);
        return !report.ok() || !simulation.init();
    };
    CHECK_FALSE(fails(scene("<CuttingManager/>")));
    CHECK(fails(cutScene(jittered(ElementType::Tetrahedra, 2, 0., 1), "<CuttingManager/>")));
    CHECK(fails(scene("<CuttingManager snap='0.5'/>")));
    CHECK(
        fails("<Node name='root'><RegularGridTopology n='3 3 3'/><MechanicalObject tags='CuttingTool'/>"
              "<CuttingManager/></Node>"));
    CHECK(
        fails("<Node name='root'><HexahedronSetTopologyContainer position='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 "
              "0 1 1' hexahedra='0 1 2 3 4 5 6 7'/><MechanicalObject tags='CuttingTool'/><CuttingManager/></Node>"));
}

}  // namespace cutting_manager_test
