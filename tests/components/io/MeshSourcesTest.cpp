// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
//
// Loaders of formats that few files have, sequences of files, and meshes that need no file.
#include <catch2/catch.hpp>

#include "components/io/MeshCreators.h"
#include "components/io/MeshLoaders.h"
#include "components/io/MeshTrianLoader.h"
#include "components/io/VoxelGridLoader.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/io/LoaderFiles.h"

namespace mesh_sources_test {

using namespace sofa::core;
using namespace sofa::component;
using sofa::test::LoaderFiles;

namespace {

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// The reason why a loader is not valid.
std::string failure(MeshLoader& l)
{
    MessageCapture messages;
    l.init();
    CHECK_FALSE(l.isValid());
    return messages.text();
}

std::string strip(int height)
{
    const std::string h = std::to_string(height);
    return "OFF\n3 1 0\n0 " + h + " 0\n1 " + h + " 0\n0 " + h + " 1\n3 0 1 2\n";
}

}  // namespace

TEST_CASE("GiD, mass-spring, TetGen and Netgen loaders")
{
    LoaderFiles files;
    files.write("a.gidmsh",
                "MESH dimension 3 ElemType Tetrahedra Nnode 4\nCoordinates\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
                "End Coordinates\nElements\n1 1 2 3 4\nEnd Elements\n");
    files.write("a.mesh", "4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1\n1 1 2 3 4\n");
    files.write("a.node", "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n");
    files.write("a.ele", "1 4 0\n1 1 2 3 4\n");
    files.write("empty.mesh", "");
    for (const auto& [type, file] : {std::pair{"GIDMeshLoader", "a.gidmsh"}, std::pair{"MeshNetgenLoader", "a.mesh"},
                                     std::pair{"MeshTetgenLoader", "a.node"}, std::pair{"MeshTetgenLoader", "a.ele"}}) {
        INFO(type);
        auto& l = files.load<MeshLoader>(type, {{"filename", file}, {"translation", "0 0 5"}});
        CHECK(l.d_tetrahedra.value() == Vector<Tetrahedron>{{0, 1, 2, 3}});
        CHECK(l.d_position.value()[3] == Vec3{0, 0, 6});
    }
    files.write("a.xs3", "Xsp 3.0\nmass 1 s 0 0 0 0 0 0 1 0\nmass 2 s 1 0 0 0 0 0 1 0\nlspg 1 1 2 10 1 1\n");
    auto& x = files.load<MeshLoader>("MeshXspLoader", {{"filename", "a.xs3"}});
    CHECK(x.d_edges.value() == Vector<Edge>{{0, 1}});
    CHECK(x.d_position.value().size() == 2);
    CHECK(
        failure(files.load<MeshLoader>("MeshXspLoader", {{"filename", "a.gidmsh"}}))
            .find("this loader reads mass-spring network (.xs3, .xsp) files, and this is one of another format: GiD") !=
        std::string::npos);
    CHECK(failure(files.load<MeshLoader>("MeshNetgenLoader", {{"filename", "empty.mesh"}})).find("is empty") !=
          std::string::npos);
}

TEST_CASE("Triangulation loader: neighbours and the border")
{
    LoaderFiles files;
    files.write("a.trian", "4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2\n0 1 2 -1 1 -1\n0 2 3 -1 -1 0\n");
    auto& l = files.load<MeshTrianLoader>("MeshTrianLoader", {{"filename", "a.trian"}});
    CHECK(l.d_triangles.value() == Vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    CHECK(l.d_neighborTable.value() == Vector<std::array<int, 3>>{{-1, 1, -1}, {-1, -1, 0}});
    CHECK(l.d_edgesOnBorder.value() == Vector<Vector<Index>>{{1, 2}, {0, 1}, {2, 3}, {3, 0}});
    CHECK(l.d_trianglesOnBorderList.value() == Vector<Index>{0, 1});
    // Turned triangles keep their neighbours on the same sides.
    auto& f = files.load<MeshTrianLoader>("MeshTrianLoader", {{"filename", "a.trian"}, {"flipNormals", "1"}});
    CHECK(f.d_triangles.value()[0] == Triangle{2, 1, 0});
    CHECK(f.d_neighborTable.value()[0] == std::array<int, 3>{-1, 1, -1});
    CHECK(f.d_neighborTable.value()[1] == std::array<int, 3>{0, -1, -1});
    CHECK(f.d_edgesOnBorder.value()[0] == Vector<Index>{1, 0});
    CHECK(failure(files.load<MeshLoader>("MeshTrianLoader", {{"filename", "a.trian"}, {"trian2", "1"}}))
              .find("13 lines before the points") != std::string::npos);
    CHECK_THROWS_AS(
        files.load<MeshTrianLoader>("MeshTrianLoader", {{"filename", "none.trian"}}).d_neighborTable.value(),
        DataError);
}

TEST_CASE("Meshes that need no file: string")
{
    LoaderFiles files;
    auto& two = files.load<MeshLoader>("StringMeshCreator", {});
    CHECK(two.d_position.text() == "0 0 0 1 0 0");
    CHECK(two.d_edges.text() == "0 1");
    auto& l = files.load<StringMeshCreator>("StringMeshCreator",
                                            {{"resolution", "5"}, {"scale3d", "4 1 1"}, {"filename", "nothing"}});
    CHECK(l.d_position.value()[3] == Vec3{3, 0, 0});
    CHECK(l.d_edges.value() == Vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    l.d_resolution.setValue(3);
    CHECK(l.d_position.value().size() == 3);
    CHECK_THROWS_AS(l.d_resolution.setValue(1), RangeError);
    l.d_resolution.setValue(4'000'000'000u);
    CHECK(failure(l).find("resolution: expected at most 67108864 points, found 4000000000") != std::string::npos);
}

TEST_CASE("Meshes that need no file: grid, in SOFA's order")
{
    LoaderFiles files;
    const auto grid = [&](const char* pattern, const char* resolution = "2 2") -> GridMeshCreator& {
        return files.load<GridMeshCreator>("GridMeshCreator",
                                           {{"trianglePattern", pattern}, {"resolution", resolution}});
    };
    auto& up = files.load<GridMeshCreator>("GridMeshCreator", {});
    CHECK(up.d_position.text() == "0 0 0 1 0 0 0 1 0 1 1 0");
    CHECK(up.d_edges.text() == "0 1 1 3 2 0 3 0 3 2");
    CHECK(up.d_triangles.text() == "0 1 3 0 3 2");
    CHECK(grid("3").d_triangles.text() == "0 1 2 1 3 2");
    auto& quads = grid("0", "3 2");
    CHECK(quads.d_quads.text() == "0 1 4 3 1 2 5 4");
    CHECK(quads.d_triangles.value().empty());
    CHECK(quads.d_edges.value().size() == 7);
    auto& alternate = grid("1", "3 3");
    CHECK(alternate.d_triangles.text() == "0 1 4 0 4 3 1 2 4 2 5 4 3 4 6 4 7 6 4 5 8 4 8 7");
    CHECK(alternate.d_edges.value().size() == 16);
    CHECK(alternate.d_normals.value()[4] == Vec3{0, 0, 1});
    CHECK(alternate.boundingBox().high == Vec3{1, 1, 0});
    CHECK(failure(grid("2", "100000 100000")).find("67108864 points in all") != std::string::npos);
    auto& divided = files.load<MeshLoader>("GridMeshCreator", {{"trianglePattern", "0"}, {"triangulate", "1"}});
    CHECK(divided.d_triangles.text() == "0 1 3 0 3 2");
    CHECK(divided.d_quads.value().empty());
}

TEST_CASE("Voxel loader: which voxels are taken, and their corners")
{
    LoaderFiles files;
    files.write("a.raw", std::string("hd\1\2\0\1\3\1", 8));  // a header of two bytes, then 3 x 2 x 1 voxels
    const auto load = [&](const Attributes& more) -> VoxelGridLoader& {
        Attributes a{{"filename", "a.raw"}, {"resolution", "3 2 1"}, {"header", "2"}, {"voxelSize", "1 2 3"}};
        a.insert(a.end(), more.begin(), more.end());
        return files.load<VoxelGridLoader>("VoxelGridLoader", a);
    };
    CHECK(load({}).d_hexahedra.value().size() == 6);
    CHECK(load({}).d_position.value().size() == 24);
    auto& one = load({{"dataValue", "2"}});
    CHECK(one.d_idxInRegularGrid.value() == Vector<Index>{1});
    CHECK(one.d_hexahedra.value() == Vector<Hexahedron>{{0, 1, 3, 2, 4, 5, 7, 6}});
    CHECK(one.d_position.value() ==
          Vector<Vec3>{{1, 0, 0}, {2, 0, 0}, {1, 2, 0}, {2, 2, 0}, {1, 0, 3}, {2, 0, 3}, {1, 2, 3}, {2, 2, 3}});
    CHECK(one.boundingBox().high == Vec3{2, 2, 3});
    CHECK(load({{"dataValue", "3 1"}}).d_idxInRegularGrid.value() == Vector<Index>{0, 3, 4, 5});
    CHECK(load({{"bgValue", "3 1"}}).d_idxInRegularGrid.value() == Vector<Index>{1, 2});
    CHECK(load({{"bgValue", "0"}, {"ROI", "-1 1 0 1 9 9"}}).d_idxInRegularGrid.value() == Vector<Index>{3, 4});
    auto& points = load({{"generateHexa", "0"}, {"dataValue", "3"}});
    CHECK(points.d_position.value() == Vector<Vec3>{{1, 2, 0}});
    CHECK(points.d_hexahedra.value().empty());
    CHECK(points.findData("segmentationFile") == &points.d_filename);
}

TEST_CASE("Voxel loader: what is wrong")
{
    LoaderFiles files;
    files.write("a.raw", "1234");
    const auto error = [&](const Attributes& a) {
        auto& l = files.load<VoxelGridLoader>("VoxelGridLoader", a);
        MessageCapture messages;
        l.init();
        CHECK_FALSE(l.isValid());
        return messages.text();
    };
    using Catch::Contains;
    CHECK_THAT(error({{"filename", "a.raw"}}), Contains("resolution: expected at least 1 1 1, found 0 0 0"));
    CHECK_THAT(error({{"filename", "a.raw"}, {"resolution", "5 1 1"}}),
               Contains("a.raw: expected 5 bytes, one for each voxel, found 4"));
    CHECK_THAT(error({{"filename", "a.raw"}, {"resolution", "4 1 1"}, {"header", "1"}}),
               Contains("behind a header of 1, found 4"));
    CHECK_THAT(error({{"filename", "a.raw"}, {"resolution", "4000 4000 4000"}}), Contains("too many"));
    CHECK_THAT(error({{"filename", "a.raw"}, {"resolution", "4 1 1"}, {"ROI", "4 0 0 9 9 9"}}),
               Contains("ROI: no voxel"));
    CHECK_THAT(error({{"filename", "none.raw"}, {"resolution", "4 1 1"}}), Contains("none.raw"));
}

TEST_CASE("A sequence of files follows the time")
{
    LoaderFiles files;
    for (int k = 0; k < 4; ++k) files.write("a" + std::to_string(8 + k).insert(0, k < 2 ? "0" : "") + ".off", strip(k));
    const std::string scene =
        "<Node name='root' dt='0.1'><OffSequenceLoader name='l' filename='a08.off' nbOfFiles='4' "
        "stepDuration='0.2'/><MeshTopology name='m' position='@l.position'/></Node>";
    Simulation sim(loadSceneText(scene, (files.folder.path() / "s.scn").string()));
    REQUIRE(sim.init());
    auto& l = dynamic_cast<OffSequenceLoader&>(*sim.root().component("l"));
    const auto height = [&] { return l.d_position.value()[0][1]; };
    CHECK(height() == 0.);
    // Steps begin at 0, 0.1, 0.2, ...: the second file comes with the first of them, the next ones each 0.2 s.
    std::vector<double> heights;
    std::string saved;
    for (int k = 0; k < 8; ++k) {
        sim.step();
        heights.push_back(height());
    }
    CHECK(heights == std::vector<double>{1, 1, 2, 2, 3, 3, 3, 3});
    sim.reset();
    CHECK(height() == 0.);
}

TEST_CASE("A sequence of files: what is wrong")
{
    LoaderFiles files;
    using Catch::Contains;
    files.write("a1.off", strip(1));
    files.write("a2.off", "OFF\n1 1 0\n0 0 0\n3 0 1 2\n");
    files.write("plain.off", strip(1));
    CHECK_THAT(failure(files.load<MeshLoader>("OffSequenceLoader", {{"filename", "a1.off"}, {"nbOfFiles", "3"}})),
               Contains("a3.off: no such file: nbOfFiles says that the sequence has 3"));
    CHECK_THAT(failure(files.load<MeshLoader>("OffSequenceLoader", {{"filename", "plain.off"}, {"nbOfFiles", "2"}})),
               Contains("plain.off: expected a name that ends with a number"));
    CHECK_THAT(failure(files.load<MeshLoader>("OffSequenceLoader", {{"filename", "b1.off"}})), Contains("b1.off"));
    // A damaged file is told when its time comes.
    const std::string scene = "<Node name='root'><OffSequenceLoader name='l' filename='a1.off' nbOfFiles='2'/></Node>";
    Simulation sim(loadSceneText(scene, (files.folder.path() / "s.scn").string()));
    REQUIRE(sim.init());
    auto& l = dynamic_cast<OffSequenceLoader&>(*sim.root().component("l"));
    sim.step();
    CHECK_THROWS_WITH(l.d_position.value(), Contains("a2.off:4"));
}

}  // namespace mesh_sources_test
