// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNamePairMapping.h"

#include <catch2/catch.hpp>

#include "tests/harness/MappingCheck.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;
using core::Vec3;

namespace {

/// Two states, and one with the points between them.
struct Scene
{
    core::Node root{"root"};
    std::shared_ptr<core::Node> a = add("a"), b = add("b"), between = add("between");
    test::TestState<core::Vec3Types>& output;
    core::BaseMapping* mapping = nullptr;

    explicit Scene(core::Vector<Vec3> other = {{0., 2., 0.}, {4., 0., 2.}})
        : output(test::addState<core::Vec3Types>(*between, core::Vector<Vec3>(2)))
    {
        test::addState<core::Vec3Types>(*a, {{1., 0., 0.}, {0., 0., -2.}}).setName("dofs");
        test::addState<core::Vec3Types>(*b, std::move(other)).setName("dofs");
        mapping = &test::addComponent<core::BaseMapping>(
            *between, "PluginNamePairMapping", {{"input1", "@/a/dofs"}, {"input2", "@/b/dofs"}, {"weight", "0.25"}});
    }

private:
    std::shared_ptr<core::Node> add(const std::string& name)
    {
        auto n = std::make_shared<core::Node>(name);
        root.addChild(n);
        return n;
    }
};

}  // namespace

TEST_CASE("PluginNamePairMapping: positions are known in closed form")
{
    Scene scene;
    REQUIRE(test::initialise(scene.root));
    CHECK(scene.output.d_position.value() == core::Vector<Vec3>{{0.75, 0.5, 0.}, {1., 0., -1.}});
}

TEST_CASE("PluginNamePairMapping: positions and both Jacobians belong together")
{
    Scene scene;
    REQUIRE(test::initialise(scene.root));
    test::checkMapping(*scene.mapping, {.translates = true});
}

TEST_CASE("PluginNamePairMapping: inputs of different sizes are refused")
{
    Scene scene({{0., 0., 0.}});
    const core::MessageCapture capture;
    CHECK_FALSE(test::initialise(scene.root));
    CHECK(capture.has(core::Severity::Error, "its inputs have 2 and 1 points"));
}
