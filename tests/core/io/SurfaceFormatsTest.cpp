// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/SurfaceFormats.h"

#include <catch2/catch.hpp>

#include "core/io/PlyFormat.h"
#include "core/io/SphereFormat.h"
#include "tests/core/io/MeshTestUtilities.h"

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

TEST_CASE("Sphere lists give positions and radii", "[io]")
{
    const auto parse = [](const std::string& text) { return parseSpheres(source("m.sph", text)); };
    const auto m =
        parse("sph 1.0\n# comment\n#nums 7\nnums 3\nsphe 1 1 2 3 0.5\nsphe 9 -1 0 0 2 extra\nsphe 3 0 0 1\n");
    CHECK(m.positions == Vector<Vec3>{{1, 2, 3}, {-1, 0, 0}, {0, 0, 1}});
    CHECK(m.radii == Vector<double>{0.5, 2, 1});
    CHECK(m.notes.empty());
    const auto odd = parse("sph 1.0\nnums 5\ncolour red\nsphe 1 1 2 3 0.5\n");
    REQUIRE(odd.notes.size() == 2);
    CHECK(odd.notes[0] == "m.sph:3: keyword 'colour' is not known and passed over");
    CHECK(odd.notes[1] == "m.sph: 5 spheres are announced, 1 given");
    CHECK(errorOf([&] { parse("sphere\n"); }) == "m.sph:1: expected 'sph 1.0', found 'sphere'");
    CHECK(errorOf([&] { parse("sph 1.0\nsphe 1 0 0 0 -1\n"); }) ==
          "m.sph:2: expected the radius of a sphere (not negative), found '-1'");
    CHECK(errorOf([&] { parse("sph 1.0\nsphe 1 0 0\nsphe 2 0 0 0 1\n"); }) ==
          "m.sph:2: expected the coordinate of a sphere (a number), found the end of the line or file");
    TemporaryDirectory dir;
    writeSpheres(dir / "w.sph", m);
    const auto r = readSpheres(dir / "w.sph");
    CHECK(r.positions == m.positions);
    CHECK(r.radii == m.radii);
}

TEST_CASE("STL in ASCII and binary merges corners in order of first appearance", "[io]")
{
    MeshData m;
    m.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-0., 1, 0.5}};
    m.triangles = {{0, 1, 2}};
    m.quads = {{0, 1, 2, 3}};
    TemporaryDirectory dir;
    for (const bool binary : {false, true}) {
        writeStl(dir / "w.stl", m, binary);
        const auto r = readStl(dir / "w.stl");
        CHECK(r.positions == m.positions);
        CHECK(r.triangles == Vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}});
        MeshReadOptions o;
        o.stlMergePoints = false;
        CHECK(readStl(dir / "w.stl", o).positions.size() == 9);
    }
    // A binary file whose header happens to start as an ASCII one does.
    auto text = loadSource(dir / "w.stl").text;
    text.replace(0, 6, "solid ");
    CHECK(parseStl(source("m.stl", text)).triangles.size() == 3);
    const std::string cut =
        "m.stl: byte 84: expected a number of facets that the remaining 116 bytes of the file can hold, found 3";
    CHECK(errorOf([&] { parseStl(source("m.stl", text.substr(0, 200))); }) == cut);
    MeshReadOptions o;
    o.stlForceBinary = true;
    std::string noZeros = text;
    std::replace(noZeros.begin() + 88, noZeros.end(), '\0', '\x01');
    CHECK(errorOf([&] { parseStl(source("m.stl", noZeros.substr(0, 200)), o); }) == cut);

    const auto flat = parseStl(source("m.stl",
                                      "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex -0 0 0\nvertex 1 0 "
                                      "0\nendloop\nendfacet\nendsolid\n"));
    CHECK(flat.triangles.empty());
    CHECK(flat.notes.size() == 1);
    CHECK(errorOf([&] { parseStl(source("m.stl", "solid\nvertex 0 0 0\n")); }) ==
          "m.stl:2: expected 'facet' before 'vertex', found 'vertex'");
    CHECK(errorOf([&] { parseStl(source("m.stl", "solid\nfacet normal 0 0 0\nvertex 0 0 0\nendfacet\n")); }) ==
          "m.stl:4: expected three vertices of a facet, found 1");
}

