// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/io/AbaqusFormat.h"
#include "core/io/AbaqusParts.h"
#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "tests/core/io/MeshTestUtilities.h"

namespace abaqus_format_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

AbaqusModel parse(const std::string& text) { return parseAbaqus(source("m.inp", text)); }
std::string error(const std::string& text)
{
    return errorOf([&] { parse(text); });
}

const std::string tetrahedra =
    "*Heading\n 1, 2, free text\n** a comment\n*NODE, NSET=all\n 1, 0., 0., 0.\n 2, 1., 0., 0.\n 3, 0., 1., 0.\n"
    " 4, 0., 0., 1.\n 15, 1.D0, 1., 1.\n*ELEMENT, type=c3d4, ELSET=Body\n 1, 1, 2, 3, 4\n 7, 2, 3,\n 4, 15\n";

const CellGroup& group(const MeshData& m, const std::string& name)
{
    for (const CellGroup& g : m.groups)
        if (g.name == name) return g;
    FAIL("no group " << name);
    return m.groups.front();
}
const Vector<Index>& cells(const MeshData& m, const std::string& name, CellKind kind)
{
    return group(m, name).cells[static_cast<std::size_t>(kind)];
}
Vector<Index> points(const MeshData& m, const std::string& name)
{
    for (const PointSet& s : m.pointSets)
        if (s.name == name) return s.points;
    FAIL("no point set " << name);
    return {};
}

}  // namespace

TEST_CASE("Abaqus: nodes, elements, and the sets of them", "[io]")
{
    const AbaqusModel model =
        parse(tetrahedra +
              "*NSET, NSET=Some, GENERATE\n1, 4, 3\n*NSET, NSET=More\n15, some,\n2\n*ELSET, ELSET=last\n7\n"
              "*NSET, NSET=OfLast, ELSET=last\n*NSET, NSET=some\n3\n");
    const MeshData& m = model.mesh;
    CHECK(m.positions.size() == 5);
    CHECK(m.positions[4] == Vec3{1, 1, 1});
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}});
    CHECK(cells(m, "Body", CellKind::Tetrahedron) == Vector<Index>{0, 1});
    CHECK(group(m, "Body").dimension == 3);
    CHECK(cells(m, "last", CellKind::Tetrahedron) == Vector<Index>{1});
    CHECK(points(m, "all") == Vector<Index>{0, 1, 2, 3, 4});
    CHECK(points(m, "Some") == Vector<Index>{0, 2, 3});
    CHECK(points(m, "More") == Vector<Index>{0, 1, 2, 3, 4});
    CHECK(points(m, "OfLast") == Vector<Index>{1, 2, 3, 4});
    CHECK(m.notes.empty());
    CHECK(model.materials.empty());
    CHECK(detectFormat(source("x", tetrahedra))->name == "Abaqus");
}

TEST_CASE("Abaqus: points that belong to no element leave their sets as well", "[io]")
{
    MeshData m = parse("*NODE, NSET=all\n1,\n2, 1\n3, 0, 1\n4, 9, 9\n5, 0, 0, 1\n*ELEMENT, TYPE=S3\n1, 2, 3, 5\n").mesh;
    CHECK(m.positions[0] == Vec3{});
    CHECK(removeUnattachedPoints(m) == Vector<Index>{1, 2, 4});
    CHECK(points(m, "all") == Vector<Index>{0, 1, 2});
    CHECK(m.triangles == Vector<Triangle>{{0, 1, 2}});
}

