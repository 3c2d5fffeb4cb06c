// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/fem/FastTetrahedralCorotationalForceField.h"

#include "core/factory/Registry.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

FastTetrahedralCorotationalForceField::FastTetrahedralCorotationalForceField()
    : TetrahedronForceFieldBase(
          {{"qr", "polar", "polar2", "none", "large", "linear", "small"}, 0},
          "Rotation of the elements: qr or large (from the first edges), polar (of the deformation "
          "gradient), polar2 (polar decomposition of the edges), none, linear or small (none)")
{
    for (const char* name : {"pointInfo", "edgeInfo", "tetrahedronInfo"})
        ignoreAttribute(name, "it was internal data of the component");
}

RotationMethod FastTetrahedralCorotationalForceField::selectedMethod() const
{
    const std::string& m = d_method.value().selected();
    if (m == "polar") return RotationMethod::DeformationGradient;
    if (m == "polar2") return RotationMethod::Polar;
    return m == "qr" || m == "large" ? RotationMethod::Large : RotationMethod::Small;
}

void FastTetrahedralCorotationalForceField::prepare()
{
    // During a simulation the last element may be removed; at the start it is a mistake.
    if (m_mechanics.size() == 0 && topology().tetrahedra().empty() && !mayStartEmpty(*this, topology(), "tetrahedra"))
        return;
    TetrahedronForceFieldBase::prepare();
}

void FastTetrahedralCorotationalForceField::draw(DrawTool& tool)
{
    if (!isShown(tool)) return;
    drawFaces(tool, faceColors);
}

static const RegisterComponent registeredFastTetrahedralCorotationalForceField =
    RegisterComponent("FastTetrahedralCorotationalForceField", "ForceField",
                      "Sofa.Component.SolidMechanics.FEM.Elastic")
        .help("Corotational linear elasticity on tetrahedra, optionally with the rotation of the deformation gradient")
        .example("component/fem/FastTetrahedralCorotationalForceField.scn")
        .add<FastTetrahedralCorotationalForceField>();

}  // namespace sofa::component
