// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <set>

#include "components/topology/GeometryAlgorithms.h"
#include "components/topology/RegularGridTopology.h"
#include "components/topology/TopologicalMappings.h"
#include "components/topology/TopologyContainers.h"
#include "components/topology/TopologyModifiers.h"
#include "core/factory/Registry.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"

namespace mapping_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// A component made as a scene makes it.
template <class T>
T& make(Node& node, const std::string& type, const Attributes& attributes = {})
{
    ComponentDescription desc;
    desc.type = type;
    for (const auto& [name, value] : attributes) desc.set(name, value);
    auto c = Registry::instance().create(&node, desc);
    node.addComponent(c);
    c->parse(desc);
    c->resolveDataLinks(true);
    return dynamic_cast<T&>(*c);
}

/// A grid in the root and, below it, a mapping from it.
struct Scene
{
    Scene(const Attributes& gridAttributes, const std::string& container, const std::string& mapping,
          const Attributes& mappingAttributes = {})
        : root("root"),
          grid(make<RegularGridTopology>(root, "RegularGridTopology", gridAttributes)),
          child(*root.createChild("child")),
          output(make<StoredTopology>(child, container)),
          map(make<TopologicalMapping>(child, mapping, mappingAttributes))
    {
    }
    void init()
    {
        grid.init();
        output.init();
        map.init();
    }
    Node root;
    RegularGridTopology& grid;
    Node& child;
    StoredTopology& output;
    TopologicalMapping& map;
};

double volume(const BaseMeshTopology& grid, const Tetrahedron& t)
{
    return geometry::tetrahedronVolume(grid.pointPosition(t[0]), grid.pointPosition(t[1]), grid.pointPosition(t[2]),
                                       grid.pointPosition(t[3]));
}

}  // namespace

TEST_CASE("Hexahedra to tetrahedra: six of the right orientation each, filling the cell")
{
    for (const char* swapping : {"0", "1"}) {
        Scene s({{"n", "4 3 3"}, {"max", "3 2 2"}}, "TetrahedronSetTopologyContainer", "Hexa2TetraTopologicalMapping",
                {{"swapping", swapping}});
        s.init();
        REQUIRE(s.map.isValid());
        REQUIRE(s.output.tetrahedra().size() == 6 * 12);
        CHECK(s.output.nbPoints() == 36);
        for (Index h = 0; h < 12; ++h) {
            double sum = 0.;
            for (Index k = 0; k < 6; ++k) {
                CHECK(s.map.localToGlobal()[6 * h + k] == h);
                const double v = volume(s.grid, s.output.tetrahedra()[6 * h + k]);
                CHECK(v > 0.);
                sum += v;
            }
            CHECK(sum == Approx(1.));
            CHECK(s.map.outputElements(h).size() == 6);
            CHECK(s.map.globalToLocal(h) == 6 * h + 5);
        }
        // Neighbours agree on the diagonals of their faces: the border is that of the box, and nothing inside is open.
        const auto border = borderOf(s.output.tetrahedra());
        CHECK(border.size() == 2 * borderOf(s.grid.hexahedra()).size());
        // Euler's formula for a ball: V − E + F − C = 1.
        CHECK(static_cast<int>(s.output.nbPoints()) - static_cast<int>(s.output.edges().size()) +
                  static_cast<int>(s.output.triangles().size()) - static_cast<int>(s.output.tetrahedra().size()) ==
              1);
    }
}

TEST_CASE("Hexahedra to tetrahedra: vertex by vertex")
{
    Scene s({{"n", "2 2 2"}}, "TetrahedronSetTopologyContainer", "Hexa2TetraTopologicalMapping");
    s.init();
    // The cell is 0 1 3 2 4 5 7 6 in the points of the grid.
    CHECK(s.output.tetrahedra() ==
          Vector<Tetrahedron>{{0, 5, 1, 7}, {0, 1, 2, 7}, {1, 2, 7, 3}, {7, 2, 0, 6}, {7, 6, 0, 5}, {6, 5, 4, 0}});
    Scene mirrored({{"n", "2 2 2"}}, "TetrahedronSetTopologyContainer", "Hexa2TetraTopologicalMapping",
                   {{"swapping", "1"}});
    mirrored.init();
    // Mirrored along x: 1 0 2 3 5 4 6 7, with the last two vertices exchanged.
    CHECK(mirrored.output.tetrahedra() ==
          Vector<Tetrahedron>{{1, 4, 6, 0}, {1, 0, 6, 3}, {0, 3, 2, 6}, {6, 3, 7, 1}, {6, 7, 4, 1}, {7, 4, 1, 5}});
}

