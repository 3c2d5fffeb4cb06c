// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameMeshFormat.h"

#include <catch2/catch.hpp>

#include "core/io/MeshReader.h"

using namespace sofa::core;

TEST_CASE("PluginName: whatever is written is read again, by name and by content")
{
    io::MeshData mesh;
    mesh.positions = {{0., 0., 0.}, {1., 0., 0.}, {0., 0.1, 1. / 3.}};
    mesh.triangles = {{0, 1, 2}};
    for (const char* name : {"PluginNameTest.tri", "PluginNameTest.TRI"}) {
        io::writeMesh(name, mesh);
        CHECK(io::readMesh(name).positions == mesh.positions);
        CHECK(io::readMesh(name).triangles == mesh.triangles);
    }
    std::filesystem::rename("PluginNameTest.tri", "PluginNameTest.data");
    CHECK(io::readMesh("PluginNameTest.data").triangles == mesh.triangles);
}

TEST_CASE("PluginName: what is wrong has its place")
{
    CHECK_THROWS_WITH(io::parseMesh({"a.tri", "triangles 1 1\n0 0 0\n0 0 1\n"}),
                      "a.tri:3: expected a number of a point below 1, found '1'");
    CHECK_THROWS_WITH(io::parseMesh({"a.tri", "triangles 1 0\n0 zero 0\n"}), Catch::Contains("a.tri:2: expected"));
}
