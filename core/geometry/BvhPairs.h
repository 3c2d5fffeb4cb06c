// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>

#include "core/geometry/Bvh.h"

namespace sofa::core::geometry {

/// Two primitives by their indices.
struct IndexPair
{
    Index first = 0, second = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the generated comparison with 0 for a pointer
    friend constexpr auto operator<=>(const IndexPair&, const IndexPair&) = default;
};

/// Finds the pairs of primitives whose boxes overlap within a distance (Aabb::overlaps), by descending two hierarchies
/// at once. Results are sorted by first, then second index, without duplicates: the same for any number of threads, any
/// order in which the trees were built, and any tree over the same boxes. An object keeps its buffers, so that queries
/// of the same size do not allocate; results are valid until its next query. One object serves one thread at a time.
class BvhPairs
{
public:
    /// Which pairs to keep, for exclusions such as neighbours in a mesh; called from several threads.
    using Filter = FunctionRef<bool(Index, Index)>;

    BvhPairs();
    ~BvhPairs();
    BvhPairs(BvhPairs&&) noexcept;
    BvhPairs& operator=(BvhPairs&&) noexcept;

    /// Pairs of a primitive of `a` with one of `b`.
    std::span<const IndexPair> between(const Bvh& a, const Bvh& b, double distance = 0.);
    std::span<const IndexPair> between(const Bvh& a, const Bvh& b, double distance, Filter keep);
    /// Pairs i < j of different primitives of one hierarchy, each once.
    std::span<const IndexPair> within(const Bvh& a, double distance = 0.);
    std::span<const IndexPair> within(const Bvh& a, double distance, Filter keep);

private:
    struct Search;
    struct Buffers;
    std::span<const IndexPair> find(const Search& search, const Filter* keep);
    std::span<const IndexPair> sorted(std::size_t chunks, std::size_t rows);

    std::unique_ptr<Buffers> m_buffers;
};

}  // namespace sofa::core::geometry