TEST_CASE("The output is filled before it is read, whatever the order of initialisation")
{
    Scene s({{"n", "2 2 3"}}, "TetrahedronSetTopologyContainer", "Hexa2TetraTopologicalMapping");
    SECTION("read before anything is initialised") {}
    SECTION("mapping first") { s.map.init(); }
    SECTION("output first")
    {
        s.output.init();
        s.grid.init();
    }
    CHECK(s.output.tetrahedra().size() == 12);
    CHECK(s.output.nbPoints() == 12);
    s.init();
    CHECK(s.output.tetrahedra().size() == 12);
    CHECK(s.output.edges().size() == edgesOf(s.output.tetrahedra(), {}).size());
}

TEST_CASE("A second mapping into the same output replaces what the first wrote, and edges follow")
{
    Scene s({{"n", "3 3 3"}}, "QuadSetTopologyContainer", "Hexa2QuadTopologicalMapping");
    auto& again = make<TopologicalMapping>(s.child, "Hexa2QuadTopologicalMapping");
    s.init();
    again.init();
    CHECK(s.output.quads().size() == 24);
    CHECK(s.output.edges().size() == 48);
}

TEST_CASE("Chains of mappings: grid to tetrahedra to border triangles to nothing")
{
    Scene s({{"n", "3 3 3"}}, "TetrahedronSetTopologyContainer", "Hexa2TetraTopologicalMapping");
    Node& surface = *s.child.createChild("surface");
    auto& triangles = make<TriangleSetTopologyContainer>(surface, "TriangleSetTopologyContainer");
    auto& map = make<TopologicalMapping>(surface, "Tetra2TriangleTopologicalMapping");
    CHECK(triangles.triangles().size() == 48);
    CHECK(triangles.triangles() == borderOf(s.output.tetrahedra()));
    CHECK(triangles.nbPoints() == 27);
    Node& rim = *surface.createChild("rim");
    auto& edges = make<EdgeSetTopologyContainer>(rim, "EdgeSetTopologyContainer");
    make<TopologicalMapping>(rim, "Triangle2EdgeTopologicalMapping");
    CHECK(edges.edges().empty());  // a closed surface has no border
    for (Index i = 0; i < triangles.triangles().size(); ++i) {
        CHECK(s.output.triangles()[map.localToGlobal()[i]] == triangles.triangles()[i]);
        CHECK(map.globalToLocal(map.localToGlobal()[i]) == i);
    }
    CHECK(map.globalToLocal(1000000) == InvalidIndex);
}

TEST_CASE("Border triangles turned around, or none at all")
{
    for (const auto& [name, count] :
         {std::pair<const char*, std::size_t>{"flipNormals", 4}, {"noInitialTriangles", 0}}) {
        Node root("root");
        auto& tetrahedra =
            make<TetrahedronSetTopologyContainer>(root, "TetrahedronSetTopologyContainer", {{"tetrahedra", "0 1 2 3"}});
        Node& child = *root.createChild("child");
        auto& out = make<TriangleSetTopologyContainer>(child, "TriangleSetTopologyContainer", {{"triangles", "5 6 7"}});
        make<TopologicalMapping>(child, "Tetra2TriangleTopologicalMapping", {{name, "1"}});
        REQUIRE(out.triangles().size() == count);
        for (std::size_t i = 0; i < count; ++i) {
            const Triangle &a = tetrahedra.triangles()[i], &b = out.triangles()[i];
            CHECK(b == Triangle{a[0], a[2], a[1]});
        }
        CHECK(out.nbPoints() == 4);
    }
}

TEST_CASE("Hexahedra to border quads")
{
    Scene s({{"n", "3 3 3"}}, "QuadSetTopologyContainer", "Hexa2QuadTopologicalMapping");
    s.init();
    CHECK(s.output.quads().size() == 24);
    for (Index i = 0; i < 24; ++i) {
        const Index q = s.map.localToGlobal()[i];
        CHECK(s.output.quads()[i] == s.grid.quads()[q]);
        CHECK(s.grid.hexahedraAroundQuad(q).size() == 1);
    }
    Scene flipped({{"n", "2 2 2"}}, "QuadSetTopologyContainer", "Hexa2QuadTopologicalMapping", {{"flipNormals", "1"}});
    flipped.init();
    CHECK(flipped.output.quads()[0] == Quad{2, 3, 1, 0});
}

