// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockAssembler.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/linalg/SymmetricRows.h"
#include "core/parallel/Parallel.h"

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
    const bool recordComplete = m_patternVersion != 0 && !(m_open && m_recording);
    m_open = true;
    m_isUpper = false;
    m_cursor = 0;
    m_eliminationCount = 0;
    m_recorded.clear();
    const bool upper = m_upperOnly && m_pairsOnly && blockSize == 3 && nbScalarRows == nbScalarCols;
    if (recordComplete && nbScalarRows == m_rows && nbScalarCols == m_cols && blockSize == m_blockSize &&
        (upper || !m_recordIsUpper)) {
        m_recording = false;
        m_zeroPending = true;
        if (upper && !m_recordIsUpper) useUpper();
        m_isUpper = m_recordIsUpper;
        m_values = (m_isUpper ? m_upper : m_matrix).values().data();
        return;
    }
    m_zeroPending = false;
    m_rows = nbScalarRows;
    m_cols = nbScalarCols;
    m_blockSize = blockSize;
    m_recording = true;
    m_record.clear();
    m_symmetric.clear();
    m_identities.clear();
}

void BlockAssembler::clearValues()
{
    for (std::size_t k = 0; k < m_cleared.size(); k += 2)
        std::fill(m_values + m_cleared[k], m_values + m_cleared[k + 1], 0.);
    m_zeroPending = false;
}

void BlockAssembler::startRecording()
{
    if (!m_open) throw std::runtime_error("BlockAssembler::add: called outside begin … end");
    if (m_zeroPending) clearValues();
    // What would have been written from here on has the values of the pass before.
    for (std::size_t k = m_cursor; k < recordedCalls(); ++k) {
        if (m_record[k].row != symmetricCall) continue;
        const Symmetric& s = m_symmetric[static_cast<std::size_t>(m_record[k].slot)];
        const auto [first, last] = valuesOf(s);
        if (s.writes) std::fill(m_values + first, m_values + last, 0.);
    }
    if (m_cursor > 0) complete();
    m_isUpper = false;
    // The entries before the cursor stay; their sums are in the matrix and are carried over by buildPattern.
    m_recording = true;
    m_record.resize(m_cursor);
    const auto calls = [&](int kind) {
        return static_cast<std::size_t>(std::ranges::count(m_record, kind, &Entry::row));
    };
    m_symmetric.shrink(calls(symmetricCall));
    m_identities.shrink(calls(identitiesCall));
}

void BlockAssembler::useUpper()
{
    m_upper.setUpperPattern(m_matrix, BlockCsrMatrix::Values::Any);
    const auto diagonals = m_matrix.diagonals(), start = m_upper.rowPtr();
    const auto toUpper = [&](int& slot, std::size_t row) {
        slot = slot < diagonals[row] ? -1 : slot - diagonals[row] + start[row];
    };
    for (Entry& e : m_record)
        if (e.row >= 0) toUpper(e.slot, static_cast<std::size_t>(e.row / 3));
    for (Identities& s : m_identities)
        for (Entry& e : s.places) toUpper(e.slot, static_cast<std::size_t>(e.row / 3));
    for (Symmetric& s : m_symmetric) {
        int* slot = s.slots.data();
        for (const Entry& e : s.places) {
            const auto row = static_cast<std::size_t>(e.row / 3);
            toUpper(e.row == e.col ? s.diagonals[row - static_cast<std::size_t>(s.offset / 3)] : *slot++, row);
        }
    }
    m_recordIsUpper = true;
    findCleared();
}

