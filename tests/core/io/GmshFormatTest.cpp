// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/GmshFormat.h"

#include <catch2/catch.hpp>

#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "tests/core/io/MeshChecks.h"
#include "tests/core/io/MeshTestUtilities.h"

namespace gmsh_format_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

MeshData parse(const std::string& text) { return parseGmsh(source("m.msh", text)); }
std::string error(const std::string& text)
{
    return errorOf([&] { parse(text); });
}

const std::string header22 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";

/// Two tetrahedra in two physical volumes, a triangle and a vertex, node numbers with gaps and out of order.
const std::string text22 = header22 +
                           "$PhysicalNames\n2\n3 7 \"left part\"\n2 9 \"skin\"\n$EndPhysicalNames\n"
                           "$Nodes\n5\n10 0 0 0\n2 1 0 0\n30 0 1 0\n4 0 0 1\n5000000 1 1 1\n$EndNodes\n"
                           "$Elements\n4\n1 15 2 0 1 10\n2 2 2 9 3 10 30 2\n3 4 2 7 1 10 2 30 4\n"
                           "4 4 3 8 2 0 2 30 4 5000000\n$EndElements\n";

void checkTwoTetrahedra(const MeshData& m)
{
    REQUIRE(m.positions.size() == 5);
    CHECK(m.positions[0] == Vec3(0, 0, 0));
    CHECK(m.positions[1] == Vec3(1, 0, 0));
    CHECK(m.positions[4] == Vec3(1, 1, 1));
    CHECK(m.points == Vector<Index>{0});
    CHECK(m.triangles == Vector<Triangle>{{0, 2, 1}});
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}});
}

/// The same mesh in binary version 2.2.
std::string binary22(bool big)
{
    std::string s = "$MeshFormat\n2.2 1 8\n";
    put<std::int32_t>(s, 1, big);
    s += "\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"left part\"\n$EndPhysicalNames\n$Nodes\n5\n";
    const auto node = [&](int n, double x, double y, double z) {
        put(s, n, big);
        for (const double c : {x, y, z}) put(s, c, big);
    };
    node(10, 0, 0, 0);
    node(2, 1, 0, 0);
    node(30, 0, 1, 0);
    node(4, 0, 0, 1);
    node(5000000, 1, 1, 1);
    s += "\n$EndNodes\n$Elements\n4\n";
    const auto ints = [&](std::initializer_list<int> l) {
        for (const int i : l) put(s, i, big);
    };
    ints({15, 1, 2, 1, 0, 1, 10});
    ints({2, 1, 2, 2, 9, 3, 10, 30, 2});
    ints({4, 2, 2, 3, 7, 1, 10, 2, 30, 4, 4, 8, 2, 2, 30, 4, 5000000});
    return s + "\n$EndElements\n";
}

const std::string text41 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"left part\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 1 2\n1 0 0 0 0\n3 0 0 0 1 1 1 1 9 0\n1 0 0 0 1 1 1 1 7 2 1 2\n2 0 0 0 1 1 1 1 8 0\n$EndEntities\n"
    "$Nodes\n2 5 2 5000000\n0 1 0 1\n10\n0 0 0\n3 1 1 4\n2\n30\n4\n5000000\n1 0 0 0 0 0\n0 1 0 0 0 0\n0 0 1 0 0 0\n"
    "1 1 1 .5 .5 .5\n$EndNodes\n"
    "$Elements\n4 4 1 4\n0 1 15 1\n1 10\n2 3 2 1\n2 10 30 2\n3 1 4 1\n3 10 2 30 4\n3 2 4 1\n4 2 30 4 5000000\n"
    "$EndElements\n";

const std::string text40 =
    "$MeshFormat\n4 0 8\n$EndMeshFormat\n"
    "$Entities\n1 0 1 2\n1 0 0 0 0 0 0 0\n3 0 0 0 1 1 1 1 9 0\n1 0 0 0 1 1 1 1 7 2 1 2\n2 0 0 0 1 1 1 1 8 0\n"
    "$EndEntities\n"
    "$Nodes\n2 5\n1 0 0 1\n10 0 0 0\n1 3 0 4\n2 1 0 0\n30 0 1 0\n4 0 0 1\n5000000 1 1 1\n$EndNodes\n"
    "$Elements\n4 4\n1 0 15 1\n1 10\n3 2 2 1\n2 10 30 2\n1 3 4 1\n3 10 2 30 4\n2 3 4 1\n4 2 30 4 5000000\n"
    "$EndElements\n";

