// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/EdgeAssembly.h"

#include <algorithm>
#include <array>

#include "core/fem/assembly/AssemblyPlan.h"
#include "core/mesh/Renumbering.h"

namespace sofa::core {

namespace {

constexpr std::size_t width = AssemblyPlan::width;
constexpr std::size_t mostVertices = 10;
constexpr std::uint32_t noSlot = pairNowhere;

}  // namespace

std::size_t EdgeAssembly::pairOf(std::size_t i, std::size_t j) const
{
    if (i > j) std::swap(i, j);
    return i * (2 * m_vertices - i - 1) / 2 + j - i - 1;
}

void EdgeAssembly::resize(const ElementConnectivity& mesh)
{
    m_vertices = mesh.n;
    m_elementPairs = mesh.n * (mesh.n - 1) / 2;
    m_elementCount = mesh.count;
    m_chunkSize = width * AssemblyPlan::chunkPacks(mesh.n);
    const std::size_t packs = (mesh.count + width - 1) / width;
    m_targets.resize((packs + 1) * width * m_elementPairs, pairNowhere);  // kernels look at those of the next pack
    m_transposed.resize(packs * m_elementPairs, 0);
    m_neighbourOf.resize(mesh.points(), InvalidIndex);
}

void EdgeAssembly::setTransposed(const ElementConnectivity& mesh, std::size_t place)
{
    const Index* const v = mesh.verticesAt(place);
    std::uint8_t* bits = &m_transposed[place / width * m_elementPairs];
    const auto lane = static_cast<std::uint8_t>(1u << place % width);
    for (std::size_t i = 0; i < m_vertices; ++i)
        for (std::size_t j = i + 1; j < m_vertices; ++j, ++bits)
            *bits = static_cast<std::uint8_t>(v[i] > v[j] ? *bits | lane : *bits & ~lane);
}

void EdgeAssembly::findNeighbours(const ElementConnectivity& mesh, Index v)
{
    m_neighbours.clear();
    for (const std::uint32_t slot : mesh.slots[v]) {
        const Index* const element = mesh.verticesOf(slot / mesh.n);
        for (std::size_t j = 0; j < mesh.n; ++j) {
            const Index w = element[j];
            if (w == v || m_neighbourOf[w] == v) continue;
            m_neighbourOf[w] = v;
            m_neighbours.push_back(w);
        }
    }
    for (const Index w : m_neighbours) m_neighbourOf[w] = InvalidIndex;
    std::ranges::sort(m_neighbours);
}

void EdgeAssembly::build(const ElementConnectivity& mesh)
{
    m_targets.clear();
    m_neighbourOf.clear();
    resize(mesh);
    for (std::size_t place = 0; place < mesh.count; ++place) setTransposed(mesh, place);
    Vector<std::pair<Index, Index>> pairs;
    pairs.reserve(mesh.count * 2);
    Vector<std::uint32_t> numberOf(mesh.points());  // of the pair with each higher neighbour
    for (Index v = 0; v < mesh.points(); ++v) {
        findNeighbours(mesh, v);
        for (auto w = std::ranges::upper_bound(m_neighbours, v); w != m_neighbours.end(); ++w) {
            numberOf[*w] = static_cast<std::uint32_t>(pairs.size());
            pairs.emplace_back(v, *w);
        }
        for (const std::uint32_t slot : mesh.slots[v]) {
            const std::size_t e = slot / mesh.n, i = slot % mesh.n;
            const Index* const element = mesh.verticesOf(e);
            std::uint32_t* const targets = &m_targets[mesh.order.placeOf(static_cast<Index>(e)) * m_elementPairs];
            for (std::size_t j = 0; j < mesh.n; ++j)
                if (element[j] > v) targets[pairOf(i, j)] = numberOf[element[j]];
        }
    }
    m_pairs.build(pairs, static_cast<Index>(mesh.points()), mesh.order.vertices);
    planRows(mesh);
    assignSlots();
}

void EdgeAssembly::planRows(const ElementConnectivity& mesh)
{
    m_threads = 0;
    m_spans.assign(mesh.points(), {InvalidIndex, 0});
    for (std::size_t place = 0; place < mesh.count; ++place)
        for (std::size_t k = 0; k < mesh.n; ++k) {
            Span& s = m_spans[mesh.order.rankOf(mesh.verticesAt(place)[k])];
            s.last = static_cast<std::uint32_t>(chunkOf(place));
            s.first = std::min(s.first, s.last);
        }
    std::vector<Vector<std::uint32_t>> rows(mesh.count > 0 ? chunkOf(mesh.count - 1) + 1 : 0);
    for (std::size_t r = 0; r < m_spans.size(); ++r) {
        if (m_spans[r].first == InvalidIndex) m_spans[r] = {0, 0};
        if (!rows.empty()) rows[m_spans[r].last].push_back(static_cast<std::uint32_t>(r));
    }
    m_rowsOf.clear();
    for (const Vector<std::uint32_t>& some : rows) m_rowsOf.push_back(some);
}

std::uint32_t EdgeAssembly::takeSlot()
{
    if (m_freeSlots.empty()) return static_cast<std::uint32_t>(m_slotCount++);
    const std::uint32_t slot = m_freeSlots.back();  // the latest one is in the cache
    m_freeSlots.pop_back();
    return slot;
}

void EdgeAssembly::assignSlots()
{
    Vector<std::uint32_t> slotOf(m_pairs.count(), noSlot);
    Vector<char> hasOneRow(m_pairs.count(), 0);  // the first of its two rows is complete
    m_freeSlots.clear();
    m_slotCount = 0;
    for (std::size_t c = 0; c < m_rowsOf.size(); ++c) {
        const std::size_t end = std::min((c + 1) * m_chunkSize, m_elementCount) * m_elementPairs;
        for (std::size_t k = c * m_chunkSize * m_elementPairs; k < end; ++k) {
            std::uint32_t& target = m_targets[k];
            if (target == pairNowhere) continue;
            std::uint32_t& slot = slotOf[target];
            target = slot;
            if (slot != noSlot) continue;
            slot = takeSlot();
            target = slot | pairFirst;
        }
        for (const std::uint32_t r : m_rowsOf[c])
            for (const std::uint32_t entry : m_pairs.entries()[r])
                if (std::exchange(hasOneRow[entry >> 1], 1)) m_freeSlots.push_back(slotOf[entry >> 1]);
    }
    for (std::size_t r = 0; r < m_pairs.entries().size(); ++r)
        for (std::uint32_t& entry : m_pairs.entries().row(r)) entry = 2 * slotOf[entry >> 1] + (entry & 1);
    m_freeSlots.clear();
    m_sharedSlots = m_slotCount;
}

void EdgeAssembly::update(const ElementConnectivity& mesh, Vector<Index> vertices)
{
    // Sums that belong to one pair each stay in use: with many of them all had better be made anew.
    if (m_elementCount == 0 || mesh.count == 0 || m_slotCount > 2 * m_sharedSlots + m_pairs.count() / 8)
        return build(mesh);
    resize(mesh);
    m_pairs.pattern().vertices = mesh.order.vertices;
    const std::size_t rowsBefore = m_spans.size();
    releaseSlots(mesh, vertices);
    m_pairs.entries().resize(mesh.points());

    Vector<ChangedPair> pairs;
    for (const Index v : vertices) {
        findNeighbours(mesh, v);
        for (const Index w : m_neighbours) pairs.push_back({std::min(v, w), std::max(v, w), 0, m_targets.size()});
    }
    std::ranges::sort(pairs, {}, &ChangedPair::key);
    const auto isSame = [](const ChangedPair& a, const ChangedPair& b) { return a.key() == b.key(); };
    pairs.erase(std::unique(pairs.begin(), pairs.end(), isSame), pairs.end());
    for (ChangedPair& p : pairs) p.slot = takeSlot();
    updatePairs(mesh, vertices, pairs);
    updateRows(mesh, vertices, rowsBefore);
    SymmetricPattern& p = m_pairs.pattern();
    p.previous = p.id;
    p.id = SymmetricPattern::newId();
    p.changed = std::move(vertices);
}

void EdgeAssembly::releaseSlots(const ElementConnectivity& mesh, const Vector<Index>& vertices)
{
    const std::size_t kept = m_freeSlots.size();
    const auto release = [&](std::size_t row) {
        for (const std::uint32_t entry : m_pairs.entries()[row])
            if (entry >> 1 >= m_sharedSlots) m_freeSlots.push_back(entry >> 1);
    };
    for (const Index v : vertices)
        if (const std::size_t row = mesh.order.rankOf(v); row < m_pairs.entries().size()) release(row);
    for (std::size_t row = mesh.points(); row < m_pairs.entries().size(); ++row) release(row);
    // A pair stands in both of its rows.
    const auto released = m_freeSlots.begin() + static_cast<std::ptrdiff_t>(kept);
    std::sort(released, m_freeSlots.end());
    m_freeSlots.erase(std::unique(released, m_freeSlots.end()), m_freeSlots.end());
}

void EdgeAssembly::updatePairs(const ElementConnectivity& mesh, const Vector<Index>& vertices,
                               Vector<ChangedPair>& pairs)
{
    const auto find = [&](Index v, Index w) -> ChangedPair* {
        const std::pair<Index, Index> key = std::minmax(v, w);
        const auto p = std::ranges::lower_bound(pairs, key, {}, &ChangedPair::key);
        return p != pairs.end() && p->key() == key ? &*p : nullptr;
    };
    SymmetricPattern& pattern = m_pairs.pattern();
    pattern.columns.resize(mesh.points());
    Vector<std::uint32_t> entries, columns;
    for (const Index v : vertices) {
        findNeighbours(mesh, v);
        entries.clear();
        columns.clear();
        for (const Index w : m_neighbours) {
            entries.push_back(2 * find(v, w)->slot + (w < v));
            if (w > v) columns.push_back(w);
        }
        m_pairs.entries().set(mesh.order.rankOf(v), entries);
        pattern.columns.set(v, columns);
        for (const std::uint32_t slot : mesh.slots[v]) {
            const std::size_t e = slot / mesh.n, i = slot % mesh.n, place = mesh.order.placeOf(static_cast<Index>(e));
            const Index* const element = mesh.verticesOf(e);
            setTransposed(mesh, place);
            for (std::size_t j = 0; j < mesh.n; ++j) {
                if (j == i) continue;
                const std::size_t at = place * m_elementPairs + pairOf(i, j);
                m_targets[at] = pairNowhere;
                if (element[j] == v) continue;
                ChangedPair& p = *find(v, element[j]);
                m_targets[at] = p.slot;
                p.first = std::min(p.first, at);
            }
        }
    }
    for (const ChangedPair& p : pairs) m_targets[p.first] |= pairFirst;

    // Other rows that have such a pair have the same neighbours as before.
    Vector<Index> others;
    for (const ChangedPair& p : pairs)
        for (const Index w : {p.lower, p.higher})
            if (!std::ranges::binary_search(vertices, w)) others.push_back(w);
    sortUnique(others);
    for (const Index w : others) {
        findNeighbours(mesh, w);
        const std::span<std::uint32_t> row = m_pairs.entries().row(mesh.order.rankOf(w));
        for (std::size_t k = 0; k < m_neighbours.size(); ++k)
            if (const ChangedPair* p = find(w, m_neighbours[k])) row[k] = 2 * p->slot + (row[k] & 1);
    }
}

void EdgeAssembly::updateRows(const ElementConnectivity& mesh, const Vector<Index>& vertices, std::size_t rowsBefore)
{
    m_threads = 0;
    Vector<std::size_t> chunks;  // whose rows are others
    for (std::size_t r = mesh.points(); r < rowsBefore; ++r) chunks.push_back(m_spans[r].last);
    m_spans.resize(mesh.points(), {0, 0});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> come;  // chunk and row
    for (const Index v : vertices) {
        const Index row = mesh.order.rankOf(v);
        Span now{InvalidIndex, 0};
        for (const std::uint32_t slot : mesh.slots[v]) {
            const auto c = static_cast<std::uint32_t>(chunkOf(mesh.order.placeOf(static_cast<Index>(slot / mesh.n))));
            now = {std::min(now.first, c), std::max(now.last, c)};
        }
        if (now.first == InvalidIndex) now.first = 0;
        if (row < rowsBefore) chunks.push_back(m_spans[row].last);
        chunks.push_back(now.last);
        come.emplace_back(now.last, row);
        m_spans[row] = now;
    }
    std::ranges::sort(chunks);
    chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
    std::ranges::sort(come);
    m_rowsOf.resize(mesh.count > 0 ? chunkOf(mesh.count - 1) + 1 : 0);
    Vector<std::uint32_t> rows;
    auto next = come.begin();
    for (const std::size_t c : chunks) {
        if (c >= m_rowsOf.size()) break;
        rows.clear();
        for (const std::uint32_t r : m_rowsOf[c])
            if (r < mesh.points() && m_spans[r].last == c) rows.push_back(r);
        for (; next != come.end() && next->first == c; ++next) rows.push_back(next->second);
        std::ranges::sort(rows);
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        m_rowsOf.set(c, rows);
    }
}

void EdgeAssembly::planRanges() const
{
    if (m_threads == threadCount()) return;
    m_threads = threadCount();
    const std::size_t count = m_rowsOf.size();
    m_starts.resize(count);
    std::size_t start = count;
    for (std::size_t c = count; c-- > 0;) {
        start = std::min(start, c);
        for (const std::uint32_t r : m_rowsOf[c]) start = std::min<std::size_t>(start, m_spans[r].first);
        m_starts[c] = start;
    }
    m_ranges = balancedRanges(count, m_threads, [this](std::size_t c) { return m_starts[c]; });
}

void EdgeAssembly::Source::sweep(std::size_t begin, std::size_t end, double* memory, const Rows& rows) const
{
    const EdgeKernels& kernels = edgeKernels();
    const EdgeAssembly& s = m_sums;
    const EdgeSums sums{memory, memory + 8 * s.m_slotCount};
    const PairBlocks blocks(sums.most, sums.others, 8, 1);
    alignas(64) std::array<double, mostVertices*(mostVertices - 1) / 2 * 9 * width> values;
    for (std::size_t c = s.m_starts[begin]; c < end; ++c) {
        const std::size_t last = std::min((c + 1) * s.m_chunkSize, s.m_elementCount);
        for (std::size_t place = c * s.m_chunkSize; place < last; place += width) {
            m_values(place / width, values.data());
            kernels.add(values.data(), s.m_elementPairs, &s.m_targets[place * s.m_elementPairs],
                        std::min(width, last - place), sums);
        }
        if (c < begin) continue;
        const std::span<const std::uint32_t> complete = s.m_rowsOf[c];
        for (std::size_t k = 0; k < complete.size();) {
            const std::size_t first = complete[k], from = k;
            while (++k < complete.size() && complete[k] == first + (k - from)) continue;
            forEachRowsBuffered(
                first, first + (k - from), rows, [&](std::size_t b, std::size_t e) { return s.m_pairs.blocksOf(b, e); },
                [&](std::size_t b, std::size_t e, double* out) { s.m_pairs.rows(b, e, blocks, out); });
        }
    }
}

void EdgeAssembly::Source::forEachRows(const Rows& rows)
{
    const EdgeAssembly& s = m_sums;
    if (s.m_elementCount == 0) {
        StoredPairs none(s.m_pairs, PairBlocks(nullptr, nullptr, 8, 1));
        return none.forEachRows(rows);
    }
    s.planRanges();
    constexpr std::size_t line = 8;  // scalars
    const std::size_t ranges = s.m_ranges.size() - 1, each = (s.m_slotCount * 9 + line - 1) / line * line;
    if (s.m_memory.size() < ranges * each) s.m_memory.resize(ranges * each);
    parallelFor(0, ranges, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) sweep(s.m_ranges[r], s.m_ranges[r + 1], &s.m_memory[r * each], rows);
    });
}

}  // namespace sofa::core
