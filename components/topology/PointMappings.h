// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>

#include "core/topology/TopologicalMapping.h"
#include "core/topology/TopologyChange.h"

namespace sofa::component {

using namespace sofa::core;

/// A mapping whose output has points of its own, made of points and elements of the input. When these come and go, so
/// do those of the output; they always have the numbers that a mapping of the present input would give them.
class PointTopologicalMapping : public TopologicalMapping
{
public:
    void undoInit() override;
    std::span<const MappedPoint> mappedPoints() const override { return m_points; }
    bool makesPoints() const override { return true; }
    MadePoints followInput(const TopologyChange& change) override;
    StoredTopology::List::Undo remakeInput(bool restoring) override;

protected:
    /// Of what a point is made: of an element, or of points, of which there are eight at most.
    struct Origin
    {
        ElementType type = ElementType::Points;
        std::array<Index, 8> numbers{none};  ///< in increasing order
        Index slot = 0;                      ///< which one of several

        static Origin ofElement(ElementType type, Index element, Index slot = 0);
        static Origin ofPoints(std::span<const Index> points);
        /// With InvalidIndex for those that are not used.
        static constexpr std::array<Index, 8> none{InvalidIndex, InvalidIndex, InvalidIndex, InvalidIndex,
                                                   InvalidIndex, InvalidIndex, InvalidIndex, InvalidIndex};
        std::size_t count() const;
        friend bool operator<(const Origin& a, const Origin& b)
        {
            return std::tie(a.type, a.numbers, a.slot) < std::tie(b.type, b.numbers, b.slot);
        }
    };

    /// Calls addPoint for each point of the output, in its order.
    virtual void makePoints(const BaseMeshTopology& input) = 0;
    Index preparePoints(const BaseMeshTopology& input, StoredTopology& output) override;
    /// Position [m] of a point of the output.
    virtual Vec3 positionOf(const BaseMeshTopology& input, const MappedPoint& p) const;
    /// Whether positions are known.
    virtual bool knowsPositions(const BaseMeshTopology& input) const { return input.hasPositions(); }
    /// Puts the numbers of an origin into increasing order, when points have got others. Override it where the slot
    /// depends on that order.
    virtual void sortNumbers(Origin& origin) const { std::ranges::sort(origin.numbers); }
    /// Adds a point, unless there is one of this origin.
    void addPoint(const Origin& origin, MappedPoint p);
    /// The point of an origin; InvalidIndex if there is none.
    Index pointOf(const Origin& origin) const;

    /// Makes the points anew, and returns what takes that back.
    StoredTopology::List::Undo remake();

private:
    using Numbers = std::map<Origin, Index>;
    static Ancestors ancestorsOf(const Origin& origin, const Numbers& before, const ElementSource& source);

    std::vector<MappedPoint> m_points;
    Numbers m_numbers;
    bool m_made = false;
};

/// Points of the output for points and elements of the input: for each point of the input one at each of the offsets
/// `pointBaryCoords`, for each edge one at each of the coordinates `edgeBaryCoords` in it, and so on, in this order.
///
/// Coordinates (ξ, η, ζ): an edge has the point (1 − ξ) p0 + ξ p1, a triangle (1 − ξ − η) p0 + ξ p1 + η p2, a
/// tetrahedron likewise; of a quad they run from p0 to p1 and to p3, of a hexahedron from p0 to p1, p3 and p4. (SOFA
/// exchanges p2 and p3 of quads.)
class Mesh2PointTopologicalMapping final : public PointTopologicalMapping
{
public:
    Data<Vector<Vec3>> d_pointBaryCoords{
        this, {.name = "pointBaryCoords", .help = "Offsets from each point", .unit = "m", .group = "BaryCoords"}};
    Data<Vector<Vec3>> d_edgeBaryCoords{this, coordinates("edgeBaryCoords", "Coordinates in each edge")};
    Data<Vector<Vec3>> d_triangleBaryCoords{this, coordinates("triangleBaryCoords", "Coordinates in each triangle")};
    Data<Vector<Vec3>> d_quadBaryCoords{this, coordinates("quadBaryCoords", "Coordinates in each quad")};
    Data<Vector<Vec3>> d_tetraBaryCoords{this, coordinates("tetraBaryCoords", "Coordinates in each tetrahedron")};
    Data<Vector<Vec3>> d_hexaBaryCoords{this, coordinates("hexaBaryCoords", "Coordinates in each hexahedron")};
    Data<bool> d_copyEdges{
        this, {.name = "copyEdges", .help = "Edges between the first points made of points too"}, false};
    Data<bool> d_copyTriangles{this, {.name = "copyTriangles", .help = "Triangles likewise"}, false};
    Data<bool> d_copyTetrahedra{this, {.name = "copyTetrahedra", .help = "Tetrahedra likewise"}, false};

