// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "tests/harness/SceneText.h"

namespace attach_projective_constraint_test {

using namespace sofa::core;
using namespace sofa::test;

namespace {

std::string points(const std::string& name, const std::string& at, const std::string& type = "Vec3")
{
    return "<Node name='" + name + "'><MechanicalObject name='state' template='" + type + "' position='" + at +
           "'/><UniformMass vertexMass='1'/></Node>";
}

std::string attached(const std::string& attributes, const std::string& first, const std::string& second)
{
    return "<EulerImplicitSolver/><SparseLDLSolver/>" + first + second +
           "<AttachProjectiveConstraint object1='@first/state' object2='@second/state' " + attributes + "/>";
}

const std::string three = "0 0 0  1 0 0  2 0 0", away = "0 3 0  1 3 0  2 3 0",
                  frames = "0 0 0 0 0 0 1  1 0 0 0 0 0 1  2 0 0 0 0 0 1",
                  framesAway = "0 3 0 0 0 0 1  1 3 0 0 0 0 1  2 4 0 0 0 0 1";

}  // namespace

TEST_CASE("points follow others, which do not feel them")
{
    // The first points oscillate by springs, the second ones hang on springs of their own.
    const std::string springs = "<RestShapeSpringsForceField stiffness='40'/>";
    const auto beam = [&](const std::string& name, const std::string& at) {
        return "<Node name='" + name + "'><MechanicalObject name='state' position='" + at +
               "'/><UniformMass vertexMass='1'/>" + springs + "</Node>";
    };
    SceneText s(attached("indices1='0 2' indices2='1 2'", beam("first", three), beam("second", away)));
    SceneText alone("<EulerImplicitSolver/><SparseLDLSolver/>" + beam("first", three));
    REQUIRE(s.good);
    REQUIRE(alone.good);
    for (int i = 0; i < 50; ++i) {
        s.step();
        alone.step();
        const auto& x1 = s.state<Vec3Types>("first").positions();
        const auto& x2 = s.state<Vec3Types>("second").positions();
        CHECK(x2[1] == x1[0]);
        CHECK(x2[2] == x1[2]);
        CHECK(s.state<Vec3Types>("second").velocities()[1] == s.state<Vec3Types>("first").velocities()[0]);
        for (Index k = 0; k < 3; ++k) CHECK(norm(x1[k] - alone.state<Vec3Types>("first").positions()[k]) < 1e-13);
        CHECK(x2[0][1] < 3.);  // it is free, and falls on its spring
    }
}

TEST_CASE("followers go a part of the way, or not at all")
{
    const auto far = [](const std::string& attributes, int n = 1) {
        SceneText s(attached("indices1='0' indices2='0' " + attributes, points("first", three), points("second", away)),
                    "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(n);
        return s.state<Vec3Types>("second").positions()[0][1];
    };
    CHECK(far("") == 0.);
    CHECK(far("positionFactor='0.5' velocityFactor='0.5'", 2) < 0.8);
    CHECK(far("constraintFactor='0'") == 3.);
    CHECK(far("minDistance='2'") == 3.);
    CHECK(far("minDistance='4'") == 0.);
}

TEST_CASE("behind a plane followers are free, or stay at it")
{
    const auto second = [](const std::string& attributes) {
        SceneText s(attached("indices1='0 1 2' indices2='0 1 2' lastPos='1.5 0 0' lastDir='1 0 0' " + attributes,
                             points("first", three), points("second", away)),
                    "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(2);
        return s.state<Vec3Types>("second").positions();
    };
    const auto open = second(""), clamped = second("clamp='1'");
    CHECK(open[1] == Vec3{1., 0., 0.});
    CHECK(open[2] == Vec3{2., 3., 0.});
    CHECK(clamped[1] == Vec3{1., 0., 0.});
    CHECK(clamped[2] == Vec3{1.5, 0., 0.});
}

TEST_CASE("frames follow with or without their rotations")
{
    const auto turned = [](const std::string& attributes) {
        std::string at = frames;
        at.replace(0, 13, "0 0 0 0 0 0.6 0.8 ");
        at.replace(at.rfind("2 0 0 0 0 0 1"), 13, "2 0 0 0 0 0.6 0.8");
        SceneText s(attached("indices1='0 2' indices2='0 1' " + attributes, points("first", at, "Rigid3"),
                             points("second", framesAway, "Rigid3")),
                    "0.01", "0 0 0");
        REQUIRE(s.good);
        s.step(2);
        const auto x = s.state<Rigid3Types>("second").positions();
        CHECK(norm(x[0].center) == 0.);
        CHECK(norm(x[1].center - Vec3{2., 0., 0.}) == 0.);
        return std::pair(x[0].orientation, x[1].orientation);
    };
    const Quat other(0., 0., 0.6, 0.8), own;
    CHECK(turned("") == std::pair(other, other));
    CHECK(turned("freeRotations='1'") == std::pair(own, own));
    CHECK(turned("lastFreeRotation='1'") == std::pair(other, own));
    // The second frame lies at (1, 0), the third at (1, 1) from it: that way goes to the x axis.
    const auto [first, second] = turned("restRotations='1'");
    CHECK(norm((other.inverse() * first).toRotationVector()) < 1e-15);
    CHECK(norm((other * Quat::fromRotationVector({0., 0., -std::acos(-1.) / 4.})).q - second.q) < 1e-12);
}

TEST_CASE("attachments that cannot be are refused")
{
    const auto refuses = [](const std::string& attributes) {
        return !SceneText(attached(attributes, points("first", three), points("second", away))).good;
    };
    CHECK(refuses("indices1='0 1' indices2='0'"));
    CHECK(refuses("indices1='3' indices2='0'"));
    CHECK(refuses("indices1='0' indices2='7'"));
    CHECK(refuses("indices1='0' indices2='0' constraintFactor='1 1'"));
    CHECK(refuses("indices1='0' indices2='0' twoWay='1'"));
}

}  // namespace attach_projective_constraint_test
