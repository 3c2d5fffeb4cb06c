// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"

namespace sofa::component {

/// Classical fourth-order Runge–Kutta method (Kutta 1901; Hairer, Nørsett, Wanner, Solving ODEs I, II.1) on (x, v) with
/// a = M⁻¹ f(x, v). Explicit. Diagonal masses are inverted directly; other masses, and mapped ones, need a linear
/// solver in the node. Stable on oscillators for h ω < 2.83. Rotations of frames are added up as rotation vectors from
/// the beginning of the step (RotationRates), so that they are of fourth order too; with `compatibility="sofa"` as if
/// they commuted, which is of second order where an axis changes.
class RungeKutta4Solver : public core::OdeSolver
{
public:
    core::Link<core::LinearSolver> l_linearSolver{
        this, {"linearSolver", "Linear solver for masses that are not diagonal, or mapped; default: that of the node"}};

    void init() override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double dt) const override { return dt; }
    double positionIntegrationFactor(double dt) const override { return 0.5 * dt * dt; }
    int couplingRank() const override { return 4; }
};

}  // namespace sofa::component
