// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"

namespace sofa::component {

/// Explicit Euler integration, semi-implicit ("symplectic") by default:
///
///     a = M⁻¹ f(x, v) − r_M v,   v ← v + h a,   x ← x + h v_new   (v_old if not symplectic)
///
/// First order. The symplectic variant (Hairer, Lubich, Wanner, Geometric Numerical Integration, I.1) conserves a
/// modified energy of oscillators for h ω < 2. Diagonal masses are inverted directly; other masses need a linear solver
/// in the node.
class EulerExplicitSolver : public core::OdeSolver
{
public:
    core::Data<bool> d_symplectic{
        this, {.name = "symplectic", .help = "Move positions with the new velocities instead of the old ones"}, true};
    core::Data<double> d_rayleighMass{this,
                                      {.name = "rayleighMass",
                                       .help = "Rayleigh damping proportional to mass; SOFA has none here",
                                       .unit = "1/s",
                                       .range = core::Range::nonNegative()},
                                      0.};
    core::Link<core::LinearSolver> l_linearSolver{
        this, {"linearSolver", "Linear solver for masses that are not diagonal; default: that of the node"}};

    EulerExplicitSolver() { ignoreAttribute("threadSafeVisitor", "visitors are always safe here"); }

    void init() override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double dt) const override { return dt; }
    double positionIntegrationFactor(double dt) const override { return d_symplectic.value() ? dt * dt : 0.; }
};

}  // namespace sofa::component
