// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "applications/gl/OffscreenContext.h"
#include "applications/gl/Renderer.h"
#include "core/log/Message.h"
#include "tests/applications/gl/TessellatingShader.h"
#include "tests/harness/Paths.h"

namespace scene_shaders_test {

using namespace sofa::gl;
using namespace sofa::core;

namespace {

/// One context and renderer for all tests: making them takes long.
Renderer& renderer()
{
    static OffscreenContext context;
    // Other tests of the program have contexts of their own.
    context.makeCurrent();
    static Renderer r(context.procAddress());
    return r;
}

struct Files : sofa::test::TemporaryDirectory
{
    std::string write(const std::string& name, const std::string& text) const
    {
        return TemporaryDirectory::write(name, text).string();
    }
};

/// A square of side 2 × `half` in the plane z = `height`.
DrawItem square(std::uint64_t slot, float half, float height, const Color& color = {1.f, 1.f, 1.f})
{
    auto g = std::make_shared<Geometry>();
    g->positions = {{-half, -half, height}, {half, -half, height}, {half, half, height}, {-half, half, height}};
    g->normals.assign(4, Vec3f{0.f, 0.f, 1.f});
    g->texCoords = {{0.f, 0.f}, {1.f, 0.f}, {1.f, 1.f}, {0.f, 1.f}};
    g->triangles = {{0, 1, 2}, {0, 2, 3}};
    // Content is told apart by numbers that never come again.
    static std::uint64_t revision = 0;
    for (auto* r : {&g->positions.revision, &g->normals.revision, &g->texCoords.revision, &g->triangles.revision})
        *r = ++revision;
    auto surface = std::make_shared<SurfaceDescription>();
    surface->diffuse = color;
    surface->ambient = {0.f, 0.f, 0.f};
    DrawItem item;
    item.slot = slot;
    item.style.surface = surface;
    item.style.color = color;
    item.geometry = g;
    return item;
}

DrawList listOf(std::vector<DrawItem> items)
{
    DrawList list;
    list.scopes.resize(1);
    list.items = std::move(items);
    list.background = std::make_shared<BackgroundDescription>(BackgroundDescription{{0.f, 0.f, 0.f}, {}});
    list.box.include(Vec3{-1., -1., 0.});
    list.box.include(Vec3{1., 1., 0.5});
    return list;
}

Camera above()
{
    Camera c;
    c.lookAt({0., 0., 4.}, {}, {0., 1., 0.});
    c.orthographic = false;
    c.width = c.height = 64;
    return c;
}

Image draw(const DrawList& list, const Camera& camera = above())
{
    RenderSettings settings;
    settings.samples = 1;
    renderer().draw(list, camera, settings);
    return renderer().image();
}

Vec<3, int> pixel(const Image& i, int x, int y)
{
    const unsigned char* p = i.at(x, y);
    return {p[0], p[1], p[2]};
}

std::shared_ptr<ShaderDescription> shader(const std::string& vertex, const std::string& fragment)
{
    auto s = std::make_shared<ShaderDescription>();
    s->path = "/shaded/shader";
    s->programs.emplace_back();
    s->programs[0].vertex = vertex;
    s->programs[0].fragment = fragment;
    return s;
}

}  // namespace

TEST_CASE("A scene's shader draws the surfaces of its node, with macros, values, images and attributes", "[gl]")
{
    const Files files;
    const std::string fragment = files.write("all.frag",
                                             "uniform float amount; uniform sampler2D image;\n"
                                             "varying float h;\n"
                                             "void main() { gl_FragColor = vec4(amount, CHANNEL, "
                                             "texture2D(image, gl_TexCoord[0].st).b * h, 1.0); }\n");
    const std::string vertex = files.write("all.vert",
                                           "attribute float heat; varying float h;\n"
                                           "void main() { h = heat; gl_TexCoord[0] = gl_MultiTexCoord0; "
                                           "gl_Position = ftransform(); }\n");
    auto s = shader(vertex, fragment);
    s->macros.push_back({"CHANNEL", "0.5", 0});
    UniformDescription amount;
    amount.name = "amount";
    amount.values = {1.f};
    s->uniforms.push_back(amount);
    TextureDescription image;
    image.uniform = "image";
    image.unit = 3;
    image.width = image.height = 1;
    image.channels = 3;
    image.pixels = {0, 0, 255};
    image.mipmaps = false;
    s->textures.push_back(image);
    DrawItem item = square(1, 1.f, 0.f);
    auto g = std::make_shared<Geometry>(*item.geometry);
    g->attributes.push_back({"heat", 1, {1.f, 1.f, 1.f, 1.f}});
    g->attributes.revision = 1000001;
    item.geometry = g;
    DrawList list = listOf({item});
    list.scopes[0].shaders.push_back(s);
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{255, 128, 255});

