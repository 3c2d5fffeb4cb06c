// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/gl/Renderer.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "applications/gl/OffscreenContext.h"
#include "core/math/DataTypes.h"
#include "tests/harness/Paths.h"

using namespace sofa::core;
using sofa::gl::Camera;
using sofa::gl::Image;
using sofa::gl::Pick;
using sofa::gl::RenderSettings;

namespace {

/// One context for all test cases of the program.
sofa::gl::OffscreenContext& context()
{
    static sofa::gl::OffscreenContext made;
    return made;
}

/// A view from z = 10 of the square −1…1 in 200 × 200 pixels, with lists that are made by hand.
struct Scene
{
    sofa::gl::Renderer renderer{context().procAddress()};
    Camera camera;
    DrawList list;
    RenderSettings settings;
    std::uint64_t revision = 1;

    Scene()
    {
        camera.width = camera.height = 200;
        camera.orthographic = true;
        camera.lookAt({0., 0., 10.}, {0., 0., 0.});
        camera.fieldOfView = 2. * 180. / 3.14159265358979 * std::atan(0.1);
        settings.background = Color(0.f, 0.f, 0.f);
        list.scopes.push_back({});
        list.box = {{-1., -1., -1.}, {1., 1., 1.}};
    }
    /// Numbers its arrays.
    DrawItem& add(Geometry g, const DrawStyle& style = {})
    {
        for (auto* r :
             {&g.positions.revision, &g.normals.revision, &g.colors.revision, &g.texCoords.revision, &g.points.revision,
              &g.lines.revision, &g.triangles.revision, &g.solids.revision, &g.labels.revision})
            *r = revision++;
        DrawItem item;
        item.slot = list.items.size() + 1;
        item.style = style;
        item.geometry = std::make_shared<Geometry>(std::move(g));
        list.items.push_back(std::move(item));
        return list.items.back();
    }
    Image draw()
    {
        renderer.draw(list, camera, settings);
        Image image = renderer.image();
        if (const char* folder = std::getenv("SOFA_SHOW_PICTURES")) {
            static int number = 0;
            writeImage(std::string(folder) + "/test" + std::to_string(number++) + ".png", image);
        }
        return image;
    }
};

DrawStyle unlit(const Color& c)
{
    DrawStyle s;
    s.color = c;
    s.lit = false;
    return s;
}

/// A square of two triangles around a point, in a plane z.
Geometry square(float half, float z = 0.f, float x = 0.f, float y = 0.f)
{
    Geometry g;
    g.positions = {{x - half, y - half, z}, {x + half, y - half, z}, {x + half, y + half, z}, {x - half, y + half, z}};
    g.triangles = {{0, 1, 2}, {0, 2, 3}};
    return g;
}

Geometry solid(Solid s, float size)
{
    Geometry g;
    g.solid = s;
    g.solids.push_back({{size, 0.f, 0.f, 0.f, size, 0.f, 0.f, 0.f, size}, {}, Color(1.f, 1.f, 1.f)});
    return g;
}

std::array<int, 3> at(const Image& image, int x, int y)
{
    const unsigned char* p = image.at(x, y);
    return {p[0], p[1], p[2]};
}

void isColor(const Image& image, int x, int y, int r, int g, int b, int tolerance = 2)
{
    const auto p = at(image, x, y);
    INFO("pixel " << x << ' ' << y << ": " << p[0] << ' ' << p[1] << ' ' << p[2] << ", expected " << r << ' ' << g
                  << ' ' << b);
    CHECK(std::abs(p[0] - r) <= tolerance);
    CHECK(std::abs(p[1] - g) <= tolerance);
    CHECK(std::abs(p[2] - b) <= tolerance);
}

std::size_t countBright(const Image& image, int threshold = 100)
{
    std::size_t n = 0;
    for (std::size_t i = 0; i < image.pixels.size(); i += 3)
        n += image.pixels[i] + image.pixels[i + 1] + image.pixels[i + 2] > threshold;
    return n;
}

}  // namespace

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

