// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/PCGLinearSolver.h"

#include <algorithm>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/behavior/ConstraintCorrection.h"
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
    ignoreAttribute("verbose", "use printLog");
    ignoreAttribute("build_precond", "the preconditioner is built when it is used");
}

void PCGLinearSolver::init()
{
    std::string error;
    if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
    if (!l_linearSystem) l_linearSystem.set(node()->get<PreconditionedMatrixFreeSystem>(Search::Local));
    if (!l_linearSystem) {
        m_own = std::make_shared<LinearSystem>();
        l_linearSystem.set(m_own.get());
    }
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

bool PCGLinearSolver::needsMultigrid(unsigned iterations) const
{
    return iterations == manyIterations && !m_system && !l_preconditioner && d_usePreconditioner.value() &&
           d_automatic.value() && m_multigridState == Multigrid::Waiting &&
           l_linearSystem->assembly().size() >= fewUnknowns && compatibility() != Compatibility::Sofa;
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

void PCGLinearSolver::setSystem(Node& scope, const MechanicalParams& mp)
{
    (void)needed(l_linearSystem, *this);
    const bool isOwn = l_linearSystem.get() == m_own.get();
    // Constraint corrections read the matrix later.
    m_system = isOwn && !preconditioner() && !scope.get<ConstraintCorrection>(Search::Root) ? m_whole.prepare(scope, mp)
                                                                                            : nullptr;
    if (m_system) {
        m_state = ExecutionPlan::of(scope).independentStates()[0];
        return;
    }
    l_linearSystem->assemble(scope, mp);
    const SystemAssembly& a = l_linearSystem->assembly();
    m_product.prepare(a.matrix(), a.patternVersion(),
                      a.isSymmetricOffDiagonal() ? SymmetricProduct::Stored::Symmetric : SymmetricProduct::Stored::Any);
    if (preconditioner()) updatePreconditioner();
}

void PCGLinearSolver::updatePreconditioner()
{
    SystemAssembly& a = l_linearSystem->assembly();
    const auto* system = dynamic_cast<const PreconditionedMatrixFreeSystem*>(l_linearSystem.get());
    const unsigned rate = std::max(1u, system ? system->d_assemblingRate.value() : d_assemblingRate.value());
    // One that is older must still fit: points may have come or gone.
    const std::span<double> values = a.values();
    const bool fits = a.size() == m_preconditionedSize && (!m_isRestored || values.size() == m_preconditioned.size());
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
        m_preconditionedSize = a.size();
        m_preconditioned.clear();
        if (rate > 1) m_preconditioned.assign(values.begin(), values.end());
        m_age = 0;
    }
    m_isRestored = false;
    ++m_age;
}

const Vector<double>& PCGLinearSolver::precondition(const Vector<double>& r)
{
    AssembledLinearSolver* const active = preconditioner();
    if (!active) return r;
    m_z.resize(r.size());
    active->apply(l_linearSystem->assembly(), r.data(), m_z.data());
    return m_z;
}

void PCGLinearSolver::product(const Vector<double>& p, Vector<double>& q)
{
    if (m_system)
        m_system->multiply(p.data(), q.data());
    else
        m_product.multiply(l_linearSystem->assembly().matrix(), p, q);
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
                      "after " + toText(manyIterations) + " iterations on " +
                          toText(l_linearSystem->assembly().size()) +
                          " unknowns: a multigrid preconditioner from now on (automaticPreconditioner=\"0\": none)"});
}

double PCGLinearSolver::startFrom(const MultiVecDerivId& rhs)
{
    const SystemAssembly& a = l_linearSystem->assembly();
    const std::size_t unknowns = m_system ? m_state->derivScalars() : static_cast<std::size_t>(a.size());
    const std::size_t n = m_system ? m_system->size() : unknowns;
    if (m_x.size() != unknowns) m_x.assign(unknowns, 0.);
    for (auto* v : {&m_r, &m_p, &m_q}) v->resize(n);
    if (m_system) {
        m_y.resize(n);
        m_system->load(m_x.data(), m_y.data());
        m_system->load(m_state->scalars(rhs.at(*m_state)), m_r.data());
    } else {
        a.gather(rhs, m_r.data());
    }
    const double square = vector::dot(m_r, m_r);
    product(m_system ? m_y : m_x, m_q);
    vector::addScaled(m_r, m_q, -1.);
    return square;
}

void PCGLinearSolver::solve(const MultiVecDerivId& xId, const MultiVecDerivId& rhs)
{
    const double normB = startFrom(rhs), limit = d_tolerance.value() * normB;
    Vector<double>& x = m_system ? m_y : m_x;
    const bool log = d_printLog.value();
    if (log) d_graph.edit()->clear();

    // What is compared with the tolerance: r·M⁻¹r of a preconditioner of the scene, as in SOFA, else r·r.
    double rho = 0., error = 0.;
    const auto start = [&] {
        m_p = precondition(m_r);
        rho = vector::dot(m_r, m_p);
        error = preconditioner() && !l_preconditioner ? vector::dot(m_r, m_r) : rho;
    };
    start();
    unsigned it = 0;
    const char* reason = "tolerance";
    while (error > limit) {
        Phases::check();
        if (log) d_graph.edit()->push_back(error / normB);
        if (it == d_iterations.value()) {
            reason = "iterations";
            break;
        }
        if (needsMultigrid(it)) {
            takeMultigrid();
            start();
        }
        product(m_p, m_q);
        const double curvature = vector::dot(m_p, m_q);
        if (!(curvature > 0.)) {
            msgWarning() << "the matrix or the preconditioner is not positive definite (p'Ap = " << curvature
                         << " in iteration " << it + 1 << "): the solution is that of the iteration before";
            reason = "negative curvature";
            break;
        }
        const double alpha = rho / curvature, square = vector::descend(m_r, m_q, alpha);
        ++it;
        const Vector<double>& z = precondition(m_r);
        const double next = preconditioner() ? vector::dot(m_r, z) : square;
        error = l_preconditioner ? next : square;
        vector::turn(x, m_p, z, alpha, next / rho);
        rho = next;
    }
    d_lastIterations.setValue(it);
    if (log) msgInfo() << it << " iterations, stopped by " << reason;
    if (m_system) {
        m_system->store(m_y.data(), m_x.data());
        m_state->setScalars(xId.at(*m_state), m_x.data());
    } else {
        l_linearSystem->assembly().scatter(m_x.data(), xId);
    }
}

namespace {

const RegisterComponent solver =
    RegisterComponent("PCGLinearSolver", "LinearSolver", "Sofa.Component.LinearSolver.Iterative")
        .help("Conjugate gradient method with a preconditioner")
        .example("component/linearsolver/PCGLinearSolver.scn")
        .add<PCGLinearSolver>(matrixTemplates(true));
const RegisterComponent system =
    RegisterComponent("PreconditionedMatrixFreeSystem", "LinearSystem", "Sofa.Component.LinearSolver.Iterative")
        .help("Says how often the preconditioner of a PCGLinearSolver is updated")
        .example("component/linearsolver/PCGLinearSolver.scn")
        .add<PreconditionedMatrixFreeSystem>(matrixTemplates(true));

}  // namespace

}  // namespace sofa::component
