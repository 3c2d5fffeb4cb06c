// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/PartMappings.h"

#include <catch2/catch.hpp>

#include "core/mesh/Renumbering.h"
#include "core/mesh/SubElements.h"
#include "core/simulation/Checkpoint.h"
#include "core/topology/Geometry.h"
#include "core/topology/Subdivision.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace part_mapping_test {

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
}

TEST_CASE("Points of a part go with those of the mesh, and new ones join it")
{
    const std::string own =
        "<TriangleSetTopologyContainer name='out' position='2 1 0 1 1 0 2 0 0 1 0 0' triangles='0 1 2 1 3 2'/>"
        "<SubsetTopologicalMapping name='map' handleTriangles='1'/><MechanicalObject/>"
        "<SubsetMapping indices='@map.pointD2S'/>";
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    Run r(strip(own)), again(strip(own));
    const auto& map = r.surface<SubsetTopologicalMapping>();
    const auto& x = *r.body().child("surface")->get<State<Vec3Types>>(Search::Local);
    const auto check = [&](std::size_t points, std::size_t triangles) {
        REQUIRE(x.size() == points);
        REQUIRE(r.surface().nbPoints() == points);
        REQUIRE(map.mappedPoints().size() == points);
        for (Index i = 0; i < points; ++i) {
            const Index p = map.d_pointD2S.value()[i];
            CHECK(x.positions()[i] == r.state().positions()[p]);
            CHECK(r.surface().pointPosition(i) == r.mesh().pointPosition(p));
            CHECK(map.d_pointS2D.value()[p] == i);
        }
        REQUIRE(r.surface().triangles().size() == triangles);
        for (Index k = 0; k < triangles; ++k) {
            Triangle t = r.surface().triangles()[k];
            for (Index& v : t) v = map.d_pointD2S.value()[v];
            CHECK(sortedVertices(t) == sortedVertices(r.mesh().triangles()[map.d_triangleD2S.value()[k]]));
        }
    };
    check(4, 2);
    // Point 0 goes, and point 5 gets its number: one of the part.
    removeElements(r.mesh(), ElementType::Triangles, {0});
    CHECK(map.d_pointD2S.value()[0] == 0);
    check(4, 2);
    const auto divide = [](StoredTopology& t, Index a, Index b) {
        TopologyTransaction change(t);
        splitEdge(change, t, a, b, 0.25);
        change.commit();
    };
    divide(r.mesh(), 2, 3);  // between one in the part and one outside
    check(5, 3);
    CHECK(r.mesh().triangles().size() == 5);
    divide(r.mesh(), 1, 2);  // outside
    check(5, 3);
    saveCheckpoint(*r.simulation, file);
    loadCheckpoint(*again.simulation, file);
    CHECK(again.surface().triangles() == r.surface().triangles());
    CHECK(again.surface<SubsetTopologicalMapping>().d_pointD2S.value() == map.d_pointD2S.value());
    for (Run* one : {&r, &again}) {
        divide(one->mesh(), 0, 4);
        one->steps(2);
    }
    check(6, 4);
    CHECK(again.surface().triangles() == r.surface().triangles());
    CHECK(sameState(r, again));
    r.simulation->reset();
    CHECK(r.surface().triangles() == Vector<Triangle>{{0, 1, 2}, {1, 3, 2}});
    CHECK(map.d_pointD2S.value() == Vector<Index>{5, 3, 4, 2});
    check(4, 2);
    divide(r.mesh(), 4, 5);
    check(5, 3);
}

namespace {

class Obstacle final : public Component, public TopologyFollower
{
public:
    explicit Obstacle(const StoredTopology& t) : m_topology(t) {}
    ElementLists elementLists() override { return {{&m_topology, {ElementType::Triangles}}, {}}; }
    PointLists pointLists() override { return noLists(); }
    void followTopology(const TopologyChange& change) override
    {
        if (!change.restores()) throw std::runtime_error("an obstacle");
    }

private:
    const StoredTopology& m_topology;
};

}  // namespace

TEST_CASE("A part is as before if a change is taken back")
{
    for (const bool own : {false, true}) {
        Run r(strip(own ? "<TriangleSetTopologyContainer name='out' position='2 1 0 1 1 0 2 0 0' triangles='0 1 2'/>"
                          "<SubsetTopologicalMapping name='map' handleTriangles='1'/><MechanicalObject/>"
                          "<SubsetMapping indices='@map.pointD2S'/>"
                        : part + subset));
        const auto& map = r.surface<SubsetTopologicalMapping>();
        const auto all = [&] {
            return r.surface().triangles().size() + 100 * map.d_triangleD2S.value().size() +
                   10000 * map.d_pointD2S.value().size() + 1000000 * r.surface().nbPoints();
        };
        const auto before = all();
        const auto triangles = r.surface().triangles();
        const auto numbers = map.d_pointD2S.value();
        const auto obstacle = std::make_shared<Obstacle>(r.mesh());
        r.root->addComponent(obstacle);
        const auto divide = [&] {
            TopologyTransaction change(r.mesh());
            core::splitEdge(change, r.mesh(), 3, 4, 0.5);
            change.commit();
        };
        CHECK_THROWS_WITH(divide(), Catch::Contains("an obstacle"));
        CHECK_THROWS_WITH(removeElements(r.mesh(), ElementType::Triangles, {3}), Catch::Contains("an obstacle"));
        CHECK(all() == before);
        CHECK(r.surface().triangles() == triangles);
        CHECK(map.d_pointD2S.value() == numbers);
        r.root->removeComponent(*obstacle);
        divide();
        CHECK(r.surface().triangles().size() == (own ? 2 : 4));
        CHECK(r.surface().nbPoints() == (own ? 4 : 7));
        r.steps(1);
    }
}

TEST_CASE("New elements join a part if all that they are made of is in it")
{
    Run r(strip(part + subset));
    const auto& map = r.surface<SubsetTopologicalMapping>();
    splitEdge(r.mesh());  // of triangle 0, which is outside
    CHECK(r.surface().triangles().size() == 2);
    TopologyTransaction change(r.mesh());
    core::splitEdge(change, r.mesh(), 2, 4, 0.5);  // of triangle 2
    change.commit();
    REQUIRE(r.surface().triangles().size() == 3);
    double area = 0., all = 0.;
    const auto areaOf = [&](const Triangle& t) {
        const auto& x = r.state().positions();
        return 0.5 * cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]])[2];
    };
    for (const Triangle& t : r.surface().triangles()) area += areaOf(t);
    for (const Triangle& t : r.mesh().triangles()) all += areaOf(t);
    CHECK(area == Approx(1.));
    CHECK(all == Approx(2.));
    CHECK(map.d_edgeD2S.value().size() == r.surface().edges().size());
    {
        // Made of one in the part and one outside.
        TopologyTransaction both(r.mesh());
        const Index n = static_cast<Index>(r.mesh().triangles().size());
        both.add(ElementType::Triangles, std::array<Index, 3>{0, 4, 5},
                 {{{0, 0.5}, {map.d_triangleD2S.value()[0], 0.5}}});
        both.commit();
        CHECK(map.d_triangleS2D.value()[n] == InvalidIndex);
    }
    // Taken back.
    {
        TopologyTransaction open(r.mesh());
        core::splitEdge(open, r.mesh(), 3, 5, 0.5);
    }
    CHECK(r.surface().triangles().size() == 3);
    r.steps(2);
    r.simulation->reset();
    CHECK(r.surface().triangles() == Vector<Triangle>{{3, 2, 4}, {5, 3, 4}});
}

TEST_CASE("A part that cannot follow says why")
{
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

}  // namespace part_mapping_test
