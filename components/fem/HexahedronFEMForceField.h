// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/FramedElementsForceField.h"
#include "components/fem/RotationMethods.h"
#include "core/behavior/MatrixFree.h"
#include "core/fem/elements/CorotationalHexahedra.h"

namespace sofa::component {

/// Corotational linear elasticity on hexahedra with eight Gauss points; equations, units and sources are in
/// core/fem/elements/CorotationalHexahedra.h. The cells of a sparse grid are scaled by the part that is filled. Unlike
/// in SOFA, a hexahedron that is flat or numbered inside out is an error, and the node rotations are those from the
/// rest shape to the deformed shape (SOFA's are the inverse ones, mixed with the identity). SOFA's
/// HexahedralFEMForceField is the same law with a stiffness that is right for boxes along the axes only; here the name
/// stands for this class.
class HexahedronFEMForceField : public FramedElementsForceField<CorotationalHexahedra>, public MatrixFreeStiffness
{
public:
    Data<Options> d_method{this,
                           {.name = "method",
                            .help = "Rotation of the elements: small (none, for small displacements), large (from the "
                                    "mean edges), polar (polar decomposition of the mean edges)"},
                           rotationMethodOptions(false)};
    Data<bool> d_updateStiffnessMatrix{
        this,
        {.name = "updateStiffnessMatrix", .help = "Integrate the stiffness on the deformed shape at each step"},
        false};
    Data<bool> d_drawing{this, {.name = "drawing", .help = "Draw the elements", .group = "Visualization"}, true};
    Data<double> d_drawPercentageOffset{this,
                                        {.name = "drawPercentageOffset",
                                         .help = "Gap drawn between elements: 0 none, 1 all of the element",
                                         .unit = "1",
                                         .range = Range::closed(0., 1.),
                                         .group = "Visualization"},
                                        0.15};
    Data<VecCoord> d_initialPoints{
        this, {.name = "initialPoints", .help = "Rest shape; default: the rest position of the state", .unit = "m"}};

    VolumetricStrain volumetricStrain{this};

    HexahedronFEMForceField();

    void init() override;

    bool isMatrixFreeFast() const override { return m_mechanics.hasBoxProducts(); }
    MatrixFreeOperator* matrixFreeOperator() override { return m_mechanics.matrixFreeOperator(); }
    const Vector<Hexahedron>& massElements() const override { return m_mechanics.graph().elements(); }
    /// The elements (flag ForceFields and `drawing`).
    void draw(DrawTool& tool) override;

protected:
    ElementNumbering elementNumbering() const override { return {l_topology.get(), {ElementType::Hexahedra}}; }
    void prepare() override;
    bool followElements(const TopologyChange& change) override;
    bool hasPreparedElements() const override;
    /// Of element e, when elements are prepared.
    virtual CorotationalHexahedra::Material elementMaterial(Index e)
    {
        return {materialOf(e), topology().stiffnessFactor(e)};
    }

private:
    bool m_initialPointsGiven = false;
};

}  // namespace sofa::component
