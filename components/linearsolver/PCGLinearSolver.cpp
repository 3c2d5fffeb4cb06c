// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/PCGLinearSolver.h"

#include <algorithm>

#include "components/linearsolver/MatrixTemplates.h"
#include "core/behavior/NeededLink.h"
#include "core/factory/Registry.h"
#include "core/linalg/VectorKernels.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

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
    m_age = 0;
    m_x.clear();
}

void PCGLinearSolver::reset()
{
    m_age = 0;
    m_x.clear();
}

void PCGLinearSolver::archive(Archive& a) { a(m_x); }

void PCGLinearSolver::setSystem(Node& scope, const MechanicalParams& mp)
{
    needed(l_linearSystem, *this).assemble(scope, mp);
    const SystemAssembly& a = l_linearSystem->assembly();
    m_product.prepare(a.matrix(), a.patternVersion(), a.isSymmetricOffDiagonal());
    if (!l_preconditioner || !d_usePreconditioner.value()) return;
    const auto* system = dynamic_cast<const PreconditionedMatrixFreeSystem*>(l_linearSystem.get());
    const unsigned rate = std::max(1u, system ? system->d_assemblingRate.value() : d_assemblingRate.value());
    // One that is older must still fit: points may have come or gone.
    if (m_age == 0 || m_age >= rate || a.size() != m_preconditionedSize) {
        ScopedTimer t("Preconditioner");
        l_preconditioner->update(a);
        m_preconditionedSize = a.size();
        m_age = 0;
    }
    ++m_age;
}

void PCGLinearSolver::precondition(const Vector<double>& r, Vector<double>& z)
{
    if (l_preconditioner && d_usePreconditioner.value())
        l_preconditioner->apply(l_linearSystem->assembly(), r.data(), z.data());
    else
        z = r;
}

void PCGLinearSolver::solve(const MultiVecDerivId& xId, const MultiVecDerivId& rhs)
{
    const SystemAssembly& a = l_linearSystem->assembly();
    const auto n = static_cast<std::size_t>(a.size());
    if (m_x.size() != n) m_x.assign(n, 0.);
    for (auto* v : {&m_b, &m_r, &m_p, &m_q, &m_z}) v->resize(n);
    a.gather(rhs, m_b.data());
    m_product.multiply(a.matrix(), m_x, m_q);
    m_r = m_b;
    vector::addScaled(m_r, m_q, -1.);
    const double normB = vector::dot(m_b, m_b), limit = d_tolerance.value() * normB;
    const bool log = d_printLog.value();
    if (log) d_graph.edit().clear();

    precondition(m_r, m_z);
    m_p = m_z;
    double rho = vector::dot(m_r, m_z);
    unsigned it = 0;
    const char* reason = "tolerance";
    while (rho > limit) {
        if (log) d_graph.edit().push_back(rho / normB);
        if (it == d_iterations.value()) {
            reason = "iterations";
            break;
        }
        m_product.multiply(a.matrix(), m_p, m_q);
        const double curvature = vector::dot(m_p, m_q);
        if (!(curvature > 0.)) {
            msgWarning() << "the matrix or the preconditioner is not positive definite (p'Ap = " << curvature
                         << " in iteration " << it + 1 << "): the solution is that of the iteration before";
            reason = "negative curvature";
            break;
        }
        vector::advance(m_x, m_r, m_p, m_q, rho / curvature);
        ++it;
        precondition(m_r, m_z);
        const double next = vector::dot(m_r, m_z);
        vector::scaleAndAdd(m_p, next / rho, m_z);
        rho = next;
    }
    d_lastIterations.setValue(it);
    if (log) msgInfo() << it << " iterations, stopped by " << reason;
    a.scatter(m_x.data(), xId);
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
