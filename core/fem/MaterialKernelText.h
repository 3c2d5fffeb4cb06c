// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/MaterialKernels.h: included once by the file of each instruction set, which names
// the table that it defines in SOFA_MATERIAL_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/MaterialEnergies.h"
#include "core/fem/MaterialKernels.h"
#include "core/fem/PackText.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

// --- dual numbers of second order in three variables -----------------------------------------------------------------

/// Value, gradient and Hessian (00 11 22 01 12 20).
struct Jet
{
    Real v, g[3], h[6];
};
constexpr int hessianRow[6] = {0, 1, 2, 0, 1, 2}, hessianColumn[6] = {0, 1, 2, 1, 2, 0};

SOFA_PACK Jet variable(const Real& x, int k)
{
    Jet r{x, {0., 0., 0.}, {0., 0., 0., 0., 0., 0.}};
    r.g[k] = 1.;
    return r;
}
/// f(a) for f with the given value and derivatives at a.v.
SOFA_PACK Jet chain(const Jet& a, const Real& f, const Real& f1, const Real& f2)
{
    Jet r;
    r.v = f;
    for (int k = 0; k < 3; ++k) r.g[k] = f1 * a.g[k];
    for (int k = 0; k < 6; ++k) r.h[k] = f1 * a.h[k] + f2 * (a.g[hessianRow[k]] * a.g[hessianColumn[k]]);
    return r;
}
SOFA_PACK Jet operator+(const Jet& a, const Jet& b)
{
    Jet r;
    r.v = a.v + b.v;
    for (int k = 0; k < 3; ++k) r.g[k] = a.g[k] + b.g[k];
    for (int k = 0; k < 6; ++k) r.h[k] = a.h[k] + b.h[k];
    return r;
}
SOFA_PACK Jet operator-(const Jet& a, const Jet& b)
{
    Jet r;
    r.v = a.v - b.v;
    for (int k = 0; k < 3; ++k) r.g[k] = a.g[k] - b.g[k];
    for (int k = 0; k < 6; ++k) r.h[k] = a.h[k] - b.h[k];
    return r;
}
SOFA_PACK Jet operator*(const Jet& a, const Jet& b)
{
    Jet r;
    r.v = a.v * b.v;
    for (int k = 0; k < 3; ++k) r.g[k] = a.v * b.g[k] + b.v * a.g[k];
    for (int k = 0; k < 6; ++k) {
        const int i = hessianRow[k], j = hessianColumn[k];
        r.h[k] = a.v * b.h[k] + b.v * a.h[k] + (a.g[i] * b.g[j] + a.g[j] * b.g[i]);
    }
    return r;
}
SOFA_PACK Jet operator*(const Jet& a, const Real& b)
{
    Jet r;
    r.v = a.v * b;
    for (int k = 0; k < 3; ++k) r.g[k] = a.g[k] * b;
    for (int k = 0; k < 6; ++k) r.h[k] = a.h[k] * b;
    return r;
}
SOFA_PACK Jet operator+(const Jet& a, const Real& b)
{
    Jet r = a;
    r.v = r.v + b;
    return r;
}
SOFA_PACK Jet operator-(const Jet& a, const Real& b)
{
    Jet r = a;
    r.v = r.v - b;
    return r;
}
SOFA_PACK Jet operator*(const Jet& a, double b) { return a * Real(b); }
SOFA_PACK Jet operator+(const Jet& a, double b) { return a + Real(b); }
SOFA_PACK Jet operator-(const Jet& a, double b) { return a - Real(b); }
SOFA_PACK Jet log(const Jet& a)
{
    const Real inverse = Real(1.) / a.v;
    return chain(a, log(a.v), inverse, -(inverse * inverse));
}
SOFA_PACK Jet exp(const Jet& a)
{
    const Real e = exp(a.v);
    return chain(a, e, e, e);
}

// --- singular value decomposition ------------------------------------------------------------------------------------

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

/// F = U diag(s) Vᵀ as in core/fem/Decompositions.h: Hestenes' one-sided Jacobi rotations, then Givens rotations for U.
/// Matrices are arrays of columns. A lane stops when its own columns are orthogonal.
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
            const Real t = select(active, gamma / (d + withSign(sqrt(d * d + gamma * gamma), d)), zero);
            const Real c = one / sqrt(one + t * t), sine = c * t;
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