TEST_CASE("Sides of culled faces are left out", "[gl]")
{
    Scene s;
    s.add(square(0.5f), unlit({1.f, 1.f, 1.f})).style.cull = DrawStyle::Cull::Back;
    isColor(s.draw(), 100, 100, 255, 255, 255);
    s.list.items[0].style.cull = DrawStyle::Cull::Front;
    isColor(s.draw(), 100, 100, 0, 0, 0);
}

TEST_CASE("Wireframe shows sides only", "[gl]")
{
    Scene s;
    s.add(square(0.5f), unlit({1.f, 1.f, 1.f})).style.wireframe = true;
    const Image image = s.draw();
    isColor(image, 120, 110, 0, 0, 0);
    CHECK(at(image, 50, 100)[0] + at(image, 49, 100)[0] > 100);
    CHECK(countBright(image) > 300);
    CHECK(countBright(image) < 1500);
}

TEST_CASE("Transparent things are mixed from far to near", "[gl]")
{
    Scene s;
    s.settings.samples = 1;
    // Near and red first, far and blue after it: the result is red over blue.
    s.add(square(0.6f, 0.5f), unlit({1.f, 0.f, 0.f, 0.5f}));
    s.add(square(0.8f, -0.5f), unlit({0.f, 0.f, 1.f, 0.5f}));
    Image image = s.draw();
    isColor(image, 100, 100, 128, 0, 64);
    isColor(image, 170, 100, 0, 0, 128);
    // From behind, the other way.
    s.camera.lookAt({0., 0., -10.}, {0., 0., 0.});
    isColor(s.draw(), 100, 100, 64, 0, 128);
    // Opaque things hide them and shine through.
    s.camera.lookAt({0., 0., 10.}, {0., 0., 0.});
    s.add(square(0.3f, 0.f), unlit({0.f, 1.f, 0.f}));
    isColor(s.draw(), 100, 100, 128, 128, 0);
    // Without blending the opacity has no effect.
    s.list.items[0].style.blend = false;
    isColor(s.draw(), 100, 100, 255, 0, 0);
}

TEST_CASE("Transparent triangles of two things that go through each other are sorted together", "[gl]")
{
    Scene s;
    s.settings.samples = 1;
    // Two stairs of two squares each; each is in front once.
    const auto stairs = [](float left, float right) {
        Geometry g = square(0.4f, left, -0.45f), h = square(0.4f, right, 0.45f);
        for (const auto& p : h.positions) g.positions.push_back(p);
        g.triangles.push_back({4, 5, 6});
        g.triangles.push_back({4, 6, 7});
        return g;
    };
    s.add(stairs(0.5f, -0.5f), unlit({1.f, 0.f, 0.f, 0.5f}));
    s.add(stairs(-0.5f, 0.5f), unlit({0.f, 0.f, 1.f, 0.5f}));
    const Image image = s.draw();
    isColor(image, 55, 100, 128, 0, 64);
    isColor(image, 145, 100, 64, 0, 128);
    // Nothing is uploaded while nothing moves, and it is when the camera does.
    s.draw();
    CHECK(s.renderer.statistics().uploads == 0);
    s.camera.lookAt({1., 0., 10.}, {0., 0., 0.});
    s.draw();
    CHECK(s.renderer.statistics().uploads == 1);
}

