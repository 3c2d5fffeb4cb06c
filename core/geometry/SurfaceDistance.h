// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/geometry/Bvh.h"
#include "core/mesh/Elements.h"

namespace sofa::core::geometry {

/// Signed distance of points from a closed surface of triangles that are seen from outside.
///
/// The sign is that of the offset from the nearest point along the sum of the normals there: of the triangle, of both
/// at a side, and of all at a corner, weighed with their angles (J. A. Bærentzen, H. Aanæs, "Signed distance
/// computation using the angle weighted pseudonormal", IEEE Transactions on Visualization and Computer Graphics 11,
/// 2005). Corners may have several numbers, as at the seams of textures.
class SurfaceDistance
{
public:
    /// Keeps references to both lists. Throws std::runtime_error where a vertex does not exist or is not finite, or if
    /// there is no triangle.
    SurfaceDistance(const Vector<Vec3>& positions, const Vector<Triangle>& triangles);
    /// Negative inside. May be called by several threads.
    double operator()(const Vec3& p) const;
    const Aabb& bounds() const { return m_bvh.bounds(); }

private:
    std::array<Vec3, 3> corners(Index triangle) const;

    const Vector<Vec3>& m_positions;
    const Vector<Triangle>& m_triangles;
    Bvh m_bvh;
};

}  // namespace sofa::core::geometry
