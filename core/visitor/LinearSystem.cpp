// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/LinearSystem.h"

#include <atomic>

#include "core/behavior/NeededLink.h"

namespace sofa::core {

void LinearSystem::assemble(Node& scope, const MechanicalParams& mp, bool factored)
{
    m_assembly.assemble(scope, mp,
                        {.mass = d_assembleMass.value(),
                         .stiffness = d_assembleStiffness.value(),
                         .damping = d_assembleDamping.value(),
                         .geometricStiffness = d_assembleGeometricStiffness.value(),
                         .mapped = d_applyMappedComponents.value(),
                         .constraints = d_applyProjectiveConstraints.value(),
                         .factored = factored});
    if (d_matrixSize.value()[0] != m_assembly.size())
        d_matrixSize.setValue(Vec2::filled(static_cast<double>(m_assembly.size())));
}

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

void AssembledLinearSolver::setSystem(Node& scope, const MechanicalParams& mp)
{
    LinearSystem& s = needed(l_linearSystem, *this);
    // A system of the scene may have other readers.
    s.assembly().setUpperOnly(&s == m_own.get() && readsUpperTriangle());
    s.assemble(scope, mp);
    update(s.assembly());
}

void AssembledLinearSolver::update(const SystemAssembly& a)
{
    const bool changed = m_source != &a || a.patternVersion() != m_pattern || a.isUpper() != m_isUpper;
    m_source = &a;
    m_isUpper = a.isUpper();
    m_pattern = a.patternVersion();
    // Only equality of versions counts, so that their order of creation does not matter.
    static std::atomic<std::uint64_t> versions{0};
    const std::uint64_t before = m_version;
    m_version = ++versions;
    m_same = false;
    prepare(a, changed);
    if (m_same) m_version = before;
}

void AssembledLinearSolver::solve(const MultiVecDerivId& x, const MultiVecDerivId& rhs)
{
    const SystemAssembly& a = system().assembly();
    m_b.resize(static_cast<std::size_t>(a.size()));
    m_x.resize(static_cast<std::size_t>(a.size()));
    a.gather(rhs, m_b.data());
    solveFlat(a, m_b.data(), m_x.data());
    a.scatter(m_x.data(), x);
}

void AssembledLinearSolver::explain(Explanation& e) const
{
    if (!m_source) return e.add("operator", "none yet: there was nothing to solve");
    if (m_source == &system().assembly()) {
        e.add("operator", m_source->isUpper() ? "assembled matrix, its upper triangle only" : "assembled matrix");
        e.add("because", "it solves with the matrix itself");
        m_source->explainSizes(e);
    } else {
        e.add("operator", "assembled matrix of the solver that it is a preconditioner of");
    }
    explainFactor(e);
}

void AssembledLinearSolver::addCompliance(const SparseRows& h, std::span<double> w, double factor)
{
    const auto n = static_cast<std::size_t>(m_source->size()), rows = static_cast<std::size_t>(h.size());
    m_b.assign(n, 0.);
    m_x.resize(n);
    for (std::size_t r = 0; r < rows; ++r) {
        const auto entries = [&](std::size_t row) {
            return std::pair(static_cast<std::size_t>(h.ptr[row]), static_cast<std::size_t>(h.ptr[row + 1]));
        };
        const auto [first, last] = entries(r);
        for (std::size_t e = first; e < last; ++e) m_b[static_cast<std::size_t>(h.columns[e])] += h.values[e];
        solveFlat(*m_source, m_b.data(), m_x.data());
        for (std::size_t e = first; e < last; ++e) m_b[static_cast<std::size_t>(h.columns[e])] = 0.;
        for (std::size_t i = 0; i < rows; ++i) {
            const auto [begin, end] = entries(i);
            double s = 0.;
            for (std::size_t e = begin; e < end; ++e) s += h.values[e] * m_x[static_cast<std::size_t>(h.columns[e])];
            w[i * rows + r] += factor * s;
        }
    }
}

void AssembledLinearSolver::updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache)
{
    cache.expect(m_version, factor);
    if (cache.begin(h, false)) return;
    addCompliance(h, cache.values(), factor);
    cache.finish();
}

}  // namespace sofa::core
