// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <set>

#include "core/topology/TopologyTransaction.h"

/// Surfaces of triangles and volumes of tetrahedra that are divided so that points and sides lie where they are
/// needed, and opened along sides. All parts of an element have its deformation, so that volume, mass, momentum and
/// the energy of constant strain stay; what is new is interpolated from what it was made of.
namespace sofa::core {

/// Elements of the highest dimension that can be divided: tetrahedra if there are any, otherwise triangles. Throws
/// std::runtime_error if there is neither, or if there are quads or hexahedra, prisms or pyramids as well.
ElementType divisibleElements(const StoredTopology& mesh);

/// Divides the edge a–b, and each element on it in two, at (1 − t) a + t b, 0 < t < 1. Returns the new point. The
/// elements keep their orientation. Throws std::runtime_error if no element has the edge, or what the change throws.
Index splitEdge(TopologyTransaction& change, StoredTopology& mesh, Index a, Index b, double t);

/// Divides a triangle of a surface in three at the point with these barycentric coordinates, all positive. Returns the
/// new point.
Index splitTriangle(TopologyTransaction& change, StoredTopology& mesh, Index triangle, const Vec3& weights);

/// Sides of elements, each with its vertices in increasing order: edges of triangles, triangles of tetrahedra.
using Sides = std::set<Vector<Index>>;

/// A point that became several: its copies have the same place, velocity, ...
struct OpenedPoint
{
    Index point;
    Vector<Index> copies;
};
/// Opens the mesh along sides: elements on both sides of them no longer share them. A point of a side becomes as many
/// as the elements around it fall into groups that hang together by other sides; the group of the element with the
/// lowest number keeps it. Points at the end of a cut that is inside of the mesh stay one. Returns what became of the
/// points that are several now, in increasing order.
Vector<OpenedPoint> open(TopologyTransaction& change, StoredTopology& mesh, const Sides& sides);

/// Elements of pieces of the mesh that have fewer than `least` elements and one of these points, in increasing order.
Vector<Index> smallPieces(const StoredTopology& mesh, const Vector<Index>& points, std::size_t least);

}  // namespace sofa::core
