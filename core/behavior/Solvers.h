// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/MechanicalParams.h"
#include "core/behavior/SolverScope.h"
#include "core/log/Explanation.h"
#include "core/objectmodel/Component.h"

namespace sofa::core {

/// Integrates its node and everything below it over one time step; with tags, what belongs to these (scope()).
class OdeSolver : public Component
{
public:
    static std::string_view typeLabel() { return "ODE solver"; }
    /// Tells where its tags select nothing: that is an error beside other integrators, else the tags are left out.
    void bwdInit() override;
    /// Writes the state after `dt` [s] into x and v, from vec_id::position and vec_id::velocity.
    virtual void solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId& v) = 0;
    /// What it acts on: all its operations take this.
    SolverScope scope() const { return {*node(), d_tags.value()}; }
    /// Factor by which a change of acceleration-like unknown enters velocity and position: what constraint solvers
    /// need.
    virtual double velocityIntegrationFactor(double dt) const = 0;
    virtual double positionIntegrationFactor(double dt) const = 0;

    /// Whether it takes the stiffness of forces into account.
    virtual bool isImplicit() const { return false; }
    /// Whether it looks for equilibrium instead of following the motion.
    virtual bool isStatic() const { return false; }
    /// Of the integrators of objects that contact forces couple, the one with the highest rank takes them all (the
    /// first of equal ones): implicit ones come before explicit ones; of implicit ones the more they damp what is stiff
    /// (midpoint rule 11, Newmark 12, BDF 13, backward Euler 14), of explicit ones the higher their order (1 to 4).
    virtual int couplingRank() const { return isImplicit() ? 10 : 1; }

    /// While suspended, animation loops leave the node of the solver to another one: that of a group of objects in
    /// contact (CollisionGroupManager).
    bool isSuspended() const { return m_suspended; }
    void setSuspended(bool on) { m_suspended = on; }

private:
    bool m_suspended = false;
};

/// Solves (m M + b B + k K) x = rhs over a scope (the node of the ODE solver and what is below).
class LinearSolver : public Component
{
public:
    static std::string_view typeLabel() { return "linear solver"; }
    /// Sets the system of the states of `scope`: factors and present state of `mp`, at the last force computation.
    virtual void setSystem(const SolverScope& scope, const MechanicalParams& mp) = 0;
    /// Solves for x; projective constraints are imposed. x and rhs are vectors of every independent state.
    virtual void solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs) = 0;
    /// f += factor A v on the independent states, if the matrix A of the last setSystem is there, the product is
    /// cheaper than that of the force fields, and projective constraints change it only where v is zero; false if not,
    /// and then f has not changed.
    virtual bool addProduct([[maybe_unused]] VecDerivId f, [[maybe_unused]] const MultiVecDerivId& v,
                            [[maybe_unused]] double factor)
    {
        return false;
    }
    /// What it does with its last system, and why (runSofa --explain): operator, unknowns, factorisation, memory.
    virtual void explain(Explanation&) const {}
    /// True if it only approximates, for another solver: integrators do not choose it by themselves.
    virtual bool isPreconditioner() const { return false; }
};

/// Advances the whole scene by one time step.
class AnimationLoop : public Component
{
public:
    static std::string_view typeLabel() { return "animation loop"; }
    Data<double> d_divergenceFactor{
        this,
        {.name = "divergenceFactor",
         .help =
             "The run stops where something is farther from the scene's first positions than this times their extent "
             "and the way that initial velocities and gravity can lead, or would be in one more step; 0: only where "
             "something is not finite",
         .unit = "1",
         .range = Range::nonNegative()},
        1e9};

    /// dt [s]; the node's dt if 0.
    virtual void step(double dt) = 0;
    /// Whether bodies are moved as if nothing held them, for contacts to correct that motion.
    virtual bool hasFreeMotion() const { return false; }
};

/// Updates what is shown, once per frame.
class VisualLoop : public Component
{
public:
    static std::string_view typeLabel() { return "visual loop"; }
    virtual void update() = 0;
};

/// Has a job at the beginning of each step, before collision and integration (SOFA: BehaviorModel).
class BehaviorModel
{
public:
    virtual ~BehaviorModel() = default;
    virtual void updatePosition(double dt) = 0;
};

/// Something that is shown; its mapping updates its vertices.
class VisualModel
{
public:
    virtual ~VisualModel() = default;
    /// Recomputes what depends on the vertices (normals); called after mappings.
    virtual void updateVisual() {}
};

}  // namespace sofa::core
