// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <unistd.h>
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/behavior/State.h"
#include "core/simulation/SimuFile.h"
#include "core/visitor/ExecutionPlan.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace simu_file_test {

namespace {

using namespace sofa::core;
namespace fs = std::filesystem;

struct Folder : sofa::test::TemporaryDirectory
{
    std::string operator/(const std::string& name) const { return (path() / name).string(); }
};

/// Two states, moved by hand: a recording knows nothing of solvers.
struct Scene
{
    std::shared_ptr<Node> root = std::make_shared<Node>("root");
    std::shared_ptr<Node> second = root->createChild("second");
    State<Vec3Types>& a;
    State<Vec3Types>& b;
    std::unique_ptr<Simulation> simulation;

    explicit Scene(std::size_t points = 2)
        : a(sofa::test::addState<Vec3Types>(*root, Vector<Vec3>(points, Vec3{0., 0., 1.}))),
          b(sofa::test::addState<Vec3Types>(*second, {{1., 2., 3.}}))
    {
        a.setName("first body");
        b.setName("b");
        root->d_dt.setValue(0.1);
        REQUIRE(sofa::test::initialise(*root));
        simulation = std::make_unique<Simulation>(root);
        for (auto* s : {&a, &b}) s->allocate(vec_id::velocity);
    }
    /// Puts values that no short decimal fraction tells into both.
    void set(int k)
    {
        root->d_time.setValue(0.1 * k);
        const auto x = a.write(vec_id::position);
        const auto v = a.write(vec_id::velocity);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = {1. / (3. + k), std::sqrt(2. + k), -1e-300 * k};
            v[i] = {-0., std::exp(k), 1. / 7.};
        }
        b.write(vec_id::position)[0] = {0.1 * k, std::nextafter(1., 2.), 5e-324};
    }
    std::vector<double> values()
    {
        std::vector<double> all;
        for (const auto* s : {&a, &b})
            for (const auto* vectors : {&s->read(vec_id::position), &s->read(vec_id::velocity)})
                for (const Vec3& v : *vectors) all.insert(all.end(), v.begin(), v.end());
        return all;
    }
};

/// Records times 0, 0.1, ... and returns what was there at each.
std::vector<std::vector<double>> record(const Folder& folder, int frames, const std::string& name = "run.simu")
{
    Scene s;
    s.set(0);
    SimuRecorder recorder(folder / name, folder / "scene.scn", *s.simulation);
    std::vector<std::vector<double>> states{s.values()};
    for (int k = 1; k < frames; ++k) {
        s.set(k);
        recorder.record(*s.simulation);
        states.push_back(s.values());
    }
    CHECK(recorder.frames() == static_cast<std::size_t>(frames));
    recorder.finish();
    return states;
}

std::string contents(const std::string& file)
{
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
}

void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

