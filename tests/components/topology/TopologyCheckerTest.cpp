// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/topology/TopologyChecker.h"
#include "tests/components/topology/ChangingScene.h"

namespace topology_checker_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Kind = MeshFault::Kind;

/// A topology whose lists can be anything, and one of whose tables can be wrong.
class Loose final : public BaseMeshTopology
{
public:
    static std::string_view typeLabel() { return "topology"; }
    Index points = 0;
    Vector<Edge> e;
    Vector<Triangle> t;
    Vector<Quad> q;
    Vector<Tetrahedron> tet;
    Vector<Hexahedron> hex;
    Vector<Prism> pri;
    Vector<Pyramid> pyr;

    Index nbPoints() const override { return points; }
    const Vector<Edge>& edges() const override { return e; }
    const Vector<Triangle>& triangles() const override { return t; }
    const Vector<Quad>& quads() const override { return q; }
    const Vector<Tetrahedron>& tetrahedra() const override { return tet; }
    const Vector<Hexahedron>& hexahedra() const override { return hex; }
    const Vector<Prism>& prisms() const override { return pri; }
    const Vector<Pyramid>& pyramids() const override { return pyr; }
    /// Its faults, with tables made anew.
    std::vector<MeshFault> faults(const std::function<Vec3(Index)>& at = {}) const
    {
        invalidateTables();
        return faultsOf(*this, at);
    }
};

std::string kinds(const std::vector<MeshFault>& faults)
{
    constexpr const char* names[] = {"vertex", "duplicate", "table", "orientation", "nonManifold", "unused"};
    std::string s;
    for (const MeshFault& f : faults) s += std::string(s.empty() ? "" : " ") + names[static_cast<int>(f.kind)];
    return s;
}

std::string texts(const std::vector<MeshFault>& faults)
{
    std::string s;
    for (const MeshFault& f : faults) s += f.text + "\n";
    return s;
}

}  // namespace

TEST_CASE("Vertices that do not exist, or occur twice, are found in elements of each kind")
{
    Loose m;
    m.points = 8;
    m.e = {{0, 8}};
    m.t = {{0, 1, 2}, {3, 3, 4}};
    m.q = {{0, 1, 2, 9}};
    m.tet = {{0, 1, 2, 0}};
    m.hex = {{0, 1, 2, 3, 4, 5, 6, 6}};
    m.pri = {{0, 1, 2, 3, 4, 17}};
    m.pyr = {{0, 1, 2, 3, 3}};
    const auto faults = m.faults();
    CHECK(kinds(faults) == "vertex vertex vertex vertex vertex vertex vertex");
    CHECK(texts(faults) ==
          "edge 0 (0 8) has the vertex 8, but there are 8 points\n"
          "triangle 1 (3 3 4) has the vertex 3 twice\n"
          "quad 0 (0 1 2 9) has the vertex 9, but there are 8 points\n"
          "tetrahedron 0 (0 1 2 0) has the vertex 0 twice\n"
          "pyramid 0 (0 1 2 3 3) has the vertex 3 twice\n"
          "prism 0 (0 1 2 3 4 17) has the vertex 17, but there are 8 points\n"
          "hexahedron 0 (0 1 2 3 4 5 6 6) has the vertex 6 twice\n");
}

TEST_CASE("Elements with the vertices of another one are found, whatever their order")
{
    Loose m;
    m.points = 4;
    m.t = {{0, 1, 2}, {1, 2, 3}, {2, 0, 1}, {0, 2, 1}};
    const auto faults = m.faults();
    REQUIRE(faults.size() >= 2);
    CHECK(faults[0].kind == Kind::Duplicate);
    CHECK(faults[0].text == "triangle 2 (2 0 1) has the vertices of triangle 0");
    CHECK(faults[1].text == "triangle 3 (0 2 1) has the vertices of triangle 0");
}

