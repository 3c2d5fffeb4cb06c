// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// What lies around the triangles of a surface, so that a contact can tell whether it is the nearest one of its
/// neighbourhood or whether the next triangle comes nearer.
class SurfaceAdjacency
{
public:
    SurfaceAdjacency() = default;
    SurfaceAdjacency(const Vector<Triangle>& triangles, Index pointCount);

    /// The corner beyond side k (from corner k to corner k + 1) of a triangle: that of the first other triangle with
    /// this side, InvalidIndex if there is none. Triangles that the list has twice are one.
    Index opposite(Index triangle, std::size_t side) const { return m_opposite[3 * triangle + side]; }
    /// Whether the triangle is the first one with side k in the list, or the first one with a point: what belongs to
    /// several triangles is found once.
    bool ownsSide(Index triangle, std::size_t side) const { return m_owner[3 * triangle + side] != 0; }
    bool ownsCorner(Index triangle, Index point) const { return m_first[point] == triangle; }
    /// The points to which a side of a triangle joins a point, in increasing order.
    std::span<const Index> ring(Index point) const
    {
        return {m_ring.data() + m_start[point], m_ring.data() + m_start[point + 1]};
    }
    /// Whether a side without a second triangle ends at the point.
    bool onBorder(Index point) const { return m_border[point] != 0; }

private:
    Vector<Index> m_opposite, m_first, m_start, m_ring;
    Vector<char> m_owner, m_border;
};

}  // namespace sofa::core
