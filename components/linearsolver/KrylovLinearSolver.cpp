// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/KrylovLinearSolver.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "components/linearsolver/MatrixTemplates.h"

namespace sofa::component {

using namespace core;

namespace {

/// Whether a vector is zero; looks at some hundred numbers at once.
bool isZero(const SolverScope& scope, const MultiVecDerivId& id)
{
    constexpr std::size_t piece = 256;
    for (const BaseState* s : ExecutionPlan::of(scope).independentStates()) {
        const double* v = s->scalars(id.at(*s));
        const std::size_t n = s->derivScalars();
        for (std::size_t first = 0; first < n; first += piece) {
            std::uint64_t any = 0;
            for (std::size_t i = first; i < std::min(n, first + piece); ++i)
                any |= std::bit_cast<std::uint64_t>(v[i]) << 1;
            if (any != 0) return false;
        }
    }
    return true;
}

}  // namespace

KrylovLinearSolver::KrylovLinearSolver()
{
    ignoreAttribute("verbose", "use printLog");
    for (const char* unused : {"nbThreads", "taskSchedulerType", "parallelInverseProduct", "factorizationInvalidation"})
        ignoreAttribute(unused, "threads are set for the whole program (--threads)");
}

void KrylovLinearSolver::init()
{
    std::string error;
    if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
    if (!l_linearSystem) l_linearSystem.set(systemOfNode());
    if (l_linearSystem) return;
    m_own = std::make_shared<LinearSystem>();
    l_linearSystem.set(m_own.get());
}

bool KrylovLinearSolver::wantsNoMatrix() const
{
    // Products of the whole leave nothing out.
    if (l_linearSystem && l_linearSystem->leavesOut()) return false;
    return isMatrixFree(templateName()) || dynamic_cast<const MatrixFreeSystem*>(l_linearSystem.get());
}

void KrylovLinearSolver::solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs)
{
    m_errors.clear();
    if (!isZero(m_operator.scope(), rhs)) return iterate(x, rhs);
    for (BaseState* s : ExecutionPlan::of(m_operator.scope()).independentStates()) s->clear(x.at(*s));
    forget();
    m_reason = "null right-hand side";
    noteEnd(0, 0.);
}

bool KrylovLinearSolver::addProduct(VecDerivId f, const MultiVecDerivId& v, double factor)
{
    return m_operator.get().addProduct(f, v, factor);
}

void KrylovLinearSolver::explain(Explanation& e) const
{
    m_operator.explain(e);
    e.add("last solve", toText(d_lastIterations.value()) + " iterations, stopped by " + m_reason);
}

void KrylovLinearSolver::noteEnd(unsigned iterations, double residual)
{
    d_lastIterations.setValue(iterations);
    d_lastResidual.setValue(residual);
    *d_graph.edit() = m_errors;
    if (d_printLog.value()) msgInfo() << iterations << " iterations, stopped by " << m_reason;
}

}  // namespace sofa::component