TEST_CASE("Order-independent transparency does not depend on the order", "[gl]")
{
    Image images[2];
    for (const bool swapped : {false, true}) {
        Scene s;
        s.list.orderIndependentTransparency = true;
        s.settings.background = Color(1.f, 1.f, 1.f);
        const auto red = [&] { s.add(square(0.6f, 0.5f), unlit({1.f, 0.f, 0.f, 0.5f})); };
        const auto blue = [&] { s.add(square(0.8f, -0.5f), unlit({0.f, 0.f, 1.f, 0.5f})); };
        swapped ? (blue(), red()) : (red(), blue());
        s.add(square(0.2f, 0.f), unlit({0.f, 1.f, 0.f}));
        images[swapped] = s.draw();
    }
    CHECK(images[0].pixels == images[1].pixels);
    // One alone is exact.
    isColor(images[0], 170, 100, 128, 128, 255);
    // Two cover three quarters of the background, and both are seen.
    const auto both = at(images[0], 140, 100);
    CHECK(std::abs(both[1] - 64) <= 3);
    CHECK(both[0] > 100);
    CHECK(both[2] > 80);
    // Behind what is opaque only the near one counts.
    isColor(images[0], 100, 100, 128, 128, 0, 4);
}

TEST_CASE("Pictures with textures and texts leave the rows of images as others in the context expect them", "[gl]")
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
    // A picture that is not there is a board of grey squares, not a failure.
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

TEST_CASE("Picking tells the thing, its primitive and the place", "[gl]")
{
    Scene s;
    const Component* const owner = reinterpret_cast<const Component*>(&s);
    s.add(square(0.5f, -0.5f), unlit({1.f, 0.f, 0.f})).owner = owner;
    s.add(solid(Solid::Cube, 0.1f));
    Geometry g;
    g.positions = {{-0.5f, 0.8f, 0.f}, {0.5f, 0.8f, 0.f}, {0.3f, 0.3f, 0.f}};
    g.lines = {{0, 1}};
    g.points = {2};
    DrawStyle thin = unlit({1.f, 1.f, 1.f});
    thin.size = 3.f;
    s.add(std::move(g), thin);
    // The second triangle is that above the diagonal.
    auto p = s.renderer.pick(s.list, s.camera, 70.5, 60.5);
    REQUIRE(p);
    CHECK(p->item == 0);
    CHECK(p->owner == owner);
    CHECK(p->primitive == Pick::Primitive::Triangle);
    CHECK(p->index == 1);
    CHECK(norm(p->position - Vec3{-0.295, 0.395, -0.5}) < 0.01);
    p = s.renderer.pick(s.list, s.camera, 130.5, 120.5);
    REQUIRE(p);
    CHECK(p->index == 0);
    p = s.renderer.pick(s.list, s.camera, 100.5, 100.5);
    REQUIRE(p);
    CHECK(p->item == 1);
    CHECK(p->primitive == Pick::Primitive::Solid);
    CHECK(p->position[2] == Approx(0.1).margin(0.01));
    p = s.renderer.pick(s.list, s.camera, 80.5, 22.5);
    REQUIRE(p);
    CHECK(p->item == 2);
    CHECK(p->primitive == Pick::Primitive::Line);
    CHECK(p->index == 0);
    CHECK(p->pixelDistance > 0.);
    p = s.renderer.pick(s.list, s.camera, 131.5, 71.5);
    REQUIRE(p);
    CHECK(p->primitive == Pick::Primitive::Point);
    CHECK(p->index == 0);
    CHECK_FALSE(s.renderer.pick(s.list, s.camera, 10., 190.));
    CHECK_FALSE(s.renderer.pick(s.list, s.camera, -50., 500.));
    // Only what is wanted, whatever hides it.
    p = s.renderer.pick(s.list, s.camera, 100.5, 100.5, 0, [](const DrawItem& i) { return i.slot == 1; });
    REQUIRE(p);
    CHECK(p->item == 0);
    // Only some triangles of a geometry: they keep their numbers.
    s.list.items[0].style.firstTriangle = 1;
    p = s.renderer.pick(s.list, s.camera, 70.5, 60.5);
    REQUIRE(p);
    CHECK(p->index == 1);
    CHECK_FALSE(s.renderer.pick(s.list, s.camera, 130.5, 120.5));
}

TEST_CASE("Pictures are copied to the framebuffer of the caller at any size", "[gl]")
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

TEST_CASE("Quads drawn by their sides do not show what parts them", "[gl]")
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

TEST_CASE("Sides of quads are lit on both sides of the surface", "[gl]")
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
