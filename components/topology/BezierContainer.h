// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/TopologyContainers.h"
#include "core/topology/BezierTopology.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Container of Bézier tetrahedra of degree 1 and 2: a mesh of tetrahedra, and a control point for each edge of
/// degree 2.
///
/// From a linear mesh it is made by raising the degree: behind the points of the mesh come those in the middle of the
/// edges, in their order. A state of the node without positions of its own gets all of them. Where control points are
/// given, the positions have them already. Midside nodes of meshes of the second order, which lie on the curves, become
/// control points. Elements that are folded in the rest shape are refused.
///
/// The degree of an edge changes with its control point: a new point half of each end of an edge of degree 1 is its
/// control point (changeDegrees); an edge whose control point is removed has degree 1. Elements do not change.
class BezierTetrahedronSetTopologyContainer final : public TetrahedronSetTopologyContainer,
                                                    public BezierTopology,
                                                    public TopologyFollower,
                                                    public TopologyModifier
{
public:
    Data<Vector<Index>> d_edgeControlPoints{
        this,
        {.name = "edgeControlPoints",
         .help =
             "Control point of each edge, 4294967295 for those of degree 1; default: new points in the middle of the "
             "edges of degree 2, behind the others"}};
    Data<Vector<std::array<Index, 4>>> d_highOrderEdgePositions{
        this,
        {.name = "highOrderEdgePositions",
         .help =
             "Midside nodes of a mesh of the second order as loaders give them, with their edges: these points become "
             "the control points of the curves through them"}};
    Data<Vector<Index>> d_pointEdges{this,
                                     {.name = "pointEdges",
                                      .help = "Edge of each point that is a control point; 4294967295 for corners",
                                      .readOnly = true}};
    Data<Vector<Index>> d_degrees{
        this,
        {.name = "degrees",
         .help =
             "Degree of the edges, 1 or 2: one for all, or one for each; where control points are given, theirs count",
         .unit = "1"},
        {2}};

    void init() override;
    const Vector<BezierTetrahedron>& bezierTetrahedra() const override;
    const MiddlePoints& middlePoints() const override;
    const Vector<Index>& edgeControlPoints() const override { return d_edgeControlPoints.value(); }

    std::string refusal(const TopologyStep&) const override;
    PointLists pointLists() override;
    void followTopology(const TopologyChange&) override;

private:
    void prepare() override;
    bool checkDegrees();
    /// Sets positions and control points of a mesh with midside nodes. Throws std::runtime_error.
    void takeMidsideNodes(Vector<Vec3>& points, Vector<Index>& control) const;
    /// Fails if an element is folded.
    void checkShapes();
    /// Sets control points and degrees of edges as pointEdges has them.
    void findDegrees();
    void makeElements() const;

    mutable Vector<std::array<Index, 6>> m_edgesOfCells;
    mutable Vector<BezierTetrahedron> m_elements;
    mutable MiddlePoints m_middles;
    mutable bool m_isMade = false;
};

}  // namespace sofa::component
