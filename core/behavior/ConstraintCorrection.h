// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/ConstraintMatrix.h"
#include "core/behavior/ConstraintParams.h"
#include "core/behavior/ConstraintSnapshot.h"
#include "core/behavior/Solvers.h"
#include "core/linalg/ComplianceMatrix.h"

namespace sofa::core {

/// Answers of a body to constraint forces: how far they move it, dx = c A⁻¹ Hᵀ λ, where A is the matrix of the body's
/// integrator or what stands for it, and c a factor of the integrator.
///
/// All functions take H carried to independent states (ConstraintMatrix::carry).
class ConstraintCorrection : public Component
{
public:
    static std::string_view typeLabel() { return "constraint correction"; }

    /// Independent states that this component moves.
    virtual std::vector<BaseState*> states() const = 0;
    /// False while the component takes no part.
    virtual bool isActive() const { return true; }

    /// Tells which rows addCompliance couples: by default all that touch states().
    virtual void coupleRows(const ConstraintMatrix& h, ComplianceMatrix& w) const;
    /// W += c H A⁻¹ Hᵀ, between the rows that coupleRows told.
    virtual void addCompliance(const ConstraintParams& p, const ConstraintMatrix& h, ComplianceMatrix& w) = 0;
    /// dx = A⁻¹ Hᵀ λ on states(), without a factor.
    virtual void computeMotion(const ConstraintParams& p, const ConstraintMatrix& h, std::span<const double> lambda,
                               VecDerivId dx) = 0;
    /// Factors c of dx in positions and in velocities.
    virtual double positionFactor(const ConstraintParams& p) const = 0;
    virtual double velocityFactor(const ConstraintParams& p) const = 0;

    /// Products with c H A⁻¹ Hᵀ, a few rows at a time, for solvers that never build W. They begin with λ = 0; H must
    /// stay as it is until the last one.
    virtual void beginProducts(const ConstraintParams& p, const ConstraintMatrix& h) = 0;
    /// w += the diagonal block of `n` rows; row-major, n squared.
    virtual void addBlock(int first, int n, double* w) const = 0;
    /// d += c H A⁻¹ Hᵀ λ of `n` rows.
    virtual void addProduct(int first, int n, double* d) const = 0;
    /// λ += change, for `n` rows.
    virtual void changeForce(int first, int n, const double* change) = 0;
    /// The forces that a contact solver starts from, all rows at once, right after beginProducts. A correction may
    /// count what they move later, as SOFA's does.
    virtual void startFrom(std::span<const double> force)
    {
        if (!force.empty()) changeForce(0, static_cast<int>(force.size()), force.data());
    }

    /// The factor that goes with the violations of p.order.
    double complianceFactor(const ConstraintParams& p) const
    {
        return p.order == ConstraintOrder::velocity ? velocityFactor(p) : positionFactor(p);
    }
    /// x = x_free + c_x dx and v = v_free + c_v dx on states(); by velocities v only. dx is scaled by c_x (or c_v).
    void applyMotion(const ConstraintParams& p, const MultiVecCoordId& x, const MultiVecDerivId& v, VecDerivId dx) const
    {
        for (BaseState* s : states()) {
            s->add(v.at(*s), p.freeV.at(*s), dx, velocityFactor(p));
            if (p.order == ConstraintOrder::positionAndVelocity)
                s->add(x.at(*s), p.freeX.at(*s), dx, positionFactor(p));
            s->scale(dx, complianceFactor(p));
        }
    }
};

/// Finds the forces of all Lagrangian constraints at and below its node after the free motion of a step, and moves the
/// bodies by them.
class ConstraintSolver : public Component
{
public:
    static std::string_view typeLabel() { return "constraint solver"; }

    /// From p.freeX and p.freeV, writes x and v (by velocities: v only) of the states that a constraint correction
    /// moves.
    virtual void solveConstraint(const ConstraintParams& p, const MultiVecCoordId& x, const MultiVecDerivId& v) = 0;
    /// Vectors of every state of the scope: forces Hᵀ λ, and the displacement by them.
    virtual VecDerivId lambda() const = 0;
    virtual VecDerivId displacement() const = 0;
    /// What a state feels of the constraints of the last step; nullptr if nothing, or if this solver cannot tell.
    virtual std::unique_ptr<ConstraintSnapshot> snapshot(const BaseState&) { return nullptr; }
};

}  // namespace sofa::core
