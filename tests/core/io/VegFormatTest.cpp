// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegFormat.h"

#include <catch2/catch.hpp>

#include "core/io/MeshReader.h"
#include "core/io/TetGenFormat.h"
#include "tests/core/io/MeshChecks.h"
#include "tests/core/io/MeshTestUtilities.h"
#include "tests/harness/Skip.h"

namespace veg_format_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

using Kind = VegMaterial::Kind;

const std::string vertices = "*VERTICES\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n";
const std::string elements = "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 5 3 2 4\n";

VegMesh parse(const std::string& text) { return parseVeg(source("m.veg", text)); }
std::string error(const std::string& text)
{
    return errorOf([&] { parse(text); });
}
VegMaterial materialOf(const std::string& line)
{
    return parse(vertices + elements + "*MATERIAL m\n" + line).materials.at(0);
}

}  // namespace

TEST_CASE("A .veg file gives vertices, elements, materials, sets and regions", "[io]")
{
    const VegMesh m =
        parse("# a comment\n\n" + vertices + elements +
              "*MATERIAL soft\nENU, 900, 1e5, 0.3\n*material hard\nMooneyRivlin , 1200, 0.5, 0.6, 1.0\n"
              "*SET one\n2,\n\n# between\n*SET both\n 2, 1, 2,\n*REGION\nallElements, soft\n*Region\none,hard\n");
    CHECK(m.positions == Vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}});
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}, {4, 2, 1, 3}});
    CHECK(m.hexahedra.empty());
    REQUIRE(m.materials.size() == 2);
    CHECK(m.materials[0] == VegMaterial::isotropic("soft", 900, 1e5, 0.3));
    CHECK(m.materials[1] == VegMaterial::mooneyRivlin("hard", 1200, 0.5, 0.6, 1.));
    CHECK(m.sets == std::vector<VegSet>{{"allElements", {0, 1}}, {"one", {1}}, {"both", {0, 1}}});
    CHECK(m.regions == std::vector<VegRegion>{{0, 0}, {1, 1}});
    CHECK(m.elementMaterial == Vector<Index>{0, 1});
    CHECK(m.materialOf(1).name == "hard");
    CHECK(m.notes.empty());
}

TEST_CASE("Voxels keep the order of their corners, and lists may start at 0", "[io]")
{
    const VegMesh m = parse(
        "*VERTICES\r\n8 3\r\n0,0,0,0\r\n1,1,0,0\r\n2\t1\t1\t0\r\n3 0 1 0\r\n4 0 0 1\r\n5 1 0 1\r\n6 1 1 1 # note\r\n"
        "7 0 1 1 17 4\r\n*ELEMENTS\r\nCUBES\r\n1 8\r\n0 0 1 2 3 4 5 6 7\r\n*SET s\r\n0\r\n*REGION\r\ns, m\r\n"
        "*MATERIAL m\r\nENU, 1, 2, 0.25\r\n");
    CHECK(m.hexahedra == Vector<Hexahedron>{{0, 1, 2, 3, 4, 5, 6, 7}});
    CHECK(m.tetrahedra.empty());
    CHECK(m.sets.at(1).elements == Vector<Index>{0});
    CHECK(m.elementMaterial == Vector<Index>{0});
    CHECK(m.positions[6] == Vec3{1, 1, 1});
    CHECK(m.notes.empty());
}

TEST_CASE("Elements without a region take the last material, or the default one", "[io]")
{
    const VegMesh none = parse(vertices + elements);
    REQUIRE(none.materials.size() == 1);
    CHECK(none.materials[0] == VegMaterial::isotropic("defaultMaterial", 1000, 1e9, 0.45));
    CHECK(none.elementMaterial == Vector<Index>{0, 0});
    REQUIRE(none.notes.size() == 1);
    CHECK(none.notes[0] == "m.veg: 2 elements are in no region and take the default material, 'defaultMaterial'");
    const VegMesh last = parse(vertices + elements +
                               "*MATERIAL a\nENU, 1, 2, 0.3\n*MATERIAL b\nENU, 4, 5, 0.3\n*SET s\n1\n*REGION\ns, a\n");
    CHECK(last.elementMaterial == Vector<Index>{0, 1});
    CHECK(last.sets.back() == VegSet{"unassignedSet", {1}});
    CHECK(last.regions.back() == VegRegion{2, 1});
    CHECK(last.notes.at(0) == "m.veg: 1 elements are in no region and take the last material of the file, 'b'");
}

