// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/behavior/State.h"
#include "core/topology/Geometry.h"
#include "core/topology/MeshQueries.h"
#include "core/topology/TopologyView.h"
#include "core/visual/Color.h"
#include "core/visual/DrawElements.h"

namespace sofa::component {

using namespace sofa::core;

/// Measures of the points of a topology at the positions of the state of this node; where there is no such state, at
/// the positions of the topology. Distances are in space: points of fewer dimensions are padded with zeros.
template <class DataTypes>
class PointSetGeometryAlgorithms : public Component
{
public:
    static std::string_view staticTemplateName() { return DataTypes::name(); }
    std::string templateName() const override { return std::string(DataTypes::name()); }

    Data<float> d_showIndicesScale{this,
                                   {.name = "showIndicesScale",
                                    .help = "Size of the indices shown",
                                    .unit = "1",
                                    .range = Range::nonNegative(),
                                    .group = "Visualization"},
                                   1.f};
    Data<bool> d_showPointIndices{this, display("showPointIndices", "Show the indices of the points"), false};
    Data<std::string> d_tagMechanics{this, {.name = "tagMechanics", .help = "Tag of the state to use"}};
    TopologyView l_topology{this, {"topology", "Topology; default: that of this node, else above"}};

    void init() override;
    /// Whether there is no state, or one of this type, at that place.
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why);

    /// Which positions to measure.
    enum class At
    {
        Present,
        Rest
    };
    /// Position of a point [m].
    Vec3 point(Index i, At at = At::Present) const;
    /// Mean of all points [m]; zero without any.
    Vec3 centre(At at = At::Present) const;
    /// Axis-aligned box [m] around all points.
    BoundingBox pointBox(At at = At::Present) const;
    /// Distance [m] of the point furthest from centre(): the radius of a sphere that encloses all.
    double enclosingRadius(At at = At::Present) const;
    /// Throws std::logic_error where init() found none.
    const BaseMeshTopology& topology() const;

    /// What the show... and draw... Data ask for, of the points; subclasses add their elements.
    void draw(DrawTool& tool) override;

protected:
    template <std::size_t N>
    std::array<Vec3, N> corners(const std::array<Index, N>& element, At at) const
    {
        std::array<Vec3, N> x;
        for (std::size_t i = 0; i < N; ++i) x[i] = point(element[i], at);
        return x;
    }
    static DataInfo display(std::string_view name, std::string_view help, std::string_view unit = {})
    {
        return {.name = name, .help = help, .unit = unit, .group = "Visualization"};
    }

    /// point() as a function.
    geometry::Positions positionsAt(At at) const
    {
        return [this, at](Index i) { return point(i, at); };
    }
    /// Present positions of all points [m].
    Scratch<Vec3> points(DrawTool& tool) const;
    double indicesSize() const { return indexSize(static_cast<double>(d_showIndicesScale.value())); }

private:
    const State<DataTypes>* m_state = nullptr;
};

/// Measures of edges.
template <class DataTypes>
class EdgeSetGeometryAlgorithms : public PointSetGeometryAlgorithms<DataTypes>
{
public:
    using At = typename PointSetGeometryAlgorithms<DataTypes>::At;
    Data<bool> d_showEdgeIndices{this, this->display("showEdgeIndices", "Show the indices of the edges"), false};
    Data<bool> d_drawEdges{this, this->display("drawEdges", "Show the edges"), false};
    Data<Color> d_drawColorEdges{this, this->display("drawColorEdges", "Colour of the edges"), Color(0.4f, 1.f, 0.3f)};

    /// Length [m] of an edge.
    double edgeLength(Index e, At at = At::Present) const;
    Vec3 edgeCentre(Index e, At at = At::Present) const;
    /// Vector [m] from the first to the second point.
    Vec3 edgeDirection(Index e, At at = At::Present) const;
    /// Weights of the ends at the point of an edge that is nearest to p [m].
    Vec2 edgeBarycentric(const Vec3& p, Index e, At at = At::Present) const;
    /// The edge nearest to a point [m].
    geometry::ClosestElement closestEdge(const Vec3& p, At at = At::Present) const;
    /// Where an edge crosses the plane n · (x − origin) = 0 [m]; nothing if it does not, or lies in it. Ends belong to
    /// the edge.
    std::optional<Vec3> edgePlaneIntersection(Index e, const Vec3& origin, const Vec3& n, At at = At::Present) const;
    /// Sum of the lengths [m].
    double totalLength(At at = At::Present) const;
    void draw(DrawTool& tool) override;
};

