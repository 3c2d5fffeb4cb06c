// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/AssembledLinearSolver.h"

#include <atomic>
#include <utility>

#include "core/behavior/NeededLink.h"

namespace sofa::core {

void AssembledLinearSolver::init()
{
    std::string error;
    if (!l_linearSystem.resolve(error)) return fail("linearSystem: " + error);
    if (!l_linearSystem) l_linearSystem.set(node()->get<LinearSystem>(Search::Local));
    if (!l_linearSystem) {
        m_own = std::make_shared<LinearSystem>();
        l_linearSystem.set(m_own.get());
    }
}

void AssembledLinearSolver::setSystem(const SolverScope& scope, const MechanicalParams& mp)
{
    LinearSystem& s = needed(l_linearSystem, *this);
    // A system of the scene may have other readers.
    m_operator.set(s, scope, mp, {.onlyReader = &s == m_own.get() && readsUpperTriangle(), .products = false});
    update(m_operator);
}

bool AssembledLinearSolver::isNewPattern(const BlockCsrMatrix& m, const SystemAssembly& a)
{
    const auto before = std::exchange(m_pattern, std::pair(&m, a.patternVersion()));
    return before != m_pattern;
}

void AssembledLinearSolver::update(SystemOperator& a)
{
    m_source = &a;
    // Only equality of versions counts, so that their order of creation does not matter.
    static std::atomic<std::uint64_t> versions{0};
    const std::uint64_t before = m_version;
    m_version = ++versions;
    m_same = false;
    prepare(a);
    if (m_same) m_version = before;
}

void AssembledLinearSolver::solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs)
{
    const SystemLayout& layout = m_operator.layout();
    m_b.resize(static_cast<std::size_t>(layout.size()));
    m_x.resize(m_b.size());
    layout.gather(rhs, m_b.data());
    apply(m_b, m_x);
    layout.scatter(m_x.data(), x);
}

void AssembledLinearSolver::explain(Explanation& e) const
{
    if (!m_source) return e.add("operator", "none yet: there was nothing to solve");
    if (m_source == &m_operator) {
        e.add("operator", m_operator.description());
        e.add("because", "it solves with the matrix itself");
        m_operator.explainSizes(e);
    } else {
        e.add("operator", "that of the solver that it is a preconditioner of");
    }
    explainFactor(e);
}

void AssembledLinearSolver::addCompliance(const SparseRows& h, std::span<double> w, double factor)
{
    addComplianceBySolves(
        h, m_source->layout().size(), [this](auto b, auto x) { apply(b, x); }, w, factor);
}

void AssembledLinearSolver::updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache)
{
    cache.expect(m_version, factor);
    if (cache.begin(h, false)) return;
    addCompliance(h, cache.values(), factor);
    cache.finish();
}

}  // namespace sofa::core
