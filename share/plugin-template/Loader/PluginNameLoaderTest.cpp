// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameLoader.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/harness/TestGraph.h"

using namespace sofa;
using component::PluginNameLoader;

namespace {

PluginNameLoader& load(core::Node& root, const std::string& text, const test::Attributes& more = {})
{
    std::ofstream("PluginNameLoaderTest.txt") << text;
    test::Attributes attributes{{"filename", "PluginNameLoaderTest.txt"}};
    attributes.insert(attributes.end(), more.begin(), more.end());
    return test::addComponent<PluginNameLoader>(root, "PluginNameLoader", attributes);
}

}  // namespace

TEST_CASE("PluginNameLoader: reads points")
{
    core::Node root("root");
    auto& loader = load(root, "# two points\n1 2 3\n\n-1 0 0.5 # the last\n", {{"scale", "2"}});
    REQUIRE(test::initialise(root));
    CHECK(*loader.d_position == core::Vector<core::Vec3>{{2., 4., 6.}, {-2., 0., 1.}});
}

TEST_CASE("PluginNameLoader: what is wrong has its place")
{
    core::Node root("root");
    load(root, "1 2 3\n1 2\n");
    const core::MessageCapture capture;
    CHECK_FALSE(test::initialise(root));
    CHECK(capture.has(core::Severity::Error, "PluginNameLoaderTest.txt:2: expected"));
}