// --- laws in principal stretches
// --------------------------------------------------------------------------------------

/// A law at given principal stretches. With F = U diag(s) Vᵀ and dF̂ = Uᵀ dF V, P = U diag(g) Vᵀ and dP = U T(dF̂) Vᵀ,
///
///     T_ii = Σ_j A_ij dF̂_jj,   T_ij = a_ij dF̂_ij + b_ij dF̂_ji   (i ≠ j),
///
/// where g_i = ∂ψ/∂s_i, A_ij = ∂²ψ/∂s_i∂s_j, a ± b = (g_i ∓ g_j)/(s_i ∓ s_j). Pairs come in the order 01, 12, 20.
struct Response
{
    Real psi, g[3];
    Real diagonal[3], off[3];  ///< A_00 A_11 A_22, A_01 A_12 A_20
    Real a[3], b[3];
};
constexpr int pairFirst[3] = {0, 1, 2}, pairSecond[3] = {1, 2, 0}, pairThird[3] = {2, 0, 1};

/// From the derivatives of Ψ(I, II, J); no differences of stretches are divided by.
SOFA_PACK void fromInvariants(const Jet& f, const Real (&s)[3], Response& r)
{
    Real gradient[3][3];  // of I, II, J with respect to the stretches
    for (int i = 0; i < 3; ++i) {
        gradient[0][i] = s[i] * 2.;
        gradient[1][i] = s[i] * s[i] * s[i] * 4.;
        gradient[2][i] = s[pairSecond[i]] * s[pairSecond[pairSecond[i]]];
    }
    r.psi = f.v;
    Real half[3][3];  // rows of the Hessian of Ψ times the gradients
    for (int i = 0; i < 3; ++i) {
        r.g[i] = f.g[0] * gradient[0][i] + f.g[1] * gradient[1][i] + f.g[2] * gradient[2][i];
        half[0][i] = f.h[0] * gradient[0][i] + f.h[3] * gradient[1][i] + f.h[5] * gradient[2][i];
        half[1][i] = f.h[3] * gradient[0][i] + f.h[1] * gradient[1][i] + f.h[4] * gradient[2][i];
        half[2][i] = f.h[5] * gradient[0][i] + f.h[4] * gradient[1][i] + f.h[2] * gradient[2][i];
    }
    for (int i = 0; i < 3; ++i)
        r.diagonal[i] = f.g[0] * 2. + f.g[1] * (s[i] * s[i]) * 12. +
                        (gradient[0][i] * half[0][i] + gradient[1][i] * half[1][i] + gradient[2][i] * half[2][i]);
    for (int k = 0; k < 3; ++k) {
        const int i = pairFirst[k], j = pairSecond[k];
        const Real pressure = s[pairThird[k]] * f.g[2];
        r.off[k] = pressure + (gradient[0][i] * half[0][j] + gradient[1][i] * half[1][j] + gradient[2][i] * half[2][j]);
        r.a[k] = f.g[0] * 2. + f.g[1] * (s[i] * s[i] + s[j] * s[j]) * 4.;
        r.b[k] = f.g[1] * (s[i] * s[j]) * 4. - pressure;
    }
}

template <class Energy>
void invariantLaw(const double* parameters, const Real (&s)[3], Response& r)
{
    const Real c[3] = {s[0] * s[0], s[1] * s[1], s[2] * s[2]};
    const Jet i = variable(c[0] + c[1] + c[2], 0), ii = variable(c[0] * c[0] + c[1] * c[1] + c[2] * c[2], 1),
              j = variable(s[0] * s[1] * s[2], 2);
    Real p[3];
    for (int k = 0; k < 3; ++k) p[k] = load(parameters + 8 * k);
    fromInvariants(Energy::value(i, ii, j, p), s, r);
}

