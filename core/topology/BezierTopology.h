// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/mesh/BezierElements.h"
#include "core/topology/BaseMeshTopology.h"

namespace sofa::core {

/// A mesh whose tetrahedra have control points on their edges: `tetrahedra` are their corners.
class BezierTopology
{
public:
    virtual ~BezierTopology() = default;
    /// The control points of each tetrahedron, in the order of the list.
    virtual const Vector<BezierTetrahedron>& bezierTetrahedra() const = 0;
};

/// Those of a mesh. Throws std::runtime_error if it has none.
inline const Vector<BezierTetrahedron>& bezierTetrahedraOf(const BaseMeshTopology& t)
{
    const auto* curved = dynamic_cast<const BezierTopology*>(&t);
    if (!curved)
        throw std::runtime_error("the topology '" + t.pathName() + "' (" + t.className() +
                                 ") has no control points on its edges; a BezierTetrahedronSetTopologyContainer has");
    return curved->bezierTetrahedra();
}

}  // namespace sofa::core
