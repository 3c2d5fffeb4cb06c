// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/io/MeshLoaders.h"
#include "components/io/MeshOBJLoader.h"
#include "components/io/SphereLoader.h"
#include "tests/components/io/LoaderFiles.h"

namespace loader_test {

using namespace sofa::core;
using namespace sofa::component;

namespace {

const char* const gmshTetrahedron =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 9 9 9\n$EndNodes\n"
    "$Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n";

const char* const objSquare =
    "mtllib square.mtl\nv 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 3 0\nvt 0 0\nvt 1 1\n"
    "g front\nusemtl red\nf 1/1 2/1 3/1 4/1\nusemtl blue\nf 4/2 3/2 5/2\n";
const char* const objMaterials = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\nNs 20\n";

const char* const vtkTriangle =
    "# vtk DataFile Version 2.0\nfield\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
    "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\nPOINT_DATA 3\nSCALARS temperature double 1\nLOOKUP_TABLE default\n1 2 3\n"
    "VECTORS wind double\n1 0 0 0 1 0 0 0 1\n";

/// The files above.
struct Files : sofa::test::LoaderFiles
{
    Files()
    {
        write("one.msh", gmshTetrahedron);
        write("square.obj", objSquare);
        write("square.mtl", objMaterials);
        write("triangle.vtk", vtkTriangle);
        write("balls.sph", "sph 1.0\nnums 2\nsphe 0 1 0 0 0.5\nsphe 1 0 2 0 0.25\n");
        write("triangle.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
        write(
            "triangle.stl",
            "solid two\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nendloop\nendfacet\n"
            "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n");
        write("broken.obj", "v 0 0 0\nf 1 2 3\n");
    }
};

}  // namespace

TEST_CASE("A loader reads its file when its Data are first used")
{
    Files files;
    auto& l = files.load<MeshLoader>("MeshGmshLoader", {{"filename", "one.msh"}, {"createSubelements", "0"}});
    CHECK(l.d_position.value().size() == 5);
    CHECK(l.d_tetrahedra.value() == Vector<Tetrahedron>{{0, 1, 2, 3}});
    CHECK(l.d_triangles.value().empty());
    CHECK(l.isValid());
    CHECK(l.boundingBox().high == Vec3{9., 9., 9.});
    CHECK(l.findData("tetras") == &l.d_tetrahedra);
}

TEST_CASE("Transformation: scale, then rotation, then translation; or a matrix")
{
    Files files;
    auto& l = files.load<MeshLoader>("MeshGmshLoader", {{"filename", "one.msh"},
                                                        {"scale", "2"},
                                                        {"scale3d", "1 3 1"},
                                                        {"rotation", "0 0 90"},
                                                        {"translation", "1 0 0"}});
    l.init();
    const auto near = [](const Vec3& a, const Vec3& b) { return norm(a - b) < 1e-14; };
    CHECK(l.d_scale3d.value() == Vec3{2., 6., 2.});
    CHECK(near(l.d_position.value()[1], Vec3{1., 2., 0.}));
    CHECK(near(l.d_position.value()[2], Vec3{-5., 0., 0.}));
    l.d_transformation.setValue(
        Mat<4, 4>::fromRows(Vec4{0., 1., 0., 5.}, Vec4{1., 0., 0., 6.}, Vec4{0., 0., 1., 7.}, Vec4{0., 0., 0., 1.}));
    CHECK(l.d_position.value()[1] == Vec3{5., 7., 7.});
    MessageCapture messages;
    l.d_transformation.setValue(
        Mat<4, 4>::fromRows(Vec4{1., 0., 0., 0.}, Vec4{0., 1., 0., 0.}, Vec4{0., 0., 1., 0.}, Vec4{0., 0., 1., 1.}));
    l.run();
    CHECK_FALSE(l.isValid());
    CHECK(messages.has(Severity::Error, "expected a last row of 0 0 0 1, found 0 0 1 1"));
}

TEST_CASE("The attribute scale takes one number, and says so when it gets more")
{
    Files files;
    MessageCapture messages;
    auto& l = files.load<MeshLoader>("MeshGmshLoader", {{"filename", "one.msh"}, {"scale", "0.25 0.5 0.25"}});
    CHECK(l.d_scale3d.value() == Vec3{1., 1., 1.});
    CHECK(messages.has(Severity::Warning, "is not one number, and has no effect"));
    auto& half = files.load<MeshLoader>("MeshGmshLoader", {{"filename", "one.msh"}, {"scale", "0.5"}});
    CHECK(half.d_scale3d.value() == Vec3{0.5, 0.5, 0.5});
    files.load<MeshLoader>("MeshGmshLoader", {{"filename", "one.msh"}, {"scale", "big"}});
    CHECK(messages.has(Severity::Error, "attribute 'scale'"));
}

TEST_CASE("createSubelements and onlyAttachedPoints")
{
    Files files;
    auto& l = files.load<MeshLoader>(
        "MeshGmshLoader", {{"filename", "one.msh"}, {"createSubelements", "1"}, {"onlyAttachedPoints", "1"}});
    l.init();
    CHECK(l.d_position.value().size() == 4);
    CHECK(l.d_triangles.value().size() == 4);
    CHECK(l.d_edges.value().size() == 6);
    // The custom of gmsh files, as in SOFA.
    CHECK(files.load<MeshLoader>("MeshGmshLoader", {{"filename", "one.msh"}}).d_triangles.value().size() == 4);
    CHECK(l.d_normals.value().size() == 4);
    for (const Vec3& n : l.d_normals.value()) CHECK(norm(n) == Approx(1.));
}

TEST_CASE("OBJ loader: faces, groups, materials, texture coordinates")
{
    Files files;
    auto& l = files.load<MeshOBJLoader>("MeshOBJLoader", {{"filename", "square.obj"}, {"computeMaterialFaces", "1"}});
    REQUIRE(l.findData("material_red_quadIndices"));
    CHECK(l.findData("material_red_quadIndices")->text() == "0");
    CHECK(l.findData("material_blue_triangleIndices")->text() == "0");
    CHECK(l.d_quads.value().size() == 1);
    CHECK(l.d_triangles.value().size() == 1);
    CHECK(l.d_quadsGroups.value() == Vector<PrimitiveGroup>{{"front", "red", 0, 0, 1}});
    CHECK(l.d_trianglesGroups.text() == "front blue 1 0 1");
    REQUIRE(l.d_materials.value().size() == 2);
    CHECK(l.d_materials.value()[1].name == "blue");
    CHECK(l.d_defaultMaterial.value().name == "red");
    CHECK(l.findData("material") == &l.d_defaultMaterial);
    CHECK(l.d_texcoords.value().size() == 5);
    CHECK(l.d_faceList.text() == "[0 1 2 3] [3 2 4]");
    CHECK(l.d_texcoordsIndex.text() == "[0 0 0 0] [1 1 1]");
    CHECK(l.d_normalsIndex.text() == "[-1 -1 -1 -1] [-1 -1 -1]");
    CHECK(l.d_texcoordsDefinition.value().size() == 2);

    auto& triangles = files.load<MeshOBJLoader>("MeshOBJLoader", {{"filename", "square.obj"}, {"triangulate", "1"}});
    CHECK(triangles.d_triangles.value() == Vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {3, 2, 4}});
    auto& flipped = files.load<MeshOBJLoader>("MeshOBJLoader", {{"filename", "square.obj"}, {"flipNormals", "1"}});
    CHECK(flipped.d_normals.value()[4] == Vec3{0., 0., -1.});
    CHECK(l.d_normals.value()[4] == Vec3{0., 0., 1.});

