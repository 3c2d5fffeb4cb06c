// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/VectorSpringForceField.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "components/spring/SpringForceField.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Paths.h"
#include "tests/harness/TestGraph.h"

namespace vector_spring_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::RepulsiveSpringForceField;
using component::VectorSpringForceField;

namespace {

const std::vector<Vec3> s_points{{0., 0., 0.}, {1.3, 0.2, -0.1}, {0.4, 1.1, 0.3}, {-0.2, 0.5, 1.2}};

VectorSpringForceField& build(Node& root, const test::Attributes& attributes, bool valid = true)
{
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(s_points));
    auto& ff = test::addComponent<VectorSpringForceField>(root, "VectorSpringForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

template <class D>
void checkRepulsive()
{
    Node root;
    test::addState<D>(root, test::coordinates<D>(s_points));
    auto& ff = test::addComponent<RepulsiveSpringForceField<D>>(
        root, "RepulsiveSpringForceField",
        {{"template", std::string(D::name())}, {"spring", "0 1 100 2 3  1 2 150 1 0.3  2 3 80 0 2.5  3 0 60 3 3"}});
    REQUIRE(test::initialise(root));
    test::checkForceField(ff, {.displacement = 0.05, .internal = true});
}

}  // namespace

HARNESS_FORCE_FIELD("VectorSpringForceField")
{
    Node root;
    SECTION("one state")
    {
        test::checkForceField(build(root, {{"springs", "0 1 100 2 1 0 0  1 2 150 1 0 1 0  2 3 80 0 1 1 1"}}));
    }
    SECTION("two states")
    {
        auto& a = *root.createChild("a");
        auto& b = *root.createChild("b");
        test::addState<Vec3Types>(a, {s_points[0], s_points[1]}).setName("points");
        test::addState<Vec3Types>(b, {s_points[2], s_points[3], s_points[0]}).setName("points");
        auto& ff = test::addComponent<VectorSpringForceField>(
            root, "VectorSpringForceField",
            {{"object1", "@a/points"}, {"object2", "@b/points"}, {"stiffness", "20"}, {"viscosity", "3"}});
        REQUIRE(test::initialise(root));
        CHECK(ff.d_springs.text() == "0 0 20 3 0 0 0 1 1 20 3 0 0 0");
        test::checkForceField(ff);
    }
}

HARNESS_FORCE_FIELD("RepulsiveSpringForceField")
{
    SECTION("Vec1") { checkRepulsive<Vec1Types>(); }
    SECTION("Vec2") { checkRepulsive<Vec2Types>(); }
    SECTION("Vec3") { checkRepulsive<Vec3Types>(); }
}

TEST_CASE("repulsive springs push and never pull")
{
    for (const double length : {0.5, 1.5}) {
        Node root;
        auto& s = test::addState<Vec3Types>(root, {Vec3(), Vec3{length, 0., 0.}});
        auto& ff = test::addComponent<RepulsiveSpringForceField<Vec3Types>>(
            root, "RepulsiveSpringForceField",
            {{"indices1", "0"}, {"indices2", "1"}, {"lengths", "1"}, {"stiffness", "100"}, {"elongationOnly", "1"}});
        REQUIRE(test::initialise(root));
        ff.addForce(MechanicalParams(), vec_id::force);
        CHECK(norm(s.forces()[1] - Vec3{length < 1. ? 50. : 0., 0., 0.}) < 1e-12);
        CHECK(ff.potentialEnergy(MechanicalParams()) == (length < 1. ? Approx(12.5) : Approx(0.)));
    }
}

TEST_CASE("vector springs keep the vectors of edges, and turn back what is turned")
{
    Node root;
    auto& mesh = root.create<test::TestTopology>();
    mesh.points = 4;
    mesh.edgeList = {{0, 1}, {2, 3}};
    auto& ff = build(root, {{"useTopology", "1"}, {"stiffness", "10"}, {"viscosity", "0"}});
    auto& s = ff.state1();
    ff.addForce(MechanicalParams(), vec_id::force);
    for (const Vec3& f : s.forces()) CHECK(norm(f) < 1e-14);
    const Vec3 edge = s_points[1], turned{-edge[1], edge[0], edge[2]};
    s.write(vec_id::position)[1] = turned;
    ff.addForce(MechanicalParams(), vec_id::force);
    CHECK(norm(s.forces()[1] - (edge - turned) * 10.) < 1e-12);
}

TEST_CASE("vector springs are read from mass-spring files of version 4")
{
    const test::TemporaryDirectory folder;
    const auto path = folder.path() / "one.xs3";
    std::ofstream(path) << "Xsp 4.0\nnumm 2\nnums 1\nmass 1 s 0 0 0 0 0 0 -0.5 0.1\nmass 2 i 0 0 2 0 0 0 0.25 0.1\n"
                           "lspg 1 1 2 10 4 1.5 0.5 0 1\n";
    Node root;
    CHECK(build(root, {{"filename", path.string()}}).d_springs.text() == "0 1 10 4 0.5 0 1");
}

TEST_CASE("vector springs say what is wrong")
{
    Node root;
    MessageCapture capture;
    SECTION("point")
    {
        build(root, {{"springs", "0 4 1 1 0 0 0"}}, false);
        CHECK(capture.has(Severity::Error, "spring 0 joins point 4 of '/TestState1', which has 4 points"));
    }
    SECTION("mesh")
    {
        build(root, {{"useTopology", "1"}}, false);
        CHECK(capture.has(Severity::Error, "it needs a topology in its node or above"));
    }
}

}  // namespace vector_spring_force_field_test
