// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/SymmetricPattern.h"

namespace sofa::core {

/// A whole symmetric matrix of 3 × 3 blocks, as a SymmetricSource gives it, times a factor, on its way into the values
/// of a block sparse matrix.
struct SymmetricSweep
{
    const std::size_t* rowStart;  ///< of the pattern
    std::size_t entries;
    const std::uint32_t* packed;  ///< per entry, twice its pair, plus one if transposed
    PairBlocks pairs;
    double factor;
    const int *slots, *diagonals;
    const int* starts;  ///< per row, its first block
    double* values;
    bool upper;  ///< blocks left of the diagonal are left out
};

/// Takes some rows of the matrix.
using RowsFunction = void (*)(const SymmetricSweep&, const RowList&);

/// Adds the blocks of rows to those at the given slots.
RowsFunction addRows();
/// Sets rows that have the blocks of the pattern and no others, one after the other; the bits are those of adding to
/// zeros. `bytes` is the size of the values: what no cache holds is written by non-temporal stores.
RowsFunction setRows(std::size_t bytes);

}  // namespace sofa::core
