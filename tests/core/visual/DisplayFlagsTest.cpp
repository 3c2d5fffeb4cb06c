// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/visual/DisplayFlags.h"

using namespace sofa::core;

TEST_CASE("display flags: groups, case, later words win, text round trip")
{
    DisplayFlags f;
    std::string error;
    REQUIRE(parseText("showAll hideCollision showWireFrame hideforcefields", f, error));
    CHECK(f.state(DisplayFlags::BehaviorModels) == DisplayFlags::State::On);
    CHECK(f.state(DisplayFlags::ForceFields) == DisplayFlags::State::Off);
    CHECK(f.state(DisplayFlags::CollisionModels) == DisplayFlags::State::Off);
    CHECK(f.state(DisplayFlags::Wireframe) == DisplayFlags::State::On);
    CHECK(f.state(DisplayFlags::Normals) == DisplayFlags::State::Unset);
    DisplayFlags again;
    REQUIRE(parseText(toText(f), again, error));
    CHECK(again == f);
}

TEST_CASE("display flags: an unset flag follows the node above")
{
    DisplayFlags above, own;
    above.apply("showAll");
    own.apply("hideVisual");
    const auto m = DisplayFlags::merged(above, own);
    CHECK(m.state(DisplayFlags::VisualModels) == DisplayFlags::State::Off);
    CHECK(m.state(DisplayFlags::Mappings) == DisplayFlags::State::On);
}

TEST_CASE("display flags: a wrong word is named, with the nearest flag")
{
    DisplayFlags f;
    std::string error;
    CHECK_FALSE(parseText("showBehaviour", f, error));
    CHECK(error.find("did you mean 'showBehavior'") != std::string::npos);
}
