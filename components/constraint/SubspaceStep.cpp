// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/SubspaceStep.h"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace sofa::component {

using namespace core;

namespace {

constexpr int mostFactorisations = 12, mostHalvings = 3;

/// q(λ) − q(λ_start), from the violations at both: without the rounding of q itself.
double energyChange(const ConstraintProblem& p, const Vector<double>& start, const Vector<double>& violationsAtStart,
                    const Vector<double>& violations)
{
    double change = 0.;
    for (std::size_t i = 0; i < start.size(); ++i)
        change += (p.force[i] - start[i]) * (violationsAtStart[i] + violations[i]);
    return 0.5 * change;
}

/// A contact that slid at the start keeps its friction: what its disc becomes, sweeps find out.
void project(ConstraintProblem& p, const Vector<double>& start)
{
    for (const auto& g : p.groups) {
        if (!g.law->isUnilateral()) continue;
        double* f = p.force.data() + g.first;
        if (!(f[0] > 0.)) {
            std::fill_n(f, g.law->size(), 0.);
            continue;
        }
        if (g.law->size() != 3) continue;
        const double* f0 = start.data() + g.first;
        const double slip = std::hypot(f[1], f[2]), most = std::max(g.law->friction() * f[0], std::hypot(f0[1], f0[2]));
        if (slip > most)
            for (int k : {1, 2}) f[k] *= most / slip;
    }
}

}  // namespace

bool SubspaceStep::findFree(const ConstraintProblem& p, bool first)
{
    constexpr double inside = 1. - 1e-9;  // of the disc of friction
    m_rowsBefore.swap(m_rows);
    m_rows.clear();
    if (first) m_slides.assign(p.groups.size(), false);
    for (std::size_t k = 0; k < p.groups.size(); ++k) {
        const auto& g = p.groups[k];
        const double* f = p.force.data() + g.first;
        int count = g.law->size();
        if (g.law->isUnilateral()) {
            if (!(f[0] > 0.)) continue;
            if (count == 3 && (m_slides[k] || !(std::hypot(f[1], f[2]) < inside * g.law->friction() * f[0]))) {
                count = 1;
                if (first) m_slides[k] = true;
            }
        } else if (!g.law->isBilateral()) {
            continue;
        }
        for (int r = 0; r < count; ++r)
            if (p.diagonal(g, r) > 0.) m_rows.push_back(g.first + r);
    }
    return m_rows != m_rowsBefore;
}

Vector<double> SubspaceStep::violations(const ConstraintProblem& p) const
{
    Vector<double> d = p.dFree;
    for (std::size_t g = 0; g < p.groups.size(); ++g) m_w->addProduct(g, p.force.data(), d.data() + p.groups[g].first);
    return d;
}

bool SubspaceStep::findDirection(const Vector<double>& violations)
{
    using Eigen::Index;
    const auto n = static_cast<Index>(m_rows.size());
    Eigen::VectorXd change(n);
    std::vector<Eigen::Triplet<double, int>> entries;
    m_place.assign(violations.size(), -1);
    for (Index i = 0; i < n; ++i)
        m_place[static_cast<std::size_t>(m_rows[static_cast<std::size_t>(i)])] = static_cast<int>(i);
    for (Index i = 0; i < n; ++i) {
        const int row = m_rows[static_cast<std::size_t>(i)];
        change[i] = -violations[static_cast<std::size_t>(row)];
        m_w->forRow(row, [&](int column, double value) {
            const int j = m_place[static_cast<std::size_t>(column)];
            if (j < 0 || j > i || value == 0.) return;
            entries.emplace_back(static_cast<int>(i), j, j == i ? (1. + m_epsilon) * value : value);
        });
    }
    const auto sweep = static_cast<double>(m_w->entries());
    const bool dense = 4 * static_cast<Index>(entries.size()) > n * n;
    if (dense) {
        Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
        for (const auto& e : entries) a(e.row(), e.col()) = e.value();
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(a);
        m_cost += std::pow(static_cast<double>(n), 3) / 6. / sweep;
        if (factor.info() != Eigen::Success) return false;
        factor.solveInPlace(change);
    } else {
        Eigen::SparseMatrix<double> a(n, n);
        a.setFromTriplets(entries.begin(), entries.end());
        const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(a);
        if (factor.info() != Eigen::Success) return false;
        const Eigen::SparseMatrix<double>& l = factor.matrixL().nestedExpression();
        double operations = 10. * static_cast<double>(l.nonZeros());
        for (Index k = 0; k < n; ++k) {
            const double column = l.outerIndexPtr()[k + 1] - l.outerIndexPtr()[k];
            operations += column * column;
        }
        m_cost += operations / sweep;
        change = factor.solve(change).eval();
    }
    if (!change.allFinite()) return false;
    m_direction.assign(violations.size(), 0.);
    for (Index i = 0; i < n; ++i)
        m_direction[static_cast<std::size_t>(m_rows[static_cast<std::size_t>(i)])] = change[i];
    return true;
}

bool SubspaceStep::improve(ConstraintProblem& p)
{
    if (p.products && !m_w) {
        m_built.begin(p.w.starts());
        p.products->build(m_built);
    }
    m_w = p.products ? &m_built : &p.w;
    const Vector<double> before = p.force;
    const bool better = descend(p);
    p.allChanged(&before);
    return better;
}

bool SubspaceStep::descend(ConstraintProblem& p)
{
    m_cost = 0.;
    bool better = false, solved = false;
    Vector<double> present = violations(p), start, there;
    for (int k = 0; k < mostFactorisations; ++k) {
        const bool changed = findFree(p, k == 0);
        if (m_rows.empty() || (solved && !changed) || !findDirection(present)) return better;
        start = p.force;
        bool good = false;
        int halved = -1;
        while (halved < mostHalvings && !good) {
            const double share = std::ldexp(1., -++halved);
            for (std::size_t i = 0; i < start.size(); ++i) p.force[i] = start[i] + share * m_direction[i];
            project(p, start);
            there = violations(p);
            good = energyChange(p, start, present, there) < 0.;
        }
        const bool whole = good && halved == 0;
        solved = whole && m_epsilon <= 1e-6;
        m_epsilon = std::clamp(m_epsilon * (whole ? 0.1 : good ? 10. : 100.), 1e-10, 1e-2);
        if (good) {
            present.swap(there);
            better = true;
            continue;
        }
        p.force = start;
        if (m_epsilon == 1e-2) return better;
    }
    return better;
}

}  // namespace sofa::component
