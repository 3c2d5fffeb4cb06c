// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/LinearSmallStrainFEMForceField.h"

#include "core/factory/Registry.h"

namespace sofa::component {

static RegisterComponent describe()
{
    auto r =
        RegisterComponent("LinearSmallStrainFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic");
    r.help(
         "Linear elasticity (Hooke's law) for small displacements, on edges, triangles, quads, tetrahedra, hexahedra, "
         "prisms or pyramids")
        .example("component/fem/LinearSmallStrainFEMForceField.scn");
#define SOFA_REGISTER(S, D) r.add<LinearSmallStrainFEMForceField, Types<VecTypes<D>, S>>();
    SOFA_ELASTIC_ELEMENTS(SOFA_REGISTER)
#undef SOFA_REGISTER
    return r;
}

static const RegisterComponent registeredLinearSmallStrainFEMForceField = describe();

}  // namespace sofa::component
