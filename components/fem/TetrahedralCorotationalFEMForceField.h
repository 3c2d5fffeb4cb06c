// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/TetrahedronForceFieldBase.h"
#include "core/visual/Color.h"

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
    Data<bool> d_drawing{this, {.name = "drawing", .help = "Draw the elements", .group = "Visualization"}, true};
    Data<Color> d_drawColor1{this,
                             {.name = "drawColor1", .help = "Colour of the first face", .group = "Visualization"},
                             Color(0.f, 0.f, 1.f)};
    Data<Color> d_drawColor2{this,
                             {.name = "drawColor2", .help = "Colour of the second face", .group = "Visualization"},
                             Color(0.f, 0.5f, 1.f)};
    Data<Color> d_drawColor3{this,
                             {.name = "drawColor3", .help = "Colour of the third face", .group = "Visualization"},
                             Color(0.f, 1.f, 1.f)};
    Data<Color> d_drawColor4{this,
                             {.name = "drawColor4", .help = "Colour of the fourth face", .group = "Visualization"},
                             Color(0.5f, 1.f, 1.f)};

    TetrahedralCorotationalFEMForceField();

    void init() override;

    /// The elements, each face in its colour (flag ForceFields and `drawing`); the points by their stress.
    void draw(DrawTool& tool) override;

protected:
    void addElementForces(VecDeriv& f, const VecCoord& x) override;
};

}  // namespace sofa::component
