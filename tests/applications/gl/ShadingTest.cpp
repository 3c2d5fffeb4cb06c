// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/applications/gl/RenderedScene.h"
#include "tests/harness/Paths.h"

using namespace sofa::core;
using sofa::gl::Image;
using namespace sofa::test;

TEST_CASE("Faces and solids are brightest where they look at the light", "[gl]")
{
    Scene s;
    DrawStyle style;
    style.color = Color(0.5f, 0.5f, 0.5f);
    Geometry g = solid(Solid::Sphere, 0.8f);
    g.solids[0].color = style.color;
    s.add(std::move(g), style);
    // One light at the camera, a little above it to the left.
    Image image = s.draw();
    CHECK(at(image, 80, 75)[0] > at(image, 140, 150)[0] + 20);
    CHECK(at(image, 100, 100)[0] > 100);

    // A directional one from the right; a positional and a spot light.
    LightDescription light;
    light.kind = LightDescription::Kind::Directional;
    light.direction = {1., 0., 0.};
    light.color = Color(1.f, 0.f, 0.f);
    s.list.lights = {light};
    image = s.draw();
    CHECK(at(image, 165, 100)[0] > at(image, 60, 100)[0] + 80);
    CHECK(at(image, 165, 100)[1] < at(image, 165, 100)[0] - 60);

    s.list.lights[0].kind = LightDescription::Kind::Positional;
    s.list.lights[0].position = {0., 5., 3.};
    image = s.draw();
    CHECK(at(image, 100, 40)[0] > at(image, 100, 160)[0] + 60);
    const int bright = at(image, 100, 60)[0];
    s.list.lights[0].attenuation = 0.5f;
    CHECK(at(s.draw(), 100, 60)[0] < bright - 30);

    s.list.items.clear();
    s.add(square(0.9f), style);
    s.list.lights[0] = {};
    s.list.lights[0].kind = LightDescription::Kind::Spot;
    s.list.lights[0].position = {0., 0., 2.};
    s.list.lights[0].direction = {0., 0., -1.};
    s.list.lights[0].cutoff = 10.f;  // 0.35 m there
    image = s.draw();
    CHECK(at(image, 100, 100)[0] > at(image, 150, 100)[0] + 60);
    CHECK(at(image, 128, 100)[0] > at(image, 140, 100)[0] + 40);
    // A light on the camera goes where it goes.
    s.list.lights[0].fixedToCamera = true;
    s.list.lights[0].position = {0.5, 0., -8.};
    image = s.draw();
    CHECK(at(image, 150, 100)[0] > at(image, 90, 100)[0] + 60);
}

TEST_CASE("Faces without normals are flat, those with normals are smooth", "[gl]")
{
    // A roof of two faces.
    Geometry g;
    g.positions = {{-0.8f, -0.8f, 0.f}, {0.f, -0.8f, 0.8f}, {0.f, 0.8f, 0.8f},
                   {-0.8f, 0.8f, 0.f},  {0.8f, -0.8f, 0.f}, {0.8f, 0.8f, 0.f}};
    g.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
    LightDescription light;
    light.direction = {1., 0., 1.};
    const auto draw = [&](bool smooth) {
        Scene s;
        s.list.lights = {light};
        Geometry copy = g;
        const float d = 0.70710678f;
        if (smooth)
            copy.normals = {{-d, 0.f, d}, {0.f, 0.f, 1.f}, {0.f, 0.f, 1.f}, {-d, 0.f, d}, {d, 0.f, d}, {d, 0.f, d}};
        DrawStyle style;
        style.color = Color(0.6f, 0.6f, 0.6f);
        s.add(std::move(copy), style);
        return s.draw();
    };
    const Image flat = draw(false), smooth = draw(true);
    CHECK(std::abs(at(flat, 110, 90)[0] - at(flat, 170, 110)[0]) <= 6);
    CHECK(at(flat, 110, 100)[0] > at(flat, 90, 100)[0] + 60);
    CHECK(at(smooth, 170, 100)[0] > at(smooth, 110, 100)[0] + 15);
    CHECK(std::abs(at(smooth, 102, 100)[0] - at(smooth, 98, 100)[0]) < 12);
    // A face is lit on both sides: seen from behind it is not black.
    Scene s;
    Geometry back = square(0.5f);
    back.normals = {{0.f, 0.f, -1.f}, {0.f, 0.f, -1.f}, {0.f, 0.f, -1.f}, {0.f, 0.f, -1.f}};
    back.triangles = {{0, 2, 1}, {0, 3, 2}};
    s.add(std::move(back));
    CHECK(at(s.draw(), 100, 100)[0] > 150);
}

