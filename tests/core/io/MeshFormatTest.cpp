// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshFormat.h"

#include <catch2/catch.hpp>

#include "core/io/MeshReader.h"
#include "core/log/Message.h"
#include "tests/core/io/MeshTestUtilities.h"

namespace mesh_format_test {

using namespace sofa::core;
using namespace sofa::core::io;

namespace {

/// A format of the test: a number of points on the x axis. Withdrawn at the end.
struct Counted
{
    explicit Counted(Recognition recognition = Recognition::Likely)
    {
        RegisterMeshFormat({.name = "counted",
                            .extensions = {".cnt", ".obj"},
                            .recognise =
                                [recognition](std::string_view content) {
                                    return content.starts_with("count") ? recognition : Recognition::No;
                                },
                            .read =
                                [this](const SourceText& source, const MeshReadOptions&) {
                                    ++reads;
                                    TextScanner in(source);
                                    in.expect("count");
                                    MeshData mesh;
                                    const std::int64_t n = in.integer("the number of points");
                                    for (std::int64_t i = 0; i < n; ++i)
                                        mesh.positions.push_back({static_cast<double>(i), 0., 0.});
                                    return mesh;
                                },
                            .write =
                                [](const std::filesystem::path& path, const MeshData& mesh) {
                                    saveText(path, "count " + std::to_string(mesh.positions.size()) + "\n");
                                }});
    }
    ~Counted() { meshFormats().remove("counted"); }
    int reads = 0;
};

}  // namespace

TEST_CASE("A format registers with functions that carry state, is read by name and content, written, and withdrawn",
          "[io]")
{
    const sofa::test::TemporaryDirectory folder;
    const auto path = [&](const char* name) { return folder.path() / name; };
    {
        const Counted counted;
        MeshData mesh;
        mesh.positions.resize(3);
        writeMesh(path("a.cnt"), mesh);
        CHECK(readMesh(path("a.cnt")).positions.size() == 3);
        saveText(path("a.data"), "count 2\n");
        CHECK(readMesh(path("a.data")).positions.size() == 2);
        CHECK(counted.reads == 2);
        saveText(path("b.cnt"), "count x\n");
        CHECK_THROWS_WITH(readMesh(path("b.cnt")),
                          path("b.cnt").string() + ":1: expected the number of points (an integer), found 'x'");
    }
    CHECK_THROWS_WITH(readMesh(path("a.cnt")), Catch::Contains("the mesh format is not known; known are") &&
                                                   Catch::Contains("gmsh (.msh, .gmsh)") &&
                                                   !Catch::Contains("counted"));
}

TEST_CASE("Of two formats with one extension the content decides, where it is sure", "[io]")
{
    const std::string obj = "v 0 0 0\n", count = "count 4\n";
    {
        const Counted likely(Recognition::Likely);
        CHECK(detectFormat({"a.obj", obj})->name == "Wavefront");
        CHECK(detectFormat({"a.obj", count})->name == "Wavefront");
    }
    const Counted sure(Recognition::Sure);
    CHECK(detectFormat({"a.obj", obj})->name == "Wavefront");
    CHECK(detectFormat({"a.obj", count})->name == "counted");
}

TEST_CASE("A format whose name is taken is reported, and the first one stays", "[io]")
{
    const MessageCapture capture;
    const RegisterMeshFormat again({.name = "gmsh", .extensions = {".xyz"}});
    CHECK(capture.has(Severity::Error, "mesh format 'gmsh' is registered twice"));
    CHECK(meshFormats().get("gmsh")->extensions == std::vector<std::string>{".msh", ".gmsh"});
}

TEST_CASE("A mesh is written in the format of its extension; what cannot be written says what can", "[io]")
{
    const sofa::test::TemporaryDirectory folder;
    MeshData mesh;
    mesh.positions = {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}};
    mesh.triangles = {{0, 1, 2}};
    for (const char* name : {"a.msh", "a.obj", "a.vtk", "a.vtu", "a.stl", "a.off", "a.ply", "a.msh4"}) {
        const auto path = folder.path() / name;
        writeMesh(path, mesh);
        INFO(name);
        CHECK(readMesh(path).triangles == mesh.triangles);
    }
    const RegisterMeshFormat readOnly({.name = "one that is only read",
                                       .extensions = {".only"},
                                       .read = [](const SourceText&, const MeshReadOptions&) { return MeshData(); }});
    CHECK_THROWS_WITH(writeMesh(folder.path() / "a.only", mesh),
                      Catch::Contains("no format is known by this extension that can be written; there are") &&
                          Catch::Contains("stereolithography (.stl)") && !Catch::Contains("only read"));
    meshFormats().remove("one that is only read");
}

}  // namespace mesh_format_test
