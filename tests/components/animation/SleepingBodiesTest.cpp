// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/SleepingBodies.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "components/animation/FreeMotionAnimationLoop.h"
#include "components/constraint/LagrangianSolver.h"
#include "core/interaction/MouseInteractor.h"
#include "core/log/Timer.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/Simulation.h"
#include "core/topology/BaseMeshTopology.h"
#include "core/topology/TopologyChange.h"
#include "tests/harness/Paths.h"

namespace sleeping_bodies_test {

using namespace sofa;
using namespace sofa::core;
using namespace sofa::component;

namespace {

struct World
{
    std::string sleep = "sleepAfter='0.1'";  ///< attributes of the loop
    std::string solver = "<BlockGaussSeidelConstraintSolver maxIterations='200'/>";
    std::string method = "<MinProximityIntersection alarmDistance='0.02' contactDistance='0.005'/>";
    std::string response = "response='FrictionContactConstraint' responseParams='mu=0.5&amp;modelFriction=1'";
    std::string gravity = "0 -9.81 0";
};

struct Scene
{
    explicit Scene(const std::string& bodies, const World& w = {})
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='0.01' gravity='" + w.gravity +
                                 "'><FreeMotionAnimationLoop name='loop' " + w.sleep + "/>" + w.solver +
                                 "<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>" + w.method +
                                 "<CollisionResponse " + w.response + "/>" + bodies + "</Node>",
                             "test.scn", {}, &report);
        REQUIRE(report.ok());
        simulation = std::make_unique<Simulation>(root);
        REQUIRE(simulation->init());
    }
    void steps(int n)
    {
        for (int k = 0; k < n; ++k) simulation->step();
    }
    FreeMotionAnimationLoop& loop() const { return *root->get<FreeMotionAnimationLoop>(Search::Local); }
    int asleep() const { return loop().d_sleepingBodies.value(); }
    int rows() const { return root->get<LagrangianSolver>(Search::Local)->d_currentNumConstraints.value(); }
    /// Steps until so many bodies sleep; a failure if that takes more than `most`.
    int settle(int bodies, int most = 600)
    {
        for (int k = 1; k <= most; ++k) {
            steps(1);
            if (asleep() == bodies) return k;
        }
        FAIL("after " << most << " steps " << asleep() << " of " << bodies << " bodies sleep");
        return most;
    }
    /// All numbers of the states of the simulation.
    Vector<double> state() const
    {
        Vector<double> all;
        for (const BaseState* s : root->getAll<BaseState>(Search::Down)) {
            if (!s->isMechanical()) continue;
            const std::size_t n = all.size(), x = s->size() * s->coordSize();
            all.resize(n + x + s->derivScalars());
            s->getScalars(vec_id::position, all.data() + n);
            s->getScalars(vec_id::velocity, all.data() + n + x);
        }
        return all;
    }
    State<Rigid3Types>& frames(const std::string& node) const
    {
        auto* s = dynamic_cast<State<Rigid3Types>*>(root->child(node)->get<BaseState>(Search::Local));
        REQUIRE(s);
        return *s;
    }
    Vec3 velocity(const std::string& node) const { return Rigid3Types::linear(frames(node).velocities()[0]); }
    Vec3 position(const std::string& node) const { return frames(node).positions()[0].center; }
    template <class C>
    C& the(const std::string& node) const
    {
        C* c = root->child(node)->get<C>(Search::Local);
        REQUIRE(c);
        return *c;
    }
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> simulation;
};

