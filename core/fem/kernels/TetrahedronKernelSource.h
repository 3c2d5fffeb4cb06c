// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/TetrahedronKernels.h: included once by the file of each instruction set,
// which names the table that it defines in SOFA_TETRAHEDRON_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/FrameSource.h"
#include "core/fem/kernels/IsotropicTangentSource.h"
#include "core/fem/kernels/StrainSource.h"
#include "core/fem/kernels/TetrahedronKernels.h"

// This text is no header in the usual sense: each of its three includers compiles it once.
// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

#define SOFA_INLINE static inline __attribute__((always_inline))

/// Edges x_k − x₀ of the elements of a pack.
SOFA_INLINE void gatherEdges(const TetrahedronPack& p, int lane, const double* x, Vector3 (&d)[3])
{
    Real origin[3], v[3];
    gatherPoints<4>(x, p.vertices + 4 * lane, origin);
    for (int k = 0; k < 3; ++k) {
        gatherPoints<4>(x, p.vertices + 4 * lane + k + 1, v);
        d[k] = {v[0].v - origin[0].v, v[1].v - origin[1].v, v[2].v - origin[2].v};
    }
}

/// Sets the forces f₁, f₂, f₃ and f₀ = −(f₁ + f₂ + f₃) of the lanes in rows [12][8].
SOFA_INLINE void setForces(const Vector3 (&f)[3], int lane, double (*rows)[packWidth])
{
    store(rows, lane, {-(f[0].x + f[1].x + f[2].x), -(f[0].y + f[1].y + f[2].y), -(f[0].z + f[1].z + f[2].z)});
    for (int k = 0; k < 3; ++k) store(rows + 3 * (k + 1), lane, f[k]);
}
/// Rest edges of a pack with nine rows.
SOFA_INLINE void loadEdges(const TetrahedronPack& p, int lane, Vector3 (&e)[3])
{
    const double* row = p.edges + lane;
    for (int k = 0; k < 3; ++k, row += 3 * packWidth) e[k] = {at(row), at(row + packWidth), at(row + 2 * packWidth)};
}
SOFA_INLINE const Pack& lambdaOf(const TetrahedronPack& p, int lane) { return at(p.stiffness + lane); }
SOFA_INLINE const Pack& muOf(const TetrahedronPack& p, int lane) { return at(p.stiffness + packWidth + lane); }

SOFA_INLINE void setTangents(const TetrahedronPack& p, const Vector3 (&c)[3], int lane, TangentRows& tangents)
{
    const Real vectors[3][3] = {{c[0].x, c[0].y, c[0].z}, {c[1].x, c[1].y, c[1].z}, {c[2].x, c[2].y, c[2].z}};
    setTangents(vectors, lambdaOf(p, lane), muOf(p, lane), lane, tangents);
}

/// Displacements of vertices 1, 2, 3 in the frame with axes q. `triangular`: they are so, up to rounding.
SOFA_INLINE void displacements(bool triangular, const Vector3 (&d)[3], const Vector3 (&q)[3], const Vector3 (&rest)[3],
                               Vector3 (&u)[3])
{
    for (int k = 0; k < 3; ++k) {
        Vector3 local;
        dot(q[0], d[k], local.x);
        dot(q[1], d[k], local.y);
        dot(q[2], d[k], local.z);
        sub(local, rest[k], u[k]);
    }
    if (triangular) u[0].y = u[0].z = u[1].z = Pack{};
}

/// Forces −V σ g_k of the stress s in the frame with axes q, and the tangent, in the axes of the world.
SOFA_INLINE void setWorldForces(const TetrahedronPack& p, int lane, const Stress& s, const Vector3 (&q)[3],
                                const Vector3 (&a)[3], double (*forces)[packWidth], TangentRows& tangents)
{
    Vector3 f[3], c[3];
    const auto toWorld = [&](const Vector3& v, Vector3& r) {
        r.x = q[0].x * v.x + q[1].x * v.y + q[2].x * v.z;
        r.y = q[0].y * v.x + q[1].y * v.y + q[2].y * v.z;
        r.z = q[0].z * v.x + q[1].z * v.y + q[2].z * v.z;
    };
    for (int k = 0; k < 3; ++k) {
        Vector3 local;
        minusTimes(s, a[k], local);
        toWorld(local, f[k]);
        toWorld(a[k], c[k]);
    }
    setForces(f, lane, forces);
    setTangents(p, c, lane, tangents);
}

