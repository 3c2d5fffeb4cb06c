// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>

#include "components/haptics/LCPForceFeedback.h"
#include "components/haptics/VirtualCoupling.h"
#include "core/interaction/MouseButtonEvent.h"
#include "core/interaction/MouseMotionEvent.h"
#include "core/simulation/SceneForces.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/SceneText.h"

namespace haptics_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

struct Scene : SceneText
{
    explicit Scene(const std::string& body, const std::string& dt = "0.01") : SceneText(body, dt, "0 0 0") {}
    HapticDevice& device() { return *root->get<HapticDevice>(Search::Down); }
    Vec3 force() { return Rigid3Types::linear(device().d_forceDevice.value()); }
};

std::string device(const std::string& attributes, const std::string& beside = "")
{
    return "<Node name='device'><EmulatedHapticDevice " + attributes + "/>" + beside + "</Node>";
}

const std::string poseState = "<MechanicalObject name='pose' template='Rigid3' position='0 0 0 0 0 0 1'/>",
                  contacts =
                      "<FreeMotionAnimationLoop/><LCPConstraintSolver mu='0.3' tolerance='1e-9' maxIt='1000'/>"
                      "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><LocalMinDistance "
                      "alarmDistance='0.02' contactDistance='0.001'/><CollisionResponse "
                      "response='FrictionContactConstraint'/>",
                  wall =
                      "<Node name='wall'><RegularGridTopology n='3 1 3' min='-1 0 -1' max='1 0 1'/>"
                      "<MechanicalObject/><TriangleCollisionModel simulated='0' moving='0'/></Node>",
                  ball =
                      "<Node name='surface'><MechanicalObject position='0 0 0'/><SphereCollisionModel radius='0.01'/>"
                      "<RigidMapping/></Node>";

/// A tool of 0.05 kg on a wall whose contacts stop it when its centre is 0.011 above; the hand goes to `depth` below.
std::string pressed(const std::string& feedback, const std::string& coupling, double y, const std::string& more = "")
{
    return contacts +
           device("handStiffness='300' handDamping='6' times='0 0.1' poses='0 0.03 0 0 0 0 1  0 " + std::to_string(y) +
                      " 0 0 0 0 1' " + more,
                  poseState) +
           "<Node name='tool'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject name='body' template='Rigid3' "
           "position='0 0.03 0 0 0 0 1'/><UniformMass totalMass='0.05'/>" +
           coupling + feedback + "<LinearSolverConstraintCorrection/>" + ball + "</Node>" + wall;
}

}  // namespace

HARNESS_FORCE_FIELD("VirtualCoupling")
{
    Scene s(device("") +
            "<Node name='tool'><MechanicalObject template='Rigid3' position='0.1 0 0.2 0.6 0 0 0.8  1 2 3 "
            "0 0.6 0 0.8'/><VirtualCoupling index='1' stiffness='30' damping='3' angularStiffness='7' "
            "angularDamping='0.5'/></Node>");
    REQUIRE(s.good);
    auto& coupling = *s.child("tool").get<VirtualCoupling>(Search::Local);
    HapticMotion m;
    for (const Vec3& turn : {Vec3{0.3, 0.8, -0.2}, Vec3{-1.5, 0.2, 0.7}, Vec3{0., 1.287, 0.}}) {
        m.pose = {{1.3, 1.8, 3.1}, Quat::fromRotationVector(turn)};
        coupling.beginStep(m, 0.01);
        // Random poses are of rotation vectors, whose differences are no rotations.
        checkForceField(coupling, {.seeds = 0, .symmetric = false});
    }
    // It pulls to the velocity of the device.
    Vector<Vec6> still(2), moving(2);
    const auto& x = s.state<Rigid3Types>("tool").positions();
    coupling.addForce({}, still, x, Vector<Vec6>(2));
    m.velocity = {0.1, 0.2, 0., 0.3, 0., 0.1};
    coupling.beginStep(m, 0.01);
    coupling.addForce({}, moving, x, Vector<Vec6>(2));
    CHECK(norm(moving[1] - still[1] - Vec6{0.3, 0.6, 0., 0.15, 0., 0.05}) < 1e-12);
    CHECK(moving[0] == Vec6{});
}