std::string rigid(const std::string& name, const std::string& at, const std::string& shape,
                  const std::string& more = "")
{
    return "<Node name='" + name +
           "'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Rigid3' position='" + at +
           " 0 0 0 1'/><UniformMass vertexMass='1 1 [0.01 0 0,0 0.01 0,0 0 "
           "0.01]'/><LinearSolverConstraintCorrection/>" +
           shape + more + "</Node>";
}
std::string box(const std::string& name, const std::string& at, const std::string& more = "")
{
    return rigid(name, at, "<OBBCollisionModel extents='0.1 0.1 0.1' contactFriction='0.5'/>", more);
}
std::string ball(const std::string& name, const std::string& at, const std::string& more = "")
{
    return rigid(name, at, "<SphereCollisionModel template='Rigid3' radius='0.1'/>", more);
}
const std::string ground =
                      "<Node name='floor'><MeshTopology position='-9 0 -9  9 0 -9  -9 0 9  9 0 9' "
                      "triangles='0 2 1  1 2 3'/><MechanicalObject/>"
                      "<TriangleCollisionModel simulated='0' contactFriction='0.5'/></Node>",
                  soft =
                      "<Node name='soft'><EulerImplicitSolver rayleighMass='1' rayleighStiffness='0.02'/>"
                      "<SparseLDLSolver/><RegularGridTopology n='3 3 3' min='0.9 0.01 -0.1' max='1.1 0.21 0.1'/>"
                      "<MechanicalObject/><UniformMass totalMass='1'/><HexahedronFEMForceField youngModulus='2e4' "
                      "poissonRatio='0.3'/><LinearSolverConstraintCorrection/><PointCollisionModel/></Node>";
const std::string pile = ground + box("low", "0 0.11 0") + box("middle", "0.03 0.32 0") + box("top", "0 0.53 0.02");
constexpr double g = 9.81, dt = 0.01;

}  // namespace

TEST_CASE("what rests sleeps: nothing is solved, and nothing moves")
{
    const std::string solver = GENERATE(
        "<BlockGaussSeidelConstraintSolver/>", "<UnbuiltGaussSeidelConstraintSolver/>", "<NNCGConstraintSolver/>",
        "<LCPConstraintSolver maxIt='500' tolerance='1e-9'/>", "<ImprovedJacobiConstraintSolver/>");
    INFO(solver);
    Scene s(pile + soft, {.solver = solver});
    s.steps(5);
    CHECK(s.rows() > 0);
    CHECK(s.asleep() == 0);
    s.settle(4);
    const auto before = s.state();
    CHECK(s.velocity("top") == Vec3());
    Timers::reset();
    Timers::enable(true);
    s.steps(100);
    Timers::enable(false);
    const auto integrations = [](const Timers::Row& r) { return r.phase == "EulerImplicitSolver1"; };
    CHECK(std::ranges::none_of(Timers::rows(), integrations));
    CHECK(s.asleep() == 4);
    CHECK(s.rows() == 0);
    CHECK(s.state() == before);
    // Awake, the same phases are there.
    Timers::reset();
    Timers::enable(true);
    s.loop().d_sleepAfter.setValue(0.);
    s.steps(1);
    Timers::enable(false);
    CHECK(std::ranges::any_of(Timers::rows(), integrations));
}

TEST_CASE("what rests sleeps with every way of detection and of solving")
{
    World w;
    SECTION("contacts on the way")
    {
        w.method = "<CCDTightInclusionIntersection alarmDistance='0.02' contactDistance='0.005'/>";
    }
    SECTION("contacts on the way, found where they begin")
    {
        w.method = "<CCDTightInclusionIntersection alarmDistance='0.005' contactDistance='0.005'/>";
    }
    SECTION("local minima") { w.method = "<LocalMinDistance alarmDistance='0.02' contactDistance='0.005'/>"; }
    SECTION("by velocities") { w.sleep += " solveVelocityConstraintFirst='1'"; }
    SECTION("what sticks") { w.response = "response='StickContactConstraint'"; }
    Scene s(pile + soft, w);
    s.settle(4);
    const auto before = s.state();
    s.steps(50);
    CHECK(s.asleep() == 4);
    CHECK(s.rows() == 0);
    CHECK(s.state() == before);
}

TEST_CASE("off, and while nothing sleeps, steps have the bits that they had")
{
    Scene off(pile + soft, {.sleep = ""}), on(pile + soft, {.sleep = "sleepAfter='1e6'"});
    off.steps(150);
    on.steps(150);
    CHECK(off.asleep() == 0);
    CHECK(on.asleep() == 0);
    CHECK(off.state() == on.state());
}

