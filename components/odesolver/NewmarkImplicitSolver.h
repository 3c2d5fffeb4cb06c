// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/odesolver/ImplicitIntegrator.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

/// Implicit Newmark integration (Newmark 1959; Hughes, The Finite Element Method, 2000, section 9.1) of
/// M a + D v = f(x, v) with Rayleigh damping D = r_M M − r_K K, K = ∂f/∂x, B = ∂f/∂v:
///
///     x' = x + h v + h² ((½ − β) a + β a'),       v' = v + h ((1 − γ) a + γ a')
///
/// β = ¼, γ = ½ (the average acceleration) is second order and conserves the energy of linear systems; γ > ½ damps.
///
/// With maxIterations = 1 (SOFA) the forces are linearised about the beginning of the step; one linear system gives a':
///
///     ((1 + h γ r_M) M − h γ B − (h² β + h γ r_K) K) a' = f + h (1−γ) (B − r_M M + r_K K) a + ½ h² (1−2β) K a
///                                                           + (−r_M M + (r_K + h) K) v
///
/// Viscous force fields are part of f(x, v); SOFA adds B v on the right once more, and so counts them twice there.
///
/// With more iterations Newton's method solves the nonlinear equation, as in the Vega library (ImplicitNewmarkSparse).
/// The first guess keeps the positions, x' = x, which gives a' and v' by the two formulas above; then, with K and B at
/// the present iterate,
///
///     ((1 + h γ r_M) M − h γ B − (h² β + h γ r_K) K) δ = f(x', v') − D v' − M a' =: r
///     a' += δ,   v' += h γ δ,   x' += h² β δ                              (β > 0)
///
/// until |r| is below epsilon times the first |r|. Its first iteration is the linear system above where f is linear.
/// Vega's norm counts all degrees of freedom (`residualAtFixedPoints`), and so hardly ever falls where points are
/// fixed.
///
/// In static mode each step solves f(x', 0) = 0 by the same iteration with −K alone, and v = a = 0.
///
/// The acceleration is kept from step to step. Before the first step it is M⁻¹ f (SOFA), or 0 (Vega) without
/// `initialAcceleration`.
class NewmarkImplicitSolver : public ImplicitIntegrator
{
public:
    core::Data<double> d_gamma{this,
                               {.name = "gamma",
                                .help = "Weight of the new acceleration in the velocity; 0.5: no numerical damping",
                                .unit = "1",
                                .range = core::Range::closed(0., 1.)},
                               0.5};
    core::Data<double> d_beta{
        this,
        {.name = "beta",
         .help = "Half the weight of the new acceleration in the position; 0.25: average acceleration, 0: explicit",
         .unit = "1",
         .range = core::Range::closed(0., 0.5)},
        0.25};
    core::Data<bool> d_initialAcceleration{
        this,
        {.name = "initialAcceleration",
         .help = "The first step starts from the acceleration of the forces (as in SOFA) instead of 0 (as in Vega)"},
        true};
    core::Data<bool> d_staticMode{
        this,
        {.name = "staticMode",
         .help = "Each step solves for the static equilibrium, by up to maxIterations Newton iterations"},
        false};
    core::Data<bool> d_residualAtFixedPoints{
        this,
        {.name = "residualAtFixedPoints",
         .help = "The residual that is compared with epsilon counts the reactions at fixed points (as in Vega), so "
                 "that usually all maxIterations are done",
         .group = "Newton"},
        false};

    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    int couplingRank() const override { return 12; }

private:
    struct Step;
    core::KeptDeriv m_acceleration{*this, "acceleration"};
    bool m_started = false;  ///< the states hold the acceleration of the last step
};

}  // namespace sofa::component
