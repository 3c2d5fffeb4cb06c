// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/RungeKutta4Solver.h"

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/visitor/RotationRates.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

void RungeKutta4Solver::init() { findLinearSolver(*this, l_linearSolver); }

void RungeKutta4Solver::solve(double h, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    MechanicalParams params;
    params.dt = h;
    VectorOperations vop(scope());
    MechanicalOperations mop(scope(), params);
    vop.allocate(vec_id::force);
    const TempDeriv k1a(vop), k2a(vop), k3a(vop), k4a(vop), k2v(vop), k3v(vop), k4v(vop);
    const TempCoord stage(vop);
    // What has no mass has no acceleration.
    for (const auto* k : {&k1a, &k2a, &k3a, &k4a}) vop.clear(*k);

    const auto acceleration = [&](VecDerivId to, const MultiVecCoordId& at, const MultiVecDerivId& velocity) {
        computeAcceleration(mop, *this, l_linearSolver.get(), to, at, velocity);
    };
    const RotationRates rotations(mop.plan());
    const bool turns = !rotations.empty() && compatibility() == Compatibility::Exact;
    const auto toRates = [&](VecDerivId of, const MultiVecDerivId& displacement, double factor) {
        if (turns) rotations.fromVelocities(of, displacement, factor);
    };
    mop.addSeparateGravity(h, vec_id::velocity);
    acceleration(k1a, vec_id::position, vec_id::velocity);

    vop.add(stage, vec_id::position, vec_id::velocity, 0.5 * h);
    vop.add(k2v, vec_id::velocity, k1a, 0.5 * h);
    acceleration(k2a, stage, k2v);
    toRates(k2v, vec_id::velocity, 0.5 * h);

    vop.add(stage, vec_id::position, k2v, 0.5 * h);
    vop.add(k3v, vec_id::velocity, k2a, 0.5 * h);
    acceleration(k3a, stage, k3v);
    toRates(k3v, k2v, 0.5 * h);

    vop.add(stage, vec_id::position, k3v, h);
    vop.add(k4v, vec_id::velocity, k3a, h);
    acceleration(k4a, stage, k4v);
    toRates(k4v, k3v, h);

    // Positions first: they need the old velocities.
    if (turns) {
        vop.add(k4v, k4v, vec_id::velocity, 1.);
        vop.add(k4v, k4v, k2v, 2.);
        vop.add(k4v, k4v, k3v, 2.);
        vop.add(x, vec_id::position, k4v, h / 6.);
    } else {
        vop.add(x, vec_id::position, vec_id::velocity, h / 6.);
        vop.add(x, x, k2v, h / 3.);
        vop.add(x, x, k3v, h / 3.);
        vop.add(x, x, k4v, h / 6.);
    }
    vop.add(v, vec_id::velocity, k1a, h / 6.);
    vop.add(v, v, k2a, h / 3.);
    vop.add(v, v, k3a, h / 3.);
    vop.add(v, v, k4a, h / 6.);
}

static const RegisterComponent registeredRungeKutta4Solver =
    RegisterComponent("RungeKutta4Solver", "OdeSolver", "Sofa.Component.ODESolver.Forward")
        .help("Classical fourth-order Runge-Kutta time integration")
        .example("component/odesolver/RungeKutta4Solver.scn")
        .add<RungeKutta4Solver>();

}  // namespace sofa::component
