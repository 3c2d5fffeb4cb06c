// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/UnbuiltCompliance.h"

#include <algorithm>

#include "components/constraint/LagrangianSolver.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"

namespace sofa::component {

using namespace core;

void UnbuiltCompliance::begin(const std::vector<ConstraintCorrection*>& corrections, const ConstraintParams& p,
                              const ConstraintMatrix& h, double regularization, ConstraintProblem& problem)
{
    m_corrections.clear();
    for (ConstraintCorrection* c : corrections) {
        if (!c->isActive()) continue;
        c->beginProducts(p, h);
        m_corrections.push_back(c);
    }
    m_regularization = regularization;
    m_force.assign(regularization != 0. ? static_cast<std::size_t>(h.rows()) : 0, 0.);
    std::fill(problem.w.begin(), problem.w.end(), 0.);
    for (const auto& g : problem.groups) {
        const int n = g.law->size();
        for (const ConstraintCorrection* c : m_corrections) c->addBlock(g.first, n, problem.w.data() + g.at);
        for (int i = 0; i < n; ++i) problem.w[g.at + static_cast<std::size_t>(i * n + i)] += regularization;
    }
}

void UnbuiltCompliance::addProduct(int first, int n, double* d) const
{
    for (const ConstraintCorrection* c : m_corrections) c->addProduct(first, n, d);
    if (!m_force.empty())
        for (int i = 0; i < n; ++i) d[i] += m_regularization * m_force[static_cast<std::size_t>(first + i)];
}

void UnbuiltCompliance::changeForce(int first, int n, const double* change)
{
    for (ConstraintCorrection* c : m_corrections) c->changeForce(first, n, change);
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

const RegisterComponent registered =
    RegisterComponent("UnbuiltGaussSeidelConstraintSolver", "ConstraintSolver",
                      "Sofa.Component.Constraint.Lagrangian.Solver")
        .help(
            "Finds the forces of Lagrangian constraints by projected block Gauss-Seidel, without the compliance of the "
            "scene: each body applies its own")
        .example("component/constraint/UnbuiltGaussSeidelConstraintSolver.scn")
        .add<UnbuiltGaussSeidelConstraintSolver>();

}  // namespace

}  // namespace sofa::component
