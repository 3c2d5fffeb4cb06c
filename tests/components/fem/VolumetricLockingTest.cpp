// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <numbers>

#include "components/fem/CorotationalFEMForceField.h"
#include "components/fem/CorotationalLinearFEMForceField.h"
#include "components/fem/HexahedronFEMForceField.h"
#include "components/fem/LinearSmallStrainFEMForceField.h"
#include "components/fem/TetrahedronFEMForceField.h"
#include "components/fem/VegaForceFields.h"
#include "tests/components/fem/FemFixture.h"

namespace volumetric_locking_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

/// Deflection of a cantilever (10 m × 1 m × 1 m) relative to that of Timoshenko's beam, P L³/(3 E I) + P L/(k G A) with
/// the shear factor k = 10 (1 + ν)/(12 + 11 ν) of the rectangle (Cowper, 1966).
template <class F>
double cantilever(const BoxMesh& mesh, bool hexahedra, double nu, const std::string& strain,
                  const char* method = nullptr)
{
    const double young = 1000., length = 10., load = 0.01, shear = 10. * (1. + nu) / (12. + 11. * nu);
    const double expected = load * 1000. / (3. * young / 12.) + load * length * 2. * (1. + nu) / (shear * young);
    ForceFieldScene<F> s(mesh, !hexahedra, hexahedra);
    s.set("youngModulus", "1000").set("poissonRatio", std::to_string(nu)).set("volumetricStrain", strain);
    if (method) s.set("method", method);
    s.init();
    REQUIRE(s.field.isValid());
    s.forces(mesh.points);
    return cantileverDeflection(s.field, mesh, length, load) / expected;
}

}  // namespace

TEST_CASE("a cantilever does not lock with averaged dilatation", "[fem]")
{
    // The mesh error of the trilinear element without locking is 4% at ν = 0 with four elements over the height
    // (ConvergenceTest.cpp), and is divided by four as the mesh is refined.
    const BoxMesh mesh(40, 4, 4, {10., 1., 1.});
    for (const double nu : {0.3, 0.49, 0.499, 0.4999}) {
        INFO("nu = " << nu);
        const double averaged = cantilever<HexahedronFEMForceField>(mesh, true, nu, "averaged", "large");
        CHECK(averaged > 0.95);
        CHECK(averaged < 1.);
        // The same element, whoever evaluates it.
        for (const double other :
             {cantilever<CorotationalLinearFEMForceField<Vec3Types>>(mesh, true, nu, "averaged"),
              cantilever<StVKFEMForceField<Vec3Types>>(mesh, true, nu, "averaged"),
              cantilever<LinearSmallStrainFEMForceField<Vec3Types, HexahedronShape>>(mesh, true, nu, "averaged")})
            CHECK(other == Approx(averaged).epsilon(2e-3));
    }
    CHECK(cantilever<HexahedronFEMForceField>(mesh, true, 0.499, "pointwise", "large") < 0.75);

    const double loose = cantilever<TetrahedronFEMForceField>(mesh, false, 0.3, "pointwise", "large");
    for (const double nu : {0.3, 0.49, 0.499}) {
        INFO("nu = " << nu);
        const double averaged = cantilever<TetrahedronFEMForceField>(mesh, false, nu, "averaged", "large");
        // No stiffer than the standard element where that does not lock.
        CHECK(averaged > loose);
        CHECK(averaged < 1.);
        for (const double other :
             {cantilever<CorotationalLinearFEMForceField<Vec3Types>>(mesh, false, nu, "averaged"),
              cantilever<InvertibleFEMForceField<Vec3Types>>(mesh, false, nu, "averaged"),
              cantilever<CorotationalFEMForceField<Vec3Types, TetrahedronShape>>(mesh, false, nu, "averaged")})
            CHECK(other == Approx(averaged).epsilon(2e-3));
    }
    CHECK(cantilever<TetrahedronFEMForceField>(mesh, false, 0.499, "pointwise", "large") < 0.2);
}

TEST_CASE("a cantilever of irregular tetrahedra does not lock, and converges", "[fem]")
{
    std::vector<double> errors;
    for (const Index n : {2u, 4u}) {
        BoxMesh mesh(10 * n, n, n, {10., 1., 1.});
        const BoxMesh regular = mesh;
        mesh.jitter(0.15 / n);
        // Points of the surface stay on it.
        for (std::size_t i = 0; i < mesh.points.size(); ++i)
            for (std::size_t c = 0; c < 3; ++c) {
                const double at = regular.points[i][c];
                if (at == 0. || at == (c == 0 ? 10. : 1.)) mesh.points[i][c] = at;
            }
        errors.push_back(1. - cantilever<TetrahedronFEMForceField>(mesh, false, 0.499, "averaged", "large"));
    }
    CHECK(errors[1] < 0.25);
    CHECK(errors[0] / errors[1] > 2.);  // first to second order
}