std::string binary4(bool v41, bool big, bool smallSizes = false)
{
    std::string s = v41 ? (smallSizes ? "$MeshFormat\n4.1 1 4\n" : "$MeshFormat\n4.1 1 8\n") : "$MeshFormat\n4 1 8\n";
    const auto i32 = [&](std::initializer_list<int> l) {
        for (const int i : l) put(s, i, big);
    };
    const auto size = [&](std::initializer_list<std::uint64_t> l) {
        for (const auto i : l) {
            if (smallSizes)
                put(s, static_cast<std::uint32_t>(i), big);
            else
                put(s, i, big);
        }
    };
    const auto reals = [&](std::initializer_list<double> l) {
        for (const double d : l) put(s, d, big);
    };
    const auto tag = [&](std::uint64_t t) { v41 ? size({t}) : i32({static_cast<int>(t)}); };
    const auto block = [&](int dim, int entity, int third, std::uint64_t n) {
        v41 ? i32({dim, entity, third}) : i32({entity, dim, third});
        size({n});
    };
    i32({1});
    s += "\n$EndMeshFormat\n$Entities\n";
    size({0, 0, 0, 1});
    i32({1});
    reals({0, 0, 0, 1, 1, 1});
    size({1});
    i32({7});
    size({1});
    i32({-2});
    s += "\n$EndEntities\n$Nodes\n";
    size({1, 5});
    if (v41) size({2, 5000000});
    block(3, 1, v41 ? 1 : 0, 5);
    const double x[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    const std::uint64_t tags[5] = {10, 2, 30, 4, 5000000};
    if (v41)
        for (const auto t : tags) tag(t);
    for (int i = 0; i < 5; ++i) {
        if (!v41) tag(tags[i]);
        reals({x[i][0], x[i][1], x[i][2]});
        if (v41) reals({.1, .2, .3});
    }
    s += "\n$EndNodes\n$Elements\n";
    size({3, 4});
    if (v41) size({1, 4});
    const auto element = [&](std::initializer_list<std::uint64_t> l) {
        for (const auto t : l) tag(t);
    };
    block(0, 1, 15, 1);
    element({1, 10});
    block(2, 3, 2, 1);
    element({2, 10, 30, 2});
    block(3, 1, 4, 2);
    element({3, 10, 2, 30, 4});
    element({4, 2, 30, 4, 5000000});
    return s + "\n$EndElements\n";
}

}  // namespace

TEST_CASE("Gmsh 1 keeps the file's node order and maps numbers to indices", "[io]")
{
    const auto m = parse(
        "$NOD\n4\n7 0 0 0\n3 1 0 0\n5 0 1 0\n1 0 0 1\n$ENDNOD\n"
        "$ELM\n3\n1 1 0 1 2 7 3\n2 4 12 2 4 7 3 5 1\n3 3 0 3 4 7 3 5 1\n$ENDELM\n");
    REQUIRE(m.positions.size() == 4);
    CHECK(m.positions[3] == Vec3(0, 0, 1));
    CHECK(m.edges == Vector<Edge>{{0, 1}});
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}});
    CHECK(m.quads == Vector<Quad>{{0, 1, 2, 3}});
    REQUIRE(m.groups.size() == 1);
    CHECK(m.groups[0].tag == 12);
    CHECK(m.groups[0].cells[static_cast<std::size_t>(CellKind::Tetrahedron)] == Vector<Index>{0});
}