TEST_CASE("a pendulum does not fall asleep where it turns")
{
    // It swings by 0.2 rad: at its ends, with 2 m/s², it is slower than sleepSpeed for 0.01 s.
    const std::string pendulum =
        "<Node name='hook'><MechanicalObject name='points' position='0 0 0'/></Node>" +
        rigid("rod", "0.2 -0.98 0", "",
              "<Node name='end'><MechanicalObject name='points' position='-0.2 0.98 0'/><RigidMapping/></Node>") +
        "<BilateralLagrangianConstraint object1='@hook/points' object2='@rod/end/points' first_point='0' "
        "second_point='0'/>";
    Scene sleepy(pendulum), wakeful(pendulum, {.sleep = ""});
    double fastest = 0.;
    for (int k = 0; k < 600; ++k) {
        sleepy.steps(1);
        wakeful.steps(1);
        CHECK(sleepy.asleep() == 0);
        if (k > 400) fastest = std::max(fastest, norm(sleepy.velocity("rod")));
    }
    CHECK(fastest > 0.1);
    CHECK(sleepy.state() == wakeful.state());
}

TEST_CASE("an impact wakes a pile in the step in which it happens, with all its momentum")
{
    // The ball comes along the ground after the pile has fallen asleep.
    const World frictionless{.response = "response='FrictionlessContactConstraint'"};
    const std::string bodies = ground + box("low", "0 0.1 0") + ball("ball", "-4 0.1 0");
    Scene sleepy(bodies, frictionless);
    World never = frictionless;
    never.sleep = "";
    Scene wakeful(bodies, never);
    for (Scene* s : {&sleepy, &wakeful}) {
        s->steps(1);
        auto v = s->frames("ball").write(vec_id::velocity);
        v[0] = Rigid3Types::makeDeriv({2., 0., 0.}, {});
    }
    sleepy.steps(100);
    wakeful.steps(100);
    CHECK(sleepy.asleep() == 1);
    CHECK(sleepy.velocity("low") == Vec3());
    bool woke = false;
    for (int k = 0; k < 150; ++k) {
        const bool slept = sleepy.asleep() == 1;
        sleepy.steps(1);
        wakeful.steps(1);
        woke = woke || (slept && sleepy.asleep() == 0);
        if (slept && sleepy.asleep() == 1) CHECK(sleepy.velocity("ball")[0] == Approx(2.).epsilon(1e-6));
    }
    CHECK(woke);
    CHECK(sleepy.velocity("low")[0] + sleepy.velocity("ball")[0] == Approx(2.).epsilon(1e-6));
    CHECK(sleepy.velocity("low")[0] == Approx(wakeful.velocity("low")[0]).epsilon(1e-6));
    CHECK(sleepy.position("low")[0] == Approx(wakeful.position("low")[0]).margin(1e-4));
}

TEST_CASE("what falls on a part of a pile wakes all of it, and nothing else")
{
    Scene s(pile + box("aside", "3 0.11 0") + ball("ball", "0 9 0"));
    s.settle(4);
    REQUIRE(s.position("ball")[1] > 1.);
    while (s.asleep() == 4 && s.position("ball")[1] > 0.) s.steps(1);
    CHECK(s.asleep() == 1);
    CHECK(norm(s.velocity("ball")) > 0.);
    s.settle(5, 3000);
}

TEST_CASE("an impact within a step wakes what the begin of the step has not touched")
{
    // A rod falls on its end at 100 m/s and swings within the step onto a box that sleeps beside it, over which it is
    // at no time of its free motion.
    World w{.method = "<CCDTightInclusionIntersection alarmDistance='0' contactDistance='1e-3'/>",
            .response = "response='FrictionlessContactConstraint'"};
    w.sleep = "sleepAfter='0.05'";
    Scene s(
        ground + rigid("box", "0.075 0.011 0", "<OBBCollisionModel extents='0.02 0.01 0.02'/>") +
            "<Node name='rod'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject template='Rigid3' "
            "position='0 15 0  0 0 -0.0998 0.995' velocity='0 -100 0 0 0 0'/><UniformMass vertexMass='1 1 [0.0034 0 "
            "0,0 0.0001 0,0 0 0.0034]'/><LinearSolverConstraintCorrection/><CapsuleCollisionModel radii='0.01' "
            "heights='0.2'/></Node>",
        w);
    s.steps(10);
    REQUIRE(s.asleep() == 1);
    int impacts = 0;
    while (s.asleep() == 1 && s.root->time() < 0.3) {
        s.steps(1);
        impacts = s.loop().d_impacts.value();
    }
    CHECK(s.asleep() == 0);
    CHECK(impacts > 1);
    CHECK(norm(s.velocity("box")) > 0.1);
}

