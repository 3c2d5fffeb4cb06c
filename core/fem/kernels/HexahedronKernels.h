// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

/// Inner loops of corotational hexahedra on packs of eight elements, compiled once for each instruction set. They do
/// the arithmetic of core/fem/elements/CorotationalHexahedra.h without fused multiply-adds, in the same order at every
/// level, so that all levels give the same bits. Plain C++ on arrays, for the reason given in
/// core/fem/kernels/TetrahedronKernels.h.
namespace sofa::core {

/// Eight hexahedra; the lane comes last. Unused lanes repeat a used element.
struct alignas(64) HexahedronPack
{
    double rest[21][8];  ///< E₀ (X_i − X₀) [m]: component c of vertex i = 1..7 at 3 (i − 1) + c
    std::uint32_t vertex[8][8];
};

/// Axes of the elements' frames: row r of E, component c, at 3 r + c.
struct alignas(64) HexahedronFrames
{
    double axis[9][8];
};

/// Numbers that give the stiffness of a hexahedron, whose rows of blocks sum to zero: the blocks K_ij of the pairs
/// 01 02 .. 07 12 .. 67 with nine entries each, row-major, then the blocks K_jj, j = 1..7, with six each: xx xy xz yy
/// yz zz.
inline constexpr std::size_t hexahedronPairs = 28, hexahedronStiffnessScalars = 28 * 9 + 7 * 6;

// Static, so that the linker does not merge what the instruction sets make of them.

/// Where K_ij, i < j, begins.
static constexpr std::size_t hexahedronBlock(std::size_t i, std::size_t j)
{
    return (i * (15 - i) / 2 + j - i - 1) * 9;
}
/// Where K_jj begins, j > 0.
static constexpr std::size_t hexahedronDiagonal(std::size_t j) { return hexahedronPairs * 9 + (j - 1) * 6; }

/// Stiffness of the elements of a pack: one for all of them, or [number][lane].
struct HexahedronStiffness
{
    const double* entries;
    bool shared;
};

/// Eight boxes with one stiffness (core/fem/elements/BoxHexahedra.h).
struct alignas(64) BoxPack
{
    std::uint32_t vertex[8][8];
    std::uint32_t target[8][8];  ///< where each vertex stands in the window, in numbers
};

/// Numbers of the stiffness of a box in its symmetry basis (signs under reflections). Mode m has bits 4, 2, 1 for x, y,
/// z. The modes of the components x, y, z of a block are 4 2 1, 2 4 7, 1 7 4, 7 1 2 and 3 5 6, each with xx xy xz yy yz
/// zz; then come, with three numbers each, 6 5 of y z, 6 3 of x z and 5 3 of x y.
inline constexpr std::size_t boxStiffnessScalars = 5 * 6 + 3 * 3;

/// A row of equal boxes in a grid and the four lines of points at its edges (core/fem/elements/BoxGrid.h).
struct BoxRow
{
    /// Displacements of the lines, x, y and z `stride` numbers apart: (low, low), (high, low), (low, high), (high,
    /// high) in the two directions across the row. One pack may be read behind the last number.
    const double* points[4];
    double* sums[4];  ///< where the lines' products are added
    const HexahedronFrames* frames;
    const double* used;  ///< per box: one, or zero for those of the last pack that do not exist (nor have a frame)
    std::size_t boxes, stride;
};

struct HexahedronKernels
{
    using Forces = unsigned (*)(const HexahedronPack&, const HexahedronStiffness&, const double* x, double* out,
                                HexahedronFrames&);
    /// Forces of a pack at positions x (three scalars per point), by rotation method: writes out[lane][vertex][3] and
    /// the frames. Returns a bit for each lane whose frame the closed form does not give accurately: its results are
    /// to be computed by other means. `given` takes the frames instead of finding them.
    Forces given, large, polar;
    /// out[lane][vertex][3] = −factor Eᵀ K E dx
    void (*product)(const HexahedronPack&, const HexahedronStiffness&, const HexahedronFrames&, const double* dx,
                    double factor, double* out);
    /// The blocks −Eᵀ K_ij E of the pairs of vertices, as EdgeAssembly wants them with nine scalars; transposed in the
    /// lanes whose bit is set in transposed[pair].
    void (*blocks)(const HexahedronStiffness&, const HexahedronFrames&, const std::uint8_t* transposed, double* values);
    /// Adds factor Eᵀ K E dx of `count` packs of boxes to a window with four numbers for each point, 32-byte aligned.
    void (*boxProduct)(const BoxPack*, const HexahedronFrames*, std::size_t count, const double* stiffness,
                       double factor, const double* dx, double* window);
    /// sums += Eᵀ K E points for the boxes of a row along their first, second or third axis. The stiffness is as for
    /// boxProduct; behind it stands that of translations.
    void (*boxRow[3])(const BoxRow&, const double* stiffness);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const HexahedronKernels& hexahedronKernels();

}  // namespace sofa::core
