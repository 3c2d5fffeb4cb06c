// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "components/visual/Cameras.h"
#include "components/visual/Lights.h"
#include "components/visual/OglModel.h"
#include "components/visual/Shaders.h"
#include "components/visual/VisualStyle.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/visual/DrawnScene.h"
#include "tests/harness/Paths.h"

namespace shader_draw_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

TEST_CASE("A shader has the macros, values and images of its node and those below", "[visual]")
{
    const sofa::test::TemporaryDirectory folder;
    for (const char* name : {"a.vert", "a.frag", "b.frag"}) std::ofstream(folder / name) << "void main() {}\n";
    const std::string path = folder.path().string();
    Scene s;
    auto below = s.root->createChild("below");
    auto& shader = make<OglShader>(*s.root, {{"fileVertexShaders", path + "/a.vert"},
                                             {"fileFragmentShaders", path + "/a.frag " + path + "/b.frag"},
                                             {"geometryVerticesOut", "12"}});
    make<OglShaderDefineMacro>(*s.root, {{"id", "LEVELS"}, {"value", "4"}});
    make<OglVariable<float>>(*s.root, {{"name", "roughness"}, {"value", "0.25"}});
    make<OglVariable<Vec<3, int>>>(*below, {{"id", "cells"}, {"value", "1 2 3"}, {"indexShader", "1"}});
    make<OglVariable<Vector<Vec<2, float>>>>(*below, {{"id", "path"}, {"values", "1 2 3 4 5 6"}});
    make<OglMatrixVariable<Mat<2, 3, float>>>(*below, {{"id", "m"}, {"value", "1 2 3 4 5 6"}, {"transpose", "1"}});
    make<OglTexture>(*below, {{"id", "noise"},
                              {"textureUnit", "3"},
                              {"proceduralTextureWidth", "2"},
                              {"proceduralTextureHeight", "1"},
                              {"proceduralTextureNbBits", "24"},
                              {"proceduralTextureData", "255 0 0 0 300"}});
    auto list = s.draw();
    REQUIRE(list->scopes.size() == 2);
    CHECK(list->shaderOf(1) == list->scopes[0].shaders.at(0).get());
    const ShaderDescription& d = *list->shaderOf(1);
    REQUIRE(d.programs.size() == 2);
    CHECK(d.programs[1].vertex == path + "/a.vert");
    CHECK(d.programs[1].fragment == path + "/b.frag");
    CHECK(d.geometryVertices == 12);
    REQUIRE(d.macros.size() == 1);
    CHECK(d.macros[0].name == "LEVELS");
    REQUIRE(d.uniforms.size() == 4);
    CHECK(d.uniforms[0].name == "roughness");
    CHECK(d.uniforms[0].values == std::vector<float>{0.25f});
    CHECK(d.uniforms[1].integers == std::vector<int>{1, 2, 3});
    CHECK(d.uniforms[1].shader == 1);
    CHECK(d.uniforms[2].count == 3);
    CHECK(d.uniforms[2].rows == 2);
    CHECK(d.uniforms[3].columns == 2);
    CHECK(d.uniforms[3].rows == 3);
    CHECK(d.uniforms[3].transpose);
    REQUIRE(d.textures.size() == 1);
    CHECK(d.textures[0].unit == 3);
    CHECK(d.textures[0].channels == 3);
    CHECK(d.textures[0].pixels == std::vector<unsigned char>{255, 0, 0, 0, 255, 0});

    const auto again = s.draw();
    CHECK(again->shaderOf(0) == list->shaderOf(0));
    SECTION("changes are seen")
    {
        below->get<OglVariable<Vec<3, int>>>(Search::Local)->d_value.setValue({7, 8, 9});
        CHECK(s.draw()->shaderOf(0)->uniforms[1].integers == std::vector<int>{7, 8, 9});
    }
    SECTION("the nearest shader holds, of two the second, passive ones not")
    {
        auto& own = make<OglShadowShader>(*below);
        CHECK(s.draw()->shaderOf(1)->path == own.pathName());
        auto& second = make<OglShader>(*below);
        CHECK(s.draw()->shaderOf(1)->path == second.pathName());
        second.d_passive.setValue(true);
        CHECK(s.draw()->shaderOf(1)->path == own.pathName());
        CHECK(s.draw()->shaderOf(1)->programs.empty());
        CHECK(s.draw()->shaderOf(0)->path == shader.pathName());
        shader.d_turnOn.setValue(false);
        CHECK(s.draw()->shaderOf(0) == nullptr);
    }
}

