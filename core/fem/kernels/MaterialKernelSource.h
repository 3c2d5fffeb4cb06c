// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/MaterialKernels.h: included once by the file of each instruction set,
// which names the table that it defines in SOFA_MATERIAL_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/IsotropicTangentSource.h"
#include "core/fem/kernels/MaterialCostaSource.h"
#include "core/fem/kernels/MaterialKernels.h"
#include "core/fem/kernels/PackSvdSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

// --- one quadrature point of an element

SOFA_PACK void times(const Real (&columns)[3][3], const Real* v, Real* r)
{
    for (int i = 0; i < 3; ++i) r[i] = columns[0][i] * v[0] + columns[1][i] * v[1] + columns[2][i] * v[2];
}
SOFA_PACK void cross(const Real* a, const Real* b, Real* r)
{
    for (int i = 0; i < 3; ++i) r[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/// What both direct ways need of F.
struct Strain
{
    Real f[3][3];         ///< columns of F
    Real c[3][3];         ///< Fᵀ F
    Real cofactor[3][3];  ///< columns of cof F = ∂J/∂F
    Real i, ii, j;
};
SOFA_PACK void strainOf(Strain& s)
{
    for (int m = 0; m < 3; ++m)
        for (int n = m; n < 3; ++n) s.c[m][n] = s.c[n][m] = dot3(s.f[m], s.f[n]);
    s.i = s.c[0][0] + s.c[1][1] + s.c[2][2];
    s.ii = s.c[0][0] * s.c[0][0] + s.c[1][1] * s.c[1][1] + s.c[2][2] * s.c[2][2] +
           (s.c[0][1] * s.c[0][1] + s.c[1][2] * s.c[1][2] + s.c[2][0] * s.c[2][0]) * 2.;
    cross(s.f[1], s.f[2], s.cofactor[0]);
    cross(s.f[2], s.f[0], s.cofactor[1]);
    cross(s.f[0], s.f[1], s.cofactor[2]);
    s.j = dot3(s.f[0], s.cofactor[0]);
}

/// Invariant laws without decomposition, for lanes whose stretches are not raised:
///
///     P = F (a I + b C) + Ψ_J cof F,   a = 2 Ψ_I, b = 4 Ψ_II,
///     k_ab = (b_a·(a I + b C) b_b) I + b y_b y_aᵀ + b (b_a·b_b) F Fᵀ + Ψ_J [F (b_a × b_b)]ₓᵀ + Σ_mn Ψ_mn p_am p_bnᵀ
///
/// with y = F b and p = (∂I/∂F, ∂II/∂F, ∂J/∂F) b = (2 y, 4 F C b, cof F b).
template <int N, bool Only>
SOFA_PACK void directInvariants(const MaterialEvaluation& how, const Strain& s, Point<N>& point)
{
    Jet psi;
    const Real invariants[3] = {s.i, s.ii, s.j};
    evaluateInvariants(how, point.parameters, invariants, psi);
    if (point.wantEnergy) point.addEnergy(psi.v);
    if (!point.wantForces && !point.blocks) return;
    const auto& b = point.b;
    const Real first = psi.g[0] * 2., second = psi.g[1] * 4., third = psi.g[2];
    if (point.wantForces) {
        Real piola[3][3];
        for (int n = 0; n < 3; ++n) {
            Real fc[3];
            times(s.f, s.c[n], fc);
            for (int i = 0; i < 3; ++i) piola[n][i] = first * s.f[n][i] + second * fc[i] + third * s.cofactor[n][i];
        }
        point.template addForces<Only>(piola);
    }
    if (!point.blocks) return;
    const Real minusVolume = -point.volume;
    for (int k = 0; k < 6; ++k) psi.h[k] = psi.h[k] * minusVolume;
    const Real firstV = first * minusVolume, secondV = second * minusVolume, thirdV = third * minusVolume;
    const Real quarter = secondV * 0.25;
    Real p[N][3][3], q[N][3][3], left[3][3];  // per vertex: p₁ p₂ p₃, and −V Ψ_mn p_n with the term b y_b y_aᵀ apart
    Real side[N][3];
    for (int k = 0; k < N; ++k) {
        Real y[3], cb[3], z[3], g[3];
        times(s.f, b[k], y);
        for (int i = 0; i < 3; ++i) cb[i] = dot3(s.c[i], b[k]);
        times(s.f, cb, z);
        times(s.cofactor, b[k], g);
        for (int i = 0; i < 3; ++i) {
            p[k][0][i] = y[i] * 2.;
            p[k][1][i] = z[i] * 4.;
            p[k][2][i] = g[i];
            q[k][0][i] = psi.h[0] * p[k][0][i] + psi.h[3] * p[k][1][i] + psi.h[5] * p[k][2][i];
            q[k][1][i] = psi.h[3] * p[k][0][i] + psi.h[1] * p[k][1][i] + psi.h[4] * p[k][2][i];
            q[k][2][i] = psi.h[5] * p[k][0][i] + psi.h[4] * p[k][1][i] + psi.h[2] * p[k][2][i];
            side[k][i] = quarter * p[k][0][i];
        }
    }
    for (int i = 0; i < 3; ++i)
        for (int k = i; k < 3; ++k)
            left[i][k] = left[k][i] = s.f[0][i] * s.f[0][k] + s.f[1][i] * s.f[1][k] + s.f[2][i] * s.f[2][k];
    for (int m = 0; m < N; ++m)
        for (int n = m + 1; n < N; ++n) {
            const Real bb = dot3(b[m], b[n]);
            const Real along = firstV * bb + dot3(p[m][0], side[n]), around = secondV * bb;
            Real axis[3], w[3];
            cross(b[m], b[n], axis);
            times(s.f, axis, w);
            for (int i = 0; i < 3; ++i) w[i] = thirdV * w[i];
            for (int i = 0; i < 3; ++i)
                for (int l = 0; l < 3; ++l) {
                    Real entry = side[n][i] * p[m][0][l] + around * left[i][l] +
                                 (p[m][0][i] * q[n][0][l] + p[m][1][i] * q[n][1][l] + p[m][2][i] * q[n][2][l]);
                    if (i == l)
                        entry = entry + along;
                    else if (l == (i + 1) % 3)
                        entry = entry + w[(i + 2) % 3];
                    else
                        entry = entry - w[(i + 1) % 3];
                    point.template addBlockEntry<Only>(m, n, i, l, entry);
                }
        }
}

/// tr S of the polar decomposition, by the quartic equation of core/fem/elements/FastPolar.h; NaN in lanes where that
/// is not accurate or F is inverted.
SOFA_PACK Real polarTrace(const Strain& s)
{
    const Real zero = 0., a = s.i;
    Real squares = zero;
    for (int n = 0; n < 3; ++n) squares = squares + dot3(s.cofactor[n], s.cofactor[n]);
    const Real constant = a * a - squares * 4.;
    PackMask good = (Real(1e-60) < a) & (a < Real(1e60)) & (zero < s.j);
    Real i = sqrt(a * 3.);
    // A lane stops when its own iteration has converged or failed, whatever the others do.
    PackMask running = good, converged = good & ~good;
    for (int step = 0; step < 12; ++step) {
        const Real i2 = i * i, half = i * (i2 - a) - s.j * 2.;
        const PackMask regular = i2 * i * 0.02 < half;
        good &= regular | ~running;
        running &= regular;
        const Real change = ((i2 - a * 2.) * i2 - s.j * i * 8. + constant) / (half * 4.);
        i = select(running, i - change, i);
        // A relative change δ leaves an error of at most 75 δ² where `regular` holds, of about δ² near the rest shape.
        const PackMask done = running & (abs(change) <= i * 1e-8);
        converged |= done;
        running &= ~done;
        if (step >= 1 && !any(running)) break;
    }
    return select(good & converged, i, Real(__builtin_nan("")));
}

/// The rotation, as columns, given tr S.
SOFA_PACK void polarRotation(const Strain& s, const Real& i, Real (&r)[3][3])
{
    const Real a = s.i;
    const Real scale = Real(1.) / (i * (i * i - a) - s.j * 2.);
    const Real ff = (i * i + a) * scale, fc = i * scale * 2., fcc = scale * -2.;
    for (int n = 0; n < 3; ++n) {
        Real product[3];
        times(s.f, s.c[n], product);
        for (int m = 0; m < 3; ++m) r[n][m] = ff * s.f[n][m] + fcc * product[m] + fc * s.cofactor[n][m];
    }
}

/// Corotational elasticity without singular value decomposition, with e = tr(S) − 3 and c = R b:
///
///     P = 2 μ (F − R) + λ e R,   k_ab = 2 μ (b_a·b_b) I + λ c_a c_bᵀ − (λ e − 2 μ) [c_a]ₓ T [c_b]ₓ,
///
/// T = (tr(S) I − F Rᵀ)⁻¹ (the derivative of the rotation is [ω]ₓ R, ω = T axl(dF Rᵀ − R dFᵀ)); or the rotated
/// stiffness of linear elasticity, λ c_a c_bᵀ + μ c_b c_aᵀ + μ (b_a·b_b) I.
template <int N, bool Only>
SOFA_PACK void directCorotational(const MaterialEvaluation& how, const Strain& s, const Real (&r)[3][3],
                                  const Real& trace, Point<N>& point)
{
    const Real lambda = load(point.parameters), mu = load(point.parameters + 8), mu2 = mu + mu;
    Real d[3][3], squares = 0., e = 0.;
    for (int n = 0; n < 3; ++n)
        for (int i = 0; i < 3; ++i) {
            d[n][i] = s.f[n][i] - r[n][i];
            squares = squares + d[n][i] * d[n][i];
            e = e + r[n][i] * d[n][i];
        }
    const Real pressure = lambda * e;
    if (point.wantEnergy) point.addEnergy(mu * squares + pressure * e * 0.5);
    if (!point.wantForces && !point.blocks) return;
    const auto& b = point.b;
    if (point.wantForces) {
        Real piola[3][3];
        for (int n = 0; n < 3; ++n)
            for (int i = 0; i < 3; ++i) piola[n][i] = mu2 * d[n][i] + pressure * r[n][i];
        point.template addForces<Only>(piola);
    }
    if (!point.blocks) return;
    Real c[N][3];
    for (int k = 0; k < N; ++k) times(r, b[k], c[k]);
    const Real minusVolume = -point.volume;
    if (how.law == MaterialLaw::CorotationalApproximate) {
        const Real lambdaV = lambda * minusVolume, muV = mu * minusVolume;
        for (int n = 1; n < N; ++n) {
            Real lc[3], mc[3];
            for (int i = 0; i < 3; ++i) {
                lc[i] = lambdaV * c[n][i];
                mc[i] = muV * c[n][i];
            }
            for (int m = 0; m < n; ++m) {
                const Real along = muV * dot3(b[m], b[n]);
                for (int i = 0; i < 3; ++i)
                    for (int l = 0; l < 3; ++l) {
                        Real entry = c[m][i] * lc[l] + mc[i] * c[m][l];
                        if (i == l) entry = entry + along;
                        point.template addBlockEntry<Only>(m, n, i, l, entry);
                    }
            }
        }
        return;
    }
    Real a[3][3], t[3][3];
    for (int i = 0; i < 3; ++i)
        for (int l = i; l < 3; ++l) {
            const Real il = s.f[0][i] * r[0][l] + s.f[1][i] * r[1][l] + s.f[2][i] * r[2][l];
            const Real li = s.f[0][l] * r[0][i] + s.f[1][l] * r[1][i] + s.f[2][l] * r[2][i];
            a[i][l] = a[l][i] = i == l ? trace - il : (il + li) * -0.5;
        }
    cross(a[1], a[2], t[0]);
    cross(a[2], a[0], t[1]);
    cross(a[0], a[1], t[2]);
    const Real theta = (mu2 - pressure) * minusVolume / dot3(a[0], t[0]);  // times T = adj/det
    const Real lambdaV = lambda * minusVolume, mu2V = mu2 * minusVolume;
    Real product[N][3][3];  // columns of (2 μ − λ e) T [c]ₓ
    for (int v = 0; v < N; ++v)
        for (int l = 0; l < 3; ++l) {
            const int l1 = (l + 1) % 3, l2 = (l + 2) % 3;  // c × e_l has the entries c_l2 at l1 and −c_l1 at l2
            for (int i = 0; i < 3; ++i) product[v][l][i] = (t[i][l1] * c[v][l2] - t[i][l2] * c[v][l1]) * theta;
        }
    for (int m = 0; m < N; ++m)
        for (int n = m + 1; n < N; ++n) {
            const Real along = mu2V * dot3(b[m], b[n]);
            for (int l = 0; l < 3; ++l) {
                Real rotated[3];
                cross(c[m], product[n][l], rotated);
                const Real lc = lambdaV * c[n][l];
                for (int i = 0; i < 3; ++i) {
                    Real entry = rotated[i] + c[m][i] * lc;
                    if (i == l) entry = entry + along;
                    point.template addBlockEntry<Only>(m, n, i, l, entry);
                }
            }
        }
}

/// Any law in the axes of the singular value decomposition; the linear one in those of the mesh.
template <int N>
void spectral(const MaterialEvaluation& how, const Real (&gradient)[3][3], Point<N>& point)
{
    Real f[3][3], u[3][3], s[3], v[3][3];
    for (int n = 0; n < 3; ++n)
        for (int i = 0; i < 3; ++i) f[n][i] = gradient[n][i];
    Response r;
    Real piola[3][3];  // columns of P
    if (how.law == MaterialLaw::Linear) {
        linearLaw(point.parameters, f, r, piola);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) u[i][j] = v[i][j] = i == j ? 1. : 0.;
    } else {
        decompose(f, u, s, v);
        respond(how, point.parameters, s, point.blocks != nullptr, r);
        for (int n = 0; n < 3; ++n)
            for (int i = 0; i < 3; ++i)
                piola[n][i] = u[0][i] * r.g[0] * v[0][n] + u[1][i] * r.g[1] * v[1][n] + u[2][i] * r.g[2] * v[2][n];
    }
    if (point.wantEnergy) point.addEnergy(r.psi);
    if (point.wantForces) point.template addForces<false>(piola);
    if (point.rotation)
        for (int n = 0; n < 3; ++n)
            for (int i = 0; i < 3; ++i)
                point.rotation[n][i] = select(point.lanes, u[0][i] * v[0][n] + u[1][i] * v[1][n] + u[2][i] * v[2][n],
                                              point.rotation[n][i]);
    if (!point.blocks) return;
    Real c[N][3];  // gradients in the axes V
    for (int k = 0; k < N; ++k)
        for (int i = 0; i < 3; ++i) c[k][i] = dot3(v[i], point.b[k]);
    const Real minusVolume = -point.volume;
    for (int k = 0; k < 3; ++k) {
        r.diagonal[k] = r.diagonal[k] * minusVolume;
        r.off[k] = r.off[k] * minusVolume;
        r.a[k] = r.a[k] * minusVolume;
        r.b[k] = r.b[k] * minusVolume;
    }
    for (int va = 0; va < N; ++va)
        for (int vb = va + 1; vb < N; ++vb) {
            const Real *p = c[va], *q = c[vb];
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
                    point.template addBlockEntry<false>(va, vb, i, j,
                                                        uk[i][0] * u[0][j] + uk[i][1] * u[1][j] + uk[i][2] * u[2][j]);
        }
}

/// Whether no stretch is below the smallest: s₁ s₂ ≤ (s₁² + s₂²)/2, so that the smallest is at least 2 J/I.
SOFA_PACK PackMask surelyAbove(const Strain& s, double smallest)
{
    if (smallest <= -1e299) return s.i <= s.i;
    return (Real(0.) < s.j) & (s.i * (smallest > 0. ? smallest : 0.) < s.j * 2.);
}

/// Edges x_k − x₀ of the lanes from `lane` on.
template <int N>
SOFA_PACK void gatherEdges(const ElementPackView& pack, int lane, const double* x, Real (&d)[N][3])
{
    Real origin[3], v[3];
    gatherPoints(x, pack.vertices + lane, origin);
    for (int k = 1; k < N; ++k) {
        gatherPoints(x, pack.vertices + 8 * k + lane, v);
        for (int c = 0; c < 3; ++c) d[k][c] = v[c] - origin[c];
    }
}

/// Gradients of the shape functions at a point of the quadrature, and the columns of F there.
template <int N>
SOFA_PACK void gradientAt(const ElementPackView& pack, int q, int lane, const Real (&d)[N][3], Real (&b)[N][3],
                          Real (&f)[3][3])
{
    const double* gradients = pack.gradients + static_cast<std::size_t>(q) * (8 * 3 * (N - 1)) + lane;
    for (int i = 0; i < 3; ++i) {
        Real sum = 0.;
        for (int k = 1; k < N; ++k) {
            b[k][i] = load(gradients + 8 * (3 * (k - 1) + i));
            sum = sum + b[k][i];
        }
        b[0][i] = -sum;
    }
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
            Real sum = d[1][i] * b[1][j];
            for (int k = 2; k < N; ++k) sum = sum + d[k][i] * b[k][j];
            f[j][i] = sum;
        }
}

