// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>

#include "core/math/Vector.h"

namespace sofa::core {

/// Block compressed sparse row matrix of blockRows × blockCols dense blocks, each B × B with B chosen at run time among
/// 1, 2, 3 and 6.
///
/// Block row i owns the blocks rowPtr[i] … rowPtr[i+1]−1; colIdx gives each one's block column, strictly increasing
/// within a row; block k stores its B² scalars row-major at values[k B²]. "Scalar" sizes and indices count degrees of
/// freedom: rows() = B · blockRows().
///
/// Rows of a pattern that changes can be replaced one by one (setRow). Then there are *gaps*: row i owns the blocks
/// rowStarts()[i] … rowEnds()[i]−1, somewhere in the arrays, until pack(). What needs rowPtr() throws std::logic_error.
///
/// Products are deterministic. For every scalar row r and every column j of a block two accumulators sum a(r, j) x(j)
/// over the even and the odd blocks of the row, in order; s(r, j) is their sum, and the result is s(r, 0) + s(r, 1) +
/// …, from the left. This order is the same with and without SIMD instructions and for any number of threads, so the
/// bits are too.
class BlockCsrMatrix
{
public:
    BlockCsrMatrix() = default;

    enum class Values
    {
        Zero,
        Any,  ///< whatever the memory has: for who sets all of them
        None  ///< a pattern: values() is empty, and nothing may be read, until setZero()
    };
    /// Matrix of the given pattern. `rowPtr` has blockRows + 1 entries, `colIdx` is strictly
    /// increasing within each row. Throws std::runtime_error if the pattern is not valid.
    BlockCsrMatrix(int blockRows, int blockCols, int blockSize, std::span<const int> rowPtr,
                   std::span<const int> colIdx, Values values = Values::Zero);

    /// Becomes the matrix of such a pattern, in the memory that it has: takes the contents of `rowPtr` and `colIdx`,
    /// which get those before. Throws as the constructor does; the matrix is then of no use.
    void setPattern(int blockRows, int blockCols, int blockSize, Vector<int>& rowPtr, Vector<int>& colIdx,
                    Values values = Values::Zero);

    int blockSize() const { return m_blockSize; }
    int blockRows() const { return m_blockRows; }
    int blockCols() const { return m_blockCols; }
    int rows() const { return m_blockRows * m_blockSize; }
    int cols() const { return m_blockCols * m_blockSize; }
    /// Number of stored blocks, and of stored scalars.
    std::size_t blockCount() const { return hasGaps() ? m_count : m_colIdx.size(); }
    std::size_t nonZeros() const { return blockCount() * blockArea(); }

    /// Memory that is stored.
    std::size_t bytes() const
    {
        return bytesOf(m_rowPtr) + bytesOf(m_colIdx) + bytesOf(m_diagonal) + bytesOf(m_values) + bytesOf(m_rowEnd) +
               bytesOf(m_capacity);
    }

    std::span<const int> rowPtr() const
    {
        if (hasGaps()) throwGaps();
        return m_rowPtr;
    }
    /// First block of each row, and one behind its last one; also with gaps.
    std::span<const int> rowStarts() const { return std::span(m_rowPtr).first(m_diagonal.size()); }
    std::span<const int> rowEnds() const { return hasGaps() ? std::span(m_rowEnd) : std::span(m_rowPtr).subspan(1); }
    /// With gaps, of no meaning in them, as values().
    std::span<const int> colIdx() const { return m_colIdx; }
    std::span<double> values() { return m_values; }
    std::span<const double> values() const { return m_values; }

    /// First of the B² values of stored block k, row-major.
    double* block(std::size_t k) { return m_values.data() + k * blockArea(); }
    const double* block(std::size_t k) const { return m_values.data() + k * blockArea(); }

    /// Index of block (i, j), or −1 if it is not stored. Binary search in row i.
    int find(int i, int j) const;

    /// Index of the diagonal block of row i, or −1 if it is not stored. Constant time.
    int diagonal(int i) const { return m_diagonal[static_cast<std::size_t>(i)]; }
    std::span<const int> diagonals() const { return m_diagonal; }

