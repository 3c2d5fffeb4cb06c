// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <map>

#include "components/constraint/ConstraintProblem.h"
#include "core/behavior/ConstraintCorrection.h"
#include "core/behavior/LagrangianConstraint.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

/// Couples the rows of each correction, and adds its compliance to W, whose pattern has begun.
void addCompliance(const std::vector<core::ConstraintCorrection*>& corrections, const core::ConstraintParams& p,
                   const core::ConstraintMatrix& h, core::ComplianceMatrix& w);

/// Base of the constraint solvers: collects the Lagrangian constraints at and below its node, builds
///
///     δ = δ_free + W λ,   W = Σ over bodies of c H A⁻¹ Hᵀ + regularizationTerm · 1
///
/// lets a subclass find the forces λ, and moves every body that has a constraint correction from its free motion by
/// c A⁻¹ Hᵀ λ (Duriez et al., Realistic haptic rendering of interacting deformable objects in virtual environments,
/// IEEE TVCG 12(1), 2006). A body that an integrator moves but that has no correction stays where it is, as in SOFA; a
/// warning names it.
class LagrangianSolver : public core::ConstraintSolver
{
public:
    core::Data<int> d_maxIterations{
        this,
        {.name = "maxIterations", .help = "Largest number of iterations", .range = core::Range::closed(0., 1e9)},
        1000};
    core::Data<double> d_tolerance{
        this,
        {.name = "tolerance",
         .help = "The iterations stop when the last one changed the violations by less than this (metres when "
                 "constraints act on positions)",
         .unit = "m",
         .range = core::Range::nonNegative()},
        1e-3};
    core::Data<double> d_relativeTolerance{
        this,
        {.name = "relativeTolerance",
         .help = "Where no tolerance is given, and not with compatibility=\"sofa\": the iterations stop when the last "
                 "one changed no violation by more than this part of the largest violation without constraint forces",
         .unit = "1",
         .range = core::Range::closed(0., 1.)},
        1e-5};
    core::Data<double> d_regularizationTerm{this,
                                            {.name = "regularizationTerm",
                                             .help = "Compliance added to each row: this times the identity",
                                             .unit = "m/(N s)",
                                             .range = core::Range::nonNegative()},
                                            0.};
    core::Data<int> d_currentNumConstraints{this,
                                            {.name = "currentNumConstraints",
                                             .help = "Number of rows in the last step",
                                             .group = "Stats",
                                             .readOnly = true},
                                            0};
    core::Data<int> d_currentNumConstraintGroups{this,
                                                 {.name = "currentNumConstraintGroups",
                                                  .help = "Number of groups of rows in the last step",
                                                  .group = "Stats",
                                                  .readOnly = true},
                                                 0};
    core::Data<int> d_currentIterations{
        this,
        {.name = "currentIterations", .help = "Iterations of the last step", .group = "Stats", .readOnly = true},
        0};
    core::Data<double> d_currentError{this,
                                      {.name = "currentError",
                                       .help = "Error of the last iteration of the last step",
                                       .unit = "m",
                                       .group = "Stats",
                                       .readOnly = true},
                                      0.};
    core::Data<double> d_currentResidual{
        this,
        {.name = "currentResidual",
         .help = "Distance of the forces of the last step from a solution: the largest change of a violation that its "
                 "law would still make",
         .unit = "m",
         .group = "Stats",
         .readOnly = true},
        0.};
    core::Data<unsigned> d_unconvergedSolves{
        this,
        {.name = "unconvergedSolves",
         .help = "Number of steps whose iterations ended above the tolerance: since the start, or the last reset",
         .group = "Stats",
         .readOnly = true,
         .saved = false},
        0u};
    core::Data<bool> d_computeConstraintForces{
        this, {.name = "computeConstraintForces", .help = "Write the forces to constraintForces"}, false};
    core::Data<core::Vector<double>> d_constraintForces{
        this,
        {.name = "constraintForces",
         .help = "Force of each row in the last step, if computeConstraintForces",
         .unit = "N s",
         .readOnly = true,
         .saved = false}};

    LagrangianSolver();
    void init() override;
    void reset() override;
    void solveConstraint(const core::ConstraintParams& p, const core::MultiVecCoordId& x,
                         const core::MultiVecDerivId& v) override;
    core::VecDerivId lambda() const override;
    core::VecDerivId displacement() const override;
    std::unique_ptr<core::ConstraintSnapshot> snapshot(const core::BaseState& s) override;

