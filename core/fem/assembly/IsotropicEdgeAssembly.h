// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <vector>

#include "core/fem/assembly/ElementReordering.h"
#include "core/fem/kernels/EdgeKernels.h"
#include "core/linalg/SymmetricPattern.h"
#include "core/math/Vector.h"

namespace sofa::core {

/// Sums the stiffness of tetrahedra of isotropic linear elasticity, rotated or not (IsotropicTangent), into the blocks
/// of a SymmetricPattern: pair by pair, from the vectors of the elements that have both points, without element
/// matrices. With G(κ) = Σ κV a bᵀ over these elements, a and b the vectors of the two points, a block is
///
///     G(λ) + G(μ)ᵀ + tr G(μ) I.
///
/// For quadratic Bézier tetrahedra G has the vectors of the gradients of their polynomials (BezierTetrahedra).
///
/// Pairs are numbered by increasing lower rank of their two vertices, so that a row of the matrix is complete as soon
/// as its pairs are, and goes there while they are in the cache. Several threads take ranges of rows; pairs of rows of
/// two ranges are summed by both. The terms of a pair are added in the order of the mesh: results depend neither on the
/// number of threads nor on the instruction set.
class IsotropicEdgeAssembly
{
public:
    /// `start` and `contributions` list the elements of each pair of the pattern, which have 4 or 10 vertices. Throws
    /// std::runtime_error for more than 134 or 8 million elements.
    void build(const SymmetricPattern& pattern, const Vector<std::size_t>& start,
               const Vector<PairContribution>& contributions, std::size_t vertices, const ElementReordering& order);

    /// SymmetricSource of −K for the tangents of the elements, by place; it refers to both.
    class Source final : public SymmetricSource
    {
    public:
        Source(const IsotropicEdgeAssembly& sums, const IsotropicTangent* tangents) : m_sums(sums), m_tangents(tangents)
        {
        }
        void forEachRows(const Rows& rows) override;
        PairBlocks all() override;

    private:
        const IsotropicEdgeAssembly& m_sums;
        const IsotropicTangent* m_tangents;
    };

private:
    /// Some rows, whose pairs with each other and later ones are summed together.
    struct Chunk
    {
        std::size_t rowEnd, pairEnd, termEnd;
        std::size_t start;  ///< first chunk whose pairs these rows have
    };
    void sum(std::size_t chunk, const IsotropicTangent* tangents, const EdgeSumWindow& sums) const;

    bool m_quadratic = false;
    std::vector<Chunk> m_chunks;
    Vector<Index> m_vertices;  ///< by rank; empty: their numbers
    Vector<std::uint32_t> m_terms;
    std::size_t m_pairCount = 0, m_frontSize = 0;
    mutable std::vector<std::size_t> m_ranges;  ///< chunks where the threads begin, and the end
    mutable unsigned m_threads = 0;             ///< that the ranges are for
    mutable Vector<double> m_fronts, m_all;
};

}  // namespace sofa::core
