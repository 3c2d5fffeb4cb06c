// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/materials/LinearElasticity.h"

namespace sofa::core {

/// Hooke's law σ = C ε [Pa] of any material, with stress and strain written as the six numbers 11 22 33 12 23 31 where
/// the shear strains are the angles γ_ij = 2 ε_ij. Symmetric.
using ElasticityMatrix = Mat<6>;

/// λ tr(ε) I + 2 μ ε.
ElasticityMatrix isotropicElasticity(const LameParameters& material);

/// A material with three planes of symmetry.
struct OrthotropicParameters
{
    Vec3 moduli;  ///< E₁ E₂ E₃ [Pa]
    Vec3 ratios;  ///< ν₁₂ ν₂₃ ν₃₁ [1]: pulled along i, it contracts along j by ν_ij of the extension
    Vec3 shearModuli;              ///< G₁₂ G₂₃ G₃₁ [Pa]
    Mat3 axes = Mat3::identity();  ///< its columns are the axes of the material: a rotation
};

/// The inverse of the compliance 1/E_i, −ν_ij/E_i, 1/G_ij (Li and Barbič, "Stable Orthotropic Materials", 2014),
/// rotated into the axes of the mesh. Throws std::runtime_error, with what is wrong, unless the moduli are positive,
/// the energy grows with every strain and the axes are orthonormal up to a thousandth.
ElasticityMatrix orthotropicElasticity(const OrthotropicParameters& material);

/// Block K_ab of the stiffness ∫ B_aᵀ C B_b of two shape functions a, b from the integrals of the products of their
/// derivatives, products(j, l) = ∫ ∂_j N_a ∂_l N_b.
Mat3 elasticStiffnessBlock(const ElasticityMatrix& c, const Mat3& products);

}  // namespace sofa::core
