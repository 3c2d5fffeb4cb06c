// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/Component.h"

namespace sofa::component {

using namespace core;

namespace {

/// Parameters of a material that yields, for force fields that follow them:
///
///     <PlasticMaterial name="clay" youngModulus="3000" plasticMaxThreshold="1"/>
///     <TetrahedronFEMForceField youngModulus="@clay.youngModulus" poissonRatio="@clay.poissonRatio"
///                               plasticMaxThreshold="@clay.plasticMaxThreshold" .../>
///
/// The plasticity is that of TetrahedronFEMForceField (M. Müller, M. Gross, "Interactive Virtual Materials", 2004,
/// section 5). SOFA's component has the two elastic parameters, and a law that no force field of SOFA asks for: in SOFA
/// it can act through links to these two only. Here it has the parameters of the yielding too. Where nothing follows
/// any of them, a message says that it has no effect.
class PlasticMaterial final : public Component
{
public:
    Data<double> d_poissonRatio{
        this, {.name = "poissonRatio", .help = "Poisson's ratio", .unit = "1", .range = Range::open(-1., 0.5)}, 0.45};
    Data<double> d_youngModulus{
        this, {.name = "youngModulus", .help = "Young's modulus", .unit = "Pa", .range = Range::nonNegative()}, 3000.};
    Data<double> d_plasticMaxThreshold{
        this,
        {.name = "plasticMaxThreshold",
         .help = "Largest 2-norm of the plastic strain times six times the element's volume; 0: no plasticity",
         .unit = "m^3",
         .range = Range::nonNegative()},
        0.};
    Data<double> d_plasticYieldThreshold{
        this,
        {.name = "plasticYieldThreshold",
         .help = "2-norm of the elastic strain times six times the element's volume above which it yields",
         .unit = "m^3",
         .range = Range::nonNegative()},
        0.0001};
    Data<double> d_plasticCreep{
        this,
        {.name = "plasticCreep",
         .help = "Part of the elastic strain that becomes plastic at each evaluation of the force",
         .unit = "1",
         .range = Range::closed(0., 1.)},
        0.9};

    void bwdInit() override
    {
        const auto isFollowed = [](const BaseData* d) {
            return std::ranges::any_of(d->outputs(), [](const DdgNode* n) { return n->ddgOwner() != nullptr; });
        };
        if (std::ranges::none_of(data(), isFollowed))
            msgWarning() << "no object follows its parameters, so that it has no effect (in SOFA it never has one): "
                            "link to them, as in youngModulus=\"@"
                         << name() << ".youngModulus\" of TetrahedronFEMForceField";
    }
};

const RegisterComponent registeredPlasticMaterial =
    RegisterComponent("PlasticMaterial", "Miscellaneous", "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help("Parameters of a material that yields, which force fields follow")
        .example("component/fem/PlasticMaterial.scn")
        .add<PlasticMaterial>();

}  // namespace

}  // namespace sofa::component
