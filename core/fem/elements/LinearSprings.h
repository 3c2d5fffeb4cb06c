// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/fem/assembly/ElementGraph.h"
#include "core/fem/kernels/SpringKernels.h"

namespace sofa::core {

/// Damped linear springs between points of one state, in packs of eight.
///
/// With u = (x₂ − x₁)/l, l = |x₂ − x₁| and rest length L, the force on point 1 is
///
///     f₁ = ( kₛ (l − L) + k_d u·(v₂ − v₁) ) u + d (v₂ − v₁) = φ u + d (v₂ − v₁),        f₂ = −f₁,
///     K  = (kₛ − φ/l) u uᵀ + (φ/l) I  ≈ ∂f₁/∂x₂ = −∂f₁/∂x₁,
///
///     B  = k_d u uᵀ + d I = ∂f₁/∂v₂ = −∂f₁/∂v₁,
///
/// K exact at zero velocity (components/spring/SpringLaw.h has the derivation, and the law between two states). The
/// drag d acts on the whole relative velocity. A spring that is not longer than its least length has no force but that
/// of its drag.
///
/// A spring is an element of two vertices whose rows of blocks sum to zero, so that its stiffness goes to the matrix as
/// that of elements does: addForce leaves K as the block of its pair of points. Results do not depend on the number of
/// threads nor on the instruction set.
class LinearSprings
{
public:
    struct Spring
    {
        Index a = 0, b = 0;
        double stiffness = 0.;  ///< kₛ [N/m]
        double damping = 0.;    ///< k_d [N s/m]
        double drag = 0.;       ///< d [N s/m]
        double length = 0.;     ///< L [m]
        double least = 0.;      ///< the spring acts when it is longer [m]; infinite: never
    };

    /// Replaces the springs; K is zero until addForce. Throws std::runtime_error, naming the spring, if one joins a
    /// point outside of [0, nbPoints).
    void build(const Vector<Spring>& springs, Index nbPoints);
    void clear() { build({}, 0); }

    Index size() const { return m_graph.size(); }
    Index nbPoints() const { return m_graph.nbPoints(); }
    bool hasDrag() const { return m_hasDrag; }

    /// Which derivatives addForce leaves for what follows.
    struct Tangent
    {
        bool projected = false;  ///< K without what is negative of it: φ/l where a spring is compressed
        bool damping = false;    ///< B with the part of k_d, else that of the drag alone
    };
    /// f += forces at x and v.
    void addForce(Vector<Vec3>& f, const Vector<Vec3>& x, const Vector<Vec3>& v, const Tangent& tangent);
    /// df += (factor ∂f/∂x + dampingFactor ∂f/∂v) dx at the state of the last addForce.
    void addProduct(Vector<Vec3>& df, const Vector<Vec3>& dx, double factor, double dampingFactor = 0.) const;
    /// Adds ∂f/∂x at that state.
    void addStiffness(BlockSink& sink) const;
    /// Adds ∂f/∂v at that state.
    void addDamping(BlockSink& sink) const;

private:
    /// The springs by their lower point, then by the higher one; those of a pair in the order of the list.
    static Vector<Spring> sorted(const Vector<Spring>& springs, Index nbPoints);
    /// The tangents K by place: the sums over the springs of each pair of points, and zero behind them.
    PairBlocks blocks() const { return {m_tangents.data(), m_corners.data(), 8, 1}; }
    /// B of an element.
    Mat3 damping(Index e) const;

    ElementGraph<2> m_graph;
    SymmetricPairs m_pairs;
    Vector<SpringPack> m_packs;
    /// That of the pair of points, sorted by the lower and then by the higher one; behind all pairs for the second and
    /// later springs of a pair, and for those that join a point with itself.
    Vector<Index> m_places;
    /// Places of a pair and of another spring of it.
    struct Repeated
    {
        Index first, again;
    };
    Vector<Repeated> m_repeated;
    Vector<double> m_tangents, m_corners;  ///< by place
    Vector<Vec3> m_axes;                   ///< u of each element, where B has the part of k_d
    bool m_damped = false, m_hasDrag = false;
};

}  // namespace sofa::core