TEST_CASE("Values for vertices go with the model of their node", "[visual]")
{
    Scene s;
    make<OglModel>(*s.root, {square, {"quads", "0 1 2 3"}});
    make<OglShader>(*s.root);
    auto& a = make<OglAttribute<Vec<2, float>>>(*s.root, {{"id", "stretch"}, {"value", "1 2 3 4 5 6 7 8"}});
    make<OglAttribute<float>>(*s.root, {{"id", "tooFew"}, {"value", "1 2"}});
    const auto list = s.draw();
    REQUIRE(list->items.at(0).geometry->attributes.size() == 1);
    CHECK(list->items[0].geometry->attributes[0].name == "stretch");
    CHECK(list->items[0].geometry->attributes[0].components == 2);
    a.d_value.edit()[3] = {0.f, 0.f};
    CHECK(s.draw()->items[0].geometry->attributes[0].values.back() == 0.f);
}

TEST_CASE("Parameters and values for vertices of every type come to the shader with their shape", "[visual]")
{
    struct Expected
    {
        const char *component, *id;
        int rows, columns, count;
        bool integer;
    };
    const auto root = loadScene((sourceDirectory() / "scenes/component/visual/ShaderVariables.scn").string());
    REQUIRE(root);
    REQUIRE(Simulation(root).init());
    SceneDrawing drawing;
    const auto list = drawing.draw(*root);
    const ShaderDescription* shader = list->scopes.at(0).shaders.at(0).get();
    const auto classOf = [&root](const std::string& id) {
        for (const auto* e : root->getAll<ShaderElement>(Search::Down))
            if (e->d_id.value() == id) return e->className();
        return std::string();
    };
    for (const Expected& e : std::initializer_list<Expected>{{"OglIntVariable", "i", 1, 1, 1, true},
                                                             {"OglInt2Variable", "i2", 2, 1, 1, true},
                                                             {"OglInt3Variable", "i3", 3, 1, 1, true},
                                                             {"OglInt4Variable", "i4", 4, 1, 1, true},
                                                             {"OglFloatVariable", "f", 1, 1, 1, false},
                                                             {"OglFloat2Variable", "f2", 2, 1, 1, false},
                                                             {"OglFloat3Variable", "f3", 3, 1, 1, false},
                                                             {"OglFloat4Variable", "tint", 4, 1, 1, false},
                                                             {"OglIntVectorVariable", "iArray", 1, 1, 3, true},
                                                             {"OglIntVector2Variable", "i2Array", 2, 1, 2, true},
                                                             {"OglIntVector3Variable", "i3Array", 3, 1, 2, true},
                                                             {"OglIntVector4Variable", "i4Array", 4, 1, 2, true},
                                                             {"OglFloatVectorVariable", "fArray", 1, 1, 3, false},
                                                             {"OglFloatVector2Variable", "f2Array", 2, 1, 2, false},
                                                             {"OglFloatVector3Variable", "f3Array", 3, 1, 2, false},
                                                             {"OglFloatVector4Variable", "f4Array", 4, 1, 2, false},
                                                             {"OglMatrix2Variable", "m2", 2, 2, 1, false},
                                                             {"OglMatrix3Variable", "m3", 3, 3, 1, false},
                                                             {"OglMatrix4Variable", "m4", 4, 4, 1, false},
                                                             {"OglMatrix2x3Variable", "m23", 3, 2, 1, false},
                                                             {"OglMatrix3x2Variable", "m32", 2, 3, 1, false},
                                                             {"OglMatrix2x4Variable", "m24", 4, 2, 1, false},
                                                             {"OglMatrix4x2Variable", "m42", 2, 4, 1, false},
                                                             {"OglMatrix3x4Variable", "m34", 4, 3, 1, false},
                                                             {"OglMatrix4x3Variable", "m43", 3, 4, 1, false},
                                                             {"OglMatrix4VectorVariable", "m4Array", 4, 4, 1, false}}) {
        INFO(e.component);
        CHECK(classOf(e.id) == e.component);
        const auto u = std::ranges::find(shader->uniforms, std::string(e.id), &UniformDescription::name);
        REQUIRE(u != shader->uniforms.end());
        CHECK(u->rows == e.rows);
        CHECK(u->columns == e.columns);
        CHECK(u->count == e.count);
        CHECK(u->integer == e.integer);
        CHECK((u->integer ? u->integers.size() : u->values.size()) ==
              static_cast<std::size_t>(e.rows * e.columns * e.count));
    }
    REQUIRE(shader->textures.size() == 2);
    CHECK(classOf("again") == "OglTexturePointer");
    CHECK(shader->textures[1].uniform == "again");
    CHECK(shader->textures[1].file == shader->textures[0].file);
    CHECK(shader->textures[1].unit == 3);

    std::map<std::string, int> components;
    for (const DrawItem& item : list->items)
        if (item.geometry)
            for (const VertexAttribute& a : item.geometry->attributes) {
                components[a.name] = a.components;
                CHECK(a.values.size() == 4 * static_cast<std::size_t>(a.components));
            }
    const std::vector<std::pair<const char*, std::string>> attributes{
        {"OglIntAttribute", "ai"},     {"OglInt2Attribute", "ai2"},   {"OglInt3Attribute", "ai3"},
        {"OglInt4Attribute", "ai4"},   {"OglUIntAttribute", "au"},    {"OglUInt2Attribute", "au2"},
        {"OglUInt3Attribute", "au3"},  {"OglUInt4Attribute", "au4"},  {"OglFloatAttribute", "af"},
        {"OglFloat2Attribute", "af2"}, {"OglFloat3Attribute", "af3"}, {"OglFloat4Attribute", "af4"}};
    for (const auto& [component, id] : attributes) {
        INFO(component);
        CHECK(classOf(id) == component);
        CHECK(components[id] == (std::isdigit(id.back()) ? id.back() - '0' : 1));
    }
    // The viewer's own shaders draw their nodes.
    CHECK(root->child("transparency")->get<OglShader>(Search::Local)->className() == "OglOITShader");
    std::set<std::string> own;
    for (const auto& scope : list->scopes)
        for (const auto& s : scope.shaders)
            if (s->programs.empty()) own.insert(s->path);
    CHECK(own == std::set<std::string>{"/shadows/OglShadowShader1", "/transparency/OglOITShader1"});
}

