// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/linalg/BlockCsrMatrix.h"
#include "core/linalg/ScalarBlockMatrix.h"
#include "core/linalg/SymmetricPattern.h"
#include "core/math/Reuse.h"

namespace sofa::core {

/// Sums whole symmetric matrices of 3 × 3 blocks, and blocks of the diagonal, into the blocks on and right of the
/// diagonal of one matrix. For BlockAssembler.
///
///     assembler.begin(rows);
///     assembler.addSymmetric(row, pattern, source, factor);   // any number of times, in any order
///     assembler.addDiagonal(row, block, 3, factor);
///     assembler.end();                                        // then matrix() is the sum
///
/// A row has a block on the diagonal and those columns that the patterns of the pass have. While the patterns come as
/// in the pass before, values go straight to their places; where some have changed by a few rows
/// (SymmetricPattern::previous), only these are made anew. Any other sequence makes all rows anew.
///
/// Each block is the sum in the order of the calls, to the last bit, whatever the passes before were. Not thread-safe.
class UpperAssembler
{
public:
    /// Starts a pass; one that was not ended is dropped.
    void begin(int rows);
    void addDiagonal(int row, const double* block, int ld, double factor)
    {
        double* const v = touched(row);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) v[3 * i + j] += factor * block[i * ld + j];
    }
    /// Adds a multiple of the identity.
    void addDiagonal(int row, double m)
    {
        double* const v = touched(row);
        v[0] += m;
        v[4] += m;
        v[8] += m;
    }
    /// Adds `factor` × a matrix whose first row is `row`. The pattern stays as it is until the end of the pass.
    void addSymmetric(int row, const SymmetricPattern& pattern, SymmetricSource& source, double factor);
    void addScalarBlocks(int row, const ScalarBlockMatrix& m, double factor);
    /// Adds nothing in the blocks of a matrix, so that the calls of the pass stay those of others.
    void addPattern(int row, const SymmetricPattern& pattern) { (void)take(partOf(row, pattern)); }
    void end();

    /// Whether the patterns of the last pass were those of the pass before.
    bool replayed() const { return m_replayed; }
    /// Its rows may have gaps.
    const BlockCsrMatrix& matrix() const { return m_matrix; }
    BlockCsrMatrix& matrix() { return m_matrix; }
    /// Puts the rows of the matrix in order, without gaps.
    void pack();
    /// Changes with the columns of the rows.
    std::uint64_t version() const { return m_version; }
    /// Sets the rows that have a block on the diagonal only, and are no column of another row.
    void isolatedRows(Vector<int>& rows) const;

    /// See BlockAssembler::eliminate.
    void eliminate(std::span<const int> scalars);

    std::size_t bytes() const;

private:
    /// A symmetric matrix of the pass.
    struct Part
    {
        int first = 0;
        std::size_t rows = 0;
        std::uint64_t id = 0;
        const SymmetricPattern* pattern = nullptr;  ///< during the pass
        bool alone = false;                         ///< no other part has one of its rows
        /// For each row the places of its blocks in the row of the matrix, unless that has them and no others, one
        /// after the other. There are no rows if all of them are such.
        PiecewiseRows<int> positions;

        int end() const { return first + static_cast<int>(rows); }
    };
    /// What `eliminate` does.
    struct Elimination
    {
        std::uint64_t layout = 0, structure = 0;  ///< for which positions, and couplings, were found
        Vector<int> scalars;
        Vector<char> fixed;                     ///< per scalar
        Vector<std::pair<int, int>> couplings;  ///< row and column of blocks off the diagonal with such a scalar
        Vector<std::size_t> zeros, ones;        ///< positions in the values
    };

    /// The diagonal block of a row that has the values of this pass.
    double* touched(int row)
    {
        if (m_touched[static_cast<std::size_t>(row)] != m_pass) clear(row);
        return m_matrix.block(static_cast<std::size_t>(m_matrix.diagonal(row)));
    }
    void clear(int row);
    static Part partOf(int row, const SymmetricPattern& pattern);
    /// The part that comes next, with its rows in the matrix.
    Part& take(const Part& next);
    /// Makes all rows those of the first part of a pass.
    void makeRows(const Part& part);
    /// Lets the rows of a part have its blocks at least; those without values of this pass just these.
    void insert(Part& part);
    /// Whether a row of the matrix has the blocks of that of a pattern and no others.
    bool isExact(const Part& part, std::size_t row) const;
    /// Sets the places of the blocks of a row of a pattern.
    void findPlaces(const Part& part, std::size_t row, Vector<int>& places) const;
    /// Finds where all its blocks are.
    void locate(Part& part) const;
    /// The same in the rows that have changed.
    void relocate(Part& part);
    /// Lets the rows that have changed have the blocks of a pattern that follows.
    void follow(Part& part, const SymmetricPattern& pattern);
    /// Gives the rows that have changed the blocks of the parts of this pass and no others.
    void settle();
    /// Gives all rows the blocks of the parts of this pass.
    void restructure();
    void setRow(int row, std::span<const int> columns);
    /// The same if the row has others, which makes it another pattern.
    void changeRow(int row, std::span<const int> columns);
    void resize(int rows);
    void put(const Part& part, SymmetricSource& source, double factor);
    void findCouplings(Elimination& e, int row) const;
    void findPositions(Elimination& e) const;

    BlockCsrMatrix m_matrix;
    Vector<std::uint32_t> m_touched;  ///< per row, the pass that it has values of
    std::uint32_t m_pass = 0;
    Vector<int> m_coupled;  ///< per row, blocks off the diagonal in it and in its column
    ReusedList<Part> m_parts;
    std::size_t m_cursor = 0;
    bool m_open = false, m_deviates = false, m_replayed = false, m_resized = false;
    Vector<int> m_changed;  ///< rows that have changed in this pass, as patterns follow; increasing
    std::uint64_t m_version = 0;
    std::uint64_t m_hash = 0;       ///< of the pattern; 0: not known
    std::uint64_t m_layout = 0;     ///< changes when blocks move
    std::uint64_t m_structure = 0;  ///< changes when rows change but for those that follow
    std::vector<Elimination> m_eliminations;
    std::size_t m_eliminationCount = 0;
    Vector<int> m_starts, m_columns, m_places;  ///< of rows that are made
};

}  // namespace sofa::core
