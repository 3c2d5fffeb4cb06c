// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/WashingMachineForceField.h"

#include <catch2/catch.hpp>
#include <numbers>

#include "core/objectmodel/Event.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace washing_machine_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::WashingMachineForceField;

namespace {

/// A box around one point, whose force is asked for.
struct Machine
{
    Node root;
    test::TestState<Vec3Types>& state;
    WashingMachineForceField& field;

    explicit Machine(const test::Attributes& attributes, std::vector<Vec3> points = {Vec3()})
        : state(test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(points))),
          field(test::addComponent<WashingMachineForceField>(root, "WashingMachineForceField", attributes))
    {
        REQUIRE(test::initialise(root));
    }
    void step(int n = 1)
    {
        for (int i = 0; i < n; ++i) root.propagateEvent(AnimateBeginEvent(0.01));
    }
    Vec3 force(const Vec3& x, const Vec3& v = {})
    {
        state.write(vec_id::position)[0] = x;
        state.write(vec_id::velocity)[0] = v;
        state.write(vec_id::force)[0] = {};
        field.addForce(MechanicalParams(), vec_id::force);
        return state.forces()[0];
    }
};

/// The box of SOFA's scene 10000.scn: x in [0.75, 3.25], y in [0, 1], z in [-0.5, 0.5].
test::Attributes box(const std::string& speed)
{
    return {{"center", "2 0.5 0"}, {"size", "2.5 1 1"}, {"speed", speed}, {"stiffness", "200"}, {"damping", "10"}};
}

void checkNear(const Vec3& a, const Vec3& b)
{
    INFO(a[0] << ' ' << a[1] << ' ' << a[2] << " and " << b[0] << ' ' << b[1] << ' ' << b[2]);
    CHECK(norm(a - b) < 1e-12 * (1. + norm(b)));
}

}  // namespace

HARNESS_FORCE_FIELD("WashingMachineForceField")
{
    // No point is so near to a side, at rest or turned by 0.35, that a random pose would cross it.
    const std::vector<Vec3> points{{0., 0., 0.}, {2.5, 0.1, 0.2}, {-2., 3.1, 0.3}, {2.2, -2.9, -3.2}};
    const test::Attributes attributes{
        {"center", "0.2 0.1 -0.1"}, {"size", "2 3 2.5"}, {"axis", "1 0.5 -2"}, {"speed", "0.35"}, {"stiffness", "30"}};
    Machine m(attributes, points);
    SECTION("at rest") {}
    SECTION("turned") { m.step(); }
    test::checkForceField(m.field, {.displacement = 0.05});
}

TEST_CASE("a box pushes back what is outside, and leaves alone what is inside")
{
    Machine m(box("0.04"));
    CHECK(m.force({0.8, 0.01, -0.49}, {1., 2., 3.}) == Vec3());
    CHECK(m.force({3.2, 0.99, 0.49}, {1., 2., 3.}) == Vec3());
    checkNear(m.force({0.5, 0.5, 0.}), {200. * 0.25, 0., 0.});
    checkNear(m.force({2., -0.1, 0.}), {0., 200. * 0.1, 0.});
    checkNear(m.force({2., 0.5, -0.7}), {0., 0., 200. * 0.2});
    checkNear(m.force({2., 0.5, 0.8}), {0., 0., -200. * 0.3});
    // Two sides act beyond an edge, and each brakes by its own depth.
    checkNear(m.force({3.5, 1.2, 0.}), {-200. * 0.25, -200. * 0.2, 0.});
    checkNear(m.force({3.5, 1.2, 0.}, {0., 0., 2.}), {-200. * 0.25, -200. * 0.2, -10. * (0.25 + 0.2) * 2.});
}

TEST_CASE("the box turns about the axis through the origin by its speed in each step")
{
    SECTION("by a quarter at once, clockwise: y to -z and z to y")
    {
        Machine m(box("90deg"));
        m.step();
        checkNear(m.force({2., 0., -0.5}), Vec3());
        checkNear(m.force({2., 0., -1.3}), {0., 0., 200. * 0.3});
        checkNear(m.force({2., 0., 0.4}), {0., 0., -200. * 0.4});
        checkNear(m.force({2., 0.6, -0.5}), {0., -200. * 0.1, 0.});
    }
    SECTION("by SOFA's recurrence, n cos s + (n x a)/|n x a| sin s, forces evaluated or not")
    {
        Machine m(box("0.04"));
        const Vec3 axis{1., 0., 0.};
        Vec3 n{0., 1., 0.};
        for (int i = 0; i < 100; ++i) {
            m.step();
            n = n * std::cos(0.04) + normalized(cross(n, axis)) * std::sin(0.04);
            // This side contains the axis.
            const Vec3 behind = Vec3{2., 0., 0.} - n * 0.3;
            if (i % 3 != 0) checkNear(m.force(behind), n * (200. * 0.3));
        }
    }
    SECTION("as a rigid body, whatever the axis and its length")
    {
        test::Attributes oblique = box("0.3");
        oblique.emplace_back("axis", "2 -4 4");
        Machine m(oblique), atRest(box("0.3"));
        m.step(5);
        const Quat turn = Quat::fromAxisAngle({1., -2., 2.}, -5. * 0.3);
        for (const Vec3& x : {Vec3{4., 1.5, -0.8}, Vec3{2., -0.2, 0.3}, Vec3{0.1, 0.5, 0.9}, Vec3{1., 0.5, 0.2}})
            checkNear(m.force(turn.rotate(x)), turn.rotate(atRest.force(x)));
    }
}

TEST_CASE("the box is as at the beginning after a reset, and as it was after a checkpoint")
{
    const Vec3 x{2., 0.3, -1.2};
    Machine m(box("0.04"));
    const Vec3 atRest = m.force(x);
    m.step(7);
    const Vec3 turned = m.force(x);
    CHECK(norm(turned - atRest) > 1.);
    Archive out;
    m.field.archive(out);
    m.root.propagateEvent(AnimateBeginEvent(0.01));
    m.field.reset();
    CHECK(m.force(x) == atRest);
    Archive in(out.bytes());
    m.field.archive(in);
    CHECK(m.force(x) == turned);
}

TEST_CASE("the extent of the box is that of the turned one")
{
    Machine m(box("90deg"));
    m.step();
    const BoundingBox extent = m.field.boundingBox();
    checkNear(extent.low, {0.75, -0.5, -1.});
    checkNear(extent.high, {3.25, 0.5, 0.});
}

TEST_CASE("a turning box says what is wrong")
{
    Node root;
    MessageCapture capture;
    test::addState<Vec3Types>(root, {Vec3()});
    SECTION("axis")
    {
        test::addComponent(root, "WashingMachineForceField", {{"axis", "0 0 0"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "axis is zero"));
    }
    SECTION("size")
    {
        test::addComponent(root, "WashingMachineForceField", {{"size", "1 0 1"}});
        CHECK(capture.has(Severity::Error, "size"));
    }
    SECTION("stiffness")
    {
        test::addComponent(root, "WashingMachineForceField", {{"stiffness", "-5"}});
        CHECK(capture.has(Severity::Error, "stiffness"));
    }
}

}  // namespace washing_machine_force_field_test
