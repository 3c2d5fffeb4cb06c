// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/materials/Dual.h"

#include "core/fem/elements/HyperelasticElements.h"
#include "core/fem/materials/MaterialEnergies.h"
#include "core/fem/materials/NamedMaterials.h"
#include "tests/core/fem/FemTestUtilities.h"

namespace dual_test {

using namespace sofa::core;
using namespace sofa::test;

TEST_CASE("dual numbers give derivatives", "[fem]")
{
    // f = log(x y) + exp(x) / y + sqrt(y) − pow(x, 3): derivatives by hand.
    const double x0 = 1.3, y0 = 0.7;
    const auto x = Dual<2>::variable(x0, 0), y = Dual<2>::variable(y0, 1);
    const Dual<2> f = log(x * y) + exp(x) / y + sqrt(y) - pow(x, 3.);
    CHECK(f.v == Approx(std::log(x0 * y0) + std::exp(x0) / y0 + std::sqrt(y0) - x0 * x0 * x0).epsilon(1e-14));
    CHECK(f.g[0] == Approx(1. / x0 + std::exp(x0) / y0 - 3. * x0 * x0).epsilon(1e-14));
    CHECK(f.g[1] == Approx(1. / y0 - std::exp(x0) / (y0 * y0) + 0.5 / std::sqrt(y0)).epsilon(1e-14));
    CHECK(f.h[0][0] == Approx(-1. / (x0 * x0) + std::exp(x0) / y0 - 6. * x0).epsilon(1e-13));
    CHECK(f.h[0][1] == Approx(-std::exp(x0) / (y0 * y0)).epsilon(1e-14));
    CHECK(f.h[1][0] == f.h[0][1]);
    CHECK(f.h[1][1] ==
          Approx(-1. / (y0 * y0) + 2. * std::exp(x0) / (y0 * y0 * y0) - 0.25 * std::pow(y0, -1.5)).epsilon(1e-13));
}

namespace {

/// The same law once as a built-in one, in packs, and once as a user's, in dual numbers.
template <class Energy, std::size_t count>
void compare(MaterialLaw law, const std::vector<double>& parameters)
{
    BoxMesh mesh(2, 2, 1, {2., 1.5, 1.});
    mesh.jitter(0.1);
    Vector<Vec3> x = mesh.points;
    const auto noise = randomVectors(x.size(), 0.08, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += noise[i];
    Eigen::VectorXd force[2];
    Eigen::MatrixXd stiffness[2];
    double energy[2];
    for (const bool user : {false, true}) {
        HyperelasticElements<4> b;
        b.build(mesh.tetrahedra, mesh.points, tetrahedronQuadrature());
        MaterialEvaluation m{.law = law};
        if (user) m = {.law = MaterialLaw::User, .user = invariantFunction<Energy, count>, .userParameters = count};
        b.setMaterial(m);
        for (Index e = 0; e < b.size(); ++e) b.setParameters(e, parameters);
        Vector<Vec3> f(x.size());
        b.addForce(f, x);
        DenseSink sink(x.size());
        b.addStiffness(sink);
        force[user] = flatten(f);
        stiffness[user] = sink.matrix;
        energy[user] = b.energy(x);
    }
    CHECK(force[0].norm() > 1.);
    CHECK((force[0] - force[1]).norm() < 1e-13 * force[0].norm());
    CHECK((stiffness[0] - stiffness[1]).norm() < 1e-13 * stiffness[0].norm());
    CHECK(std::abs(energy[0] - energy[1]) < 1e-12 * energy[0]);
}

}  // namespace

TEST_CASE("energies give the same derivatives in packs and in dual numbers", "[fem]")
{
    compare<energy::StVenantKirchhoff, 2>(MaterialLaw::StVenantKirchhoff, {900., 400.});
    compare<energy::NeoHookean, 2>(MaterialLaw::NeoHookean, {900., 400.});
    compare<energy::MooneyRivlin, 3>(MaterialLaw::MooneyRivlin, {70., 130., 600.});
    compare<energy::MooneyRivlinLog, 3>(MaterialLaw::MooneyRivlinLog, {70., 130., 1200.});
    compare<energy::ArrudaBoyce, 2>(MaterialLaw::ArrudaBoyce, {400., 1300.});
    compare<energy::VerondaWestmann, 3>(MaterialLaw::VerondaWestmann, {100., 8., 1500.});
    compare<energy::StableNeoHookean, 2>(MaterialLaw::StableNeoHookean, {900., 400.});
}

}  // namespace dual_test
