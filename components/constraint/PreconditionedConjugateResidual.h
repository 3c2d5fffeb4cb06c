// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/constraint/LagrangianSolver.h"

namespace sofa::component {

/// Conjugate residuals (Stiefel, Relaxationsmethoden bester Strategie, Comment. Math. Helv. 29, 1955) on D W D y = −D
/// δ_free, λ = D y, with D_ii = 1/√W_ii: minimises the preconditioned violation over Krylov spaces, for W that is
/// symmetric and may be singular. For bilateral rows only; rows without compliance get no force.
///
/// Stops when the sum over the groups of the length of the preconditioned violation r = D δ is below the
/// tolerance (times the number of rows if it is scaled; each group below it with allVerified), but not after the first
/// iteration, and after as many iterations as there are rows.
///
/// `oneNumber`: SOFA's rule for the end, which takes one number of the residual for all, that whose index is the count
/// of iterations.
ConstraintOutcome solveConjugateResidual(ConstraintProblem& p, const ConstraintSettings& s, bool oneNumber = false);

/// The linear system of bilateral constraints by preconditioned conjugate residuals. A constraint that is not bilateral
/// is an error.
class PreconditionedConjugateResidual final : public BuiltLagrangianSolver
{
protected:
    ConstraintOutcome iterate(ConstraintProblem& p, const ConstraintSettings& s) override;
};

}  // namespace sofa::component