void userLaw(InvariantFunction function, const double* parameters, const Real (&s)[3], Response& r)
{
    const Real c[3] = {s[0] * s[0], s[1] * s[1], s[2] * s[2]};
    alignas(64) double in[3 * 8], out[10 * 8];
    store(in, c[0] + c[1] + c[2]);
    store(in + 8, c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    store(in + 16, s[0] * s[1] * s[2]);
    function(parameters, in, out, packLanes);
    Jet f;
    f.v = load(out);
    for (int k = 0; k < 3; ++k) f.g[k] = load(out + 8 * (1 + k));
    for (int k = 0; k < 6; ++k) f.h[k] = load(out + 8 * (4 + k));
    fromInvariants(f, s, r);
}

/// μ Σ (s_i − 1)² + λ/2 (Σ (s_i − 1))². The sum a − b = (g_i + g_j)/(s_i + s_j) has a true singularity where the two
/// stretches cancel; there the rotation is not differentiable and the change of the rotation is left out.
void corotationalLaw(const double* parameters, const Real (&s)[3], Response& r, bool exact)
{
    const Real lambda = load(parameters), mu = load(parameters + 8), mu2 = mu + mu;
    const Real e[3] = {s[0] - 1., s[1] - 1., s[2] - 1.};
    const Real trace = e[0] + e[1] + e[2], pressure = lambda * trace;
    r.psi = mu * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + pressure * trace * 0.5;
    for (int i = 0; i < 3; ++i) {
        r.g[i] = mu2 * e[i] + pressure;
        r.diagonal[i] = lambda + mu2;
        r.off[i] = lambda;
        r.a[i] = r.b[i] = mu;
    }
    if (!exact) return;
    for (int k = 0; k < 3; ++k) {
        const int i = pairFirst[k], j = pairSecond[k];
        const Real sum = s[i] + s[j];
        const Real difference = select(Real(1e-12) < abs(sum), (r.g[i] + r.g[j]) / sum, Real(0.));
        r.a[k] = mu + difference * 0.5;
        r.b[k] = mu - difference * 0.5;
    }
}

/// (x^β − y^β)/(x − y) for positive x, y, accurate for x = y as well: with z = (x − y)/(x + y) and
/// w = β artanh z, it is (x y)^(β/2) β (sinh w / w) (artanh z / z) 2/(x + y).
SOFA_PACK Real powerQuotient(const Real& x, const Real& y, const Real& lx, const Real& ly, const Real& beta)
{
    const Real z = (x - y) / (x + y), z2 = z * z;
    Real t = 1. / 13.;
    t = t * z2 + 1. / 11.;
    t = t * z2 + 1. / 9.;
    t = t * z2 + 1. / 7.;
    t = t * z2 + 1. / 5.;
    t = t * z2 + 1. / 3.;
    t = t * z2 + 1.;
    const Real w = beta * z * t, w2 = w * w;
    Real h = 1. / 6227020800.;
    h = h * w2 + 1. / 39916800.;
    h = h * w2 + 1. / 362880.;
    h = h * w2 + 1. / 5040.;
    h = h * w2 + 1. / 120.;
    h = h * w2 + 1. / 6.;
    h = h * w2 + 1.;
    const Real near = exp((lx + ly) * beta * 0.5) * beta * h * t * 2. / (x + y);
    const Real far = (exp(lx * beta) - exp(ly * beta)) / (x - y);
    return select((z2 < Real(0.01)) & (w2 < Real(0.25)), near, far);
}

/// μ/α² (J^(−α/3) Σ s_i^α − 3) + k/2 ln² J
void ogdenLaw(const double* parameters, const Real (&s)[3], Response& r)
{
    const Real mu = load(parameters), alpha = load(parameters + 8), k = load(parameters + 16);
    Real l[3], w[3];
    for (int i = 0; i < 3; ++i) {
        l[i] = log(s[i]);
        w[i] = exp(l[i] * alpha);
    }
    const Real lj = l[0] + l[1] + l[2], sum = w[0] + w[1] + w[2];
    const Real f = mu * exp(lj * alpha * (-1. / 3.));
    r.psi = (f * sum - mu * 3.) / (alpha * alpha) + k * lj * lj * 0.5;
    // With respect to the logarithms: τ_i = c w_i + d.
    const Real c = f / alpha, d = k * lj - c * sum * (1. / 3.);
    Real tau[3];
    for (int i = 0; i < 3; ++i) {
        tau[i] = c * w[i] + d;
        r.g[i] = tau[i] / s[i];
    }
    for (int i = 0; i < 3; ++i) {
        const Real second = f * (w[i] * (1. / 3.) + sum * (1. / 9.)) + k;
        r.diagonal[i] = (second - tau[i]) / (s[i] * s[i]);
    }
    for (int m = 0; m < 3; ++m) {
        const int i = pairFirst[m], j = pairSecond[m];
        const Real product = s[i] * s[j];
        r.off[m] = (f * (sum * (1. / 9.) - (w[i] + w[j]) * (1. / 3.)) + k) / product;
        const Real minus = c * powerQuotient(s[i], s[j], l[i], l[j], alpha - 1.) - d / product;
        const Real plus = (r.g[i] + r.g[j]) / (s[i] + s[j]);
        r.a[m] = (minus + plus) * 0.5;
        r.b[m] = (minus - plus) * 0.5;
    }
}

/// Adds −c (J − 1)³/2592 where J < 1 (Vega FEM's resistance to compression).
SOFA_PACK void addCompressionResistance(const Real& c, const Real (&s)[3], Response& r)
{
    const Real zero = 0.;
    const Real j = s[0] * s[1] * s[2];
    const Real e = select(j < Real(1.), j - 1., zero);
    const Real factor = c * (-1. / 2592.);
    const Real first = factor * e * e * 3., second = factor * e * 6.;
    r.psi = r.psi + factor * e * e * e;
    Real v[3];
    for (int i = 0; i < 3; ++i) {
        v[i] = s[pairSecond[i]] * s[pairThird[i]];
        r.g[i] = r.g[i] + first * v[i];
        r.diagonal[i] = r.diagonal[i] + second * v[i] * v[i];
    }
    for (int k = 0; k < 3; ++k) {
        const Real pressure = first * s[pairThird[k]];
        r.off[k] = r.off[k] + second * v[pairFirst[k]] * v[pairSecond[k]] + pressure;
        r.b[k] = r.b[k] - pressure;
    }
}

/// Linear elasticity: the tangent is the same in all axes; the stress, P, is not a function of the stretches.
SOFA_PACK void linearLaw(const double* parameters, const Real (&f)[3][3], Response& r, Real (&stress)[3][3])
{
    const Real lambda = load(parameters), mu = load(parameters + 8);
    const Real one = 1.;
    const Real trace = (f[0][0] - one) + (f[1][1] - one) + (f[2][2] - one), pressure = lambda * trace;
    Real squares = 0.;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const Real e = i == j ? f[i][i] - one : (f[i][j] + f[j][i]) * 0.5;
            squares = squares + e * e;
            stress[i][j] = mu * e * 2.;
            if (i == j) stress[i][j] = stress[i][j] + pressure;
        }
    r.psi = mu * squares + pressure * trace * 0.5;
    for (int i = 0; i < 3; ++i) {
        r.diagonal[i] = lambda + mu + mu;
        r.off[i] = lambda;
        r.a[i] = r.b[i] = mu;
    }
}