TEST_CASE("Orthotropic materials in all their forms", "[io]")
{
    const Mat3 turn = Mat3::fromRows(Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1});
    const Vec3 e{4, 9, 16}, nu{.1, .2, .3}, g{5, 6, 7};
    const std::string head = ", 10, 4, 9, 16, ", axes = ", 0,-1,0, 1,0,0, 0,0,1";
    const VegMaterial full = VegMaterial::orthotropic("m", 10, e, nu, g, turn);
    CHECK(materialOf("ORTHOTROPIC" + head + ".1, .2, .3, 5, 6, 7" + axes) == full);
    CHECK(materialOf("ORTHOTROPIC_N3G3R9" + head + ".1, .2, .3, 5, 6, 7" + axes) == full);
    CHECK(materialOf("ORTHOTROPIC_N3G3" + head + ".1, .2, .3, 5, 6, 7") == VegMaterial::orthotropic("m", 10, e, nu, g));
    const VegMaterial n1 = materialOf("orthotropic_n1" + head + "0.25");
    CHECK(n1.kind == Kind::Orthotropic);
    CHECK(n1.ratios[0] == Approx(0.25 * 2. / 3.));
    CHECK(n1.ratios[1] == Approx(0.25 * 3. / 4.));
    CHECK(n1.ratios[2] == Approx(0.25 * 4. / 2.));
    CHECK(n1.shearModuli[0] == Approx(6. / 2.5));
    CHECK(n1.shearModuli[1] == Approx(12. / 2.5));
    CHECK(n1.shearModuli[2] == Approx(8. / 2.5));
    CHECK(n1.axes == Mat3::identity());
    const VegMaterial g1 = materialOf("ORTHOTROPIC_N1G1R9" + head + "0.25, 2" + axes);
    CHECK(g1.axes == turn);
    CHECK(g1.shearModuli[1] == Approx(24. / 2.5));
    CHECK(materialOf("ORTHOTROPIC_N1G1" + head + "0.25, 1").shearModuli == n1.shearModuli);
    CHECK(materialOf("ORTHOTROPIC_N1R9" + head + "0.25" + axes).axes == turn);
    CHECK(materialOf("ORTHOTROPIC_N1G3" + head + "0.25, 5, 6, 7").shearModuli == g);
    CHECK(materialOf("ORTHOTROPIC_N1G3R9" + head + "0.25, 5, 6, 7" + axes).axes == turn);

    const VegMaterial iso = VegMaterial::isotropic("m", 1, 10, 0.25).toOrthotropic();
    CHECK(iso.shearModuli == Vec3{4, 4, 4});
    CHECK(iso.ratios == Vec3{.25, .25, .25});
    CHECK(VegMaterial::orthotropicN1("m", 1, {10, 10, 10}, 0.25).shearModuli == iso.shearModuli);

    const VegMesh odd =
        parse(vertices + elements + "*MATERIAL m\nORTHOTROPIC_N3G3" + head + "1, 1, 1, 5, 6, 7\n" +
              "*MATERIAL k\nORTHOTROPIC_N1R9" + head + "0.25, 2,0,0, 0,1,0, 0,0,1\n*REGION\nallElements,m");
    REQUIRE(odd.notes.size() == 2);
    CHECK(odd.notes[0] == "m.veg:14: the stiffness of the material 'm' is not positive definite");
    CHECK(odd.notes[1] == "m.veg:16: the axes of the material 'k' are not a rotation");
}

