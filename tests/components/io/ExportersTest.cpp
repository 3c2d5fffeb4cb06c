// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/behavior/State.h"
#include "core/io/MeshReader.h"
#include "core/io/ObjFormat.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/topology/BaseMeshTopology.h"
#include "tests/harness/Paths.h"

namespace exporters_test {

using namespace sofa::core;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

// Exporters that stand in scenes.

namespace {

struct Folder : sofa::test::TemporaryDirectory
{
    std::string operator/(const std::string& name) const { return (path() / name).string(); }
};

const std::string bar =
    "<RegularGridTopology name='grid' n='3 2 2' min='0 0 0' max='2 1 1'/>"
    "<MechanicalObject name='dofs'/><UniformMass totalMass='1'/>"
    "<HexahedronFEMForceField name='fem' youngModulus='1000' poissonRatio='0.3'/>";

struct Run
{
    Run(const std::string& content, int steps)
        : sim(loadSceneText(
              "<Node name='root' gravity='0 -10 0' dt='0.01'><DefaultAnimationLoop/><EulerImplicitSolver/>"
              "<CGLinearSolver/>" +
                  content + "</Node>",
              "export.scn"))
    {
        good = sim.init();
        for (int i = 0; i < steps && good; ++i) sim.step();
    }
    Vector<Vec3> positions() { return sim.root().get<State<Vec3Types>>(Search::Local)->positions(); }
    Simulation sim;
    bool good = false;
};

std::string bytesOf(const std::string& file)
{
    std::stringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

template <class T>
T at(const std::string& bytes, std::size_t offset)
{
    REQUIRE(offset + sizeof(T) <= bytes.size());
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

}  // namespace

TEST_CASE("exporters write at the beginning, after each so many steps and at the end, and number their files")
{
    const Folder folder;
    const std::string options = "format='obj' hexas='0' edges='0' triangles='0' ";
    Run run(bar + "<MeshExporter filename='" + folder / "sub/every" + "' exportEveryNumberOfSteps='2' " + options +
                "exportAtBegin='1' exportAtEnd='1'/><MeshExporter name='once' filename='" + folder.path().string() +
                "' " + options + "exportAtEnd='1'/><MeshExporter filename='" +
                folder / "never' enable='0' exportAtBegin='1' " + "exportAtEnd='1' exportEveryNumberOfSteps='1' " +
                options + "/>",
            5);
    REQUIRE(run.good);
    CHECK(folder.files() == std::vector<std::string>{"sub/every00000.obj", "sub/every00001.obj", "sub/every00002.obj"});
    const io::MeshData second = io::readMesh(folder / "sub/every00002.obj");
    CHECK(second.quads.size() == 11);
    run.sim.cleanup();
    CHECK(folder.files().size() == 4);
    CHECK(io::readMesh(folder / "once.obj").positions == run.positions());
    CHECK(io::readMesh(folder / "sub/every00002.obj").positions == run.positions());
    CHECK(second.positions != run.positions());
    run.sim.reset();
    run.sim.step();
    run.sim.step();
    CHECK(io::readMesh(folder / "sub/every00001.obj").positions == run.positions());
}

TEST_CASE("what cannot be written in a step or at the end names the exporter and where the scene has it")
{
    const Folder folder;
    const std::string kind = "<MeshExporter format='obj' edges='0' ";
    Run run(bar + "\n" + kind + "name='first' filename='" + folder / "sub/first" +
                "' exportEveryNumberOfSteps='2' exportAtEnd='1'/>\n" + kind + "name='second' filename='" +
                folder / "second" + "' exportAtEnd='1'/>",
            1);
    REQUIRE(run.good);
    std::ofstream(folder / "sub") << "no folder";  // since the scene was initialised
    CHECK_THROWS_WITH(run.sim.step(),
                      Contains("/first (MeshExporter): ") && Contains("(export.scn:2:1)") && Contains("(at t = "));
    // The others come to their end all the same.
    CHECK_THROWS_WITH(run.sim.cleanup(), Contains("/first (MeshExporter): ") && Contains("(export.scn:2:1)"));
    CHECK(folder.files() == std::vector<std::string>{"second.obj", "sub"});
}

TEST_CASE("MeshExporter writes all of its formats, and the elements that are wanted")
{
    const Folder folder;
    Run run(bar + "<MeshExporter filename='" + folder / "all_%n_%p_%E_%e_%%" + "' exportAtEnd='1'/>", 3);
    REQUIRE(run.good);
    run.sim.cleanup();
    const auto& grid = *run.sim.root().get<BaseMeshTopology>(Search::Local);
    const std::size_t all = grid.edges().size() + grid.triangles().size() + grid.quads().size() + 2;
    const std::string base = "all_3_12_" + std::to_string(all) + "_2_%";
    for (const char* extension : {".vtu", ".vtk", ".gmsh", ".mesh"}) {
        INFO(extension);
        const io::MeshData m = io::readMesh(folder / base + extension);
        CHECK(m.positions == run.positions());
        CHECK(m.hexahedra.size() == 2);
    }
    CHECK(fs::exists(folder / base + ".node"));
    CHECK(io::readMesh(folder / base + ".obj").quads.size() == 11);

    Run wrong(bar + "<MeshExporter filename='a_%x'/>", 0);
    CHECK_FALSE(wrong.good);
}

TEST_CASE("what an exporter wrote may have left the scene")
{
    const Folder folder;
    Run run(bar + "<MeshExporter filename='" + folder / "a' exportAtEnd='1'/>", 1);
    REQUIRE(run.good);
    Node& root = run.sim.root();
    root.removeComponent(*root.component("fem"));
    root.removeComponent(*root.component("grid"));
    CHECK_THROWS_WITH(run.sim.cleanup(), Contains("the topology that it wrote has left the scene"));
    CHECK(folder.files().empty());
}

TEST_CASE("a folder that cannot be made is told with the exporter")
{
    const Folder folder;
    std::ofstream(folder / "file") << "in the way";
    Run run(bar + "<MeshExporter name='out' filename='" + folder / "file/new/a' exportEveryNumberOfSteps='1'/>", 0);
    REQUIRE(run.good);
    CHECK_THROWS_WITH(run.sim.step(),
                      Contains("/out (MeshExporter): the folder '" + (folder / "file/new") + "' cannot be made"));
}

TEST_CASE("VTKExporter writes fields of points and elements")
{
    const Folder folder;
    const std::string fields =
        "pointsDataFields='v=dofs.velocity @dofs.totalForce' cellsDataFields='fem.stress' "
        "edges='0' hexas='1' exportEveryNumberOfSteps='2' exportAtBegin='1'/>";
    Run run(bar + "<VTKExporter filename='" + folder / "a.vtu' " + fields + "<VTKExporter XMLformat='0' filename='" +
                folder / "b' " + fields + "<VTKExporter overwrite='1' filename='" + folder / "c' " + fields,
            4);
    REQUIRE(run.good);
    CHECK(folder.files() ==
          std::vector<std::string>{"a0.vtu", "a1.vtu", "a2.vtu", "b_0.vtk", "b_1.vtk", "b_2.vtk", "c.vtu"});
    for (const char* name : {"a2.vtu", "b_2.vtk", "c.vtu"}) {
        INFO(name);
        const io::MeshData m = io::readMesh(folder / name);
        CHECK(m.positions == run.positions());
        REQUIRE(m.pointData.size() == 2);
        CHECK(m.pointData[0].name == "v");
        CHECK(m.pointData[0].values[1] == Approx(-0.4).epsilon(1e-6));
        CHECK(m.pointData[1].name == "totalForce");
        REQUIRE(m.cellData.size() == 1);
        CHECK(m.cellData[0].components == 6);
    }
    CHECK_FALSE(Run(bar + "<VTKExporter filename='x' pointsDataFields='dofs.speed'/>", 0).good);
    CHECK_FALSE(Run(bar + "<VTKExporter filename='x' pointsDataFields='dofs'/>", 0).good);
    Run other(
        bar + "<VTKExporter filename='" + folder / "x' pointsDataFields='fem.stress' exportEveryNumberOfSteps='1'/>",
        0);
    REQUIRE(other.good);
    CHECK_THROWS_WITH(other.sim.step(), Contains("has 2 entries, and there are 12 points"));
    CHECK_FALSE(Run("<MechanicalObject position='0 0 0'/><VTKExporter filename='x'/>", 0).good);
}

TEST_CASE("fields that solvers fill have an entry for each point before the first step as well")
{
    const Folder folder;
    Run run(bar + "<VTKExporter filename='" +
                folder /
                    "a.vtu' edges='0' hexas='1' exportAtBegin='1' "
                    "exportEveryNumberOfSteps='1' pointsDataFields='dofs.derivX dofs.free_position dofs.totalForce'/>",
            1);
    REQUIRE(run.good);
    const io::MeshData first = io::readMesh(folder / "a0.vtu"), second = io::readMesh(folder / "a1.vtu");
    REQUIRE(first.pointData.size() == 3);
    CHECK(first.pointData[0].components == 3);
    CHECK(first.pointData[0].values.size() == 3 * first.positions.size());
    CHECK(std::isnan(first.pointData[0].values[0]));
    CHECK(std::isfinite(first.pointData[2].values[0]));
    CHECK(second.pointData[0].values.size() == 3 * second.positions.size());
}

TEST_CASE("STLExporter writes what its option says")
{
    const Folder folder;
    Run run(bar + "<STLExporter filename='" + folder / "binary.stl' exportAtEnd='1'/><STLExporter filename='" +
                folder / "text' binaryformat='0' exportAtEnd='1'/><STLExporter filename='" + folder / "own' " +
                "position='0 0 0  1 0 0  0 1 0' triangles='0 1 2' exportAtEnd='1'/>",
            1);
    REQUIRE(run.good);
    run.sim.cleanup();
    CHECK(bytesOf(folder / "text.stl").starts_with("solid"));
    CHECK_FALSE(bytesOf(folder / "binary.stl").starts_with("solid"));
    CHECK(io::readMesh(folder / "text.stl").triangles.size() == 20);
    CHECK(io::readMesh(folder / "binary.stl").triangles.size() == 20);
    CHECK(io::readMesh(folder / "own.stl").triangles.size() == 1);
    CHECK_FALSE(Run("<MechanicalObject position='0 0 0'/><STLExporter filename='x'/>", 0).good);
}

TEST_CASE("VisualModelOBJExporter writes the visual models below with their materials, also as glTF")
{
    const Folder folder;
    const std::string visual =
        "<Node name='seen'><VisualModel name='red' color='1 0 0 1' position='0 0 0  1 0 0  0 1 0' "
        "triangles='0 1 2'/></Node><Node name='too'><VisualModel name='green' color='0 1 0 0.5' "
        "position='0 0 1  1 0 1  1 1 1  0 1 1' quads='0 1 2 3'/></Node>";
    Run run(bar + visual + "<VisualModelOBJExporter filename='" + folder / "seen.obj' exportAtEnd='1'/>" +
                "<VisualModelOBJExporter filename='" + folder / "seen.glb' exportAtEnd='1'/>",
            1);
    REQUIRE(run.good);
    run.sim.cleanup();
    CHECK(folder.files() == std::vector<std::string>{"seen.glb", "seen.mtl", "seen.obj"});
    const io::MeshData m = io::readMesh(folder / "seen.obj");
    CHECK(m.positions.size() == 7);
    CHECK(m.normals.size() == 7);
    REQUIRE(m.triangles.size() == 1);
    REQUIRE(m.quads.size() == 1);
    CHECK(m.quads[0] == Quad{3, 4, 5, 6});
    REQUIRE(m.materials.size() == 2);
    CHECK(m.materials[0].name != m.materials[1].name);
    CHECK(m.materials[0].diffuse[0] == 1.f);
    CHECK(m.materials[1].diffuse[3] == 0.5f);
    REQUIRE(m.ranges[static_cast<std::size_t>(io::CellKind::Quad)].size() == 1);
    CHECK(m.ranges[static_cast<std::size_t>(io::CellKind::Quad)][0].group == "green");

    const std::string glb = bytesOf(folder / "seen.glb");
    CHECK(glb.starts_with("glTF"));
    CHECK(at<std::uint32_t>(glb, 8) == glb.size());
    CHECK_THAT(glb, Contains("\"alphaMode\":\"BLEND\"") && Contains("\"count\":7"));
}

TEST_CASE("BlenderExporter writes point caches, the last point first")
{
    const Folder folder;
    Run run("<MechanicalObject position='0 0 0  1 2 3'/><UniformMass totalMass='1'/><BlenderExporter filename='" +
                folder / "cache/soft' exportEveryNumberOfSteps='1'/>",
            2);
    REQUIRE(run.good);
    CHECK(folder.files() == std::vector<std::string>{"cache/soft00001_00.bphys", "cache/soft00002_00.bphys"});
    const std::string bytes = bytesOf(folder / "cache/soft00002_00.bphys");
    CHECK(bytes.size() == 8 + 12 + 2 * 24);
    CHECK(bytes.starts_with("BPHYSICS"));
    CHECK(at<std::uint32_t>(bytes, 12) == 2);
    CHECK(at<std::uint32_t>(bytes, 16) == 6);
    CHECK(at<float>(bytes, 20) == 1.f);
    CHECK(at<float>(bytes, 28) == 3.f);
    CHECK(at<float>(bytes, 36) == Approx(-0.2f));
    CHECK(at<float>(bytes, 44) == 0.f);

    Run hair(
        "<MechanicalObject position='0 0 0  0 2 0  1 0 0  1 2 0'/><UniformMass totalMass='1'/><BlenderExporter "
        "simulationType='3' nbPtsByHair='2' exportAtBegin='1' filename='" +
            folder / "hair'/>",
        1);
    REQUIRE(hair.good);
    const std::string strands = bytesOf(folder / "hair_00.bphys");
    CHECK(at<std::uint32_t>(strands, 12) == 6);
    CHECK(strands.size() == 8 + 12 + 6 * 36);
    CHECK(at<float>(strands, 20 + 36 + 4) == 1.f);  // behind the root of the last strand
    CHECK(bytesOf(folder / "hair").size() == 8 + 12 + 12);
    CHECK_FALSE(Run("<MechanicalObject position='0 0 0'/><BlenderExporter simulationType='3'/>", 0).good);
}

TEST_CASE("VTUExporter writes a time series of what is below it")
{
    const Folder folder;
    Run run("<Node name='a'>" + bar + "<VTUExporter filename='" + folder / "out' exportEveryNumberOfSteps='2' " +
                "exportAtBegin='1'/></Node><Node name='b'>" + bar + "<VTUExporter filename='" + folder / "b.pc2' " +
                "exportEveryNumberOfSteps='1'/><VTUExporter filename='" + folder / "b.mdd' " +
                "exportEveryNumberOfSteps='1'/></Node>",
            4);
    REQUIRE(run.good);
    run.sim.cleanup();
    CHECK(folder.files() == std::vector<std::string>{"b.mdd", "b.pc2", "out.pvd", "out/a_000000.vtu",
                                                     "out/a_000002.vtu", "out/a_000004.vtu"});
    CHECK_THAT(bytesOf(folder / "out.pvd"), Contains("timestep=\"0.04\"") && Contains("file=\"out/a_000004.vtu\""));
    const io::MeshData m = io::readMesh(folder / "out/a_000004.vtu");
    std::vector<std::string> names;
    for (const auto& d : m.cellData) names.push_back(d.name);
    CHECK(names == std::vector<std::string>{"stress", "vonMises", "strain", "energy", "poissonRatio", "youngModulus"});

    const std::string cache = bytesOf(folder / "b.pc2");
    CHECK(cache.substr(0, 12) == std::string("POINTCACHE2\0", 12));
    CHECK(at<std::int32_t>(cache, 16) == 12);
    CHECK(at<std::int32_t>(cache, 28) == 4);
    CHECK(cache.size() == 32 + 4 * 12 * 12);
    CHECK(at<float>(cache, 32 + 3 * 144 + 12) ==
          static_cast<float>(io::readMesh(folder / "out/a_000004.vtu").positions[1][0]));
    // The same numbers in the other format, most significant byte first.
    const std::string other = bytesOf(folder / "b.mdd");
    REQUIRE(other.size() == 8 + 4 * 4 + 4 * 12 * 12);
    CHECK(other.substr(0, 8) == std::string("\0\0\0\4\0\0\0\14", 8));
    for (std::size_t i = 0; i < 4 * 12 * 12; ++i) REQUIRE(other[24 + (i ^ 3)] == cache[32 + i]);
    CHECK_FALSE(Run(bar + "<VTUExporter filename='" + folder / "out.exe'/>", 0).good);
}

}  // namespace exporters_test
