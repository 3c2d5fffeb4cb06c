// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Renderer.h"

#include <catch2/catch.hpp>

#include "tests/applications/gl/RenderedScene.h"
#include "tests/harness/Paths.h"

using namespace sofa::core;
using sofa::gl::Image;
using namespace sofa::test;

TEST_CASE("Triangles are where the camera sees them", "[gl]")
{
    Scene s;
    s.settings.background = Color(0.2f, 0.4f, 0.6f);
    s.add(square(0.5f), unlit({1.f, 0.f, 0.f}));
    const Image image = s.draw();
    REQUIRE(image.width == 200);
    REQUIRE(image.channels == 3);
    isColor(image, 100, 100, 255, 0, 0);
    isColor(image, 52, 52, 255, 0, 0);
    isColor(image, 148, 148, 255, 0, 0);
    isColor(image, 48, 100, 51, 102, 153);
    isColor(image, 100, 152, 51, 102, 153);
    // The camera's own projection says the same.
    const auto p = s.camera.project({0.5, 0.5, 0.});
    REQUIRE(p);
    CHECK((*p)[0] == Approx(150.));
    CHECK((*p)[1] == Approx(50.));
}

TEST_CASE("What is nearer hides what is behind, whatever the order", "[gl]")
{
    Scene s;
    s.add(square(0.3f, 0.5f), unlit({0.f, 1.f, 0.f}));
    s.add(square(0.6f, -0.5f), unlit({1.f, 0.f, 0.f}));
    Image image = s.draw();
    isColor(image, 100, 100, 0, 255, 0);
    isColor(image, 150, 100, 255, 0, 0);
    // Overlays do not care, and things without depths hide nothing.
    s.list.items[1].style.layer = DrawStyle::Layer::Overlay;
    isColor(s.draw(), 100, 100, 255, 0, 0);
    s.list.items[1].style.layer = DrawStyle::Layer::World;
    s.list.items[1].style.depthTest = false;
    isColor(s.draw(), 100, 100, 255, 0, 0);
    s.list.items[1].style.depthTest = true;
    s.list.items[0].style.depthWrite = false;
    isColor(s.draw(), 100, 100, 255, 0, 0);
}

TEST_CASE("Colours of vertices are mixed over a face", "[gl]")
{
    Scene s;
    Geometry g = square(0.8f);
    g.colors = {{1.f, 0.f, 0.f}, {1.f, 0.f, 0.f}, {0.f, 0.f, 1.f}, {0.f, 0.f, 1.f}};
    s.add(std::move(g), unlit({0.f, 1.f, 0.f}));
    const Image image = s.draw();
    isColor(image, 100, 178, 252, 0, 3, 6);
    isColor(image, 100, 100, 127, 0, 128, 4);
    isColor(image, 100, 22, 3, 0, 252, 6);
}

TEST_CASE("Lines are as wide as they say", "[gl]")
{
    for (const float width : {1.f, 5.f, 12.f}) {
        Scene s;
        s.settings.samples = 1;
        Geometry g;
        g.positions = {{-0.5f, 0.005f, 0.f}, {0.5f, 0.005f, 0.f}};
        g.lines = {{0, 1}};
        DrawStyle style = unlit({1.f, 1.f, 0.f});
        style.size = width;
        s.add(std::move(g), style);
        const Image image = s.draw();
        int rows = 0;
        for (int y = 0; y < 200; ++y) rows += at(image, 100, y)[0] > 128;
        CHECK(rows == static_cast<int>(width));
        isColor(image, 100, 99, 255, 255, 0);
        isColor(image, 45, 99, 0, 0, 0);
        isColor(image, 155, 99, 0, 0, 0);
    }
}

TEST_CASE("Lines that begin behind the camera are cut", "[gl]")
{
    Scene s;
    s.camera.orthographic = false;
    s.camera.fieldOfView = 60.;
    s.camera.lookAt({0., 0., 2.}, {0., 0., 0.});
    for (const float width : {1.f, 6.f}) {
        s.list.items.clear();
        Geometry g;
        g.positions = {{0.2f, 0.f, -1.f}, {0.2f, 0.f, 8.f}};
        g.lines = {{0, 1}};
        DrawStyle style = unlit({1.f, 1.f, 1.f});
        style.size = width;
        s.add(std::move(g), style);
        const Image image = s.draw();
        CHECK(countBright(image) > 20);
        for (int y = 0; y < 200; ++y) isColor(image, 60, y, 0, 0, 0);  // nothing on the other side
    }
}