    /// The system of the last step, and its Jacobian.
    const ConstraintProblem& problem() const { return m_problem; }
    const core::ConstraintMatrix& jacobian() const { return m_jacobian; }
    /// Force λ of each row of a constraint in the last step [N, N m]; empty if it had none.
    core::Vector<double> forcesOf(const core::BaseLagrangianConstraint& c) const;
    /// The forces Hᵀλ of a constraint in the last step on the points of one of its states, derivSize scalars for each
    /// [N, N m]. Throws std::runtime_error if points have gone since.
    core::Vector<double> forcesOn(const core::BaseState& s, const core::BaseLagrangianConstraint& c) const;

protected:
    /// W of the problem, whose pattern has begun.
    virtual void buildCompliance(const core::ConstraintParams& p, ConstraintProblem& problem);
    /// Adds the regularisation to a built W.
    virtual void regularize(ConstraintProblem& problem) const;
    virtual ConstraintOutcome solveProblem(ConstraintProblem& problem) = 0;
    /// Products by which W acts where it is not built; nullptr: it is built.
    virtual ComplianceProducts* products() { return nullptr; }
    /// The law of a group as this solver takes it, a copy.
    virtual std::unique_ptr<core::ConstraintLaw> copyOf(core::ConstraintLaw& law) const { return law.clone(); }
    /// The constraint to which a group of the problem belongs.
    const core::BaseLagrangianConstraint* constraintOf(std::size_t group) const { return m_owner[group]; }
    /// The relative tolerance; 0: the absolute one counts.
    double relativeTolerance() const;
    virtual double residual(const ConstraintProblem& problem) const { return complementarityResidual(problem); }
    /// Those that take part in the present solve.
    const std::vector<core::ConstraintCorrection*>& corrections() const { return m_taking; }

private:
    void collect();
    /// First row of a constraint in the last step, and their number.
    std::pair<std::size_t, std::size_t> rowsOf(const core::BaseLagrangianConstraint& c) const;
    void orderConstraints();
    void reportImmovable(const ConstraintProblem& problem);
    void countUnconverged(const ConstraintOutcome& outcome);

    std::size_t m_version = 0;
    bool m_collected = false, m_reported = false;
    double m_violationScale = 1.;  ///< change of the violations of the last step by a displacement along their rows
    core::KeptDeriv m_lambda{*this, "lambda"}, m_displacement{*this, "displacement"};
    std::vector<core::BaseLagrangianConstraint*> m_constraints;
    std::vector<core::ConstraintCorrection*> m_corrections, m_taking;
    std::vector<int> m_firstRow;  ///< of each constraint, and the number of rows
    core::ConstraintMatrix m_jacobian;
    ConstraintProblem m_problem;
    std::vector<core::ConstraintLaw*> m_laws;
    std::vector<const core::BaseLagrangianConstraint*> m_owner;  ///< of each law
    core::Vector<double> m_product;
};

/// Base of the solvers whose iterations stop by SOFA's generic rules (ConstraintSettings).
class GenericLagrangianSolver : public LagrangianSolver
{
public:
    core::Data<double> d_sor{this,
                             {.name = "sor",
                              .help = "Relaxation of each iteration: 1 none, below damped, above over-relaxed",
                              .unit = "1",
                              .range = core::Range::closed(0., 2.)},
                             1.};
    core::Data<bool> d_scaleTolerance{
        this,
        {.name = "scaleTolerance",
         .help =
             "Multiply the tolerance by the number of rows that have a force; with compatibility=\"sofa\" by that of "
             "all rows"},
        true};
    core::Data<bool> d_allVerified{
        this,
        {.name = "allVerified", .help = "Stop only when each row by itself is below the tolerance (not scaled)"},
        false};
    core::Data<bool> d_computeGraphs{
        this, {.name = "computeGraphs", .help = "Record the error of each iteration in graphErrors"}, false};
    core::Data<core::Vector<double>> d_graphErrors{
        this,
        {.name = "graphErrors",
         .help = "Error of each iteration of the last step, if computeGraphs",
         .unit = "m",
         .group = "Graph",
         .readOnly = true,
         .saved = false}};

    GenericLagrangianSolver();

protected:
    ConstraintOutcome solveProblem(ConstraintProblem& problem) final;
    /// Of the whole problem, or of one island; where W is built, in several threads at once.
    virtual ConstraintOutcome iterate(ConstraintProblem& problem, const ConstraintSettings& s) = 0;
    /// Tells the user, once, of ConstraintOutcome::diverged.
    virtual void tellDivergence(const ConstraintOutcome&) {}
};

/// Base of the generic solvers that build W.
class BuiltLagrangianSolver : public GenericLagrangianSolver
{
public:
    core::Data<bool> d_useSVDForRegularization{
        this,
        {.name = "useSVDForRegularization",
         .help = "Add the regularisation only to rows that contradict or repeat others: those in the null space of W"},
        false};
    core::Data<double> d_svdSingularValueNullSpaceCriteriaFactor{
        this,
        {.name = "svdSingularValueNullSpaceCriteriaFactor",
         .help = "Singular values of W below this part of the largest belong to its null space",
         .unit = "1",
         .range = core::Range::nonNegative()},
        0.01};
    core::Data<double> d_svdSingularVectorNullSpaceCriteriaFactor{
        this,
        {.name = "svdSingularVectorNullSpaceCriteriaFactor",
         .help = "A row is in the null space if the projection of its unit vector onto it is longer than this",
         .unit = "1",
         .range = core::Range::nonNegative()},
        0.001};

protected:
    void regularize(ConstraintProblem& problem) const override;
};

}  // namespace sofa::component
