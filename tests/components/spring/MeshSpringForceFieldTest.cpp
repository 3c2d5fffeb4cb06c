// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MeshSpringForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace mesh_spring_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::MeshSpringForceField;

namespace {

/// A cube as one hexahedron, its bottom as a quad and two triangles, one edge.
void addCube(Node& root)
{
    auto& t = root.create<test::TestTopology>();
    t.points = 8;
    t.edgeList = {{0, 1}};
    t.triangleList = {{0, 1, 2}, {0, 2, 3}};
    t.quadList = {{0, 1, 2, 3}};
    t.tetrahedronList = {{0, 1, 3, 4}};
    t.hexahedronList = test::cubeHexahedron();
}

template <class D>
MeshSpringForceField<D>& build(Node& root, test::Attributes attributes)
{
    test::addState<D>(root, test::coordinates<D>(test::cubePoints()));
    addCube(root);
    attributes.emplace_back("template", std::string(D::name()));
    auto& ff = test::addComponent<MeshSpringForceField<D>>(root, "MeshSpringForceField", attributes);
    REQUIRE(test::initialise(root));
    return ff;
}

std::size_t numberOfSprings(const test::Attributes& attributes)
{
    Node root;
    return build<Vec3Types>(root, attributes).d_springs.value().size();
}

}  // namespace

HARNESS_FORCE_FIELD("MeshSpringForceField")
{
    Node root;
    SECTION("Vec3")
    {
        auto& ff = build<Vec3Types>(root, {{"stiffness", "100"}, {"damping", "3"}});
        // The cube is at rest as given.
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
    SECTION("Vec2")
    {
        auto& ff = build<Vec2Types>(root, {{"quadsStiffness", "100"}});
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
    SECTION("Vec1")
    {
        auto& ff = build<Vec1Types>(root, {{"linesStiffness", "100"}});
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
    SECTION("without compression")
    {
        auto& ff = build<Vec3Types>(root, {{"stiffness", "100"}, {"noCompression", "1"}});
        // Small steps, which do not take a spring past its rest length, where the force has a kink.
        test::checkForceField(ff, {.displacement = 0.1, .step = 1e-6, .atGivenPose = false, .internal = true});
    }
}

TEST_CASE("each kind of element joins all pairs of its vertices, once")
{
    CHECK(numberOfSprings({{"linesStiffness", "1"}}) == 1);
    CHECK(numberOfSprings({{"trianglesStiffness", "1"}}) == 5);
    CHECK(numberOfSprings({{"quadsDamping", "1"}}) == 6);
    CHECK(numberOfSprings({{"tetrasStiffness", "1"}}) == 6);
    CHECK(numberOfSprings({{"cubesStiffness", "1"}}) == 28);
    CHECK(numberOfSprings({{"stiffness", "1"}}) == 28);
    CHECK(numberOfSprings({{"cubesStiffness", "1"}, {"localRange", "0 3"}}) == 22);
    CHECK(numberOfSprings({{"cubesStiffness", "1"}, {"localRange", "4 -1"}}) == 6);
}

TEST_CASE("stiffness and damping are those of unit length, and the first kind of a pair decides")
{
    Node root;
    auto& ff = build<Vec3Types>(root, {{"linesStiffness", "10"}, {"quadsStiffness", "20"}, {"quadsDamping", "2"}});
    const auto& springs = ff.d_springs.value();
    REQUIRE(springs.size() == 6);
    CHECK(springs[0] == component::LinearSpring{0, 1, 10., 0., 1., false, true});
    CHECK(springs[1].m2 == 2);
    CHECK(springs[1].ks == Approx(20. / std::sqrt(2.)));
    CHECK(springs[1].kd == Approx(2. / std::sqrt(2.)));
    CHECK(springs[1].initpos == Approx(std::sqrt(2.)));
    CHECK(ff.d_stiffness.value().size() == 6);
}

TEST_CASE("the attribute stiffness sets every kind, in the alphabetical order of the attributes")
{
    Node root;
    auto& ff = build<Vec3Types>(root, {{"trianglesStiffness", "3"},
                                       {"stiffness", "2"},
                                       {"linesStiffness", "1"},
                                       {"linesDamping", "5"},
                                       {"damping", "4"}});
    CHECK(ff.d_linesStiffness.value() == 2.);
    CHECK(ff.d_trianglesStiffness.value() == 3.);
    CHECK(ff.d_cubesStiffness.value() == 2.);
    CHECK(ff.d_linesDamping.value() == 5.);
    CHECK(ff.d_tetrahedraDamping.value() == 4.);
}

TEST_CASE("a mesh spring force field says what it lacks")
{
    Node root;
    auto& s = test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
    MessageCapture capture;
    SECTION("a topology")
    {
        test::addComponent(root, "MeshSpringForceField", {{"stiffness", "1"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "it needs a topology"));
    }
    SECTION("points")
    {
        addCube(root);
        s.setPositions({Vec3(), Vec3()});
        test::addComponent(root, "MeshSpringForceField", {{"stiffness", "1"}});
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "the mesh has a point 2, but the state '/TestState1' has only 2"));
    }
}

}  // namespace mesh_spring_force_field_test
