// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Vectors of packs and the frames of corotational elements, for the texts of their kernels:
// core/fem/elements/FastPolar.h on several elements at once. Like core/fem/kernels/PackSource.h, everything is inlined
// into the file of each instruction set.
#pragma once

#include "core/fem/kernels/PackSource.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

// Kernels work on `packLanes` lanes at a time, from `lane` on.
using Pack = PackValues;
using Mask = PackMask;

struct Vector3
{
    Pack x, y, z;
};

// Arguments are references because vectors wider than the instruction set must not be passed by value.
SOFA_PACK void sub(const Vector3& a, const Vector3& b, Vector3& r)
{
    r.x = a.x - b.x;
    r.y = a.y - b.y;
    r.z = a.z - b.z;
}
SOFA_PACK void cross(const Vector3& a, const Vector3& b, Vector3& r)
{
    const Vector3 t{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    r = t;
}
SOFA_PACK void dot(const Vector3& a, const Vector3& b, Pack& r) { r = a.x * b.x + a.y * b.y + a.z * b.z; }
SOFA_PACK void times(const Vector3& a, const Pack& s, Vector3& r)
{
    r.x = a.x * s;
    r.y = a.y * s;
    r.z = a.z * s;
}
SOFA_PACK void squareRoot(const Pack& a, Pack& r) { r = sqrt(Real(a)).v; }
SOFA_PACK const Pack& at(const double* row) { return *reinterpret_cast<const Pack*>(row); }
SOFA_PACK void load(const double (*rows)[8], int lane, Vector3& r)
{
    r.x = at(rows[0] + lane);
    r.y = at(rows[1] + lane);
    r.z = at(rows[2] + lane);
}
SOFA_PACK void store(double (*rows)[8], int lane, const Vector3& a)
{
    *reinterpret_cast<Pack*>(rows[0] + lane) = a.x;
    *reinterpret_cast<Pack*>(rows[1] + lane) = a.y;
    *reinterpret_cast<Pack*>(rows[2] + lane) = a.z;
}

/// A bit for each lane that is not set.
SOFA_PACK unsigned lanesWithout(const Mask& good)
{
    unsigned bad = 0;
    for (int l = 0; l < packLanes; ++l) bad |= (good[l] ? 0u : 1u) << l;
    return bad;
}

/// The frame of the first edges: x along the first one, z perpendicular to the first two. Returns the lanes whose edges
/// are nearly parallel.
SOFA_PACK unsigned edgeFrame(const Vector3 (&d)[3], Vector3 (&q)[3])
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
    return lanesWithout(good);
}

/// Rows of the orthogonal polar factor of the matrix with rows d, by the closed form of core/fem/elements/FastPolar.h.
/// Returns the lanes where that is not accurate.
SOFA_PACK unsigned polarRows(const Vector3 (&d)[3], Vector3 (&q)[3])
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
        const Mask done = running & (size <= 1e-8 * i);  // its square, the next change, is below rounding
        converged |= done;
        running &= ~done;
        if (step >= 1 && !any(running)) break;
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
    return lanesWithout(good);
}

}  // namespace

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
