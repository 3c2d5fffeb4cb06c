// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/visitor/RotatingBodies.h"

namespace sofa::core {

/// Vector algebra on the independent states of a scope, by symbolic identifiers.
class VectorOperations
{
public:
    explicit VectorOperations(const SolverScope& scope) : m_plan(ExecutionPlan::of(scope)) {}
    explicit VectorOperations(ExecutionPlan& plan) : m_plan(plan) {}
    const SolverScope& scope() const { return m_plan.scope(); }
    ExecutionPlan& plan() const { return m_plan; }

    /// Makes sure that the vector exists in every state of the scope, mapped ones too; new ones are zero.
    void allocate(VecDerivId id);
    void allocate(VecCoordId id);
    void clear(const MultiVecDerivId& v);
    /// v = a
    void copy(const MultiVecCoordId& v, const MultiVecCoordId& a);
    void copy(const MultiVecDerivId& v, const MultiVecDerivId& a);
    /// v = a + f b
    void add(const MultiVecCoordId& v, const MultiVecCoordId& a, const MultiVecDerivId& b, double f);
    void add(const MultiVecDerivId& v, const MultiVecDerivId& a, const MultiVecDerivId& b, double f);
    void scale(const MultiVecDerivId& v, double f);
    double dot(const MultiVecDerivId& a, const MultiVecDerivId& b) const;
    double norm(const MultiVecDerivId& a) const;

private:
    ExecutionPlan& m_plan;
};

/// Mechanics of a scope: forces, products and projections, with mappings applied in both directions.
class MechanicalOperations
{
public:
    MechanicalOperations(const SolverScope& scope, MechanicalParams params)
        : mp(std::move(params)), m_plan(ExecutionPlan::of(scope))
    {
    }
    MechanicalParams mp;
    const SolverScope& scope() const { return m_plan.scope(); }
    ExecutionPlan& plan() const { return m_plan; }

    /// Mapped positions (and velocities) from the independent ones.
    void propagateX(const MultiVecCoordId& x);
    void propagateV(const MultiVecDerivId& v);
    void propagateXAndV(const MultiVecCoordId& x, const MultiVecDerivId& v);
    /// Applies projective constraints to positions and velocities of independent states.
    void projectPosition(const MultiVecCoordId& x);
    void projectVelocity(const MultiVecDerivId& v);
    void projectResponse(const MultiVecDerivId& dx);

    /// f = external forces + every force field at mp.x, mp.v, carried up through mappings. Mapped states hold their own
    /// sums.
    void computeForce(const MultiVecDerivId& f);
    /// Which damping b B stands for.
    enum class Damping
    {
        All,          ///< that of force fields (∂f/∂v), and the Rayleigh damping that components carry
        RayleighOnly  ///< the latter, which is no part of computeForce; with b = 0 nothing is visited in vain
    };
    /// df = (m M + b B + k K) dx for independent states, with mapped contributions; dx is mp.dx, and is mapped first.
    void addMBKdx(const MultiVecDerivId& df, const MultiVecDerivId& dx, double m, double b, double k, bool clearFirst,
                  Damping damping = Damping::All);
    /// f += factor M dx, with masses on mapped states; dx of those is mapped first, and their f is scratch.
    void addMdx(const MultiVecDerivId& f, const MultiVecDerivId& dx, double factor);
    /// a = M⁻¹ f; requires massIsDiagonal().
    void accFromF(const MultiVecDerivId& a, const MultiVecDerivId& f);
    /// f = all forces at x and v, which are projected first, with the gyroscopic torque of rigid bodies; x and v become
    /// those of `mp`, and masses are taken there.
    void computeForceAt(const MultiVecDerivId& f, const MultiVecCoordId& x, const MultiVecDerivId& v);
    /// x = from + h u; rigid bodies whose inertia turns with them move as bodies without torque do, and the carried
    /// velocities and accelerations with them (RotatingBodies); momenta M v, if any, stay in space and go on to where
    /// the frames are then. Only `u` may change until then.
    void advance(const MultiVecCoordId& x, const MultiVecCoordId& from, const MultiVecDerivId& u, double h,
                 std::initializer_list<MultiVecDerivId> carried, std::initializer_list<MultiVecDerivId> momenta = {});
    /// Before a step that changes `position` several times: where there are bodies whose inertia turns with them,
    /// copies the positions to `id` and takes masses there. Returns whether there are.
    bool holdMasses(VecCoordId id);
    /// v += dt g for masses that keep gravity separate.
    void addSeparateGravity(double dt, const MultiVecDerivId& v);
    /// True if accelerations are forces over masses, point by point: every mass is diagonal and on an independent
    /// state, no state has two, and no constraint joins points.
    bool massIsDiagonal() const;

private:
    ExecutionPlan& m_plan;
};

}  // namespace sofa::core
