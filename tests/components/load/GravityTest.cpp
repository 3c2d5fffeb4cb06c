// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/Gravity.h"

#include <catch2/catch.hpp>

#include "core/objectmodel/Node.h"
#include "tests/harness/TestGraph.h"

using namespace sofa;
using namespace sofa::core;

TEST_CASE("Gravity holds in its node and below it")
{
    Node root;
    root.d_gravity.setValue({0., -9.81, 0.});
    auto& moon = *root.createChild("moon");
    auto& rock = *moon.createChild("rock");
    auto& earth = *root.createChild("earth");
    auto& g = test::addComponent<component::Gravity>(moon, "Gravity", {{"gravity", "0 -1.62 0"}});
    REQUIRE(test::initialise(root));
    CHECK(moon.gravity() == Vec3{0., -1.62, 0.});
    CHECK(rock.gravity() == Vec3{0., -1.62, 0.});
    CHECK(earth.gravity() == Vec3{0., -9.81, 0.});
    CHECK(root.gravity() == Vec3{0., -9.81, 0.});

    g.d_gravity.setValue({1., 0., 0.});
    root.propagateEvent(AnimateBeginEvent(0.01));
    CHECK(rock.gravity() == Vec3{1., 0., 0.});
    g.cleanup();
    CHECK(rock.gravity() == Vec3{0., -9.81, 0.});
}
