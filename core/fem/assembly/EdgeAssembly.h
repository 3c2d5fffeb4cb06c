// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <utility>

#include "core/fem/assembly/ElementReordering.h"
#include "core/fem/kernels/EdgeKernels.h"
#include "core/linalg/SymmetricPairs.h"

namespace sofa::core {

/// Sums the stiffness blocks of elements into those of pairs of vertices, in one sweep over the elements that hands
/// rows over as soon as they are complete.
///
/// Elements come in packs of eight, in the order of their places (ElementReordering). The blocks of a pack are added to
/// the sums of their pairs at once, in this order. The sweep is cut into chunks of packs: a chunk completes the rows
/// whose last element it has. A sum is in use from the first element of its pair until both rows are complete, and
/// pairs that are not in use at the same time share a *slot*: if the order is good these are few, and stay in the
/// cache. Any other order gives its sums too, with as many slots as it needs.
///
/// After a change only the pairs around the changed elements are made anew; they get slots of their own.
///
/// Several threads sweep over ranges of chunks, each with slots of its own. Elements around the rows at the border of
/// two ranges are computed by both, so that results do not depend on the number of threads.
class EdgeAssembly
{
public:
    /// `values` of a pack: for each pair of local vertices 01 02 .. 12 .. the nine values, with eight lanes each, of
    /// the block of the smaller and the larger vertex.
    using PackValues = FunctionRef<void(std::size_t pack, double* values)>;

    void build(const ElementConnectivity& mesh);
    /// Makes the rows of these vertices anew, which are in increasing order: their elements have changed or got other
    /// places; all that are new or have another rank are among them.
    void update(const ElementConnectivity& mesh, Vector<Index> vertices);

    /// Rows are those of the ranks.
    const SymmetricPattern& pattern() const { return m_pairs.pattern(); }
    /// For each pair of local vertices i < j of the eight elements of a pack, a bit for each lane where vertex i of the
    /// mesh is the larger one.
    const std::uint8_t* transposed(std::size_t pack) const { return &m_transposed[pack * m_elementPairs]; }

    /// SymmetricSource of the sums of what `values` gives; it refers to both.
    class Source final : public SymmetricSource
    {
    public:
        Source(const EdgeAssembly& sums, PackValues values) : m_sums(sums), m_values(values) {}
        void forEachRows(const Rows& rows) override;

    private:
        void sweep(std::size_t begin, std::size_t end, double* memory, const Rows& rows) const;

        const EdgeAssembly& m_sums;
        PackValues m_values;
    };

private:
    /// A pair around which something has changed.
    struct ChangedPair
    {
        Index lower, higher;
        std::uint32_t slot;
        std::size_t first;  ///< where it comes first in the targets

        std::pair<Index, Index> key() const { return {lower, higher}; }
    };

    std::size_t chunkOf(std::size_t place) const { return place / m_chunkSize; }
    std::size_t pairOf(std::size_t i, std::size_t j) const;
    /// Resizes what there is for each place.
    void resize(const ElementConnectivity& mesh);
    void setTransposed(const ElementConnectivity& mesh, std::size_t place);
    /// Sets m_neighbours, increasing.
    void findNeighbours(const ElementConnectivity& mesh, Index v);
    /// The chunks that a row needs, and the row among those that its last chunk completes.
    void planRows(const ElementConnectivity& mesh);
    void updateRows(const ElementConnectivity& mesh, const Vector<Index>& vertices, std::size_t rowsBefore);
    /// Gives pairs slots instead of their numbers.
    void assignSlots();
    /// One that is free, or a new one.
    std::uint32_t takeSlot();
    void updatePairs(const ElementConnectivity& mesh, const Vector<Index>& vertices, Vector<ChangedPair>& pairs);
    /// Sums that belong to rows which are made anew are free.
    void releaseSlots(const ElementConnectivity& mesh, const Vector<Index>& vertices);
    /// Ranges of chunks for the threads, and for each chunk the one where a range that begins with it must start.
    void planRanges() const;

    std::size_t m_vertices = 0, m_elementPairs = 0, m_elementCount = 0;
    std::size_t m_chunkSize = 1;        ///< places, whole packs
    SymmetricPairs m_pairs;             ///< their numbers are slots
    Vector<std::uint32_t> m_targets;    ///< per place and pair: the slot and pairFirst
    Vector<std::uint8_t> m_transposed;  ///< per pack and pair

    std::size_t m_sharedSlots = 0, m_slotCount = 0;  ///< those behind the shared ones belong to one pair each
    Vector<std::uint32_t> m_freeSlots;               ///< of these

    struct Span
    {
        std::uint32_t first, last;
    };
    Vector<Span> m_spans;                   ///< per row, the chunks with its elements
    PiecewiseRows<std::uint32_t> m_rowsOf;  ///< per chunk, the rows that it completes, increasing

    mutable std::vector<std::size_t> m_ranges;  ///< chunks where the threads begin, and the end
    mutable Vector<std::size_t> m_starts;
    mutable unsigned m_threads = 0;  ///< that the ranges are for
    mutable Vector<double> m_memory;

    // Of one vertex.
    Vector<Index> m_neighbours, m_neighbourOf;  ///< m_neighbourOf[w] = v: w is there already
};

}  // namespace sofa::core
