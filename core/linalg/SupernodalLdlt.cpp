// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SupernodalLdlt.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "core/linalg/Stopwatch.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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

/// Multiplications of an update above which its rows are spread over threads, and those of one chunk.
constexpr double parallelUpdate = 4e6;
constexpr double updateChunk = 1e6;

/// Pivots below this share of their diagonal entry count as nearly zero. Rounding leaves the pivots of a singular
/// matrix at 1e-16 of it, times the growth through other small pivots, for which some orders of magnitude are allowed.
constexpr double nearlyZero = 1e-11;
constexpr std::size_t reportedRows = 16;

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
    // Room to pack the widest update of a front: its rest, or half of its pivots.
    const auto packSize = [&](int s) {
        const Front& f = m_fronts[at(s)];
        return at(std::max(f.size - f.pivots, f.pivots) + dense::bandWidth) * dense::updateDepth;
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

FactorizationStatus SupernodalLdlt::factorize(const BlockCsrMatrix& a)
{
    const bool isSame = m_analyzed && a.rows() == m_rows && a.cols() == m_rows && a.blockSize() == m_blockSize &&
                        std::ranges::equal(a.rowPtr(), m_rowPtr) && std::ranges::equal(a.colIdx(), m_colIdx);
    if (!isSame) analyze(a);
    const Stopwatch watch;
    factorizeValues(a);
    // Of indefinite matrices on regular grids leading minors are singular, more often in the order of the grid.
    const bool isPoor =
        m_report.status == FactorizationStatus::nearlySingular || m_report.status == FactorizationStatus::singular;
    if (isPoor && m_structure.isBand() && m_ordering == OrderingMethod::automatic) {
        m_mayBeBand = false;
        plan(a);
        factorizeValues(a);
    }
    m_report.factorizeSeconds = watch.seconds();
    return m_report.status;
}

void SupernodalLdlt::factorizeValues(const BlockCsrMatrix& a)
{
    m_kernels = &dense::kernels();
    m_factorized = false;
    if (m_structure.isBand()) {
        factorizeBand(a);
    } else {
        parallelFor(0, m_tasks.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t)
                for (int s = m_tasks[t].begin; s < m_tasks[t].end; ++s)
                    factorizeFront(s, a, m_pack.data() + m_tasks[t].pack);
        });
        for (const int s : m_top) factorizeFront(s, a, m_pack.data() + m_topPack);
    }
    inspectPivots();
    m_factorized = true;
}

template <int B>
void SupernodalLdlt::gatherBlocks(const Front& front, const BlockCsrMatrix& a, double* panel) const
{
    for (int e = front.entryBegin; e < front.entryEnd; ++e) {
        const Entry& entry = m_entries[at(e)];
        double* target = panel + entry.column * front.ld + entry.row;
        const bool transposed = entry.block < 0;
        const double* v = a.block(at(transposed ? ~entry.block : entry.block));
        if (transposed)
            for (int c = 0; c < B; ++c)
                for (int r = 0; r < B; ++r) target[c * front.ld + r] = v[c * B + r];
        else
            for (int c = 0; c < B; ++c)
                for (int r = 0; r < B; ++r) target[c * front.ld + r] = v[r * B + c];
    }
}

/// Sets the panel of a front to the entries of the matrix.
void SupernodalLdlt::gather(std::size_t s, const BlockCsrMatrix& a)
{
    const Front& f = m_fronts[s];
    double* panel = m_factor.data() + f.panel;
    const int firstScalar = m_structure.supernodes[s].firstColumn * m_blockSize;
    std::fill_n(panel, static_cast<std::size_t>(f.ld) * at(f.pivots), 0.);
    switch (m_blockSize) {
        case 1:
            gatherBlocks<1>(f, a, panel);
            break;
        case 2:
            gatherBlocks<2>(f, a, panel);
            break;
        case 3:
            gatherBlocks<3>(f, a, panel);
            break;
        default:
            gatherBlocks<6>(f, a, panel);
            break;
    }
    for (int k = 0; k < f.pivots; ++k) m_scale[at(firstScalar + k)] = std::abs(panel[k * f.ld + k]);
}

