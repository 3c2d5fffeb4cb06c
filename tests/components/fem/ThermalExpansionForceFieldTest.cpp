// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/ThermalExpansionForceField.h"

#include <cmath>

#include "components/fem/TetrahedronFEMForceField.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"
#include "tests/harness/SceneText.h"

namespace thermal_expansion_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Scene = ForceFieldScene<ThermalExpansionForceField>;

constexpr double young = 2e5, poisson = 0.3, alpha = 2e-3;

BoxMesh jittered()
{
    BoxMesh mesh(2, 1, 1, {2., 1., 1.});
    mesh.jitter(0.1);
    return mesh;
}

Scene& heat(Scene& s, const std::string& temperature, const std::string& method)
{
    s.set("youngModulus", toText(young)).set("poissonRatio", toText(poisson));
    s.set("expansionCoefficient", toText(alpha)).set("temperature", temperature).set("method", method);
    s.init();
    REQUIRE(s.field.isValid());
    return s;
}

std::string numbers(std::size_t count)
{
    std::string out;
    for (const Vec3& v : randomVectors(count, 30., 3)) out += toText(v[0] + 40.) + ' ';
    return out;
}

/// Of a body with this material whose temperature is 50 K above the reference, beside the force field of the material.
struct Body
{
    BoxMesh mesh = jittered();
    ForceFieldScene<TetrahedronFEMForceField> elastic{mesh, true, false};
    Scene heat{mesh, true, false};
    explicit Body(const std::string& method)
    {
        elastic.set("youngModulus", toText(young)).set("poissonRatio", toText(poisson)).set("method", method).init();
        heat.set("referenceTemperature", "20");
        thermal_expansion_test::heat(heat, "70", method == "small" ? "small" : "polar");
    }
    Vector<Vec3> forces(const Vector<Vec3>& x)
    {
        Vector<Vec3> f = elastic.forces(x);
        const Vector<Vec3> g = heat.forces(x);
        for (std::size_t i = 0; i < f.size(); ++i) f[i] += g[i];
        return f;
    }
    double energy(const Vector<Vec3>& x) { return elastic.energy(x) + heat.energy(x); }
};

}  // namespace

HARNESS_FORCE_FIELD("ThermalExpansionForceField")
{
    const BoxMesh mesh = jittered();
    for (const std::string method : {"polar", "small"}) {
        INFO(method);
        Scene s(mesh, true, false);
        s.set("rayleighStiffness", "0.1");
        heat(s, numbers(mesh.points.size()), method);
        const Vector<Vec3> noise = randomVectors(mesh.points.size(), 0.1, 8);
        for (std::size_t i = 0; i < noise.size(); ++i) s.state.write(vec_id::position)[i] += noise[i];
        checkForceField(s.field, {.hasStiffness = method == "polar", .internal = method == "polar"});
    }
}

TEST_CASE("A free body expands by the coefficient times the change of temperature, without force", "[fem]")
{
    for (const std::string method : {"small", "large", "polar", "svd"}) {
        INFO(method);
        Body b(method);
        const Mat3 f = (method == "small" ? Mat3::identity() : someRotation()) * (1. + alpha * 50.);
        const Vector<Vec3> free = mapped(b.mesh.points, f, {0.1, 0.2, 0.3});
        const double scale = maxNorm(b.elastic.forces(free)), work = b.elastic.energy(free);
        REQUIRE(scale > 1.);
        REQUIRE(work > 1.);
        CHECK(maxNorm(b.forces(free)) < 1e-11 * scale);
        CHECK(maxNorm(b.forces(b.mesh.points)) > 0.5 * scale);
        // The energy of both is that of the strain without the free one: least, and zero, in the free body.
        CHECK(std::abs(b.energy(free)) < 1e-11 * work);
        CHECK(b.energy(b.mesh.points) == Approx(work).epsilon(1e-11));
        CHECK(b.energy(mapped(free, Mat3::identity() * 1.01, {})) > 1e-4 * work);
    }
}

TEST_CASE("Temperatures far from the reference free hyperelastic bodies almost as far", "[fem]")
{
    // As the strain αΔT → 0 the difference falls with its square.
    const auto residual = [](double temperature) {
        const double e = 1e-3 * temperature;
        const std::string attributes = " youngModulus='1e5' poissonRatio='0.3'";
        SceneText s(
            "<RegularGridTopology name='g' n='3 3 3' min='0 0 0' max='1 1 1'/><Node name='n'>"
            "<TetrahedronSetTopologyContainer name='m'/><TetrahedronSetTopologyModifier/>"
            "<Hexa2TetraTopologicalMapping input='@../g' output='@m'/><MechanicalObject name='x' "
            "position='@../g.position'/><UniformMass totalMass='1'/><StVKFEMForceField" +
                attributes + "/><ThermalExpansionForceField expansionCoefficient='1e-3' temperature='" +
                toText(temperature) + "'" + attributes + "/></Node>",
            "0.01", "0 0 0");
        REQUIRE(s.good);
        auto& state = s.state<Vec3Types>("n");
        state.allocate(vec_id::force);
        for (Vec3& x : *state.write(vec_id::position)) x *= 1. + e;
        state.clear(vec_id::force);
        for (auto* f : s.child("n").getAll<BaseForceField>())
            if (f->className() != "UniformMass") f->addForce(MechanicalParams(), vec_id::force);
        return state.maxNorm(vec_id::force);
    };
    const double coarse = residual(20.), fine = residual(10.);
    CHECK(coarse > 1e-3);
    CHECK(fine / coarse == Approx(0.25).margin(0.03));
}

