// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/EulerImplicitSolver.h"

#include <algorithm>
#include <cmath>

#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

namespace {
constexpr VecDerivId solution = vec_id::dx;

/// Whether nothing moves. Looks no further than the first velocity that is not zero.
bool rests(const ExecutionPlan& plan)
{
    return std::ranges::all_of(plan.independentStates(), [](const BaseState* s) {
        const double* v = s->scalars(vec_id::velocity);
        return std::all_of(v, v + s->derivScalars(), [](double x) { return x == 0.; });
    });
}

/// Whether the matrix of a step is (1 + t h r_M) M − t h (t h + r_K) K: no damping but that of the integrator, and no
/// forces on mapped states.
bool isMatrixOfStiffness(const ExecutionPlan& plan)
{
    return std::ranges::all_of(plan.forceFields(),
                               [&](const BaseForceField* f) {
                                   return f->d_rayleighStiffness.value() == 0. && !f->hasDamping() &&
                                          std::ranges::all_of(
                                              f->states(), [&](const BaseState* s) { return plan.isIndependent(*s); });
                               }) &&
           std::ranges::all_of(plan.masses(), [](const BaseMass* m) { return m->rayleighMass() == 0.; });
}
}  // namespace

EulerImplicitSolver::EulerImplicitSolver()
{
    ignoreAttribute("solveConstraint",
                    "constraints are solved by the animation loop: a FreeMotionAnimationLoop at the root");
    ignoreAttribute("constraintPos", "constraints are solved by the animation loop");
    ignoreAttribute("constraintVel", "constraints are solved by the animation loop");
    ignoreAttribute("constraintResolution", "constraints are solved by the animation loop");
}

void EulerImplicitSolver::init()
{
    ImplicitIntegrator::init();
    if (!isValid()) return;
    if (d_maxIterations.value() > 1 && (d_firstOrder.value() || d_trapezoidalScheme.value()))
        fail("maxIterations is " + d_maxIterations.text() +
             ": several Newton iterations need backward Euler, without firstOrder and trapezoidalScheme");
}

