// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/VariationalSymplecticSolver.h"

#include <cmath>

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/io/SceneOutput.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

VariationalSymplecticSolver::VariationalSymplecticSolver()
{
    ignoreAttribute("verbose", "use printLog");
    ignoreAttribute("threadSafeVisitor", "visitors are always safe here");
}

void VariationalSymplecticSolver::init()
{
    if (!findLinearSolver(*this, l_linearSolver, Search::Down)) return;
    if (!l_linearSolver && !d_explicit.value())
        return fail("it needs a linear solver in node '" + node()->pathName() +
                    "', for example <CGLinearSolver iterations=\"25\"/>");
    if (!d_saveEnergyInFile.value()) return;
    try {
        checkOutput(d_file.value().text);
    } catch (const std::runtime_error& e) {
        fail(std::string("file: ") + e.what());
    }
}

void VariationalSymplecticSolver::reset() { m_started = false; }

void VariationalSymplecticSolver::archive(Archive& a)
{
    a(m_started);
    a(m_potential);
}

struct VariationalSymplecticSolver::Step
{
    Step(VariationalSymplecticSolver& s, double dt, const MultiVecCoordId& xId, const MultiVecDerivId& vId)
        : solver(s), h(dt), x(xId), v(vId), vop(s.scope()), mop(s.scope(), parameters(dt, !s.d_explicit.value()))
    {
        for (VecDerivId id : {vec_id::force, vec_id::dx}) vop.allocate(id);
    }

    static MechanicalParams parameters(double dt, bool implicit)
    {
        MechanicalParams p;
        p.dt = dt;
        p.implicit = implicit;
        return p;
    }

    void computeForce()
    {
        ScopedTimer timer("ComputeForce");
        mop.computeForce(vec_id::force);
    }

    /// out = M v
    void multiplyMass(VecDerivId out, const MultiVecDerivId& velocity)
    {
        mop.addMBKdx(out, velocity, 1., 0., 0., true, MechanicalOperations::Damping::RayleighOnly);
    }

    double potentialEnergy()
    {
        double sum = 0.;
        for (const BaseForceField* f : mop.plan().forceFields()) {
            const double e = f->potentialEnergy(mop.mp);
            if (!std::isnan(e)) sum += e;
        }
        return sum;
    }

    void begin()
    {
        multiplyMass(momentum, vec_id::velocity);
        solver.m_potential = potentialEnergy();
    }

    void explicitStep()
    {
        computeForce();
        vop.add(vec_id::force, vec_id::force, momentum, 1. / h);
        solveAcceleration(mop, solver, solver.l_linearSolver.get(), vec_id::dx, vec_id::force);
        vop.copy(change, vec_id::velocity);
        mop.projectResponse(change);
        vop.add(vec_id::dx, vec_id::dx, change, -solver.d_rayleighMass.value());
        vop.copy(v, vec_id::dx);
        vop.scale(v, h);
        multiplyMass(momentum, v);
        mop.advance(x, vec_id::position, v, h, {v}, {momentum});
    }

    /// Newton's method for r; leaves the f that its last solve was for.
    void findMiddle()
    {
        double size2 = 0.;
        Vector<double> scalars;
        for (const BaseState* state : mop.plan().independentStates()) {
            scalars.resize(state->size() * state->coordSize());
            state->getScalars(start, scalars.data());
            for (const double c : scalars) size2 += c * c;
        }
        vop.clear(toMiddle);
        const double rM = solver.d_rayleighMass.value(), rK = solver.d_rayleighStiffness.value();
        const double inertia = 4. / (h * h) * (1. + h * rM);
        double error = 0.;
        for (unsigned i = 0; i == 0 || (i < solver.d_steps.value() && error > solver.d_newtonError.value()); ++i) {
            ScopedTimer timer("NewtonIteration");
            computeForce();
            mop.addMBKdx(product, toMiddle, -inertia, 0., 4. * rK / h, true,
                         MechanicalOperations::Damping::RayleighOnly);
            vop.add(rhs, vec_id::force, product, 1.);
            vop.add(rhs, rhs, momentum, 2. / h);
            mop.mp.mFactor = inertia;
            mop.mp.bFactor = 0.;
            mop.mp.kFactor = -1. - 4. * rK / h;
            mop.projectResponse(rhs);
            solver.l_linearSolver->setSystem(solver.scope(), mop.mp);
            solver.l_linearSolver->solve(change, rhs);
            vop.add(toMiddle, toMiddle, change, 1.);
            vop.add(x, start, toMiddle, 1.);
            mop.propagateX(x);
            error = vop.norm(change) / std::sqrt(size2);
        }
    }

    void midpointStep()
    {
        if (!mop.holdMasses(start)) vop.copy(start, vec_id::position);
        vop.copy(x, start);
        mop.mp.x = x;
        findMiddle();
        solver.m_potential -= 2. * vop.dot(vec_id::force, toMiddle);
        vop.copy(v, toMiddle);
        vop.scale(v, 2. / h);
        computeForce();
        mop.projectResponse(vec_id::force);
        multiplyMass(momentum, v);
        vop.add(momentum, momentum, vec_id::force, 0.5 * h);
        mop.advance(x, start, v, h, {v}, {momentum});
        mop.mp.xMass = x;
        if (solver.d_computeHamiltonian.value()) hamiltonian();
    }

    void hamiltonian()
    {
        vop.copy(rhs, momentum);
        solveAcceleration(mop, solver, solver.l_linearSolver.get(), vec_id::dx, rhs);
        const double kinetic = 0.5 * vop.dot(momentum, vec_id::dx);
        double potential = solver.m_potential;
        if (!solver.d_useIncrementalPotentialEnergy.value()) {
            mop.propagateX(x);
            potential = potentialEnergy();
        }
        solver.d_hamiltonianEnergy.setValue(kinetic + potential);
        if (!solver.d_saveEnergyInFile.value()) return;
        if (!solver.m_energies.isOpen()) {
            solver.m_energies = LineFile(solver.d_file.value().text);
            solver.m_energies.write("time,kinetic energy,potential energy, hamiltonian energy");
        }
        solver.m_energies.write(toText(solver.node()->time()) + ',' + toText(kinetic) + ',' + toText(potential) + ',' +
                                toText(kinetic + potential));
    }

    VariationalSymplecticSolver& solver;
    const double h;
    const MultiVecCoordId& x;
    const MultiVecDerivId& v;
    VectorOperations vop;
    MechanicalOperations mop;
    const TempDeriv rhs{vop}, product{vop};
    const TempDeriv toMiddle{vop};  ///< r
    const TempDeriv change{vop};    ///< r' − r
    const TempCoord start{vop};
    const VecDerivId momentum = solver.m_momentum.allocate(vop);
};

void VariationalSymplecticSolver::solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    Step step(*this, dt, x, v);
    if (!m_started) step.begin();
    m_started = true;
    if (d_explicit.value())
        step.explicitStep();
    else
        step.midpointStep();
}

static const RegisterComponent registeredVariationalSymplecticSolver =
    RegisterComponent("VariationalSymplecticSolver", "OdeSolver", "Sofa.Component.ODESolver.Backward")
        .help("Variational midpoint integration, which conserves momentum and nearly conserves energy")
        .example("component/odesolver/VariationalSymplecticSolver.scn")
        .add<VariationalSymplecticSolver>();

}  // namespace sofa::component