TEST_CASE("a support that goes wakes what it held")
{
    Scene s(pile + box("aside", "3 0.11 0"));
    s.settle(4);
    SECTION("a body is removed")
    {
        s.root->removeChild(*s.root->child("middle"));
        s.steps(1);
        CHECK(s.asleep() == 1);  // not what stands aside
        CHECK(s.velocity("top")[1] == Approx(-g * dt));
        CHECK(std::abs(s.velocity("low")[1]) < 1e-3);
    }
    SECTION("the ground is removed")
    {
        s.root->removeChild(*s.root->child("floor"));
        s.steps(1);
        CHECK(s.asleep() == 0);
        CHECK(s.velocity("low")[1] == Approx(-g * dt));
    }
    SECTION("the ground is led away")
    {
        auto& floor = *dynamic_cast<State<Vec3Types>*>(s.root->child("floor")->get<BaseState>(Search::Local));
        {
            auto x = floor.write(vec_id::position);
            for (Vec3& p : x) p[1] -= 1.;
        }
        s.steps(1);
        CHECK(s.asleep() == 0);
        CHECK(s.velocity("low")[1] == Approx(-g * dt));
    }
    SECTION("the ground moves as a belt")
    {
        auto& floor = *dynamic_cast<State<Vec3Types>*>(s.root->child("floor")->get<BaseState>(Search::Local));
        {
            auto v = floor.write(vec_id::velocity);
            for (Vec3& p : v) p[0] = 0.5;
        }
        s.steps(1);
        CHECK(s.asleep() == 0);
        CHECK(s.velocity("low")[0] > 0.01);
    }
    SECTION("a part of the ground is removed")
    {
        removeElements(s.the<StoredTopology>("floor"), ElementType::Triangles, {0, 1});
        s.steps(1);
        CHECK(s.asleep() == 0);
        CHECK(s.velocity("low")[1] == Approx(-g * dt));
    }
    SECTION("its model is switched off")
    {
        s.the<CollisionModel>("floor").d_active.setValue(false);
        s.steps(1);
        CHECK(s.asleep() == 0);
        CHECK(s.velocity("low")[1] == Approx(-g * dt));
    }
}

TEST_CASE("edits wake what they act on")
{
    Scene s(pile + box("aside", "3 0.11 0"));
    s.settle(4);
    SECTION("gravity")
    {
        s.root->d_gravity.setValue({0., -9.81, 1e-12});
        s.steps(1);
        CHECK(s.asleep() == 0);
    }
    SECTION("a mass")
    {
        BaseData* mass = s.root->child("aside")->get<BaseMass>(Search::Local)
                             ? s.root->child("aside")->component("UniformMass1")->findData("vertexMass")
                             : nullptr;
        REQUIRE(mass);
        std::string error;
        REQUIRE(mass->read("1.5 1 [0.01 0 0,0 0.01 0,0 0 0.01]", error));
        s.steps(1);
        CHECK(s.asleep() == 3);
    }
    SECTION("a velocity")
    {
        {
            s.frames("aside").write(vec_id::velocity)[0][1] = 1.;
        }
        s.steps(1);
        CHECK(s.asleep() == 3);
        CHECK(s.velocity("aside")[1] == Approx(1. - g * dt));
    }
    SECTION("a position")
    {
        {
            s.frames("top").write(vec_id::position)[0].center[1] += 1.;
        }
        s.steps(1);
        CHECK(s.asleep() == 1);
        CHECK(s.velocity("top")[1] == Approx(-g * dt));
    }
    SECTION("a coefficient of friction")
    {
        s.the<CollisionModel>("aside").d_contactFriction.setValue(0.1);
        s.steps(1);
        CHECK(s.asleep() == 3);
    }
    SECTION("a size")
    {
        auto* extents = s.the<CollisionModel>("aside").findData("extents");
        REQUIRE(extents);
        std::string error;
        REQUIRE(extents->read("0.1 0.099 0.1", error));
        s.steps(1);
        CHECK(s.asleep() == 3);
    }
    SECTION("sleep itself")
    {
        s.loop().d_sleepAfter.setValue(0.);
        s.steps(1);
        CHECK(s.asleep() == 0);
        CHECK(s.rows() > 0);
    }
}

