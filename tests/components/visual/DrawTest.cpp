// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "components/setting/Settings.h"
#include "components/topology/MeshTopology.h"
#include "components/visual/Cameras.h"
#include "components/visual/Decorations.h"
#include "components/visual/FieldDisplays.h"
#include "components/visual/Lights.h"
#include "components/visual/OglModel.h"
#include "components/visual/Shaders.h"
#include "components/visual/VisualStyle.h"
#include "core/visual/SceneDrawing.h"
#include "tests/harness/Paths.h"

using namespace sofa::core;
using namespace sofa::component;

namespace {

template <class T>
T& make(Node& node, const std::vector<std::pair<std::string, std::string>>& attributes = {})
{
    auto& c = node.create<T>();
    ComponentDescription desc;
    for (const auto& [name, value] : attributes) desc.set(name, value);
    c.parse(desc);
    c.init();
    return c;
}

struct Scene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    SceneDrawing drawing;
    std::shared_ptr<const DrawList> draw() { return drawing.draw(*root); }
};

const std::pair<std::string, std::string> square{"position", "0 0 0  1 0 0  1 1 0  0 1 0"};

}  // namespace

TEST_CASE("A surface is written down with its normals, and again only when it moves", "[visual]")
{
    Scene s;
    auto& m = make<OglModel>(*s.root, {square, {"triangles", "0 1 2"}, {"quads", "0 1 2 3"}, {"color", "red"}});
    const auto first = s.draw();
    REQUIRE(first->items.size() == 1);
    const Geometry& g = *first->items[0].geometry;
    CHECK(g.triangles.size() == 3);
    CHECK(g.triangles[2] == Triangle{0, 2, 3});
    CHECK(g.quads == std::vector<Index>{1});
    CHECK(g.normals[2] == Vec3f{0.f, 0.f, 1.f});
    REQUIRE(first->items[0].style.surface);
    CHECK(first->items[0].style.surface->diffuse == Color(1.f, 0.f, 0.f));
    CHECK_FALSE(first->items[0].style.blend);
    CHECK(first->items[0].style.depthWrite);

    const std::size_t updates = m.normalUpdates();
    m.updateVisual();
    const auto second = s.draw();
    CHECK(second->items[0].geometry == first->items[0].geometry);
    CHECK(second->items[0].style.surface == first->items[0].style.surface);
    CHECK(m.normalUpdates() == updates);

    // Written with the values that it has: nothing moved.
    m.d_position.edit()[0] = Vec3{};
    m.updateVisual();
    CHECK(m.normalUpdates() == updates);
    m.d_position.edit()[2] = Vec3{1., 1., 1.};
    m.updateVisual();
    CHECK(m.normalUpdates() == updates + 1);
    const auto third = s.draw();
    CHECK(third->items[0].geometry->positions.revision != g.positions.revision);
    CHECK(third->items[0].geometry->triangles.revision == g.triangles.revision);
}

TEST_CASE("Groups of faces have materials of their own", "[visual]")
{
    Scene s;
    auto& m = make<OglModel>(*s.root, {square, {"triangles", "0 1 2  0 2 3"}, {"quads", "0 1 2 3"}});
    Material glass;
    glass.diffuse = {0.f, 0.f, 1.f, 0.5f};
    m.d_materials.setValue({glass});
    FaceGroup opaque, blue;
    opaque.firstTriangle = 0;
    opaque.triangleCount = 1;
    blue.materialId = 0;
    blue.firstTriangle = 1;
    blue.triangleCount = 1;
    blue.quadCount = 1;
    m.d_groups.setValue({opaque, blue});
    const auto list = s.draw();
    REQUIRE(list->items.size() == 3);
    CHECK(list->items[0].slot == list->items[2].slot);
    CHECK(list->items[0].geometry == list->items[2].geometry);
    CHECK(list->items[0].style.firstTriangle == 0);
    CHECK(list->items[0].style.triangleCount == 1);
    CHECK_FALSE(list->items[0].style.blend);
    CHECK(list->items[1].style.firstTriangle == 1);
    CHECK(list->items[1].style.blend);
    CHECK_FALSE(list->items[1].style.depthWrite);
    CHECK(list->items[2].style.firstTriangle == 2);
    CHECK(list->items[2].style.triangleCount == 2);
    CHECK(list->items[2].style.surface->diffuse == Color(0.f, 0.f, 1.f, 0.5f));
}

