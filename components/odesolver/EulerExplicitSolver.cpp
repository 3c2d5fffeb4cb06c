// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/EulerExplicitSolver.h"

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

void EulerExplicitSolver::init() { findLinearSolver(*this, l_linearSolver); }

void EulerExplicitSolver::solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    MechanicalParams params;
    params.dt = dt;
    VectorOperations vop(scope());
    MechanicalOperations mop(scope(), params);
    vop.allocate(vec_id::dx);
    vop.allocate(vec_id::force);

    mop.addSeparateGravity(dt, v);
    {
        ScopedTimer t("ComputeForce");
        mop.computeForce(vec_id::force);
    }
    if (const double rM = d_rayleighMass.value(); rM != 0.) {
        const TempDeriv damping(vop);
        mop.addMBKdx(damping, vec_id::velocity, -rM, 0., 0., true, MechanicalOperations::Damping::RayleighOnly);
        vop.add(vec_id::force, vec_id::force, damping, 1.);
    }
    solveAcceleration(mop, *this, l_linearSolver.get(), vec_id::dx, vec_id::force);
    ScopedTimer t("UpdateState");
    if (d_symplectic.value()) {
        vop.add(v, vec_id::velocity, vec_id::dx, dt);
        mop.advance(x, vec_id::position, v, dt, {v});
    } else {
        vop.copy(v, vec_id::velocity);
        mop.advance(x, vec_id::position, v, dt, {v, vec_id::dx});
        vop.add(v, v, vec_id::dx, dt);
    }
}

static const RegisterComponent registeredEulerExplicitSolver =
    RegisterComponent("EulerExplicitSolver", "OdeSolver", "Sofa.Component.ODESolver.Forward")
        .help("Explicit Euler time integration, symplectic by default")
        .example("component/odesolver/EulerExplicitSolver.scn")
        .add<EulerExplicitSolver>();

}  // namespace sofa::component
