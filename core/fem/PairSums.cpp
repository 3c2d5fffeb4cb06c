// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/PairSums.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sofa::core {

namespace {

constexpr std::size_t width = packWidth;
constexpr std::size_t mostVertices = 8;

}  // namespace

void PairSums::build(const SymmetricPattern& pattern, const Vector<std::size_t>& start,
                     const Vector<PairContribution>& contributions, const std::uint32_t* elements,
                     std::size_t elementCount, std::size_t vertices)
{
    m_elementCount = elementCount;
    m_elementPairs = vertices * (vertices - 1) / 2;
    m_pairCount = start.size() - 1;
    const std::size_t packs = (elementCount + width - 1) / width;
    m_targets.assign((packs + 1) * width * m_elementPairs, pairNowhere);  // kernels look at those of the next pack
    m_turned.assign(packs * m_elementPairs, 0);
    for (std::size_t p = 0; p < m_pairCount; ++p)
        for (std::size_t k = start[p]; k < start[p + 1]; ++k) {
            const PairContribution& c = contributions[k];
            const std::size_t i = std::min(c.i, c.j), j = std::max(c.i, c.j);
            const std::size_t pair = i * (2 * vertices - i - 1) / 2 + j - i - 1;
            m_targets[c.element * m_elementPairs + pair] =
                static_cast<std::uint32_t>(p) | (k == start[p] ? pairFirst : 0u);
            if (c.i > c.j)
                m_turned[c.element / width * m_elementPairs + pair] |=
                    static_cast<std::uint8_t>(1u << c.element % width);
        }

    // About 100 kB of element data at a time.
    m_chunkPacks = vertices <= 4 ? 32 : 8;
    const std::size_t chunkCount = (packs + m_chunkPacks - 1) / m_chunkPacks;
    m_chunks.assign(chunkCount, {});
    std::vector<std::size_t> lowest(chunkCount + 1, m_pairCount), highest(chunkCount + 1, 0);
    std::vector<std::size_t> lastVertex(chunkCount, 0);
    const auto endOf = [&](std::size_t c) { return std::min((c + 1) * m_chunkPacks * width, elementCount); };
    // Backwards: rows below the smallest vertex of the later elements are complete.
    std::size_t smallest = pattern.rows();
    for (std::size_t c = chunkCount; c-- > 0;) {
        m_chunks[c].rowEnd = smallest;
        for (std::size_t e = c * m_chunkPacks * width; e < endOf(c); ++e)
            for (std::size_t k = 0; k < vertices; ++k) {
                const std::size_t v = elements[e * vertices + k];
                smallest = std::min(smallest, v);
                lastVertex[c] = std::max(lastVertex[c], v);
            }
    }
    // Pairs are sorted by their first vertex.
    Vector<std::size_t> firstPair(pattern.rows() + 1, m_pairCount);
    for (std::size_t v = pattern.rows(); v-- > 0;) {
        firstPair[v] = firstPair[v + 1];
        for (std::size_t k = pattern.rowStart[v]; k < pattern.rowStart[v + 1]; ++k)
            if (!pattern.entries[k].transposed) {
                firstPair[v] = pattern.entries[k].pair;
                break;
            }
    }
    std::size_t start0 = 0;
    for (std::size_t c = 0; c < chunkCount; ++c) {
        const std::size_t firstRow = c > 0 ? m_chunks[c - 1].rowEnd : 0;
        m_chunks[c].pairEnd = firstPair[m_chunks[c].rowEnd];
        if (c > 0) highest[c] = highest[c - 1];
        for (std::size_t k = c * m_chunkPacks * width * m_elementPairs; k < endOf(c) * m_elementPairs; ++k) {
            const std::size_t pair = m_targets[k] & pairIndex;
            if (pair == pairNowhere) continue;
            lowest[c] = std::min(lowest[c], pair);
            highest[c] = std::max(highest[c], pair);
        }
        for (std::size_t v = firstRow; v < m_chunks[c].rowEnd; ++v)
            if (pattern.rowStart[v] < pattern.rowStart[v + 1])
                lowest[c] = std::min<std::size_t>(lowest[c], pattern.entries[pattern.rowStart[v]].pair);
        while (start0 < c && lastVertex[start0] < firstRow) ++start0;
        m_chunks[c].start = start0;
    }
    std::size_t window = 1;
    for (std::size_t c = chunkCount; c-- > 0;) {
        lowest[c] = std::min(lowest[c], lowest[c + 1]);
        if (highest[c] >= lowest[c]) window = std::max(window, highest[c] - lowest[c] + 1);
    }
    m_ringSize = std::bit_ceil(window);
    m_threads = 0;
}

