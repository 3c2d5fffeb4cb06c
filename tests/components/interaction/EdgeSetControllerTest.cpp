// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/EdgeSetController.h"

#include <catch2/catch.hpp>

#include "core/interaction/MouseWheelEvent.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "core/topology/StoredTopology.h"
#include "core/topology/TopologyChange.h"
#include "tests/harness/Paths.h"

namespace edge_set_controller_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;
using component::EdgeSetController;

namespace {

/// Three edges of 1 m along x; dt = 0.1 s.
std::string wire(const std::string& controller, const std::string& fixed = "0", const std::string& more = "",
                 const std::string& edges = "0 1 1 2 2 3", const std::string& modifier = "<EdgeSetTopologyModifier/>")
{
    return "<Node name='root' dt='0.1' gravity='0 0 0'><Node name='wire'><EulerImplicitSolver rayleighMass='1'/>"
           "<SparseLDLSolver template='CompressedRowSparseMatrixMat3x3d'/><EdgeSetTopologyContainer name='mesh' "
           "position='0 0 0 1 0 0 2 0 0 3 0 0' edges='" +
           edges + "'/>" + modifier +
           "<MechanicalObject name='x' template='Rigid3' position='0 0 0 0 0 0 1 1 0 0 0 0 0 1 2 0 0 0 0 0 1 3 0 0 0 0 "
           "0 1'/><UniformMass vertexMass='0.1 1 0.01 0 0 0 0.01 0 0 0 0.01'/><BeamFEMForceField radius='0.05' "
           "youngModulus='1e6' poissonRatio='0.3'/><FixedProjectiveConstraint name='fixed' indices='" +
           fixed + "'/><EdgeSetController name='c' " + controller + "/>" + more + "</Node></Node>";
}

struct Wire
{
    explicit Wire(const std::string& text) : root(loadSceneText(text, "wire.scn")), simulation(root)
    {
        REQUIRE(root);
        REQUIRE(simulation.init());
    }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation.step();
    }
    Node& body() const { return *root->child("wire"); }
    State<Rigid3Types>& state() const { return *body().get<State<Rigid3Types>>(Search::Local); }
    StoredTopology& mesh() const { return *body().get<StoredTopology>(Search::Local); }
    EdgeSetController& controller() const { return *body().get<EdgeSetController>(Search::Local); }
    double rest(Index i) const { return state().read(vec_id::restPosition)[i].center[0]; }
    /// Points along the wire in their order, joined by edges in the sense of the wire.
    void checkWire() const
    {
        REQUIRE(mesh().nbPoints() == state().size());
        REQUIRE(mesh().edges().size() == state().size() - 1);
        double sum = 0.;
        for (Index i = 0; i + 1 < state().size(); ++i) {
            const Index e = mesh().edgeIndex(i, i + 1);
            REQUIRE(e != InvalidIndex);
            CHECK(mesh().edges()[e] == Edge{i, i + 1});
            CHECK(rest(i + 1) > rest(i));
            sum += rest(i + 1) - rest(i);
        }
        CHECK(controller().length() == Approx(sum));
    }
    std::shared_ptr<Node> root;
    Simulation simulation;
};

}  // namespace

TEST_CASE("A wire that is pushed out gets longer, edge by edge")
{
    // The default direction is that of the edge; scenes give it in either sense.
    for (const char* direction : {"", " mainDirection='1 0 0'", " mainDirection='-2 0 0'"}) {
        INFO(direction);
        Wire w(wire(std::string("speed='2'") + direction));
        w.steps(5);  // 0.2 m each: the first edge is 2 m long
        w.checkWire();
        CHECK(w.state().size() == 4);
        CHECK(w.rest(0) == Approx(-1.));
        w.steps(1);
        w.checkWire();
        REQUIRE(w.state().size() == 5);
        CHECK(w.rest(0) == Approx(-1.2));
        CHECK(w.rest(1) == Approx(-0.1));
        CHECK(w.rest(2) == Approx(1.));
        w.steps(20);
        w.checkWire();
        CHECK(w.controller().length() == Approx(3. + 26 * 0.2));
        // The fixed end stays, the wire comes out of it.
        CHECK(w.state().positions()[0].center == Vec3{});
        w.controller().d_speed.setValue(0.);
        w.steps(300);
        CHECK(w.state().positions()[w.state().size() - 1].center[0] == Approx(8.2).epsilon(1e-3));
        w.simulation.reset();
        w.checkWire();
        CHECK(w.state().size() == 4);
        CHECK(w.rest(0) == 0.);
        CHECK(w.controller().length() == Approx(3.));
    }
}

TEST_CASE("A wire that is pulled in gets shorter down to its least length")
{
    Wire w(wire("speed='-2' minLength='1.5'"));
    w.steps(3);
    w.checkWire();
    CHECK(w.state().size() == 3);  // 0.4 m are less than half of the first edge
    CHECK(w.rest(0) == Approx(0.6));
    CHECK(w.rest(1) == Approx(2.));
    w.steps(20);
    w.checkWire();
    CHECK(w.controller().length() == Approx(1.5));
    CHECK(w.state().size() == 3);
}