TEST_CASE("Hexahedra to prisms fill the cell")
{
    Scene s({{"n", "2 2 2"}}, "MeshTopology", "Hexa2PrismTopologicalMapping");
    s.init();
    CHECK(s.output.prisms() == Vector<Prism>{{0, 5, 1, 2, 7, 3}, {0, 4, 5, 2, 6, 7}});
    CHECK(s.output.topologyType() == ElementType::Prisms);
}

TEST_CASE("Quads to triangles, with and without the checkerboard")
{
    const Attributes flat{{"n", "3 3 1"}};
    Scene s(flat, "TriangleSetTopologyContainer", "Quad2TriangleTopologicalMapping");
    s.init();
    const auto& q = s.grid.quads();
    REQUIRE(q.size() == 4);
    const auto& t = s.output.triangles();
    REQUIRE(t.size() == 8);
    CHECK(t[0] == Triangle{q[0][1], q[0][2], q[0][0]});
    CHECK(t[1] == Triangle{q[0][3], q[0][0], q[0][2]});
    CHECK(t[2] == Triangle{q[1][0], q[1][1], q[1][3]});
    CHECK(t[3] == Triangle{q[1][2], q[1][3], q[1][1]});
    CHECK(t[4] == Triangle{q[2][0], q[2][1], q[2][3]});
    CHECK(t[6] == Triangle{q[3][1], q[3][2], q[3][0]});
    CHECK(s.map.localToGlobal() == Vector<Index>{0, 0, 1, 1, 2, 2, 3, 3});
    Scene plain(flat, "TriangleSetTopologyContainer", "Quad2TriangleTopologicalMapping", {{"swapping", "0"}});
    plain.init();
    CHECK(plain.output.triangles()[2] == Triangle{q[1][1], q[1][2], q[1][0]});
}

TEST_CASE("Triangles to border edges keep the orientation of the surface")
{
    Node root("root");
    make<TriangleSetTopologyContainer>(root, "TriangleSetTopologyContainer", {{"triangles", "0 1 2 2 1 3"}});
    Node& child = *root.createChild("child");
    auto& out = make<EdgeSetTopologyContainer>(child, "EdgeSetTopologyContainer");
    make<TopologicalMapping>(child, "Triangle2EdgeTopologicalMapping").init();
    CHECK(out.edges() == Vector<Edge>{{2, 0}, {0, 1}, {1, 3}, {3, 2}});
}

TEST_CASE("Mappings name what is missing")
{
    MessageCapture messages;
    SECTION("no input")
    {
        Node root("root");
        make<EdgeSetTopologyContainer>(root, "EdgeSetTopologyContainer");
        auto& m = make<TopologicalMapping>(root, "Triangle2EdgeTopologicalMapping");
        m.init();
        CHECK_FALSE(m.isValid());
        CHECK(messages.has(Severity::Error, "input: there is no topology to map; expected one of triangle elements"));
    }
    SECTION("no output")
    {
        Node root("root");
        make<TriangleSetTopologyContainer>(root, "TriangleSetTopologyContainer");
        auto& m = make<TopologicalMapping>(*root.createChild("child"), "Triangle2EdgeTopologicalMapping");
        m.init();
        CHECK(messages.has(Severity::Error, "output: there is no topology to fill"));
    }
    SECTION("output of the wrong kind")
    {
        Scene s({{"n", "2 2 2"}}, "EdgeSetTopologyContainer", "Hexa2TetraTopologicalMapping");
        s.init();
        CHECK_FALSE(s.map.isValid());
        CHECK(messages.has(Severity::Error,
                           "/child/EdgeSetTopologyContainer1 (EdgeSetTopologyContainer) has no tetrahedra"));
    }
    SECTION("one and the same")
    {
        Node root("root");
        make<TriangleSetTopologyContainer>(root, "TriangleSetTopologyContainer", {{"name", "t"}});
        auto& m =
            make<TopologicalMapping>(root, "Triangle2EdgeTopologicalMapping", {{"input", "@t"}, {"output", "@t"}});
        m.init();
        CHECK(messages.has(Severity::Error, "input and output are the same topology"));
    }
    SECTION("a grid of one dimension has no quads")
    {
        Scene s({{"n", "1 1 5"}}, "TriangleSetTopologyContainer", "Quad2TriangleTopologicalMapping");
        s.init();
        CHECK(messages.has(Severity::Error, "has no quads to divide"));
    }
}