    // The nearest shader holds; a passive one, and the one of another branch, do not.
    auto green = shader("", files.write("green.frag", "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }"));
    list.scopes.resize(2);
    list.scopes[1].parent = 0;
    list.scopes[1].shaders.push_back(green);
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{255, 128, 255});
    list.items[0].scope = 1;
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{0, 255, 0});
    auto passive = std::make_shared<ShaderDescription>(*green);
    passive->passive = true;
    list.scopes[1].shaders[0] = passive;
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{255, 128, 255});

    // Other values need no other program.
    auto other = std::make_shared<ShaderDescription>(*s);
    other->uniforms[0].values = {0.f};
    list.scopes[0].shaders[0] = other;
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{0, 128, 255});
}

TEST_CASE("Shaders know the lights, materials and matrices of fixed-function OpenGL", "[gl]")
{
    const Files files;
    const std::string fragment =
        files.write("state.frag",
                    "void main() { gl_FragColor = vec4(gl_LightSource[0].diffuse.r, gl_FrontMaterial.diffuse.g, "
                    "gl_LightSource[0].position.z / 8.0, 1.0); }\n");
    DrawList list = listOf({square(1, 1.f, 0.f, {0.f, 0.2f, 0.f})});
    list.scopes[0].shaders.push_back(shader("", fragment));
    LightDescription lamp;
    lamp.kind = LightDescription::Kind::Positional;
    lamp.color = {0.4f, 1.f, 1.f};
    lamp.position = {0., 0., 8.};  // 4 m behind the camera, which looks against z
    list.lights.push_back(lamp);
    list.lighting.emplace();
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{102, 51, 128});

    // A frame of its own moves what a shader draws, too.
    list.scopes[0].frame = RigidCoord3{{0.9, 0., 0.}, {}};
    const Image moved = draw(list);
    CHECK(pixel(moved, 12, 32) == Vec<3, int>{0, 0, 0});
    CHECK(pixel(moved, 50, 32) == Vec<3, int>{102, 51, 128});
    // A plane of the node cuts it.
    list.scopes[0].clipPlanes.push_back({0.f, 1.f, 0.f, 0.f});
    const Image cut = draw(list);
    CHECK(pixel(cut, 50, 40) == Vec<3, int>{0, 0, 0});
    CHECK(pixel(cut, 50, 24) == Vec<3, int>{102, 51, 128});
}

