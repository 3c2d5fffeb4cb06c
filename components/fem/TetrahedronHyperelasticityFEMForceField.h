// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/HyperelasticityFEMForceField.h"

namespace sofa::component {

/// Hyperelastic materials on tetrahedra as SOFA names and parameterises them; also on other elements that fill a
/// volume.
class TetrahedronHyperelasticityFEMForceField : public HyperelasticityFEMForceField<Vec3Types>
{
public:
    TetrahedronHyperelasticityFEMForceField() : TetrahedronHyperelasticityFEMForceField("ArrudaBoyce") {}

protected:
    explicit TetrahedronHyperelasticityFEMForceField(std::string_view defaultMaterial);
    std::size_t lowestDimension() const override { return 3; }
};

/// The same with SOFA's other name; its default material is ArrudaBoyce.
class StandardTetrahedralFEMForceField final : public TetrahedronHyperelasticityFEMForceField
{
public:
    StandardTetrahedralFEMForceField() : TetrahedronHyperelasticityFEMForceField("ArrudaBoyce")
    {
        ignoreAttribute("ParameterFile", "it was never read");
    }
};

}  // namespace sofa::component
