// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TetrahedronHyperelasticityFEMForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

TetrahedronHyperelasticityFEMForceField::TetrahedronHyperelasticityFEMForceField(std::string_view defaultMaterial)
    : HyperelasticityFEMForceField<Vec3Types>(defaultMaterial)
{
    for (const char* internal : {"tetrahedronInfo", "edgeInfo"})
        ignoreAttribute(internal, "it was internal data of the component");
    ignoreAttribute("matrixRegularization", "it never had an effect: see tangentProjection");
}

static const RegisterComponent registeredTetrahedronHyperelasticityFEMForceField =
    RegisterComponent("TetrahedronHyperelasticityFEMForceField", "ForceField",
                      "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help("Hyperelastic materials on tetrahedra")
        .example("component/fem/TetrahedronHyperelasticityFEMForceField.scn")
        .add<TetrahedronHyperelasticityFEMForceField>();
static const RegisterComponent registeredStandardTetrahedralFEMForceField =
    RegisterComponent("StandardTetrahedralFEMForceField", "ForceField",
                      "Sofa.Component.SolidMechanics.FEM.HyperElastic")
        .help("Hyperelastic materials on tetrahedra: TetrahedronHyperelasticityFEMForceField by another name")
        .example("component/fem/TetrahedronHyperelasticityFEMForceField.scn")
        .add<StandardTetrahedralFEMForceField>();

}  // namespace sofa::component
