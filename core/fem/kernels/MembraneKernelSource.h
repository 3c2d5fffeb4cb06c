// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/MembraneKernels.h: included once by the file of each instruction set,
// which names the table that it defines in SOFA_MEMBRANE_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/MaterialResponseSource.h"
#include "core/fem/kernels/MembraneCostaSource.h"
#include "core/fem/kernels/MembraneKernels.h"
#include "core/fem/kernels/PackSvdSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// A law at the M principal stretches of an element, the others found from it. With F = U diag(s) Vᵀ, U of D × M, and
/// dF̂ = Uᵀ dF V, P = U diag(g) Vᵀ, the tangent in the surface is that of Response for one pair of axes, and across it,
/// along a normal n of U, dP = Σ_i normal_i (n · dF v_i) n v_iᵀ.
template <int M>
struct MembraneResponse
{
    Real psi, g[M];
    Real diagonal[M], off;
    Real a, b;
    Real normal[M];  ///< g_i/s_i: what tension adds against motion out of the surface
};

/// Product of the M principal stretches: ratio of areas, or of lengths.
template <int M>
SOFA_PACK Real measureRatio(const Real* s)
{
    return M == 2 ? s[0] * s[1] : s[0];
}

/// The stretch across the element at which no stress acts there, and the response. It is the root of h(l) = t ∂Ψ/∂t,
/// t = exp(l), by Newton's method; a lane stops when its own step is small, whatever the others do.
template <int M>
void freeStretch(const MaterialEvaluation& how, const double* parameters, const Real* s, Response& r)
{
    // From the mean stretch, where a change of shape costs least: exponential laws overflow on the other side.
    Real l = M == 2 ? log((s[0] * s[0] + s[1] * s[1]) * 0.5) * 0.5 : log(s[0]);
    PackMask running = l <= l;
    const auto at = [&](const Real& t) {
        const Real all[3] = {s[0], M == 2 ? s[1] : t, t};
        respond(how, parameters, all, false, r);
    };
    for (int iteration = 0; iteration < 60 && any(running); ++iteration) {
        const Real t = exp(l);
        at(t);
        // Along t both stretches across an edge change.
        const Real second = M == 2 ? r.diagonal[2] : r.diagonal[2] + r.off[1];
        const Real slope = t * (r.g[2] + t * second);
        const Real step = -(t * r.g[2]) / abs(slope);
        const Real bounded = boundedStep(step);
        l = select(running, l + bounded, l);
        running &= Real(1e-10) < abs(bounded);
    }
    at(exp(l));
}

/// The stretch across of the stable neo-Hookean law, in closed form; zero where the element is inverted or almost
/// collapsed, since the energy then falls until there. True in the lanes where it is positive.
template <int M>
PackMask stableStretch(const double* parameters, const Real* s, Real& t)
{
    const Real lambda = load(parameters), mu = load(parameters + 8), zero = 0.;
    const Real ratio = measureRatio<M>(s), sum = lambda + mu, twice = sum + mu;
    if (M == 2) {
        t = max(ratio * twice / (mu + sum * ratio * ratio), zero);
    } else {
        const Real square = (twice * ratio - mu) / (sum * ratio * ratio);
        t = select(zero < square, sqrt(max(square, zero)), zero);
    }
    return zero < t;
}

