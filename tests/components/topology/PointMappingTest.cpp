// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/PointMappings.h"

#include <catch2/catch.hpp>

#include "core/mesh/SubElements.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/Geometry.h"
#include "core/topology/TopologyChange.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace point_mapping_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

const std::string twoTetrahedra =
    "<TetrahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1' tetrahedra='0 1 2 3 1 4 2 "
    "3'/>";
const std::string cells =
    "<HexahedronSetTopologyContainer name='mesh' position='0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 "
    "0 1 1 2 0 0 2 1 0 2 0 1 2 1 1' hexahedra='0 1 2 3 4 5 6 7 1 8 9 2 5 10 11 6'/>";

/// A body that hangs, and below it what a mapping makes of its mesh.
std::string scene(const std::string& mesh, const std::string& below, const std::string& more = "")
{
    return "<Node name='root' dt='0.01' gravity='0 -9.81 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
           "iterations='50' tolerance='1e-12' threshold='1e-20'/>" +
           mesh + "<MechanicalObject name='x'/><UniformMass totalMass='1'/><FixedProjectiveConstraint indices='0'/>" +
           more + "<Node name='surface'>" + below + "</Node></Node></Node>";
}

const State<Vec3Types>& made(const Run& r) { return *r.body().child("surface")->get<State<Vec3Types>>(Search::Local); }

const std::string mechanical = "<MechanicalObject/><Mesh2PointMechanicalMapping/>";

}  // namespace

TEST_CASE("Points of points, edges, triangles, quads, tetrahedra and hexahedra, in this order")
{
    const Run r(scene(twoTetrahedra,
                      "<PointSetTopologyContainer name='out'/><Mesh2PointTopologicalMapping "
                      "pointBaryCoords='0 0 0 0 0 2' edgeBaryCoords='0.25 0 0' triangleBaryCoords='0.5 "
                      "0.125 0' tetraBaryCoords='0.25 0.25 0.25'/>" +
                          mechanical));
    const auto& in = r.mesh();
    const auto& x = r.state().positions();
    Vector<Vec3> expected;
    for (Index i = 0; i < 5; ++i) {
        expected.push_back(x[i]);
        expected.push_back(x[i] + Vec3{0., 0., 2.});
    }
    for (const Edge& e : in.edges()) expected.push_back(x[e[0]] * 0.75 + x[e[1]] * 0.25);
    for (const Triangle& t : in.triangles()) expected.push_back(x[t[0]] * 0.375 + x[t[1]] * 0.5 + x[t[2]] * 0.125);
    for (const Tetrahedron& t : in.tetrahedra()) expected.push_back((x[t[0]] + x[t[1]] + x[t[2]] + x[t[3]]) * 0.25);
    REQUIRE(made(r).size() == expected.size());
    CHECK(r.surface().nbPoints() == expected.size());
    for (Index i = 0; i < expected.size(); ++i) {
        INFO(i);
        CHECK(norm(made(r).positions()[i] - expected[i]) < 1e-15);
        CHECK(norm(r.surface().pointPosition(i) - expected[i]) < 1e-15);
    }
}

TEST_CASE("Coordinates in quads and hexahedra run along their sides")
{
    const Run r(scene(cells,
                      "<PointSetTopologyContainer name='out'/><Mesh2PointTopologicalMapping quadBaryCoords='0.25 "
                      "0.5 0' hexaBaryCoords='0.25 0.5 0.125'/>" +
                          mechanical));
    const auto& in = r.mesh();
    const auto& p = made(r).positions();
    const std::size_t n = in.quads().size();
    REQUIRE(p.size() == n + 2);
    for (std::size_t i = 0; i < n; ++i) {
        Vec3 x[4];
        for (std::size_t k = 0; k < 4; ++k) x[k] = r.state().positions()[in.quads()[i][k]];
        CHECK(norm(p[i] - (x[0] + (x[1] - x[0]) * 0.25 + (x[3] - x[0]) * 0.5)) < 1e-15);
    }
    CHECK(p[n] == Vec3{0.25, 0.5, 0.125});
    CHECK(p[n + 1] == Vec3{1.25, 0.5, 0.125});
}

TEST_CASE("Elements of points made of points are copied")
{
    const Run r(scene(twoTetrahedra,
                      "<TetrahedronSetTopologyContainer name='out'/><Mesh2PointTopologicalMapping "
                      "pointBaryCoords='0 0 0 1 0 0' copyTriangles='1' copyTetrahedra='1'/>"));
    CHECK(r.surface().tetrahedra() == Vector<Tetrahedron>{{0, 2, 4, 6}, {2, 8, 4, 6}});
    CHECK(r.surface().triangles().size() == r.mesh().triangles().size());
    CHECK(r.surface().triangles()[0][1] == 2 * r.mesh().triangles()[0][1]);
}

TEST_CASE("A point in the centre of each hexahedron")
{
    const Run r(
        scene(cells, "<PointSetTopologyContainer name='out'/><CenterPointTopologicalMapping/><MechanicalObject/>"));
    CHECK(r.surface().nbPoints() == 2);
    CHECK(made(r).positions() == Vector<Vec3>{{0.5, 0.5, 0.5}, {1.5, 0.5, 0.5}});
}

