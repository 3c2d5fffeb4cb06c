// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SupernodalLdlt.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/linalg/Stopwatch.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

using supernodal::at;

/// Multiplications of an update above which its rows are spread over threads, and those of one chunk.
constexpr double parallelUpdate = 4e6;
constexpr double updateChunk = 1e6;

/// Pivots below this share of their diagonal entry count as nearly zero. Rounding leaves the pivots of a singular
/// matrix at 1e-16 of it, times the growth through other small pivots, for which some orders of magnitude are allowed.
constexpr double nearlyZero = 1e-11;

}  // namespace

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
