// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/mesh/FarthestPoints.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace sofa::core {

constexpr double unreached = std::numeric_limits<double>::infinity();

FarthestPoints::FarthestPoints(const Vector<Vec3>& x, const Vector<Edge>& edges)
    : m_x(x),
      m_edges(edges),
      m_edgesOf(x.size(), edges.size(), [&edges](std::size_t e) -> const Edge& { return edges[e]; }),
      m_nearest(x.size(), InvalidIndex),
      m_distances(x.size(), unreached)
{
}

bool FarthestPoints::addFarthest()
{
    const auto farthest = std::max_element(m_distances.begin(), m_distances.end());
    if (farthest == m_distances.end() || *farthest == 0.) return false;
    m_samples.push_back(static_cast<Index>(farthest - m_distances.begin()));
    spread(static_cast<Index>(m_samples.size() - 1));
    return true;
}

void FarthestPoints::spread(Index sample)
{
    const Index start = m_samples[sample];
    const auto reach = [&](Index i, double d) {
        if (!(d < m_distances[i])) return false;
        m_distances[i] = d;
        m_nearest[i] = sample;
        return true;
    };
    if (m_edges.empty()) {
        for (std::size_t i = 0; i < m_x.size(); ++i) reach(static_cast<Index>(i), norm(m_x[i] - m_x[start]));
        return;
    }
    using Entry = std::pair<double, Index>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
    if (reach(start, 0.)) front.emplace(0., start);
    while (!front.empty()) {
        const auto [d, i] = front.top();
        front.pop();
        if (d > m_distances[i]) continue;
        for (const Index e : m_edgesOf[i]) {
            const Index j = m_edges[e][0] == i ? m_edges[e][1] : m_edges[e][0];
            const double along = d + norm(m_x[j] - m_x[i]);
            if (reach(j, along)) front.emplace(along, j);
        }
    }
}

bool FarthestPoints::relax()
{
    std::vector<Vec3> means(size());
    std::vector<double> counts(size(), 0.), least(size());
    for (std::size_t i = 0; i < m_x.size(); ++i)
        if (m_nearest[i] != InvalidIndex) {
            means[m_nearest[i]] += m_x[i];
            ++counts[m_nearest[i]];
        }
    for (std::size_t k = 0; k < size(); ++k) {
        means[k] /= counts[k];
        least[k] = norm2(m_x[m_samples[k]] - means[k]);
    }
    bool moved = false;
    for (std::size_t i = 0; i < m_x.size(); ++i) {
        const Index k = m_nearest[i];
        if (k == InvalidIndex) continue;
        const double d = norm2(m_x[i] - means[k]);
        if (!(d < least[k])) continue;
        least[k] = d;
        m_samples[k] = static_cast<Index>(i);
        moved = true;
    }
    if (!moved) return false;
    std::fill(m_distances.begin(), m_distances.end(), unreached);
    std::fill(m_nearest.begin(), m_nearest.end(), InvalidIndex);
    for (Index k = 0; k < size(); ++k) spread(k);
    return true;
}

}  // namespace sofa::core
