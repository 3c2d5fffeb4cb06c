// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/PointMappings.h"
#include "core/topology/TopologyView.h"

namespace sofa::component {

/// A tube around a wire: a circle of points around each point of the input, and quads between the circles of each edge.
///
/// With N points on each circle, point i N + j of the output stands around point i of the input at the angle 2π j / N,
/// which turns from y to z of the frame of that point: in the plane across its x axis. With `radiusFocal` circles are
/// ellipses: that radius is along `focalAxis`, `radius` along the axis across it and x. Frames are those of the state
/// of the input, or not turned where it has none.
///
/// Edge (a b) gives the quads (aN + j, bN + j, bN + k, aN + k) with k = j + 1 mod N: where the wire runs along x their
/// normals point inwards, with `flipNormals` outwards. The points of the output are moved by a TubularMapping with the
/// same N. A wire that gets longer or shorter takes its tube along.
class Edge2QuadTopologicalMapping final : public PointTopologicalMapping
{
public:
    Data<Index> d_nbPointsOnEachCircle{
        this, {.name = "nbPointsOnEachCircle", .help = "Points on each circle: three at least"}, 0};
    Data<double> d_radius{this,
                          {.name = "radius",
                           .help = "Radius of the circles, which must be given",
                           .unit = "m",
                           .range = Range::positive()},
                          1.};
    Data<double> d_radiusFocal{
        this, {.name = "radiusFocal", .help = "Of ellipses the radius along focalAxis; 0: circles", .unit = "m"}, 0.};
    Data<Vec3> d_focalAxis{
        this,
        {.name = "focalAxis", .help = "Of ellipses the axis of radiusFocal in the frame of each point", .unit = "1"},
        Vec3{0., 0., 1.}};
    Data<Vector<Index>> d_edgeList{
        this, {.name = "edgeList", .help = "Edges of the input between which there are quads; empty: all of them"}};
    Data<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Turn the quads over"}, false};

    Edge2QuadTopologicalMapping()
    {
        ignoreAttribute("toQuadContainer", "it is the output");
        ignoreAttribute("toQuadModifier", "the output changes without one");
    }

    void undoInit() override;
    MadePoints followInput(const TopologyChange& change) override;
    StoredTopology::List::Undo remakeInput(bool restoring) override;
    StoredTopology::List::Undo placePoints(std::span<const Index> points, std::span<BaseState* const> states,
                                           bool areNew) override;
    void archiveInput(Archive& a) override;

protected:
    ElementType inputType() const override { return ElementType::Edges; }
    ElementType outputType() const override { return ElementType::Quads; }
    void makePoints(const BaseMeshTopology& input) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
    Vec3 positionOf(const BaseMeshTopology& input, const MappedPoint& p) const override;
    bool knowsPositions(const BaseMeshTopology& input) const override;

private:
    StoredTopology::List::Undo setEdges(Vector<Index> edges, bool restoring);

    std::optional<Vector<Index>> m_initialEdges;  ///< edgeList before the first change
    bool m_isListed = false;
};

}  // namespace sofa::component