TEST_CASE("removeIsolated: points go with their last element, or stay")
{
    const bool isolated = GENERATE(false, true);
    Node root("root");
    auto& t = make<TetrahedronSetTopologyContainer>(root, "TetrahedronSetTopologyContainer",
                                                    {{"tetrahedra", "0 1 2 3 1 2 3 4"}});
    auto& m = make<TetrahedronSetTopologyModifier>(root, "TetrahedronSetTopologyModifier",
                                                   {{"removeIsolated", isolated ? "1" : "0"}});
    t.init();
    m.init();
    CHECK(t.triangles().size() == 7);
    CHECK(&m.changeable() == &t);
    CHECK_THROWS_WITH(removeElements(t, ElementType::Tetrahedra, {2}),
                      Catch::Contains("there is no tetrahedron 2 in '/TetrahedronSetTopologyContainer"));
    removeElements(t, ElementType::Tetrahedra, {0});
    CHECK(t.triangles().size() == 4);
    CHECK(t.nbPoints() == (isolated ? 4u : 5u));
    // The last point takes the place of point 0.
    CHECK(t.tetrahedra() == Vector<Tetrahedron>{isolated ? Tetrahedron{1, 2, 3, 0} : Tetrahedron{1, 2, 3, 4}});
    CHECK(t.initialIndex(ElementType::Tetrahedra, 0) == 1);
    CHECK(t.initialIndex(ElementType::Points, 0) == (isolated ? 4u : 0u));
}

TEST_CASE("Triangles in list_Out are not removed, and keep being so when their numbers change")
{
    Node root("root");
    auto& t = make<TriangleSetTopologyContainer>(root, "TriangleSetTopologyContainer",
                                                 {{"triangles", "0 1 2 1 3 2 2 3 4 3 5 4"}});
    auto& m = make<TriangleSetTopologyModifier>(root, "TriangleSetTopologyModifier", {{"list_Out", "1 3"}});
    t.init();
    m.init();
    CHECK_THROWS_WITH(removeElements(t, ElementType::Triangles, {0, 1}),
                      Catch::Contains("triangle 1 is in list_Out: it must not be removed"));
    removeElements(t, ElementType::Triangles, {0});  // the last one takes its place
    CHECK(m.d_listOut.value() == Vector<Index>{1, 0});
    CHECK_THROWS_WITH(removeElements(t, ElementType::Triangles, {0}), Catch::Contains("triangle 0 is in list_Out"));
    CHECK(t.triangles().size() == 3);
}

TEST_CASE("Quads are taken out of a mesh that has a modifier for them, with the points that only they had")
{
    Node root("root");
    auto& t = make<QuadSetTopologyContainer>(root, "QuadSetTopologyContainer", {{"quads", "0 1 4 3  1 2 5 4"}});
    t.init();
    auto& m = make<QuadSetTopologyModifier>(root, "QuadSetTopologyModifier");
    m.init();
    CHECK(m.elementType() == ElementType::Quads);
    removeElements(t, ElementType::Quads, {0});
    REQUIRE(t.quads().size() == 1);
    CHECK(t.nbPoints() == 4);
    std::set<Index> corners(t.quads()[0].begin(), t.quads()[0].end());
    CHECK(corners == std::set<Index>{0, 1, 2, 3});
}

TEST_CASE("A grid without a shape numbers points and cells along x first")
{
    Node root("root");
    auto& grid = make<GridTopology>(root, "GridTopology",
                                    {{"n", "3 2 2"}, {"createTexCoords", "1"}, {"computeTriangleList", "0"}});
    grid.init();
    CHECK(grid.nbPoints() == 12);
    CHECK(grid.hexahedra().size() == 2);
    CHECK(grid.hexahedra()[1][0] == 1);
    CHECK(grid.pointIndex(2, 1, 1) == 11);
    CHECK(grid.pointCoordinates(11) == Vec3i{2, 1, 1});
    // Lines along x, y and z: 2·2·2 + 3·1·2 + 3·2·1.
    CHECK(grid.edges().size() == 20);
    REQUIRE(grid.d_uv.value().size() == 12);
    CHECK(grid.d_uv.value()[1] == Vec2{0.5, 0.});
}

