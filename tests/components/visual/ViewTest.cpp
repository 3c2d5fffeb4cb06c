// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <numbers>

#include "components/visual/Cameras.h"
#include "components/visual/Decorations.h"
#include "components/visual/FieldDisplays.h"
#include "components/visual/VisualStyle.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

using namespace sofa::core;
using namespace sofa::component;

TEST_CASE("Display flags come from the node, then from the nodes above", "[visual]")
{
    auto root = std::make_shared<Node>("root");
    auto child = root->createChild("child");
    CHECK(displayFlagsOf(*child).shows(DisplayFlags::VisualModels));
    CHECK_FALSE(displayFlagsOf(*child).shows(DisplayFlags::ForceFields));
    std::string error;
    REQUIRE(root->create<VisualStyle>().d_displayFlags.read("showBehavior showWireframe", error));
    CHECK(displayFlagsOf(*child).shows(DisplayFlags::ForceFields));
    REQUIRE(child->create<VisualStyle>().d_displayFlags.read("hideForceFields", error));
    CHECK_FALSE(displayFlagsOf(*child).shows(DisplayFlags::ForceFields));
    CHECK(displayFlagsOf(*child).shows(DisplayFlags::Wireframe));
    CHECK(displayFlagsOf(*root).shows(DisplayFlags::ForceFields));

    auto old = root->createChild("old");
    old->setAttribute("showCollisionModels", "1", {});
    CHECK(displayFlagsOf(*old).shows(DisplayFlags::CollisionModels));
}

TEST_CASE("A camera completes what the scene leaves open", "[visual]")
{
    SECTION("a point to look at gives orientation and distance")
    {
        InteractiveCamera c;
        c.d_position.setValue({0., 0., 5.});
        c.d_lookAt.setValue({0., 3., 1.});
        c.init();
        CHECK(c.d_distance.value() == Approx(5.));
        const Vec3 view = c.d_orientation.value().rotate({0., 0., -1.});
        CHECK(norm(view - Vec3{0., 0.6, -0.8}) < 1e-14);
        // The camera is level.
        CHECK(std::abs(c.d_orientation.value().rotate({1., 0., 0.})[1]) < 1e-14);
    }
    SECTION("an orientation and a distance give the point")
    {
        InteractiveCamera c;
        c.d_position.setValue({1., 0., 0.});
        c.d_orientation.setValue(Quat::fromAxisAngle({0., 1., 0.}, std::numbers::pi / 2));
        c.d_distance.setValue(2.);
        c.init();
        CHECK(norm(c.d_lookAt.value() - Vec3{-1., 0., 0.}) < 1e-14);
    }
    SECTION("straight down")
    {
        const Quat q = BaseCamera::lookAt({0., 5., 0.}, {});
        CHECK(norm(q.rotate({0., 0., -1.}) - Vec3{0., -1., 0.}) < 1e-14);
    }
}

TEST_CASE("A recorded camera flies along its path", "[visual]")
{
    RecordedCamera c;
    c.d_endTime.setValue(10.);
    SECTION("around a centre")
    {
        c.d_rotationMode.setValue(true);
        c.d_rotationSpeed.setValue(std::numbers::pi / 10.);
        c.d_rotationStartPoint.setValue({2., 0., 0.});
        CHECK(norm(c.poseAt(5.).center - Vec3{0., 0., -2.}) < 1e-14);
        CHECK(norm(c.poseAt(99.).center - Vec3{-2., 0., 0.}) < 1e-14);
        CHECK(norm(c.poseAt(5.).orientation.rotate({0., 0., -1.}) - Vec3{0., 0., 1.}) < 1e-14);
    }
    SECTION("along points")
    {
        c.d_navigationMode.setValue(true);
        c.d_cameraPositions.setValue({{}, {1., 0., 0.}, {1., 2., 0.}});
        const Quat quarter = Quat::fromAxisAngle({0., 0., 1.}, std::numbers::pi / 2);
        c.d_cameraOrientations.setValue({Quat(), Quat(), quarter});
        CHECK(norm(c.poseAt(2.5).center - Vec3{0.5, 0., 0.}) < 1e-14);
        CHECK(norm(c.poseAt(7.5).center - Vec3{1., 1., 0.}) < 1e-14);
        const Quat eighth = Quat::fromAxisAngle({0., 0., 1.}, std::numbers::pi / 4);
        CHECK(norm(c.poseAt(7.5).orientation.q - eighth.q) < 1e-14);
        CHECK(norm(c.poseAt(10.).center - Vec3{1., 2., 0.}) < 1e-14);
    }
}

TEST_CASE("A colour map interpolates between its ends", "[visual]")
{
    OglColorMap map;
    map.d_colorScheme.edit()->select("Blue to Red");
    CHECK(map.colorOf(0., 0., 1.) == Color(0.f, 0.f, 1.f));
    CHECK(map.colorOf(1., 0., 1.) == Color(1.f, 0.f, 0.f));
    CHECK(map.colorOf(7., 0., 1.) == Color(1.f, 0.f, 0.f));
    map.d_colorScheme.edit()->select("Red");
    map.d_paletteSize.setValue(3);
    CHECK(map.colorOf(0.4, 0., 1.) == Color(1.f, 0.f, 0.f));
    // The same colours as those of stress and other fields.
    map.d_paletteSize.setValue(0);
    for (const std::string& name : ColorMap::names()) {
        REQUIRE(map.d_colorScheme.edit()->select(name));
        for (const double t : {0., 0.3, 0.5, 0.9}) CHECK(map.colorOf(t, 0., 1.) == ColorMap(name).at(t));
    }
}

TEST_CASE("Trails keep the last positions", "[visual]")
{
    TrailRenderer<Vec3Types> t;
    t.d_nbSteps.setValue(2);
    for (int i = 0; i < 3; ++i) {
        t.d_position.setValue({{static_cast<double>(i), 0., 0.}});
        t.handleEvent(AnimateEndEvent(0.01));
    }
    REQUIRE(t.trails().size() == 1);
    CHECK(t.trails()[0] == Vector<Vec3>{{1., 0., 0.}, {2., 0., 0.}});
    t.reset();
    CHECK(t.trails().empty());
}

TEST_CASE("Decorations tell their extent", "[visual]")
{
    VisualGrid grid;
    grid.d_size.setValue(4.f);
    CHECK(grid.boundingBox().high == Vec3{2., 2., 0.});
    grid.d_plane.edit()->select("x");
    CHECK(grid.boundingBox().low == Vec3{0., -2., -2.});
    LineAxis axis;
    axis.d_axis.setValue("z");
    CHECK(axis.boundingBox().high == Vec3{0., 0., 5.});
    axis.d_infinite.setValue(true);
    CHECK_FALSE(axis.boundingBox().valid());
}

TEST_CASE("Old names of decorations are known", "[visual]")
{
    for (const char* name : {"OglGrid", "OglLineAxis", "VisualModel", "ColorMap", "Viewer", "Background"})
        CHECK(Registry::instance().find(name));
}
