// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockAssembler.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace sofa::core {

namespace {

std::string place(int row, int col) { return "(" + std::to_string(row) + ", " + std::to_string(col) + ")"; }

}  // namespace

void BlockAssembler::begin(int nbScalarRows, int nbScalarCols, int blockSize)
{
    if (blockSize != 1 && blockSize != 2 && blockSize != 3 && blockSize != 6)
        throw std::runtime_error("BlockAssembler::begin: block size " + std::to_string(blockSize) +
                                 " is not one of 1, 2, 3, 6");
    if (nbScalarRows < 0 || nbScalarCols < 0 || nbScalarRows % blockSize != 0 || nbScalarCols % blockSize != 0)
        throw std::runtime_error("BlockAssembler::begin: " + std::to_string(nbScalarRows) + " × " +
                                 std::to_string(nbScalarCols) + " scalars cannot be cut into blocks of " +
                                 std::to_string(blockSize));
    m_open = true;
    m_isUpper = m_hasUpper = m_hasSingles = false;
    m_whole = &m_matrix;
    m_eliminationCount = 0;
    m_rows = nbScalarRows;
    m_cols = nbScalarCols;
    m_blockSize = blockSize;
}

void BlockAssembler::beginSingles()
{
    if (!m_open) throw std::runtime_error("BlockAssembler::add: called outside begin … end");
    m_singles.begin(m_rows, m_cols, m_blockSize);
    m_hasSingles = true;
}

void BlockAssembler::beginSymmetric(const char* function, int offset, int size)
{
    const std::string name = std::string("BlockAssembler::") + function;
    if (!m_open) throw std::runtime_error(name + ": called outside begin … end");
    if (m_blockSize != 3 || offset % 3 != 0 || m_rows != m_cols)
        throw std::runtime_error(name + ": a matrix at " + place(offset, offset) + " is not aligned to blocks of " +
                                 std::to_string(m_blockSize) + " of one of " + std::to_string(m_rows) + " × " +
                                 std::to_string(m_cols));
    if (offset < 0 || offset + size > m_rows)
        throw std::runtime_error(name + ": a matrix of " + std::to_string(size) + " scalars from " +
                                 place(offset, offset) + " on is outside one of " + std::to_string(m_rows) + " × " +
                                 std::to_string(m_cols));
    if (!std::exchange(m_hasUpper, true)) m_upper.begin(m_rows / 3);
}

void BlockAssembler::addSymmetric(int offset, const SymmetricPattern& p, SymmetricSource& source, double factor)
{
    beginSymmetric("addSymmetric", offset, 3 * static_cast<int>(p.rows()));
    m_upper.addSymmetric(offset / 3, p, source, factor);
}

void BlockAssembler::addScalarBlocks(int offset, const ScalarBlockMatrix& m, double factor)
{
    beginSymmetric("addScalarBlocks", offset, 3 * static_cast<int>(m.pattern.rows()));
    m_upper.addScalarBlocks(offset / 3, m, factor);
}

const BlockCsrMatrix& BlockAssembler::end()
{
    if (!m_open) throw std::runtime_error("BlockAssembler::end: called without begin");
    if (!m_hasUpper) (void)singles();
    if (m_hasSingles) m_singles.end();
    if (m_hasUpper) {
        joinSingles();
        m_upper.end();
    }
    m_open = false;
    m_replayed = (!m_hasUpper || m_upper.replayed()) && (!m_hasSingles || m_singles.replayed());
    findVersion();
    if (!m_hasUpper) return *m_whole;
    m_isUpper = true;
    if (!m_upperOnly || !isSymmetricOffDiagonal()) complete();
    return stored();
}

void BlockAssembler::joinSingles()
{
    m_joined = false;
    if (m_hasSingles && (m_joins || !m_singles.isDiagonal())) {
        m_joined = m_half.take(m_singles.matrix(), m_singles.patternVersion());
        if (m_joined) {
            m_upper.addSymmetric(0, m_half.pattern(), m_half, 1.);
            m_joins = true;
            return;
        }
    }
    // The sequence of parts stays when contacts end.
    if (m_joins) {
        if (!m_hasSingles) m_half.clear(static_cast<std::size_t>(m_rows / 3));
        m_upper.addPattern(0, m_half.pattern());
    }
    if (!m_hasSingles || !m_singles.isDiagonal()) return;
    const BlockCsrMatrix& d = m_singles.matrix();
    for (int i = 0; i < d.blockRows(); ++i)
        m_upper.addDiagonal(i, d.block(static_cast<std::size_t>(d.diagonal(i))), 3, 1.);
}

