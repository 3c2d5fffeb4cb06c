// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/VegBinary.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "core/io/MeshReader.h"
#include "tests/core/io/MeshChecks.h"
#include "tests/core/io/MeshTestUtilities.h"

namespace veg_binary_test {

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

namespace {

/// A mesh of two tetrahedra with a material of each kind, as text.
const std::string text =
    "*VERTICES\n5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n*ELEMENTS\nTET\n2 4\n1 1 2 3 4\n2 5 3 2 4\n"
    "*MATERIAL a\nENU, 900, 1e5, 0.3\n*MATERIAL b\nORTHOTROPIC, 800, 1, 2, 3, .1, .2, .3, 4, 5, 6, 0, -1, 0, 1, 0, 0, "
    "0, "
    "0, 1\n*MATERIAL c\nMOONEYRIVLIN, 700, 1, 2, 3\n*SET one\n2\n*REGION\nallElements, b\n*REGION\none, c\n";

/// A binary file, value by value.
struct Bytes
{
    std::string s;
    bool swap = false;
    template <class T>
    Bytes& operator<<(T v)
    {
        char b[sizeof v];
        std::memcpy(b, &v, sizeof v);
        if (swap) std::reverse(b, b + sizeof v);
        s.append(b, sizeof v);
        return *this;
    }
    Bytes& operator<<(const char* name)
    {
        *this << static_cast<std::int32_t>(std::strlen(name));
        s += name;
        return *this;
    }
};

/// The file as its definition says, with those numbers that tests damage.
std::string file(bool swap, std::int32_t type = 1, std::int32_t vertex = 3, double density = 900., std::int32_t set = 1)
{
    Bytes b{.s = {}, .swap = swap};
    b << 1. << type << 5;
    for (const double c : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 1., 1.}) b << c;
    b << 2 << 4 << 0 << 1 << 2 << vertex << 4 << 2 << 1 << 3;
    b << 3;
    b << "a" << 1 << density << 1e5 << 0.3;
    b << "b" << 2 << 800.;
    for (const double v : {1., 2., 3., .1, .2, .3, 4., 5., 6., 0., -1., 0., 1., 0., 0., 0., 0., 1.}) b << v;
    b << "c" << 3 << 700. << 1. << 2. << 3.;
    b << 2 << "one" << 1 << 1;
    b << 2 << 1 << 0 << 2 << set;
    return b.s;
}

VegMesh parse(const std::string& bytes) { return parseVeg(source("m.vegb", bytes)); }
std::string error(const std::string& bytes)
{
    return errorOf([&] { parse(bytes); });
}

}  // namespace

TEST_CASE("A binary mesh of Vega is the same as its text, in both byte orders", "[io]")
{
    const VegMesh expected = parseVeg(source("m.veg", text));
    checkSame(parse(file(false)), expected);
    checkSame(parse(file(true)), expected);
    CHECK(parse(file(false)).notes == expected.notes);
    CHECK_FALSE(isVegBinary(source("m.veg", text)));
    CHECK_FALSE(isVegBinary(source("m.veg", "1")));
}

TEST_CASE("Binary meshes are written as Vega does, and read back", "[io]")
{
    TemporaryDirectory folder;
    const VegMesh mesh = parseVeg(source("m.veg", text));
    writeVegBinary(folder / "m.vegb", mesh);
    CHECK(loadBytes(folder / "m.vegb").text == file(false));
    checkSame(readVeg(folder / "m.vegb"), mesh);
    CHECK(readMesh(folder / "m.vegb").tetrahedra == mesh.tetrahedra);
    const VegMesh voxel = parseVeg(source(
        "v.veg",
        "*VERTICES\n8 3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n*ELEMENTS\nCUBIC\n"
        "1 8\n1 1 2 3 4 5 6 7 8\n"));
    // Whatever the name.
    writeVegBinary(folder / "v.veg", voxel);
    checkSame(readVeg(folder / "v.veg"), voxel);
    CHECK(readMesh(folder / "v.veg").hexahedra == voxel.hexahedra);
    VegMesh bad = mesh;
    bad.tetrahedra[0][0] = 7;
    const std::string path = (folder / "bad.vegb").string();
    CHECK(errorOf([&] { writeVegBinary(path, bad); }) == path + ": not written: element 0 refers to vertex 7 of 5");
}

TEST_CASE("Damaged binary meshes give an error with file and offset", "[io][input]")
{
    CHECK_THAT(error(file(false, 3)), Catch::Contains("m.vegb") && Catch::Contains("byte 8") &&
                                          Catch::Contains("the type of the elements from 1 to 2, found 3"));
    CHECK_THAT(error(file(false, 2)), Catch::Contains("the number of vertices of an element from 8 to 8, found 4"));
    CHECK_THAT(error(file(false, 1, 5)), Catch::Contains("a vertex of an element from 0 to 4, found 5"));
    CHECK_THAT(error(file(false, 1, 3, -1.)), Catch::Contains("a density above 0, found the material 'a'"));
    CHECK_THAT(error(file(false, 1, 3, 900., 2)), Catch::Contains("a set from 0 to 1, found 2"));
    CHECK_THAT(error(file(false) + "x"), Catch::Contains("the end of the file, found 1 more bytes"));
    // Cut off anywhere, or with a count that no file can hold.
    const std::string whole = file(false);
    for (std::size_t n = 8; n < whole.size(); ++n) CHECK(error(whole.substr(0, n)) != "no error");
    std::string huge = whole;
    huge.replace(12, 4, "\xff\xff\xff\x7f");
    CHECK_THAT(error(huge), Catch::Contains("the number of vertices that the remaining"));
}

}  // namespace veg_binary_test
