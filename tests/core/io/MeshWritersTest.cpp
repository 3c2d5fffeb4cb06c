// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <bit>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/io/GltfFormat.h"
#include "core/io/GmshFormat.h"
#include "core/io/MeshFormat.h"
#include "core/io/MeshOperations.h"
#include "core/io/MeshReader.h"
#include "core/io/PlyFormat.h"
#include "core/io/PointCacheFile.h"
#include "core/io/SurfaceFormats.h"
#include "tests/harness/Paths.h"

namespace mesh_writers_test {

using namespace sofa::core;
using namespace sofa::core::io;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

fs::path file(const std::string& name)
{
    static const sofa::test::TemporaryDirectory folder;
    return folder / name;
}

/// Numbers that no shorter text gives back.
MeshData mixed()
{
    MeshData m;
    for (int i = 0; i < 9; ++i) m.positions.push_back({i / 3. + 0.1, -i / 7., 1e-9 * i + 1. / 9.});
    m.edges = {{0, 1}, {7, 8}};
    m.triangles = {{0, 1, 2}, {4, 3, 2}};
    m.quads = {{5, 6, 7, 8}};
    return m;
}

MeshData volumes()
{
    MeshData m = mixed();
    m.triangles.clear();
    m.quads.clear();
    m.edges.clear();
    // A cube with a pyramid on it, a prism at its side and a tetrahedron on that.
    m.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},     {0, 1, 0}, {0, 0, 1}, {1, 0, 1},
                   {1, 1, 1}, {0, 1, 1}, {0.5, 0.5, 2}, {2, 0, 0}, {2, 0, 1}, {1.5, -1, 0.5}};
    m.hexahedra = {{0, 1, 2, 3, 4, 5, 6, 7}};
    m.pyramids = {{4, 5, 6, 7, 8}};
    m.prisms = {{1, 9, 2, 5, 10, 6}};
    m.tetrahedra = {{1, 9, 5, 11}};
    m.points = {3};
    return m;
}

double volumeInside(const MeshData& m)
{
    double six = 0.;
    const auto facet = [&](Index a, Index b, Index c) {
        six += dot(m.positions[a], cross(m.positions[b], m.positions[c]));
    };
    for (const Triangle& t : m.triangles) facet(t[0], t[1], t[2]);
    for (const Quad& q : m.quads) {
        facet(q[0], q[1], q[2]);
        facet(q[0], q[2], q[3]);
    }
    return six / 6.;
}

}  // namespace

TEST_CASE("the border of volumes is closed and turned outwards")
{
    MeshData m = volumes();
    const MeshData border = withBorder(m);
    CHECK(border.quads.size() == 4 + 2);
    // Of the pyramid four; of the prism two; of the tetrahedron all, for its face is half of a quad.
    CHECK(border.triangles.size() == 4 + 2 + 4);
    CHECK(volumeInside(border) == Approx(1. + 1. / 3. + 0.5 + 1. / 6.));
    CHECK(border.positions == m.positions);
    std::swap(m.hexahedra[0][0], m.hexahedra[0][2]);
    std::swap(m.hexahedra[0][4], m.hexahedra[0][6]);  // inside out
    CHECK(volumeInside(withBorder(m)) == Approx(1. + 1. / 3. + 0.5 + 1. / 6.));
    const MeshData surface = mixed();
    CHECK(withBorder(surface).triangles == surface.triangles);
}

