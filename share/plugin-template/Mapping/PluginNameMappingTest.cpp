// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameMapping.h"

#include <catch2/catch.hpp>

#include "tests/harness/MappingCheck.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;

namespace {

/// Points, and a node below with the points that follow them.
struct Scene
{
    core::Node root{"root"};
    test::TestState<core::Vec3Types>& input =
        test::addState<core::Vec3Types>(root, {{1., 2., -1.}, {0.3, -0.2, 0.7}, {4., 0., 0.}});
    test::TestState<core::Vec3Types>* output = nullptr;
    core::BaseMapping* mapping = nullptr;

    explicit Scene(const test::Attributes& attributes)
    {
        const auto below = std::make_shared<core::Node>("below");
        root.addChild(below);
        output = &test::addState<core::Vec3Types>(*below, core::Vector<core::Vec3>(3));
        mapping = &test::addComponent<core::BaseMapping>(*below, "PluginNameMapping", attributes);
        REQUIRE(test::initialise(root));
    }
};

}  // namespace

TEST_CASE("PluginNameMapping: positions are known in closed form")
{
    Scene scene({{"amount", "0.5"}, {"center", "1 0 0"}, {"direction", "0 0 2"}});
    const core::Vec3 x = scene.output->d_position.value()[2];
    CHECK(x[0] == 4.);
    CHECK(x[1] == 0.);
    CHECK(x[2] == Approx(9.));  // 0.5 · 3² · 2
}

TEST_CASE("PluginNameMapping: positions, Jacobian and geometric stiffness belong together")
{
    const Scene scene(test::Attributes{{"amount", "0.3"}});
    test::checkMapping(*scene.mapping);
}
