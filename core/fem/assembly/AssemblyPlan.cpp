// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/AssemblyPlan.h"

namespace sofa::core {

void AssemblyPlan::build(const Index* elements, std::size_t count, std::size_t n, std::size_t points,
                         const ElementReordering& order)
{
    m_chunkPacks = chunkPacks(n);
    m_extents.clear();
    update(elements, count, n, points, order, {});
}

void AssemblyPlan::update(const Index* elements, std::size_t count, std::size_t n, std::size_t points,
                          const ElementReordering& order, const Vector<std::size_t>& places)
{
    const std::size_t perChunk = m_chunkPacks * width, before = m_extents.size(), last = m_elementCount / perChunk;
    m_elementCount = count;
    m_packs = (count + width - 1) / width;
    m_extents.resize((count + perChunk - 1) / perChunk, {points, 0});
    std::vector<char> isChanged(m_extents.size(), 0);
    const auto change = [&](std::size_t chunk) {
        if (chunk < isChanged.size()) isChanged[chunk] = 1;
    };
    for (const std::size_t place : places) change(place / perChunk);
    for (std::size_t c = std::min(last, before); c < m_extents.size(); ++c) change(c);  // the end may be another
    change(count / perChunk);
    for (std::size_t c = 0; c < m_extents.size(); ++c) {
        if (!isChanged[c]) continue;
        Extent e{points, 0};
        for (std::size_t place = firstElement(c); place < firstElement(c + 1); ++place)
            for (std::size_t k = 0; k < n; ++k) {
                const std::size_t row = order.rankOf(elements[order.elementAt(place) * n + k]);
                e = {std::min(e.first, row), std::max(e.last, row)};
            }
        m_extents[c] = e;
    }
    finish(points);
}

void AssemblyPlan::finish(std::size_t points)
{
    ++m_version;
    const std::size_t chunkCount = m_extents.size();
    m_chunks.assign(chunkCount, {});
    // Backwards: rows below the lowest one of the later elements are complete.
    std::size_t lowest = points;
    for (std::size_t c = chunkCount; c-- > 0;) {
        m_chunks[c].rowEnd = lowest;
        lowest = std::min(lowest, m_extents[c].first);
    }
    std::size_t start = 0;
    for (std::size_t c = 0; c < chunkCount; ++c) {
        while (start < c && m_extents[start].last < firstRow(c)) ++start;
        m_chunks[c].start = start;
    }
}

std::vector<std::size_t> balancedRanges(std::size_t count, std::size_t threads,
                                        FunctionRef<std::size_t(std::size_t)> start)
{
    std::vector<std::size_t> ranges;
    // The smallest number of chunks per thread, with those at its border, that the threads can do.
    const auto fill = [&](std::size_t most) {
        ranges.assign(1, 0);
        while (ranges.back() < count && ranges.size() <= threads) {
            const std::size_t begin = ranges.back();
            ranges.push_back(std::clamp(start(begin) + most, begin + 1, count));
        }
        return ranges.back() == count;
    };
    std::size_t low = 0, high = count;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (fill(middle) ? high : low) = middle;
    }
    fill(std::max<std::size_t>(high, 1));
    return ranges;
}

std::vector<std::size_t> AssemblyPlan::ranges(std::size_t threads) const
{
    return balancedRanges(m_chunks.size(), threads, [this](std::size_t c) { return m_chunks[c].start; });
}

}  // namespace sofa::core