TEST_CASE("A .veg file may include others, as those of TetGen", "[io]")
{
    TemporaryDirectory folder;
    folder.write("t.node",
                 "5 3 1 1\n0 0 0 0 7 1\n1 1 0 0 7 1\n2 0 1 0 7 1\n3 0 0 1 7 1\n4 1 1 1 7 1\n# made by hand\n");
    folder.write("t.ele", "# two\n2 4 1\n0 0 1 2 3 -1\n1 4 2 1 3 -1\n");
    folder.write("list.txt", "1,\n");
    folder.write("more.txt", "*INCLUDE list.txt\n0\n");
    folder.write("empty.txt", "");
    const auto path = folder.write("t.veg",
                                   "*VERTICES\n*INCLUDE t.node\n*ELEMENTS\nTETS\n*include t.ele\n*SET s\n*INCLUDE "
                                   "more.txt\n*INCLUDE empty.txt\n*MATERIAL m\nENU 1 2 .3\n*REGION\ns m\n");
    const VegMesh m = readVeg(path);
    CHECK(m.positions.size() == 5);
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}, {4, 2, 1, 3}});
    CHECK(m.sets.at(1).elements == Vector<Index>{0, 1});
    REQUIRE(m.notes.size() == 1);
    CHECK(m.notes[0] == path.string() + ":8: the included file 'empty.txt' is empty");

    // An error in an included file names that file.
    folder.write("t.ele", "2 4\n0 0 1 2 3\n1 4 2 1 9\n");
    CHECK(errorOf([&] { readVeg(path); }) ==
          (folder / "t.ele").string() + ":3: expected a vertex number of an element from 0 to 4, found '9'");
    // Files that include themselves.
    folder.write("more.txt", "*INCLUDE other.txt\n");
    folder.write("other.txt", "1\n*INCLUDE more.txt\n");
    folder.write("t.ele", "2 4\n0 0 1 2 3\n1 4 2 1 3\n");
    CHECK(errorOf([&] { readVeg(path); }) ==
          (folder / "other.txt").string() + ":2: expected a file that does not include itself, found 'more.txt'");
    folder.write("self.veg", "*INCLUDE ./self.veg\n");
    CHECK(errorOf([&] { readVeg(folder / "self.veg"); }).find("a file that does not include itself") !=
          std::string::npos);
    folder.write("self.veg", "*INCLUDE none.txt\n");
    CHECK(errorOf([&] { readVeg(folder / "self.veg"); }).find(":1: expected a file to include that can be read") !=
          std::string::npos);
    // Files that include others twice each would never end.
    for (int i = 0; i < 40; ++i) {
        const std::string next = "*INCLUDE d" + std::to_string(i + 1) + "\n";
        folder.write("d" + std::to_string(i), next + next);
    }
    folder.write("d40", "# end\n");
    CHECK(errorOf([&] { readVeg(folder / "d0"); }).find("at most 4096 included files") != std::string::npos);
}

