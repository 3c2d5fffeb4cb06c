// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/VegaForceFields.h"

#include "core/factory/Registry.h"

namespace sofa::component {

template <class Types>
LameParameters YoungPoissonForceField<Types>::lame(Index e) const
{
    return lameParameters(this->valueOf(d_youngModulus, e), this->valueOf(d_poissonRatio, e));
}

template <class Types>
void YoungPoissonForceField<Types>::parametersOf(Index e, Vector<double>& p) const
{
    const LameParameters l = lame(e);
    p.assign({l.lambda, l.mu});
}

template <class Types>
MaterialEvaluation StVKFEMForceField<Types>::material() const
{
    return {.law = MaterialLaw::StVenantKirchhoff};
}

template <class Types>
MaterialEvaluation InvertibleFEMForceField<Types>::material() const
{
    constexpr MaterialLaw laws[] = {MaterialLaw::StVenantKirchhoff, MaterialLaw::NeoHookean, MaterialLaw::MooneyRivlin};
    return {.law = laws[d_material.value().index()],
            .smallestStretch = d_inversionThreshold.value(),
            .compressionResistance = d_compressionResistance.value() > 0.,
            .projection = this->projectionForRecovery()};
}

template <class Types>
void InvertibleFEMForceField<Types>::parametersOf(Index e, Vector<double>& p) const
{
    double young, poisson;
    if (d_material.value().selected() == "MooneyRivlin") {
        p.assign({this->valueOf(d_mu01, e), this->valueOf(d_mu10, e), this->valueOf(d_v1, e)});
        // E and ν of the small-strain limit, for the compression resistance.
        const double bulk = 2. * p[2], shear = 2. * (p[0] + p[1]);
        young = 9. * bulk * shear / (3. * bulk + shear);
        poisson = (3. * bulk - 2. * shear) / (2. * (3. * bulk + shear));
    } else {
        YoungPoissonForceField<Types>::parametersOf(e, p);
        young = this->valueOf(this->d_youngModulus, e);
        poisson = this->valueOf(this->d_poissonRatio, e);
    }
    if (d_compressionResistance.value() > 0.)
        p.push_back(d_compressionResistance.value() * young / (1. - 2. * poisson));
}

template <class Types>
void InvertibleFEMForceField<Types>::prepare()
{
    if (d_material.value().selected() == "MooneyRivlin" &&
        (d_mu01.value().empty() || d_mu10.value().empty() || d_v1.value().empty()))
        throw std::runtime_error("material=\"MooneyRivlin\" needs mu01, mu10 and v1");
    HyperelasticForceField<Types>::prepare();
}

template class YoungPoissonForceField<Vec2Types>;
template class YoungPoissonForceField<Vec3Types>;
template class StVKFEMForceField<Vec2Types>;
template class StVKFEMForceField<Vec3Types>;
template class InvertibleFEMForceField<Vec2Types>;
template class InvertibleFEMForceField<Vec3Types>;

static const RegisterComponent registeredStVKFEMForceField =
    RegisterComponent("StVKFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help("St Venant-Kirchhoff material on elements of any kind, with exact tangent")
        .example("component/fem/StVKFEMForceField.scn")
        .add<StVKFEMForceField, Vec3Types, Vec2Types>();
static const RegisterComponent registeredInvertibleFEMForceField =
    RegisterComponent("InvertibleFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help("Isotropic hyperelastic materials on elements of any kind that recover from inversion")
        .example("component/fem/InvertibleFEMForceField.scn")
        .add<InvertibleFEMForceField, Vec3Types, Vec2Types>();

}  // namespace sofa::component
