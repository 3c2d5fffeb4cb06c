// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/io/MeshData.h"
#include "core/math/Mat.h"
#include "core/objectmodel/Engine.h"

namespace sofa::core {

/// Consecutive elements of a list that share a group and a material, written
/// "group material materialIndex first count", with quotes around names that have spaces.
struct PrimitiveGroup
{
    std::string group = "none";
    std::string material = "none";
    int materialId = -1;  ///< index in the list of materials; −1: none
    int first = 0;
    int count = 0;
    friend bool operator==(const PrimitiveGroup&, const PrimitiveGroup&) = default;
};
bool readValue(TextCursor& c, PrimitiveGroup& v);
void writeValue(std::string& out, const PrimitiveGroup& v);
template <>
struct TypeName<PrimitiveGroup>
{
    static std::string get() { return "PrimitiveGroup"; }
};

/// Base of the loaders: reads a mesh file into Data that topologies, states and visual models link to.
///
/// Components that compute a mesh are loaders too (Source::Computation).
///
/// A loader is an engine: the file is read when one of its Data is first used, at init() at the latest, and again after
/// its name or a parameter changed. Order of operations: file → triangulate, flipNormals → transformation → missing
/// sub-elements → removal of points without element → normals. A file that is missing or cannot be read is an error
/// that keeps the simulation from starting.
class MeshLoader : public Engine
{
public:
    static std::string_view typeLabel() { return "mesh loader"; }

    Input<FileName> d_filename;

    Output<Vector<Vec3>> d_position{this, output("position", "Positions of the points, transformed", "m")};
    Output<Vector<Vector<Index>>> d_polylines{this, output("polylines", "Lines of more than two points")};
    Output<Vector<Edge>> d_edges{this, output("edges", "Edges")};
    Output<Vector<Triangle>> d_triangles{this, output("triangles", "Triangles")};
    Output<Vector<Quad>> d_quads{this, output("quads", "Quads")};
    Output<Vector<Vector<Index>>> d_polygons{this, output("polygons", "Faces of more than four corners")};
    Output<Vector<std::array<Index, 4>>> d_highOrderEdgePositions{
        this, output("highOrderEdgePositions", "Midside nodes: point, edge, and the numerators of its two weights")};
    Output<Vector<std::array<Index, 5>>> d_highOrderTrianglePositions{
        this, output("highOrderTrianglePositions", "Inner nodes of triangles: point, triangle, three weights")};
    Output<Vector<std::array<Index, 6>>> d_highOrderQuadPositions{
        this, output("highOrderQuadPositions", "Inner nodes of quads: point, quad, four weights")};
    Output<Vector<Tetrahedron>> d_tetrahedra{this, output("tetrahedra", "Tetrahedra")};
    Output<Vector<Hexahedron>> d_hexahedra{this, output("hexahedra", "Hexahedra")};
    Output<Vector<Prism>> d_prisms{this, output("prisms", "Prisms")};
    Output<Vector<std::array<Index, 6>>> d_highOrderTetrahedronPositions{
        this, output("highOrderTetrahedronPositions", "Inner nodes of tetrahedra: point, tetrahedron, four weights")};
    Output<Vector<std::array<Index, 8>>> d_highOrderHexahedronPositions{
        this, output("highOrderHexahedronPositions", "Inner nodes of hexahedra: point, hexahedron, six weights")};
    Output<Vector<Pyramid>> d_pyramids{this, output("pyramids", "Pyramids")};
    Output<Vector<Vec3>> d_normals{
        this, output("normals", "Unit normal at each point: from the file, else the mean over its faces", "1")};