TEST_CASE("Damaged .veg files give an error with file and line", "[io][input]")
{
    CHECK(error("hello") == "m.veg:1: expected a command such as *ELEMENTS, found 'hello'");
    CHECK(error("# nothing\n") == "m.veg:1: expected *VERTICES, found the end of the file");
    CHECK(error(vertices) == "m.veg:7: expected *ELEMENTS, found the end of the file");
    CHECK(error(elements) == "m.veg:1: expected *VERTICES before *ELEMENTS, found *ELEMENTS");
    CHECK(error(vertices + vertices) == "m.veg:8: expected one list of vertices only, found a second *VERTICES");
    CHECK(error(vertices + elements + elements) ==
          "m.veg:13: expected one list of elements only, found a second *ELEMENTS");
    CHECK(error("*VERTICES\n2 3\n1 0 0 0\n*ELEMENTS\n") == "m.veg:4: expected vertex 2 of 2, found '*ELEMENTS'");
    CHECK(error("*VERTICES\n4000000000 3\n1 0 0 0") ==
          "m.veg:3: expected vertex 2 of 4000000000, found the end of the file");
    CHECK(error("*VERTICES\n99999999999999999999 3\n") ==
          "m.veg:2: expected the number of vertices (an integer), found '99999999999999999999'");
    CHECK(error("*VERTICES\n-1 3\n").find("m.veg:2: expected the number of vertices from 0 to") == 0);
    CHECK(error("*VERTICES\n1 2\n") == "m.veg:2: expected the dimension of space from 3 to 3, found '2'");
    CHECK(error("*VERTICES\n1 3\n1 0 nan 0\n") == "m.veg:3: expected a coordinate (a finite number), found 'nan'");
    CHECK(error("*VERTICES\n1 3\n1 0 0\n") ==
          "m.veg:3: expected a coordinate (a finite number), found the end of the line");
    CHECK(error("*VERTICES\n1 3\n2 0 0 0\n") == "m.veg:3: expected vertex number 0 or 1, found '2'");
    CHECK(error("*VERTICES\n2 3\n1 0 0 0\n3 0 0 0\n") == "m.veg:4: expected vertex number 2, found '3'");
    CHECK(error(vertices + "6 1 2 3\n") ==
          "m.veg:8: expected a command such as *ELEMENTS (the list of 5 vertices is complete), found '6 1 2 3'");
    CHECK(error(vertices + "*ELEMENTS\nPRISM\n") ==
          "m.veg:9: expected the type of the elements, TET or CUBIC, found 'PRISM'");
    CHECK(error(vertices + "*ELEMENTS\nTET\n1 8\n") == "m.veg:10: expected 4 vertices for each element, found '8'");
    CHECK(error(vertices + "*ELEMENTS\nTET\n1 4\n1 0 1 2 3\n") ==
          "m.veg:11: expected a vertex number of an element from 1 to 5, found '0'");
    CHECK(error(vertices + "*ELEMENTS\nTET\n1 4\n1 1 2 3\n") ==
          "m.veg:11: expected a vertex number of an element (an integer), found the end of the line");
    const std::string mesh = vertices + elements;
    CHECK(error(mesh + "*MATERIALS a\n").find("found '*MATERIALS' (did you mean '*MATERIAL'?)") != std::string::npos);
    CHECK(error(mesh + "*MATERIAL\n") == "m.veg:13: expected the name of a material, found the end of the line");
    CHECK(error(mesh + "*MATERIAL a\n*SET s\n") ==
          "m.veg:14: expected the properties of the material 'a', found '*SET s'");
    CHECK(error(mesh + "*MATERIAL a\nENV, 1, 2, 3\n").find("m.veg:14: expected the kind of the material, one of ENU") ==
          0);
    CHECK(error(mesh + "*MATERIAL a\nENU, 1000, 1e5, 0.5\n") ==
          "m.veg:14: expected a Poisson's ratio between -1 and 0.5, found 'ENU, 1000, 1e5, 0.5'");
    CHECK(error(mesh + "*MATERIAL a\nENU, 0, 1e5, 0.4\n").find("a density above 0") != std::string::npos);
    CHECK(error(mesh + "*MATERIAL a\nENU, 1, -1e5, 0.4\n").find("a Young's modulus above 0") != std::string::npos);
    CHECK(error(mesh + "*MATERIAL a\nENU, 1, 1e5\n") ==
          "m.veg:14: expected Poisson's ratio (a finite number), found the end of the line");
    CHECK(error(mesh + "*MATERIAL a\nENU, 1, 1e5, .4, 7\n") ==
          "m.veg:14: expected the end of the properties of a material ENU, found '7'");
    CHECK(error(mesh + "*MATERIAL a\nORTHOTROPIC_N1, 1, 1, 0, 1, .4\n").find("three Young's moduli above 0") !=
          std::string::npos);
    CHECK(error(mesh + "*SET s\n1, 3\n") == "m.veg:14: expected an element of the set 's' from 1 to 2, found 3");
    CHECK(error(mesh + "*SET s\n1, x\n") == "m.veg:14: expected an element of the set (an integer), found 'x'");
    CHECK(error(mesh + "*MATERIAL steel\nENU 1 2 .3\n*REGION\nallElements, steal\n") ==
          "m.veg:16: expected a material of this file, found 'steal' (did you mean 'steel'?)");
    CHECK(error(mesh + "*MATERIAL m\nENU 1 2 .3\n*REGION\nall, m\n").find("m.veg:16: expected a set of this file") ==
          0);
    CHECK(error(mesh + "*REGION\nall\n").find("m.veg:14: expected the set and the material") == 0);
    CHECK(error(mesh + "*REGION\n").find("found the end of the file") != std::string::npos);
}

TEST_CASE("What is allowed but odd in a .veg file is noted", "[io]")
{
    const VegMesh m = parse(vertices +
                            "*ELEMENTS\nTET\n2 4 0\n1 1 2 3 4\n2 1 3 2 4\n*MATERIAL m\nENU 1 2 .3\n"
                            "*MATERIAL m\nENU 5 6 .3\n*REGION\nallElements, m\n");
    REQUIRE(m.notes.size() == 2);
    CHECK(m.notes[0] == "m.veg:15: the material 'm' has been defined before; regions use the first one");
    CHECK(m.notes[1] == "m.veg:12: 1 tetrahedra, this one first, are flat or not positively oriented");
    CHECK(m.elementMaterial == Vector<Index>{0, 0});
    // Corners of second-order tetrahedra.
    const VegMesh second = parse(vertices + "*ELEMENTS\nTET\n1 10\n1 1 2 3 4 5 5 5 5 5 5\n");
    CHECK(second.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}});
    CHECK(second.notes.at(0) == "second-order tetrahedra are reduced to their corners");
}

