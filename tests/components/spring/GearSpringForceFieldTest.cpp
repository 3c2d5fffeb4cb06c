// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/GearSpringForceField.h"

#include <catch2/catch.hpp>
#include <numbers>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace gear_spring_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::GearSpringForceField;

namespace {

Vector<RigidCoord3> frames()
{
    return {{{}, Quat::fromRotationVector({0.3, -0.2, 0.5})},
            {{0.1, -0.1, 0.05}, Quat::fromRotationVector({0.5, -0.4, 0.9})},
            {{2., -0.2, 0.3}, Quat::fromRotationVector({0.5, 0.1, -0.9})},
            {{2.1, -0.1, 0.2}, Quat::fromRotationVector({0.9, 0.2, -0.7})}};
}

GearSpringForceField& build(Node& root, const std::string& springs, Vector<RigidCoord3> x, bool valid = true)
{
    test::addState<Rigid3Types>(root, std::move(x));
    auto& ff = test::addComponent<GearSpringForceField>(root, "GearSpringForceField", {{"spring", springs}});
    CHECK(test::initialise(root) == valid);
    return ff;
}

}  // namespace

HARNESS_FORCE_FIELD("GearSpringForceField")
{
    const std::string law = " AXIS 1 2 KS_T 100 KS_R 20 60 KD 3 RATIO ";
    for (const std::string ratio : {"2", "-0.7"}) {
        INFO(ratio);
        SECTION("bearings that move, ratio " + ratio)
        {
            Node root;
            auto& ff = build(root, "BEGIN_SPRING 0 1 2 3" + law + ratio + " END_SPRING", frames());
            test::checkForceField(ff, {.seeds = 0, .internal = true, .symmetric = false});
        }
        SECTION("bearings fixed in the world, ratio " + ratio)
        {
            Node root;
            auto& ff = build(root, "BEGIN_SPRING 1 1 3 3" + law + ratio + " END_SPRING", frames());
            ff.addForce(MechanicalParams(), vec_id::force);
            for (RigidCoord3& x : *ff.state1().write(vec_id::position)) {
                x.center += Vec3{0.1, 0.2, -0.1};
                x.orientation = Quat::fromRotationVector({0.2, 0.5, -0.3}) * x.orientation;
            }
            test::checkForceField(ff, {.seeds = 0, .symmetric = false});
        }
    }
    SECTION("two states")
    {
        Node root;
        auto& a = *root.createChild("a");
        auto& b = *root.createChild("b");
        const auto x = frames();
        test::addState<Rigid3Types>(a, {x[0], x[1]}).setName("x");
        test::addState<Rigid3Types>(b, {x[2], x[3]}).setName("x");
        auto& ff = test::addComponent<GearSpringForceField>(
            root, "GearSpringForceField",
            {{"object1", "@a/x"}, {"object2", "@b/x"}, {"spring", "BEGIN_SPRING 0 1 0 1" + law + "1.5 END_SPRING"}});
        REQUIRE(test::initialise(root));
        test::checkForceField(ff, {.seeds = 0, .internal = true, .symmetric = false});
    }
}

TEST_CASE("a gear turns its wheels against each other, also after full turns")
{
    Node root;
    auto& ff = build(root, "BEGIN_SPRING 0 0 1 1 AXIS 2 0 KS_R 12 100 KD 0 RATIO 3 END_SPRING", Vector<RigidCoord3>(2));
    auto& s = ff.state1();
    ff.addForce(MechanicalParams(), vec_id::force);
    for (const auto& f : s.forces()) CHECK(norm(f) == 0.);
    // Wheel 0 turns by 2.25 turns, in steps; wheel 1 by 0.1 rad.
    const double quarter = std::numbers::pi / 2.;
    for (int i = 1; i <= 9; ++i) {
        s.clear(vec_id::force);
        s.write(vec_id::position)[0].orientation = Quat::fromAxisAngle({0., 0., 1.}, i * quarter);
        s.write(vec_id::position)[1].orientation = Quat::fromAxisAngle({1., 0., 0.}, 0.1);
        ff.addForce(MechanicalParams(), vec_id::force);
        // (k/ρ) (ρ ψ₁ + ψ₂)
        const double torque = 12. / 3. * (3. * i * quarter + 0.1);
        CHECK(norm(s.forces()[0] - Vec6{0., 0., 0., 0., 0., -3. * torque}) < 1e-9);
        CHECK(norm(s.forces()[1] - Vec6{0., 0., 0., -torque, 0., 0.}) < 1e-9);
        CHECK(ff.potentialEnergy(MechanicalParams()) == Approx(0.5 * torque * torque * 3. / 12.));
    }
    ff.reset();
    s.clear(vec_id::force);
    s.write(vec_id::position)[1] = s.write(vec_id::position)[0] = {};
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(norm(s.forces()[0]) == 0.);
}

TEST_CASE("gears say what is wrong, and read what they write")
{
    Node root;
    MessageCapture capture;
    auto& ff = build(root, "BEGIN_SPRING 0 1 2 4 AXIS 0 1 RATIO 2 END_SPRING", frames(), false);
    CHECK(capture.has(Severity::Error, "gear 0 joins frame 4 of '/TestState1', which has 4 frames"));
    CHECK(ff.d_springs.text() == "BEGIN_SPRING 0 1 2 4 AXIS 0 1 KS_T 10000 KS_R 10000 10000 KD 1 RATIO 2 END_SPRING");
    std::string error;
    CHECK(ff.d_springs.read(ff.d_springs.text(), error));
    CHECK_FALSE(ff.d_springs.read("BEGIN_SPRING 0 1 2 3 AXIS 0 3 END_SPRING", error));
    CHECK_FALSE(ff.d_springs.read("BEGIN_SPRING 0 1 2 3 RATIO 0 END_SPRING", error));
}

}  // namespace gear_spring_force_field_test
