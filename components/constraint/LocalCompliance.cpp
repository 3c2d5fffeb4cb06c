// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/constraint/LocalCompliance.h"

#include <algorithm>

#include "core/linalg/VectorKernels.h"

namespace sofa::component {

using namespace core;

void LocalCompliance::begin(std::span<const int> rows, std::span<const double> w)
{
    m_rows = rows;
    m_w = w;
    m_force.assign(rows.size(), 0.);
}

int LocalCompliance::local(int row) const
{
    const auto it = std::ranges::lower_bound(m_rows, row);
    return it != m_rows.end() && *it == row ? static_cast<int>(it - m_rows.begin()) : -1;
}

void LocalCompliance::addBlock(int first, int n, double* w) const
{
    for (int i = 0; i < n; ++i) {
        const int r = local(first + i);
        if (r < 0) continue;
        for (int j = 0; j < n; ++j) {
            const int c = local(first + j);
            if (c >= 0) w[i * n + j] += m_w[static_cast<std::size_t>(r) * m_force.size() + static_cast<std::size_t>(c)];
        }
    }
}

void LocalCompliance::addProduct(int first, int n, double* d) const
{
    for (int i = 0; i < n; ++i) {
        const int r = local(first + i);
        if (r < 0) continue;
        d[i] += vector::dot({m_w.data() + static_cast<std::size_t>(r) * m_force.size(), m_force.size()}, m_force);
    }
}

void LocalCompliance::startFrom(std::span<const double> force)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) m_force[i] = force[static_cast<std::size_t>(m_rows[i])];
}

void LocalCompliance::changeForce(int first, int n, const double* change)
{
    for (int i = 0; i < n; ++i) {
        const int r = local(first + i);
        if (r >= 0) m_force[static_cast<std::size_t>(r)] += change[i];
    }
}

}  // namespace sofa::component
