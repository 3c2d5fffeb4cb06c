// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/PCGLinearSolver.h"

#include <algorithm>
#include <cmath>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/behavior/NeededLink.h"
#include "core/factory/Registry.h"
#include "core/linalg/VectorKernels.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

namespace {
/// When multigrid pays: docs/linear-solvers.md has the measurements.
constexpr int fewUnknowns = 10000;
constexpr unsigned manyIterations = 100;
}  // namespace

PCGLinearSolver::PCGLinearSolver()
{
    addAlias(d_assemblingRate, "update_step");
    ignoreAttribute("build_precond", "the preconditioner is built when it is used");
}

LinearSystem* PCGLinearSolver::systemOfNode() const
{
    return node()->get<PreconditionedMatrixFreeSystem>(Search::Local);
}

void PCGLinearSolver::init()
{
    KrylovLinearSolver::init();
    if (!isValid()) return;
    std::string error;
    if (!l_preconditioner.resolve(error)) return fail("preconditioner: " + error);
    if (!l_preconditioner)
        for (AssembledLinearSolver* s : node()->getAll<AssembledLinearSolver>(Search::Local))
            if (!l_preconditioner && s->isPreconditioner()) l_preconditioner.set(s);
    m_multigridState = Multigrid::Waiting;
    m_age = 0;
    m_x.clear();
}

AssembledLinearSolver* PCGLinearSolver::preconditioner() const
{
    if (!d_usePreconditioner.value()) return nullptr;
    if (l_preconditioner) return l_preconditioner.get();
    return m_multigridState == Multigrid::Taken ? m_multigrid.get() : nullptr;
}

bool PCGLinearSolver::needsMultigrid(unsigned iterations)
{
    return iterations == manyIterations && !l_preconditioner && d_usePreconditioner.value() && d_automatic.value() &&
           m_multigridState == Multigrid::Waiting && m_operator.matrix() &&
           m_operator.matrix()->size() >= fewUnknowns && compatibility() != Compatibility::Sofa;
}

void PCGLinearSolver::reset()
{
    m_multigridState = Multigrid::Waiting;
    m_age = 0;
    m_isRestored = false;
    m_preconditioned.clear();
    m_x.clear();
}

void PCGLinearSolver::archive(Archive& a)
{
    a(m_x);
    a(m_age);
    a(m_preconditionedSize);
    a(m_preconditioned);
    a(m_multigridState);
    if (m_multigridState == Multigrid::Taken) {
        if (!m_multigrid) m_multigrid = std::make_shared<MultigridPreconditioner>();
        m_multigrid->archive(a);
    }
    m_isRestored = a.loading() && !m_preconditioned.empty();
}

void PCGLinearSolver::setSystem(const SolverScope& scope, const MechanicalParams& mp)
{
    LinearSystem& system = needed(l_linearSystem, *this);
    const AssembledLinearSolver* const active = preconditioner();
    const bool needsMatrix = active && (active->needsMatrix() || assemblingRate() > 1);
    const bool isFree = !needsMatrix && isSystemOwn();
    m_operator.set(system, scope, mp,
                   {.assembly = isFree ? OperatorChoice::Assembly::Automatic : OperatorChoice::Assembly::Always,
                    .matrixFree = active && isMatrixFree(templateName()) && !system.leavesOut(),
                    .ownSystem = isFree,
                    .likesMatrix = !active});
    if (preconditioner()) updatePreconditioner();
}

unsigned PCGLinearSolver::assemblingRate() const
{
    const auto* system = dynamic_cast<const PreconditionedMatrixFreeSystem*>(l_linearSystem.get());
    return std::max(1u, system ? system->d_assemblingRate.value() : d_assemblingRate.value());
}

void PCGLinearSolver::updatePreconditioner()
{
    SystemOperator& a = m_operator.get();
    const unsigned rate = assemblingRate();
    // The values of one that is to be used again are kept for checkpoints.
    const std::span<double> values = rate > 1 ? a.assemble().values() : std::span<double>();
    // One that is older must still fit: points may have come or gone.
    const bool fits =
        a.layout().size() == m_preconditionedSize && (!m_isRestored || values.size() == m_preconditioned.size());
    const bool isNew = m_age == 0 || m_age >= rate || !fits;
    try {
        ScopedTimer t("Preconditioner");
        if (isNew) {
            preconditioner()->update(a);
        } else if (m_isRestored) {
            preconditioner()->restoring();
            std::ranges::swap_ranges(values, m_preconditioned);
            preconditioner()->update(a);
            std::ranges::swap_ranges(values, m_preconditioned);
        }
    } catch (const std::runtime_error& e) {
        if (l_preconditioner) throw;
        m_multigridState = Multigrid::Refused;
        msgWarning() << "there is no multigrid preconditioner for this system: " << e.what();
    }
    if (isNew) {
        m_preconditionedSize = a.layout().size();
        m_preconditioned.assign(values.begin(), values.end());
        m_age = 0;
    }
    m_isRestored = false;
    ++m_age;
}

