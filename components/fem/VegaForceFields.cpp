// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/VegaForceFields.h"

#include "core/factory/Registry.h"

namespace sofa::component {

LameParameters YoungPoissonForceField::lame(Index e) const
{
    for (const auto* d : {&d_youngModulus, &d_poissonRatio})
        if (d->value().empty() && !d->linkPath().empty())
            throw std::runtime_error(d->name() + "=\"" + d->linkPath() +
                                     "\" is an empty list: the mesh there has no isotropic materials with Young's "
                                     "modulus and Poisson's ratio");
    return lameParameters(elementValue(d_youngModulus, e), elementValue(d_poissonRatio, e));
}

MaterialEvaluation StVKFEMForceField::material() const { return {.law = MaterialLaw::StVenantKirchhoff}; }

MaterialEvaluation InvertibleFEMForceField::material() const
{
    constexpr MaterialLaw laws[] = {MaterialLaw::StVenantKirchhoff, MaterialLaw::NeoHookean, MaterialLaw::MooneyRivlin};
    return {.law = laws[d_material.value().index()],
            .smallestStretch = d_inversionThreshold.value(),
            .compressionResistance = d_compressionResistance.value() > 0.};
}

void InvertibleFEMForceField::parametersOf(Index e, Vector<double>& p) const
{
    double young, poisson;
    if (d_material.value().selected() == "MooneyRivlin") {
        p.assign({elementValue(d_mu01, e), elementValue(d_mu10, e), elementValue(d_v1, e)});
        // E and ν of the small-strain limit, for the compression resistance.
        const double bulk = 2. * p[2], shear = 2. * (p[0] + p[1]);
        young = 9. * bulk * shear / (3. * bulk + shear);
        poisson = (3. * bulk - 2. * shear) / (2. * (3. * bulk + shear));
    } else {
        YoungPoissonForceField::parametersOf(e, p);
        young = elementValue(d_youngModulus, e);
        poisson = elementValue(d_poissonRatio, e);
    }
    if (d_compressionResistance.value() > 0.)
        p.push_back(d_compressionResistance.value() * young / (1. - 2. * poisson));
}

void InvertibleFEMForceField::prepare()
{
    if (d_material.value().selected() == "MooneyRivlin" &&
        (d_mu01.value().empty() || d_mu10.value().empty() || d_v1.value().empty()))
        throw std::runtime_error("material=\"MooneyRivlin\" needs mu01, mu10 and v1");
    HyperelasticForceField::prepare();
}

static const RegisterComponent stvk =
    RegisterComponent("StVKFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help("St Venant-Kirchhoff material on tetrahedra, hexahedra, prisms and pyramids, with exact tangent")
        .example("component/fem/StVKFEMForceField.scn")
        .add<StVKFEMForceField>();
static const RegisterComponent invertible =
    RegisterComponent("InvertibleFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help(
            "Isotropic hyperelastic materials on tetrahedra, hexahedra, prisms and pyramids that recover from "
            "inversion")
        .example("component/fem/InvertibleFEMForceField.scn")
        .add<InvertibleFEMForceField>();

}  // namespace sofa::component
