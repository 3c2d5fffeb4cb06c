// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/topology/MeshTopology.h"
#include "components/topology/RegularGridTopology.h"
#include "components/topology/RoundGridTopologies.h"
#include "components/topology/TopologyContainers.h"
#include "core/factory/Registry.h"
#include "core/mesh/SubElements.h"
#include "core/objectmodel/Node.h"

namespace topology_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

/// A component made as a scene makes it: by its name, with attributes.
template <class T>
T& make(Node& node, const std::string& type, std::vector<std::pair<std::string, std::string>> attributes = {})
{
    ComponentDescription desc;
    desc.type = type;
    for (auto& [name, value] : attributes) desc.set(name, value);
    auto c = Registry::instance().create(&node, desc);
    node.addComponent(c);
    c->parse(desc);
    for (const auto& a : desc.attributes) {
        INFO("attribute " << a.name);
        REQUIRE(a.used);
    }
    return dynamic_cast<T&>(*c);
}

template <class Span>
Vector<Index> list(const Span& s)
{
    return Vector<Index>(s.begin(), s.end());
}

}  // namespace

TEST_CASE("Regular grid: numbers of elements are those of SOFA")
{
    Node root("root");
    struct Expected
    {
        const char* n;
        std::size_t p, e, t, q, hex;
    };
    // The first from a reference run of SOFA; the second is its default grid.
    for (const auto& x : {Expected{"5 5 20", 500, 2355, 2160, 1080, 304}, Expected{"2 2 2", 8, 18, 12, 6, 1},
                          Expected{"3 3 1", 9, 16, 8, 4, 0}, Expected{"4 1 1", 4, 3, 0, 0, 0}}) {
        auto& grid = make<RegularGridTopology>(root, "RegularGridTopology", {{"n", x.n}});
        INFO("n = " << x.n);
        grid.init();
        CHECK(grid.nbPoints() == x.p);
        CHECK(grid.edges().size() == x.e);
        CHECK(grid.triangles().size() == x.t);
        CHECK(grid.quads().size() == x.q);
        CHECK(grid.hexahedra().size() == x.hex);
        CHECK(grid.tetrahedra().empty());
        CHECK(grid.d_position.value().size() == x.p);
    }
}

TEST_CASE("Regular grid: the lists of SOFA's default grid, number by number")
{
    Node root("root");
    auto& grid = make<RegularGridTopology>(root, "RegularGridTopology");
    // Read before init: the lists are there all the same.
    CHECK(grid.d_edges.text() == "1 3 3 0 0 1 3 2 2 0 5 7 7 4 4 5 7 6 6 4 1 5 5 0 4 0 3 7 7 2 6 2 6 0 7 1");
    CHECK(grid.d_triangles.text() == "0 1 3 0 3 2 4 5 7 4 7 6 0 1 5 0 5 4 2 3 7 2 7 6 0 2 6 0 6 4 1 3 7 1 7 5");
    CHECK(grid.d_quads.text() == "0 1 3 2 4 5 7 6 0 1 5 4 2 3 7 6 0 2 6 4 1 3 7 5");
    CHECK(grid.d_hexahedra.text() == "0 1 3 2 4 5 7 6");
    CHECK_FALSE(grid.d_edges.isSet());
    CHECK(grid.topologyType() == ElementType::Hexahedra);
}