TEST_CASE("a hand that gives way stands where its spring and the force are in balance")
{
    // The coupling and the hand in series: 300 and 100 N/m; the tool is held.
    Scene s(device("handStiffness='300' handDamping='20' times='0' poses='0 0.04 0 0 0 0 1'") +
            "<Node name='tool'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/><VirtualCoupling "
            "activate='1' stiffness='100' damping='0'/></Node>");
    REQUIRE(s.good);
    s.step(200);
    const double f = 0.04 * (300. * 100. / 400.);
    CHECK(s.force()[1] == Approx(-f).epsilon(1e-9));
    CHECK(s.device().d_positionDevice.value().center[1] == Approx(0.03).epsilon(1e-9));
    CHECK(s.device().d_time.value() == Approx(2.));
    CHECK(s.device().d_largestForce.value() >= f);
    // The spring draws the hand from 0.04 to 0.03, with 4 to 3 N.
    CHECK(s.device().d_work.value() == Approx(0.035).epsilon(0.01));
    s.simulation->reset();
    CHECK(s.device().d_time.value() == 0.);
    CHECK(s.force() == Vec3{});
}

TEST_CASE("a device moves the state of its node along its poses, with their velocity")
{
    Scene s(device("times='0 1 2' poses='0 0 0 0 0 0 1  1 0 0 0 0 1 0  1 2 0 0 0 1 0' loop='1'", poseState));
    REQUIRE(s.good);
    auto& state = s.state<Rigid3Types>("device");
    s.step(51);  // the pose at the beginning of the last step
    CHECK(state.positions()[0].center[0] == Approx(0.499));
    CHECK(norm(state.positions()[0].orientation.toRotationVector()) == Approx(0.499 * std::acos(-1.)));
    CHECK(state.velocities()[0][0] == Approx(1.));
    CHECK(std::abs(state.velocities()[0][5]) == Approx(std::acos(-1.)));
    s.step(100);
    CHECK(state.positions()[0].center[1] == Approx(0.998));
    s.step(100);
    CHECK(state.positions()[0].center[0] == Approx(0.499));
}

TEST_CASE("virtual coupling: the hand feels spring and wall, and the tool stops at the wall")
{
    const std::string spring = "<VirtualCoupling name='spring' activate='1' stiffness='600' damping='2' ";
    Scene s(pressed("", spring + "/>", -0.02));
    REQUIRE(s.good);
    s.step(200);
    // Tool at 0.011; hand between there and -0.02, by springs of 600 and 300 N/m.
    const double f = 0.031 * (300. * 600. / 900.);
    CHECK(s.state<Rigid3Types>("tool").positions()[0].center[1] == Approx(0.011).margin(1e-6));
    CHECK(s.force()[1] == Approx(f).epsilon(1e-4));
    CHECK(std::abs(s.force()[0]) < 1e-6);

    SECTION("synchronous: the force of the step, with the opposite sign")
    {
        Scene t(pressed("", spring + "synchronous='1'/>", -0.02));
        REQUIRE(t.good);
        t.step(200);
        CHECK(t.force()[1] == Approx(f).epsilon(1e-4));
        auto& coupling = *t.child("tool").get<VirtualCoupling>(Search::Local);
        auto& tool = t.state<Rigid3Types>("tool");
        Vector<Vec6> on(1, Vec6{});
        coupling.addForce({}, on, tool.positions(), tool.velocities());
        CHECK(norm(on[0] + t.device().d_forceDevice.value()) < 1e-12 * norm(on[0]));
    }
    SECTION("without artificial damping: no force until something touches the tool")
    {
        Scene free(pressed("", spring + "cancelArtificialDamping='1'/>", -0.02));
        Scene usual(pressed("", spring + "/>", -0.02));
        free.step(2);
        usual.step(2);
        CHECK(free.force() == Vec3{});
        CHECK(usual.force()[1] > 0.01);
        free.step(198);
        CHECK(free.force()[1] == Approx(f).epsilon(1e-4));
    }
}

