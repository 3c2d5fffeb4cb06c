// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <span>

#include "core/linalg/BlockCsrMatrix.h"
#include "core/linalg/ScalarBlockMatrix.h"
#include "core/linalg/SymmetricPattern.h"
#include "core/math/Reuse.h"

namespace sofa::core {

/// Assembly of a block sparse matrix that is recorded once and replayed for ever.
///
///     assembler.begin(rows, cols, 3);
///     for (...) assembler.add(row, col, block, 3, 3, 3, factor);   // A[row.., col..] += factor · block
///     const BlockCsrMatrix& a = assembler.end();
///     assembler.eliminate(fixedDofs);                              // optional, any number of times
///
/// The first pass records where each B × B sub-block goes. `end` sorts these places into the pattern of the matrix and
/// gives each recorded sub-block its slot. In later passes the k-th sub-block goes straight to the k-th slot: no
/// search, no allocation. Every call is compared with the record; from the first one that differs on, the pass is
/// recorded anew, and the pattern is rebuilt by `end`. `patternVersion` changes only when the pattern really is another
/// one, so that symbolic factorisations survive a mere change of the sequence.
///
/// Deterministic: each entry is the sum ((0 + f₁b₁) + f₂b₂) + … in the order of the calls, bitwise the same whether the
/// pass was recorded, replayed, or changed over in the middle. The pattern contains all diagonal blocks.
/// Not thread-safe.
class BlockAssembler
{
public:
    BlockAssembler() = default;
    BlockAssembler(const BlockAssembler&) = delete;
    BlockAssembler& operator=(const BlockAssembler&) = delete;

    /// Starts a pass. A pass that was not ended (because of an exception, say) is dropped. The scalar sizes must be
    /// multiples of `blockSize` (1, 2, 3 or 6), else std::runtime_error.
    void begin(int nbScalarRows, int nbScalarCols, int blockSize);

    /// Adds `factor` × the nr × nc scalars of `block` (row-major, `ld` scalars from one row to the next) to the
    /// entries from scalar row `row` and scalar column `col` on. All four numbers are multiples of the block size, and
    /// the block lies inside the matrix; else std::runtime_error.
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

