// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/CentralDifferenceSolver.h"

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/AssembledLinearSolver.h"

namespace sofa::component {

using namespace core;

void CentralDifferenceSolver::init()
{
    CentralDifferenceSolver::reset();
    if (!findLinearSolver(*this, l_linearSolver) || d_rayleighStiffness.value() == 0.) return;
    if (!l_linearSolver) return fail("rayleighStiffness needs a linear solver in node '" + node()->pathName() + "'");
    if (d_tangentialDampingMode.value() != 1 && !dynamic_cast<AssembledLinearSolver*>(l_linearSolver.get()))
        fail("tangentialDampingMode=\"" + d_tangentialDampingMode.text() +
             "\" keeps the matrix of an earlier step: it needs a linear solver that keeps it too, such as "
             "SparseLDLSolver, "
             "instead of " +
             l_linearSolver->className());
}

void CentralDifferenceSolver::reset()
{
    m_steps = 0;
    m_builtDt = 0.;
}

bool CentralDifferenceSolver::startsNow() const
{
    const std::size_t chosen = d_startVelocity.value().index();
    return chosen == 0 ? compatibility() == Compatibility::Exact : chosen == 1;
}

void CentralDifferenceSolver::archive(Archive& a)
{
    a(m_steps);
    if (a.loading()) m_builtDt = 0.;
}

struct CentralDifferenceSolver::Step
{
    Step(CentralDifferenceSolver& s, double dt) : solver(s), h(dt), vop(s.scope()), mop(s.scope(), parameters(dt)) {}

    static MechanicalParams parameters(double dt)
    {
        MechanicalParams p;
        p.dt = dt;
        return p;
    }

    void computeForce()
    {
        ScopedTimer t("ComputeForce");
        mop.computeForce(vec_id::force);
    }

    /// C, and the system M + h/2 C, at the state of the last computeForce.
    void build()
    {
        ScopedTimer t("SetSystem");
        mop.mp.mFactor = rM;
        mop.mp.bFactor = 0.;
        mop.mp.kFactor = -rK;
        solver.m_damping.assemble(solver.scope(), mop.mp, {.constraints = false});
        mop.mp.mFactor = 1. + 0.5 * h * rM;
        mop.mp.kFactor = -0.5 * h * rK;
        solver.l_linearSolver->setSystem(solver.scope(), mop.mp);
        solver.m_builtDt = h;
    }

    /// Force at the present state, and C and the system where they are due.
    void prepare()
    {
        const VecCoordId dampedAt = solver.m_dampedAt.allocate(vop);
        const unsigned period = solver.d_tangentialDampingMode.value();
        const bool due = solver.m_steps == 0 || (period > 0 && solver.m_steps % period == 0);
        if (!due && solver.m_builtDt != h) {  // another time step, or the run was continued from a checkpoint
            mop.mp.implicit = true;
            mop.mp.x = dampedAt;
            mop.propagateX(dampedAt);
            computeForce();
            build();
            mop.mp.x = vec_id::position;
            mop.propagateX(vec_id::position);
        }
        mop.mp.implicit = due;
        computeForce();
        if (!due) return;
        vop.copy(dampedAt, vec_id::position);
        build();
    }

    /// vec_id::dx = v' − v with stiffness damping
    void solveDamped()
    {
        prepare();
        const TempDeriv rhs(vop);
        const SystemAssembly& c = solver.m_damping;
        solver.m_in.resize(static_cast<std::size_t>(c.size()));
        solver.m_out.resize(static_cast<std::size_t>(c.size()));
        c.layout().gather(vec_id::velocity, solver.m_in.data());
        c.matrix().multiply(solver.m_in, solver.m_out);
        c.layout().scatter(solver.m_out.data(), rhs);
        vop.add(rhs, vec_id::force, rhs, -1.);
        vop.scale(rhs, h);
        mop.projectResponse(rhs);
        ScopedTimer t("Solve");
        solver.l_linearSolver->solve(vec_id::dx, rhs);
    }

    CentralDifferenceSolver& solver;
    const double h;
    VectorOperations vop;
    MechanicalOperations mop;
    const double rM = solver.d_rayleighMass.value(), rK = solver.d_rayleighStiffness.value();
};

void CentralDifferenceSolver::solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    Step step(*this, dt);
    for (VecDerivId id : {vec_id::force, vec_id::dx}) step.vop.allocate(id);
    step.mop.addSeparateGravity(dt, vec_id::velocity);
    const bool first = m_steps == 0 && startsNow();
    if (step.rK > 0.) {
        step.solveDamped();
        step.vop.add(v, vec_id::velocity, vec_id::dx, first ? 0.5 : 1.);
    } else {
        step.computeForce();
        solveAcceleration(step.mop, *this, l_linearSolver.get(), vec_id::dx, vec_id::force);
        const double half = 0.5 * dt * step.rM;
        step.vop.copy(v, vec_id::velocity);
        if (half != 0.) step.vop.scale(v, (first ? 1. : 1. - half) / (1. + half));
        step.vop.add(v, v, vec_id::dx, (first ? 0.5 : 1.) * dt / (1. + half));
    }
    step.mop.advance(x, vec_id::position, v, dt, {v});
    ++m_steps;
}

static const RegisterComponent registeredCentralDifferenceSolver =
    RegisterComponent("CentralDifferenceSolver", "OdeSolver", "Sofa.Component.ODESolver.Forward")
        .help("Explicit central differences with Rayleigh damping")
        .example("component/odesolver/CentralDifferenceSolver.scn")
        .add<CentralDifferenceSolver>();

}  // namespace sofa::component
