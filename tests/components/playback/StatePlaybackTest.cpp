// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "core/behavior/Mass.h"
#include "core/io/OutputFile.h"
#include "core/io/StateFile.h"
#include "core/objectmodel/Archive.h"
#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"
#include "tests/harness/TestGraph.h"

namespace state_playback_test {

using namespace sofa;
using namespace sofa::core;
using Catch::Contains;
using test::Attributes;

namespace {

using Times = std::vector<double>;

/// A state of two points that is moved by hand, and a file.
struct Scene
{
    test::TemporaryDirectory folder;
    Node root;
    test::TestState<Vec3Types>& state = test::addState<Vec3Types>(root, {{0., 0., 0.}, {1., 0., 0.}});
    std::string file;

    explicit Scene(const std::string& name = "a.txt") : file((folder.path() / name).string())
    {
        root.d_dt.setValue(0.1);
        root.setName("root");
    }
    Component& add(const std::string& type, Attributes attributes = {})
    {
        attributes.insert(attributes.begin(), {"filename", file});
        return test::addComponent(root, type, attributes);
    }
    /// The beginnings of the steps 0, 1, ...: positions are those of `place`, velocities 2 k.
    void run(Component& c, int steps, int from = 0)
    {
        for (int k = from; k < from + steps; ++k) {
            root.d_time.setValue(0.1 * k);
            state.d_position.setValue({place(k), place(-k)});
            state.d_velocity.setValue({{2. * k, 0., 0.}, {}});
            c.handleEvent(AnimateBeginEvent(0.1));
            c.handleEvent(AnimateEndEvent(0.1));
        }
    }
    static Vec3 place(int k) { return {1. / (3. + k * k), std::sqrt(2. + k * k), std::exp(k)}; }
    std::vector<io::StateFrame> frames(Component& writer) const
    {
        writer.cleanup();
        return io::readStateFile(file);
    }
    Times times(Component& writer) const
    {
        Times all;
        for (const auto& f : frames(writer)) all.push_back(f.time);
        return all;
    }
    double number(const Component& c, const char* name) const { return std::stod(c.findData(name)->text()); }
};

/// Times k dt as the scene has them.
Times steps(std::initializer_list<int> all)
{
    Times t;
    for (const int k : all) t.push_back(0.1 * k);
    return t;
}

/// A mass whose energy the test says.
class TestMass final : public Mass<Vec3Types>
{
public:
    double energy = 0.;
    using Mass<Vec3Types>::addMDx;
    using Mass<Vec3Types>::accFromF;
    using Mass<Vec3Types>::buildMass;
    std::string className() const override { return "TestMass"; }
    void addMDx(VecDeriv&, const VecDeriv&, const VecCoord&, double) const override {}
    void accFromF(VecDeriv&, const VecDeriv&, const VecCoord&) const override {}
    void buildMass(BlockSink&, const VecCoord&) const override {}
    bool isDiagonal() const override { return true; }
    double pointMass(Index) const override { return 1.; }
    double kineticEnergy(const MechanicalParams&) const override { return energy; }
    using Mass<Vec3Types>::potentialEnergy;
    double potentialEnergy(const MechanicalParams&, const VecCoord&) const override { return 0.; }
};

}  // namespace

TEST_CASE("What WriteState writes, ReadState gives back to the same bits")
{
    for (const char* name : {"a.txt", "a.txt.gz"}) {
        Scene s(name);
        Component& writer = s.add("WriteState", {{"writeV", "1"}, {"writeX0", "1"}, {"writeF", "1"}});
        REQUIRE(test::initialise(s.root));
        CHECK(writer.d_listening.value());
        s.run(writer, 4);
        CHECK_FALSE(std::filesystem::exists(s.file));
        CHECK(std::filesystem::exists(s.file + ".part"));
        const auto frames = s.frames(writer);
        REQUIRE(frames.size() == 4);
        CHECK(frames[3].restPosition.numbers == Times{0., 0., 0., 1., 0., 0.});
        CHECK(frames[3].force.numbers == Times(6, 0.));

        s.root.removeComponent(writer);
        Component& reader = s.add("ReadState");
        s.root.d_time.setValue(0.);
        REQUIRE(test::initialise(s.root));
        for (int k = 0; k < 4; ++k) {
            s.root.d_time.setValue(0.1 * k);
            reader.handleEvent(AnimateBeginEvent(0.1));
            CHECK(s.state.d_position.value()[0] == Scene::place(k));
            CHECK(s.state.d_position.value()[1] == Scene::place(-k));
            CHECK(s.state.d_velocity.value()[0] == Vec3{2. * k, 0., 0.});
        }
    }
}

TEST_CASE("WriteState writes at the times that its Data say")
{
    const auto written = [](const Attributes& attributes, int count) {
        Scene s;
        Component& w = s.add("WriteState", attributes);
        REQUIRE(test::initialise(s.root));
        s.run(w, count);
        return s.times(w);
    };
    CHECK(written({}, 4) == steps({0, 1, 2, 3}));
    CHECK(written({{"time", "0.2"}}, 5) == steps({2}));
    CHECK(written({{"time", "0 0.25 0.26 0.4"}}, 7) == steps({0, 3, 4}));
    CHECK(written({{"period", "0.3"}}, 10) == steps({0, 3, 6, 9}));
    CHECK(written({{"period", "0.25"}}, 10) == steps({0, 3, 5, 8}));
    CHECK(written({{"time", "0.2"}, {"period", "0.2"}}, 8) == steps({2, 4, 6}));
    CHECK(written({{"time", "0 0.3"}, {"period", "0.2"}}, 8) == steps({0, 3, 5, 7}));
    {
        const MessageCapture capture;
        CHECK(written({{"period", "0.05"}}, 3) == steps({0, 1, 2}));
        CHECK(capture.has(Severity::Warning, "the period of 0.05 s is shorter than the time step of 0.1 s"));
    }
    // 1000 steps of 0.1 s: no frame is lost by rounding.
    CHECK(written({{"period", "0.7"}}, 1000).size() == 143);
}

TEST_CASE("WriteState writes chosen vectors of chosen points")
{
    Scene s;
    Component& w = s.add("WriteState", {{"writeX", "0"}, {"writeV", "1"}, {"DOFsX", "1"}, {"DOFsV", "1 0"}});
    REQUIRE(test::initialise(s.root));
    s.run(w, 2);
    auto frames = s.frames(w);
    REQUIRE(frames.size() == 2);
    CHECK_FALSE(frames[1].position.given());
    CHECK(frames[1].velocity.numbers == Times{0., 0., 0., 2., 0., 0.});
    w.findData("writeX")->read("1", s.file);
    s.file = (s.folder.path() / "a.txt").string();
    w.reset();
    s.run(w, 1);
    frames = s.frames(w);
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].position.numbers.size() == 3);
}

