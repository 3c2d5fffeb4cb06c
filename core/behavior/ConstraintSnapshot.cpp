// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ConstraintSnapshot.h"

#include <algorithm>
#include <cmath>

namespace sofa::core {

void ConstraintSnapshot::add(std::unique_ptr<ConstraintLaw> law)
{
    m_starts.push_back(m_starts.back() + law->size());
    m_laws.push_back(std::move(law));
}

void ConstraintSnapshot::setSystem(std::span<const double> w, std::span<const double> dFree,
                                   std::span<const double> force, double tolerance)
{
    m_tolerance = tolerance;
    m_w.begin(m_starts);
    m_w.assignDense(w);
    m_dFree.assign(dFree.begin(), dFree.end());
    m_moved = m_dFree;
    m_force.assign(m_dFree.size(), 0.);
    std::size_t largest = 0;
    for (std::size_t g = 0; g < m_laws.size(); ++g) {
        m_laws[g]->begin({m_w.diagonal(g), m_w.stride(g)}, m_force.data() + m_starts[g]);
        largest = std::max(largest, static_cast<std::size_t>(m_laws[g]->size()));
    }
    m_force.assign(force.begin(), force.end());
    m_d.resize(largest);
    m_before.resize(largest);
}

void ConstraintSnapshot::setJacobian(ConstraintMatrix::Part jacobian, double scale)
{
    m_jacobian = std::move(jacobian);
    m_scale = scale;
}

void ConstraintSnapshot::moveToFirstPoint() { std::ranges::fill(m_jacobian.points, Index{0}); }

int ConstraintSnapshot::solve(std::span<const double> dx, const Settings& s)
{
    m_moved = m_dFree;
    const ConstraintMatrix::Part& h = m_jacobian;
    for (std::size_t r = 0; r < h.size(); ++r)
        for (int e = h.start[r]; e < h.start[r + 1]; ++e) {
            const std::size_t at = std::size_t{h.points[static_cast<std::size_t>(e)]} * h.derivSize;
            if (at + h.derivSize > dx.size()) continue;
            const double* entry = h.values.data() + static_cast<std::size_t>(e) * h.derivSize;
            for (std::size_t d = 0; d < h.derivSize; ++d)
                m_moved[static_cast<std::size_t>(h.rows[r])] += m_scale * entry[d] * dx[at + d];
        }
    int sweeps = 0;
    while (sweeps < s.maxIterations && !(s.deadline && std::chrono::steady_clock::now() >= *s.deadline)) {
        ++sweeps;
        double largest = 0.;
        for (std::size_t g = 0; g < m_laws.size(); ++g) {
            const int n = m_laws[g]->size();
            const ComplianceBlock w{m_w.diagonal(g), m_w.stride(g)};
            double* f = m_force.data() + m_starts[g];
            std::copy_n(f, n, m_before.data());
            std::copy_n(m_moved.data() + m_starts[g], n, m_d.data());
            m_w.addProduct(g, m_force.data(), m_d.data());
            m_laws[g]->update(w, m_d.data(), f);
            double square = 0.;
            for (int i = 0; i < n; ++i) {
                double change = 0.;
                for (int j = 0; j < n; ++j) change += w(i, j) * (f[j] - m_before[static_cast<std::size_t>(j)]);
                square += change * change;
            }
            largest = std::max(largest, std::sqrt(square));
        }
        if (largest <= s.tolerance) break;
    }
    return sweeps;
}

void ConstraintSnapshot::addForce(std::span<double> f) const
{
    const ConstraintMatrix::Part& h = m_jacobian;
    for (std::size_t r = 0; r < h.size(); ++r) {
        const double lambda = m_force[static_cast<std::size_t>(h.rows[r])];
        if (lambda == 0.) continue;
        for (int e = h.start[r]; e < h.start[r + 1]; ++e) {
            const std::size_t at = std::size_t{h.points[static_cast<std::size_t>(e)]} * h.derivSize;
            if (at + h.derivSize > f.size()) continue;
            for (std::size_t d = 0; d < h.derivSize; ++d)
                f[at + d] += lambda * h.values[static_cast<std::size_t>(e) * h.derivSize + d];
        }
    }
}

}  // namespace sofa::core
