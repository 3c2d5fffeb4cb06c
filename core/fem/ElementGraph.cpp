// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/ElementGraph.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace sofa::core {

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::build(const Vector<Element>& elements, Index nbPoints)
{
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (const Index v : elements[e])
            if (v >= nbPoints)
                throw std::runtime_error("element " + std::to_string(e) + " has the vertex " + std::to_string(v) +
                                         ", but there are only " + std::to_string(nbPoints) + " points");
    m_elements = elements;
    m_nbPoints = nbPoints;
    m_slotStart.assign(nbPoints + std::size_t{1}, 0);
    for (const Element& e : elements)
        for (const Index v : e) ++m_slotStart[v + std::size_t{1}];
    for (std::size_t v = 0; v < nbPoints; ++v) m_slotStart[v + 1] += m_slotStart[v];
    m_slotOf.resize(elements.size() * N);
    Vector<std::size_t> next(m_slotStart.begin(), m_slotStart.end() - 1);
    for (std::size_t s = 0; s < m_slotOf.size(); ++s) m_slotOf[next[elements[s / N][s % N]]++] = s;
    m_threads = 0;
    m_pairsReady = m_sumsReady = false;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::planRanges() const
{
    if (m_threads == threadCount()) return;
    m_threads = threadCount();
    m_targets.resize(m_elements.size() * N);
    m_sharedVertices.clear();
    m_termStart.assign(1, 0);
    Vector<std::size_t> starts;
    for (std::size_t t = 0; t <= m_threads; ++t) starts.push_back(rangeStart(t) * N);
    for (Index v = 0; v < m_nbPoints; ++v) {
        const std::size_t first = m_slotStart[v], last = m_slotStart[v + std::size_t{1}];
        if (first == last) continue;
        const auto range = std::upper_bound(starts.begin(), starts.end(), m_slotOf[first]);
        const bool alone = range == starts.end() || m_slotOf[last - 1] < *range;
        for (std::size_t k = first; k < last; ++k)
            m_targets[m_slotOf[k]] = alone ? v : shared + static_cast<std::uint32_t>(m_termStart.back() + k - first);
        if (alone) continue;
        m_sharedVertices.push_back(v);
        m_termStart.push_back(m_termStart.back() + last - first);
    }
    m_terms.resize(m_termStart.back());
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::sumShared(Vector<Vec<D>>& f) const
{
    parallelFor(0, m_sharedVertices.size(), vertexGrain, [&](std::size_t b, std::size_t end) {
        for (std::size_t v = b; v < end; ++v) {
            Vec<D> s = f[m_sharedVertices[v]];
            for (std::size_t k = m_termStart[v]; k < m_termStart[v + 1]; ++k) s += m_terms[k];
            f[m_sharedVertices[v]] = s;
        }
    });
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::preparePairs() const
{
    if (m_pairsReady) return;
    struct Item
    {
        Index v, w;
        PairContribution c;
    };
    // A pair whose vertices are one has no block of its own: the diagonal is minus the sum of its row.
    Vector<Item> items;
    items.reserve(m_elements.size() * (N * (N - 1) / 2));
    for (std::size_t e = 0; e < m_elements.size(); ++e)
        for (std::uint16_t i = 0; i < N; ++i)
            for (std::uint16_t j = 0; j < N; ++j)
                if (m_elements[e][i] < m_elements[e][j])
                    items.push_back({m_elements[e][i], m_elements[e][j], {static_cast<Index>(e), i, j}});
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return std::pair(a.v, a.w) < std::pair(b.v, b.w); });

    m_pairStart.clear();
    m_contributions.clear();
    m_contributions.reserve(items.size());
    Vector<std::pair<Index, Index>> pairs;
    for (const Item& item : items) {
        if (pairs.empty() || pairs.back() != std::pair(item.v, item.w)) {
            pairs.emplace_back(item.v, item.w);
            m_pairStart.push_back(m_contributions.size());
        }
        m_contributions.push_back(item.c);
    }
    m_pairStart.push_back(m_contributions.size());

    Vector<std::size_t>& start = m_pattern.rowStart;
    start.assign(m_nbPoints + std::size_t{1}, 0);
    for (const auto& [v, w] : pairs) {
        ++start[v + std::size_t{1}];
        ++start[w + std::size_t{1}];
    }
    for (std::size_t v = 0; v < m_nbPoints; ++v) start[v + 1] += start[v];
    m_pattern.entries.resize(2 * pairs.size());
    // Pairs come sorted by (v, w). First the columns left of the diagonal, then those right of it, so that each row is
    // in increasing order.
    Vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t p = 0; p < pairs.size(); ++p)
        m_pattern.entries[next[pairs[p].second]++] = {pairs[p].first, static_cast<Index>(p), 1};
    for (std::size_t p = 0; p < pairs.size(); ++p)
        m_pattern.entries[next[pairs[p].first]++] = {pairs[p].second, static_cast<Index>(p), 0};
    m_pattern.id = SymmetricPattern::newId();
    m_pairsReady = true;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::prepareSums() const
{
    if (m_sumsReady) return;
    preparePairs();
    m_sums.build(m_pattern, m_pairStart, m_contributions, m_elements.empty() ? nullptr : m_elements[0].data(),
                 m_elements.size(), N);
    m_sumsReady = true;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::finishPairs(BlockSink& sink) const
{
    if constexpr (D == 3) {
        StoredPairs pairs(m_pattern, m_pairBlocks.data());
        sink.addSymmetric(m_pattern, pairs);
    } else {
        // Row by row, by increasing columns, like BlockSink::addSymmetric for blocks of 3 × 3.
        for (Index v = 0; v < m_nbPoints; ++v) {
            const SymmetricPattern::Entry* const entries = m_pattern.entries.data();
            const std::size_t first = m_pattern.rowStart[v], last = m_pattern.rowStart[v + std::size_t{1}];
            if (first == last) continue;
            Mat<D> diagonal;
            for (std::size_t i = first; i < last; ++i) {
                const Mat<D>& b = m_pairBlocks[entries[i].pair];
                diagonal -= entries[i].transposed ? b.transposed() : b;
            }
            std::size_t k = first;
            for (; k < last && entries[k].transposed; ++k)
                sink.add(v, entries[k].column, m_pairBlocks[entries[k].pair].transposed());
            sink.add(v, v, (diagonal + diagonal.transposed()) * 0.5);
            for (; k < last; ++k) sink.add(v, entries[k].column, m_pairBlocks[entries[k].pair]);
        }
    }
}

#define SOFA_INSTANTIATE(N, D) template class ElementGraph<N, D>;
SOFA_ELEMENT_GRAPHS(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
