// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/Checkpoint.h"

#include <catch2/catch.hpp>

#include "core/behavior/BaseForceField.h"
#include "core/behavior/State.h"
#include "core/scene/SceneLoader.h"
#include "tests/harness/Paths.h"

using namespace sofa::core;

TEST_CASE("a checkpoint of a scene with another number of points is refused before anything changes")
{
    const auto load = [](const std::string& n) {
        return loadSceneText(
            "<Node name='root' dt='0.01' gravity='0 0 -10'><EulerExplicitSolver/><RegularGridTopology "
            "name='grid' n='" +
                n +
                "' min='0 0 0' max='1 1 1'/><MechanicalObject name='dofs'/><UniformMass "
                "totalMass='1'/></Node>",
            "grid.scn");
    };
    const sofa::test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "run.checkpoint").string();
    Simulation coarse(load("3 3 3"));
    REQUIRE(coarse.init());
    for (int i = 0; i < 5; ++i) coarse.step();
    saveCheckpoint(coarse, file);

    Simulation fine(load("4 3 3"));
    REQUIRE(fine.init());
    fine.step();
    const auto* s = fine.root().get<State<Vec3Types>>(Search::Down);
    const auto before = s->positions();
    CHECK_THROWS_WITH(loadCheckpoint(fine, file), Catch::Contains("belongs to another scene: it holds /dofs") &&
                                                      Catch::Contains("with 27 points where this one has") &&
                                                      Catch::Contains("with 36 points"));
    CHECK(s->positions() == before);
    CHECK(fine.root().time() == Approx(0.01));
    fine.step();

    // Another time step or mass is refused, unless the command line gives it.
    const auto attempt = [&](const std::string& name, const auto& change) {
        auto root = load("3 3 3");
        change(*root);
        Simulation other(root);
        REQUIRE(other.init());
        const std::string message = "belongs to another scene: it was made with " + name;
        if (root->d_dt.location.isOption())
            CHECK_NOTHROW(loadCheckpoint(other, file));
        else
            CHECK_THROWS_WITH(loadCheckpoint(other, file), Catch::Contains(message));
    };
    const auto setDt = [](Node& root) { root.d_dt.setValue(0.02); };
    attempt("dt=\"0.01\" where this one has \"0.02\"", setDt);
    attempt("gravity", [](Node& root) { root.d_gravity.setValue({0., 0., 10.}); });
    attempt("/UniformMass1 (UniformMass Vec3) totalMass=\"1\"", [](Node& root) {
        std::string error;
        REQUIRE(root.get<BaseForceField>(Search::Down)->findData("totalMass")->read("2", error));
    });
    attempt("dt", [&](Node& root) {
        setDt(root);
        root.d_dt.location = {std::make_shared<const std::string>("--dt"), 0, 0};
    });

    Simulation same(load("3 3 3"));
    REQUIRE(same.init());
    loadCheckpoint(same, file);
    CHECK(same.root().get<State<Vec3Types>>(Search::Down)->positions() ==
          coarse.root().get<State<Vec3Types>>(Search::Down)->positions());
}
