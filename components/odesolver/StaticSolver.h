// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/odesolver/NewtonRaphsonSolver.h"
#include "core/behavior/Converging.h"
#include "core/behavior/Solvers.h"

namespace sofa::component {

/// Quasi-static equilibrium: each step solves f(x) = 0 for the positions by Newton's method, −K dx = f. Velocities stay
/// as they are. Needs a NewtonRaphsonSolver (one with default values is made if the scene has none).
class StaticSolver : public core::OdeSolver, public core::Converging
{
public:
    core::Link<core::LinearSolver> l_linearSolver{this, {"linearSolver", "Linear solver; default: that of the node"}};
    core::Link<NewtonRaphsonSolver> l_newtonSolver{
        this, {"newtonSolver", "Newton-Raphson solver; default: that of the node"}};

    StaticSolver();
    void init() override;
    void solve(double dt, const core::MultiVecCoordId& x, const core::MultiVecDerivId& v) override;
    double velocityIntegrationFactor(double) const override { return 1.; }
    double positionIntegrationFactor(double) const override { return 1.; }
    bool isStatic() const override { return true; }
    bool converged() const override { return m_converged || !l_newtonSolver->d_requireConvergence.value(); }
    std::string failure() const override { return "did not converge in the last step: the result is no equilibrium"; }
    void reset() override { m_converged = true; }

private:
    bool m_converged = true;
    std::vector<std::pair<std::string, std::string>>
        m_oldSettings;  ///< Data of the Newton solver set by old attributes
};

}  // namespace sofa::component
