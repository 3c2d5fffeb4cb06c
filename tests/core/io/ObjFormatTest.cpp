// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/ObjFormat.h"

#include <catch2/catch.hpp>

#include "tests/core/io/MeshTestUtilities.h"

namespace obj_format_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

MeshData parse(const std::string& text, const MeshReadOptions& o = {}) { return parseObj(source("m.obj", text), o); }
std::string error(const std::string& text)
{
    return errorOf([&] { parse(text); });
}

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

}  // namespace

TEST_CASE("OBJ faces: triangles, quads, polygons as fans, edges in increasing order", "[io]")
{
    const auto m = parse("# comment\n" + square +
                         "v 2 2 0\nf 1 2 3\nf 1 2 3 4\nf 1 2 3 5 4 # pentagon\nl 4 2\nl 1 2 3\nf 3 1\np 5\n");
    CHECK(m.positions.size() == 5);
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 4}, {0, 4, 3}});
    CHECK(m.quads == Vector<Quad>{{0, 1, 2, 3}});
    CHECK(m.edges == Vector<Edge>{{1, 3}, {0, 1}, {1, 2}, {0, 2}});
    REQUIRE(m.polygons.size() == 1);
    CHECK(m.polygons[0] == Vector<Index>{0, 1, 2, 4, 3});
    REQUIRE(m.polylines.size() == 1);
    CHECK(m.polylines[0] == Vector<Index>{0, 1, 2});
    CHECK(m.points == Vector<Index>{4});
    CHECK(m.normals.empty());
    CHECK(m.texCoords.empty());
}

TEST_CASE("OBJ triangulate keeps the file order of faces", "[io]")
{
    MeshReadOptions o;
    o.triangulate = true;
    const auto m = parse(square + "f 1 2 3 4\nf 1 3 4\n", o);
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 2, 3}});
    CHECK(m.quads.empty());
}

TEST_CASE("OBJ negative indices count back from the statement", "[io]")
{
    const auto m = parse(square + "vt 0 0\nvn 0 0 1\nf -4/-1/-1 -3//-1 -2\nv 9 9 9\nf -1 1 2\n");
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {4, 0, 1}});
    REQUIRE(m.faceCorners.size() == 6);
    CHECK(m.faceCorners[0] == FaceCorner{0, 0, 0});
    CHECK(m.faceCorners[1] == FaceCorner{1, InvalidIndex, 0});
    CHECK(m.faceCorners[2] == FaceCorner{2, InvalidIndex, InvalidIndex});
}

TEST_CASE("OBJ may refer to vertices that come later", "[io]")
{
    CHECK(parse("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n").triangles == Vector<Triangle>{{0, 1, 2}});
    CHECK(error("v 0 0 0\nf 1 2 3\nv 1 0 0\n") == "m.obj:2: expected the index of one of the 2 vertices, found 3");
}

TEST_CASE("OBJ continued lines keep line numbers right", "[io]")
{
    CHECK(parse("v 0 \\\n 0 0\nv 1 0 0\nv 0 1 \\\r\n0\nf 1 2\\\n 3\n").triangles == Vector<Triangle>{{0, 1, 2}});
    CHECK(error("v 0 \\\n0 0\nv 1 0 x\n") == "m.obj:3: expected a vertex coordinate (a number), found 'x'");
}

TEST_CASE("OBJ attributes without seams: summed normals, one texture coordinate", "[io]")
{
    const auto m = parse(square +
                         "vt 0.5 0.5\nvt 0.25 0.5\nvt 0.9 0\nvn 0 0 2\nvn 1 0 0\n"
                         "f 1/1/1 2/3/1 3/3/1\nf 1/2/2 3/3/1 4/3/1\nf 1/1/1 2 3\n");
    REQUIRE(m.positions.size() == 4);
    REQUIRE(m.texCoords.size() == 4);
    CHECK(m.texCoords[0] == Vec2(0.25, 0.5));  // lower u wins over the first and the last
    REQUIRE(m.normals.size() == 4);
    CHECK(m.normals[1] == Vec3(0, 0, 1));
    CHECK(norm(m.normals[0] - Vec3(1, 0, 4) / std::sqrt(17.)) < 1e-15);
}

TEST_CASE("OBJ seams: one vertex per triplet, ordered by position, texture coordinate, normal", "[io]")
{
    MeshReadOptions o;
    o.handleSeams = true;
    // Position 2 is unused; position 1 has two texture coordinates and two normals.
    const auto m = parse(
        "v 0 0 0\nv 5 5 5\nv 1 1 0\nv 0 1 0\nvt 0.5 0.5\nvt 0.25 0.5\nvn 0 0 2\nvn 1 0 0\n"
        "f 1/2/1 3/1/1 4/1/1\nf 1/1/2 3/1/1 4/1/1\nf 1/1/1 3/1/1 4/1/1\n",
        o);
    REQUIRE(m.positions.size() == 5);
    CHECK(m.positions[0] == Vec3(0, 0, 0));
    CHECK(m.positions[3] == Vec3(1, 1, 0));
    CHECK(m.texCoords[0] == Vec2(0.5, 0.5));
    CHECK(m.normals[0] == Vec3(0, 0, 1));
    CHECK(m.normals[1] == Vec3(1, 0, 0));
    CHECK(m.texCoords[2] == Vec2(0.25, 0.5));
    CHECK(m.triangles == Vector<Triangle>{{2, 3, 4}, {1, 3, 4}, {0, 3, 4}});
    CHECK(m.vertexPositionIndex == Vector<Index>{0, 0, 0, 2, 3});
    CHECK(m.vertexNormalIndex == Vector<Index>{0, 1, 0, 2, 3});
}