TEST_CASE("Eight tetrahedra fill each, with the middles of the edges")
{
    const Run r(scene(twoTetrahedra,
                      "<TetrahedronSetTopologyContainer name='out'/>"
                      "<SimpleTesselatedTetraTopologicalMapping name='map'/><MechanicalObject/>"
                      "<SimpleTesselatedTetraMechanicalMapping/>"));
    const auto& out = r.surface();
    const auto& map = r.surface<SimpleTesselatedTetraTopologicalMapping>();
    REQUIRE(out.tetrahedra().size() == 16);
    REQUIRE(out.nbPoints() == 5 + r.mesh().edges().size());
    CHECK(map.d_tetraSource.value()[8] == 1);
    CHECK(map.d_tetrahedraMappedFromTetra.value()[1][3] == 11);
    for (Index e = 0; e < r.mesh().edges().size(); ++e) {
        const Index p = map.d_pointMappedFromEdge.value()[e];
        const Edge& edge = r.mesh().edges()[e];
        CHECK(map.d_pointSource.value()[p] == -static_cast<int>(e) - 1);
        CHECK(made(r).positions()[p] == (r.state().positions()[edge[0]] + r.state().positions()[edge[1]]) * 0.5);
    }
    const auto volume = [&](const Tetrahedron& t) {
        const auto& x = made(r).positions();
        return geometry::tetrahedronVolume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
    };
    for (Index i = 0; i < 16; ++i) {
        INFO(i);
        CHECK(r.surface<TopologicalMapping>().localToGlobal()[i] == i / 8);
        CHECK(volume(out.tetrahedra()[i]) == Approx(volume(r.mesh().tetrahedra()[i / 8]) / 8.));
    }
    // The faces between them agree: twelve of the border triangles for each three of the coarse one.
    CHECK(borderOf(out.tetrahedra()).size() == 4 * borderOf(r.mesh().tetrahedra()).size());
}

TEST_CASE("Eight hexahedra fill each")
{
    const Run r(scene(cells,
                      "<HexahedronSetTopologyContainer name='out'/><SimpleTesselatedHexaTopologicalMapping/>"
                      "<MechanicalObject/>"));
    const auto& out = r.surface();
    REQUIRE(out.hexahedra().size() == 16);
    CHECK(out.nbPoints() == 5 * 3 * 3);
    CHECK(borderOf(out.hexahedra()).size() == 4 * borderOf(r.mesh().hexahedra()).size());
    for (Index i = 0; i < 16; ++i) {
        const Hexahedron& h = out.hexahedra()[i];
        const Vec3 first = out.pointPosition(h[0]), size{0.5, 0.5, 0.5};
        CHECK(out.pointPosition(h[6]) - first == size);
        CHECK(out.pointPosition(h[1]) - first == Vec3{0.5, 0., 0.});
        CHECK(out.pointPosition(h[3]) - first == Vec3{0., 0.5, 0.});
        CHECK(out.pointPosition(h[4]) - first == Vec3{0., 0., 0.5});
        const Hexahedron& parent = r.mesh().hexahedra()[i / 8];
        CHECK(h[i % 8] == parent[i % 8]);
    }
}

TEST_CASE("A finer mesh loses what the coarse one loses, and comes back")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    const std::string text = scene(twoTetrahedra,
                                   "<TetrahedronSetTopologyContainer name='out'/>"
                                   "<SimpleTesselatedTetraTopologicalMapping name='map'/><MechanicalObject name='x'/>"
                                   "<SimpleTesselatedTetraMechanicalMapping/><TetrahedronFEMForceField "
                                   "youngModulus='100' poissonRatio='0.3'/>");
    Run r(text), again(text);
    r.steps(3);
    removeElements(r.mesh(), ElementType::Tetrahedra, {0});
    CHECK(r.surface().tetrahedra().size() == 8);
    // The middles of its three edges that no other has go as well.
    CHECK(made(r).size() == 11);
    CHECK(r.surface<SimpleTesselatedTetraTopologicalMapping>().d_pointMappedFromEdge.value().size() ==
          r.mesh().edges().size());
    r.steps(3);
    saveCheckpoint(*r.simulation, file);
    r.steps(3);
    loadCheckpoint(*again.simulation, file);
    again.steps(3);
    CHECK(sameState(r, again));
    CHECK(r.surface().tetrahedra() == again.surface().tetrahedra());
    r.simulation->reset();
    CHECK(r.surface().tetrahedra().size() == 16);
}

TEST_CASE("What cannot make points says why")
{
    MessageCapture messages;
    const auto fails = [&](const std::string& text, const std::string& expected) {
        auto root = loadSceneText(text, "points.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, expected));
    };
    fails(scene(twoTetrahedra, "<EdgeSetTopologyContainer name='out'/><Mesh2PointTopologicalMapping copyEdges='1'/>"),
          "copyEdges needs pointBaryCoords");
    fails(scene(twoTetrahedra, "<MechanicalObject/><Mesh2PointMechanicalMapping/>"),
          "there is no topological mapping in its node");
    fails(scene(cells,
                "<QuadSetTopologyContainer/><Hexa2QuadTopologicalMapping name='q'/><MechanicalObject/>"
                "<Mesh2PointMechanicalMapping/>"),
          "'/body/surface/q' (Hexa2QuadTopologicalMapping) makes no points of its own");
}

}  // namespace point_mapping_test
