// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/load/BuoyantForceField.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "core/math/Quat.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/TestGraph.h"

namespace buoyant_force_field_test {

using namespace sofa;
using namespace sofa::core;
using component::BuoyantForceField;
using A = test::Attributes;

namespace {

/// The unit cube of five tetrahedra, its lower face at the height z, in water by default.
struct Cube
{
    Node root;
    BuoyantForceField* field = nullptr;
    MessageCapture messages;

    explicit Cube(test::Attributes attributes = {}, double z = -0.3, bool asTetrahedra = true, bool valid = true)
    {
        root.d_gravity.setValue({0., 0., -10.});
        Vector<Vec3> points;
        for (const Vec3& p : test::cubePoints()) points.push_back(p + Vec3(0., 0., z));
        test::addState<Vec3Types>(root, points);
        auto& topology = root.create<test::TestTopology>();
        topology.points = 8;
        if (asTetrahedra)
            topology.tetrahedronList = test::cubeTetrahedra();
        else
            topology.quadList = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};  // inwards
        const test::Attributes usual{{"fluidDensity", "1000"}, {"atmosphericPressure", "0"}, {"enableViscosity", "0"}};
        for (const auto& a : usual)
            if (std::none_of(attributes.begin(), attributes.end(), [&](const auto& b) { return b.first == a.first; }))
                attributes.push_back(a);
        field = &test::addComponent<BuoyantForceField>(root, "BuoyantForceField", attributes);
        CHECK(test::initialise(root) == valid);
    }
    Vector<Vec3> rest() { return field->state().read(vec_id::restPosition); }
    Vector<Vec3> forces(const Vector<Vec3>& x, const Vec3& v = {})
    {
        Vector<Vec3> f(x.size()), all(x.size());
        for (Vec3& p : all) p = v;
        field->addForce({}, f, x, all);
        return f;
    }
    Vec3 resultant(const Vector<Vec3>& x, const Vec3& v = {})
    {
        Vec3 sum;
        for (const Vec3& f : forces(x, v)) sum += f;
        return sum;
    }
};

}  // namespace

HARNESS_FORCE_FIELD("BuoyantForceField")
{
    const test::ForceFieldOptions small{.displacement = 0.1};
    // Heights at which the given pose has no vertex in the surface.
    SECTION("half in water") { test::checkForceField(*Cube(A{{"rayleighStiffness", "0.1"}}).field, small); }
    SECTION("all in water") { test::checkForceField(*Cube({}, -3.).field, small); }
    SECTION("under the pressure of the air")
    {
        test::checkForceField(*Cube(A{{"atmosphericPressure", "3000"}}).field, small);
    }
    SECTION("a box") { test::checkForceField(*Cube(A{{"fluidModel", "2"}}).field, small); }
    SECTION("open") { test::checkForceField(*Cube({}, -0.3, false).field, {.displacement = 0.1, .symmetric = false}); }
    SECTION("laminar")
    {
        test::checkForceField(*Cube(A{{"enableViscosity", "1"}, {"fluidViscosity", "40"}}).field, small);
    }
    SECTION("turbulent")
    {
        test::checkForceField(*Cube(A{{"enableViscosity", "1"}, {"turbulentFlow", "1"}}).field, small);
    }
}

TEST_CASE("a body is lifted by the weight of the fluid that it displaces")
{
    Cube cube;
    CHECK(norm(cube.resultant(cube.rest()) - Vec3(0., 0., 0.3 * 1e4)) < 1e-9);
    // Whatever its pose: what is under water of a cube that stands on a corner at the depth h is a pyramid, h³ √3/2.
    const Vec3 diagonal = normalized(Vec3(1., 1., 1.)), axis = normalized(cross(diagonal, Vec3(0., 0., 1.)));
    const Quat stand = Quat::fromAxisAngle(axis, std::acos(diagonal[2]));
    for (const double h : {0.2, 0.5}) {
        auto x = cube.rest();
        for (Vec3& p : x) p = stand.rotate(p + Vec3(0., 0., 0.3)) - Vec3(0., 0., h);
        const Vec3 lift = cube.resultant(x);
        CHECK(lift[2] == Approx(1e4 * h * h * h * std::numbers::sqrt3 / 2.).epsilon(1e-10));
        CHECK(std::abs(lift[0]) + std::abs(lift[1]) < 1e-9);
    }
    // Deep under water only the volume counts, and the air's pressure has no resultant.
    Cube deep(A{{"atmosphericPressure", "101325"}, {"heightPlane", "3"}});
    auto x = deep.rest();
    for (Vec3& p : x) p = {p[0] * 1.5, p[1] + 0.2 * p[0], p[2]};
    CHECK(norm(deep.resultant(x) - Vec3(0., 0., 1.5e4)) < 1e-7);
    // In the air there is nothing else.
    Cube air({}, 0.5);
    for (const Vec3& f : air.forces(air.rest())) CHECK(norm(f) == 0.);
}

