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

/// Lane by lane, so that the sums are in the order of the elements also where two elements of a pack meet.
template <int K, int MostPairs>
SOFA_PACK void addBlocksOf(const double* values, int pairs, const std::uint32_t* targets, int count, double* sums,
                           std::size_t mask)
{
    // Sums of the next pack are on their way while this one is added: those of the last vertices, which are the ones
    // that have not been used for long.
    for (int l = 8; l < 16; ++l)
        for (int k = pairs / 2; k < pairs; ++k)
            __builtin_prefetch(sums + (targets[l * pairs + k] & pairIndex & mask) * K, 1);
    alignas(64) double rows[8 * MostPairs * 8];  // [lane][pair][first eight values]
    for (int k = 0; k < pairs; ++k) transposeLanes(values + 8 * K * k, rows + 8 * k, 8 * MostPairs);
    for (int l = 0; l < count; ++l, targets += pairs)
        for (int k = 0; k < pairs; ++k) {
            const std::uint32_t pair = targets[k] & pairIndex;
            if (pair == pairNowhere) continue;
            double* to = sums + (pair & mask) * K;
            const double *from = rows + 8 * (l * MostPairs + k), *rest = values + 8 * (K * k + 8) + l;
            // 0 for the first one, which is set, else all bits.
            const long long keep = ~(long long)((int)targets[k] >> 31);
            const PackMask kept = PackMask{} + keep;
            for (int i = 0; i < 8; i += packLanes)
                storeLoose(to + i, Real((PackValues)((PackMask)loadLoose(to + i).v & kept)) + load(from + i));
            if constexpr (K == 10) {
                typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));
                typedef long long TwoMask __attribute__((vector_size(16)));
                Two& sum = *reinterpret_cast<Two*>(to + 8);
                sum = (Two)((TwoMask)sum & (TwoMask{} + keep)) + Two{rest[0], rest[8]};
            } else {
                to[8] = (keep ? to[8] : 0.) + rest[0];
            }
        }
}

template <int K>
void addBlocks(const double* values, std::size_t pairs, const std::uint32_t* targets, std::size_t count, double* sums,
               std::size_t mask)
{
    if (pairs == 6)
        addBlocksOf<K, 6>(values, 6, targets, (int)count, sums, mask);
    else
        addBlocksOf<K, 28>(values, (int)pairs, targets, (int)count, sums, mask);
}

void finish10(double* sums, std::size_t mask, std::size_t first, std::size_t last)
{
    constexpr double delta[8] = {1., 0., 0., 0., 1., 0., 0., 0.};
    for (std::size_t p = first; p < last; ++p) {
        double* s = sums + (p & mask) * 10;
        const double diagonal = s[9];
        for (int k = 0; k < 8; k += packLanes)
            storeLoose(s + k, -loadLoose(s + k) - loadLoose(delta + k) * Real(diagonal));
        s[8] = -s[8] - diagonal;
    }
}

}  // namespace

extern const PairKernels SOFA_PAIR_KERNELS;
const PairKernels SOFA_PAIR_KERNELS{addBlocks<9>, addBlocks<10>, finish10};

}  // namespace sofa::core
// NOLINTEND(misc-definitions-in-headers)
