// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockRecorder.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace sofa::core {

namespace {

std::string recordPlace(int row, int col) { return "(" + std::to_string(row) + ", " + std::to_string(col) + ")"; }

}  // namespace

void BlockRecorder::begin(int nbScalarRows, int nbScalarCols, int blockSize)
{
    const bool recordComplete = m_patternVersion != 0 && !(m_open && m_recording);
    m_open = true;
    m_cursor = 0;
    m_recorded.clear();
    m_recording = !(recordComplete && nbScalarRows == m_rows && nbScalarCols == m_cols && blockSize == m_blockSize);
    m_zeroPending = !m_recording;
    if (!m_recording) return;
    m_rows = nbScalarRows;
    m_cols = nbScalarCols;
    m_blockSize = blockSize;
    m_record.clear();
}

void BlockRecorder::clearValues()
{
    std::ranges::fill(m_matrix.values(), 0.);
    m_zeroPending = false;
}

void BlockRecorder::startRecording()
{
    if (!m_open) throw std::runtime_error("BlockAssembler::add: called outside begin … end");
    if (m_zeroPending) clearValues();
    // The entries before the cursor stay; their sums are in the matrix and are carried over by buildPattern.
    m_recording = true;
    m_record.resize(m_cursor);
}

void BlockRecorder::recordBlock(int row, int col, const double* block, int ld, double factor)
{
    if (!m_open) throw std::runtime_error("BlockAssembler::add: called outside begin … end");
    const int b = m_blockSize;
    if (row < 0 || col < 0 || row + b > m_rows || col + b > m_cols)
        throw std::runtime_error("BlockAssembler::add: block at " + recordPlace(row, col) + " is outside a matrix of " +
                                 std::to_string(m_rows) + " × " + std::to_string(m_cols));
    if (row % b != 0 || col % b != 0) misaligned(row, col, b, b);
    m_record.push_back({row, col, 0});
    for (int i = 0; i < b; ++i)
        for (int j = 0; j < b; ++j) m_recorded.push_back(factor * block[i * ld + j]);
}

void BlockRecorder::addOther(int row, int col, const double* block, int nr, int nc, int ld, double factor)
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

void BlockRecorder::misaligned(int row, int col, int nr, int nc) const
{
    throw std::runtime_error("BlockAssembler::add: a block of " + std::to_string(nr) + " × " + std::to_string(nc) +
                             " scalars at " + recordPlace(row, col) + " is not aligned to blocks of " +
                             std::to_string(m_blockSize));
}

void BlockRecorder::end()
{
    // A pass that stops early has another sequence too.
    if (!m_recording && m_cursor != recordedCalls()) startRecording();
    if (m_recording) buildPattern();
    if (m_zeroPending) clearValues();
    m_open = false;
}

void BlockRecorder::sortPattern()
{
    const int b = m_blockSize;
    const auto blockRows = static_cast<std::size_t>(m_rows / b);
    const std::size_t count = m_record.size(), diagonals = static_cast<std::size_t>(std::min(m_rows, m_cols) / b);
    if (count + diagonals > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw std::runtime_error("BlockAssembler: more than 2^31 sub-blocks");
    // Entries bucketed by row; entry `count + i` stands for the diagonal block of row i.
    Vector<int> bucket(blockRows + 1, 0);
    for (const Entry& e : m_record) ++bucket[static_cast<std::size_t>(e.row / b) + 1];
    for (std::size_t i = 0; i < diagonals; ++i) ++bucket[i + 1];
    for (std::size_t i = 0; i < blockRows; ++i) bucket[i + 1] += bucket[i];
    struct Place
    {
        int col;
        int entry;
    };
    Vector<Place> places(count + diagonals);
    {
        Vector<int> next(bucket.begin(), bucket.end() - 1);
        for (std::size_t k = 0; k < count; ++k) {
            const auto r = static_cast<std::size_t>(m_record[k].row / b);
            places[static_cast<std::size_t>(next[r]++)] = {m_record[k].col / b, static_cast<int>(k)};
        }
        for (std::size_t i = 0; i < diagonals; ++i)
            places[static_cast<std::size_t>(next[i]++)] = {static_cast<int>(i), static_cast<int>(count + i)};
    }

    makeRoom(m_rowPtr, blockRows + 1);
    m_rowPtr.resize(blockRows + 1);
    makeRoom(m_colIdx, places.size());
    for (std::size_t i = 0; i < blockRows; ++i) {
        const auto first = places.begin() + bucket[i], last = places.begin() + bucket[i + 1];
        const auto less = [](const Place& p, const Place& q) { return p.col < q.col; };
        if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
        int previous = -1;
        for (auto p = first; p != last; ++p) {
            if (p->col != previous) m_colIdx.push_back(previous = p->col);
            if (static_cast<std::size_t>(p->entry) < count)
                m_record[static_cast<std::size_t>(p->entry)].slot = static_cast<int>(m_colIdx.size()) - 1;
        }
        m_rowPtr[i + 1] = static_cast<int>(m_colIdx.size());
    }
}

bool BlockRecorder::takePattern()
{
    const int b = m_blockSize, rows = m_rows / b, cols = m_cols / b;
    const bool same = m_patternVersion != 0 && m_matrix.hasPattern(cols, b, m_rowPtr, m_colIdx);
    if (m_cursor == 0) {
        m_matrix.setPattern(rows, cols, b, m_rowPtr, m_colIdx);
    } else if (!same) {
        std::swap(m_matrix, m_before);
        m_matrix.setPattern(rows, cols, b, m_rowPtr, m_colIdx);
        const auto start = m_matrix.rowPtr(), columns = m_matrix.colIdx();
        for (int i = 0; i < rows; ++i)
            for (auto k = static_cast<std::size_t>(start[static_cast<std::size_t>(i)]);
                 k < static_cast<std::size_t>(start[static_cast<std::size_t>(i) + 1]); ++k)
                if (const int old = m_before.find(i, columns[k]); old >= 0)
                    std::copy_n(m_before.block(static_cast<std::size_t>(old)), b * b, m_matrix.block(k));
    }
    return same;
}

void BlockRecorder::buildPattern()
{
    sortPattern();
    m_isDiagonal = std::ranges::all_of(m_record, [](const Entry& e) { return e.row == e.col; });
    const bool samePattern = takePattern();
    addRecorded();
    m_record.push_back({endOfRecord, endOfRecord, 0});
    if (!samePattern) ++m_patternVersion;
}

void BlockRecorder::addRecorded()
{
    const auto area = static_cast<std::size_t>(m_blockSize * m_blockSize);
    const double* v = m_recorded.data();
    for (std::size_t k = m_cursor; k < m_record.size(); ++k) {
        double* a = m_matrix.block(static_cast<std::size_t>(m_record[k].slot));
        for (std::size_t j = 0; j < area; ++j) a[j] += *v++;
    }
}

}  // namespace sofa::core
