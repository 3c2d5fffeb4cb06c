// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>

#include "components/constraint/ConstraintProblem.h"

namespace sofa::component {

/// Solves each island of a problem by itself: rows that no body couples, directly or through others. An island gets the
/// forces that it would get if nothing else were there, to the last bit, and costs the iterations that it needs itself.
/// `solve` finds the forces of one island; where the compliance is built, in several threads at once.
///
/// The outcome has the most iterations, whether all islands converged, and the sums of their errors.
ConstraintOutcome solveByIslands(ConstraintProblem& p,
                                 const std::function<ConstraintOutcome(ConstraintProblem&)>& solve);

}  // namespace sofa::component
