// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/playback/Monitor.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/harness/DrawCheck.h"
#include "tests/harness/Paths.h"

namespace monitor_test {

using namespace sofa::core;
using namespace sofa::component;
namespace fs = std::filesystem;

namespace {

/// What the files' names begin with.
const std::string& base()
{
    static const sofa::test::TemporaryDirectory folder;
    static const std::string name = (folder / "monitor").string();
    return name;
}

std::string scene(const std::string& attributes)
{
    return "<Node name='root' gravity='0 -10 0' dt='0.01'><EulerImplicitSolver/><CGLinearSolver/><Node name='body'>"
           "<MechanicalObject name='dofs' position='0 0 0  1 2 3'/><UniformMass name='mass' totalMass='4'/>"
           "<Monitor name='monitor' fileName='" +
           base() + "' " + attributes + "/></Node></Node>";
}

/// The numbers of the lines of a file, without comments.
std::vector<std::vector<double>> table(const std::string& ending)
{
    std::vector<std::vector<double>> rows;
    std::ifstream in(base() + ending);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        rows.emplace_back();
        for (double v = 0.; words >> v;) rows.back().push_back(v);
    }
    return rows;
}

}  // namespace

TEST_CASE("Monitor writes what points do, and probes, after each step")
{
    Simulation sim(loadSceneText(scene("indices='1' ExportPositions='1' ExportVelocities='1' ExportForces='1' "
                                       "probes='mass.kineticEnergy /body/dofs.velocity:norm:max'"),
                                 "monitor.scn"));
    REQUIRE(sim.init());
    for (int i = 0; i < 3; ++i) sim.step();
    const auto x = table("_x.txt"), v = table("_v.txt"), f = table("_f.txt"), p = table("_p.txt");
    REQUIRE(x.size() == 3);
    REQUIRE(x[2].size() == 4);
    CHECK(x[2][0] == Approx(0.03));
    CHECK(x[2][1] == 1.);
    CHECK(x[2][2] == Approx(2. - 10. * 0.01 * 0.01 * (1 + 2 + 3)));
    REQUIRE(v.size() == 3);
    CHECK(v[2][2] == Approx(-0.3));
    REQUIRE(f.size() == 3);
    CHECK(f[2] == std::vector<double>{v[2][0], 0., -20., 0.});
    REQUIRE(p.size() == 3);
    REQUIRE(p[2].size() == 3);
    CHECK(p[2][1] == Approx(0.5 * 4. * 0.09));
    CHECK(p[2][2] == Approx(0.3));
    // After a reset the files begin anew.
    sim.reset();
    sim.step();
    CHECK(table("_x.txt").size() == 1);
}

TEST_CASE("Monitor writes only what is asked for, and refuses points that are not there")
{
    Simulation sim(loadSceneText(scene("indices='0 1' ExportVelocities='1'"), "monitor.scn"));
    REQUIRE(sim.init());
    sim.step();
    CHECK(fs::exists(base() + "_v.txt"));
    CHECK(table("_v.txt")[0].size() == 7);
    for (const char* ending : {"_x.txt", "_f.txt", "_p.txt"}) CHECK_FALSE(fs::exists(base() + ending));
    CHECK_FALSE(Simulation(loadSceneText(scene("indices='2'"), "monitor.scn")).init());
    CHECK_FALSE(Simulation(loadSceneText(scene("probes='nothing'"), "monitor.scn")).init());
    Simulation late(loadSceneText(scene("probes='mass.colour'"), "monitor.scn"));
    REQUIRE(late.init());
    CHECK_THROWS_WITH(late.step(), Catch::Contains("has no data 'colour'"));
}

}  // namespace monitor_test