void BlockAssembler::findVersion()
{
    if (!m_hasUpper) m_whole = &m_singles.matrix();
    const bool both = m_hasUpper && !isSymmetricOffDiagonal();
    const Versions now{m_hasUpper ? m_upper.version() : 0, m_hasUpper && !both ? 0 : m_singles.patternVersion()};
    if (now == m_versions && m_patternVersion != 0) return;
    const bool sameUpper = m_hasUpper && now.upper == m_versions.upper && m_patternVersion != 0;
    const bool wasWithin = std::exchange(m_isWithin, m_hasUpper && !both);
    m_versions = now;
    bool isSame = sameUpper && wasWithin && m_isWithin;
    if (both) isSame = makePattern() || (sameUpper && wasWithin && m_isWithin);
    if (isSame) return;
    if (!both) m_hasPattern = false;
    ++m_patternVersion;
}

void BlockAssembler::complete()
{
    if (!m_isUpper) return;
    if (!m_hasPattern) (void)makePattern();
    makeValues();
    m_isUpper = false;
}

bool BlockAssembler::makePattern() const
{
    const BlockCsrMatrix& upper = m_upper.matrix();
    const auto starts = upper.rowStarts(), ends = upper.rowEnds(), columns = upper.colIdx();
    const auto n = static_cast<std::size_t>(upper.blockRows());
    makeRoom(m_rowPtr, n + 1);
    m_rowPtr.resize(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        m_rowPtr[i + 1] += ends[i] - starts[i];
        for (int k = starts[i] + 1; k < ends[i]; ++k)
            ++m_rowPtr[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)]) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) m_rowPtr[i + 1] += m_rowPtr[i];
    makeRoom(m_colIdx, static_cast<std::size_t>(m_rowPtr.back()));
    m_colIdx.resize(static_cast<std::size_t>(m_rowPtr.back()));
    // Row by row the images come in the order of their columns, and before what is right of the diagonal.
    m_next.assign(m_rowPtr.begin(), m_rowPtr.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
        for (int k = starts[i]; k < ends[i]; ++k) {
            const int column = columns[static_cast<std::size_t>(k)];
            m_colIdx[static_cast<std::size_t>(m_next[i]++)] = column;
            if (k > starts[i])
                m_colIdx[static_cast<std::size_t>(m_next[static_cast<std::size_t>(column)]++)] = static_cast<int>(i);
        }
    if (!isSymmetricOffDiagonal()) {
        const BlockCsrMatrix& s = m_singles.matrix();
        Vector<int> rowPtr{0}, all;
        for (std::size_t i = 0; i < n; ++i) {
            std::set_union(m_colIdx.begin() + m_rowPtr[i], m_colIdx.begin() + m_rowPtr[i + 1],
                           s.colIdx().begin() + s.rowPtr()[i], s.colIdx().begin() + s.rowPtr()[i + 1],
                           std::back_inserter(all));
            rowPtr.push_back(static_cast<int>(all.size()));
        }
        m_isWithin = all.size() == m_colIdx.size();
        m_rowPtr.swap(rowPtr);
        m_colIdx.swap(all);
    }
    const bool isSame = m_hasPattern && m_matrix.hasPattern(static_cast<int>(n), 3, m_rowPtr, m_colIdx);
    m_hasPattern = true;
    if (isSame) return true;
    m_matrix.setPattern(static_cast<int>(n), static_cast<int>(n), 3, m_rowPtr, m_colIdx, BlockCsrMatrix::Values::None);
    return false;
}