SOFA_PACK Real projected(const Real& x, bool absolute) { return absolute ? abs(x) : max(x, Real(0.)); }

/// Makes the tangent positive semi-definite: its eigenvalues are those of A and a ± b of each pair.
void project(Response& r, bool absolute)
{
    for (int k = 0; k < 3; ++k) {
        const Real plus = projected(r.a[k] + r.b[k], absolute), minus = projected(r.a[k] - r.b[k], absolute);
        r.a[k] = (plus + minus) * 0.5;
        r.b[k] = (plus - minus) * 0.5;
    }
    // Jacobi's method for A; m holds the full matrix, e the eigenvectors in columns.
    Real m[3][3] = {
        {r.diagonal[0], r.off[0], r.off[2]}, {r.off[0], r.diagonal[1], r.off[1]}, {r.off[2], r.off[1], r.diagonal[2]}};
    Real e[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) e[i][j] = i == j ? 1. : 0.;
    const Real zero = 0., one = 1.;
    for (int sweep = 0; sweep < 8; ++sweep) {
        PackMask rotated = {};
        for (int pair = 0; pair < 3; ++pair) {
            const int p = pair == 2 ? 1 : 0, q = pair == 0 ? 1 : 2, o = 3 - p - q;
            const Real off = m[p][q];
            const Real size = abs(m[0][0]) + abs(m[1][1]) + abs(m[2][2]);
            const PackMask active = Real(1e-17) * size < abs(off);
            rotated |= active;
            const Real d = (m[q][q] - m[p][p]) * 0.5;
            const Real t = select(active, off / (d + withSign(sqrt(d * d + off * off), d)), zero);
            const Real c = one / sqrt(one + t * t), s = c * t;
            m[p][p] = m[p][p] - t * off;
            m[q][q] = m[q][q] + t * off;
            m[p][q] = m[q][p] = select(active, zero, off);
            const Real x = m[p][o], y = m[q][o];
            m[p][o] = m[o][p] = c * x - s * y;
            m[q][o] = m[o][q] = s * x + c * y;
            for (int i = 0; i < 3; ++i) {
                const Real left = e[i][p], right = e[i][q];
                e[i][p] = c * left - s * right;
                e[i][q] = s * left + c * right;
            }
        }
        if (!any(rotated)) break;
    }
    PackMask indefinite = {};
    for (int k = 0; k < 3; ++k) indefinite |= m[k][k] < zero;
    for (int k = 0; k < 3; ++k) m[k][k] = projected(m[k][k], absolute);
    const auto entry = [&](int i, int j) {
        return e[i][0] * m[0][0] * e[j][0] + e[i][1] * m[1][1] * e[j][1] + e[i][2] * m[2][2] * e[j][2];
    };
    for (int k = 0; k < 3; ++k) {
        r.diagonal[k] = select(indefinite, entry(k, k), r.diagonal[k]);
        r.off[k] = select(indefinite, entry(pairFirst[k], pairSecond[k]), r.off[k]);
    }
}

