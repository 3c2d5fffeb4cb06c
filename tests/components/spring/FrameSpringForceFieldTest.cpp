// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <catch2/catch.hpp>

#include "components/spring/AngularSpringForceField.h"
#include "components/spring/JointSpringForceField.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace frame_spring_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::AngularSpringForceField;
using component::FrameSpringForceField;

namespace {

const std::string s_spring =
    "BEGIN_SPRING 0 1 KS_T 100 KS_R 20 KD 3 VEC1 0.5 0.1 0 VEC2 -0.4 0.2 0.1 END_SPRING "
    "BEGIN_SPRING 1 2 KS_T 50 KS_R 0 VEC1 0.5 0 0 END_SPRING";

Vector<RigidCoord3> frames()
{
    return {{{}, Quat::fromRotationVector({0.3, -0.2, 0.5})},
            {{1.2, 0.3, -0.1}, Quat::fromRotationVector({-0.4, 0.7, 0.2})},
            {{2., -0.2, 0.3}, Quat::fromRotationVector({0.5, 0.1, -0.9})}};
}

template <class T>
T& build(Node& root, const std::string& type, const test::Attributes& attributes, bool valid = true)
{
    test::addState<Rigid3Types>(root, frames());
    auto& ff = test::addComponent<T>(root, type, attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

/// The derivatives are those of small turns from where frames are.
void checkTurned(BaseForceField& ff, State<Rigid3Types>& s)
{
    for (const double turn : {0., 0.4, 0.9}) {
        for (RigidCoord3& x : *s.write(vec_id::position)) {
            x.orientation = Quat::fromRotationVector(x.center * turn + Vec3{0., 0.3, turn}) * x.orientation;
            x.center += Vec3{x.center[1], -0.3, x.center[0]} * turn;
        }
        test::checkForceField(ff, {.seeds = 0, .internal = true, .symmetric = false});
    }
}

}  // namespace

HARNESS_FORCE_FIELD("FrameSpringForceField")
{
    Node root;
    auto& ff = build<FrameSpringForceField>(root, "FrameSpringForceField", {{"spring", s_spring}});
    checkTurned(ff, ff.state1());
}

HARNESS_FORCE_FIELD("AngularSpringForceField")
{
    Node root;
    auto& ff = build<AngularSpringForceField>(root, "AngularSpringForceField",
                                              {{"indices", "0 1 2"}, {"angularStiffness", "1 20 30"}});
    checkTurned(ff, ff.state());
}

TEST_CASE("a frame spring pulls its points together and turns its frames alike")
{
    Node root;
    auto& s = test::addState<Rigid3Types>(root, {{{}, Quat()}, {{3., 0., 0.}, Quat::fromAxisAngle({0., 0., 1.}, 0.5)}});
    auto& ff = test::addComponent<FrameSpringForceField>(
        root, "FrameSpringForceField",
        {{"spring", "BEGIN_SPRING 0 1 KS_T 10 KS_R 4 VEC1 0 1 0 VEC2 0 0 2 END_SPRING"}});
    REQUIRE(test::initialise(root));
    ff.addForce(MechanicalParams(), vec_id::force);
    // From (0, 1, 0) to (3, 0, 2): a force of 10 (3, -1, 2) at (0, 1, 0), and a torque of 4 · 0.5 about z.
    const Vec3 force{30., -10., 20.};
    CHECK(norm(Rigid3Types::linear(s.forces()[0]) - force) < 1e-12);
    CHECK(norm(Rigid3Types::linear(s.forces()[1]) + force) < 1e-12);
    CHECK(norm(Rigid3Types::angular(s.forces()[0]) - cross(Vec3{0., 1., 0.}, force) - Vec3{0., 0., 2.}) < 1e-12);
    CHECK(norm(Rigid3Types::angular(s.forces()[1]) + cross(Vec3{0., 0., 2.}, force) + Vec3{0., 0., 2.}) < 1e-12);
    CHECK(ff.potentialEnergy(MechanicalParams()) == Approx(0.5 * 10. * 14. + 0.5 * 4. * 0.25));
    CHECK(ff.d_springs.text() == "BEGIN_SPRING 0 1 KS_T 10 KS_R 4 KD 0 VEC1 0 1 0 VEC2 0 0 2 END_SPRING");
}

TEST_CASE("angular springs turn each frame to the one before it")
{
    Node root;
    auto& s = test::addState<Rigid3Types>(root, Vector<RigidCoord3>(4));
    s.write(vec_id::position)[2].orientation = Quat::fromAxisAngle({0., 1., 0.}, 0.3);
    auto& ff = test::addComponent<AngularSpringForceField>(root, "AngularSpringForceField",
                                                           {{"indices", "1 2 3"}, {"angularStiffness", "7 10"}});
    REQUIRE(test::initialise(root));
    ff.addForce(MechanicalParams(), vec_id::force);
    const double torques[] = {0., 3., -3. - 2.1, 2.1};
    for (std::size_t i = 0; i < 4; ++i) CHECK(norm(s.forces()[i] - Vec6{0., 0., 0., 0., torques[i], 0.}) < 1e-12);
}

TEST_CASE("springs of frames say what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("frame")
    {
        build<FrameSpringForceField>(root, "FrameSpringForceField", {{"spring", "BEGIN_SPRING 0 3 END_SPRING"}}, false);
        CHECK(capture.has(Severity::Error, "spring 0 joins frame 3 of '/TestState1', which has 3 frames"));
    }
    SECTION("none before")
    {
        build<AngularSpringForceField>(root, "AngularSpringForceField", {{"indices", "1 0"}}, false);
        CHECK(capture.has(Severity::Error, "indices: frame 0 has none before it"));
    }
    SECTION("beyond")
    {
        build<AngularSpringForceField>(root, "AngularSpringForceField", {{"indices", "0 3"}}, false);
        CHECK(capture.has(Severity::Error, "indices: frame 3 does not exist, there are only 3"));
    }
}

}  // namespace frame_spring_force_field_test