void BlockAssembler::addScalarBlocks(int offset, const ScalarBlockMatrix& m, double factor)
{
    if (!m_recording) [[likely]] {
        const Entry& e = m_record[m_cursor];
        if (e.row == identitiesCall && e.col == offset && m_identities[static_cast<std::size_t>(e.slot)].id == m.id)
            [[likely]] {
            ++m_cursor;
            if (m_zeroPending) clearValues();
            const Entry* to = m_identities[static_cast<std::size_t>(e.slot)].places.data();
            const auto add = [this](int slot, double value) {
                double* v = m_values + static_cast<std::size_t>(slot) * 9;
                v[0] += value;
                v[4] += value;
                v[8] += value;
            };
            for (std::size_t k = 0; k < m.places.size(); ++k) {
                const double value = factor * m.values[k];
                const bool isMirrored = to->row != to->col;
                add(to++->slot, value);
                if (!isMirrored) continue;
                if (!m_isUpper) add(to->slot, value);
                ++to;
            }
            return;
        }
        startRecording();
    }
    if (!m_open) throw std::runtime_error("BlockAssembler::addScalarBlocks: called outside begin … end");
    if (m_blockSize != 3 || offset % 3 != 0) misaligned(offset, offset, 3, 3);
    m_record.push_back({identitiesCall, offset, static_cast<int>(m_identities.size())});
    Identities& s = m_identities.next();
    s.id = m.id;
    makeRoom(s.places, 2 * m.places.size());
    for (std::size_t k = 0; k < m.places.size(); ++k) {
        const int row = offset + 3 * static_cast<int>(m.places[k].row),
                  col = offset + 3 * static_cast<int>(m.places[k].column);
        if (row < 0 || col < row || col + 3 > m_rows || col + 3 > m_cols)
            throw std::runtime_error(
                "BlockAssembler::addScalarBlocks: no block on or right of the diagonal of a matrix of " +
                std::to_string(m_rows) + " × " + std::to_string(m_cols) + " is at " + place(row, col));
        s.places.push_back({row, col, 0});
        if (row != col) s.places.push_back({col, row, 0});
        m_recorded.push_back(factor * m.values[k]);
    }
}

void BlockAssembler::addSymmetric(int offset, const SymmetricPattern& p, SymmetricSource& pairs, double factor)
{
    if (!m_recording) [[likely]] {
        const Entry& e = m_record[m_cursor];
        if (e.row == symmetricCall && e.col == offset && m_symmetric[static_cast<std::size_t>(e.slot)].id == p.id)
            [[likely]] {
            ++m_cursor;
            if (m_zeroPending) clearValues();
            put(m_symmetric[static_cast<std::size_t>(e.slot)], pairs, factor);
            return;
        }
        startRecording();
    }
    recordSymmetric(offset, p, pairs, factor);
}

void BlockAssembler::recordSymmetric(int offset, const SymmetricPattern& p, SymmetricSource& pairs, double factor)
{
    if (!m_open) throw std::runtime_error("BlockAssembler::addSymmetric: called outside begin … end");
    const int size = 3 * static_cast<int>(p.rows());
    if (m_blockSize != 3 || offset % 3 != 0) misaligned(offset, offset, size, size);
    if (offset < 0 || offset + size > m_rows || offset + size > m_cols)
        throw std::runtime_error("BlockAssembler::addSymmetric: a matrix of " + std::to_string(size) +
                                 " scalars from " + place(offset, offset) + " on is outside one of " +
                                 std::to_string(m_rows) + " × " + std::to_string(m_cols));
    m_record.push_back({symmetricCall, offset, static_cast<int>(m_symmetric.size())});
    Symmetric& s = m_symmetric.next();
    s.id = p.id;
    s.offset = offset;
    s.rows = p.rows();
    makeRoom(s.rowStart, p.rowStart.size());
    s.rowStart = p.rowStart;
    s.factor = factor;
    s.writes = false;
    makeRoom(s.places, p.entries.size() + p.rows());
    makeRoom(s.packed, p.entries.size());
    s.packed.resize(p.entries.size());
    std::size_t pairCount = 0;
    for (std::size_t v = 0; v < p.rows(); ++v) {
        const std::size_t end = p.rowStart[v + 1];
        const int row = offset + 3 * static_cast<int>(v);
        bool hasDiagonal = p.rowStart[v] == end;  // rows without blocks have none there either
        for (std::size_t k = p.rowStart[v]; k < end; ++k) {
            const SymmetricPattern::Entry& e = p.entries[k];
            if (!e.transposed && !std::exchange(hasDiagonal, true)) s.places.push_back({row, row, 0});
            s.places.push_back({row, offset + 3 * static_cast<int>(e.column), 0});
            s.packed[k] = 2 * e.pair + e.transposed;
            pairCount = std::max<std::size_t>(pairCount, e.pair + std::size_t{1});
        }
        if (!hasDiagonal) s.places.push_back({row, row, 0});
    }
    if (9 * pairCount > s.recorded.capacity()) makeRoom(s.recorded, 9 * pairCount);
    s.recorded.resize(9 * pairCount);
    double* const to = s.recorded.data();
    pairs.forEachRows([&](const RowList& rows, const PairBlocks& blocks) {
        for (std::size_t r = rows.first; r < rows.last; ++r)
            for (std::size_t k = p.rowStart[rows[r]]; k < p.rowStart[rows[r] + 1]; ++k) {
                if (p.entries[k].transposed) continue;
                const std::size_t pair = p.entries[k].pair;
                std::copy_n(blocks[pair], 8, to + 9 * pair);
                to[9 * pair + 8] = blocks.corner(pair);
            }
    });
}

