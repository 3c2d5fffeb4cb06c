// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// GiD, Netgen, triangulations and mass-spring networks.
#include <catch2/catch.hpp>

#include "core/io/FileNumbers.h"
#include "core/io/GidFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "core/io/NetgenFormat.h"
#include "core/io/TrianFormat.h"
#include "core/io/XspFormat.h"
#include "tests/core/io/MeshChecks.h"
#include "tests/core/io/MeshTestUtilities.h"

namespace exchange_formats_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

MeshData gid(const std::string& text) { return parseGid(source("m.gidmsh", text)); }
MeshData netgen(const std::string& text) { return parseNetgen(source("m.mesh", text)); }
TrianMesh trian(const std::string& text, TrianKind kind = TrianKind::Auto)
{
    return parseTrian(source("m.trian", text), kind);
}

const std::string gidNodes = "Coordinates\n10 0 0 0\n11 1 0 0\n12 0 1 0\n2000000000 0 0 1\nend coordinates\n";

std::string gidError(const std::string& text)
{
    return errorOf([&] { gid(text); });
}

}  // namespace

TEST_CASE("Numbers of a file, dense and sparse, each once", "[io]")
{
    FileNumbers n;
    CHECK(n.find(0) == InvalidIndex);
    CHECK(n.largest() == -1);
    CHECK(n.set(5, 0));
    CHECK(n.set(1'000'000'000'000, 1));
    CHECK_FALSE(n.set(1'000'000'000'000, 2));
    CHECK(n.set(9'000, 3));
    // As the table grows, a number that was sparse stays known.
    for (std::int64_t k = 6; k < 4'000; ++k) CHECK(n.set(k, static_cast<Index>(k)));
    CHECK_FALSE(n.set(9'000, 4));
    CHECK(n.find(9'000) == 4);
    CHECK(n.find(5) == 0);
    CHECK(n.find(1'000'000'000'000) == 2);
    CHECK(n.find(-1) == InvalidIndex);
    CHECK(n.size() == 3'997);
    CHECK(n.largest() == 1'000'000'000'000);
    Vector<Index> found;
    n.forEach(5, 9, 2, [&](Index i) { found.push_back(i); });
    n.forEach(9'000, 1'000'000'000'000, 1, [&](Index i) { found.push_back(i); });
    std::ranges::sort(found);
    CHECK(found == Vector<Index>{0, 2, 4, 7, 9});
}

TEST_CASE("GiD: blocks with names, materials and any numbers", "[io]")
{
    const MeshData m = gid("# made by hand\nMESH \"the body\" dimension 3 ElemType Tetrahedra Nnode 4\n" + gidNodes +
                           "Elements\n# a comment\n7 10 11 12 2000000000 3\n8 11 10 2000000000 12\nEnd Elements\n"
                           "mesh skin DIMENSION 3 ELEMTYPE triangle NNODE 3\nCoordinates\nEnd Coordinates\nElements\n"
                           "1 10 11 12 3\nEnd elements\n");
    CHECK(m.positions == Vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}, {1, 0, 3, 2}});
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}});
    const auto& ranges = m.ranges[static_cast<std::size_t>(CellKind::Tetrahedron)];
    CHECK(ranges == std::vector<CellRange>{{0, 1, -1, "3", "the body"}, {1, 1, -1, "", "the body"}});
    CHECK(m.ranges[static_cast<std::size_t>(CellKind::Triangle)] == std::vector<CellRange>{{0, 1, -1, "3", "skin"}});
    REQUIRE(m.groups.size() == 2);
    CHECK((m.groups[0].tag == 3 && m.groups[0].dimension == 3));
    CHECK(m.groups[0].cells[static_cast<std::size_t>(CellKind::Tetrahedron)] == Vector<Index>{0});
    CHECK(m.groups[1].dimension == 2);
    CHECK(m.notes.empty());
    CHECK(detectFormat(source("x.msh", "MESH dimension 2 ElemType Linear Nnode 2\n"))->name == "GiD");
}

TEST_CASE("GiD: points of a plane, midside nodes, and what is reduced to its corners", "[io]")
{
    MeshData lines =
        gid("MESH dimension 2 ElemType Linear Nnode 3\nCoordinates\n1 0 0\n2 2 0\n3 1 0\nEnd Coordinates\n"
            "Elements\n1 1 2 3\nEnd Elements\n");
    CHECK(lines.positions[1] == Vec3{2, 0, 0});
    CHECK(lines.edges == Vector<Edge>{{0, 1}});
    CHECK(highOrderEdgePositions(lines) == Vector<std::array<Index, 4>>{{2, 0, 1, 1}});
    std::string quads = "MESH dimension 3 ElemType Quadrilateral Nnode 8\nCoordinates\n";
    for (int i = 1; i < 9; ++i) quads += std::to_string(i) + " 0 0 " + std::to_string(i) + "\n";
    const MeshData q = gid(quads + "End Coordinates\nElements\n1 1 2 3 4 5 6 7 8\nEnd Elements\n");
    CHECK(q.quads == Vector<Quad>{{0, 1, 2, 3}});
    CHECK(q.notes ==
          std::vector<std::string>{"m.gidmsh: 1 high-order cells of VTK type 23 (quad) are reduced to their corners"});
}

TEST_CASE("GiD: what is wrong, with its line", "[io]")
{
    const std::string head = "MESH dimension 3 ElemType Tetrahedra Nnode 4\n";
    CHECK(gidError("\n") == "m.gidmsh:1: expected 'MESH', found the end of the file");
    CHECK(gidError("Coordinates\n") == "m.gidmsh:1: expected 'MESH', found 'Coordinates'");
    CHECK(gidError("MESH dimension 4\n") == "m.gidmsh:1: expected the dimension from 2 to 3, found '4'");
    CHECK(gidError("MESH dimension 3\n") == "m.gidmsh:1: expected 'ElemType' and 'Nnode', found the end of the line");
    CHECK(gidError("MESH \"a dimension 3\n") == "m.gidmsh:1: expected a name in quotes, found one quote only");
    CHECK(gidError("MESH dimension 3 ElemType Sphere Nnode 1\n").find("found 'Sphere'") != std::string::npos);
    CHECK(gidError("MESH dimension 3 ElemType Prism Nnode 7\n") ==
          "m.gidmsh:1: expected a number of nodes that Prism has, found 7");
    CHECK(gidError(head + "Coordinates\n1 0 0\n") ==
          "m.gidmsh:3: expected a coordinate (a finite number), found the end of the line");
    CHECK(gidError(head + "Coordinates\n1 0 0 0\n") ==
          "m.gidmsh:3: expected 'End Coordinates', found the end of the file");
    CHECK(gidError(head + "Coordinates\n1 0 0 0\n1 0 0 0\n") ==
          "m.gidmsh:4: expected each node once, found node 1 again");
    CHECK(gidError(head + gidNodes + "Elements\n1 10 11 12 13\n") ==
          "m.gidmsh:9: expected the number of one of the 4 nodes, found '13'");
    CHECK(gidError(head + "Gauss\n") == "m.gidmsh:2: expected 'MESH', 'Coordinates' or 'Elements', found 'Gauss'");
}

TEST_CASE("Netgen: points, volumes, faces, and their numbers as groups", "[io]")
{
    const MeshData m =
        netgen("5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n2\n2 1 2 3 4\n1 1 3 5 4\n3\n7 1 2 3\n7 1 2 4\n8 1 3 5\n");
    CHECK(m.positions.size() == 5);
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}, {0, 2, 4, 3}});
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}, {0, 1, 3}, {0, 2, 4}});
    REQUIRE(m.groups.size() == 4);
    CHECK(m.groups[0].tag == 1);
    CHECK(m.groups[0].cells[static_cast<std::size_t>(CellKind::Tetrahedron)] == Vector<Index>{1});
    CHECK(m.groups[2].tag == 7);
    CHECK(m.groups[2].dimension == 2);
    CHECK(m.groups[2].cells[static_cast<std::size_t>(CellKind::Triangle)] == Vector<Index>{0, 1});
    CHECK(netgen("1\n0 0 0\n0\n").positions.size() == 1);
    // Second order: the nodes of the edges 1-2, 1-3, 1-4, 2-3, 2-4, 3-4.
    std::string points = "10\n";
    for (int i = 0; i < 10; ++i) points += "0 0 " + std::to_string(i) + "\n";
    MeshData t = netgen(points + "1\n1 1 2 3 4 5 6 7 8 9 10\n");
    Vector<Index> nodes;
    for (const auto& h : highOrderEdgePositions(t)) nodes.push_back(h[0]);
    CHECK(t.edges == Vector<Edge>{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}});
    CHECK(nodes == Vector<Index>{4, 7, 5, 6, 8, 9});
}

