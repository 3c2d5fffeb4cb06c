// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/collision/SurfaceAdjacency.h"

#include <algorithm>
#include <tuple>

namespace sofa::core {

SurfaceAdjacency::SurfaceAdjacency(const Vector<Triangle>& triangles, Index pointCount)
    : m_opposite(3 * triangles.size(), InvalidIndex),
      m_first(pointCount, InvalidIndex),
      m_start(pointCount + 1, 0),
      m_owner(3 * triangles.size(), 0),
      m_border(pointCount, 0)
{
    // The sides of all triangles, sorted by their ends: those of one side are neighbours.
    struct Side
    {
        Index low, high, triangle;
        std::size_t k;
        bool operator<(const Side& o) const
        {
            return std::tie(low, high, triangle, k) < std::tie(o.low, o.high, o.triangle, o.k);
        }
    };
    Vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), static_cast<Index>(t), k});
            if (m_first[a] == InvalidIndex) m_first[a] = static_cast<Index>(t);
        }
    std::sort(sides.begin(), sides.end());
    const auto sameEnds = [](const Side& a, const Side& b) { return a.low == b.low && a.high == b.high; };
    const auto apex = [&](const Side& s) { return triangles[s.triangle][(s.k + 2) % 3]; };
    for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
        end = begin + 1;
        while (end < sides.size() && sameEnds(sides[begin], sides[end])) ++end;
        m_owner[3 * sides[begin].triangle + sides[begin].k] = 1;
        bool single = true;
        for (std::size_t i = begin; i < end; ++i)
            for (std::size_t j = begin; j < end; ++j)
                if (apex(sides[j]) != apex(sides[i])) {
                    m_opposite[3 * sides[i].triangle + sides[i].k] = apex(sides[j]);
                    single = false;
                    break;
                }
        if (single) m_border[sides[begin].low] = m_border[sides[begin].high] = 1;
        ++m_start[sides[begin].low + 1];
        ++m_start[sides[begin].high + 1];
    }
    for (std::size_t p = 0; p < pointCount; ++p) m_start[p + 1] += m_start[p];
    m_ring.resize(m_start[pointCount]);
    Vector<Index> next(m_start.begin(), m_start.end() - 1);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (i > 0 && sameEnds(sides[i - 1], sides[i])) continue;
        m_ring[next[sides[i].low]++] = sides[i].high;
        m_ring[next[sides[i].high]++] = sides[i].low;
    }
    for (std::size_t p = 0; p < pointCount; ++p)
        std::sort(m_ring.begin() + m_start[p], m_ring.begin() + m_start[p + 1]);
}

}  // namespace sofa::core
