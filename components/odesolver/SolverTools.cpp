// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/SolverTools.h"

#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

bool findLinearSolver(OdeSolver& owner, Link<LinearSolver>& link, Search search)
{
    std::string error;
    if (!link.resolve(error)) {
        owner.fail("linearSolver: " + error);
        return false;
    }
    if (!link)
        for (LinearSolver* s : owner.node()->getAll<LinearSolver>(Search::Local))
            if (!link && !s->isPreconditioner()) link.set(s);
    if (!link && search != Search::Local) link.set(owner.node()->get<LinearSolver>(search));
    return true;
}

void solveAcceleration(MechanicalOperations& mop, const OdeSolver& owner, LinearSolver* solver,
                       const MultiVecDerivId& a, const MultiVecDerivId& f)
{
    if (mop.massIsDiagonal()) {
        ScopedTimer t("AccFromF");
        mop.accFromF(a, f);
        mop.projectResponse(a);
        return;
    }
    if (!solver)
        throw std::runtime_error(owner.pathName() + " (" + owner.className() +
                                 "): a mass is not diagonal (or is mapped), so that a linear solver is needed in "
                                 "node '" +
                                 owner.node()->pathName() + "'");
    mop.projectResponse(f);
    ScopedTimer t("MBKSolve");
    mop.mp.mFactor = 1.;
    mop.mp.bFactor = mop.mp.kFactor = 0.;
    solver->setSystem(mop.scope(), mop.mp);
    solver->solve(a, f);
}

}  // namespace sofa::component
