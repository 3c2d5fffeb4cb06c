// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/odesolver/NewtonRaphsonSolver.h"
#include "components/odesolver/RayleighDampedSolver.h"
#include "core/behavior/Converging.h"

namespace sofa::component {

/// Backward differentiation formulas (Curtiss and Hirschfelder 1952; Hairer, Nørsett and Wanner, Solving Ordinary
/// Differential Equations I, section III.1) of order s for M dv/dt = f(x, v), dx/dt = v, with steps of any length:
///
///     Σ_j a_j x_j = h b v_s,     M Σ_j a_j v_j = h b (f − r_M M v_s + r_K K v_s),     a_s = 1
///
/// where a_j / (h b) is the derivative at the new time of the Lagrange polynomial of the times of the last s steps and
/// the new one. Newton's method solves for v_s; with r₁ = Σ a_j x_j − h b v_s, r₂ = M Σ a_j v_j − h b f and K = ∂f/∂x,
/// B = ∂f/∂v
///
///     ((1 + h b r_M) M − h b B − h b (r_K + h b) K) dv = −r₂ − h b K r₁,      dx = h b dv − r₁
///
/// The first steps have the order that the steps so far allow. Stable up to order 6 (A-stable up to 2). Points only, no
/// frames.
class BDFOdeSolver final : public RayleighDampedSolver, public core::Converging
{
public:
    core::Data<unsigned> d_order{
        this,
        {.name = "order", .help = "Order of the method; above 6 it is unstable", .range = core::Range::closed(1., 12.)},
        1};
    core::Link<core::LinearSolver> l_linearSolver{this, {"linearSolver", "Linear solver; default: that of the node"}};
    core::Link<NewtonRaphsonSolver> l_newtonSolver{
        this, {"newtonSolver", "Newton-Raphson solver; default: that of the node"}};

    void init() override;
    void reset() override;
    void archive(core::Archive& a) override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double) const override { return 1.; }
    double positionIntegrationFactor(double dt) const override { return dt * m_b; }
    bool isImplicit() const override { return true; }
    bool converged() const override { return m_converged || !l_newtonSolver->d_requireConvergence.value(); }
    std::string failure() const override { return "did not converge in the last step: its equation is not solved"; }
    int couplingRank() const override { return 13; }

    /// Coefficients a_j (a_s = 1) and b for increasing times; at least two.
    static void coefficients(const core::Vector<double>& times, core::Vector<double>& a, double& b);

private:
    struct Step;
    bool m_converged = true;
    core::Vector<double> m_times;                                 ///< of the last steps, the present one last
    std::vector<core::Vector<double>> m_positions, m_velocities;  ///< at the times before the present one, all scalars
    core::Vector<double> m_a;
    double m_b = 1.;
};

}  // namespace sofa::component
