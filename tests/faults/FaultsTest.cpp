// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// What the system refuses: memory, room on the disk, the end of a file. Wherever it happens there is an error, and
// nothing that was there before is lost.
#include <catch2/catch.hpp>
#include <fstream>

#include "core/behavior/State.h"
#include "core/io/MeshError.h"
#include "core/io/MeshReader.h"
#include "core/parallel/Parallel.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Checkpoint.h"
#include "core/simulation/SimuFile.h"
#include "core/simulation/Simulation.h"
#include "tests/faults/Faults.h"
#include "tests/harness/Paths.h"

namespace faults_test {

using namespace sofa::core;
using namespace sofa::test;
namespace fs = std::filesystem;

namespace {

const std::string mesh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
    "$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 2 2 2 3 4 5\n$EndElements\n";

std::string sceneOf(const fs::path& meshFile)
{
    return "<Node name='root' dt='0.01'><EulerImplicitSolver/><CGLinearSolver/><MeshGmshLoader name='loader' "
           "filename='" +
           meshFile.string() +
           "'/><TetrahedronSetTopologyContainer src='@loader'/><MechanicalObject name='x'/><DiagonalMass "
           "massDensity='1'/>"
           "<TetrahedronFEMForceField youngModulus='100'/><FixedProjectiveConstraint indices='0'/></Node>";
}

std::string bytesOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Times and positions, exactly.
std::string stateOf(const Simulation& s)
{
    std::string text = std::to_string(const_cast<Simulation&>(s).root().time());
    for (const Vec3& p : const_cast<Simulation&>(s).root().get<State<Vec3Types>>(Search::Local)->positions())
        text += ' ' + toText(p);
    return text;
}

/// Runs `attempt` with the n-th call failing, for n = 0, stride, 2 stride, ... until it succeeds because no n-th call
/// comes. `after` looks at what a failure left; it gets whether there was one. Returns how often there was.
std::size_t failEach(Fault::Kind kind, std::size_t stride, const std::function<void()>& attempt,
                     const std::function<void(bool failed)>& after)
{
    std::size_t failures = 0;
    for (std::size_t n = 0;; n += stride) {
        bool failed = false, happened = false;
        {
            const MessageCapture silence;
            try {
                const Fault fault(kind, n);
                attempt();
            } catch (const std::bad_alloc&) {
                failed = true;
            } catch (const std::runtime_error& e) {
                failed = true;
            }
            happened = Fault::happened();
        }
        INFO("call " << n);
        after(failed);
        failures += failed;
        if (!happened) {
            CHECK(!failed);
            return failures;
        }
    }
}

/// The same with files that get no longer than n bytes.
std::size_t failAtEachByte(std::size_t stride, const std::function<void()>& attempt,
                           const std::function<void(bool failed)>& after)
{
    std::size_t failures = 0;
    for (std::size_t n = 0;; n += stride) {
        bool failed = false;
        {
            const MessageCapture silence;
            try {
                const Fault fault(Fault::Kind::Write, n);
                attempt();
            } catch (const std::runtime_error&) {
                failed = true;
            }
        }
        INFO("room for " << n << " bytes");
        after(failed);
        failures += failed;
        if (!failed) return failures;
    }
}

/// What writes a file, in the place of an older one.
struct Writer
{
    std::string name;
    std::function<void(const fs::path&)> write;
};

void checkThatNothingIsLost(const Writer& w, std::size_t stride)
{
    INFO(w.name);
    const TemporaryDirectory tmp;
    const fs::path file = tmp / w.name;
    w.write(file);
    const std::string whole = bytesOf(file);
    REQUIRE(!whole.empty());
    const std::string old = "what was there before";
    std::vector<std::string> names;
    const auto begin = [&] {
        tmp.write(w.name, old);
        names = tmp.files();
    };
    const auto after = [&](bool failed) {
        // The new file may be complete when memory ends.
        const std::string now = bytesOf(file);
        CHECK((now == whole || (failed && now == old)));
        CHECK(tmp.files() == names);
        begin();
    };
    const auto attempt = [&] { w.write(file); };
    begin();
    CHECK(failAtEachByte(1, attempt, after) >= 2);
    CHECK(failEach(Fault::Kind::Sync, 1, attempt, after) >= 1);
    CHECK(failEach(Fault::Kind::Rename, 1, attempt, after) >= 1);
    CHECK(failEach(Fault::Kind::Allocation, stride, attempt, after) >= 2);
}

void checkWriters(std::size_t stride)
{
    setThreadCount(1);
    const TemporaryDirectory tmp;
    Simulation s(loadSceneText(sceneOf(tmp.write("mesh.msh", mesh)), "faults.scn"));
    REQUIRE(s.init());
    s.step();
    const io::MeshData data = io::parseMesh({"mesh.msh", mesh});
    checkThatNothingIsLost({"state.checkpoint", [&](const fs::path& f) { saveCheckpoint(s, f.string()); }}, stride);
    for (const char* extension : {".msh", ".msh4", ".vtk", ".vtu", ".ply", ".obj", ".mesh"})
        checkThatNothingIsLost({std::string("mesh") + extension, [&](const fs::path& f) { io::writeMesh(f, data); }},
                               stride);
    // The simulation goes on.
    s.step();
}

void checkLoading(std::size_t stride)
{
    setThreadCount(1);
    const TemporaryDirectory tmp;
    const std::string scene = sceneOf(tmp.write("mesh.msh", mesh));
    std::string expected;
    std::string found;
    const auto attempt = [&] {
        found.clear();
        LoadReport report;
        Simulation s(loadSceneText(scene, "faults.scn", {}, &report));
        if (!report.ok()) throw std::runtime_error("errors while loading");
        if (!s.init()) throw std::runtime_error("errors in the beginning");
        s.step();
        found = stateOf(s);
    };
    attempt();
    expected = found;
    // An allocation that fails is an error; what loads next is whole.
    const std::size_t failures = failEach(Fault::Kind::Allocation, stride, attempt, [&](bool failed) {
        if (!failed) CHECK(found == expected);
    });
    CHECK(failures > 10);
    attempt();
    CHECK(found == expected);
}

void checkRestoring(std::size_t stride)
{
    setThreadCount(1);
    const TemporaryDirectory tmp;
    const std::string scene = sceneOf(tmp.write("mesh.msh", mesh)), file = (tmp / "state.checkpoint").string();
    const auto begin = [&] {
        auto s = std::make_unique<Simulation>(loadSceneText(scene, "faults.scn"));
        REQUIRE(s->init());
        return s;
    };
    auto s = begin();
    s->step();
    saveCheckpoint(*s, file);
    const std::string saved = stateOf(*s), whole = bytesOf(file);
    s = begin();
    const std::string before = stateOf(*s);
    REQUIRE(before != saved);
    // Cut off anywhere, the file is refused, and the simulation is where it was.
    for (std::size_t n = 0; n < whole.size(); ++n) {
        tmp.write("cut.checkpoint", std::string_view(whole).substr(0, n));
        INFO(n << " of " << whole.size() << " bytes");
        CHECK_THROWS_AS(loadCheckpoint(*s, (tmp / "cut.checkpoint").string()), std::runtime_error);
        CHECK(stateOf(*s) == before);
    }
    const std::size_t failures = failEach(
        Fault::Kind::Allocation, stride, [&] { loadCheckpoint(*s, file); },
        [&](bool failed) {
            CHECK(stateOf(*s) == (failed ? before : saved));
            s = begin();
        });
    CHECK(failures > 2);
    loadCheckpoint(*s, file);
    CHECK(stateOf(*s) == saved);
}

void checkCutMeshes()
{
    const TemporaryDirectory tmp;
    const io::MeshData data = io::parseMesh({"mesh.msh", mesh});
    for (const char* extension : {".msh", ".msh4", ".vtk", ".vtu", ".mesh", ".obj", ".stl", ".ply", ".off"}) {
        const fs::path file = tmp / (std::string("mesh") + extension);
        try {
            io::writeMesh(file, data);
        } catch (const io::MeshError&) {
            io::writeMesh(file,
                          io::parseMesh({"s.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0.5\n3 0 1 2\n3 1 3 2\n"}));
        }
        const std::string whole = bytesOf(file);
        std::size_t refused = 0;
        for (std::size_t n = 0; n < whole.size(); ++n) {
            try {
                io::parseMesh({file.string(), whole.substr(0, n)});
            } catch (const io::MeshError&) {
                ++refused;
            }
        }
        INFO(extension);
        // Files of lines that have no end, and tell no number of lines, are read as far as they go.
        const bool isOpen = std::string_view(extension) == ".obj";
        CHECK(refused > (isOpen ? 0 : whole.size() / 4));
    }
}

}  // namespace

// Every seventeenth allocation here, each one nightly.
TEST_CASE("Writing that fails at any place leaves the old file") { checkWriters(17); }
TEST_CASE("Writing that fails at any place leaves the old file: each allocation", "[nightly]") { checkWriters(1); }
TEST_CASE("Loading that lacks memory anywhere is an error and the next one is whole") { checkLoading(97); }
TEST_CASE("Loading that lacks memory anywhere is an error: each allocation", "[nightly]") { checkLoading(1); }
TEST_CASE("A checkpoint that is cut off or lacks memory leaves the simulation as it was") { checkRestoring(7); }
TEST_CASE("A checkpoint that lacks memory anywhere leaves the simulation as it was: each allocation", "[nightly]")
{
    checkRestoring(1);
}
TEST_CASE("Meshes that are cut off anywhere are refused or read") { checkCutMeshes(); }

}  // namespace faults_test
