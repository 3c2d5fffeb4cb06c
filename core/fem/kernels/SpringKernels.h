// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

/// Inner loops of springs on packs of eight, compiled once for each instruction set. They do the arithmetic of
/// core/fem/elements/LinearSprings.h without fused multiply-adds, in the same order at every level, so that all levels
/// give the same bits. Plain C++ on arrays, for the reason given in core/fem/kernels/TetrahedronKernels.h.
namespace sofa::core {

/// Eight springs; the lane comes last. Unused lanes repeat a used spring.
struct alignas(64) SpringPack
{
    double stiffness[8];  ///< [N/m]
    double damping[8];    ///< along the spring [N s/m]
    double drag[8];       ///< of the whole relative velocity [N s/m]
    double length[8];     ///< at rest [m]
    double least[8];      ///< springs that are not longer do nothing [m]
    std::uint32_t vertex[2][8];
};

struct SpringKernels
{
    /// Forces of a pack on its first points, at positions x and velocities v (three scalars per point): writes
    /// out[lane][3], and K = ∂f₁/∂x₂ [N/m], the first eight scalars to tangents[lane][8], a line of the cache, and the
    /// last one to corners[lane]. `v` may be null if neither damping nor drag acts. Across a spring K is at least
    /// `leastAcross` [N/m]: −∞ for the exact derivative.
    void (*forces)(const SpringPack&, const double* x, const double* v, double leastAcross, double* out,
                   double* tangents, double* corners);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const SpringKernels& springKernels();

}  // namespace sofa::core