TEST_CASE("Geometry shaders make what they are told to", "[gl]")
{
    const Files files;
    auto s = shader("", files.write("g.frag", "void main() { gl_FragColor = gl_Color; }"));
    // Each triangle shrinks to its middle.
    s->programs[0].geometry = files.write("g.geo",
                                          "#version 120\n#extension GL_EXT_geometry_shader4 : enable\n"
                                          "void main() {\n"
                                          "  vec4 c = (gl_PositionIn[0] + gl_PositionIn[1] + gl_PositionIn[2]) / 3.0;\n"
                                          "  for (int i = 0; i < gl_VerticesIn; ++i) {\n"
                                          "    gl_FrontColor = vec4(0.0, 0.0, 1.0, 1.0);\n"
                                          "    gl_Position = mix(c, gl_PositionIn[i], 0.5); EmitVertex();\n"
                                          "  }\n  EndPrimitive();\n}\n");
    DrawList list = listOf({square(1, 1.f, 0.f)});
    list.scopes[0].shaders.push_back(s);
    const Image i = draw(list);
    CHECK(pixel(i, 32, 32) == Vec<3, int>{0, 0, 0});  // on the diagonal, between the two
    CHECK(pixel(i, 40, 36) == Vec<3, int>{0, 0, 255});

    // Quads as lines with neighbours.
    auto lines = std::make_shared<ShaderDescription>(*s);
    lines->geometryInput = 10;
    lines->geometryOutput = 5;
    lines->geometryVertices = 4;
    lines->programs[0].geometry = files.write("q.geo",
                                              "#version 120\n#extension GL_EXT_geometry_shader4 : enable\n"
                                              "void main() {\n"
                                              "  gl_FrontColor = vec4(1.0, 0.0, 0.0, 1.0);\n"
                                              "  gl_Position = gl_PositionIn[0]; EmitVertex();\n"
                                              "  gl_Position = gl_PositionIn[1]; EmitVertex();\n"
                                              "  gl_Position = gl_PositionIn[3]; EmitVertex();\n"
                                              "  gl_Position = gl_PositionIn[2]; EmitVertex();\n"
                                              "  EndPrimitive();\n}\n");
    auto g = std::make_shared<Geometry>(*list.items[0].geometry);
    g->lines = {{0, 1}, {2, 3}};
    g->lines.revision = 2000001;
    auto surface = std::make_shared<SurfaceDescription>(*list.items[0].style.surface);
    surface->primitive = SurfaceDescription::Primitive::LinesAdjacency;
    list.items[0].geometry = g;
    list.items[0].style.surface = surface;
    list.scopes[0].shaders[0] = lines;
    CHECK(pixel(draw(list), 40, 20) == Vec<3, int>{255, 0, 0});
}

TEST_CASE("A shader that does not work is reported by file and line, once, and the default shading draws", "[gl]")
{
    const Files files;
    const std::string file =
        files.write("wrong.frag", "// a comment\nvoid main()\n{\n    gl_FragColor = missing;\n}\n");
    DrawList list = listOf({square(1, 1.f, 0.f, {1.f, 0.f, 0.f})});
    const Image plain = draw(list);
    list.scopes[0].shaders.push_back(shader("", file));
    MessageCapture messages;
    const Image shown = draw(list);
    draw(list);
    REQUIRE(messages.messages().size() == 1);
    CHECK(messages.messages()[0].severity == Severity::Error);
    CHECK(messages.messages()[0].text.find(file + ":4: ") != std::string::npos);
    CHECK(messages.messages()[0].text.find("missing") != std::string::npos);
    CHECK(messages.messages()[0].sender == "/shaded/shader");
    CHECK(shown.pixels == plain.pixels);

    list.scopes[0].shaders[0] = shader("", (files / "none.frag").string());
    CHECK(draw(list).pixels == plain.pixels);
    CHECK(messages.messages().back().text.find("none.frag") != std::string::npos);
}

TEST_CASE("Directional lights and spots cast shadows", "[gl]")
{
    // A small square above a large one, the light from straight above but a little aside.
    DrawList list = listOf({square(1, 1.f, 0.f), square(2, 0.25f, 0.5f)});
    LightDescription light;
    list.lighting.emplace();
    list.lighting->shadows = true;
    SECTION("directional")
    {
        light.kind = LightDescription::Kind::Directional;
        light.direction = normalized(Vec3{-1., 0., 1.});  // towards the light: the shadow falls to +x
    }
    SECTION("spot")
    {
        light.kind = LightDescription::Kind::Spot;
        light.position = {-2., 0., 2.5};
        light.direction = normalized(Vec3{2., 0., -2.5});
        light.cutoff = 60.f;
    }
    light.shadowTextureSize = 256;
    list.lights.push_back(light);
    const Camera camera = above();
    const Image with = draw(list, camera);
    // Where the middle of the small square is seen from the light on the large one.
    const Vec3 dark = light.kind == LightDescription::Kind::Spot ? Vec3{0.5, 0., 0.} : Vec3{0.5, 0., 0.};
    const auto shadow = camera.project(dark);
    const auto lit = camera.project({-0.6, 0.6, 0.});
    REQUIRE(shadow);
    CHECK(pixel(with, static_cast<int>((*shadow)[0]), 32)[0] < 60);
    CHECK(pixel(with, static_cast<int>((*lit)[0]), static_cast<int>((*lit)[1]))[0] > 120);
    // Nothing shadows itself.
    CHECK(pixel(with, 30, 32)[0] > 120);

    list.lights[0].shadowFactor = 0.5f;
    const int half = pixel(draw(list, camera), static_cast<int>((*shadow)[0]), 32)[0];
    CHECK(half > 60);
    CHECK(half < 120);
    auto surface = std::make_shared<SurfaceDescription>(*list.items[1].style.surface);
    surface->castsShadow = false;
    list.items[1].style.surface = surface;
    CHECK(pixel(draw(list, camera), static_cast<int>((*shadow)[0]), 32)[0] > 120);
    list.lighting->shadows = false;
    CHECK(pixel(draw(list, camera), static_cast<int>((*shadow)[0]), 32)[0] > 120);
}

