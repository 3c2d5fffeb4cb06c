// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/spring/MassSpringForceField.h"

#include <catch2/catch.hpp>

#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace mass_spring_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::LinearSpring;
using component::MassSpringForceField;

namespace {

enum Kinds : unsigned
{
    Lines = 1,
    Triangles = 2,
    Quads = 4,
    Tetrahedra = 8,
    Hexahedra = 16
};

/// The unit cube, with the elements of the kinds asked for.
MassSpringForceField& build(Node& root, unsigned kinds, const test::Attributes& attributes, bool valid = true)
{
    test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
    auto& t = root.create<test::TestTopology>();
    t.points = 8;
    if (kinds & Lines) t.edgeList = {{6, 0}};
    if (kinds & Triangles) t.triangleList = {{0, 1, 2}, {0, 2, 3}};
    if (kinds & Quads) t.quadList = {{0, 1, 2, 3}, {1, 5, 6, 2}};
    if (kinds & Tetrahedra) t.tetrahedronList = test::cubeTetrahedra();
    if (kinds & Hexahedra) t.hexahedronList = test::cubeHexahedron();
    auto& ff = test::addComponent<MassSpringForceField>(root, "MassSpringForceField", attributes);
    CHECK(test::initialise(root) == valid);
    return ff;
}

std::size_t count(unsigned kinds, const test::Attributes& attributes = {})
{
    Node root;
    return build(root, kinds, attributes).springs().size();
}

std::optional<LinearSpring> find(const MassSpringForceField& ff, Index a, Index b)
{
    for (const LinearSpring& s : ff.springs())
        if (s.m1 == a && s.m2 == b) return s;
    return std::nullopt;
}

}  // namespace

HARNESS_FORCE_FIELD("MassSpringForceField")
{
    const test::ForceFieldOptions options{.displacement = 0.1, .internal = false};
    Node root;
    SECTION("tetrahedra")
    {
        auto& ff = build(root, Tetrahedra, {{"tensileStiffness", "100"}});
        CHECK_FALSE(ff.hasDamping());
        test::checkForceField(ff, {.displacement = 0.1, .internal = true});
    }
    SECTION("hexahedra, damped") { test::checkForceField(build(root, Hexahedra, {{"damping", "3"}}), options); }
    SECTION("quads") { test::checkForceField(build(root, Quads, {{"bendStiffness", "7"}}), options); }
    SECTION("groups")
    {
        test::checkForceField(
            build(root, Triangles, {{"groups", "1 0"}, {"groupStiffness", "10 20"}, {"groupDamping", "0 2"}}), options);
    }
}

TEST_CASE("a mass-spring system joins all vertices of an element, once")
{
    CHECK(count(Lines) == 1);
    CHECK(count(Triangles) == 5);
    CHECK(count(Tetrahedra) == 18);
    CHECK(count(Hexahedra) == 28);
    CHECK(count(Tetrahedra | Hexahedra | Quads | Triangles) == 28);
    CHECK(count(Lines, {{"springs", "0 1 1 2"}}) == 2);
    // Two quads with a common side: 7 sides, 4 diagonals, and the pairs 0-5 and 3-6 across the side 1-2.
    CHECK(count(Quads) == 13);
    CHECK(count(Quads, {{"bendStiffness", "0"}}) == 11);
    CHECK(count(Quads, {{"shearStiffness", "0"}, {"bendStiffness", "0"}}) == 7);
}

