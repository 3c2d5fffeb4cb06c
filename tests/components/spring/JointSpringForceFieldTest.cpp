// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/JointSpringForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace joint_spring_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::JointSpringForceField;

namespace {

JointSpringForceField& build(Node& root, const std::string& springs, bool valid = true)
{
    test::addState<Rigid3Types>(root, {{{}, Quat::fromRotationVector({0.3, -0.2, 0.5})},
                                       {{0.4, 0.1, -0.3}, Quat::fromRotationVector({-0.1, 0.4, 0.2})},
                                       {{1., 0.5, 0.2}, Quat::fromRotationVector({0.6, 0.3, -0.2})}});
    auto& ff = test::addComponent<JointSpringForceField>(root, "JointSpringForceField", {{"spring", springs}});
    CHECK(test::initialise(root) == valid);
    return ff;
}

/// At several poses, which the harness does not make: it moves by rotation vectors, whose sums are no turns one after
/// the other.
void conforms(const std::string& words)
{
    INFO(words);
    for (const double turn : {0., 0.1, 0.6}) {
        Node root;
        auto& ff = build(root, "BEGIN_SPRING 0 1 " + words + " END_SPRING BEGIN_SPRING 2 1 " + words + " END_SPRING");
        for (RigidCoord3& x : *ff.state1().write(vec_id::position)) {
            x.orientation = Quat::fromRotationVector(x.center * turn + Vec3{0., 0.3, turn}) * x.orientation;
            x.center += Vec3{x.center[1], -0.3, x.center[0]} * turn;
        }
        test::checkForceField(ff, {.seeds = 0, .internal = true, .symmetric = false});
    }
}

Vector<Vec6> forces(JointSpringForceField& ff)
{
    ff.state1().clear(vec_id::force);
    ff.addForce(MechanicalParams(), vec_id::force);
    return ff.state1().forces();
}

/// Torque on the second of two frames that is turned by an angle about an axis, and their energy.
std::pair<Vec3, double> turned(const std::string& words, const Vec3& rotation)
{
    Node root;
    auto& ff = build(root, "BEGIN_SPRING 0 1 " + words + " END_SPRING");
    const auto x = ff.state1().write(vec_id::position);
    x[0] = {};
    x[1] = {{}, Quat::fromRotationVector(rotation)};
    return {Rigid3Types::angular(forces(ff)[1]), ff.potentialEnergy(MechanicalParams())};
}

}  // namespace

HARNESS_FORCE_FIELD("JointSpringForceField")
{
    const std::string stiffness = "KS_T 30 200 KS_R 20 90 ";
    conforms(stiffness + "FREE_AXIS 0 0 0 0 0 0");
    conforms(stiffness + "FREE_AXIS 1 0 0 1 0 0 KD 2");
    conforms(stiffness + "FREE_AXIS 0 1 0 0 1 0 REST_T 0.2 0.1 0.3 REST_R 0 0.6 0 0.8");
    conforms(stiffness + "FREE_AXIS 0 0 1 0 0 1 R_LIM_Z -0.01 0.01 KS_B 40");
    conforms(stiffness + "FREE_AXIS 0 0 0 1 0 1");
    conforms(stiffness + "R_LIM_X 1 2 R_LIM_Y 1 2 R_LIM_Z -2 -1.5");
    conforms("KS_T 100 100 KS_R 50 50");
}

TEST_CASE("a joint gives way along its free axes, up to limits")
{
    const std::string hinge = "FREE_AXIS 0 0 0 0 0 1 KS_R 2 100 ";
    CHECK(turned(hinge, {0., 0., 1.5}).first[2] == Approx(-3.));
    CHECK(turned(hinge, {0., 0., 1.5}).second == Approx(2.25));
    CHECK(turned(hinge, {0.1, 0., 0.}).first[0] == Approx(-10.));
    CHECK(turned(hinge, {0., 2., 0.}).first[1] == Approx(-200.));
    // Soft to 0.5 rad, then with a hundredth of the hard stiffness, or as given.
    CHECK(turned(hinge + "R_LIM_Z -1 0.5", {0., 0., 1.5}).first[2] == Approx(-2.));
    CHECK(turned(hinge + "R_LIM_Z -1 0.5 KS_B 30", {0., 0., 1.5}).first[2] == Approx(-31.));
    CHECK(turned(hinge + "R_LIM_Z -1 0.5 KS_B 30", {0., 0., 1.5}).second == Approx(0.25 + 1. + 15.));
    // A hinge resists the angle between the two axes, whatever it has turned about them.
    for (const double about : {0.4, -1.3, 2.5})
        for (const double tilt : {0.2, 1., 2.}) {
            const Quat q = Quat::fromRotationVector({tilt, 0., 0.}) * Quat::fromRotationVector({0., 0., about});
            const auto [torque, energy] = turned("FREE_AXIS 0 0 0 0 0 1 KS_R 0 100 ", q.toRotationVector());
            CHECK(energy == Approx(50. * tilt * tilt));
            CHECK(norm(torque) == Approx(100. * tilt));
        }
    // Beyond half a turn: 3.3 rad is nearer to the upper limit than -2.98 rad to the lower one.
    CHECK(turned("FREE_AXIS 0 0 0 0 0 1 KS_B 10 R_LIM_Z 0 3", {0., 0., 3.3}).first[2] == Approx(-3.));
    // Equal limits hold the axis.
    CHECK(turned("KS_R 0 100 R_LIM_X 0 0 R_LIM_Y 0 0 R_LIM_Z 0 0", {0., 0.3, 0.4}).second == Approx(12.5));
}

TEST_CASE("joints of places beside the centres conform too, with one arm or two")
{
    for (const auto& [first, second] : std::vector<std::pair<Vec3, Vec3>>{
             {{0.1, 0.2, -0.3}, {}}, {{}, {-0.2, 0.1, 0.4}}, {{0.1, 0.2, -0.3}, {-0.2, 0.1, 0.4}}}) {
        Node root;
        auto& ff = build(root, "BEGIN_SPRING 0 1 KS_T 30 200 KS_R 20 90 KD 2 END_SPRING");
        auto springs = ff.d_springs.value();
        springs[0].anchor1 = first;
        springs[0].anchor2 = second;
        ff.d_springs.setValue(springs);
        test::checkForceField(ff, {.seeds = 0, .internal = true, .symmetric = false});
    }
}

TEST_CASE("joints are written as they are read")
{
    Node root;
    const std::string text =
        "BEGIN_SPRING 0 1 FREE_AXIS 0 1 0 0 1 0 KS_T 1 2 KS_R 3 4 KS_B 5 KD 6 R_LIM_X 0 0 R_LIM_Y -1.5 2 R_LIM_Z -1 1 "
        "REST_T 1 2 3 REST_R 0 0.6 0 0.8 END_SPRING";
    CHECK(build(root, text).d_springs.text() == text);
}

TEST_CASE("a joint says what is wrong")
{
    Node root;
    MessageCapture capture;
    build(root, "BEGIN_SPRING 0 7 END_SPRING", false);
    CHECK(capture.has(Severity::Error, "spring 0 joins frame 7 of"));
    CHECK(capture.has(Severity::Error, "which has 3 frames"));
}

}  // namespace joint_spring_force_field_test
