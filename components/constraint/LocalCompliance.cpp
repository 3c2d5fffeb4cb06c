// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/LocalCompliance.h"

#include "core/linalg/VectorKernels.h"

namespace sofa::component {

using namespace core;

void LocalCompliance::begin(int total, const Vector<int>& rows, std::span<const double> w)
{
    m_local.assign(static_cast<std::size_t>(total), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) m_local[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
    m_w = w;
    m_force.assign(rows.size(), 0.);
}

void LocalCompliance::addBlock(int first, int n, double* w) const
{
    for (int i = 0; i < n; ++i) {
        const int r = m_local[static_cast<std::size_t>(first + i)];
        if (r < 0) continue;
        for (int j = 0; j < n; ++j) {
            const int c = m_local[static_cast<std::size_t>(first + j)];
            if (c >= 0) w[i * n + j] += m_w[static_cast<std::size_t>(r) * m_force.size() + static_cast<std::size_t>(c)];
        }
    }
}

void LocalCompliance::addProduct(int first, int n, double* d) const
{
    for (int i = 0; i < n; ++i) {
        const int r = m_local[static_cast<std::size_t>(first + i)];
        if (r < 0) continue;
        d[i] += vector::dot({m_w.data() + static_cast<std::size_t>(r) * m_force.size(), m_force.size()}, m_force);
    }
}

void LocalCompliance::changeForce(int first, int n, const double* change)
{
    for (int i = 0; i < n; ++i) {
        const int r = m_local[static_cast<std::size_t>(first + i)];
        if (r >= 0) m_force[static_cast<std::size_t>(r)] += change[i];
    }
}

}  // namespace sofa::component
