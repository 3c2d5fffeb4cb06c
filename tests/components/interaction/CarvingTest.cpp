// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/CarvingManager.h"

#include <catch2/catch.hpp>

#include "core/geometry/ConvexContact.h"
#include "core/interaction/MouseButtonEvent.h"
#include "core/simulation/Checkpoint.h"
#include "tests/components/topology/RemovalScene.h"
#include "tests/harness/Paths.h"

namespace carving_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::test;
using component::CarvingManager;

namespace {

/// A block of tetrahedra at rest, 0.2 m wide, and a ball that comes down onto the middle of its upper side.
std::string scene(const std::string& manager, const std::string& surfaceTags = "CarvingSurface",
                  const std::string& stiffness = "0")
{
    const Mesh m = block(ElementType::Tetrahedra);
    std::string points, tetrahedra;
    for (const Vec3& p : m.points) points += toText(p) + " ";
    for (const auto& e : m.elements) tetrahedra += toText(e) + " ";
    return "<Node name='root' dt='0.01' gravity='0 0 0'><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>"
           "<MinProximityIntersection alarmDistance='0.02' contactDistance='0.002'/>"
           "<CollisionResponse response='PenalityContactForceField'/>" +
           manager +
           "<Node name='body'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-9' "
           "threshold='1e-12'/>"
           "<TetrahedronSetTopologyContainer name='mesh' position='" +
           points + "' tetrahedra='" + tetrahedra +
           "'/><TetrahedronSetTopologyModifier/><MechanicalObject/><DiagonalMass massDensity='1000'/>"
           "<TetrahedronFEMForceField youngModulus='5000'/><FixedProjectiveConstraint indices='0 1 2'/>"
           "<Node name='skin'><TriangleSetTopologyContainer name='triangles'/><Tetra2TriangleTopologicalMapping/>"
           "<TriangleCollisionModel tags='" +
           surfaceTags + "' contactStiffness='" + stiffness +
           "'/></Node></Node>"
           "<Node name='tool'><EulerExplicitSolver/><MechanicalObject position='0.1 0.26 0.1' velocity='0 -1 0'/>"
           "<UniformMass totalMass='1'/><SphereCollisionModel name='ball' radius='0.03' tags='CarvingTool' "
           "contactStiffness='" +
           stiffness + "'/></Node></Node>";
}

CarvingManager& managerOf(const Run& r) { return *r.root->get<CarvingManager>(Search::Local); }

/// Steps until something was removed, 30 at most.
int stepsUntilRemoval(Run& r)
{
    const std::size_t before = r.mesh().tetrahedra().size();
    for (int k = 1; k <= 30; ++k) {
        r.steps(1);
        if (r.mesh().tetrahedra().size() < before) return k;
    }
    return 0;
}

}  // namespace

TEST_CASE("A tool takes the tetrahedra that it touches, and no others")
{
    Run run(scene("<CarvingManager active='1' carvingDistance='0'/>"));
    const Vector<Tetrahedron> before = run.mesh().tetrahedra();
    const Vector<Vec3> x = run.state().positions();
    const int steps = stepsUntilRemoval(run);
    // The ball is 0.03 m above the upper side and comes down by 0.01 m a step, before which contacts are detected.
    CHECK(steps == 4);
    const Vector<Tetrahedron> left = run.mesh().tetrahedra();
    CHECK(managerOf(run).d_removed.value() == before.size() - left.size());
    // All that went have a side on the upper side, which is where the ball is.
    std::set<Tetrahedron> there;
    for (const Tetrahedron& t : left) there.insert(sortedVertices(t));
    for (const Tetrahedron& t : before) {
        if (there.contains(sortedVertices(t))) continue;
        int above = 0;
        for (const Index v : t) above += x[v][1] > 0.19;
        CHECK(above == 3);
    }
    // Deeper in the next steps: no tetrahedron is left in the ball, where it was when contacts were detected.
    auto& ball = *run.root->child("tool")->get<State<Vec3Types>>(Search::Local);
    for (int k = 0; k < 15; ++k) {
        const auto tool = geometry::ConvexBody::of(std::span(ball.positions()).first(1));
        run.steps(1);
        for (const Tetrahedron& t : run.mesh().tetrahedra()) {
            const auto& now = run.state().positions();
            const std::array<Vec3, 4> corners{now[t[0]], now[t[1]], now[t[2]], now[t[3]]};
            CHECK(coreContact(tool, geometry::ConvexBody::of(corners)).distance > 0.03 - 1e-3);
        }
    }
    CHECK(run.mesh().tetrahedra().size() < left.size());
    run.simulation->reset();
    CHECK(run.mesh().tetrahedra() == before);
    CHECK(managerOf(run).d_removed.value() == 0);
    CHECK(stepsUntilRemoval(run) == steps);
}