TEST_CASE("Quads drawn by their edges do not show what parts them", "[gl]")
{
    // A square of two triangles has a diagonal; as a quad it has none.
    for (const bool quad : {false, true}) {
        Scene s;
        Geometry g = square(0.5f);
        // One triangle before it and one behind: parts of the geometry begin at the right side.
        g.positions.insert(g.positions.end(), {{-0.9f, -0.9f, 0.f}, {-0.7f, -0.9f, 0.f}, {-0.9f, -0.7f, 0.f}});
        g.triangles.insert(g.triangles.begin(), {4, 5, 6});
        g.triangles.push_back({4, 5, 6});
        if (quad) {
            g.quads = {1};
            g.quads.revision = 77;
        }
        DrawStyle style = unlit({1.f, 1.f, 1.f});
        style.wireframe = true;
        style.firstTriangle = 1;
        style.triangleCount = 2;
        s.settings.samples = 1;
        s.add(std::move(g), style);
        const Image image = s.draw();
        const auto bright = [&](int x, int y) {
            int most = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) most = std::max(most, at(image, x + i, y + j)[0]);
            return most > 200;
        };
        CHECK(bright(50, 100));
        CHECK(bright(150, 100));
        CHECK(bright(100, 50));
        CHECK(bright(100, 150));
        CHECK(bright(100, 100) == !quad);
        CHECK(bright(70, 130) == !quad);
        // The triangles beside it are not part of the item.
        CHECK_FALSE(bright(10, 180));
        s.draw();
        CHECK(s.renderer.statistics().uploads == 0);
    }
}

TEST_CASE("Edges of quads are lit on both sides of the surface", "[gl]")
{
    for (const bool quad : {false, true}) {
        Scene s;
        Geometry g = square(0.5f);
        g.normals.assign(4, Vec3f{0.f, 0.f, -1.f});  // the surface is seen from behind
        std::swap(g.triangles[0][1], g.triangles[0][2]);
        std::swap(g.triangles[1][1], g.triangles[1][2]);
        g.triangles = {{0, 3, 2}, {0, 2, 1}};
        if (quad) g.quads = {0};
        g.quads.revision = 78;
        DrawStyle style;
        style.wireframe = true;
        s.add(std::move(g), style);
        CHECK(countBright(s.draw(), 300) > 300);
    }
}

TEST_CASE("Heights are seen as slopes in the light", "[gl]")
{
    // Two ramps, up along x and down again; the light comes from the left.
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "ramps.png").string();
    Image ramps{64, 4, 1, {}};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 64; ++x) ramps.pixels.push_back(static_cast<unsigned char>(x < 32 ? 8 * x : 8 * (63 - x)));
    writeImage(file, ramps);
    Scene s;
    Geometry g = square(1.f);
    g.normals.assign(4, Vec3f{0.f, 0.f, 1.f});
    g.tangents.assign(4, Vec3f{1.f, 0.f, 0.f});
    g.bitangents.assign(4, Vec3f{0.f, 1.f, 0.f});
    g.texCoords = {{0.f, 0.f}, {1.f, 0.f}, {1.f, 1.f}, {0.f, 1.f}};
    auto bumps = std::make_shared<TextureDescription>();
    bumps->file = file;
    bumps->bumpHeight = 0.25f;
    auto surface = std::make_shared<SurfaceDescription>();
    surface->ambient = Color(0.f, 0.f, 0.f);
    surface->diffuse = Color(1.f, 1.f, 1.f);
    surface->normalMap = bumps;
    DrawStyle style;
    style.surface = surface;
    DrawItem& item = s.add(std::move(g), style);
    auto numbered = std::make_shared<Geometry>(*item.geometry);
    numbered->tangents.revision = s.revision++;
    numbered->bitangents.revision = s.revision++;
    item.geometry = numbered;
    LightDescription light;
    light.direction = normalized(Vec3{-1., 0., 2.});
    s.list.lights.push_back(light);
    s.list.lighting.emplace();
    // A slope of 8 / 255 × 0.25 × 64 = ½ to either side: cosines with the light of 1 and 3 / 5.
    const Image image = s.draw();
    isColor(image, 50, 100, 255, 255, 255, 3);
    isColor(image, 150, 100, 153, 153, 153, 3);
}