void SupernodalLdlt::factorizeFront(int s, const BlockCsrMatrix& a, double* pack)
{
    const Front& f = m_fronts[at(s)];
    double* panel = m_factor.data() + f.panel;
    double* update = m_updates.data() + f.update;
    const int rest = f.size - f.pivots;
    const int firstScalar = m_structure.supernodes[at(s)].firstColumn * m_blockSize;

    gather(at(s), a);
    const std::ptrdiff_t ld = f.updateLd();
    for (int c = 0; c < rest; ++c) std::fill_n(update + c * ld + c, rest - c, 0.);
    for (int c = f.childBegin; c < f.childEnd; ++c) {
        const Front& child = m_fronts[at(m_children[at(c)])];
        m_kernels->extendAdd(m_updates.data() + child.update, child.updateLd(), m_runs.data() + child.runBegin,
                             child.runEnd - child.runBegin, panel, f.ld, f.pivots, update, ld);
    }
    factorizePanel(f, panel, firstScalar, 0, f.pivots, pack);
    if (rest > 0) updateLower(f, panel, firstScalar, 0, f.pivots, f.pivots, f.size, update, ld, pack);
}

void SupernodalLdlt::factorizePanel(const Front& front, double* panel, int firstScalar, int begin, int end,
                                    double* pack)
{
    const int width = end - begin;
    if (width <= dense::blockWidth) {
        double w[dense::blockWidth * dense::blockWidth];
        double* d = m_d.data() + firstScalar + begin;
        double* inverse = m_inverse.data() + firstScalar + begin;
        m_kernels->factorDiagonal(panel + begin * front.ld + begin, front.ld, width, d, inverse, w);
        if (end < front.size)
            m_kernels->solveRows(panel + begin * front.ld + end, front.ld, front.size - end, width, inverse, w);
        return;
    }
    const int half = (width / 2 + dense::blockWidth - 1) / dense::blockWidth * dense::blockWidth;
    const int middle = begin + half;
    factorizePanel(front, panel, firstScalar, begin, middle, pack);
    updateLower(front, panel, firstScalar, begin, middle, middle, end, panel + middle * front.ld + middle, front.ld,
                pack);
    factorizePanel(front, panel, firstScalar, middle, end, pack);
}

/// Subtracts columns [k0, k1) from columns [j0, j1), rows [j0, size), of the front; `target` is its entry (j0, j0).
void SupernodalLdlt::updateLower(const Front& front, const double* panel, int firstScalar, int k0, int k1, int j0,
                                 int j1, double* target, std::ptrdiff_t ld, double* pack)
{
    constexpr int piece = 3 * dense::rowGroup;
    const int columns = j1 - j0, rows = front.size - j0;
    for (int k = k0; k < k1; k += dense::updateDepth) {
        const int depth = std::min(dense::updateDepth, k1 - k);
        const double* l = panel + k * front.ld + j0;
        m_kernels->packColumns(l, front.ld, m_d.data() + firstScalar + k, columns, depth, pack);
        const auto strips = [&](std::size_t begin, std::size_t end) {
            m_kernels->updateRows(l, front.ld, static_cast<int>(begin) * piece,
                                  std::min(static_cast<int>(end) * piece, rows), depth, pack, columns, target, ld);
        };
        const std::size_t count = at((rows + piece - 1) / piece);
        const double perStrip = static_cast<double>(depth) * columns * piece;
        if (perStrip * static_cast<double>(count) < parallelUpdate)
            strips(0, count);
        else
            parallelFor(0, count, static_cast<std::size_t>(updateChunk / perStrip) + 1, strips);
    }
}

