// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/fem/LinearSmallStrainFEMForceField.h"
#include "components/fem/TetrahedralTensorMassForceField.h"
#include "components/fem/TriangularTensorMassForceField.h"
#include "tests/components/fem/FemFixture.h"
#include "tests/harness/ForceFieldCheck.h"

namespace tensor_mass_force_field_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

using Triangles = TriangularTensorMassForceField;
using Tetrahedra = TetrahedralTensorMassForceField;

/// A sheet of 3 x 2 cells in the plane x y, of triangles.
struct Sheet : ForceFieldScene<Triangles>
{
    Sheet() : ForceFieldScene<Triangles>(BoxMesh(1, 1, 1, {1., 1., 1.}), false, false)
    {
        Vector<Vec3> points;
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 4; ++i) points.push_back({i * 1., j * 0.75, 0.});
        state.d_position.setValue(points);
        topology.points = static_cast<Index>(points.size());
        for (Index j = 0; j < 2; ++j)
            for (Index i = 0; i < 3; ++i) {
                const Index a = 4 * j + i;
                topology.m_triangles.push_back({a, a + 1, a + 5});
                topology.m_triangles.push_back({a, a + 5, a + 4});
            }
    }
    Vector<Vec3> points() { return state.d_position.value(); }
};

}  // namespace

HARNESS_FORCE_FIELD("TriangularTensorMassForceField")
{
    Sheet s;
    // Not in a plane, and with numbers in any order.
    Vector<Vec3> x = s.points();
    const Vector<Vec3> bumps = randomVectors(x.size(), 0.3, 5);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += bumps[i];
    s.state.d_position.setValue(x);
    renumber(s.topology.m_triangles, s.topology.points);
    s.set("youngModulus", "100").set("poissonRatio", "0.3").set("rayleighStiffness", "0.1").init();
    REQUIRE(s.field.isValid());
    checkForceField(s.field);
}

HARNESS_FORCE_FIELD("TetrahedralTensorMassForceField")
{
    BoxMesh mesh(2, 1, 1, {2., 1., 1.});
    mesh.jitter(0.1);
    ForceFieldScene<Tetrahedra> s(mesh, true, false);
    s.set("youngModulus", "100").set("rayleighStiffness", "0.1").init();
    REQUIRE(s.field.isValid());
    checkForceField(s.field);
}

