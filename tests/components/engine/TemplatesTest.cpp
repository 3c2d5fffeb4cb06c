// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/harness/Paths.h"
#include "tests/harness/Skip.h"
#include "tests/harness/TestGraph.h"

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("engines have the templates that SOFA has, by its names", "[oracle]")
{
    const auto oracle = oracleDirectory();
    if (!oracle) return skip("no reference data");
    const auto components = nlohmann::json::parse(std::ifstream(*oracle / "components.json"));
    std::size_t engines = 0;
    for (const auto& [name, component] : components.items()) {
        if (component["module"].get<std::string>().find(".Engine") == std::string::npos) continue;
        ++engines;
        for (const auto& given : component["templates"]) {
            const auto templ = given.get<std::string>();
            INFO(name << " " << templ);
            const auto entry = Registry::instance().find(name);
            REQUIRE(entry);
            Node root("root");
            std::string why;
            try {
                addComponent(root, name, {{"template", templ}});
            } catch (const CreationError& e) {
                why = e.what();  // some need a state, and say so
            }
            CHECK_THAT(why, !Catch::Matchers::Contains("has no template"));
        }
    }
    CHECK(engines > 60);
}
