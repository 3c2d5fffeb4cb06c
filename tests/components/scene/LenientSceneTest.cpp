// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <fstream>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/Paths.h"

namespace lenient_scene_test {

using namespace sofa::core;
using sofa::test::TemporaryDirectory;

namespace {

/// What opening a scene says, and whether it can be stepped.
struct Opened
{
    Opened(const std::string& text, const std::string& file, bool lenient)
        : simulation(loadSceneText(text, file, {.lenient = lenient}))
    {
        good = simulation.init() && capture.count(Severity::Error) == 0;
    }

    MessageCapture capture;
    Simulation simulation;
    bool good = false;
};

/// The mistake `text` is an error that says `part`; in a lenient scene the same is a warning, and the scene runs.
void checkTolerated(const std::string& text, const std::string& part, const std::string& file = "/nowhere/test.scn")
{
    INFO(text);
    {
        const Opened strict(text, file, false);
        INFO(strict.capture.text());
        CHECK_FALSE(strict.good);
        CHECK(strict.capture.has(Severity::Error, part));
    }
    Opened lenient(text, file, true);
    INFO(lenient.capture.text());
    CHECK(lenient.good);
    CHECK(lenient.capture.has(Severity::Warning, part));
    for (int i = 0; i < 3; ++i) lenient.simulation.step();
}

std::string points(const std::string& more)
{
    return "<Node><EulerExplicitSolver/><MechanicalObject position='0 0 0 1 0 0 0 1 0'/>" + more + "</Node>";
}

}  // namespace

TEST_CASE("What SOFA tolerates is an error, and a warning in a lenient scene", "[scene]")
{
    checkTolerated(points("<UniformMass/><NoSuchClass/>"), "unknown component 'NoSuchClass'");
    checkTolerated(points("<UniformMass/><RequiredPlugin pluginName='NoSuchPlugin'/>"), "NoSuchPlugin");
    checkTolerated(points("<UniformMass/><include href='nowhere.xml'/>"), "nowhere.xml");
    checkTolerated(points("<UniformMass totalMass='@nobody.totalMass'/>"), "broken link \"@nobody.totalMass\"");
    checkTolerated(points("<UniformMass/><MeshTopology src='@nobody'/>"), "broken link \"@nobody\"");
    checkTolerated(points("<UniformMass/><MeshTopology edges='0 1'/><MeshSpringForceField topology='@nobody'/>"),
                   "broken link \"@nobody\"");
}

TEST_CASE("Lists of different lengths are an error, and a warning in a lenient scene", "[scene]")
{
    checkTolerated(points("<UniformMass/><SpringForceField indices1='0 1' indices2='1'/>"), "indices1 has 2 points");
    checkTolerated(points("<UniformMass/><Node name='target'><MechanicalObject position='0 0 0 1 1 1'/></Node>"
                          "<RestShapeSpringsForceField external_rest_shape='@target' stiffness='1'/>"),
                   "3 points cannot be pulled to 2 points");
    checkTolerated(points("<UniformMass/><ConstantForceField indices='0 1 2' forces='1 0 0 2 0 0'/>"),
                   "forces has 2 values for 3 points");
    checkTolerated(points("<DiagonalMass vertexMass='1 1 1 1'/>"), "vertexMass has 4 values for 3 points");
    checkTolerated(points("<MeshTopology triangles='0 1 2'/><MeshMatrixMass massDensity='1 2' lumping='1'/>"),
                   "massDensity has 2 values");
    checkTolerated(points("<UniformMass/><LinearMovementProjectiveConstraint indices='0' keyTimes='0 1 2' "
                          "movements='0 0 0 1 0 0'/>"),
                   "keyTimes has 3 values");
}

TEST_CASE("Unknown words in a file of a rigid mass are an error, and a warning in a lenient scene", "[scene]")
{
    const TemporaryDirectory folder;
    std::ofstream(folder.path() / "body.rigid") << "Xsp 3.0\nweight 3\nmass 2\n";
    checkTolerated(
        "<Node><EulerExplicitSolver/><MechanicalObject template='Rigid3'/>"
        "<UniformMass filename='body.rigid'/></Node>",
        "found 'weight'", (folder.path() / "test.scn").string());
}

TEST_CASE("An empty topology is an error, unless elements can be added, and a warning in a lenient scene", "[scene]")
{
    const std::string membrane = "<UniformMass/><TriangleSetTopologyContainer/><TriangularFEMForceField/>";
    checkTolerated(points(membrane), "has no triangles");
    const Opened growing(points("<TriangleSetTopologyModifier/>" + membrane), "/nowhere/test.scn", false);
    INFO(growing.capture.text());
    CHECK(growing.good);
}

TEST_CASE("A collision response without a name is the penalty response, with a note", "[scene]")
{
    const Opened opened(
        "<Node><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><DiscreteIntersection/>"
        "<CollisionResponse/></Node>",
        "/nowhere/test.scn", false);
    INFO(opened.capture.text());
    CHECK(opened.good);
    CHECK(opened.capture.has(Severity::Advice, "it is PenalityContactForceField"));
}

}  // namespace lenient_scene_test