void SupernodalLdlt::inspectPivots()
{
    FactorizationReport& r = m_report;
    r.status = FactorizationStatus::ok;
    r.negativePivots = r.zeroPivots = 0;
    r.zeroPivotRows.clear();
    for (int k = 0; k < m_rows; ++k) {
        const double d = m_d[at(k)];
        if (d < 0.) ++r.negativePivots;
        FactorizationStatus status = FactorizationStatus::ok;
        if (!std::isfinite(d))
            status = FactorizationStatus::notFinite;
        else if (d == 0.)
            status = FactorizationStatus::singular;
        else if (std::abs(d) <= nearlyZero * m_scale[at(k)])
            status = FactorizationStatus::nearlySingular;
        if (status == FactorizationStatus::ok) continue;
        r.status = std::max(r.status, status);
        ++r.zeroPivots;
        if (r.zeroPivotRows.size() < reportedRows) r.zeroPivotRows.push_back(originalRow(k));
    }
    std::sort(r.zeroPivotRows.begin(), r.zeroPivotRows.end());
}

double SupernodalLdlt::factorEntry(int i, int j) const
{
    const auto& nodes = m_structure.supernodes;
    const int column = j / m_blockSize, row = i / m_blockSize;
    const auto s = at(static_cast<int>(std::upper_bound(nodes.begin(), nodes.end(), column,
                                                        [](int c, const auto& node) { return c < node.firstColumn; }) -
                                       nodes.begin()) -
                      1);
    const auto& node = nodes[s];
    int local = row - node.firstColumn;
    if (local >= node.columns) {
        const auto begin = m_structure.rows.begin() + node.rowBegin, end = begin + node.rowCount;
        const auto p = std::lower_bound(begin, end, row);
        if (p == end || *p != row) return 0.;
        local = node.columns + static_cast<int>(p - begin);
    }
    const Front& f = m_fronts[s];
    return m_factor[f.panel + static_cast<std::size_t>(f.ld * (j - node.firstColumn * m_blockSize)) +
                    at(local * m_blockSize + i % m_blockSize)];
}

void SupernodalLdlt::solve(std::span<const double> b, std::span<double> x, int nrhs) const
{
    checkSolve(m_rows, m_factorized, b.size(), x.size(), nrhs);
    if (m_report.status == FactorizationStatus::notFinite) {
        std::fill(x.begin(), x.end(), 0.);
        return;
    }
    constexpr int few = 2;  // right-hand sides up to which one at a time is faster
    for (int c = 0; c < nrhs;) {
        const std::size_t offset = at(c) * at(m_rows);
        const int count = std::min(nrhs - c, dense::rhsWidth);
        if (count > few) {
            solveMany(b.data() + offset, x.data() + offset, count);
            c += count;
        } else {
            solveOne(b.data() + offset, x.data() + offset);
            ++c;
        }
    }
}

void SupernodalLdlt::solveOne(const double* b, double* x) const
{
    const auto& nodes = m_structure.supernodes;
    const auto bs = at(m_blockSize);
    const auto blocks = m_structure.order.size();
    const bool band = m_structure.isBand();  // the rows of a front follow one another
    double* z = m_x.data();
    double* y = m_y.data();
    for (std::size_t k = 0; k < blocks; ++k)
        for (std::size_t r = 0; r < bs; ++r) z[k * bs + r] = b[at(m_structure.order[k]) * bs + r];

    for (std::size_t s = 0; s < nodes.size(); ++s) {
        const Front& f = m_fronts[s];
        double* top = z + at(nodes[s].firstColumn) * bs;
        if (band) {
            m_kernels->forward(m_factor.data() + f.panel, f.ld, f.size, f.pivots, top);
            continue;
        }
        std::copy_n(top, f.pivots, y);
        std::fill(y + f.pivots, y + f.size, 0.);
        m_kernels->forward(m_factor.data() + f.panel, f.ld, f.size, f.pivots, y);
        std::copy_n(y, f.pivots, top);
        const int* rows = m_structure.rows.data() + nodes[s].rowBegin;
        const double* below = y + f.pivots;
        for (int q = 0; q < nodes[s].rowCount; ++q)
            for (std::size_t r = 0; r < bs; ++r) z[at(rows[q]) * bs + r] += *below++;
    }
    for (std::size_t k = 0; k < blocks * bs; ++k) z[k] *= m_inverse[k];
    for (std::size_t s = nodes.size(); s-- > 0;) {
        const Front& f = m_fronts[s];
        double* top = z + at(nodes[s].firstColumn) * bs;
        if (band) {
            m_kernels->backward(m_factor.data() + f.panel, f.ld, f.size, f.pivots, top);
            continue;
        }
        std::copy_n(top, f.pivots, y);
        const int* rows = m_structure.rows.data() + nodes[s].rowBegin;
        double* below = y + f.pivots;
        for (int q = 0; q < nodes[s].rowCount; ++q)
            for (std::size_t r = 0; r < bs; ++r) *below++ = z[at(rows[q]) * bs + r];
        m_kernels->backward(m_factor.data() + f.panel, f.ld, f.size, f.pivots, y);
        std::copy_n(y, f.pivots, top);
    }
    for (std::size_t k = 0; k < blocks; ++k)
        for (std::size_t r = 0; r < bs; ++r) x[at(m_structure.order[k]) * bs + r] = z[k * bs + r];
}

