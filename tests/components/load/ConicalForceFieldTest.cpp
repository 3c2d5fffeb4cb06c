// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ConicalForceField.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace conical_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::ConicalForceField;

namespace {

ConicalForceField& cone(Node& root, const Vector<Vec3>& points, test::Attributes attributes = {}, bool valid = true)
{
    test::addState<Vec3Types>(root, points);
    auto& ff = test::addComponent<ConicalForceField>(root, "ConicalForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

/// Of a cone with its tip at (1 0 0), 2 m high along y, 30° open, 100 N/m.
Vec3 force(const Vec3& x, const Vec3& v = {}, const test::Attributes& more = {})
{
    Node root;
    test::Attributes attributes{
        {"coneCenter", "1 0 0"}, {"coneHeight", "0 2 0"}, {"coneAngle", "30"}, {"stiffness", "100"}, {"damping", "3"}};
    attributes.insert(attributes.end(), more.begin(), more.end());
    auto& ff = cone(root, {x}, attributes);
    Vector<Vec3> f(1);
    ff.addForce({}, f, {x}, {v});
    return f[0];
}

/// At an angle from the axis and a distance from the tip, in the plane x y.
Vec3 at(double degrees, double r)
{
    const double a = degrees * std::numbers::pi / 180.;
    return {1. + r * std::sin(a), r * std::cos(a), 0.};
}

}  // namespace

HARNESS_FORCE_FIELD("ConicalForceField")
{
    // Beyond the sphere, the side, the rim, the tip, and inside; each well within its region.
    const Vector<Vec3> points{{0.3, 3., 0.2}, {1.2, 0.9, 0.4}, {2.5, 2.2, -0.3}, {0.4, -1.5, 0.3}, {0.05, 1.2, 0.1}};
    const test::Attributes attributes{{"coneHeight", "0 2 0"}, {"coneAngle", "30"}, {"stiffness", "30"}};
    Node root;
    SECTION("30 degrees")
    {
        test::checkForceField(cone(root, points, attributes), {.displacement = 0.05, .dampingVelocity = 1.});
    }
    SECTION("askew")
    {
        test::Attributes skew = attributes;
        skew[0].second = "0.4 1.9 -0.3";
        test::checkForceField(cone(root, points, skew), {.displacement = 0.05});
    }
    SECTION("half a ball")
    {
        test::Attributes half = attributes;
        half[1].second = "90";
        test::checkForceField(cone(root, {{0.3, 3., 0.2}, {1.2, -0.9, 0.4}, {2.5, -0.8, -0.3}}, half),
                              {.displacement = 0.05});
    }
    SECTION("a rod")
    {
        test::Attributes rod = attributes;
        rod[1].second = "0";
        test::checkForceField(cone(root, {{0.3, 1., 0.2}, {0.5, 2.9, 0.4}, {0.5, -0.8, -0.3}}, rod),
                              {.displacement = 0.05});
    }
}

TEST_CASE("a cone pushes points to its nearest point")
{
    CHECK(force(at(20., 1.9)) == Vec3());
    CHECK(force({1., 0., 0.}) == Vec3());
    // Beyond its end, along the axis or not, to the sphere around the tip.
    CHECK(norm(force({1., 2.5, 0.}) - Vec3(0., -50., 0.)) < 1e-12);
    CHECK(norm(force(at(20., 2.5)) - (at(20., 2.) - at(20., 2.5)) * 100.) < 1e-12);
    // Beside it, normal to its side; the way is r sin of the angle to that.
    const Vec3 side = force(at(70., 1.));
    CHECK(norm(side) == Approx(100. * std::sin(40. * std::numbers::pi / 180.)).epsilon(1e-12));
    CHECK(std::abs(dot(side, at(30., 1.) - Vec3(1., 0., 0.))) < 1e-12);
    // Also a little behind the tip; SOFA's cone would push to the tip there.
    const Vec3 behind = force(at(110., 1.));
    CHECK(norm(behind) == Approx(100. * std::sin(80. * std::numbers::pi / 180.)).epsilon(1e-12));
    // To the rim, and to the tip.
    CHECK(norm(force(at(50., 3.)) - (at(30., 2.) - at(50., 3.)) * 100.) < 1e-11);
    CHECK(norm(force(at(130., 0.5)) - (Vec3(1., 0., 0.) - at(130., 0.5)) * 100.) < 1e-12);
    CHECK(norm(force({1., -0.5, 0.}) - Vec3(0., 50., 0.)) < 1e-12);
}

TEST_CASE("the force of a cone is continuous around it")
{
    for (double degrees = 0.; degrees < 180.; degrees += 0.5)
        for (const double r : {0.5, 1.999, 2.001, 2.3, 3.}) {
            const double h = 1e-6;
            CHECK(norm(force(at(degrees, r)) - force(at(degrees + h, r))) < 100. * r * h);
        }
}

TEST_CASE("the damping of a cone acts along its force, and only slows down")
{
    const Vec3 still = force(at(20., 2.5)), along = (at(20., 2.) - at(20., 2.5)) * 2.;
    CHECK(norm(force(at(20., 2.5), along * -4.) - still - along * 12.) < 1e-12);
    CHECK(norm(force(at(20., 2.5), {0., 0., 5.}) - still) < 1e-12);
    CHECK(norm(force(at(20., 1.), {1., 2., 5.})) == 0.);
}

TEST_CASE("a cone without an axis, or wider than a half space, is an error")
{
    MessageCapture capture;
    Node root;
    SECTION("no axis")
    {
        cone(root, {Vec3()}, {}, false);
        CHECK(capture.has(Severity::Error, "coneHeight: give the vector from the tip of the cone to its end"));
    }
    SECTION("too wide")
    {
        test::addState<Vec3Types>(root, {Vec3()});
        test::addComponent(root, "ConicalForceField", {{"coneHeight", "0 1 0"}, {"coneAngle", "100"}});
        CHECK(capture.has(Severity::Error, "coneAngle"));
    }
}

}  // namespace conical_force_field_test