/// Measures of triangles.
template <class DataTypes>
class TriangleSetGeometryAlgorithms : public EdgeSetGeometryAlgorithms<DataTypes>
{
public:
    using At = typename PointSetGeometryAlgorithms<DataTypes>::At;
    Data<bool> d_showTriangleIndices{this, this->display("showTriangleIndices", "Show the indices of the triangles"),
                                     false};
    Data<bool> d_drawTriangles{this, this->display("drawTriangles", "Show the triangles"), false};
    Data<Color> d_drawColorTriangles{this, this->display("drawColorTriangles", "Colour of the triangles"),
                                     Color(0.3f, 0.5f, 0.8f)};
    Data<bool> d_drawNormals{this, this->display("drawNormals", "Show the normals of the triangles"), false};
    Data<double> d_drawNormalLength{
        this, this->display("drawNormalLength", "Length of the normals shown, in percent of the edges", "1"), 10.};
    Data<bool> d_recomputeTrianglesOrientation{
        this,
        {.name = "recomputeTrianglesOrientation",
         .help = "At init, give all triangles of each connected part the orientation of its first triangle"},
        false};
    Data<bool> d_flipNormals{
        this, {.name = "flipNormals", .help = "With recomputeTrianglesOrientation: reverse them all then"}, false};

    void init() override;
    /// Area [m²] of a triangle.
    double triangleArea(Index t, At at = At::Present) const;
    /// Unit normal; zero for a triangle without area.
    Vec3 triangleNormal(Index t, At at = At::Present) const;
    Vec3 triangleCentre(Index t, At at = At::Present) const;
    Vec3 triangleCircumcentre(Index t, At at = At::Present) const;
    /// Barycentric coordinates of the projection of p [m] on the plane of a triangle; not finite without area.
    Vec3 triangleBarycentric(const Vec3& p, Index t, At at = At::Present) const;
    /// Whether p [m] is at most `distance` [m] away from a triangle.
    bool isInTriangle(const Vec3& p, Index t, double distance = 0., At at = At::Present) const;
    /// The triangle nearest to a point [m].
    geometry::ClosestElement closestTriangle(const Vec3& p, At at = At::Present) const;
    /// Where the segment from p to q [m] crosses triangles, in this order.
    Vector<geometry::SegmentCrossing> crossings(const Vec3& p, const Vec3& q, At at = At::Present) const;
    /// Sections of the triangles with the plane n · (x − origin) = 0.
    Vector<geometry::PlaneSection> planeSections(const Vec3& origin, const Vec3& n, At at = At::Present) const;
    /// Principal curvatures [1/m] at a point. Throws std::invalid_argument where its neighbours do not fix them.
    geometry::Curvature curvature(Index point, At at = At::Present) const;
    /// Angle [rad] between the normals of the two triangles at an edge; 0 where there are not two.
    double angleAcrossEdge(Index e, At at = At::Present) const;
    /// Sum of the areas [m²].
    double totalArea(At at = At::Present) const;

    void draw(DrawTool& tool) override;

private:
    void orientTriangles();
};

/// Measures of quads.
template <class DataTypes>
class QuadSetGeometryAlgorithms : public EdgeSetGeometryAlgorithms<DataTypes>
{
public:
    using At = typename PointSetGeometryAlgorithms<DataTypes>::At;
    Data<bool> d_showQuadIndices{this, this->display("showQuadIndices", "Show the indices of the quads"), false};
    Data<bool> d_drawQuads{this, this->display("drawQuads", "Show the quads"), false};
    Data<Color> d_drawColorQuads{this, this->display("drawColorQuads", "Colour of the quads"), Color(0.f, 0.4f, 0.4f)};

    /// Area [m²] of the quad's two triangles.
    double quadArea(Index q, At at = At::Present) const;
    Vec3 quadNormal(Index q, At at = At::Present) const;
    Vec3 quadCentre(Index q, At at = At::Present) const;
    /// Coordinates (u, v) of the projection of p [m] on a quad, 0 to 1 within it: its corners have the weights
    /// (1 − u)(1 − v), u(1 − v), u v, (1 − u) v.
    Vec2 quadCoordinates(const Vec3& p, Index q, At at = At::Present) const;
    /// Whether p [m] is at most `distance` [m] away from a quad.
    bool isInQuad(const Vec3& p, Index q, double distance = 0., At at = At::Present) const;
    /// The quad nearest to a point [m].
    geometry::ClosestElement closestQuad(const Vec3& p, At at = At::Present) const;
    /// Sum of the areas [m²].
    double totalArea(At at = At::Present) const;
    void draw(DrawTool& tool) override;
};

