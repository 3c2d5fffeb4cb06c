// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameEngine.h"

#include <catch2/catch.hpp>

#include "tests/harness/TestGraph.h"

using namespace sofa;
using component::PluginNameEngine;

TEST_CASE("PluginNameEngine: distances are those of the points")
{
    core::Node root("root");
    auto& engine = test::addComponent<PluginNameEngine>(root, "PluginNameEngine",
                                                        {{"position", "3 4 0  1 0 0"}, {"center", "0 0 0"}});
    REQUIRE(test::initialise(root));
    CHECK(*engine.d_distance == core::Vector<double>{5., 1.});
    CHECK(*engine.d_largest == 5.);
}

TEST_CASE("PluginNameEngine: an input that changes changes the outputs")
{
    core::Node root("root");
    auto& engine = test::addComponent<PluginNameEngine>(root, "PluginNameEngine", {{"position", "3 4 0"}});
    REQUIRE(test::initialise(root));
    CHECK(*engine.d_largest == 5.);
    const std::size_t before = engine.d_largest.counter();
    CHECK(engine.d_largest.counter() == before);  // nothing is computed twice
    engine.d_center.setValue({3., 4., 2.});
    CHECK(*engine.d_largest == 2.);
    engine.d_position.setValue({});
    CHECK(*engine.d_largest == 0.);
}