TEST_CASE("The choices of an OglModel reach the style", "[visual]")
{
    Scene s;
    auto& m = make<OglModel>(*s.root, {square,
                                       {"quads", "0 1 2 3"},
                                       {"alphaBlend", "1"},
                                       {"sfactor", "GL_ONE"},
                                       {"dfactor", "GL_ZERO"},
                                       {"blendEquation", "GL_MAX"},
                                       {"cullFace", "2"},
                                       {"depthTest", "0"},
                                       {"lineWidth", "3"},
                                       {"castshadow", "0"},
                                       {"tags", "organ"}});
    DrawStyle style = s.draw()->items.at(0).style;
    CHECK(style.blend);
    CHECK_FALSE(style.depthWrite);
    CHECK_FALSE(style.depthTest);
    CHECK(style.cull == DrawStyle::Cull::Front);
    CHECK(style.size == 3.f);
    CHECK(style.surface->sourceFactor == SurfaceDescription::Factor::One);
    CHECK(style.surface->destinationFactor == SurfaceDescription::Factor::Zero);
    CHECK(style.surface->equation == SurfaceDescription::Equation::Max);
    CHECK_FALSE(style.surface->castsShadow);
    CHECK(style.surface->tags == std::vector<std::string>{"organ"});

    m.d_primitiveType.edit()->select("POINTS");
    const auto points = s.draw();
    CHECK(points->items.at(0).geometry->points.size() == 4);
    CHECK(points->items.at(0).geometry->triangles.empty());
    CHECK_FALSE(points->items.at(0).style.lit);
    m.d_primitiveType.edit()->select("LINES_ADJACENCY");
    const auto lines = s.draw();
    CHECK(lines->items.at(0).geometry->lines == DrawArray<Edge>{{0, 1}, {2, 3}});
    CHECK(lines->items.at(0).style.surface->primitive == SurfaceDescription::Primitive::LinesAdjacency);
    m.d_enable.setValue(false);
    CHECK(s.draw()->items.empty());
}

TEST_CASE("Flags show sides and normals and hide surfaces", "[visual]")
{
    Scene s;
    make<OglModel>(*s.root, {square, {"quads", "0 1 2 3"}});
    auto& style = make<VisualStyle>(*s.root, {{"displayFlags", "showWireframe showNormals"}});
    const auto list = s.draw();
    REQUIRE(list->items.size() == 2);
    CHECK(list->items[0].style.wireframe);
    CHECK(list->items[1].geometry->lines.size() == 4);
    std::string error;
    REQUIRE(style.d_displayFlags.read("hideVisualModels", error));
    CHECK(s.draw()->items.empty());
}

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

TEST_CASE("A selected mesh shows its points, faces, sides and numbers, as the scene wants", "[visual]")
{
    Scene s;
    auto& setting = make<ViewerSetting>(*s.root);
    auto& mesh = make<MeshTopology>(*s.root, {square, {"triangles", "0 1 2"}, {"tetrahedra", "0 1 2 3"}});
    mesh.setName("mesh");
    const auto count = [&] {
        const auto list = s.drawing.draw(*s.root, {}, "/mesh");
        std::array<std::size_t, 4> n{};
        for (const DrawItem& i : list->items) {
            CHECK(i.style.layer == DrawStyle::Layer::Overlay);
            n[0] += i.geometry->points.size();
            n[1] += i.geometry->triangles.size();
            n[2] += i.geometry->lines.size();
            n[3] += i.geometry->labels.size();
        }
        return n;
    };
    const std::size_t box = mesh.boundingBox().valid() ? 12 : 0;
    CHECK(count() == std::array<std::size_t, 4>{4, 1, 3 + 6 + box, 4});
    setting.d_objectBox.setValue(false);
    setting.d_positions.setValue(false);
    setting.d_indices.setValue(false);
    CHECK(count() == std::array<std::size_t, 4>{0, 1, 3 + 6, 0});
    setting.d_surfaces.setValue(false);
    CHECK(count() == std::array<std::size_t, 4>{0, 0, 6, 0});
    setting.d_volumes.setValue(false);
    CHECK(count() == std::array<std::size_t, 4>{});
}

TEST_CASE("A label is refreshed every so many steps", "[visual]")
{
    Scene s;
    auto& label = make<OglLabel>(*s.root, {{"label", "a"}, {"updateLabelEveryNbSteps", "2"}});
    const auto shown = [&] { return s.draw()->items.at(0).geometry->labels.at(0).text; };
    CHECK(shown() == "a");
    label.d_label.setValue("b");
    for (int i = 0; i < 2; ++i) label.handleEvent(AnimateBeginEvent(0.01));
    CHECK(shown() == "a");
    label.handleEvent(AnimateBeginEvent(0.01));
    CHECK(shown() == "b");
}

