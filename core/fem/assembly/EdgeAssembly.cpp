// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/EdgeAssembly.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/math/Reuse.h"

namespace sofa::core {

namespace {

constexpr std::size_t width = AssemblyPlan::width;
constexpr std::size_t mostVertices = 10;

}  // namespace

void EdgeAssembly::build(const SymmetricPairs& pairs, const Vector<std::size_t>& start,
                         const Vector<PairContribution>& contributions, std::size_t vertices,
                         const ElementReordering& order, const AssemblyPlan& plan)
{
    m_plan = plan;
    m_elementPairs = vertices * (vertices - 1) / 2;
    const std::size_t pairCount = pairs.count();
    const std::size_t packs = (plan.elementCount() + width - 1) / width;
    makeRoom(m_targets, (packs + 1) * width * m_elementPairs);
    m_targets.resize((packs + 1) * width * m_elementPairs, pairNowhere);  // kernels look at those of the next pack
    m_transposed.assign(packs * m_elementPairs, 0);
    for (std::size_t p = 0; p < pairCount; ++p) {
        std::uint32_t* first = nullptr;
        for (std::size_t k = start[p]; k < start[p + 1]; ++k) {
            const PairContribution& c = contributions[k];
            const std::size_t i = std::min(c.i, c.j), j = std::max(c.i, c.j), place = order.placeOf(c.element);
            const std::size_t pair = i * (2 * vertices - i - 1) / 2 + j - i - 1;
            std::uint32_t* const target = &m_targets[place * m_elementPairs + pair];
            *target = static_cast<std::uint32_t>(p);
            if (!first || target < first) first = target;
            if (c.i > c.j)
                m_transposed[place / width * m_elementPairs + pair] |= static_cast<std::uint8_t>(1u << place % width);
        }
        *first |= pairFirst;
    }

    const std::vector<AssemblyPlan::Chunk>& chunks = plan.chunks();
    std::vector<std::size_t> lowest(chunks.size() + 1, pairCount), highest(chunks.size() + 1, 0);
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        if (c > 0) highest[c] = highest[c - 1];
        for (std::size_t k = plan.firstElement(c) * m_elementPairs; k < plan.firstElement(c + 1) * m_elementPairs;
             ++k) {
            const std::size_t pair = m_targets[k] & pairIndex;
            if (pair == pairNowhere) continue;
            lowest[c] = std::min(lowest[c], pair);
            highest[c] = std::max(highest[c], pair);
        }
        for (std::size_t r = plan.firstRow(c); r < chunks[c].rowEnd; ++r)
            lowest[c] = std::min(lowest[c], pairs.leastPair(r));
    }
    std::size_t window = 1;
    for (std::size_t c = chunks.size(); c-- > 0;) {
        lowest[c] = std::min(lowest[c], lowest[c + 1]);
        if (highest[c] >= lowest[c]) window = std::max(window, highest[c] - lowest[c] + 1);
    }
    m_frontSize = std::bit_ceil(std::max<std::size_t>(window, 8));  // whole lines of the cache, with their corners
    m_threads = 0;
}

void EdgeAssembly::Source::sweep(std::size_t begin, std::size_t end, const EdgeSumWindow& sums, const Rows& rows) const
{
    const EdgeKernels& kernels = edgeKernels();
    const EdgeAssembly& s = m_sums;
    const AssemblyPlan& plan = s.m_plan;
    alignas(64) std::array<double, mostVertices*(mostVertices - 1) / 2 * 9 * width> values;
    for (std::size_t c = plan.chunks()[begin].start; c < end; ++c) {
        for (std::size_t p = plan.firstPack(c); p < plan.firstPack(c + 1); ++p) {
            m_values(p, values.data());
            kernels.add(values.data(), s.m_elementPairs, &s.m_targets[p * width * s.m_elementPairs],
                        std::min(width, plan.elementCount() - p * width), sums);
        }
        if (c < begin) continue;
        const PairBlocks blocks(sums.most, sums.others, 8, 1, sums.mask);
        forEachRowsBuffered(
            plan.firstRow(c), plan.chunks()[c].rowEnd, rows,
            [&](std::size_t first, std::size_t last) { return m_pairs.blocksOf(first, last); },
            [&](std::size_t first, std::size_t last, double* out) { m_pairs.rows(first, last, blocks, out); });
    }
}

void EdgeAssembly::Source::forEachRows(const Rows& rows)
{
    const EdgeAssembly& s = m_sums;
    if (s.m_plan.chunks().empty()) {
        StoredPairs none(m_pairs, PairBlocks(nullptr, nullptr, 8, 1));
        return none.forEachRows(rows);
    }
    if (s.m_threads != threadCount()) {
        s.m_threads = threadCount();
        s.m_ranges = s.m_plan.ranges(s.m_threads);
    }
    const std::size_t ranges = s.m_ranges.size() - 1, front = s.m_frontSize * 9;
    if (s.m_fronts.size() < ranges * front) s.m_fronts.resize(ranges * front);
    parallelFor(0, ranges, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r)
            sweep(s.m_ranges[r], s.m_ranges[r + 1],
                  edgeSumWindow(&s.m_fronts[r * front], s.m_frontSize, s.m_frontSize - 1), rows);
    });
}

}  // namespace sofa::core