TEST_CASE("Writing and reading a .veg file changes nothing", "[io]")
{
    TemporaryDirectory folder;
    const VegMesh tets = parse(
        "*VERTICES\n5 3\n1 0.1 1e-300 -0\n2 1 0 0.30000000000000004\n3 0 1 0\n4 0 0 1\n5 1 1 1\n" + elements +
        "*MATERIAL a\nORTHOTROPIC_N1, 1000, 25E9, 25E5, 25E3, 0.35\n*MATERIAL b\nMOONEYRIVLIN 1 .1 .2 .3\n*MATERIAL "
        "c\nENU 1 1e7 0.4999\n*SET x\n2\n*SET none\n*REGION\nx, a\n");
    writeVeg(folder / "tets.veg", tets);
    checkSame(readVeg(folder / "tets.veg"), tets);
    const MeshData hexahedra = toMeshData(parse(
        "*VERTICES\n8 3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n*ELEMENTS\nCUBIC\n"
        "2 8\n1 1 2 3 4 5 6 7 8\n2 1 2 3 4 5 6 7 8\n"));
    const std::vector<VegMaterial> two{VegMaterial::isotropic("soft", 1, 2, .3),
                                       VegMaterial::isotropic("hard", 3, 4, .1)};
    const VegMesh voxels = makeVegMesh(hexahedra, two, {1, 0});
    CHECK(voxels.sets == std::vector<VegSet>{{"allElements", {0, 1}}, {"softElements", {1}}, {"hardElements", {0}}});
    writeVeg(folder / "voxels.veg", voxels);
    checkSame(readVeg(folder / "voxels.veg"), voxels);
    const VegMesh one = makeVegMesh(hexahedra, {two[0]}, {0, 0});
    CHECK(one.sets.size() == 1);
    CHECK_THROWS_WITH(makeVegMesh(hexahedra, {two[0]}, {0, 1}), "element 1 has material 1 of 1");
    CHECK_THROWS_WITH(makeVegMesh(hexahedra, two, {0}), "expected a material for each of 2 elements, found 1");

    const std::string path = (folder / "bad.veg").string();
    VegMesh bad = tets;
    bad.materials[0].name = "a b";
    CHECK(errorOf([&] { writeVeg(path, bad); }) ==
          path + ": not written: the name 'a b' is empty or contains a blank, ',', '#' or '*'");
    bad = tets;
    bad.tetrahedra[1][2] = 5;
    CHECK(errorOf([&] { writeVeg(path, bad); }) == path + ": not written: element 1 refers to vertex 5 of 5");
    bad = tets;
    bad.materials[2].poissonRatio = 0.5;
    CHECK(errorOf([&] { writeVeg(path, bad); }) ==
          path + ": not written: the material 'c' needs a Poisson's ratio between -1 and 0.5");
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("readMesh knows .veg and TetGen files", "[io]")
{
    TemporaryDirectory folder;
    folder.write("m.veg", vertices + elements + "*SET s\n2\n*MATERIAL m\nENU 1 2 .3\n*REGION\ns,m\n");
    const MeshData veg = readMesh(folder / "m.veg");
    CHECK(veg.tetrahedra.size() == 2);
    REQUIRE(!veg.groups.empty());
    CHECK(veg.groups[0].name == "s");
    CHECK(veg.groups[0].cells[static_cast<std::size_t>(CellKind::Tetrahedron)] == Vector<Index>{1});
    const auto& ranges = veg.ranges[static_cast<std::size_t>(CellKind::Tetrahedron)];
    REQUIRE(ranges.size() == 1);
    CHECK(ranges[0].material == "m");
    CHECK(ranges[0].count == 2);

    writeTetGen(folder / "t.ele", veg);
    for (const char* name : {"t.ele", "t.node"}) {
        const MeshData t = readMesh(folder / name);
        CHECK(t.positions == veg.positions);
        CHECK(t.tetrahedra == veg.tetrahedra);
        REQUIRE(t.groups.size() == 2);
        CHECK(t.groups[0].tag == 1);
        CHECK(t.groups[1].tag == 2);
        CHECK(t.groups[0].cells[static_cast<std::size_t>(CellKind::Tetrahedron)] == Vector<Index>{1});
    }
    std::filesystem::remove(folder / "t.ele");
    CHECK(readMesh(folder / "t.node").tetrahedra.empty());
    // What is given counts, not the file of that name.
    CHECK(parseMesh({(folder / "t.node").string(), "1 3 0 0\n1 2 3 4\n"}).positions == Vector<Vec3>{{2, 3, 4}});
}

TEST_CASE("TetGen files: attributes, numbering, errors", "[io][input]")
{
    const auto nodes = [](const std::string& t) { return source("m.node", t); };
    const auto tets = [](const std::string& t) { return source("m.ele", t); };
    const std::string four = "4 3 2 1\n0 0 0 0 1.5 2 0\n1 1 0 0 1 2 0\n2 0 1 0 1 2 5\n3 0 0 1 1 2 0\n";
    const MeshData m = parseTetGen(nodes(four), tets("1 4\n0 0 1 2 3\n"));
    CHECK(m.tetrahedra == Vector<Tetrahedron>{{0, 1, 2, 3}});
    REQUIRE(m.pointData.size() == 2);
    CHECK(m.pointData[0].name == "attributes");
    CHECK(m.pointData[0].components == 2);
    CHECK(m.pointData[0].values[0] == 1.5);
    CHECK(m.pointData[1].values == Vector<double>{0, 0, 5, 0});
    const auto fails = [&](const std::string& n, const std::string& e) {
        return errorOf([&] { parseTetGen(nodes(n), tets(e)); });
    };
    CHECK(fails(four, "1 4\n0 0 1 2 4\n") == "m.ele:2: expected a point of a tetrahedron from 0 to 3, found '4'");
    CHECK(fails(four, "2 4\n0 0 1 2 3\n") == "m.ele:2: expected line 2 of 2 tetrahedra, found the end of the file");
    CHECK(fails(four, "1 4\n0 0 1 2 3\n1 0 1 2 3\n") ==
          "m.ele:3: expected the end of the file after 1 tetrahedra, found '1 0 1 2 3'");
    CHECK(fails(four, "1 5\n") == "m.ele:1: expected 4 or 10 points for each tetrahedron, found '5'");
    CHECK(fails("1 2\n", "") == "m.node:1: expected the dimension of space from 3 to 3, found '2'");
    CHECK(fails("# x\n", "") == "m.node:1: expected the number of points, found the end of the file");
    CHECK(fails("1 3\n1 0 0 inf\n", "") == "m.node:2: expected a coordinate (a finite number), found 'inf'");
    // Cut anywhere, it is read or refused.
    const std::string ele = "1 4 1\n0 0 1 2 3 7\n";
    for (std::size_t i = 0; i < four.size(); ++i) fails(four.substr(0, i), ele);
    for (std::size_t i = 0; i < ele.size(); ++i) fails(four, ele.substr(0, i));
}

TEST_CASE("Vega's own meshes are read", "[io][oracle]")
{
    const auto oracle = oracleDirectory();
    if (!oracle || !std::filesystem::exists(*oracle / "vega")) return skip("no reference data");
    std::size_t read = 0;
    TemporaryDirectory folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*oracle / "vega")) {
        if (entry.path().extension() != ".veg") continue;
        CAPTURE(entry.path().string());
        std::string failure;
        try {
            const VegMesh m = readVeg(entry.path());
            ++read;
            CHECK(m.elementCount() > 0);
            CHECK(m.elementMaterial.size() == m.elementCount());
            CHECK(m.notes.empty());
            writeVeg(folder / "copy.veg", m);
            checkSame(readVeg(folder / "copy.veg"), m);
        } catch (const MeshError& e) {
            failure = e.what();
        }
        // Two models come without the lists that they include.
        const bool incomplete = failure.find("ElementList.txt: no such file") != std::string::npos;
        if (!failure.empty() && !incomplete) FAIL_CHECK(failure);
    }
    CHECK(read >= 10);
}

}  // namespace veg_format_test
