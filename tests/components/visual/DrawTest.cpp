// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/setting/Settings.h"
#include "components/topology/MeshTopology.h"
#include "components/visual/Decorations.h"
#include "components/visual/OglModel.h"
#include "components/visual/VisualStyle.h"
#include "tests/components/visual/DrawnScene.h"

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

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

TEST_CASE("Flags show edges and normals and hide surfaces", "[visual]")
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

TEST_CASE("A selected mesh shows its points, faces, edges and numbers, as the scene wants", "[visual]")
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