TEST_CASE("Regular grid: positions")
{
    Node root("root");
    SECTION("between min and max")
    {
        auto& g = make<RegularGridTopology>(
            root, "RegularGridTopology", {{"nx", "3"}, {"ny", "2"}, {"nz", "5"}, {"min", "-1 0 2"}, {"max", "1 3 4"}});
        g.init();
        CHECK(g.pointPosition(0) == Vec3{-1., 0., 2.});
        CHECK(g.pointPosition(g.pointIndex(2, 1, 4)) == Vec3{1., 3., 4.});
        CHECK(g.pointPosition(g.pointIndex(1, 0, 1)) == Vec3{0., 0., 2.5});
        CHECK(g.d_position.value()[g.pointIndex(1, 0, 1)] == Vec3{0., 0., 2.5});
        CHECK(g.pointIndex(1, 1, 1) == 1 + 3 * (1 + 2 * 1));
        CHECK(g.pointCoordinates(g.pointIndex(2, 1, 3)) == Vec3i{2, 1, 3});
        CHECK(g.boundingBox().low == Vec3{-1., 0., 2.});
        CHECK(g.boundingBox().high == Vec3{1., 3., 4.});
    }
    SECTION("one point along an axis: middle along x and y, lower end along z")
    {
        auto& g = make<RegularGridTopology>(root, "RegularGridTopology",
                                            {{"n", "1 1 1"}, {"min", "0 0 0"}, {"max", "2 4 6"}});
        g.init();
        CHECK(g.pointPosition(0) == Vec3{1., 2., 0.});
    }
    SECTION("xmin ... zmax with a factor; in single precision only where SOFA's numbers are wanted")
    {
        const bool sofa = GENERATE(false, true);
        if (sofa) root.setAttribute("compatibility", "sofa", {});
        auto& g = make<RegularGridTopology>(root, "RegularGridTopology",
                                            {{"n", "2 2 2"},
                                             {"xmin", "0.1"},
                                             {"xmax", "1"},
                                             {"ymin", "0"},
                                             {"ymax", "1"},
                                             {"zmin", "0"},
                                             {"zmax", "1"},
                                             {"scale", "2"}});
        g.init();
        CHECK(g.pointPosition(0)[0] == 2. * (sofa ? static_cast<double>(0.1f) : 0.1));
        CHECK(g.pointPosition(7) == Vec3{2., 2., 2.});
    }
    SECTION("p0 moves the grid")
    {
        auto& g =
            make<RegularGridTopology>(root, "RegularGridTopology", {{"n", "2 2 2"}, {"p0", "5 6 7"}, {"max", "2 2 2"}});
        g.init();
        CHECK(g.pointPosition(0) == Vec3{5., 6., 7.});
        CHECK(g.pointPosition(7) == Vec3{7., 8., 9.});
    }
    SECTION("cellWidth sets the resolution")
    {
        auto& g = make<RegularGridTopology>(root, "RegularGridTopology", {{"cellWidth", "0.4"}, {"max", "1 2 0.4"}});
        g.init();
        CHECK(g.resolution() == Vec3i{4, 6, 2});
        CHECK(g.pointPosition(g.pointIndex(3, 5, 1))[1] == Approx(2.));
        CHECK(g.pointPosition(g.pointIndex(3, 5, 1))[0] == Approx(1.2));
    }
    SECTION("positions follow a change of the box")
    {
        auto& g = make<RegularGridTopology>(root, "RegularGridTopology");
        g.init();
        g.d_max.setValue({4., 1., 1.});
        CHECK(g.d_position.value()[1] == Vec3{4., 0., 0.});
    }
}

TEST_CASE("Regular grid: lists that are switched off come from the others, as in SOFA")
{
    Node root("root");
    SECTION("no triangles: edges are the grid lines")
    {
        auto& g =
            make<RegularGridTopology>(root, "RegularGridTopology", {{"n", "3 2 2"}, {"computeTriangleList", "0"}});
        g.init();
        CHECK(g.triangles().empty());
        CHECK(g.edges().size() == 2 * 4 + 3 * 2 + 3 * 2);
        CHECK(g.edges()[0] == Edge{0, 1});
        CHECK(g.edges().back() == Edge{5, 11});
    }
    SECTION("no quads and no triangles: quads of the hexahedra, outwards")
    {
        auto& g = make<RegularGridTopology>(root, "RegularGridTopology",
                                            {{"computeTriangleList", "0"}, {"computeQuadList", "0"}});
        g.init();
        CHECK(g.quads() == quadsOf(g.hexahedra()));
    }
    SECTION("no edges: edges of the hexahedra")
    {
        auto& g = make<RegularGridTopology>(root, "RegularGridTopology", {{"computeEdgeList", "0"}});
        g.init();
        CHECK(g.edges() == edgesOf(Vector<Tetrahedron>(), g.hexahedra()));
    }
    SECTION("no hexahedra, no positions")
    {
        auto& g = make<RegularGridTopology>(root, "RegularGridTopology",
                                            {{"computeHexaList", "0"}, {"computePointList", "0"}});
        g.init();
        CHECK(g.hexahedra().empty());
        CHECK(g.d_position.value().empty());
        CHECK(g.hasPositions());
        CHECK(g.pointPosition(7) == Vec3{1., 1., 1.});
    }
}