/// An isotropic law other than Linear without compression resistance, at stretches that are not raised any more.
template <int M>
void reduce(const MembraneEvaluation& how, const double* parameters, const Real* s, MembraneResponse<M>& out)
{
    MaterialEvaluation law = how.material;
    law.compressionResistance = false;
    law.smallestStretch = -1e300;
    law.projection = TangentProjection::None;
    Response r;
    const bool free = M == 1 || how.freeThickness;
    const bool corotational = law.law == MaterialLaw::Corotational || law.law == MaterialLaw::CorotationalApproximate;
    PackMask condensed = {};
    if (!free || corotational || law.law == MaterialLaw::StVenantKirchhoff) {
        // Quadratic in a strain: without stress across, the law of the surface is the same with λ* = 2 λ μ/(λ + 2 μ),
        // that of a line with λ* = 0, 2 μ* = E, and the strain across, which need not exist, counts for nothing.
        alignas(64) double local[16];
        const double* p = parameters;
        if (free) {
            const Real lambda = load(parameters), mu = load(parameters + 8);
            if (M == 2) {
                store(local, lambda * mu * 2. / (lambda + mu * 2.));
                store(local + 8, mu);
            } else {
                store(local, Real(0.));
                store(local + 8, mu * (lambda * 3. + mu * 2.) / (lambda + mu) * 0.5);
            }
            p = local;
        }
        const Real all[3] = {s[0], M == 2 ? s[1] : Real(1.), 1.};
        respond(law, p, all, false, r);
    } else if (law.law == MaterialLaw::StableNeoHookean) {
        Real t;
        condensed = stableStretch<M>(parameters, s, t);
        const Real all[3] = {s[0], M == 2 ? s[1] : t, t};
        respond(law, parameters, all, false, r);
    } else {
        freeStretch<M>(law, parameters, s, r);
        condensed = ~condensed;
    }
    // The stretch across follows the others: Schur complement of its block of the second derivatives.
    const Real zero = 0.;
    out.psi = r.psi;
    out.g[0] = r.g[0];
    if constexpr (M == 2) {
        const Real inverse = select(condensed, Real(1.) / r.diagonal[2], zero);
        out.g[1] = r.g[1];
        out.diagonal[0] = r.diagonal[0] - r.off[2] * r.off[2] * inverse;
        out.diagonal[1] = r.diagonal[1] - r.off[1] * r.off[1] * inverse;
        out.off = r.off[0] - r.off[1] * r.off[2] * inverse;
        out.a = r.a[0];
        out.b = r.b[0];
    } else {
        const Real inverse = select(condensed, Real(2.) / (r.diagonal[1] + r.off[1]), zero);
        out.diagonal[0] = r.diagonal[0] - r.off[0] * r.off[0] * inverse;
    }
    for (int i = 0; i < M; ++i) {
        if (law.law == MaterialLaw::CorotationalApproximate)
            out.normal[i] = zero;
        else
            out.normal[i] = select(Real(1e-12) < abs(s[i]), out.g[i] / s[i], zero);
    }
}

/// The resistance to compression of the area or length.
template <int M>
SOFA_PACK void addMembraneResistance(const Real& c, const Real* s, MembraneResponse<M>& r)
{
    Real value, first, second;
    compressionResistance(c, measureRatio<M>(s), value, first, second);
    r.psi = r.psi + value;
    for (int i = 0; i < M; ++i) {
        const Real v = M == 2 ? s[1 - i] : Real(1.);
        r.g[i] = r.g[i] + first * v;
        r.diagonal[i] = r.diagonal[i] + second * v * v;
        r.normal[i] = r.normal[i] + select(Real(1e-12) < abs(s[i]), first * v / s[i], Real(0.));
    }
    if constexpr (M == 2) {
        r.off = r.off + second * s[0] * s[1] + first;
        r.b = r.b - first;
    }
}

/// Makes the tangent positive semi-definite.
template <int M>
SOFA_PACK void projectMembrane(MembraneResponse<M>& r, bool absolute)
{
    for (int i = 0; i < M; ++i) r.normal[i] = projected(r.normal[i], absolute);
    if constexpr (M == 1) {
        r.diagonal[0] = projected(r.diagonal[0], absolute);
    } else {
        const Real plus = projected(r.a + r.b, absolute), minus = projected(r.a - r.b, absolute);
        r.a = (plus + minus) * 0.5;
        r.b = (plus - minus) * 0.5;
        // The eigenvalues of the diagonal part are mean ± radius.
        const Real mean = (r.diagonal[0] + r.diagonal[1]) * 0.5, half = (r.diagonal[0] - r.diagonal[1]) * 0.5;
        const Real radius = sqrt(half * half + r.off * r.off), zero = 0.;
        const PackMask indefinite = mean - radius < zero;
        const Real large = projected(mean + radius, absolute), small = projected(mean - radius, absolute);
        const Real middle = (large + small) * 0.5;
        const Real scale = select(zero < radius, (large - small) * 0.5 / radius, zero);
        r.diagonal[0] = select(indefinite, middle + half * scale, r.diagonal[0]);
        r.diagonal[1] = select(indefinite, middle - half * scale, r.diagonal[1]);
        r.off = select(indefinite, r.off * scale, r.off);
    }
}

