// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "core/behavior/BaseState.h"
#include "core/factory/Registry.h"
#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyChange.h"
#include "core/topology/TopologyView.h"
#include "tests/harness/Paths.h"

namespace followers_test {

using namespace sofa::core;

namespace {

/// Whether changes of a mesh concern a component by one of its links, and it does not say how it follows.
bool refusesByDefault(Component& c)
{
    if (dynamic_cast<TopologyFollower*>(&c) || dynamic_cast<BaseState*>(&c) || dynamic_cast<BaseMeshTopology*>(&c) ||
        dynamic_cast<TopologicalMapping*>(&c))
        return false;
    for (const BaseLink* l : c.links()) {
        const std::string target = l->targetTypeName();
        if (dynamic_cast<const TopologyView*>(l)) continue;
        if (target.find("state") != std::string::npos || target.starts_with("MechanicalObject") || target == "topology")
            return true;
    }
    return false;
}

}  // namespace

TEST_CASE("The manual names the components that refuse changes of a mesh because they do not follow")
{
    std::set<std::string> refusing;
    for (const auto& entry : Registry::instance().entries())
        for (const auto& creator : entry->creators)
            if (refusesByDefault(*creator.create())) refusing.insert(entry->name);
    std::ostringstream text;
    text << std::ifstream(sofa::test::sourceDirectory() / "docs" / "topology.md").rdbuf();
    const std::string manual = text.str();
    const std::size_t begin = manual.find("## What refuses"), end = manual.find("\n## ", begin + 1);
    REQUIRE(begin != std::string::npos);
    std::set<std::string> named;
    const std::regex name("`([A-Z][A-Za-z0-9]+)`");
    std::istringstream section(manual.substr(begin, end - begin));
    for (std::string line; std::getline(section, line);) {
        if (!line.starts_with("| `")) continue;
        line.resize(line.find(" | "));
        for (std::sregex_iterator it(line.begin(), line.end(), name), last; it != last; ++it) named.insert((*it)[1]);
    }
    std::string all;
    for (const std::string& n : refusing) all += " " + n;
    INFO("refusing:" << all);
    CHECK(named == refusing);
}

}  // namespace followers_test
