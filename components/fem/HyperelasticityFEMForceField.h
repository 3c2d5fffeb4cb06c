// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/HyperelasticForceField.h"

namespace sofa::component {

/// Every hyperelastic material of SOFA on elements of any kind, with SOFA's names and order of parameters. Inverted
/// elements: laws with ln J give NaN there, which stops the run; smallestStretch or StableNeoHookean help.
template <class Types>
class HyperelasticityFEMForceField : public HyperelasticForceField<Types>
{
public:
    Data<Options> d_materialName;
    Data<Vector<double>> d_parameterSet{
        this,
        {.name = "ParameterSet",
         .help =
             "Parameters of the material, once or for each element, region or material. ArrudaBoyce: mu k. Costa: a k "
             "bff bfs bss bfn bsn bnn. MooneyRivlin, "
             "VerondaWestman: c1 c2 k. NeoHookean, StVenantKirchhoff, StableNeoHookean: mu lambda. Ogden: mu alpha k",
         .unit = "Pa; alpha, the b of Costa and c2 of VerondaWestman: 1"}};
    Data<double> d_smallestStretch{
        this,
        {.name = "smallestStretch",
         .help = "Principal stretches below it are raised to it, so that inverted elements recover; 0: never",
         .unit = "1",
         .range = Range::halfOpen(0., 1.)},
        0.};

    HyperelasticityFEMForceField() : HyperelasticityFEMForceField("NeoHookean") {}

protected:
    explicit HyperelasticityFEMForceField(std::string_view defaultMaterial);
    int quadraturePoints() const override;
    MaterialEvaluation material() const override;
    std::array<Color, 4> faceColors() const override;
    void parametersOf(Index e, Vector<double>& p) const override;
    std::vector<ElementData> elementValues() override;
    void prepare() override;
};

}  // namespace sofa::component