TEST_CASE("The distance of carving counts from the contact distance, within what is detected")
{
    int earlier = 100;
    for (const char* distance : {"-0.001", "0", "0.015"}) {
        Run run(scene(std::string("<CarvingManager active='1' carvingDistance='") + distance + "'/>"));
        const int steps = stepsUntilRemoval(run);
        CHECK(steps > 0);
        CHECK(steps <= earlier);
        earlier = steps;
    }
    CHECK(earlier == 3);
}

TEST_CASE("Keys turn carving on and off")
{
    Run run(scene("<CarvingManager carvingDistance='0.015' key='c' keySwitch='t'/>"));
    run.steps(4);
    CHECK(run.mesh().tetrahedra().size() == 48);
    CarvingManager& m = managerOf(run);
    m.handleEvent(KeyEvent('x', true));
    CHECK_FALSE(m.d_active.value());
    m.handleEvent(KeyEvent('c', true));
    CHECK(m.d_active.value());
    m.handleEvent(KeyEvent('c', false));
    CHECK_FALSE(m.d_active.value());
    m.handleEvent(KeyEvent('t', true));
    m.handleEvent(KeyEvent('t', false));
    CHECK(m.d_active.value());
    run.steps(1);
    CHECK(run.mesh().tetrahedra().size() < 48);
    m.handleEvent(KeyEvent('t', true));
    CHECK_FALSE(m.d_active.value());
    run.simulation->reset();
    CHECK_FALSE(m.d_active.value());
}

TEST_CASE("The middle button carves while it is pressed, unless the scene says otherwise")
{
    Run run(scene("<CarvingManager carvingDistance='0.015'/>"));
    CarvingManager& m = managerOf(run);
    run.root->propagateEvent(MouseButtonEvent(MouseButton::Left, true));
    CHECK_FALSE(m.d_active.value());
    run.root->propagateEvent(MouseButtonEvent(MouseButton::Middle, true));
    CHECK(m.d_active.value());
    CHECK(stepsUntilRemoval(run) > 0);
    run.root->propagateEvent(MouseButtonEvent(MouseButton::Middle, false));
    CHECK_FALSE(m.d_active.value());
    m.d_mouseEvent.setValue(false);
    run.root->propagateEvent(MouseButtonEvent(MouseButton::Middle, true));
    CHECK_FALSE(m.d_active.value());
}

TEST_CASE("A carving manager takes the names that scenes of SOFA give to its models")
{
    const std::string untagged = "x";
    for (const char* names : {"toolModel='@tool/ball' surfaceModelPath", "toolModelPath='@tool/ball' surfaceModel",
                              "modelTool='/tool/ball' modelSurface"}) {
        INFO(names);
        const MessageCapture messages;
        const Run run(scene(std::string("<CarvingManager ") + names +
                                "='@body/skin/TriangleCollisionModel1' active='1' omniEvent='1' activatorName='omni'/>",
                            untagged));
        const CarvingManager& m = managerOf(run);
        REQUIRE(m.l_surfaceModel);
        CHECK(m.l_surfaceModel->pathName().starts_with("/body/skin/"));
        CHECK(m.l_toolModel->pathName() == "/tool/ball");
        CHECK(messages.has(Severity::Deprecated, "attribute 'omniEvent' has no effect"));
        CHECK(messages.has(Severity::Deprecated, "attribute 'activatorName' has no effect"));
    }
}

