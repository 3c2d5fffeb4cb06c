// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SceneStatistics.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "core/scene/SceneLoader.h"
#include "tests/harness/Paths.h"

namespace scene_statistics_test {

namespace {

using namespace sofa::core;
namespace fs = std::filesystem;

/// Two balls of 2 kg, the upper one 0.1 m in the lower, fixed one.
constexpr const char* balls = R"(
<Node name="root" dt="0.01" gravity="0 -10 0">
  <CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/>
  <DiscreteIntersection/><CollisionResponse response="PenalityContactForceField"/>
  <Node name="upper">
    <EulerExplicitSolver/>
    <MechanicalObject name="dofs" position="0 1.9 0" velocity="0 -1 0"/>
    <UniformMass totalMass="2"/>
    <SphereCollisionModel name="ball" radius="1"/>
  </Node>
  <Node name="lower">
    <MechanicalObject name="dofs" position="0 0 0"/>
    <SphereCollisionModel name="ball" radius="1" moving="0" simulated="0"/>
  </Node>
</Node>)";

std::shared_ptr<Simulation> load()
{
    auto sim = std::make_shared<Simulation>(loadSceneText(balls, "balls.scn"));
    REQUIRE(sim->init());
    return sim;
}

std::vector<double> lastLine(const fs::path& file)
{
    std::ifstream in(file);
    std::string line, last;
    while (std::getline(in, line)) last = line;
    std::istringstream numbers(last);
    std::vector<double> out;
    for (double v; numbers >> v;) out.push_back(v);
    return out;
}

}  // namespace

TEST_CASE("The inventory counts primitives and contacts")
{
    const auto sim = load();
    CollisionInventory before = takeCollisionInventory(sim->root());
    REQUIRE(before.models.size() == 2);
    CHECK(before.models[0].path == "/upper/ball");
    CHECK(before.models[0].className == "SphereCollisionModel");
    CHECK(before.models[0].primitives == 1);
    CHECK(before.models[0].moving);
    CHECK_FALSE(before.models[1].moving);
    CHECK_FALSE(before.models[1].simulated);
    CHECK(before.primitives.size() == 1);
    CHECK(before.primitives.begin()->second == 2);
    CHECK(before.pairs.empty());

    sim->step();
    const CollisionInventory after = takeCollisionInventory(sim->root());
    REQUIRE(after.pairs.size() == 1);
    CHECK(after.contacts == 1);
    CHECK(after.models[0].contacts == 1);
    CHECK(after.models[1].contacts == 1);
    CHECK(after.pairs[0].nearest == Approx(-0.1));
}

TEST_CASE("The state as text holds positions and velocities of every state")
{
    const auto sim = load();
    const std::string text = stateText(*sim);
    CHECK(text.starts_with("# step 0, time 0 s\n/upper/dofs Vec3 1\nx 0 1.9 0\nv 0 -1 0\n"));
    CHECK(text.find("/lower/dofs Vec3 1\nx 0 0 0\nv 0 0 0\n") != std::string::npos);
}

TEST_CASE("Files for gnuplot hold a line for each step")
{
    const auto sim = load();
    const sofa::test::TemporaryDirectory scratch;
    const fs::path folder = scratch / "new";
    {
        GnuplotExporter exporter(folder.string());
        exporter.write(*sim);
        CHECK(lastLine(folder / "upper_dofsx.txt") == std::vector<double>{0., 0., 1.9, 0.});
        CHECK(lastLine(folder / "upper_dofsv.txt") == std::vector<double>{0., 0., -1., 0.});
        CHECK(lastLine(folder / "upper_dofsEnergy.txt")[1] == Approx(0.5 * 2. * 1.));
        sim->step();
        exporter.write(*sim);
    }
    const std::vector<double> energy = lastLine(folder / "Energy.txt");
    REQUIRE(energy.size() == 4);
    CHECK(energy[0] == 0.01);
    CHECK(energy[1] == sim->energy().kinetic);
    CHECK(energy[2] == sim->energy().potential);
    CHECK(energy[3] == energy[1] + energy[2]);
    CHECK(lastLine(folder / "upper_dofsx.txt")[2] < 1.9);
    CHECK_FALSE(fs::exists(folder / "upper_ballx.txt"));
    const fs::path file = scratch.write("file", "no folder");
    CHECK_THROWS_WITH(GnuplotExporter(file.string()), Catch::Contains(file.string()));
}

}  // namespace scene_statistics_test
