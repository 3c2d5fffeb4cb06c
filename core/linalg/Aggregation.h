// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/linalg/BlockCsrMatrix.h"

namespace sofa::core {

/// Rows of numbers, one after the other: row i has values[start[i]] … values[start[i + 1] − 1].
struct IndexRows
{
    Vector<int> start{0}, values;

    std::size_t rows() const { return start.size() - 1; }
    std::span<const int> operator[](std::size_t i) const
    {
        const auto first = static_cast<std::size_t>(start[i]), last = static_cast<std::size_t>(start[i + 1]);
        return {values.data() + first, last - first};
    }
};

/// What smoothed aggregation makes of the pattern of a matrix A: aggregates of block rows ("nodes"), and the patterns
/// of the prolongation P, of A P and of Pᵀ A P. Nothing of it depends on values.
///
/// Aggregates are those of Vaněk, Mandel and Brezina, "Algebraic multigrid by smoothed aggregation for second and
/// fourth order elliptic problems" (Computing 56, 1996), section 5.1, with the whole pattern as strong couplings: in
/// the order of the nodes, a node of which no neighbour has an aggregate makes one with all its neighbours; the others
/// join the aggregate that most of their neighbours belong to.
struct Aggregation
{
    int count = 0;
    Vector<int> aggregate;   ///< of each node; −1: none (fixed, or coupled to no other node)
    IndexRows nodes;         ///< of each aggregate
    IndexRows prolongation;  ///< aggregates in each row of P
    IndexRows rowsOf;        ///< nodes with an aggregate in their row of P, for each aggregate
    Vector<int> entryOf;     ///< parallel to rowsOf.values: the entry of P
    IndexRows product;       ///< aggregates in each row of A P
    BlockCsrMatrix coarse;   ///< Pᵀ A P, with blocks of `coarseBlock` scalars

    /// `fixed` tells for each node of A whether it has no part in coarser levels.
    Aggregation(const BlockCsrMatrix& a, std::span<const std::uint8_t> fixed, int coarseBlock);
};

}  // namespace sofa::core
