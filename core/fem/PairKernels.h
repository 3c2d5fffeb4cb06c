// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>
#include <cstdint>

/// Inner loops of core/fem/PairSums.h, compiled once for each instruction set, with the same bits. Plain C++ on arrays,
/// for the reason given in core/fem/TetrahedronKernels.h.
namespace sofa::core {

/// Where a block of an element goes: the index of the pair, and a flag if it is the first one there, which is set and
/// not added. `pairNowhere` stands for a block of one vertex with itself.
inline constexpr std::uint32_t pairFirst = 1u << 31, pairIndex = pairFirst - 1, pairNowhere = pairIndex;

/// Sums of K scalars: the first eight of sum p are a line of the cache, most + (p & mask) · 8, which is loaded and
/// stored at once; the K − 8 others are at others + (p & mask) · (K − 8).
struct PairSumWindow
{
    double *most, *others;
    std::size_t mask;
};

struct PairKernels
{
    /// For each of the first `count` lanes l: scalar k of the sum (t & mask) += values[(pair · K + k) · 8 + l] for k <
    /// K, with t the entry targets[l · pairs + pair]. K is 9 or 10; there are at most 28 pairs. Targets of another
    /// eight lanes follow, whose sums are prefetched.
    void (*add9)(const double* values, std::size_t pairs, const std::uint32_t* targets, std::size_t count,
                 const PairSumWindow& sums);
    void (*add10)(const double* values, std::size_t pairs, const std::uint32_t* targets, std::size_t count,
                  const PairSumWindow& sums);
    /// Sums of ten become blocks: s_k = −s_k − s_9 δ, where δ is 1 on the diagonal of the block, for the pairs [first,
    /// last).
    void (*finish10)(const PairSumWindow& sums, std::size_t first, std::size_t last);
};

/// The kernels for the instruction set in use (see core/parallel/SimdLevel.h).
const PairKernels& pairKernels();

}  // namespace sofa::core
