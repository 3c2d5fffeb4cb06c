// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/io/OutputFile.h"
#include "core/io/TopologyFile.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace topology_playback_test {

using namespace sofa;
using namespace sofa::core;
using Catch::Contains;
using test::Attributes;

namespace {

/// A topology of tetrahedra and triangles, and a file.
struct Scene
{
    test::TemporaryDirectory folder;
    Node root;
    test::TestTopology& topology = root.create<test::TestTopology>();
    std::string file;

    explicit Scene(const std::string& name = "a.txt") : file((folder.path() / name).string())
    {
        root.d_dt.setValue(0.1);
        topology.points = 8;
        topology.tetrahedronList = test::cubeTetrahedra();
        topology.triangleList = {{0, 1, 2}, {2, 3, 0}};
    }
    Component& add(const std::string& type, Attributes attributes = {})
    {
        attributes.insert(attributes.begin(), {"filename", file});
        return test::addComponent(root, type, attributes);
    }
    void at(Component& c, int step)
    {
        root.d_time.setValue(0.1 * step);
        c.handleEvent(AnimateBeginEvent(0.1));
    }
    std::string text(const Component& c, const char* name) const { return c.findData(name)->text(); }
};

}  // namespace

TEST_CASE("What WriteTopology writes, ReadTopology hands out and CompareTopology finds unchanged")
{
    for (const char* name : {"a.txt", "a.txt.gz"}) {
        Scene s(name);
        Component& w = s.add("WriteTopology");
        REQUIRE(test::initialise(s.root));
        s.at(w, 0);
        s.topology.triangleList.pop_back();
        s.topology.changed();
        s.at(w, 1);
        w.cleanup();
        s.root.removeComponent(w);

        s.root.d_time.setValue(0.);
        Component& r = s.add("ReadTopology");
        Component& c = s.add("CompareTopology");
        REQUIRE(test::initialise(s.root));
        CHECK(s.text(r, "triangles") == "0 1 2 2 3 0");
        CHECK(dynamic_cast<Data<Vector<Tetrahedron>>&>(*r.findData("tetrahedra")).value() ==
              s.topology.tetrahedronList);
        s.at(c, 0);
        CHECK(s.text(c, "errors") == "0 1 0 0 0");
        s.at(r, 1);
        s.at(c, 1);
        CHECK(s.text(r, "triangles") == "0 1 2");
        CHECK(s.text(c, "errors") == "0 1 0 0 0");
        s.topology.tetrahedronList[0] = {3, 2, 1, 0};
        s.topology.tetrahedronList[2] = {3, 2, 1, 0};
        s.topology.changed();
        c.reset();
        CHECK(s.text(c, "totalError") == "0");
        s.at(c, 1);
        CHECK(s.text(c, "errors") == "0 0 0 2 0");
        CHECK(s.text(c, "totalError") == "2");
    }
}

TEST_CASE("WriteTopology writes at the times that its Data say")
{
    const auto written = [](const Attributes& attributes, int count) {
        Scene s;
        Component& w = s.add("WriteTopology", attributes);
        REQUIRE(test::initialise(s.root));
        for (int k = 0; k < count; ++k) s.at(w, k);
        w.cleanup();
        std::vector<int> all;
        for (const auto& f : io::readTopologyFile(s.file)) all.push_back(static_cast<int>(10. * f.time + 0.5));
        return all;
    };
    CHECK(written({}, 3) == std::vector{0, 1, 2});
    CHECK(written({{"interval", "0.2"}}, 5) == std::vector{0, 2, 4});
    CHECK(written({{"interval", "0.2"}, {"period", "0.3"}}, 5) == std::vector{0, 3});
    CHECK(written({{"time", "0.1 0.3"}}, 5) == std::vector{1, 3});
}

TEST_CASE("WriteTopology leaves elements out, and says what has no effect")
{
    Scene s;
    const MessageCapture capture;
    Component& w = s.add("WriteTopology", {{"writeContainers", "0"}, {"writeShellContainers", "1"}});
    REQUIRE(test::initialise(s.root));
    CHECK(capture.has(Severity::Warning, "writeShellContainers has no effect"));
    s.at(w, 0);
    w.cleanup();
    const auto frames = io::readTopologyFile(s.file);
    REQUIRE(frames.size() == 1);
    CHECK_FALSE(frames[0].given[1]);
}

TEST_CASE("ReadTopology loops, and a topology may follow it")
{
    Scene s;
    writeFile(s.file, "T= 0\n Edges= 1\n0 1\nT= 0.2\n Edges= 2\n0 1 1 2\nT= 0.4\n Edges= 0\n\n");
    Component& r = s.add("ReadTopology", {{"name", "reader"}, {"loop", "1"}});
    Component& mesh = test::addComponent(s.root, "MeshTopology", {{"edges", "@reader.edges"}});
    REQUIRE(s.root.get<BaseMeshTopology>() == &mesh);
    REQUIRE(test::initialise(s.root));
    const auto& edges = dynamic_cast<BaseMeshTopology&>(mesh);
    std::vector<std::size_t> counts;
    for (int k = 0; k < 8; ++k) {
        s.at(r, k);
        counts.push_back(edges.edges().size());
    }
    CHECK(counts == std::vector<std::size_t>{1, 1, 2, 2, 1, 1, 2, 2});
}

TEST_CASE("Elements on points that a topology does not have are refused when their time comes")
{
    Scene s;
    writeFile(s.file, "T= 0\n Edges= 1\n0 1\nT= 0.1\n Edges= 2\n0 1 1 7\n");
    Component& r = s.add("ReadTopology", {{"name", "reader"}});
    test::addComponent(s.root, "MeshTopology", {{"name", "mesh"}, {"edges", "@reader.edges"}});
    test::addState<Vec3Types>(s.root, Vector<Vec3>(7));
    REQUIRE(test::initialise(s.root));
    s.at(r, 0);
    CHECK_THROWS_WITH(s.at(r, 1), Contains("/reader (ReadTopology): ") &&
                                      Contains("a.txt:4: expected edges on the 7 points of /mesh, found"));
    CHECK(s.text(r, "edges") == "0 1");
}

TEST_CASE("Files of topologies that are wrong, and topologies that are missing", "[input]")
{
    const MessageCapture capture;
    SECTION("malformed")
    {
        Scene s;
        writeFile(s.file, "T= 0\n  Edges= 2\n0 1 x\n");
        s.add("ReadTopology");
        CHECK_FALSE(test::initialise(s.root));
        CHECK_THAT(capture.text(), Contains("a.txt:3: expected a vertex (an integer), found 'x'"));
    }
    SECTION("missing file")
    {
        Scene s;
        s.add("CompareTopology");
        CHECK_FALSE(test::initialise(s.root));
        CHECK_THAT(capture.text(), Contains("cannot find the file"));
    }
    for (const char* type : {"WriteTopology", "CompareTopology"}) {
        Node root;
        test::addComponent(root, type, {{"filename", "a"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "it needs a topology"));
    }
}

}  // namespace topology_playback_test
