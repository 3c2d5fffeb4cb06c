// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
// The symbolic phase of SupernodalLdlt: structure of the factor, places in fronts, tasks.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "core/linalg/Stopwatch.h"
#include "core/linalg/SupernodalLdlt.h"

namespace sofa::core {

namespace {

using supernodal::at;

/// n rounded up to whole groups of rows.
int wholeGroups(int n) { return (n + dense::rowGroup - 1) / dense::rowGroup * dense::rowGroup; }

/// First-fit allocation of places in an array whose size is not known yet.
class PlaceAllocator
{
public:
    std::size_t take(std::size_t size)
    {
        if (size == 0) return 0;
        for (auto i = m_free.begin(); i != m_free.end(); ++i)
            if (i->second >= size) {
                const std::size_t place = i->first, rest = i->second - size;
                m_free.erase(i);
                if (rest > 0) m_free.emplace(place + size, rest);
                return place;
            }
        // Extend the array, by the last hole if it touches the end.
        std::size_t place = m_end;
        if (!m_free.empty()) {
            const auto last = std::prev(m_free.end());
            if (last->first + last->second == m_end) {
                place = last->first;
                m_free.erase(last);
            }
        }
        m_end = place + size;
        return place;
    }
    void give(std::size_t place, std::size_t size)
    {
        if (size == 0) return;
        auto i = m_free.emplace(place, size).first;
        const auto next = std::next(i);
        if (next != m_free.end() && i->first + i->second == next->first) {
            i->second += next->second;
            m_free.erase(next);
        }
        if (i != m_free.begin()) {
            const auto previous = std::prev(i);
            if (previous->first + previous->second == i->first) {
                previous->second += i->second;
                m_free.erase(i);
            }
        }
    }
    std::size_t size() const { return m_end; }

private:
    std::map<std::size_t, std::size_t> m_free;  ///< place → size
    std::size_t m_end = 0;
};

/// Smallest graph for which METIS is tried too, in blocks.
constexpr int smallestDissection = 100;

/// A band is taken if it has at most this many times the operations, and the entries of L, of a general structure: it
/// is factorised by so much more operations a second. With less, no other structure is looked for.
constexpr double bandAdvantage = 1.4;
constexpr double largestBand = 1.4;
constexpr double clearBand = 1.1;

/// Operations above which subtrees are worth a task of their own, and the share of the whole that one may have.
constexpr double smallestTask = 1e6;
constexpr double largestTaskShare = 1. / 12.;

}  // namespace

std::ptrdiff_t SupernodalLdlt::paddedRows(int n)
{
    std::ptrdiff_t ld = wholeGroups(n);
    if (ld % 256 == 0) ld += dense::rowGroup;
    return ld;
}

void SupernodalLdlt::analyze(const BlockCsrMatrix& a)
{
    m_mayBeBand = true;
    plan(a);
}

void SupernodalLdlt::plan(const BlockCsrMatrix& a)
{
    const Stopwatch watch;
    if (a.rows() != a.cols())
        throw std::runtime_error("a matrix of " + std::to_string(a.rows()) + " × " + std::to_string(a.cols()) +
                                 " cannot be factorised: it is not square");
    m_analyzed = m_factorized = false;
    m_report = {};
    m_blockSize = a.blockSize();
    m_rows = a.rows();
    const Graph graph = adjacencyGraph(a);
    planStructure(graph);
    m_rowPtr.assign(a.rowPtr().begin(), a.rowPtr().end());
    m_colIdx.assign(a.colIdx().begin(), a.colIdx().end());
    m_place = inversePermutation(m_structure.order);
    planFronts(a, graph);
    if (m_structure.isBand()) {
        planBand();
    } else {
        planTasks();
        planUpdates();
    }

    m_supernodeOf.clear();
    for (std::size_t s = 0; s < m_structure.supernodes.size(); ++s)
        m_supernodeOf.insert(m_supernodeOf.end(), at(m_structure.supernodes[s].columns), s);
    // Bands have whole panels.
    const auto n = at((m_rows + dense::bandWidth - 1) / dense::bandWidth * dense::bandWidth);
    m_d.assign(n, 0.);
    m_inverse.assign(n, 0.);
    m_scale.assign(n, 0.);
    m_x.assign(n * dense::rhsWidth, 0.);
    m_y.assign(at(m_largestFront) * dense::rhsWidth, 0.);
    m_report.zeroPivotRows.reserve(reportedRows);
    m_report.factorNonZeros = m_structure.nonZeros;
    m_report.operations = m_structure.operations;
    m_analyzed = true;
    m_report.analyzeSeconds = watch.seconds();
}

void SupernodalLdlt::planStructure(const Graph& graph)
{
    const bool chooses = m_ordering == OrderingMethod::automatic;
    const auto general = [&](OrderingMethod method) {
        return analyzeSupernodes(graph, computeOrdering(graph, method), m_blockSize);
    };
    m_report.ordering = chooses ? OrderingMethod::minimumDegree : m_ordering;
    m_structure = general(m_report.ordering);
    // The best band, if it is better.
    double least = m_structure.operations;  // of general structures
    const auto largest = static_cast<std::size_t>(largestBand * static_cast<double>(m_structure.nonZeros));
    for (const OrderingMethod method : {OrderingMethod::natural, OrderingMethod::reverseCuthillMckee}) {
        if (!m_mayBeBand || (!chooses && m_ordering != method)) continue;
        SupernodalStructure band =
            analyzeBand(graph, computeOrdering(graph, method), m_blockSize, dense::bandWidth, dense::rowGroup);
        const double limit = m_structure.isBand() ? m_structure.operations : bandAdvantage * least;
        if (band.operations > limit || band.nonZeros > largest) continue;
        m_structure = std::move(band);
        m_report.ordering = method;
    }
    // Dissection, which takes long, unless the band is as good as a general structure.
    if (!chooses || graph.size() < smallestDissection) return;
    if (m_structure.isBand() && m_structure.operations <= clearBand * least) return;
    SupernodalStructure dissected = general(OrderingMethod::nestedDissection);
    const double limit = m_structure.isBand() ? m_structure.operations / bandAdvantage : least;
    if (dissected.operations >= limit) return;
    m_structure = std::move(dissected);
    m_report.ordering = OrderingMethod::nestedDissection;
}

void SupernodalLdlt::planFronts(const BlockCsrMatrix& a, const Graph& graph)
{
    const auto& nodes = m_structure.supernodes;
    const int b = m_blockSize;
    m_fronts.assign(nodes.size(), {});
    m_entries.clear();
    m_runs.clear();
    m_children.clear();
    m_largestFront = 0;

    Vector<Vector<int>> children(nodes.size());
    std::size_t panels = 0;
    for (std::size_t s = 0; s < nodes.size(); ++s) {
        Front& f = m_fronts[s];
        f.pivots = nodes[s].columns * b;
        f.size = f.pivots + nodes[s].rowCount * b;
        // Updates write whole groups of rows and columns.
        f.ld = paddedRows(f.size + dense::rowGroup - 1);
        f.panel = panels;
        panels += static_cast<std::size_t>(f.ld) *
                  at(f.pivots > dense::blockWidth ? f.pivots + dense::rowGroup - 1 : f.pivots);
        m_largestFront = std::max(m_largestFront, f.size);
        if (nodes[s].parent >= 0 && !m_structure.isBand()) children[at(nodes[s].parent)].push_back(static_cast<int>(s));
    }
    if (!m_structure.isBand()) m_factor.assign(panels, 0.);

    Vector<int> local(m_structure.order.size(), -1);  // block → block row in the current front
    for (std::size_t s = 0; s < nodes.size(); ++s) {
        Front& f = m_fronts[s];
        const auto& node = nodes[s];
        for (int j = 0; j < node.columns; ++j) local[at(node.firstColumn + j)] = j;
        for (int r = 0; r < node.rowCount; ++r) local[at(m_structure.rows[at(node.rowBegin + r)])] = node.columns + r;

        planEntries(s, a, graph, local);
        f.childBegin = static_cast<int>(m_children.size());
        m_children.insert(m_children.end(), children[s].begin(), children[s].end());
        f.childEnd = static_cast<int>(m_children.size());
        for (const int c : children[s]) {
            Front& child = m_fronts[at(c)];
            child.runBegin = static_cast<int>(m_runs.size());
            for (int r = 0; r < nodes[at(c)].rowCount; ++r) {
                const int target = local[at(m_structure.rows[at(nodes[at(c)].rowBegin + r)])] * b;
                if (static_cast<int>(m_runs.size()) > child.runBegin) {
                    dense::Run& last = m_runs.back();
                    if (last.target + last.length == target) {
                        last.length += b;
                        continue;
                    }
                }
                m_runs.push_back({r * b, target, b});
            }
            child.runEnd = static_cast<int>(m_runs.size());
        }
    }
}

/// Entries on and below the diagonal after the permutation, from one triangle of the matrix, that above the diagonal:
/// its rows are the columns of the panel. Where a block is not stored its mirror image stands in, transposed.
void SupernodalLdlt::planEntries(std::size_t s, const BlockCsrMatrix& a, const Graph& graph, const Vector<int>& local)
{
    const auto& node = m_structure.supernodes[s];
    const int b = m_blockSize;
    Front& f = m_fronts[s];
    f.entryBegin = static_cast<int>(m_entries.size());
    for (int j = 0; j < node.columns; ++j) {
        const int column = node.firstColumn + j;
        const int original = m_structure.order[at(column)];
        if (a.diagonal(original) >= 0) m_entries.push_back({a.diagonal(original), j * b, j * b});
        for (const int other : graph.of(original)) {
            const int row = m_place[at(other)];
            if (row < column) continue;
            const int mirrored = a.find(original, other);
            m_entries.push_back({mirrored >= 0 ? ~mirrored : a.find(other, original), local[at(row)] * b, j * b});
        }
    }
    f.entryEnd = static_cast<int>(m_entries.size());
}

void SupernodalLdlt::planTasks()
{
    const auto& nodes = m_structure.supernodes;
    m_tasks.clear();
    m_top.clear();
    const int count = static_cast<int>(nodes.size());
    Vector<double> work(nodes.size(), 0.);
    for (std::size_t s = 0; s < nodes.size(); ++s) {
        work[s] += SupernodalStructure::frontOperations(m_fronts[s].pivots, m_fronts[s].size - m_fronts[s].pivots);
        if (nodes[s].parent >= 0) work[at(nodes[s].parent)] += work[s];
    }
    const double limit = m_structure.operations * largestTaskShare;
    double open = 0.;  // operations of the last task
    for (int s = 0; s < count; ++s) {
        const int p = nodes[at(s)].parent;
        const bool whole = limit < smallestTask || work[at(s)] <= limit;
        const bool isRoot = whole && (p < 0 || (limit >= smallestTask && work[at(p)] > limit));
        if (!whole)
            m_top.push_back(s);
        else if (isRoot) {
            // Neighbouring small subtrees share a task.
            const int begin = nodes[at(s)].firstDescendant;
            const bool join = !m_tasks.empty() && m_tasks.back().end == begin &&
                              (limit < smallestTask || open + work[at(s)] <= limit);
            if (join)
                m_tasks.back().end = s + 1;
            else {
                m_tasks.push_back({begin, s + 1, 0});
                open = 0.;
            }
            open += work[at(s)];
        }
    }
}

void SupernodalLdlt::planUpdates()
{
    const auto updateSize = [&](int s) {
        const Front& f = m_fronts[at(s)];
        return static_cast<std::size_t>(f.updateLd()) * at(wholeGroups(f.size - f.pivots));
    };
    // Room to pack the larger update of a front: of its rest by its pivots, or of half of its pivots by the others.
    const auto packSize = [&](int s) {
        const Front& f = m_fronts[at(s)];
        const auto size = [](int columns, int depth) {
            return at(columns + dense::bandWidth) * at(std::min(depth, dense::updateDepth));
        };
        const int half = f.pivots / 2;
        return std::max(size(f.size - f.pivots, f.pivots), size(half, half + dense::blockWidth));
    };
    std::size_t base = 0, pack = 0;
    Vector<std::size_t> place(m_fronts.size());
    for (Task& t : m_tasks) {
        PlaceAllocator allocator;
        std::size_t largest = 0;
        for (int s = t.begin; s < t.end; ++s) {
            Front& f = m_fronts[at(s)];
            place[at(s)] = allocator.take(updateSize(s));
            f.update = base + place[at(s)];
            for (int c = f.childBegin; c < f.childEnd; ++c) {
                const int child = m_children[at(c)];
                allocator.give(place[at(child)], updateSize(child));
            }
            largest = std::max(largest, packSize(s));
        }
        base += allocator.size();
        t.pack = pack;
        pack += largest;
    }
    PlaceAllocator allocator;
    std::size_t largest = 0;
    Vector<char> isTop(m_fronts.size(), 0);
    for (const int s : m_top) isTop[at(s)] = 1;
    for (const int s : m_top) {
        Front& f = m_fronts[at(s)];
        place[at(s)] = allocator.take(updateSize(s));
        f.update = base + place[at(s)];
        for (int c = f.childBegin; c < f.childEnd; ++c) {
            const int child = m_children[at(c)];
            if (isTop[at(child)]) allocator.give(place[at(child)], updateSize(child));
        }
        largest = std::max(largest, packSize(s));
    }
    m_topPack = pack;
    m_updates.assign(base + allocator.size(), 0.);
    m_pack.assign(pack + largest, 0.);
}

}  // namespace sofa::core
