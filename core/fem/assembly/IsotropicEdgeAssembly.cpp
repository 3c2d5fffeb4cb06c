// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/IsotropicEdgeAssembly.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "core/fem/assembly/EdgeAssembly.h"
#include "core/math/Reuse.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

/// Rows of a chunk: a few hundred blocks, which the first-level cache holds.
constexpr std::size_t chunkRows = 16;

}  // namespace

void IsotropicEdgeAssembly::build(const SymmetricPattern& pattern, const Vector<std::size_t>& start,
                                  const Vector<PairContribution>& contributions, std::size_t vertices,
                                  const ElementReordering& order)
{
    m_quadratic = vertices == 10;
    const std::uint32_t bits = m_quadratic ? quadraticTermBits : linearTermBits;
    m_vertices = order.vertices;
    m_pairCount = start.size() - 1;
    m_threads = 0;
    makeRoom(m_terms, contributions.size() + isotropicTermsAhead);
    for (std::size_t p = 0; p < m_pairCount; ++p) {
        for (std::size_t k = start[p]; k < start[p + 1]; ++k) {
            const PairContribution& c = contributions[k];
            if (c.element >> (32 - bits) != 0)
                throw std::runtime_error("more than " + std::to_string(1u << (32 - bits)) + " tetrahedra in one mesh");
            m_terms.push_back(isotropicTerm(bits, order.placeOf(c.element), c.i, c.j));
        }
        m_terms.back() |= lastIsotropicTerm;
    }

    m_terms.resize(m_terms.size() + isotropicTermsAhead, 0);
    const std::size_t rows = pattern.rows(), chunks = (rows + chunkRows - 1) / chunkRows;
    m_chunks.assign(chunks, {0, 0, 0, 0});
    std::vector<std::size_t> lowest(chunks, m_pairCount);  // pairs that the rows of a chunk or of a later one have
    std::size_t pairEnd = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        m_chunks[c].rowEnd = std::min((c + 1) * chunkRows, rows);
        for (std::size_t r = c * chunkRows; r < m_chunks[c].rowEnd; ++r) {
            const Index v = order.vertexAt(static_cast<Index>(r));
            for (std::size_t k = pattern.rowStart[v]; k < pattern.rowStart[v + std::size_t{1}]; ++k) {
                const SymmetricPattern::Entry& entry = pattern.entries[k];
                lowest[c] = std::min<std::size_t>(lowest[c], entry.pair);
                if (order.rankOf(entry.column) > r) pairEnd = std::max<std::size_t>(pairEnd, entry.pair + 1);
            }
        }
        m_chunks[c].pairEnd = pairEnd;
        m_chunks[c].termEnd = start[pairEnd];
    }
    std::size_t window = 8;
    for (std::size_t c = chunks; c-- > 0;) {
        if (c + 1 < chunks) lowest[c] = std::min(lowest[c], lowest[c + 1]);
        if (m_chunks[c].pairEnd > lowest[c]) window = std::max(window, m_chunks[c].pairEnd - lowest[c]);
    }
    std::size_t first = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
        while (first < c && m_chunks[first].pairEnd <= lowest[c]) ++first;
        m_chunks[c].start = first;
    }
    m_frontSize = std::bit_ceil(window);
}

void IsotropicEdgeAssembly::sum(std::size_t c, const IsotropicTangent* tangents, const EdgeSumWindow& sums) const
{
    const std::size_t first = c > 0 ? m_chunks[c - 1].pairEnd : 0, term = c > 0 ? m_chunks[c - 1].termEnd : 0;
    const auto sumTerms = m_quadratic ? edgeKernels().sumQuadratic : edgeKernels().sumLinear;
    sumTerms(tangents, m_terms.data() + term, first, m_chunks[c].pairEnd, sums);
}

void IsotropicEdgeAssembly::Source::forEachRows(const Rows& rows)
{
    const IsotropicEdgeAssembly& s = m_sums;
    if (s.m_chunks.empty()) return;
    if (s.m_threads != threadCount()) {
        s.m_threads = threadCount();
        s.m_ranges = balancedRanges(s.m_chunks.size(), s.m_threads, [&](std::size_t c) { return s.m_chunks[c].start; });
    }
    const std::size_t ranges = s.m_ranges.size() - 1, front = s.m_frontSize * 9;
    if (s.m_fronts.size() < ranges * front) s.m_fronts.resize(ranges * front);
    const Index* const vertices = s.m_vertices.empty() ? nullptr : s.m_vertices.data();
    parallelFor(0, ranges, 1, [&](std::size_t firstRange, std::size_t lastRange) {
        for (std::size_t r = firstRange; r < lastRange; ++r) {
            const EdgeSumWindow sums = edgeSumWindow(&s.m_fronts[r * front], s.m_frontSize, s.m_frontSize - 1);
            const std::size_t begin = s.m_ranges[r], end = s.m_ranges[r + 1];
            for (std::size_t c = s.m_chunks[begin].start; c < end; ++c) {
                s.sum(c, m_tangents, sums);
                if (c < begin) continue;
                const std::size_t first = c > 0 ? s.m_chunks[c - 1].rowEnd : 0;
                rows({first, s.m_chunks[c].rowEnd, vertices}, pairBlocks(sums));
            }
        }
    });
}

PairBlocks IsotropicEdgeAssembly::Source::all()
{
    const IsotropicEdgeAssembly& s = m_sums;
    s.m_all.resize(s.m_pairCount * 9);
    const EdgeSumWindow sums = edgeSumWindow(s.m_all.data(), s.m_pairCount, ~std::size_t{0});
    for (std::size_t c = 0; c < s.m_chunks.size(); ++c) s.sum(c, m_tangents, sums);
    return pairBlocks(sums);
}

}  // namespace sofa::core