TEST_CASE("Regular grid: look-up of points and cells")
{
    Node root("root");
    auto& g = make<RegularGridTopology>(root, "RegularGridTopology", {{"n", "3 3 3"}, {"max", "2 2 2"}});
    g.init();
    CHECK(g.findPoint({1.1, 0.9, 2.2}) == g.pointIndex(1, 1, 2));
    CHECK(g.findPoint({1.1, 0.9, 2.6}) == InvalidIndex);
    const auto in = g.findCell({1.25, 0.5, 1.75});
    CHECK(in.cell == g.cellIndex(1, 0, 1));
    CHECK(in.local == Vec3{0.25, 0.5, 0.75});
    CHECK(g.findCell({-0.1, 0., 0.}).cell == InvalidIndex);
    const auto near = g.findNearestCell({-0.5, 0.5, 5.});
    CHECK(near.cell == g.cellIndex(0, 0, 1));
    CHECK(near.local == Vec3{-0.5, 0.5, 4.});
}

TEST_CASE("Cylinder and ball grids: concentric squares become circles, cubes spheres")
{
    Node root("root");
    auto& c = make<CylinderGridTopology>(
        root, "CylinderGridTopology",
        {{"n", "5 5 3"}, {"center", "1 2 3"}, {"axis", "0 5 0"}, {"radius", "2"}, {"length", "6"}});
    c.init();
    CHECK(c.hexahedra().size() == 4 * 4 * 2);
    for (Index i = 0; i < c.nbPoints(); ++i) {
        const Vec3i p = c.pointCoordinates(i);
        const Vec3 x = c.pointPosition(i) - Vec3{1., 2., 3.};
        const int ring = std::max(std::abs(p[0] - 2), std::abs(p[1] - 2));
        CHECK(std::hypot(x[0], x[2]) == Approx(ring).margin(1e-14));
        CHECK(x[1] == Approx(3. * p[2]).margin(1e-14));
        CHECK(c.d_position.value()[i] == c.pointPosition(i));
    }
    auto& s =
        make<SphereGridTopology>(root, "SphereGridTopology", {{"n", "3 5 3"}, {"radius", "2"}, {"axis", "1 0 0"}});
    s.init();
    for (Index i = 0; i < s.nbPoints(); ++i) {
        const Vec3i p = s.pointCoordinates(i);
        const double shell = std::max({2. * std::abs(p[0] - 1), 1. * std::abs(p[1] - 2), 2. * std::abs(p[2] - 1)});
        CHECK(norm(s.pointPosition(i)) == Approx(shell).margin(1e-14));
    }
    CHECK(s.pointPosition(s.pointIndex(1, 2, 2))[0] == Approx(2.));  // the pole lies on the axis
    MessageCapture messages;
    auto& bad = make<SphereGridTopology>(root, "SphereGridTopology", {{"axis", "0 0 0"}});
    bad.init();
    CHECK_FALSE(bad.isValid());
    CHECK(messages.has(Severity::Error, "axis: expected a vector other than 0 0 0"));
}

TEST_CASE("Grid with a resolution below 1 is an error that names the value")
{
    Node root("root");
    MessageCapture messages;
    ComponentDescription desc;
    desc.type = "RegularGridTopology";
    desc.set("n", "0 2 2");
    auto c = Registry::instance().create(&root, desc);
    root.addComponent(c);
    c->parse(desc);
    CHECK(messages.has(Severity::Error, "expected values >= 1, found 0"));
}

