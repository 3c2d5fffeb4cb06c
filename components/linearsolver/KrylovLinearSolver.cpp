// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/KrylovLinearSolver.h"

namespace sofa::component {

using namespace core;

void KrylovLinearSolver::init()
{
    std::string error;
    if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
    if (!l_linearSystem) l_linearSystem.set(systemOfNode());
    if (l_linearSystem) return;
    m_own = std::make_shared<LinearSystem>();
    l_linearSystem.set(m_own.get());
}

void KrylovLinearSolver::noteEnd(unsigned iterations)
{
    d_lastIterations.setValue(iterations);
    if (d_printLog.value()) msgInfo() << iterations << " iterations, stopped by " << m_reason;
}

}  // namespace sofa::component
