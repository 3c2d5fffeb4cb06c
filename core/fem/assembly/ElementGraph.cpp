// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/ElementGraph.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/math/Reuse.h"

namespace sofa::core {

namespace {

/// Vertices that share elements with one vertex, each with its terms: the contributions of these elements.
class Neighbourhood
{
public:
    /// For meshes of `points` vertices that have at most `terms` terms each.
    Neighbourhood(std::size_t points, std::size_t terms)
        : m_neighbours(terms), m_terms(terms), m_sorted(terms), m_indexOf(points, 0)
    {
    }

    void clear() { m_count = m_termCount = 0; }
    void add(Index vertex, Index rank, const PairContribution& term)
    {
        std::uint32_t n = m_indexOf[vertex];  // of an earlier neighbourhood, perhaps
        if (n >= m_count || m_neighbours[n].vertex != vertex) {
            n = m_indexOf[vertex] = m_count++;
            m_neighbours[n] = {vertex, 0};
            m_sorted[n] = std::uint64_t{rank} << 32 | n;
        }
        ++m_neighbours[n].terms;
        m_terms[m_termCount++] = {n, term};
    }
    /// Calls `visit(vertex, number of terms)` by increasing rank, which is the order of the terms then.
    template <class Visit>
    void sort(Visit&& visit)
    {
        std::sort(m_sorted.begin(), m_sorted.begin() + m_count);
        std::uint32_t begin = 0;
        for (std::uint32_t k = 0; k < m_count; ++k) {
            Neighbour& n = m_neighbours[static_cast<std::uint32_t>(m_sorted[k])];
            const std::uint32_t terms = std::exchange(n.terms, begin);
            visit(n.vertex, terms);
            begin += terms;
        }
    }
    /// Puts the terms that were sorted; those of a vertex are in the order in which they came.
    void put(PairContribution* to)
    {
        for (std::size_t k = 0; k < m_termCount; ++k) to[m_neighbours[m_terms[k].neighbour].terms++] = m_terms[k].term;
    }

private:
    struct Neighbour
    {
        Index vertex;
        std::uint32_t terms;  ///< their number; once sorted, where the next one goes
    };
    struct Term
    {
        std::uint32_t neighbour;
        PairContribution term;
    };
    std::uint32_t m_count = 0;
    std::size_t m_termCount = 0;
    Vector<Neighbour> m_neighbours;
    Vector<Term> m_terms;
    Vector<std::uint64_t> m_sorted;   ///< rank and index of the neighbours
    Vector<std::uint32_t> m_indexOf;  ///< per vertex of the mesh: of the neighbour, if it is one
};

}  // namespace

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::build(const Vector<Element>& elements, Index nbPoints, ElementReordering order)
{
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (const Index v : elements[e])
            if (v >= nbPoints)
                throw std::runtime_error("element " + std::to_string(e) + " has the vertex " + std::to_string(v) +
                                         ", but there are only " + std::to_string(nbPoints) + " points");
    m_elements = elements;
    m_nbPoints = nbPoints;
    m_order = std::move(order);
    forgetTables();
    prepareSlots();
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::forgetTables()
{
    m_threads = m_sweepThreads = 0;
    m_slotsReady = m_planReady = m_pairsReady = m_sumsReady = m_isotropicSumsReady = false;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::follow(const Vector<Element>& elements, Index nbPoints, const ElementSource& source,
                                const ElementSource& points, Vector<Index>& changed)
{
    m_elements.resize(elements.size());
    for (const Index e : changed) m_elements[e] = elements[e];
    m_nbPoints = nbPoints;
    followOrder(m_order, source, points, changed);
    forgetTables();
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::prepareSlots() const
{
    if (m_slotsReady) return;
    makeRoom(m_slotStart, m_nbPoints + std::size_t{1});
    m_slotStart.resize(m_nbPoints + std::size_t{1});
    for (const Element& e : m_elements)
        for (const Index v : e) ++m_slotStart[v + std::size_t{1}];
    for (std::size_t v = 0; v < m_nbPoints; ++v) m_slotStart[v + 1] += m_slotStart[v];
    m_slotOf.resize(m_elements.size() * N);
    Vector<std::size_t> next(m_slotStart.begin(), m_slotStart.end() - 1);
    for (std::size_t s = 0; s < m_slotOf.size(); ++s) m_slotOf[next[m_elements[s / N][s % N]]++] = s;
    m_slotsReady = true;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::SharedTerms::clear()
{
    vertices.clear();
    start.assign(1, 0);
}

template <std::size_t N, std::size_t D>
std::size_t ElementGraph<N, D>::SharedTerms::add(Index v, std::size_t count)
{
    vertices.push_back(v);
    start.push_back(start.back() + count);
    return start[start.size() - 2];
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::SharedTerms::sum(Vector<Vec<D>>& f) const
{
    parallelFor(0, vertices.size(), vertexGrain, [&](std::size_t b, std::size_t end) {
        for (std::size_t v = b; v < end; ++v) {
            Vec<D> s = f[vertices[v]];
            for (std::size_t k = start[v]; k < start[v + 1]; ++k) s += terms[k];
            f[vertices[v]] = s;
        }
    });
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::planRanges() const
{
    if (m_threads == threadCount()) return;
    m_threads = threadCount();
    prepareSlots();
    m_targets.resize(m_elements.size() * N);
    m_shared.clear();
    Vector<std::size_t> starts;
    for (std::size_t t = 0; t <= m_threads; ++t) starts.push_back(rangeStart(t) * N);
    for (Index v = 0; v < m_nbPoints; ++v) {
        const std::size_t first = m_slotStart[v], last = m_slotStart[v + std::size_t{1}];
        if (first == last) continue;
        const auto range = std::upper_bound(starts.begin(), starts.end(), m_slotOf[first]);
        const bool alone = range == starts.end() || m_slotOf[last - 1] < *range;
        const std::size_t term = alone ? 0 : m_shared.add(v, last - first);
        for (std::size_t k = first; k < last; ++k)
            m_targets[m_slotOf[k]] = alone ? v : shared + static_cast<std::uint32_t>(term + k - first);
    }
    m_shared.terms.resize(m_shared.start.back());
}

template <std::size_t N, std::size_t D>
const AssemblyPlan& ElementGraph<N, D>::sweepPlan() const
{
    if (!m_planReady)
        m_plan.build(m_elements.empty() ? nullptr : m_elements[0].data(), m_elements.size(), N, m_nbPoints, m_order);
    m_planReady = true;
    return m_plan;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::planSweep() const
{
    if (m_sweepThreads == threadCount()) return;
    m_sweepThreads = threadCount();
    prepareSlots();
    const AssemblyPlan& plan = sweepPlan();
    m_sweepRanges = plan.ranges(m_sweepThreads);
    Vector<std::size_t> ends;
    for (std::size_t r = 1; r < m_sweepRanges.size(); ++r) ends.push_back(plan.firstElement(m_sweepRanges[r]));
    const auto rangeOf = [&](std::size_t place) { return std::upper_bound(ends.begin(), ends.end(), place); };

    m_sweepTargets.resize(m_elements.size() * N);
    m_sweepStart.resize(m_nbPoints + std::size_t{1});
    m_sweepShared.clear();
    std::uint32_t next = 0;
    std::size_t chunk = 0;
    for (Index r = 0; r < m_nbPoints; ++r) {
        const Index v = m_order.vertexAt(r);
        const std::size_t first = m_slotStart[v], last = m_slotStart[v + std::size_t{1}];
        std::size_t lowest = m_elements.size(), highest = 0;
        const auto placeOf = [&](std::size_t k) {
            return std::size_t{m_order.placeOf(static_cast<Index>(m_slotOf[k] / N))};
        };
        for (std::size_t k = first; k < last; ++k) {
            lowest = std::min(lowest, placeOf(k));
            highest = std::max(highest, placeOf(k));
        }
        // A row may be complete in a later range only, if the places are not in the order of the ranks.
        while (chunk < plan.chunks().size() && r >= plan.chunks()[chunk].rowEnd) ++chunk;
        const auto completes =
            std::upper_bound(m_sweepRanges.begin() + 1, m_sweepRanges.end() - 1, chunk) - m_sweepRanges.begin() - 1;
        const bool alone =
            first == last || (rangeOf(lowest) == rangeOf(highest) && rangeOf(lowest) - ends.begin() == completes);
        m_sweepStart[r] = alone ? next : next | shared;
        std::uint32_t to = alone ? next : shared + static_cast<std::uint32_t>(m_sweepShared.add(v, last - first));
        for (std::size_t k = first; k < last; ++k) m_sweepTargets[placeOf(k) * N + m_slotOf[k] % N] = to++;
        if (alone) next = to;
    }
    m_sweepStart[m_nbPoints] = next;
    m_sweepShared.terms.resize(m_sweepShared.start.back());

    std::size_t reached = 0, window = 1;
    for (std::size_t c = 0; c < plan.chunks().size(); ++c) {
        for (std::size_t k = plan.firstElement(c) * N; k < plan.firstElement(c + 1) * N; ++k)
            if (!(m_sweepTargets[k] & shared)) reached = std::max<std::size_t>(reached, m_sweepTargets[k] + 1);
        const std::size_t from = m_sweepStart[plan.firstRow(c)] & ~shared;
        if (reached > from) window = std::max(window, reached - from);
    }
    m_frontSize = std::bit_ceil(window);
    m_fronts.resize(m_frontSize * (m_sweepRanges.size() - 1));
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::sweepChunks(Vector<Vec<D>>& f, PackKernel kernel, std::size_t begin, std::size_t end,
                                     Vec<D>* front) const
{
    constexpr std::size_t width = AssemblyPlan::width;
    const std::size_t mask = m_frontSize - 1;
    alignas(64) Vec<D> out[width * N];
    for (std::size_t c = begin; c < end; ++c) {
        for (std::size_t p = m_plan.firstPack(c); p < m_plan.firstPack(c + 1); ++p) {
            kernel(p, out[0].data());
            const std::uint32_t* const targets = &m_sweepTargets[p * width * N];
            const std::size_t count = std::min(width, m_elements.size() - p * width) * N;
            for (std::size_t k = 0; k < count; ++k)
                (targets[k] & shared ? m_sweepShared.terms[targets[k] ^ shared] : front[targets[k] & mask]) = out[k];
        }
        // Vertices that are complete and not shared: those have all their terms in this range.
        for (std::size_t r = m_plan.firstRow(c); r < m_plan.chunks()[c].rowEnd; ++r) {
            const std::uint32_t first = m_sweepStart[r], last = m_sweepStart[r + 1] & ~shared;
            if (first == last || first & shared) continue;
            Vec<D>& sum = f[m_order.vertexAt(r)];
            Vec<D> s = sum;
            for (std::uint32_t k = first; k < last; ++k) s += front[k & mask];
            sum = s;
        }
    }
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::accumulateSwept(Vector<Vec<D>>& f, PackKernel kernel) const
{
    planSweep();
    parallelFor(0, m_sweepRanges.size() - 1, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r)
            sweepChunks(f, kernel, m_sweepRanges[r], m_sweepRanges[r + 1], &m_fronts[r * m_frontSize]);
    });
    m_sweepShared.sum(f);
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::collectPairs() const
{
    prepareSlots();
    std::size_t mostTerms = 0;  // of a vertex: mostly a few dozen, which stay at hand
    for (std::size_t v = 0; v < m_nbPoints; ++v)
        mostTerms = std::max(mostTerms, (m_slotStart[v + 1] - m_slotStart[v]) * (N - 1));
    Neighbourhood around(m_nbPoints, mostTerms);
    makeRoom(m_pairs, m_elements.size() * (N - 1));
    makeRoom(m_pairStart, m_pairs.capacity() + 1);
    m_contributions.resize(m_elements.size() * (N * (N - 1) / 2));
    std::size_t done = 0;
    for (Index r = 0; r < m_nbPoints; ++r) {
        const Index v = m_order.vertexAt(r);
        around.clear();
        for (std::size_t k = m_slotStart[v]; k < m_slotStart[v + std::size_t{1}]; ++k) {
            const auto e = static_cast<Index>(m_slotOf[k] / N);
            const auto i = static_cast<std::uint16_t>(m_slotOf[k] % N);
            // A pair whose vertices are one has no block of its own: the diagonal is minus the sum of its row.
            for (std::uint16_t j = 0; j < N; ++j) {
                const Index w = m_elements[e][j], rank = m_order.rankOf(w);
                if (rank > r) around.add(w, rank, v < w ? PairContribution{e, i, j} : PairContribution{e, j, i});
            }
        }
        const std::size_t first = done;
        around.sort([&](Index w, std::size_t terms) {
            m_pairs.push_back(std::minmax({v, w}));
            m_pairStart.push_back(done);
            done += terms;
        });
        around.put(m_contributions.data() + first);
    }
    m_pairStart.push_back(done);
    m_contributions.resize(done);
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::preparePairs() const
{
    if (m_pairsReady) return;
    collectPairs();
    const Vector<std::pair<Index, Index>>& pairs = m_pairs;
    Vector<std::size_t>& start = m_pattern.rowStart;
    makeRoom(start, m_nbPoints + std::size_t{1});
    start.resize(m_nbPoints + std::size_t{1});
    for (const auto& [v, w] : pairs) {
        ++start[v + std::size_t{1}];
        ++start[w + std::size_t{1}];
    }
    for (std::size_t v = 0; v < m_nbPoints; ++v) start[v + 1] += start[v];
    m_pattern.entries.resize(2 * pairs.size());
    // Without ranks pairs come sorted by (v, w). First the columns left of the diagonal, then those right of it, so
    // that each row is in increasing order.
    Vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t p = 0; p < pairs.size(); ++p)
        m_pattern.entries[next[pairs[p].second]++] = {pairs[p].first, static_cast<Index>(p), 1};
    for (std::size_t p = 0; p < pairs.size(); ++p)
        m_pattern.entries[next[pairs[p].first]++] = {pairs[p].second, static_cast<Index>(p), 0};
    if (!m_order.rank.empty())
        for (std::size_t v = 0; v < m_nbPoints; ++v)
            std::sort(m_pattern.entries.begin() + static_cast<std::ptrdiff_t>(start[v]),
                      m_pattern.entries.begin() + static_cast<std::ptrdiff_t>(start[v + 1]),
                      [](const auto& a, const auto& b) { return a.column < b.column; });
    m_pattern.id = SymmetricPattern::newId();
    m_pairsReady = true;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::prepareSums() const
{
    if (m_sumsReady) return;
    preparePairs();
    m_sums.build(m_pattern, m_pairStart, m_contributions, N, m_order, sweepPlan());
    m_sumsReady = true;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::prepareIsotropicSums() const
{
    if (m_isotropicSumsReady) return;
    preparePairs();
    m_isotropicEdgeAssembly.build(m_pattern, m_pairStart, m_contributions, N, m_order);
    m_isotropicSumsReady = true;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::addPairBlocks(BlockSink& sink, const PairBlocks& blocks) const requires(N == 2 && D == 3)
{
    if constexpr (D == 3) {  // clang 14 instantiates this for any D
        preparePairs();
        StoredPairs pairs(m_pattern, blocks);
        sink.addSymmetric(m_pattern, pairs);
    }
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
