// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/interaction/MouseInteractor.h"

#include <catch2/catch.hpp>

#include "tests/harness/TestGraph.h"

namespace mouse_interactor_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

/// What a performer does, and what was asked of it.
struct Script
{
    std::string failsIn;  ///< the function that throws
    bool refuses = false, outlasts = false, waits = false, isLost = false, isSpent = false, touches = false;
    std::optional<Vec3> force;
    std::string log;
    Vec3 target;
    PickRay ray;
    Index touched = 0;
    PerformerSettings settings;
};

class Recorder final : public InteractionPerformer
{
public:
    explicit Recorder(Script& s) : m_script(s) {}
    bool start(Node&, const Picked&, std::string& why) override
    {
        note("start");
        if (m_script.refuses) why = "not now";
        return !m_script.refuses;
    }
    void seenFrom(const RigidCoord3&) override { note("seen"); }
    void move(const Vec3&) override { note("point"); }
    void moveAlong(const PickRay& ray, const Vec3& target) override
    {
        note("move");
        m_script.ray = ray;
        m_script.target = target;
    }
    bool touches() const override { return m_script.touches; }
    void touch(const Picked& p) override
    {
        note("touch");
        m_script.touched = p.index;
    }
    void stop() override { note("stop"); }
    bool outlastsButton() const override { return m_script.outlasts; }
    bool waitsForPress() const override { return m_script.waits; }
    void undo() override { note("undo"); }
    bool isLost() const override { return m_script.isLost; }
    std::optional<Vec3> force() const override { return m_script.force; }
    bool isSpent() const override { return m_script.isSpent; }

private:
    void note(const std::string& what)
    {
        m_script.log += what + " ";
        if (m_script.failsIn == what) throw std::runtime_error("no " + what);
    }
    Script& m_script;
};

/// Operations of the test, while it runs.
struct Operation
{
    Operation(std::string n, bool needsTarget = true) : name(std::move(n))
    {
        performers().add(name, {.create =
                                    [this](const PerformerSettings& s) {
                                        script.settings = s;
                                        return std::make_unique<Recorder>(script);
                                    },
                                .text = "records",
                                .strength = {},
                                .needsTarget = needsTarget});
    }
    ~Operation() { performers().remove(name); }
    std::string said() { return std::exchange(script.log, {}); }
    std::string name;
    Script script;
};

/// A ray along −z through a point of the plane z = 5.
PickRay at(double x, double y = 0.) { return {{x, y, 5.}, {0., 0., -2.}}; }

/// Two points at z = 0, a way apart.
struct Scene
{
    Scene() { addState<Vec3Types>(root, {{0., 0., 0.}, {4., 0., 0.}}); }
    Node root;
};

class Setting final : public Component, public ButtonSetting
{
public:
    static std::string_view typeLabel() { return "button setting"; }
    std::string className() const override { return "Setting"; }
    MouseButton mouseButton() const override { return MouseButton::Middle; }
    MouseInteractor::Binding binding() const override { return {"Anything", {.stiffness = 3.}}; }
};

}  // namespace

TEST_CASE("an operation hears of press, motions and release, with points as far away as what was picked")
{
    Scene s;
    Operation o("TestRecorder");
    MouseInteractor mouse(s.root);
    mouse.setTolerance(0.1);
    mouse.bind(MouseButton::Left, {"TestRecorder", {.stiffness = 7.}});
    CHECK_FALSE(mouse.isActive());
    CHECK(mouse.move(at(0.)));
    CHECK(mouse.release());
    REQUIRE(mouse.press(MouseButton::Left, {{0., 0.03, 5.}, {0., 0., -0.1}}));
    CHECK(mouse.isActive());
    CHECK(mouse.reason().empty());
    CHECK(o.said() == "start move ");
    CHECK(o.script.settings.stiffness == 7.);
    CHECK(mouse.picked()->index == 0);
    CHECK(mouse.picked()->distance == Approx(5.));
    CHECK(norm(o.script.target - Vec3{0., 0.03, 0.}) < 1e-14);
    CHECK(mouse.move({{1., 2., 6.}, {3., 0., 4.}}));
    CHECK(o.said() == "move ");
    CHECK(norm(o.script.target - Vec3{4., 2., 10.}) < 1e-14);
    CHECK(o.script.ray.origin == Vec3{1., 2., 6.});
    CHECK_FALSE(mouse.force());
    o.script.force = Vec3{1., 2., 3.};
    CHECK(mouse.force() == Vec3{1., 2., 3.});
    CHECK(mouse.release());
    CHECK(o.said() == "stop ");
    CHECK_FALSE(mouse.isActive());
    CHECK_FALSE(mouse.force());
    CHECK(mouse.release());
    mouse.releaseAll();
    CHECK(o.said().empty());
    // Where the viewer stands comes first; another press ends what another button did.
    PickRay seen = at(4.);
    seen.camera = RigidCoord3{};
    REQUIRE(mouse.press(MouseButton::Left, seen));
    CHECK(o.said() == "seen start move ");
    CHECK_FALSE(mouse.press(MouseButton::Right, at(2.)));
    CHECK(o.said() == "stop ");
    CHECK_FALSE(mouse.isActive());
}

