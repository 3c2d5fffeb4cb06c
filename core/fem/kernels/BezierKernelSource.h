// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/BezierKernels.h: included once by the file of each instruction set, which
// names the table that it defines in SOFA_BEZIER_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/BezierKernels.h"
#include "core/fem/kernels/IsotropicTangentSource.h"
#include "core/fem/kernels/StrainSource.h"

// This text is no header in the usual sense: each of its three includers compiles it once.
// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

constexpr int controlPoints = 10, corners = 4;
/// Control point of the product of two barycentric coordinates: the corner i for (i, i), else that of an edge.
constexpr int controlOf[corners][corners] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}};

SOFA_PACK void gatherControlPoints(const BezierPack& p, int lane, const double* x, Vector3 (&to)[controlPoints])
{
    Real v[3];
    for (int k = 0; k < controlPoints; ++k) {
        gatherPoints<controlPoints>(x, p.vertices + controlPoints * lane + k, v);
        to[k] = {v[0].v, v[1].v, v[2].v};
    }
}

/// Sets the forces of the lanes in rows [30][8], for the gradient Σ p c − `identity` of displacements; `lambda` and
/// `mu` are a fifth of λ V and μ V.
SOFA_PACK void setForces(const Vector3 (&p)[controlPoints], const Vector3 (&c)[corners], const Pack& lambda,
                         const Pack& mu, double identity, int lane, double (*rows)[8])
{
    // Half of the gradient at each corner, and the stress there.
    Stress s[corners], sum;
    for (int v = 0; v < corners; ++v) {
        Vector3 d[3], a[3], g[3];
        for (int k = 0, n = 0; k < corners; ++k) {
            if (k == v) continue;
            sub(p[controlOf[v][k]], p[v], d[n]);
            a[n++] = c[k];
        }
        gradient(d, a, g);
        const double half = 0.5 * identity;
        g[0].x = g[0].x - half;
        g[1].y = g[1].y - half;
        g[2].z = g[2].z - half;
        stress(g, lambda, mu, s[v]);
        if (v == 0)
            sum = s[0];
        else
            sum = {sum.xx + s[v].xx, sum.yy + s[v].yy, sum.zz + s[v].zz,
                   sum.xy + s[v].xy, sum.yz + s[v].yz, sum.zx + s[v].zx};
    }
    // −W_i c_k, with W_i = 20 times the integral of the stress times α_i.
    Vector3 y[corners][corners];
    for (int i = 0; i < corners; ++i) {
        const Stress w{sum.xx + s[i].xx, sum.yy + s[i].yy, sum.zz + s[i].zz,
                       sum.xy + s[i].xy, sum.yz + s[i].yz, sum.zx + s[i].zx};
        for (int k = 1; k < corners; ++k) minusTimes(w, c[k], y[i][k]);
        y[i][0] = {-(y[i][1].x + y[i][2].x + y[i][3].x), -(y[i][1].y + y[i][2].y + y[i][3].y),
                   -(y[i][1].z + y[i][2].z + y[i][3].z)};
    }
    for (int i = 0; i < corners; ++i)
        for (int k = i; k < corners; ++k) {
            const Vector3 &a = y[i][k], &b = y[k][i];
            store(rows + 3 * controlOf[i][k], lane, i == k ? a : Vector3{a.x + b.x, a.y + b.y, a.z + b.z});
        }
}

unsigned forces(const BezierPack& p, bool rotated, const double* x, double* out, IsotropicTangent* tangents)
{
    alignas(64) double rows[32][8];
    TangentRows turned;
    unsigned bad = 0;
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 points[controlPoints], rest[3], a[3], c[corners];
        gatherControlPoints(p, lane, x, points);
        const double* row = p.edges + lane;
        for (int k = 0; k < 3; ++k, row += 24) rest[k] = {at(row), at(row + 8), at(row + 16)};
        shapeGradients(rest, a);
        if (rotated) {
            Vector3 d[3], f[3], q[3], n;
            for (int k = 0; k < 3; ++k) sub(points[k + 1], points[0], d[k]);
            gradient(a, d, f);  // rows of Fᵀ; those of its orthogonal factor are the axes of the element
            unsigned poor = polarRows(f, q);
            Pack volume;
            cross(f[1], f[2], n);
            dot(f[0], n, volume);
            poor |= lanesWithout(volume > Pack{});
            bad |= poor << lane;
            for (int k = 0; k < 3; ++k)
                c[k + 1] = {q[0].x * a[k].x + q[1].x * a[k].y + q[2].x * a[k].z,
                            q[0].y * a[k].x + q[1].y * a[k].y + q[2].y * a[k].z,
                            q[0].z * a[k].x + q[1].z * a[k].y + q[2].z * a[k].z};
        } else {
            for (int k = 0; k < 3; ++k) c[k + 1] = a[k];
        }
        c[0] = {-(c[1].x + c[2].x + c[3].x), -(c[1].y + c[2].y + c[3].y), -(c[1].z + c[2].z + c[3].z)};
        const Pack &lambda = at(p.stiffness + lane), &mu = at(p.stiffness + 8 + lane);
        // In the world the stress is that of F Rᵀ − 1 = Σ x c − 1.
        setForces(points, c, 0.2 * lambda, 0.2 * mu, 1., lane, rows);
        const Real vectors[3][3] = {{c[1].x, c[1].y, c[1].z}, {c[2].x, c[2].y, c[2].z}, {c[3].x, c[3].y, c[3].z}};
        setTangents(vectors, lambda, mu, lane, turned);
    }
    scatterRows<30>(rows, out);
    writeTangents(turned, tangents, false);
    return bad;
}

SOFA_PACK void readTangents(const IsotropicTangent* tangents, int lane, Vector3 (&c)[corners], Pack& lambda, Pack& mu)
{
    Real vectors[3][3], l, m;
    readTangents(tangents, lane, vectors, l, m);
    for (int k = 0; k < 3; ++k) c[k + 1] = {vectors[k][0].v, vectors[k][1].v, vectors[k][2].v};
    c[0] = {-(c[1].x + c[2].x + c[3].x), -(c[1].y + c[2].y + c[3].y), -(c[1].z + c[2].z + c[3].z)};
    lambda = l.v;
    mu = m.v;
}

void product(const BezierPack& p, const IsotropicTangent* tangents, const double* dx, double factor, double* out)
{
    alignas(64) double rows[32][8];
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 points[controlPoints], c[corners];
        Pack lambda, mu;
        readTangents(tangents, lane, c, lambda, mu);
        gatherControlPoints(p, lane, dx, points);
        const double scale = 0.2 * factor;
        setForces(points, c, scale * lambda, scale * mu, 0., lane, rows);
    }
    scatterRows<30>(rows, out);
}

}  // namespace

extern const BezierKernels SOFA_BEZIER_KERNELS;
const BezierKernels SOFA_BEZIER_KERNELS{forces, product};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
