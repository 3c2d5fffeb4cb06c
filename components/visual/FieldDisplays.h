// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/visual/VisualComponent.h"
#include "core/behavior/State.h"
#include "core/topology/TopologyView.h"
#include "core/visual/BodyVisual.h"
#include "core/visual/ColorMap.h"

namespace sofa::component {

/// Colours for numbers, and a legend beside the view.
class OglColorMap final : public VisualComponent
{
public:
    Data<Index> d_paletteSize{this, {.name = "paletteSize", .help = "Number of colours"}, 256};
    Data<Options> d_colorScheme{this, {.name = "colorScheme", .help = "Sequence of colours"}, schemes()};
    Data<bool> d_showLegend{this, {.name = "showLegend", .help = "Draw the legend"}, false};
    Data<Vec<2, float>> d_legendOffset{
        this, {.name = "legendOffset", .help = "Place of the legend", .unit = "pixel"}, Vec<2, float>{10.f, 5.f}};
    Data<std::string> d_legendTitle{this, {.name = "legendTitle", .help = "Title of the legend"}};
    Data<Index> d_legendSize{this, {.name = "legendSize", .help = "Size of the font [pixel]"}, 11};
    Data<float> d_min{this, {.name = "min", .help = "Value of the first colour", .unit = "1"}, 0.f};
    Data<float> d_max{this, {.name = "max", .help = "Value of the last colour", .unit = "1"}, 0.f};
    Data<float> d_legendRangeScale{
        this, {.name = "legendRangeScale", .help = "Factor of the values in the legend", .unit = "1"}, 1.f};

    /// The colours of the scheme.
    const ColorMap& colors() const;
    /// Colour of a value between `low` and `high`: the nearest of the palette.
    Color colorOf(double value, double low, double high) const;
    /// The legend: the colours beside their values.
    void draw(DrawTool& tool) override;

private:
    static Options schemes();

    std::shared_ptr<const LegendDescription> m_legend;
    std::uint64_t m_legendVersion = 0;
};

/// Values on points or faces as colours of the mesh. Its points are those of the topology's state, unless the scene or
/// a mapping gives its own.
///
/// Values of points are interpolated over the faces; without faces the points are drawn. Values of faces and of their
/// corners colour the faces. The range of the colours is that of the values: of all so far with `maximalRange`, limited
/// by `userRange` if its first number is the lesser.
class DataDisplay final : public State<Vec3Types>, public VisualModel, public BodyVisual
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Draw this component"}, true};
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Positions", .unit = "m", .group = "Vector"}};
    Data<Vector<Vec3>> d_restPosition{
        this, {.name = "restPosition", .help = "Positions at rest", .unit = "m", .group = "Vector"}};
    Data<Vector<Vec3>> d_normal{this, {.name = "normal", .help = "Normals", .unit = "1", .group = "Vector"}};
    Data<bool> d_maximalRange{
        this, {.name = "maximalRange", .help = "Keep the greatest range of the values over time"}, true};
    Data<Vector<double>> d_pointData{this, {.name = "pointData", .help = "Values of the points", .unit = "1"}};
    Data<Vector<double>> d_triangleData{this, {.name = "triangleData", .help = "Values of the triangles", .unit = "1"}};
    Data<Vector<double>> d_quadData{this, {.name = "quadData", .help = "Values of the quads", .unit = "1"}};
    Data<Vector<double>> d_pointTriangleData{
        this, {.name = "pointTriangleData", .help = "Values of the triangles' corners", .unit = "1"}};
    Data<Vector<double>> d_pointQuadData{
        this, {.name = "pointQuadData", .help = "Values of the quads' corners", .unit = "1"}};
    Data<Color> d_colorNaN{
        this, {.name = "colorNaN", .help = "Colour of values that are no numbers"}, Color(0.f, 0.f, 0.f)};
    Data<Vec<2, float>> d_userRange{
        this,
        {.name = "userRange", .help = "Range of the colours; the values' own if the second is less", .unit = "1"},
        Vec<2, float>{1.f, -1.f}};
    Data<double> d_currentMin{
        this, {.name = "currentMin", .help = "Least value shown", .unit = "1", .readOnly = true}, 0.};
    Data<double> d_currentMax{
        this, {.name = "currentMax", .help = "Greatest value shown", .unit = "1", .readOnly = true}, 0.};
    Data<float> d_shininess{
        this, {.name = "shininess", .help = "Shininess, 0 to 128; negative: none", .unit = "1"}, -1.f};
    Data<double> d_transparency{
        this, {.name = "transparency", .help = "Opacity", .unit = "1", .range = Range::closed(0., 1.)}, 1.};
    Link<OglColorMap> l_colorMap{this, {"colorMap", "Colours; default: that of the node or above"}};
    TopologyView l_topology{this, {"topology", "Mesh; default: that of the node or above"}};

