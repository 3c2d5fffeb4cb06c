// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/TetrahedralCorotationalFEMForceField.h"

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

TetrahedralCorotationalFEMForceField::TetrahedralCorotationalFEMForceField()
    : TetrahedronForceFieldBase(
          rotationMethodOptions(false),
          "Rotation of the elements: small (none, for small displacements), large (from the first "
          "edges), polar (polar decomposition)")
{
    ignoreAttribute("tetrahedronInfo", "it was internal data of the component");
}

void TetrahedralCorotationalFEMForceField::init()
{
    TetrahedronForceFieldBase::init();
    // Elements may be added during the simulation, so an empty topology is no error.
    if (isValid() && m_mechanics.size() == 0)
        msgWarning() << "the topology '" << topology().pathName() << "' has no tetrahedra: there is no force";
    // Who reads it before the first step finds it.
    if (isValid() && d_computeVonMisesStress.value()) computeVonMises(state().positions(), usesGreenStrain());
}

void TetrahedralCorotationalFEMForceField::addElementForces(VecDeriv& f, const VecCoord& x)
{
    TetrahedronForceFieldBase::addElementForces(f, x);
    if (d_computeVonMisesStress.value()) computeVonMises(x, usesGreenStrain());
}

void TetrahedralCorotationalFEMForceField::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    if (d_computeVonMisesStress.value()) drawPointStress(tool, ColorMap("Blue to Red"), 1.);
    drawFaces(tool, faceColors);
}

static const RegisterComponent registeredTetrahedralCorotationalFEMForceField =
    RegisterComponent("TetrahedralCorotationalFEMForceField", "ForceField", "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Corotational linear elasticity on tetrahedra")
        .example("component/fem/TetrahedralCorotationalFEMForceField.scn")
        .add<TetrahedralCorotationalFEMForceField>();

}  // namespace sofa::component