TEST_CASE("the energy of a floating body is the work against the pressure")
{
    Cube cube;
    auto x = cube.rest();
    const double before = cube.field->potentialEnergy({}, x);
    // From 0.3 to 0.6 m deep: ∫ ρ g A z dz
    for (Vec3& p : x) p[2] -= 0.3;
    CHECK(cube.field->potentialEnergy({}, x) - before == Approx(0.5e4 * (0.36 - 0.09)).epsilon(1e-12));
    Cube open({}, -0.3, false);
    CHECK(std::isnan(open.field->potentialEnergy({}, open.rest())));
}

TEST_CASE("the fluid may be a box, whose surface is above in the direction of gravity")
{
    Cube cube(A{{"fluidModel", "2"}, {"min", "5 5 0.2"}, {"max", "-5 -5 -2"}});
    CHECK(norm(cube.resultant(cube.rest()) - Vec3(0., 0., 0.5e4)) < 1e-9);
    auto aside = cube.rest();
    for (Vec3& p : aside) p[0] += 20.;
    CHECK(cube.resultant(aside) == Vec3());
    // Gravity upwards: the fluid's surface is the lower face.
    cube.field->d_min.setValue({5., 5., 3.});
    cube.root.d_gravity.setValue({0., 0., 10.});
    CHECK(norm(cube.resultant(cube.rest()) - Vec3(0., 0., -1e4)) < 1e-8);
}

TEST_CASE("the drag is that of a sphere with the same surface")
{
    const double radius = std::sqrt(6. / (4. * std::numbers::pi));
    Cube laminar(A{{"enableViscosity", "1"}, {"fluidViscosity", "2"}, {"fluidDensity", "0"}}, -3.);
    CHECK(norm(laminar.resultant(laminar.rest(), {1., 2., 0.5}) +
               Vec3(1., 2., 0.5) * (6. * std::numbers::pi * 2. * radius)) < 1e-10);
    Cube turbulent(A{{"enableViscosity", "1"}, {"turbulentFlow", "1"}, {"heightPlane", "9"}});
    CHECK((turbulent.resultant(turbulent.rest(), {3., 0., 0.}) - turbulent.resultant(turbulent.rest()))[0] ==
          Approx(-0.5 * 1000. * std::numbers::pi * radius * radius * 9.).epsilon(1e-10));
}

TEST_CASE("the sides of a body are found, those of an open surface are given")
{
    // Quads that turn right when seen from outside, the lid is missing: the pressure would push outwards.
    Cube open({}, -0.5, false), flipped(A{{"flipNormals", "1"}}, -0.5, false);
    CHECK(open.resultant(open.rest())[2] == Approx(-0.5e4));
    CHECK(flipped.resultant(flipped.rest())[2] == Approx(0.5e4));
    Cube closed(A{{"flipNormals", "1"}}, -0.5);
    CHECK(closed.resultant(closed.rest())[2] == Approx(0.5e4));
}

TEST_CASE("the border of hexahedra is a surface, too")
{
    Cube cube;
    auto& topology = *cube.root.get<test::TestTopology>(Search::Local);
    topology.tetrahedronList.clear();
    topology.hexahedronList = test::cubeHexahedron();
    topology.changed();
    cube.field->reinit();
    CHECK(norm(cube.resultant(cube.rest()) - Vec3(0., 0., 0.3 * 1e4)) < 1e-9);
}

TEST_CASE("buoyancy says what is wrong")
{
    MessageCapture capture;
    Node root;
    test::addState<Vec3Types>(root, {Vec3()});
    SECTION("no mesh")
    {
        test::addComponent(root, "BuoyantForceField");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "topology"));
    }
    SECTION("an empty mesh")
    {
        root.create<test::TestTopology>();
        test::addComponent(root, "BuoyantForceField");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "has no tetrahedra, hexahedra, triangles or quads"));
    }
    SECTION("points that the state does not have")
    {
        auto& topology = root.create<test::TestTopology>();
        topology.points = 3;
        topology.triangleList = {{0, 1, 2}};
        test::addComponent(root, "BuoyantForceField");
        CHECK_FALSE(test::initialise(root));
        CHECK(capture.has(Severity::Error, "the mesh has a point 1"));
    }
    SECTION("a fluid of another kind")
    {
        test::addComponent(root, "BuoyantForceField", {{"fluidModel", "3"}});
        CHECK(capture.has(Severity::Error, "fluidModel"));
    }
}

}  // namespace buoyant_force_field_test
