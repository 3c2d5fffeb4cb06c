// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/CorotationalLinearFEMForceField.h"

#include <fstream>

#include "core/scene/SceneLoader.h"
#include "core/simulation/Simulation.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/Paths.h"

namespace corotational_linear_fem_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Scene = ForceFieldScene<CorotationalLinearFEMForceField<Vec3Types>>;

const BoxMesh bar(2, 1, 1, {1., 0.5, 0.5});

Vector<Vec3> bent()
{
    Vector<Vec3> x = bar.points;
    const Vector<Vec3> noise = randomVectors(x.size(), 0.05, 8);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i] + Vec3{0., 0.3, 0.2} * (bar.points[i][0] * x[i][0]);
    return x;
}

Scene& wooden(Scene& s)
{
    return static_cast<Scene&>(s.set("orthotropicModuli", "1000 80 50")
                                   .set("orthotropicRatios", "0.37 0.45 0.02")
                                   .set("orthotropicShearModuli", "90 5 70")
                                   .set("orthotropicAxes", "0 -1 0 1 0 0 0 0 1"));
}

}  // namespace

TEST_CASE("conformance of CorotationalLinearFEMForceField on hexahedra and of orthotropic material")
{
    // Where force and tangent are the derivatives of the energy.
    const auto check = [](auto&& prepare, bool tetrahedra, bool internal) {
        Scene s(bar, tetrahedra, !tetrahedra);
        prepare(s);
        s.set("rayleighStiffness", "0.1").init();
        REQUIRE(s.field.isValid());
        s.state.write(vec_id::position) = bent();
        checkForceField(s.field, {.displacement = 0.05, .internal = internal});
    };
    const auto linear = [](Scene& s) { s.set("youngModulus", "100").set("poissonRatio", "0.3").set("warp", "0"); };
    check(linear, false, false);
    check([](Scene& s) { wooden(s).set("warp", "0"); }, false, false);
    check([](Scene& s) { wooden(s).set("warp", "0"); }, true, false);
    check(
        [&](Scene& s) {
            linear(s);
            s.set("warp", "2").set("hexahedronRotation", "points");
        },
        false, true);
}

TEST_CASE("a hexahedron has one rotation, or one at each of its points")
{
    const auto forces = [](const char* rotation, const char* warp) {
        Scene s(bar, false, true);
        s.set("youngModulus", "100").set("hexahedronRotation", rotation).set("warp", warp).init();
        REQUIRE(s.field.isValid());
        const Vector<Vec3> f = s.forces(bent());
        return std::pair{flatten(f), s.stiffness()};
    };
    const auto difference = [](const auto& a, const auto& b) { return (a - b).norm() / b.norm(); };
    const auto linear = forces("element", "0"), linearPoints = forces("points", "0");
    CHECK(difference(linear.first, linearPoints.first) < 1e-12);
    CHECK(difference(linear.second, linearPoints.second) < 1e-12);
    const auto one = forces("element", "1"), points = forces("points", "1");
    const double distance = difference(one.first, points.first);
    CHECK(distance > 1e-3);
    CHECK(distance < 0.3);
    // With one rotation the tangent stays the rotated one.
    CHECK(forces("element", "2").second == one.second);
    CHECK(difference(forces("points", "2").second, points.second) > 1e-3);
}

TEST_CASE("an orthotropic material is stiff along its axes")
{
    // Stretched by 1% along x at σ_yy = σ_zz = 0 a bar of one element pulls with E along x.
    const auto pull = [](const char* axes) {
        const BoxMesh cube(1, 1, 1, {1., 1., 1.});
        Scene s(cube, false, true);
        s.set("orthotropicModuli", "1000 80 50").set("orthotropicRatios", "0 0 0");
        s.set("orthotropicShearModuli", "90 5 70").set("orthotropicAxes", axes).set("warp", "0").init();
        REQUIRE(s.field.isValid());
        const Vector<Vec3> f = s.forces(mapped(cube.points, Mat3::diagonal({1.01, 1., 1.}), {}));
        double sum = 0.;
        for (std::size_t i = 0; i < f.size(); ++i)
            if (cube.points[i][0] > 0.5) sum -= f[i][0];
        return sum;
    };
    CHECK(pull("1 0 0 0 1 0 0 0 1") == Approx(10.));
    CHECK(pull("0 -1 0 1 0 0 0 0 1") == Approx(0.8));  // its first axis lies along y
    CHECK(pull("0 0 1 0 1 0 -1 0 0") == Approx(0.5));  // its third axis lies along x
}

TEST_CASE("materials of corotational elements that cannot be are named")
{
    const auto fails = [](auto&& prepare, const char* text) {
        Scene s(bar, true, false);
        prepare(s);
        s.init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, text));
    };
    fails([](Scene& s) { wooden(s).set("orthotropicModuli", "1 2 -3"); },
          "element 0: orthotropic material: Young's moduli must be");
    fails([](Scene& s) { wooden(s).set("orthotropicRatios", "0 0 0  0 0 0"); },
          "element 2: orthotropicRatios has 2 values");
    fails([](Scene& s) { s.set("orthotropicModuli", "1 2 3"); }, "orthotropicRatios has 0 values");
}

TEST_CASE("a force field linked to materials that the mesh does not have says so")
{
    const TemporaryDirectory folder;
    std::ofstream(folder.path() / "t.veg")
        << "*VERTICES\n4 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n*ELEMENTS\nTETS\n1 4\n0 0 1 2 3\n"
           "*MATERIAL m\nORTHOTROPIC_N1, 1000, 5, 6, 7, 0.3\n*REGION\nallElements, m\n";
    const auto load = [&](const std::string& field) {
        return loadSceneText(
            "<Node name='root'><MeshVegLoader name='loader' filename='" + (folder.path() / "t.veg").string() +
                "'/><TetrahedronSetTopologyContainer src='@loader'/><MechanicalObject src='@loader'/>" + field +
                "</Node>",
            "scene.scn");
    };
    for (const char* type : {"CorotationalLinearFEMForceField", "StVKFEMForceField", "InvertibleFEMForceField",
                             "TetrahedronFEMForceField"}) {
        MessageCapture messages;
        Simulation simulation(load("<" + std::string(type) + " youngModulus='@loader.youngModulus'/>"));
        CHECK_FALSE(simulation.init());
        CHECK(messages.has(Severity::Error, "youngModulus=\"@loader.youngModulus\" is an empty list"));
    }
    // Linked to both, it takes what is there.
    Simulation simulation(
        load("<CorotationalLinearFEMForceField youngModulus='@loader.youngModulus' "
             "orthotropicModuli='@loader.orthotropicModuli' "
             "orthotropicRatios='@loader.orthotropicRatios' "
             "orthotropicShearModuli='@loader.orthotropicShearModuli'/>"));
    CHECK(simulation.init());
}

}  // namespace corotational_linear_fem_force_field_test