TEST_CASE("Passes draw into images that later ones use", "[gl]")
{
    const Files files;
    DrawItem red = square(1, 1.f, 0.f, {1.f, 0.f, 0.f}), blue = square(2, 0.3f, 0.2f, {0.f, 0.f, 1.f});
    for (auto* item : {&red, &blue}) {
        auto surface = std::make_shared<SurfaceDescription>(*item->style.surface);
        surface->tags = {item == &red ? "solid" : "glass"};
        item->style.surface = surface;
        item->style.lit = false;
    }
    DrawList list = listOf({red, blue});
    PassDescription solid, glass, both;
    solid.output = "solid";
    solid.tags = {"solid"};
    glass.output = "glass";
    glass.tags = {"glass"};
    glass.factor = 0.5f;
    both.kind = PassDescription::Kind::Images;
    both.inputs = {"solid", "glass"};
    both.toScreen = true;
    both.shader = shader("", files.write("both.frag",
                                         "uniform sampler2D solid, glass, glass_Z;\n"
                                         "void main() { vec2 p = gl_TexCoord[0].st;\n"
                                         "gl_FragColor = texture2D(solid, p) + texture2D(glass, p);\n"
                                         "if (texture2D(glass_Z, p).r < 1.0) gl_FragColor.g = 1.0; }\n"));
    for (const auto& p : {solid, glass, both}) list.passes.push_back(std::make_shared<PassDescription>(p));
    const Image i = draw(list);
    CHECK(pixel(i, 32, 32) == Vec<3, int>{255, 255, 255});
    CHECK(pixel(i, 32, 14) == Vec<3, int>{255, 0, 0});
    CHECK(pixel(i, 1, 1) == Vec<3, int>{0, 0, 0});

    SECTION("over the finished image")
    {
        PassDescription post;
        post.kind = PassDescription::Kind::PostProcess;
        post.shader = shader("", files.write("post.frag",
                                             "uniform sampler2D colorTexture, depthTexture; uniform vec2 pixelSize;\n"
                                             "void main() { vec2 p = gl_FragCoord.xy * pixelSize;\n"
                                             "gl_FragColor = vec4(texture2D(colorTexture, p).gbr, 1.0);\n"
                                             "if (texture2D(depthTexture, p).r == 1.0) gl_FragColor.g = 0.5; }\n"));
        list.passes = {std::make_shared<PassDescription>(post)};
        const Image p = draw(list);
        CHECK(pixel(p, 32, 32) == Vec<3, int>{0, 255, 0});
        CHECK(pixel(p, 32, 14) == Vec<3, int>{0, 0, 255});
        CHECK(pixel(p, 1, 1) == Vec<3, int>{0, 128, 0});
    }
}

TEST_CASE("The frame in the corner turns with the camera", "[gl]")
{
    DrawList list = listOf({});
    list.cornerFrame.emplace();
    list.cornerFrame->size = 64;
    list.cornerFrame->corner = CornerFrameDescription::Corner::TopLeft;
    Camera camera = above();
    camera.width = camera.height = 128;
    Image i = draw(list, camera);
    const auto red = [](const Vec<3, int>& p) { return p[0] > 200 && p[1] < 50 && p[2] < 50; };
    CHECK(red(pixel(i, 44, 31)));      // x to the right
    CHECK(pixel(i, 32, 16)[1] > 200);  // y up
    CHECK(pixel(i, 100, 100) == Vec<3, int>{0, 0, 0});
    camera.roll(std::acos(-1.) / 2.);
    i = draw(list, camera);
    CHECK_FALSE(red(pixel(i, 44, 31)));
}