TEST_CASE("Keys of a tool are single characters", "[input]")
{
    for (const char* attribute : {"key", "keySwitch"}) {
        const MessageCapture messages;
        const auto root = loadSceneText(scene(std::string("<CarvingManager ") + attribute + "='ctrl'/>"), "keys.scn");
        REQUIRE(root);
        CHECK_FALSE(Simulation(root).init());
        CHECK(messages.has(Severity::Error, std::string(attribute) + ": one character is expected"));
    }
    const Run none(scene("<CarvingManager key='' keySwitch=''/>"));
    managerOf(none).handleEvent(KeyEvent('1', true));
    CHECK_FALSE(managerOf(none).d_active.value());
}

TEST_CASE("Carving goes on from a checkpoint to the bit")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "carving.bin").string();
    // With contacts that push, from before the first element goes on.
    const std::string text = scene("<CarvingManager active='1' carvingDistance='-0.001'/>", "CarvingSurface", "2");
    int removals = 0;
    for (int steps = 3; steps < 14; ++steps) {
        INFO(steps);
        Run run(text);
        run.steps(steps);
        const auto before = managerOf(run).d_removed.value();
        saveCheckpoint(*run.simulation, file);
        run.steps(3);
        Run again(text);
        loadCheckpoint(*again.simulation, file);
        again.steps(3);
        CHECK(sameState(run, again));
        CHECK(managerOf(run).d_removed.value() == managerOf(again).d_removed.value());
        CHECK(run.mesh().tetrahedra() == again.mesh().tetrahedra());
        removals += managerOf(run).d_removed.value() > before;
    }
    CHECK(removals > 3);
}

TEST_CASE("The demo of carving, whose mesh is badly ordered, continues from checkpoints to the bit")
{
    const sofa::test::TemporaryDirectory folder;
    const auto file = (folder / "demo.bin").string();
    struct Demo
    {
        Demo() : simulation(loadScene((sourceDirectory() / "scenes/demos/carving.scn").string()))
        {
            REQUIRE(simulation.init());
        }
        void steps(int n)
        {
            for (int k = 0; k < n; ++k) simulation.step();
        }
        Node& organ() const { return *simulation.root().child("organ"); }
        const Vector<Vec3>& positions() const { return organ().get<State<Vec3Types>>(Search::Local)->positions(); }
        std::size_t tetrahedra() const { return organ().get<BaseMeshTopology>(Search::Local)->tetrahedra().size(); }
        Simulation simulation;
    };
    Demo run;
    const std::size_t before = run.tetrahedra();
    for (const int steps : {21, 4, 12, 30}) {
        INFO(steps);
        run.steps(steps);
        saveCheckpoint(run.simulation, file);
        Demo again;
        loadCheckpoint(again.simulation, file);
        run.steps(2);
        again.steps(2);
        CHECK(run.positions() == again.positions());
        CHECK(run.tetrahedra() == again.tetrahedra());
    }
    CHECK(run.tetrahedra() < before);
}

TEST_CASE("What is missing to carve is named")
{
    const MessageCapture messages;
    const auto fails = [&](const std::string& text, const std::string& why) {
        const auto root = loadSceneText(text, "carving.scn");
        CHECK_FALSE(Simulation(root).init());
        CHECK(messages.has(Severity::Error, why));
    };
    fails(scene("<CarvingManager/>", "other"), "there is nothing to carve");
    fails("<Node name='root'><CarvingManager/></Node>", "it needs a tool");
}

}  // namespace carving_test