TEST_CASE("Points are round", "[gl]")
{
    Scene s;
    Geometry g;
    g.positions = {{0.f, 0.f, 0.f}};
    g.points = {0};
    DrawStyle style = unlit({0.f, 1.f, 1.f});
    style.size = 40.f;
    s.add(std::move(g), style);
    const Image image = s.draw();
    isColor(image, 100, 100, 0, 255, 255);
    isColor(image, 117, 100, 0, 255, 255);
    isColor(image, 117, 117, 0, 0, 0);
    CHECK(static_cast<double>(countBright(image)) == Approx(3.14159 * 400.).epsilon(0.03));
}

TEST_CASE("Solids have their places, sizes and colours", "[gl]")
{
    Scene s;
    Geometry g = solid(Solid::Sphere, 0.5f);
    g.solids.push_back({{0.1f, 0.f, 0.f, 0.f, 0.2f, 0.f, 0.f, 0.f, 0.1f}, {0.8f, 0.f, 0.f}, Color(1.f, 0.f, 0.f)});
    DrawStyle style;
    style.lit = false;
    s.add(std::move(g), style);
    Image image = s.draw();
    isColor(image, 100, 100, 255, 255, 255);
    isColor(image, 53, 100, 255, 255, 255);
    isColor(image, 47, 100, 0, 0, 0);
    isColor(image, 62, 62, 0, 0, 0);  // the corner of the box of the sphere
    isColor(image, 180, 100, 255, 0, 0);
    isColor(image, 180, 83, 255, 0, 0);
    isColor(image, 193, 100, 0, 0, 0);

    // A cylinder and a cone go up from their frames.
    for (const Solid kind : {Solid::Cylinder, Solid::Cone}) {
        s.list.items.clear();
        Geometry up;
        up.solid = kind;
        up.solids.push_back({{0.2f, 0.f, 0.f, 0.f, 0.f, -0.2f, 0.f, 0.8f, 0.f}, {}, Color(1.f, 1.f, 1.f)});
        s.add(std::move(up), style);
        image = s.draw();
        isColor(image, 100, 60, 255, 255, 255);
        isColor(image, 100, 110, 0, 0, 0);
        const int expected = kind == Solid::Cylinder ? 255 : 0;
        isColor(image, 84, 30, expected, expected, expected);
        isColor(image, 84, 97, 255, 255, 255);
    }
    s.list.items.clear();
    s.add(solid(Solid::Cube, 0.5f), style);
    image = s.draw();
    isColor(image, 52, 52, 255, 255, 255);
    isColor(image, 47, 52, 0, 0, 0);
}

TEST_CASE("Sides of culled faces are left out", "[gl]")
{
    Scene s;
    s.add(square(0.5f), unlit({1.f, 1.f, 1.f})).style.cull = DrawStyle::Cull::Back;
    isColor(s.draw(), 100, 100, 255, 255, 255);
    s.list.items[0].style.cull = DrawStyle::Cull::Front;
    isColor(s.draw(), 100, 100, 0, 0, 0);
}

TEST_CASE("Wireframe shows edges only", "[gl]")
{
    Scene s;
    s.add(square(0.5f), unlit({1.f, 1.f, 1.f})).style.wireframe = true;
    const Image image = s.draw();
    isColor(image, 120, 110, 0, 0, 0);
    CHECK(at(image, 50, 100)[0] + at(image, 49, 100)[0] > 100);
    CHECK(countBright(image) > 300);
    CHECK(countBright(image) < 1500);
}

