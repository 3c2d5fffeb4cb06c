// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/TrianglePressureForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace triangle_pressure_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::TrianglePressureForceField;

namespace {

TrianglePressureForceField& build(Node& root, const test::Attributes& attributes, bool valid = true)
{
    test::addState<Vec3Types>(root, {Vec3(), Vec3{2., 0., 0.}, Vec3{0., 3., 0.}, Vec3{0., 0., 4.}});
    auto& t = root.create<test::TestTopology>();
    t.points = 4;
    t.triangleList = {{0, 1, 2}, {0, 1, 3}};
    auto& ff = test::addComponent<TrianglePressureForceField>(root, "TrianglePressureForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

Vector<Vec3> forces(TrianglePressureForceField& ff)
{
    ff.state().clear(vec_id::force);
    ff.addForce(MechanicalParams(), vec_id::force);
    return ff.state().forces();
}

}  // namespace

HARNESS_FORCE_FIELD("TrianglePressureForceField")
{
    Node root;
    test::checkForceField(build(root, {{"triangleList", "0 1"}, {"pressure", "1 2 3"}}), {.hasStiffness = false});
}

TEST_CASE("a pressure on triangles is shared by their vertices")
{
    Node root;
    SECTION("times the area at rest")
    {
        auto& ff = build(root, {{"triangleList", "0"}, {"pressure", "0 0 2"}});
        CHECK(forces(ff) == Vector<Vec3>{{0., 0., 2.}, {0., 0., 2.}, {0., 0., 2.}, {0., 0., 0.}});
        // The pressure may change, the triangles change at reinit only, as in SOFA.
        ff.d_pressure.setValue({1., 0., 0.});
        ff.d_list.setValue({1});
        CHECK(forces(ff) == Vector<Vec3>{{1., 0., 0.}, {1., 0., 0.}, {1., 0., 0.}, {0., 0., 0.}});
        ff.reinit();
        CHECK(forces(ff)[3][0] == Approx(4. / 3.));
        CHECK(forces(ff)[2] == Vec3());
    }
    SECTION("as a stress on the present area")
    {
        auto& ff = build(
            root, {{"triangleList", "0"}, {"cauchyStress", "[ 1 0 5 , 0 1 0 , 5 0 2 ]"}, {"useConstantForce", "0"}});
        // Area vector 3 e_z; a third of the traction (5, 0, 2) · 3 goes to each vertex.
        CHECK(forces(ff)[1][0] == Approx(5.));
        CHECK(forces(ff)[1][2] == Approx(2.));
        ff.state().write(vec_id::position)[1] = {4., 0., 0.};
        CHECK(forces(ff)[1][2] == Approx(4.));
        CHECK(std::isnan(ff.potentialEnergy(MechanicalParams())));
    }
    SECTION("on triangles between two planes")
    {
        CHECK(build(root, {{"normal", "0 0 1"}, {"dmin", "-1"}, {"dmax", "1"}, {"pressure", "0 0 1"}}).d_list.value() ==
              Vector<Index>{0});
    }
}

TEST_CASE("a pressure says what is wrong")
{
    Node root;
    MessageCapture capture;
    build(root, {{"triangleList", "0 7"}}, false);
    CHECK(capture.has(Severity::Error, "triangleList: there is no triangle 7, only 2"));
}

}  // namespace triangle_pressure_force_field_test