/// Forces in the frame with axes q: local displacements, stress, and the way back; also the tangent.
SOFA_INLINE void rotatedForces(const TetrahedronPack& p, int lane, const Vector3 (&d)[3], const Vector3 (&q)[3],
                               const Vector3 (&rest)[3], const Vector3 (&a)[3], double (*forces)[packWidth],
                               TangentRows& tangents)
{
    Vector3 u[3], g[3];
    displacements(false, d, q, rest, u);
    gradient(u, a, g);
    Stress s;
    stress(g, lambdaOf(p, lane), muOf(p, lane), s);
    setWorldForces(p, lane, s, q, a, forces, tangents);
}

/// One step of yielding on the plastic strain: moves a part of the elastic strain there, and limits it.
SOFA_INLINE void yield(const TetrahedronYield& law, const Pack (&total)[6], Pack (&plastic)[6])
{
    const auto norm2 = [](const Pack(&v)[6], Pack& r) {
        r = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
    };
    Pack elastic[6], n;
    for (int i = 0; i < 6; ++i) elastic[i] = total[i] - plastic[i];
    norm2(elastic, n);
    const Mask yields = n > law.yieldThreshold * law.yieldThreshold;
    for (int i = 0; i < 6; ++i) plastic[i] = yields ? plastic[i] + elastic[i] * law.creep : plastic[i];
    norm2(plastic, n);
    const Mask beyond = n > law.maxThreshold * law.maxThreshold;
    Pack root;
    squareRoot(n, root);
    const Pack scale = beyond ? law.maxThreshold / root : Pack{} + 1.;
    for (int i = 0; i < 6; ++i) plastic[i] = plastic[i] * scale;
}

/// rotatedForces with plasticity. `triangular`: the edges, displacements and gradients are so, up to rounding.
SOFA_INLINE void plasticForces(const TetrahedronPack& p, int lane, bool triangular, const Vector3 (&d)[3],
                               const Vector3 (&q)[3], const Vector3 (&rest)[3], const Vector3 (&a)[3],
                               double (*forces)[packWidth], TangentRows& tangents, const TetrahedronYield& law,
                               double (*strains)[packWidth])
{
    Vector3 u[3], g[3], area;
    displacements(triangular, d, q, rest, u);
    gradient(u, a, g);
    Pack volume6;
    cross(rest[1], rest[2], area);
    dot(rest[0], area, volume6);
    const Pack total[6] = {g[0].x * volume6,
                           g[1].y * volume6,
                           g[2].z * volume6,
                           (g[0].y + g[1].x) * volume6,
                           (g[1].z + g[2].y) * volume6,
                           (g[2].x + g[0].z) * volume6};
    Pack plastic[6], e[6];
    for (int i = 0; i < 6; ++i) plastic[i] = at(strains[i] + lane);
    yield(law, total, plastic);
    const Pack inverse = 1. / volume6;
    for (int i = 0; i < 6; ++i) {
        *reinterpret_cast<Pack*>(strains[i] + lane) = plastic[i];
        e[i] = (total[i] - plastic[i]) * inverse;
    }
    const Pack &lambda = lambdaOf(p, lane), &mu = muOf(p, lane);
    const Pack pressure = lambda * (e[0] + e[1] + e[2]), mu2 = mu + mu;
    const Stress s{
        pressure + mu2 * e[0], pressure + mu2 * e[1], pressure + mu2 * e[2], mu * e[3], mu * e[4], mu * e[5]};
    setWorldForces(p, lane, s, q, a, forces, tangents);
}