TEST_CASE("constraint-based rendering: what the loop solves where the tool is, is what the step solved")
{
    const std::string springs =
        "<RestShapeSpringsForceField external_rest_shape='@../device/pose' stiffness='600' "
        "angularStiffness='1'/>";
    Scene s(pressed("<LCPForceFeedback activate='1' forceCoef='100'/>", springs, -0.02));
    REQUIRE(s.good);
    s.step(200);
    auto& tool = s.state<Rigid3Types>("tool");
    auto& solver = *s.root->get<ConstraintSolver>(Search::Local);
    const auto snapshot = solver.snapshot(tool);
    REQUIRE(snapshot);
    REQUIRE(snapshot->rows() == 3);
    Vec6 ofStep{}, again{}, deeper{};
    snapshot->addForce(ofStep);
    CHECK(ofStep[1] > 0.);
    snapshot->solve(Vec6{}, {.tolerance = 0., .maxIterations = 200, .deadline = {}});
    snapshot->addForce(again);
    CHECK(norm(again - ofStep) < 1e-6 * norm(ofStep));
    // A tool that is a way d deeper gets d / W more, W being the compliance of the contact: of the tool only,
    // 1 / (m / dt² + k) for positions and impulses of dt.
    snapshot->solve(Vec6{0., -1e-4, 0., 0., 0., 0.}, {.tolerance = 0., .maxIterations = 200, .deadline = {}});
    snapshot->addForce(deeper);
    CHECK((deeper - ofStep)[1] == Approx(1e-4 * (0.05 / 1e-4 + 600.) * 0.01).epsilon(1e-6));
    // Above the surface nothing pushes.
    snapshot->solve(Vec6{0., 0.1, 0., 0., 0., 0.}, {.tolerance = 0., .maxIterations = 200, .deadline = {}});
    Vec6 none{};
    snapshot->addForce(none);
    CHECK(norm(none) == 0.);
    // A state that nothing touches has no constraints.
    CHECK_FALSE(solver.snapshot(s.state<Rigid3Types>("device")));
    CHECK(s.force()[1] > 1.);
    CHECK(s.child("tool").get<LCPForceFeedback>(Search::Local)->d_constraints.value() == 3);
}

TEST_CASE("constraint-based rendering: turns and frames")
{
    // Off the axis of the ball a turn moves the contact.
    const std::string springs =
        "<RestShapeSpringsForceField external_rest_shape='@../device/pose' stiffness='600' "
        "angularStiffness='1'/>";
    const auto force = [&](const std::string& attributes) {
        std::string text =
            pressed("<LCPForceFeedback activate='1' forceCoef='100' " + attributes + "/>", springs, -0.02);
        const std::string from = "<MechanicalObject position='0 0 0'/><Sphere";
        text.replace(text.find(from), from.size(), "<MechanicalObject position='0.02 0 0'/><Sphere");
        Scene s(text);
        REQUIRE(s.good);
        s.step(100);
        return s.device().d_forceDevice.value();
    };
    const Vec6 fixed = force(""), turns = force("derivRotations='1'"),
               all = force("localHapticConstraintAllFrames='1'");
    CHECK(fixed[1] > 1.);
    CHECK(fixed[5] == Approx(0.02 * fixed[1]).epsilon(0.3));
    CHECK(norm(turns - fixed) > 1e-3);
    CHECK(norm(all - fixed) < 1e-9);  // one point
}

