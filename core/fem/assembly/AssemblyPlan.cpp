// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/AssemblyPlan.h"

namespace sofa::core {

void AssemblyPlan::build(const Index* elements, std::size_t count, std::size_t n, std::size_t points,
                         const ElementReordering& order)
{
    m_elementCount = count;
    m_packs = (count + width - 1) / width;
    m_chunkPacks = n <= 4 ? 32 : 8;  // about 100 kB of element data at a time
    const std::size_t chunkCount = (m_packs + m_chunkPacks - 1) / m_chunkPacks;
    m_chunks.assign(chunkCount, {});
    std::vector<std::size_t> lastRow(chunkCount, 0);
    // Backwards: rows below the lowest one of the later elements are complete.
    std::size_t lowest = points;
    for (std::size_t c = chunkCount; c-- > 0;) {
        m_chunks[c].rowEnd = lowest;
        for (std::size_t place = firstElement(c); place < firstElement(c + 1); ++place)
            for (std::size_t k = 0; k < n; ++k) {
                const std::size_t row = order.rankOf(elements[order.elementAt(place) * n + k]);
                lowest = std::min(lowest, row);
                lastRow[c] = std::max(lastRow[c], row);
            }
    }
    std::size_t start = 0;
    for (std::size_t c = 0; c < chunkCount; ++c) {
        while (start < c && lastRow[start] < firstRow(c)) ++start;
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