TEST_CASE("Grids, axes, boxes and texts", "[visual]")
{
    Scene s;
    make<VisualGrid>(*s.root, {{"size", "4"}, {"nbSubdiv", "2"}, {"plane", "y"}, {"nbLineSegments", "3"}});
    make<LineAxis>(*s.root, {{"axis", "xz"}, {"infinite", "1"}, {"vanishing", "1"}});
    make<Visual3DText>(*s.root, {{"text", "here"}, {"scale", "0.5"}, {"depthTest", "0"}});
    make<VisualBoundingBox>(*s.root);
    const auto list = s.draw();
    REQUIRE(list->items.size() == 4);
    const Geometry& grid = *list->items[0].geometry;
    CHECK(grid.lines.size() == 2 * 3 * 3);
    for (const Vec3f& p : grid.positions) CHECK(p[1] == 0.f);
    const Geometry& axes = *list->items[1].geometry;
    CHECK(axes.lines.size() == 4);
    CHECK(axes.colors[0] == Color(1.f, 0.f, 0.f, 0.f));
    CHECK(axes.colors[1] == Color(1.f, 0.f, 0.f, 1.f));
    CHECK(list->items[2].geometry->labels.at(0).worldSize);
    CHECK_FALSE(list->items[2].style.depthTest);
    CHECK(list->items[3].geometry->lines.size() == 12);
    CHECK(list->items[3].geometry->positions[7] == Vec3f{2.f, 0.f, 2.f});
}

TEST_CASE("A transformation holds for its node, and below if it is recursive", "[visual]")
{
    Scene s;
    auto child = s.root->createChild("child");
    auto grandchild = child->createChild("grandchild");
    auto& t = make<VisualTransform>(*child, {{"transform", "1 0 0 0 0 0 1"}});
    auto list = s.draw();
    CHECK_FALSE(list->frameOf(0));
    CHECK(list->frameOf(1)->center == Vec3{1., 0., 0.});
    CHECK_FALSE(list->frameOf(2));
    t.d_recursive.setValue(true);
    make<VisualTransform>(*grandchild, {{"transform", "0 2 0 0 0 0 1"}});
    CHECK(s.draw()->frameOf(2)->center == Vec3{1., 2., 0.});
}

TEST_CASE("Values on a mesh become colours, between the least and the greatest so far", "[visual]")
{
    Scene s;
    make<MeshTopology>(*s.root, {square, {"triangles", "0 1 2  0 2 3"}});
    make<OglColorMap>(*s.root,
                      {{"colorScheme", "Blue to Red"}, {"showLegend", "1"}, {"max", "3"}, {"legendTitle", "u"}});
    auto& d = make<DataDisplay>(*s.root, {{"pointData", "0 1 2 4"}, {"shininess", "20"}});
    auto list = s.draw();
    REQUIRE(list->items.size() == 1);
    REQUIRE(list->legends.size() == 1);
    CHECK(list->legends[0]->title == "u");
    CHECK(list->legends[0]->high == 3.);
    CHECK(list->legends[0]->placed);
    const Geometry& g = *list->items[0].geometry;
    CHECK(g.colors[0] == Color(0.f, 0.f, 1.f));
    CHECK(g.colors[3] == Color(1.f, 0.f, 0.f));
    CHECK(g.normals[0] == Vec3f{0.f, 0.f, 1.f});
    CHECK(list->items[0].style.surface->vertexColors);
    CHECK(d.d_currentMax.value() == 4.);

    d.d_pointData.setValue({0., 1., 2., 2.});
    list = s.draw();
    CHECK(d.d_currentMax.value() == 4.);
    CHECK(list->items[0].geometry->colors[3] != Color(1.f, 0.f, 0.f));
    d.d_maximalRange.setValue(false);
    list = s.draw();
    CHECK(list->items[0].geometry->colors[3] == Color(1.f, 0.f, 0.f));
    d.d_userRange.setValue({0.f, 8.f});
    s.draw();
    CHECK(d.d_currentMax.value() == 8.);

    d.d_pointData.setValue({});
    d.d_triangleData.setValue({1., std::numeric_limits<double>::quiet_NaN()});
    list = s.draw();
    REQUIRE(list->items[0].geometry->colors.size() == 6);
    CHECK(list->items[0].geometry->colors[5] == Color(0.f, 0.f, 0.f));
    CHECK_FALSE(list->items[0].style.lit);
    d.d_triangleData.setValue({1.});  // too few: said, and not drawn
    CHECK(s.draw()->items.empty());
}

