// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/TetrahedronKernels.h: included once by the file of each instruction set, which
// names the table that it defines in SOFA_TETRAHEDRON_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/FrameText.h"
#include "core/fem/TetrahedronKernels.h"

// This text is no header in the usual sense: each of its three includers compiles it once.
// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

#define SOFA_INLINE static inline __attribute__((always_inline))

/// Edges x_k − x₀ of the elements of a pack.
SOFA_INLINE void gatherEdges(const TetrahedronPack& p, int lane, const double* x, Vector3 (&d)[3])
{
    Real origin[3], v[3];
    gatherPoints(x, p.vertex[0] + lane, origin);
    for (int k = 0; k < 3; ++k) {
        gatherPoints(x, p.vertex[k + 1] + lane, v);
        d[k] = {v[0].v - origin[0].v, v[1].v - origin[1].v, v[2].v - origin[2].v};
    }
}

/// Sets the forces f₁, f₂, f₃ and f₀ = −(f₁ + f₂ + f₃) of the lanes in rows [12][8].
SOFA_INLINE void setForces(const Vector3 (&f)[3], int lane, double (*rows)[packWidth])
{
    store(rows, lane, {-(f[0].x + f[1].x + f[2].x), -(f[0].y + f[1].y + f[2].y), -(f[0].z + f[1].z + f[2].z)});
    for (int k = 0; k < 3; ++k) store(rows + 3 * (k + 1), lane, f[k]);
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
SOFA_INLINE void rotatedForces(const TetrahedronPack& p, int lane, const Vector3 (&d)[3], const Vector3 (&q)[3],
                               double (*forces)[packWidth], TetrahedronTangentPack& tangent, bool streamed)
{
    Vector3 u[3], a[3], g[3], f[3];
    for (int k = 0; k < 3; ++k) {
        Vector3 rest, local;
        load(p.edge + 3 * k, lane, rest);
        load(p.gradient + 3 * k, lane, a[k]);
        dot(q[0], d[k], local.x);
        dot(q[1], d[k], local.y);
        dot(q[2], d[k], local.z);
        sub(local, rest, u[k]);
    }
    gradient(u, a, g);
    Stress s;
    stress(g, at(p.lambdaV + lane), at(p.muV + lane), s);
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
        if (streamed) {
            stream(tangent.c[3 * k] + lane, c.x);
            stream(tangent.c[3 * k + 1] + lane, c.y);
            stream(tangent.c[3 * k + 2] + lane, c.z);
        } else {
            store(tangent.c + 3 * k, lane, c);
        }
    }
    setForces(f, lane, forces);
}

void smallForces(const TetrahedronPack& p, const double* x, double* out)
{
    alignas(64) double forces[16][packWidth];
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], a[3], g[3], f[3];
        gatherEdges(p, lane, x, d);
        for (int k = 0; k < 3; ++k) {
            Vector3 rest;
            load(p.edge + 3 * k, lane, rest);
            load(p.gradient + 3 * k, lane, a[k]);
            sub(d[k], rest, d[k]);
        }
        gradient(d, a, g);
        Stress s;
        stress(g, at(p.lambdaV + lane), at(p.muV + lane), s);
        for (int k = 0; k < 3; ++k) minusTimes(s, a[k], f[k]);
        setForces(f, lane, forces);
    }
    scatterRows<12>(forces, out);
}

/// Forces with the frame that `frame(lane, edges, axes)` finds; it returns the lanes where it is not accurate.
template <class Frame>
SOFA_INLINE unsigned framedForces(const TetrahedronPack& p, const double* x, double* out,
                                  TetrahedronTangentPack& tangent, bool streamed, const Frame& frame)
{
    alignas(64) double forces[16][packWidth];
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], q[3];
        gatherEdges(p, lane, x, d);
        bad |= frame(lane, d, q) << lane;
        rotatedForces(p, lane, d, q, forces, tangent, streamed);
    }
    scatterRows<12>(forces, out);
    return bad;
}

unsigned largeForces(const TetrahedronPack& p, const double* x, double* out, TetrahedronTangentPack& tangent,
                     bool streamed)
{
    return framedForces(p, x, out, tangent, streamed,
                        [](int, const Vector3(&d)[3], Vector3(&q)[3]) { return edgeFrame(d, q); });
}

