// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/odesolver/NewtonRaphsonSolver.h"
#include "core/behavior/Converging.h"
#include "core/behavior/Solvers.h"

namespace sofa::component {

/// Quasi-static equilibrium: each step solves f(x) = 0 for the positions by Newton's method, −K dx = f. Velocities stay
/// as they are. Needs a NewtonRaphsonSolver (one with default values is made if the scene has none).
///
/// With loadSteps = n > 1 the forces f₀ that are out of balance when the step begins are taken away in n parts:
/// f(x) = (1 − λ) f₀ is solved for λ = 1/n, 2/n, ... 1, each from the solution before (Newton homotopy; Nocedal and
/// Wright, Numerical Optimization, ch. 11.3). For a body that is at rest without its load, this applies the load in
/// parts; other changes, of prescribed displacements or of the rest shape, come in parts as well. A part that does not
/// converge is halved, and parts grow again after that.
class StaticSolver : public core::OdeSolver, public core::Converging
{
public:
    core::Link<core::LinearSolver> l_linearSolver{this, {"linearSolver", "Linear solver; default: that of the node"}};
    core::Link<NewtonRaphsonSolver> l_newtonSolver{
        this, {"newtonSolver", "Newton-Raphson solver; default: that of the node"}};

    core::Data<unsigned> d_loadSteps{
        this,
        {.name = "loadSteps",
         .help = "Parts in which the load of a step is applied, each until Newton's method converges; parts that do "
                 "not are halved, up to ten times",
         .range = core::Range::atLeast(1.)},
        1};

    StaticSolver();
    void setDeclared(std::string_view name, std::string_view text) override;
    void init() override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double) const override { return 1.; }
    double positionIntegrationFactor(double) const override { return 1.; }
    bool isStatic() const override { return true; }
    bool converged() const override { return m_converged || !l_newtonSolver->d_requireConvergence.value(); }
    std::string failure() const override;
    void reset() override { m_converged = true; }

private:
    bool m_converged = true;
    double m_applied = 1.;  ///< part of the last step's load that is in equilibrium
    std::vector<std::pair<std::string, std::string>>
        m_oldSettings;  ///< Data of the Newton solver set by old attributes
};

}  // namespace sofa::component