TEST_CASE("the mouse wakes what it pulls")
{
    Scene s(pile);
    s.settle(3);
    MouseInteractor mouse(*s.root);
    REQUIRE(mouse.press(MouseButton::Left, {{0., 5., 0.}, {0., -1., 0.}}));
    mouse.move({{0.5, 5., 0.}, {0., -1., 0.}});
    s.steps(1);
    CHECK(s.asleep() == 0);
    CHECK(s.velocity("top")[0] > 0.1);
}

TEST_CASE("what moves slowly is not held up")
{
    const auto push = [](Scene& s, double force) {
        auto* data = s.root->child("load")->component("push")->findData("forces");
        REQUIRE(data);
        std::string error;
        REQUIRE(data->read(std::to_string(force) + " 0 0 0 0 0", error));
    };
    Scene s(box("load", "0 5 0", "<ConstantForceField name='push' indices='0' forces='0 0 0 0 0 0'/>"),
            {.gravity = "0 0 0"});
    s.settle(1);
    SECTION("a load that grows slowly")
    {
        // 1 kg, 10 mN/s: v = 5e-3 t². Rest is what accelerates by less than sleepSpeed / (10 sleepAfter), 0.01 m/s²:
        // the first second.
        for (int k = 1; k <= 1000; ++k) {
            push(s, 1e-4 * k);
            s.steps(1);
            if (k > 100) REQUIRE(s.asleep() == 0);
        }
        CHECK(s.velocity("load")[0] == Approx(5e-3 * 100.).epsilon(0.01));
    }
    SECTION("a small load")
    {
        push(s, 0.011);
        s.steps(300);
        CHECK(s.asleep() == 0);
        CHECK(s.velocity("load")[0] == Approx(0.011 * 3.).epsilon(1e-9));
        CHECK(s.position("load")[0] == Approx(0.5 * 0.011 * 9.).epsilon(0.01));
    }
    SECTION("one that drifts faster than sleepSpeed; what is slower, with nothing that moves it, rests")
    {
        {
            s.frames("load").write(vec_id::velocity)[0][0] = 0.0101;
        }
        s.steps(300);
        CHECK(s.asleep() == 0);
        CHECK(s.position("load")[0] == Approx(0.0303).epsilon(1e-9));
        {
            s.frames("load").write(vec_id::velocity)[0][0] = 0.0099;
        }
        s.settle(1, 20);
        CHECK(s.velocity("load") == Vec3());
    }
}

TEST_CASE("a constraint that lets go wakes what it held")
{
    const std::string hung =
        "<Node name='hung'><EulerImplicitSolver rayleighMass='5' rayleighStiffness='0.05'/>"
        "<SparseLDLSolver/><RegularGridTopology n='2 5 2' min='0 1 0' max='0.1 2 0.1'/>"
        "<MechanicalObject/><UniformMass totalMass='1'/><HexahedronFEMForceField "
        "youngModulus='1e5' poissonRatio='0.3'/><FixedProjectiveConstraint name='hook' "
        "indices='8 9 18 19'/><LinearSolverConstraintCorrection/></Node>";
    Scene s(hung);
    s.settle(1, 2000);
    const auto* state = dynamic_cast<State<Vec3Types>*>(s.root->child("hung")->get<BaseState>(Search::Local));
    std::string error;
    REQUIRE(s.root->child("hung")->component("hook")->findData("indices")->read("8", error));
    s.steps(1);
    CHECK(s.asleep() == 0);
    CHECK(state->velocities()[19][1] < -1e-2);
}

