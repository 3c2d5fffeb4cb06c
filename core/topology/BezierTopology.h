// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>
#include <string>

#include "core/mesh/Ancestors.h"
#include "core/mesh/BezierElements.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

class StoredTopology;

/// A mesh of tetrahedra, or of triangles, with control points on their edges: `tetrahedra` or `triangles` are their
/// corners.
class BezierTopology
{
public:
    virtual ~BezierTopology() = default;
    /// The control points of each element, in the order of the list; of edges of degree 1 those of middlePoints().
    /// Empty for the other kind.
    virtual const Vector<BezierTetrahedron>& bezierTetrahedra() const = 0;
    virtual const Vector<BezierTriangle>& bezierTriangles() const = 0;
    virtual const MiddlePoints& middlePoints() const = 0;
    /// The control point of each edge; InvalidIndex for those of degree 1.
    virtual const Vector<Index>& edgeControlPoints() const = 0;
};

/// The control point of the edge between two corners of an element, or of a corner, by the points of these. Nothing is
/// checked.
Index controlPointOf(const BezierTopology& mesh, Index element, Index from, Index to);

/// The point with the barycentric coordinates `alpha` in an element as a sum of points: the weights α_i α_j of its
/// control points; those of middle points go to the ends of their edges.
Ancestors bezierPoint(std::span<const double, 4> alpha, const BezierTetrahedron& t, const MiddlePoints& middles);
Ancestors bezierPoint(std::span<const double, 3> alpha, const BezierTriangle& t, const MiddlePoints& middles);

/// Changes edges from one degree to the other, as one TopologyTransaction: control points come in the middle of edges,
/// or go. An edge that is named twice changes once. Throws std::runtime_error, having changed nothing, if something
/// cannot follow.
void changeDegrees(StoredTopology& mesh, std::span<const Index> edges);

/// Empty if the Jacobian has one sign everywhere, which is proven then; otherwise says where it vanishes or is least:
/// "is folded near (0.1 0.2 0): ...". Elements that are numbered inside out are not folded.
std::string foldOf(const std::array<Vec3, 10>& control);

/// The mesh of a topology. Throws std::runtime_error if it has none.
const BezierTopology& bezierTopologyOf(const BaseMeshTopology& t);
/// The same; throws also if its elements lack control points because it failed.
const BezierTopology& completeBezierTopologyOf(const BaseMeshTopology& t);

}  // namespace sofa::core
