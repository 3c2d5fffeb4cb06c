// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/MinimalResidual.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {
constexpr std::size_t grain = 16384;
/// Relative to the largest number of the tridiagonal matrix, what rounding may leave of zero.
constexpr double tiny = 1e-14;
}  // namespace

KrylovControl::Progress MinimalResidual::solve(LinearOperator& a, KrylovControl& control, const Vector<double>& b,
                                               Vector<double>& x)
{
    const std::size_t n = b.size();
    for (auto* v : {&m_before, &m_q, &m_d, &m_dBefore}) v->assign(n, 0.);
    m_v = b;
    const Ownership& sums = a.ownership();
    double beta = std::sqrt(sums.dot(b, b)), residual = beta;
    if (beta > 0.)
        for (double& v : m_v) v /= beta;
    // The last rotation, and what it left of the next column of the tridiagonal matrix.
    double c = -1., s = 0., delta = 0., epsilon = 0., largest = 0.;
    beta = 0.;  // of the first column: there is no vector before
    for (unsigned it = 0;; ++it) {
        const KrylovControl::Progress now{it, residual * residual, residual * residual};
        if (control.next(now) == KrylovControl::Next::Stop) return now;
        const double alpha = a.multiply(m_v, m_q);
        if (!control.accepts(now, alpha)) return now;
        parallelFor(0, n, grain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) m_q[i] = m_q[i] - alpha * m_v[i] - beta * m_before[i];
        });
        const double next = std::sqrt(sums.dot(m_q, m_q));
        const double above = c * delta + s * alpha, diagonal = s * delta - c * alpha;
        const double gamma = std::hypot(diagonal, next);
        largest = std::max({largest, std::abs(alpha), next});
        // The vectors so far hold all of the right-hand side that the matrix can reach.
        if (gamma <= tiny * largest) return now;
        const double twoAbove = epsilon;
        epsilon = s * next;
        delta = -c * next;
        c = diagonal / gamma;
        s = next / gamma;
        const bool isLast = next <= tiny * largest;
        const double step = c * residual;
        residual = isLast ? 0. : s * residual;
        parallelFor(0, n, grain, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                m_dBefore[i] = (m_v[i] - above * m_d[i] - twoAbove * m_dBefore[i]) / gamma;
                x[i] += step * m_dBefore[i];
                m_before[i] = isLast ? 0. : m_q[i] / next;
            }
        });
        std::swap(m_d, m_dBefore);
        std::swap(m_v, m_before);
        beta = next;
    }
}

}  // namespace sofa::core
