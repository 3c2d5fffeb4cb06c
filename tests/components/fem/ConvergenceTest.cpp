// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/HexahedronFEMForceField.h"
#include "components/fem/TetrahedralCorotationalFEMForceField.h"
#include "components/fem/TetrahedronFEMForceField.h"
#include "tests/components/fem/FemFixture.h"

namespace convergence_test {

using namespace sofa::core;
using namespace sofa::component;
using namespace sofa::test;

namespace {

template <class F>
constexpr bool usesHexahedra = std::is_same_v<F, HexahedronFEMForceField>;

template <class F>
void makeLinear(ForceFieldScene<F>& s, const std::string& young, const std::string& nu)
{
    s.set("youngModulus", young).set("poissonRatio", nu).set("method", "small").init();
    REQUIRE(s.field.isValid());
}

}  // namespace

TEMPLATE_TEST_CASE("Pure bending converges with the square of the mesh size", "[fem]", TetrahedronFEMForceField,
                   TetrahedralCorotationalFEMForceField, HexahedronFEMForceField)
{
    // Saint-Venant's solution for curvature κ: the only stress is σ_xx = −E κ z. (Timoshenko and Goodier, "Theory of
    // Elasticity", section 102.) Its energy is ½ E κ² ∫ z² dV.
    const double young = 1000., nu = 0.3, curvature = 0.1;
    const auto exact = [&](const Vec3& p) {
        const double x = p[0], y = p[1], z = p[2];
        return Vec3{-curvature * x * z, nu * curvature * y * z, 0.5 * curvature * (x * x + nu * (z * z - y * y))};
    };
    const double exactEnergy = 0.5 * young * curvature * curvature * 2. * 1. / 3.;
    std::vector<double> errors;
    for (const Index n : {2u, 4u, 8u}) {
        const BoxMesh mesh(2 * n, n, n, {2., 1., 1.});
        ForceFieldScene<TestType> s(mesh, !usesHexahedra<TestType>, usesHexahedra<TestType>);
        makeLinear(s, "1000", "0.3");
        std::vector<bool> fixed;
        Vector<Vec3> given;
        for (const Vec3& p : mesh.points) {
            fixed.push_back(p[0] == 0. || p[0] == 2. || p[1] == 0. || p[1] == 1. || p[2] == 0. || p[2] == 1.);
            given.push_back(exact(p));
        }
        const Vector<Vec3> u = solveEquilibrium(s.field, Vector<Vec3>(given.size()), fixed, given);
        Vector<Vec3> x = mesh.points;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += u[i];
        errors.push_back(s.energy(x) - exactEnergy);
    }
    CHECK(errors[0] > 0.01 * exactEnergy);
    CHECK(errors[2] > 0.);  // finite elements approach the energy from above when displacements are prescribed
    CHECK(errors[0] / errors[1] == Approx(4.).epsilon(0.2));
    CHECK(errors[1] / errors[2] == Approx(4.).epsilon(0.1));
}

TEST_CASE("A cantilever of hexahedra bends as beam theory says", "[fem]")
{
    // Timoshenko's beam: deflection P L³ / (3 E I) + P L / (k G A), shear factor k = 5/6 of the rectangle.
    const double young = 1000., length = 10., load = 0.01;
    const double expected = load * 1000. / (3. * young / 12.) + load * length / (5. / 6. * young / 2.);
    std::vector<double> errors;
    for (const Index n : {1u, 2u, 4u}) {
        const BoxMesh mesh(10 * n, n, n, {length, 1., 1.});
        ForceFieldScene<HexahedronFEMForceField> s(mesh, false, true);
        makeLinear(s, "1000", "0");
        errors.push_back(1. - cantileverDeflection(s.field, mesh, length, load) / expected);
    }
    CHECK(errors[0] > 0.2);  // trilinear elements lock in bending
    CHECK(errors[0] / errors[1] > 2.5);
    CHECK(errors[1] / errors[2] == Approx(4.).epsilon(0.15));
    CHECK(errors[2] < 0.04);
}

}  // namespace convergence_test