/// Measures of tetrahedra.
template <class DataTypes>
class TetrahedronSetGeometryAlgorithms : public TriangleSetGeometryAlgorithms<DataTypes>
{
public:
    using At = typename PointSetGeometryAlgorithms<DataTypes>::At;
    Data<bool> d_showTetrahedraIndices{
        this, this->display("showTetrahedraIndices", "Show the indices of the tetrahedra"), false};
    Data<bool> d_drawTetrahedra{this, this->display("drawTetrahedra", "Show the tetrahedra"), false};
    Data<float> d_drawScaleTetrahedra{
        this, this->display("drawScaleTetrahedra", "Scale of each tetrahedron shown about its centre", "1"), 1.f};
    Data<Color> d_drawColorTetrahedra{this, this->display("drawColorTetrahedra", "Colour of the tetrahedra"),
                                      Color(1.f, 1.f, 0.f)};

    TetrahedronSetGeometryAlgorithms()
    {
        this->addAlias(d_showTetrahedraIndices, "showTetrasIndices");
        this->addAlias(d_drawTetrahedra, "drawTetra");
        this->addAlias(d_drawTetrahedra, "drawTetrahedron");
    }
    /// Volume [m³], positive for the regular orientation (core/mesh/Elements.h).
    double tetrahedronVolume(Index t, At at = At::Present) const;
    Vec3 tetrahedronCentre(Index t, At at = At::Present) const;
    Vec3 tetrahedronCircumcentre(Index t, At at = At::Present) const;
    /// Barycentric coordinates of a point [m] in a tetrahedron.
    Vec4 barycentric(const Vec3& p, Index t, At at = At::Present) const;
    /// Whether p [m] lies in a tetrahedron, of either orientation, or on its border, with `margin` of the barycentric
    /// coordinates.
    bool isInTetrahedron(const Vec3& p, Index t, double margin = 0., At at = At::Present) const;
    /// The tetrahedron that contains a point [m], at distance 0, else the nearest one.
    geometry::ClosestElement closestTetrahedron(const Vec3& p, At at = At::Present) const;
    /// Sum of the volumes [m³].
    double totalVolume(At at = At::Present) const;
    void draw(DrawTool& tool) override;
};

/// Measures of hexahedra.
template <class DataTypes>
class HexahedronSetGeometryAlgorithms : public QuadSetGeometryAlgorithms<DataTypes>
{
public:
    using At = typename PointSetGeometryAlgorithms<DataTypes>::At;
    Data<bool> d_showHexaIndices{this, this->display("showHexaIndices", "Show the indices of the hexahedra"), false};
    Data<bool> d_drawHexahedra{this, this->display("drawHexahedra", "Show the hexahedra"), false};
    Data<float> d_drawScaleHexahedra{
        this, this->display("drawScaleHexahedra", "Scale of each hexahedron shown about its centre", "1"), 1.f};
    Data<Color> d_drawColorHexahedra{this, this->display("drawColorHexahedra", "Colour of the hexahedra"),
                                     Color(1.f, 0.5f, 0.f)};

    HexahedronSetGeometryAlgorithms()
    {
        this->addAlias(d_drawHexahedra, "drawHexa");
        this->addAlias(d_drawHexahedra, "drawHexahedron");
    }
    /// Volume [m³] of the trilinear image of the unit cube.
    double hexahedronVolume(Index h, At at = At::Present) const;
    Vec3 hexahedronCentre(Index h, At at = At::Present) const;
    /// Coordinates of a point [m] in a hexahedron, 0 to 1 within it (core/topology/CellCoordinates.h); nothing outside
    /// where none are found.
    std::optional<Vec3> hexahedronCoordinates(const Vec3& p, Index h, At at = At::Present) const;
    /// Whether p [m] lies in a hexahedron or on its border, with `margin` of the coordinates.
    bool isInHexahedron(const Vec3& p, Index h, double margin = 0., At at = At::Present) const;
    /// The hexahedron that contains a point [m], at distance 0, else the nearest one.
    geometry::ClosestElement closestHexahedron(const Vec3& p, At at = At::Present) const;
    /// Sum of the volumes [m³].
    double totalVolume(At at = At::Present) const;
    void draw(DrawTool& tool) override;
};

}  // namespace sofa::component