TEST_CASE("Mesh topology derives what is not given")
{
    Node root("root");
    SECTION("surface")
    {
        auto& m = make<MeshTopology>(root, "MeshTopology", {{"triangles", "0 1 2 2 1 3"}});
        m.init();
        CHECK(m.nbPoints() == 4);
        CHECK(m.edges() == Vector<Edge>{{1, 2}, {2, 0}, {0, 1}, {1, 3}, {3, 2}});
        CHECK(m.topologyType() == ElementType::Triangles);
        CHECK_FALSE(m.hasPositions());
    }
    SECTION("volume")
    {
        auto& m =
            make<MeshTopology>(root, "MeshTopology", {{"tetras", "0 1 2 3"}, {"points", "0 0 0 1 0 0 0 1 0 0 0 1"}});
        m.init();
        CHECK(m.triangles() == trianglesOf({{0, 1, 2, 3}}));
        CHECK(m.edges().size() == 6);
        CHECK(m.pointPosition(3) == Vec3{0., 0., 1.});
        CHECK(m.hasPositions());
        CHECK(m.boundingBox().high == Vec3{1., 1., 1.});
    }
    SECTION("what is given stays")
    {
        auto& m =
            make<MeshTopology>(root, "MeshTopology", {{"tetras", "0 1 2 3"}, {"lines", "0 1"}, {"triangles", "0 2 1"}});
        m.init();
        CHECK(m.edges() == Vector<Edge>{{0, 1}});
        CHECK(m.triangles() == Vector<Triangle>{{0, 2, 1}});
    }
    SECTION("points alone")
    {
        auto& m = make<MeshTopology>(root, "MeshTopology", {{"position", "0 0 0 1 1 1"}});
        m.init();
        CHECK(m.nbPoints() == 2);
        CHECK(m.topologyType() == ElementType::Points);
    }
}

TEST_CASE("Links to lists of a topology: order of initialisation makes no difference")
{
    Node root("root");
    auto& source = make<MeshTopology>(root, "MeshTopology", {{"name", "source"}, {"tetrahedra", "0 1 2 3"}});
    auto& copy =
        make<MeshTopology>(root, "MeshTopology", {{"tetrahedra", "@source.tetrahedra"}, {"edges", "@source.edges"}});
    copy.resolveDataLinks(true);
    SECTION("source first")
    {
        source.init();
        copy.init();
        CHECK(copy.d_edges.parent() == &source.d_edges);
    }
    SECTION("source last: the linked list is still empty, so it is derived")
    {
        copy.init();
        source.init();
    }
    CHECK(copy.edges() == source.edges());
    CHECK(copy.edges().size() == 6);
}

TEST_CASE("Derived lists and tables follow a change of what they come from")
{
    Node root("root");
    auto& m = make<MeshTopology>(root, "MeshTopology", {{"triangles", "0 1 2"}});
    m.init();
    CHECK(m.edges().size() == 3);
    CHECK(m.trianglesAroundVertex(1).size() == 1);
    m.d_triangles.setValue({{0, 1, 2}, {2, 1, 3}});
    CHECK(m.edges().size() == 5);
    CHECK(m.nbPoints() == 4);
    CHECK(list(m.trianglesAroundVertex(1)) == Vector<Index>{0, 1});
    CHECK(list(m.trianglesAroundEdge(m.edgeIndex(1, 2))) == Vector<Index>{0, 1});
}

