// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "core/Installation.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "core/visitor/ExecutionPlan.h"

using namespace sofa::core;
namespace fs = std::filesystem;

TEST_CASE("All presets of the Modeler load, start and run", "[scenes]")
{
    std::vector<fs::path> presets;
    for (const auto& entry : fs::directory_iterator(shareDirectory() / "presets")) presets.push_back(entry.path());
    std::ranges::sort(presets);
    REQUIRE(presets.size() >= 8);
    for (const fs::path& preset : presets) {
        INFO(preset);
        LoadReport report;
        const MessageCapture messages;
        Simulation simulation(loadScene(preset.string(), {.strict = true}, &report));
        INFO(messages.text());
        REQUIRE(report.ok());
        REQUIRE(simulation.init());
        const auto states = ExecutionPlan::of(simulation.root()).independentStates();
        std::vector<double> before, after;
        const auto read = [&](std::vector<double>& out) {
            for (const BaseState* s : states) {
                out.resize(out.size() + s->size() * s->coordSize());
                s->getScalars(vec_id::position, out.data() + out.size() - s->size() * s->coordSize());
            }
        };
        read(before);
        for (int i = 0; i < 20; ++i) simulation.step();
        read(after);
        CHECK(std::ranges::all_of(after, [](double x) { return std::isfinite(x) && std::abs(x) < 100.; }));
        // All but the empty one move.
        CHECK((states.empty() || before != after));
        CHECK(messages.count(Severity::Error) == 0);
        CHECK(messages.count(Severity::Warning) == 0);
    }
}
