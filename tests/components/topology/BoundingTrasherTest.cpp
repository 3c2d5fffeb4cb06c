// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace bounding_trasher_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Four triangles in a row without weight that move along x by 0.1 m a step.
std::string strip(const std::string& trasher, const std::string& mesh = "TriangleSet",
                  const std::string& elements = "triangles='0 2 1  1 2 3  2 4 3  3 4 5'")
{
    return "<Node name='root' dt='0.1' gravity='0 0 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
           "iterations='10' tolerance='1e-9' threshold='1e-9'/><" +
           mesh + "TopologyContainer name='mesh' position='0 0 0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' " + elements +
           "/><" + mesh +
           "TopologyModifier/><MechanicalObject name='x' velocity='1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0'/>"
           "<UniformMass vertexMass='1'/><TopologyBoundingTrasher name='t' " +
           trasher + "/></Node></Node>";
}

}  // namespace

TEST_CASE("Elements whose centre leaves a box are removed")
{
    for (const char* positions : {"", " position='@x.position'"}) {
        Run r(strip("box='-1 -1 -1 1.8 2 1'" + std::string(positions)));
        r.steps(1);  // centres at x = 0.43, 0.77, 1.43, 1.77
        CHECK(r.mesh().triangles().size() == 4);
        r.steps(1);
        CHECK(r.mesh().triangles().size() == 3);
        CHECK(r.state().size() == 5);
        r.steps(3);  // 0.83, 1.17, 1.83
        CHECK(r.mesh().triangles().size() == 2);
        r.simulation->reset();
        CHECK(r.mesh().triangles().size() == 4);
    }
    Run edges(strip("box='-1 0.2 -1 1.25 2 1'", "EdgeSet", "edges='0 1 2 3 1 3 0 2'"));
    edges.steps(1);
    CHECK(edges.mesh().edges().size() == 3);  // 0 2 is below
    edges.steps(2);
    CHECK(edges.mesh().edges().size() == 2);
}

TEST_CASE("Elements that left a box stay away in a checkpoint")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    const std::string text = strip("box='-1 -1 -1 1.8 2 1'");
    Run r(text), again(text);
    r.steps(3);
    saveCheckpoint(*r.simulation, file);
    r.steps(3);
    loadCheckpoint(*again.simulation, file);
    again.steps(3);
    CHECK(r.mesh().triangles() == again.mesh().triangles());
    CHECK(sameState(r, again));
}

TEST_CASE("A box that is empty, and positions that lack, are told")
{
    MessageCapture messages;
    auto root = loadSceneText(strip("box='1 0 0 0 1 1'"), "strip.scn");
    REQUIRE(root);
    Simulation simulation(root);
    CHECK_FALSE(simulation.init());
    CHECK(messages.has(Severity::Error, "box: 1 0 0 0 1 1 is empty"));
    Run r(strip("position='0 0 0'"));
    CHECK_THROWS_WITH(r.steps(1), Catch::Contains("'/body/t': there are 1 positions for the 6 points of '/body/mesh'"));
}

}  // namespace bounding_trasher_test