/// The same in the frame of the first edges, where edges, displacements and gradients are triangular.
SOFA_INLINE void triangularForces(const TetrahedronPack& p, int lane, const Vector3 (&d)[3], const Vector3 (&q)[3],
                                  double (*forces)[packWidth], TangentRows& tangents)
{
    const double* const rows = p.edges + lane;
    const Pack &x0 = at(rows), &x1 = at(rows + packWidth), &y1 = at(rows + 2 * packWidth),
               &x2 = at(rows + 3 * packWidth), &y2 = at(rows + 4 * packWidth), &z2 = at(rows + 5 * packWidth);
    Pack u0x, u1x, u1y, u2x, u2y, u2z;
    dot(q[0], d[0], u0x);
    dot(q[0], d[1], u1x);
    dot(q[1], d[1], u1y);
    dot(q[0], d[2], u2x);
    dot(q[1], d[2], u2y);
    dot(q[2], d[2], u2z);
    u0x = u0x - x0;
    u1x = u1x - x1;
    u1y = u1y - y1;
    u2x = u2x - x2;
    u2y = u2y - y2;
    u2z = u2z - z2;
    const Pack area = y1 * z2, scale = 1. / (x0 * area);
    const Pack a0x = area * scale, a0y = -(x1 * z2) * scale, a0z = (x1 * y2 - y1 * x2) * scale;
    const Pack a1y = z2 * x0 * scale, a1z = -(y2 * x0) * scale, a2z = x0 * y1 * scale;
    const Pack zero = {};
    const Vector3 g[3] = {{u0x * a0x, u0x * a0y + u1x * a1y, u0x * a0z + u1x * a1z + u2x * a2z},
                          {zero, u1y * a1y, u1y * a1z + u2y * a2z},
                          {zero, zero, u2z * a2z}};
    const Pack &lambda = lambdaOf(p, lane), &mu = muOf(p, lane);
    const Pack pressure = lambda * (g[0].x + g[1].y + g[2].z), mu2 = mu + mu;
    const Stress s{pressure + mu2 * g[0].x,
                   pressure + mu2 * g[1].y,
                   pressure + mu2 * g[2].z,
                   mu * g[0].y,
                   mu * g[1].z,
                   mu * g[0].z};
    const Vector3 local[3] = {{-(s.xx * a0x + s.xy * a0y + s.zx * a0z), -(s.xy * a0x + s.yy * a0y + s.yz * a0z),
                               -(s.zx * a0x + s.yz * a0y + s.zz * a0z)},
                              {-(s.xy * a1y + s.zx * a1z), -(s.yy * a1y + s.yz * a1z), -(s.yz * a1y + s.zz * a1z)},
                              {-(s.zx * a2z), -(s.yz * a2z), -(s.zz * a2z)}};
    Vector3 f[3];
    for (int k = 0; k < 3; ++k) {
        f[k].x = q[0].x * local[k].x + q[1].x * local[k].y + q[2].x * local[k].z;
        f[k].y = q[0].y * local[k].x + q[1].y * local[k].y + q[2].y * local[k].z;
        f[k].z = q[0].z * local[k].x + q[1].z * local[k].y + q[2].z * local[k].z;
    }
    const Vector3 c[3] = {{q[0].x * a0x + q[1].x * a0y + q[2].x * a0z, q[0].y * a0x + q[1].y * a0y + q[2].y * a0z,
                           q[0].z * a0x + q[1].z * a0y + q[2].z * a0z},
                          {q[1].x * a1y + q[2].x * a1z, q[1].y * a1y + q[2].y * a1z, q[1].z * a1y + q[2].z * a1z},
                          {q[2].x * a2z, q[2].y * a2z, q[2].z * a2z}};
    setForces(f, lane, forces);
    setTangents(p, c, lane, tangents);
}

void smallForces(const TetrahedronPack& p, const double* x, double* out)
{
    alignas(64) double forces[16][packWidth];
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], rest[3], a[3], g[3], f[3];
        gatherEdges(p, lane, x, d);
        loadEdges(p, lane, rest);
        shapeGradients(rest, a);
        for (int k = 0; k < 3; ++k) sub(d[k], rest[k], d[k]);
        gradient(d, a, g);
        Stress s;
        stress(g, lambdaOf(p, lane), muOf(p, lane), s);
        for (int k = 0; k < 3; ++k) minusTimes(s, a[k], f[k]);
        setForces(f, lane, forces);
    }
    scatterRows<12>(forces, out);
}

unsigned largeForces(const TetrahedronPack& p, const double* x, double* out, IsotropicTangent* tangents, bool streamed)
{
    alignas(64) double forces[16][packWidth];
    TangentRows rows;
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], q[3];
        gatherEdges(p, lane, x, d);
        bad |= edgeFrame(d, q) << lane;
        triangularForces(p, lane, d, q, forces, rows);
    }
    scatterRows<12>(forces, out);
    writeTangents(rows, tangents, streamed);
    return bad;
}

