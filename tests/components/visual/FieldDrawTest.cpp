// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/topology/MeshTopology.h"
#include "components/visual/FieldDisplays.h"
#include "tests/components/visual/DrawnScene.h"

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

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