unsigned polarForces(const TetrahedronPack& p, const double* x, double* out, TetrahedronTangentPack& tangent,
                     bool streamed)
{
    // SOFA's frame: R from the polar decomposition of the matrix with the edges as rows maps world to element axes.
    return framedForces(p, x, out, tangent, streamed,
                        [](int, const Vector3(&d)[3], Vector3(&q)[3]) { return polarRows(d, q); });
}

unsigned gradientForces(const TetrahedronPack& p, const double* x, double* out, TetrahedronTangentPack& tangent,
                        bool streamed)
{
    // Fᵀ = Σ g_k d_kᵀ = S Qᵀ: the rows of its orthogonal factor are the axes of the frame.
    return framedForces(p, x, out, tangent, streamed, [&p](int lane, const Vector3(&d)[3], Vector3(&q)[3]) {
        Vector3 a[3], f[3];
        for (int k = 0; k < 3; ++k) load(p.gradient + 3 * k, lane, a[k]);
        gradient(a, d, f);
        return polarRows(f, q);
    });
}

void product(const TetrahedronPack& p, const TetrahedronTangentPack& tangent, const double* dx, double factor,
             double* out)
{
    alignas(64) double forces[16][packWidth];
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], c[3], g[3], f[3];
        gatherEdges(p, lane, dx, d);
        for (int k = 0; k < 3; ++k) load(tangent.c + 3 * k, lane, c[k]);
        gradient(d, c, g);
        Stress s;
        const Pack lambda = factor * at(p.lambdaV + lane), mu = factor * at(p.muV + lane);
        stress(g, lambda, mu, s);
        for (int k = 0; k < 3; ++k) minusTimes(s, c[k], f[k]);
        setForces(f, lane, forces);
    }
    scatterRows<12>(forces, out);
}

void blocks(const TetrahedronPack& p, const TetrahedronTangentPack& tangent, const std::uint8_t* turned, double* values)
{
    constexpr long long bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    for (int lane = 0; lane < 8; lane += packLanes) {
        const Pack &lambda = at(p.lambdaV + lane), &mu = at(p.muV + lane);
        Mask bit;
        for (int l = 0; l < packLanes; ++l) bit[l] = bits[lane + l];
        Vector3 c[4];
        for (int k = 0; k < 3; ++k) load(tangent.c + 3 * k, lane, c[k + 1]);
        c[0] = {-(c[1].x + c[2].x + c[3].x), -(c[1].y + c[2].y + c[3].y), -(c[1].z + c[2].z + c[3].z)};
        double* row = values + lane;
        const auto put = [&row](const Pack& v) {
            *reinterpret_cast<Pack*>(row) = v;
            row += 8;
        };
        for (int i = 0, pair = 0; i < 3; ++i)
            for (int j = i + 1; j < 4; ++j, ++pair) {
                // For a turned pair the roles of λ and μ change.
                const Mask other = ((Mask{} + turned[pair]) & bit) != 0;
                const Pack first = other ? mu : lambda, second = other ? lambda : mu;
                const Vector3 &a = c[i], &b = c[j];
                Vector3 fb, sa;
                times(b, first, fb);
                times(a, second, sa);
                put(a.x * fb.x + b.x * sa.x);
                put(a.x * fb.y + b.x * sa.y);
                put(a.x * fb.z + b.x * sa.z);
                put(a.y * fb.x + b.y * sa.x);
                put(a.y * fb.y + b.y * sa.y);
                put(a.y * fb.z + b.y * sa.z);
                put(a.z * fb.x + b.z * sa.x);
                put(a.z * fb.y + b.z * sa.y);
                put(a.z * fb.z + b.z * sa.z);
                Pack product;
                dot(a, b, product);
                put(mu * product);
            }
    }
}

#undef SOFA_INLINE

}  // namespace

extern const TetrahedronKernels SOFA_TETRAHEDRON_KERNELS;
const TetrahedronKernels SOFA_TETRAHEDRON_KERNELS{smallForces,    largeForces, polarForces,
                                                  gradientForces, product,     blocks};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