/// Forces with the frame that `frame(edges, rest edges, gradients of shape functions, axes)` finds; it returns the
/// lanes where that is not accurate.
template <class Frame>
SOFA_INLINE unsigned framedForces(const TetrahedronPack& p, const double* x, double* out, IsotropicTangent* tangents,
                                  bool streamed, const Frame& frame)
{
    alignas(64) double forces[16][packWidth];
    TangentRows rows;
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], rest[3], a[3], q[3];
        gatherEdges(p, lane, x, d);
        loadEdges(p, lane, rest);
        shapeGradients(rest, a);
        bad |= frame(d, rest, a, q) << lane;
        rotatedForces(p, lane, d, q, rest, a, forces, rows);
    }
    scatterRows<12>(forces, out);
    writeTangents(rows, tangents, streamed);
    return bad;
}

unsigned polarForces(const TetrahedronPack& p, const double* x, double* out, IsotropicTangent* tangents, bool streamed)
{
    // SOFA's frame: R from the polar decomposition of the matrix with the edges as rows maps world to element axes.
    return framedForces(
        p, x, out, tangents, streamed,
        [](const Vector3(&d)[3], const Vector3(&)[3], const Vector3(&)[3], Vector3(&q)[3]) { return polarRows(d, q); });
}

unsigned gradientForces(const TetrahedronPack& p, const double* x, double* out, IsotropicTangent* tangents,
                        bool streamed)
{
    // Fᵀ = Σ g_k d_kᵀ = S Qᵀ: the rows of its orthogonal factor are the axes of the frame.
    return framedForces(p, x, out, tangents, streamed,
                        [](const Vector3(&d)[3], const Vector3(&)[3], const Vector3(&a)[3], Vector3(&q)[3]) {
                            Vector3 f[3];
                            gradient(a, d, f);
                            return polarRows(f, q);
                        });
}

/// Rows of Hᵀ = Σ (X_k − X̄) (x_k − x₀)ᵀ.
SOFA_INLINE void moments(const Vector3 (&d)[3], const Vector3 (&rest)[3], Vector3 (&h)[3])
{
    const Vector3 mean{0.25 * (rest[0].x + rest[1].x + rest[2].x), 0.25 * (rest[0].y + rest[1].y + rest[2].y),
                       0.25 * (rest[0].z + rest[1].z + rest[2].z)};
    Vector3 about[3];
    for (int k = 0; k < 3; ++k) sub(rest[k], mean, about[k]);
    gradient(about, d, h);
}

unsigned momentForces(const TetrahedronPack& p, const double* x, double* out, IsotropicTangent* tangents, bool streamed)
{
    return framedForces(p, x, out, tangents, streamed,
                        [](const Vector3(&d)[3], const Vector3(&rest)[3], const Vector3(&)[3], Vector3(&q)[3]) {
                            Vector3 h[3];
                            moments(d, rest, h);
                            return polarRows(h, q);
                        });
}

/// Rest edges of a pack for any frame.
SOFA_INLINE void loadEdges(const TetrahedronPack& p, TetrahedronFrame frame, int lane, Vector3 (&e)[3])
{
    if (frame != TetrahedronFrame::large) return loadEdges(p, lane, e);
    const Pack zero{};
    const double* row = p.edges + lane;  // six rows
    e[0] = {at(row), zero, zero};
    e[1] = {at(row + packWidth), at(row + 2 * packWidth), zero};
    e[2] = {at(row + 3 * packWidth), at(row + 4 * packWidth), at(row + 5 * packWidth)};
}

/// Axes q of any frame, of elements with edges d, rest edges and gradients a; returns the lanes where they are not
/// accurate.
SOFA_INLINE unsigned axesOf(TetrahedronFrame frame, const Vector3 (&d)[3], const Vector3 (&rest)[3],
                            const Vector3 (&a)[3], Vector3 (&q)[3])
{
    if (frame == TetrahedronFrame::large) return edgeFrame(d, q);
    if (frame == TetrahedronFrame::small) {
        const Pack zero{}, one = zero + 1.;
        q[0] = {one, zero, zero};
        q[1] = {zero, one, zero};
        q[2] = {zero, zero, one};
        return 0;
    }
    Vector3 rows[3] = {d[0], d[1], d[2]};
    if (frame == TetrahedronFrame::gradient) gradient(a, d, rows);
    if (frame == TetrahedronFrame::moments) moments(d, rest, rows);
    return polarRows(rows, q);
}

