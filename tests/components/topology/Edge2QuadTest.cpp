// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/topology/Edge2QuadTopologicalMapping.h"

#include <catch2/catch.hpp>
#include <numbers>

#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "core/topology/TopologyTransaction.h"
#include "tests/harness/Paths.h"

namespace edge2_quad_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;
using component::Edge2QuadTopologicalMapping;

namespace {

/// Four frames of different turns, and a tube around them.
std::string wire(const std::string& mapping, const std::string& more = "", const std::string& controller = "")
{
    return "<Node name='root' dt='0.1' gravity='0 -1 0'><Node name='wire'><EulerImplicitSolver rayleighMass='1'/>"
           "<SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><EdgeSetTopologyContainer name='mesh' "
           "position='0 0 0 1 0 0 2 0 0 3 0 0' edges='0 1 1 2 2 3'/><EdgeSetTopologyModifier/>"
           "<MechanicalObject name='x' template='Rigid3' position='0 0 0 0 0 0 1 1 0 0 0 0 0 1 2 0 0 0 0 0 1 3 0 0 0 0 "
           "0 1'/><UniformMass vertexMass='0.1 1 0.01 0 0 0 0.01 0 0 0 0.01'/><BeamFEMForceField radius='0.05' "
           "youngModulus='1e6' poissonRatio='0.3'/><FixedProjectiveConstraint indices='0'/>" +
           controller +
           "<Node name='tube'><QuadSetTopologyContainer name='quads'/><Edge2QuadTopologicalMapping name='map' " +
           mapping + "/>" + more + "</Node></Node></Node>";
}

const std::string moved = "<MechanicalObject name='p'/><TubularMapping nbPointsOnEachCircle='6' radius='0.2'/>";
const std::string six = "nbPointsOnEachCircle='6' radius='0.2'";

struct Tube
{
    explicit Tube(const std::string& text) : root(loadSceneText(text, "tube.scn")), simulation(root)
    {
        REQUIRE(root);
        REQUIRE(simulation.init());
    }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation.step();
    }
    Node& body() const { return *root->child("wire"); }
    Node& tube() const { return *body().child("tube"); }
    State<Rigid3Types>& frames() const { return *body().get<State<Rigid3Types>>(Search::Local); }
    State<Vec3Types>& points() const { return *tube().get<State<Vec3Types>>(Search::Local); }
    StoredTopology& mesh() const { return *body().get<StoredTopology>(Search::Local); }
    StoredTopology& quads() const { return *tube().get<StoredTopology>(Search::Local); }
    Edge2QuadTopologicalMapping& map() const { return *tube().get<Edge2QuadTopologicalMapping>(Search::Local); }
    /// All quads between the circles of each edge, which stand around the frames.
    void check() const
    {
        const auto& edges = mesh().edges();
        REQUIRE(quads().quads().size() == 6 * edges.size());
        REQUIRE(quads().nbPoints() == 6 * frames().size());
        REQUIRE(points().size() == 6 * frames().size());
        for (Index e = 0; e < edges.size(); ++e)
            for (Index j = 0; j < 6; ++j) {
                const auto [a, b] = edges[e];
                const Index k = (j + 1) % 6;
                CHECK(quads().quads()[6 * e + j] == Quad{6 * a + j, 6 * b + j, 6 * b + k, 6 * a + k});
                CHECK(map().localToGlobal()[6 * e + j] == e);
            }
        for (Index i = 0; i < points().size(); ++i) {
            const RigidCoord3& f = frames().positions()[i / 6];
            const double angle = std::numbers::pi * (i % 6) / 3.;
            const Vec3 r = f.orientation.rotate({0., 0.2 * std::cos(angle), 0.2 * std::sin(angle)});
            CHECK(norm(points().positions()[i] - f.center - r) < 1e-14);
            const auto& v = frames().velocities()[i / 6];
            CHECK(norm(points().velocities()[i] - Rigid3Types::linear(v) - cross(Rigid3Types::angular(v), r)) < 1e-12);
        }
    }
    std::shared_ptr<Node> root;
    Simulation simulation;
};

/// Edge e becomes two, at its middle.
void divide(StoredTopology& t, Index e)
{
    TopologyTransaction change(t);
    const auto [a, b] = t.edges()[e];
    const Index p = change.addPoints({{{a, 0.5}, {b, 0.5}}});
    change.add(ElementType::Edges, std::array{a, p, p, b}, {{{e, 1.}}, {{e, 1.}}});
    change.remove(ElementType::Edges, {e});
    change.commit();
}

}  // namespace

TEST_CASE("A tube around a wire")
{
    const Tube t(wire(six, moved));
    t.check();
    // Seen from outside the quads turn right: their normals point inwards.
    for (const Quad& q : t.quads().quads()) {
        const auto x = [&](std::size_t k) { return t.points().positions()[q[k]]; };
        const Vec3 middle = (x(0) + x(1) + x(2) + x(3)) * 0.25, n = cross(x(2) - x(0), x(3) - x(1));
        CHECK(dot(n, Vec3{0., middle[1], middle[2]}) < 0.);
    }
    const Tube flipped(wire(six + " flipNormals='1'", moved));
    for (std::size_t i = 0; i < 18; ++i) {
        const Quad &q = t.quads().quads()[i], &p = flipped.quads().quads()[i];
        CHECK(Quad{p[3], p[2], p[1], p[0]} == q);
    }
}