TEST_CASE("WriteState stops when the kinetic energy has settled")
{
    Scene s;
    auto& mass = s.root.create<TestMass>();
    Component& w = s.add("WriteState", {{"stopAt", "0.5"}, {"keperiod", "0.25"}, {"printLog", "1"}});
    REQUIRE(test::initialise(s.root));
    // Looks at 0.3 (10 J, was 0), 0.6 (10.4 J): over before the frame of 0.6.
    const MessageCapture capture;
    for (int k = 0; k < 10; ++k) {
        mass.energy = k < 6 ? 10. : 10.4;
        s.run(w, 1, k);
    }
    CHECK(s.times(w) == steps({0, 1, 2, 3, 4, 5}));
    CHECK(capture.has(Severity::Info, "the kinetic energy has settled at 10.4 J"));
}

TEST_CASE("WriteState begins anew after a reset and goes on after init or from a checkpoint")
{
    Scene s;
    Component& w = s.add("WriteState", {{"period", "0.2"}});
    REQUIRE(test::initialise(s.root));
    s.run(w, 3);
    SECTION("reset")
    {
        w.reset();
        s.run(w, 5);
        CHECK(s.times(w) == steps({0, 2, 4}));
    }
    SECTION("init between two steps, as after a change of the scene")
    {
        Archive saved;
        w.archive(saved);
        w.reset();
        w.init();
        Archive back(saved.bytes());
        w.archive(back);
        s.run(w, 3, 3);
        CHECK(s.times(w) == steps({0, 2, 4}));
    }
    SECTION("checkpoint in another program: the later frames")
    {
        Archive saved;
        w.archive(saved);
        Scene t;
        Component& other = t.add("WriteState", {{"period", "0.2"}});
        REQUIRE(test::initialise(t.root));
        Archive back(saved.bytes());
        other.archive(back);
        t.run(other, 4, 3);
        CHECK(t.times(other) == steps({4, 6}));
    }
    SECTION("an older file stays until the new one is complete")
    {
        writeFile(s.file, "T= 7\n");
        w.reset();
        s.run(w, 2);
        CHECK(io::readStateFile(s.file).front().time == 7.);
        CHECK(s.times(w) == steps({0}));
    }
}