void BlockAssembler::recordBlock(int row, int col, const double* block, int ld, double factor)
{
    if (!m_open) throw std::runtime_error("BlockAssembler::add: called outside begin … end");
    const int b = m_blockSize;
    if (row < 0 || col < 0 || row + b > m_rows || col + b > m_cols)
        throw std::runtime_error("BlockAssembler::add: block at " + place(row, col) + " is outside a matrix of " +
                                 std::to_string(m_rows) + " × " + std::to_string(m_cols));
    if (row % b != 0 || col % b != 0) misaligned(row, col, b, b);
    m_record.push_back({row, col, 0});
    for (int i = 0; i < b; ++i)
        for (int j = 0; j < b; ++j) m_recorded.push_back(factor * block[i * ld + j]);
}

void BlockAssembler::addOther(int row, int col, const double* block, int nr, int nc, int ld, double factor)
{
    switch (m_blockSize) {
        case 1:
            addBlocks<1>(row, col, block, nr, nc, ld, factor);
            break;
        case 2:
            addBlocks<2>(row, col, block, nr, nc, ld, factor);
            break;
        case 6:
            addBlocks<6>(row, col, block, nr, nc, ld, factor);
            break;
        default:
            throw std::runtime_error("BlockAssembler::add: called before begin");
    }
}

void BlockAssembler::misaligned(int row, int col, int nr, int nc) const
{
    throw std::runtime_error("BlockAssembler::add: a block of " + std::to_string(nr) + " × " + std::to_string(nc) +
                             " scalars at " + place(row, col) + " is not aligned to blocks of " +
                             std::to_string(m_blockSize));
}

const BlockCsrMatrix& BlockAssembler::end()
{
    if (!m_open) throw std::runtime_error("BlockAssembler::end: called without begin");
    // A pass that stops early has another sequence too.
    if (!m_recording && m_cursor != recordedCalls()) startRecording();
    if (m_recording) buildPattern();
    if (m_zeroPending) clearValues();
    m_open = false;
    return m_matrix;
}

void BlockAssembler::put(const Symmetric& s, SymmetricSource& pairs, double factor)
{
    const RowsFunction rows = s.writes ? setRows(8 * stored().nonZeros()) : addRows();
    const int* starts = stored().rowPtr().data() + s.offset / 3;
    pairs.forEachRows([&](const RowList& some, const PairBlocks& blocks) {
        rows({s.rowStart.data(), s.packed.size(), s.packed.data(), blocks, factor, s.slots.data(), s.diagonals.data(),
              starts, m_values, m_isUpper},
             some);
    });
}

void BlockAssembler::addRecorded(BlockCsrMatrix& to)
{
    const auto area = static_cast<std::size_t>(m_blockSize * m_blockSize);
    const double* v = m_recorded.data();
    const auto addBlock = [&](const Entry& e) {
        double* a = to.block(static_cast<std::size_t>(e.slot));
        for (std::size_t j = 0; j < area; ++j) a[j] += *v++;
    };
    for (std::size_t k = m_cursor; k < m_record.size(); ++k) {
        const Entry& e = m_record[k];
        if (e.row == symmetricCall) {
            const Symmetric& s = m_symmetric[static_cast<std::size_t>(e.slot)];
            if (s.recorded.empty()) continue;
            StoredPairs pairs(s.rows, {s.recorded.data(), s.recorded.data() + 8});
            put(s, pairs, s.factor);
        } else if (e.row == identitiesCall) {
            for (const Entry& p : m_identities[static_cast<std::size_t>(e.slot)].places) {
                double* a = p.slot < 0 ? nullptr : to.block(static_cast<std::size_t>(p.slot));
                for (std::size_t j = 0; a && j < 9; j += 4) a[j] += *v;
                if (p.row >= p.col) ++v;  // of the mirror image, or on the diagonal
            }
        } else {
            addBlock(e);
        }
    }
}

