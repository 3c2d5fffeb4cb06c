// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/setting/Settings.h"
#include "components/visual/Cameras.h"
#include "components/visual/Decorations.h"
#include "components/visual/Lights.h"
#include "tests/components/visual/DrawnScene.h"

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

TEST_CASE("Lights shine where a manager says so", "[visual]")
{
    Scene s;
    make<SpotLight>(*s.root, {{"position", "0 0 2"}, {"direction", "0 0 -1"}, {"cutoff", "20"}});
    CHECK(s.draw()->lights.empty());
    auto& manager = make<LightManager>(*s.root, {{"shadows", "1"}, {"ambient", "0.1 0.2 0.3 1"}});
    auto& sun = make<DirectionalLight>(*s.root, {{"direction", "0 2 0"}});
    make<PositionalLight>(*s.root, {{"position", "1 0 0"}, {"attenuation", "0.5"}, {"drawSource", "1"}});
    auto list = s.draw();
    REQUIRE(list->lights.size() == 3);
    CHECK(list->lighting->ambient == Color(0.1f, 0.2f, 0.3f, 1.f));
    CHECK(list->lights[0].kind == LightDescription::Kind::Spot);
    CHECK(list->lights[0].cutoff == 20.f);
    CHECK(list->lights[0].shadows);
    CHECK(list->lights[1].direction == Vec3{0., -1., 0.});  // with shadows, the scene gives that of the rays
    CHECK_FALSE(list->lights[2].shadows);
    CHECK(list->items.size() == 1);  // the source
    manager.d_shadows.setValue(false);
    list = s.draw();
    CHECK(list->lights[1].direction == Vec3{0., 1., 0.});
    CHECK_FALSE(list->lights[0].shadows);
    sun.d_enable.setValue(false);
    CHECK(s.draw()->lights.size() == 2);

    auto& look = make<SpotLight>(*s.root, {{"position", "0 3 0"}, {"direction", "0 1 0"}, {"lookat", "1"}});
    CHECK(look.isValid());
    CHECK(s.draw()->lights.back().direction == Vec3{0., -1., 0.});
}

TEST_CASE("The first activated camera is the viewer's", "[visual]")
{
    Scene s;
    make<InteractiveCamera>(*s.root, {{"activated", "0"}, {"position", "9 9 9"}});
    make<InteractiveCamera>(*s.root, {{"position", "0 0 5"}, {"type", "Orthographic"}});
    make<Camera>(*s.root, {{"position", "1 1 1"}});
    const auto list = s.draw();
    REQUIRE(list->camera);
    CHECK(list->camera->position == Vec3{0., 0., 5.});
    CHECK(list->camera->orthographic);
    CHECK_FALSE(list->camera->scripted);

    Scene scripted;
    auto& c = make<RecordedCamera>(
        *scripted.root,
        {{"rotationMode", "1"}, {"rotationStartPoint", "0 0 4"}, {"rotationCenter", "0 0 0"}, {"drawRotation", "1"}});
    CHECK(c.isValid());
    const auto shown = scripted.draw();
    REQUIRE(shown->camera);
    CHECK(shown->camera->scripted);
    CHECK(norm(shown->camera->position - Vec3{0., 0., 4.}) < 1e-12);
    CHECK(shown->items.at(0).geometry->lines.size() == 100);

    Scene unplaced;
    make<InteractiveCamera>(*unplaced.root, {{"fieldOfView", "60"}});
    CHECK_FALSE(unplaced.draw()->camera->placed);
}

TEST_CASE("Background, frame in the corner, labels and planes are told", "[visual]")
{
    Scene s;
    make<BackgroundSetting>(*s.root, {{"color", "0 0 0"}});
    make<OglSceneFrame>(*s.root, {{"style", "Arrows"}, {"alignment", "TopLeft"}, {"viewportSize", "80"}});
    make<OglLabel>(*s.root, {{"prefix", "t = "}, {"label", "1"}, {"suffix", " s"}, {"x", "20"}, {"color", "contrast"}});
    auto below = s.root->createChild("below");
    make<ClipPlane>(*below, {{"position", "1 0 0"}, {"normal", "2 0 0"}});
    make<OglViewport>(*below, {{"screenSize", "20 10"}, {"cameraPosition", "0 0 3"}, {"drawCamera", "1"}});
    const auto list = s.draw();
    CHECK(list->background->color == Color(0.f, 0.f, 0.f));
    CHECK(list->cornerFrame->style == CornerFrameDescription::Style::Arrows);
    CHECK(list->cornerFrame->corner == CornerFrameDescription::Corner::TopLeft);
    CHECK(list->cornerFrame->size == 80);
    REQUIRE(list->items.size() == 3);  // the label, and the frame of the second camera
    const TextLabel& label = list->items[0].geometry->labels.at(0);
    CHECK(label.text == "t = 1 s");
    CHECK(label.position == Vec3f{20.f, 10.f, 0.f});
    CHECK(label.color == Color(1.f, 1.f, 1.f));
    CHECK(list->items[0].style.layer == DrawStyle::Layer::Screen);
    // x ≤ 1 stays.
    std::vector<Vec<4, float>> planes;
    list->clipPlanesOf(1, planes);
    REQUIRE(planes.size() == 1);
    CHECK(planes[0] == Vec<4, float>{-2.f, 0.f, 0.f, 2.f});
    list->clipPlanesOf(0, planes);
    CHECK(planes.empty());
    REQUIRE(list->viewports.size() == 1);
    CHECK(list->viewports[0].width == 20);
}

TEST_CASE("The scene says what its window should be; what it does not say is left to the window", "[visual]")
{
    Scene s;
    CHECK_FALSE(s.draw()->viewer);
    make<ViewerSetting>(*s.root);
    auto list = s.draw();
    REQUIRE(list->viewer);
    CHECK(*list->viewer == ViewerDescription{});
    make<ViewerSetting>(*s.root, {{"resolution", "1 1"}});
    CHECK_FALSE(s.draw()->viewer->size);  // the first one holds
    Scene t;
    make<ViewerSetting>(*t.root, {{"resolution", "640 480"},
                                  {"fullscreen", "1"},
                                  {"cameraMode", "Orthographic"},
                                  {"objectPickingMethod", "Selection buffer"},
                                  {"showSelectedObjectIndices", "0"},
                                  {"showSelectedVisualScaling", "0.1"}});
    list = t.draw();
    const ViewerDescription& v = *list->viewer;
    CHECK(v.size == std::array<int, 2>{640, 480});
    CHECK(v.fullScreen == true);
    CHECK(v.orthographic == true);
    CHECK(v.picksOnlyCollisionModels);
    CHECK_FALSE(v.selection.indices);
    CHECK(v.selection.positions);
    CHECK(v.selection.scale == 0.1);
}
