// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The law of Costa (core/fem/materials/MaterialLaws.h) on elements of lower dimension, on packs; part of
// core/fem/kernels/MembraneKernelSource.h. It is not a function of the stretches, but of the strains E = ½ (Fᵀ F − I)
// in the axes of the material: the tangent frame and normal of a surface, the direction of an edge and two axes across.
#pragma once

#include "core/fem/kernels/MembraneKernels.h"
#include "core/fem/kernels/PackSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// Derivatives of the density by the strains of the element, E₁₁ E₂₂ E₁₂ (counted once) or E₁₁, with the strains across
/// eliminated.
template <int M>
struct StrainResponse
{
    static constexpr int strains = M == 2 ? 3 : 1;
    Real psi, first[strains], second[strains][strains];
};

/// The law with all derivatives, by the strains E₁₁ E₂₂ E₁₂ E₃₃ of a surface or E₁₁ E₂₂ E₃₃ of an edge, where the
/// shear strains across vanish:
///
///     Ψ = a/2 (exp(w) − 1) + k (J (L − 1) + 1),   L = ln J,   w = exp(−4/3 L) Q.
template <int M>
struct CostaStrains
{
    static constexpr int count = M == 2 ? 4 : 3, last = count - 1;
    Real psi, first[count], second[count][count];

    /// c: C₁₁ C₂₂ C₁₂ C₃₃ or C₁₁ C₂₂ C₃₃.
    __attribute__((always_inline)) void evaluate(const double* p, const Real (&c)[count])
    {
        const Real a = load(p), k = load(p + 8), one = 1.;
        Real b[count], l = 0., lFirst[count], lSecond[count][count];
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) lSecond[i][j] = 0.;
        b[0] = load(p + 16);
        b[1] = load(p + 32);
        b[last] = load(p + 56);
        if constexpr (M == 2) {
            b[2] = load(p + 24) * 2.;
            // L = ½ ln D + ½ ln C₃₃, D = C₁₁ C₂₂ − C₁₂².
            const Real d = c[0] * c[1] - c[2] * c[2], half = Real(0.5) / d;
            const Real dFirst[3] = {c[1] * 2., c[0] * 2., c[2] * -4.};
            for (int i = 0; i < 3; ++i) {
                lFirst[i] = dFirst[i] * half;
                for (int j = 0; j < 3; ++j) lSecond[i][j] = dFirst[i] * dFirst[j] * half * half * -2.;
            }
            lSecond[0][1] = lSecond[0][1] + half * 4.;
            lSecond[1][0] = lSecond[0][1];
            lSecond[2][2] = lSecond[2][2] - half * 8.;
            l = log(d);
        } else {
            for (int i = 0; i < 2; ++i) {
                lFirst[i] = one / c[i];
                lSecond[i][i] = lFirst[i] * lFirst[i] * -2.;
            }
            l = log(c[0]) + log(c[1]);
        }
        lFirst[last] = one / c[last];
        lSecond[last][last] = lFirst[last] * lFirst[last] * -2.;
        l = (l + log(c[last])) * 0.5;
        Real q = 0., qFirst[count];
        for (int i = 0; i < count; ++i) {
            const bool shear = M == 2 && i == 2;
            const Real e = shear ? c[i] * 0.5 : (c[i] - one) * 0.5;
            q = q + b[i] * e * e;
            qFirst[i] = b[i] * e * 2.;
        }
        const Real power = exp(l * (-4. / 3.)), exponential = exp(power * q), j = exp(l);
        const Real factor = a * exponential * 0.5;
        psi = a * (exponential - one) * 0.5 + k * (j * (l - one) + one);
        Real w[count];
        for (int i = 0; i < count; ++i) {
            w[i] = power * (qFirst[i] - lFirst[i] * q * (4. / 3.));
            first[i] = factor * w[i] + k * j * l * lFirst[i];
        }
        for (int i = 0; i < count; ++i)
            for (int m = 0; m < count; ++m) {
                Real ww = (lFirst[i] * lFirst[m] * (16. / 9.) - lSecond[i][m] * (4. / 3.)) * q -
                          (lFirst[i] * qFirst[m] + lFirst[m] * qFirst[i]) * (4. / 3.);
                if (i == m) ww = ww + b[i] * 2.;
                second[i][m] = factor * (power * ww + w[i] * w[m]) +
                               k * j * (l * lSecond[i][m] + (l + one) * lFirst[i] * lFirst[m]);
            }
    }
};

SOFA_PACK Real boundedStep(const Real& step)
{
    return select(step < Real(-0.5), Real(-0.5), select(Real(0.5) < step, Real(0.5), step));
}

/// The response of a surface with C = Fᵀ F. The stretch across, exp(l), is found by Newton's method.
SOFA_PACK void costaResponse(const MembraneEvaluation& how, const double* p, const Real (&c)[3], StrainResponse<2>& out)
{
    CostaStrains<2> r;
    Real all[4] = {c[0], c[1], c[2], 1.}, l = 0.;
    r.evaluate(p, all);
    PackMask running = l <= l;
    for (int iteration = 0; how.freeThickness && iteration < 60 && any(running); ++iteration) {
        const Real slope = all[3] * (r.first[3] * 2. + all[3] * r.second[3][3]);
        const Real step = boundedStep(-(all[3] * r.first[3]) / abs(slope));
        l = select(running, l + step, l);
        running &= Real(1e-10) < abs(step);
        all[3] = exp(l * 2.);
        r.evaluate(p, all);
    }
    out.psi = r.psi;
    const Real inverse = how.freeThickness ? Real(1.) / r.second[3][3] : Real(0.);
    for (int i = 0; i < 3; ++i) {
        out.first[i] = r.first[i];
        for (int j = 0; j < 3; ++j) out.second[i][j] = r.second[i][j] - r.second[i][3] * inverse * r.second[3][j];
    }
}