TEST_CASE("Tetrahedral tensor-mass elements are linear elements with SOFA's defaults", "[fem]")
{
    const BoxMesh mesh(2, 2, 1, {2., 1., 1.});
    ForceFieldScene<Tetrahedra> tensors(mesh, true, false);
    ForceFieldScene<LinearSmallStrainFEMForceField<Vec3Types, TetrahedronShape>> linear(mesh, true, false);
    tensors.init();
    linear.set("youngModulus", "1000").set("poissonRatio", "0.3").init();
    auto x = mesh.points;
    const Vector<Vec3> noise = randomVectors(x.size(), 0.2, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    CHECK(tensors.forces(x) == linear.forces(x));
    CHECK(Tetrahedra::staticTemplateName() == "Vec3");
}

TEST_CASE("Triangular tensor-mass elements are plane stress in their plane", "[fem]")
{
    const double young = 300., poisson = 0.4, ex = 0.01, ey = -0.02, shear = 0.015;
    Sheet s;
    s.set("youngModulus", "300").set("poissonRatio", "0.4").init();
    const Vector<Vec3> rest = s.points();
    auto x = rest;
    for (Vec3& p : x) p += Vec3{ex * p[0] + shear * p[1], ey * p[1], 0.};
    const Vector<Vec3> f = s.forces(x);
    const double d = young / (1. - poisson * poisson), sx = d * (ex + poisson * ey), sy = d * (ey + poisson * ex),
                 sxy = 0.5 * young / (1. + poisson) * shear;
    Vec3 right, top;
    for (std::size_t i = 0; i < f.size(); ++i) {
        if (i == 5 || i == 6) CHECK(norm(f[i]) < 1e-12);
        if (i % 4 == 3) right += f[i];
        if (i >= 8) top += f[i];
    }
    // The side of 1.5 m has the stress in x on it. At corners, other sides pull as well: half a cell each.
    CHECK(right[0] == Approx(-sx * 1.5).epsilon(1e-12));
    CHECK(top[1] == Approx(-sy * 3.).epsilon(1e-12));
    CHECK(f[7][1] == Approx(-sxy * 0.75).epsilon(1e-12));
    CHECK(s.energy(x) == Approx(0.5 * 4.5 * (sx * ex + sy * ey + sxy * shear)).epsilon(1e-12));
    // The parts of the elements are that energy, too.
    const auto positions = s.state.write(vec_id::position);
    for (std::size_t i = 0; i < x.size(); ++i) positions[i] = x[i];
    Vector<double> parts;
    s.field.elementEnergies(parts);
    double sum = 0.;
    for (const double e : parts) sum += e;
    REQUIRE(parts.size() == 12);
    CHECK(sum == Approx(s.energy(x)).epsilon(1e-12));
    // Stress: of the stretches, which are the strains to first order.
    Vector<Mat3> stress;
    const ElementNumbering elements = s.field.resultElements();
    s.field.stresses({elements, rest, x}, stress);
    REQUIRE(stress.size() == 12);
    CHECK(stress[3][0][0] == Approx(sx).epsilon(0.05));
    CHECK(stress[3][1][1] == Approx(sy).epsilon(0.05));
    CHECK(stress[3][2][2] == 0.);
}

TEST_CASE("Triangular tensor-mass elements resist deflection like a membrane under tension", "[fem]")
{
    const double young = 300., poisson = 0.9;  // allowed in plane stress
    Sheet s;
    s.set("youngModulus", "300").set("poissonRatio", "0.9").init();
    REQUIRE(s.field.isValid());
    // w = y: the tension λ + 2μ = Y/(1 - ν²) times the slope pulls along the sides.
    auto x = s.points();
    for (Vec3& p : x) p[2] = 0.1 * p[1];
    const Vector<Vec3> f = s.forces(x);
    Vec3 top;
    for (std::size_t i = 8; i < 12; ++i) top += f[i];
    CHECK(top[2] == Approx(-young / (1. - poisson * poisson) * 0.1 * 3.).epsilon(1e-12));
    CHECK(std::abs(top[0]) + std::abs(top[1]) < 1e-12);
}

TEST_CASE("Triangular tensor-mass elements may have a material each, and edits count", "[fem]")
{
    Sheet s;
    s.set("youngModulus", "100 200 300 100 200 300 100 200 300 100 200 300").init();
    auto x = s.points();
    for (Vec3& p : x) p[0] *= 1.1;
    const double before = s.energy(x);
    Vector<double> young = s.field.d_youngModulus.value();
    for (double& y : young) y *= 2.;
    s.field.d_youngModulus.setValue(young);
    s.field.reinit();
    CHECK(s.energy(x) == Approx(2. * before).epsilon(1e-12));
    Sheet mean;
    mean.set("youngModulus", "400").init();
    CHECK(mean.energy(x) == Approx(2. * before).epsilon(1e-12));
}

TEST_CASE("Triangular tensor-mass elements follow their mesh", "[fem]")
{
    Sheet s, less;
    s.init();
    less.topology.m_triangles.pop_back();
    less.init();
    auto x = s.points();
    for (Vec3& p : x) p[0] *= 1.1;
    const auto all = s.forces(x);
    s.topology.m_triangles.pop_back();
    CHECK(s.forces(x) == less.forces(x));
    CHECK_FALSE(all == less.forces(x));
}

TEST_CASE("Tensor-mass elements say what their scene lacks", "[fem]")
{
    Sheet empty;
    empty.topology.m_triangles.clear();
    empty.init();
    CHECK_FALSE(empty.field.isValid());
    CHECK(empty.messages.has(Severity::Error, "has no triangles"));

    Sheet flat;
    flat.topology.m_triangles.push_back({0, 1, 2});
    flat.init();
    CHECK_FALSE(flat.field.isValid());
    CHECK(flat.messages.has(Severity::Error, "triangle 12 (vertices 0 1 2) has no area at rest"));

    Sheet outside;
    outside.topology.m_triangles.push_back({0, 1, 20});
    outside.init();
    CHECK_FALSE(outside.field.isValid());
    CHECK(outside.messages.has(Severity::Error, "triangle 12 has the vertex 20, but there are 12 points"));

    Sheet wrong;
    wrong.set("poissonRatio", "1");
    CHECK(wrong.messages.has(Severity::Error, "poissonRatio"));

    const BoxMesh mesh(1, 1, 1, {1., 1., 1.});
    ForceFieldScene<Tetrahedra> none(mesh, false, true);
    none.init();
    CHECK_FALSE(none.field.isValid());
    CHECK(none.messages.has(Severity::Error, "has no tetrahedra"));
}

}  // namespace tensor_mass_force_field_test