TEST_CASE("A second view changes places with the first", "[gl]")
{
    DrawList list = listOf({square(1, 1.f, 0.f, {1.f, 0.f, 0.f})});
    list.items[0].style.lit = false;
    ViewportDescription away;  // from the same place, but it looks up
    away.position = {0., 0., 4.};
    away.orientation = Quat::fromAxisAngle({1., 0., 0.}, std::acos(-1.));
    away.x = away.y = 0;
    away.width = away.height = 20;
    away.border = false;
    list.viewports.push_back(away);
    Image i = draw(list);
    CHECK(pixel(i, 40, 32) == Vec<3, int>{255, 0, 0});
    CHECK(pixel(i, 10, 54) == Vec<3, int>{0, 0, 0});
    list.viewports[0].swapMainView = true;
    i = draw(list);
    CHECK(pixel(i, 40, 32) == Vec<3, int>{0, 0, 0});
    CHECK(pixel(i, 10, 54) == Vec<3, int>{255, 0, 0});
}

TEST_CASE("The depths that lights see can be looked at", "[gl]")
{
    DrawList list = listOf({square(1, 0.5f, 0.f)});
    LightDescription light;
    light.direction = {0., 0., 1.};
    light.shadowTextureSize = 64;
    list.lights.push_back(light);
    list.lighting.emplace();
    list.lighting->shadows = list.lighting->debugDraw = true;
    const Image i = draw(list);
    // The square's depth in the middle of the first square of the view, and the greatest depth beside it.
    CHECK(pixel(i, 8, 56)[0] < 255);
    CHECK(pixel(i, 1, 49)[0] == 255);
    CHECK(pixel(i, 8, 56)[1] == 0);
}

TEST_CASE("Patches are divided by tessellation shaders", "[gl]")
{
    // Points of the patches move from a square to a disc.
    const Files files;
    const std::string all = files.write(
        "all.glsl", sofa::test::tessellatingShader("    float l = max(length(x.xy), 1e-6);\n"
                                                   "    x.xy *= 0.5 * max(abs(x.x), abs(x.y)) / l;\n",
                                                   "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }\n"));
    auto s = shader(all, all);
    s->programs[0].tessellationControl = s->programs[0].tessellationEvaluation = all;
    UniformDescription level;
    level.name = "TessellationLevel";
    level.values = {16.f};
    s->uniforms.push_back(level);
    auto list = listOf({square(1, 1.f, 0.f)});
    list.scopes[0].shaders.push_back(s);
    MessageCapture told;
    const Image image = draw(list);
    CHECK(told.messages().empty());
    // The disc has a radius of 9.7 pixels. Undivided triangles would make a square of ± 6.8 pixels.
    CHECK(pixel(image, 32, 32) == Vec<3, int>{255, 0, 0});
    CHECK(pixel(image, 32, 24) == Vec<3, int>{255, 0, 0});
    CHECK(pixel(image, 40, 40) == Vec<3, int>{0, 0, 0});
}

TEST_CASE("A shader file that changed on disk is read again", "[gl]")
{
    const Files files;
    const std::string vertex = files.write("plain.vert", "void main() { gl_Position = ftransform(); }\n");
    const std::string fragment =
        files.write("plain.frag", "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }\n");
    DrawList list = listOf({square(1, 1.f, 0.f)});
    list.scopes[0].shaders.push_back(shader(vertex, fragment));
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{255, 0, 0});
    files.write("plain.frag", "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); } // another size too\n");
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{0, 255, 0});
    // A mistake is told, once, and mended again.
    files.write("plain.frag", "void main() { gl_FragColor = mistake; }\n");
    {
        const MessageCapture told;
        draw(list);
        draw(list);
        CHECK(told.count(Severity::Error) == 1);
        CHECK(told.has(Severity::Error, "plain.frag:1: "));
    }
    files.write("plain.frag", "void main() { gl_FragColor = vec4(0.0, 0.0, 1.0, 1.0); }\n");
    CHECK(pixel(draw(list), 32, 32) == Vec<3, int>{0, 0, 255});
}

}  // namespace scene_shaders_test
