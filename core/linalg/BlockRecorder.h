// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/linalg/BlockCsrMatrix.h"
#include "core/math/Reuse.h"

namespace sofa::core {

/// Sums single blocks into a block sparse matrix, recorded once and replayed for ever. For BlockAssembler, which tells
/// how it is used.
///
/// The first pass records where each B × B sub-block goes. `end` sorts these places into the pattern of the matrix and
/// gives each recorded sub-block its slot. In later passes the k-th sub-block goes straight to the k-th slot: no
/// search, no allocation. Every call is compared with the record; from the first one that differs on, the pass is
/// recorded anew, and the pattern is rebuilt by `end`.
class BlockRecorder
{
public:
    /// See BlockAssembler.
    void begin(int nbScalarRows, int nbScalarCols, int blockSize);
    void add(int row, int col, const double* block, int nr, int nc, int ld, double factor)
    {
        if (m_blockSize == 3) {
            if (nr == 3 && nc == 3)
                addBlock<3>(row, col, block, ld, factor);
            else
                addBlocks<3>(row, col, block, nr, nc, ld, factor);
        } else
            addOther(row, col, block, nr, nc, ld, factor);
    }
    void addScalarBlock(int row, int col, double m, double factor)
    {
        if (m_blockSize == 3 && !m_recording && !m_zeroPending) [[likely]] {
            const Entry& e = m_record[m_cursor];
            if (e.row == row && e.col == col) [[likely]] {
                ++m_cursor;
                double* v = m_matrix.block(static_cast<std::size_t>(e.slot));
                const double scaled = factor * m;
                v[0] += scaled;
                v[4] += scaled;
                v[8] += scaled;
                return;
            }
        }
        const double block[9] = {m, 0., 0., 0., m, 0., 0., 0., m};
        add(row, col, block, 3, 3, 3, factor);
    }
    void end();

    /// All diagonal blocks are there.
    const BlockCsrMatrix& matrix() const { return m_matrix; }
    BlockCsrMatrix& matrix() { return m_matrix; }
    /// Changes with the pattern.
    std::uint64_t patternVersion() const { return m_patternVersion; }
    bool replayed() const { return !m_recording; }
    /// Number of calls in the record; each sub-block counts.
    std::size_t recordedCalls() const { return m_record.empty() ? 0 : m_record.size() - 1; }
    /// Whether the last pass had blocks on the diagonal only.
    bool isDiagonal() const { return m_isDiagonal; }

    std::size_t bytes() const { return m_matrix.bytes() + m_before.bytes() + bytesOf(m_record) + bytesOf(m_recorded); }

private:
    /// Row of the last entry, which no call can match.
    static constexpr int endOfRecord = -1;
    /// Where a sub-block goes.
    struct Entry
    {
        int row;   ///< scalar row of the sub-block's first entry
        int col;   ///< scalar column
        int slot;  ///< index of the block in the matrix
    };

    template <int B>
    void addBlock(int row, int col, const double* block, int ld, double factor)
    {
        if (!m_recording) [[likely]] {
            const Entry& e = m_record[m_cursor];
            if (e.row == row && e.col == col) [[likely]] {
                if (m_zeroPending) [[unlikely]]
                    clearValues();
                ++m_cursor;
                double* v = m_matrix.values().data() + static_cast<std::size_t>(e.slot) * (B * B);
                // All loads before the first store: for all the compiler knows, `block` and the values may overlap.
                double scaled[B * B];
                for (int i = 0; i < B; ++i)
                    for (int j = 0; j < B; ++j) scaled[i * B + j] = factor * block[i * ld + j];
                for (int k = 0; k < B * B; ++k) v[k] += scaled[k];
                return;
            }
            startRecording();
        }
        recordBlock(row, col, block, ld, factor);
    }
    template <int B>
    void addBlocks(int row, int col, const double* block, int nr, int nc, int ld, double factor)
    {
        if (nr % B != 0 || nc % B != 0) misaligned(row, col, nr, nc);
        for (int i = 0; i < nr; i += B)
            for (int j = 0; j < nc; j += B) addBlock<B>(row + i, col + j, block + i * ld + j, ld, factor);
    }
    void addOther(int row, int col, const double* block, int nr, int nc, int ld, double factor);
    void startRecording();
    /// Clears the values, which begin() leaves to the first call.
    void clearValues();
    void recordBlock(int row, int col, const double* block, int ld, double factor);
    [[noreturn]] void misaligned(int row, int col, int nr, int nc) const;
    void buildPattern();
    /// The pattern in m_rowPtr and m_colIdx, and the slots of all entries.
    void sortPattern();
    /// Makes the matrix one of this pattern, with the sums of the beginning of the pass that was replayed, if any.
    /// Returns whether it was of this pattern before.
    bool takePattern();
    /// Adds what was recorded in this pass.
    void addRecorded();

    BlockCsrMatrix m_matrix;
    BlockCsrMatrix m_before;         ///< that of an earlier pattern, whose values went over to a new one; its memory is
                                     ///< for the next
    Vector<int> m_rowPtr, m_colIdx;  ///< of an earlier pattern: memory for the next
    Vector<Entry> m_record;
    std::size_t m_cursor = 0;  ///< next entry to replay; while recording: number of entries that were replayed
    bool m_recording = true;
    bool m_open = false;
    bool m_isDiagonal = true;
    bool m_zeroPending = false;  ///< the values are still those of the pass before
    int m_rows = 0;
    int m_cols = 0;
    int m_blockSize = 0;
    std::uint64_t m_patternVersion = 0;
    Vector<double> m_recorded;  ///< factor × block of the entries recorded in this pass
};

}  // namespace sofa::core
