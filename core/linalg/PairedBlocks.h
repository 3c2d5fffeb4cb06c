// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/BlockCsrMatrix.h"

namespace sofa::core {

/// The blocks on and right of the diagonal of a matrix of 3 × 3 blocks, copied so that registers of eight numbers take
/// two blocks of a row at once: row r of both, each followed by a zero, stands in one cache line. With that the product
/// of core/linalg/SymmetricProduct.h needs two thirds of the instructions, and no load straddles two lines; it costs a
/// third more memory, which pays where the caches hold the matrix. Bits are those of SymmetricProduct without it.
class PairedBlocks
{
public:
    /// True if this machine, at the level in use, has the instructions (AVX-512).
    static bool isAvailable();

    /// Finds places for the blocks of a pattern in which all diagonal blocks are stored.
    void layOut(const BlockCsrMatrix& a);
    std::size_t bytes() const { return bytesOf(m_start) + bytesOf(m_columns) + bytesOf(m_values); }
    /// Forgets the layout.
    void clear();

    /// window[4 (v − first) ..] += what the rows [first, last) and their transposes give; returns the sum over the rows
    /// of x · window, as SymmetricProduct sums it. x: four numbers for each point, the fourth zero, and one more point
    /// than the matrix has rows; both arrays 32-byte aligned. The window has one point more than the rows reach.
    /// Requires isAvailable().
    double addRows(std::size_t first, std::size_t last, const double* x, double* window) const;
    /// The same for the matrix itself, of the pattern that was laid out, whose values in these rows are copied on the
    /// way: once for all rows, from any threads, before addRows.
    double copyAndAddRows(const BlockCsrMatrix& a, std::size_t first, std::size_t last, const double* x,
                          double* window);

private:
    Vector<int> m_start;      ///< per row, its first pair
    Vector<int> m_columns;    ///< two per pair: four times the column; that of a missing second block is its row's
    Vector<double> m_values;  ///< 24 per pair: [row][block][column], the fourth column zero
};

}  // namespace sofa::core
