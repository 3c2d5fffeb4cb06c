// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/EulerImplicitSolver.h"

#include <cmath>

#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

using namespace core;

namespace {
/// Vectors of this solver, beside the named ones.
constexpr VecDerivId solution = vec_id::dx;
constexpr VecDerivId rhs{vec_id::firstDynamicDeriv};
constexpr VecDerivId product{vec_id::firstDynamicDeriv + 1};
constexpr VecDerivId residual{vec_id::firstDynamicDeriv + 2};
}  // namespace

EulerImplicitSolver::EulerImplicitSolver()
{
    addAlias(d_velocityDamping, "velocityDamping");
    ignoreAttribute("verbose", "use printLog");
    ignoreAttribute("constraintPos", "constraints are solved by the animation loop");
    ignoreAttribute("constraintVel", "constraints are solved by the animation loop");
    ignoreAttribute("constraintResolution", "constraints are solved by the animation loop");
}

void EulerImplicitSolver::init()
{
    std::string error;
    if (!l_linearSolver.resolve(error)) return fail("linearSolver: " + error);
    if (!l_linearSolver) l_linearSolver.set(node()->get<LinearSolver>(Search::Local));
    if (!l_linearSolver) l_linearSolver.set(node()->get<LinearSolver>(Search::Down));
    if (!l_linearSolver)
        fail("it needs a linear solver in node '" + node()->pathName() +
             "', for example <CGLinearSolver iterations=\"25\"/>");
}

void EulerImplicitSolver::solve(double h, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    MechanicalParams params;
    params.dt = h;
    params.implicit = true;
    VectorOperations vop(*node());
    MechanicalOperations mop(*node(), params);
    for (VecDerivId id : {vec_id::force, solution, rhs, product}) vop.allocate(id);

    const bool first = d_firstOrder.value();
    const double t = d_trapezoidalScheme.value() ? 0.5 : 1.;
    const double rM = d_rayleighMass.value(), rK = d_rayleighStiffness.value();
    {
        ScopedTimer timer("ComputeForce");
        mop.computeForce(vec_id::force);
    }
    {
        ScopedTimer timer("ComputeRHTerm");
        if (first) {
            vop.copy(rhs, vec_id::force);
        } else {
            // The mapped entries of `product` are scratch: the sum on independent states is what counts.
            mop.addMBKdx(product, vec_id::velocity, -rM, 0., t * h + rK, true);
            vop.add(rhs, vec_id::force, product, 1.);
            vop.scale(rhs, h);
        }
        mop.projectResponse(rhs);
    }
    {
        ScopedTimer timer("SetSystem");
        mop.mp.mFactor = first ? 1. : 1. + t * h * rM;
        mop.mp.bFactor = first ? 0. : -t * h;
        mop.mp.kFactor = first ? -h * t : -t * h * (t * h + rK);
        l_linearSolver->setSystem(*node(), mop.mp);
    }
    {
        ScopedTimer timer("Solve");
        l_linearSolver->solve(solution, rhs);
    }
    ScopedTimer timer("UpdateState");
    if (d_computeResidual.value()) {
        vop.allocate(residual);
        vop.clear(residual);
        mop.addMdx(residual, solution, 1.);
    }
    if (first)
        vop.copy(v, solution);
    else
        vop.add(v, vec_id::velocity, solution, 1.);
    vop.add(x, vec_id::position, v, h);
    mop.addSeparateGravity(h, v);
    if (d_velocityDamping.value() != 0.) vop.scale(v, std::exp(-h * d_velocityDamping.value()));

    if (d_computeResidual.value()) {
        mop.mp.x = x;
        mop.mp.v = v;
        mop.propagateXAndV(x, v);
        mop.computeForce(vec_id::force);
        vop.add(residual, residual, vec_id::force, -h);
        mop.projectResponse(residual);
        d_residual.setValue(vop.dot(residual, residual));
    }
}

static const RegisterComponent registered =
    RegisterComponent("EulerImplicitSolver", "OdeSolver", "Sofa.Component.ODESolver.Backward")
        .help("Linearly implicit backward Euler time integration with Rayleigh damping")
        .example("component/odesolver/EulerImplicitSolver.scn")
        .add<EulerImplicitSolver>();

}  // namespace sofa::component
