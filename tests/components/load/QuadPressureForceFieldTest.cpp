// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/QuadPressureForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace quad_pressure_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::QuadPressureForceField;

namespace {

/// A rectangle of 2 m x 3 m and a trapezoid of 3.75 m² beside it.
QuadPressureForceField& build(Node& root, const test::Attributes& attributes, bool valid = true)
{
    test::addState<Vec3Types>(
        root, {Vec3(), Vec3{2., 0., 0.}, Vec3{2., 3., 0.}, Vec3{0., 3., 0.}, Vec3{2., 0., 1.}, Vec3{2., 3., 1.5}});
    auto& t = root.create<test::TestTopology>();
    t.points = 6;
    t.quadList = {{0, 1, 2, 3}, {1, 4, 5, 2}};
    auto& ff = test::addComponent<QuadPressureForceField>(root, "QuadPressureForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

Vector<Vec3> forces(QuadPressureForceField& ff)
{
    ff.state().clear(vec_id::force);
    ff.addForce(MechanicalParams(), vec_id::force);
    return ff.state().forces();
}

}  // namespace

HARNESS_FORCE_FIELD("QuadPressureForceField")
{
    Node root;
    test::checkForceField(build(root, {{"quadList", "0 1"}, {"pressure", "1 2 3"}}), {.hasStiffness = false});
}

TEST_CASE("a pressure on quads is shared by their vertices, times the area at rest")
{
    Node root;
    SECTION("of a list")
    {
        auto& ff = build(root, {{"quadList", "1 0"}, {"pressure", "0 0 2"}});
        ff.state().write(vec_id::position)[4] = {9., 9., 9.};
        CHECK(forces(ff)[0] == Vec3{0., 0., 3.});
        CHECK(forces(ff)[5][2] == Approx(3.75 / 2.));
        CHECK(forces(ff)[1][2] == Approx(3. + 3.75 / 2.));
    }
    SECTION("between two planes")
    {
        CHECK(build(root, {{"normal", "1 0 0"}, {"dmin", "1"}, {"dmax", "3"}, {"pressure", "0 0 1"}}).d_list.value() ==
              Vector<Index>{1});
    }
}

TEST_CASE("a pressure on quads says what is wrong")
{
    Node root;
    MessageCapture capture;
    build(root, {{"quadList", "0 7"}}, false);
    CHECK(capture.has(Severity::Error, "quadList: there is no quad 7, only 2"));
}

}  // namespace quad_pressure_force_field_test