    Output<Vector<PrimitiveGroup>> d_edgesGroups{this, groups("edgesGroups", "Groups of edges")};
    Output<Vector<PrimitiveGroup>> d_trianglesGroups{this, groups("trianglesGroups", "Groups of triangles")};
    Output<Vector<PrimitiveGroup>> d_quadsGroups{this, groups("quadsGroups", "Groups of quads")};
    Output<Vector<PrimitiveGroup>> d_polygonsGroups{this, groups("polygonsGroups", "Groups of polygons")};
    Output<Vector<PrimitiveGroup>> d_tetrahedraGroups{this, groups("tetrahedraGroups", "Groups of tetrahedra")};
    Output<Vector<PrimitiveGroup>> d_hexahedraGroups{this, groups("hexahedraGroups", "Groups of hexahedra")};
    Output<Vector<PrimitiveGroup>> d_prismsGroups{this, groups("prismsGroups", "Groups of prisms")};
    Output<Vector<PrimitiveGroup>> d_pyramidsGroups{this, groups("pyramidsGroups", "Groups of pyramids")};

    Input<bool> d_flipNormals{this, {.name = "flipNormals", .help = "Reverse the orientation of the faces"}, false};
    Input<bool> d_triangulate{this, {.name = "triangulate", .help = "Divide quads and polygons into triangles"}, false};
    Input<bool> d_createSubelements{
        this, {.name = "createSubelements", .help = "Add the missing faces of volumes and edges of faces"}, false};
    Input<bool> d_onlyAttachedPoints{
        this, {.name = "onlyAttachedPoints", .help = "Drop points that belong to no element"}, false};
    Input<Vec3> d_translation{this, {.name = "translation", .help = "Translation, applied last", .unit = "m"}};
    Input<Vec3> d_rotation{
        this, {.name = "rotation", .help = "Rotation about x, then y, then z, applied after the scale", .unit = "deg"}};
    Input<Vec3> d_scale3d{
        this, {.name = "scale3d", .help = "Scale along x, y and z, applied first", .unit = "1"}, Vec3{1., 1., 1.}};
    Input<Mat<4, 4>> d_transformation{this,
                                      {.name = "transformation",
                                       .help = "Homogeneous matrix that takes the place of scale, rotation and "
                                               "translation, unless it is the identity",
                                       .unit = "1"},
                                      Mat<4, 4>::identity()};

    MeshLoader() : MeshLoader(Source::File) {}
    void setDeclared(std::string_view name, std::string_view text) override;
    void parse(ComponentDescription& desc) override;
    /// Reads the file, if that has not happened, and reports what was wrong with it.
    void init() override;
    BoundingBox boundingBox() const override;

protected:
    /// Where the mesh comes from.
    enum class Source
    {
        File,
        Computation  ///< `filename` is accepted, and has no effect
    };
    explicit MeshLoader(Source source);

    /// Makes the mesh: reads the file. \throws std::runtime_error where that fails.
    virtual io::MeshData makeMesh(const io::MeshReadOptions& options);
    /// Reads the file at an absolute path. \throws std::runtime_error (io::MeshError) where that fails.
    virtual io::MeshData readFile(const std::string&, const io::MeshReadOptions&) { return {}; }
    /// Options for readFile; triangulate and flipNormals are set already.
    virtual void setOptions(io::MeshReadOptions&) const {}
    /// Whether missing sub-elements are added: what the scene says, else the custom of the format.
    virtual bool addsSubelements() const { return d_createSubelements.value(); }
    /// Publishes what a subclass adds to the Data above. `mesh` is transformed and complete.
    virtual void publish(const io::MeshData&) {}
    void doUpdate() override;

    static DataInfo output(std::string_view name, std::string_view help, std::string_view unit = {})
    {
        return {.name = name, .help = help, .unit = unit, .group = "Vectors"};
    }
    static DataInfo groups(std::string_view name, std::string_view help)
    {
        return {.name = name, .help = help, .group = "Groups"};
    }

private:
    io::MeshData load();
    void transform(io::MeshData& mesh) const;
    void store(io::MeshData& mesh);
    double m_scale = 1.;  ///< the attribute "scale"
};

}  // namespace sofa::core
