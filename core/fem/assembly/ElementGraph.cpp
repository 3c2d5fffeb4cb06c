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
void ElementGraph<N, D>::build(const Vector<Element>& elements, Index nbPoints, ElementReordering order, Index middles)
{
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (const Index v : elements[e])
            if (v >= nbPoints)
                throw std::runtime_error("element " + std::to_string(e) + " has the vertex " + std::to_string(v) +
                                         ", but there are only " + std::to_string(nbPoints) + " points");
    m_elements = elements;
    m_nbPoints = nbPoints;
    m_middles = middles;
    m_order = std::move(order);
    forgetTables();
    m_sweepThreads = 0;
    m_planReady = false;
    m_sweepTouched.clear();
    m_changedPlaces.clear();
    m_sums.forget();
    m_isotropicRows.forget();
    buildSlots();
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::forgetTables()
{
    m_threads = 0;
    m_pairsReady = false;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::follow(FunctionRef<const Element&(Index)> elementOf, Index nbPoints,
                                const ElementSource& source, const ElementSource& points, Vector<Index>& changed)
{
    const std::size_t given = changed.size();
    Vector<Index> movedVertices;
    followOrder(m_order, source, points, changed, movedVertices);
    const Index now = source.now, before = size();
    m_slots.resize(std::max(nbPoints, m_nbPoints));
    Vector<Index> touched;
    const auto touch = [&](Index e) { touched.insert(touched.end(), m_elements[e].begin(), m_elements[e].end()); };
    const auto place = [&](Index e) {
        touch(e);
        m_changedPlaces.push_back(m_order.placeOf(e));
    };
    // Those with other vertices, and those behind the end. Others have other rest positions, which rows do not see.
    Vector<Index> others;
    for (const Index e : changed)
        if (e < now && (e >= before || m_elements[e] != elementOf(e))) others.push_back(e);
    sortUnique(others);
    for (Index e = now; e < before; ++e) others.push_back(e);
    for (const Index e : others) {
        if (e >= before) continue;
        touch(e);
        changeSlots(e, false);
    }
    m_elements.resize(now);
    for (const Index e : others) {
        if (e >= now) continue;
        m_elements[e] = elementOf(e);
        changeSlots(e, true);
        place(e);
    }
    // New ones, and those with other places, even if the vertices are the same.
    for (const ElementSource::Moved& m : source.moved) place(m.now);
    for (std::size_t k = given; k < changed.size(); ++k) place(changed[k]);
    m_slots.resize(nbPoints);
    m_nbPoints = nbPoints;
    for (const ElementSource::Moved& m : points.moved) {
        touched.push_back(m.now);
        forEachAround(m.now, place);
    }
    for (const Index v : movedVertices) {
        touched.push_back(v);
        forEachAround(v, place);
    }
    m_sums.touch(touched, nbPoints);
    m_isotropicRows.touch(touched, nbPoints);
    m_sweepTouched.insert(m_sweepTouched.end(), touched.begin(), touched.end());
    if (m_sweepThreads == 0 || m_sweepTouched.size() > 16 * nbPoints) {
        m_sweepThreads = 0;
        m_sweepTouched.clear();
    }
    if (!m_planReady || m_changedPlaces.size() > m_elements.size()) {
        m_planReady = false;
        m_changedPlaces.clear();
    }
    m_planFollows = m_planReady;
    forgetTables();
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::buildSlots()
{
    Vector<std::size_t> start(m_nbPoints + std::size_t{1}, 0);
    for (const Element& e : m_elements)
        for (const Index v : e) ++start[v + std::size_t{1}];
    for (std::size_t v = 0; v < m_nbPoints; ++v) start[v + 1] += start[v];
    Vector<std::uint32_t> slots(m_elements.size() * N);
    Vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t s = 0; s < slots.size(); ++s)
        slots[next[m_elements[s / N][s % N]]++] = static_cast<std::uint32_t>(s);
    m_slots.clear();
    m_slots.reserve(m_nbPoints, slots.size());
    for (std::size_t v = 0; v < m_nbPoints; ++v)
        m_slots.push_back(std::span(slots).subspan(start[v], start[v + 1] - start[v]));
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::changeSlots(Index e, bool add)
{
    thread_local Vector<std::uint32_t> slots;
    for (std::size_t i = 0; i < N; ++i) {
        const Index v = m_elements[e][i];
        slots.assign(m_slots[v].begin(), m_slots[v].end());
        const auto slot = static_cast<std::uint32_t>(e * N + i);
        const auto at = std::ranges::lower_bound(slots, slot);
        if (add)
            slots.insert(at, slot);
        else
            slots.erase(at);
        m_slots.set(v, slots);
    }
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
    m_sharedOf.assign(m_nbPoints, notShared);
    m_shared.clear();
    Vector<std::size_t> starts;
    for (std::size_t t = 0; t <= m_threads; ++t) starts.push_back(rangeStart(t) * N);
    for (Index v = 0; v < m_nbPoints; ++v) {
        const auto slots = m_slots[v];
        if (slots.empty()) continue;
        const auto range = std::upper_bound(starts.begin(), starts.end(), slots.front());
        if (range == starts.end() || slots.back() < *range) continue;
        m_sharedOf[v] = static_cast<std::uint32_t>(m_shared.vertices.size());
        (void)m_shared.add(v, slots.size());
    }
    m_shared.terms.resize(m_shared.start.back());
}

template <std::size_t N, std::size_t D>
const AssemblyPlan& ElementGraph<N, D>::sweepPlan() const
{
    const Index* const elements = m_elements.empty() ? nullptr : m_elements[0].data();
    if (!m_planReady)
        m_plan.build(elements, m_elements.size(), N, m_nbPoints, m_order);
    else if (m_planFollows)
        m_plan.update(elements, m_elements.size(), N, m_nbPoints, m_order, m_changedPlaces);
    m_planReady = true;
    m_planFollows = false;
    m_changedPlaces.clear();
    return m_plan;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::planSweep() const
{
    if (m_sweepThreads == threadCount() && m_sweepPlanned == m_plan.version() && !m_planFollows &&
        m_sweepTouched.empty())
        return;
    const AssemblyPlan& plan = sweepPlan();
    std::vector<std::size_t> ranges = plan.ranges(threadCount());
    const bool all = m_sweepThreads != threadCount() || ranges != m_sweepRanges;
    m_sweepThreads = threadCount();
    m_sweepPlanned = plan.version();
    m_sweepRanges = std::move(ranges);
    Vector<std::size_t> ends;
    for (std::size_t r = 1; r < m_sweepRanges.size(); ++r) ends.push_back(plan.firstElement(m_sweepRanges[r]));
    const auto rangeOf = [&](std::size_t place) {
        return static_cast<std::uint16_t>(std::upper_bound(ends.begin(), ends.end(), place) - ends.begin());
    };
    m_sweepTargets.resize(m_elements.size() * N);
    m_sweepRows.resize(m_nbPoints);
    Vector<char> isTouched(m_nbPoints, all);  // per rank
    for (const Index v : m_sweepTouched)
        if (v < m_nbPoints) isTouched[m_order.rankOf(v)] = 1;
    m_sweepTouched.clear();

    bool sharedOnes = all;
    std::size_t chunk = 0;
    for (Index r = 0; r < m_nbPoints; ++r) {
        // A row may be complete in a later range only, if the places are not in the order of the ranks.
        while (chunk < plan.chunks().size() && r >= plan.chunks()[chunk].rowEnd) ++chunk;
        const auto completes = static_cast<std::uint16_t>(
            std::upper_bound(m_sweepRanges.begin() + 1, m_sweepRanges.end() - 1, chunk) - m_sweepRanges.begin() - 1);
        SweepRow& row = m_sweepRows[r];
        if (!isTouched[r] && (row.terms == 0 || row.terms == sharedRow || row.range == completes)) continue;
        sharedOnes = sharedOnes || row.terms == sharedRow;
        const auto slots = m_slots[m_order.vertexAt(r)];
        const auto placeOf = [&](std::uint32_t slot) { return std::size_t{m_order.placeOf(slot / N)}; };
        std::size_t lowest = m_elements.size(), highest = 0;
        for (const std::uint32_t slot : slots) {
            lowest = std::min(lowest, placeOf(slot));
            highest = std::max(highest, placeOf(slot));
        }
        row = {static_cast<std::uint8_t>(slots.size()), completes};
        if (slots.size() > frontRoom ||
            (!slots.empty() && (rangeOf(lowest) != rangeOf(highest) || rangeOf(lowest) != completes))) {
            row.terms = sharedRow;
            sharedOnes = true;
            continue;
        }
        std::uint32_t to = r * frontRoom;
        for (const std::uint32_t slot : slots) m_sweepTargets[placeOf(slot) * N + slot % N] = to++;
    }
    if (sharedOnes) {
        m_sweepShared.clear();
        for (Index r = 0; r < m_nbPoints; ++r) {
            if (m_sweepRows[r].terms != sharedRow) continue;
            const Index v = m_order.vertexAt(r);
            auto to = shared + static_cast<std::uint32_t>(m_sweepShared.add(v, m_slots[v].size()));
            for (const std::uint32_t slot : m_slots[v])
                m_sweepTargets[m_order.placeOf(slot / N) * std::size_t{N} + slot % N] = to++;
        }
        m_sweepShared.terms.resize(m_sweepShared.start.back());
    }

    std::size_t reached = 0, window = 1;
    for (std::size_t c = 0; c < plan.chunks().size(); ++c) {
        reached = std::max(reached, plan.lastRow(c) + 1);
        if (reached > plan.firstRow(c)) window = std::max(window, reached - plan.firstRow(c));
    }
    m_frontSize = std::bit_ceil(window * frontRoom);
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
            const std::uint32_t terms = m_sweepRows[r].terms;
            if (terms == 0 || terms == sharedRow) continue;
            Vec<D>& sum = f[m_order.vertexAt(r)];
            const Vec<D>* const first = &front[r * frontRoom & mask];  // its room is in one piece
            Vec<D> s = sum;
            for (std::uint32_t k = 0; k < terms; ++k) s += first[k];
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
    std::size_t mostTerms = 0;  // of a vertex: mostly a few dozen, which stay at hand
    for (std::size_t v = 0; v < m_nbPoints; ++v) mostTerms = std::max(mostTerms, m_slots[v].size() * (N - 1));
    Neighbourhood around(m_nbPoints, mostTerms);
    makeRoom(m_pairs, m_elements.size() * (N - 1));
    makeRoom(m_pairStart, m_pairs.capacity() + 1);
    m_contributions.resize(m_elements.size() * (N * (N - 1) / 2));
    std::size_t done = 0;
    for (Index r = 0; r < m_nbPoints; ++r) {
        const Index v = m_order.vertexAt(r);
        around.clear();
        for (const std::uint32_t slot : m_slots[v]) {
            const Index e = slot / N;
            const auto i = static_cast<std::uint16_t>(slot % N);
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
    m_pairsReady = true;
}

template <std::size_t N, std::size_t D>
void ElementGraph<N, D>::finishPairs(BlockSink& sink) const
{
    m_diagonals.assign(m_nbPoints, {});
    for (std::size_t p = 0; p < m_pairs.size(); ++p) {
        const auto& [v, w] = m_pairs[p];
        const Mat<D>& block = m_pairBlocks[p];
        sink.add(v, w, block);
        sink.add(w, v, block.transposed());
        m_diagonals[v] -= block;
        m_diagonals[w] -= block.transposed();
    }
    for (Index v = 0; v < m_nbPoints; ++v)
        if (!m_slots[v].empty()) sink.add(v, v, (m_diagonals[v] + m_diagonals[v].transposed()) * 0.5);
}

#define SOFA_INSTANTIATE(N, D) template class ElementGraph<N, D>;
SOFA_ELEMENT_GRAPHS(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