void BlockAssembler::complete()
{
    if (!m_isUpper) return;
    m_isUpper = false;
    if (m_matrix.values().empty()) m_matrix.setZero();
    m_values = m_matrix.values().data();
    const auto rowPtr = m_matrix.rowPtr(), diagonals = m_matrix.diagonals(), columns = m_upper.colIdx();
    // Of each row, the next block left of the diagonal: by rows of their counterparts these come in order.
    Vector<int> next(rowPtr.begin(), rowPtr.end() - 1);
    std::size_t k = 0;
    for (std::size_t i = 0; i < diagonals.size(); ++i)
        for (int to = diagonals[i]; to < rowPtr[i + 1]; ++to, ++k) {
            const double* from = m_upper.block(k);
            std::copy_n(from, 9, m_matrix.block(static_cast<std::size_t>(to)));
            if (to == diagonals[i]) continue;
            double* image = m_matrix.block(static_cast<std::size_t>(next[static_cast<std::size_t>(columns[k])]++));
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) image[3 * r + c] = from[3 * c + r];
        }
}

void BlockAssembler::eliminate(std::span<const int> scalarDofs)
{
    if (m_open || m_patternVersion == 0) throw std::runtime_error("BlockAssembler::eliminate: called before end");
    if (m_eliminationCount == m_eliminations.size()) m_eliminations.emplace_back();
    Elimination& e = m_eliminations[m_eliminationCount++];
    if (e.patternVersion != m_patternVersion || e.isUpper != m_isUpper || !std::ranges::equal(e.dofs, scalarDofs))
        buildElimination(e, scalarDofs);
    for (const Elimination::Run& r : e.zeros) std::fill_n(m_values + r.first, r.count, 0.);
    for (const std::size_t k : e.ones) m_values[k] = 1.;
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
    const auto rowPtr = m_matrix.rowPtr();
    const auto colIdx = m_matrix.colIdx();
    // The entry of a row and a column, if the pattern has it.
    const auto find = [&](int row, int col) -> double* {
        const auto from = colIdx.begin() + rowPtr[static_cast<std::size_t>(row / b)],
                   to = colIdx.begin() + rowPtr[static_cast<std::size_t>(row / b) + 1];
        const auto at = std::lower_bound(from, to, col / b);
        if (at == to || *at != col / b) return nullptr;
        return m_values + (at - colIdx.begin()) * (b * b) + row % b * b + col % b;
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
    for (const int d : scalarDofs) {
        if (d < 0 || static_cast<std::size_t>(d) >= fixed.size())
            throw std::runtime_error("BlockAssembler::eliminate: degree of freedom " + std::to_string(d) +
                                     " is outside a matrix of " + std::to_string(m_rows) + " × " +
                                     std::to_string(m_cols));
        fixed[static_cast<std::size_t>(d)] = 1;
    }
    e.patternVersion = m_patternVersion;
    e.isUpper = m_isUpper;
    e.dofs.assign(scalarDofs.begin(), scalarDofs.end());
    e.zeros.clear();
    e.ones.clear();
    if (scalarDofs.empty()) return;
    const auto rowPtr = stored().rowPtr(), colIdx = stored().colIdx();
    Vector<char> touched(fixed.size() / static_cast<std::size_t>(b), 0);  // blocks with a fixed scalar
    for (const int d : scalarDofs) touched[static_cast<std::size_t>(d / b)] = 1;
    for (int i = 0; i < m_matrix.blockRows(); ++i)
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

std::size_t BlockAssembler::bytes() const
{
    std::size_t sum = m_matrix.bytes() + m_before.bytes() + m_upper.bytes() + bytesOf(m_record) + bytesOf(m_recorded);
    for (const Symmetric& s : m_symmetric)
        sum += bytesOf(s.rowStart) + bytesOf(s.places) + bytesOf(s.diagonals) + bytesOf(s.slots) + bytesOf(s.packed) +
               bytesOf(s.recorded);
    for (const Identities& i : m_identities) sum += bytesOf(i.places);
    return sum;
}

}  // namespace sofa::core