void BlockAssembler::makeValues()
{
    const bool both = !isSymmetricOffDiagonal();
    if ((both && !m_isWithin) || m_matrix.values().empty()) m_matrix.setZero();
    const BlockCsrMatrix& upper = m_upper.matrix();
    const auto starts = upper.rowStarts(), ends = upper.rowEnds(), columns = upper.colIdx();
    const auto to = m_matrix.rowPtr(), all = m_matrix.colIdx();
    const auto n = static_cast<std::size_t>(upper.blockRows());
    m_next.assign(to.begin(), to.end() - 1);
    // The block of a row and a column, which comes behind the one of the last call for the row.
    const auto next = [&](std::size_t row, int column) {
        int& k = m_next[row];
        while (all[static_cast<std::size_t>(k)] != column) ++k;
        return m_matrix.block(static_cast<std::size_t>(k++));
    };
    for (std::size_t i = 0; i < n; ++i)
        for (int k = starts[i]; k < ends[i]; ++k) {
            const double* from = upper.block(static_cast<std::size_t>(k));
            const int column = columns[static_cast<std::size_t>(k)];
            std::copy_n(from, 9, next(i, column));
            if (k == starts[i]) continue;
            double* image = next(static_cast<std::size_t>(column), static_cast<int>(i));
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) image[3 * r + c] = from[3 * c + r];
        }
    if (!both) return;
    const BlockCsrMatrix& s = m_singles.matrix();
    m_next.assign(to.begin(), to.end() - 1);
    for (std::size_t i = 0; i < n; ++i)
        for (int k = s.rowPtr()[i]; k < s.rowPtr()[i + 1]; ++k) {
            double* a = next(i, s.colIdx()[static_cast<std::size_t>(k)]);
            const double* from = s.block(static_cast<std::size_t>(k));
            for (std::size_t j = 0; j < 9; ++j) a[j] += from[j];
        }
}

void BlockAssembler::isolatedRows(Vector<int>& rows) const
{
    if (m_hasUpper && isSymmetricOffDiagonal()) return m_upper.isolatedRows(rows);
    rows.clear();
    const auto start = m_whole->rowPtr();
    for (int i = 0; i < m_whole->blockRows(); ++i)
        if (start[static_cast<std::size_t>(i) + 1] - start[static_cast<std::size_t>(i)] == 1) rows.push_back(i);
}

void BlockAssembler::eliminate(std::span<const int> scalarDofs)
{
    if (m_open || m_patternVersion == 0) throw std::runtime_error("BlockAssembler::eliminate: called before end");
    for (const int d : scalarDofs)
        if (d < 0 || d >= std::max(m_rows, m_cols))
            throw std::runtime_error("BlockAssembler::eliminate: degree of freedom " + std::to_string(d) +
                                     " is outside a matrix of " + std::to_string(m_rows) + " × " +
                                     std::to_string(m_cols));
    if (m_isUpper) return m_upper.eliminate(scalarDofs);
    if (m_eliminationCount == m_eliminations.size()) m_eliminations.emplace_back();
    Elimination& e = m_eliminations[m_eliminationCount++];
    if (e.patternVersion != m_patternVersion || !std::ranges::equal(e.dofs, scalarDofs))
        buildElimination(e, scalarDofs);
    double* const all = values().data();
    for (const Elimination::Run& r : e.zeros) std::fill_n(all + r.first, r.count, 0.);
    for (const std::size_t k : e.ones) all[k] = 1.;
}

void BlockAssembler::project(int first, int n, const double* p)
{
    if (m_open || m_patternVersion == 0) throw std::runtime_error("BlockAssembler::project: called before end");
    const int b = m_blockSize;
    complete();
    if (first % b != 0 || n % b != 0 || first < 0 || first + n > m_rows || n > 6)
        throw std::runtime_error("BlockAssembler::project: scalars " + std::to_string(first) + " to " +
                                 std::to_string(first + n) + " are no blocks of the matrix");
    std::array<int, 6> scalars{};
    std::iota(scalars.begin(), scalars.end(), first);
    project(std::span<const int>(scalars).first(static_cast<std::size_t>(n)), p);
}

void BlockAssembler::join(int first, int second)
{
    if (m_open || m_patternVersion == 0) throw std::runtime_error("BlockAssembler::join: called before end");
    complete();
    if (std::min(first, second) < 0 || std::max(first, second) >= m_rows || first == second)
        throw std::runtime_error("BlockAssembler::join: there are no two scalars " + std::to_string(first) + " and " +
                                 std::to_string(second));
    constexpr double mean[4] = {0.5, 0.5, 0.5, 0.5};
    project(std::array{first, second}, mean);
}

