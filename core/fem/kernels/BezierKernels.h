// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/fem/kernels/IsotropicTangent.h"

/// Inner loops of quadratic Bézier tetrahedra on packs of eight elements, compiled once for each instruction set: the
/// arithmetic of core/fem/elements/BezierTetrahedra.h without fused multiply-adds, in the same order at every level, so
/// that all levels give the same bits. Plain C++ on arrays, as core/fem/kernels/TetrahedronKernels.h.
namespace sofa::core {

/// Eight elements; the lane comes last but for the vertices. Unused lanes repeat a used element, with zero stiffness.
struct BezierPack
{
    /// Rest edges 01, 02, 03 of the corners [m]: component c of edge k in row 3 k + c of eight lanes.
    const double* edges;
    const double* stiffness;        ///< a row with λ V and one with μ V [J]
    const std::uint32_t* vertices;  ///< [lane][10]
};

struct BezierKernels
{
    /// Forces of a pack at positions x (three scalars per point), with the rotation of the corners if `rotated`; writes
    /// out[lane][vertex][3] and the turned gradients of the eight lanes. Returns a bit for each lane whose rotation its
    /// closed form does not give accurately: its results are to be computed by other means.
    unsigned (*forces)(const BezierPack&, bool rotated, const double* x, double* out, IsotropicTangent* tangents);
    /// out[lane][vertex][3] = −factor K dx
    void (*product)(const BezierPack&, const IsotropicTangent* tangents, const double* dx, double factor, double* out);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const BezierKernels& bezierKernels();

}  // namespace sofa::core
