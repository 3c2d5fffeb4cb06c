// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <span>

#include "core/geometry/Proximity.h"
#include "core/topology/BaseMeshTopology.h"

/// Where points, segments and planes meet the elements of a mesh, and how its surface is curved. Each call looks at all
/// elements once; for many queries of one pose there are geometry::Bvh and geometry::SurfaceDistance. `position` gives
/// the place of a point [m]; it is called for vertices of elements only.
namespace sofa::core::geometry {

using Positions = std::function<Vec3(Index)>;

/// The element nearest to a point; of several at the same distance that with the lowest number.
struct ClosestElement
{
    Index element = InvalidIndex;  ///< InvalidIndex where there are no elements
    Vec3 point;                    ///< nearest one of the element [m]
    Vec<8> weights;                ///< of its corners; zero beyond the last
    double distance = 0.;          ///< [m]
};
ClosestElement closestElement(const Vec3& p, const Vector<Edge>& edges, const Positions& position);
ClosestElement closestElement(const Vec3& p, const Vector<Triangle>& triangles, const Positions& position);
ClosestElement closestElement(const Vec3& p, const Vector<Tetrahedron>& tetrahedra, const Positions& position);
ClosestElement closestElement(const Vec3& p, const Vector<Hexahedron>& hexahedra, const Positions& position);
ClosestElement closestElement(const Vec3& p, const Vector<Prism>& prisms, const Positions& position);
ClosestElement closestElement(const Vec3& p, const Vector<Pyramid>& pyramids, const Positions& position);
/// Quads, which have the type of tetrahedra.
ClosestElement closestQuad(const Vec3& p, const Vector<Quad>& quads, const Positions& position);

/// Where a segment crosses a triangle (segmentCrossesTriangle).
struct SegmentCrossing : Crossing
{
    Index triangle = InvalidIndex;
};
/// All, from p to q; at equal places by the numbers of triangles. A crossing of a common side is one of both triangles.
Vector<SegmentCrossing> crossings(const Vec3& p, const Vec3& q, const Vector<Triangle>& triangles,
                                  const Positions& position);

/// The part of a triangle that lies in a plane.
struct PlaneSection
{
    Index triangle = InvalidIndex;
    /// [m]. The lines run counter-clockwise around a body whose triangles show outwards, seen from the tip of the
    /// normal of the plane.
    std::array<Vec3, 2> ends;
};
/// Sections with the plane n · (x − origin) = 0, by the numbers of triangles. Points in the plane count as above it, so
/// that the sections of a closed surface are closed lines: each end is that of two sections, to the bit.
/// Throws std::invalid_argument for a normal without length.
Vector<PlaneSection> planeSections(const Vec3& origin, const Vec3& normal, const Vector<Triangle>& triangles,
                                   const Positions& position);

/// Curvature of a surface at a point, positive where it bends away from its normal: 1/r for a sphere seen from outside.
struct Curvature
{
    double largest = 0., least = 0.;        ///< principal curvatures [1/m]
    Vec3 largestDirection, leastDirection;  ///< their unit directions
    double mean() const { return 0.5 * (largest + least); }
    double gaussian() const { return largest * least; }
};
/// That of the paraboloid that fits the points best that are one or two edges away from a vertex, in the frame of its
/// normal (least squares; J. Goldfeather, V. Interrante, "A novel cubic-order algorithm for approximating principal
/// direction vectors", ACM Transactions on Graphics 23, 2004, section 3, with the slope of the fit taken into account).
/// Its error falls with the size of the triangles, and with its square where they are regular. Throws
/// std::invalid_argument for a vertex with less than five such neighbours, or where these do not fix a paraboloid.
Curvature curvatureAt(const BaseMeshTopology& mesh, Index vertex, const Positions& position);

}  // namespace sofa::core::geometry
