// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/TetrahedronForceFieldBase.h"

namespace sofa::component {

/// Corotational linear elasticity on the tetrahedra of a topology that may change; equations, units and sources are in
/// core/fem/elements/CorotationalTetrahedra.h. The same mechanics as TetrahedronFEMForceField, without plasticity and
/// without the method svd. Differences from SOFA: the von Mises stress is that of the chosen method and in Pa (SOFA
/// always takes the frame of method large, and divides by 36 volumes), and an unknown method is an error (SOFA silently
/// takes large).
class TetrahedralCorotationalFEMForceField : public TetrahedronForceFieldBase
{
public:
    Data<bool> d_computeVonMisesStress{
        this,
        {.name = "computeVonMisesStress", .help = "Compute the von Mises stress with each evaluation of the force"},
        false};
    FaceColors faceColors{this};

    TetrahedralCorotationalFEMForceField();

    void init() override;

    /// The elements, each face in its colour (flag ForceFields and `drawing`); the points by their stress.
    void draw(DrawTool& tool) override;

protected:
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
};

}  // namespace sofa::component
