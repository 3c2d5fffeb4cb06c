// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/fem/kernels/IsotropicTangent.h"

/// Inner loops of core/fem/assembly/EdgeAssembly.h and core/fem/assembly/IsotropicRows.h, compiled once for
/// each instruction set, with the same bits. Plain C++ on arrays, for the reason given in
/// core/fem/kernels/TetrahedronKernels.h.
namespace sofa::core {

/// Block (i, j) of an element's stiffness matrix adds to the block of a pair of vertices.
struct PairContribution
{
    std::uint32_t element;
    std::uint16_t i, j;
};

/// Where a block of an element goes: the place of the sum, and a flag if it is the first one there, which is set and
/// not added. `pairNowhere` stands for a block of one vertex with itself.
inline constexpr std::uint32_t pairFirst = 1u << 31, pairIndex = pairFirst - 1, pairNowhere = pairIndex;

/// Sums of nine scalars: the first eight of sum p are a line of the cache, most + p · 8, which is loaded and stored at
/// once; the last one is others[p].
struct EdgeSums
{
    double *most, *others;
};

/// A term of a block: the local vertices i and j of the element at a place, of linear or of quadratic Bézier
/// tetrahedra. The last term of a block has the flag.
inline constexpr std::uint32_t lastIsotropicTerm = 1;
inline constexpr std::size_t isotropicTermsAhead =
    96;  ///< those of some sixteen linear elements, of two quadratic ones
inline constexpr std::uint32_t linearTermBits = 5, quadraticTermBits = 9;  ///< below those of the place
constexpr std::uint32_t isotropicTerm(std::uint32_t bits, std::uint32_t place, std::uint32_t i, std::uint32_t j)
{
    return place << bits | i << (bits + 1) / 2 | j << 1;
}

struct EdgeKernels
{
    /// For each of the first `count` lanes l: scalar k of the sum t += values[(pair · 9 + k) · 8 + l] for k <
    /// 9, with t the entry targets[l · pairs + pair]. There are at most 45 pairs. Targets of another eight lanes
    /// follow, whose sums are prefetched.
    void (*add)(const double* values, std::size_t pairs, const std::uint32_t* targets, std::size_t count,
                const EdgeSums& sums);
    /// Sets `count` blocks of −K, nine numbers each, whose terms follow each other. At least isotropicTermsAhead other
    /// terms stand behind them, whose tangents are prefetched.
    void (*sumLinear)(const IsotropicTangent* tangents, const std::uint32_t* terms, std::size_t count, double* out);
    /// The same for quadratic Bézier tetrahedra with a straight rest shape (core/fem/elements/BezierTetrahedra.h),
    /// where middles[place] has the bits of edges whose control point is in the middle of their ends.
    void (*sumQuadratic)(const IsotropicTangent* tangents, const std::uint8_t* middles, const std::uint32_t* terms,
                         std::size_t count, double* out);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const EdgeKernels& edgeKernels();

}  // namespace sofa::core
