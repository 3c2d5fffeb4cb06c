// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/behavior/Solvers.h"
#include "core/factory/Describe.h"
#include "core/scene/SceneSchema.h"
#include "tests/harness/SceneText.h"

namespace scene_utilities_test {

using namespace sofa;
using namespace sofa::core;

TEST_CASE("What a scene gives without an effect is told once, with its place and the reason")
{
    const MessageCapture messages;
    const test::SceneText s(
        "\n<EulerImplicitSolver solveConstraint='1'/><SparseLDLSolver/><MechanicalObject/>"
        "<UniformMass totalMass='1'/>");
    CHECK(messages.count(Severity::Deprecated) == 1);
    CHECK(messages.text().find("test.scn:2:22: deprecated: /EulerImplicitSolver1 (EulerImplicitSolver): attribute "
                               "'solveConstraint' has no effect: constraints are solved by the animation loop") !=
          std::string::npos);
    SECTION("and everything that lists attributes says so")
    {
        const std::string reason = "constraints are solved by the animation loop";
        for (const DescribeFormat f : {DescribeFormat::Text, DescribeFormat::Json, DescribeFormat::Markdown})
            CHECK(describeComponents(f, "EulerImplicitSolver").find(reason) != std::string::npos);
        CHECK(describeComponents(DescribeFormat::Text, "EulerImplicitSolver")
                  .find("solveConstraint: has no effect: " + reason) != std::string::npos);
        CHECK(
            describeComponents(DescribeFormat::Markdown, "EulerImplicitSolver").find("`solveConstraint`: " + reason) !=
            std::string::npos);
    }
}

TEST_CASE("A scene that sets a result is told that the object computes it")
{
    const MessageCapture messages;
    const test::SceneText s("<EulerImplicitSolver residual='3'/><SparseLDLSolver/><MechanicalObject/><UniformMass/>");
    CHECK(messages.has(Severity::Deprecated, "attribute 'residual' has no effect: the object computes it"));
}

TEST_CASE("APIVersion takes a version of SOFA, as its level or its name")
{
    const auto warned = [](const std::string& attributes) {
        const MessageCapture messages;
        const test::SceneText s("<APIVersion " + attributes + "/>");
        CHECK(s.good);
        return messages.has(Severity::Warning, "is no version of SOFA, such as 23.06");
    };
    CHECK_FALSE(warned("level='23.06'"));
    CHECK_FALSE(warned("name='17.12'"));
    CHECK(warned("level='2306'"));
    CHECK(warned("level='v1.06'"));
    CHECK(warned("name='mine'"));
}

TEST_CASE("Text for readers and a folder of plugins change nothing of a scene")
{
    MessageCapture messages;
    const test::SceneText s("<InfoComponent/><AddPluginRepository path='/'/><MechanicalObject/>");
    CHECK(s.good);
    CHECK(messages.text().empty());
    const auto none = loadSceneText("<Node><AddPluginRepository path='/no/such/folder'/></Node>", "test.scn");
    CHECK(messages.has(Severity::Error, "attribute 'path': '/no/such/folder' is no folder"));
}

TEST_CASE("A scene without loops gets a DefaultAnimationLoop and a DefaultVisualManagerLoop")
{
    const test::SceneText s("<MechanicalObject/>");
    REQUIRE(s.root->get<AnimationLoop>(Search::Local));
    CHECK(s.root->get<AnimationLoop>(Search::Local)->className() == "DefaultAnimationLoop");
    REQUIRE(s.root->get<VisualLoop>(Search::Local));
    CHECK(s.root->get<VisualLoop>(Search::Local)->className() == "DefaultVisualManagerLoop");
    const test::SceneText own("<DefaultVisualManagerLoop name='mine'/>");
    CHECK(own.root->getAll<VisualLoop>(Search::Local).size() == 1);
}

}  // namespace scene_utilities_test
