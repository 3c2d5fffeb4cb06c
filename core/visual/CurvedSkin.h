// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/BezierTopology.h"
#include "core/visual/DrawTool.h"

namespace sofa::core {

/// A face of a body, and the element that it belongs to.
struct SkinFace
{
    Quad corners;  ///< drawn vertices; the last one of a triangle is InvalidIndex
    Index element = 0;
};

/// Writes down the border of quadratic Bézier tetrahedra, or Bézier triangles, as curved triangles. Normals are those
/// of the curves; where faces have drawn vertices in common, they are smooth from one to the other.
class CurvedSkin
{
public:
    /// Positions, normals and patches: `points` of the drawn vertices, control points of the elements at `x`.
    void fill(Geometry& g, const Vector<SkinFace>& faces, const Vector<Index>& points, const BezierTopology& mesh,
              const Vector<Vec3>& x);
    /// Colours, linear in each face: `colorOf` its element and a drawn vertex.
    static void fillColors(Geometry& g, const Vector<SkinFace>& faces, FunctionRef<Color(Index, Index)> colorOf);

private:
    struct Side
    {
        Edge ends;  ///< drawn vertices, in increasing order
        std::size_t place = 0;
    };
    Vector<Vec3> m_corners;  ///< sums of normals at drawn vertices
    Vector<Vec3> m_middles;  ///< normals in the middle of each face's sides
    Vector<Side> m_sides;
};

}  // namespace sofa::core
