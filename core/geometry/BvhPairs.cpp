// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/BvhPairs.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sofa::core::geometry {

namespace {

constexpr std::size_t frontierSize = 512;  // pairs of nodes to start from in parallel, at least
constexpr std::size_t chunkCount = 64;     // chunks of the frontier, each with a buffer of its own
constexpr std::size_t bucketCount = 256;   // ranges of first indices into which pairs are sorted first
constexpr std::size_t fewPairs = 512;      // sorted by comparison

std::uint32_t firstOf(std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); }
IndexPair unpacked(std::uint64_t pair) { return {firstOf(pair), static_cast<Index>(pair)}; }

/// Pairs in memory of their own. Does not move: the kernels know it by address.
struct PairBuffer : BvhPairSink
{
    Vector<std::uint64_t> memory;

    PairBuffer()
    {
        grow = [](BvhPairSink& sink, std::size_t least) {
            auto& self = static_cast<PairBuffer&>(sink);
            self.memory.resize(std::bit_ceil(std::max<std::size_t>(least, 256)));
            self.data = self.memory.data();
            self.capacity = self.memory.size();
        };
    }
    PairBuffer(const PairBuffer&) = delete;
    PairBuffer& operator=(const PairBuffer&) = delete;
    ~PairBuffer() = default;
};

}  // namespace

struct BvhPairs::Buffers
{
    std::array<PairBuffer, chunkCount + 1> found;  // the last one: what was found on the way to the frontier
    std::array<PairBuffer, 2> frontier;
    std::array<std::array<std::size_t, bucketCount>, chunkCount + 1> cursor;
    std::array<std::size_t, bucketCount + 1> bucketStart;
    Vector<std::uint64_t> bucketed;
    Vector<std::uint32_t> rowCursor;
    Vector<IndexPair> pairs;
};

struct BvhPairs::Search
{
    const BvhKernels& kernels;
    const Bvh &a, &b;
    double distance;
    bool self;

    void operator()(std::uint64_t item, BvhPairSink& found, BvhPairSink* deferred) const
    {
        if (self)
            kernels.selfPairs(a.nodes().data(), item, distance, found, deferred);
        else
            kernels.pairs(a.nodes().data(), b.nodes().data(), item, distance, found, deferred);
    }
};

BvhPairs::BvhPairs() : m_buffers(std::make_unique<Buffers>()) {}
BvhPairs::~BvhPairs() = default;
BvhPairs::BvhPairs(BvhPairs&&) noexcept = default;
BvhPairs& BvhPairs::operator=(BvhPairs&&) noexcept = default;

std::span<const IndexPair> BvhPairs::between(const Bvh& a, const Bvh& b, double distance)
{
    return find({bvhKernels(), a, b, distance, false}, nullptr);
}
std::span<const IndexPair> BvhPairs::between(const Bvh& a, const Bvh& b, double distance, Filter keep)
{
    return find({bvhKernels(), a, b, distance, false}, &keep);
}
std::span<const IndexPair> BvhPairs::within(const Bvh& a, double distance)
{
    return find({bvhKernels(), a, a, distance, true}, nullptr);
}
std::span<const IndexPair> BvhPairs::within(const Bvh& a, double distance, Filter keep)
{
    return find({bvhKernels(), a, a, distance, true}, &keep);
}

std::span<const IndexPair> BvhPairs::find(const Search& search, const Filter* keep)
{
    if (search.a.nodes().empty() || search.b.nodes().empty()) return {};
    Buffers& w = *m_buffers;
    for (PairBuffer& f : w.found) f.size = 0;

    // A pair of nodes on each thread's plate first: the tree is descended level by level until there are enough. What
    // the pairs are cut into has no influence on the sorted result, so that one thread starts at the root at once.
    PairBuffer *frontier = &w.frontier[0], *next = &w.frontier[1];
    frontier->size = 0;
    if (frontier->capacity == 0) frontier->grow(*frontier, 1);
    frontier->data[frontier->size++] = 0;
    if (threadCount() > 1)
        while (frontier->size > 0 && frontier->size < frontierSize) {
            next->size = 0;
            for (std::size_t k = 0; k < frontier->size; ++k) search(frontier->data[k], w.found[chunkCount], next);
            std::swap(frontier, next);
        }
    const std::size_t items = frontier->size;
    const std::size_t perChunk = std::max<std::size_t>(1, (items + chunkCount - 1) / chunkCount);
    const auto filter = [keep](PairBuffer& found) {
        if (!keep) return;
        std::uint64_t* const end = std::remove_if(found.data, found.data + found.size, [keep](std::uint64_t p) {
            const IndexPair pair = unpacked(p);
            return !(*keep)(pair.first, pair.second);
        });
        found.size = static_cast<std::size_t>(end - found.data);
    };
    parallelFor(0, items, perChunk, [&](std::size_t first, std::size_t last) {
        PairBuffer& found = w.found[first / perChunk];
        for (std::size_t k = first; k < last; ++k) search(frontier->data[k], found, nullptr);
        filter(found);
    });
    filter(w.found[chunkCount]);
    return sorted(chunkCount + 1, search.a.size());
}