TEST_CASE("Geometry algorithms measure the state, or the topology where there is none")
{
    Node root("root");
    auto& grid = make<RegularGridTopology>(root, "RegularGridTopology", {{"n", "3 3 3"}, {"max", "2 2 4"}});
    grid.init();
    auto& g = make<HexahedronSetGeometryAlgorithms<Vec3Types>>(root, "HexahedronSetGeometryAlgorithms");
    g.init();
    CHECK(g.templateName() == "Vec3");
    CHECK(g.hexahedronVolume(0) == Approx(2.));
    CHECK(g.totalVolume() == Approx(16.));
    CHECK(g.quadArea(0) == Approx(1.));
    CHECK(norm(g.quadNormal(0)) == Approx(1.));
    CHECK(g.centre() == Vec3{1., 1., 2.});
    CHECK(g.hexahedronCentre(0) == Vec3{0.5, 0.5, 1.});
    CHECK(g.enclosingRadius() == Approx(std::sqrt(6.)));
    CHECK(g.pointBox().high == Vec3{2., 2., 4.});
    CHECK_THROWS(g.quadArea(100000));

    auto& q = make<QuadSetGeometryAlgorithms<Vec3Types>>(root, "QuadSetGeometryAlgorithms");
    q.init();
    CHECK(q.quadArea(0) == Approx(g.quadArea(0)));
    CHECK(norm(q.quadCentre(0) - g.quadCentre(0)) == 0.);
    auto& e = make<EdgeSetGeometryAlgorithms<Vec3Types>>(root, "EdgeSetGeometryAlgorithms");
    e.init();
    double length = 0.;
    for (const Edge& edge : grid.edges()) length += norm(grid.pointPosition(edge[1]) - grid.pointPosition(edge[0]));
    CHECK(length > 9. * (2. + 2. + 4.));  // the lines of the grid, and the diagonals of its triangles
    CHECK(e.totalLength() == Approx(length));

    Node& child = *root.createChild("child");
    make<MeshTopology>(child, "MeshTopology", {{"tetrahedra", "0 1 2 3"}, {"edges", "0 3"}}).init();
    auto& state = make<State<Vec3Types>>(child, "MechanicalObject", {{"position", "0 0 0 1 0 0 0 1 0 0 0 3"}});
    state.init();
    auto& t = make<TetrahedronSetGeometryAlgorithms<Vec3Types>>(child, "TetrahedronSetGeometryAlgorithms");
    t.init();
    CHECK(t.tetrahedronVolume(0) == Approx(0.5));
    CHECK(t.totalVolume() == Approx(0.5));
    CHECK(t.edgeLength(0) == Approx(3.));
    CHECK(t.edgeCentre(0) == Vec3{0., 0., 1.5});
    CHECK(t.totalLength() == Approx(3.));
    CHECK(t.barycentric({0., 0., 1.5}, 0)[3] == Approx(0.5));
    state.write(vec_id::position)[3] = {0., 0., 6.};
    CHECK(t.totalVolume() == Approx(1.));
    CHECK(t.totalVolume(TetrahedronSetGeometryAlgorithms<Vec3Types>::At::Rest) == Approx(0.5));
    CHECK(norm(t.tetrahedronCircumcentre(0) - t.point(3)) == Approx(norm(t.tetrahedronCircumcentre(0))));
}

TEST_CASE("Triangle algorithms: areas, normals, bending, orientation")
{
    Node root("root");
    auto& m = make<MeshTopology>(root, "MeshTopology",
                                 {{"triangles", "0 1 2 1 2 3"}, {"position", "0 0 0 1 0 0 0 1 0 1 1 0"}});
    m.init();
    auto& g = make<TriangleSetGeometryAlgorithms<Vec3Types>>(root, "TriangleSetGeometryAlgorithms",
                                                             {{"recomputeTrianglesOrientation", "1"}});
    g.init();
    CHECK(m.triangles() == Vector<Triangle>{{0, 1, 2}, {1, 3, 2}});
    CHECK(g.totalArea() == Approx(1.));
    CHECK(g.triangleNormal(1) == Vec3{0., 0., 1.});
    CHECK(g.triangleCircumcentre(0) == Vec3{0.5, 0.5, 0.});
    CHECK(norm(g.triangleCentre(0) - Vec3{1. / 3., 1. / 3., 0.}) < 1e-15);
    CHECK(g.angleAcrossEdge(m.edgeIndex(1, 2)) == Approx(0.).margin(1e-12));
    CHECK(g.angleAcrossEdge(m.edgeIndex(0, 1)) == 0.);
    m.d_position.setValue({{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0.5, 0.5, 1.}});
    CHECK(g.angleAcrossEdge(m.edgeIndex(1, 2)) == Approx(std::acos(-1.) / 2.));
}

TEST_CASE("Geometry algorithms without topology or state warn, and say so when they are asked")
{
    Node root("root");
    MessageCapture messages;
    auto& g = make<PointSetGeometryAlgorithms<Vec3Types>>(root, "PointSetGeometryAlgorithms");
    g.init();
    CHECK(messages.has(Severity::Warning, "no topology to measure"));
    CHECK_THROWS_WITH(g.centre(), Catch::Contains("no topology to measure"));
}

}  // namespace mapping_test
