// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <utility>

#include "core/linalg/SymmetricPattern.h"

namespace sofa::core {

/// Blocks of pairs: of the nine scalars of pair p, row-major, the first eight are at data + p · stride and the last
/// one, the corner, is at corners + p · cornerStride. Apart from the corner a block is one line of the cache.
struct PairBlocks
{
    const double *data, *corners;
    std::size_t stride = 9, cornerStride = 9;

    PairBlocks(const double* all, const double* last, std::size_t step, std::size_t cornerStep)
        : data(all), corners(last), stride(step), cornerStride(cornerStep)
    {
    }
    explicit PairBlocks(const Mat3* blocks)
        : data(reinterpret_cast<const double*>(blocks)), corners(reinterpret_cast<const double*>(blocks) + 8)
    {
        static_assert(sizeof(Mat3) == 9 * sizeof(double));
    }

    /// The first eight scalars.
    const double* operator[](std::size_t p) const { return data + p * stride; }
    double corner(std::size_t p) const { return corners[p * cornerStride]; }
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
    /// Entries this far behind those of a row may be read.
    static constexpr std::size_t ahead = 24;

    /// Each the lower point first, in any order if `vertices` says the point of each row, else sorted; without
    /// repetitions. Pairs are numbered as they come. Uses the memory that is there.
    void build(std::span<const std::pair<Index, Index>> pairs, Index points, const Vector<Index>& vertices = {});

    const SymmetricPattern& pattern() const { return m_pattern; }
    std::size_t count() const { return m_entries.count() / 2; }

    /// Sets the blocks of rows (SymmetricSource::Rows): `blocks` has all pairs of their points.
    void rows(std::size_t first, std::size_t last, const PairBlocks& blocks, double* out) const;
    /// How many blocks rows() sets.
    std::size_t blocksOf(std::size_t first, std::size_t last) const
    {
        std::size_t n = last - first;
        for (std::size_t r = first; r < last; ++r) n += m_pattern.columns[m_pattern.vertexAt(r)].size();
        return n;
    }

    /// Per row, all pairs of its point, by the increasing other point: twice the number of the pair, plus one if the
    /// other point is the lower.
    using Entries = PiecewiseRows<std::uint32_t, ahead>;
    const Entries& entries() const { return m_entries; }
    /// For those who number pairs in their own way, and change some: both must stay those of the same pairs.
    Entries& entries() { return m_entries; }
    SymmetricPattern& pattern() { return m_pattern; }

private:
    SymmetricPattern m_pattern;
    Entries m_entries;
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