TEST_CASE("a thick-walled cylinder under pressure has Lamé's energy with averaged dilatation", "[fem]")
{
    // u_r = B/r keeps the volume (Timoshenko and Goodier, "Theory of Elasticity", section 28, in plane strain): the
    // energy density is 2 μ B²/r⁴ whatever the bulk modulus is. A quarter of the cylinder 1 m ≤ r ≤ 2 m, 0.5 m high,
    // whose boundary is displaced.
    constexpr double a = 1., b = 2., height = 0.5, amount = 0.01, young = 1000., nu = 0.499;
    const double mu = young / (2. * (1. + nu));
    const double exact = mu * amount * amount * (1. / (a * a) - 1. / (b * b)) * std::numbers::pi / 2. * height;
    const auto error = [&](bool hexahedra, const char* strain, Index n) {
        BoxMesh mesh(n, 2 * n, n, {b - a, std::numbers::pi / 2., height});
        std::vector<bool> fixed;
        Vector<Vec3> given;
        for (Vec3& p : mesh.points) {
            const double r = a + p[0];
            fixed.push_back(p[0] == 0. || p[0] == b - a || p[1] == 0. || p[1] == std::numbers::pi / 2. || p[2] == 0. ||
                            p[2] == height);
            p = {r * std::cos(p[1]), r * std::sin(p[1]), p[2]};
            given.push_back(Vec3{p[0], p[1], 0.} * (amount / (r * r)));
        }
        ForceFieldScene<CorotationalLinearFEMForceField<Vec3Types>> s(mesh, !hexahedra, hexahedra);
        s.set("warp", "0").set("youngModulus", "1000").set("poissonRatio", "0.499").set("volumetricStrain", strain);
        s.init();
        REQUIRE(s.field.isValid());
        s.forces(mesh.points);
        const Vector<Vec3> u = solveEquilibrium(s.field, Vector<Vec3>(given.size()), fixed, given);
        Vector<Vec3> x = mesh.points;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += u[i];
        return s.energy(x) / exact - 1.;
    };
    for (const bool hexahedra : {true, false}) {
        INFO((hexahedra ? "hexahedra" : "tetrahedra"));
        const double coarse = error(hexahedra, "averaged", 3), fine = error(hexahedra, "averaged", 6);
        // Of second order from the beginning, and from above, as displacements are prescribed.
        CHECK(fine > 0.);
        CHECK(coarse / fine > 3.);
        CHECK(fine < 0.05);
        CHECK(error(hexahedra, "pointwise", 6) > 0.5);
    }
}

TEST_CASE("auxetic materials get wider where they are pulled, as the closed form says", "[fem]")
{
    // A bar whose ends are those of uniaxial stress: u = ε (x, −ν y, −ν z) is the solution for this ν and no other.
    const BoxMesh mesh(4, 2, 2, {4., 1., 1.});
    const double strain = 0.01;
    const auto check = [&](auto& s, double nu) {
        INFO("nu = " << nu);
        s.set("youngModulus", "100").set("poissonRatio", std::to_string(nu));
        s.init();
        REQUIRE(s.field.isValid());
        s.forces(mesh.points);
        std::vector<bool> fixed;
        Vector<Vec3> exact;
        for (const Vec3& p : mesh.points) {
            fixed.push_back(p[0] == 0. || p[0] == 4.);
            exact.push_back(Vec3{p[0], -nu * p[1], -nu * p[2]} * strain);
        }
        const Vector<Vec3> u = solveEquilibrium(s.field, Vector<Vec3>(exact.size()), fixed, exact);
        for (std::size_t i = 0; i < u.size(); ++i) CHECK(norm(u[i] - exact[i]) < 1e-10);
    };
    for (const double nu : {-0.3, -0.9})
        for (const char* volumetric : {"pointwise", "averaged"}) {
            ForceFieldScene<TetrahedronFEMForceField> a(mesh, true, false);
            check(a.set("volumetricStrain", volumetric), nu);
            ForceFieldScene<HexahedronFEMForceField> b(mesh, false, true);
            check(b.set("volumetricStrain", volumetric), nu);
            ForceFieldScene<StVKFEMForceField<Vec3Types>> c(mesh, true, false);
            check(c.set("volumetricStrain", volumetric), nu);
            ForceFieldScene<CorotationalLinearFEMForceField<Vec3Types>> d(mesh, false, true);
            check(d.set("volumetricStrain", volumetric), nu);
            ForceFieldScene<CorotationalFEMForceField<Vec3Types, TetrahedronShape>> e(mesh, true, false);
            check(e.set("volumetricStrain", volumetric), nu);
        }
    // At finite strain, St Venant-Kirchhoff has no stress across where t² = 1 − ν (s² − 1).
    ForceFieldScene<StVKFEMForceField<Vec3Types>> s(mesh, false, true);
    s.set("youngModulus", "100").set("poissonRatio", "-0.3").init();
    const double stretch = 1.5, across = std::sqrt(1. + 0.3 * (stretch * stretch - 1.));
    CHECK(across > 1.15);
    Mat3 f = Mat3::identity() * across;
    f[0][0] = stretch;
    const Vector<Vec3> x = mapped(mesh.points, f, {}), forces = s.forces(x);
    double axial = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(std::abs(forces[i][1]) < 1e-12 * 100.);
        if (mesh.points[i][0] == 4.) axial -= forces[i][0];
    }
    CHECK(axial == Approx(100. * 0.5 * (stretch * stretch - 1.) * stretch).epsilon(1e-12));
}

}  // namespace volumetric_locking_test
