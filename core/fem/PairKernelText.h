// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// The text of the kernels of core/fem/PairKernels.h: included once by the file of each instruction set, which names the
// table that it defines in SOFA_PAIR_KERNELS. Everything else has internal linkage.
#pragma once

#include "core/fem/PackText.h"
#include "core/fem/PairKernels.h"

// NOLINTBEGIN(misc-definitions-in-headers)
namespace sofa::core {

namespace {

/// Lane by lane, so that the sums are in the order of the elements also where two elements of a pack meet. Pair by pair
/// would save the way of the rows through memory, but neighbours have the same sums there, and each addition would wait
/// for the one before.
template <int K, int MostPairs>
SOFA_PACK void addBlocksOf(const double* values, int pairs, const std::uint32_t* targets, int count,
                           const PairSumWindow& sums)
{
    const std::size_t mask = sums.mask;
    // Sums of the next pack are on their way while this one is added.
    for (int k = 8 * pairs; k < 16 * pairs; ++k) __builtin_prefetch(sums.most + (targets[k] & pairIndex & mask) * 8, 1);
    alignas(64) double rows[8 * MostPairs * 8];  // [lane][pair][first eight values]
    for (int k = 0; k < pairs; ++k)
        for (int group = 0; group < 8; group += packLanes)
            for (int row = 0; row < 8; row += packLanes) {
                PackValues columns[packLanes];
                transposeSquare(values + 8 * K * k, row, group, columns);
                for (int l = 0; l < packLanes; ++l) store(rows + 8 * ((group + l) * MostPairs + k) + row, columns[l]);
            }
    for (int l = 0; l < count; ++l, targets += pairs)
        for (int k = 0; k < pairs; ++k) {
            const std::uint32_t pair = targets[k] & pairIndex;
            if (pair == pairNowhere) continue;
            double *to = sums.most + (pair & mask) * 8, *others = sums.others + (pair & mask) * (K - 8);
            const double *from = rows + 8 * (l * MostPairs + k), *rest = values + 8 * (K * k + 8) + l;
            // 0 for the first one, which is set, else all bits.
            const long long keep = ~(long long)((int)targets[k] >> 31);
            const PackMask kept = PackMask{} + keep;
            for (int i = 0; i < 8; i += packLanes)
                store(to + i, Real((PackValues)((PackMask)load(to + i).v & kept)) + load(from + i));
            if constexpr (K == 10) {
                typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
                typedef long long TwoMask __attribute__((vector_size(16)));
                Two& sum = *reinterpret_cast<Two*>(others);
                sum = (Two)((TwoMask)sum & (TwoMask{} + keep)) + Two{rest[0], rest[8]};
            } else {
                *others = (keep ? *others : 0.) + rest[0];
            }
        }
}

template <int K>
void addBlocks(const double* values, std::size_t pairs, const std::uint32_t* targets, std::size_t count,
               const PairSumWindow& sums)
{
    if (pairs == 6)
        addBlocksOf<K, 6>(values, 6, targets, (int)count, sums);
    else
        addBlocksOf<K, 28>(values, (int)pairs, targets, (int)count, sums);
}

void finish10(const PairSumWindow& sums, std::size_t first, std::size_t last)
{
    alignas(64) constexpr double delta[8] = {1., 0., 0., 0., 1., 0., 0., 0.};
    for (std::size_t p = first; p < last; ++p) {
        double *s = sums.most + (p & sums.mask) * 8, *others = sums.others + (p & sums.mask) * 2;
        const double diagonal = others[1];
        for (int k = 0; k < 8; k += packLanes) store(s + k, -load(s + k) - load(delta + k) * Real(diagonal));
        others[0] = -others[0] - diagonal;
    }
}

}  // namespace

extern const PairKernels SOFA_PAIR_KERNELS;
const PairKernels SOFA_PAIR_KERNELS{addBlocks<9>, addBlocks<10>, finish10};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
