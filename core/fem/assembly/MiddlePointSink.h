// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MatrixAccumulator.h"
#include "core/mesh/BezierElements.h"

namespace sofa::core {

/// Pᵀ K̂ P of a matrix K̂ of all control points. Rows of points that are coupled with no middle point are those of K̂, and
/// go on as they come; of the others K̂ is kept, and each block of the result is a sum of blocks of K̂.
class MiddlePointFold
{
public:
    /// K̂ by its pattern; it is compared by its id.
    void build(const SymmetricPattern& all, const MiddlePoints& middles);
    /// The elements or middle points are others. The memory stays.
    void forget() { m_from = 0; }
    /// Adds Pᵀ K̂ P to a sink, of the pattern that build() had.
    void add(BlockSink& sink, const SymmetricPattern& all, SymmetricSource& source);

private:
    class Source;
    struct Term
    {
        enum class Kind : std::uint32_t
        {
            Plain,
            Transposed,
            Both  ///< the sum of both
        };
        Index column;         ///< of the block of the result
        std::uint32_t block;  ///< in m_kept
        Kind kind;
        double factor;
    };
    /// Calls f(row, term) for all terms.
    template <class F>
    void forEachTerm(const SymmetricPattern& all, const MiddlePoints& middles, F&& f) const;

    /// Sets the blocks of a row of the result.
    void sum(Index row, Vector<Mat3>& blocks) const;

    static constexpr std::uint32_t passesOn = ~0u;
    std::uint64_t m_from = 0;
    SymmetricPattern m_pattern;
    Vector<std::uint32_t> m_firstBlock;  ///< per row of K̂, in m_kept, if it is kept
    Vector<std::size_t> m_start;         ///< per row of the result, into m_terms
    Vector<Term> m_terms;                ///< by increasing columns, the diagonal coming first
    Vector<Index> m_folded;              ///< rows of the result that are sums
    Vector<Mat3> m_kept;                 ///< blocks of K̂, row by row, the diagonal coming first
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