TEST_CASE("Gmsh 2.2 text: gaps in numbers, physical groups, ranges by entity", "[io]")
{
    const auto m = parse(text22);
    checkTwoTetrahedra(m);
    REQUIRE(m.groups.size() == 3);
    CHECK(m.groups[0].name == "left part");
    CHECK(m.groups[0].dimension == 3);
    CHECK(m.groups[0].cells[4] == Vector<Index>{0});
    CHECK(m.groups[1].name == "skin");
    CHECK(m.groups[1].cells[2] == Vector<Index>{0});
    CHECK(m.groups[2].tag == 8);
    CHECK(m.groups[2].cells[4] == Vector<Index>{1});
    CHECK(m.ranges[4] == std::vector<CellRange>{{0, 1, -1, "1", "1"}, {1, 1, -1, "2", "2"}});
    CHECK(m.notes.empty());
}

TEST_CASE("Gmsh line ends, blanks and comments do not matter", "[io]")
{
    std::string crlf;
    for (const char c : text22) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    checkTwoTetrahedra(parse(crlf));
    checkTwoTetrahedra(parse("$Comments\nany $text\n$EndComments\n" + text22));
    TemporaryDirectory dir;
    checkTwoTetrahedra(readGmsh(dir.write("bom.msh", "\xEF\xBB\xBF" + text22)));
}

TEST_CASE("Gmsh 2.2 binary in both byte orders", "[io]")
{
    for (const bool big : {false, true}) {
        const auto m = parse(binary22(big));
        checkTwoTetrahedra(m);
        CHECK(m.groups[0].name == "left part");
        CHECK(m.groups[0].cells[4] == Vector<Index>{0});
    }
}

TEST_CASE("Gmsh 4.0 and 4.1, text and binary", "[io]")
{
    for (const auto& text : {text40, text41}) {
        const auto m = parse(text);
        checkTwoTetrahedra(m);
        REQUIRE(m.groups.size() == 3);
        const auto left = std::find_if(m.groups.begin(), m.groups.end(), [](auto& g) { return g.tag == 7; });
        REQUIRE(left != m.groups.end());
        CHECK(left->cells[4] == Vector<Index>{0});
    }
    for (const bool big : {false, true}) {
        checkTwoTetrahedra(parse(binary4(true, big)));
        checkTwoTetrahedra(parse(binary4(false, big)));
        const auto m = parse(binary4(true, big, true));
        checkTwoTetrahedra(m);
        REQUIRE(m.groups.size() == 1);
        CHECK(m.groups[0].cells[4] == Vector<Index>{0, 1});
    }
}