TEST_CASE("Tables of a tetrahedral mesh")
{
    Node root("root");
    auto& c = make<TetrahedronSetTopologyContainer>(root, "TetrahedronSetTopologyContainer",
                                                    {{"tetrahedra", "0 1 2 3 1 2 3 4"}});
    c.init();
    REQUIRE(c.edges().size() == 9);
    REQUIRE(c.triangles().size() == 7);
    CHECK(list(c.tetrahedraAroundVertex(0)) == Vector<Index>{0});
    CHECK(list(c.tetrahedraAroundVertex(3)) == Vector<Index>{0, 1});
    CHECK(c.tetrahedraAroundVertex(5).empty());
    const Index shared = c.triangleIndex(3, 1, 2);
    CHECK(shared == 0);
    CHECK(list(c.tetrahedraAroundTriangle(shared)) == Vector<Index>{0, 1});
    for (Index t = 0; t < 2; ++t) {
        const auto edges = c.edgesInTetrahedron(t);
        for (std::size_t k = 0; k < 6; ++k)
            CHECK(sortedVertices(c.edges()[edges[k]]) ==
                  sortedVertices(subElement(c.tetrahedra()[t], tetrahedronEdges[k])));
        const auto faces = c.trianglesInTetrahedron(t);
        for (std::size_t k = 0; k < 4; ++k) {
            const auto& f = c.triangles()[faces[k]];
            CHECK(std::find(f.begin(), f.end(), c.tetrahedra()[t][k]) == f.end());  // opposite to vertex k
        }
    }
    for (Index t = 0; t < c.triangles().size(); ++t) {
        const auto edges = c.edgesInTriangle(t);
        for (std::size_t k = 0; k < 3; ++k) {
            const Edge& e = c.edges()[edges[k]];
            CHECK(std::find(e.begin(), e.end(), c.triangles()[t][k]) == e.end());
        }
    }
    CHECK(list(c.tetrahedraAroundEdge(c.edgeIndex(2, 1))) == Vector<Index>{0, 1});
    CHECK(list(c.verticesAroundVertex(0)) == Vector<Index>{1, 2, 3});
    CHECK(c.edgeIndex(0, 4) == InvalidIndex);
    CHECK(c.edgesInTetrahedron(9)[0] == InvalidIndex);
}

TEST_CASE("Tables of a hexahedral mesh")
{
    Node root("root");
    auto& c = make<HexahedronSetTopologyContainer>(root, "HexahedronSetTopologyContainer",
                                                   {{"hexahedra", "0 1 2 3 4 5 6 7 4 5 6 7 8 9 10 11"}});
    c.init();
    CHECK(c.nbPoints() == 12);
    CHECK(c.quads().size() == 11);
    CHECK(c.edges().size() == 20);
    const Index shared = c.quadIndex(4, 5, 6, 7);
    CHECK(list(c.hexahedraAroundQuad(shared)) == Vector<Index>{0, 1});
    CHECK(c.quadsInHexahedron(0)[1] == shared);
    CHECK(c.quadsInHexahedron(1)[0] == shared);
    CHECK(list(c.hexahedraAroundEdge(c.edgeIndex(5, 4))) == Vector<Index>{0, 1});
    CHECK(list(c.hexahedraAroundVertex(11)) == Vector<Index>{1});
    CHECK(list(c.quadsAroundVertex(0)).size() == 3);
    CHECK(c.quadsAroundEdge(c.edgeIndex(4, 5)).size() == 3);
    CHECK(c.edgesInHexahedron(1)[0] == c.edgeIndex(4, 5));
    const auto q = c.edgesInQuad(shared);
    for (std::size_t k = 0; k < 4; ++k)
        CHECK(sortedVertices(c.edges()[q[k]]) == sortedVertices(subElement(c.quads()[shared], quadEdges[k])));
}

TEST_CASE("A container of cells without cells derives nothing from its faces, as in SOFA")
{
    Node root("root");
    auto& t = make<TetrahedronSetTopologyContainer>(root, "TetrahedronSetTopologyContainer", {{"triangles", "0 1 2"}});
    t.init();
    CHECK(t.triangles().size() == 1);
    CHECK(t.edges().empty());
    auto& h = make<HexahedronSetTopologyContainer>(root, "HexahedronSetTopologyContainer", {{"quads", "0 1 2 3"}});
    h.init();
    CHECK(h.edges().empty());
}

