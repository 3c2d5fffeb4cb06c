// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/interaction/MechanicalStateController.h"

#include <catch2/catch.hpp>

#include "core/interaction/MouseMotionEvent.h"
#include "tests/harness/TestGraph.h"

namespace mechanical_state_controller_test {

using namespace sofa;
using namespace sofa::core;
using Catch::Contains;
using test::Attributes;

namespace {

struct Controlled
{
    Node root;
    test::TestState<Rigid3Types>& state = test::addState<Rigid3Types>(root, {{}, {{1., 2., 3.}, start()}});
    Component* controller = nullptr;

    static Quat start() { return Quat::fromAxisAngle({0., 0., 1.}, 0.5); }
    explicit Controlled(Attributes attributes)
    {
        attributes.emplace_back("index", "1");
        controller = &test::addComponent(root, "MechanicalStateController", attributes);
        REQUIRE(test::initialise(root));
    }
    const RigidCoord3& frame() const { return state.positions()[1]; }
    void step() { root.propagateEvent(AnimateBeginEvent(0.01)); }
    void press(MouseButton b, bool pressed = true) { root.propagateEvent(MouseButtonEvent(b, pressed)); }
    void motion(int dx, int dy) { root.propagateEvent(MouseMotionEvent(dx, dy)); }
};

double difference(const Quat& a, const Quat& b) { return norm((a.inverse() * b).toRotationVector()); }

}  // namespace

TEST_CASE("MechanicalStateController turns and pushes a frame as the mouse moves")
{
    Controlled c(Attributes{{"mainDirection", "2 0 0"}});
    c.motion(5, 5);
    c.step();
    CHECK(c.frame() == RigidCoord3{{1., 2., 3.}, Controlled::start()});  // no button

    c.press(MouseButton::Left);
    c.motion(100, 40);
    c.motion(100, 10);
    CHECK(c.frame().orientation == Controlled::start());  // at the beginning of the step
    c.step();
    const Quat turned =
        Controlled::start() * Quat::fromAxisAngle({0., 1., 0.}, 0.2) * Quat::fromAxisAngle({0., 0., 1.}, 0.05);
    CHECK(difference(c.frame().orientation, turned) < 1e-14);
    CHECK(c.frame().center == Vec3{1., 2., 3.});
    c.step();
    CHECK(difference(c.frame().orientation, turned) < 1e-14);

    c.press(MouseButton::Left, false);
    c.press(MouseButton::Right);
    c.motion(300, 10);
    c.step();
    CHECK(norm(c.frame().center - Vec3{1., 2., 3.} - turned.rotate({1., 0., 0.})) < 1e-14);
    CHECK(difference(c.frame().orientation, turned * Quat::fromAxisAngle({1., 0., 0.}, 0.3)) < 1e-14);
    CHECK(c.state.positions()[0] == RigidCoord3{});

    c.controller->reset();
    const RigidCoord3 before = c.frame();
    c.motion(10, 10);
    c.step();
    CHECK(c.frame() == before);
}

TEST_CASE("MechanicalStateController moves centres, at once if it is asked for")
{
    Controlled c(Attributes{{"onlyTranslation", "1"}, {"handleEventTriggersUpdate", "1"}});
    for (const MouseButton b : {MouseButton::Left, MouseButton::Right, MouseButton::Middle}) {
        c.press(b);
        c.motion(2, 3);
    }
    CHECK(c.frame() == RigidCoord3{{3., 5., 6.}, Controlled::start()});
}

TEST_CASE("MechanicalStateController opens a gripper")
{
    Node root;
    auto& state = test::addState<Vec1Types>(root, {Vec<1>::filled(0.1), Vec<1>::filled(0.2), Vec<1>::filled(0.3)});
    auto& c = test::addComponent(root, "MechanicalStateController");
    REQUIRE(test::initialise(root));
    const auto rest = [&] {
        root.propagateEvent(AnimateBeginEvent(0.01));
        Vector<double> v;
        for (const auto& x : state.read(vec_id::restPosition)) v.push_back(x[0]);
        return v;
    };
    CHECK(rest() == Vector<double>{0., 0., 0.3});
    root.propagateEvent(MouseButtonEvent(MouseButton::Middle, true));
    CHECK(rest() == Vector<double>{-0.4, -0.4, 0.3});
    root.propagateEvent(MouseButtonEvent(MouseButton::Middle, false));
    CHECK(rest() == Vector<double>{0., 0., 0.3});
    dynamic_cast<Data<bool>&>(*c.findData("buttonDeviceState")).setValue(true);
    CHECK(rest() == Vector<double>{-0.4, -0.4, 0.3});
}

TEST_CASE("MechanicalStateController: a point that is not there, and no state")
{
    Node root;
    test::addState<Rigid3Types>(root, {{}});
    auto& c = test::addComponent(root, "MechanicalStateController", {{"index", "1"}});
    CHECK_FALSE(test::initialise(root));
    CHECK_THAT(c.messages().back().text, Contains("the point 1 does not exist"));
    Node empty;
    CHECK_THROWS_WITH(test::addComponent(empty, "MechanicalStateController"), Contains("there is no state of type"));
}

}  // namespace mechanical_state_controller_test
