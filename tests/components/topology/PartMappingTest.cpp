// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/PartMappings.h"

#include <catch2/catch.hpp>

#include "core/mesh/Renumbering.h"
#include "core/mesh/SubElements.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/Geometry.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// Four triangles in a row, and below them what a mapping makes of them.
std::string strip(const std::string& below, const std::string& more = "<TriangleSetTopologyModifier/>")
{
    return "<Node name='root' dt='0.01' gravity='0 0 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
           "iterations='10' tolerance='1e-9' threshold='1e-9'/><TriangleSetTopologyContainer name='mesh' position='0 0 "
           "0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' triangles='0 2 1  1 2 3  2 4 3  3 4 5'/>" +
           more + "<MechanicalObject name='x'/><UniformMass vertexMass='1'/><Node name='surface'>" + below +
           "</Node></Node></Node>";
}

const std::string part = "<TriangleSetTopologyContainer name='out' triangles='3 2 4  5 3 4'/>";
const std::string subset = "<SubsetTopologicalMapping name='map' samePoints='1' handleTriangles='1' handleEdges='1'/>";

void splitEdge(StoredTopology& t)
{
    TopologyTransaction change(t);
    const Index p = change.addPoints({{{0, 0.5}, {2, 0.5}}});
    change.add(ElementType::Triangles, std::array<Index, 6>{0, p, 1, p, 2, 1}, {{{0, 1.}}, {{0, 1.}}});
    change.remove(ElementType::Triangles, {0});
    change.commit();
}

}  // namespace

TEST_CASE("A topology identical to another one stays so")
{
    Run r(strip("<TriangleSetTopologyContainer name='out'/><IdentityTopologicalMapping/>"));
    const auto check = [&] {
        CHECK(r.surface().triangles() == r.mesh().triangles());
        CHECK(r.surface().edges() == r.mesh().edges());
        CHECK(r.surface().nbPoints() == r.mesh().nbPoints());
        CHECK(r.surface<TopologicalMapping>().localToGlobal() == identity(r.mesh().triangles().size()));
    };
    check();
    removeElements(r.mesh(), ElementType::Triangles, {0});
    CHECK(r.surface().nbPoints() == 5);
    check();
    splitEdge(r.mesh());
    CHECK(r.surface().triangles().size() == 4);
    check();
    r.steps(2);
    r.simulation->reset();
    CHECK(r.surface().triangles().size() == 4);
    CHECK(r.surface().nbPoints() == 6);
    check();
    MessageCapture messages;
    auto root = loadSceneText(strip("<EdgeSetTopologyContainer name='out'/><IdentityTopologicalMapping/>"), "s.scn");
    Simulation simulation(root);
    CHECK_FALSE(simulation.init());
    CHECK(messages.has(Severity::Error, "/body/surface/out (EdgeSetTopologyContainer) has no triangles"));
}

TEST_CASE("A part of a mesh loses what the mesh loses, and keeps its order and its sense")
{
    Run r(strip(part + subset + "<TriangularFEMForceField youngModulus='10 20' poissonRatio='0.3'/>"));
    const auto& map = r.surface<SubsetTopologicalMapping>();
    CHECK(map.d_triangleD2S.value() == Vector<Index>{2, 3});
    CHECK(map.d_triangleS2D.value() == Vector<Index>{InvalidIndex, InvalidIndex, 0, 1});
    CHECK(map.d_edgeD2S.value().size() == 5);
    CHECK(map.d_pointD2S.value().empty());
    CHECK(r.surface().triangles() == Vector<Triangle>{{3, 2, 4}, {5, 3, 4}});
    // Triangle 0 goes, and with it point 0: the last ones take their places.
    removeElements(r.mesh(), ElementType::Triangles, {0});
    CHECK(r.surface().triangles() == Vector<Triangle>{{3, 2, 4}, {0, 3, 4}});
    CHECK(map.d_triangleD2S.value() == Vector<Index>{2, 0});
    r.steps(2);
    removeElements(r.mesh(), ElementType::Triangles, {2});
    CHECK(r.surface().triangles() == Vector<Triangle>{{0, 3, 4}});
    CHECK(r.surface().edges().size() == 3);
    r.steps(2);

    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    saveCheckpoint(*r.simulation, file);
    Run again(strip(part + subset + "<TriangularFEMForceField youngModulus='10 20' poissonRatio='0.3'/>"));
    loadCheckpoint(*again.simulation, file);
    CHECK(again.surface().triangles() == r.surface().triangles());
    r.simulation->reset();
    CHECK(r.surface().triangles() == Vector<Triangle>{{3, 2, 4}, {5, 3, 4}});
}

