// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/behavior/ConstraintLaw.h"
#include "core/behavior/ConstraintMatrix.h"
#include "core/behavior/ConstraintParams.h"
#include "core/behavior/OnState.h"

namespace sofa::core {

/// Constraint enforced by forces Hᵀλ (Lagrange multipliers) that a constraint solver finds after the free motion of a
/// step.
///
/// A constraint states three things, each once: its rows of the Jacobian H at the free positions, its violation
/// δ(x), and for each group of rows the law between λ and δ (core/behavior/ConstraintLaw.h). The framework carries rows
/// through mappings, builds the compliance W = Σ H A⁻¹ Hᵀ, solves, and moves the bodies.
class BaseLagrangianConstraint : public Component
{
public:
    BaseLagrangianConstraint() { ignoreAttribute("group", "no component acts on groups of constraints"); }
    static std::string_view typeLabel() { return "Lagrangian constraint"; }

    Data<unsigned> d_constraintIndex{this,
                                     {.name = "constraintIndex",
                                      .help = "First row of this constraint in the last system",
                                      .readOnly = true,
                                      .saved = false},
                                     0};
    Data<double> d_endTime{
        this,
        {.name = "endTime", .help = "Time at which the constraint stops to act; negative: never", .unit = "s"},
        -1.};

    /// False once endTime has passed: then the constraint has no rows.
    virtual bool isActive() const;
    /// Constraints of one node have their rows in the order of this number, those with equal ones in the order of the
    /// scene. Contacts that come and go keep the order of their detection by it.
    virtual std::uint64_t sequence() const { return 0; }
    /// A number that changes when the constraint asks anything else of bodies that have not moved: its contacts,
    /// limits, coefficients. 0: it asks nothing at present. By default that of the values of its Data.
    virtual std::uint64_t fingerprint() const;
    /// States on which the constraint acts, without repetition.
    virtual std::vector<BaseState*> states() const = 0;

    /// Adds the rows of H, at the free positions p.freeX, by h.addRows and h.add.
    virtual void buildRows(const ConstraintParams& p, ConstraintMatrix& h) = 0;
    /// Violation δ(x) [m, rad] of each row at the positions `x`; `d` has as many numbers as buildRows added.
    virtual void violation(const ConstraintParams& p, const MultiVecCoordId& x, std::span<double> d) = 0;
    /// The laws of the rows, in their order; they must stay alive until the next call. Their sizes sum to the rows.
    virtual void laws(const ConstraintParams& p, std::vector<ConstraintLaw*>& out) = 0;
    /// Violation that the solver starts from. By positions: δ(free positions). By velocities: δ(x)/dt + H v_free [m/s],
    /// with x at the beginning of the step; `hv` is H v_free.
    virtual void freeViolation(const ConstraintParams& p, std::span<const double> hv, std::span<double> d);
    /// Hands the solution λ of the rows to the constraint.
    virtual void storeForces(const ConstraintParams&, std::span<const double> /*lambda*/) {}
};

/// Constraint on one state with coordinates of type DataTypes.
template <class DataTypes>
class LagrangianConstraint : public OnState<BaseLagrangianConstraint, DataTypes>
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
};

/// Constraint between two states of the same type (which may be one state).
template <class DataTypes>
class PairLagrangianConstraint : public OnTwoStates<BaseLagrangianConstraint, DataTypes>
{
public:
    using Coord = typename DataTypes::Coord;
    using Deriv = typename DataTypes::Deriv;
    using VecCoord = typename DataTypes::VecCoord;
    using VecDeriv = typename DataTypes::VecDeriv;
};

#define SOFA_EXTERN(D)                                              \
    extern template class OnState<BaseLagrangianConstraint, D>;     \
    extern template class OnTwoStates<BaseLagrangianConstraint, D>; \
    extern template class LagrangianConstraint<D>;                  \
    extern template class PairLagrangianConstraint<D>;
SOFA_STATE_TYPES(SOFA_EXTERN)
#undef SOFA_EXTERN

}  // namespace sofa::core
