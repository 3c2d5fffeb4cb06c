// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/StateFile.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/io/OutputFile.h"
#include "core/io/TopologyFile.h"
#include "tests/harness/Paths.h"

namespace state_file_test {

using namespace sofa;
using namespace sofa::core;
using Catch::Contains;

namespace {

struct Fixture
{
    test::TemporaryDirectory folder;

    std::string write(const std::string& name, const std::string& text) const
    {
        const std::string file = (folder.path() / name).string();
        writeFile(file, text);
        return file;
    }
    std::vector<io::StateFrame> read(const std::string& name, const std::string& text) const
    {
        return io::readStateFile(write(name, text));
    }
};

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE_METHOD(Fixture, "Frames of states read back to the same bits, compressed or not")
{
    const Numbers odd{1. / 3., -0., 5e-324, std::nextafter(1., 2.), -1e300};
    std::string text;
    for (const double t : {0., 0.1, 1. / 3.}) {
        io::appendStateTime(text, t);
        io::appendStateVector(text, "X", odd);
        io::appendStateVector(text, "X0", {});
        io::appendStateVector(text, "V", Numbers{t});
        io::appendStateVector(text, "F", Numbers{2. * t});
    }
    for (const char* name : {"plain.txt", "packed.txt.gz"}) {
        const auto frames = read(name, text);
        REQUIRE(frames.size() == 3);
        CHECK(frames[2].time == 1. / 3.);
        CHECK(frames[2].line == 11);
        CHECK(frames[1].position.numbers == odd);
        CHECK(std::signbit(frames[1].position.numbers[1]));
        CHECK(frames[1].position.line == 7);
        CHECK(frames[1].restPosition.given());
        CHECK(frames[1].restPosition.numbers.empty());
        CHECK(frames[1].velocity.numbers == Numbers{0.1});
        CHECK(frames[1].force.numbers == Numbers{0.2});
    }
}

TEST_CASE_METHOD(Fixture, "States that SOFA's programs wrote are read")
{
    // As WriteState writes it: six digits, a blank at the end of a line.
    auto frames =
        read("a.txt", "T= 0\n  X= 0 1 0 \n  V= 0 -0.0981 0 \nT= 0.01\n  X= 0 0.999019 0 \n  V= 0 -0.1962 0 \n");
    REQUIRE(frames.size() == 2);
    CHECK(frames[1].position.numbers == Numbers{0., 0.999019, 0.});
    CHECK_FALSE(frames[1].force.given());
    // The regression program's JSON and CSV.
    frames = read("a.json.gz", R"({"0.0": [[0.0, 1.0, 0.0], [1e-05, -2, 3]], "0.5": [[0, 0, 0], [NaN, 2, 3]]})");
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].position.numbers == Numbers{0., 1., 0., 1e-5, -2., 3.});
    CHECK(frames[1].time == 0.5);
    CHECK(std::isnan(frames[1].position.numbers[3]));
    CHECK(read("empty.json", "{}\n").empty());
    frames = read("a.csv", "# format_version=1.0\n# dof_per_point=3\n0.0,0.0,1.0,0.0\r\n0.5,1,2,3\r\n");
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].position.numbers == Numbers{0., 1., 0.});
    CHECK(frames[1].position.line == 4);
    CHECK(read("nothing.txt.gz", "").empty());
}