/// Linear elasticity in the tangent frame of the rest shape: stress (columns) and tangent for G = Uᵀ F, U the frame.
template <int M>
SOFA_PACK void linearMembrane(const MembraneEvaluation& how, const double* parameters, const Real (&g)[M][M],
                              MembraneResponse<M>& r, Real (&stress)[M][M])
{
    Real lambda = load(parameters), mu = load(parameters + 8);
    if (M == 1) {
        mu = mu * (lambda * 3. + mu * 2.) / (lambda + mu) * 0.5;
        lambda = 0.;
    } else if (how.freeThickness) {
        lambda = lambda * mu * 2. / (lambda + mu * 2.);
    }
    Real trace = 0., squares = 0.;
    for (int i = 0; i < M; ++i) trace = trace + (g[i][i] - 1.);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < M; ++j) {
            const Real e = i == j ? g[i][i] - 1. : (g[i][j] + g[j][i]) * 0.5;
            squares = squares + e * e;
            stress[i][j] = i == j ? mu * e * 2. + lambda * trace : mu * e * 2.;
        }
    r.psi = mu * squares + lambda * trace * trace * 0.5;
    for (int i = 0; i < M; ++i) {
        r.diagonal[i] = lambda + mu + mu;
        r.normal[i] = 0.;
    }
    r.off = lambda;
    r.a = r.b = mu;
}

/// F = U diag(s) Vᵀ for F of D × M, as columns; U and V are rotations where they are square (then the smaller stretch
/// is negative if det F is), and U has orthonormal columns else, with the normal of the surface in `normal` for D = 3,
/// M = 2. Where a column of U is not determined, it is any vector that fits.
template <int M, int D>
SOFA_PACK void decomposeThin(Real (&f)[M][D], Real (&u)[M][D], Real (&s)[M], Real (&v)[M][M], Real (&normal)[3])
{
    const Real zero = 0., one = 1., tiny = 1e-280;
    const auto product = [](const Real* a, const Real* b) {
        Real sum = a[0] * b[0];
        for (int i = 1; i < D; ++i) sum = sum + a[i] * b[i];
        return sum;
    };
    if constexpr (M == 1) {
        v[0][0] = one;
    } else {
        v[0][0] = v[1][1] = one;
        v[0][1] = v[1][0] = zero;
        // One rotation makes two columns orthogonal; the second corrects its rounding.
        for (int sweep = 0; sweep < 2; ++sweep) {
            const Real alpha = product(f[0], f[0]), beta = product(f[1], f[1]), gamma = product(f[0], f[1]);
            const PackMask active = Real(1e-32) * (alpha * beta) < gamma * gamma;
            const Real d = (beta - alpha) * 0.5;
            const Real r = sqrt(d * d + gamma * gamma), h = abs(d) + r;
            const Real inverse = select(active, one / sqrt(r * h * 2.), zero);
            const Real c = select(active, h * inverse, one), sine = withSign(gamma * inverse, gamma * d);
            for (int i = 0; i < D; ++i) {
                const Real x = f[0][i], y = f[1][i];
                f[0][i] = c * x - sine * y;
                f[1][i] = sine * x + c * y;
            }
            for (int i = 0; i < M; ++i) {
                const Real x = v[0][i], y = v[1][i];
                v[0][i] = c * x - sine * y;
                v[1][i] = sine * x + c * y;
            }
        }
        const PackMask smaller = product(f[0], f[0]) < product(f[1], f[1]);
        for (int i = 0; i < D; ++i) {
            const Real x = f[0][i], y = f[1][i];
            f[0][i] = select(smaller, y, x);
            f[1][i] = select(smaller, -x, y);
        }
        for (int i = 0; i < M; ++i) {
            const Real x = v[0][i], y = v[1][i];
            v[0][i] = select(smaller, y, x);
            v[1][i] = select(smaller, -x, y);
        }
    }
    const Real square = product(f[0], f[0]);
    const PackMask known = tiny < square;
    s[0] = select(known, sqrt(square), zero);
    const Real inverse = one / sqrt(square);
    for (int i = 0; i < D; ++i) u[0][i] = select(known, f[0][i] * inverse, i == 0 ? one : zero);
    if constexpr (M == 2 && D == 2) {
        u[1][0] = -u[0][1];
        u[1][1] = u[0][0];
        s[1] = product(f[1], u[1]);
    } else if constexpr (M == 2) {
        const Real along = product(f[1], u[0]);
        for (int i = 0; i < 3; ++i) f[1][i] = f[1][i] - u[0][i] * along;
        const Real rest = product(f[1], f[1]);
        const PackMask determined = tiny < rest;
        s[1] = select(determined, sqrt(rest), zero);
        // A vector normal to u₀: Duff et al., "Building an orthonormal basis, revisited", 2017.
        const Real sign = withSign(one, u[0][2]), k = Real(-1.) / (sign + u[0][2]);
        const Real any[3] = {u[0][0] * u[0][1] * k, sign + u[0][1] * u[0][1] * k, -u[0][1]};
        const Real scale = one / sqrt(rest);
        for (int i = 0; i < 3; ++i) u[1][i] = select(determined, f[1][i] * scale, any[i]);
        for (int i = 0; i < 3; ++i)
            normal[i] = u[0][(i + 1) % 3] * u[1][(i + 2) % 3] - u[0][(i + 2) % 3] * u[1][(i + 1) % 3];
    }
}