TEST_CASE("Abaqus: types of elements", "[io]")
{
    const auto nodes = [](const char* name) {
        const auto t = abaqus::elementType(name);
        return t ? static_cast<int>(t->nodes) : 0;
    };
    for (const char* name : {"C3D4", "C3D4H", "c3d4t", "DC3D4", "AC3D4", "S4", "S4R5", "CPS4R", "CPE4H", "CPEG4",
                             "CAX4", "M3D4R", "R3D4", "SFM3D4", "DC2D4", "DS4"})
        CHECK(nodes(name) == 4);
    for (const char* name : {"S3R", "STRI3", "CPS3", "M3D3", "R3D3", "B32", "B22", "T3D3", "PIPE32"})
        CHECK(nodes(name) == 3);
    for (const char* name : {"B31", "B21", "B31OS", "T3D2", "T2D2", "PIPE31", "B33"}) CHECK(nodes(name) == 2);
    for (const char* name : {"STRI65", "CPS6M", "C3D6", "SC6R"}) CHECK(nodes(name) == 6);
    CHECK(nodes("C3D10M") == 10);
    CHECK(nodes("C3D20R") == 20);
    CHECK(nodes("C3D8I") == 8);
    CHECK(nodes("SC8R") == 8);
    CHECK(nodes("C3D5") == 5);
    CHECK(nodes("MASS") == 1);
    for (const char* name : {"SPRINGA", "U1", "C3D", "C3D7", "SAX1", "", "CONN3D2", "B", "B3", "C3D999999999999999999"})
        CHECK(nodes(name) == 0);
}