TEST_CASE("Screen geometry is in pixels from the upper left corner", "[gl]")
{
    Scene s;
    Geometry g;
    g.positions = {{10.f, 20.f, 0.f}, {60.f, 20.f, 0.f}, {60.f, 40.f, 0.f}, {10.f, 40.f, 0.f}};
    g.triangles = {{0, 1, 2}, {0, 2, 3}};
    DrawStyle style = unlit({0.f, 1.f, 0.f, 0.5f});
    style.layer = DrawStyle::Layer::Screen;
    s.add(std::move(g), style);
    const Image image = s.draw();
    isColor(image, 12, 22, 0, 128, 0);
    isColor(image, 58, 38, 0, 128, 0);
    isColor(image, 8, 22, 0, 0, 0);
    isColor(image, 12, 42, 0, 0, 0);
}

TEST_CASE("Planes cut what is on their other side, in their node and below", "[gl]")
{
    Scene s;
    s.list.scopes[0].clipPlanes.push_back({1.f, 0.f, 0.f, 0.f});
    DrawScope below;
    below.parent = 0;
    below.clipPlanes.push_back({0.f, 1.f, 0.f, 0.f});
    s.list.scopes.push_back(below);
    s.add(square(0.5f), unlit({1.f, 1.f, 1.f})).scope = 1;
    const Image image = s.draw();
    isColor(image, 120, 80, 255, 255, 255);
    isColor(image, 80, 80, 0, 0, 0);
    isColor(image, 120, 120, 0, 0, 0);
}

TEST_CASE("A plane of the viewer cuts what is in space, and what is cut away is not picked", "[gl]")
{
    Scene s;
    s.add(square(0.5f), unlit({1.f, 1.f, 1.f}));
    s.add(square(0.8f, -0.5f), unlit({0.f, 1.f, 0.f})).style.layer = DrawStyle::Layer::World;
    isColor(s.draw(), 80, 100, 255, 255, 255);
    s.settings.clip = Vec<4, float>{0.f, 0.f, -1.f, -0.2f};  // what is farther than z = -0.2
    const Image image = s.draw();
    isColor(image, 80, 100, 0, 255, 0);
    isColor(image, 5, 100, 0, 0, 0);
    const auto pick = s.renderer.pick(s.list, s.camera, 80., 100.);
    REQUIRE(pick);
    CHECK(pick->item == 1);
    s.settings.clip.reset();
    isColor(s.draw(), 80, 100, 255, 255, 255);
    CHECK(s.renderer.pick(s.list, s.camera, 80., 100.)->item == 0);
}

TEST_CASE("Backgrounds: a colour, an image, nothing", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "b.png").string();
    writeImage(file,
               Image{4, 2, 3, {255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 9, 9, 9, 9, 9, 9}});
    Scene s;
    const auto background = std::make_shared<BackgroundDescription>(BackgroundDescription{{0.f, 0.f, 1.f}, {}});
    s.list.background = background;
    isColor(s.draw(), 5, 5, 0, 0, 255);
    // Tiles of the image, in its own size, with one in the middle of the view.
    const Image tile{4, 2, 3, {255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 9, 9, 9, 9, 9, 9}};
    background->image = file;
    s.add(square(0.1f), unlit({1.f, 1.f, 1.f}));
    Image image = s.draw();
    for (const auto& [x, y] : {std::pair{98, 99}, {2, 3}, {10, 11}, {194, 197}})
        for (int j = 0; j < 2; ++j)
            for (int i = 0; i < 4; ++i) {
                if (x == 98) continue;  // behind the square
                const unsigned char* p = tile.at(i, j);
                isColor(image, x + i, y + j, p[0], p[1], p[2]);
            }
    isColor(image, 100, 100, 255, 255, 255);
    // On a screen with two pixels for one, tiles are twice as large.
    s.settings.pixelRatio = 2.;
    image = s.draw();
    isColor(image, 10, 11, 255, 0, 0, 70);
    isColor(image, 13, 11, 0, 255, 0, 70);
    s.settings.pixelRatio = 1.;
    s.list.background.reset();
    s.settings.transparentBackground = true;
    image = s.draw();
    REQUIRE(image.channels == 4);
    CHECK(image.at(5, 5)[3] == 0);
    CHECK(image.at(100, 100)[3] == 255);
    CHECK(image.at(100, 100)[0] == 255);
}