/// The block of two vertices with gradients p, q in the axes V, by the axes of the space; times −volume.
template <int M, int D>
SOFA_PACK void membraneBlock(const MembraneResponse<M>& r, const Real (&u)[M][D], const Real (&normal)[3],
                             const Real* p, const Real* q, const Real& minusVolume, double* to)
{
    if constexpr (M == 1) {
        const Real pq = p[0] * q[0] * minusVolume;
        const Real across = r.normal[0] * pq, along = r.diagonal[0] * pq - across;
        for (int i = 0; i < D; ++i)
            for (int j = 0; j < D; ++j) {
                Real entry = along * u[0][i] * u[0][j];
                if (i == j) entry = entry + across;
                store(to + 8 * (D * i + j), load(to + 8 * (D * i + j)) + entry);
            }
    } else {
        const Real pq[2] = {p[0] * q[0], p[1] * q[1]}, ij = p[0] * q[1], ji = p[1] * q[0];
        const Real k[2][2] = {{r.diagonal[0] * pq[0] + r.a * pq[1], r.off * ij + r.b * ji},
                              {r.off * ji + r.b * ij, r.diagonal[1] * pq[1] + r.a * pq[0]}};
        const Real across = r.normal[0] * pq[0] + r.normal[1] * pq[1];
        for (int i = 0; i < D; ++i) {
            const Real left[2] = {u[0][i] * k[0][0] + u[1][i] * k[1][0], u[0][i] * k[0][1] + u[1][i] * k[1][1]};
            for (int j = 0; j < D; ++j) {
                Real entry = left[0] * u[0][j] + left[1] * u[1][j];
                if constexpr (D == 3) entry = entry + across * normal[i] * normal[j];
                store(to + 8 * (D * i + j), load(to + 8 * (D * i + j)) + entry * minusVolume);
            }
        }
    }
}

