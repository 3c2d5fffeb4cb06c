// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/Ownership.h"

#include "core/linalg/VectorKernels.h"

namespace sofa::core {

double Ownership::dot(const Vector<double>& x, const Vector<double>& y) const
{
    double sum = 0.;
    if (m_owned.empty())
        sum = vector::dot(x, y);
    else
        for (const auto& [first, last] : m_owned)
            sum += vector::dot({x.data() + first, last - first}, {y.data() + first, last - first});
    return m_total ? m_total(sum) : sum;
}

double Ownership::updateResidual(Vector<double>& r, const Vector<double>& q, double alpha) const
{
    if (isWhole()) return vector::updateResidual(r, q, alpha);
    vector::addScaled(r, q, -alpha);
    return dot(r, r);
}

}  // namespace sofa::core
