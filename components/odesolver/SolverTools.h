// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"
#include "core/objectmodel/Node.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

class NewtonRaphsonSolver;

/// Whether what an integrator looks for may serve it: it has all tags of the integrator, or none.
bool mayServe(const core::Component& c, const core::OdeSolver& owner);

/// The NewtonRaphsonSolver of an integrator: the first at or below its node that may serve it; null if there is none.
NewtonRaphsonSolver* findNewton(const core::OdeSolver& owner);

/// Finds the linear solver of an integrator that has none in its link: that of its node, or below where `search` says
/// so; one with all tags of the integrator comes before one without tags. The link stays empty if there is none. False,
/// after a message, if the link cannot be resolved.
bool findLinearSolver(core::OdeSolver& owner, core::Link<core::LinearSolver>& link,
                      core::Search search = core::Search::Local);

/// a = M⁻¹ f, projected: directly where every mass is diagonal, else with the linear solver; f may be projected too.
/// Throws std::runtime_error if that is needed and missing.
void solveAcceleration(core::MechanicalOperations& mop, const core::OdeSolver& owner, core::LinearSolver* solver,
                       const core::MultiVecDerivId& a, const core::MultiVecDerivId& f);

/// The same with all forces at x and v (MechanicalOperations::computeForceAt): a = M⁻¹ f(x, v), projected.
void computeAcceleration(core::MechanicalOperations& mop, const core::OdeSolver& owner, core::LinearSolver* solver,
                         const core::MultiVecDerivId& a, const core::MultiVecCoordId& x,
                         const core::MultiVecDerivId& v);

}  // namespace sofa::component
