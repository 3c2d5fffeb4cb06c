// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TetrahedralTensorMassForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

TetrahedralTensorMassForceField::TetrahedralTensorMassForceField()
{
    d_youngModulus.setDefault({1000.});
    d_poissonRatio.setDefault({0.3});
    ignoreAttribute("edgeInfo", "it was internal data of the component");
}

void TetrahedralTensorMassForceField::prepare()
{
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (mechanics().size() == 0 && topology().tetrahedra().empty() && !mayStartEmpty(*this, topology(), "tetrahedra"))
        return;
    LinearSmallStrainFEMForceField::prepare();
}

static const RegisterComponent registeredTetrahedralTensorMassForceField =
    RegisterComponent("TetrahedralTensorMassForceField", "ForceField", "Sofa.Component.SolidMechanics.TensorMass")
        .help("Linear elasticity (Hooke's law) of tetrahedra for small displacements")
        .example("component/fem/TetrahedralTensorMassForceField.scn")
        .add<TetrahedralTensorMassForceField>();

}  // namespace sofa::component