TEST_CASE("Netgen: what is written is read back", "[io]")
{
    const TemporaryDirectory folder;
    MeshData m = elementsOfAllKinds();
    m.points.clear();
    m.edges.clear();
    m.groups.push_back({"", 3, 4, {}});
    m.groups[0].cells[static_cast<std::size_t>(CellKind::Tetrahedron)] = {1};
    writeMesh(folder / "a.mesh", m);
    MeshData back = readMesh(folder / "a.mesh");
    checkSameElements(m, back);
    REQUIRE(back.groups.size() == 3);
    CHECK(back.groups[1].tag == 4);
    CHECK(back.groups[1].cells == m.groups[0].cells);
    m.triangles.push_back({0, 1, 99});
    CHECK(errorOf([&] {
              writeMesh(folder / "b.mesh", m);
          }).find("not written: the triangle 1 has the point 99, but there are only 8 points") != std::string::npos);
}

TEST_CASE("Netgen: what is wrong, with its line", "[io]")
{
    const auto error = [](const std::string& text) { return errorOf([&] { netgen(text); }); };
    CHECK(error("x\n").find("m.mesh:1: expected the number of points") == 0);
    CHECK(error("MeshVersionFormatted 1\n").find("m.mesh:1:") == 0);
    CHECK(error("1\n0 0\n0\n").find("m.mesh:2: expected a coordinate") == 0);
    CHECK(error("1\n0 0 0 0\n0\n") == "m.mesh:2: expected the end of the line, found '0'");
    CHECK(error("1\n0 0 0\n1\n1 1 1 1\n").find("m.mesh:4: expected 4, 5, 6, 8 or 10 points of a volume, found 3") == 0);
    CHECK(error("1\n0 0 0\n1\n1 1 1 1 2\n") == "m.mesh:4: expected the number of a point, from 1 to 1, found '2'");
    CHECK(error("1\n0 0 0\n0\n0\nmore\n") == "m.mesh:5: expected the end of the file after the faces, found 'more'");
    CHECK(error("9000000000\n0 0 0\n").find("m.mesh:1:") == 0);
}

