// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/TetrahedronKernels.h: included once by the file of each instruction set, which
// names the table that it defines in SOFA_TETRAHEDRON_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/TetrahedronKernels.h"

// This text is no header in the usual sense: each of its three includers compiles it once.
// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

typedef double Pack __attribute__((vector_size(64)));
typedef long long Mask __attribute__((vector_size(64)));
typedef double Quad __attribute__((vector_size(32)));

struct Vector3
{
    Pack x, y, z;
};

// Arguments are references because vectors wider than the instruction set must not be passed by value.
#define SOFA_INLINE static inline __attribute__((always_inline))

SOFA_INLINE void sub(const Vector3& a, const Vector3& b, Vector3& r)
{
    r.x = a.x - b.x;
    r.y = a.y - b.y;
    r.z = a.z - b.z;
}
SOFA_INLINE void cross(const Vector3& a, const Vector3& b, Vector3& r)
{
    const Vector3 t{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    r = t;
}
SOFA_INLINE void dot(const Vector3& a, const Vector3& b, Pack& r) { r = a.x * b.x + a.y * b.y + a.z * b.z; }
SOFA_INLINE void times(const Vector3& a, const Pack& s, Vector3& r)
{
    r.x = a.x * s;
    r.y = a.y * s;
    r.z = a.z * s;
}
SOFA_INLINE void squareRoot(const Pack& a, Pack& r)
{
    for (int l = 0; l < 8; ++l) r[l] = __builtin_sqrt(a[l]);
}
SOFA_INLINE void load(const double (*rows)[packWidth], Vector3& r)
{
    r.x = *reinterpret_cast<const Pack*>(rows[0]);
    r.y = *reinterpret_cast<const Pack*>(rows[1]);
    r.z = *reinterpret_cast<const Pack*>(rows[2]);
}
SOFA_INLINE void store(double (*rows)[packWidth], const Vector3& a)
{
    *reinterpret_cast<Pack*>(rows[0]) = a.x;
    *reinterpret_cast<Pack*>(rows[1]) = a.y;
    *reinterpret_cast<Pack*>(rows[2]) = a.z;
}

/// Edges x_k − x₀ of the elements of a pack.
SOFA_INLINE void gatherEdges(const TetrahedronPack& p, const double* x, Vector3 (&d)[3])
{
    alignas(64) double lanes[4][3][packWidth];
    for (int v = 0; v < 4; ++v)
        for (int l = 0; l < 8; ++l) {
            const double* from = x + 3 * static_cast<std::size_t>(p.vertex[v][l]);
            lanes[v][0][l] = from[0];
            lanes[v][1][l] = from[1];
            lanes[v][2][l] = from[2];
        }
    Vector3 origin;
    load(lanes[0], origin);
    for (int k = 0; k < 3; ++k) {
        Vector3 v;
        load(lanes[k + 1], v);
        sub(v, origin, d[k]);
    }
}

/// Writes the forces f₁, f₂, f₃ and f₀ = −(f₁ + f₂ + f₃) lane by lane.
SOFA_INLINE void scatter(const Vector3 (&f)[3], double* out)
{
    alignas(64) double lanes[12][packWidth];
    const Vector3 f0{-(f[0].x + f[1].x + f[2].x), -(f[0].y + f[1].y + f[2].y), -(f[0].z + f[1].z + f[2].z)};
    store(lanes, f0);
    for (int k = 0; k < 3; ++k) store(lanes + 3 * (k + 1), f[k]);
    for (int l = 0; l < 8; ++l)
        for (int c = 0; c < 12; ++c) out[12 * l + c] = lanes[c][l];
}

/// Rows of the symmetric matrix V σ for a displacement gradient with rows g.
struct Stress
{
    Pack xx, yy, zz, xy, yz, zx;
};
SOFA_INLINE void stress(const Vector3 (&g)[3], const Pack& lambda, const Pack& mu, Stress& s)
{
    const Pack pressure = lambda * (g[0].x + g[1].y + g[2].z), mu2 = mu + mu;
    s.xx = pressure + mu2 * g[0].x;
    s.yy = pressure + mu2 * g[1].y;
    s.zz = pressure + mu2 * g[2].z;
    s.xy = mu * (g[0].y + g[1].x);
    s.yz = mu * (g[1].z + g[2].y);
    s.zx = mu * (g[2].x + g[0].z);
}
/// r = −s a
SOFA_INLINE void minusTimes(const Stress& s, const Vector3& a, Vector3& r)
{
    r.x = -(s.xx * a.x + s.xy * a.y + s.zx * a.z);
    r.y = -(s.xy * a.x + s.yy * a.y + s.yz * a.z);
    r.z = -(s.zx * a.x + s.yz * a.y + s.zz * a.z);
}
/// Rows of Σ_k u_k a_kᵀ
SOFA_INLINE void gradient(const Vector3 (&u)[3], const Vector3 (&a)[3], Vector3 (&g)[3])
{
    for (int k = 0; k < 3; ++k) {
        Vector3 x, y, z;
        times(a[k], u[k].x, x);
        times(a[k], u[k].y, y);
        times(a[k], u[k].z, z);
        if (k == 0) {
            g[0] = x;
            g[1] = y;
            g[2] = z;
            continue;
        }
        g[0] = {g[0].x + x.x, g[0].y + x.y, g[0].z + x.z};
        g[1] = {g[1].x + y.x, g[1].y + y.y, g[1].z + y.z};
        g[2] = {g[2].x + z.x, g[2].y + z.y, g[2].z + z.z};
    }
}

/// Forces in the frame with axes q: local displacements, stress, and the way back; also the tangent.
SOFA_INLINE void rotatedForces(const TetrahedronPack& p, const Vector3 (&d)[3], const Vector3 (&q)[3], double* out,
                               TetrahedronTangentPack& tangent)
{
    Vector3 u[3], a[3], g[3], f[3];
    for (int k = 0; k < 3; ++k) {
        Vector3 rest, local;
        load(p.edge + 3 * k, rest);
        load(p.gradient + 3 * k, a[k]);
        dot(q[0], d[k], local.x);
        dot(q[1], d[k], local.y);
        dot(q[2], d[k], local.z);
        sub(local, rest, u[k]);
    }
    gradient(u, a, g);
    Stress s;
    stress(g, *reinterpret_cast<const Pack*>(p.lambdaV), *reinterpret_cast<const Pack*>(p.muV), s);
    const auto toWorld = [&](const Vector3& v, Vector3& r) {
        r.x = q[0].x * v.x + q[1].x * v.y + q[2].x * v.z;
        r.y = q[0].y * v.x + q[1].y * v.y + q[2].y * v.z;
        r.z = q[0].z * v.x + q[1].z * v.y + q[2].z * v.z;
    };
    for (int k = 0; k < 3; ++k) {
        Vector3 local, c;
        minusTimes(s, a[k], local);
        toWorld(local, f[k]);
        toWorld(a[k], c);
        store(tangent.c + 3 * k, c);
    }
    scatter(f, out);
}

void smallForces(const TetrahedronPack& p, const double* x, double* out)
{
    Vector3 d[3], a[3], g[3], f[3];
    gatherEdges(p, x, d);
    for (int k = 0; k < 3; ++k) {
        Vector3 rest;
        load(p.edge + 3 * k, rest);
        load(p.gradient + 3 * k, a[k]);
        sub(d[k], rest, d[k]);
    }
    gradient(d, a, g);
    Stress s;
    stress(g, *reinterpret_cast<const Pack*>(p.lambdaV), *reinterpret_cast<const Pack*>(p.muV), s);
    for (int k = 0; k < 3; ++k) minusTimes(s, a[k], f[k]);
    scatter(f, out);
}

/// The frame of the first edges: x along the first one, z perpendicular to the first two. Returns the lanes whose edges
/// are nearly parallel.
SOFA_INLINE unsigned edgeFrame(const Vector3 (&d)[3], Vector3 (&q)[3])
{
    Vector3 n;
    Pack xx, yy, nn, length;
    cross(d[0], d[1], n);
    dot(d[0], d[0], xx);
    dot(d[1], d[1], yy);
    dot(n, n, nn);
    const Mask good = nn > 1e-8 * xx * yy;
    squareRoot(xx, length);
    q[0] = {d[0].x / length, d[0].y / length, d[0].z / length};
    squareRoot(nn, length);
    q[2] = {n.x / length, n.y / length, n.z / length};
    cross(q[2], q[0], q[1]);
    unsigned bad = 0;
    for (int l = 0; l < 8; ++l) bad |= (good[l] ? 0u : 1u) << l;
    return bad;
}

unsigned largeForces(const TetrahedronPack& p, const double* x, double* out, TetrahedronTangentPack& tangent)
{
    Vector3 d[3], q[3];
    gatherEdges(p, x, d);
    const unsigned bad = edgeFrame(d, q);
    rotatedForces(p, d, q, out, tangent);
    return bad;
}

/// Rows of the orthogonal polar factor of the matrix with rows d, by the closed form of core/fem/FastPolar.h. Returns
/// the lanes where that is not accurate.
SOFA_INLINE unsigned polarRows(const Vector3 (&d)[3], Vector3 (&q)[3])
{
    Vector3 cof[3];
    cross(d[1], d[2], cof[0]);
    cross(d[2], d[0], cof[1]);
    cross(d[0], d[1], cof[2]);
    Pack j, t0, t1, t2;
    dot(d[0], cof[0], j);
    // −F has the orthogonal factor −Q and the same cofactors.
    const Pack zero = {};
    const Pack sign = j < zero ? zero - 1. : zero + 1.;
    j = j * sign;
    dot(d[0], d[0], t0);
    dot(d[1], d[1], t1);
    dot(d[2], d[2], t2);
    const Pack a = t0 + t1 + t2;
    const Pack d00 = t0, d11 = t1, d22 = t2;
    dot(cof[0], cof[0], t0);
    dot(cof[1], cof[1], t1);
    dot(cof[2], cof[2], t2);
    const Pack constant = a * a - 4. * (t0 + t1 + t2);
    Mask good = (a > zero + 1e-60) & (a < zero + 1e60);
    Pack i;
    squareRoot(3. * a, i);
    // A lane stops when its own iteration has converged or failed, whatever the others do.
    Mask running = good, converged = good & ~good;
    for (int step = 0; step < 12; ++step) {
        const Pack i2 = i * i;
        const Pack half = i * (i2 - a) - 2. * j;
        const Mask regular = half > 0.02 * i2 * i;
        good &= regular | ~running;
        running &= regular;
        const Pack change = ((i2 - 2. * a) * i2 - 8. * j * i + constant) / (4. * half);
        i = running ? i - change : i;
        const Pack size = change < zero ? -change : change;
        const Mask done = running & (size <= 1e-12 * i);
        converged |= done;
        running &= ~done;
        if (step < 3) continue;  // looking at the lanes costs more than a step
        long long any = 0;
        for (int l = 0; l < 8; ++l) any |= running[l];
        if (any == 0) break;
    }
    good &= converged;
    const Pack scale = 1. / (i * (i * i - a) - 2. * j);
    const Pack ff = (i * i + a) * scale, fc = 2. * i * scale, fcc = -2. * scale;
    Pack d01, d12, d20;
    dot(d[0], d[1], d01);
    dot(d[1], d[2], d12);
    dot(d[2], d[0], d20);
    const Pack b[3][3] = {{fcc * d00 + ff, fcc * d01, fcc * d20},
                          {fcc * d01, fcc * d11 + ff, fcc * d12},
                          {fcc * d20, fcc * d12, fcc * d22 + ff}};
    for (int r = 0; r < 3; ++r) {
        q[r].x = sign * (d[0].x * b[r][0] + d[1].x * b[r][1] + d[2].x * b[r][2]) + cof[r].x * fc;
        q[r].y = sign * (d[0].y * b[r][0] + d[1].y * b[r][1] + d[2].y * b[r][2]) + cof[r].y * fc;
        q[r].z = sign * (d[0].z * b[r][0] + d[1].z * b[r][1] + d[2].z * b[r][2]) + cof[r].z * fc;
        times(q[r], sign, q[r]);
    }
    unsigned bad = 0;
    for (int l = 0; l < 8; ++l) bad |= (good[l] ? 0u : 1u) << l;
    return bad;
}

unsigned polarForces(const TetrahedronPack& p, const double* x, double* out, TetrahedronTangentPack& tangent)
{
    // SOFA's frame: R from the polar decomposition of the matrix with the edges as rows maps world to element axes.
    Vector3 d[3], q[3];
    gatherEdges(p, x, d);
    const unsigned bad = polarRows(d, q);
    rotatedForces(p, d, q, out, tangent);
    return bad;
}

unsigned gradientForces(const TetrahedronPack& p, const double* x, double* out, TetrahedronTangentPack& tangent)
{
    // Fᵀ = Σ g_k d_kᵀ = S Qᵀ: the rows of its orthogonal factor are the axes of the frame.
    Vector3 d[3], a[3], f[3], q[3];
    gatherEdges(p, x, d);
    for (int k = 0; k < 3; ++k) load(p.gradient + 3 * k, a[k]);
    gradient(a, d, f);
    const unsigned bad = polarRows(f, q);
    rotatedForces(p, d, q, out, tangent);
    return bad;
}

void product(const TetrahedronPack& p, const TetrahedronTangentPack& tangent, const double* dx, double factor,
             double* out)
{
    Vector3 d[3], c[3], g[3], f[3];
    gatherEdges(p, dx, d);
    for (int k = 0; k < 3; ++k) load(tangent.c + 3 * k, c[k]);
    gradient(d, c, g);
    Stress s;
    const Pack lambda = factor * *reinterpret_cast<const Pack*>(p.lambdaV),
               mu = factor * *reinterpret_cast<const Pack*>(p.muV);
    stress(g, lambda, mu, s);
    for (int k = 0; k < 3; ++k) minusTimes(s, c[k], f[k]);
    scatter(f, out);
}

void spread(const TetrahedronPack& p, const TetrahedronTangentPack& tangent, std::size_t count, TetrahedronTangent* out)
{
    for (std::size_t l = 0; l < count; ++l) {
        TetrahedronTangent& t = out[l];
        for (int c = 0; c < 3; ++c) {
            const double c1 = tangent.c[c][l], c2 = tangent.c[3 + c][l], c3 = tangent.c[6 + c][l];
            t.c[0][c] = -(c1 + c2 + c3);
            t.c[1][c] = c1;
            t.c[2][c] = c2;
            t.c[3][c] = c3;
        }
        t.c[0][3] = p.lambdaV[l];
        t.c[1][3] = p.muV[l];
        t.c[2][3] = t.c[3][3] = 0.;
    }
}

void pairs(const TetrahedronTangent* tangents, const PairContribution* contributions, const std::size_t* start,
           std::size_t first, std::size_t last, double* blocks)
{
    for (std::size_t p = first; p < last; ++p) {
        Quad r0 = {}, r1 = {}, r2 = {};
        double diagonal = 0.;
        for (std::size_t k = start[p]; k < start[p + 1]; ++k) {
            const PairContribution& from = contributions[k];
            const TetrahedronTangent& t = tangents[from.element];
            const double *a = t.c[from.i], *b = t.c[from.j];
            const double lambda = t.c[0][3], mu = t.c[1][3];
            // The fourth lane, which meets the pads, is dropped.
            const Quad la = lambda * *reinterpret_cast<const Quad*>(b), ma = mu * *reinterpret_cast<const Quad*>(a);
            r0 += a[0] * la + b[0] * ma;
            r1 += a[1] * la + b[1] * ma;
            r2 += a[2] * la + b[2] * ma;
            diagonal += mu * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
        }
        double* out = blocks + 9 * p;
        for (int c = 0; c < 3; ++c) {
            out[c] = -r0[c];
            out[3 + c] = -r1[c];
            out[6 + c] = -r2[c];
        }
        out[0] -= diagonal;
        out[4] -= diagonal;
        out[8] -= diagonal;
    }
}

#undef SOFA_INLINE

}  // namespace

extern const TetrahedronKernels SOFA_TETRAHEDRON_KERNELS;
const TetrahedronKernels SOFA_TETRAHEDRON_KERNELS{smallForces, largeForces, polarForces, gradientForces,
                                                  product,     spread,      pairs};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