TEST_CASE("OFF faces of any number of corners", "[io]")
{
    const auto parse = [](const std::string& text) { return parseOff(source("m.off", text)); };
    const auto m = parse(
        "# c\nOFF # type\n\n5 4 0\n0 0 0\n1 0 0 255 0 0\n# between\n1 1 0\n0 1 0\n0 2 0\n3 0 1 2\n4 0 1 2 3 255 0 0\n"
        "5 0 1 2 4 3\n2 1 0\n");
    CHECK(m.positions.size() == 5);
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 2, 4}, {0, 4, 3}});
    CHECK(m.quads == Vector<Quad>{{0, 1, 2, 3}});
    CHECK(m.edges == Vector<Edge>{{1, 0}});
    CHECK(parse("NOFF 1 0 0\n1 2 3 0 0 2\n").normals[0] == Vec3(0, 0, 1));
    CHECK(errorOf([&] { parse("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"); }) ==
          "m.off:4: expected the index of one of the 1 vertices, from 0, found '1'");
    CHECK(errorOf([&] { parse("OFF\n9 1 0\n0 0 0\n"); }) ==
          "m.off:2: expected the number of vertices that the remaining 11 bytes of the file can hold, found '9'");
}

TEST_CASE("PLY in ASCII and both binary orders", "[io]")
{
    const auto header = [](const char* format) {
        return std::string("ply\nformat ") + format +
               " 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty double z\n"
               "property uchar red\nproperty float nx\nproperty float ny\nproperty float nz\nproperty float s\n"
               "property float t\nelement other 1\nproperty list uchar short junk\nelement face 2\n"
               "property uchar flag\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\n"
               "property int vertex2\nend_header\n";
    };
    std::string text = header("ascii") +
                       "0 0 0 10 0 0 2 .25 .5\n1 0 0 20 0 0 1 0 0\n1 1 0 30 0 0 1 0 0\n0 1 0.5 40 0 0 1 0 1\n"
                       "3 1 2 3\n1 3 0 1 2\n0 4 0 1 2 3\n2 1\n";
    std::string files[3] = {text, header("binary_little_endian"), header("binary_big_endian")};
    for (const bool big : {false, true}) {
        auto& s = files[1 + big];
        const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
        for (int i = 0; i < 4; ++i) {
            put(s, static_cast<float>(x[i][0]), big);
            put(s, static_cast<float>(x[i][1]), big);
            put(s, x[i][2], big);
            put(s, static_cast<std::uint8_t>(10 * (i + 1)), big);
            for (const float f : {0.f, 0.f, 1.f, i == 0 ? .25f : 0.f, i == 0 ? .5f : i == 3 ? 1.f : 0.f})
                put(s, f, big);
        }
        put(s, std::uint8_t{3}, big);
        for (const std::int16_t j : {1, 2, 3}) put(s, j, big);
        put(s, std::uint8_t{1}, big);
        put(s, std::uint8_t{3}, big);
        for (const int j : {0, 1, 2}) put(s, j, big);
        put(s, std::uint8_t{0}, big);
        put(s, std::uint8_t{4}, big);
        for (const int j : {0, 1, 2, 3, 2, 1}) put(s, j, big);
    }
    for (const auto& s : files) {
        const auto m = parsePly(source("m.ply", s));
        REQUIRE(m.positions.size() == 4);
        CHECK(m.positions[3] == Vec3(0, 1, 0.5));
        CHECK(m.normals[0] == Vec3(0, 0, 1));
        CHECK(m.texCoords[0] == Vec2(0.25, 0.5));
        REQUIRE(m.pointData.size() == 1);
        CHECK(m.pointData[0].name == "red");
        CHECK(m.pointData[0].values == Vector<double>{10, 20, 30, 40});
        CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}});
        CHECK(m.quads == Vector<Quad>{{0, 1, 2, 3}});
        CHECK(m.edges == Vector<Edge>{{2, 1}});
    }
    const auto error = [](const std::string& t) { return errorOf([&] { parsePly(source("m.ply", t)); }); };
    CHECK(error("ply\nformat text 1.0\n") ==
          "m.ply:2: expected 'ascii', 'binary_little_endian' or 'binary_big_endian', found 'text'");
    CHECK(error("ply\nformat ascii 1.0\nelement vertex 1\n") ==
          "m.ply:4: expected 'end_header', found the end of the file");
    text.replace(text.find("4 0 1 2 3"), 9, "4 0 1 2 7");
    CHECK(error(text).find("expected the index of one of the 4 vertices, from 0, found 7") != std::string::npos);
}