TEST_CASE("OBJ groups and materials give ranges per kind; the library is read with all its fields", "[io]")
{
    TemporaryDirectory dir;
    dir.write("my lib.mtl",
              "# library\nnewmtl red\nKa 0.1 0.2 0.3\nKd 1 0 0\nKs 0.5\nKe 0 1 0\nNs 12.5\nNi 1.5\nd 0.25\nillum 1\n"
              "map_Kd -s 2 2 -clamp on a file.png\nmap_Ka ka.png\nmap_Ks ks.png\nmap_Ke ke.png\nmap_Ns ns.png\n"
              "map_d d.png\nbump -bm 0.5 b.png\ndisp e.png\nrefl r.png\nnewmtl glass\nTr 0.75\nKd 0 x 0\n");
    const auto path = dir.write("m.obj", "mtllib my lib.mtl\n" + square +
                                             "g side front\nf 1 2 3\nf 1 2 3 4\nusemtl red\nf 2 3 4\nf 1 2 3 4 2\n"
                                             "usemtl none\nf 1 3 4\n");
    const auto m = readObj(path);
    REQUIRE(m.materials.size() == 2);
    const auto& r = m.materials[0];
    CHECK(r.name == "red");
    CHECK(r.ambient == Vec<4, float>(0.1f, 0.2f, 0.3f, 1.f));
    CHECK(r.diffuse == Vec<4, float>(1.f, 0.f, 0.f, 0.25f));
    CHECK(r.specular == Vec<4, float>(0.5f, 0.5f, 0.5f, 1.f));
    CHECK(r.emissive == Vec<4, float>(0.f, 1.f, 0.f, 0.f));
    CHECK(r.shininess == 12.5f);
    CHECK(r.refraction == 1.5f);
    CHECK(r.illumination == 1);
    CHECK((r.useAmbient && r.useDiffuse && r.useSpecular && r.useEmissive && r.useShininess && r.activated));
    CHECK(r.diffuseTexture == "a file.png");
    CHECK(r.ambientTexture == "ka.png");
    CHECK(r.specularTexture == "ks.png");
    CHECK(r.emissiveTexture == "ke.png");
    CHECK(r.shininessTexture == "ns.png");
    CHECK(r.alphaTexture == "d.png");
    CHECK(r.bumpTexture == "b.png");
    CHECK(r.displacementTexture == "e.png");
    CHECK(r.reflectionTexture == "r.png");
    CHECK(m.materials[1].diffuse[3] == 0.25f);
    CHECK_FALSE(m.materials[1].activated);
    CHECK(m.defaultMaterial == 0);
    REQUIRE(m.notes.size() == 1);
    CHECK(m.notes[0].find("my lib.mtl:22: expected a colour component (a number), found 'x'") != std::string::npos);

    CHECK(m.ranges[2] == std::vector<CellRange>{{0, 1, -1, "", "side front"},
                                                {1, 4, 0, "red", "side front"},
                                                {5, 1, -1, "none", "side front"}});
    CHECK(m.ranges[3] == std::vector<CellRange>{{0, 1, -1, "", "side front"}});

    MeshReadOptions o;
    o.loadMaterials = false;
    CHECK(readObj(path, o).materials.empty());

    writeMtl(dir / "copy.mtl", m.materials);
    std::vector<MeshMaterial> copy;
    std::vector<std::string> notes;
    readMtl(dir / "copy.mtl", copy, notes);
    CHECK(notes.empty());
    REQUIRE(copy.size() == 2);
    CHECK(copy[0].ambient == r.ambient);
    CHECK(copy[0].diffuse == r.diffuse);
    CHECK(copy[0].bumpTexture == r.bumpTexture);
}

TEST_CASE("OBJ with a missing library is read, with a note", "[io]")
{
    const auto m = parse("mtllib gone.mtl other.mtl\n" + square + "f 1 2 3\n");
    REQUIRE(m.notes.size() == 2);
    CHECK(m.notes[0] == "m.obj:1: material library not read: gone.mtl: no such file");
    CHECK(m.triangles.size() == 1);
}

TEST_CASE("OBJ attribute indices out of range are ignored, with a note", "[io]")
{
    const auto m = parse(square + "vt 1 1\nvn 0 0 1\nf 1/1/1 2/7/1 3/1/-9\n");
    REQUIRE(m.notes.size() == 2);
    CHECK(m.notes[0] == "m.obj: 1 texture coordinate indices are out of range and ignored");
    CHECK(m.notes[1] == "m.obj: 1 normal indices are out of range and ignored");
    CHECK(m.texCoords[1] == Vec2(0, 0));
}

