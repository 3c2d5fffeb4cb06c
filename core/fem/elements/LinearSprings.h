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
/// that of elements does, without sums, as the block of its pair of points. The forces on a point are summed by the
/// points at the other ends, in increasing order: results depend on what springs there are only, not on changes that
/// brought them, the number of threads or the instruction set; of springs between the same points, on their order.
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
    /// Follows a change: springs and points come from those before as the sources say, `touched` are those that are new
    /// or differ, also by the numbers of their points. Returns false, with nothing done, if all had better be built
    /// anew.
    bool follow(FunctionRef<Spring(Index)> springOf, Index nbPoints, const ElementSource& source,
                const ElementSource& points, Vector<Index> touched);
    void clear() { build({}, 0); }

    Index size() const { return m_graph.size(); }
    Index nbPoints() const { return m_graph.nbPoints(); }
    /// Calls `f(i)` for the springs that end at a point.
    template <class F>
    void forEachAround(Index point, F&& f) const
    {
        m_graph.forEachAround(point, [&](Index place) { f(m_order.elementAt(place)); });
    }
    /// Whether one has, or had before a change.
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
    static constexpr std::size_t packWidth = 8;

    /// Resizes what there is for each pack.
    void resize();
    /// Sets the values of a lane of the packs.
    void prepareLane(std::size_t place, const Spring& s);
    /// The springs that end at a point, by the point at the other end: what m_pairs has of them. Those after the first
    /// one of a pair are added to `again`, unless the row of the lower point among `others` has them.
    struct Row
    {
        Vector<std::uint32_t> entries;
        Vector<Index> columns;
    };
    struct Repeated
    {
        Index first, again;
    };
    void findRow(Index point, const Vector<Index>& others, Row& row, Vector<Repeated>& again) const;
    void sortRepeated();
    /// f += the forces of all springs: `kernel(pack, out)` sets those on their lower points, out[lane][3].
    template <class Kernel>
    void accumulate(Vector<Vec3>& f, Kernel&& kernel) const;
    PairBlocks blocks() const { return {m_tangents.data(), m_corners.data(), 8, 1}; }
    Mat3 damping(std::size_t place) const;
    /// Makes the pattern another one if rows have changed, have come or are gone.
    void preparePattern() const;

    ElementGraph<2> m_graph;  ///< by place, the lower point first
    PackOrder m_order;
    Vector<SpringPack> m_packs;
    Vector<double> m_tangents, m_corners;  ///< K by place; zero for those that m_repeated adds to others
    Vector<Vec3> m_axes;                   ///< u by place, where B has the part of k_d
    /// The first spring of each pair, whose number is its place; the others by their points.
    mutable SymmetricPairs m_pairs;
    Vector<Repeated> m_repeated;
    mutable Vector<Index> m_touched;     ///< points whose rows are others since the matrix was last asked for
    mutable std::size_t m_rowsSeen = 0;  ///< of the matrix that was last asked for
    mutable Vector<double> m_forces;     ///< [pack][lane][3]
    mutable Vector<double> m_dampings, m_dampingCorners;
    bool m_damped = false, m_hasDrag = false;
};

}  // namespace sofa::core
