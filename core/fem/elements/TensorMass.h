// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MatrixAccumulator.h"
#include "core/fem/assembly/ElementGraph.h"

namespace sofa::core {

/// Forces that are linear in the positions of points, with a constant stiffness that is kept for each pair of points
/// (Cotin, Delingette and Ayache, "A hybrid elastic model for real-time cutting, deformations, and force feedback", The
/// Visual Computer 16(7), 2000: tensor-mass models):
///
///     f_i = Σ_j K_ij (u_i − u_j),   u = x − X,   E = ½ Σ_ij u_iᵀ K_ij u_j            [N, m, J]
///
/// where K_ij = K_jiᵀ, i ≠ j, are the blocks of a symmetric matrix whose rows sum to zero: a translation causes no
/// force. Elements that share a pair of points share its tensor, so that the cost is one product for each pair. Results
/// do not depend on the number of threads.
class TensorMass
{
public:
    /// K_ij of element e for its local vertices i < j [N/m].
    using Block = FunctionRef<Mat3(Index e, std::size_t i, std::size_t j)>;

    /// Sums the blocks of all elements, of three or four vertices, each below the number of points. X are the positions
    /// at `rest`.
    template <std::size_t N>
    void build(const Vector<std::array<Index, N>>& elements, const Vector<Vec3>& rest, Block block);

    std::size_t nbPairs() const { return m_tensors.size(); }

    /// f += forces at x.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x) const;
    /// df −= factor K dx
    void addStiffnessProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor) const;
    /// Adds the blocks of −K.
    void addStiffness(BlockSink& sink) const;
    /// E at x; exactly zero at rest.
    double energy(const Vector<Vec3>& x) const;

private:
    template <class Difference>
    void addProducts(Vector<Vec3>& out, double factor, Difference&& difference) const;

    ElementGraph<2> m_graph;  ///< the pairs, smaller vertex first
    Vector<Mat3> m_tensors;   ///< of the smaller and the larger vertex
    Vector<Vec3> m_rest;
};

}  // namespace sofa::core
