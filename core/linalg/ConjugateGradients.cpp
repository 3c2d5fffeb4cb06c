// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/ConjugateGradients.h"

#include <utility>

#include "core/linalg/VectorKernels.h"

namespace sofa::core {

void ConjugateGradients::startFrom(LinearOperator& a, const Vector<double>& x)
{
    m_q.resize(m_r.size());
    (void)a.multiply(x, m_q);
    vector::addScaled(m_r, m_q, -1.);
}

KrylovControl::Progress ConjugateGradients::solve(LinearOperator& a, KrylovControl& control, Vector<double>& x)
{
    m_p.resize(m_r.size());
    m_q.assign(m_r.size(), 0.);
    using Next = KrylovControl::Next;
    const Ownership& sums = a.ownership();
    KrylovControl::Progress now{0, sums.dot(m_r, m_r), 0.};
    double alpha = 0.;     // of the step along p that is still to be taken, in one pass with the next direction
    double previous = 0.;  // ρ of that step; 0: there was none
    for (;; ++now.iterations) {
        const Vector<double>* z = nullptr;
        Next next{};
        do {
            z = &control.precondition(m_r);
            now.rho = z == &m_r ? now.square : sums.dot(m_r, *z);
            next = control.next(now);
            if (next != Next::Iterate && alpha != 0.) vector::addScaled(x, m_p, std::exchange(alpha, 0.));
            if (next == Next::Stop) return now;
            if (next == Next::Restart) previous = 0.;
        } while (next == Next::Restart);
        if (previous == 0.)
            m_p = *z;
        else
            vector::updateDirection(x, m_p, *z, std::exchange(alpha, 0.), now.rho / previous);
        const double curvature = a.multiply(m_p, m_q);
        if (!control.accepts(now, curvature)) return now;
        previous = now.rho;
        alpha = now.rho / curvature;
        now.square = sums.updateResidual(m_r, m_q, alpha);
    }
}

}  // namespace sofa::core