TEST_CASE("A shader's own model and image are those of other models and shaders", "[visual]")
{
    const auto root = loadScene((sourceDirectory() / "scenes/component/visual/Shaders.scn").string());
    REQUIRE(root);
    REQUIRE(Simulation(root).init());
    Node& parts = *root->child("parts");
    const auto* model = parts.get<VisualModelImpl>(Search::Local);
    REQUIRE(model);
    CHECK(model->className() == "OglShaderVisualModel");
    SceneDrawing drawing;
    const auto list = drawing.draw(*root);
    CHECK(std::ranges::any_of(list->items, [model](const DrawItem& i) { return i.owner == model; }));
    const auto* ramp = parts.get<OglTexture>(Search::Local);
    REQUIRE(ramp);
    CHECK(ramp->className() == "OglTexture2D");
    CHECK(ramp->texture().pixels == std::vector<unsigned char>{0, 255});
}

TEST_CASE("Passes are told in their order", "[visual]")
{
    Scene s;
    make<VisualStyle>(*s.root, {{"displayFlags", "showAdvancedRendering"}});
    make<OglShader>(*s.root, {{"passive", "1"}});
    make<VisualManagerPass>(*s.root, {{"name", "organs"}, {"tags", "organ"}, {"factor", "0.5"}});
    make<VisualManagerSecondaryPass>(
        *s.root, {{"name", "blur"}, {"input_tags", "organ other"}, {"output_tags", "soft"}, {"shader", "@OglShader1"}});
    make<VisualManagerSecondaryPass>(*s.root,
                                     {{"input_tags", "soft"}, {"renderToScreen", "1"}, {"shader", "@OglShader1"}});
    CHECK(s.draw()->passes.empty());  // nobody composes them
    make<CompositingVisualLoop>(*s.root);
    auto list = s.draw();
    REQUIRE(list->passes.size() == 3);
    CHECK(list->passes[0]->kind == PassDescription::Kind::Scene);
    CHECK(list->passes[0]->output == "organs");
    CHECK(list->passes[0]->tags == std::vector<std::string>{"organ"});
    CHECK(list->passes[0]->factor == 0.5f);
    CHECK(list->passes[1]->inputs == std::vector<std::string>{"organs"});
    CHECK(list->passes[2]->inputs == std::vector<std::string>{"blur"});
    CHECK(list->passes[2]->toScreen);
    CHECK(list->passes[2]->shader);

    make<PostProcessManager>(*s.root, {{"zFar", "7"}});
    make<OrderIndependentTransparencyManager>(*s.root, {{"depthScale", "0.5"}});
    make<OglRenderingSRGB>(*s.root);
    list = s.draw();
    CHECK(list->passes.back()->kind == PassDescription::Kind::PostProcess);
    CHECK(list->passes.back()->zFar == 7.);
    CHECK(list->orderIndependentTransparency);
    CHECK(list->transparencyDepthScale == 0.5f);
    CHECK(list->srgb);
}