TEST_CASE("Abaqus: second order gives midside nodes, or corners and a note", "[io]")
{
    std::string nodes = "*NODE\n";
    for (int i = 1; i < 21; ++i) nodes += std::to_string(i) + ", 0, 0, " + std::to_string(i) + "\n";
    MeshData t = parse(nodes + "*ELEMENT, TYPE=C3D10\n1, 1,2,3,4,5,6,7,8,\n9,10\n").mesh;
    CHECK(t.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}});
    const Vector<std::array<Index, 4>> midside = highOrderEdgePositions(t);
    CHECK(t.edges == Vector<Edge>{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}});
    REQUIRE(midside.size() == 6);
    for (Index k = 0; k < 6; ++k) CHECK(midside[k] == std::array<Index, 4>{4 + k, k, 1, 1});
    MeshData b = parse(nodes + "*ELEMENT, TYPE=B32\n1, 1,2,3\n").mesh;
    CHECK(b.edges == Vector<Edge>{{0, 2}});
    CHECK(highOrderEdgePositions(b) == Vector<std::array<Index, 4>>{{1, 0, 1, 1}});
    const MeshData h =
        parse(nodes + "*ELEMENT, TYPE=C3D20\n1, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20\n").mesh;
    CHECK(h.hexahedra == Vector<Hexahedron>{{0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(h.notes == std::vector<std::string>{
                         "m.inp: 1 high-order cells of VTK type 25 (hexahedron) are reduced to their corners"});
}

TEST_CASE("Abaqus: a part placed several times, and sets that reach into its instances", "[io]")
{
    const std::string part =
        "*PART, NAME=Bar\n*NODE, NSET=ends\n1, 0, 0, 0\n2, 1, 0, 0\n*ELEMENT, TYPE=T3D2, ELSET=rod\n1, 1, 2\n"
        "*END PART\n*ASSEMBLY, NAME=A\n";
    const AbaqusModel model = parse(part +
                                    "*INSTANCE, NAME=I-1, PART=bar\n*END INSTANCE\n"
                                    "*INSTANCE, NAME=I-2, PART=Bar\n1., 0., 0.\n1., 0., 0., 1., 0., 5., 90.\n"
                                    "*NSET, NSET=own\n2\n*END INSTANCE\n"
                                    "*NODE, NSET=ref\n1, 5, 5, 5\n"
                                    "*NSET, NSET=both\nI-1.ends, I-2.2\n*ELSET, ELSET=second, INSTANCE=I-2\nrod\n"
                                    "*END ASSEMBLY\n");
    const MeshData& m = model.mesh;
    REQUIRE(m.positions.size() == 5);
    CHECK(norm(m.positions[2] - Vec3{1, 0, 0}) < 1e-15);
    CHECK(norm(m.positions[3] - Vec3{1, 1, 0}) < 1e-15);
    CHECK(m.positions[4] == Vec3{5, 5, 5});
    CHECK(m.edges == Vector<Edge>{{0, 1}, {2, 3}});
    CHECK(points(m, "I-1.ends") == Vector<Index>{0, 1});
    CHECK(points(m, "I-2.ends") == Vector<Index>{2, 3});
    CHECK(points(m, "I-2.own") == Vector<Index>{3});
    CHECK(points(m, "both") == Vector<Index>{0, 1, 3});
    CHECK(points(m, "ref") == Vector<Index>{4});
    CHECK(cells(m, "second", CellKind::Edge) == Vector<Index>{1});
    CHECK(m.ranges[static_cast<std::size_t>(CellKind::Edge)] ==
          std::vector<CellRange>{{0, 1, -1, "", "I-1"}, {1, 1, -1, "", "I-2"}});
    // Of one instance, sets keep their names; one of the assembly that has the same gets another.
    const MeshData one =
        parse(part + "*INSTANCE, NAME=I-1, PART=Bar\n*END INSTANCE\n*NSET, NSET=ends, INSTANCE=I-1\n2\n").mesh;
    CHECK(points(one, "ends") == Vector<Index>{0, 1});
    CHECK(points(one, "assembly.ends") == Vector<Index>{1});
    // Moved first, then turned about an axis that does not go through the origin.
    const MeshData turned =
        parse(part + "*INSTANCE, NAME=I, PART=Bar\n0, 2, 0\n1, 0, 0, 1, 0, 1, 180.\n*END INSTANCE\n").mesh;
    CHECK(norm(turned.positions[0] - Vec3{2, -2, 0}) < 1e-14);
}

TEST_CASE("Abaqus: materials and sections", "[io]")
{
    const AbaqusModel model =
        parse(tetrahedra +
              "*ELSET, ELSET=seven\n7\n*SOLID SECTION, ELSET=body, MATERIAL=soft\n,\n*SOLID SECTION, ELSET=seven, "
              "MATERIAL=\"Wood\"\n1.,\n*Material, name=Soft\n*Density\n1000.,\n*Elastic, type=ISOTROPIC\n1e5, .3\n"
              "*MATERIAL, NAME=wood\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n10., 20., 40., .1, .2, .3, 4., 5.,\n6.\n"
              "*MATERIAL, NAME=rubber\n*HYPERELASTIC, MOONEY-RIVLIN\n3., 2., .5\n*MATERIAL, NAME=gel\n*HYPERELASTIC, "
              "NEO HOOKE\n"
              "3., .5\n*MATERIAL, NAME=hot\n*ELASTIC\n1., .1, 20.\n2., .1, 30.\n3., .1, 40.\n");
    REQUIRE(model.materials.size() == 5);
    const VegMaterial& soft = model.materials[0];
    CHECK(soft == VegMaterial::isotropic("Soft", 1000, 1e5, .3));
    const VegMaterial& wood = model.materials[1];
    CHECK(wood.kind == VegMaterial::Kind::Orthotropic);
    CHECK(wood.moduli == Vec3{10, 20, 40});
    CHECK(norm(wood.ratios - Vec3{.1, .3, .8}) < 1e-15);
    CHECK(wood.shearModuli == Vec3{4, 6, 5});
    CHECK(wood.density == 0.);
    const VegMaterial& rubber = model.materials[2];
    CHECK((rubber.mu10 == 3. && rubber.mu01 == 2. && rubber.v1 == 2.));
    CHECK((model.materials[3].mu10 == 3. && model.materials[3].mu01 == 0. && model.materials[3].v1 == 2.));
    CHECK(model.materials[4].youngModulus == 1.);
    CHECK(model.mesh.ranges[static_cast<std::size_t>(CellKind::Tetrahedron)] ==
          std::vector<CellRange>{{0, 1, 0, "Soft", ""}, {1, 1, 1, "wood", ""}});
    REQUIRE(model.mesh.notes.size() == 1);
    CHECK(
        model.mesh.notes[0].ends_with(": material 'hot' depends on the temperature or on fields: its first values "
                                      "are taken"));
}

TEST_CASE("Abaqus: laws that are not known", "[io]")
{
    const std::string text = tetrahedra + "*MATERIAL, NAME=m\n";
    const AbaqusModel plane = parse(text + "*ELASTIC, TYPE=LAMINA\n1,2,3,4,5,6\n");
    CHECK(plane.materials[0].youngModulus == 0.);
    CHECK(plane.mesh.notes ==
          std::vector<std::string>{"m.inp:15: *ELASTIC TYPE=LAMINA is not supported: material 'm' has no law"});
    const AbaqusModel incompressible = parse(text + "*ELASTIC\n1e5, .5\n");
    CHECK(incompressible.materials[0].youngModulus == 0.);
    CHECK(incompressible.mesh.notes[0].find("is incompressible") != std::string::npos);
    CHECK(parse(text + "*HYPERELASTIC, NEO HOOKE\n1.\n").mesh.notes[0].find("is incompressible") != std::string::npos);
    CHECK(parse(text + "*HYPERELASTIC, YEOH\n1.\n").mesh.notes[0].find("*HYPERELASTIC of this kind") !=
          std::string::npos);
}

TEST_CASE("Abaqus: what is passed over is named once", "[io]")
{
    const MeshData m =
        parse(tetrahedra +
              "*SURFACE, NAME=s, TYPE=ELEMENT\nBody, S1\n*BOUNDARY\n1, 1, 3\n*BOUNDARY\n2, 1\n*STEP\n"
              "*STATIC\n1., 1.\n*CLOAD\n1, 1, 1.\n*NODE OUTPUT\nU\n*END STEP\n*ELEMENT, TYPE=SPRINGA, ELSET=springs\n"
              "100, 1, 2\n*ELEMENT, TYPE=U1\n101, 1, 2, 3,\n4, 5,\n6\n*ELSET, ELSET=mixed\n1, 100, 55\n")
            .mesh;
    CHECK(m.tetrahedra.size() == 2);
    CHECK(cells(m, "mixed", CellKind::Tetrahedron) == Vector<Index>{0});
    REQUIRE(m.notes.size() == 3);
    CHECK(m.notes[0] == "m.inp: elements of the types SPRINGA, U1 are not supported and left out");
    CHECK(m.notes[1].ends_with("sets name 1 nodes or elements that do not exist, from this line on"));
    CHECK(m.notes[2] == "m.inp: passed over are *SURFACE (line 14), *BOUNDARY (line 16), *STEP (line 20)");
}

TEST_CASE("Abaqus: files that are included", "[io]")
{
    const TemporaryDirectory folder;
    folder.write("nodes.txt", "1, 0, 0\n2, 1, 0\n3, 0, 1\n");
    const auto file = folder.write("m.inp", "*NODE\n*INCLUDE, INPUT=nodes.txt\n*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n");
    CHECK(readMesh(file).triangles == Vector<Triangle>{{0, 1, 2}});
    folder.write("nodes.txt", "1, 0, 0\n2, x, 0\n");
    CHECK(errorOf([&] { readMesh(file); }).find("nodes.txt:2: expected a coordinate") != std::string::npos);
}

TEST_CASE("Abaqus: what is wrong, with its line", "[io]")
{
    CHECK(error("1, 2\n") == "m.inp:1: expected a keyword, as *HEADING, found '1, 2'");
    CHECK(error("*HEADING\n") == "m.inp:1: expected *NODE with the nodes of a mesh, found the end of the file");
    CHECK(error("*NODE\n1, 2, z\n") == "m.inp:2: expected a coordinate (a finite number), found 'z'");
    CHECK(error("*NODE\n1 0 0 0\n").find("m.inp:2: expected the number of a node") == 0);
    CHECK(error("*NODE\n-1, 0\n").find("m.inp:2: expected the number of a node") == 0);
    CHECK(error("*NODE\n1, 0\n1, 0\n") == "m.inp:3: expected each node once, found node 1 again");
    CHECK(error("*NODE, SYSTEM=C\n") == "m.inp:1: expected nodes in rectangular coordinates, found SYSTEM=C");
    CHECK(error("*NODE, INPUT=a.txt\n").find("expected the data of *NODE below it") != std::string::npos);
    const std::string node = "*NODE\n1, 0\n2, 1\n";
    CHECK(error(node + "*ELEMENT\n") == "m.inp:4: expected the parameter TYPE of *ELEMENT, found '*ELEMENT'");
    CHECK(error(node + "*ELEMENT, TYPE=T3D2\n1, 1\n") == "m.inp:5: expected the 2 nodes of an element, found 1");
    CHECK(error(node + "*ELEMENT, TYPE=T3D2\n1, 1, 2, 3\n") ==
          "m.inp:5: expected the end of the line after 2 nodes, found '3'");
    CHECK(error(node + "*ELEMENT, TYPE=T3D2\n1, 1, 9\n") ==
          "m.inp:5: expected an element of nodes that exist, found node 9");
    CHECK(error(node + "*ELEMENT, TYPE=T3D2\n1, 1, 2\n1, 1, 2\n") ==
          "m.inp:6: expected each element once, found element 1 again");
    CHECK(error(node + "*NSET\n").find("m.inp:4: expected the parameter NSET") == 0);
    CHECK(error(node + "*NSET, NSET=a\nb\n") == "m.inp:5: expected the name of a node set, found 'B'");
    CHECK(error(node + "*NSET, NSET=a\nb\n*NSET, NSET=b\na\n").find("a set that does not contain itself") !=
          std::string::npos);
    CHECK(error(node + "*NSET, NSET=a\nI.1\n") == "m.inp:5: expected the name of an instance, found 'I'");
    CHECK(error(node + "*NSET, NSET=a, GENERATE\n1, 2, 0\n") ==
          "m.inp:5: expected a step between numbers of at least 1, found '0'");
    CHECK(error(node + "*NSET, NSET=a, GENERATE\n2, 1\n") ==
          "m.inp:5: expected a last number that is not below the first, found 1");
    CHECK(error(node + "*NGEN\n1, 2\n").find("m.inp:4: expected nodes and elements that are given one by one") == 0);
    CHECK(error("*PART, NAME=p\n*PART, NAME=P\n") == "m.inp:2: expected each part once, found part P again");
    CHECK(error("*INSTANCE, NAME=i, PART=p\n") == "m.inp:1: expected the name of a part before this line, found 'p'");
    const std::string placed = "*PART, NAME=p\n*END PART\n*INSTANCE, NAME=i, PART=p\n";
    CHECK(error(placed + "*INSTANCE, NAME=I, PART=p\n") ==
          "m.inp:4: expected each instance once, found instance I again");
    CHECK(error(placed + "0,0,0\n0,0,0,0,0,0,10\n") ==
          "m.inp:5: expected two points on the axis of the rotation, found the same point twice");
    CHECK(error(placed + "0,0,0\n0,0,0,0,0,1\n").find("m.inp:5: expected an angle in degrees") == 0);
    CHECK(error("*DENSITY\n1\n") == "m.inp:1: expected *MATERIAL before *DENSITY, found *DENSITY");
    const std::string material = node + "*MATERIAL, NAME=m\n";
    CHECK(error(material + "*MATERIAL, NAME=M\n") == "m.inp:5: expected each material once, found material M again");
    CHECK(error(material + "*DENSITY\n-1\n") == "m.inp:6: expected a density greater than 0, found '-1'");
    CHECK(error(material + "*ELASTIC\n1, .7\n").find("m.inp:6: expected Poisson's ratio") == 0);
    CHECK(error(material + "*ELASTIC\n0, .3\n").find("m.inp:6: expected Young's modulus") == 0);
    CHECK(error(material + "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1,1,1,.1,.1,.1,1,1\n") ==
          "m.inp:6: expected a second line with G23, found the end of the line or file");
    CHECK(error(material + "*HYPERELASTIC, NEO HOOKE\n1, -1\n") == "m.inp:6: expected D1, not negative, found '-1'");
    CHECK(error(node + "*SOLID SECTION, ELSET=e, MATERIAL=m\n") ==
          "m.inp:4: expected the name of a material, found 'M'");
}

TEST_CASE("Abaqus: ranges far beyond the file cost nothing", "[io]")
{
    std::string text = "*NODE\n1, 0\n2147483647, 1\n*NSET, NSET=a, GENERATE\n";
    for (int i = 0; i < 100; ++i) text += "0, 2147483647, 1\n";
    const MeshData m = parse(text).mesh;
    CHECK(points(m, "a") == Vector<Index>{0, 1});
    // Sets of sets of sets.
    std::string nested = "*NODE, NSET=s0\n1, 0\n";
    for (int i = 1; i < 200'000; ++i)
        nested += "*NSET, NSET=t" + std::to_string(i) + "\nt" + std::to_string(i + 1) + "\n";
    CHECK(error(nested).find("sets of sets, at most 100 deep") != std::string::npos);
}

}  // namespace abaqus_format_test
