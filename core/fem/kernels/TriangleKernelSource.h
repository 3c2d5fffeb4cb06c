// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/TriangleKernels.h: included once by the file of each instruction set,
// which names the table that it defines in SOFA_TRIANGLE_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/FrameSource.h"
#include "core/fem/kernels/TriangleKernels.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

SOFA_PACK void put(double* row, const Pack& a) { *reinterpret_cast<Pack*>(row) = a; }

SOFA_PACK void gatherPoint(const TrianglePack& t, int vertex, int lane, const double* x, Vector3& p)
{
    Real r[3];
    gatherPoints(x, t.vertex[vertex] + lane, r);
    p = {r[0].v, r[1].v, r[2].v};
}

/// Stress of the strain xx yy xy with engineering shear, times the area.
SOFA_PACK void stressOf(const TrianglePack& t, int lane, const Vector3& strain, Vector3& stress)
{
    const Pack &xx = at(t.xx + lane), &xy = at(t.xy + lane), &ss = at(t.ss + lane);
    if (t.isotropic) {
        stress = {xx * strain.x + xy * strain.y, xy * strain.x + xx * strain.y, ss * strain.z};
    } else {
        const Pack &yy = at(t.yy + lane), &xs = at(t.xs + lane), &ys = at(t.ys + lane);
        stress = {xx * strain.x + xy * strain.y + xs * strain.z, xy * strain.x + yy * strain.y + ys * strain.z,
                  xs * strain.x + ys * strain.y + ss * strain.z};
    }
}

/// Force on vertex i of the stress σ: −R (∇N σ)
SOFA_PACK void putForce(const Vector3& p, const Vector3& q, const Pack& gx, const Pack& gy, const Vector3& stress,
                        int vertex, int lane, double (*rows)[8])
{
    const Pack u = -(gx * stress.x + gy * stress.z), v = -(gy * stress.y + gx * stress.z);
    store(rows + 3 * vertex, lane, {p.x * u + q.x * v, p.y * u + q.y * v, p.z * u + q.z * v});
}

unsigned forces(const TrianglePack& t, TriangleMethod method, const double* x, double* out, TriangleShapes& shapes)
{
    alignas(64) double rows[16][8];
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        const Pack zero = {};
        Vector3 a, ab, ac, p, q;
        gatherPoint(t, 0, lane, x, a);
        gatherPoint(t, 1, lane, x, ab);
        gatherPoint(t, 2, lane, x, ac);
        sub(ab, a, ab);
        sub(ac, a, ac);
        Pack g[6], ub, vb, uc, vc;
        if (method != TriangleMethod::small) {
            // x along a b, z along the normal, y the rest of the frame.
            Vector3 n;
            Pack square, length;
            dot(ab, ab, square);
            squareRoot(square, length);
            times(ab, 1. / length, p);
            cross(p, ac, n);
            dot(n, n, square);
            squareRoot(square, length);
            times(n, 1. / length, n);
            cross(n, p, q);
            Pack bx, cx, cy;
            dot(p, ab, bx);
            dot(p, ac, cx);
            dot(q, ac, cy);
            const Pack determinant = bx * cy, size = abs(Real(determinant)).v;
            bad |= lanesWithout(size >= zero + __DBL_EPSILON__) << lane;
            if (method == TriangleMethod::large) {
                const Pack inverse = 1. / determinant;
                g[0] = -cy * inverse;
                g[1] = cy * inverse;
                g[2] = zero;
                g[3] = (cx - bx) * inverse;
                g[4] = -cx * inverse;
                g[5] = bx * inverse;
            }
            ub = bx - at(t.b[0] + lane);
            vb = zero;
            uc = cx - at(t.c[0] + lane);
            vc = cy - at(t.c[1] + lane);
        } else {
            p = {zero + 1., zero, zero};
            q = {zero, zero + 1., zero};
            ub = ab.x - at(t.b[0] + lane);
            vb = ab.y - at(t.b[1] + lane);
            uc = ac.x - at(t.c[0] + lane);
            vc = ac.y - at(t.c[1] + lane);
        }
        if (method != TriangleMethod::large)
            for (int k = 0; k < 6; ++k) g[k] = at(t.gradients[k] + lane);
        const Pack xx = g[1] * ub + g[2] * uc, yy = g[4] * vb + g[5] * vc,
                   xy = g[4] * ub + g[1] * vb + g[5] * uc + g[2] * vc;
        const Pack& area = at(t.inverseArea + lane);
        Vector3 stress;
        stressOf(t, lane, {xx, yy, xy}, stress);
        for (int i = 0; i < 3; ++i) putForce(p, q, g[i], g[3 + i], stress, i, lane, rows);
        store(shapes.axes, lane, p);
        store(shapes.axes + 3, lane, q);
        for (int k = 0; k < 6; ++k) put(shapes.gradients[k] + lane, g[k]);
        store(shapes.stress, lane, {stress.x * area, stress.y * area, stress.z * area});
    }
    scatterRows<9>(rows, out);
    return bad;
}