TEST_CASE("A wire grows at its last point, or after a point in its middle")
{
    Wire last(wire("speed='2' reversed='1'", "3"));
    last.steps(6);
    last.checkWire();
    REQUIRE(last.state().size() == 5);
    CHECK(last.rest(0) == 0.);
    CHECK(last.rest(3) == Approx(3.1));
    CHECK(last.rest(4) == Approx(4.2));
    CHECK(last.body().component("fixed")->findData("indices")->text() == "4");
    last.controller().d_speed.setValue(-2.);
    last.steps(8);
    last.checkWire();
    CHECK(last.controller().length() == Approx(2.6));

    for (const char* index : {"1", "-3"}) {
        Wire middle(wire("speed='2' startingIndex='" + std::string(index) + "'"));
        middle.steps(6);
        middle.checkWire();
        REQUIRE(middle.state().size() == 5);
        CHECK(middle.rest(0) == Approx(-1.2));
        CHECK(middle.rest(1) == Approx(-0.2));
        CHECK(middle.rest(2) == Approx(0.9));
        CHECK(middle.rest(3) == Approx(2.));
    }
}

TEST_CASE("The wheel of the mouse pushes the wire by a step for each notch")
{
    Wire w(wire("step='0.4' maxDepl='0'"));
    w.root->propagateEvent(MouseWheelEvent(2.));
    w.steps(1);
    CHECK(w.controller().length() == Approx(3. + 2 * 0.4));
    w.root->propagateEvent(MouseWheelEvent(-0.5));
    w.steps(1);
    CHECK(w.controller().length() == Approx(3. + 1.5 * 0.4));
}

TEST_CASE("Keys push the wire, no more than maxDepl in a step")
{
    Wire w(wire("step='0.4' maxDepl='0.5'"));
    const auto press = [&](char key) { w.root->propagateEvent(KeyEvent(key, true)); };
    press('+');
    press('+');
    w.steps(1);
    CHECK(w.rest(0) == Approx(-0.5));
    w.steps(5);
    CHECK(w.controller().length() == Approx(3. + 4 * 0.4));
    press('-');
    w.steps(5);
    CHECK(w.controller().length() == Approx(3. + 2 * 0.4));
    press('*');  // 4 m/s
    w.steps(1);
    CHECK(w.controller().length() == Approx(3. + 3 * 0.4));
    press('/');
    press('/');
    w.steps(1);
    CHECK(w.controller().length() == Approx(3. + 2 * 0.4));
    press('0');
    w.steps(2);
    CHECK(w.controller().length() == Approx(3. + 2 * 0.4));
    w.checkWire();
}

TEST_CASE("A wire goes on from a checkpoint with the same bits")
{
    const TemporaryDirectory folder;
    const auto file = (folder / "c.bin").string();
    for (const int before : {3, 8, 20}) {
        const std::string text = wire("speed='2'");
        Wire w(text), again(text);
        w.steps(before);
        saveCheckpoint(w.simulation, file);
        w.steps(10);
        loadCheckpoint(again.simulation, file);
        again.steps(10);
        again.checkWire();
        CHECK(w.state().positions() == again.state().positions());
        CHECK(w.state().velocities() == again.state().velocities());
    }
}

TEST_CASE("What is no wire, or cannot change, is told")
{
    MessageCapture messages;
    const auto refused = [&](const std::string& text, const std::string& expected) {
        INFO(expected);
        auto root = loadSceneText(text, "wire.scn");
        REQUIRE(root);
        Simulation simulation(root);
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, expected));
    };
    refused(wire("", "0", "", "0 1 1 3"), "is no wire: there is no edge between points 1 and 2");
    refused(wire("", "0", "", "0 1 1 2 2 3 0 3"), "4 points have 3 edges, not 4");
    refused(wire("", "0", "", "0 1 1 2 2 3", ""), "there is no topology modifier in its node");
    refused(wire("startingIndex='4'"), "startingIndex: there is no point 4, only 4");
    refused(wire("startingIndex='1' reversed='1'"), "startingIndex: only 0 is possible with reversed");
    refused(wire("mainDirection='0 1 0'"), "mainDirection: 0 1 0 of the frame of point 0 is across the wire");
    refused(wire("minLength='3' maxLength='2'"), "minLength must not be above maxLength");
    // Others may not change the wire.
    Wire w(wire("speed='2'"));
    CHECK_THROWS_WITH(removeElements(w.mesh(), ElementType::Edges, {2}),
                      Catch::Contains("only itself may change the wire"));
    // What cannot follow stops the run.
    Wire hooked(
        wire("speed='2'", "0", "<DiagonalVelocityDampingForceField dampingCoefficient='1 1 1 1 1 1 2 2 2 2 2 2'/>"));
    hooked.steps(5);
    CHECK_THROWS_WITH(hooked.steps(1), Catch::Contains("'/wire/c': the wire cannot change: "));
}

}  // namespace edge_set_controller_test
