// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"

namespace sofa::component {

/// Explicit midpoint rule (Runge 1895; Hairer, Nørsett, Wanner, Solving ODEs I, II.1), of second order: half a step of
/// explicit Euler, and a whole one with velocities and accelerations a = M⁻¹ f(x, v) there:
///
///     x' = x + h (v + h/2 a(x, v)),   v' = v + h a(x + h/2 v, v + h/2 a(x, v)).
///
/// Diagonal masses are inverted directly; other masses, and mapped ones, need a linear solver in the node. Undamped
/// oscillations grow slowly, by a factor √(1 + (h ω)⁴/4) a step.
class RungeKutta2Solver : public core::OdeSolver
{
public:
    core::Link<core::LinearSolver> l_linearSolver{
        this, {"linearSolver", "Linear solver for masses that are not diagonal, or mapped; default: that of the node"}};

    void init() override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double dt) const override { return dt; }
    double positionIntegrationFactor(double dt) const override { return 0.5 * dt * dt; }
    int couplingRank() const override { return 2; }
};

}  // namespace sofa::component
