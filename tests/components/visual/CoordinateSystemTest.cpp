// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/visual/CoordinateSystem.h"

#include <numbers>

#include "components/visual/OglModel.h"
#include "core/objectmodel/Event.h"
#include "tests/components/visual/DrawnScene.h"
#include "tests/harness/TestGraph.h"

namespace coordinate_system_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

constexpr double quarter = std::numbers::pi / 2.;

}  // namespace

TEST_CASE("CoordinateSystem draws what is in it and below in its frame", "[visual]")
{
    Scene s;
    Node& child = *s.root->createChild("child");
    Node& grandchild = *child.createChild("grandchild");
    auto& frame = make<CoordinateSystem>(child, {{"origin", "10 0 0"}, {"orientation", "0 0 " + toText(quarter)}});
    make<OglModel>(grandchild, {square, {"triangles", "0 1 2"}});
    auto list = s.draw();
    REQUIRE(list->items.size() == 1);
    const auto drawnAt = list->frameOf(list->items[0].scope);
    REQUIRE(drawnAt);
    CHECK(norm(drawnAt->apply({1., 0., 0.}) - Vec3{10., 1., 0.}) < 1e-15);
    // The box of the picture is that of what is seen.
    CHECK(norm(list->box.low - Vec3{9., 0., 0.}) < 1e-15);
    CHECK(norm(list->box.high - Vec3{10., 1., 0.}) < 1e-15);

    make<CoordinateSystem>(grandchild, {{"origin", "1 0 0"}});
    list = s.draw();
    CHECK(norm(list->frameOf(2)->apply({}) - Vec3{10., 1., 0.}) < 1e-15);
    frame.d_enable.setValue(false);
    CHECK(s.draw()->frameOf(2)->center == Vec3{1., 0., 0.});
}

TEST_CASE("Gravity is turned into the frames, and follows them")
{
    Node root;
    root.d_gravity.setValue({0., -9., 0.});
    Node& moved = *root.createChild("moved");
    Node& turned = *root.createChild("turned");
    Node& twice = *turned.createChild("twice");
    const std::string turn = "0 0 " + toText(quarter);
    addComponent(moved, "CoordinateSystem", {{"origin", "1 2 3"}});
    auto& c = addComponent<CoordinateSystem>(turned, "CoordinateSystem", {{"orientation", turn}});
    addComponent(twice, "CoordinateSystem", {{"orientation", turn}});
    REQUIRE(initialise(root));
    CHECK(moved.gravity() == Vec3{0., -9., 0.});
    CHECK(norm(turned.gravity() - Vec3{-9., 0., 0.}) < 1e-14);
    CHECK(norm(twice.gravity() - Vec3{0., 9., 0.}) < 1e-14);
    CHECK(root.gravity() == Vec3{0., -9., 0.});

    root.d_gravity.setValue({3., 0., 0.});
    c.d_orientation.setValue({});
    root.propagateEvent(AnimateBeginEvent(0.01));
    CHECK(turned.gravity() == Vec3{3., 0., 0.});
    CHECK(norm(twice.gravity() - Vec3{0., -3., 0.}) < 1e-14);
    c.cleanup();
    CHECK(turned.gravity() == Vec3{3., 0., 0.});
}

TEST_CASE("A node has one frame, and no gravity of its own in it")
{
    for (const char* other : {"CoordinateSystem", "Gravity"}) {
        Node root;
        auto& c = addComponent(root, "CoordinateSystem");
        addComponent(root, other);
        c.init();
        CHECK_FALSE(c.isValid());
    }
}

}  // namespace coordinate_system_test
