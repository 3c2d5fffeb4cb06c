// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/SpringKernels.h: included once by the file of each instruction set, which names
// the table that it defines in SOFA_SPRING_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/FrameText.h"
#include "core/fem/SpringKernels.h"

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

SOFA_PACK void storeForces(const Vector3& f, int lane, double (*rows)[8])
{
    store(rows, lane, f);
    store(rows + 3, lane, {-f.x, -f.y, -f.z});
}

void forces(const SpringPack& p, const double* x, const double* v, double* out, SpringTangents& tangents)
{
    alignas(64) double rows[8][8];
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
        const Pack tangent = intensity * inverse, along = stiffness - tangent, zero = {};
        const auto put = [&](int entry, const Pack& k) {
            *reinterpret_cast<Pack*>(tangents.k[entry] + lane) = acts ? k : zero;
        };
        Vector3 a;
        times(u, along, a);
        put(0, a.x * u.x + tangent);
        put(1, a.x * u.y);
        put(2, a.x * u.z);
        put(3, a.y * u.y + tangent);
        put(4, a.y * u.z);
        put(5, a.z * u.z + tangent);
        times(u, intensity, f);
        f = {acts ? f.x : zero, acts ? f.y : zero, acts ? f.z : zero};
        if (v) {
            const Pack& drag = at(p.drag + lane);
            f = {f.x + w.x * drag, f.y + w.y * drag, f.z + w.z * drag};
        }
        storeForces(f, lane, rows);
    }
    scatterRows<6>(rows, out);
}

}  // namespace

extern const SpringKernels SOFA_SPRING_KERNELS;
const SpringKernels SOFA_SPRING_KERNELS{forces};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
