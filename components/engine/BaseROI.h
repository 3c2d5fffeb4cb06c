// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/State.h"
#include "core/mesh/Elements.h"
#include "core/objectmodel/Engine.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace sofa::core;

/// Base of the engines that select the points and elements inside a region of space (region of interest).
///
/// Input positions default to the rest positions of the state of this node, else to the mesh loader of this node, else
/// to the rest positions of the nearest state above; elements default to the topology of this node. With `strict`, an
/// element is inside if all its points are, else if the mean of its points is. The selection is computed when it is
/// first read, at init() at the latest, and again after an input changed, unless `doUpdate` is off. An empty selection
/// is reported.
template <class DataTypes>
class BaseROI : public Engine
{
public:
    using Coord = typename DataTypes::Coord;
    using VecCoord = typename DataTypes::VecCoord;
    static std::string_view staticTemplateName() { return DataTypes::name(); }
    std::string templateName() const override { return std::string(DataTypes::name()); }
    static std::string_view typeLabel() { return "region of interest"; }

    Input<VecCoord> d_position{this,
                               input("position", "Positions; default: rest positions of the state of this node", "m")};
    Input<Vector<Edge>> d_edges{this, input("edges", "Edges; default: those of the topology of this node")};
    Input<Vector<Triangle>> d_triangles{this, input("triangles", "Triangles; default: as for edges")};
    Input<Vector<Quad>> d_quads{this, input("quads", "Quads; default: as for edges")};
    Input<Vector<Tetrahedron>> d_tetrahedra{this, input("tetrahedra", "Tetrahedra; default: as for edges")};
    Input<Vector<Hexahedron>> d_hexahedra{this, input("hexahedra", "Hexahedra; default: as for edges")};
    Input<bool> d_computeEdges{this, {.name = "computeEdges", .help = "Select edges"}, true};
    Input<bool> d_computeTriangles{this, {.name = "computeTriangles", .help = "Select triangles"}, true};
    Input<bool> d_computeQuads{this, {.name = "computeQuads", .help = "Select quads"}, true};
    Input<bool> d_computeTetrahedra{this, {.name = "computeTetrahedra", .help = "Select tetrahedra"}, true};
    Input<bool> d_computeHexahedra{this, {.name = "computeHexahedra", .help = "Select hexahedra"}, true};
    Input<bool> d_strict{
        this,
        {.name = "strict",
         .help = "An element is inside if all its points are; otherwise: if the mean of its points is"},
        true};

    Output<Vector<Index>> d_indices{this, output("indices", "Points inside, by index")};
    Output<Vector<Index>> d_edgeIndices{this, output("edgeIndices", "Edges inside, by index")};
    Output<Vector<Index>> d_triangleIndices{this, output("triangleIndices", "Triangles inside, by index")};
    Output<Vector<Index>> d_quadIndices{this, output("quadIndices", "Quads inside, by index")};
    Output<Vector<Index>> d_tetrahedronIndices{this, output("tetrahedronIndices", "Tetrahedra inside, by index")};
    Output<Vector<Index>> d_hexahedronIndices{this, output("hexahedronIndices", "Hexahedra inside, by index")};
    Output<VecCoord> d_pointsInROI{this, output("pointsInROI", "Positions of the points inside", "m")};
    Output<Vector<Edge>> d_edgesInROI{this, output("edgesInROI", "Edges inside")};
    Output<Vector<Triangle>> d_trianglesInROI{this, output("trianglesInROI", "Triangles inside")};
    Output<Vector<Quad>> d_quadsInROI{this, output("quadsInROI", "Quads inside")};
    Output<Vector<Tetrahedron>> d_tetrahedraInROI{this, output("tetrahedraInROI", "Tetrahedra inside")};
    Output<Vector<Hexahedron>> d_hexahedraInROI{this, output("hexahedraInROI", "Hexahedra inside")};
    Output<Index> d_nbIndices{this, output("nbIndices", "Number of points inside", "1"), 0};
    Output<VecCoord> d_pointsOutROI{this, output("pointsOutROI", "Positions of the points outside", "m")};
    Output<Vector<Edge>> d_edgesOutROI{this, output("edgesOutROI", "Edges not inside")};
    Output<Vector<Triangle>> d_trianglesOutROI{this, output("trianglesOutROI", "Triangles not inside")};
    Output<Vector<Tetrahedron>> d_tetrahedraOutROI{this, output("tetrahedraOutROI", "Tetrahedra not inside")};
    Output<Vector<Index>> d_indicesOut{this, output("indicesOut", "Points outside, by index")};
    Output<Vector<Index>> d_edgeOutIndices{this, output("edgeOutIndices", "Edges not inside, by index")};
    Output<Vector<Index>> d_triangleOutIndices{this, output("triangleOutIndices", "Triangles not inside, by index")};
    Output<Vector<Index>> d_tetrahedronOutIndices{this,
                                                  output("tetrahedronOutIndices", "Tetrahedra not inside, by index")};

    Data<bool> d_drawROI{this, display("drawROI", "Show the region"), false};
    Data<bool> d_drawPoints{this, display("drawPoints", "Show the points inside"), false};
    Data<bool> d_drawEdges{this, display("drawEdges", "Show the edges inside"), false};
    Data<bool> d_drawTriangles{this, display("drawTriangles", "Show the triangles inside"), false};
    Data<bool> d_drawQuads{this, display("drawQuads", "Show the quads inside"), false};
    Data<bool> d_drawTetrahedra{this, display("drawTetrahedra", "Show the tetrahedra inside"), false};
    Data<bool> d_drawHexahedra{this, display("drawHexahedra", "Show the hexahedra inside"), false};
    Data<float> d_drawSize{this,
                           {.name = "drawSize",
                            .help = "Width of lines and size of points shown, in pixels",
                            .unit = "1",
                            .range = Range::nonNegative(),
                            .group = "Visualization"},
                           1.f};
    Input<bool> d_doUpdate{
        this,
        {.name = "doUpdate", .help = "Select again when an input changed; otherwise the first selection stays"},
        true};

    void init() override;
    /// Whether a component of this type fits the state it would take its positions from.
    static bool canCreate(const Node* node, const ComponentDescription& desc, std::string& why);
    /// What the draw... Data ask for (flag BehaviorModels): the region, and points and elements inside.
    void draw(DrawTool& tool) override;

protected:
    /// Whether a point in space [m], padded with zeros, lies in the region. The border belongs to it.
    virtual bool contains(const Vec3& p) const = 0;
    /// Whether an element in the region, with these vertices, is selected.
    virtual bool accepts(std::span<const Vec3> /*vertices*/) const { return true; }
    /// Brings what contains() needs up to date with the parameters; false if there is no region at all.
    virtual bool prepareRegion() = 0;
    /// The region in words for messages: "the box 0 0 0 1 1 1".
    virtual std::string describeRegion() const = 0;
    /// The region.
    virtual void drawRegion(DrawTool& tool) const = 0;

    void findInputs() override;
    void doUpdate() override;

private:
    template <std::size_t N>
    struct Selection;
    template <std::size_t N>
    bool elementInside(const std::array<Index, N>& e, const Vector<bool>& inside) const;
    template <std::size_t N>
    Selection<N> select(bool wanted, const Vector<std::array<Index, N>>& elements, const Vector<bool>& inside) const;

    bool m_selected = false;
};

}  // namespace sofa::component
