// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/MappingCheck.h"

namespace made_points_mapping_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

void check(const std::string& below)
{
    auto root = loadSceneText(
        "<Node name='root'><TetrahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1' "
        "tetrahedra='0 1 2 3 1 4 2 3'/><MechanicalObject/><Node name='made'>" +
            below + "</Node></Node>",
        "made.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    checkMapping(*root->child("made")->get<BaseMapping>(Search::Local), {.translates = true});
}

}  // namespace

HARNESS_MAPPING("Mesh2PointMechanicalMapping")
{
    check(
        "<PointSetTopologyContainer/><Mesh2PointTopologicalMapping pointBaryCoords='0 0 0 0.5 0 1' edgeBaryCoords='0.3 "
        "0 0' triangleBaryCoords='0.2 0.7 0' tetraBaryCoords='0.1 0.2 0.3'/><MechanicalObject/>"
        "<Mesh2PointMechanicalMapping/>");
}

HARNESS_MAPPING("SimpleTesselatedTetraMechanicalMapping")
{
    check(
        "<TetrahedronSetTopologyContainer/><SimpleTesselatedTetraTopologicalMapping/><MechanicalObject/>"
        "<SimpleTesselatedTetraMechanicalMapping/>");
}

}  // namespace made_points_mapping_test
