// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <utility>

#include "core/linalg/SymmetricPattern.h"

namespace sofa::core {

/// Blocks of pairs, or a window of them: of the nine scalars of pair p, row-major, the first eight are at
/// data + (p & mask) · stride and the last one, the corner, is at corners + (p & mask) · cornerStride. Apart from the
/// corner a block is one line of the cache.
struct PairBlocks
{
    const double *data, *corners;
    std::size_t stride = 9, cornerStride = 9;
    std::size_t mask = ~std::size_t{0};

    PairBlocks(const double* all, const double* last, std::size_t step, std::size_t cornerStep,
               std::size_t window = ~std::size_t{0})
        : data(all), corners(last), stride(step), cornerStride(cornerStep), mask(window)
    {
    }
    explicit PairBlocks(const Mat3* blocks)
        : data(reinterpret_cast<const double*>(blocks)), corners(reinterpret_cast<const double*>(blocks) + 8)
    {
        static_assert(sizeof(Mat3) == 9 * sizeof(double));
    }

    /// The first eight scalars.
    const double* operator[](std::size_t p) const { return data + (p & mask) * stride; }
    double corner(std::size_t p) const { return corners[(p & mask) * cornerStride]; }
    Mat3 at(std::size_t p) const
    {
        const double* b = (*this)[p];
        return Mat3::fromRows(Vec3{b[0], b[1], b[2]}, Vec3{b[3], b[4], b[5]}, Vec3{b[6], b[7], corner(p)});
    }
};

/// Pairs of points whose rows of blocks sum to zero, as those of the stiffness of elements do (a translation causes no
/// force): the block of a pair v < w is that of row v and column w, and a block on the diagonal is minus the sum of the
/// others in its row.
class SymmetricPairs
{
public:
    /// Each the lower point first, in any order if `vertices` says the point of each row, else sorted; without
    /// repetitions. Uses the memory that is there.
    void build(std::span<const std::pair<Index, Index>> pairs, Index points, const Vector<Index>& vertices = {});

    const SymmetricPattern& pattern() const { return m_pattern; }
    std::size_t count() const { return m_entries.size() / 2; }
    /// The least number of a pair that the point of a row has; count() if it has none.
    std::size_t leastPair(std::size_t row) const;

    /// Sets the blocks of rows (SymmetricSource::Rows): `blocks` has all pairs of their points.
    void rows(std::size_t first, std::size_t last, const PairBlocks& blocks, double* out) const;
    /// How many blocks rows() sets.
    std::size_t blocksOf(std::size_t first, std::size_t last) const
    {
        return last - first + m_higherStart[last] - m_higherStart[first];
    }

private:
    SymmetricPattern m_pattern;
    Vector<std::size_t> m_start;        ///< per row, into m_entries
    Vector<std::size_t> m_higherStart;  ///< per row, pairs with a higher point in those before
    /// All pairs of the point of a row, by the increasing other point: twice the pair, plus one if that is the lower.
    Vector<std::uint32_t> m_entries;
};

/// Blocks of pairs that are there already.
class StoredPairs final : public SymmetricSource
{
public:
    StoredPairs(const SymmetricPairs& pairs, const PairBlocks& blocks) : m_pairs(pairs), m_blocks(blocks) {}
    StoredPairs(const SymmetricPairs& pairs, const Mat3* blocks) : StoredPairs(pairs, PairBlocks(blocks)) {}
    void forEachRows(const Rows& rows) override;

private:
    const SymmetricPairs& m_pairs;
    PairBlocks m_blocks;
};

/// Hands rows over a few at a time, as they fit into the first level of the cache: `set(first, last, out)` sets the
/// blocks of some rows, `blocksOf(first, last)` says how many these are.
template <class BlocksOf, class Set>
void forEachRowsBuffered(std::size_t first, std::size_t last, const SymmetricSource::Rows& rows, BlocksOf&& blocksOf,
                         Set&& set)
{
    constexpr std::size_t some = 16;
    thread_local Vector<double> buffer;
    for (std::size_t begin = first; begin < last; begin += some) {
        const std::size_t end = std::min(begin + some, last), size = 9 * blocksOf(begin, end);
        if (buffer.size() < size) buffer.resize(size);
        set(begin, end, buffer.data());
        rows(begin, end, buffer.data());
    }
}

}  // namespace sofa::core
