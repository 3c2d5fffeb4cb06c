// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/NearPairs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sofa::core::geometry {

namespace {

bool areFinite(std::span<const Aabb> boxes)
{
    return std::ranges::all_of(boxes, [](const Aabb& b) {
        bool finite = true;
        for (std::size_t k = 0; k < 3; ++k)
            finite = finite && b.lower[k] <= b.upper[k] && b.lower[k] > -Aabb::infinity && b.upper[k] < Aabb::infinity;
        return finite;
    });
}

/// Largest distance by which a bound moved beyond a common way; infinite if a box is not valid and finite.
double largestMotion(std::span<const Aabb> now, std::span<const Aabb> before, const Vec3& way)
{
    double notFinite = 0., largest = 0.;
    for (std::size_t i = 0; i < now.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            const double l = now[i].lower[k] - before[i].lower[k] - way[k];
            const double u = now[i].upper[k] - before[i].upper[k] - way[k];
            notFinite += (l + u) * 0. + (now[i].lower[k] <= now[i].upper[k] ? 0. : 1.);
            largest = std::max(largest, std::max(std::abs(l), std::abs(u)));
        }
    return notFinite == 0. ? largest : std::numeric_limits<double>::infinity();
}

/// Mean length of the sides of the boxes of two bodies.
double meanSize(std::span<const Aabb> a, std::span<const Aabb> b)
{
    double sum = 0.;
    for (const std::span<const Aabb> boxes : {a, b})
        for (const Aabb& box : boxes)
            for (std::size_t k = 0; k < 3; ++k) sum += box.upper[k] - box.lower[k];
    return sum / (3. * static_cast<double>(a.size() + b.size()));
}

}  // namespace

std::span<const IndexPair> NearPairs::find(std::span<const Aabb> a, std::span<const Aabb> b, double distance,
                                           Search search)
{
    // A look at all boxes costs more than finding few pairs does: a small body over a large one.
    const bool few = 4 * m_last < a.size() + b.size();
    if (few && m_margin == 0.) {
        m_a.clear();
        m_b.clear();
        ++m_searches;
        const auto found = search(distance);
        m_last = found.size();
        return found;
    }
    // What the last search is worth.
    double motion = std::numeric_limits<double>::infinity();
    ++m_age;
    if (a.size() == m_a.size() && b.size() == m_b.size() && !a.empty() && !b.empty() && distance == m_distance) {
        const Vec3 way = a[0].lower - m_a[0].lower;
        motion = largestMotion(a, m_a, way) + largestMotion(b, m_b, way);
    }
    if (!(motion < m_margin)) {
        const double step = motion / static_cast<double>(m_age), size = meanSize(a, b);
        m_a.assign(a.begin(), a.end());
        m_b.assign(b.begin(), b.end());
        m_distance = distance;
        m_age = 0;
        ++m_searches;
        m_margin = 0.;
        if (!areFinite(a) || !areFinite(b)) m_a.clear();  // what it is compared with next must be finite too
        if (few || m_a.empty() || !(step < 0.25 * size)) {
            const auto found = search(distance);
            m_last = found.size();
            return found;
        }
        const double margin = std::clamp(8. * step, 0.1 * size, 0.5 * size);
        const auto near = search(distance + margin);
        m_kept.assign(near.begin(), near.end());
        m_margin = 0.999 * margin;  // motions are rounded
    }
    m_found.clear();
    for (const IndexPair& p : m_kept)
        if (a[p.first].overlaps(b[p.second], distance)) m_found.push_back(p);
    m_last = m_found.size();
    return {m_found.data(), m_last};
}

}  // namespace sofa::core::geometry
