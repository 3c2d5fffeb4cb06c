// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;

namespace {

/// A node with points and the force field, initialised.
struct Scene
{
    core::Node root{"root"};
    test::TestState<core::Vec3Types>& state = root.create<test::TestState<core::Vec3Types>>();
    core::BaseForceField* forceField = nullptr;

    explicit Scene(const test::Attributes& attributes)
    {
        state.setPositions({{1., 2., -1.}, {0.3, -0.2, 0.7}, {4., 0., 0.}});
        forceField = dynamic_cast<core::BaseForceField*>(&test::addComponent(root, "PluginNameForceField", attributes));
        REQUIRE(test::initialise(root));
    }
};

}  // namespace

TEST_CASE("PluginNameForceField: the force is known in closed form")
{
    Scene scene({{"stiffness", "2"}, {"center", "1 0 0"}});
    scene.forceField->addForce(core::MechanicalParams(), core::vec_id::force);
    const core::Vec3 f = scene.state.d_force.value()[2];
    CHECK(f[0] == Approx(-54.));  // −2 · 3³
    CHECK(f[1] == 0.);
    CHECK(f[2] == 0.);
}

TEST_CASE("PluginNameForceField: force, energy and stiffness belong together")
{
    const Scene scene(test::Attributes{{"stiffness", "3"}});
    test::checkForceField(*scene.forceField);
}