TEST_CASE("Gmsh second-order elements give corners and one midside node per edge", "[io]")
{
    std::string s = header22 + "$Nodes\n14\n";
    for (int i = 1; i <= 14; ++i) s += std::to_string(i) + " " + std::to_string(i) + " 0 0\n";
    s += "$EndNodes\n$Elements\n4\n1 8 2 0 1 1 2 5\n2 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n";
    s += "3 9 2 0 1 1 2 11 5 12 13\n4 17 2 0 1 1 2 3 4 5 6 7 8 1 1 1 1 1 1 1 1 1 1 1 1\n$EndElements\n";
    auto m = parse(s);
    CHECK(m.positions.size() == 14);
    CHECK(m.edges == Vector<Edge>{{0, 1}});
    CHECK(m.midsideNodes.size() == 8);
    const Vector<std::array<Index, 4>> nodes = highOrderEdgePositions(m);
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}});
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 10}});
    CHECK(m.hexahedra == Vector<Hexahedron>{{0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(m.edges == Vector<Edge>{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}, {1, 10}, {0, 10}});
    REQUIRE(nodes.size() == 8);
    CHECK(nodes[0] == std::array<Index, 4>{4, 0, 1, 1});
    CHECK(nodes[5] == std::array<Index, 4>{9, 5, 1, 1});
    CHECK(nodes[7] == std::array<Index, 4>{12, 7, 1, 1});
    REQUIRE(m.notes.size() == 1);
    CHECK(m.notes[0] == "m.msh: 1 high-order elements of gmsh type 17 are reduced to their corners");
}

TEST_CASE("Gmsh writer round trip keeps every bit of the coordinates", "[io]")
{
    MeshData m = elementsOfAllKinds();
    m.groups.push_back({"inner", 3, 4, {}});
    m.groups[0].cells[4] = {1};
    TemporaryDirectory dir;
    writeGmsh(dir / "w.msh", m);
    const auto r = readGmsh(dir / "w.msh");
    checkSameElements(r, m);
    REQUIRE(r.groups.size() == 1);
    CHECK(r.groups[0].name == "inner");
    CHECK(r.groups[0].cells[4] == Vector<Index>{1});
}

TEST_CASE("Meshes of the second order are written and read back in every format that has them", "[io]")
{
    MeshData m;
    for (int i = 0; i < 20; ++i) m.positions.push_back(Vec3(0.1, 0.7, 0.3) * i);
    m.edges = {{0, 4}, {1, 2}};
    m.triangles = {{0, 1, 2}, {2, 1, 4}};
    m.quads = {{0, 1, 2, 3}};
    m.tetrahedra = {{0, 1, 2, 3}, {4, 1, 3, 2}, {0, 1, 2, 5}};
    // All edges of the first two tetrahedra, so that the third and the first edge are of the first order.
    Index node = 10;
    for (const Edge& e : {Edge{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}, {1, 4}, {3, 4}, {2, 4}})
        m.midsideNodes.push_back({e, node++});
    const auto sorted = [](Vector<MidsideNode> nodes) {
        std::ranges::sort(nodes, {}, &MidsideNode::node);
        return nodes;
    };
    TemporaryDirectory dir;
    for (const char* name : {"a.msh", "a.msh4", "a.vtk", "a.vtu"}) {
        CAPTURE(name);
        writeMesh(dir / name, m);
        const MeshData r = readMesh(dir / name);
        CHECK(r.positions == m.positions);
        CHECK(r.edges == m.edges);
        CHECK(r.triangles == m.triangles);
        CHECK(r.quads == m.quads);
        CHECK(r.tetrahedra.size() == 3);
        CHECK(sorted(r.midsideNodes) == m.midsideNodes);
        CHECK(r.notes.empty());
    }
}

TEST_CASE("Gmsh errors say where, what was expected and what was found", "[io]")
{
    CHECK(error("solid x\n") == "m.msh:1: expected a gmsh mesh starting with '$MeshFormat' or '$NOD', found 'solid'");
    CHECK(error("$MeshFormat\n3.0 0 8\n$EndMeshFormat\n") ==
          "m.msh:2: expected gmsh format version 2.0 to 2.2, 4.0 or 4.1, found '3.0'");
    CHECK(error(header22 + "$Nodes\n1\n1 0 0 0,5\n$EndNodes\n") ==
          "m.msh:6: expected a node coordinate (a number with a decimal point), found '0,5'");
    CHECK(error(header22 + "$Nodes\n1\n1 0 nan 0\n$EndNodes\n") ==
          "m.msh:6: expected a node coordinate (a finite number), found 'nan'");
    CHECK(error(header22 + "$Nodes\n1\n1 0 1e999 0\n$EndNodes\n") ==
          "m.msh:6: expected a node coordinate (a finite number), found '1e999'");
    CHECK(error(header22 + "$Nodes\n2000000000\n1 0 0 0\n") ==
          "m.msh:5: expected the number of nodes that the remaining 9 bytes of the file can hold, found '2000000000'");
    CHECK(error(header22 + "$Nodes\n-1\n") == "m.msh:5: expected the number of nodes (not negative), found '-1'");
    CHECK(error(header22 + "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 1 2 0 0 1 2\n$EndElements\n") ==
          "m.msh:10: expected the number of a node of the file (1 nodes), found 2");
    CHECK(error(header22 + "$Nodes\n1\n1 0 0 0\n$Elements\n") ==
          "m.msh:7: expected '$EndNodes' or '$ENDNOD', found '$Elements'");
    CHECK(error(header22) ==
          "m.msh:4: expected a section of nodes ('$Nodes' or '$NOD'), found the end of the line or file");
    const auto binary = error(binary22(false).substr(0, 130));
    CHECK(binary.find("m.msh:") == 0);
    CHECK(binary.find("that the remaining") != std::string::npos);
    auto one = binary22(false);
    one[20] = 9;
    CHECK(error(one).find("m.msh: byte 20: expected the byte order marker 1, found") == 0);
}

}  // namespace gmsh_format_test