TEST_CASE("A part with points of its own finds them by position")
{
    const std::string own =
        "<TriangleSetTopologyContainer name='out' position='2 1 0 1 1 0 2 0 0' triangles='0 1 2'/>"
        "<SubsetTopologicalMapping name='map' handleTriangles='1'/><MechanicalObject/>";
    Run r(strip(own + "<SubsetMapping indices='@map.pointD2S'/>", ""));
    const auto& map = r.surface<SubsetTopologicalMapping>();
    CHECK(map.d_pointD2S.value() == Vector<Index>{5, 3, 4});
    CHECK(map.d_pointS2D.value() == Vector<Index>{InvalidIndex, InvalidIndex, InvalidIndex, 1, 2, 0});
    CHECK(map.d_triangleD2S.value() == Vector<Index>{3});
    CHECK(r.surface().nbPoints() == 3);
    removeElements(r.mesh(), ElementType::Triangles, {0});
    CHECK(map.d_triangleD2S.value() == Vector<Index>{0});
    CHECK(r.surface().triangles() == Vector<Triangle>{{0, 1, 2}});
    removeElements(r.mesh(), ElementType::Triangles, {0});
    CHECK(r.surface().triangles().empty());
    r.steps(1);
    Run other(strip(own));
    CHECK_THROWS_WITH(removeElements(other.mesh(), ElementType::Triangles, {0}),
                      Catch::Contains("the points of its output do not follow those of '/body/mesh'"));
}

TEST_CASE("A part that cannot follow says why")
{
    Run added(strip(part + subset));
    CHECK_THROWS_WITH(splitEdge(added.mesh()), Catch::Contains("'/body/surface/map' (SubsetTopologicalMapping): new"));
    CHECK(added.mesh().triangles().size() == 4);
    CHECK(added.state().size() == 6);
    Run unhandled(strip(part + "<SubsetTopologicalMapping samePoints='1'/>"));
    CHECK_THROWS_WITH(removeElements(unhandled.mesh(), ElementType::Triangles, {0}),
                      Catch::Contains("triangles of its output do not follow"));
    MessageCapture messages;
    const auto fails = [&](const std::string& below, const std::string& expected) {
        auto root = loadSceneText(strip(below), "part.scn");
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, expected));
    };
    fails("<TriangleSetTopologyContainer name='out' triangles='0 4 5'/>" + subset,
          "triangle 0 of '/body/surface/out' is none of '/body/mesh'");
    fails(
        "<TriangleSetTopologyContainer name='out' position='0 0 0 1 0 0 7 1 0' triangles='0 1 2'/>"
        "<SubsetTopologicalMapping handleTriangles='1'/>",
        "point 2 of '/body/surface/out' (7 1 0) is none of '/body/mesh'");
    fails(
        "<TriangleSetTopologyContainer name='out' triangles='0 2 1'/><SubsetTopologicalMapping "
        "handleTriangles='1'/>",
        "both need positions");
}

