// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <string_view>

/// Isotropic materials: energy densities Ψ [J/m³ = Pa] of the deformation gradient F.
///
/// Most are functions of the invariants I = tr C, II = tr C² (not the usual second invariant, which is (I² − II)/2) and
/// J = det F of the right Cauchy-Green tensor C = Fᵀ F; the others are functions of the principal stretches s₁, s₂, s₃.
/// Each law is written once, as a template over the scalar (core/fem/materials/MaterialEnergies.h), and differentiated
/// by second-order dual numbers.
namespace sofa::core {

enum class MaterialLaw
{
    StVenantKirchhoff,  ///< λ/8 (I − 3)² + μ/4 (II − 2 I + 3); λ, μ [Pa]
    NeoHookean,         ///< μ/2 (I − 3) − μ ln J + λ/2 ln² J; λ, μ [Pa]
    MooneyRivlin,  ///< μ₀₁/2 ((I² − II) J^(−4/3) − 6) + μ₁₀ (I J^(−2/3) − 3) + v₁ (J − 1)²; μ₀₁, μ₁₀, v₁ [Pa]
    MooneyRivlinLog,  ///< c₁ (I J^(−2/3) − 3) + c₂ ((I² − II)/2 J^(−4/3) − 3) + k/2 ln² J; c₁, c₂, k [Pa] (SOFA)
    ArrudaBoyce,      ///< μ Σₙ cₙ (Iⁿ J^(−2n/3) − 3ⁿ) + k/2 ln² J, five terms of the series; μ, k [Pa]
    VerondaWestmann,  ///< c₁ (exp(c₂ (I J^(−2/3) − 3)) − 1) − c₁c₂/2 ((I² − II)/2 J^(−4/3) − 3) + k/2 ln² J; c₁ [Pa],
                      ///< c₂ [1], k [Pa]
    StableNeoHookean,         ///< μ/2 (I − 3) + (λ + μ)/2 (J − 1 − μ/(λ + μ))²; λ, μ [Pa]
    Ogden,                    ///< μ/α² (J^(−α/3) Σ sᵢ^α − 3) + k/2 ln² J; μ [Pa], α [1], k [Pa]
    Corotational,             ///< μ Σ (sᵢ − 1)² + λ/2 (Σ (sᵢ − 1))²; λ, μ [Pa]; exact tangent
    CorotationalApproximate,  ///< the same with the rotated tangent of linear elasticity
    Linear,                   ///< μ ε : ε + λ/2 tr(ε)², ε = sym(F) − I: no rotations; λ, μ [Pa]
    Costa,  ///< a/2 (exp(J^(−4/3) Q) − 1) + k (J ln J − J + 1), Q = Σ b_ij E_ij² in the axes of the mesh, E = ½ (C −
            ///< I); not isotropic; a, k [Pa], b_11, b_12, b_22, b_13, b_23, b_33 [1], where b_12 stands for b_12 and
            ///< b_21
    User,  ///< a function of the invariants given by a plugin
};

/// Number of parameters of a law (of User: whatever its function reads, 0 here), and its name for messages.
std::size_t parameterCount(MaterialLaw law);
std::string_view name(MaterialLaw law);

/// Energy density of `lanes` ≤ 8 elements as a function of the invariants, with derivatives. Quantity k of lane l is at
/// 8 k + l in every array: `invariants` is I, II, J; `out` is Ψ, ∂I, ∂II, ∂J, then ∂²: I I, II II, J J, I II, II J, J
/// I.
using InvariantFunction = void (*)(const double* parameters, const double* invariants, double* out, int lanes);

}  // namespace sofa::core
