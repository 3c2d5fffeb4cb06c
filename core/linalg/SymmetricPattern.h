// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/math/Mat.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// Structure of a symmetric matrix of 3 × 3 blocks whose rows of blocks sum to zero, as the stiffness of elements is: a
/// translation causes no force. One block is stored for each *pair* v < w of coupled points, the block of row v and
/// column w. The block of row w and column v is its transpose, and a diagonal block is minus the sum of the others in
/// its row.
struct SymmetricPattern
{
    struct Entry
    {
        std::uint32_t column;
        std::uint32_t pair;        ///< index of the stored block
        std::uint32_t transposed;  ///< 1 left of the diagonal
    };
    Vector<std::size_t> rowStart;  ///< per point, into `entries`; one more than points
    Vector<Entry> entries;         ///< off-diagonal blocks, row by row, increasing columns
    std::uint64_t id = 0;          ///< of the structure: two patterns with one id are equal. See newId

    std::size_t rows() const { return rowStart.empty() ? 0 : rowStart.size() - 1; }
    static std::uint64_t newId();
};

/// The diagonal block of row v. Row sums are symmetric in exact arithmetic only; the result is exactly.
inline Mat3 diagonalBlock(const SymmetricPattern& p, std::size_t v, const Mat3* pairs)
{
    Mat3 d;
    for (std::size_t k = p.rowStart[v]; k < p.rowStart[v + 1]; ++k) {
        const Mat3& b = pairs[p.entries[k].pair];
        d -= p.entries[k].transposed ? b.transposed() : b;
    }
    return (d + d.transposed()) * 0.5;
}

}  // namespace sofa::core
