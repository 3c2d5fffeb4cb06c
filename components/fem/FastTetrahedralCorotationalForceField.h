// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/TetrahedronForceFieldBase.h"

namespace sofa::component {

/// Corotational linear elasticity on tetrahedra; equations, units and sources are in
/// core/fem/elements/CorotationalTetrahedra.h. It differs from TetrahedralCorotationalFEMForceField in its method
/// "polar", which takes the rotation of the deformation gradient (Müller and Gross, "Interactive Virtual Materials",
/// 2004, section 3.2), so that the force is exactly minus the gradient of the elastic energy. "polar2" is what the
/// other force fields call "polar". An unknown method is an error.
class FastTetrahedralCorotationalForceField : public TetrahedronForceFieldBase
{
public:
    FaceColors faceColors{this};

    FastTetrahedralCorotationalForceField();

    /// The elements, each face in its colour (flag ForceFields and `drawing`).
    void draw(DrawTool& tool) override;

protected:
    RotationMethod selectedMethod() const override;
    void prepare() override;
};

}  // namespace sofa::component