TEST_CASE_METHOD(Fixture, "What is wrong with a file of states is told with its line", "[input]")
{
    const auto failure = [this](const std::string& name, const std::string& text) -> std::string {
        try {
            read(name, text);
        } catch (const std::exception& e) {
            return e.what();
        }
        return "it was read";
    };
    CHECK_THAT(failure("a.txt", "T= 0\n  X= 1 2 x3\n"), Contains("a.txt:2: expected a number, found 'x3'"));
    CHECK_THAT(failure("a.txt", "T= 0\n\n  Y= 1\n"), Contains("a.txt:3: expected 'T= time', 'X= positions'"));
    CHECK_THAT(failure("a.txt", "  X= 1\n"), Contains("a.txt:1: expected 'T= time' before the first vector"));
    CHECK_THAT(failure("a.txt", "T= 1\nT= 1\n"), Contains("a.txt:2: expected a time after the one before"));
    CHECK_THAT(failure("a.txt", "T= inf\n"), Contains("a.txt:1: expected a time"));
    CHECK_THAT(failure("a.txt", "T= 0\nX=1\nX=1\n"), Contains("a.txt:3: expected 'T= time', a time has one"));
    CHECK_THAT(failure("a.txt", "T=\n"), Contains("a.txt:1: expected 'T= time'"));
    CHECK_THAT(failure("a.csv", "0,1,,2\n"), Contains("a.csv:1: expected a number"));
    CHECK_THAT(failure("a.json", "{\"0\": [1, 2,\n x]}"), Contains("a.json:2: expected a number or a list"));
    CHECK_THAT(failure("a.json", "{\"0\": [1], \"0\": [1]}"), Contains("a.json:1: expected a time after"));
    for (const char* text : {"", "[", "{", "{\"0", "{\"0\":", "{\"0\": [", "{\"0\": [[1]", "{\"0\": [1]",
                             "{\"0\": [[[1]]]}", "{} x", "{\"zero\": [1]}"})
        CHECK_THAT(failure("a.json", text), Contains("a.json:1: expected"));
    // Cut off while it was compressed.
    const std::string file = write("b.txt.gz", "T= 0\n  X= 1 2 3 4 5 6 7 8 9\n");
    const auto size = std::filesystem::file_size(file);
    std::filesystem::resize_file(file, size - 6);
    CHECK_THROWS_WITH(io::readStateFile(file), Contains("b.txt.gz: it is damaged or truncated"));
    CHECK_THROWS_WITH(io::readStateFile(folder.path() / "none.txt"), Contains("none.txt: no such file"));
    CHECK_THROWS_WITH(io::readStateFile(folder.path()), Contains("is a directory"));
}

TEST_CASE_METHOD(Fixture, "Frames of topologies are read as they were written, and told where they are wrong",
                 "[input]")
{
    io::TopologyFrame frame;
    frame.edges = {{0, 1}, {1, 2}};
    frame.hexahedra = {{0, 1, 2, 3, 4, 5, 6, 7}};
    std::string text;
    io::appendTopologyFrame(text, frame, true);
    frame.time = 0.5;
    io::appendTopologyFrame(text, frame, false);
    const auto frames = io::readTopologyFile(write("a.gz", text));
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].edges == frame.edges);
    CHECK(frames[0].hexahedra == frame.hexahedra);
    CHECK(frames[0].triangles.empty());
    CHECK(frames[0].given == std::array{true, true, true, true, true});
    CHECK(frames[1].time == 0.5);
    CHECK(frames[1].line == 12);
    CHECK(frames[1].given == std::array<bool, 5>{});

    const auto failure = [this](const std::string& wrong) -> std::string {
        try {
            io::readTopologyFile(write("a", wrong));
        } catch (const std::exception& e) {
            return e.what();
        }
        return "it was read";
    };
    CHECK_THAT(failure("T= 0\n  Edges= 2\n0 1 1\n"), Contains("a:3: expected a vertex"));
    CHECK_THAT(failure("T= 0\n  Edges= 1\n0 -1\n"), Contains("a:3: expected the number of a vertex"));
    CHECK_THAT(failure("T= 0\n  Edges= 1\n0 1 2\n"), Contains("a:3: expected the end of the line"));
    CHECK_THAT(failure("T= 0\n  Edges= 99999999999\n0 1\n"), Contains("a:2"));
    CHECK_THAT(failure("T= 0\n  Edgs= 1\n0 1\n"), Contains("a:2: expected 'T= time', 'Edges= count'"));
    CHECK_THAT(failure("  Edges= 1\n0 1\n"), Contains("a:1: expected 'T= time' before the first list"));
    CHECK_THAT(failure("T= 0\n  Quads= 0\n\n  Quads= 0\n\n"), Contains("a:4: expected one list of each kind"));
    CHECK_THAT(failure("T= 1\nT= 0\n"), Contains("a:2: expected a time after the one before"));
}

}  // namespace state_file_test