TEST_CASE("OFF and PLY read back exactly what was written")
{
    MeshData m = mixed();
    for (std::size_t i = 0; i < m.positions.size(); ++i) {
        m.normals.push_back({0., 1., 0.});
        m.texCoords.push_back({0.1 * static_cast<double>(i), 1. / 3.});
    }
    m.pointData = {{"heat", 1, Vector<double>(9, 1. / 3.)}, {"flow", 3, Vector<double>(27, 2.)}};
    for (const char* name : {"a.off", "a.ply"}) {
        INFO(name);
        writeMesh(file(name), m);
        const MeshData back = readMesh(file(name));
        CHECK(back.positions == m.positions);
        CHECK(back.triangles == m.triangles);
        CHECK(back.quads == m.quads);
        CHECK(back.edges == m.edges);
    }
    writePly(file("b.ply"), m);
    const MeshData back = readPly(file("b.ply"));
    CHECK(back.normals == m.normals);
    CHECK(back.texCoords == m.texCoords);
    REQUIRE(back.pointData.size() == 1);
    CHECK(back.pointData[0].name == "heat");
    CHECK(back.pointData[0].values == m.pointData[0].values);
    for (const char* name : {"v.off", "v.ply", "v.stl"}) {
        writeMesh(file(name), volumes());
        const MeshData border = readMesh(file(name));
        CHECK(volumeInside(border) == Approx(2.));
    }
}

TEST_CASE("gmsh 4.1 reads back exactly what was written, with groups")
{
    MeshData m = volumes();
    const MeshData flat = mixed();
    m.edges = flat.edges;
    m.triangles = flat.triangles;
    m.quads = flat.quads;
    CellGroup left{"left side", 2, 4, {}}, core{"", 3, 9, {}};
    left.cells[static_cast<std::size_t>(CellKind::Triangle)] = {1};
    core.cells[static_cast<std::size_t>(CellKind::Hexahedron)] = {0};
    core.cells[static_cast<std::size_t>(CellKind::Tetrahedron)] = {0};
    m.groups = {left, core};
    writeMesh(file("a.msh4"), m);
    const MeshData back = readMesh(file("a.msh4"));
    CHECK(back.positions == m.positions);
    CHECK(back.points == m.points);
    CHECK(back.edges == m.edges);
    // One entity after the other.
    CHECK(back.triangles.size() == 2);
    CHECK(back.quads == m.quads);
    CHECK(back.tetrahedra == m.tetrahedra);
    CHECK(back.hexahedra == m.hexahedra);
    CHECK(back.prisms == m.prisms);
    CHECK(back.pyramids == m.pyramids);
    REQUIRE(back.groups.size() == 2);
    const auto named = std::ranges::find(back.groups, "left side", &CellGroup::name);
    REQUIRE(named != back.groups.end());
    REQUIRE(named->cells[static_cast<std::size_t>(CellKind::Triangle)].size() == 1);
    CHECK(back.triangles[named->cells[static_cast<std::size_t>(CellKind::Triangle)][0]] == m.triangles[1]);
    writeGmsh4(file("empty.msh4"), {});
    CHECK(readGmsh(file("empty.msh4")).positions.empty());
}

TEST_CASE("glTF files have chunks, accessors and bounds as the format wants them")
{
    MeshData m = mixed();
    m.materials.resize(2);
    m.materials[1].name = "second";
    m.ranges[static_cast<std::size_t>(CellKind::Triangle)] = {{0, 1, 1, "second", "g"}};
    writeGlb(file("a.glb"), m);
    std::stringstream text;
    text << std::ifstream(file("a.glb"), std::ios::binary).rdbuf();
    const std::string bytes = text.str();
    const auto number = [&](std::size_t at) {
        std::uint32_t v = 0;
        std::memcpy(&v, bytes.data() + at, 4);
        return v;
    };
    REQUIRE(bytes.size() > 20);
    CHECK(number(4) == 2);
    CHECK(number(8) == bytes.size());
    CHECK(number(12) % 4 == 0);
    const auto json = nlohmann::json::parse(bytes.substr(20, number(12)));
    const auto& parts = json["meshes"][0]["primitives"];
    REQUIRE(parts.size() == 3);  // a triangle with a material, one without, and the quad
    CHECK(parts[0]["material"] == 1);
    CHECK_FALSE(parts[1].contains("material"));
    std::size_t corners = 0;
    for (const auto& p : parts)
        corners += json["accessors"][p["indices"].get<std::size_t>()]["count"].get<std::size_t>();
    CHECK(corners == 12);
    CHECK(json["accessors"][0]["max"][0] == static_cast<float>(8 / 3. + 0.1));
    CHECK(json["accessors"][0]["min"][1] == static_cast<float>(-8 / 7.));
    CHECK(json["buffers"][0]["byteLength"] == number(20 + number(12)));
    for (const auto& v : json["bufferViews"]) CHECK(v["byteOffset"].get<std::size_t>() % 4 == 0);
    CHECK_THROWS_WITH(writeGlb(file("b.glb"), {}), Contains("a mesh without points"));
}

