// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ConstraintLaw.h"

#include <algorithm>
#include <cmath>

namespace sofa::core {

namespace {

/// Inverse in place by Gauss and Jordan with pivots from the diagonal, largest first. Where no pivot is left (below
/// 1e-13 of the largest), rows and columns of the result are zero: the inverse on the regular part.
void invert(Vector<double>& a, std::size_t n)
{
    Vector<char> done(n, 0);
    double scale = 0.;
    for (std::size_t i = 0; i < n; ++i) scale = std::max(scale, std::abs(a[i * n + i]));
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t p = n;
        for (std::size_t i = 0; i < n; ++i)
            if (!done[i] && (p == n || std::abs(a[i * n + i]) > std::abs(a[p * n + p]))) p = i;
        if (!(std::abs(a[p * n + p]) > 1e-13 * scale)) break;
        done[p] = 1;
        const double pivot = 1. / a[p * n + p];
        a[p * n + p] = 1.;
        for (std::size_t j = 0; j < n; ++j) a[p * n + j] *= pivot;
        for (std::size_t i = 0; i < n; ++i) {
            if (i == p) continue;
            const double f = a[i * n + p];
            if (f == 0.) continue;
            a[i * n + p] = 0.;
            for (std::size_t j = 0; j < n; ++j) a[i * n + j] -= f * a[p * n + j];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (!done[i] || !done[j]) a[i * n + j] = 0.;
}

}  // namespace

void BilateralLaw::resize(int n)
{
    if (n != size()) m_force.clear();
    setSize(n);
}

void BilateralLaw::begin(const ComplianceBlock& w, double* force)
{
    const auto n = static_cast<std::size_t>(size());
    m_inverse.resize(n * n);
    for (int i = 0; i < size(); ++i)
        for (int j = 0; j < size(); ++j)
            m_inverse[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)] = w(i, j);
    invert(m_inverse, n);
    if (m_keep && m_force.size() == n) std::copy(m_force.begin(), m_force.end(), force);
}

void BilateralLaw::update(const ComplianceBlock&, double* d, double* force) const
{
    const auto n = static_cast<std::size_t>(size());
    for (std::size_t i = 0; i < n; ++i) {
        double s = 0.;
        for (std::size_t j = 0; j < n; ++j) s += m_inverse[i * n + j] * d[j];
        force[i] -= m_load * s;
    }
}

void BilateralLaw::end(const double* force, bool)
{
    if (m_keep) m_force.assign(force, force + size());
}

void ContactLaw::startFrom(std::span<const double> force)
{
    m_count = std::min(force.size(), static_cast<std::size_t>(size()));
    std::copy_n(force.begin(), m_count, m_start.begin());
}

void ContactLaw::begin(const ComplianceBlock&, double* force) { std::copy_n(m_start.begin(), m_count, force); }

void UnilateralLaw::update(const ComplianceBlock& w, double* d, double* force) const
{
    if (!(w(0, 0) > 0.)) return;
    force[0] = std::max(0., force[0] - (step() > 0. ? step() * d[0] : d[0] / w(0, 0)));
}

void CoulombLaw::update(const ComplianceBlock& w, double* d, double* force) const
{
    if (!(w(0, 0) > 0.)) return;
    const double before = force[0];
    force[0] -= step() > 0. ? step() * d[0] : d[0] / w(0, 0);
    if (force[0] < 0.) {
        force[0] = force[1] = force[2] = 0.;
        return;
    }
    const double tangential = 0.5 * (w(1, 1) + w(2, 2));
    if (!(tangential > 0.)) return;
    for (int k : {1, 2}) force[k] -= step() > 0. ? step() * d[k] : (d[k] + w(0, k) * (force[0] - before)) / tangential;
    const double norm = std::hypot(force[1], force[2]), most = m_mu * force[0];
    if (norm > most) {
        force[1] *= most / norm;
        force[2] *= most / norm;
    }
}

void IntervalLaw::update(const ComplianceBlock& w, double* d, double* force) const
{
    if (!(w(0, 0) > 0.)) return;
    const double free = d[0] - w(0, 0) * force[0];
    force[0] = (std::clamp(free, m_low, m_high) - free) / w(0, 0);
}

}  // namespace sofa::core
