// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MatrixAccumulator.h"
#include "core/linalg/SymmetricPairs.h"
#include "core/mesh/BezierElements.h"

namespace sofa::core {

/// Where Pᵀ K̂ P comes from: of a pattern with all control points, the pattern of the points and for each of its pairs
/// the terms of its block.
class MiddlePointFold
{
public:
    /// K̂ by its pattern; it is compared by its id.
    void build(const SymmetricPattern& all, const MiddlePoints& middles);
    /// Adds Pᵀ K̂ P to a sink.
    void add(BlockSink& sink, const SymmetricPattern& pattern, SymmetricSource& all);

private:
    struct Term
    {
        enum class Kind : std::uint32_t
        {
            Plain,
            Transposed,
            Symmetric  ///< the mean of both
        };
        std::uint32_t pair;  ///< where `columns` of the pattern of all have its column
        Kind kind;
        double factor;
    };
    std::uint64_t m_from = 0;
    SymmetricPairs m_pairs;
    Vector<std::size_t> m_start;  ///< per pair, into m_terms
    Vector<Term> m_terms;
    SymmetricBlocks m_all;
    Vector<Mat3> m_blocks;
};

/// Takes a symmetric matrix of all control points and gives that of the points to another sink.
class MiddlePointSink final : public BlockSink
{
public:
    MiddlePointSink(BlockSink& sink, const MiddlePoints& middles, MiddlePointFold& fold)
        : m_sink(sink), m_middles(middles), m_fold(fold)
    {
    }
    /// Throws std::logic_error: elements give symmetric matrices.
    void addBlock(Index i, Index j, const double* block, std::size_t r, std::size_t c) override;
    void addSymmetric(const SymmetricPattern& pattern, SymmetricSource& pairs) override
    {
        m_fold.build(pattern, m_middles);
        m_fold.add(m_sink, pattern, pairs);
    }

private:
    BlockSink& m_sink;
    const MiddlePoints& m_middles;
    MiddlePointFold& m_fold;
};

}  // namespace sofa::core