const Vector<double>& PCGLinearSolver::precondition(const Vector<double>& r)
{
    AssembledLinearSolver* const active = preconditioner();
    if (!active) return r;
    const SystemOperator& a = m_operator.get();
    m_flatResidual.resize(static_cast<std::size_t>(a.layout().size()));
    m_flatZ.resize(m_flatResidual.size());
    a.toFlat(r, m_flatResidual.data());
    active->apply(m_flatResidual, m_flatZ);
    a.fromFlat(m_flatZ.data(), m_z);
    return m_z;
}

void PCGLinearSolver::takeMultigrid()
{
    if (!m_multigrid) m_multigrid = std::make_shared<MultigridPreconditioner>();
    m_multigridState = Multigrid::Taken;
    m_age = 0;
    updatePreconditioner();
    if (m_multigridState != Multigrid::Taken) return;
    // Whether printLog is on or not: another method solves from now on.
    MessageLog::emit({Severity::Info, location, pathName() + " (" + className() + ")",
                      "after " + toText(manyIterations) + " iterations on " + toText(m_operator.matrix()->size()) +
                          " unknowns: a multigrid preconditioner from now on (automaticPreconditioner=\"0\": none)"});
}

void PCGLinearSolver::explain(Explanation& e) const
{
    KrylovLinearSolver::explain(e);
    const AssembledLinearSolver* const active = preconditioner();
    if (!active) return e.add("preconditioner", "none");
    e.add("preconditioner", active == m_multigrid.get()
                                ? "multigrid, since " + toText(manyIterations) + " iterations were not enough"
                                : active->pathName() + " (" + active->className() + ")");
    active->explainFactor(e);
    e.include(active);
}

void PCGLinearSolver::iterate(const MultiVecDerivId& x, const MultiVecDerivId& rhs)
{
    SystemOperator& a = m_operator.get();
    Vector<double>& r = m_method.residual();
    a.load(rhs, r);
    m_normB = vector::dot(r, r);
    if (m_x.size() != r.size()) m_x.assign(r.size(), 0.);
    m_method.startFrom(a, m_x);
    const Progress end = m_method.solve(a, *this, m_x);
    noteEnd(end.iterations, std::sqrt(end.square / m_normB));
    a.store(m_x, x);
}

KrylovControl::Next PCGLinearSolver::next(const Progress& now)
{
    Phases::check();
    // What is compared with the tolerance: r·M⁻¹r of a preconditioner of the scene, as in SOFA, else r·r.
    const double error = l_preconditioner ? now.rho : now.square;
    m_reason = "tolerance";
    noteError(error / m_normB);
    if (!(error > d_tolerance.value() * m_normB)) return Next::Stop;
    if (needsMultigrid(now.iterations) && now.iterations < d_iterations.value()) {
        takeMultigrid();
        return Next::Restart;
    }
    m_reason = "iterations";
    return now.iterations == d_iterations.value() ? Next::Stop : Next::Iterate;
}

bool PCGLinearSolver::accepts(const Progress& now, double curvature)
{
    if (curvature > 0.) return true;
    msgWarning() << "the matrix or the preconditioner is not positive definite (p'Ap = " << curvature
                 << " in iteration " << now.iterations + 1 << "): the solution is that of the iteration before";
    m_reason = "negative curvature";
    return false;
}

namespace {

const RegisterComponent registeredPCGLinearSolver =
    RegisterComponent("PCGLinearSolver", "LinearSolver", "Sofa.Component.LinearSolver.Iterative")
        .help("Conjugate gradient method with a preconditioner")
        .example("component/linearsolver/PCGLinearSolver.scn")
        .add<PCGLinearSolver>(matrixTemplates(true));
const RegisterComponent registeredPreconditionedMatrixFreeSystem =
    RegisterComponent("PreconditionedMatrixFreeSystem", "LinearSystem", "Sofa.Component.LinearSolver.Iterative")
        .help("Says how often the preconditioner of a PCGLinearSolver is updated")
        .example("component/linearsolver/PCGLinearSolver.scn")
        .add<PreconditionedMatrixFreeSystem>(matrixTemplates(true));

}  // namespace

}  // namespace sofa::component
