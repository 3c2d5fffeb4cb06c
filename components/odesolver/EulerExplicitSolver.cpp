// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/EulerExplicitSolver.h"

#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

using namespace core;

void EulerExplicitSolver::init()
{
    std::string error;
    if (!l_linearSolver.resolve(error)) return fail("linearSolver: " + error);
    if (!l_linearSolver) l_linearSolver.set(node()->get<LinearSolver>(Search::Local));
}

void EulerExplicitSolver::solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    MechanicalParams params;
    params.dt = dt;
    VectorOperations vop(*node());
    MechanicalOperations mop(*node(), params);
    vop.allocate(vec_id::dx);
    vop.allocate(vec_id::force);

    mop.addSeparateGravity(dt, v);
    {
        ScopedTimer t("ComputeForce");
        mop.computeForce(vec_id::force);
    }
    if (mop.massIsDiagonal()) {
        ScopedTimer t("AccFromF");
        mop.accFromF(vec_id::dx, vec_id::force);
        mop.projectResponse(vec_id::dx);
    } else {
        if (!l_linearSolver)
            throw std::runtime_error(
                pathName() + " (" + className() +
                "): a mass is not diagonal (or is mapped), so that a linear solver is needed in node '" +
                node()->pathName() + "'");
        mop.projectResponse(vec_id::force);
        ScopedTimer t("MBKSolve");
        mop.mp.mFactor = 1.;
        mop.mp.bFactor = mop.mp.kFactor = 0.;
        l_linearSolver->setSystem(*node(), mop.mp);
        l_linearSolver->solve(vec_id::dx, vec_id::force);
    }
    ScopedTimer t("UpdateState");
    if (d_symplectic.value()) {
        vop.add(v, vec_id::velocity, vec_id::dx, dt);
        vop.add(x, vec_id::position, v, dt);
    } else {
        vop.add(x, vec_id::position, vec_id::velocity, dt);
        vop.add(v, vec_id::velocity, vec_id::dx, dt);
    }
}

static const RegisterComponent registered =
    RegisterComponent("EulerExplicitSolver", "OdeSolver", "Sofa.Component.ODESolver.Forward")
        .help("Explicit Euler time integration, symplectic by default")
        .example("component/odesolver/EulerExplicitSolver.scn")
        .add<EulerExplicitSolver>();

}  // namespace sofa::component
