// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/BDFOdeSolver.h"

#include <algorithm>

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

void BDFOdeSolver::init()
{
    std::string error;
    if (!findLinearSolver(*this, l_linearSolver, Search::Down)) return;
    if (!l_newtonSolver.resolve(error)) return fail("newtonSolver: " + error);
    if (!l_linearSolver) return fail("it needs a linear solver in node '" + node()->pathName() + "'");
    if (!l_newtonSolver) l_newtonSolver.set(findNewton(*this));
    if (!l_newtonSolver)
        return fail("it needs a NewtonRaphsonSolver in node '" + node()->pathName() +
                    "', for example <NewtonRaphsonSolver maxNbIterationsNewton=\"10\"/>");
    if (d_order.value() > 6)
        msgWarning() << "the method of order " << d_order.value() << " is not stable; at most 6 is";
    reset();
}

void BDFOdeSolver::reset()
{
    m_converged = true;
    m_times.clear();
    m_positions.clear();
    m_velocities.clear();
}

void BDFOdeSolver::archive(Archive& a)
{
    a(m_times);
    std::uint64_t count = m_positions.size();
    a(count);
    m_positions.resize(count);
    m_velocities.resize(count);
    for (auto& x : m_positions) a(x);
    for (auto& v : m_velocities) a(v);
}

void BDFOdeSolver::coefficients(const Vector<double>& times, Vector<double>& a, double& b)
{
    const std::size_t s = times.size() - 1;
    const double dt = times[s] - times[s - 1];
    a.assign(s + 1, 0.);
    for (std::size_t j = 0; j <= s; ++j)
        for (std::size_t i = 0; i <= s; ++i) {
            if (i == j) continue;
            double product = 1.;
            for (std::size_t m = 0; m <= s; ++m)
                if (m != i && m != j) product *= (times[s] - times[m]) / (times[j] - times[m]);
            a[j] += product / (times[j] - times[i]);
        }
    for (double& c : a) c *= dt;
    b = 1. / a[s];
    for (std::size_t j = 0; j < s; ++j) a[j] /= a[s];
    a[s] = 1.;
}

/// The nonlinear equation of a step.
struct BDFOdeSolver::Step final : NonlinearFunction
{
    BDFOdeSolver& solver;
    VectorOperations vop;
    MechanicalOperations mop;
    const MultiVecCoordId& x;
    const MultiVecDerivId& v;
    const TempDeriv r1Id{vop}, r2Id{vop}, sumId{vop}, rhsId{vop}, dvId{vop}, keptVelocities{vop};
    const TempCoord keptPositions{vop};
    double hb;  ///< h b [s]
    Vector<double> flat;