/// The response of an edge; both stretches across are unknown.
SOFA_PACK void costaResponse(const MembraneEvaluation&, const double* p, const Real (&c)[1], StrainResponse<1>& out)
{
    CostaStrains<1> r;
    Real all[3] = {c[0], 1., 1.}, l[2] = {0., 0.};
    r.evaluate(p, all);
    PackMask running = l[0] <= l[0];
    for (int iteration = 0; iteration < 60 && any(running); ++iteration) {
        Real g[2], h[2][2];
        for (int i = 0; i < 2; ++i) {
            g[i] = all[i + 1] * r.first[i + 1];
            for (int j = 0; j < 2; ++j) h[i][j] = all[i + 1] * all[j + 1] * r.second[i + 1][j + 1];
            h[i][i] = h[i][i] + g[i] * 2.;
        }
        // Where the second derivative is not positive, down the slope.
        const Real determinant = h[0][0] * h[1][1] - h[0][1] * h[1][0], zero = 0.;
        const PackMask convex = (zero < h[0][0]) & (zero < determinant);
        const Real inverse = Real(1.) / determinant;
        PackMask moving = {};
        for (int i = 0; i < 2; ++i) {
            const Real newton = (h[0][1] * g[1 - i] - h[1 - i][1 - i] * g[i]) * inverse;
            const Real step = boundedStep(select(convex, newton, -g[i] / abs(h[i][i])));
            l[i] = select(running, l[i] + step, l[i]);
            moving |= Real(1e-10) < abs(step);
        }
        running &= moving;
        for (int i = 0; i < 2; ++i) all[i + 1] = exp(l[i] * 2.);
        r.evaluate(p, all);
    }
    out.psi = r.psi;
    out.first[0] = r.first[0];
    const Real determinant = r.second[1][1] * r.second[2][2] - r.second[1][2] * r.second[2][1];
    const Real x = (r.second[0][1] * r.second[2][2] - r.second[0][2] * r.second[1][2]) / determinant,
               y = (r.second[0][2] * r.second[1][1] - r.second[0][1] * r.second[1][2]) / determinant;
    out.second[0][0] = r.second[0][0] - x * r.second[0][1] - y * r.second[0][2];
}

/// Density, columns of P = F S, and blocks of −K added to memory, of a quadrature point with the columns f of F and the
/// gradients b: K_ab = B_aᵀ Ψ'' B_b + (b_a · S b_b) I, where B is the derivative of the strains by the position.
template <int N, int M, int D>
void costaMembrane(const MembraneEvaluation& how, const double* parameters, const Real (&f)[M][D],
                   const Real (&b)[N][M], const Real& volume, double* blocks, Real& psi, Real (&piola)[M][D])
{
    constexpr int strains = StrainResponse<M>::strains;
    const auto product = [](const Real* x, const Real* y) {
        Real sum = x[0] * y[0];
        for (int i = 1; i < D; ++i) sum = sum + x[i] * y[i];
        return sum;
    };
    Real c[strains];
    c[0] = product(f[0], f[0]);
    if constexpr (M == 2) {
        c[1] = product(f[1], f[1]);
        c[2] = product(f[0], f[1]);
    }
    StrainResponse<M> r;
    costaResponse(how, parameters, c, r);
    psi = r.psi;
    Real s[M][M];
    s[0][0] = r.first[0];
    if constexpr (M == 2) {
        s[1][1] = r.first[1];
        s[0][1] = s[1][0] = r.first[2] * 0.5;
    }
    for (int n = 0; n < M; ++n)
        for (int i = 0; i < D; ++i) {
            piola[n][i] = f[0][i] * s[0][n];
            for (int m = 1; m < M; ++m) piola[n][i] = piola[n][i] + f[m][i] * s[m][n];
        }
    if (!blocks) return;
    Real strain[N][strains][D];
    for (int k = 0; k < N; ++k)
        for (int i = 0; i < D; ++i) {
            strain[k][0][i] = f[0][i] * b[k][0];
            if constexpr (M == 2) {
                strain[k][1][i] = f[1][i] * b[k][1];
                strain[k][2][i] = (f[0][i] * b[k][1] + f[1][i] * b[k][0]) * 0.5;
            }
        }
    double* to = blocks;
    for (int k = 0; k < N; ++k) {
        Real left[strains][D], sb[M];  // Bᵀ Ψ'', S b
        for (int m = 0; m < strains; ++m)
            for (int i = 0; i < D; ++i) {
                left[m][i] = strain[k][0][i] * r.second[0][m];
                for (int n = 1; n < strains; ++n) left[m][i] = left[m][i] + strain[k][n][i] * r.second[n][m];
            }
        for (int m = 0; m < M; ++m) {
            sb[m] = s[m][0] * b[k][0];
            for (int n = 1; n < M; ++n) sb[m] = sb[m] + s[m][n] * b[k][n];
        }
        for (int l = k + 1; l < N; ++l, to += 8 * D * D) {
            Real geometric = sb[0] * b[l][0];
            for (int m = 1; m < M; ++m) geometric = geometric + sb[m] * b[l][m];
            for (int i = 0; i < D; ++i)
                for (int j = 0; j < D; ++j) {
                    Real entry = left[0][i] * strain[l][0][j];
                    for (int m = 1; m < strains; ++m) entry = entry + left[m][i] * strain[l][m][j];
                    if (i == j) entry = entry + geometric;
                    store(to + 8 * (D * i + j), load(to + 8 * (D * i + j)) - entry * volume);
                }
        }
    }
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
