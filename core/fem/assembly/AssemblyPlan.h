// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/fem/assembly/ElementReordering.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// The chunks of `count` where as many ranges as there are threads begin, and the end, such that each range is about as
/// long as the others, together with what its thread must do before it: the chunks from start(its first one) on.
std::vector<std::size_t> balancedRanges(std::size_t count, std::size_t threads,
                                        FunctionRef<std::size_t(std::size_t)> start);

/// A sweep over the elements of a mesh in packs of eight, by place, cut into chunks of packs and shared out to threads.
/// *Rows* are the ranks of vertices: a row is complete when no later element has its vertex.
class AssemblyPlan
{
public:
    static constexpr std::size_t width = 8;
    /// Packs of a chunk, of elements with n vertices: about 100 kB of their data.
    static constexpr std::size_t chunkPacks(std::size_t n) { return n <= 4 ? 32 : 8; }
    struct Chunk
    {
        std::size_t rowEnd;  ///< rows below are complete after it
        std::size_t start;   ///< first chunk that adds to the rows that this one completes
    };

    /// `elements` in the order of the mesh, n vertices each.
    void build(const Index* elements, std::size_t count, std::size_t n, std::size_t points,
               const ElementReordering& order);
    /// The same where only the elements at these places are others, or have vertices of other ranks.
    void update(const Index* elements, std::size_t count, std::size_t n, std::size_t points,
                const ElementReordering& order, const Vector<std::size_t>& places);

    const std::vector<Chunk>& chunks() const { return m_chunks; }
    std::size_t elementCount() const { return m_elementCount; }
    /// Packs [firstPack(c), firstPack(c + 1)) are those of chunk c.
    std::size_t firstPack(std::size_t chunk) const { return std::min(chunk * m_chunkPacks, m_packs); }
    /// The first element of chunk c, by place.
    std::size_t firstElement(std::size_t chunk) const { return std::min(chunk * m_chunkPacks * width, m_elementCount); }
    std::size_t firstRow(std::size_t chunk) const { return chunk > 0 ? m_chunks[chunk - 1].rowEnd : 0; }
    /// Rows that chunk c adds to at most.
    std::size_t lastRow(std::size_t chunk) const { return m_extents[chunk].last; }

    /// Another number with each build and update.
    std::uint64_t version() const { return m_version; }

    /// balancedRanges of the chunks.
    std::vector<std::size_t> ranges(std::size_t threads) const;

private:
    /// The rows that a chunk adds to.
    struct Extent
    {
        std::size_t first, last;
    };
    /// Sets the chunks from their extents.
    void finish(std::size_t points);

    std::size_t m_elementCount = 0, m_packs = 0, m_chunkPacks = 1;
    std::vector<Chunk> m_chunks;
    std::vector<Extent> m_extents;
    std::uint64_t m_version = 0;
};

}  // namespace sofa::core
