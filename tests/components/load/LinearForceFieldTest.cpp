// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/LinearForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace linear_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::LinearForceField;

namespace {

template <class D>
LinearForceField<D>& build(Node& root, test::Attributes attributes, bool valid = true)
{
    root.d_time.setValue(0.75);
    test::addState<D>(root, test::coordinates<D>({{0., 0., 0.}, {1., 0., 0.}}));
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<LinearForceField<D>>(root, "LinearForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

}  // namespace

HARNESS_FORCE_FIELD("LinearForceField")
{
    const test::ForceFieldOptions options{.hasStiffness = false};
    const test::Attributes keys{{"points", "1"}, {"times", "0.5 1"}};
    const auto with = [&](const std::string& forces) {
        test::Attributes a = keys;
        a.emplace_back("forces", forces);
        return a;
    };
    Node root;
    SECTION("Vec1") { test::checkForceField(build<Vec1Types>(root, with("1 2")), options); }
    SECTION("Vec2") { test::checkForceField(build<Vec2Types>(root, with("1 2 3 4")), options); }
    SECTION("Vec3") { test::checkForceField(build<Vec3Types>(root, with("1 2 3 4 5 6")), options); }
    SECTION("Vec6") { test::checkForceField(build<Vec6Types>(root, with("1 2 3 4 5 6 0 0 0 0 0 0")), options); }
    SECTION("Rigid3") { test::checkForceField(build<Rigid3Types>(root, with("1 2 3 0 0 0 0 0 0 0 0 0")), options); }
}

TEST_CASE("a linear force is interpolated between its keys")
{
    Node root;
    auto& ff = build<Vec1Types>(
        root, {{"points", "0"}, {"times", "1 2 4"}, {"forces", "10 20 0"}, {"force", "3"}, {"template", "Vec1"}});
    const auto at = [&](double time) {
        root.d_time.setValue(time);
        ff.state().clear(vec_id::force);
        ff.addForce(MechanicalParams(), vec_id::force);
        return ff.state().forces()[0][0];
    };
    CHECK(at(0.9) == 0.);
    CHECK(at(1.) == 30.);
    CHECK(at(1.5) == Approx(45.));
    CHECK(at(2.) == 60.);
    CHECK(at(3.) == Approx(30.));
    ff.d_forces.setValue({Vec1{10.}, Vec1{20.}, Vec1{7.}});
    CHECK(at(5.) == 7.);
}

TEST_CASE("a linear force field says what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("sizes")
    {
        build<Vec1Types>(root, {{"times", "1 2"}, {"forces", "1"}}, false);
        CHECK(capture.has(Severity::Error, "times has 2 keys and forces has 1"));
    }
    SECTION("order")
    {
        build<Vec1Types>(root, {{"times", "2 1"}, {"forces", "1 2"}}, false);
        CHECK(capture.has(Severity::Error, "times must increase: 2 1"));
    }
    SECTION("point")
    {
        build<Vec1Types>(root, {{"points", "2"}, {"times", "1"}, {"forces", "1"}}, false);
        CHECK(capture.has(Severity::Error, "points: point 2 of '/TestState1', which has 2 points"));
    }
}

}  // namespace linear_force_field_test
