// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/NewmarkImplicitSolver.h"

#include <cmath>

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;
using enum MechanicalOperations::Damping;

/// One step of the solver: what its forms have in common.
struct NewmarkImplicitSolver::Step
{
    static constexpr VecDerivId solution = vec_id::dx;

    Step(NewmarkImplicitSolver& s, double dt, const MultiVecCoordId& xId, const MultiVecDerivId& vId)
        : solver(s), h(dt), x(xId), v(vId), vop(s.scope()), mop(s.scope(), parameters(dt))
    {
        for (VecDerivId id : {vec_id::force, solution}) vop.allocate(id);
    }

    static MechanicalParams parameters(double dt)
    {
        MechanicalParams p;
        p.dt = dt;
        p.implicit = true;
        return p;
    }

    void computeForce()
    {
        ScopedTimer timer("ComputeForce");
        mop.computeForce(vec_id::force);
    }

    /// Solves (m M + b B + k K) solution = rhs.
    void solveSystem(double m, double b, double k)
    {
        {
            ScopedTimer timer("SetSystem");
            mop.mp.mFactor = m;
            mop.mp.bFactor = b;
            mop.mp.kFactor = k;
            solver.l_linearSolver->setSystem(solver.scope(), mop.mp);
        }
        ScopedTimer timer("Solve");
        solver.l_linearSolver->solve(solution, rhs);
        ++iterations;
    }
    void solveDynamicSystem() { solveSystem(1. + h * gamma * rM, -h * gamma, -h * h * beta - h * gamma * rK); }

    /// rhs = the force and what is added to it; projects it and tells whether Newton's method may stop.
    bool residualIsSmall(NewtonStop& stop)
    {
        const bool all = solver.d_residualAtFixedPoints.value();
        const double norm = all ? vop.norm(rhs) : 0.;
        mop.projectResponse(rhs);
        const bool small = stop.reached(all ? norm : vop.norm(rhs));
        solver.d_lastResidual.setValue(stop.fraction());
        return small;
    }

    /// Whether no more iterations are allowed: then the step has not converged. A correction is `factor` times the
    /// solution.
    bool isLast(const NewtonStop& stop, double factor)
    {
        const unsigned most = solver.d_maxIterations.value();
        if (iterations < most) return false;
        // The residual at fixed points is their reaction, which does not vanish.
        if (most > 1 && !solver.d_residualAtFixedPoints.value())
            solver.countUnconverged(stop.fraction(), factor * vop.norm(solution));
        return true;
    }

    void startAcceleration()
    {
        vop.clear(acceleration);
        if (!solver.d_initialAcceleration.value()) return;
        computeForce();
        solveAcceleration(mop, solver, solver.l_linearSolver.get(), acceleration, vec_id::force);
    }

    void linearised()
    {
        computeForce();
        {
            ScopedTimer timer("ComputeRHTerm");
            const double past = h * (1. - gamma);
            mop.addMBKdx(product, acceleration, -past * rM, past, past * rK + 0.5 * h * h * (1. - 2. * beta), true);
            vop.add(rhs, vec_id::force, product, 1.);
            mop.addMBKdx(product, vec_id::velocity, -rM, 1., rK + h, true, RayleighOnly);
            vop.add(rhs, rhs, product, 1.);
            mop.projectResponse(rhs);
        }
        solveDynamicSystem();
        vop.copy(newAcceleration, solution);
        vop.add(product, vec_id::velocity, acceleration, h * (0.5 - beta));
        vop.add(product, product, newAcceleration, h * beta);
        vop.add(v, vec_id::velocity, acceleration, h * (1. - gamma));
        vop.add(v, v, newAcceleration, h * gamma);
        mop.advance(x, vec_id::position, product, h, {v, newAcceleration});
    }

