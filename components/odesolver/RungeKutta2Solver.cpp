// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/RungeKutta2Solver.h"

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

void RungeKutta2Solver::init() { findLinearSolver(*this, l_linearSolver); }

void RungeKutta2Solver::solve(double h, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    MechanicalParams params;
    params.dt = h;
    VectorOperations vop(scope());
    MechanicalOperations mop(scope(), params);
    vop.allocate(vec_id::force);
    const TempDeriv a(vop), middleA(vop), middleV(vop);
    const TempCoord middleX(vop);
    // What has no mass has no acceleration.
    vop.clear(a);
    vop.clear(middleA);

    const auto acceleration = [&](VecDerivId to, const MultiVecCoordId& at, const MultiVecDerivId& velocity) {
        computeAcceleration(mop, *this, l_linearSolver.get(), to, at, velocity);
    };
    mop.addSeparateGravity(h, vec_id::velocity);
    acceleration(a, vec_id::position, vec_id::velocity);

    vop.add(middleX, vec_id::position, vec_id::velocity, 0.5 * h);
    vop.add(middleV, vec_id::velocity, a, 0.5 * h);
    acceleration(middleA, middleX, middleV);

    vop.add(x, vec_id::position, middleV, h);
    vop.add(v, vec_id::velocity, middleA, h);
}

static const RegisterComponent registeredRungeKutta2Solver =
    RegisterComponent("RungeKutta2Solver", "OdeSolver", "Sofa.Component.ODESolver.Forward")
        .help("Explicit midpoint rule: time integration by the Runge-Kutta method of second order")
        .example("component/odesolver/RungeKutta2Solver.scn")
        .add<RungeKutta2Solver>();

}  // namespace sofa::component
