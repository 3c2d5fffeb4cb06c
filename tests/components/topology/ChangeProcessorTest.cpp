// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace change_processor_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;

namespace {

/// Four triangles in a row, of points without weight; dt = 0.1 s.
std::string strip(const std::string& processor, const std::string& more = "")
{
    return "<Node name='root' dt='0.1' gravity='0 0 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
           "iterations='10' tolerance='1e-9' threshold='1e-9'/><TriangleSetTopologyContainer name='mesh' position='0 0 "
           "0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' triangles='0 2 1  1 2 3  2 4 3  3 4 "
           "5'/><TriangleSetTopologyModifier/>"
           "<MechanicalObject name='x'/><UniformMass vertexMass='1'/>" +
           more + "<TopologicalChangeProcessor name='p' " + processor + "/></Node></Node>";
}

std::string file(const TemporaryDirectory& folder, const std::string& text)
{
    return "filename='" + folder.write("changes.txt", text).string() + "'";
}

}  // namespace

TEST_CASE("A file of changes: at their times, with SOFA's numbers")
{
    const TemporaryDirectory folder;
    Run run(strip(file(folder,
                       "T= 0.1\n REMOVE= 1\n0\n\n# a comment\nT= 0.2\n ADD= PointInTriangle 1\n2 0.5 0.25\n"
                       " ADD= Triangles 1 Ancestors 1\n1 2 5\n")));
    run.steps(1);
    CHECK(run.mesh().triangles().size() == 4);
    run.steps(1);
    // Triangle 0 goes, and with it point 0: the last ones take their places.
    CHECK(run.mesh().triangles() == Vector<Triangle>{{3, 4, 0}, {1, 2, 3}, {2, 4, 3}});
    CHECK(run.state().positions()[0] == Vec3{2., 1., 0.});
    run.steps(1);
    CHECK(run.state().size() == 6);
    // In triangle 2, (2 4 3): 0.5 (1 0) + 0.25 (2 0) + 0.25 (1 1).
    CHECK(norm(run.state().positions()[5] - Vec3{1.25, 0.25, 0.}) < 1e-15);
    CHECK(run.mesh().triangles().back() == Triangle{1, 2, 5});
    run.simulation->reset();
    CHECK(run.mesh().triangles().size() == 4);
    run.steps(2);
    CHECK(run.mesh().triangles().size() == 3);
}

TEST_CASE("A file is repeated, and the times can be shifted")
{
    const TemporaryDirectory folder;
    Run run(strip("loop='1' shift='0.1' " + file(folder, "T= 0.2\n REMOVE= 1\n0\n")));
    run.steps(1);
    CHECK(run.mesh().triangles().size() == 4);
    run.steps(1);
    CHECK(run.mesh().triangles().size() == 3);
    run.steps(2);
    CHECK(run.mesh().triangles().size() == 2);
}

TEST_CASE("Lists are removed after a time, once or at intervals")
{
    Run once(strip("useDataInputs='1' timeToRemove='0.1' trianglesToRemove='3'"));
    once.steps(2);
    CHECK(once.mesh().triangles().size() == 4);  // the step that begins at 0.1 s is not after it
    once.steps(1);
    CHECK(once.mesh().triangles().size() == 3);
    once.steps(3);
    CHECK(once.mesh().triangles().size() == 3);
    Run often(strip("useDataInputs='1' timeToRemove='0.05' interval='0.2' trianglesToRemove='0'"));
    often.steps(2);
    CHECK(often.mesh().triangles().size() == 3);
    often.steps(2);
    CHECK(often.mesh().triangles().size() == 2);
}

TEST_CASE("What a file lacks is passed over with a warning, what is wrong in it is an error with its line")
{
    const TemporaryDirectory folder;
    MessageCapture messages;
    {
        Run run(strip(file(folder, "T= 0\n REMOVE= 3\n1 77\n")));
        run.steps(1);
        CHECK(messages.has(Severity::Warning, "changes.txt:3: 3 elements are announced, and only 2 given"));
        CHECK(messages.has(Severity::Warning, "1 of 2 elements are not there"));
        CHECK(run.mesh().triangles().size() == 3);
    }
    const auto refused = [&](const std::string& text, const std::string& expected) {
        INFO(text);
        auto root = loadSceneText(strip(file(folder, text)), "strip.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, expected));
    };
    refused("REMOVE= 1\n0\n", "changes.txt:1: expected T= before the first change");
    refused("T= 1\nT= 1\n", "changes.txt:2: expected a time after the one before");
    refused("T= 1\n REMOVE= 1\nx\n", "changes.txt:3: expected the number of an element or point");
    refused("T= 1\n REMOVE= 1\n", "the end of the file");
    refused("T= 1\n ADD= Squares 1\n0\n", "expected PointsInTriangle, Edges");
    refused("T= 1\n CUT= 1\n0\n", "expected T=, REMOVE=, ADD= or INCISE=");
    refused("# nothing\n", "has no changes");
    // A change that is impossible ends the run, and nothing has changed.
    Run run(strip(file(folder, "T= 0.1\n REMOVE= 1\n0\n ADD= Triangles 1\n0 1 99\n")));
    run.steps(1);
    CHECK_THROWS_WITH(run.steps(1),
                      Catch::Contains("changes.txt:4: the topology cannot be changed: there is no point 99"));
    CHECK(run.mesh().triangles().size() == 4);
    CHECK(run.state().size() == 6);
}

TEST_CASE("Changes go on from a checkpoint")
{
    const TemporaryDirectory folder;
    const auto checkpoint = (folder / "c.bin").string();
    const std::string text =
        strip(file(folder, "T= 0.1\n REMOVE= 1\n0\nT= 0.3\n REMOVE= 1\n0\n"), "<ConstantForceField forces='1 0 0'/>");
    Run run(text), again(text);
    run.steps(3);
    saveCheckpoint(*run.simulation, checkpoint);
    run.steps(3);
    loadCheckpoint(*again.simulation, checkpoint);
    again.steps(3);
    CHECK(run.mesh().triangles().size() == 2);
    CHECK(run.mesh().triangles() == again.mesh().triangles());
    CHECK(sameState(run, again));
}

TEST_CASE("A monitor keeps watching its points, and does not let them go")
{
    const TemporaryDirectory folder;
    const auto with = [&](const std::string& points) {
        return strip(file(folder, "T= 0.1\n REMOVE= 1\n0\n"),
                     "<Monitor name='m' template='Vec3' indices='" + points + "' showPositions='1'/>");
    };
    Run run(with("5 2"));
    run.steps(2);
    CHECK(run.body().component("m")->findData("indices")->text() == "0 2");
    Run other(with("0 2"));
    other.steps(1);
    CHECK_THROWS_WITH(other.steps(1), Catch::Contains("a point that it watches would go"));
    CHECK(other.body().component("m")->findData("indices")->text() == "0 2");
    CHECK(other.state().size() == 6);
}

}  // namespace change_processor_test
