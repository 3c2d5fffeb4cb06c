// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/ConstraintProblem.h"

namespace sofa::component {

/// Direct solution for the forces that the laws leave free: sweeps find out which contacts push and which stick, this
/// step solves for all of these forces at once (projected Gauss–Seidel with subspace minimisation: Silcowitz, Niebe and
/// Erleben, GRAPP 2010). Sweeps alone need of the order of n⁴ of them for a stack of n bodies.
///
/// With A the rows that hold their violation at zero (bilateral rows, contacts that push, tangents that stick), D the
/// diagonal of W and δ the present violations, the direction is
///
///     (W_AA + ε D_AA) Δλ_A = −δ_A.
///
/// Along it the forces, projected to λ_n ≥ 0 and |λ_t| ≤ μ λ_n, go as far as lowers q = ½ λᵀ W λ + λᵀ δ_free (the
/// whole way, or half of it, and so on: Moré and Toraldo, SIAM J. Optim. 1(1), 1991); then the rows that are free there
/// are solved for. A contact that slides keeps its friction meanwhile, for its disc changes with a force that is being
/// found. ε makes W_AA regular where rows repeat each other, as those of a face with four contacts do: it shrinks while
/// whole steps lower q, and grows where they do not. An unbuilt W is built at the first step.
class SubspaceStep  // of one problem
{
public:
    /// Changes p.force; false if no better ones were found.
    bool improve(ConstraintProblem& p);
    /// Operations of the factorisations of the last call, in sweeps over the problem.
    double cost() const { return m_cost; }

private:
    bool findFree(const ConstraintProblem& p, bool first);
    bool findDirection(const core::Vector<double>& violations);
    bool descend(ConstraintProblem& p);
    core::Vector<double> violations(const ConstraintProblem& p) const;

    const core::ComplianceMatrix* m_w = nullptr;
    core::ComplianceMatrix m_built;
    double m_cost = 0., m_epsilon = 1e-6;
    core::Vector<int> m_rows, m_rowsBefore;  ///< free ones, in increasing order
    core::Vector<int> m_place;               ///< of each row in m_rows; −1: not there
    core::Vector<bool> m_slides;             ///< groups whose contacts slid at the start
    core::Vector<double> m_direction;
};

}  // namespace sofa::component
