// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/TopologyContainers.h"
#include "core/topology/BezierTopology.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

/// Bézier elements of degree 1 and 2: a mesh, and a control point for each edge of degree 2. `Base` is the container of
/// the corners, `Element` the control points of an element.
///
/// From a linear mesh it is made by raising the degree: behind the points of the mesh come those in the middle of the
/// edges, in their order. A state of the node without positions of its own gets all of them. Where control points are
/// given, the positions have them already. Midside nodes of meshes of the second order, which lie on the curves, become
/// control points. Tetrahedra that are folded in the rest shape are refused.
///
/// The degree of an edge changes with its control point: a new point half of each end of an edge of degree 1 is its
/// control point (changeDegrees); an edge whose control point is removed has degree 1. Elements do not change.
template <class Base, class Element>
class BezierContainer : public Base, public BezierTopology, public TopologyFollower, public TopologyModifier
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
    const Vector<BezierTetrahedron>& bezierTetrahedra() const override { return elementsIf<BezierTetrahedron>(); }
    const Vector<BezierTriangle>& bezierTriangles() const override { return elementsIf<BezierTriangle>(); }
    const MiddlePoints& middlePoints() const override;
    const Vector<Index>& edgeControlPoints() const override { return d_edgeControlPoints.value(); }

    std::string refusal(const TopologyStep&) const override;
    TopologyFollower::PointLists pointLists() override;
    void followTopology(const TopologyChange&) override;

    using Base::d_edges;
    using Base::d_position;
    using Base::edgeIndex;
    using Base::edges;
    using Base::hasPositions;
    using Base::isValid;
    using Base::nbPoints;

protected:
    using Base::fail;

private:
    static constexpr bool isSolid = std::is_same_v<Element, BezierTetrahedron>;
    static constexpr std::size_t cornerCount = isSolid ? 4 : 3;
    /// Corners of the edges of an element, in the order of their control points.
    static constexpr const auto& sides()
    {
        if constexpr (isSolid)
            return bezierEdges;
        else
            return bezierTriangleEdges;
    }
    const auto& cells() const
    {
        if constexpr (isSolid)
            return this->tetrahedra();
        else
            return this->triangles();
    }
    template <class E>
    const Vector<E>& elementsIf() const
    {
        if constexpr (std::is_same_v<E, Element>) {
            makeElements();
            return m_elements;
        } else {
            static const Vector<E> none;
            return none;
        }
    }
    void prepare() override;
    bool checkDegrees();
    /// Sets positions and control points of a mesh with midside nodes. Throws std::runtime_error.
    void takeMidsideNodes(Vector<Vec3>& points, Vector<Index>& control) const;
    /// Fails if an element is folded.
    void checkShapes();
    /// Sets control points and degrees of edges as pointEdges has them.
    void findDegrees();
    void makeElements() const;

    Vector<Vec3> m_madePositions;  ///< positions with control points that were made, and these
    Vector<Index> m_madeControl;
    mutable Vector<std::array<Index, isSolid ? 6 : 3>> m_edgesOfCells;
    mutable Vector<Element> m_elements;
    mutable MiddlePoints m_middles;
    mutable bool m_isMade = false;
};

extern template class BezierContainer<TetrahedronSetTopologyContainer, BezierTetrahedron>;
extern template class BezierContainer<TriangleSetTopologyContainer, BezierTriangle>;

class BezierTetrahedronSetTopologyContainer final
    : public BezierContainer<TetrahedronSetTopologyContainer, BezierTetrahedron>
{
};

class BezierTriangleSetTopologyContainer final : public BezierContainer<TriangleSetTopologyContainer, BezierTriangle>
{
};

}  // namespace sofa::component
