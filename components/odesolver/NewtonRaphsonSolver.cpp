// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/NewtonRaphsonSolver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/objectmodel/Quantity.h"

namespace sofa::component {

using namespace core;

void NewtonRaphsonSolver::reset()
{
    d_status.setValue("Undefined");
    d_residualGraph.setValue({});
}

bool NewtonRaphsonSolver::finish(const char* status)
{
    d_status.setValue(status);
    return true;
}

bool NewtonRaphsonSolver::solve(NonlinearFunction& f, bool tryAgain)
{
    const bool restores = tryAgain || !d_updateStateWhenDiverged.value();
    if (restores) f.keepGuess();
    const bool converged = iterate(f, !tryAgain);
    if (!converged && restores) f.restoreGuess();
    return converged;
}

bool NewtonRaphsonSolver::lineSearch(NonlinearFunction& f, double& r2)
{
    const unsigned trials = std::max(d_maxLineSearch.value(), 1u);
    const double before = r2;
    f.computeGradient();
    f.solveLinearEquation();
    const bool byWork = trials > 1 && compatibility() == Compatibility::Exact;
    const double work = byWork ? f.work() : std::numeric_limits<double>::quiet_NaN();
    const bool hasWork = std::isfinite(work) && work != 0.;
    double alpha = 1., applied = 0.;
    for (unsigned t = 0; t < trials; ++t) {
        f.updateGuess(alpha - applied);
        f.evaluate();
        r2 = f.squaredResidual();
        applied = alpha;
        // Where the stiffness is indefinite along dx there is nothing to compare with.
        if (hasWork ? std::isfinite(r2) && (!(work > 0.) || f.work() >= -0.9 * work) : r2 < before) return true;
        alpha *= d_lineSearchCoefficient.value();
        if (alpha == applied || !std::isfinite(alpha)) break;  // there is no other point to try
    }
    if (trials > 1 && !hasWork) {  // back to the full step; an energy is better served by the shortest
        f.updateGuess(1. - applied);
        f.evaluate();
        r2 = f.squaredResidual();
    }
    return false;
}

bool NewtonRaphsonSolver::trustRegion(NonlinearFunction& f, double& r2)
{
    if (r2 == 0.) return true;
    constexpr unsigned trials = 30;  // λ grows by 4 each time
    for (unsigned t = 0; t < trials; ++t) {
        f.setDamping(m_damping);
        f.computeGradient();
        f.solveLinearEquation();
        const double work = f.work(), inertia = f.inertia();
        if (!(inertia > 0.))
            throw std::runtime_error(pathName() + " (" + className() +
                                     "): a trust region is for the static equilibrium of bodies with mass");
        if (work > 0. && std::isfinite(work) && std::isfinite(inertia)) {
            const double predicted = 0.5 * (work + m_damping * inertia);
            f.updateGuess(1.);
            f.evaluate();
            const double ratio = 0.5 * (work + f.work()) / predicted;
            if (std::isfinite(ratio) && ratio > 0.1) {
                r2 = f.squaredResidual();
                if (ratio > 0.75) m_damping = m_damping * inertia < 1e-3 * work ? 0. : 0.25 * m_damping;
                if (ratio < 0.25) m_damping *= 2.;
                return true;
            }
            f.updateGuess(-1.);
            f.evaluate();
        }
        // The first λ is twice the stiffness along dx, as a squared frequency: with that itself a single degree of
        // freedom whose stiffness is negative would have none.
        m_damping = m_damping > 0. ? 4. * m_damping : 2. * std::abs(work) / inertia;
    }
    return false;
}

bool NewtonRaphsonSolver::iterate(NonlinearFunction& f, bool report)
{
    d_status.setValue("Running");
    const auto graph = d_residualGraph.edit();
    graph->clear();

    f.evaluate();
    double r2 = f.squaredResidual();
    graph->push_back(r2);
    const double first = r2;
    const auto squared = [](const Data<double>& d) { return d.value() * d.value(); };
    const double absolute = squared(d_absoluteResidual), successive = squared(d_relativeSuccessive),
                 initial = squared(d_relativeInitial), relDx = squared(d_relativeEstimate),
                 absDx = squared(d_absoluteEstimate);
    if (absolute > 0. && r2 <= absolute) return finish("ConvergedEquilibrium");

    const bool trusts = d_globalization.value().index() == 1;
    m_damping = 0.;
    for (unsigned k = 0; k < d_maxIterations.value(); ++k) {
        ScopedTimer timer("NewtonIteration");
        const double before = r2;
        const double guess = relDx > 0. ? f.squaredGuess() : 0.;
        if (!(trusts ? trustRegion(f, r2) : lineSearch(f, r2))) {
            if (report && d_warnWhenLineSearchFails.value())
                msgWarning() << (trusts ? "trust region" : "line search") << " failed at Newton iteration " << k;
            d_status.setValue("DivergedLineSearch");
        }
        graph->push_back(r2);
        if (!std::isfinite(r2)) break;  // nothing leads back from there
        if (successive > 0. && r2 < successive * before) return finish("ConvergedResidualSuccessiveRatio");
        if (initial > 0. && r2 < initial * first) return finish("ConvergedResidualInitialRatio");
        if (absolute > 0. && r2 < absolute) return finish("ConvergedAbsoluteResidual");
        if (relDx > 0. || absDx > 0.) {
            const double dx2 = f.squaredCorrection();
            if (relDx > 0. && guess > 0. && dx2 < relDx * guess) return finish("ConvergedRelativeEstimateDifference");
            if (absDx > 0. && dx2 < absDx) return finish("ConvergedAbsoluteEstimateDifference");
        }
    }
    if (report && d_warnWhenDiverge.value())
        msgWarning() << "Newton's method did not converge in " << graph.size() - 1 << " iterations: |r|^2 = " << r2;
    d_status.setValue("DivergedMaxIterations");
    return false;
}

namespace {

const RegisterQuantity iterations({.name = "lastIterations", .help = "Newton iterations of the last solve"},
                                  [](NewtonRaphsonSolver& n) {
                                      const std::size_t squares = n.d_residualGraph.value().size();
                                      return static_cast<unsigned>(squares > 0 ? squares - 1 : 0);
                                  });
const RegisterQuantity residual({.name = "lastResidual", .help = "|r| at the end of the last solve", .unit = "N"},
                                [](NewtonRaphsonSolver& n) {
                                    const Vector<double>& squares = n.d_residualGraph.value();
                                    return squares.empty() ? 0. : std::sqrt(squares.back());
                                });

}  // namespace

static const RegisterComponent registeredNewtonRaphsonSolver =
    RegisterComponent("NewtonRaphsonSolver", "NonlinearSolver", "Sofa.Component.ODESolver.Backward")
        .help(
            "Newton-Raphson method with line search for nonlinear equations, used by StaticSolver and nonlinear "
            "integrators")
        .example("component/odesolver/StaticSolver.scn")
        .add<NewtonRaphsonSolver>();

}  // namespace sofa::component