    auto& seams = files.load<MeshOBJLoader>("MeshOBJLoader", {{"filename", "square.obj"}, {"handleSeams", "1"}});
    CHECK(seams.d_position.value().size() == 7);  // two points with two texture coordinates each
    CHECK(seams.d_vertPosIdx.text() == "0 1 2 2 3 3 4");
    CHECK(seams.d_positionsDefinition.value() == l.d_position.value());

    auto& plain = files.load<MeshOBJLoader>("MeshOBJLoader", {{"filename", "square.obj"}, {"loadMaterial", "0"}});
    CHECK(plain.d_materials.value().empty());
}

TEST_CASE("Materials read back what they write")
{
    Material m;
    m.name = "skin";
    m.diffuse = {1.f, 0.5f, 0.25f, 1.f};
    m.useShininess = true;
    m.shininess = 12.5f;
    Vector<Material> list{m, Material()}, back;
    std::string error;
    REQUIRE(parseText(toText(list), back, error));
    REQUIRE(back.size() == 2);
    CHECK(toText(back) == toText(list));
    CHECK(back[0].name == "skin");
    CHECK(back[0].diffuse == m.diffuse);
    CHECK(back[0].shininess == 12.5f);
    CHECK(toText(Material()) ==
          "Default Diffuse 1 0.75 0.75 0.75 1 Ambient 1 0.2 0.2 0.2 1 Specular 0 1 1 1 1 Emissive 0 0 0 0 0 Shininess "
          "0 45");
    CHECK_FALSE(parseText("skin Diffuse 1 0.5", back[0], error));
}

TEST_CASE("VTK loader: fields become Data")
{
    Files files;
    auto& l = files.load<MeshLoader>("MeshVTKLoader", {{"filename", "triangle.vtk"}});
    CHECK(l.d_triangles.value() == Vector<Triangle>{{0, 1, 2}});
    REQUIRE(l.findData("temperature"));
    CHECK(l.findData("temperature")->text() == "1 2 3");
    const auto* wind = dynamic_cast<const Data<Vector<Vec3>>*>(l.findData("wind"));
    REQUIRE(wind);
    CHECK(wind->value()[2] == Vec3{0., 0., 1.});
}

TEST_CASE("VTK loader: tetrahedra of negative volume are warned about, and reversed by flipTetra")
{
    Files files;
    files.write(
        "two.vtk",
        "# vtk DataFile Version 2.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0 0 1 0 0 0 "
        "1 0 0 -1\nCELLS 2 10\n4 0 1 2 3\n4 0 1 2 4\nCELL_TYPES 2\n10 10\nPOINT_DATA 5\n"
        "TEXTURE_COORDINATES uv 2 float\n0 0 1 0 0 1 0.5 0.5 0.25 0\n");
    const std::string one = "1 of 2 tetrahedra have a negative volume: flipTetra=";
    {
        MessageCapture messages;
        auto& l = files.load<MeshVTKLoader>("MeshVTKLoader", {{"filename", "two.vtk"}});
        CHECK(messages.has(Severity::Warning, one + "\"1\" reverses all of them"));
        CHECK(l.d_tetrahedra.value() == Vector<Tetrahedron>{{0, 1, 2, 3}, {0, 1, 2, 4}});
        CHECK(l.d_texcoords.value() == Vector<Vec2>{{0, 0}, {1, 0}, {0, 1}, {.5, .5}, {.25, 0}});
    }
    {
        MessageCapture messages;
        auto& l = files.load<MeshVTKLoader>("MeshVTKLoader", {{"filename", "two.vtk"}, {"flipTetra", "1"}});
        CHECK(messages.has(Severity::Warning, one + "\"0\""));
        CHECK(l.d_tetrahedra.value() == Vector<Tetrahedron>{{0, 1, 3, 2}, {0, 1, 4, 2}});
    }
    // A scale that mirrors counts.
    MessageCapture messages;
    files.load<MeshVTKLoader>("MeshVTKLoader", {{"filename", "two.vtk"}, {"scale3d", "1 1 -1"}});
    CHECK(messages.has(Severity::Warning, one));
    CHECK(files.load<MeshVTKLoader>("MeshVTKLoader", {{"filename", "triangle.vtk"}}).d_texcoords.value().empty());
}

TEST_CASE("STL and OFF loaders")
{
    Files files;
    for (const auto& [type, file] :
         {std::pair{"MeshSTLLoader", "triangle.stl"}, std::pair{"MeshOffLoader", "triangle.off"}}) {
        auto& l = files.load<MeshLoader>(type, {{"filename", file}, {"scale3d", "2 2 2"}});
        INFO(type);
        CHECK(l.isValid());
        CHECK(l.d_position.value() == Vector<Vec3>{{0., 0., 0.}, {2., 0., 0.}, {2., 2., 0.}, {0., 2., 0.}});
        CHECK(l.d_triangles.value() == Vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
        CHECK(l.d_normals.value()[0] == Vec3{0., 0., 1.});
        auto& flipped = files.load<MeshLoader>(type, {{"filename", file}, {"flipNormals", "1"}});
        CHECK(flipped.d_triangles.value()[0] == Triangle{2, 1, 0});
    }
}

TEST_CASE("Sphere loader")
{
    Files files;
    auto& l = files.load<SphereLoader>("SphereLoader",
                                       {{"filename", "balls.sph"}, {"scale", "2 2 2"}, {"translation", "0 0 1"}});
    CHECK(l.d_position.value() == Vector<Vec3>{{2., 0., 1.}, {0., 4., 1.}});
    CHECK(l.d_listRadius.value() == Vector<double>{0.5, 0.25});
    CHECK(l.findData("sphere_centers") == &l.d_position);
    CHECK(l.boundingBox().high == Vec3{2.5, 4.25, 1.5});
}

TEST_CASE("Loaders report what is wrong with a file, and where it is named")
{
    Files files;
    MessageCapture messages;
    SECTION("missing")
    {
        auto& l = files.load<MeshLoader>("MeshOBJLoader", {{"filename", "squares.obj"}});
        l.init();
        CHECK_FALSE(l.isValid());
        CHECK_THROWS_WITH(l.d_position.value(), Catch::Contains("squares.obj"));
        CHECK(messages.has(Severity::Error, "squares.obj"));
        REQUIRE(messages.count(Severity::Error) == 1);
        CHECK(messages.messages().front().where.line == 3);
    }
    SECTION("indices outside the positions")
    {
        auto& l = files.load<MeshLoader>("MeshOBJLoader", {{"filename", "broken.obj"}});
        l.init();
        CHECK_FALSE(l.isValid());
        CHECK(messages.has(Severity::Error, "broken.obj:2"));
    }
    SECTION("another format")
    {
        auto& l = files.load<MeshLoader>("MeshGmshLoader", {{"filename", "square.obj"}});
        l.init();
        CHECK_FALSE(l.isValid());
        CHECK(messages.has(Severity::Error, "this loader reads gmsh (.msh, .gmsh) files"));
    }
    SECTION("spheres")
    {
        auto& l = files.load<SphereLoader>("SphereLoader", {{"filename", "none.sph"}});
        l.init();
        CHECK_FALSE(l.isValid());
        CHECK(messages.has(Severity::Error, "none.sph"));
    }
    SECTION("a later good file mends it")
    {
        auto& l = files.load<MeshLoader>("MeshOBJLoader", {{"filename", "squares.obj"}});
        l.init();
        l.d_filename.setValue({"square.obj"});
        CHECK(l.d_position.value().size() == 5);
        CHECK(l.isValid());
    }
}

}  // namespace loader_test