TEST_CASE("WriteState says what is wrong", "[input]")
{
    const auto failure = [](const Attributes& attributes) {
        Scene s;
        const MessageCapture capture;
        s.add("WriteState", attributes);
        CHECK_FALSE(test::initialise(s.root));
        return capture.text();
    };
    CHECK_THAT(failure({{"time", "0 0.2 0.1"}}), Contains("time: times that increase are expected, 0.1 follows 0.2"));
    CHECK_THAT(failure({{"DOFsX", "2"}}), Contains("DOFsX: there is no point 2, /TestState1 has 2"));
    CHECK_THAT(failure({{"stopAt", "1"}}), Contains("stopAt: there is no mass"));
    {
        Scene s;
        const MessageCapture capture;
        s.file = (s.folder.path() / "no" / "folder.txt").string();
        s.add("WriteState");
        CHECK_FALSE(test::initialise(s.root));
        CHECK(capture.has(Severity::Error, "filename: cannot write '" + s.file));
    }
    {
        Scene s;
        const MessageCapture capture;
        s.add("WriteState", {{"name", "first"}});
        s.add("WriteState");
        CHECK_FALSE(test::initialise(s.root));
        CHECK(capture.has(Severity::Error, "filename: /first writes the same file"));
    }
    Node root;
    const MessageCapture capture;
    test::addComponent(root, "WriteState");
    CHECK_FALSE(test::initialise(root));
    CHECK(capture.has(Severity::Error, "it needs a state"));
}

TEST_CASE("ReadState shows the last frame whose time has come")
{
    const std::string file =
        "T= 0\n X= 0 0 0 1 0 0\nT= 0.2\n X= 2 0 0 3 0 0\n V= 0 1 0 0 0 0\nT= 0.4\n X= 4 0 0 5 0 0\n";
    /// The first scalar of the positions at the beginnings of steps.
    const auto seen = [&file](const Attributes& attributes, int count) {
        Scene s;
        writeFile(s.file, file);
        Component& r = s.add("ReadState", attributes);
        REQUIRE(test::initialise(s.root));
        Times x;
        for (int k = 0; k < count; ++k) {
            s.root.d_time.setValue(0.1 * k);
            r.handleEvent(AnimateBeginEvent(0.1));
            x.push_back(s.state.d_position.value()[0][0]);
        }
        return x;
    };
    CHECK(seen({}, 7) == Times{0., 0., 2., 2., 4., 4., 4.});
    CHECK(seen({{"shift", "0.2"}}, 4) == Times{2., 2., 4., 4.});
    CHECK(seen({{"shift", "-0.1"}}, 4) == Times{0., 0., 0., 2.});
    CHECK(seen({{"loop", "1"}}, 11) == Times{0., 0., 2., 2., 0., 0., 2., 2., 0., 0., 2.});
    CHECK(seen({{"interval", "0.3"}}, 7) == Times{0., 0., 0., 2., 2., 2., 4.});
}