    DataDisplay();
    bool isMechanical() const override { return false; }
    void resize(Index n) override;
    void init() override;
    void reset() override { m_range.reset(); }
    /// Computes the range of the colours.
    void updateVisual() override;
    void draw(DrawTool& tool) override;

private:
    const Vector<double>* values(std::size_t points, std::size_t triangles, std::size_t quads,
                                 const Vector<double>*& second);

    std::optional<std::array<double, 2>> m_range;  ///< of all values so far
    Vector<Vec3> m_points;                         ///< that are drawn
    std::shared_ptr<const SurfaceDescription> m_surface;
};

/// The elements of a mesh, slightly shrunk, coloured by values on its points, or else by their kinds.
class VisualMesh final : public VisualComponent, public BodyVisual
{
public:
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Positions of the points", .unit = "m"}};
    Data<double> d_elementSpace{
        this,
        {.name = "elementSpace", .help = "Part by which elements shrink", .unit = "1", .range = Range::closed(0., 1.)},
        0.15};
    Data<bool> d_lighting{this, {.name = "lighting", .help = "Use the lights"}, true};
    Data<Vector<double>> d_vertexValues{this, {.name = "vertexValues", .help = "Values of the points", .unit = "1"}};
    Data<Vector<Color>> d_colorMap{this, {.name = "colorMap", .help = "Colours of the values; empty: red to blue"}};
    TopologyView l_topology{this, {"topology", "Mesh to show"}};

    BoundingBox boundingBox() const override;
    void init() override;
    void draw(DrawTool& tool) override;
};

/// Points, spheres or frames at given places.
template <class DataTypes>
class VisualPointCloud final : public VisualComponent
{
public:
    Data<typename DataTypes::VecCoord> d_position{this, {.name = "position", .help = "The points", .unit = "m"}};
    Data<Options> d_drawMode{
        this,
        {.name = "drawMode", .help = "Point, Sphere, or Frame", .group = "Visualization"},
        DataTypes::isRigid ? Options({"Point", "Sphere", "Frame"}, 0) : Options({"Point", "Sphere"}, 0)};
    Data<float> d_pointSize{
        this, {.name = "pointSize", .help = "Size of points", .unit = "pixel", .range = Range::nonNegative()}, 1.f};
    Data<Vector<float>> d_sphereRadius{
        this, {.name = "sphereRadius", .help = "Radius of each sphere; the last one is repeated", .unit = "m"}};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the points"}};
    Data<bool> d_showIndices{
        this, {.name = "showIndices", .help = "Draw the indices", .group = "Visualization"}, false};
    Data<float> d_indicesScale{this, {.name = "indicesScale", .help = "Size of the indices", .unit = "1"}, 1.f};
    Data<Color> d_indicesColor{this, {.name = "indicesColor", .help = "Colour of the indices"}};

    static std::string_view staticTemplateName() { return DataTypes::name(); }
    BoundingBox boundingBox() const override;
    void draw(DrawTool& tool) override;
};

/// Vectors at given places.
class VisualVectorField final : public VisualComponent
{
public:
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Places of the vectors", .unit = "m"}};
    Data<Vector<Vec3>> d_vector{this, {.name = "vector", .help = "The vectors", .unit = "1"}};
    Data<double> d_vectorScale{this, {.name = "vectorScale", .help = "Length drawn per unit", .unit = "m"}, 1.};
    Data<Options> d_drawMode{this,
                             {.name = "drawMode", .help = "Line, Cylinder or Arrow", .group = "Visualization"},
                             Options({"Line", "Cylinder", "Arrow"}, 0)};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the vectors"}};