    bool hasGaps() const { return !m_rowEnd.empty(); }
    /// Gives row i these blocks, whose columns increase. Those that it had before keep their values, others are zero.
    /// The row moves if it has no room. Memory that moves leave is used again by pack(), which a caller that replaces
    /// rows again and again calls when wasted() is too much.
    void setRow(int i, std::span<const int> columns);
    /// Drops the last rows and columns, or adds rows with a block on the diagonal only. Columns that remain of those
    /// that were dropped are left to setRow.
    void resizeSquare(int blockRows);
    /// Blocks in the arrays that belong to no row.
    std::size_t wasted() const { return m_colIdx.size() - blockCount(); }
    /// Puts the rows in order, without gaps.
    void pack();

    /// What has changed, for who keeps something for each `rowGroup` rows: another number for each other pattern, but
    /// for changes by setRow and resizeSquare. These leave the number of changes so far at the group of the row.
    std::uint64_t patternId() const { return m_patternId; }
    std::uint64_t changes() const { return m_changes; }
    static constexpr std::size_t rowGroup = 64;
    /// Whether a row of a group was changed after so many changes.
    bool changedSince(std::size_t group, std::uint64_t changes) const
    {
        return group < m_changedAt.size() && m_changedAt[group] > changes;
    }

    /// Matrix of the stored blocks on and right of the diagonal, with all values zero. Throws std::runtime_error if a
    /// diagonal block is not stored.
    BlockCsrMatrix upperPattern() const;

    /// Value of scalar entry (row, col), zero where it is not stored.
    double value(int row, int col) const;

    void setZero();

    /// y = A x. Sizes: x cols(), y rows(); throws std::runtime_error otherwise. x and y must not overlap.
    void multiply(std::span<const double> x, std::span<double> y) const;

    /// y += s A x, computed as y(r) + s · (A x)(r).
    void addMultiply(std::span<const double> x, std::span<double> y, double s = 1.) const;

    /// y += s Aᵀ x; sequential, rows in order. Sizes: x rows(), y cols().
    void addTransposeMultiply(std::span<const double> x, std::span<double> y, double s = 1.) const;

    /// d(r) = a(r, r), zero where no diagonal block is stored. Size: rows().
    void getDiagonal(std::span<double> d) const;

    /// √Σ a², and max over rows of Σ|a|.
    double frobeniusNorm() const;
    double infinityNorm() const;

    /// max |a(i, j) − a(j, i)| over all entries; entries that are not stored count as zero. +∞ if it is not square.
    double asymmetry() const;

    /// True if |a(i, j) − a(j, i)| ≤ tolerance · max |a| everywhere.
    bool isSymmetric(double tolerance = 0.) const;

    /// Largest |a|; NaN if any value is NaN.
    double maxAbs() const;

    /// False if any stored value is infinite or NaN.
    bool isFinite() const;

    bool hasPattern(int blockCols, int blockSize, const Vector<int>& rowPtr, const Vector<int>& colIdx) const
    {
        return m_blockSize == blockSize && m_blockCols == blockCols && m_rowPtr == rowPtr && m_colIdx == colIdx;
    }
    bool samePattern(const BlockCsrMatrix& o) const
    {
        return hasPattern(o.m_blockCols, o.m_blockSize, o.m_rowPtr, o.m_colIdx);
    }

    /// Matrix Market coordinate format, real general, one-based, all stored entries (explicit zeros included), numbers
    /// in the shortest form that reads back to the same bits.
    void writeMatrixMarket(std::ostream& out) const;

    /// One line of text per scalar row, entries separated by blanks.
    void writeDense(std::ostream& out) const;

private:
    std::size_t blockArea() const
    {
        return static_cast<std::size_t>(m_blockSize) * static_cast<std::size_t>(m_blockSize);
    }
    /// Throws if the pattern is not valid, and finds the diagonal.
    void checkPattern();
    void makeValues(Values values);
    /// Lets rows have gaps.
    void loosen();
    [[noreturn]] static void throwGaps();
    void checkSizes(std::size_t x, std::size_t y, int expectedX, int expectedY) const;
    template <bool Add>
    void product(const double* x, double* y, double s) const;

    int m_blockRows = 0;
    int m_blockCols = 0;
    int m_blockSize = 1;
    Vector<int> m_rowPtr{0};
    Vector<int> m_colIdx;
    Vector<int> m_diagonal;
    Vector<int> m_rowEnd, m_capacity;  ///< per row, with gaps; else empty
    std::size_t m_count = 0;           ///< of blocks, with gaps
    std::uint64_t m_patternId = 0, m_changes = 0;
    Vector<std::uint64_t> m_changedAt;  ///< per group
    Vector<double> m_values;
};

}  // namespace sofa::core