TEST_CASE("direct coupling: the hand gets the contact force")
{
    const std::string penalty =
        "<DefaultAnimationLoop/><CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><MinProximityIntersection "
        "alarmDistance='0.02' contactDistance='0.001'/><CollisionResponse response='PenalityContactForceField'/>";
    Scene s(penalty +
            device("times='0 0.1' poses='0 0.03 0 0 0 0 1  0 0.008 0 0 0 0 1'",
                   poseState +
                       "<DirectForceFeedback activate='1' forceCoef='2'/><Node name='surface'><MechanicalObject "
                       "position='0 0 0'/><SphereCollisionModel radius='0.01' contactStiffness='100'/>"
                       "<RigidMapping/></Node>") +
            wall);
    REQUIRE(s.good);
    s.step(5);
    CHECK(s.force() == Vec3{});
    s.step(30);
    const auto forces = contactForces(*s.root);
    REQUIRE(forces.size() == 1);
    CHECK(norm(forces[0].force) > 0.01);
    CHECK(norm(s.force()) == Approx(2. * norm(forces[0].force)));
    CHECK(s.force()[1] > 0.);
}

TEST_CASE("forces are bounded as the device is, and rendered when active only")
{
    const std::string tool = "<Node name='tool'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/>",
                      hand = "times='0' poses='0 1 0 0 0 0.6 0.8' ";
    Scene s(device(hand + "maxForce='3' maxTorque='0.1'") + tool +
            "<VirtualCoupling activate='1' stiffness='100'/></Node>");
    s.step(2);
    CHECK(norm(s.force()) == Approx(3.));
    CHECK(norm(Rigid3Types::angular(s.device().d_forceDevice.value())) == Approx(0.1));
    Scene idle(device(hand) + tool + "<VirtualCoupling stiffness='100'/></Node>");
    idle.step(2);
    CHECK(idle.force() == Vec3{});
    Scene null(device(hand, "<NullForceFeedback activate='1'/>"));
    REQUIRE(null.good);
    null.step(2);
    CHECK(null.force() == Vec3{});
    // Two devices, one rendering: that with its number.
    Scene two("<Node name='other'><EmulatedHapticDevice deviceIndex='1' " + hand + "/></Node>" + device(hand) + tool +
              "<VirtualCoupling activate='1' indice='1' stiffness='100'/></Node>");
    REQUIRE(two.good);
    two.step(2);
    CHECK(norm(two.child("other").get<HapticDevice>()->d_forceDevice.value()) > 1.);
    CHECK(norm(two.child("device").get<HapticDevice>()->d_forceDevice.value()) == 0.);
}

TEST_CASE("a device in a thread runs at its rate, whatever the steps do, and ends with the scene")
{
    Scene s(pressed("", "<VirtualCoupling activate='1' stiffness='600' damping='2'/>", -0.02, "threaded='1'"));
    REQUIRE(s.good);
    const auto begin = std::chrono::steady_clock::now();
    s.step(30);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    CHECK(seconds > 0.28);  // steps are not ahead of the clock
    CHECK(s.device().d_time.value() > 0.05);
    CHECK(s.device().d_time.value() < seconds + 0.01);
    CHECK(s.device().d_meanPeriod.value() >= 0.9e-3);
    CHECK(s.device().d_longestPeriod.value() >= s.device().d_meanPeriod.value());
    // A rendering leaves the scene while the loop runs.
    auto& tool = s.child("tool");
    tool.removeComponent(*tool.get<VirtualCoupling>(Search::Local));
    s.step(3);
    CHECK(s.force() == Vec3{});
    s.simulation->reset();
    CHECK(s.device().d_time.value() == 0.);
    s.step(2);
}

namespace {

/// Its force is not a number from the third round on.
class BrokenFeedback final : public Component, public HapticRendering
{
public:
    using HapticRendering::typeLabel;
    BrokenFeedback() : HapticRendering(static_cast<Component*>(this)) { d_activate.setValue(true); }
    std::string className() const override { return "BrokenFeedback"; }
    Vec6 wrench(const HapticMotion&) override { return Vec6{++rounds > 2 ? std::nan("") : 0., 0., 0., 0., 0., 0.}; }
    int rounds = 0;
};

}  // namespace