TEST_CASE("Fields of points, vectors and trails", "[visual]")
{
    Scene s;
    make<VisualPointCloud<Vec3Types>>(
        *s.root, {square, {"drawMode", "Sphere"}, {"sphereRadius", "0.1 0.2"}, {"showIndices", "1"}});
    make<VisualVectorField>(*s.root, {square, {"vector", "0 0 1  0 0 1  0 0 1  0 0 1"}, {"vectorScale", "2"}});
    auto& trail = make<TrailRenderer<Vec3Types>>(
        *s.root, {{"position", "0 0 0"}, {"nbSteps", "3"}, {"color", "0 0 0 1 1 1 1 1"}});
    for (int i = 0; i < 3; ++i) trail.handleEvent(AnimateEndEvent(0.01));
    const auto list = s.draw();
    REQUIRE(list->items.size() == 4);
    CHECK(list->items[0].geometry->solids[1].axes[0] == 0.2f);
    CHECK(list->items[0].geometry->solids[3].axes[0] == 0.2f);
    CHECK(list->items[1].geometry->labels[2].text == "2");
    CHECK(list->items[2].geometry->positions[1] == Vec3f{0.f, 0.f, 2.f});
    CHECK(list->items[3].geometry->lines.size() == 2);
    CHECK(list->items[3].geometry->colors[0] == Color(0.f, 0.f, 0.f));
    CHECK(list->items[3].geometry->colors[2] == Color(1.f, 1.f, 1.f));

    Scene rigid;
    make<VisualPointCloud<Rigid3Types>>(*rigid.root, {{"position", "0 0 0 0 0 0 1"}, {"drawMode", "Frame"}});
    CHECK(rigid.draw()->items.size() == 2);
}

TEST_CASE("A mesh is drawn by elements that shrink", "[visual]")
{
    Scene s;
    make<MeshTopology>(*s.root, {{"position", "0 0 0  4 0 0  0 4 0  0 0 4"}, {"tetrahedra", "0 1 2 3"}});
    auto& m = make<VisualMesh>(*s.root, {{"position", "0 0 0  4 0 0  0 4 0  0 0 4"}, {"elementSpace", "0.5"}});
    auto list = s.draw();
    REQUIRE(list->items.size() == 1);
    CHECK(list->items[0].geometry->triangles.size() == 4);
    CHECK(list->items[0].geometry->positions[0] == Vec3f{0.5f, 0.5f, 0.5f});
    m.d_vertexValues.setValue({0., 1., 1., 1.});
    list = s.draw();
    CHECK(list->items[0].geometry->colors[0] == Color(1.f, 0.f, 0.f));

    // Faces look outwards.
    const Geometry& g = *list->items[0].geometry;
    for (const Triangle& t : g.triangles) {
        const Vec3f n = cross(g.positions[t[1]] - g.positions[t[0]], g.positions[t[2]] - g.positions[t[0]]);
        CHECK(dot(n, g.positions[t[0]] - Vec3f{1.f, 1.f, 1.f}) > 0.f);
    }
}

TEST_CASE("Cylinders, splats and slices", "[visual]")
{
    Scene s;
    make<MeshTopology>(*s.root,
                       {{"position", "0 0 0  1 0 0  0 1 0  0 0 1"}, {"tetrahedra", "0 1 2 3"}, {"edges", "0 1"}});
    make<CylinderVisualModel>(*s.root, {{"radius", "0.5"}});
    make<PointSplatModel>(*s.root, {{"alpha", "0.5"}, {"radius", "2"}, {"color", "1 0 0 1"}});
    make<SlicedVolumetricModel>(*s.root, {{"nbSlices", "2"}});
    const auto list = s.draw();
    REQUIRE(list->items.size() == 3);
    CHECK(list->items[0].geometry->solids.size() == 1);
    CHECK(list->items[1].geometry->solids.size() == 4);
    CHECK(list->items[1].geometry->solids[0].color == Color(1.f, 0.f, 0.f, 0.5f));
    // Two planes, parallel to the face opposite to the corner, at 1/4 and 3/4.
    const Geometry& g = *list->items[2].geometry;
    CHECK(g.triangles.size() == 2);
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(g.positions[i][0] + g.positions[i][1] + g.positions[i][2] == Approx(i < 3 ? 0.25 : 0.75));
}

TEST_CASE("A shader has the macros, values and images of its node and those below", "[visual]")
{
    const auto folder = std::filesystem::temp_directory_path() / "sofa_shader_files";
    std::filesystem::create_directories(folder);
    for (const char* name : {"a.vert", "a.frag", "b.frag"}) std::ofstream(folder / name) << "void main() {}\n";
    const std::string path = folder.string();
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
    std::filesystem::remove_all(folder);
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
