// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/ElementFEMForceField.h"

namespace sofa::component {

/// Linear elasticity on one kind of elements: f = −K (x − X) with the constant stiffness K of Hooke's law
/// (core/fem/elements/LinearElements.h). Valid for small displacements: a rotation of the body is taken for a strain.
/// Unlike SOFA's, its potential energy ½ (x − X)ᵀ K (x − X) is computed, and degenerate elements are errors.
template <class DataTypes, class Shape>
class LinearSmallStrainFEMForceField : public ElementFEMForceField<DataTypes, Shape>
{
protected:
    ElementRotation rotationMethod() const override { return ElementRotation::Identity; }
};

}  // namespace sofa::component