    Step(BDFOdeSolver& owner, const MechanicalParams& mp, const MultiVecCoordId& positions,
         const MultiVecDerivId& velocities)
        : solver(owner), vop(owner.scope()), mop(owner.scope(), mp), x(positions), v(velocities), hb(mp.dt * owner.m_b)
    {
    }
    /// `to` = the sum of a_j times the values of the steps before, plus those of now.
    template <class Now>
    void combine(const std::vector<Vector<double>>& before, VecDerivId to, Now&& now)
    {
        std::size_t offset = 0;
        for (BaseState* s : mop.plan().independentStates()) {
            const auto n = static_cast<std::size_t>(s->derivScalars());
            flat.assign(n, 0.);
            now(*s, flat.data());
            const std::size_t first = before.size() - (solver.m_a.size() - 1);
            for (std::size_t j = first; j < before.size(); ++j)
                for (std::size_t i = 0; i < n; ++i) flat[i] += solver.m_a[j - first] * before[j][offset + i];
            s->setScalars(to, flat.data());
            offset += n;
        }
    }
    void evaluate() override
    {
        ScopedTimer t("ComputeForce");
        mop.computeForce(vec_id::force);
        mop.addMBKdx(vec_id::force, v, -solver.d_rayleighMass.value(), 0., solver.d_rayleighStiffness.value(), false);
        mop.projectResponse(vec_id::force);
        combine(solver.m_positions, r1Id, [&](const BaseState& s, double* out) { s.getScalars(x.at(s), out); });
        vop.add(r1Id, r1Id, v, -hb);
        combine(solver.m_velocities, sumId, [&](const BaseState& s, double* out) { s.getScalars(v.at(s), out); });
        vop.clear(r2Id);
        mop.addMdx(r2Id, sumId, 1.);
        vop.add(r2Id, r2Id, vec_id::force, -hb);
        mop.projectResponse(r1Id);
        mop.projectResponse(r2Id);
    }
    double squaredResidual() override { return vop.dot(r2Id, r2Id); }
    void computeGradient() override
    {
        ScopedTimer t("SetSystem");
        mop.mp.mFactor = 1. + hb * solver.d_rayleighMass.value();
        mop.mp.bFactor = -hb;
        mop.mp.kFactor = -hb * (solver.d_rayleighStiffness.value() + hb);
        solver.l_linearSolver->setSystem(mop.scope(), mop.mp);
        vop.copy(rhsId, r2Id);
        vop.scale(rhsId, -1.);
        mop.addMBKdx(rhsId, r1Id, 0., 0., -hb, false);
        mop.projectResponse(rhsId);
    }
    void solveLinearEquation() override
    {
        ScopedTimer t("Solve");
        solver.l_linearSolver->solve(dvId, rhsId);
    }
    void updateGuess(double alpha) override
    {
        vop.add(v, v, dvId, alpha);
        vop.add(x, x, dvId, alpha * hb);
        vop.add(x, x, r1Id, -1.);
        mop.projectPosition(x);
        mop.projectVelocity(v);
        mop.propagateXAndV(x, v);
    }
    double squaredCorrection() override { return vop.dot(dvId, dvId); }
    double squaredGuess() override { return vop.dot(v, v); }
    void keepGuess() override
    {
        vop.copy(keptPositions, x);
        vop.copy(keptVelocities, v);
    }
    void restoreGuess() override
    {
        vop.copy(x, keptPositions);
        vop.copy(v, keptVelocities);
        mop.propagateXAndV(x, v);
    }
};

void BDFOdeSolver::solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId& v)
{
    const ExecutionPlan& plan = ExecutionPlan::of(scope());
    std::size_t scalars = 0;
    for (const BaseState* s : plan.independentStates()) {
        if (s->coordSize() != s->derivSize())
            throw std::runtime_error(pathName() + " (" + className() + "): " + s->pathName() +
                                     " holds frames; the differences of this method exist for points only");
        scalars += static_cast<std::size_t>(s->derivScalars());
    }
    // Topological changes end the history.
    if (!m_positions.empty() && m_positions.back().size() != scalars) reset();
    if (m_times.empty()) m_times.push_back(node()->time());
    Vector<double> positions(scalars), velocities(scalars);
    std::size_t offset = 0;
    for (const BaseState* s : plan.independentStates()) {
        s->getScalars(vec_id::position, positions.data() + offset);
        s->getScalars(vec_id::velocity, velocities.data() + offset);
        offset += static_cast<std::size_t>(s->derivScalars());
    }
    m_positions.push_back(std::move(positions));
    m_velocities.push_back(std::move(velocities));
    const std::size_t order = std::min<std::size_t>(d_order.value(), m_positions.size());
    m_positions.erase(m_positions.begin(), m_positions.end() - static_cast<std::ptrdiff_t>(order));
    m_velocities.erase(m_velocities.begin(), m_velocities.end() - static_cast<std::ptrdiff_t>(order));
    m_times.push_back(node()->time() + dt);
    m_times.erase(m_times.begin(), m_times.end() - static_cast<std::ptrdiff_t>(order + 1));
    coefficients(m_times, m_a, m_b);

    MechanicalParams params;
    params.dt = dt;
    params.implicit = true;
    params.x = x;
    params.v = v;
    Step step(*this, params, x, v);
    step.vop.allocate(vec_id::force);
    step.vop.copy(x, vec_id::position);
    step.vop.copy(v, vec_id::velocity);
    step.vop.add(x, x, v, dt);
    step.mop.propagateXAndV(x, v);
    m_converged = l_newtonSolver->solve(step);
}

static const RegisterComponent registeredBDFOdeSolver =
    RegisterComponent("BDFOdeSolver", "OdeSolver", "Sofa.Component.ODESolver.Backward")
        .help("Backward differentiation formulas of any order, by Newton's method")
        .example("component/odesolver/BDFOdeSolver.scn")
        .add<BDFOdeSolver>();

}  // namespace sofa::component
