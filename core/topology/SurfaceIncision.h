// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/topology/Subdivision.h"

/// Cuts of surfaces of triangles along paths of points.
namespace sofa::core {

/// A place on a surface: a triangle, and the parts of its corners, which are not negative and add up to one.
struct SurfacePlace
{
    Index triangle = InvalidIndex;
    Vec3 weights;
};

/// The place of a surface that is nearest to a point, of several that on the triangle with the lowest number. Throws
/// std::runtime_error if the mesh has no triangles, or if the point is not finite. Looks at all triangles.
/// @param x places of the points of the mesh [m]
SurfacePlace nearestPlace(const StoredTopology& mesh, const Vector<Vec3>& x, const Vec3& point);
/// The place of one triangle. Throws std::runtime_error if it is not there.
SurfacePlace placeOn(const StoredTopology& mesh, const Vector<Vec3>& x, const Vec3& point, Index triangle);

/// How near a cut comes to what is there before it goes through it.
struct IncisionSnap
{
    /// Where the path crosses an edge nearer to one of its ends than this part of the edge it goes through that point;
    /// a point of the path whose part of a corner of its triangle is below it lies on the edge opposite. From 0, which
    /// cuts exactly where the path is, to 0.5. Each division leaves each part of a triangle at least this part of its
    /// area, and no longer edge: sines of angles shrink at most by this factor. A triangle is divided once or twice by
    /// a path that goes through, up to four times where a path ends in it.
    double path = 0.1;
    /// The first and the last point of a path whose part of a corner is below this, opposite of a border, go to the
    /// border. From 0 to 1.
    double border = 0.25;
};

/// What a cut made.
struct Incision
{
    /// Points of the mesh along the path, in its order, as they were before the mesh opened: of those that became
    /// several, one of them. InvalidIndex stands where the path is outside of the mesh.
    Vector<Index> path;
    Vector<OpenedPoint> opened;  ///< those that became several
};

/// Cuts a surface along a path of two or more places. Between two of them the cut runs in the plane that contains both
/// and the mean normal of the surface at both: straight on flat parts. It divides the triangles that it crosses, ends
/// inside of triangles, may meet or cross itself and earlier cuts, run along edges and through points. Where it leaves
/// the mesh it goes on where it enters again. What lies between a closed path comes free. One edge inside of the mesh
/// is divided in the middle, so that it opens. A path along the border changes nothing.
///
/// Throws std::runtime_error, for the transaction to be taken back, if the mesh has other elements than triangles, if
/// there are fewer than two different points, or if a path cannot be found between two points: they lie on parts of the
/// mesh that do not face each other, or the plane through them touches the surface.
/// @param x places of the points of the mesh [m], in which the path is found: present or at rest
Incision incise(TopologyTransaction& change, StoredTopology& mesh, const Vector<Vec3>& x,
                const std::vector<SurfacePlace>& path, const IncisionSnap& snap = {});

}  // namespace sofa::core
