// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNameOperator.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;

namespace {

/// A node with four points and the force field, initialised.
struct Scene
{
    core::Node root{"root"};
    test::TestState<core::Vec3Types>& state = root.create<test::TestState<core::Vec3Types>>();
    component::PluginNameOperator* forceField = nullptr;

    Scene()
    {
        state.setPositions({{0., 0., 0.}, {1., 0.5, 0.}, {2., 0., -0.3}, {2.5, 1., 0.}});
        forceField =
            &test::addComponent<component::PluginNameOperator>(root, "PluginNameOperator", {{"stiffness", "3"}});
        REQUIRE(test::initialise(root));
    }
};

}  // namespace

TEST_CASE("PluginNameOperator: force, energy and stiffness belong together")
{
    const Scene scene;
    test::checkForceField(*scene.forceField);
}

TEST_CASE("PluginNameOperator: the product is that of masses, stiffness and fixed scalars")
{
    const Scene scene;
    core::MatrixFreeOperator& product = *scene.forceField->matrixFreeOperator();
    product.prepare({.stiffness = -0.5, .pointMass = {1., 2., 3., 4.}, .fixed = {0, 1, 2}});
    REQUIRE(product.size() == 12);
    core::Vector<double> x(12, 0.), y(12, 7.);
    x[3] = 1.;  // the second point along x: A x = 2 + 0.5 · 3 · 2 at itself, −0.5 · 3 at the third, nothing at the
                // fixed first
    CHECK(product.multiply(x, y) == Approx(5.));
    core::Vector<double> expected(12, 0.);
    expected[3] = 5.;
    expected[6] = -1.5;
    for (std::size_t i = 0; i < 12; ++i) CHECK(y[i] == Approx(expected[i]).margin(1e-15));
}