unsigned plastic(const TetrahedronPack& p, TetrahedronFrame frame, const double* x, double* out,
                 IsotropicTangent* tangents, const TetrahedronYield& law, double (*strains)[packWidth])
{
    alignas(64) double forces[16][packWidth];
    TangentRows rows;
    const bool large = frame == TetrahedronFrame::large;
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], rest[3], a[3], q[3];
        gatherEdges(p, lane, x, d);
        loadEdges(p, frame, lane, rest);
        shapeGradients(rest, a);
        bad |= axesOf(frame, d, rest, a, q) << lane;
        plasticForces(p, lane, large, d, q, rest, a, forces, rows, law, strains);
    }
    scatterRows<12>(forces, out);
    writeTangents(rows, tangents, false);
    return bad;
}

/// Rows of Green's strain for rows f of a deformation gradient: E = ½ (fᵀ f − 1).
SOFA_INLINE void greenStrain(const Vector3 (&f)[3], Vector3 (&e)[3])
{
    const auto product = [&f](Pack Vector3::*i, Pack Vector3::*j, Pack& r) {
        r = 0.5 * (f[0].*i * f[0].*j + f[1].*i * f[1].*j + f[2].*i * f[2].*j);
    };
    product(&Vector3::x, &Vector3::x, e[0].x);
    product(&Vector3::y, &Vector3::y, e[1].y);
    product(&Vector3::z, &Vector3::z, e[2].z);
    product(&Vector3::x, &Vector3::y, e[0].y);
    product(&Vector3::y, &Vector3::z, e[1].z);
    product(&Vector3::z, &Vector3::x, e[2].x);
    e[0].x = e[0].x - 0.5;
    e[1].y = e[1].y - 0.5;
    e[2].z = e[2].z - 0.5;
    e[1].x = e[0].y;
    e[2].y = e[1].z;
    e[0].z = e[2].x;
}

unsigned vonMises(const TetrahedronPack& p, TetrahedronFrame frame, bool green, const double* x, double* out)
{
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 d[3], rest[3], a[3], g[3], area;
        gatherEdges(p, lane, x, d);
        loadEdges(p, frame, lane, rest);
        shapeGradients(rest, a);
        if (green) {
            Vector3 f[3];
            gradient(d, a, f);
            greenStrain(f, g);
        } else {
            Vector3 q[3], u[3];
            bad |= axesOf(frame, d, rest, a, q) << lane;
            displacements(frame == TetrahedronFrame::large, d, q, rest, u);
            gradient(u, a, g);
        }
        Stress s;
        stress(g, lambdaOf(p, lane), muOf(p, lane), s);
        Pack volume6, root;
        cross(rest[1], rest[2], area);
        dot(rest[0], area, volume6);
        const Pack xy = s.xx - s.yy, yz = s.yy - s.zz, zx = s.zz - s.xx;
        squareRoot(0.5 * (xy * xy + yz * yz + zx * zx) + 3. * (s.xy * s.xy + s.yz * s.yz + s.zx * s.zx), root);
        *reinterpret_cast<Pack*>(out + lane) = root * 6. / (volume6 < 0. ? -volume6 : volume6);
    }
    return bad;
}

void product(const TetrahedronPack& p, const IsotropicTangent* tangents, const double* dx, double factor, double* out)
{
    alignas(64) double forces[16][packWidth];
    for (int lane = 0; lane < 8; lane += packLanes) {
        Real vectors[3][3], lambda, mu;
        readTangents(tangents, lane, vectors, lambda, mu);
        Vector3 d[3], c[3], g[3], f[3];
        gatherEdges(p, lane, dx, d);
        for (int k = 0; k < 3; ++k) c[k] = {vectors[k][0].v, vectors[k][1].v, vectors[k][2].v};
        gradient(d, c, g);
        Stress s;
        stress(g, factor * lambda.v, factor * mu.v, s);
        for (int k = 0; k < 3; ++k) minusTimes(s, c[k], f[k]);
        setForces(f, lane, forces);
    }
    scatterRows<12>(forces, out);
}

#undef SOFA_INLINE

}  // namespace

extern const TetrahedronKernels SOFA_TETRAHEDRON_KERNELS;
const TetrahedronKernels SOFA_TETRAHEDRON_KERNELS{smallForces,  largeForces, polarForces, gradientForces,
                                                  momentForces, plastic,     vonMises,    product};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