TEST_CASE("a point cache has the same points at all times, and is there when it is complete")
{
    const fs::path path = file("a.pc2");
    {
        PointCacheFile abandoned(path, 1);
        abandoned.add(0., Vector<Vec3>{{1., 2., 3.}});
    }
    CHECK_FALSE(fs::exists(path));
    PointCacheFile cache(path, 2);
    CHECK_THROWS_WITH(cache.add(0., Vector<Vec3>(3)), Contains("instead of 2"));
    cache.add(0., Vector<Vec3>{{1., 2., 3.}, {4., 5., 6.}});
    cache.finish();
    CHECK(fs::file_size(path) == 32 + 24);
}

TEST_CASE("a point cache in the format MDD is read back: big-endian, the times in front")
{
    const fs::path path = file("a.mdd");
    const Vector<double> times{0., 0.02, 1e-3 / 3.};
    const std::vector<Vector<Vec3>> samples{
        {{1., 2., 3.}, {4., 5., 6.}}, {{-1. / 3., 1e-20, 7.}, {0.1, 0.2, 0.3}}, {{1e9, 0., -0.5}, {8., 9., 10.}}};
    {
        PointCacheFile cache(path, 2);
        for (std::size_t k = 0; k < samples.size(); ++k) {
            cache.add(times[k], samples[k]);
            CHECK_FALSE(fs::exists(path));
        }
        cache.finish();
    }
    std::ifstream in(path, std::ios::binary);
    const auto word = [&in] {
        std::uint32_t value = 0;
        for (int byte = 0; byte < 4; ++byte) value = value << 8 | static_cast<std::uint32_t>(in.get());
        return value;
    };
    CHECK(word() == 3);
    CHECK(word() == 2);
    for (const double t : times) CHECK(std::bit_cast<float>(word()) == static_cast<float>(t));
    for (const Vector<Vec3>& sample : samples)
        for (const Vec3& p : sample)
            for (const double c : p) CHECK(std::bit_cast<float>(word()) == static_cast<float>(c));
    CHECK(in.peek() == std::char_traits<char>::eof());
    CHECK_FALSE(fs::exists(path.string() + ".scratch"));
}

TEST_CASE("A mesh whose cells have points that are not there is written by no format", "[io]")
{
    MeshData wrong = mixed();
    wrong.triangles[1][2] = 2000000000;
    MeshData volume = volumes();
    volume.tetrahedra[0][3] = 12;
    for (const auto& format : meshFormats().all()) {
        if (!format->write) continue;
        const fs::path to = file("wrong" + format->extensions.front());
        CHECK_THROWS_WITH(writeMesh(to, wrong),
                          Contains("the triangle 1 has the point 2000000000, but there are only 9 points"));
        CHECK_THROWS_WITH(writeMesh(to, volume),
                          Contains("the tetrahedron 0 has the point 12, but there are only 12 points"));
        CHECK_FALSE(fs::exists(to));
    }
    CHECK_THROWS_WITH(writeStl(file("wrong.stl"), wrong, true), Contains("the triangle 1"));
    CHECK_THROWS_WITH(writeMesh(file("a.vtp"), mixed()), Contains("an unstructured grid, a .vtu file"));
}

}  // namespace mesh_writers_test
