// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/math/Mat.h"
#include "core/math/Vector.h"
#include "core/parallel/Parallel.h"

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

/// The stored blocks of a SymmetricPattern, or a window of them: of the nine scalars of pair p, row-major, the first
/// eight are at data + (p & mask) · stride and the last one, the corner, is at corners + (p & mask) · cornerStride.
/// Apart from the corner a block is one line of the cache.
struct PairBlocks
{
    const double *data, *corners;
    std::size_t stride = 9, cornerStride = 9;
    std::size_t mask = ~std::size_t{0};

    /// The first eight scalars.
    const double* operator[](std::size_t p) const { return data + (p & mask) * stride; }
    double corner(std::size_t p) const { return corners[(p & mask) * cornerStride]; }
    Mat3 at(std::size_t p) const
    {
        const double* b = (*this)[p];
        return Mat3::fromRows(Vec3{b[0], b[1], b[2]}, Vec3{b[3], b[4], b[5]}, Vec3{b[6], b[7], corner(p)});
    }
};

/// Some rows of a matrix: `rows` at [first, last), or without such a list the rows first .. last − 1 themselves.
struct RowList
{
    std::size_t first, last;
    const std::uint32_t* rows = nullptr;

    std::size_t operator[](std::size_t k) const { return rows ? rows[k] : k; }
};

/// Gives the blocks of the pairs of a SymmetricPattern. Who adds them to a matrix may take them as they are produced,
/// so that they need not go through the main memory.
class SymmetricSource
{
public:
    using Rows = FunctionRef<void(const RowList&, const PairBlocks&)>;

    virtual ~SymmetricSource() = default;
    /// Calls `rows` for lists that have each row once, in any order and from several threads. The blocks of all entries
    /// of these rows are valid during the call.
    virtual void forEachRows(const Rows& rows) = 0;
    /// All blocks; valid until the next call.
    virtual PairBlocks all() = 0;
};

/// Blocks that are there already.
class StoredPairs final : public SymmetricSource
{
public:
    StoredPairs(std::size_t rows, const PairBlocks& blocks) : m_rows(rows), m_blocks(blocks) {}
    StoredPairs(const SymmetricPattern& pattern, const PairBlocks& blocks) : StoredPairs(pattern.rows(), blocks) {}
    StoredPairs(const SymmetricPattern& pattern, const Mat3* pairs)
        : StoredPairs(pattern, {reinterpret_cast<const double*>(pairs), reinterpret_cast<const double*>(pairs) + 8})
    {
        static_assert(sizeof(Mat3) == 9 * sizeof(double));
    }
    void forEachRows(const Rows& rows) override
    {
        parallelFor(0, m_rows, 1024, [&](std::size_t first, std::size_t last) { rows({first, last}, m_blocks); });
    }
    PairBlocks all() override { return m_blocks; }

private:
    std::size_t m_rows;
    PairBlocks m_blocks;
};

/// The diagonal block of row v. Row sums are symmetric in exact arithmetic only; the result is exactly.
inline Mat3 diagonalBlock(const SymmetricPattern& p, std::size_t v, const PairBlocks& pairs)
{
    Mat3 d;
    for (std::size_t k = p.rowStart[v]; k < p.rowStart[v + 1]; ++k) {
        const Mat3 b = pairs.at(p.entries[k].pair);
        d -= p.entries[k].transposed ? b.transposed() : b;
    }
    return (d + d.transposed()) * 0.5;
}

}  // namespace sofa::core
