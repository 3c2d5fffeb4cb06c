// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/math/Mat.h"

/// Isotropic linear elasticity (Hooke's law) in D = 1, 2 or 3 dimensions:
///
///     σ = λ tr(ε) I + 2 μ ε,   ψ = ½ σ : ε        [Pa = J/m³ in space]
///
/// with λ = E ν / ((1 + ν)(1 − (D − 1)ν)) and μ = E / (2 (1 + ν)) (Zienkiewicz and Taylor, "The Finite Element Method",
/// volume 1, section 4.2): plane stress in the plane, and λ + 2μ = E on a line. All finite elements of this material
/// share these functions.
namespace sofa::core {

/// Lamé's parameters [Pa].
struct LameParameters
{
    double lambda = 0.;
    double mu = 0.;
};

/// Lamé's parameters of Young's modulus E ≥ 0 [Pa] and Poisson's ratio −1 < ν < 0.5 in `dimension` dimensions. Throws
/// std::runtime_error, naming the value, outside of these ranges.
LameParameters lameParameters(double youngModulus, double poissonRatio, std::size_t dimension = 3);

/// σ : ε where σ is the stress of strain ε = (G + Gᵀ)/2 and G a displacement gradient.
template <std::size_t D>
Mat<D> isotropicStress(const Mat<D>& g, double lambda, double mu)
{
    Mat<D> s;
    const double pressure = lambda * trace(g);
    for (std::size_t i = 0; i < D; ++i) {
        s[i][i] = pressure + 2. * mu * g[i][i];
        for (std::size_t j = 0; j < i; ++j) s[i][j] = s[j][i] = mu * (g[i][j] + g[j][i]);
    }
    return s;
}

/// Twice the energy density σ : G of a displacement gradient G with stress σ.
template <std::size_t D>
double doubleContraction(const Mat<D>& s, const Mat<D>& g)
{
    double sum = dot(s[0], g[0]);
    for (std::size_t i = 1; i < D; ++i) sum += dot(s[i], g[i]);
    return sum;
}

/// Stiffness that couples two shape functions with gradients a and b, per unit of volume:
///
///     k = λ a bᵀ + μ b aᵀ + μ (a · b) I
///
/// It is B_aᵀ D B_b for the strain-displacement matrices B (engineering shear strains) and the elasticity matrix D.
template <std::size_t D>
Mat<D> isotropicStiffnessBlock(const Vec<D>& a, const Vec<D>& b, double lambda, double mu)
{
    Mat<D> k;
    const double d = mu * dot(a, b);
    for (std::size_t i = 0; i < D; ++i) {
        for (std::size_t j = 0; j < D; ++j) k[i][j] = lambda * a[i] * b[j] + mu * b[i] * a[j];
        k[i][i] += d;
    }
    return k;
}

/// The two parts of an isotropic material: what resists changes of shape, μ |dev ε|², as Lamé's parameters; and the
/// bulk modulus κ of κ/2 tr(ε)².
inline LameParameters deviatoric(const LameParameters& m) { return {-2. / 3. * m.mu, m.mu}; }
inline double bulkModulus(const LameParameters& m) { return m.lambda + 2. / 3. * m.mu; }

/// Von Mises equivalent of a symmetric stress [Pa]: √(3/2 s : s) with the deviator s = σ − ⅓ tr(σ) I.
double vonMisesStress(const Mat3& stress);

}  // namespace sofa::core