TEST_CASE("buttons begin with what the scene says, and a press that can do nothing says why")
{
    Scene s;
    {
        const MouseInteractor mouse(s.root);
        CHECK(mouse.binding(MouseButton::Left).performer == "AttachBody");
        CHECK(mouse.binding(MouseButton::Middle).performer == "InertialAttachBody");
        CHECK(mouse.binding(MouseButton::Right).performer == "FixParticle");
        CHECK(mouse.binding(MouseButton::Left).settings.stiffness == 1000.);
        CHECK(mouse.binding(MouseButton::Right).settings.stiffness == 10000.);
    }
    s.root.createChild("below")->create<Setting>();
    MouseInteractor mouse(s.root);
    CHECK(mouse.binding(MouseButton::Middle).performer == "Anything");
    CHECK(mouse.binding(MouseButton::Middle).settings.stiffness == 3.);
    Operation o("TestRecorder");
    const auto refusal = [&](const std::string& name, const PickRay& ray) {
        mouse.bind(MouseButton::Left, {name, {}});
        CHECK_FALSE(mouse.press(MouseButton::Left, ray));
        CHECK_FALSE(mouse.isActive());
        return mouse.reason();
    };
    CHECK(refusal("TestRecorder", at(2.)) == "there is nothing under the mouse");
    CHECK_FALSE(mouse.picked());
    CHECK(refusal("", at(0.)) == "the button has no action");
    CHECK_THAT(refusal("TestRecording", at(0.)), Catch::Contains("mouse operation 'TestRecording'"));
    CHECK(o.said().empty());
    o.script.refuses = true;
    CHECK(refusal("TestRecorder", at(0.)) == "not now");
    CHECK(o.said() == "start ");
    o.script.refuses = false;
    o.script.failsIn = "move";
    CHECK(refusal("TestRecorder", at(0.)) == "no move");
    // Only collision models, of which there are none.
    o.script.failsIn.clear();
    mouse.setPicksOnlyCollisionModels(true);
    CHECK(refusal("TestRecorder", at(0.)) == "there is nothing under the mouse");
}

TEST_CASE("an operation without a target begins wherever the mouse is")
{
    Scene s;
    Operation o("TestRecorder", false);
    MouseInteractor mouse(s.root);
    mouse.bind(MouseButton::Left, {"TestRecorder", {}});
    REQUIRE(mouse.press(MouseButton::Left, at(2.)));
    CHECK(o.said() == "start move ");
    CHECK(o.script.target == Vec3{2., 0., 5.});
    CHECK(mouse.release());
}

TEST_CASE("an operation that fails, or has lost what it worked on, is ended")
{
    Scene s;
    Operation o("TestRecorder");
    MouseInteractor mouse(s.root);
    mouse.bind(MouseButton::Left, {"TestRecorder", {}});
    const auto press = [&] {
        o.script.failsIn.clear();
        o.script.isLost = false;
        REQUIRE(mouse.press(MouseButton::Left, at(0.)));
        o.said();
    };
    press();
    o.script.failsIn = "move";
    CHECK_FALSE(mouse.move(at(1.)));
    CHECK(mouse.reason() == "no move");
    CHECK_FALSE(mouse.isActive());
    CHECK(o.said() == "move ");
    CHECK(mouse.release());
    CHECK(o.said().empty());
    press();
    o.script.failsIn = "stop";
    o.script.outlasts = true;
    CHECK_FALSE(mouse.release());
    CHECK(mouse.reason() == "no stop");
    CHECK_FALSE(mouse.isActive());
    mouse.releaseAll();  // it failed: nothing of it lasts
    CHECK(o.said() == "stop ");
    o.script.outlasts = false;
    press();
    o.script.isLost = true;
    o.script.force = Vec3{1., 0., 0.};
    CHECK_FALSE(mouse.force());
    CHECK(mouse.move(at(1.)));
    CHECK(o.said() == "stop ");
    CHECK_FALSE(mouse.isActive());
}

