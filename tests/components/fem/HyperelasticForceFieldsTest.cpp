// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/CorotationalLinearFEMForceField.h"
#include "components/fem/VegaForceFields.h"

#include "components/fem/TetrahedronHyperelasticityFEMForceField.h"

#include "core/fem/materials/NamedMaterials.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"

namespace hyperelastic_force_fields_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

BoxMesh smallMesh()
{
    BoxMesh mesh(1, 1, 2, {1., 1.5, 1.});
    mesh.jitter(0.1);
    return mesh;
}

/// A scene whose points are displaced from the rest shape by noise.
template <class F>
struct NoisyScene : ForceFieldScene<F>
{
    NoisyScene() : ForceFieldScene<F>(smallMesh(), true, false) {}
    NoisyScene& start()
    {
        this->set("rayleighStiffness", "0.1").init();
        const auto x = this->state.write(vec_id::position);
        const Vector<Vec3> noise = randomVectors(x.size(), 0.05, 8);
        for (std::size_t i = 0; i < noise.size(); ++i) x[i] += noise[i];
        return *this;
    }
};

const ForceFieldOptions gentle{.displacement = 0.05, .internal = true};

}  // namespace

HARNESS_FORCE_FIELD("StVKFEMForceField")
{
    NoisyScene<StVKFEMForceField<Vec3Types>> s;
    s.set("youngModulus", "100").set("poissonRatio", "0.3");
    checkForceField(s.start().field, gentle);
}

HARNESS_FORCE_FIELD("CorotationalLinearFEMForceField")
{
    // Warp 1 has the approximate tangent; tests/core/fem checks what it is.
    for (const char* warp : {"0", "2"}) {
        NoisyScene<CorotationalLinearFEMForceField<Vec3Types>> s;
        s.set("youngModulus", "100").set("poissonRatio", "0.3").set("warp", warp);
        ForceFieldOptions options = gentle;
        options.internal = warp == std::string("2");  // without rotations, a turned body has torques
        checkForceField(s.start().field, options);
    }
}

HARNESS_FORCE_FIELD("InvertibleFEMForceField")
{
    for (const char* material : {"StVK", "neoHookean", "MooneyRivlin"}) {
        INFO(material);
        NoisyScene<InvertibleFEMForceField<Vec3Types>> s;
        s.set("material", material).set("youngModulus", "100").set("poissonRatio", "0.3");
        s.set("mu01", "8").set("mu10", "12").set("v1", "70").set("tangentProjection", "none");
        checkForceField(s.start().field, gentle);
    }
}

HARNESS_FORCE_FIELD("TetrahedronHyperelasticityFEMForceField")
{
    for (const auto& [material, parameters] : {std::pair{"StVenantKirchhoff", "36 144"},
                                               {"NeoHookean", "36 144"},
                                               {"StableNeoHookean", "36 144"},
                                               {"MooneyRivlin", "12 6 170"},
                                               {"ArrudaBoyce", "33 170"},
                                               {"Ogden", "70 3 170"},
                                               {"VerondaWestman", "5 8 170"},
                                               {"Costa", "5 170 14 7 14 7 7 14"}}) {
        INFO(material);
        NoisyScene<TetrahedronHyperelasticityFEMForceField> s;
        s.set("materialName", material).set("ParameterSet", parameters).set("tangentProjection", "none");
        ForceFieldOptions options = gentle;
        if (material == std::string("VerondaWestman") || material == std::string("Costa"))
            options.step = 2e-4;  // exponentials
        checkForceField(s.start().field, options);
    }
}

HARNESS_FORCE_FIELD("StandardTetrahedralFEMForceField")
{
    NoisyScene<StandardTetrahedralFEMForceField> s;
    s.set("ParameterSet", "33 170");  // ArrudaBoyce
    checkForceField(s.start().field, gentle);
}

