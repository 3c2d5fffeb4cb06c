// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The laws of core/fem/materials/MaterialLaws.h on packs (core/fem/kernels/PackSource.h), with first and second
// derivatives.
#pragma once

#include "core/fem/kernels/MaterialKernels.h"
#include "core/fem/kernels/PackSource.h"
#include "core/fem/materials/MaterialEnergies.h"

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

// --- laws in principal stretches

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
void invariantLaw(const double* parameters, const Real (&invariants)[3], Jet& f)
{
    Real p[Energy::parameters];
    for (int k = 0; k < Energy::parameters; ++k) p[k] = load(parameters + 8 * k);
    f = Energy::value(variable(invariants[0], 0), variable(invariants[1], 1), variable(invariants[2], 2), p);
}

void userLaw(InvariantFunction function, const double* parameters, const Real (&invariants)[3], Jet& f)
{
    alignas(64) double in[3 * 8], out[10 * 8];
    for (int k = 0; k < 3; ++k) store(in + 8 * k, invariants[k]);
    function(parameters, in, out, packLanes);
    f.v = load(out);
    for (int k = 0; k < 3; ++k) f.g[k] = load(out + 8 * (1 + k));
    for (int k = 0; k < 6; ++k) f.h[k] = load(out + 8 * (4 + k));
}

/// −c (J − 1)³/2592 where J < 1 (Vega FEM's resistance to compression), and its derivatives by J.
SOFA_PACK void compressionResistance(const Real& c, const Real& j, Real& value, Real& first, Real& second)
{
    const Real e = select(j < Real(1.), j - 1., Real(0.));
    const Real factor = c * (-1. / 2592.);
    value = factor * e * e * e;
    first = factor * e * e * 3.;
    second = factor * e * 6.;
}

constexpr bool isInvariantLaw(MaterialLaw law)
{
    return law <= MaterialLaw::StableNeoHookean || law == MaterialLaw::User;
}

/// The energy of an invariant law and its derivatives by I, II, J, compression resistance included.
void evaluateInvariants(const MaterialEvaluation& how, const double* parameters, const Real (&invariants)[3], Jet& f)
{
    int count = 2;
    switch (how.law) {
        case MaterialLaw::StVenantKirchhoff:
            invariantLaw<energy::StVenantKirchhoff>(parameters, invariants, f);
            break;
        case MaterialLaw::NeoHookean:
            invariantLaw<energy::NeoHookean>(parameters, invariants, f);
            break;
        case MaterialLaw::MooneyRivlin:
            invariantLaw<energy::MooneyRivlin>(parameters, invariants, f);
            count = 3;
            break;
        case MaterialLaw::MooneyRivlinLog:
            invariantLaw<energy::MooneyRivlinLog>(parameters, invariants, f);
            count = 3;
            break;
        case MaterialLaw::ArrudaBoyce:
            invariantLaw<energy::ArrudaBoyce>(parameters, invariants, f);
            break;
        case MaterialLaw::VerondaWestmann:
            invariantLaw<energy::VerondaWestmann>(parameters, invariants, f);
            count = 3;
            break;
        case MaterialLaw::StableNeoHookean:
            invariantLaw<energy::StableNeoHookean>(parameters, invariants, f);
            break;
        default:
            userLaw(how.user, parameters, invariants, f);
            count = static_cast<int>(how.userParameters);
            break;
    }
    if (!how.compressionResistance) return;
    Real value, first, second;
    compressionResistance(load(parameters + 8 * count), invariants[2], value, first, second);
    f.v = f.v + value;
    f.g[2] = f.g[2] + first;
    f.h[2] = f.h[2] + second;
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

/// Adds the resistance to compression to a law in stretches.
SOFA_PACK void addCompressionResistance(const Real& c, const Real (&s)[3], Response& r)
{
    Real value, first, second, v[3];
    compressionResistance(c, s[0] * s[1] * s[2], value, first, second);
    r.psi = r.psi + value;
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

/// A law other than Linear and Costa at the given stretches, raised to the smallest.
void respond(const MaterialEvaluation& how, const double* parameters, const Real (&stretches)[3], bool tangent,
             Response& r)
{
    const Real smallest = how.smallestStretch;
    const Real s[3] = {max(stretches[0], smallest), max(stretches[1], smallest), max(stretches[2], smallest)};
    if (isInvariantLaw(how.law)) {
        const Real c[3] = {s[0] * s[0], s[1] * s[1], s[2] * s[2]};
        const Real invariants[3] = {c[0] + c[1] + c[2], c[0] * c[0] + c[1] * c[1] + c[2] * c[2], s[0] * s[1] * s[2]};
        Jet f;
        evaluateInvariants(how, parameters, invariants, f);
        fromInvariants(f, s, r);
    } else {
        const bool ogden = how.law == MaterialLaw::Ogden;
        if (ogden)
            ogdenLaw(parameters, s, r);
        else
            corotationalLaw(parameters, s, r, how.law == MaterialLaw::Corotational);
        if (how.compressionResistance) addCompressionResistance(load(parameters + (ogden ? 24 : 16)), s, r);
    }
    if (tangent && how.projection != TangentProjection::None) project(r, how.projection == TangentProjection::Absolute);
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
