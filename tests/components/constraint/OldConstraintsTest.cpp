// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/constraint/FixedProjectiveConstraint.h"
#include "core/log/Message.h"
#include "tests/harness/SceneText.h"

namespace old_constraints_test {

using namespace sofa::core;
using namespace sofa::component;
using sofa::test::SceneText;

namespace {

/// Positions of a soft block after a while, and whether it went well; `held` stands among its components.
Vector<Vec3> block(const std::string& held, const std::string& solver = "")
{
    SceneText s(
        "<Node name='n'><EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-12' "
        "threshold='1e-20'/>" +
        solver +
        "<RegularGridTopology n='3 3 3' min='0 0 0' max='1 1 1'/>"
        "<MechanicalObject/><UniformMass totalMass='1'/><HexahedronFEMForceField youngModulus='500' "
        "poissonRatio='0.3'/>" +
        held + "</Node>");
    REQUIRE(s.good);
    s.step(20);
    return s.state<Vec3Types>("n").read(vec_id::position);
}

std::string load(const std::string& scene, bool lenient)
{
    LoadReport report;
    LoadOptions options;
    options.lenient = lenient;
    (void)loadSceneText("<Node name='root'>" + scene + "</Node>", "test.scn", options, &report);
    return report.ok() ? "ok" : "error";
}

}  // namespace

TEST_CASE("Points held by constraints of 2011 are held by today's", "[constraint]")
{
    const std::string points = "indices='0 1 3 9'";
    const auto held = block("<FixedProjectiveConstraint " + points + "/>");
    CHECK(held[26][1] < 0.99);
    CHECK(held[3] == Vec3(0, 0.5, 0));
    for (const std::string solver : {"<LMConstraintSolver/>", "<LMConstraintDirectSolver solverAlgorithm='SVD'/>"})
        CHECK(block("<FixedLMConstraint " + points + "/>", solver) == held);
    CHECK(block("<DOFBlockerLMConstraint rotationAxis='1 0 0 0 1 0 0 0 1' " + points + "/>", "<LMConstraintSolver/>") ==
          held);
}

TEST_CASE("Blocked axes are fixed directions", "[constraint]")
{
    const std::string points = "indices='0 1 2 3 4 5 6 7 8'";
    const auto some = block("<DOFBlockerLMConstraint rotationAxis='0 2 0  0 0 -1' showSizeAxis='3' " + points + "/>");
    CHECK(some == block("<PartialFixedProjectiveConstraint fixedDirections='0 1 1' " + points + "/>"));
    CHECK(some[0][1] == 0.);
    CHECK(some[0][0] != 0.);
    const auto refused = [](const std::string& attributes, const std::string& text) {
        const MessageCapture log;
        CHECK_FALSE(SceneText("<Node name='n'><MechanicalObject position='0 0 0'/><DOFBlockerLMConstraint " +
                              attributes + "/></Node>")
                        .good);
        CHECK(log.has(Severity::Error, text));
    };
    refused("rotationAxis='1 1 0'", "direction 0 is not along one of the coordinates; use PlaneProjectiveConstraint");
    refused("rotationAxis='1 0'", "expected directions of 3 numbers");
    refused("rotationAxis='1 0 0' factorAxis='0.5'", "factorAxis");
    SceneText frames(
        "<Node name='n'><MechanicalObject template='Rigid3' position='0 0 0 0 0 0 1'/>"
        "<DOFBlockerLMConstraint rotationAxis='0 0 0 0 1 0'/></Node>");
    REQUIRE(frames.good);
    const auto* c = frames.child("n").get<PartialFixedProjectiveConstraint<Rigid3Types>>(Search::Local);
    REQUIRE(c);
    CHECK(c->d_fixedDirections.value() == std::array<bool, 6>{false, false, false, false, true, false});
}

TEST_CASE("Constraints of 2011 that today's do otherwise are errors that say what to use", "[constraint]")
{
    const std::string scene =
        "<Node name='a'><MechanicalObject position='0 0 0'/></Node><DistanceLMConstraint object1='a' object2='a' "
        "vecConstraint='0 0'/>";
    for (const bool lenient : {false, true}) {
        const MessageCapture log;
        CHECK(load(scene, lenient) == (lenient ? "ok" : "error"));
        CHECK(log.has(lenient ? Severity::Warning : Severity::Error, "DistanceMapping"));
        CHECK(log.has(lenient ? Severity::Warning : Severity::Error, "BilateralLagrangianConstraint"));
    }
    const MessageCapture log;
    CHECK_FALSE(SceneText("<CollisionPipeline/><BruteForceBroadPhase/><BVHNarrowPhase/><DiscreteIntersection/>"
                          "<CollisionResponse response='distanceLMConstraint'/>")
                    .good);
    CHECK(log.has(Severity::Error, "FrictionContactConstraint does with a FreeMotionAnimationLoop"));
}

}  // namespace old_constraints_test
