// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <span>

#include "core/linalg/BlockRecorder.h"
#include "core/linalg/UpperAssembler.h"
#include "core/linalg/UpperHalf.h"

namespace sofa::core {

/// Assembly of a block sparse matrix, pass after pass: what a pass finds out about the pattern serves the next ones.
///
///     assembler.begin(rows, cols, 3);
///     for (...) assembler.add(row, col, block, 3, 3, 3, factor);   // A[row.., col..] += factor · block
///     const BlockCsrMatrix& a = assembler.end();
///     assembler.eliminate(fixedDofs);                              // optional, any number of times
///
/// Single blocks are recorded in the first pass and replayed in later ones (BlockRecorder). Whole symmetric matrices,
/// and the blocks of the diagonal that come after the first of these, are summed on and right of the diagonal
/// (UpperAssembler); the sum of single blocks joins them if it is symmetric to rounding (UpperHalf). A pass that has
/// nothing else may leave it at that. In a steady state nothing is searched or
/// allocated. `patternVersion` changes only when the pattern really is another one, so that symbolic factorisations
/// survive a mere change of the sequence.
///
/// Deterministic: each entry is the sum of the symmetric matrices and what came to its diagonal after them, ((0 + f₁b₁)
/// + f₂b₂) + … in the order of the calls, plus that of the single blocks, bitwise the same whether the pass was
/// recorded, replayed, or changed over in the middle. The pattern contains all diagonal blocks. Not thread-safe.
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
        if (m_hasUpper && row == col && nr == 3 && nc == 3 && isDiagonal(row))
            m_upper.addDiagonal(row / 3, block, ld, factor);
        else
            singles().add(row, col, block, nr, nc, ld, factor);
    }

    /// Adds `factor` × m × the identity of 3 × 3 scalars: the sums of `add`.
    void addScalarBlock(int row, int col, double m, double factor)
    {
        if (m_hasUpper && row == col && isDiagonal(row))
            m_upper.addDiagonal(row / 3, factor * m);
        else
            singles().addScalarBlock(row, col, m, factor);
    }

    /// Adds `factor` × a whole symmetric matrix whose first scalar row and column are `offset`. Block size 3.
    void addSymmetric(int offset, const SymmetricPattern& pattern, SymmetricSource& source, double factor);

    /// Adds `factor` × a whole matrix of multiples of the identity of 3 × 3 scalars, whose first scalar row and column
    /// are `offset`. Block size 3.
    void addScalarBlocks(int offset, const ScalarBlockMatrix& m, double factor);

    int blockSize() const { return m_blockSize; }

    /// Lets later passes leave out the blocks left of the diagonal where these are known from their counterparts
    /// (isSymmetricOffDiagonal). matrix() is but a pattern then until
    /// `complete`. For readers of that half, as core/linalg/SymmetricProduct.h.
    void setUpperOnly(bool on) { m_upperOnly = on; }
    /// Whether the last pass left out the blocks left of the diagonal.
    bool isUpper() const { return m_isUpper; }
    /// What the last pass set: matrix(), or its blocks on and right of the diagonal where isUpper(). Rows of half a
    /// matrix whose pattern changes have gaps, until pack().
    const BlockCsrMatrix& stored() const { return m_isUpper ? m_upper.matrix() : *m_whole; }
    void pack() { m_upper.pack(); }
    /// Sets matrix() if the last pass left out half of it. The bits are those of a pass that does not.
    void complete();

    /// Ends the pass; returns stored(), which stays valid until the next pass.
    const BlockCsrMatrix& end();

    /// Replaces the rows and columns of the given scalar degrees of freedom by those of the identity: zero with 1 on
    /// the diagonal. After `end`, any number of times per pass; what the k-th call of a pass finds out serves the k-th
    /// call of the next one. Throws std::runtime_error on an index outside the matrix or a call before `end`.
    void eliminate(std::span<const int> scalarDofs);

    /// A ← P A P + (1 − P), completed, where P is the identity but for the `n` scalars from `first` on, which it maps
    /// by `p` (row-major, n squared, an orthogonal projection). For matrices with a symmetric pattern, after `end`;
    /// `first` and `n` are multiples of the block size, else std::runtime_error.
    void project(int first, int n, const double* p);

    /// The same where P takes two scalars to their mean. Blocks that one of the two rows has and the other has not are
    /// left out of the result: who wants all of it gives both rows the same blocks before `end`.
    void join(int first, int second);

    /// The sum of the last pass, or its pattern, made when it is asked for, where isUpper().
    const BlockCsrMatrix& matrix() const
    {
        if (m_hasUpper && !m_hasPattern) (void)makePattern();
        return *m_whole;
    }
    /// Values of matrix(), for callers that change them in place between `end` and the use of the matrix.
    std::span<double> values()
    {
        complete();
        return m_hasUpper ? m_matrix.values() : m_singles.matrix().values();
    }
    /// Sets the rows of blocks that have one on the diagonal only, and are no column of another row.
    void isolatedRows(Vector<int>& rows) const;

    /// Number of different patterns so far: 0 before the first `end`; unchanged while the pattern is.
    std::uint64_t patternVersion() const { return m_patternVersion; }

    /// True if the latest pass had the calls of the pass before.
    bool replayed() const { return m_replayed; }

    /// True if all blocks off the diagonal come from addSymmetric and addScalarBlocks, or the sum of the others is
    /// symmetric and joins them: then each is the transpose of its counterpart, to the last bit, also after
    /// `eliminate`.
    bool isSymmetricOffDiagonal() const { return !m_hasSingles || m_singles.isDiagonal() || m_joined; }

    /// Number of recorded single blocks of the last pass.
    std::size_t recordedCalls() const { return m_hasSingles ? m_singles.recordedCalls() : 0; }

    /// Memory of matrices and record.
    std::size_t bytes() const;

