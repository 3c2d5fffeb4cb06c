// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Singular value decompositions of several matrices at once; see core/fem/kernels/PackSource.h.
#pragma once

#include "core/fem/kernels/PackSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

SOFA_PACK Real dot3(const Real* a, const Real* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Columns p and q become c p − s q and s p + c q.
SOFA_PACK void rotate(Real (&a)[3][3], int p, int q, const Real& c, const Real& s)
{
    for (int i = 0; i < 3; ++i) {
        const Real x = a[p][i], y = a[q][i];
        a[p][i] = c * x - s * y;
        a[q][i] = s * x + c * y;
    }
}
/// Exchanges columns p and q and negates the second, in the lanes of the mask.
SOFA_PACK void turn(PackMask m, Real (&a)[3][3], int p, int q)
{
    for (int i = 0; i < 3; ++i) {
        const Real x = a[p][i], y = a[q][i];
        a[p][i] = select(m, y, x);
        a[q][i] = select(m, -x, y);
    }
}

/// F = U diag(s) Vᵀ as in core/math/Decompositions.h: Hestenes' one-sided Jacobi rotations, then Givens rotations for
/// U. Matrices are arrays of columns. A lane stops when its own columns are orthogonal.
SOFA_PACK void decompose(Real (&a)[3][3], Real (&u)[3][3], Real (&s)[3], Real (&v)[3][3])
{
    const Real zero = 0., one = 1.;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) u[i][j] = v[i][j] = i == j ? one : zero;
    for (int sweep = 0; sweep < 8; ++sweep) {
        PackMask rotated = {};
        for (int pair = 0; pair < 3; ++pair) {
            const int p = pair == 2 ? 1 : 0, q = pair == 0 ? 1 : 2;
            const Real alpha = dot3(a[p], a[p]), beta = dot3(a[q], a[q]), gamma = dot3(a[p], a[q]);
            const PackMask active = Real(1e-32) * (alpha * beta) < gamma * gamma;
            rotated |= active;
            const Real d = (beta - alpha) * 0.5;
            // tan θ = γ/h with h = d ± r, r = √(d² + γ²), and h² + γ² = 2 r |h|.
            const Real r = sqrt(d * d + gamma * gamma), h = abs(d) + r;
            const Real inverse = select(active, one / sqrt(r * h * 2.), zero);
            const Real c = select(active, h * inverse, one), sine = withSign(gamma * inverse, gamma * d);
            rotate(a, p, q, c, sine);
            rotate(v, p, q, c, sine);
        }
        if (!any(rotated)) break;
    }
    Real n[3];
    for (int j = 0; j < 3; ++j) n[j] = dot3(a[j], a[j]);
    for (int step = 0; step < 3; ++step) {
        const int p = step == 1 ? 1 : 0, q = p + 1;
        const PackMask m = n[p] < n[q];
        const Real x = n[p];
        n[p] = select(m, n[q], n[p]);
        n[q] = select(m, x, n[q]);
        turn(m, a, p, q);
        turn(m, v, p, q);
    }
    for (int step = 0; step < 3; ++step) {
        const int p = step == 2 ? 1 : 0, q = step == 0 ? 1 : 2, column = p;
        const Real x = a[column][p], y = a[column][q], r = sqrt(x * x + y * y);
        const PackMask good = zero < r;
        const Real inverse = one / r;
        const Real c = select(good, x * inverse, one), sine = select(good, y * inverse, zero);
        for (int j = column; j < 3; ++j) {
            const Real top = a[j][p], bottom = a[j][q];
            a[j][p] = c * top + sine * bottom;
            a[j][q] = c * bottom - sine * top;
        }
        for (int i = 0; i < 3; ++i) {
            const Real left = u[p][i], right = u[q][i];
            u[p][i] = c * left + sine * right;
            u[q][i] = c * right - sine * left;
        }
    }
    for (int j = 0; j < 3; ++j) s[j] = a[j][j];
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
