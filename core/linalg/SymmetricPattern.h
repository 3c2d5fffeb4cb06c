// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/math/Mat.h"
#include "core/math/PiecewiseRows.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

/// Structure of a symmetric matrix of 3 × 3 blocks: one block is stored for each *pair* v < w of coupled points, that
/// of row v and column w, and one for each point, on the diagonal.
///
/// Sources (SymmetricSource) may give the rows in another order than that of the points.
struct SymmetricPattern
{
    PiecewiseRows<std::uint32_t> columns;  ///< per point, the higher points that it is coupled with, increasing
    Vector<Index> vertices;                ///< point of each row of a source; empty: the row itself
    /// Of the structure: two patterns with one id are equal. See newId.
    std::uint64_t id = 0;
    /// That of the structure which this one was made from, and the points below rows() whose columns are others now; 0:
    /// none.
    std::uint64_t previous = 0;
    Vector<Index> changed;

    std::size_t rows() const { return columns.size(); }
    Index vertexAt(std::size_t row) const { return vertices.empty() ? static_cast<Index>(row) : vertices[row]; }
    static std::uint64_t newId();
    /// Makes it another pattern after its columns were made anew, and says which are others than those before unless
    /// these are many.
    void columnsWere(const PiecewiseRows<std::uint32_t>& before);
};

/// Gives the blocks of a SymmetricPattern, some rows at a time. Who adds them to a matrix takes them as they are
/// produced, so that they need not go through the main memory.
class SymmetricSource
{
public:
    /// Takes the rows [first, last) of the source. `blocks` has nine numbers for each block, row-major: of row after
    /// row the block on the diagonal, which is exactly symmetric, and those of its columns.
    using Rows = FunctionRef<void(std::size_t first, std::size_t last, const double* blocks)>;

    virtual ~SymmetricSource() = default;
    /// Calls `rows` such that each row comes once, in any order and from several threads.
    virtual void forEachRows(const Rows& rows) = 0;
};

/// All blocks of a source: those of pairs where `pattern.columns` has their columns, and those of the diagonal.
struct SymmetricBlocks
{
    Vector<Mat3> pairs, diagonals;
    void set(const SymmetricPattern& pattern, SymmetricSource& source);
};

}  // namespace sofa::core