void respond(const MaterialEvaluation& how, const double* parameters, const Real (&stretches)[3], bool tangent,
             Response& r)
{
    const Real smallest = how.smallestStretch;
    const Real s[3] = {max(stretches[0], smallest), max(stretches[1], smallest), max(stretches[2], smallest)};
    int count = 2;
    switch (how.law) {
        case MaterialLaw::StVenantKirchhoff:
            invariantLaw<energy::StVenantKirchhoff>(parameters, s, r);
            break;
        case MaterialLaw::NeoHookean:
            invariantLaw<energy::NeoHookean>(parameters, s, r);
            break;
        case MaterialLaw::MooneyRivlin:
            invariantLaw<energy::MooneyRivlin>(parameters, s, r);
            count = 3;
            break;
        case MaterialLaw::MooneyRivlinLog:
            invariantLaw<energy::MooneyRivlinLog>(parameters, s, r);
            count = 3;
            break;
        case MaterialLaw::ArrudaBoyce:
            invariantLaw<energy::ArrudaBoyce>(parameters, s, r);
            break;
        case MaterialLaw::VerondaWestmann:
            invariantLaw<energy::VerondaWestmann>(parameters, s, r);
            count = 3;
            break;
        case MaterialLaw::StableNeoHookean:
            invariantLaw<energy::StableNeoHookean>(parameters, s, r);
            break;
        case MaterialLaw::Ogden:
            ogdenLaw(parameters, s, r);
            count = 3;
            break;
        case MaterialLaw::Corotational:
        case MaterialLaw::CorotationalApproximate:
            corotationalLaw(parameters, s, r, how.law == MaterialLaw::Corotational);
            break;
        case MaterialLaw::Linear:  // not in stretches: linearLaw, costaTetrahedra
        case MaterialLaw::Costa:
            break;
        case MaterialLaw::User:
            userLaw(how.user, parameters, s, r);
            count = 0;
            break;
    }
    if (how.compressionResistance) addCompressionResistance(load(parameters + 8 * count), s, r);
    if (tangent && how.projection != TangentProjection::None) project(r, how.projection == TangentProjection::Absolute);
}

// --- linear tetrahedra
// -------------------------------------------------------------------------------------------------

/// Deformation gradients F = Σ_k d_k g_kᵀ, as columns, of the lanes from `lane` on.
SOFA_PACK void deformationGradients(const GradientTetrahedronPack& pack, int lane, const double* x, Real (&f)[3][3])
{
    alignas(64) double lanes[4][3][packLanes];
    for (int k = 0; k < 4; ++k)
        for (int l = 0; l < packLanes; ++l) {
            const double* from = x + 3 * static_cast<std::size_t>(pack.vertex[k][lane + l]);
            for (int c = 0; c < 3; ++c) lanes[k][c][l] = from[c];
        }
    Real d[3][3];
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) d[k][c] = load(lanes[k + 1][c]) - load(lanes[0][c]);
    for (int j = 0; j < 3; ++j) {
        const Real g0 = load(pack.gradient[j] + lane), g1 = load(pack.gradient[3 + j] + lane),
                   g2 = load(pack.gradient[6 + j] + lane);
        for (int i = 0; i < 3; ++i) f[j][i] = d[0][i] * g0 + d[1][i] * g1 + d[2][i] * g2;
    }
}

