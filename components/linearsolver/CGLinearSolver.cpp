// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/CGLinearSolver.h"

#include <algorithm>
#include <cmath>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/behavior/NeededLink.h"
#include "core/factory/Registry.h"
#include "core/linalg/VectorKernels.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

CGLinearSolver::CGLinearSolver()
{
    addAlias(d_iterations, "maxIter");
    addAlias(d_threshold, "smallDenominatorThreshold");
    addAlias(d_tolerance, "tol");
    ignoreAttribute("stiffness", "it was never used");
    ignoreAttribute("rayleighMass", "set it on the ODE solver");
}

void CGLinearSolver::init()
{
    KrylovLinearSolver::init();
    m_firstSolve = true;
}

void CGLinearSolver::reset()
{
    m_firstSolve = true;
    d_unconvergedSolves.setValue(0);
    m_x.clear();
}

void CGLinearSolver::archive(Archive& a)
{
    a(m_firstSolve);
    a(m_x);
}

void CGLinearSolver::setSystem(const SolverScope& scope, const MechanicalParams& mp)
{
    LinearSystem& system = needed(l_linearSystem, *this);
    m_operator.set(system, scope, mp,
                   {.assembly = static_cast<OperatorChoice::Assembly>(d_assembly.value().index()),
                    .matrixFree = wantsNoMatrix(),
                    .ownSystem = isSystemOwn()});
}

void CGLinearSolver::countUnconverged(double error, const std::string& reason)
{
    if (d_unconvergedSolves.value() == 0)
        msgWarning() << "at " << node()->time() << " s a solve ended with |r|/|b| = " << error
                     << ", above the tolerance of " << d_tolerance.value() << ": " << reason
                     << " (told once; unconvergedSolves counts)";
    d_unconvergedSolves.setValue(d_unconvergedSolves.value() + 1);
}

void CGLinearSolver::forget()
{
    m_x.clear();
    m_firstSolve = false;
}

void CGLinearSolver::iterate(const MultiVecDerivId& x, const MultiVecDerivId& rhs)
{
    noteError(1.);
    SystemOperator& a = m_operator.get();
    Vector<double>& r = m_method.residual();
    a.load(rhs, r);
    m_normB = std::sqrt(vector::dot(r, r));
    if (d_warmStart.value() && m_x.size() == r.size())
        m_method.startFrom(a, m_x);
    else
        m_x.assign(r.size(), 0.);

    const Progress end = m_method.solve(a, *this, m_x);
    const double error = std::sqrt(end.square) / m_normB;
    const bool exhausted = end.iterations == d_iterations.value();
    if (error > d_tolerance.value() && exhausted)
        countUnconverged(error, "all " + toText(d_iterations.value()) + " iterations were used");
    else if (error > d_tolerance.value() && compatibility() == Compatibility::Sofa && end.iterations == 0)
        countUnconverged(error, "p'Ap is below the threshold of " + d_threshold.text() + " at the first iteration");
    noteEnd(std::min(end.iterations + 1, d_iterations.value()), error);
    m_firstSolve = false;
    a.store(m_x, x);
}

/// The first solve of a run makes one iteration, whatever its size.
KrylovControl::Next CGLinearSolver::next(const Progress& now)
{
    Phases::check();
    m_reason = "iterations";
    if (now.iterations == d_iterations.value()) return Next::Stop;
    // Nothing converges any more, however many iterations are allowed; zero would be a wrong answer.
    if (!std::isfinite(now.square) || !std::isfinite(m_normB))
        throw std::runtime_error(pathName() + " (" + className() + "): " +
                                 (now.iterations == 0 ? std::string("the norm of the right-hand side is")
                                                      : "after " + std::to_string(now.iterations) +
                                                            " iterations the norm of the residual is") +
                                 " not finite");
    const double error = std::sqrt(now.square) / m_normB;
    noteError(error);
    if (error > d_tolerance.value() || (now.iterations == 0 && m_firstSolve)) return Next::Iterate;
    m_reason = "tolerance";
    return Next::Stop;
}

bool CGLinearSolver::accepts(const Progress& now, double curvature)
{
    m_reason = curvature == 0. ? "zero curvature" : "threshold";
    if (curvature == 0.) return false;
    const double size = std::abs(curvature), threshold = d_threshold.value();
    if (now.iterations == 0) m_firstCurvature = size;
    if (compatibility() == Compatibility::Sofa) return size > threshold || (now.iterations == 0 && m_firstSolve);
    return now.iterations == 0 || size > threshold * threshold * m_firstCurvature;
}

static const RegisterComponent registeredCGLinearSolver =
    RegisterComponent("CGLinearSolver", "LinearSolver", "Sofa.Component.LinearSolver.Iterative")
        .help("Conjugate gradient method, with or without assembled matrix")
        .alias("ParallelCGLinearSolver")
        .example("component/linearsolver/CGLinearSolver.scn")
        .add<CGLinearSolver>(matrixTemplates(true));

}  // namespace sofa::component