TEST_CASE("ReadState shows the first frame at init, and only once")
{
    Scene s;
    writeFile(s.file, "T= 0\n  X= 7 0 0 8 0 0\n");
    Component& r = s.add("ReadState");
    REQUIRE(test::initialise(s.root));
    CHECK(s.state.d_position.value()[0] == Vec3{7., 0., 0.});
    s.state.d_position.setValue({{9., 0., 0.}, {}});
    s.root.d_time.setValue(0.1);
    r.handleEvent(AnimateBeginEvent(0.1));
    CHECK(s.state.d_position.value()[0] == Vec3{9., 0., 0.});
}

TEST_CASE("ReadState scales, rotates and translates positions")
{
    Scene s;
    writeFile(s.file, "T= 0\n  X= 1 0 0 0 2 0\n  V= 1 0 0 0 0 0\n");
    s.add("ReadState", {{"scalePos", "2"}, {"rotation", "0 0 90"}, {"translation", "0 0 5"}});
    REQUIRE(test::initialise(s.root));
    const auto& x = s.state.d_position.value();
    CHECK(norm(x[0] - Vec3{0., 2., 5.}) < 1e-15);
    CHECK(norm(x[1] - Vec3{-4., 0., 5.}) < 1e-15);
    CHECK(s.state.d_velocity.value()[0] == Vec3{1., 0., 0.});

    Node root;
    auto& frames = test::addState<Rigid3Types>(root, Rigid3Types::VecCoord(1));
    writeFile(s.file, "T= 0\n  X= 1 0 0 0 0 0 1\n");
    test::addComponent(root, "ReadState", {{"filename", s.file}, {"rotation", "0 0 90"}});
    REQUIRE(test::initialise(root));
    CHECK(norm(frames.d_position.value()[0].center - Vec3{0., 1., 0.}) < 1e-15);
    CHECK(norm(frames.d_position.value()[0].orientation.rotate({1., 0., 0.}) - Vec3{0., 1., 0.}) < 1e-15);
}

TEST_CASE("ReadState says what is wrong, with the line of the file", "[input]")
{
    const auto failure = [](const std::string& text) {
        Scene s;
        const MessageCapture capture;
        writeFile(s.file, text);
        s.add("ReadState");
        CHECK(test::initialise(s.root) == text.empty());
        return capture.text();
    };
    CHECK_THAT(failure("T= 0\n  X= 0 0 0 1 0\n"),
               Contains("a.txt:2: expected 6 numbers, the positions of 2 points of /TestState1, found '5'") ||
                   Contains("a.txt:2: expected 6 numbers, the positions of 2 points of /TestState1, found 5"));
    CHECK_THAT(failure("T= 0\n  X= 0 0 0 1 0 0\n  V= 1\n"), Contains("a.txt:3: expected 6 numbers, the velocities"));
    CHECK_THAT(failure("T= zero\n"), Contains("a.txt:1: expected a number, found 'zero'"));
    CHECK_THAT(failure(""), Contains("holds no frame"));
    {
        Scene s;
        const MessageCapture capture;
        s.add("ReadState");
        CHECK_FALSE(test::initialise(s.root));
        CHECK(capture.has(Severity::Error, "cannot find the file"));
    }
    Scene s;
    writeFile(s.file, "T= 0\n  X= 0 0 0 1 0 0\nT= 0.1\n  X= 0 0 0 1 0 0\n");
    Component &r = s.add("ReadState"), &c = s.add("CompareState");
    REQUIRE(test::initialise(s.root));
    s.state.setPositions({{0., 0., 0.}});
    s.root.d_time.setValue(0.1);
    const std::string error = "a.txt:4: expected 3 numbers, the positions of 1 points of /TestState1, found ";
    CHECK_THROWS_WITH(r.handleEvent(AnimateBeginEvent(0.1)), Contains("/ReadState1 (ReadState): ") && Contains(error));
    CHECK_THROWS_WITH(c.handleEvent(AnimateBeginEvent(0.1)), Contains(error));
}

