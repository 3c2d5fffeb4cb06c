// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/topology/GeometryAlgorithms.h"
#include "components/topology/TopologyContainers.h"
#include "components/topology/TopologyModifiers.h"

namespace sofa::component {

/// Container of edges that form lines: each point has at most two edges.
///
/// Lines are open or closed. A line runs along its edge with the least number, from the first to the second point of
/// that; an open one begins at its end, a closed one with this edge. Lines are numbered by these edges. Meshes in which
/// a point has more edges, or two edges have the same points, are an error, and changes that would make the mesh one of
/// these are taken back. Points without edges belong to no line. In SOFA, `checkTopology` finds fault with those too,
/// edges that run against each other give no line, and changes are not checked.
class ManifoldEdgeSetTopologyContainer final : public EdgeSetTopologyContainer, public TopologyFollower
{
public:
    /// A connected component.
    struct Line
    {
        Vector<Index> points;  ///< in their order; the first one of a closed line is not repeated
        Vector<Index> edges;   ///< edge i joins points i and i + 1; the last one of a closed line leads to the first
        bool closed = false;

        friend bool operator==(const Line&, const Line&) = default;
    };

    void init() override;
    /// All lines. The first question after a change makes the table, in a time that grows with the mesh; references are
    /// valid until a list changes.
    const Vector<Line>& lines() const;
    /// The line of a point or edge; InvalidIndex for those that are on none or do not exist.
    Index lineOfPoint(Index point) const;
    Index lineOfEdge(Index edge) const;
    /// The point after, or before, along the line; InvalidIndex at an end, and for points on no line.
    Index nextPoint(Index point) const { return pointBeside(point, true); }
    Index previousPoint(Index point) const { return pointBeside(point, false); }
    /// The edge after, or before, along the line; InvalidIndex at an end.
    Index nextEdge(Index edge) const { return edgeBeside(edge, true); }
    Index previousEdge(Index edge) const { return edgeBeside(edge, false); }

    PointLists pointLists() override { return noLists(); }
    ElementLists elementLists() override { return {{this, {ElementType::Edges}}, {}}; }
    /// Throws std::runtime_error if the mesh consists of lines no more.
    void followTopology(const TopologyChange& change) override;

private:
    struct Place
    {
        Index line = InvalidIndex, at = 0;
    };
    /// What makes the edges around a point no part of a line; empty if nothing does.
    std::string faultAt(Index point) const;
    void makeLines() const;
    Index pointBeside(Index point, bool after) const;
    Index edgeBeside(Index edge, bool after) const;

    mutable Vector<Line> m_lines;
    mutable Vector<Place> m_points, m_edges;
    mutable std::size_t m_madeAt = 0;
};

/// Lets edges and points of lines come and go; the container sees to it that lines stay lines.
class ManifoldEdgeSetTopologyModifier final : public EdgeSetTopologyModifier
{
public:
    void init() override;
};

/// Measures of lines: lengths along them, and the points there. A line of no edges does not exist.
template <class DataTypes>
class ManifoldEdgeSetGeometryAlgorithms final : public EdgeSetGeometryAlgorithms<DataTypes>
{
public:
    using At = typename EdgeSetGeometryAlgorithms<DataTypes>::At;

    /// Fails where the topology is no ManifoldEdgeSetTopologyContainer.
    void init() override;
    /// Throws std::logic_error where init() found none.
    const ManifoldEdgeSetTopologyContainer& container() const;
    /// Length [m] of a line. Throws std::out_of_range if there is no such line, as the others do.
    double lineLength(Index line, At at = At::Present) const;
    /// Point at a length [m] along a line, from its beginning: no less than 0 and no more than the whole, else the end
    /// that is nearer; closed lines go round.
    Vec3 pointOnLine(Index line, double length, At at = At::Present) const;
    /// Unit vector along a line at one of its points, from the point before to the point after; zero without direction.
    Vec3 tangent(Index point, At at = At::Present) const;

private:
    const ManifoldEdgeSetTopologyContainer* m_container = nullptr;
};

}  // namespace sofa::component
