// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/ConstantForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace constant_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::ConstantForceField;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {1.3, 0.2, -0.1}, {0.4, 1.1, 0.3}, {-0.2, 0.5, 1.2}};

template <class D>
ConstantForceField<D>& build(Node& root, test::Attributes attributes, bool valid = true)
{
    test::addState<D>(root, test::coordinates<D>(s_points));
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<ConstantForceField<D>>(root, "ConstantForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

Vector<Vec3> forces(ConstantForceField<Vec3Types>& ff)
{
    auto& s = ff.state();
    s.clear(vec_id::force);
    ff.addForce(MechanicalParams(), vec_id::force);
    return s.forces();
}

}  // namespace

HARNESS_FORCE_FIELD("ConstantForceField")
{
    const test::ForceFieldOptions options{.hasStiffness = false};
    Node root;
    SECTION("Vec1") { test::checkForceField(build<Vec1Types>(root, {{"forces", "3"}}), options); }
    SECTION("Vec2")
    {
        test::checkForceField(build<Vec2Types>(root, {{"totalForce", "3 -4"}, {"indices", "1 2"}}), options);
    }
    SECTION("Vec3")
    {
        test::checkForceField(build<Vec3Types>(root, {{"forces", "1 2 3  4 5 6"}, {"indices", "0 3"}}), options);
    }
    SECTION("Vec6") { test::checkForceField(build<Vec6Types>(root, {{"forces", "1 2 3 4 5 6"}}), options); }
    SECTION("Rigid2") { test::checkForceField(build<Rigid2Types>(root, {{"forces", "1 2 3"}}), options); }
    SECTION("Rigid3") { test::checkForceField(build<Rigid3Types>(root, {{"forces", "1 2 3 0 0 0"}}), options); }
    SECTION("Rigid3 with torque")
    {
        test::checkForceField(build<Rigid3Types>(root, {{"forces", "1 2 3 4 5 6"}}), options);
    }
}

TEST_CASE("constant forces act on the points of indices, counted from either end")
{
    Node root;
    const Vec3 f{1., 2., 3.}, g{4., 5., 6.}, zero;
    SECTION("one force for all points")
    {
        CHECK(forces(build<Vec3Types>(root, {{"forces", "1 2 3"}})) == Vector<Vec3>{f, f, f, f});
    }
    SECTION("one force for some points")
    {
        auto& ff = build<Vec3Types>(root, {{"force", "1 2 3"}, {"points", "0 2"}});
        CHECK(forces(ff) == Vector<Vec3>{f, zero, f, zero});
        CHECK(ff.d_totalForce.value() == f * 2.);
    }
    SECTION("a force for each point")
    {
        auto& ff = build<Vec3Types>(root, {{"forces", "1 2 3 4 5 6"}, {"indices", "0 2"}});
        CHECK(forces(ff) == Vector<Vec3>{f, zero, g, zero});
        CHECK(ff.d_totalForce.value() == f + g);
    }
    SECTION("a total force")
    {
        auto& ff = build<Vec3Types>(root, {{"totalForce", "2 4 6"}, {"indices", "0 2"}});
        CHECK(forces(ff) == Vector<Vec3>{f, zero, f, zero});
        CHECK(ff.d_forces.value() == Vector<Vec3>{f, f});
    }
    SECTION("from the end")
    {
        auto& ff = build<Vec3Types>(root, {{"forces", "1 2 3 4 5 6"}, {"indices", "0 1"}, {"indexFromEnd", "1"}});
        CHECK(forces(ff) == Vector<Vec3>{zero, zero, g, f});
    }
    SECTION("twice on one point")
    {
        CHECK(forces(build<Vec3Types>(root, {{"forces", "1 2 3"}, {"indices", "1 1"}}))[1] == f * 2.);
    }
    SECTION("both")
    {
        MessageCapture capture;
        CHECK(forces(build<Vec3Types>(root, {{"forces", "1 2 3"}, {"totalForce", "9 9 9"}}))[0] == f);
        CHECK(capture.has(Severity::Warning, "forces are used"));
    }
}

TEST_CASE("constant forces follow changes of their Data and of the number of points")
{
    Node root;
    const Vec3 f{1., 2., 3.}, g{4., 5., 6.};
    SECTION("forces")
    {
        auto& ff = build<Vec3Types>(root, {{"forces", "1 2 3"}});
        ff.d_forces.setValue({g});
        CHECK(forces(ff) == Vector<Vec3>{g, g, g, g});
        dynamic_cast<test::TestState<Vec3Types>&>(ff.state()).setPositions({Vec3(), Vec3()});
        CHECK(forces(ff) == Vector<Vec3>{g, g});
        ff.d_forces.setValue({f, g});
        CHECK(forces(ff) == Vector<Vec3>{f, g});
    }
    SECTION("total force")
    {
        auto& ff = build<Vec3Types>(root, {{"totalForce", "4 8 12"}});
        dynamic_cast<test::TestState<Vec3Types>&>(ff.state()).setPositions({Vec3(), Vec3()});
        CHECK(forces(ff) == Vector<Vec3>{f * 2., f * 2.});
        ff.d_totalForce.setValue({2., 4., 6.});
        CHECK(forces(ff) == Vector<Vec3>{f, f});
    }
}

TEST_CASE("a constant force field says what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("nothing")
    {
        build<Vec3Types>(root, {}, false);
        CHECK(capture.has(Severity::Error, "no force is given: set forces or totalForce"));
    }
    SECTION("sizes")
    {
        build<Vec3Types>(root, {{"forces", "1 2 3 4 5 6"}, {"indices", "0 1 2"}}, false);
        CHECK(capture.has(Severity::Error, "forces has 2 values for 3 points"));
    }
    SECTION("index")
    {
        build<Vec3Types>(root, {{"forces", "1 2 3"}, {"indices", "4"}}, false);
        CHECK(capture.has(Severity::Error, "indices: point 4 of '/TestState1', which has 4 points"));
    }
}

}  // namespace constant_force_field_test
