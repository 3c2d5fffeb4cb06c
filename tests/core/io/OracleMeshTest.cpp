// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <set>

#include "core/io/MeshReader.h"
#include "tests/core/io/MeshTestUtilities.h"
#include "tests/harness/Skip.h"

using namespace sofa::core;
using namespace sofa::core::io;
using namespace sofa::test;

TEST_CASE("Every mesh of the reference scenes is read", "[io][oracle]")
{
    namespace fs = std::filesystem;
    const auto oracle = oracleDirectory();
    if (!oracle) return skip("no reference data");
    const std::set<std::string> extensions{".msh", ".obj", ".vtk", ".vtu", ".vtp", ".sph", ".stl", ".off", ".ply"};
    std::set<fs::path> files;
    for (const char* folder : {"sofa", "sofa2011", "vega", "bezier"}) {
        if (!fs::is_directory(*oracle / folder)) continue;
        for (const auto& e : fs::recursive_directory_iterator(*oracle / folder))
            if (e.is_regular_file() && extensions.contains(e.path().extension().string())) files.insert(e.path());
    }
    REQUIRE(files.size() > 50);
    for (const auto& f : files) {
        CAPTURE(f.string());
        MeshData m;
        CHECK(errorOf([&] { m = readMesh(f); }) == "no error");
        CHECK(!m.positions.empty());
        for (const auto& note : m.notes) UNSCOPED_INFO(note);
    }
}