TEST_CASE("Triangles and quads that are turned against their neighbours are found, and edges with more than two")
{
    Loose m;
    m.points = 6;
    m.t = {{0, 1, 2}};
    m.q = {{1, 3, 4, 2}};
    CHECK(kinds(m.faults()) == "unused");
    m.points = 5;
    CHECK(m.faults().empty());
    m.q = {{2, 4, 3, 1}};
    CHECK(texts(m.faults()) ==
          "quad 0 (2 4 3 1) and triangle 0 (0 1 2) run along their edge (1 2) in the same direction: one of them is "
          "turned over\n");
    m.q = {{1, 3, 4, 2}};
    m.points = 6;
    m.t.push_back({1, 2, 5});
    const auto faults = m.faults();
    CHECK(kinds(faults) == "nonManifold");
    CHECK(texts(faults) == "edge (1 2) belongs to 3 elements: triangle 0, triangle 1, quad 0\n");
    CHECK_FALSE(faults[0].isError());
}

TEST_CASE("Volumes that are not positive, and faces with more than two elements, are found")
{
    const Vector<Vec3> x{{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}, {0., 1., 0.},
                         {0., 0., 1.}, {1., 0., 1.}, {1., 1., 1.}, {0., 1., 1.}};
    const std::function<Vec3(Index)> at = [&x](Index i) { return x[i]; };
    Loose m;
    m.points = 8;
    m.hex = {{0, 1, 2, 3, 4, 5, 6, 7}};
    CHECK(m.faults(at).empty());
    m.hex = {{4, 5, 6, 7, 0, 1, 2, 3}};
    CHECK(texts(m.faults(at)) == "hexahedron 0 (4 5 6 7 0 1 2 3) is inside out: its volume is negative\n");
    CHECK(m.faults().empty());  // without positions
    m.hex.clear();
    m.pri = {{0, 1, 3, 4, 5, 7}, {1, 2, 3, 5, 6, 7}};
    CHECK(m.faults(at).empty());
    m.pri[1] = {5, 6, 7, 1, 2, 3};
    CHECK(kinds(m.faults(at)) == "orientation");
    m.pri.clear();
    m.pyr = {{0, 1, 2, 3, 6}, {0, 4, 5, 1, 6}, {0, 3, 7, 4, 6}};
    CHECK(m.faults(at).empty());
    m.pyr[2] = {0, 4, 7, 3, 6};
    CHECK(kinds(m.faults(at)) == "orientation");
    m.pyr.clear();
    m.points = 6;
    m.tet = {{0, 1, 2, 4}, {0, 2, 1, 5}, {0, 1, 2, 3}};
    const auto faults = m.faults(at);
    CHECK(kinds(faults) == "orientation orientation nonManifold");
    CHECK(faults[1].text == "tetrahedron 2 (0 1 2 3) has no volume");
    CHECK(faults[2].text == "face (0 1 2) belongs to 3 elements: tetrahedron 0, tetrahedron 1, tetrahedron 2");
}

TEST_CASE("Tables that differ from the lists are found")
{
    Loose m;
    m.points = 4;
    m.e = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
    m.t = {{0, 1, 2}, {2, 1, 3}};
    (void)m.trianglesAroundVertex(0);
    (void)m.edgesInTriangle(0);
    (void)m.trianglesAroundEdge(0);
    CHECK(faultsOf(m).empty());
    m.t = {{0, 1, 2}};  // behind the back of the tables
    const std::string found = texts(faultsOf(m));
    CHECK_THAT(found, Catch::Contains("point 1: the table of triangle numbers around it is (0 1), the list has it in "
                                      "(0)"));
    CHECK_THAT(found, Catch::Contains("edge 4 (2 3): the table of triangle numbers around it is (1), but it is a side "
                                      "of ()"));
}