/// Forward step of one front for rhsWidth interleaved right-hand sides; y is work space for the rows of the front.
void SupernodalLdlt::forwardFront(std::size_t s, double* z, double* y) const
{
    const auto& node = m_structure.supernodes[s];
    const Front& f = m_fronts[s];
    constexpr auto width = static_cast<std::size_t>(dense::rhsWidth);
    const std::size_t blockSize = at(m_blockSize) * width;
    double* top = z + at(node.firstColumn) * blockSize;
    std::copy_n(top, at(f.pivots) * width, y);
    std::fill(y + at(f.pivots) * width, y + at(f.size) * width, 0.);
    m_kernels->forwardMany(m_factor.data() + f.panel, f.ld, f.size, f.pivots, y);
    std::copy_n(y, at(f.pivots) * width, top);
    const int* rows = m_structure.rows.data() + node.rowBegin;
    const double* below = y + at(f.pivots) * width;
    for (int q = 0; q < node.rowCount; ++q) {
        double* target = z + at(rows[q]) * blockSize;
        for (std::size_t r = 0; r < blockSize; ++r) target[r] += *below++;
    }
}

void SupernodalLdlt::solveMany(const double* b, double* x, int count) const
{
    const auto& nodes = m_structure.supernodes;
    const auto bs = at(m_blockSize);
    constexpr auto width = static_cast<std::size_t>(dense::rhsWidth);
    const auto n = at(m_rows);
    double* z = m_x.data();
    double* y = m_y.data();
    for (std::size_t k = 0; k < n; ++k) {
        const auto row = at(originalRow(static_cast<int>(k)));
        for (std::size_t c = 0; c < width; ++c) z[k * width + c] = c < at(count) ? b[c * n + row] : 0.;
    }
    for (std::size_t s = 0; s < nodes.size(); ++s) forwardFront(s, z, y);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t c = 0; c < width; ++c) z[k * width + c] *= m_inverse[k];
    for (std::size_t s = nodes.size(); s-- > 0;) {
        const Front& f = m_fronts[s];
        double* top = z + at(nodes[s].firstColumn) * bs * width;
        std::copy_n(top, at(f.pivots) * width, y);
        const int* rows = m_structure.rows.data() + nodes[s].rowBegin;
        double* below = y + at(f.pivots) * width;
        for (int q = 0; q < nodes[s].rowCount; ++q, below += bs * width)
            std::copy_n(z + at(rows[q]) * bs * width, bs * width, below);
        m_kernels->backwardMany(m_factor.data() + f.panel, f.ld, f.size, f.pivots, y);
        std::copy_n(y, at(f.pivots) * width, top);
    }
    for (std::size_t k = 0; k < n; ++k) {
        const auto row = at(originalRow(static_cast<int>(k)));
        for (std::size_t c = 0; c < at(count); ++c) x[c * n + row] = z[k * width + c];
    }
}

}  // namespace sofa::core
