// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/TopologyContainers.h"
#include "core/topology/BezierTopology.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Container of quadratic Bézier tetrahedra: a mesh of tetrahedra, and a control point for each edge.
///
/// From a linear mesh it is made by raising the degree: behind the points of the mesh come those in the middle of the
/// edges, in their order. A state of the node without positions of its own gets all of them. Where control points are
/// given, the positions have them already.
class BezierTetrahedronSetTopologyContainer final : public TetrahedronSetTopologyContainer,
                                                    public BezierTopology,
                                                    public TopologyFollower
{
public:
    Data<Vector<Index>> d_edgeControlPoints{
        this,
        {.name = "edgeControlPoints",
         .help = "Control point of each edge; default: new points in the middle of the edges, behind the others"}};

    void init() override;
    const Vector<BezierTetrahedron>& bezierTetrahedra() const override;

    std::string refusal(const TopologyStep&) const override
    {
        return "the control points of its edges do not follow changes";
    }
    PointLists pointLists() override { return noLists(); }

private:
    void prepare() override;

    mutable Vector<BezierTetrahedron> m_elements;
    mutable std::size_t m_madeAt = 0;
};

}  // namespace sofa::component
