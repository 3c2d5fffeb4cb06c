// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/BaseState.h"
#include "core/linalg/SymmetricPattern.h"
#include "core/math/Mat.h"

namespace sofa::core {

/// Receives the blocks of one (row state, column state) part of a matrix, in point indices.
///
/// The same sequence of calls is expected at every step while the structure of the force field is unchanged: receivers
/// record where each call goes the first time and replay without searching.
class BlockSink
{
public:
    virtual ~BlockSink() = default;

    /// Adds a block of r × c scalars (row-major) that couples row point i and column point j.
    virtual void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) = 0;

    /// Adds m times the identity of d × d scalars, d ≤ 6: the same as addBlock.
    virtual void addIdentity(Index i, Index j, double m, std::size_t d);

    /// Adds a whole symmetric matrix of 3 × 3 blocks; `source` gives those on and above the diagonal. The same sums as
    /// one addBlock for each block, but for those on the diagonal of points that are not coupled; receivers may do it
    /// without a call for each.
    virtual void addSymmetric(const SymmetricPattern& pattern, SymmetricSource& source);

    template <std::size_t R, std::size_t C>
    void add(Index i, Index j, const Mat<R, C>& block)
    {
        addBlock(i, j, block.data(), R, C);
    }
    /// Adds the dense matrix of an element with N nodes and D scalars per node: (N D) × (N D) scalars, row-major.
    template <std::size_t N, std::size_t D>
    void addElement(const std::array<Index, N>& nodes, const Mat<N * D, N * D>& k)
    {
        for (std::size_t a = 0; a < N; ++a)
            for (std::size_t b = 0; b < N; ++b) add(nodes[a], nodes[b], k.template block<D, D>(a * D, b * D));
    }
};

/// Receives the matrices of force fields and masses: one BlockSink for each pair of states.
class MatrixAccumulator
{
public:
    virtual ~MatrixAccumulator() = default;
    /// Sink for the derivative of the force on `row` with respect to the displacement (or velocity) of `col`.
    virtual BlockSink& sink(const BaseState& row, const BaseState& col) = 0;
};

}  // namespace sofa::core