namespace {

/// A point times a matrix that is given row after row, divided by the last component.
template <class T>
Vec3 times(const Vector<T>& rows, const Vec3& x)
{
    REQUIRE(rows.size() == 16);
    Vec4 y;
    for (std::size_t i = 0; i < 4; ++i) {
        y[i] = static_cast<double>(rows[4 * i + 3]);
        for (std::size_t j = 0; j < 3; ++j) y[i] += static_cast<double>(rows[4 * i + j]) * x[j];
    }
    return Vec3{y[0], y[1], y[2]} * (1. / y[3]);
}

}  // namespace

TEST_CASE("A camera tells its matrices", "[visual]")
{
    Scene s;
    make<OglModel>(*s.root, {{"position", "-1 -1 -1  1 1 1  1 -1 1"}, {"triangles", "0 1 2"}});
    auto& c = make<InteractiveCamera>(*s.root, {{"position", "0 0 10"},
                                                {"lookAt", "0 0 0"},
                                                {"fieldOfView", "90"},
                                                {"widthViewport", "800"},
                                                {"heightViewport", "400"}});
    s.draw();
    CHECK(c.d_minBBox.value() == Vec3{-1., -1., -1.});
    CHECK(c.d_maxBBox.value() == Vec3{1., 1., 1.});
    const auto& view = c.d_modelViewMatrix.value();
    const auto& projection = c.d_projectionMatrix.value();
    CHECK(norm(times(view, {1., 2., 3.}) - Vec3{1., 2., -7.}) < 1e-14);
    // At a distance of 4, 90 degrees are 4 up, and twice that to the right.
    const Vec3 corner = times(projection, {8., 4., -4.});
    CHECK(corner[0] == Approx(1.));
    CHECK(corner[1] == Approx(1.));
    // SOFA's planes: the far one 1.1 (d + r) away, the near one not closer than a hundredth of d − r and r / 20.
    const double r = std::sqrt(3.);
    CHECK(times(projection, {0., 0., -1.1 * (10. + r)})[2] == Approx(1.));
    CHECK(times(projection, {0., 0., -0.05 * r})[2] == Approx(-1.));
    c.d_projectionType.edit()->select("Orthographic");
    s.draw();
    // Half as high as the lens sees at the point that is looked at, and twice as wide.
    CHECK(norm(times(projection, {20., 10., -0.05 * r}) - Vec3{1., 1., -1.}) < 1e-12);
    // What did not change is not written again.
    const auto counter = c.d_projectionMatrix.counter();
    s.draw();
    CHECK(c.d_projectionMatrix.counter() == counter);
}

