// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/UnbuiltCompliance.h"

#include <algorithm>
#include <numeric>

#include "components/constraint/LagrangianSolver.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

void UnbuiltCompliance::begin(const std::vector<ConstraintCorrection*>& corrections, const ConstraintParams& p,
                              const ConstraintMatrix& h, double regularization, ConstraintProblem& problem)
{
    m_corrections.clear();
    m_starts.assign(problem.w.starts().begin(), problem.w.starts().end());
    m_groupOf.assign(static_cast<std::size_t>(h.rows()), -1);
    for (std::size_t g = 0; g < problem.groups.size(); ++g)
        std::fill_n(m_groupOf.begin() + problem.groups[g].first, problem.groups[g].law->size(), static_cast<int>(g));
    std::vector<std::pair<int, ConstraintCorrection*>> pairs;
    for (ConstraintCorrection* c : corrections) {
        c->beginProducts(p, h);
        m_corrections.push_back(c);
        for (const BaseState* s : c->states()) {
            const auto* part = h.part(*s);
            if (!part) continue;
            for (const int row : part->rows) pairs.emplace_back(m_groupOf[static_cast<std::size_t>(row)], c);
        }
    }
    // Pairs of one correction lie together, so that equal ones are neighbours after sorting by groups.
    std::ranges::stable_sort(pairs, {}, &std::pair<int, ConstraintCorrection*>::first);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    m_touching.clear();
    m_start.assign(problem.groups.size() + 1, 0);
    for (const auto& [g, c] : pairs) {
        m_touching.push_back(c);
        ++m_start[static_cast<std::size_t>(g) + 1];
    }
    std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());

    m_regularization = regularization;
    m_force.assign(regularization != 0. ? static_cast<std::size_t>(h.rows()) : 0, 0.);
    for (std::size_t k = 0; k < problem.groups.size(); ++k) {
        const auto& g = problem.groups[k];
        for (const ConstraintCorrection* c : correctionsOf(g.first))
            c->addBlock(g.first, g.law->size(), problem.w.diagonal(k));
    }
    for (int i = 0; i < problem.size; ++i) problem.w.add(i, i, regularization);
    m_params = p;
    m_jacobian = &h;
}

void UnbuiltCompliance::build(ComplianceMatrix& w) const
{
    addCompliance(m_corrections, m_params, *m_jacobian, w);
    for (int i = 0; i < w.rows(); ++i) w.add(i, i, m_regularization);
}

Vector<int> UnbuiltCompliance::islands() const
{
    ComplianceMatrix pattern;
    pattern.begin(m_starts);
    for (const ConstraintCorrection* c : m_corrections) c->coupleRows(*m_jacobian, pattern);
    return pattern.islands();
}

void UnbuiltCompliance::addProduct(int first, int n, double* d) const
{
    for (const ConstraintCorrection* c : correctionsOf(first)) c->addProduct(first, n, d);
    if (!m_force.empty())
        for (int i = 0; i < n; ++i) d[i] += m_regularization * m_force[static_cast<std::size_t>(first + i)];
}

void UnbuiltCompliance::changeForce(int first, int n, const double* change)
{
    for (ConstraintCorrection* c : correctionsOf(first)) c->changeForce(first, n, change);
    if (!m_force.empty())
        for (int i = 0; i < n; ++i) m_force[static_cast<std::size_t>(first + i)] += change[i];
}

void UnbuiltCompliance::startFrom(const Vector<double>& force)
{
    for (ConstraintCorrection* c : m_corrections) c->startFrom(force);
    if (!m_force.empty()) m_force = force;
}

namespace {

class UnbuiltGaussSeidelConstraintSolver final : public GenericLagrangianSolver
{
protected:
    void buildCompliance(const ConstraintParams& p, ConstraintProblem& problem) override
    {
        ScopedTimer t("Compliance");
        m_compliance.begin(corrections(), p, jacobian(), d_regularizationTerm.value(), problem);
    }
    ConstraintOutcome iterate(ConstraintProblem& p, const ConstraintSettings& s) override
    {
        return solveGaussSeidel(p, s);
    }
    ComplianceProducts* products() override { return &m_compliance; }

private:
    UnbuiltCompliance m_compliance;
};

const RegisterComponent registeredUnbuiltGaussSeidelConstraintSolver =
    RegisterComponent("UnbuiltGaussSeidelConstraintSolver", "ConstraintSolver",
                      "Sofa.Component.Constraint.Lagrangian.Solver")
        .help(
            "Finds the forces of Lagrangian constraints by projected block Gauss-Seidel, without the compliance of the "
            "scene: each body applies its own")
        .example("component/constraint/UnbuiltGaussSeidelConstraintSolver.scn")
        .add<UnbuiltGaussSeidelConstraintSolver>();

}  // namespace

}  // namespace sofa::component