constexpr int pairVertex[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// The law of Costa et al. ("Modelling cardiac mechanical properties in three dimensions", 2001) with SOFA's volumetric
/// term. S = ∂Ψ/∂E, P = F S, and for dx_b = e_k: dE = sym(Fᵀ e_k b_bᵀ), K_ab e_k = F (∂S/∂E : dE) b_a + (b_a · S b_b)
/// e_k.
void costaTetrahedra(const GradientTetrahedronPack& pack, int lane, const double* parameters, const double* x,
                     double* forces, double* blocks, double* energies)
{
    Real f[3][3];
    deformationGradients(pack, lane, x, f);
    const double* p = parameters + lane;
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
    const Real volume = load(pack.volume + lane);
    if (energies) store(energies + lane, (a * (exponential - 1.) * 0.5 + k0 * (j * l - j + 1.)) * volume);
    if (!forces && !blocks) return;
    const Real factor = a * exponential * power;
    Real g[3][3];  // ½ J^(4/3) ∂(J^(−4/3) Q)/∂E
    for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n) {
            g[m][n] = ue[m][n] - inverse[m][n] * q * (2. / 3.);
            s[m][n] = factor * g[m][n] + k0 * j * l * inverse[m][n];
        }
    Real gradient[4][3], sg[4][3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 1; k < 4; ++k) gradient[k][i] = load(pack.gradient[3 * k - 3 + i] + lane);
        gradient[0][i] = -(gradient[1][i] + gradient[2][i] + gradient[3][i]);
    }
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < 3; ++i) sg[k][i] = dot3(s[i], gradient[k]) * volume;
    if (forces)
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 3; ++i) {
                const Real force = -(f[0][i] * sg[k][0] + f[1][i] * sg[k][1] + f[2][i] * sg[k][2]);
                for (int m = 0; m < packLanes; ++m) forces[12 * (lane + m) + 3 * k + i] = force.v[m];
            }
    if (!blocks) return;
    for (int pair = 0; pair < 6; ++pair) {
        const Real* ga = gradient[pairVertex[pair][0]];
        const Real* gb = gradient[pairVertex[pair][1]];
        const Real geometric = dot3(sg[pairVertex[pair][0]], gb);
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
                Real entry = (f[0][i] * ds[0] + f[1][i] * ds[1] + f[2][i] * ds[2]) * volume;
                if (i == k) entry = entry + geometric;
                for (int m = 0; m < packLanes; ++m) blocks[54 * (lane + m) + 9 * pair + 3 * i + k] = -entry.v[m];
            }
        }
    }
}

