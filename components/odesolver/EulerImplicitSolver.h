// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/odesolver/ImplicitIntegrator.h"

namespace sofa::component {

/// Linearly implicit backward Euler (Baraff and Witkin, Large Steps in Cloth Simulation, SIGGRAPH 1998, eq. 6), with
/// Rayleigh damping B = −r_M M + r_K K. With t = 1 (backward Euler) or ½ (trapezoidal rule), one linear system a step:
///
///     ((1 + t h r_M) M − t h B − t h (t h + r_K) K) Δv = h (f + (t h + r_K) K v − r_M M v)
///     v ← v + Δv,   x ← x + h v
///
/// where K = ∂f/∂x and B = ∂f/∂v at the beginning of the step. First order. Backward Euler is unconditionally stable on
/// linear problems. With t = ½ positions move with the new velocity as well, as in SOFA: of an oscillator without
/// damping the matrix of a step has the trace 2 − 3s/(2 + s/2) and the determinant (2 − s/2)/(2 + s/2), s = (h ω)²,
/// and so it is stable for h ω < 2 only.
///
/// That is the first iteration of Newton's method for the equation of backward Euler, which with maxIterations > 1 goes
/// on as in the Vega library (ImplicitBackwardEulerSparse): with K and B at the present iterate,
///
///     ((1 + h r_M) M − h B − h (h + r_K) K) δv = M (v_old − v) + h (f(x, v) + r_K K v − r_M M v)
///     v ← v + δv,   x ← x + h δv
///
/// until the norm of the right side over the free degrees of freedom is below epsilon times that of the first
/// iteration. There is no line search. The damping is that of the end of the step, M (v − v_old)/h = f − D v, D = r_M M
/// − r_K K.
class EulerImplicitSolver : public ImplicitIntegrator
{
public:
    core::Data<bool> d_firstOrder{
        this,
        {.name = "firstOrder",
         .help = "Overdamped dynamics: forces give velocities, M v = f, instead of accelerations"},
        false};
    core::Data<bool> d_trapezoidalScheme{
        this, {.name = "trapezoidalScheme", .help = "Trapezoidal rule instead of backward Euler"}, false};
    core::Data<bool> d_computeResidual{
        this,
        {.name = "computeResidual",
         .help = "Evaluate the residual of the nonlinear backward Euler equation after each step"},
        false};
    core::Data<double> d_residual{this,
                                  {.name = "residual",
                                   .help = "|M (v_new - v_old) - dt f(x_new, v_new)|^2 of the last step, if asked for; "
                                           "0 before",
                                   .unit = "kg^2 m^2/s^2",
                                   .readOnly = true},
                                  0.};

    EulerImplicitSolver();
    void init() override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    int couplingRank() const override { return 14; }
};

}  // namespace sofa::component