    static std::string_view staticTemplateName() { return Vec3Types::name(); }
    BoundingBox boundingBox() const override;
    void draw(DrawTool& tool) override;
};

/// The paths that points took.
template <class DataTypes>
class TrailRenderer final : public VisualComponent
{
public:
    Data<typename DataTypes::VecCoord> d_position{
        this, {.name = "position", .help = "The points whose paths are drawn", .unit = "m"}};
    Data<Index> d_nbSteps{this, {.name = "nbSteps", .help = "Number of time steps that are kept"}, 100};
    Data<Vector<Color>> d_color{this,
                                {.name = "color", .help = "Colours along the path, from old to new"},
                                Vector<Color>(2, Color(0.f, 1.f, 0.f))};
    Data<float> d_thickness{
        this, {.name = "thickness", .help = "Width of the lines", .unit = "pixel", .range = Range::positive()}, 1.f};

    TrailRenderer() { d_listening.setDefault(true); }
    static std::string_view staticTemplateName() { return DataTypes::name(); }
    void reset() override { m_trails.clear(); }
    void handleEvent(const Event& e) override;
    void draw(DrawTool& tool) override;
    /// Past positions [m] of each point, oldest first.
    const std::vector<Vector<Vec3>>& trails() const { return m_trails; }

private:
    std::vector<Vector<Vec3>> m_trails;
};

/// Edges as cylinders; its points follow mappings.
class CylinderVisualModel final : public State<Vec3Types>, public VisualModel, public BodyVisual
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Draw this component"}, true};
    Data<Vector<Vec3>> d_position{this, {.name = "position", .help = "Positions", .unit = "m", .group = "Vector"}};
    Data<Vector<Vec3>> d_restPosition{
        this, {.name = "restPosition", .help = "Positions at rest", .unit = "m", .group = "Vector"}};
    Data<Vector<Vec3>> d_normal{this, {.name = "normal", .help = "Normals", .unit = "1", .group = "Vector"}};
    Data<float> d_radius{
        this, {.name = "radius", .help = "Radius of the cylinders", .unit = "m", .range = Range::nonNegative()}, 1.f};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the cylinders"}};
    Data<Vector<Edge>> d_edges{this, {.name = "edges", .help = "Edges; empty: those of the node's topology"}};

    CylinderVisualModel();
    bool isMechanical() const override { return false; }
    void resize(Index n) override;
    void init() override;
    void draw(DrawTool& tool) override;
    BoundingBox boundingBox() const override;
};

/// The points of the nearest state, or of the topology, as discs that face the viewer. `pointData`, from 0 to 255,
/// changes their brightness from a half to two and a half.
class PointSplatModel final : public VisualComponent, public BodyVisual
{
public:
    Data<float> d_radius{
        this, {.name = "radius", .help = "Radius of the discs", .unit = "m", .range = Range::nonNegative()}, 1.f};
    Data<float> d_alpha{this, {.name = "alpha", .help = "Opacity", .unit = "1", .range = Range::closed(0., 1.)}, 1.f};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the discs"}};
    Data<Vector<float>> d_pointData{this, {.name = "pointData", .help = "Values that vary the colours", .unit = "1"}};

    PointSplatModel() { ignoreAttribute("textureSize", "discs are exact, without an image"); }

    void draw(DrawTool& tool) override;
};

/// A mesh of hexahedra or tetrahedra as a stack of translucent slices, normal to the direction (1, 1, 1).
class SlicedVolumetricModel final : public VisualComponent, public BodyVisual
{
public:
    Data<float> d_alpha{
        this, {.name = "alpha", .help = "Opacity of a slice", .unit = "1", .range = Range::closed(0., 1.)}, 0.2f};
    Data<Color> d_color{this, {.name = "color", .help = "Colour of the slices"}};
    Data<int> d_nbSlices{this, {.name = "nbSlices", .help = "Number of slices", .range = Range::atLeast(1)}, 100};

    void draw(DrawTool& tool) override;
};

}  // namespace sofa::component