    bool makesPointsOf(ElementType type) const override;

protected:
    ElementType inputType() const override;
    ElementType outputType() const override { return ElementType::Points; }
    void makePoints(const BaseMeshTopology& input) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;

private:
    static DataInfo coordinates(std::string_view name, std::string_view help)
    {
        return {.name = name, .help = help, .unit = "1", .group = "BaryCoords"};
    }
    const Data<Vector<Vec3>>& coordinatesOf(ElementType type) const;
};

/// A point in the centre of each hexahedron.
class CenterPointTopologicalMapping final : public PointTopologicalMapping
{
public:
    bool makesPointsOf(ElementType type) const override { return type == ElementType::Hexahedra; }

protected:
    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Points; }
    void makePoints(const BaseMeshTopology& input) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// A finer mesh, with further points in the middle of edges, faces and elements. They go with the last element that has
/// them.
class TesselatedTopologicalMapping : public PointTopologicalMapping
{
protected:
    /// The point in the middle of these points.
    Index middleOf(std::span<const Index> points) const { return pointOf(Origin::ofPoints(points)); }
    /// Makes one unless it is there.
    void addMiddle(std::span<const Index> points);
    void addInputPoints(const BaseMeshTopology& input);
};

/// Each tetrahedron as eight: one at each corner, and four around the segment from the middle of its edge 0–1 to that
/// of 2–3.
class SimpleTesselatedTetraTopologicalMapping final : public TesselatedTopologicalMapping
{
public:
    Data<Vector<std::array<Index, 8>>> d_tetrahedraMappedFromTetra{
        this,
        {.name = "tetrahedraMappedFromTetra", .help = "The eight tetrahedra of each, computed", .readOnly = true}};
    Data<Vector<Index>> d_tetraSource{
        this, {.name = "tetraSource", .help = "Tetrahedron of the input for each, computed", .readOnly = true}};
    Data<Vector<Index>> d_pointMappedFromPoint{
        this,
        {.name = "pointMappedFromPoint", .help = "Point for each point of the input, computed", .readOnly = true}};
    Data<Vector<Index>> d_pointMappedFromEdge{
        this, {.name = "pointMappedFromEdge", .help = "Point for each edge of the input, computed", .readOnly = true}};
    Data<Vector<int>> d_pointSource{
        this,
        {.name = "pointSource",
         .help = "For each point its point of the input, plus one; or its edge, plus one, negative; computed",
         .readOnly = true}};

    bool makesPointsOf(ElementType type) const override
    {
        return type == ElementType::Edges || type == ElementType::Tetrahedra;
    }

protected:
    ElementType inputType() const override { return ElementType::Tetrahedra; }
    ElementType outputType() const override { return ElementType::Tetrahedra; }
    void makePoints(const BaseMeshTopology& input) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

/// Each hexahedron as eight, one at each corner.
class SimpleTesselatedHexaTopologicalMapping final : public TesselatedTopologicalMapping
{
public:
    bool makesPointsOf(ElementType type) const override { return type == ElementType::Hexahedra; }

protected:
    ElementType inputType() const override { return ElementType::Hexahedra; }
    ElementType outputType() const override { return ElementType::Hexahedra; }
    void makePoints(const BaseMeshTopology& input) override;
    void map(const BaseMeshTopology& input, StoredTopology& output) override;
};

}  // namespace sofa::component
