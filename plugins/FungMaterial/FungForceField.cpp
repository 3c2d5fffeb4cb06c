// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// A material of one's own in one file: its energy density, its parameters, its name in scenes. Forces, exact stiffness,
// treatment of inversion and everything else come with the framework.
#include "components/fem/HyperelasticForceField.h"
#include "core/factory/Registry.h"
#include "core/fem/materials/NamedMaterials.h"

namespace fung {

using namespace sofa::component;

/// Ψ = μ/(2 b) (exp(b (I J^(−2/3) − 3)) − 1) + k/4 (J² − 1 − 2 ln J): soft tissue that stiffens exponentially (Fung,
/// Fronek, Patitucci, "Pseudoelasticity of arteries and the choice of its mathematical expression", 1979).
struct Energy
{
    template <class T>
    static T value(const T& i, const T&, const T& j, const double* p)
    {
        const double mu = p[0], b = p[1], k = p[2];
        return (exp((i * pow(j, -2. / 3.) - 3.) * b) - 1.) * (mu / (2. * b)) + (j * j - 1. - log(j) * 2.) * (k / 4.);
    }
};

class FungForceField final : public HyperelasticForceField<Vec3Types>
{
public:
    Data<double> d_shear{
        this,
        {.name = "shearModulus", .help = "Shear modulus at rest", .unit = "Pa", .range = Range::nonNegative()},
        1000.};
    Data<double> d_stiffening{this,
                              {.name = "stiffening",
                               .help = "How fast the material stiffens",
                               .unit = "1",
                               .range = Range::closed(1e-6, 1e3)},
                              5.};
    Data<double> d_bulk{
        this,
        {.name = "bulkModulus", .help = "Resistance to volume changes", .unit = "Pa", .range = Range::nonNegative()},
        20000.};
    Data<double> d_smallestStretch{
        this, {.name = "smallestStretch", .help = "Principal stretches below it are raised to it", .unit = "1"}, 0.1};

protected:
    MaterialEvaluation material() const override
    {
        return {.law = MaterialLaw::User,
                .user = invariantFunction<Energy, 3>,
                .userParameters = 3,
                .smallestStretch = d_smallestStretch.value()};
    }
    void parametersOf(Index, Vector<double>& p) const override { p = {*d_shear, *d_stiffening, *d_bulk}; }
};

const RegisterComponent registered = RegisterComponent("FungForceField", "ForceField", "FungMaterial")
                                         .help("Exponential material of soft tissue on elements of any kind")
                                         .example("FungForceField.scn")
                                         .add<FungForceField>();

}  // namespace fung