TEST_CASE("springs of quads have the stiffness of their kind, those of groups that of the first element")
{
    Node root;
    SECTION("quads")
    {
        auto& ff =
            build(root, Quads,
                  {{"tensileStiffness", "5"}, {"shearStiffness", "4"}, {"bendStiffness", "3"}, {"damping", "2"}});
        REQUIRE(find(ff, 1, 2));
        CHECK(*find(ff, 1, 2) == LinearSpring{1, 2, 5., 2., 1., false, true});
        REQUIRE(find(ff, 2, 5));
        CHECK(find(ff, 2, 5)->ks == 4.);
        CHECK(find(ff, 2, 5)->initpos == Approx(std::sqrt(2.)));
        REQUIRE(find(ff, 0, 5));
        CHECK(find(ff, 0, 5)->ks == 3.);
        REQUIRE(find(ff, 3, 6));
        CHECK_FALSE(find(ff, 0, 6));
    }
    SECTION("groups")
    {
        auto& ff = build(root, Triangles, {{"groups", "1 0"}, {"groupStiffness", "10 20"}, {"damping", "2"}});
        CHECK(find(ff, 0, 1)->ks == 20.);
        CHECK(find(ff, 0, 2)->ks == 20.);
        CHECK(find(ff, 0, 3)->ks == 10.);
        CHECK(find(ff, 0, 3)->kd == 2.);
    }
    SECTION("explicit springs")
    {
        auto& ff = build(root, Lines, {{"springs", "6 0 1 2"}, {"groups", "1 0"}, {"groupStiffness", "10 20"}});
        CHECK(ff.springs()[0] == LinearSpring{6, 0, 20., 0., std::sqrt(3.), false, true});
        CHECK(ff.springs()[1].ks == 10.);
    }
}

TEST_CASE("a single spring pulls with k (l - L), and damping takes the whole relative velocity")
{
    Node root;
    auto& ff = build(root, Lines, {{"springs", "0 1"}, {"stiffness", "50"}, {"damping", "2"}});
    Vector<Vec3> x = test::coordinates<Vec3Types>(test::cubePoints()), v(8), f(8);
    x[1] = {0., 1.5, 0.};
    v[1] = {1., 0., 3.};
    ff.addForce({}, f, x, v);
    CHECK(f[0] == Vec3{2., 25., 6.});
    CHECK(f[1] == Vec3{-2., -25., -6.});
    CHECK(ff.potentialEnergy({}, x) == Approx(0.5 * 50. * 0.25));
    // Edits count at the next step.
    ff.d_tensileStiffness.setValue(100.);
    ff.d_damping.setValue(0.);
    f.assign(8, {});
    ff.addForce({}, f, x, v);
    CHECK(f[0] == Vec3{0., 50., 0.});
    CHECK_FALSE(ff.hasDamping());
}

TEST_CASE("a mass-spring system says what does not fit")
{
    Node root;
    MessageCapture capture;
    SECTION("no elements")
    {
        build(root, 0, {}, false);
        CHECK(capture.has(Severity::Error, "has no elements"));
    }
    SECTION("no mesh")
    {
        test::addState<Vec3Types>(root, test::coordinates<Vec3Types>(test::cubePoints()));
        test::addComponent(root, "MassSpringForceField");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "it needs a topology in its node or above, or the pairs of points"));
    }
    SECTION("groups")
    {
        build(root, Triangles, {{"groups", "0 2"}, {"groupStiffness", "1 2"}}, false);
        CHECK(capture.has(Severity::Error, "groups: value 1 is the group 2, but groupStiffness has only 2 values"));
    }
    SECTION("number of groups")
    {
        build(root, Triangles, {{"groups", "0"}, {"groupStiffness", "1 2"}}, false);
        CHECK(capture.has(Severity::Error, "groups has 1 values for 2 triangles"));
    }
    SECTION("number of dampings")
    {
        build(root, Triangles, {{"groupDamping", "0"}, {"groupStiffness", "1 2"}}, false);
        CHECK(capture.has(Severity::Error, "groupDamping has 1 values and groupStiffness has 2"));
    }
    SECTION("negative")
    {
        build(root, Triangles, {{"groupStiffness", "1 -2"}}, false);
        CHECK(capture.has(Severity::Error, "a value of groupStiffness or groupDamping is negative"));
    }
    SECTION("points")
    {
        build(root, Lines, {{"springs", "0 8"}}, false);
        CHECK(capture.has(Severity::Error, "a spring joins point 8, but the state '/TestState1' has only 8 points"));
    }
}

}  // namespace mass_spring_force_field_test
