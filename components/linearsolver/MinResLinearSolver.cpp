// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include <cmath>

#include "components/linearsolver/KrylovLinearSolver.h"
#include "components/linearsolver/MatrixTemplates.h"
#include "core/behavior/NeededLink.h"
#include "core/factory/Registry.h"
#include "core/linalg/MinimalResidual.h"
#include "core/linalg/VectorKernels.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

namespace {

/// Method of minimal residuals (core/linalg/MinimalResidual.h) for symmetric systems that need not be positive
/// definite, such as those of bodies under compression that buckle. Stops after `iterations`, or when |r| ≤ tolerance ·
/// |b|.
class MinResLinearSolver final : public KrylovLinearSolver
{
public:
    Data<double> d_tolerance{this,
                             {.name = "tolerance",
                              .help = "Stop when the residual is below this fraction of the right-hand side, |r| <= "
                                      "tolerance |b|",
                              .unit = "1",
                              .range = Range::nonNegative()},
                             1e-5};

    void setSystem(const SolverScope& scope, const MechanicalParams& mp) override
    {
        LinearSystem& system = needed(l_linearSystem, *this);
        m_operator.set(system, scope, mp, {.matrixFree = wantsNoMatrix(), .ownSystem = isSystemOwn()});
    }
    void reset() override { m_warned = false; }

private:
    void iterate(const MultiVecDerivId& x, const MultiVecDerivId& rhs) override
    {
        SystemOperator& a = m_operator.get();
        a.load(rhs, m_b);
        m_normB = std::sqrt(vector::dot(m_b, m_b));
        if (!std::isfinite(m_normB))
            throw std::runtime_error(pathName() + " (" + className() +
                                     "): the norm of the right-hand side is not finite");
        m_x.assign(m_b.size(), 0.);
        const Progress end = m_method.solve(a, *this, m_b, m_x);
        const double error = std::sqrt(end.square) / m_normB;
        if (end.square > 0.) warnUnlessConverged(error);
        noteEnd(end.iterations, error);
        a.store(m_x, x);
    }
    Next next(const Progress& now) override
    {
        Phases::check();
        const double residual = std::sqrt(now.square);
        noteError(residual / m_normB);
        m_reason = "tolerance";
        if (!(residual > d_tolerance.value() * m_normB)) return Next::Stop;
        m_reason = "iterations";
        return now.iterations == d_iterations.value() ? Next::Stop : Next::Iterate;
    }
    void warnUnlessConverged(double error)
    {
        if (m_warned || !(error > d_tolerance.value())) return;
        m_warned = true;
        msgWarning() << "at " << node()->time() << " s a solve ended with |r|/|b| = " << error
                     << ", above the tolerance of " << d_tolerance.value() << " (told once)";
    }

    MinimalResidual m_method;
    Vector<double> m_b, m_x;
    double m_normB = 0.;
    bool m_warned = false;
};

const RegisterComponent registeredMinResLinearSolver =
    RegisterComponent("MinResLinearSolver", "LinearSolver", "Sofa.Component.LinearSolver.Iterative")
        .help("Method of minimal residuals, for symmetric systems that need not be positive definite")
        .example("component/linearsolver/MinResLinearSolver.scn")
        .add<MinResLinearSolver>(matrixTemplates(true));

}  // namespace

}  // namespace sofa::component