void product(const TrianglePack& t, const TriangleShapes& shapes, const double* dx, double factor, double* out)
{
    alignas(64) double rows[16][8];
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 p, q;
        load(shapes.axes, lane, p);
        load(shapes.axes + 3, lane, q);
        Pack xx = {}, yy = {}, xy = {};
        for (int i = 0; i < 3; ++i) {
            const Pack &gx = at(shapes.gradients[i] + lane), &gy = at(shapes.gradients[3 + i] + lane);
            Vector3 d;
            Pack u, v;
            gatherPoint(t, i, lane, dx, d);
            dot(p, d, u);
            dot(q, d, v);
            xx = xx + gx * u;
            yy = yy + gy * v;
            xy = xy + (gy * u + gx * v);
        }
        Vector3 stress;
        stressOf(t, lane, {xx, yy, xy}, stress);
        stress = {factor * stress.x, factor * stress.y, factor * stress.z};
        for (int i = 0; i < 3; ++i)
            putForce(p, q, at(shapes.gradients[i] + lane), at(shapes.gradients[3 + i] + lane), stress, i, lane, rows);
    }
    scatterRows<9>(rows, out);
}

void blocks(const TrianglePack& t, const TriangleShapes& shapes, const std::uint8_t* transposed, double* values)
{
    constexpr int ends[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    constexpr long long bits[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    for (int lane = 0; lane < 8; lane += packLanes) {
        Mask bit;
        for (int l = 0; l < packLanes; ++l) bit[l] = bits[lane + l];
        Vector3 pv, qv;
        load(shapes.axes, lane, pv);
        load(shapes.axes + 3, lane, qv);
        const Pack p[3] = {pv.x, pv.y, pv.z}, q[3] = {qv.x, qv.y, qv.z};
        const Pack xx = -at(t.xx + lane), xy = -at(t.xy + lane), ss = -at(t.ss + lane),
                   yy = t.isotropic ? xx : -at(t.yy + lane);
        for (int pair = 0; pair < 3; ++pair) {
            const int i = ends[pair][0], j = ends[pair][1];
            const Pack &xi = at(shapes.gradients[i] + lane), &yi = at(shapes.gradients[3 + i] + lane),
                       &xj = at(shapes.gradients[j] + lane), &yj = at(shapes.gradients[3 + j] + lane);
            // B_iᵀ D B_j in the frame, then R (·) Rᵀ with the first two axes.
            Pack k00 = xi * xx * xj + yi * ss * yj, k01 = xi * xy * yj + yi * ss * xj,
                 k10 = yi * xy * xj + xi * ss * yj, k11 = yi * yy * yj + xi * ss * xj;
            if (!t.isotropic) {
                const Pack xs = -at(t.xs + lane), ys = -at(t.ys + lane), mixed = xi * yj + yi * xj,
                           sides = xs * xi * xj + ys * yi * yj;
                k00 += xs * mixed;
                k01 += sides;
                k10 += sides;
                k11 += ys * mixed;
            }
            const Mask turn = ((Mask{} + transposed[pair]) & bit) != 0;
            const Pack upper = turn ? k10 : k01, lower = turn ? k01 : k10;  // the transposed block
            Pack block[9];
            for (int b = 0; b < 3; ++b) {
                const Pack u = k00 * p[b] + upper * q[b], v = lower * p[b] + k11 * q[b];
                for (int a = 0; a < 3; ++a) block[3 * a + b] = p[a] * u + q[a] * v;
            }
            for (int k = 0; k < 9; ++k) put(values + 8 * (9 * pair + k) + lane, block[k]);
        }
    }
}

}  // namespace

extern const TriangleKernels SOFA_TRIANGLE_KERNELS;
const TriangleKernels SOFA_TRIANGLE_KERNELS{forces, product, blocks};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
