// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

/// Inner loops of membranes on packs of eight triangles, compiled once for each instruction set. They do the arithmetic
/// of core/fem/elements/CorotationalTriangles.h without fused multiply-adds, in the same order at every level, so that
/// all levels give the same bits. Plain C++ on arrays, for the reason given in core/fem/kernels/TetrahedronKernels.h.
namespace sofa::core {

/// Whether frames follow the triangles (large, undeformed), and whether the gradients are those of the deformed
/// triangle (large).
enum class TriangleMethod : std::uint8_t
{
    large,
    small,
    undeformed
};

/// Eight triangles a b c at rest; the lane comes last. Unused lanes repeat a used triangle.
struct alignas(64) TrianglePack
{
    double b[2][8], c[2][8];     ///< rest positions in the frame, a being the origin [m]
    double gradients[6][8];      ///< at rest: ∂/∂x of a b c, ∂/∂y of a b c [1/m]
    double xx[8], xy[8], ss[8];  ///< D_11, D_12, D_33 times the area at rest [N m]
    double inverseArea[8];       ///< [1/m²]
    std::uint32_t vertex[3][8];
    bool isotropic;                          ///< the rest is D_22 = D_11 and zero, and is not read
    alignas(64) double yy[8], xs[8], ys[8];  ///< D_22, D_13, D_23 times the area at rest [N m]
};

/// Triangles as the last force found them.
struct alignas(64) TriangleShapes
{
    double axes[6][8];       ///< the first two axes of the frame
    double gradients[6][8];  ///< as those of TrianglePack
    double stress[3][8];     ///< xx yy xy, times the thickness [N/m]
};

struct TriangleKernels
{
    /// Forces of a pack at positions x (three scalars per point): writes out[lane][vertex][3] and the shapes.
    /// Returns a bit for each lane whose triangle is a line, where frames follow the triangles.
    unsigned (*forces)(const TrianglePack&, TriangleMethod, const double* x, double* out, TriangleShapes&);
    /// out[lane][vertex][3] = −factor K dx
    void (*product)(const TrianglePack&, const TriangleShapes&, const double* dx, double factor, double* out);
    /// Blocks of −K for the vertices 01 02 12, nine rows of eight lanes each; of lanes whose bit in `transposed[pair]`
    /// is set the transposed ones (EdgeAssembly).
    void (*blocks)(const TrianglePack&, const TriangleShapes&, const std::uint8_t* transposed, double* values);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const TriangleKernels& triangleKernels();

}  // namespace sofa::core
