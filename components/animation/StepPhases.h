// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"
#include "core/parallel/Parallel.h"

/// What the animation loops have in common: the phases of a time step.
namespace sofa::component::phases {

/// Event of the beginning, and the jobs of behaviour models.
void begin(core::Node& target, double dt);

/// Nodes at and below this one whose ODE solvers integrate them, with everything below, in the order of the scene.
std::vector<core::Node*> integratedNodes(core::Node& target);

/// Which ODE solvers are meant.
using SolverChoice = core::FunctionRef<bool(const core::OdeSolver&)>;
inline constexpr auto allSolvers = [](const core::OdeSolver&) { return true; };

/// The ODE solvers of one such node, from positions and velocities into x and v.
void integrateNode(core::Node& n, double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v,
                   SolverChoice takes = allSolvers);

/// Event of the integration, then every ODE solver at and below the node that `takes` says, but those of nodes for
/// which `rests` says so when their turn comes. Force fields that act on several states and are in no solver's scope
/// add their forces to the external forces of the states first: those above all solvers, and in a node all of whose
/// solvers have tags those between the states of several.
void integrate(
    core::Node& target, double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v,
    core::FunctionRef<bool(core::Node&)> rests = [](core::Node&) { return false; }, SolverChoice takes = allSolvers);

/// Imposes projective constraints on positions and velocities of a node or a solver's scope, and lets mapped states
/// follow.
void projectAndPropagate(const core::SolverScope& target, double dt);

/// Clears external forces and sends the event of the end of the integration.
void endIntegration(core::Node& target, double dt);

/// Sends the event of the end of the step and updates visual mappings. The time is that of the end.
void finish(core::Node& target, double dt);

/// endIntegration, then advances the time, then finish.
void end(core::Node& target, double dt);

}  // namespace sofa::component::phases