TEST_CASE("Without a mapping of states a tube has places of its own, around the frames")
{
    const Tube t(wire("nbPointsOnEachCircle='4' radius='0.5' radiusFocal='0.25' focalAxis='0 2 0'"));
    REQUIRE(t.quads().nbPoints() == 16);
    // Ellipses: 0.25 along y, and 0.5 along y × x.
    const Vec3 expected[] = {{1., 0., -0.5}, {1., 0.25, 0.}, {1., 0., 0.5}, {1., -0.25, 0.}};
    for (Index j = 0; j < 4; ++j) CHECK(norm(t.quads().pointPosition(4 + j) - expected[j]) < 1e-15);
}

TEST_CASE("A tube follows its wire")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    Tube t(wire(six, moved)), again(wire(six, moved));
    t.steps(3);
    divide(t.mesh(), 1);
    t.check();
    t.steps(2);
    divide(t.mesh(), 0);
    t.check();
    {
        TopologyTransaction change(t.mesh());
        change.renumberPoints({5, 3, 1, 0, 2, 4});
        change.commit();
    }
    t.check();
    removeElements(t.mesh(), ElementType::Edges, {2});
    t.check();
    saveCheckpoint(t.simulation, file);
    loadCheckpoint(again.simulation, file);
    again.check();
    for (Tube* one : {&t, &again}) {
        one->steps(1);
        divide(one->mesh(), 0);
        one->steps(1);
    }
    CHECK(t.points().positions() == again.points().positions());
    CHECK(t.quads().quads() == again.quads().quads());
    {
        TopologyTransaction change(t.mesh());
        change.remove(ElementType::Edges, {0});  // and not committed
    }
    t.check();
    t.simulation.reset();
    t.check();
    CHECK(t.points().positions() == Tube(wire(six, moved)).points().positions());
    CHECK(t.frames().size() == 4);
}

TEST_CASE("A wire that gets longer and shorter takes its tube along")
{
    Tube t(wire(six, moved + "<Node><OglModel/><IdentityMapping/></Node>",
                "<EdgeSetController name='c' speed='2' maxLength='8'/>"));
    t.steps(30);
    t.check();
    CHECK(t.frames().size() > 6);
    std::string error;
    REQUIRE(t.body().component("c")->findData("speed")->read("-2", error));
    t.steps(20);
    t.check();
    CHECK(t.frames().size() < 6);
    t.simulation.reset();
    t.check();
    CHECK(t.frames().size() == 4);
}

TEST_CASE("What is picked on a tube stands for the edge in it")
{
    Tube t(wire(six, moved));
    t.steps(2);
    for (Index e = 0; e < 3; ++e) {
        const Quad& q = t.quads().quads()[6 * e + 4];
        Vec3 middle;
        for (const Index v : q) middle += t.points().positions()[v] * 0.25;
        const RemovableElement found = elementOn(t.quads(), q, t.points(), middle);
        CHECK(found.topology == &t.mesh());
        CHECK(found.type == ElementType::Edges);
        CHECK(found.index == e);
        // A point belongs to two edges: the nearer one counts.
        const RemovableElement near = elementOn(t.quads(), {&q[0], 1}, t.points(), middle);
        CHECK(near.index == e);
    }
}

TEST_CASE("A tube around some edges of a wire")
{
    Tube t(wire(six + " edgeList='2 0'", moved));
    const auto sources = [&] {
        Vector<Index> all;
        for (std::size_t k = 0; k < t.map().localToGlobal().size(); k += 6) all.push_back(t.map().localToGlobal()[k]);
        return all;
    };
    CHECK(sources() == Vector<Index>{2, 0});
    CHECK(t.quads().nbPoints() == 24);
    divide(t.mesh(), 1);  // outside; edge 4 gets its number
    CHECK(sources() == Vector<Index>{2, 0});
    divide(t.mesh(), 2);  // both halves are in the list
    CHECK(sources().size() == 3);
    removeElements(t.mesh(), ElementType::Edges, sources());
    CHECK(t.quads().quads().empty());  // and not all
    CHECK(t.mesh().edges().size() == 2);
    t.simulation.reset();
    CHECK(sources() == Vector<Index>{2, 0});
    CHECK(t.map().d_edgeList.text() == "2 0");
}

TEST_CASE("A tube says what it needs, and a mapping of states what it cannot follow")
{
    const auto fails = [](const std::string& text, const std::string& expected) {
        MessageCapture messages;
        auto root = loadSceneText(text, "tube.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, expected));
    };
    fails(wire("radius='1'"), "a circle has three points at least, not 0");
    fails(wire("nbPointsOnEachCircle='8'"), "radius must be given");
    fails(wire(six + " radiusFocal='1' focalAxis='2 0 0'"), "focalAxis must not be along x");
    fails(wire(six + " edgeList='3'"), "edgeList: there is no edge 3 in '/wire/mesh', only 3");

    Tube alone(
        "<Node name='root'><Node name='wire'><EdgeSetTopologyContainer name='mesh' position='0 0 0 1 0 0' edges='0 "
        "1'/><EdgeSetTopologyModifier/><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1 1 0 0 0 0 0 1'/>"
        "<Node name='tube'><MechanicalObject name='p'/><TubularMapping nbPointsOnEachCircle='6' "
        "radius='0.2'/></Node></Node></Node>");
    CHECK_THROWS_WITH(divide(alone.mesh(), 0),
                      Catch::Contains("there would be 18 points") && Catch::Contains("Edge2QuadTopologicalMapping"));
    CHECK(alone.points().size() == 12);
}

}  // namespace edge2_quad_test
