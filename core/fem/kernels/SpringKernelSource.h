// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/kernels/SpringKernels.h: included once by the file of each instruction set, which
// names the table that it defines in SOFA_SPRING_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/kernels/FrameSource.h"
#include "core/fem/kernels/SpringKernels.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// x₂ − x₁
SOFA_PACK void gatherDifference(const SpringPack& p, int lane, const double* x, Vector3& d)
{
    Real a[3], b[3];
    gatherPoints(x, p.vertex[0] + lane, a);
    gatherPoints(x, p.vertex[1] + lane, b);
    d = {b[0].v - a[0].v, b[1].v - a[1].v, b[2].v - a[2].v};
}

/// out[lane][3], from the first of the lanes on.
SOFA_PACK void scatterForces(const Vector3& f, double* out)
{
#if defined(__AVX__)
    // Four numbers at a time; the next three replace the fourth.
    const Pack rows[4] = {f.x, f.y, f.z, f.z};
    Pack columns[packLanes];
#if defined(__AVX512F__)
    transposeFour(rows, columns);
#else
    transposeSquare(rows, columns);
#endif
    for (int l = 0; l < packLanes; ++l, out += 3) {
        const Pack& c = columns[l % 4];
#if defined(__AVX512F__)
        const __m256d force =
            l < 4 ? __builtin_shufflevector(c, c, 0, 1, 2, 3) : __builtin_shufflevector(c, c, 4, 5, 6, 7);
#else
        const __m256d force = c;
#endif
        if (l < packLanes - 1)
            _mm256_storeu_pd(out, force);
        else
            __builtin_memcpy(out, &force, 24);
    }
#else
    const Pack rows[3] = {f.x, f.y, f.z};
    for (int l = 0; l < packLanes; ++l)
        for (int k = 0; k < 3; ++k) out[3 * l + k] = rows[k][l];
#endif
}

/// All but the last of the tangents xx xy xz yy yz zz.
SOFA_PACK void putTangents(const Pack (&k)[6], double* out)
{
    const Pack rows[8] = {k[0], k[1], k[2], k[1], k[3], k[4], k[2], k[4]};
    for (int row = 0; row < 8; row += packLanes) {
        Pack columns[packLanes];
        transposeSquare(rows + row, columns);
        for (int l = 0; l < packLanes; ++l) store(out + 8 * l + row, columns[l]);
    }
}

void forces(const SpringPack& p, const double* x, const double* v, double leastAcross, double* out, double* tangents,
            double* corners)
{
    for (int lane = 0; lane < 8; lane += packLanes) {
        Vector3 u, w{}, f;
        Pack square, length, rate;
        gatherDifference(p, lane, x, u);
        dot(u, u, square);
        squareRoot(square, length);
        const Mask acts = length > at(p.least + lane);
        const Pack inverse = 1. / length;
        times(u, inverse, u);
        const Pack& stiffness = at(p.stiffness + lane);
        Pack intensity = stiffness * (length - at(p.length + lane));
        if (v) {
            gatherDifference(p, lane, v, w);
            dot(u, w, rate);
            intensity = intensity + at(p.damping + lane) * rate;
        }
        const Pack zero = {}, least = zero + leastAcross, across = intensity * inverse,
                   tangent = across < least ? least : across, along = stiffness - tangent;
        Vector3 a;
        times(u, along, a);
        Pack k[6] = {a.x * u.x + tangent, a.x * u.y, a.x * u.z, a.y * u.y + tangent, a.y * u.z, a.z * u.z + tangent};
        for (Pack& entry : k) entry = acts ? entry : zero;
        putTangents(k, tangents + 8 * lane);
        store(corners + lane, k[5]);
        times(u, intensity, f);
        f = {acts ? f.x : zero, acts ? f.y : zero, acts ? f.z : zero};
        if (v) {
            const Pack& drag = at(p.drag + lane);
            f = {f.x + w.x * drag, f.y + w.y * drag, f.z + w.z * drag};
        }
        scatterForces(f, out + 3 * lane);
    }
}

}  // namespace

extern const SpringKernels SOFA_SPRING_KERNELS;
const SpringKernels SOFA_SPRING_KERNELS{forces};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