    /// Adds `factor` × m × the identity of 3 × 3 scalars: the sums of `add`.
    void addScalarBlock(int row, int col, double m, double factor)
    {
        if (m_blockSize == 3 && !m_recording && !m_zeroPending) [[likely]] {
            const Entry& e = m_record[m_cursor];
            if (e.row == row && e.col == col) [[likely]] {
                ++m_cursor;
                double* v = m_values + static_cast<std::size_t>(e.slot) * 9;
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

    /// Adds `factor` × a whole symmetric matrix whose first scalar row and column are `offset`: the sums are those of
    /// one `add` for each block. Replayed, it is one comparison of ids and a sweep over the slots, in parallel. Block
    /// size 3.
    void addSymmetric(int offset, const SymmetricPattern& pattern, SymmetricSource& pairs, double factor);

    /// Adds `factor` × a whole matrix of multiples of the identity of 3 × 3 scalars, whose first scalar row and column
    /// are `offset`: the sums of `addScalarBlock`. Block size 3.
    void addScalarBlocks(int offset, const ScalarBlockMatrix& m, double factor);

    int blockSize() const { return m_blockSize; }

    /// Lets later passes leave out the blocks left of the diagonal where these are known from their counterparts: where
    /// all blocks off the diagonal come from addSymmetric and addScalarBlocks, and a pass is a replay or recorded from
    /// its first call on. The other blocks then go to a matrix of their own, one after the other, and matrix() is but a
    /// pattern until `complete`. For readers of that half, as core/linalg/SymmetricProduct.h.
    void setUpperOnly(bool on) { m_upperOnly = on; }
    /// Whether the last pass left out the blocks left of the diagonal.
    bool isUpper() const { return m_isUpper; }
    /// What the last pass set: matrix(), or its blocks on and right of the diagonal where isUpper().
    const BlockCsrMatrix& stored() const { return m_isUpper ? m_upper : m_matrix; }
    /// Sets matrix() if the last pass left out half of it. The bits are those of a pass that does not.
    void complete();

    /// Ends the pass. The reference stays valid, and keeps referring to the current matrix, as long as the assembler.
    const BlockCsrMatrix& end();

    /// Replaces the rows and columns of the given scalar degrees of freedom by those of the identity: zero with 1 on
    /// the diagonal. After `end`, any number of times per pass; the k-th call of a pass reuses the slots of the k-th
    /// call of the pass before while list and pattern are the same. Throws std::runtime_error on an index outside the
    /// matrix or a call before `end`.
    void eliminate(std::span<const int> scalarDofs);

    /// A ← P A P + (1 − P), completed, where P is the identity but for the `n` scalars from `first` on, which it maps
    /// by `p` (row-major, n squared, an orthogonal projection). For matrices with a symmetric pattern, after `end`;
    /// `first` and `n` are multiples of the block size, else std::runtime_error.
    void project(int first, int n, const double* p);

    /// The same where P takes two scalars to their mean. Blocks that one of the two rows has and the other has not are
    /// left out of the result: who wants all of it gives both rows the same blocks before `end`.
    void join(int first, int second);

    const BlockCsrMatrix& matrix() const { return m_matrix; }
    /// Values of matrix(), for callers that change them in place between `end` and the use of the matrix.
    std::span<double> values()
    {
        complete();
        return m_matrix.values();
    }

    /// Number of different patterns so far: 0 before the first `end`; unchanged while the pattern is.
    std::uint64_t patternVersion() const { return m_patternVersion; }

    /// True if the latest pass was a pure replay.
    bool replayed() const { return !m_recording; }

    /// True if all blocks off the diagonal come from addSymmetric and addScalarBlocks: then each is the transpose of
    /// its counterpart, to the last bit, also after `eliminate`.
    bool isSymmetricOffDiagonal() const { return m_pairsOnly; }

    /// Number of calls in the record; each sub-block of `add` counts, a whole matrix once.
    std::size_t recordedCalls() const { return m_record.empty() ? 0 : m_record.size() - 1; }

    /// Memory of matrices and record.
    std::size_t bytes() const;

private:
    /// Rows of entries that are no sub-blocks.
    static constexpr int endOfRecord = -1, symmetricCall = -2, identitiesCall = -3;
    /// Where a sub-block goes. The record ends with an entry that no call can match. One of row symmetricCall stands
    /// for a call of addSymmetric: `col` is its offset and `slot` its index in m_symmetric; so for addScalarBlocks.
    struct Entry
    {
        int row;   ///< scalar row of the sub-block's first entry
        int col;   ///< scalar column
        int slot;  ///< index of the block in the matrix
    };

    /// Where the blocks of a symmetric matrix go.
    struct Symmetric
    {
        std::uint64_t id = 0;
        int offset = 0;
        std::size_t rows = 0;
        double factor = 0.;            ///< when it was recorded
        Vector<std::size_t> rowStart;  ///< of the pattern
        Vector<Entry> places;          ///< row by row: the blocks left of the diagonal, the diagonal, those right of it
        Vector<int> diagonals;         ///< slot per row, −1 for an empty row
        Vector<int> slots;             ///< per entry of the pattern
        /// Whether nothing is added to its rows before, and they have no other blocks: they are written, not added to.
        bool writes = false;
        /// Per entry of the pattern, twice its pair, plus one if transposed.
        Vector<std::uint32_t> packed;
        Vector<double> recorded;  ///< the blocks of the pairs, when it was recorded
    };

    /// Where multiples of the identity go.
    struct Identities
    {
        std::uint64_t id = 0;
        Vector<Entry> places;  ///< per place of the matrix: its block, and off the diagonal that of its mirror image
    };

    /// Slots of one `eliminate` call.
    struct Elimination
    {
        std::uint64_t patternVersion = 0;
        bool isUpper = false;
        Vector<int> dofs;
        struct Run
        {
            std::size_t first, count;
        };
        Vector<Run> zeros;         ///< positions in the values that become 0
        Vector<std::size_t> ones;  ///< positions that become 1
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
                double* v = m_values + static_cast<std::size_t>(e.slot) * (B * B);
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
    /// Lets the record point into `upper`.
    void useUpper();
    /// Clears the values that no call of addSymmetric will write, which begin() leaves to the first call.
    void clearValues();
    void findWritten();
    /// Finds what clearValues() has to clear of what a pass sets.
    void findCleared();
    /// First and last value of the rows of a symmetric matrix in what a pass sets.
    std::pair<std::size_t, std::size_t> valuesOf(const Symmetric& s) const;
    void recordBlock(int row, int col, const double* block, int ld, double factor);
    [[noreturn]] void misaligned(int row, int col, int nr, int nc) const;
    void recordSymmetric(int offset, const SymmetricPattern& pattern, SymmetricSource& pairs, double factor);
    void buildPattern();
    /// Puts a symmetric matrix into what this pass sets.
    void put(const Symmetric& s, SymmetricSource& pairs, double factor);
    /// Adds what was recorded in this pass.
    void addRecorded(BlockCsrMatrix& to);
    /// Finds the slots of all multiples of the identity in a pattern. False if it lacks one.
    bool placeIdentities();
    /// The pattern in m_rowPtr and m_colIdx, and the slots of all entries, where whole symmetric matrices that follow
    /// one another and blocks of the diagonal are all there is, so that nothing need be sorted. False where it is not
    /// so.
    bool findOrderedPattern();
    /// The same for any entries, `entries` in the order of the calls.
    void sortPattern(const std::vector<Entry*>& entries);
    /// Makes matrix() one of this pattern, with the sums of the beginning of the pass that was replayed, if any.
    /// Returns whether it was of this pattern before.
    bool takePattern(BlockCsrMatrix::Values values);
    void buildElimination(Elimination& e, std::span<const int> scalarDofs) const;
    /// Of any scalars, with P row-major.
    void project(std::span<const int> scalars, const double* p);

    BlockCsrMatrix m_matrix;
    BlockCsrMatrix m_before;         ///< that of an earlier pattern, whose values went over to a new one; its memory is
                                     ///< for the next
    Vector<int> m_rowPtr, m_colIdx;  ///< of an earlier pattern: memory for the next
    BlockCsrMatrix m_upper;  ///< its blocks on and right of the diagonal, from the first pass on that sets only these
    double* m_values = nullptr;  ///< of what the pass sets
    Vector<Entry> m_record;
    std::size_t m_cursor = 0;  ///< next entry to replay; while recording: number of entries that were replayed
    bool m_recording = true;
    bool m_open = false;
    bool m_pairsOnly = false;
    bool m_zeroPending = false;  ///< the values are still those of the pass before
    bool m_upperOnly = false;
    bool m_recordIsUpper = false;  ///< the slots are those of m_upper; −1 for blocks left of the diagonal
    bool m_isUpper = false;        ///< this pass sets m_upper
    int m_rows = 0;
    int m_cols = 0;
    int m_blockSize = 0;
    std::uint64_t m_patternVersion = 0;

    ReusedList<Symmetric> m_symmetric;
    ReusedList<Identities> m_identities;
    Vector<std::size_t> m_cleared;  ///< pairs of first and last value: what clearValues() clears

    /// factor × block of the entries recorded in this pass, one number for a multiple of the identity and its image;
    /// symmetric matrices keep theirs (Symmetric::recorded)
    Vector<double> m_recorded;
    std::vector<Elimination> m_eliminations;
    std::size_t m_eliminationCount = 0;  ///< eliminate calls of this pass
};

}  // namespace sofa::core
