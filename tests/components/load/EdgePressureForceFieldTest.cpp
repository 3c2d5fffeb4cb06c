// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/EdgePressureForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Numerics.h"
#include "tests/harness/TestGraph.h"

namespace edge_pressure_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::EdgePressureForceField;

namespace {

/// A square of two triangles with its edges; edge 4 is the diagonal.
EdgePressureForceField& build(Node& root, const test::Attributes& attributes, bool valid = true, bool triangles = true)
{
    test::addState<Vec3Types>(root, {Vec3(), Vec3{2., 0., 0.}, Vec3{2., 3., 0.}, Vec3{0., 3., 0.}});
    auto& t = root.create<test::TestTopology>();
    t.points = 4;
    t.edgeList = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}};
    if (triangles) t.triangleList = {{0, 1, 2}, {0, 2, 3}};
    auto& ff = test::addComponent<EdgePressureForceField>(root, "EdgePressureForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

Vector<Vec3> forces(EdgePressureForceField& ff)
{
    ff.state().clear(vec_id::force);
    ff.addForce(MechanicalParams(), vec_id::force);
    return ff.state().forces();
}

}  // namespace

HARNESS_FORCE_FIELD("EdgePressureForceField")
{
    Node root;
    SECTION("a dead load")
    {
        test::checkForceField(build(root, {{"edgeIndices", "0 2 4"}, {"pressure", "1 2 3"}}), {.hasStiffness = false});
    }
    SECTION("across the edges")
    {
        test::checkForceField(
            build(root, {{"edgeIndices", "0 1 2 3 4"}, {"p_intensity", "1 2 3 4 5"}, {"tangent", "1"}}));
    }
    SECTION("by a binormal")
    {
        test::checkForceField(build(
            root, {{"edgeIndices", "0 1 4"}, {"p_intensity", "2 3 -1"}, {"binormal", "1 2 2"}, {"tangent", "1"}}));
    }
    SECTION("without a tangent")
    {
        auto& ff = build(root, {{"edgeIndices", "0 1 4"}, {"p_intensity", "2"}});
        const test::StateSet states(ff.states());
        test::DenseAccumulator k(states);
        ff.buildStiffness(MechanicalParams(), k);
        CHECK(k.matrix().norm() == 0.);
    }
}

TEST_CASE("a pressure on edges is shared by their ends")
{
    Node root;
    SECTION("times the length at rest")
    {
        auto& ff = build(root, {{"edges", "1 0  2 1"}, {"pressure", "0 0 2"}, {"p_intensity", "9"}});
        CHECK(ff.d_list.value() == Vector<Index>{0, 1});
        ff.state().write(vec_id::position)[1] = {7., 0., 0.};
        CHECK(forces(ff) == Vector<Vec3>{{0., 0., 2.}, {0., 0., 5.}, {0., 0., 3.}, {0., 0., 0.}});
    }
    SECTION("towards the triangle, whatever the sense of the edge, on the length at rest")
    {
        auto& ff = build(root, {{"edgeIndices", "0 2 3 4"}, {"p_intensity", "2"}});
        CHECK(forces(ff) == Vector<Vec3>{{3., 2., 0.}, {0., 2., 0.}, {0., -2., 0.}, {3., -2., 0.}});
        ff.state().write(vec_id::position)[1] = {4., 0., 0.};
        CHECK(forces(ff)[1] == Vec3{0., 2., 0.});
        ff.state().write(vec_id::position)[1] = {0., 5., 0.};
        CHECK(forces(ff)[1] == Vec3{-2., 0., 0.});
        CHECK(std::isnan(ff.potentialEnergy(MechanicalParams())));
    }
    SECTION("along binormal x edge")
    {
        auto& ff = build(root, {{"edgeIndices", "0 1"}, {"p_intensity", "2 4"}, {"binormal", "0 0 -5"}}, true, false);
        CHECK(forces(ff) == Vector<Vec3>{{0., -2., 0.}, {6., -2., 0.}, {6., 0., 0.}, {}});
    }
    SECTION("on edges between two planes")
    {
        CHECK(build(root, {{"normal", "0 1 0"}, {"dmin", "-1"}, {"dmax", "1"}, {"pressure", "0 0 1"}}).d_list.value() ==
              Vector<Index>{0});
    }
}

TEST_CASE("a pressure on edges says what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("an edge that is not there")
    {
        build(root, {{"edges", "0 1  1 3"}, {"pressure", "1 0 0"}}, false);
        CHECK(capture.has(Severity::Error, "has no edge between the points 1 and 3"));
    }
    SECTION("too few values")
    {
        build(root, {{"edgeIndices", "0 1 2"}, {"p_intensity", "1 2"}}, false);
        CHECK(capture.has(Severity::Error, "p_intensity has 2 values for 3 edges"));
    }
    SECTION("no normal")
    {
        build(root, {{"edgeIndices", "0"}, {"p_intensity", "1"}}, false, false);
        CHECK(capture.has(Severity::Error, "p_intensity needs a binormal, or triangles"));
    }
    SECTION("no binormal")
    {
        build(root, {{"edgeIndices", "0"}, {"p_intensity", "1"}, {"binormal", "0 0 0"}}, false);
        CHECK(capture.has(Severity::Error, "binormal is zero"));
    }
}

}  // namespace edge_pressure_force_field_test