void BlockAssembler::project(std::span<const int> scalars, const double* p)
{
    const int b = m_blockSize;
    const int n = static_cast<int>(scalars.size());
    const auto rowPtr = m_whole->rowPtr(), colIdx = m_whole->colIdx();
    double* const entries = values().data();
    // The entry of a row and a column, if the pattern has it.
    const auto find = [&](int row, int col) -> double* {
        const auto from = colIdx.begin() + rowPtr[static_cast<std::size_t>(row / b)],
                   to = colIdx.begin() + rowPtr[static_cast<std::size_t>(row / b) + 1];
        const auto at = std::lower_bound(from, to, col / b);
        if (at == to || *at != col / b) return nullptr;
        return entries + (at - colIdx.begin()) * (b * b) + row % b * b + col % b;
    };
    Vector<int> columns;
    for (const int s : scalars)
        for (int k = rowPtr[static_cast<std::size_t>(s / b)]; k < rowPtr[static_cast<std::size_t>(s / b) + 1]; ++k)
            columns.push_back(colIdx[static_cast<std::size_t>(k)]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    double in[6], out[6];
    const auto scalar = [&](int i) { return scalars[static_cast<std::size_t>(i)]; };
    // Left: the n scalars of a column of A, for each column of the row; right: those of a row, for each row (the
    // pattern is symmetric).
    for (const bool left : {true, false}) {
        for (const int other : columns) {
            for (int c = other * b; c < (other + 1) * b; ++c) {
                const auto entry = [&](int i) { return left ? find(scalar(i), c) : find(c, scalar(i)); };
                for (int i = 0; i < n; ++i) {
                    const double* e = entry(i);
                    in[i] = e ? *e : 0.;
                }
                for (int i = 0; i < n; ++i) {
                    out[i] = 0.;
                    for (int j = 0; j < n; ++j) out[i] += (left ? p[i * n + j] : p[j * n + i]) * in[j];
                }
                for (int i = 0; i < n; ++i)
                    if (double* e = entry(i)) *e = out[i];
            }
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (double* e = find(scalar(i), scalar(j))) *e += (i == j ? 1. : 0.) - p[i * n + j];
}

void BlockAssembler::buildElimination(Elimination& e, std::span<const int> scalarDofs) const
{
    const int b = m_blockSize;
    Vector<char> fixed(static_cast<std::size_t>(std::max(m_rows, m_cols)), 0);
    for (const int d : scalarDofs) fixed[static_cast<std::size_t>(d)] = 1;
    e.patternVersion = m_patternVersion;
    e.dofs.assign(scalarDofs.begin(), scalarDofs.end());
    e.zeros.clear();
    e.ones.clear();
    if (scalarDofs.empty()) return;
    const auto rowPtr = m_whole->rowPtr(), colIdx = m_whole->colIdx();
    Vector<char> touched(fixed.size() / static_cast<std::size_t>(b), 0);  // blocks with a fixed scalar
    for (const int d : scalarDofs) touched[static_cast<std::size_t>(d / b)] = 1;
    for (int i = 0; i < m_whole->blockRows(); ++i)
        for (int k = rowPtr[static_cast<std::size_t>(i)]; k < rowPtr[static_cast<std::size_t>(i) + 1]; ++k) {
            const int j = colIdx[static_cast<std::size_t>(k)];
            if (!touched[static_cast<std::size_t>(i)] && !touched[static_cast<std::size_t>(j)]) continue;
            for (int r = 0; r < b; ++r)
                for (int c = 0; c < b; ++c) {
                    const int row = i * b + r, col = j * b + c;
                    if (!fixed[static_cast<std::size_t>(row)] && !fixed[static_cast<std::size_t>(col)]) continue;
                    const auto position = static_cast<std::size_t>(k) * static_cast<std::size_t>(b * b) +
                                          static_cast<std::size_t>(r * b + c);
                    if (row == col) e.ones.push_back(position);
                    if (!e.zeros.empty() && e.zeros.back().first + e.zeros.back().count == position)
                        ++e.zeros.back().count;
                    else if (row != col)
                        e.zeros.push_back({position, 1});
                }
        }
}

std::size_t BlockAssembler::bytes() const { return m_upper.bytes() + m_singles.bytes() + m_matrix.bytes(); }

}  // namespace sofa::core
