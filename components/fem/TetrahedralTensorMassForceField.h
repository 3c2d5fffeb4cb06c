// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/fem/LinearSmallStrainFEMForceField.h"

namespace sofa::component {

/// Linear elasticity of tetrahedra for small displacements (Cotin, Delingette and Ayache, "A hybrid elastic model for
/// real-time cutting, deformations, and force feedback", The Visual Computer 16(7), 2000, section 3):
///
///     f = −K (x − X),   K_ij = V (λ a_i a_jᵀ + μ a_j a_iᵀ + μ (a_i·a_j) I)        [N]
///
/// with the gradients a of the shape functions at rest and the volume V of each tetrahedron. The tensors of the paper,
/// for edges and vertices, are sums of these blocks: it is LinearSmallStrainFEMForceField on tetrahedra with SOFA's
/// name and defaults. A rotation of the body is taken for a strain.
///
/// Unlike SOFA's: a tetrahedron without volume is an error, and each may have its own material.
class TetrahedralTensorMassForceField final : public LinearSmallStrainFEMForceField<Vec3Types, TetrahedronShape>
{
public:
    TetrahedralTensorMassForceField();
    static std::string_view staticTemplateName() { return Vec3Types::name(); }

protected:
    void prepare() override;
};

}  // namespace sofa::component