std::string unpacked(const std::string& file)
{
    gzFile gz = gzopen(file.c_str(), "rb");
    REQUIRE(gz);
    std::string text(100'000, '\0');
    text.resize(static_cast<std::size_t>(gzread(gz, text.data(), static_cast<unsigned>(text.size()))));
    gzclose(gz);
    return text;
}

void writePacked(const std::string& file, const std::string& text)
{
    gzFile gz = gzopen(file.c_str(), "wb");
    REQUIRE(gz);
    REQUIRE(gzwrite(gz, text.data(), static_cast<unsigned>(text.size())) == static_cast<int>(text.size()));
    gzclose(gz);
}

/// What reading a recording says.
std::string failure(const std::string& file)
{
    try {
        const SimuRecording r(file);
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return "it was read";
}

using Catch::Contains;

}  // namespace

TEST_CASE("A recording brings back every bit of positions, velocities and times")
{
    const Folder folder;
    const auto states = record(folder, 4);
    // The text says where the scene is, seen from its own folder, and the times.
    CHECK(contents(folder / "run.simu") ==
          "scene.scn\nInit: 0 End: " + toText(0.1 * 3) + " Dt: 0.1 States: run_states/\n");
    const SimuRecording r(folder / "run.simu");
    CHECK(r.scene() == folder / "scene.scn");
    CHECK(r.dt() == 0.1);
    REQUIRE(r.size() == 4);
    Scene s;
    for (const std::size_t k : {2, 0, 3, 1}) {
        CHECK(r.time(k) == 0.1 * static_cast<double>(k));
        r.show(*s.simulation, k);
        const std::vector<double> now = s.values();
        REQUIRE(now.size() == states[k].size());
        // To the bit: signs of zeros too.
        CHECK(std::memcmp(now.data(), states[k].data(), now.size() * sizeof(double)) == 0);
        CHECK(s.root->time() == r.time(k));
        CHECK(s.simulation->stepCount() == k);
    }
}

TEST_CASE("The frame of a time is the nearest one")
{
    const Folder folder;
    record(folder, 3);
    const SimuRecording r(folder / "run.simu");
    CHECK(r.frameAt(-5.) == 0);
    CHECK(r.frameAt(0.04) == 0);
    CHECK(r.frameAt(0.06) == 1);
    CHECK(r.frameAt(0.1) == 1);
    CHECK(r.frameAt(0.16) == 2);
    CHECK(r.frameAt(99.) == 2);
}

TEST_CASE("The states are those of SOFA's WriteState, compressed, and an older longer recording leaves nothing")
{
    const Folder folder;
    record(folder, 2);
    const std::string states = folder / "run_states";
    CHECK(fs::exists(states + "/0_first_body.txt.gz"));
    CHECK(unpacked(states + "/1_b.txt.gz").starts_with("T= 0\n  X= 0 1.0000000000000002 5e-324\n  V= 0 0 0\nT= 0.1\n"));
    writePacked(states + "/2_gone.txt.gz", "T= 0\n  X= 1\n  V= 1\n");
    write(states + "/notes.txt", "kept");
    record(folder, 3);
    CHECK_FALSE(fs::exists(states + "/2_gone.txt.gz"));
    CHECK(fs::exists(states + "/notes.txt"));
    CHECK(SimuRecording(folder / "run.simu").size() == 3);
}

TEST_CASE("A recording that was not finished is written when its recorder ends")
{
    const Folder folder;
    {
        Scene s;
        const SimuRecorder recorder(folder / "run.simu", folder / "scene.scn", *s.simulation);
        CHECK_FALSE(fs::exists(folder / "run.simu"));
    }
    CHECK(SimuRecording(folder / "run.simu").size() == 1);
}

TEST_CASE("What a recording does not fit is refused, and nothing has changed")
{
    const Folder folder;
    record(folder, 2);
    const SimuRecording r(folder / "run.simu");
    {
        Scene other(3);
        const auto before = other.values();
        CHECK_THROWS_WITH(r.show(*other.simulation, 1), Contains("'first_body'") && Contains("other points"));
        CHECK(other.values() == before);
        CHECK(other.root->time() == 0.);
    }
    Scene s;
    CHECK_THROWS_WITH(r.show(*s.simulation, 2), Contains("no such time"));
    SimuRecorder recorder(folder / "more.simu", folder / "scene.scn", *s.simulation);
    s.root->removeChild(*s.second);
    CHECK_THROWS_WITH(recorder.record(*s.simulation), Contains("other mechanical objects"));
    CHECK_THROWS_WITH(r.show(*s.simulation, 0), Contains("2 mechanical objects, the scene 1"));
    write(folder / "file", "");
    CHECK_THROWS_WITH(SimuRecorder(folder / "file/run.simu", folder / "scene.scn", *s.simulation),
                      Contains("cannot make the folder '" + (folder / "file/run_states/")));
}

TEST_CASE("Damaged recordings are refused with the file and the line", "[input]")
{
    const Folder folder;
    record(folder, 3);
    const std::string simu = folder / "run.simu", good = contents(simu);
    const std::string state = folder / "run_states/1_b.txt.gz", text = unpacked(state);

    CHECK_THAT(failure(folder / "none.simu"), Contains("cannot read '" + (folder / "none.simu") + "'"));
    write(simu, "");
    CHECK_THAT(failure(simu), Contains("cannot read"));
    write(simu, "scene.scn\n");
    CHECK_THAT(failure(simu), Contains("run.simu:2: 'States:'"));
    write(simu, "scene.scn\nInit: 0 End: 1 Dt: nothing States: run_states/\n");
    CHECK_THAT(failure(simu), Contains("run.simu:2: 'Dt:' needs a time step > 0, not 'nothing'"));
    for (const std::string dt : {"0", "-1", "nan"}) {
        write(simu, "scene.scn\nDt: " + dt + " States: run_states/\n");
        CHECK_THAT(failure(simu), Contains("run.simu:2: 'Dt:' needs a time step > 0"));
    }
    write(simu, "scene.scn\nDt: 0.1 States: elsewhere/\n");
    CHECK_THAT(failure(simu), Contains("elsewhere") && Contains("is missing"));
    fs::create_directories(folder / "empty");
    write(simu, "scene.scn\nDt: 0.1 States: empty/\n");
    CHECK_THAT(failure(simu), Contains("holds no states"));
    write(simu, good);
    CHECK(failure(simu) == "it was read");

    // The states: a letter in a number, lines out of order, an end within a time, other times.
    const auto damaged = [&](const std::string& content) {
        writePacked(state, content);
        return failure(simu);
    };
    CHECK_THAT(damaged("T= 0\n  X= 1 2 3\n  V= 0 0 zero\n"), Contains("1_b.txt.gz:3: expected a number, found 'zero'"));
    CHECK_THAT(damaged("T= 0\n  V= 0 0 0\n  V= 0 0 0\n"), Contains("1_b.txt.gz:3: expected 'T= time', a time has one"));
    CHECK_THAT(damaged("T= 0 1\n"), Contains("1_b.txt.gz:1: expected 'T= time'"));
    CHECK_THAT(damaged("hello\n"), Contains("1_b.txt.gz:1"));
    CHECK_THAT(damaged(text.substr(0, text.rfind("  V="))), Contains("'X= ...' and 'V= ...' were expected below"));
    CHECK_THAT(damaged(text.substr(0, text.rfind("T="))), Contains("1_b.txt.gz' has other times"));
    CHECK_THAT(damaged(""), Contains("has other times"));
    CHECK(damaged(text) == "it was read");
    // A file that was cut off while it was compressed.
    const std::string packed = contents(state);
    for (const std::size_t size : {packed.size() - 4, packed.size() / 2, std::size_t{12}}) {
        write(state, packed.substr(0, size));
        CHECK_THAT(failure(simu), Contains("1_b.txt.gz"));
    }
}

}  // namespace simu_file_test