TEST_CASE("Lights that cast shadows tell the matrices of their maps", "[visual]")
{
    Scene s;
    make<OglModel>(*s.root, {{"position", "-1 -1 -1  1 1 1  1 -1 1"}, {"triangles", "0 1 2"}});
    auto& manager = make<LightManager>(*s.root, {{"shadows", "0"}});
    auto& sun = make<DirectionalLight>(*s.root, {{"direction", "1 -2 0.5"}});
    auto& spot = make<SpotLight>(*s.root, {{"position", "0 5 1"}, {"direction", "0 -2 0"}, {"cutoff", "20"}});
    auto& lamp = make<PositionalLight>(*s.root, {{"position", "0 5 1"}});
    s.draw();
    CHECK(sun.d_modelViewMatrix.value() == Vector<float>(16, 0.f));
    manager.d_shadows.setValue(true);
    s.draw();
    CHECK(lamp.d_modelViewMatrix.value() == Vector<float>(16, 0.f));
    const auto seen = [](const Light& l, const Vec3& x) {
        return times(l.d_projectionMatrix.value(), times(l.d_modelViewMatrix.value(), x));
    };
    double nearest = 1., farthest = -1.;
    for (int i = 0; i < 8; ++i) {
        const Vec3 at = seen(sun, {i & 1 ? 1. : -1., i & 2 ? 1. : -1., i & 4 ? 1. : -1.});
        for (const double v : at) CHECK(std::abs(v) < 1.);
        nearest = std::min(nearest, at[2]);
        farthest = std::max(farthest, at[2]);
    }
    // The box fills the map, and where the rays come from is nearer.
    CHECK(nearest < -0.9);
    CHECK(farthest > 0.9);
    CHECK(seen(sun, {-0.5, 1., -0.25})[2] < seen(sun, {0.5, -1., 0.25})[2]);
    // The axis of the spot is the middle of its map; the edge of its cone is just inside.
    const Vec3 middle = seen(spot, {0., 0., 1.});
    CHECK(std::abs(middle[0]) < 1e-6);
    CHECK(std::abs(middle[1]) < 1e-6);
    CHECK(std::abs(middle[2]) < 1.);
    const double edge = norm(Vec3{seen(spot, {5. * std::tan(20. / 57.29577951), 0., 1.})[0],
                                  seen(spot, {5. * std::tan(20. / 57.29577951), 0., 1.})[1], 0.});
    CHECK(edge == Approx(std::tan(20. / 57.29577951) / std::tan(21. / 57.29577951)).epsilon(1e-5));
}

TEST_CASE("A bump map of a material file comes with tangents", "[visual]")
{
    const sofa::test::TemporaryDirectory folder;
    const auto write = [&](const char* name, const char* text) {
        std::ofstream(folder.path() / name) << text;
        return (folder.path() / name).string();
    };
    write("heights.pgm", "");  // is read by viewers only
    write("m.mtl", "newmtl rough\nKd 1 1 1\nmap_Bump heights.pgm\n");
    const std::string mesh = write("m.obj",
                                   "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
                                   "usemtl rough\nf 1/1 2/2 3/3\n");
    Scene s;
    make<OglModel>(*s.root, {{"filename", mesh}});
    const auto list = s.draw();
    REQUIRE(list->items.size() == 1);
    const auto& surface = list->items[0].style.surface;
    REQUIRE((surface && surface->normalMap));
    CHECK(std::filesystem::path(surface->normalMap->file).filename() == "heights.pgm");
    CHECK(surface->normalMap->bumpHeight > 0.f);
    REQUIRE(list->items[0].geometry->tangents.size() == 3);
    CHECK(norm(Vec3(list->items[0].geometry->tangents[0]) - Vec3{1., 0., 0.}) < 1e-6);
}

}  // namespace shader_draw_test
