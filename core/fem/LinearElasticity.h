// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

/// Isotropic linear elasticity (Hooke's law) in space:
///
///     σ = λ tr(ε) I + 2 μ ε,   ψ = ½ σ : ε        [Pa = J/m³]
///
/// with λ = E ν / ((1 + ν)(1 − 2ν)) and μ = E / (2 (1 + ν)) (Zienkiewicz and Taylor, "The Finite Element Method",
/// volume 1, section 4.2). All finite elements of this material share these functions.
namespace sofa::core {

/// Lamé's parameters [Pa].
struct LameParameters
{
    double lambda = 0.;
    double mu = 0.;
};

/// Lamé's parameters of Young's modulus E ≥ 0 [Pa] and Poisson's ratio −1 < ν < 0.5. Throws std::runtime_error, naming
/// the value, outside of these ranges.
LameParameters lameParameters(double youngModulus, double poissonRatio);

/// σ : ε where σ is the stress of strain ε = (G + Gᵀ)/2 and G a displacement gradient.
inline Mat3 isotropicStress(const Mat3& g, double lambda, double mu)
{
    Mat3 s;
    const double pressure = lambda * (g[0][0] + g[1][1] + g[2][2]);
    for (std::size_t i = 0; i < 3; ++i) s[i][i] = pressure + 2. * mu * g[i][i];
    s[0][1] = s[1][0] = mu * (g[0][1] + g[1][0]);
    s[1][2] = s[2][1] = mu * (g[1][2] + g[2][1]);
    s[2][0] = s[0][2] = mu * (g[2][0] + g[0][2]);
    return s;
}

/// Twice the energy density σ : G of a displacement gradient G with stress σ.
inline double doubleContraction(const Mat3& s, const Mat3& g)
{
    return dot(s[0], g[0]) + dot(s[1], g[1]) + dot(s[2], g[2]);
}

/// Stiffness that couples two shape functions with gradients a and b, per unit of volume:
///
///     k = λ a bᵀ + μ b aᵀ + μ (a · b) I
///
/// It is B_aᵀ D B_b for the strain-displacement matrices B (engineering shear strains) and the elasticity matrix D.
inline Mat3 isotropicStiffnessBlock(const Vec3& a, const Vec3& b, double lambda, double mu)
{
    Mat3 k;
    const double d = mu * dot(a, b);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) k[i][j] = lambda * a[i] * b[j] + mu * b[i] * a[j];
        k[i][i] += d;
    }
    return k;
}

/// Von Mises equivalent of a symmetric stress [Pa]: √(3/2 s : s) with the deviator s = σ − ⅓ tr(σ) I.
double vonMisesStress(const Mat3& stress);

}  // namespace sofa::core