TEST_CASE("Triangulations of both kinds", "[io]")
{
    const TrianMesh a = trian("4\n0 0 0 1 0 0 1 1 0 0 1 0\n2\n0 1 2 -1 1 -1\n0 2 3 -1 -1 0\n");
    CHECK(a.mesh.positions.size() == 4);
    CHECK(a.mesh.triangles == Vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    CHECK(a.neighbours == Vector<std::array<int, 3>>{{-1, 1, -1}, {-1, -1, 0}});
    std::string head;
    for (int i = 0; i < 13; ++i) head += "material line " + std::to_string(i) + "\n";
    const std::string points = "vertices 3\n0 0 0\n1 0 0\n0 1 0\n";
    const TrianMesh b = trian(head + points + "normals 3\n0 0 2\n0 0 1\n0 0 1\ntriangles 1\n0 1 2\n");
    CHECK(b.mesh.normals == Vector<Vec3>{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}});
    CHECK(b.mesh.triangles == Vector<Triangle>{{0, 1, 2}});
    CHECK(b.neighbours.empty());
    const TrianMesh c = trian(head + points + "normals 1\n0 0 1\ntriangles 1\n0 1 2\n");
    CHECK(c.mesh.normals.empty());
    CHECK(c.mesh.notes == std::vector<std::string>{"m.trian: 1 normals for 3 points are left out"});
}

TEST_CASE("Triangulations: what is wrong, with its line", "[io]")
{
    const auto error = [](const std::string& text, TrianKind kind = TrianKind::Auto) {
        return errorOf([&] { trian(text, kind); });
    };
    CHECK(error("1\n0 0 0\n1\n0 0 1 -1 -1 -1\n") ==
          "m.trian:4: expected the index of one of the 1 points, from 0, found '1'");
    CHECK(error("1\n0 0 0\n1\n0 0 0 -1 1 -1\n") ==
          "m.trian:4: expected the index of one of the 1 triangles, or -1, found '1'");
    CHECK(error("1\n0 0 0\n1\n0 0 0 -1 -2 -1\n").find("m.trian:4:") == 0);
    CHECK(error("1\n0 0 0\n0\n5\n") == "m.trian:4: expected the end of the file after the triangles, found '5'");
    CHECK(error("2\n0 0 0\n").find("m.trian:") == 0);
    CHECK(error("head\n") == "m.trian:2: expected 13 lines before the points, found the end of the file");
    CHECK(error("1\n0 0 0\n0\n", TrianKind::Second).find("expected 13 lines") != std::string::npos);
    CHECK(error(std::string(13, '\n') + "vertices\n").find("m.trian:") == 0);
    CHECK(error("v 0 0 0\n", TrianKind::First).find("m.trian:1: expected a number of points") == 0);
}

TEST_CASE("Mass-spring networks are meshes of points and edges", "[io]")
{
    const std::string text =
        "Xsp 3.0\nnumm 2\nnums 1\nmass 1 s 0 0 0 1 0 0 2 0\nmass 2 s 3 0 0 0 0 0 -4 0\nlspg 1 1 2 30 6 -1\n";
    const MeshData m = parseMesh(source("m.anything", text));
    CHECK(m.positions == Vector<Vec3>{{0, 0, 0}, {3, 0, 0}});
    CHECK(m.edges == Vector<Edge>{{0, 1}});
    REQUIRE(m.pointData.size() == 2);
    CHECK(m.pointData[0].values == Vector<double>{2, 4});
    CHECK(m.pointData[1].values == Vector<double>{1, 0, 0, 0, 0, 0});
    REQUIRE(m.cellData.size() == 3);
    CHECK(m.cellData[0].values == Vector<double>{10});
    CHECK(m.cellData[2].values == Vector<double>{3});
    CHECK(errorOf([&] { parseMesh(source("m.xs3", "Xsp 5.0\n")); }) ==
          "m.xs3:1: expected version 3.0 or 4.0, found '5.0'");
}

}  // namespace exchange_formats_test