TEST_CASE("hexahedra and tetrahedra in one mesh add up, and obey the laws of force fields")
{
    const BoxMesh mesh = smallMesh();
    NoisyScene<InvertibleFEMForceField<Vec3Types>> both;
    both.topology.m_hexahedra = {mesh.hexahedra[1]};
    both.topology.m_tetrahedra.resize(6);  // those of the first hexahedron
    both.set("youngModulus", "100").set("poissonRatio", "0.3").set("tangentProjection", "none");
    checkForceField(both.start().field, gentle);
    // A homogeneous deformation has the same energy, whatever the elements.
    ForceFieldScene<InvertibleFEMForceField<Vec3Types>> t(mesh, true, false), h(mesh, false, true);
    t.init();
    h.init();
    REQUIRE(t.field.isValid());
    REQUIRE(h.field.isValid());
    Mat3 f = Mat3::identity() * 1.1;
    f[0][1] = 0.3;
    const Vector<Vec3> x = mapped(BoxMesh(1, 1, 2, {1., 1.5, 1.}).points, f, {});
    ForceFieldScene<StVKFEMForceField<Vec3Types>> a(BoxMesh(1, 1, 2, {1., 1.5, 1.}), true, false),
        b(BoxMesh(1, 1, 2, {1., 1.5, 1.}), false, true);
    a.init();
    b.init();
    CHECK(a.energy(x) > 1.);
    CHECK(std::abs(a.energy(x) - b.energy(x)) < 1e-12 * a.energy(x));
}

TEST_CASE("prisms and pyramids take part, and every cut of a body has the energy of a homogeneous deformation")
{
    const BoxMesh mesh(1, 1, 2, {1., 1.5, 1.});
    const Hexahedron &a = mesh.hexahedra[0], &b = mesh.hexahedra[1];
    Vector<Vec3> points = mesh.points;
    Vec3 middle;
    for (const Index v : a) middle += points[v] / 8.;
    const auto apex = static_cast<Index>(points.size());
    points.push_back(middle);
    // The first cube as six pyramids, the second as two prisms.
    const auto fill = [&](ListTopology& t) {
        constexpr int faces[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                     {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
        for (const auto& f : faces) t.m_pyramids.push_back({a[f[0]], a[f[1]], a[f[2]], a[f[3]], apex});
        t.m_prisms = {{b[0], b[1], b[2], b[4], b[5], b[6]}, {b[0], b[2], b[3], b[4], b[6], b[7]}};
    };
    NoisyScene<InvertibleFEMForceField<Vec3Types>> noisy;
    noisy.state.d_position.setValue(points);
    noisy.topology.m_tetrahedra.clear();
    noisy.topology.points = static_cast<Index>(points.size());
    fill(noisy.topology);
    noisy.set("youngModulus", "100").set("poissonRatio", "0.3").set("tangentProjection", "none");
    checkForceField(noisy.start().field, gentle);

    ForceFieldScene<StVKFEMForceField<Vec3Types>> cut(mesh, false, false), whole(mesh, true, false);
    cut.state.d_position.setValue(points);
    cut.topology.points = static_cast<Index>(points.size());
    fill(cut.topology);
    cut.init();
    whole.init();
    Mat3 f = Mat3::identity() * 1.1;
    f[0][1] = 0.3;
    const double energy = whole.energy(mapped(mesh.points, f, {}));
    CHECK(energy > 1.);
    CHECK(std::abs(cut.energy(mapped(points, f, {})) - energy) < 1e-12 * energy);
}

TEST_CASE("hyperelastic materials of SOFA take their parameters in SOFA's order")
{
    // Small strain of a single direction: E = mu (3 lambda + 2 mu)/(lambda + mu) tells mu from lambda.
    ForceFieldScene<TetrahedronHyperelasticityFEMForceField> s(smallMesh(), true, false);
    s.set("materialName", "NeoHookean").set("ParameterSet", "100 0").init();
    ForceFieldScene<InvertibleFEMForceField<Vec3Types>> v(smallMesh(), true, false);
    v.set("material", "neoHookean").set("youngModulus", "200").set("poissonRatio", "0").init();
    const Vector<Vec3> x = mapped(smallMesh().points, Mat3::identity() * 1.1, {});
    CHECK((flatten(s.forces(x)) - flatten(v.forces(x))).norm() < 1e-12 * flatten(v.forces(x)).norm());
    {
        ForceFieldScene<TetrahedronHyperelasticityFEMForceField> wrong(smallMesh(), true, false);
        wrong.set("materialName", "MooneyRivlin").set("ParameterSet", "1 2").init();
        CHECK_FALSE(wrong.field.isValid());
        CHECK(wrong.messages.has(Severity::Error, "materialName=\"MooneyRivlin\" needs 3"));
    }
}

TEST_CASE("parameters of the force models of Vega are per element where they are lists")
{
    // Twice Young's modulus in every element is twice the force; in one element only, less.
    const BoxMesh mesh = smallMesh();
    Vector<Vec3> x = mesh.points;
    const auto noise = randomVectors(x.size(), 0.05, 8);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    const auto forces = [&](const std::string& young) {
        ForceFieldScene<InvertibleFEMForceField<Vec3Types>> s(mesh, true, false);
        s.set("youngModulus", young).set("poissonRatio", "0.3").init();
        REQUIRE(s.field.isValid());
        return flatten(s.forces(x));
    };
    const Eigen::VectorXd one = forces("100"), two = forces("200"), mixed = forces("100 200");
    CHECK((two - 2. * one).norm() < 1e-12 * two.norm());
    CHECK((mixed - one).norm() > 1e-3 * one.norm());
    CHECK((mixed - one).norm() < (two - one).norm());
}

TEST_CASE("the force models of Vega name what is wrong")
{
    const BoxMesh mesh = smallMesh();
    {
        ForceFieldScene<InvertibleFEMForceField<Vec3Types>> s(mesh, true, false);
        s.set("material", "MooneyRivlin").set("mu01", "1").init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, "needs mu01, mu10 and v1"));
    }
    {
        ForceFieldScene<StVKFEMForceField<Vec3Types>> s(mesh, false, false);
        s.init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error,
                             "has none of the elements that it acts on: tetrahedra, hexahedra, prisms, pyramids, "
                             "triangles, quads, edges"));
    }
    {
        ForceFieldScene<StVKFEMForceField<Vec3Types>> s(mesh, true, false);
        s.topology.m_tetrahedra[2] = {0, 1, 2, 0};
        s.init();
        CHECK_FALSE(s.field.isValid());
        CHECK(s.messages.has(Severity::Error, "element 2 has no volume"));
    }
}

