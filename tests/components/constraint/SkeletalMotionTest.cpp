// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>
#include <cmath>

#include "components/constraint/SkeletalMotionProjectiveConstraint.h"
#include "core/objectmodel/Node.h"
#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"

namespace skeletal_motion_test {

using namespace sofa::core;
using sofa::component::Skeleton;
using sofa::component::SkeletonJoint;

namespace {

const double quarter = 2. * std::atan(1.);  // 90°

/// Two joints: the first moves by (1, 1, 1) and turns by 45° about y within a second; the second stands on it, one up,
/// turned by 90° about x.
const std::string arm =
    "Parent -1 Key 0  0 0 0  0 0 0 1  Key 1  1 1 1  0 0.3826834323650898 0 0.9238795325112867 "
    "Parent 0 Rest 0 1 0  0.7071067811865476 0 0 0.7071067811865476";

struct Scene
{
    std::shared_ptr<Node> root;
    std::unique_ptr<Simulation> sim;
    MessageCapture log;
    bool good = false;

    explicit Scene(const std::string& constraint, const std::string& frames = "0 0 0 0 0 0 1  0 0 0 0 0 0 1",
                   const std::string& solver = "<EulerExplicitSolver/>", double dt = 0.25)
    {
        LoadReport report;
        root = loadSceneText("<Node name='root' dt='" + toText(dt) + "' gravity='0 -10 0'><DefaultAnimationLoop/>" +
                                 solver + "<MechanicalObject template='Rigid3' position='" + frames +
                                 "'/><UniformMass totalMass='1'/><SkeletalMotionProjectiveConstraint " + constraint +
                                 "/></Node>",
                             "test.scn", {}, &report);
        if (!report.ok()) return;
        sim = std::make_unique<Simulation>(root);
        good = sim->init();
    }
    /// Steps until the positions are those of a time.
    void until(double t)
    {
        REQUIRE(good);
        while (root->time() < t + 0.5 * root->dt()) sim->step();
    }
    const Vector<RigidCoord3>& x() { return root->get<State<Rigid3Types>>(Search::Down)->positions(); }
    const Vector<Vec6>& v() { return root->get<State<Rigid3Types>>(Search::Down)->velocities(); }
};

void checkPose(const RigidCoord3& pose, const Vec3& center, const Quat& turn)
{
    CHECK(norm(pose.center - center) < 1e-12);
    CHECK(norm((pose.orientation * turn.inverse()).toRotationVector()) < 1e-12);
}
Quat aboutY(double angle) { return Quat::fromAxisAngle({0, 1, 0}, angle); }
const Quat lying = Quat::fromAxisAngle({1, 0, 0}, quarter);

std::string error(const std::string& joints, const std::string& bones = "0")
{
    Scene s("joints='" + joints + "' bones='" + bones + "'");
    CHECK_FALSE(s.good);
    CHECK_THAT(s.log.text(), Catch::Contains("test.scn:1"));
    return s.log.text();
}

}  // namespace

TEST_CASE("Frames go from key pose to key pose, and joints carry their children", "[constraint]")
{
    // The case of SOFA's own test: half way after half a second.
    Scene s("joints='" + arm + "' bones='0 1'");
    s.until(0.5);
    checkPose(s.x()[0], {0.5, 0.5, 0.5}, aboutY(0.25 * quarter));
    checkPose(s.x()[1], {0.5, 1.5, 0.5}, aboutY(0.25 * quarter) * lying);
    for (const Vec6& v : s.v()) CHECK(norm(v - Vec6(1, 1, 1, 0, 0.5 * quarter, 0)) < 1e-12);
    s.until(2.);  // at rest after the last key
    checkPose(s.x()[1], {1, 2, 1}, aboutY(0.5 * quarter) * lying);
    for (const Vec6& v : s.v()) CHECK(norm(v) == 0.);
}

TEST_CASE("The animation runs at its own speed, and velocities with it", "[constraint]")
{
    Scene slow("joints='" + arm + "' bones='0 1' animationSpeed='0.5'"),
        off("joints='" + arm + "' bones='0 1' active='0'");
    slow.until(0.5);
    checkPose(slow.x()[0], {0.25, 0.25, 0.25}, aboutY(0.125 * quarter));
    CHECK(norm(slow.v()[0] - Vec6(0.5, 0.5, 0.5, 0, 0.25 * quarter, 0)) < 1e-12);
    off.until(0.5);
    CHECK(off.x()[0].center[1] < -0.5);
    CHECK(off.x()[0].center[0] == 0.);
}

TEST_CASE("Orientations take the shorter way round, at constant speed", "[constraint]")
{
    // A quaternion and its negative are one orientation: a quarter turn, not three.
    Scene s("joints='Parent -1 Key 0 0 0 0 0 0 0 1 Key 1 0 0 0 0 0 -0.7071067811865476 -0.7071067811865476' bones='0'",
            "0 0 0 0 0 0 1");
    for (const double t : {0.25, 0.5, 0.75}) {
        s.until(t);
        checkPose(s.x()[0], Vec3(), Quat::fromAxisAngle({0, 0, 1}, t * quarter));
        CHECK(norm(s.v()[0] - Vec6(0, 0, 0, 0, 0, quarter)) < 1e-12);
    }
}

TEST_CASE("Joints may come before their parents, and keys after time zero", "[constraint]")
{
    Scene s(
        "joints='Parent 2 Rest 1 0 0 0 0 0 1  Parent -1 Rest 0 0 5 0 0 0 1  "
        "Parent 1 Rest 0 0 1 0 0 0 1 Key 1  0 4 1 0 0 0 1' bones='0'",
        "0 0 0 0 0 0 1");
    for (const double t : {0., 0.25, 0.5}) {
        s.until(t);
        checkPose(s.x()[0], {1, 4 * t, 6}, Quat());  // from the rest pose to the first key
    }
}

TEST_CASE("Frames without a bone are free, and direct solvers know the others", "[constraint]")
{
    for (const std::string solver :
         {"<EulerExplicitSolver/>", "<EulerImplicitSolver/><SparseLDLSolver/>",
          "<EulerImplicitSolver/><CGLinearSolver iterations='50' tolerance='1e-14' threshold='1e-30'/>"}) {
        // A spring of 1 between the frames: it pulls the free one only.
        Scene s(
            "joints='Parent -1 Rest 3 0 0 0 0 0 1' bones='0'/><JointSpringForceField spring='BEGIN_SPRING 0 1 KS_T "
            "0 1 REST_T 1 0 0 END_SPRING'",
            "3 0 0 0 0 0 1  5 0 0 0 0 0 1", solver, 0.01);
        s.until(0.2);
        checkPose(s.x()[0], {3, 0, 0}, Quat());
        CHECK(norm(s.v()[0]) == 0.);
        CHECK(s.x()[1].center[0] < 4.99);
        CHECK(s.x()[1].center[1] < -0.1);
    }
}

TEST_CASE("Joints are read as SOFA writes them, and as it reads them", "[constraint]")
{
    const std::string pose0 = "0 0 0 0 0 0 1 ", pose1 = "1 1 1 0 1 0 0 ", pose2 = "2 0 0 0 0 0 1 ";
    const std::string channels = "Channels 2 " + pose0 + pose1 + "Times 2 0 1.5 ";
    const std::string written =
        "[ Parent -1 " + channels + "PreviousMotion " + pose2 + "PreviousMotionTime 0 NextMotion " + pose1 +
        "NextMotionTime 1.5 LocalRigid " + pose1 + ", Parent 0 Channels 0  Times 0  " + "PreviousMotion " + pose0 +
        "PreviousMotionTime 0 NextMotion " + pose0 + "NextMotionTime 0 LocalRigid " + pose2 + "]";
    const std::string read = "[Parent -1 " + channels + "PreviousMotion " + pose2 + "NextMotion " + pose1 +
                             "LocalRigid " + pose1 + ",Parent 0 Channels 0 Times 0 PreviousMotion " + pose0 +
                             "NextMotion " + pose0 + "LocalRigid " + pose2 + "]";
    const std::string ours =
        "Parent -1 Rest " + pose2 + "Key 0 " + pose0 + "Key 1.5 " + pose1 + "Parent 0 Rest " + pose2;
    Skeleton a, b, c, d;
    std::string why;
    REQUIRE(parseText(written, a, why));
    REQUIRE(parseText(read, b, why));
    REQUIRE(parseText(ours, c, why));
    REQUIRE(a.joints.size() == 2);
    CHECK(a.joints[0].keys.size() == 2);
    CHECK(a.joints[0].rest.center == Vec3(2, 0, 0));
    CHECK(a.joints[1].rest.center == Vec3(2, 0, 0));
    CHECK(a.joints[1].parent == 0);
    CHECK(b == a);
    CHECK(c == a);
    REQUIRE(parseText(toText(a), d, why));
    CHECK(d == a);
    REQUIRE(parseText("[]", d, why));
    CHECK(d.joints.empty());

    Scene s("joints='[" + arm + "]' bones='[ 1, 0 ]'");
    s.until(0.5);
    checkPose(s.x()[1], {0.5, 0.5, 0.5}, aboutY(0.25 * quarter));
}

TEST_CASE("Mistakes in a skeleton are told where they are", "[constraint]")
{
    CHECK_THAT(error("Joint 0"), Catch::Contains("expected Parent, with which a joint begins, found 'Joint'"));
    CHECK_THAT(error("Parent -1 Kee 0"), Catch::Contains("Key, Channels") && Catch::Contains("found 'Kee'"));
    CHECK_THAT(error("Parent -1 Key 0 1 2 3 0 0 1"), Catch::Contains("expected a number"));
    CHECK_THAT(error("Parent -1 Rest 1 2 3 0 0 0 0"), Catch::Contains("a quaternion that is not zero"));
    CHECK_THAT(error("Parent -1 Channels 1 0 0 0 0 0 0 1 Times 2 0 1"), Catch::Contains("1 Channels and 2 Times"));
    CHECK_THAT(error("Parent -1 Channels -1"), Catch::Contains("the length of the list"));
    CHECK_THAT(error("[Parent -1"), Catch::Contains("']'"));
    CHECK_THAT(error("Parent 1"), Catch::Contains("joint 0 has the parent 1, but there are 1 joints"));
    CHECK_THAT(error("Parent 1, Parent 0"), Catch::Contains("joint 0 is carried by parents that form a circle"));
    CHECK_THAT(error("Parent -1 Key 1 0 0 0 0 0 0 1 Key 0.5 0 0 0 0 0 0 1"),
               Catch::Contains("joint 0 has a key at 0.5 s after one at 1 s"));
    CHECK_THAT(error("Parent -1", "1"), Catch::Contains("bones: joint 1 does not exist"));
    CHECK_THAT(error("Parent -1", "[0"), Catch::Contains("']'"));
    CHECK_THAT(error("Parent -1", "0 0 0"), Catch::Contains("bones: 3 frames are to follow"));
}

}  // namespace skeletal_motion_test
