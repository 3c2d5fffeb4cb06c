// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/EllipsoidForceField.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "components/load/InteractionEllipsoidForceField.h"
#include "components/load/SphereForceField.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace ellipsoid_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::EllipsoidForceField;
using component::InteractionEllipsoidForceField;
using component::SphereForceField;

namespace {

const std::vector<Vec3> s_points{{0.5, 0.4, 0.2}, {-0.7, 0.3, 0.4}, {0.6, -0.5, -0.6}, {-0.3, -0.4, 0.5}, {3., 3., 3.}};

template <class D>
EllipsoidForceField<D>& build(Node& root, test::Attributes attributes, bool valid = true)
{
    test::addState<D>(root, test::coordinates<D>(s_points));
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<EllipsoidForceField<D>>(root, "EllipsoidForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

InteractionEllipsoidForceField& moving(Node& root, test::Attributes attributes, bool valid = true)
{
    auto& points = *root.createChild("points");
    test::addState<Vec3Types>(points, test::coordinates<Vec3Types>(s_points)).setName("x");
    auto& frames = *root.createChild("frames");
    Vector<RigidCoord3> frame(2);
    frame[1] = {{0.1, -0.2, 0.3}, Quat::fromAxisAngle({1., 2., -1.}, 0.6)};
    test::addState<Rigid3Types>(frames, frame).setName("x");
    attributes.insert(attributes.end(),
                      {{"object1", "@points/x"}, {"object2", "@frames/x"}, {"object2_dof_index", "1"}});
    auto& ff = test::addComponent<InteractionEllipsoidForceField>(root, "InteractionEllipsoidForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

constexpr test::ForceFieldOptions s_small{.displacement = 0.05};

}  // namespace

HARNESS_FORCE_FIELD("EllipsoidForceField")
{
    Node root;
    const test::Attributes wide{{"center", "0.1 0.2 -0.1"}, {"vradius", "2 1.5 1.7"}};
    SECTION("Vec3") { test::checkForceField(build<Vec3Types>(root, wide), s_small); }
    SECTION("Vec3, a ball") { test::checkForceField(build<Vec3Types>(root, {{"vradius", "2 2 2"}}), s_small); }
    SECTION("Vec3, pulling in")
    {
        test::checkForceField(build<Vec3Types>(root, {{"vradius", "0.3 0.2 0.4"}, {"stiffness", "-300"}}), s_small);
    }
    SECTION("Vec2") { test::checkForceField(build<Vec2Types>(root, {{"vradius", "2 1.5"}}), s_small); }
    SECTION("Vec1") { test::checkForceField(build<Vec1Types>(root, {{"vradius", "2"}}), s_small); }
}

HARNESS_FORCE_FIELD("InteractionEllipsoidForceField")
{
    for (const char* invert : {"0", "1"})
        for (const char* forces : {"1", "0"})
            for (const char* radii : {"2 1.5 1.7", "1.8 1.8 1.8", "2 1.5 1.7  1.6 1.9 2"}) {
                INFO("inverted " << invert << ", with forces " << forces << ", radii " << radii);
                Node root;
                auto& ff = moving(root, {{"vradius", radii},
                                         {"center", "0.1 0.2 -0.1"},
                                         {"object2_invert", invert},
                                         {"object2_forces", forces}});
                // The derivatives are those of small turns of the frame from where it is.
                for (const double turn : {0., 0.4, 1.1}) {
                    RigidCoord3& frame = ff.l_state2->write(vec_id::position)[1];
                    frame.orientation = Quat::fromRotationVector({turn, -0.3 * turn, 0.}) * frame.orientation;
                    frame.center += Vec3{0.1, -0.05, 0.1} * turn;
                    test::checkForceField(
                        ff, {.seeds = 0, .internal = *forces == '1' && *invert == '0', .symmetric = false});
                }
            }
}

TEST_CASE("an ellipsoid pushes along its normal by the relative depth")
{
    Node root;
    auto& s = test::addState<Vec3Types>(root, {Vec3{1., 0., 0.}, Vec3{0., 0.9, 0.}, Vec3(), Vec3{0., 0., 4.}});
    auto& ff = test::addComponent<EllipsoidForceField<Vec3Types>>(
        root, "EllipsoidForceField", {{"vradius", "2 1 3"}, {"stiffness", "100"}, {"damping", "10"}});
    REQUIRE(test::initialise(root));
    s.write(vec_id::velocity)[0] = {0., 1., 0.};
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(norm(s.forces()[0] - Vec3{50., -5., 0.}) < 1e-12);
    CHECK(norm(s.forces()[1] - Vec3{0., 10., 0.}) < 1e-12);
    CHECK(s.forces()[2] == Vec3());
    CHECK(s.forces()[3] == Vec3());
    CHECK(std::isnan(ff.potentialEnergy(MechanicalParams())));
}

TEST_CASE("an ellipsoid of equal radii is a sphere")
{
    Node root;
    auto& ball = build<Vec3Types>(root, {{"vradius", "2 2 2"}, {"stiffness", "100"}});
    auto& sphere = test::addComponent<SphereForceField<Vec3Types>>(root, "SphereForceField",
                                                                   {{"radius", "2"}, {"stiffness", "50"}});
    REQUIRE(test::initialise(root));
    auto& s = ball.state();
    ball.addForce(MechanicalParams(), vec_id::force);
    const auto f = s.forces();
    s.clear(vec_id::force);
    sphere.addForce(MechanicalParams(), vec_id::force);
    for (std::size_t i = 0; i < f.size(); ++i) CHECK(norm(f[i] - s.forces()[i]) < 1e-12);
    CHECK(ball.potentialEnergy(MechanicalParams()) == Approx(sphere.potentialEnergy(MechanicalParams())));
}

TEST_CASE("of several ellipsoids that in which a point is deepest acts")
{
    Node root;
    auto& ff = moving(root, {{"vradius", "1 1 1  2 2 2"}, {"center", "0 0 0  0 0 0"}, {"object2_forces", "0"}});
    ff.addForce(MechanicalParams(), vec_id::force);
    const Vec3 r = s_points[0] - Vec3{0.1, -0.2, 0.3};
    const Vec3 expected = r / norm(r) * (500. * (1. - norm(r) / 2.));
    CHECK(norm(ff.l_state1->forces()[0] - expected) < 1e-12);
    CHECK(ff.l_state2->forces()[1] == Vec<6>());
}

TEST_CASE("with SOFA's numbers ellipsoids have SOFA's tangent and no damping matrix")
{
    const auto product = [](bool sofa) {
        Node root;
        root.d_compatibility.setValue(Options({"exact", "sofa"}, sofa ? 1 : 0));
        auto& ff = build<Vec3Types>(root, {{"vradius", "2 1 3"}, {"stiffness", "100"}});
        CHECK(ff.hasDamping() == !sofa);
        ff.addForce(MechanicalParams(), vec_id::force);
        ff.state().allocate(vec_id::dx);
        for (Vec3& d : *ff.state().write(vec_id::dx)) d = {0., 0., 1.};
        ff.state().clear(vec_id::force);
        MechanicalParams mp;
        mp.kFactor = 1.;
        ff.addDForce(mp, vec_id::force);
        return ff.state().forces()[0][2];
    };
    // At (0.5, 0.4, 0.2): D x = (0.125, 0.4, 0.2/9), s² = 0.25/4 + 0.16 + 0.04/9.
    const double g2 = 0.125 * 0.125 + 0.16 + 0.04 / 81., g = std::sqrt(g2), s = std::sqrt(0.0625 + 0.16 + 0.04 / 9.);
    const double z2 = 0.04 / 81., common = -100. * (z2 / (s * g) + (s - 1.) / (9. * g));
    CHECK(product(false) == Approx(common + 100. * (s - 1.) * z2 / 9. / (g2 * g)));
    CHECK(product(true) == Approx(common - 100. * (s - 1.) * z2 / 9. / g2));
}

TEST_CASE("ellipsoids say what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("radii")
    {
        build<Vec3Types>(root, {}, false);
        CHECK(capture.has(Severity::Error, "vradius: the radii must be positive"));
    }
    SECTION("none")
    {
        moving(root, {}, false);
        CHECK(capture.has(Severity::Error, "it needs an ellipsoid: give center and vradius"));
    }
    SECTION("frame")
    {
        auto& ff = moving(root, {{"vradius", "1 1 1"}});
        ff.d_frame.setValue(2);
        ff.bwdInit();
        CHECK(capture.has(Severity::Error, "object2_dof_index: there is no frame 2"));
    }
}

}  // namespace ellipsoid_force_field_test