TEST_CASE("Grids and meshes that changed have no faults")
{
    const auto root =
        loadSceneText("<Node name='root'><RegularGridTopology n='3 4 3' min='0 0 0' max='2 3 4'/></Node>", "grid.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const auto& grid = *root->get<BaseMeshTopology>();
    const std::function<Vec3(Index)> at = [&grid](Index i) { return grid.pointPosition(i); };
    CHECK(texts(faultsOf(grid, at)) == "");
    for (const ElementType type : {ElementType::Triangles, ElementType::Tetrahedra}) {
        const Body b = changing(type);
        Run r(textOf(b, allOf(b)));
        const std::function<Vec3(Index)> now = [&r](Index i) { return r.state().positions()[i]; };
        // The points of the block that are below the sheet of triangles belong to nothing.
        const auto faults = [&] {
            auto all = faultsOf(r.mesh(), now);
            if (type == ElementType::Triangles)
                std::erase_if(all, [](const MeshFault& f) { return f.kind == Kind::Unused; });
            return texts(all);
        };
        CHECK(faults() == "");
        splitAtCentre(r.mesh(), type, 3);
        removeElements(r.mesh(), type, {0, 2});
        CHECK(faults() == "");
    }
}

TEST_CASE("TopologyChecker tells what is wrong when the scene starts, and after steps in which the mesh changed")
{
    const auto scene = [](const std::string& triangles, const std::string& how) {
        return "<Node name='root' dt='0.1' gravity='0 0 0'><Node name='body'><EulerImplicitSolver/><CGLinearSolver "
               "iterations='10' tolerance='1e-9' threshold='1e-9'/><TriangleSetTopologyContainer name='mesh' "
               "position='0 0 0  0 1 0  1 0 0  1 1 0  2 0 0  2 1 0' triangles='" +
               triangles +
               "'/><TriangleSetTopologyModifier/><MechanicalObject name='x'/><UniformMass vertexMass='1'/>"
               "<TopologyChecker name='check' " +
               how + "/></Node></Node>";
    };
    MessageCapture messages;
    const Run good(scene("0 2 1  1 2 3  2 4 3  3 4 5", "eachStep='1'"));
    CHECK_FALSE(messages.has(Severity::Error, "mesh"));
    good.simulation->step();
    CHECK_FALSE(messages.has(Severity::Error, "mesh"));

    const Run bad(scene("0 2 1  1 2 3  2 3 4  3 4 5", ""));
    CHECK(
        messages.has(Severity::Error, "'/body/mesh': triangle 2 (2 3 4) and triangle 1 (1 2 3) run along their edge"));
    auto& checker = dynamic_cast<TopologyChecker&>(*bad.body().component("check"));
    CHECK_FALSE(checker.checkTopology());

    // A triangle added on an edge that has two.
    for (const bool each : {false, true}) {
        const MessageCapture now;
        const Run r(scene("0 2 1  1 2 3  2 4 3  3 4 5", each ? "eachStep='1'" : ""));
        TopologyTransaction t(r.mesh());
        const Index p = t.addPoints({{{0, 0.5}, {1, 0.5}}});
        t.add(ElementType::Triangles, std::array<Index, 3>{3, 2, p});
        t.commit();
        r.simulation->step();
        CHECK(now.has(Severity::Warning, "edge (2 3) belongs to 3 elements: triangle 1, triangle 2, triangle 4") ==
              each);
    }
}

TEST_CASE("Control points of quadratic elements are in use")
{
    // Two tetrahedra, whose nine edges get control points behind the six points; the last one belongs to nothing.
    const auto root = loadSceneText(
        "<Node name='root'><BezierTetrahedronSetTopologyContainer name='mesh' position='0 0 0  1 0 0  0 1 0  0 0 1  "
        "1 1 1  9 9 9' tetrahedra='0 1 2 3  1 2 3 4'/></Node>",
        "bezier.scn");
    REQUIRE(root);
    Simulation simulation(root);
    REQUIRE(simulation.init());
    const auto& mesh = *root->get<BaseMeshTopology>(Search::Local);
    REQUIRE(mesh.nbPoints() == 15);
    CHECK(kinds(faultsOf(mesh)) == "unused");
    CHECK(texts(faultsOf(mesh)) == "point 5 belongs to no element\n");
}

}  // namespace topology_checker_test