TEST_CASE("A bar held at its ends has the stress of heat along it, and pushes with that", "[fem]")
{
    BoxMesh mesh(4, 2, 2, {4., 1., 1.});
    Scene heated(mesh, true, false);
    heat(heated, "25", "small");
    ForceFieldScene<TetrahedronFEMForceField> elastic(mesh, true, false);
    elastic.set("youngModulus", toText(young)).set("poissonRatio", toText(poisson)).set("method", "small").init();
    const double free = alpha * 25.;
    // Across it is free: Hooke's law with σ_yy = σ_zz = 0 and ε_xx = 0.
    Mat3 f = Mat3::identity();
    f[1][1] = f[2][2] = 1. + (1. + poisson) * free;
    const Vector<Vec3> x = mapped(mesh.points, f, {});
    Vector<Mat3> stress;
    heated.field.stresses({heated.field.resultElements(), mesh.points, x}, stress);
    REQUIRE(stress.size() == mesh.tetrahedra.size());
    for (const Mat3& s : stress) {
        CHECK(s[0][0] == Approx(-young * free).epsilon(1e-12));
        for (const double across : {s[1][1], s[2][2], s[0][1], s[0][2], s[1][2]})
            CHECK(std::abs(across) < 1e-10 * young * free);
    }
    Vector<Vec3> force = elastic.forces(x);
    const Vector<Vec3> more = heated.forces(x);
    double push = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) {
        force[i] += more[i];
        const bool end = mesh.points[i][0] == 0. || mesh.points[i][0] == 4.;
        if (mesh.points[i][0] == 4.) push += force[i][0];
        for (std::size_t a = end ? 1 : 0; a < 3; ++a) CHECK(std::abs(force[i][a]) < 1e-10 * young * free);
    }
    CHECK(push == Approx(young * free).epsilon(1e-12));  // on an area of 1 m²
    // Held everywhere: the pressure 3 κ α ΔT.
    heated.field.stresses({heated.field.resultElements(), mesh.points, mesh.points}, stress);
    for (const Mat3& s : stress)
        CHECK(norm(s + Mat3::identity() * (young / (1. - 2. * poisson) * free)) < 1e-10 * young * free);
}

TEST_CASE("Young's modulus follows the temperature in all force fields", "[fem]")
{
    // A cantilever whose modulus is 4e4 at 0 and 1e4 at 1, at 1 from the second step on.
    const auto tip = [](const std::string& field, const std::string& temperature, bool change) {
        SceneText s(
            "<RegularGridTopology name='g' n='4 3 3' min='0 0 0' max='1 0.3 0.3'/><Node name='heat'>"
            "<MechanicalObject name='t' template='Vec1' position='" +
            [&] {
                std::string all;
                for (int i = 0; i < 36; ++i) all += temperature + ' ';
                return all;
            }() +
            "'/></Node><Node name='n'><EulerImplicitSolver/><SparseLDLSolver/>"
            "<TetrahedronSetTopologyContainer name='m'/><TetrahedronSetTopologyModifier/>"
            "<Hexa2TetraTopologicalMapping input='@../g' output='@m'/><MechanicalObject name='x' "
            "position='@../g.position'/><UniformMass totalMass='5'/><TabulatedElementValues name='young' "
            "topology='@m' input='@../heat/t.position' keys='0 1' values='4e4 1e4'/><" +
            field +
            " topology='@m' youngModulus='@young.output' poissonRatio='0.3'/><FixedProjectiveConstraint "
            "indices='0 4 8 12 16 20 24 28 32'/></Node>");
        INFO(field);
        REQUIRE(s.good);
        if (change)
            for (Vec<1>& t : *s.state<Vec1Types>("heat").write(vec_id::position)) t[0] = 1.;
        s.step(10);
        return s.state<Vec3Types>("n").read(vec_id::position)[3];
    };
    for (const std::string field :
         {"TetrahedronFEMForceField", "TetrahedronFEMForceField volumetricStrain='averaged'",
          "TetrahedralCorotationalFEMForceField", "FastTetrahedralCorotationalForceField",
          "CorotationalLinearFEMForceField", "StVKFEMForceField", "InvertibleFEMForceField material='neoHookean'",
          "CorotationalFEMForceField template='Vec3,Tetrahedron'", "TetrahedralTensorMassForceField"}) {
        INFO(field);
        const Vec3 cold = tip(field, "0", false), hot = tip(field, "1", false), heated = tip(field, "0", true);
        CHECK(hot[1] < cold[1] - 1e-3);
        CHECK(heated == hot);
    }
}

TEST_CASE("Heat that nobody can use is told", "[fem]")
{
    const BoxMesh mesh = jittered();
    const auto fails = [&](const std::string& name, const std::string& value, const std::string& message) {
        Scene s(mesh, true, false);
        s.set("temperature", "1").set(name, value).init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, message));
    };
    fails("temperature", "1 2 3", "temperature has 3 values; expected one, or 12, one for each point");
    fails("temperature", "", "temperature has 0 values");
    Scene none(mesh, false, false);
    none.set("temperature", "1").init();
    CHECK_FALSE(none.field.isValid());
    BoxMesh flat = mesh;
    for (Vec3& x : flat.points) x[2] = 0.;
    Scene s(flat, true, false);
    s.set("temperature", "1").init();
    CHECK_FALSE(s.field.isValid());
    CHECK(s.messages.has(Severity::Error, "has no volume at rest"));
}

}  // namespace thermal_expansion_test