void PairSums::planRanges() const
{
    if (m_threads == threadCount()) return;
    m_threads = threadCount();
    const std::size_t n = m_chunks.size();
    // The smallest number of chunks per thread, with those at its border, that the threads can do.
    const auto fill = [&](std::size_t most) {
        m_ranges.assign(1, 0);
        while (m_ranges.back() < n && m_ranges.size() <= m_threads) {
            const std::size_t begin = m_ranges.back(), from = m_chunks[begin].start;
            m_ranges.push_back(std::clamp(from + most, begin + 1, n));
        }
        return m_ranges.back() == n;
    };
    std::size_t low = 0, high = n;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (fill(middle) ? high : low) = middle;
    }
    fill(std::max<std::size_t>(high, 1));
}

void PairSums::Source::sweep(std::size_t begin, std::size_t end, double* ring, std::size_t mask, const Rows& rows) const
{
    const PairKernels& kernels = pairKernels();
    const PairSums& s = m_sums;
    const std::size_t packs = (s.m_elementCount + width - 1) / width;
    alignas(64) std::array<double, mostVertices*(mostVertices - 1) / 2 * 10 * width> values;
    for (std::size_t c = s.m_chunks[begin].start; c < end; ++c) {
        for (std::size_t p = c * s.m_chunkPacks; p < std::min((c + 1) * s.m_chunkPacks, packs); ++p) {
            m_values(p, values.data());
            (m_scalars == 9 ? kernels.add9 : kernels.add10)(values.data(), s.m_elementPairs,
                                                            &s.m_targets[p * width * s.m_elementPairs],
                                                            std::min(width, s.m_elementCount - p * width), ring, mask);
        }
        const std::size_t firstRow = c > 0 ? s.m_chunks[c - 1].rowEnd : 0,
                          firstPair = c > 0 ? s.m_chunks[c - 1].pairEnd : 0;
        if (m_scalars == 10) kernels.finish10(ring, mask, firstPair, s.m_chunks[c].pairEnd);
        if (c < begin) continue;
        if (firstRow < s.m_chunks[c].rowEnd) rows(firstRow, s.m_chunks[c].rowEnd, {ring, m_scalars, mask});
    }
}

void PairSums::Source::forEachRows(const Rows& rows)
{
    const PairSums& s = m_sums;
    if (s.m_chunks.empty()) return;
    s.planRanges();
    const std::size_t ranges = s.m_ranges.size() - 1, ring = s.m_ringSize * m_scalars;
    if (s.m_rings.size() < ranges * ring) s.m_rings.resize(ranges * ring);
    parallelFor(0, ranges, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r)
            sweep(s.m_ranges[r], s.m_ranges[r + 1], &s.m_rings[r * ring], s.m_ringSize - 1, rows);
    });
}

PairBlocks PairSums::Source::all()
{
    const PairSums& s = m_sums;
    s.m_all.resize(s.m_pairCount * m_scalars);
    constexpr std::size_t everything = ~std::size_t{0};
    if (!s.m_chunks.empty())
        sweep(0, s.m_chunks.size(), s.m_all.data(), everything, [](std::size_t, std::size_t, const PairBlocks&) {});
    return {s.m_all.data(), m_scalars, everything};
}

}  // namespace sofa::core