    void newton()
    {
        const TempCoord start(vop);
        const bool held = mop.holdMasses(start);
        vop.copy(newAcceleration, acceleration);
        vop.scale(newAcceleration, -(1. - 2. * beta) / (2. * beta));
        vop.add(newAcceleration, newAcceleration, vec_id::velocity, -1. / (beta * h));
        vop.copy(x, vec_id::position);
        vop.copy(v, vec_id::velocity);
        vop.scale(v, 1. - gamma / beta);
        vop.add(v, v, acceleration, (1. - gamma / (2. * beta)) * h);
        mop.mp.x = x;
        mop.mp.v = v;
        NewtonStop stop(solver.d_epsilon.value());
        for (;;) {
            ScopedTimer timer("NewtonIteration");
            mop.propagateXAndV(x, v);
            computeForce();
            mop.addMBKdx(product, v, -rM, 1., rK, true, RayleighOnly);
            vop.add(rhs, vec_id::force, product, 1.);
            mop.addMBKdx(product, newAcceleration, -1., 0., 0., true, RayleighOnly);
            vop.add(rhs, rhs, product, 1.);
            if (residualIsSmall(stop) || isLast(stop, h * h * beta)) break;
            solveDynamicSystem();
            vop.add(newAcceleration, newAcceleration, solution, 1.);
            vop.add(v, v, solution, h * gamma);
            vop.add(x, x, solution, h * h * beta);
        }
        if (!held) return;
        // The mean velocity of the step, from that at its end.
        vop.add(product, v, acceleration, h * (gamma - beta - 0.5));
        vop.add(product, product, newAcceleration, h * (beta - gamma));
        mop.advance(x, start, product, h, {v, newAcceleration});
    }

    void equilibrium()
    {
        vop.copy(x, vec_id::position);
        vop.clear(v);
        vop.clear(newAcceleration);
        mop.mp.x = x;
        mop.mp.v = v;
        NewtonStop stop(solver.d_epsilon.value());
        for (;;) {
            ScopedTimer timer("NewtonIteration");
            mop.propagateXAndV(x, v);
            computeForce();
            vop.copy(rhs, vec_id::force);
            if (residualIsSmall(stop) || isLast(stop, 1.)) break;
            solveSystem(0., 0., -1.);
            vop.add(x, x, solution, 1.);
        }
    }

    NewmarkImplicitSolver& solver;
    const double h;
    const MultiVecCoordId& x;
    const MultiVecDerivId& v;
    VectorOperations vop;
    MechanicalOperations mop;
    const TempDeriv rhs{vop}, product{vop}, newAcceleration{vop};
    const VecDerivId acceleration = solver.m_acceleration.allocate(vop);
    const double beta = solver.d_beta.value(), gamma = solver.d_gamma.value();
    const double rM = solver.d_rayleighMass.value(), rK = solver.d_rayleighStiffness.value();
    unsigned iterations = 0;
};

void NewmarkImplicitSolver::init()
{
    ImplicitIntegrator::init();
    if (isValid() && d_maxIterations.value() > 1 && !(d_beta.value() > 0.))
        fail("maxIterations is " + d_maxIterations.text() + ": several Newton iterations need beta > 0");
}

void NewmarkImplicitSolver::reset()
{
    ImplicitIntegrator::reset();
    m_started = false;
}

void NewmarkImplicitSolver::archive(Archive& a) { a(m_started); }

void NewmarkImplicitSolver::solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    Step step(*this, dt, x, v);
    if (d_staticMode.value()) {
        step.equilibrium();
    } else {
        if (!m_started) step.startAcceleration();
        if (d_maxIterations.value() == 1)
            step.linearised();
        else
            step.newton();
        step.mop.addSeparateGravity(dt, v);
        if (d_velocityDamping.value() != 0.) step.vop.scale(v, std::exp(-dt * d_velocityDamping.value()));
    }
    step.vop.copy(step.acceleration, step.newAcceleration);
    d_iterations.setValue(step.iterations);
    m_started = true;
}

static const RegisterComponent registeredNewmarkImplicitSolver =
    RegisterComponent("NewmarkImplicitSolver", "OdeSolver", "Sofa.Component.ODESolver.Backward")
        .help("Implicit Newmark time integration, by one or several Newton iterations, or static equilibrium")
        .example("component/odesolver/NewmarkImplicitSolver.scn")
        .add<NewmarkImplicitSolver>();

}  // namespace sofa::component
