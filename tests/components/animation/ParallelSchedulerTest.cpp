// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "core/log/Message.h"
#include "core/parallel/Parallel.h"
#include "tests/harness/SceneText.h"

namespace parallel_scheduler_test {

using namespace sofa::core;
using sofa::test::SceneText;

namespace {

std::string body(const std::string& name, const std::string& loop, const std::string& stiffness)
{
    return "<Node name='" + name + "'>" + loop +
           "<EulerImplicitSolver rayleighStiffness='0.01'/><SparseLDLSolver/><RegularGridTopology n='4 3 3' min='0 0 "
           "0' max='1 0.3 0.3'/><MechanicalObject/><UniformMass totalMass='2'/><HexahedronFEMForceField "
           "youngModulus='" +
           stiffness + "' poissonRatio='0.3'/><FixedProjectiveConstraint indices='0 4 8 12 16 20 24 28 32'/></Node>";
}

const std::string own = "<DefaultAnimationLoop/>";

}  // namespace

TEST_CASE("Parts of a scene with loops of their own move as each does alone", "[animation]")
{
    SceneText all("<AnimationLoopParallelScheduler nbThreads='2'/>" + body("a", own, "2e4") +
                  body("b", "<MultiStepAnimationLoop integrationSteps='2'/>", "3e4") + body("still", "", "1e4"));
    REQUIRE(all.good);
    CHECK(threadCount() == 2);
    SceneText a(own + body("a", "", "2e4")), b("<MultiStepAnimationLoop integrationSteps='2'/>" + body("b", "", "3e4"));
    for (SceneText* s : {&all, &a, &b}) s->step(10);
    CHECK(all.root->time() == a.root->time());
    const auto x = [](SceneText& s, const std::string& node) {
        return s.state<Vec3Types>(node).read(vec_id::position);
    };
    CHECK(x(a, "a")[3][1] < -1e-4);
    CHECK(x(all, "a") == x(a, "a"));
    CHECK(x(all, "b") == x(b, "b"));
    CHECK(x(all, "a") != x(all, "b"));
    CHECK(x(all, "still")[3][1] == 0.);
}

TEST_CASE("What parts tell each other goes over after all of them made the step", "[animation]")
{
    // Each flies with the velocity that the other one has; DataExchange stands in the first of them.
    const auto part = [](const std::string& name, const std::string& v, const std::string& more) {
        return "<Node name='" + name +
               "'><DefaultAnimationLoop/><EulerExplicitSolver/><MechanicalObject name='s' "
               "position='0 0 0' velocity='" +
               v + "'/><UniformMass totalMass='1'/>" + more + "</Node>";
    };
    SceneText s("<AnimationLoopParallelScheduler/>" +
                    part("a", "1 0 0", "<DataExchange from='@s.position' to='@../b/s.velocity'/>") +
                    part("b", "0 0 0", ""),
                "0.125", "0 0 0");
    REQUIRE(s.good);
    s.step(2);
    // b moves in the second step with where a was after the first one, 0.125.
    CHECK(s.state<Vec3Types>("a").read(vec_id::position)[0][0] == 0.25);
    CHECK(s.state<Vec3Types>("b").read(vec_id::position)[0][0] == 0.125 * 0.125);
}

TEST_CASE("A parallel loop without parts, and scheduler types that there are not, are told", "[animation]")
{
    CHECK_FALSE(SceneText("<AnimationLoopParallelScheduler/>" + body("a", "", "2e4")).good);
    for (const std::string& scene :
         {"<AnimationLoopParallelScheduler taskSchedulerType='mine'/>" + body("a", own, "2e4"),
          "<TaskSchedulerSettings taskSchedulerType='mine'/>" + body("a", "", "2e4")}) {
        const MessageCapture log;
        CHECK(SceneText(scene).good);
        CHECK(log.has(Severity::Warning, "there is no 'mine'"));
    }
}

TEST_CASE("A scene says how many threads there are while it is open", "[animation]")
{
    setThreadCount(3);
    {
        SceneText s("<TaskSchedulerSettings nbThreads='2'/>" + body("a", "", "2e4"));
        REQUIRE(s.good);
        CHECK(threadCount() == 2);
        SceneText one("<TaskSchedulerSettings nbThreads='1'/>" + body("a", "", "2e4"));
        CHECK(threadCount() == 1);
        s.step(5);
        one.step(5);
        CHECK(s.state<Vec3Types>("a").read(vec_id::position) == one.state<Vec3Types>("a").read(vec_id::position));
    }
    CHECK(threadCount() == 3);
    setThreadCount(0);
}

}  // namespace parallel_scheduler_test