TEST_CASE("OBJ vertices of one coordinate are read as SOFA reads them, with a note", "[io]")
{
    const auto m = parse("v 5\nv 1 2\nv 1 2 3 0.5 0.5 0.5\n");
    CHECK(m.positions == Vector<Vec3>{{5, 0, 0}, {1, 2, 0}, {1, 2, 3}});
    REQUIRE(m.notes.size() == 1);
    CHECK(m.notes[0] == "m.obj: 2 vertices have fewer than three coordinates; the others are 0");
}

TEST_CASE("OBJ writer round trip", "[io]")
{
    MeshData m = parse(square +
                       "vt 0.1 0.2\nvt 0.3 0.7\nvn 0 0 1\ng a\nf 1/1/1 2/2/1 3/1/1\nusemtl x\nf 1/1/1 3/1/1 4/2/1\nf 1 "
                       "2 3 4\ng b\nl 1 2\nl 1 2 3\n");
    TemporaryDirectory dir;
    writeObj(dir / "w.obj", m, "");
    const auto r = readObj(dir / "w.obj");
    CHECK(r.positions == m.positions);
    CHECK(r.texCoords == m.texCoords);
    CHECK(r.normals == m.normals);
    CHECK(r.triangles == m.triangles);
    CHECK(r.quads == m.quads);
    CHECK(r.polylines == m.polylines);
    CHECK(r.ranges[2] == m.ranges[2]);
}

TEST_CASE("OBJ written by its faces keeps seams", "[io]")
{
    const auto m = parse(square + "vt 0.1 0.2\nvt 0.3 0.7\nvn 0 0 1\nf 1/1/1 2/2/1 3//1\nf 1/2 3 4 2\nl 1 4\n");
    TemporaryDirectory dir;
    writeObjFaces(dir / "w.obj", m);
    const auto r = readObj(dir / "w.obj");
    CHECK(r.positions == m.positions);
    CHECK(r.faceCorners == m.faceCorners);
    CHECK(r.faceStart == m.faceStart);
    CHECK(r.texCoordDefinitions == m.texCoordDefinitions);
    CHECK(r.normalDefinitions == m.normalDefinitions);
    CHECK(r.edges == Vector<Edge>{{0, 3}});
}

TEST_CASE("OBJ errors say where, what was expected and what was found", "[io]")
{
    CHECK(error("v\nv 1 1 1\n") ==
          "m.obj:1: expected a vertex coordinate (a number), found the end of the line or file");
    CHECK(error("vn 1 0\nv 1 1 1\n") ==
          "m.obj:1: expected a normal's component (a number), found the end of the line or file");
    CHECK(error("v 0 0 0\nv 1,5 1 1\n") ==
          "m.obj:2: expected a vertex coordinate (a number with a decimal point), found '1,5'");
    CHECK(error("v 0 0 inf\n") == "m.obj:1: expected a vertex coordinate (a finite number), found 'inf'");
    CHECK(error(square + "f 1 2 0\n") ==
          "m.obj:5: expected the index of a vertex (an integer other than 0), found '0'");
    CHECK(error(square + "f 1 2 -5\n") == "m.obj:5: expected the index of one of the 4 vertices so far, found '-5'");
    CHECK(error(square + "f 1 2 5\n") == "m.obj:5: expected the index of one of the 4 vertices, found 5");
    CHECK(error(square + "f 1 2 1.5\n") ==
          "m.obj:5: expected the index of a vertex (an integer other than 0), found '1.5'");
    CHECK(error("%PDF-1.4\n") ==
          "m.obj:1: expected a statement of the OBJ format (such as 'v', 'f', 'g' or a comment '#'), found '%PDF-1.4'");
}

TEST_CASE("A file's encoding and existence are checked before its content", "[io]")
{
    TemporaryDirectory dir;
    const auto readError = [&](const std::filesystem::path& p) { return errorOf([&] { readObj(p); }); };
    CHECK(readError(dir / "none.obj") == (dir / "none.obj").string() + ": no such file");
    CHECK(readError(dir.path()) == dir.path().string() + ": is a directory, not a file");
    CHECK(readError(dir.write("empty.obj", "")) == (dir / "empty.obj").string() + ": the file is empty");
    CHECK(readError(dir.write("wide.obj", std::string_view("\xFF\xFEv\0 \0", 6))) ==
          (dir / "wide.obj").string() + ":1: expected text in ASCII or UTF-8, found UTF-16 or UTF-32 text");
    std::string wide;
    for (const char c : square) (wide += c) += '\0';
    CHECK(readError(dir.write("nomark.obj", wide)).find("found UTF-16 or UTF-32 text") != std::string::npos);
    CHECK(readError(dir.write("nul.obj", std::string_view("v 0 0 0\0\n", 9))) ==
          (dir / "nul.obj").string() + ":1: expected a vertex coordinate (a number), found '0\\x00'");
    CHECK(readObj(dir.write("bom.obj", "\xEF\xBB\xBFv 1 2 3\r\n")).positions[0] == Vec3(1, 2, 3));
}

}  // namespace obj_format_test