template <int N, int M, int D>
void membrane(const MembraneEvaluation& how, const MembranePackView& pack, const double* parameters, const double* x,
              double* forces, double* blocks, double* energies)
{
    for (int lane = 0; lane < 8; lane += packLanes) {
        Real d[N][D];  // edges x_k − x₀
        {
            alignas(64) double lanes[N][D][packLanes];
            for (int k = 0; k < N; ++k)
                for (int l = 0; l < packLanes; ++l) {
                    const double* from = x + D * static_cast<std::size_t>(pack.vertices[8 * k + lane + l]);
                    for (int c = 0; c < D; ++c) lanes[k][c][l] = from[c];
                }
            for (int k = 1; k < N; ++k)
                for (int c = 0; c < D; ++c) d[k][c] = load(lanes[k][c]) - load(lanes[0][c]);
        }
        Real force[N][D], energy = 0.;
        for (int k = 0; k < N; ++k)
            for (int c = 0; c < D; ++c) force[k][c] = 0.;
        if (blocks)
            for (int k = 0; k < D * D * (N * (N - 1) / 2); ++k) store(blocks + lane + 8 * k, Real(0.));
        for (int q = 0; q < pack.points; ++q) {
            const double* gradients = pack.gradients + static_cast<std::size_t>(q) * (8 * M * (N - 1)) + lane;
            const Real volume = load(pack.volumes + 8 * q + lane);
            Real b[N][M], f[M][D];
            for (int c = 0; c < M; ++c) {
                Real sum = 0.;
                for (int k = 1; k < N; ++k) {
                    b[k][c] = load(gradients + 8 * (M * (k - 1) + c));
                    sum = sum + b[k][c];
                }
                b[0][c] = -sum;
            }
            for (int c = 0; c < M; ++c)
                for (int i = 0; i < D; ++i) {
                    Real sum = d[1][i] * b[1][c];
                    for (int k = 2; k < N; ++k) sum = sum + d[k][i] * b[k][c];
                    f[c][i] = sum;
                }
            MembraneResponse<M> r;
            Real u[M][D], v[M][M], normal[3], piola[M][D];  // columns
            const bool costa = how.material.law == MaterialLaw::Costa;
            if (costa) {
                costaMembrane<N, M, D>(how, parameters + lane, f, b, volume, blocks ? blocks + lane : nullptr, r.psi,
                                       piola);
            } else if (how.material.law == MaterialLaw::Linear) {
                for (int c = 0; c < M; ++c)
                    for (int i = 0; i < D; ++i) {
                        if constexpr (M == D)
                            u[c][i] = c == i ? 1. : 0.;
                        else
                            u[c][i] =
                                load(pack.frames + static_cast<std::size_t>(q) * (8 * M * D) + 8 * (D * c + i) + lane);
                    }
                Real g[M][M], stress[M][M];
                for (int c = 0; c < M; ++c)
                    for (int a = 0; a < M; ++a) {
                        g[c][a] = u[a][0] * f[c][0];
                        for (int i = 1; i < D; ++i) g[c][a] = g[c][a] + u[a][i] * f[c][i];
                        v[c][a] = c == a ? 1. : 0.;
                    }
                for (Real& n : normal) n = 0.;
                linearMembrane<M>(how, parameters + lane, g, r, stress);
                for (int c = 0; c < M; ++c)
                    for (int i = 0; i < D; ++i) {
                        piola[c][i] = u[0][i] * stress[c][0];
                        for (int a = 1; a < M; ++a) piola[c][i] = piola[c][i] + u[a][i] * stress[c][a];
                    }
            } else {
                Real s[M];
                decomposeThin<M, D>(f, u, s, v, normal);
                for (Real& stretch : s) stretch = max(stretch, Real(how.material.smallestStretch));
                reduce<M>(how, parameters + lane, s, r);
                if (how.material.compressionResistance)
                    addMembraneResistance<M>(load(parameters + lane + 8 * (how.parameters - 1)), s, r);
                for (int c = 0; c < M; ++c)
                    for (int i = 0; i < D; ++i) {
                        piola[c][i] = u[0][i] * r.g[0] * v[0][c];
                        for (int a = 1; a < M; ++a) piola[c][i] = piola[c][i] + u[a][i] * r.g[a] * v[a][c];
                    }
            }
            energy = energy + r.psi * volume;
            for (int k = 1; k < N; ++k)
                for (int i = 0; i < D; ++i) {
                    Real sum = piola[0][i] * b[k][0];
                    for (int c = 1; c < M; ++c) sum = sum + piola[c][i] * b[k][c];
                    sum = sum * volume;
                    force[k][i] = force[k][i] - sum;
                    force[0][i] = force[0][i] + sum;
                }
            if (!blocks || costa) continue;
            if (how.material.projection != TangentProjection::None)
                projectMembrane<M>(r, how.material.projection == TangentProjection::Absolute);
            Real axes[N][M];  // gradients in the axes V
            for (int k = 0; k < N; ++k)
                for (int a = 0; a < M; ++a) {
                    axes[k][a] = v[a][0] * b[k][0];
                    for (int c = 1; c < M; ++c) axes[k][a] = axes[k][a] + v[a][c] * b[k][c];
                }
            double* to = blocks + lane;
            for (int k = 0; k < N; ++k)
                for (int l = k + 1; l < N; ++l, to += 8 * D * D)
                    membraneBlock<M, D>(r, u, normal, axes[k], axes[l], -volume, to);
        }
        if (energies) store(energies + lane, energy);
        if (forces)
            for (int l = 0; l < packLanes; ++l)
                for (int k = 0; k < N; ++k)
                    for (int i = 0; i < D; ++i) forces[D * (N * (lane + l) + k) + i] = force[k][i].v[l];
    }
}

}  // namespace

extern const MembraneKernels SOFA_MEMBRANE_KERNELS;
const MembraneKernels SOFA_MEMBRANE_KERNELS{{membrane<2, 1, 2>, membrane<2, 1, 3>},
                                            {membrane<3, 2, 2>, membrane<3, 2, 3>},
                                            {membrane<4, 2, 2>, membrane<4, 2, 3>},
                                            membrane<6, 2, 3>};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