TEST_CASE("A second view is drawn in its part", "[gl]")
{
    Scene s;
    s.add(square(0.5f), unlit({1.f, 0.f, 0.f}));
    ViewportDescription v;
    v.x = 150;
    v.y = 150;
    v.width = v.height = 40;
    v.position = {0., 0., 5.};
    v.border = false;
    v.fieldOfView = 20.;
    s.list.viewports.push_back(v);
    const Image image = s.draw();
    isColor(image, 100, 100, 255, 0, 0);
    isColor(image, 170, 30, 255, 0, 0);
    isColor(image, 154, 14, 0, 0, 0);
}

TEST_CASE("What does not change is not uploaded again, what is gone is freed", "[gl]")
{
    Scene s;
    Geometry g = square(0.5f);
    g.colors.assign(4, Color(1.f, 0.f, 0.f));
    s.add(std::move(g), unlit({1.f, 1.f, 1.f}));
    s.add(solid(Solid::Cone, 0.1f));
    s.draw();
    CHECK(s.renderer.statistics().uploads == 4);
    CHECK(s.renderer.statistics().uploadedBytes == 4 * 12 + 4 * 16 + 2 * 12 + 64);
    CHECK(s.renderer.statistics().buffers == 4);
    CHECK(s.renderer.statistics().drawCalls == 2);
    s.draw();
    CHECK(s.renderer.statistics().uploads == 0);
    CHECK(s.renderer.statistics().uploadedBytes == 0);
    // The camera alone uploads nothing.
    s.camera.rotate(100., 100., 130., 90.);
    s.draw();
    CHECK(s.renderer.statistics().uploads == 0);
    s.camera.lookAt({0., 0., 10.}, {0., 0., 0.});
    // One array with a new number is the only one uploaded, and it is seen.
    auto moved = std::make_shared<Geometry>(*s.list.items[0].geometry);
    for (Vec3f& p : moved->positions) p[0] += 0.4f;
    moved->positions.revision = s.revision++;
    s.list.items[0].geometry = moved;
    const Image image = s.draw();
    CHECK(s.renderer.statistics().uploads == 1);
    CHECK(s.renderer.statistics().uploadedBytes == 4 * 12);
    isColor(image, 180, 100, 255, 0, 0);
    // The same geometry once more, in another style.
    s.list.items.push_back(s.list.items[0]);
    s.list.items.back().style.wireframe = true;
    s.draw();
    CHECK(s.renderer.statistics().uploads == 0);
    CHECK(s.renderer.statistics().buffers == 4);
    s.list.items.clear();
    s.draw();
    CHECK(s.renderer.statistics().buffers == 0);
    CHECK(s.renderer.statistics().drawCalls == 0);
}

TEST_CASE("Points that are not finite take nothing else with them", "[gl]")
{
    Scene s;
    Geometry g = square(0.5f);
    g.positions.push_back({std::nanf(""), 0.f, 0.f});
    g.triangles.push_back({0, 1, 4});
    g.points = {4, 0};
    g.lines = {{0, 4}};
    // A number that no position has is left out as well.
    g.triangles.push_back({1, 2, 77});
    s.add(std::move(g), unlit({1.f, 0.f, 0.f}));
    Image image = s.draw();
    isColor(image, 100, 100, 255, 0, 0);
    isColor(image, 100, 160, 0, 0, 0);
    isColor(image, 60, 160, 0, 0, 0);
    // When it comes back, so do its faces.
    auto healed = std::make_shared<Geometry>(*s.list.items[0].geometry);
    healed->positions[4] = {0.f, -0.9f, 0.f};
    healed->triangles.pop_back();
    healed->triangles.revision = s.revision++;
    healed->positions.revision = s.revision++;
    s.list.items[0].geometry = healed;
    image = s.draw();
    isColor(image, 100, 160, 255, 0, 0);
}

TEST_CASE("Frames are copied to the framebuffer of the caller at any size", "[gl]")
{
    Scene s;
    s.add(square(0.5f), unlit({1.f, 0.f, 0.f}));
    for (const int size : {64, 200, 333}) {
        s.camera.width = s.camera.height = size;
        const Image image = s.draw();
        CHECK(image.width == size);
        isColor(image, size / 2, size / 2, 255, 0, 0);
    }
    s.camera.width = 1000000;
    CHECK_THROWS_AS(s.draw(), sofa::gl::GlError);
}
