// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/ElementReordering.h"
#include "core/fem/kernels/EdgeKernels.h"
#include "core/linalg/SymmetricPattern.h"

namespace sofa::core {

/// Sums the stiffness of tetrahedra of isotropic linear elasticity, rotated or not (IsotropicTangent), block by block,
/// from the vectors of the elements that have the points of the block, without element matrices. With G(κ) = Σ κV a bᵀ
/// over these elements, a and b the vectors of the two points, a block is
///
///     G(λ) + G(μ)ᵀ + tr G(μ) I,
///
/// on the diagonal as elsewhere, so that each row is summed by itself. For quadratic Bézier tetrahedra G is a sum over
/// pairs of vectors of the element, by the shape functions of the two points (QuadraticProducts).
///
/// Rows come by increasing rank of their points. The terms of a block are added in the order of the mesh: results
/// depend neither on the number of threads nor on the instruction set, nor on the ranks.
class IsotropicRows
{
public:
    /// Elements have 4 or 10 vertices; of quadratic ones some may be middles. Throws std::runtime_error for more than
    /// 134 or 8 million of them.
    void build(const ElementConnectivity& mesh);
    /// Makes the rows of these vertices anew, whose elements have changed or got other places; all that are new or have
    /// another rank are among them. No vertex is a middle.
    void update(const ElementConnectivity& mesh, Vector<Index> vertices);

    const SymmetricPattern& pattern() const { return m_pattern; }

    /// Gives −K for the tangents of the elements, by place; it refers to both.
    class Source final : public SymmetricSource
    {
    public:
        Source(const IsotropicRows& rows, const IsotropicTangent* tangents) : m_rows(rows), m_tangents(tangents) {}
        void forEachRows(const Rows& rows) override;

    private:
        const IsotropicRows& m_rows;
        const IsotropicTangent* m_tangents;
    };

private:
    struct Neighbour
    {
        Index vertex;
        std::uint32_t count, next;  ///< terms, and where the next one goes
    };
    struct Term
    {
        std::uint32_t neighbour, term;
    };
    /// Finds the higher vertices around one, and the terms of its row.
    void collect(const ElementConnectivity& mesh, Index v);
    std::size_t columnsOf(std::size_t row) const { return m_pattern.columns[m_pattern.vertexAt(row)].size(); }

    SymmetricPattern m_pattern;
    PiecewiseRows<std::uint32_t, isotropicTermsAhead> m_terms;  ///< by row: of the diagonal, and of each column
    bool m_quadratic = false;
    Vector<std::uint8_t> m_middles;  ///< of quadratic elements, by place: the edges whose control points are middles

    // Of one row.
    Vector<std::uint32_t> m_indexOf;  ///< per vertex: in m_neighbours, if it is one
    Vector<Neighbour> m_neighbours;
    Vector<Term> m_pairTerms;
    Vector<std::uint32_t> m_rowTerms, m_sorted, m_columns;
};

}  // namespace sofa::core