TEST_CASE("Five tetrahedra fill each hexahedron, and agree at its faces")
{
    for (const char* swapping : {"0", "1"}) {
        Run r(
            "<Node name='root'><Node name='body'><RegularGridTopology name='mesh' n='4 3 3' max='3 2 "
            "2'/><MechanicalObject/><Node name='surface'><TetrahedronSetTopologyContainer name='out'/>"
            "<Hexa2TetraTopologicalMapping tetrahedraPerHexahedron='5' swapping='" +
            std::string(swapping) + "'/></Node></Node></Node>");
        const auto& out = r.surface();
        REQUIRE(out.tetrahedra().size() == 5 * 12);
        const auto volume = [&](const Tetrahedron& t) {
            return geometry::tetrahedronVolume(r.mesh().pointPosition(t[0]), r.mesh().pointPosition(t[1]),
                                               r.mesh().pointPosition(t[2]), r.mesh().pointPosition(t[3]));
        };
        for (Index i = 0; i < 60; ++i) CHECK(volume(out.tetrahedra()[i]) == Approx(i % 5 == 0 ? 1. / 3. : 1. / 6.));
        CHECK(borderOf(out.tetrahedra()).size() == 2 * borderOf(r.mesh().hexahedra()).size());
        CHECK(out.tetrahedra()[0] == (swapping[0] == '0' ? Tetrahedron{0, 5, 16, 13} : out.tetrahedra()[0]));
        const Vector<Tetrahedron> before = out.tetrahedra();
        removeElements(r.mesh(), ElementType::Hexahedra, {0, 4});
        REQUIRE(out.tetrahedra().size() == 50);
        // What is left is divided as before.
        for (const Tetrahedron& t : out.tetrahedra()) CHECK(std::ranges::find(before, t) != before.end());
    }
    // Three cells around a hole: ways of three edges.
    MessageCapture messages;
    auto root = loadSceneText(
        "<Node name='root'><HexahedronSetTopologyContainer name='mesh' position='1 0 0 -1 1 0 -1 -1 0 3 0 0 -3 3 0 -3 "
        "-3 0 "
        "1 0 1 -1 1 1 -1 -1 1 3 0 1 -3 3 1 -3 -3 1' hexahedra='0 3 4 1 6 9 10 7  1 4 5 2 7 10 11 8  2 5 3 0 8 11 9 6'/>"
        "<Node><TetrahedronSetTopologyContainer/><Hexa2TetraTopologicalMapping "
        "tetrahedraPerHexahedron='5'/></Node></Node>",
        "ring.scn");
    REQUIRE(root);
    Simulation simulation(root);
    CHECK_FALSE(simulation.init());
    CHECK(messages.has(Severity::Error, "tetrahedraPerHexahedron: five tetrahedra do not fit at the face"));
}

TEST_CASE("The border of hexahedra as triangles, also of what comes to light")
{
    std::string points, cells;
    for (const Vec3& p : block(ElementType::Hexahedra).points) points += toText(p * 10.) + " ";
    for (const auto& h : block(ElementType::Hexahedra).elements) cells += toText(h) + " ";
    Run r("<Node name='root'><Node name='body'><HexahedronSetTopologyContainer name='mesh' position='" + points +
          "' hexahedra='" + cells +
          "'/><MechanicalObject/><Node name='surface'><TriangleSetTopologyContainer name='out'/>"
          "<Hexa2TriangleTopologicalMapping/></Node></Node></Node>");
    const auto volume = [&] {
        double sum = 0.;
        for (const Triangle& t : r.surface().triangles())
            sum +=
                dot(r.mesh().pointPosition(t[0]), cross(r.mesh().pointPosition(t[1]), r.mesh().pointPosition(t[2]))) /
                6.;
        return sum;
    };
    CHECK(r.surface().triangles().size() == 48);
    CHECK(volume() == Approx(8.).epsilon(0.1));  // turned outwards; the block is not quite a cube
    const double before = volume();
    removeElements(r.mesh(), ElementType::Hexahedra, {7});
    CHECK(r.surface().triangles().size() == 48);
    CHECK(volume() == Approx(before - 1.).epsilon(0.02));
}