private:
    /// Slots of one `eliminate` call in a whole matrix.
    struct Elimination
    {
        std::uint64_t patternVersion = 0;
        Vector<int> dofs;
        struct Run
        {
            std::size_t first, count;
        };
        Vector<Run> zeros;         ///< positions in the values that become 0
        Vector<std::size_t> ones;  ///< positions that become 1
    };

    bool isDiagonal(int scalarRow) const { return scalarRow >= 0 && scalarRow < m_rows && scalarRow % 3 == 0; }
    /// Where single blocks go.
    BlockRecorder& singles()
    {
        if (!m_hasSingles) [[unlikely]]
            beginSingles();
        return m_singles;
    }
    void beginSingles();
    /// Adds single blocks to the symmetric ones, if they are symmetric.
    void joinSingles();
    void beginSymmetric(const char* function, int offset, int size);
    /// Finds out whether the pattern is another one.
    void findVersion();
    /// Makes m_matrix the pattern of the upper blocks and their images, and of single blocks. Returns whether it was.
    bool makePattern() const;
    void makeValues();
    void buildElimination(Elimination& e, std::span<const int> scalarDofs) const;
    /// Of any scalars, with P row-major.
    void project(std::span<const int> scalars, const double* p);

    UpperAssembler m_upper;
    BlockRecorder m_singles;
    mutable BlockCsrMatrix m_matrix;            ///< of both, or the whole of the upper blocks
    const BlockCsrMatrix* m_whole = &m_matrix;  ///< m_matrix, or that of single blocks where there is nothing else
    bool m_open = false, m_hasUpper = false, m_hasSingles = false;
    bool m_upperOnly = false, m_isUpper = false, m_replayed = false;
    bool m_joins = false,
         m_joined = false;              ///< m_half is part of the symmetric ones; with the single blocks of the pass
    UpperHalf m_half;                   ///< of single blocks
    mutable bool m_hasPattern = false;  ///< m_matrix is of the pattern of the last pass
    int m_rows = 0, m_cols = 0, m_blockSize = 0;
    std::uint64_t m_patternVersion = 0;
    /// What the pattern is made of.
    struct Versions
    {
        std::uint64_t upper = 0, singles = 0;
        friend bool operator==(const Versions&, const Versions&) = default;
    } m_versions;
    mutable bool m_isWithin = false;                 ///< single blocks are where upper ones or their images are
    mutable Vector<int> m_rowPtr, m_colIdx, m_next;  ///< memory
    std::vector<Elimination> m_eliminations;
    std::size_t m_eliminationCount = 0;  ///< eliminate calls of this pass
};

}  // namespace sofa::core
