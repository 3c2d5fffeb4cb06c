// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/SolverTools.h"

#include <algorithm>

#include "components/odesolver/NewtonRaphsonSolver.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

namespace {
bool hasAllTags(const Component& c, const OdeSolver& owner)
{
    return std::ranges::includes(c.d_tags.value(), owner.d_tags.value());
}
}  // namespace

bool mayServe(const Component& c, const OdeSolver& owner) { return c.d_tags.value().empty() || hasAllTags(c, owner); }

NewtonRaphsonSolver* findNewton(const OdeSolver& owner)
{
    for (NewtonRaphsonSolver* s : owner.node()->getAll<NewtonRaphsonSolver>(Search::Down))
        if (mayServe(*s, owner)) return s;
    return nullptr;
}

bool findLinearSolver(OdeSolver& owner, Link<LinearSolver>& link, Search search)
{
    std::string error;
    if (!link.resolve(error)) {
        owner.fail("linearSolver: " + error);
        return false;
    }
    const auto take = [&](Search where, bool preconditioners) {
        for (const bool tagged : {true, false})
            for (LinearSolver* s : owner.node()->getAll<LinearSolver>(where))
                if (!link && (hasAllTags(*s, owner) || (!tagged && mayServe(*s, owner))) &&
                    (preconditioners || !s->isPreconditioner()))
                    link.set(s);
    };
    take(Search::Local, false);
    if (search != Search::Local) take(search, true);
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
                                 "): a mass is not diagonal, or is mapped, or a state has two, or a constraint joins "
                                 "points, so that a linear solver is needed in node '" +
                                 owner.node()->pathName() + "'");
    mop.projectResponse(f);
    ScopedTimer t("MBKSolve");
    mop.mp.mFactor = 1.;
    mop.mp.bFactor = mop.mp.kFactor = 0.;
    solver->setSystem(mop.scope(), mop.mp);
    solver->solve(a, f);
}

void computeAcceleration(MechanicalOperations& mop, const OdeSolver& owner, LinearSolver* solver,
                         const MultiVecDerivId& a, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    mop.computeForceAt(vec_id::force, x, v);
    solveAcceleration(mop, owner, solver, a, vec_id::force);
}

}  // namespace sofa::component
