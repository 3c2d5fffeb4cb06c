// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameInside.h"

#include <catch2/catch.hpp>

#include "tests/harness/TestGraph.h"

using namespace sofa;
using component::PluginNameInside;
using component::PluginNameInterval;

TEST_CASE("PluginNameInside: points are counted in each interval")
{
    core::Node root("root");
    auto& inside = test::addComponent<PluginNameInside>(
        root, "PluginNameInside", {{"position", "0 0.5 0  0 2 0  0 2.5 0"}, {"heights", "0 : 1  2 : 3"}});
    REQUIRE(test::initialise(root));
    CHECK(*inside.d_counts == core::Vector<core::Index>{1, 2});
}

TEST_CASE("PluginNameInterval: text, links and what is no interval")
{
    core::Data<core::Vector<PluginNameInterval>> a(nullptr, {.name = "a", .help = "Some"}),
        b(nullptr, {.name = "b", .help = "Others"});
    std::string error;
    REQUIRE(a.read("0 : 1.5", error));
    CHECK(a.text() == "0 : 1.5");
    CHECK(a.typeName() == "list of interval");
    b.linkTo(a);
    CHECK(*b == core::Vector<PluginNameInterval>{{0., 1.5}});
    core::Data<PluginNameInterval> one(nullptr, {.name = "one", .help = "One"});
    CHECK_FALSE(one.read("2 : 1", error));
    CHECK(error.find("an upper end that is not below the lower one") != std::string::npos);
    CHECK_FALSE(one.read("2 1", error));
    CHECK(error.find("':' between the ends") != std::string::npos);
}