/// tr S, where `known` is the place of the lanes in the traces of the pack, if there are any: the call for forces at
/// the same positions found it, except where it is not a number.
SOFA_PACK Real traceOf(const Strain& s, double* known, bool forces)
{
    if (!known) return polarTrace(s);
    if (forces) {
        const Real trace = polarTrace(s);
        store(known, trace);
        return trace;
    }
    const Real trace = load(known);
    return any(~(trace <= trace)) ? polarTrace(s) : trace;
}

/// The tangents of tetrahedra that are rotated by r (columns).
SOFA_PACK void setTangents(const Real (&r)[3][3], const Point<4>& point, int lane, TangentRows& to)
{
    Real c[3][3];
    for (int k = 0; k < 3; ++k) times(r, point.b[k + 1], c[k]);
    setTangents(c, load(point.parameters) * point.volume, load(point.parameters + 8) * point.volume, lane, to);
}

/// Forces into rows [12][8] with tangents if there is room for them, or blocks, of tetrahedra with one point of
/// quadrature, if all lanes from `lane` on can do without decomposition; else false. The bits are those of
/// someElements; but nothing here is a variable in memory, as the Point that `spectral` adds to must be, and what is
/// not asked for is not there.
template <bool Rotates, bool Forces>
bool directTetrahedra(const MaterialEvaluation& how, const ElementPackView& pack, const double* parameters,
                      const double* x, int lane, double (*rows)[8], TangentRows* tangents, double* blocks)
{
    Real d[4][3];
    gatherEdges(pack, lane, x, d);
    Point<4> point(parameters, lane, Forces, false, Forces ? nullptr : blocks);
    point.volume = load(pack.volumes + lane);
    Strain s;
    gradientAt(pack, 0, lane, d, point.b, s.f);
    strainOf(s);
    point.lanes = surelyAbove(s, how.smallestStretch);
    if constexpr (Rotates) {
        const Real trace = traceOf(s, pack.traces ? pack.traces + lane : nullptr, Forces);
        point.lanes &= trace <= trace;
        if (any(~point.lanes)) return false;
        Real r[3][3];
        polarRotation(s, trace, r);
        directCorotational<4, true>(how, s, r, trace, point);
        if constexpr (Forces)
            if (tangents) setTangents(r, point, lane, *tangents);
    } else {
        if (any(~point.lanes)) return false;
        directInvariants<4, true>(how, s, point);
    }
    if constexpr (Forces)
        for (int k = 0; k < 12; ++k) store(rows[k] + lane, point.force[k]);
    return true;
}