TEST_CASE("Set containers count their points as SOFA does")
{
    Node root("root");
    SECTION("nbPoints alone")
    {
        auto& c = make<PointSetTopologyContainer>(root, "PointSetTopologyContainer", {{"nbPoints", "4"}});
        c.init();
        CHECK(c.nbPoints() == 4);
        CHECK(c.d_nbPoints.value() == 4);
    }
    SECTION("positions raise it")
    {
        auto& c = make<PointSetTopologyContainer>(root, "PointSetTopologyContainer",
                                                  {{"nbPoints", "1"}, {"points", "0 0 0 1 1 1"}});
        c.init();
        CHECK(c.nbPoints() == 2);
        CHECK(c.d_nbPoints.value() == 2);
    }
    SECTION("elements raise it where there are no positions")
    {
        auto& c = make<EdgeSetTopologyContainer>(root, "EdgeSetTopologyContainer", {{"edges", "0 5"}});
        c.init();
        CHECK(c.nbPoints() == 6);
    }
    SECTION("positions decide")
    {
        auto& c = make<QuadSetTopologyContainer>(root, "QuadSetTopologyContainer",
                                                 {{"quads", "0 1 2 3"}, {"position", "0 0 0 1 0 0 1 1 0 0 1 0 5 5 5"}});
        c.init();
        CHECK(c.nbPoints() == 5);
        CHECK(c.edges() == Vector<Edge>{{1, 2}, {2, 3}, {0, 3}, {0, 1}});
    }
}

TEST_CASE("Indices outside the positions are an error that names the element")
{
    Node root("root");
    MessageCapture messages;
    auto& c = make<TriangleSetTopologyContainer>(root, "TriangleSetTopologyContainer",
                                                 {{"position", "0 0 0 1 0 0 0 1 0"}, {"triangles", "0 1 2 0 2 3"}});
    c.init();
    CHECK_FALSE(c.isValid());
    CHECK(messages.has(Severity::Error, "triangles: element 1 (0 2 3) refers to point 3, but there are 3 points"));
    CHECK(c.triangles().empty());
    CHECK(c.edges().empty());

    auto& bad = make<MeshTopology>(root, "MeshTopology", {{"edges", "0 -1"}});
    bad.init();
    CHECK_FALSE(bad.isValid());
    CHECK(messages.has(Severity::Error, "refers to point -1, which is no valid index"));
}

TEST_CASE("checkTopology and checkConnexity report flaws")
{
    Node root("root");
    MessageCapture messages;
    auto& c = make<TriangleSetTopologyContainer>(
        root, "TriangleSetTopologyContainer",
        {{"triangles", "0 1 2 2 1 0 3 4 4"}, {"checkTopology", "1"}, {"checkConnexity", "1"}});
    c.init();
    CHECK(messages.has(Severity::Warning, "triangle 1 has the same points as triangle 0"));
    CHECK(messages.has(Severity::Warning, "triangle 2 (3 4 4) repeats a point"));
    CHECK(messages.has(Severity::Warning, "falls into 2 parts"));
    CHECK(c.connectedParts() == 2);
}

TEST_CASE("A container that a mapping fills after its init derives edges and faces all the same")
{
    Node root("root");
    auto& c = make<TetrahedronSetTopologyContainer>(root, "TetrahedronSetTopologyContainer");
    c.init();
    CHECK(c.edges().empty());
    CHECK(c.nbPoints() == 0);
    c.clear(5);
    c.setElements<Tetrahedron>("tetrahedra", {{0, 1, 2, 3}, {1, 2, 3, 4}});
    CHECK(c.nbPoints() == 5);
    CHECK(c.edges().size() == 9);
    CHECK(c.triangles().size() == 7);
    CHECK(c.tetrahedraAroundVertex(4).size() == 1);
    c.clear(0);
    CHECK(c.triangles().empty());
    CHECK_THROWS_WITH(c.setElements<Hexahedron>("hexahedra", {}), Catch::Contains("has no hexahedra"));
}

}  // namespace topology_test
