// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/ElementFEMForceField.h"
#include "core/behavior/RotationFinder.h"

namespace sofa::component {

/// Corotational linear elasticity on one kind of elements: Hooke's law in axes that turn with each element
/// (core/fem/elements/LinearElements.h). Unlike SOFA's, it tells the elastic energy and the rotations of the nodes (for
/// warped preconditioners), and degenerate elements are errors.
template <class DataTypes, class Shape>
class CorotationalFEMForceField : public ElementFEMForceField<DataTypes, Shape>, public RotationFinder
{
public:
    Data<Options> d_rotationMethod;

    CorotationalFEMForceField();

    /// Mean of the rotations of the elements around each node; in the plane, rotations about its normal. How an edge in
    /// space turns about itself is unknown.
    void nodeRotations(Vector<Mat3>& rotations) const override;

protected:
    ElementRotation rotationMethod() const override;
};

/// SOFA's instances: those of LinearElements, but for edges on a line, which cannot turn.
#define SOFA_COROTATIONAL_ELEMENTS(X) \
    X(EdgeShape, 2)                   \
    X(EdgeShape, 3)                   \
    X(TriangleShape, 2)               \
    X(TriangleShape, 3)               \
    X(QuadShape, 2)                   \
    X(QuadShape, 3)                   \
    X(TetrahedronShape, 3)            \
    X(HexahedronShape, 3)             \
    X(PrismShape, 3)                  \
    X(PyramidShape, 3)

}  // namespace sofa::component