template <int N>
void someElements(const MaterialEvaluation& how, const ElementPackView& pack, const double* parameters, const double* x,
                  double* forces, double* blocks, double* energies)
{
    const bool corotational = how.law == MaterialLaw::Corotational || how.law == MaterialLaw::CorotationalApproximate;
    // The way must not depend on what is asked for: with projection, all lanes are decomposed.
    const bool direct = how.projection == TangentProjection::None && !(corotational && how.compressionResistance);
    const bool invariants = direct && isInvariantLaw(how.law), polar = direct && corotational;
    [[maybe_unused]] const bool simple = (invariants || polar) && pack.points == 1 && !energies && !forces != !blocks;
    alignas(64) double rows[(3 * N + 7) / 8 * 8][8];  // of forces
    TangentRows tangentRows;
    TangentRows* const tangents = N == 4 && forces && pack.tangents ? &tangentRows : nullptr;
    for (int lane = 0; lane < 8; lane += packLanes) {
        if constexpr (N == 4) {
            if (simple) {
                const auto way = polar ? (forces ? directTetrahedra<true, true> : directTetrahedra<true, false>)
                                       : (forces ? directTetrahedra<false, true> : directTetrahedra<false, false>);
                if (way(how, pack, parameters, x, lane, rows, tangents, blocks)) continue;
            }
        }
        Real d[N][3];
        gatherEdges(pack, lane, x, d);
        Point<N> point(parameters, lane, forces != nullptr, energies != nullptr, blocks);
        if (blocks)
            for (int k = 0; k < 9 * (N * (N - 1) / 2); ++k) store(point.blocks + 8 * k, Real(0.));
        for (int q = 0; q < pack.points; ++q) {
            point.volume = load(pack.volumes + 8 * q + lane);
            Strain s;
            gradientAt(pack, q, lane, d, point.b, s.f);
            PackMask done = {};
            Real r[3][3] = {}, trace;
            if (invariants || polar) {
                strainOf(s);
                done = surelyAbove(s, how.smallestStretch);
                if (polar) {
                    trace = traceOf(s, pack.traces ? pack.traces + 8 * q + lane : nullptr, forces != nullptr);
                    polarRotation(s, trace, r);
                    done &= trace <= trace;
                }
            }
            point.lanes = done;
            if (any(done)) {
                if (invariants)
                    directInvariants<N, false>(how, s, point);
                else
                    directCorotational<N, false>(how, s, r, trace, point);
            }
            point.lanes = ~done;
            point.rotation = tangents ? r : nullptr;
            if (any(point.lanes)) {
                if (how.law == MaterialLaw::Costa)
                    costa(s.f, point);
                else
                    spectral(how, s.f, point);
            }
            if constexpr (N == 4)
                if (tangents) setTangents(r, point, lane, *tangents);
        }
        if (energies) store(energies + lane, point.energy);
        if (forces)
            for (int k = 0; k < 3 * N; ++k) store(rows[k] + lane, point.force[k]);
    }
    if (forces) scatterRows<3 * N>(rows, forces);
    if (tangents) writeTangents(*tangents, pack.tangents, pack.streamed);
}

void elements(const MaterialEvaluation& how, const ElementPackView& pack, const double* parameters, const double* x,
              double* forces, double* blocks, double* energies)
{
    switch (pack.vertexCount) {
        case 4:
            someElements<4>(how, pack, parameters, x, forces, blocks, energies);
            break;
        case 5:
            someElements<5>(how, pack, parameters, x, forces, blocks, energies);
            break;
        case 6:
            someElements<6>(how, pack, parameters, x, forces, blocks, energies);
            break;
        case 8:
            someElements<8>(how, pack, parameters, x, forces, blocks, energies);
            break;
        case 10:
            someElements<10>(how, pack, parameters, x, forces, blocks, energies);
            break;
        default:
            break;
    }
}

// --- the others

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
const MaterialKernels SOFA_MATERIAL_KERNELS{elements, decompositions, logarithms, exponentials};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