TEST_CASE("a body that loses elements, or all of its points, wakes")
{
    Scene s(ground + soft + box("aside", "3 0.11 0"));
    s.settle(2);
    SECTION("elements")
    {
        removeElements(s.the<StoredTopology>("soft"), ElementType::Hexahedra, {7});
        s.steps(1);
        CHECK(s.asleep() == 1);
    }
    SECTION("points, of what is stopped too")
    {
        const int before = GENERATE(0, 1, 2);
        Scene again(ground +
                    "<Node name='points'><EulerImplicitSolver/><SparseLDLSolver/><MechanicalObject "
                    "position='0 0.1 0  1 0.1 0'/><UniformMass vertexMass='1'/>"
                    "<UncoupledConstraintCorrection defaultCompliance='1'/><PointCollisionModel/></Node>");
        const int steps = again.settle(1);
        again.simulation->reset();
        again.steps(steps - before);
        dynamic_cast<State<Vec3Types>&>(*again.root->child("points")->get<BaseState>(Search::Local)).resize(1);
        again.steps(1);
        CHECK(again.asleep() == 0);
    }
}

TEST_CASE("bodies that springs join sleep and wake together")
{
    const std::string pair =
        ground +
        box("a", "0 0.11 0",
            "<Node name='p'><MechanicalObject name='points' position='0 0 0'/><RigidMapping/></Node>") +
        box("b", "1 0.11 0",
            "<Node name='p'><MechanicalObject name='points' position='0 0 0'/><RigidMapping/></Node>") +
        "<SpringForceField object1='@a/p/points' object2='@b/p/points' spring='0 0 10 0.1 1'/>";
    Scene s(pair);
    s.settle(2);
    const auto before = s.state();
    s.steps(20);
    CHECK(s.state() == before);
    {
        s.frames("b").write(vec_id::velocity)[0][0] = 1.;
    }
    s.steps(1);
    CHECK(s.asleep() == 0);
}

TEST_CASE("sleep has the same bits with any number of threads")
{
    Vector<double> first;
    for (const unsigned threads : {1u, 2u, 4u}) {
        setThreadCount(threads);
        Scene s(pile + soft + ball("ball", "0 6 0"));
        bool slept = false;
        for (int k = 0; k < 200; ++k) {
            s.steps(1);
            slept = slept || s.asleep() >= 3;
        }
        CHECK(slept);
        if (threads == 1)
            first = s.state();
        else
            CHECK(s.state() == first);
    }
    setThreadCount(1);
}

TEST_CASE("a checkpoint holds who sleeps, and a reset wakes all")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder / "sleeping_bodies.state").string();
    const std::string scene = pile + soft + ball("ball", "0 6 0");
    Scene whole(scene);
    const auto start = whole.state();
    int when = 0;  // all but the ball sleep
    for (Scene s(scene); s.asleep() < 4 && when < 500; ++when) s.steps(1);
    // Before, while they decide, and asleep; then the ball falls on them.
    int at = 0;
    for (const int k : {when - 8, when - 2, when - 1, when, when + 5}) {
        whole.steps(k - at);
        at = k;
        saveCheckpoint(*whole.simulation, file);
        Scene part(scene);
        loadCheckpoint(*part.simulation, file);
        Scene straight(scene);
        straight.steps(k);
        part.steps(60);
        straight.steps(60);
        CHECK(part.asleep() == straight.asleep());
        CHECK(part.state() == straight.state());
    }
    CHECK(whole.asleep() == 4);
    whole.simulation->reset();
    CHECK(whole.state() == start);
    Scene again(scene);
    whole.steps(when + 5);
    again.steps(when + 5);
    CHECK(whole.state() == again.state());
}

}  // namespace sleeping_bodies_test