/// Into buckets of consecutive first indices, which fit into the cache; then by first index within each bucket; then
/// the few pairs of each first index by comparison.
std::span<const IndexPair> BvhPairs::sorted(std::size_t chunks, std::size_t rows)
{
    Buffers& w = *m_buffers;
    std::size_t total = 0;
    for (const PairBuffer& f : w.found) total += f.size;
    w.pairs.resize(total);
    if (total <= fewPairs) {
        std::size_t k = 0;
        for (const PairBuffer& f : w.found)
            for (std::size_t i = 0; i < f.size; ++i) w.pairs[k++] = unpacked(f.data[i]);
        std::sort(w.pairs.begin(), w.pairs.end());
        return {w.pairs.data(), total};
    }

    // Of these there may be one only: whoever starts at the root fills one chunk.
    std::array<std::size_t, chunkCount + 1> filled;
    std::size_t filledCount = 0;
    for (std::size_t c = 0; c < chunks; ++c)
        if (w.found[c].size > 0) filled[filledCount++] = c;
    unsigned shift = 0;
    while (((rows - 1) >> shift) >= bucketCount) ++shift;
    w.bucketed.resize(total);
    parallelFor(0, filledCount, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
            const std::size_t c = filled[k];
            w.cursor[c].fill(0);
            for (std::size_t i = 0; i < w.found[c].size; ++i) ++w.cursor[c][firstOf(w.found[c].data[i]) >> shift];
        }
    });
    std::size_t position = 0;
    for (std::size_t bucket = 0; bucket < bucketCount; ++bucket) {
        w.bucketStart[bucket] = position;
        for (std::size_t k = 0; k < filledCount; ++k) {
            const std::size_t c = filled[k], count = w.cursor[c][bucket];
            w.cursor[c][bucket] = position;
            position += count;
        }
    }
    w.bucketStart[bucketCount] = position;
    parallelFor(0, filledCount, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) {
            const std::size_t c = filled[k];
            for (std::size_t i = 0; i < w.found[c].size; ++i) {
                const std::uint64_t pair = w.found[c].data[i];
                w.bucketed[w.cursor[c][firstOf(pair) >> shift]++] = pair;
            }
        }
    });

    const std::size_t rowsPerBucket = std::size_t{1} << shift;
    w.rowCursor.resize(bucketCount * rowsPerBucket);
    parallelFor(0, bucketCount, 4, [&](std::size_t first, std::size_t last) {
        for (std::size_t bucket = first; bucket < last; ++bucket) {
            const std::size_t begin = w.bucketStart[bucket], end = w.bucketStart[bucket + 1];
            if (begin == end) continue;
            std::uint32_t* const cursor = w.rowCursor.data() + bucket * rowsPerBucket;
            const auto row = [&](std::uint64_t pair) { return firstOf(pair) & (rowsPerBucket - 1); };
            std::fill(cursor, cursor + rowsPerBucket, 0u);
            for (std::size_t i = begin; i < end; ++i) ++cursor[row(w.bucketed[i])];
            std::uint32_t sum = 0;
            for (std::size_t r = 0; r < rowsPerBucket; ++r) {
                const std::uint32_t count = cursor[r];
                cursor[r] = sum;
                sum += count;
            }
            for (std::size_t i = begin; i < end; ++i)
                w.pairs[begin + cursor[row(w.bucketed[i])]++] = unpacked(w.bucketed[i]);
            std::size_t from = begin;
            for (std::size_t r = 0; r < rowsPerBucket; ++r) {
                const std::size_t to = begin + cursor[r];
                std::sort(w.pairs.begin() + static_cast<std::ptrdiff_t>(from),
                          w.pairs.begin() + static_cast<std::ptrdiff_t>(to),
                          [](const IndexPair& a, const IndexPair& b) { return a.second < b.second; });
                from = to;
            }
        }
    });
    return {w.pairs.data(), total};
}

}  // namespace sofa::core::geometry
