// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/RestShapeSpringsForceField.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "components/odesolver/NewtonRaphsonSolver.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/SceneText.h"
#include "tests/harness/TestGraph.h"

namespace rest_shape_springs_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::RestShapeSpringsForceField;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {1.3, 0.2, -0.1}, {0.4, 1.1, 0.3}, {-0.2, 0.5, 1.2}};

template <class D>
RestShapeSpringsForceField<D>& build(Node& root, test::Attributes attributes, bool valid = true)
{
    auto& s = test::addState<D>(root, test::coordinates<D>(s_points));
    auto moved = s.d_position.value();
    for (auto& x : moved) D::setPosition(x, D::position(x) * 1.2 + Vec3{0.1, 0.2, 0.3});
    s.d_position.setValue(moved);
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<RestShapeSpringsForceField<D>>(root, "RestShapeSpringsForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

}  // namespace

HARNESS_FORCE_FIELD("RestShapeSpringsForceField")
{
    Node root;
    SECTION("Vec1") { test::checkForceField(build<Vec1Types>(root, {{"stiffness", "30"}})); }
    SECTION("Vec3") { test::checkForceField(build<Vec3Types>(root, {{"points", "0 2"}, {"stiffness", "30 50"}})); }
    SECTION("Vec3 along some axes")
    {
        test::checkForceField(build<Vec3Types>(root, {{"activeDirections", "1 0 1 0 0 0 0"}}));
    }
    SECTION("Rigid3")
    {
        // The stiffness is that of frames that are not turned against their targets.
        test::checkForceField(build<Rigid3Types>(root, {{"stiffness", "30"}, {"angularStiffness", "7"}}), {.seeds = 0});
    }
    SECTION("Rigid3, the exact derivative")
    {
        auto& ff = build<Rigid3Types>(root, {{"stiffness", "30"}, {"angularStiffness", "7"}, {"tangent", "1"}});
        auto& state = ff.state();
        const auto x = state.write(vec_id::position);
        x[0].orientation = Quat::fromRotationVector({0.3, -0.5, 1.2});
        x[1].orientation = Quat::fromRotationVector({-2., 0.5, 1.});
        x[2].orientation = Quat::fromRotationVector({0., 3., 0.});
        test::checkForceField(ff, {.seeds = 0, .symmetric = false});
    }
}

TEST_CASE("Newton's method converges quadratically with the exact derivative of torques")
{
    // A frame that begins turned about another axis than that of the torque on it.
    const auto residuals = [](const std::string& tangent) {
        test::SceneText s(
            "<StaticSolver newtonSolver='@newton'/><NewtonRaphsonSolver name='newton' "
            "maxNbIterationsNewton='30' relativeSuccessiveStoppingThreshold='0' relativeInitialStoppingThreshold='0' "
            "absoluteResidualStoppingThreshold='1e-12' relativeEstimateDifferenceThreshold='0' "
            "absoluteEstimateDifferenceThreshold='0'/><EigenSparseLU/><MechanicalObject template='Rigid3' "
            "rest_position='0 0 0 0 0 0 1' position='0 0 0 0 0.479425538604203 0 0.8775825618903728'/>"
            "<RestShapeSpringsForceField stiffness='10' angularStiffness='7' tangent='" +
                tangent + "'/><ConstantForceField forces='1 0 0 4 -3 6'/>",
            "1", "0 0 0");
        REQUIRE(s.good);
        s.step();
        const auto& x = s.root->get<State<Rigid3Types>>()->positions()[0];
        CHECK(norm(x.orientation.toRotationVector() - Vec3{4., -3., 6.} / 7.) < 1e-6);
        return s.root->get<component::NewtonRaphsonSolver>()->d_residualGraph.value();  // of |r|²
    };
    const auto exact = residuals("1"), frozen = residuals("0");
    CHECK(exact.size() < 9);
    CHECK(frozen.size() > exact.size() + 3);
    // The exponent of the last steps above rounding.
    for (std::size_t i = 2; i < exact.size(); ++i)
        if (exact[i] > 1e-22 && exact[i - 2] < 1.)
            CHECK(std::log(exact[i] / exact[i - 1]) / std::log(exact[i - 1] / exact[i - 2]) > 1.7);
}

TEST_CASE("the torque of a rest shape spring is along the rotation from the target")
{
    Node root;
    auto& ff = build<Rigid3Types>(root, {{"points", "1"}, {"angularStiffness", "7"}, {"stiffness", "0"}});
    auto& s = ff.state();
    s.write(vec_id::position)[1].orientation = Quat::fromAxisAngle({0., 0., 1.}, 0.6);
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(s.forces()[1][5] == Approx(-7. * 0.6));
    CHECK(s.forces()[1][3] == Approx(0.).margin(1e-15));
    CHECK(ff.potentialEnergy(MechanicalParams()) == Approx(0.5 * 7. * 0.36));
}

TEST_CASE("rest shape springs pull to another state")
{
    Node root;
    auto& target = *root.createChild("target");
    test::addState<Vec3Types>(target, {Vec3{5., 0., 0.}, Vec3{0., 5., 0.}}).setName("points");
    auto& ff =
        build<Vec3Types>(root, {{"points", "3 1"}, {"external_rest_shape", "@target/points"}, {"stiffness", "2"}});
    ff.addForce(MechanicalParams(), vec_id::force);
    const auto& x = ff.state().positions();
    CHECK(ff.state().forces()[3] == (x[3] - Vec3{5., 0., 0.}) * -2.);
    CHECK(ff.state().forces()[1] == (x[1] - Vec3{0., 5., 0.}) * -2.);
    test::checkForceField(ff);
}

TEST_CASE("rest shape springs pull to the points of another state that are listed, in their order")
{
    Node root;
    auto& target = *root.createChild("target");
    test::addState<Vec3Types>(target, {Vec3{5., 0., 0.}, Vec3{0., 5., 0.}, Vec3{0., 0., 5.}}).setName("points");
    auto& ff = build<Vec3Types>(
        root,
        {{"points", "3 1"}, {"external_rest_shape", "@target/points"}, {"external_points", "2 0"}, {"stiffness", "2"}});
    ff.addForce(MechanicalParams(), vec_id::force);
    const auto& x = ff.state().positions();
    CHECK(ff.state().forces()[3] == (x[3] - Vec3{0., 0., 5.}) * -2.);
    CHECK(ff.state().forces()[1] == (x[1] - Vec3{5., 0., 0.}) * -2.);
    CHECK(ff.state().forces()[0] == Vec3{});
}

TEST_CASE("rest shape springs say what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("point")
    {
        build<Vec3Types>(root, {{"points", "0 7"}}, false);
        CHECK(capture.has(Severity::Error, "points: there is no point 7, only 4 points"));
    }
    SECTION("lengths")
    {
        auto& target = *root.createChild("target");
        test::addState<Vec3Types>(target, {Vec3(), Vec3()}).setName("points");
        build<Vec3Types>(root, {{"external_rest_shape", "target/points"}}, false);
        CHECK(capture.has(Severity::Deprecated, "external_rest_shape is a link: write \"@target/points\""));
        CHECK(capture.has(Severity::Error, "4 points cannot be pulled to 2 points of external_rest_shape"));
    }
}

}  // namespace rest_shape_springs_force_field_test
