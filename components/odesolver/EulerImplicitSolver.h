// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"

namespace sofa::component {

/// Linearly implicit backward Euler (Baraff and Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, eq. 6), with
/// Rayleigh damping B = −r_M M + r_K K. With t = 1 (backward Euler) or ½ (trapezoidal rule), one linear system a step:
///
///     ((1 + t h r_M) M − t h B − t h (t h + r_K) K) Δv = h (f + (t h + r_K) K v − r_M M v)
///     v ← v + Δv,   x ← x + h v
///
/// where K = ∂f/∂x and B = ∂f/∂v at the beginning of the step. First order (second for the trapezoidal rule on linear
/// problems); unconditionally stable on linear problems.
class EulerImplicitSolver : public core::OdeSolver
{
public:
    core::Data<double> d_rayleighStiffness{this,
                                           {.name = "rayleighStiffness",
                                            .help = "Rayleigh damping proportional to stiffness",
                                            .unit = "s",
                                            .range = core::Range::nonNegative()},
                                           0.};
    core::Data<double> d_rayleighMass{this,
                                      {.name = "rayleighMass",
                                       .help = "Rayleigh damping proportional to mass",
                                       .unit = "1/s",
                                       .range = core::Range::nonNegative()},
                                      0.};
    core::Data<double> d_velocityDamping{
        this,
        {.name = "vdamping",
         .help = "Velocities are multiplied by exp(-dt vdamping) at the end of the step",
         .unit = "1/s",
         .range = core::Range::nonNegative()},
        0.};
    core::Data<bool> d_firstOrder{
        this,
        {.name = "firstOrder",
         .help = "Overdamped dynamics: forces give velocities, M v = f, instead of accelerations"},
        false};
    core::Data<bool> d_trapezoidalScheme{
        this, {.name = "trapezoidalScheme", .help = "Trapezoidal rule instead of backward Euler"}, false};
    core::Data<bool> d_solveConstraint{
        this,
        {.name = "solveConstraint", .help = "Let the constraint solver of the node correct velocities and positions"},
        false};
    core::Data<bool> d_threadSafeVisitor{this,
                                         {.name = "threadSafeVisitor",
                                          .help = "Accepted for SOFA's scenes; visitors are always safe here",
                                          .displayed = false},
                                         false};
    core::Data<bool> d_computeResidual{
        this,
        {.name = "computeResidual",
         .help = "Evaluate the residual of the nonlinear backward Euler equation after each step"},
        false};
    core::Data<double> d_residual{this,
                                  {.name = "residual",
                                   .help = "|M (v_new - v_old) - dt f(x_new, v_new)|^2 of the last step, if asked for",
                                   .unit = "kg^2 m^2/s^2",
                                   .readOnly = true},
                                  std::numeric_limits<double>::max()};
    core::Link<core::LinearSolver> l_linearSolver{this, {"linearSolver", "Linear solver; default: that of the node"}};

    EulerImplicitSolver();
    void init() override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double) const override { return 1.; }
    double positionIntegrationFactor(double dt) const override { return dt; }
};

}  // namespace sofa::component
