// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockTridiagonal.h"

#include <algorithm>
#include <stdexcept>

namespace sofa::core {

std::optional<BlockTridiagonal::Entry> BlockTridiagonal::assign(const BlockCsrMatrix& m)
{
    if (m.rows() != m.cols()) throw std::runtime_error("BlockTridiagonal: the matrix is not square");
    m_ok = false;
    m_rows = m.rows();
    const std::size_t n = m_size, blocks = (static_cast<std::size_t>(m_rows) + n - 1) / n;
    for (Vector<double>* v : {&m_lower, &m_diagonal, &m_upper}) v->assign(blocks * area(), 0.);
    for (auto i = static_cast<std::size_t>(m_rows); i < blocks * n; ++i)
        m_diagonal[i / n * area() + (i % n) * (n + 1)] = 1.;
    std::optional<Entry> outside;
    const auto b = static_cast<std::size_t>(m.blockSize());
    for (int blockRow = 0; blockRow < m.blockRows(); ++blockRow) {
        const auto first = static_cast<std::size_t>(m.rowPtr()[static_cast<std::size_t>(blockRow)]),
                   last = static_cast<std::size_t>(m.rowPtr()[static_cast<std::size_t>(blockRow) + 1]);
        for (std::size_t k = first; k < last; ++k)
            for (std::size_t r = 0; r < b; ++r)
                for (std::size_t c = 0; c < b; ++c) {
                    const double value = m.block(k)[r * b + c];
                    const std::size_t row = static_cast<std::size_t>(blockRow) * b + r,
                                      column = static_cast<std::size_t>(m.colIdx()[k]) * b + c;
                    const std::size_t i = row / n, j = column / n, at = i * area() + row % n * n + column % n;
                    if (i == j)
                        m_diagonal[at] = value;
                    else if (j + 1 == i)
                        m_lower[at] = value;
                    else if (i + 1 == j)
                        m_upper[at] = value;
                    else if (value != 0. && !outside)
                        outside = Entry{static_cast<int>(row), static_cast<int>(column)};
                }
    }
    return outside;
}

bool BlockTridiagonal::factorize()
{
    const std::size_t n = m_size, blocks = m_diagonal.size() / area();
    m_ok = false;
    m_failedRow = -1;
    m_alpha.resize(blocks);
    m_lambda.assign(m_diagonal.size(), 0.);
    m_y.resize(blocks * n);
    Vector<double> alpha(area()), column(n);
    for (std::size_t i = 0; i < blocks; ++i) {
        std::copy_n(m_diagonal.begin() + static_cast<std::ptrdiff_t>(i * area()), area(), alpha.begin());
        if (i > 0) {
            const double *lower = m_lower.data() + i * area(), *lambda = m_lambda.data() + (i - 1) * area();
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t c = 0; c < n; ++c) {
                    double sum = 0.;
                    for (std::size_t k = 0; k < n; ++k) sum += lower[r * n + k] * lambda[c * n + k];
                    alpha[r * n + c] -= sum;
                }
        }
        if (!m_alpha[i].factorize(static_cast<int>(n), alpha)) {
            m_failedRow = std::min(m_rows - 1, static_cast<int>(i * n) + std::max(0, m_alpha[i].failedColumn()));
            return false;
        }
        if (i + 1 == blocks) break;
        for (std::size_t c = 0; c < n; ++c) {
            for (std::size_t r = 0; r < n; ++r) column[r] = m_upper[i * area() + r * n + c];
            m_alpha[i].solve(column, {m_lambda.data() + i * area() + c * n, n});
        }
    }
    m_ok = true;
    return true;
}

void BlockTridiagonal::solve(std::span<const double> b, std::span<double> x) const
{
    if (!m_ok) throw std::runtime_error("BlockTridiagonal: solve without a factorisation");
    if (b.size() != static_cast<std::size_t>(m_rows) || x.size() != b.size())
        throw std::runtime_error("BlockTridiagonal: vectors of wrong size");
    const std::size_t n = m_size, blocks = m_alpha.size();
    std::copy(b.begin(), b.end(), m_y.begin());
    std::fill(m_y.begin() + static_cast<std::ptrdiff_t>(b.size()), m_y.end(), 0.);
    for (std::size_t i = 0; i < blocks; ++i) {
        double* y = m_y.data() + i * n;
        if (i > 0)
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t k = 0; k < n; ++k) y[r] -= m_lower[i * area() + r * n + k] * (y - n)[k];
        m_alpha[i].solve({y, n}, {y, n});
    }
    for (std::size_t i = blocks; i-- > 1;) {
        double *y = m_y.data() + i * n, *before = y - n;
        const double* lambda = m_lambda.data() + (i - 1) * area();
        for (std::size_t c = 0; c < n; ++c)
            for (std::size_t r = 0; r < n; ++r) before[r] -= lambda[c * n + r] * y[c];
    }
    std::copy_n(m_y.begin(), x.size(), x.begin());
}

}  // namespace sofa::core
