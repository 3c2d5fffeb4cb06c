// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Part of the text of the kernels of core/fem/kernels/MaterialKernels.h (MaterialKernelSource.h).
#pragma once

#include "core/fem/kernels/MaterialPointSource.h"
#include "core/fem/kernels/PackSvdSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// The law of Costa et al. ("Modelling cardiac mechanical properties in three dimensions", 2001) with SOFA's volumetric
/// term. S = ∂Ψ/∂E, P = F S, and for dx_b = e_k: dE = sym(Fᵀ e_k b_bᵀ), K_ab e_k = F (∂S/∂E : dE) b_a + (b_a · S b_b)
/// e_k.
template <int N>
void costa(const Real (&f)[3][3], Point<N>& point)
{
    const double* p = point.parameters;
    const Real a = load(p), k0 = load(p + 8);
    const Real b[3][3] = {{load(p + 16), load(p + 24), load(p + 40)},
                          {load(p + 24), load(p + 32), load(p + 48)},
                          {load(p + 40), load(p + 48), load(p + 56)}};
    Real c[3][3], e[3][3], inverse[3][3], ue[3][3], s[3][3];
    Real q = 0.;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            c[i][j] = dot3(f[i], f[j]);
            e[i][j] = (i == j ? c[i][j] - 1. : c[i][j]) * 0.5;
            ue[i][j] = b[i][j] * e[i][j];
            q = q + ue[i][j] * e[i][j];
        }
    const Real j = f[0][0] * (f[1][1] * f[2][2] - f[2][1] * f[1][2]) -
                   f[1][0] * (f[0][1] * f[2][2] - f[2][1] * f[0][2]) +
                   f[2][0] * (f[0][1] * f[1][2] - f[1][1] * f[0][2]);
    const Real jj = Real(1.) / (j * j);
    for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n) {
            const int m1 = pairSecond[m], m2 = pairThird[m], n1 = pairSecond[n], n2 = pairThird[n];
            inverse[m][n] = (c[m1][n1] * c[m2][n2] - c[m1][n2] * c[m2][n1]) * jj;
        }
    const Real l = log(j), power = exp(l * (-4. / 3.)), exponential = exp(power * q);
    if (point.wantEnergy) point.addEnergy(a * (exponential - 1.) * 0.5 + k0 * (j * l - j + 1.));
    if (!point.wantForces && !point.blocks) return;
    const Real factor = a * exponential * power;
    Real g[3][3];  // ½ J^(4/3) ∂(J^(−4/3) Q)/∂E
    for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n) {
            g[m][n] = ue[m][n] - inverse[m][n] * q * (2. / 3.);
            s[m][n] = factor * g[m][n] + k0 * j * l * inverse[m][n];
        }
    if (point.wantForces) {
        Real piola[3][3];
        for (int n = 0; n < 3; ++n)
            for (int i = 0; i < 3; ++i) piola[n][i] = f[0][i] * s[0][n] + f[1][i] * s[1][n] + f[2][i] * s[2][n];
        point.template addForces<false>(piola);
    }
    if (!point.blocks) return;
    const Real minusVolume = -point.volume;
    for (int va = 0; va < N; ++va)
        for (int vb = va + 1; vb < N; ++vb) {
            const Real *ga = point.b[va], *gb = point.b[vb];
            const Real sg[3] = {dot3(s[0], ga), dot3(s[1], ga), dot3(s[2], ga)};
            const Real geometric = dot3(sg, gb);
            for (int k = 0; k < 3; ++k) {
                Real de[3][3], ede[3][3], mid[3][3];
                for (int m = 0; m < 3; ++m)
                    for (int n = 0; n < 3; ++n) de[m][n] = (f[m][k] * gb[n] + f[n][k] * gb[m]) * 0.5;
                Real gde = 0., cde = 0., uede = 0.;
                for (int m = 0; m < 3; ++m)
                    for (int n = 0; n < 3; ++n) {
                        ede[m][n] = inverse[m][0] * de[0][n] + inverse[m][1] * de[1][n] + inverse[m][2] * de[2][n];
                        gde = gde + g[m][n] * de[m][n];
                        cde = cde + inverse[m][n] * de[m][n];
                        uede = uede + ue[m][n] * de[m][n];
                    }
                const Real alongG = factor * (power * gde * 2. - cde * (4. / 3.));
                const Real alongC = k0 * j * (l + 1.) * cde - factor * uede * (4. / 3.);
                const Real alongMid = factor * q * (4. / 3.) - k0 * j * l * 2.;
                Real ds[3];  // (∂S/∂E : dE) b_a
                for (int m = 0; m < 3; ++m) {
                    for (int n = 0; n < 3; ++n)
                        mid[m][n] = ede[m][0] * inverse[0][n] + ede[m][1] * inverse[1][n] + ede[m][2] * inverse[2][n];
                    ds[m] = 0.;
                }
                for (int m = 0; m < 3; ++m)
                    for (int n = 0; n < 3; ++n)
                        ds[m] = ds[m] + (alongG * g[m][n] + alongC * inverse[m][n] + alongMid * mid[m][n] +
                                         factor * b[m][n] * de[m][n]) *
                                            ga[n];
                for (int i = 0; i < 3; ++i) {
                    Real entry = f[0][i] * ds[0] + f[1][i] * ds[1] + f[2][i] * ds[2];
                    if (i == k) entry = entry + geometric;
                    point.template addBlockEntry<false>(va, vb, i, k, entry * minusVolume);
                }
            }
        }
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