TEST_CASE("Where points come and go, frames are compared with those of their time")
{
    Scene s;
    test::addComponent(s.root, "PointSetTopologyContainer", {{"nbPoints", "2"}});
    test::addComponent(s.root, "PointSetTopologyModifier", {});
    writeFile(s.file, "T= 0\n  X= 0 0 0 1 0 0\nT= 0.1\n  X= 5 0 0\n  V= 1 0 0 2 0 0\nT= 0.2\n  X= 7 0 0\n");
    Component& r = s.add("ReadState");
    REQUIRE(test::initialise(s.root));
    s.state.setPositions({{0., 0., 0.}});
    s.root.d_time.setValue(0.1);
    // Positions fit, velocities do not: nothing is set.
    CHECK_THROWS_WITH(r.handleEvent(AnimateBeginEvent(0.1)), Contains("a.txt:5: expected 3 numbers, the velocities"));
    CHECK(s.state.positions()[0] == Vec3{0., 0., 0.});
    s.root.d_time.setValue(0.2);
    r.handleEvent(AnimateBeginEvent(0.1));
    CHECK(s.state.positions()[0] == Vec3{7., 0., 0.});
}

TEST_CASE("CompareState sums mean differences of frames")
{
    Scene s;
    writeFile(s.file, "T= 0\n  X= 0 0 0 1 0 0\nT= 0.2\n  X= 0.75 0 0 1 0 0\n  V= 0 0 3 0 0 0\n");
    Component& c = s.add("CompareState", {{"printLog", "1"}});
    REQUIRE(test::initialise(s.root));
    const MessageCapture capture;
    for (int k = 0; k < 4; ++k) {
        s.root.d_time.setValue(0.1 * k);
        c.handleEvent(AnimateBeginEvent(0.1));
        CHECK(s.number(c, "totalErrorX") == Approx(k < 2 ? 0. : 0.125));
        CHECK(s.number(c, "totalErrorV") == Approx(k < 2 ? 0. : 0.5));
    }
    CHECK(capture.has(Severity::Info, "t = 0.2 s: errorX = 0.125 m, errorV = 0.5 m/s"));
    // Several states in one scene, each with its own.
    auto child = s.root.createChild("other");
    test::addState<Vec3Types>(*child, {{0., 0., 0.}, {2., 0., 0.}});
    Component& d = test::addComponent(*child, "CompareState", {{"filename", s.file}});
    s.root.d_time.setValue(0.);
    REQUIRE(test::initialise(s.root));
    d.handleEvent(AnimateBeginEvent(0.1));
    CHECK(s.number(d, "errorX") == Approx(1. / 6.));
    Archive saved;
    d.archive(saved);
    d.reset();
    CHECK(s.number(d, "totalErrorX") == 0.);
    Archive back(saved.bytes());
    d.archive(back);
    CHECK(s.number(d, "totalErrorX") == Approx(1. / 6.));
}

TEST_CASE("SOFA's example of ReadState, whose file is empty, opens with a warning", "[oracle]")
{
    const auto oracle = test::oracleDirectory();
    if (!oracle) return test::skip("no reference data");
    Scene s;
    s.file = (*oracle / "sofa/examples/Component/Playback/beamGravity.txt.gz").string();
    const MessageCapture capture;
    s.add("ReadState");
    CHECK(test::initialise(s.root));
    CHECK(capture.has(Severity::Warning, "holds no frame"));
}

}  // namespace state_playback_test
