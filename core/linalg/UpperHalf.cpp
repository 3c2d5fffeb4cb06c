// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/UpperHalf.h"

#include <algorithm>
#include <cmath>

#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

constexpr std::size_t halfGrain = 1024;  ///< rows in a piece of the parallel loop
constexpr double largestDeviation = 1e-13;

/// Whether b is the transpose of a, to rounding.
bool areImages(const double* a, const double* b)
{
    double largest = 0., deviation = 0.;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            largest = std::max(largest, std::abs(a[3 * i + j]));
            deviation = std::max(deviation, std::abs(a[3 * i + j] - b[3 * j + i]));
        }
    return deviation <= largestDeviation * largest;
}

}  // namespace

bool UpperHalf::isSymmetric(const BlockCsrMatrix& a)
{
    const auto starts = a.rowStarts(), ends = a.rowEnds(), columns = a.colIdx(), diagonals = a.diagonals();
    m_next.assign(starts.begin(), starts.begin() + a.blockRows());
    for (int i = 0; i < a.blockRows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        if (m_next[row] != diagonals[row]) return false;  // what is left of it has come from the rows before
        for (int k = diagonals[row] + 1; k < ends[row]; ++k) {
            const auto column = static_cast<std::size_t>(columns[static_cast<std::size_t>(k)]);
            const auto image = static_cast<std::size_t>(m_next[column]++);
            if (columns[image] != i || !areImages(a.block(static_cast<std::size_t>(k)), a.block(image))) return false;
        }
    }
    return true;
}

void UpperHalf::setColumns(const BlockCsrMatrix* a, std::size_t rows)
{
    PiecewiseRows<std::uint32_t> before;
    std::swap(m_pattern.columns, before);
    for (std::size_t r = 0; r < rows; ++r) {
        m_columns.clear();
        if (a) m_columns.assign(a->colIdx().begin() + a->diagonals()[r] + 1, a->colIdx().begin() + a->rowEnds()[r]);
        m_pattern.columns.push_back(m_columns);
    }
    m_pattern.columnsWere(before);
    m_version = 0;
}

bool UpperHalf::take(const BlockCsrMatrix& a, std::uint64_t version)
{
    const auto rows = static_cast<std::size_t>(a.blockRows());
    m_matrix = &a;
    if (!isSymmetric(a)) {
        clear(rows);
        return false;
    }
    if (m_version != version || m_pattern.rows() != rows) setColumns(&a, rows);
    m_version = version;
    return true;
}

void UpperHalf::forEachRows(const Rows& rows)
{
    const BlockCsrMatrix& a = *m_matrix;
    parallelFor(0, m_pattern.rows(), halfGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t r = first; r < last; ++r) rows(r, r + 1, a.block(static_cast<std::size_t>(a.diagonals()[r])));
    });
}

}  // namespace sofa::core
