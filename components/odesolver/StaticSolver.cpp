// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/odesolver/StaticSolver.h"

#include <algorithm>
#include <sstream>

#include "components/odesolver/SolverTools.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/StateVectors.h"

namespace sofa::component {

using namespace core;

namespace {

/// Attributes of before the Newton solver was a component of its own.
constexpr std::pair<const char*, const char*> moved[] = {
    {"newton_iterations", "maxNbIterationsNewton"},
    {"absolute_correction_tolerance_threshold", "absoluteEstimateDifferenceThreshold"},
    {"relative_correction_tolerance_threshold", "relativeEstimateDifferenceThreshold"},
    {"absolute_residual_tolerance_threshold", "absoluteResidualStoppingThreshold"},
    {"relative_residual_tolerance_threshold", "relativeInitialStoppingThreshold"}};

}  // namespace

StaticSolver::StaticSolver()
{
    for (const auto& [old, now] : moved)
        declareAttribute(old, std::string("Old place of NewtonRaphsonSolver's ") + now);
    ignoreAttribute("should_diverge_when_residual_is_growing",
                    "the line search of NewtonRaphsonSolver handles growing residuals");
}

void StaticSolver::setDeclared(std::string_view name, std::string_view text)
{
    for (const auto& [old, now] : moved)
        if (name == old) m_oldSettings.emplace_back(now, std::string(text));
}

void StaticSolver::init()
{
    std::string error;
    if (!findLinearSolver(*this, l_linearSolver, Search::Down)) return;
    if (!l_newtonSolver.resolve(error)) return fail("newtonSolver: " + error);
    if (!l_linearSolver) return fail("it needs a linear solver in node '" + node()->pathName() + "'");
    if (!l_newtonSolver) l_newtonSolver.set(findNewton(*this));
    if (!l_newtonSolver) {
        auto& newton = node()->create<NewtonRaphsonSolver>();
        newton.location = location;
        l_newtonSolver.set(&newton);
        for (const auto& [name, value] : m_oldSettings) newton.setAttribute(name, value, location);
        if (m_oldSettings.empty())
            msgWarning()
                << "there is no NewtonRaphsonSolver: one with default values is used (one Newton iteration a step)";
    }
}

void StaticSolver::solve(double dt, const MultiVecCoordId& x, const MultiVecDerivId&)
{
    MechanicalParams params;
    params.dt = dt;
    params.implicit = true;
    params.x = x;
    VectorOperations vop(scope());
    MechanicalOperations mop(scope(), params);
    vop.allocate(vec_id::dx);
    vop.allocate(vec_id::force);

    struct Equilibrium final : NonlinearFunction
    {
        Equilibrium(VectorOperations& v, MechanicalOperations& m, const MultiVecCoordId& pos, LinearSolver& s)
            : vop(v), mop(m), x(pos), solver(s)
        {
        }
        void evaluate() override
        {
            ScopedTimer t("ComputeForce");
            mop.computeForce(vec_id::force);
            mop.projectResponse(vec_id::force);
            if (left > 0.) vop.add(vec_id::force, vec_id::force, *unbalanced, -left);
        }
        double squaredResidual() override { return vop.dot(vec_id::force, vec_id::force); }
        void computeGradient() override
        {
            ScopedTimer t("SetSystem");
            mop.mp.mFactor = damping;
            mop.mp.bFactor = 0.;
            mop.mp.kFactor = -1.;
            solver.setSystem(mop.scope(), mop.mp);
        }
        void solveLinearEquation() override
        {
            ScopedTimer t("Solve");
            solver.solve(vec_id::dx, vec_id::force);
        }
        void updateGuess(double alpha) override
        {
            vop.add(x, x, vec_id::dx, alpha);
            mop.propagateX(x);
        }
        double work() override { return vop.dot(vec_id::force, vec_id::dx); }
        void setDamping(double weight) override { damping = weight; }
        double inertia() override
        {
            const TempDeriv momentum(vop);
            vop.clear(momentum);
            mop.addMdx(momentum, vec_id::dx, 1.);
            return vop.dot(momentum, vec_id::dx);
        }
        double squaredCorrection() override { return vop.dot(vec_id::dx, vec_id::dx); }
        double squaredGuess() override
        {
            double s = 0.;
            Vector<double> scalars;
            for (const BaseState* state : mop.plan().independentStates()) {
                scalars.resize(state->size() * state->coordSize());
                state->getScalars(x.at(*state), scalars.data());
                for (double c : scalars) s += c * c;
            }
            return s;
        }
        void keepGuess() override
        {
            if (!kept) kept.emplace(vop);
            vop.copy(*kept, x);
        }
        void restoreGuess() override
        {
            vop.copy(x, *kept);
            mop.propagateX(x);
        }
        VectorOperations& vop;
        MechanicalOperations& mop;
        const MultiVecCoordId& x;
        LinearSolver& solver;
        double damping = 0.;
        double left = 0.;  ///< part of `unbalanced` that still is
        std::optional<TempCoord> kept;
        std::optional<TempDeriv> unbalanced;
    } equilibrium(vop, mop, x, *l_linearSolver);

    const unsigned parts = d_loadSteps.value();
    m_applied = 1.;
    if (parts == 1) {
        m_converged = l_newtonSolver->solve(equilibrium);
        return;
    }
    equilibrium.evaluate();
    vop.copy(equilibrium.unbalanced.emplace(vop), vec_id::force);
    // Parts are counted in their smallest unit, which is exact.
    constexpr unsigned units = 1024;
    const unsigned all = parts * units;
    unsigned part = units;
    for (unsigned applied = 0; applied < all;) {
        const unsigned next = std::min(applied + part, all);
        equilibrium.left = static_cast<double>(all - next) / all;
        m_converged = l_newtonSolver->solve(equilibrium, true);
        if (m_converged) {
            applied = next;
            part = std::min(2 * part, units);
        } else if (part > 1) {
            part /= 2;
            msgInfo() << "Newton's method did not converge from " << 100. * applied / all << "% to "
                      << 100. * next / all << "% of the load: this part is halved";
        } else {
            m_applied = static_cast<double>(applied) / all;
            msgWarning() << failure();
            return;
        }
    }
}

std::string StaticSolver::failure() const
{
    if (m_applied == 1.) return "did not converge in the last step: the result is no equilibrium";
    std::ostringstream out;
    out << "found the equilibrium of " << 100. * m_applied << "% of the last step's load only, in parts of "
        << 100. / (1024. * d_loadSteps.value()) << '%';
    return out.str();
}

static const RegisterComponent registeredStaticSolver =
    RegisterComponent("StaticSolver", "OdeSolver", "Sofa.Component.ODESolver.Backward")
        .help("Quasi-static equilibrium by Newton's method")
        .example("component/odesolver/StaticSolver.scn")
        .add<StaticSolver>();

}  // namespace sofa::component
