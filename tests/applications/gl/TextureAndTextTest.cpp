// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "tests/applications/gl/RenderedScene.h"
#include "tests/harness/Paths.h"

using namespace sofa::core;
using sofa::gl::Image;
using namespace sofa::test;

TEST_CASE("Frames with textures and texts leave the rows of images as others in the context expect them", "[gl]")
{
    Scene s;
    const auto get = reinterpret_cast<void (*)(unsigned, int*)>(context().procAddress()("glGetIntegerv"));
    const auto usual = [&] {
        // Alignment and length of rows, written and read: GL_UNPACK_..., GL_PACK_...
        for (const auto& [what, expected] : {std::pair(0x0CF5u, 4), {0x0CF2u, 0}, {0x0D05u, 4}, {0x0D02u, 0}}) {
            int value = -1;
            get(what, &value);
            if (value != expected) return false;
        }
        return true;
    };
    REQUIRE(usual());
    Geometry g = square(0.8f);
    g.texCoords = {{0.f, 0.f}, {1.f, 0.f}, {1.f, 1.f}, {0.f, 1.f}};
    auto surface = std::make_shared<SurfaceDescription>();
    auto texture = std::make_shared<TextureDescription>();
    texture->width = texture->height = 3;
    texture->channels = 1;
    texture->pixels.assign(9, 200);
    surface->texture = texture;
    DrawStyle style;
    style.surface = surface;
    s.add(std::move(g), style);
    s.draw();
    CHECK(usual());
    Geometry text;
    text.labels.push_back({{}, "A text", 14.f, false, Color(1.f, 1.f, 1.f)});
    s.add(std::move(text));
    s.draw();
    CHECK(usual());
    CHECK(s.renderer.pick(s.list, s.camera, 60., 60.));
    CHECK(usual());
}

TEST_CASE("Textures lie as their coordinates say", "[gl]")
{
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "t.png").string();
    // Above red and green, below blue and white.
    writeImage(file, Image{2, 2, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}});
    Scene s;
    Geometry g = square(0.8f);
    g.texCoords = {{0.f, 0.f}, {1.f, 0.f}, {1.f, 1.f}, {0.f, 1.f}};
    auto surface = std::make_shared<SurfaceDescription>();
    surface->diffuse = Color(1.f, 1.f, 1.f);
    auto texture = std::make_shared<TextureDescription>();
    texture->file = file;
    texture->linear = texture->mipmaps = false;
    surface->texture = texture;
    DrawStyle style = unlit({1.f, 1.f, 1.f});
    style.surface = surface;
    s.add(std::move(g), style);
    Image image = s.draw();
    isColor(image, 60, 60, 255, 0, 0);
    isColor(image, 140, 60, 0, 255, 0);
    isColor(image, 60, 140, 0, 0, 255);
    isColor(image, 140, 140, 255, 255, 255);
    // An image that is not there is a board of grey squares, not a failure.
    auto missing = std::make_shared<TextureDescription>(*texture);
    missing->file = file + ".none";
    surface = std::make_shared<SurfaceDescription>(*surface);
    surface->texture = missing;
    s.list.items[0].style.surface = surface;
    const MessageCapture log;
    image = s.draw();
    s.draw();
    CHECK(log.count(Severity::Error) == 1);
    CHECK(log.has(Severity::Error, "t.png.none"));
    const int grey = at(image, 60, 60)[0];
    CHECK((grey == 120 || grey == 200));
}

TEST_CASE("Texts are read", "[gl]")
{
    Scene s;
    Geometry g;
    g.labels.push_back({{20.f, 30.f, 0.f}, "Hill", 40.f, false, Color(1.f, 1.f, 0.f)});
    DrawStyle style;
    style.layer = DrawStyle::Layer::Screen;
    s.add(std::move(g), style);
    Image image = s.draw();
    int left = 200, right = 0, top = 200, bottom = 0, lit = 0;
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x)
            if (at(image, x, y)[0] > 128) {
                left = std::min(left, x);
                right = std::max(right, x);
                top = std::min(top, y);
                bottom = std::max(bottom, y);
                ++lit;
                CHECK(at(image, x, y)[2] < 20);
            }
    CHECK(lit > 300);
    CHECK(left >= 20);
    CHECK(left < 28);
    CHECK(top >= 30);
    CHECK(bottom < 75);
    CHECK(right - left > 50);
    CHECK(right - left < 90);
    // The two sides of the H and its bar: columns and the row between them.
    const int height = bottom - top;
    int columns = 0;
    for (int x = left; x < left + 30; ++x) columns += at(image, x, top + height / 4)[0] > 128;
    CHECK(columns >= 4);
    CHECK(columns < 14);

    // In space it stands beside its point, hidden by what is before it.
    s.list.items.clear();
    Geometry h;
    h.labels.push_back({{0.f, 0.f, 0.f}, "17", 30.f, false, Color(1.f, 1.f, 1.f)});
    s.add(std::move(h));
    image = s.draw();
    const std::size_t seen = countBright(image);
    CHECK(seen > 80);
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 100; ++x) isColor(image, x, y, 0, 0, 0);
    s.draw();
    CHECK(s.renderer.statistics().uploads == 0);
    s.add(square(0.9f, 0.5f), unlit({0.f, 0.f, 0.2f}));
    CHECK(countBright(s.draw(), 150) == 0);
    s.list.items[0].style.depthTest = false;
    CHECK(countBright(s.draw(), 150) > 50);

    // Letters in metres grow with the view.
    s.list.items.clear();
    Geometry w;
    w.labels.push_back({{-0.9f, 0.f, 0.f}, "A", 0.5f, true, Color(1.f, 1.f, 1.f)});
    s.add(std::move(w));
    const std::size_t far = countBright(s.draw());
    s.camera.zoom(1.4);
    s.camera.pan(40., 0.);
    CHECK(static_cast<double>(countBright(s.draw())) > 1.5 * static_cast<double>(far));
}