TEST_CASE("a force that is not finite ends the run")
{
    for (const char* threaded : {"0", "1"}) {
        SceneText s(device(std::string("threaded='") + threaded + "'"), "0.01", "0 0 0");
        s.root->create<BrokenFeedback>();
        REQUIRE(s.simulation->settle());
        CHECK_THROWS_WITH(s.step(20),
                          Catch::Contains("/device") && Catch::Contains("the force for the hand is not finite"));
    }
}

TEST_CASE("a recorded motion, and the mouse, move the hand")
{
    const TemporaryDirectory folder;
    const auto file = folder.path() / "hand.txt";
    {
        Scene s(device("times='0 1' poses='0 0 0 0 0 0 1  1 0 0 0 0 1 0'",
                       poseState + "<WriteState filename='" + file.string() + "' writeX='1' time='0' period='0.1'/>"));
        REQUIRE(s.good);
        s.step(101);
    }
    Scene s(device("filename='" + file.string() + "' mouseScale='0.01'", poseState));
    REQUIRE(s.good);
    auto& state = s.state<Rigid3Types>("device");
    s.step(56);
    CHECK(state.positions()[0].center[0] == Approx(0.55).margin(0.02));
    s.step(100);
    const RigidCoord3 before = state.positions()[0];
    s.root->propagateEvent(MouseMotionEvent(5, 5));  // no button
    s.root->propagateEvent(MouseButtonEvent(MouseButton::Left, true));
    s.root->propagateEvent(MouseMotionEvent(3, -2));
    s.root->propagateEvent(MouseButtonEvent(MouseButton::Left, false));
    s.root->propagateEvent(MouseButtonEvent(MouseButton::Right, true));
    s.root->propagateEvent(MouseMotionEvent(0, -1));
    s.step(2);
    CHECK(norm(state.positions()[0].center - before.center - Vec3{0.03, 0.02, 0.01}) < 1e-12);
    s.root->propagateEvent(MouseButtonEvent(MouseButton::Middle, true));
    s.root->propagateEvent(MouseMotionEvent(20, 0));
    s.step(2);
    const Quat turned = state.positions()[0].orientation * before.orientation.inverse();
    CHECK(norm(turned.normalized().toRotationVector() - Vec3{0., 0.1, 0.}) < 1e-12);

    std::ofstream(file) << "T= 0\n  X= 1 2 3\n";
    CHECK_FALSE(Scene(device("filename='" + file.string() + "'")).good);
}

TEST_CASE("devices and renderings refuse what cannot work")
{
    const auto refuses = [](const std::string& body) { return !Scene(body).good; };
    CHECK(refuses(device("times='0 1' poses='0 0 0 0 0 0 1'")));
    CHECK(refuses(device("times='0 0' poses='0 0 0 0 0 0 1  0 0 0 0 0 0 1'")));
    CHECK(refuses(device("times='0' poses='0 0 0 0 0 0 0'")));
    CHECK(refuses(device("filename='no_such_motion.txt'")));
    CHECK(refuses(device("filename='no_such_motion.txt' times='0' poses='0 0 0 0 0 0 1'")));
    CHECK(refuses("<EulerImplicitSolver/><CGLinearSolver/>" + device("", poseState)));
    CHECK(refuses("<Node name='tool'>" + poseState + "<VirtualCoupling/></Node>"));
    CHECK(refuses(device("") + "<Node name='tool'>" + poseState + "<VirtualCoupling index='1'/></Node>"));
    CHECK(refuses(device("") + "<Node name='tool'>" + poseState + "<VirtualCoupling indice='2'/></Node>"));
    CHECK(refuses(device("") + "<Node name='tool'>" + poseState + "<LCPForceFeedback/></Node>"));
    CHECK(refuses(device("") + "<Node name='tool'><DirectForceFeedback/></Node>"));
}

}  // namespace haptics_test