/// The lanes `lane` to lane + packLanes − 1.
SOFA_PACK void someTetrahedra(const MaterialEvaluation& how, const GradientTetrahedronPack& pack, int lane,
                              const double* parameters, const double* x, double* forces, double* blocks,
                              double* energies)
{
    const auto gradient = [&](int k) { return load(pack.gradient[k] + lane); };
    Real f[3][3], u[3][3], s[3], v[3][3];
    deformationGradients(pack, lane, x, f);
    const bool linear = how.law == MaterialLaw::Linear;
    Response r;
    Real stress[3][3];  // P, of the linear law only
    if (linear) {
        linearLaw(parameters + lane, f, r, stress);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) u[i][j] = v[i][j] = i == j ? 1. : 0.;
    } else {
        decompose(f, u, s, v);
        respond(how, parameters + lane, s, blocks != nullptr, r);
    }
    const Real volume = load(pack.volume + lane);
    if (energies) store(energies + lane, r.psi * volume);
    if (!forces && !blocks) return;

    // Gradients of the shape functions in the axes V.
    Real c[4][3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 1; k < 4; ++k)
            c[k][i] = v[i][0] * gradient(3 * k - 3) + v[i][1] * gradient(3 * k - 2) + v[i][2] * gradient(3 * k - 1);
        c[0][i] = -(c[1][i] + c[2][i] + c[3][i]);
    }
    if (forces) {
        alignas(64) double lanes[12][packLanes];
        Real piola[3][3];  // V P, acting on gradients in the axes V
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) piola[i][j] = (linear ? stress[i][j] : u[j][i] * r.g[j]) * volume;
        Real sum[3] = {0., 0., 0.};
        for (int k = 1; k < 4; ++k) {
            for (int i = 0; i < 3; ++i) {
                const Real force = piola[i][0] * c[k][0] + piola[i][1] * c[k][1] + piola[i][2] * c[k][2];
                sum[i] = sum[i] + force;
                store(lanes[3 * k + i], -force);
            }
        }
        for (int i = 0; i < 3; ++i) store(lanes[i], sum[i]);
        for (int l = 0; l < packLanes; ++l)
            for (int k = 0; k < 12; ++k) forces[12 * (lane + l) + k] = lanes[k][l];
    }
    if (!blocks) return;
    const Real minusVolume = -volume;
    for (int k = 0; k < 3; ++k) {
        r.diagonal[k] = r.diagonal[k] * minusVolume;
        r.off[k] = r.off[k] * minusVolume;
        r.a[k] = r.a[k] * minusVolume;
        r.b[k] = r.b[k] * minusVolume;
    }
    alignas(64) double lanes[9][packLanes];
    for (int pair = 0; pair < 6; ++pair) {
        const Real *p = c[pairVertex[pair][0]], *q = c[pairVertex[pair][1]];
        // In the axes U: k_ii = A_ii p_i q_i + Σ_j a_ij p_j q_j, k_ij = A_ij p_i q_j + b_ij p_j q_i.
        const Real pq[3] = {p[0] * q[0], p[1] * q[1], p[2] * q[2]};
        Real k[3][3];
        k[0][0] = r.diagonal[0] * pq[0] + r.a[0] * pq[1] + r.a[2] * pq[2];
        k[1][1] = r.diagonal[1] * pq[1] + r.a[1] * pq[2] + r.a[0] * pq[0];
        k[2][2] = r.diagonal[2] * pq[2] + r.a[2] * pq[0] + r.a[1] * pq[1];
        for (int m = 0; m < 3; ++m) {
            const int i = pairFirst[m], j = pairSecond[m];
            const Real ij = p[i] * q[j], ji = p[j] * q[i];
            k[i][j] = r.off[m] * ij + r.b[m] * ji;
            k[j][i] = r.off[m] * ji + r.b[m] * ij;
        }
        Real uk[3][3];  // U k
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) uk[i][j] = u[0][i] * k[0][j] + u[1][i] * k[1][j] + u[2][i] * k[2][j];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                store(lanes[3 * i + j], uk[i][0] * u[0][j] + uk[i][1] * u[1][j] + uk[i][2] * u[2][j]);
        for (int l = 0; l < packLanes; ++l)
            for (int m = 0; m < 9; ++m) blocks[54 * (lane + l) + 9 * pair + m] = lanes[m][l];
    }
}

void tetrahedra(const MaterialEvaluation& how, const GradientTetrahedronPack& pack, const double* parameters,
                const double* x, double* forces, double* blocks, double* energies)
{
    for (int lane = 0; lane < 8; lane += packLanes)
        if (how.law == MaterialLaw::Costa)
            costaTetrahedra(pack, lane, parameters, x, forces, blocks, energies);
        else
            someTetrahedra(how, pack, lane, parameters, x, forces, blocks, energies);
}

// --- the others
// ----------------------------------------------------------------------------------------------------------

void decompositions(const double* f, double* u, double* s, double* v)
{
    for (int lane = 0; lane < 8; lane += packLanes, f += packLanes, u += packLanes, s += packLanes, v += packLanes) {
        Real a[3][3], left[3][3], values[3], right[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) a[j][i] = load(f + 8 * (3 * i + j));
        decompose(a, left, values, right);
        for (int i = 0; i < 3; ++i) {
            store(s + 8 * i, values[i]);
            for (int j = 0; j < 3; ++j) {
                store(u + 8 * (3 * i + j), left[j][i]);
                store(v + 8 * (3 * i + j), right[j][i]);
            }
        }
    }
}

void logarithms(const double* x, double* y)
{
    for (int lane = 0; lane < 8; lane += packLanes) store(y + lane, log(load(x + lane)));
}
void exponentials(const double* x, double* y)
{
    for (int lane = 0; lane < 8; lane += packLanes) store(y + lane, exp(load(x + lane)));
}

}  // namespace

extern const MaterialKernels SOFA_MATERIAL_KERNELS;
const MaterialKernels SOFA_MATERIAL_KERNELS{tetrahedra, decompositions, logarithms, exponentials};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