namespace {

/// μ/2 (I − 3) − μ ln J + λ/2 ln² J, as NeoHookean; μ before λ, as scenes give them.
struct OwnNeoHookean
{
    template <class T>
    static T value(const T& i, const T&, const T& j, const double* p)
    {
        return (i - 3.) * (0.5 * p[0]) - log(j) * p[0] + log(j) * log(j) * (0.5 * p[1]);
    }
};

}  // namespace

TEST_CASE("A material registers beside its energy, is named by scenes, and can be withdrawn")
{
    REQUIRE(registerUserMaterial<OwnNeoHookean, 2>("TestNeoHookean"));
    {
        const MessageCapture capture;
        CHECK_FALSE(registerUserMaterial<OwnNeoHookean, 2>("TestNeoHookean"));
        CHECK(capture.has(Severity::Error, "material 'TestNeoHookean' is registered twice"));
    }
    Vector<Vec3> forces[2];
    for (const int own : {0, 1}) {
        NoisyScene<HyperelasticityFEMForceField<Vec3Types>> s;
        s.set("materialName", own ? "TestNeoHookean" : "NeoHookean").set("ParameterSet", "100 150");
        s.start();
        REQUIRE(s.field.isValid());
        Vector<Vec3>& f = forces[own];
        f.resize(s.state.size());
        s.field.addForce(MechanicalParams(), f, s.state.positions(), Vector<Vec3>(f.size()));
    }
    double largest = 0.;
    for (std::size_t i = 0; i < forces[0].size(); ++i) {
        largest = std::max(largest, norm(forces[0][i]));
        CHECK(norm(forces[0][i] - forces[1][i]) < 1e-10);
    }
    CHECK(largest > 1.);
    CHECK(materials().remove("TestNeoHookean"));
    NoisyScene<HyperelasticityFEMForceField<Vec3Types>> s;
    s.set("materialName", "TestNeoHookean").set("ParameterSet", "100 150").init();
    CHECK(s.messages.has(Severity::Error, "TestNeoHookean"));
}

}  // namespace hyperelastic_force_fields_test