TEST_CASE("what outlasts its button is undone at the end, or at the next press once it is spent or lost")
{
    Scene s;
    Operation one("TestFirst"), two("TestSecond");
    for (Operation* o : {&one, &two}) o->script.outlasts = true;
    const auto pressBoth = [&](MouseInteractor& mouse) {
        mouse.bind(MouseButton::Left, {"TestFirst", {}});
        mouse.bind(MouseButton::Right, {"TestSecond", {}});
        for (const MouseButton b : {MouseButton::Left, MouseButton::Right}) {
            REQUIRE(mouse.press(b, at(0.)));
            CHECK(mouse.release());
        }
        CHECK(one.said() == "start move stop ");
        CHECK(two.said() == "start move stop ");
    };
    {
        MouseInteractor mouse(s.root);
        pressBoth(mouse);
        mouse.releaseAll();
        CHECK(one.said() + two.said() == "undo undo ");
        mouse.releaseAll();
        CHECK(one.said().empty());
        pressBoth(mouse);
        one.script.isSpent = true;
        REQUIRE(mouse.press(MouseButton::Right, at(4.)));
        CHECK(one.said() == "undo ");
        CHECK(two.said() == "start move ");
        one.script.isSpent = false;
        CHECK(mouse.release());
        two.said();
        two.script.isLost = true;
        REQUIRE(mouse.press(MouseButton::Left, at(4.)));
        CHECK(two.said() == "undo undo ");  // that of pressBoth, and the last one
        two.script.isLost = false;
        CHECK(one.said() == "start move ");
    }
    CHECK(one.said() == "stop undo ");  // the interactor has gone
}

TEST_CASE("an operation of several presses goes on with the next one, and stays when it cannot")
{
    Scene s;
    Operation o("TestRecorder"), other("TestOther");
    o.script.outlasts = o.script.waits = true;
    int made = 0;
    performers().replace("TestCounted", {.create =
                                             [&](const PerformerSettings&) {
                                                 ++made;
                                                 return std::make_unique<Recorder>(o.script);
                                             },
                                         .text = "counts",
                                         .strength = {}});
    MouseInteractor mouse(s.root);
    mouse.bind(MouseButton::Left, {"TestCounted", {}});
    mouse.bind(MouseButton::Right, {"TestOther", {}});
    REQUIRE(mouse.press(MouseButton::Left, at(0.)));
    CHECK(mouse.release());
    CHECK(o.said() == "start move stop ");
    // Another operation has nothing to do with it.
    REQUIRE(mouse.press(MouseButton::Right, at(0.)));
    CHECK(mouse.release());
    CHECK(o.said().empty());
    o.script.refuses = true;
    CHECK_FALSE(mouse.press(MouseButton::Left, at(0.)));
    CHECK(o.said() == "start ");
    o.script.refuses = false;
    REQUIRE(mouse.press(MouseButton::Left, at(4.)));
    CHECK(o.said() == "start move ");
    CHECK(norm(o.script.target - Vec3{4., 0., 0.}) < 1e-14);
    o.script.outlasts = false;
    CHECK(mouse.release());
    mouse.releaseAll();
    CHECK(o.said() == "stop ");
    performers().remove("TestCounted");
}

TEST_CASE("an operation that touches hears what lies under the mouse at each motion, where something does")
{
    Scene s;
    Operation o("TestRecorder");
    o.script.touches = true;
    MouseInteractor mouse(s.root);
    mouse.bind(MouseButton::Left, {"TestRecorder", {}});
    REQUIRE(mouse.press(MouseButton::Left, at(0.)));
    CHECK(o.said() == "start move ");
    CHECK(mouse.move(at(4.)));
    CHECK(o.said() == "touch move ");
    CHECK(o.script.touched == 1);
    CHECK(mouse.picked()->index == 0);
    CHECK(mouse.move(at(2.)));
    CHECK(o.said() == "move ");
    o.script.touches = false;
    CHECK(mouse.move(at(4.)));
    CHECK(o.said() == "move ");
}

}  // namespace mouse_interactor_test