void EulerImplicitSolver::solve(double h, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    MechanicalParams params;
    params.dt = h;
    params.implicit = true;
    VectorOperations vop(scope());
    MechanicalOperations mop(scope(), params);
    for (VecDerivId id : {vec_id::force, solution}) vop.allocate(id);
    const TempDeriv rhs(vop), product(vop);
    const unsigned most = d_maxIterations.value();
    std::optional<TempCoord> start;
    std::optional<TempDeriv> total;  // change of velocity of the step
    if (most > 1) {
        start.emplace(vop);
        total.emplace(vop);
    }
    const bool held = most > 1 && mop.holdMasses(*start);
    const bool first = d_firstOrder.value();
    const double t = d_trapezoidalScheme.value() ? 0.5 : 1.;
    const double rM = d_rayleighMass.value(), rK = d_rayleighStiffness.value();
    {
        ScopedTimer timer("ComputeForce");
        mop.computeForce(vec_id::force);
    }
    const auto setSystem = [&] {
        ScopedTimer timer("SetSystem");
        mop.mp.mFactor = first ? 1. : 1. + t * h * rM;
        mop.mp.bFactor = first ? 0. : -t * h;
        mop.mp.kFactor = first ? -h * t : -t * h * (t * h + rK);
        l_linearSolver->setSystem(scope(), mop.mp);
    };
    // What damping and stiffness do along v, which is nothing at rest. With A = (1 + t h r_M) M − t h (t h + r_K) K it
    // is −r_M M v + (t h + r_K) K v = (M v − A v)/(t h): a product with a matrix that is made anyway costs less than
    // one by the elements.
    const auto dampAndStiffen = [&] {
        setSystem();
        const bool byMatrix = h > 0. && isMatrixOfStiffness(ExecutionPlan::of(scope()));
        ScopedTimer timer("ComputeRHTerm");
        if (byMatrix) {
            vop.clear(product);
            if (l_linearSolver->addProduct(product, vec_id::velocity, -1.)) {
                mop.addMdx(product, vec_id::velocity, 1.);
                vop.scale(product, 1. / (t * h));
                return;
            }
        }
        // The mapped entries of `product` are scratch: the sum on independent states is what counts.
        mop.addMBKdx(product, vec_id::velocity, -rM, 0., t * h + rK, true);
    };
    if (first || rests(ExecutionPlan::of(scope()))) {
        setSystem();
        vop.copy(rhs, vec_id::force);
    } else {
        dampAndStiffen();
        vop.add(rhs, vec_id::force, product, 1.);
    }
    if (!first) vop.scale(rhs, h);
    mop.projectResponse(rhs);
    const auto solveSystem = [&] {
        ScopedTimer timer("Solve");
        l_linearSolver->solve(solution, rhs);
    };
    NewtonStop stop(d_epsilon.value());
    bool converged = most > 1 && stop.reached(vop.norm(rhs));
    unsigned iterations = 1;
    solveSystem();
    if (first)
        vop.copy(v, solution);
    else
        vop.add(v, vec_id::velocity, solution, 1.);
    if (first || most > 1)
        vop.add(x, vec_id::position, v, h);
    else
        mop.advance(x, vec_id::position, v, h, {v});
    if (most > 1) {
        vop.copy(*total, solution);
        mop.mp.x = x;
        mop.mp.v = v;
    }
    while (most > 1 && !converged) {
        using enum MechanicalOperations::Damping;
        ScopedTimer timer("NewtonIteration");
        mop.propagateXAndV(x, v);
        mop.computeForce(vec_id::force);
        mop.addMBKdx(product, v, -rM, 1., rK, true, RayleighOnly);
        vop.add(rhs, vec_id::force, product, 1.);
        vop.scale(rhs, h);
        mop.addMBKdx(product, *total, -1., 0., 0., true, RayleighOnly);
        vop.add(rhs, rhs, product, 1.);
        mop.projectResponse(rhs);
        converged = stop.reached(vop.norm(rhs));
        if (converged) break;
        if (iterations == most) {
            countUnconverged(stop.fraction(), h * vop.norm(solution));
            break;
        }
        setSystem();
        solveSystem();
        vop.add(v, v, solution, 1.);
        vop.add(x, x, solution, h);
        vop.add(*total, *total, solution, 1.);
        ++iterations;
    }
    d_iterations.setValue(iterations);
    if (most > 1) d_lastResidual.setValue(stop.fraction());
    if (held) mop.advance(x, *start, v, h, {v});

    ScopedTimer timer("UpdateState");
    std::optional<TempDeriv> residual;
    if (d_computeResidual.value()) {
        residual.emplace(vop);
        vop.clear(*residual);
        mop.addMdx(*residual, most > 1 ? total->id() : solution, 1.);
    }
    mop.addSeparateGravity(h, v);
    if (d_velocityDamping.value() != 0.) vop.scale(v, std::exp(-h * d_velocityDamping.value()));

    if (d_computeResidual.value()) {
        mop.mp.x = x;
        mop.mp.v = v;
        mop.propagateXAndV(x, v);
        mop.computeForce(vec_id::force);
        vop.add(*residual, *residual, vec_id::force, -h);
        mop.projectResponse(*residual);
        d_residual.setValue(vop.dot(*residual, *residual));
    }
}

static const RegisterComponent registeredEulerImplicitSolver =
    RegisterComponent("EulerImplicitSolver", "OdeSolver", "Sofa.Component.ODESolver.Backward")
        .help("Implicit backward Euler time integration with Rayleigh damping, by one or several Newton iterations")
        .example("component/odesolver/EulerImplicitSolver.scn")
        .add<EulerImplicitSolver>();

}  // namespace sofa::component
