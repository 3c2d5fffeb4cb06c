// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/math/Vec.h"
#include "core/math/Vector.h"
#include "core/mesh/Elements.h"

namespace sofa::core::io {

/// Kinds of cells of a MeshData, in the order of its arrays.
enum class CellKind
{
    Point,
    Edge,
    Triangle,
    Quad,
    Tetrahedron,
    Hexahedron,
    Prism,
    Pyramid,
    Polyline
};
inline constexpr std::size_t CellKindCount = 9;
/// "point", "edge", ... "polyline".
const char* cellKindName(CellKind kind);
/// 0 for points, 1 for edges and polylines, 2 for faces, 3 for volumes.
int cellDimension(CellKind kind);

/// Consecutive cells of one kind that share a group and a material, as SOFA's PrimitiveGroup.
struct CellRange
{
    Index first = 0;       ///< index of the first cell in the array of its kind
    Index count = 0;       ///< number of cells
    int materialId = -1;   ///< index in MeshData::materials; −1: none
    std::string material;  ///< name of the material as the file gives it; gmsh: the entity's tag
    std::string group;     ///< name of the group; gmsh: the entity's tag
    friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// Named set of cells: a physical group of gmsh.
struct CellGroup
{
    std::string name;  ///< empty where the file gives none
    int dimension = 0;
    int tag = 0;
    /// Members: indices in the array of each kind, in file order (indexed by CellKind).
    std::array<Vector<Index>, CellKindCount> cells;
};

/// Named set of points, as a node set of Abaqus.
struct PointSet
{
    std::string name;
    Vector<Index> points;  ///< in increasing order
    friend bool operator==(const PointSet&, const PointSet&) = default;
};

/// Surface appearance as a Wavefront material library gives it. Colours are red, green, blue, alpha in [0, 1].
struct MeshMaterial
{
    std::string name = "Default";
    Vec<4, float> ambient{0.2f, 0.2f, 0.2f, 1.f};
    Vec<4, float> diffuse{0.75f, 0.75f, 0.75f, 1.f};
    Vec<4, float> specular{1.f, 1.f, 1.f, 1.f};
    Vec<4, float> emissive{0.f, 0.f, 0.f, 0.f};
    float shininess = 45.f;  ///< specular exponent Ns
    float refraction = 1.f;  ///< index of refraction Ni
    int illumination = 2;    ///< illum
    bool useAmbient = true, useDiffuse = true, useSpecular = false, useEmissive = false, useShininess = false;
    bool activated = false;  ///< some face uses it
    /// Texture file names as written (relative to the material library), empty where absent.
    std::string diffuseTexture, ambientTexture, specularTexture, emissiveTexture, shininessTexture, alphaTexture,
        bumpTexture, displacementTexture, reflectionTexture;
};

/// A corner of a face of an OBJ file: indices of its position, texture coordinate and normal in the file's own lists,
/// InvalidIndex where the file gives none.
struct FaceCorner
{
    Index position = InvalidIndex, texCoord = InvalidIndex, normal = InvalidIndex;
    friend bool operator==(const FaceCorner&, const FaceCorner&) = default;
};

/// Values attached to points or cells: `components` numbers for each, contiguous.
struct DataArray
{
    std::string name;
    std::size_t components = 1;
    Vector<double> values;
    std::size_t tuples() const { return components ? values.size() / components : 0; }
};

/// Where a cell of the file went: `count` cells from `first` on in the array of `kind` (several where the file's cell
/// was divided, none where it was left out). Entry i belongs to tuple i of the arrays in MeshData::cellData.
struct CellOrigin
{
    CellKind kind = CellKind::Point;
    Index first = 0, count = 0;
    friend bool operator==(const CellOrigin&, const CellOrigin&) = default;
};

/// The node in the middle of an edge of second-order cells.
struct MidsideNode
{
    Edge ends;
    Index node;
    friend bool operator==(const MidsideNode&, const MidsideNode&) = default;
};

/// A mesh as a file gives it. Positions keep the order of the file, cells keep their order within their kind, exactly
/// as SOFA's loaders do, so that degrees of freedom correspond point by point.
struct MeshData
{
    Vector<Vec3> positions;

    Vector<Index> points;  ///< vertex cells (VTK vertices, gmsh points, OBJ `p`)
    Vector<Edge> edges;
    Vector<Triangle> triangles;
    Vector<Quad> quads;
    Vector<Tetrahedron> tetrahedra;
    Vector<Hexahedron> hexahedra;
    Vector<Prism> prisms;
    Vector<Pyramid> pyramids;
    std::vector<Vector<Index>> polylines;
    /// Faces with more than four corners, as the file gives them; their fan of triangles is in `triangles` too.
    std::vector<Vector<Index>> polygons;

    /// Of second-order edges, triangles and tetrahedra, whose corners are in the first-order arrays; each edge once.
    Vector<MidsideNode> midsideNodes;

    /// One normal per position, of unit length, or none at all.
    Vector<Vec3> normals;
    /// One texture coordinate per position, or none at all.
    Vector<Vec2> texCoords;

    /// Ranges of cells by group and material, per kind (indexed by CellKind).
    std::array<std::vector<CellRange>, CellKindCount> ranges;
    std::vector<CellGroup> groups;
    std::vector<PointSet> pointSets;
    std::vector<MeshMaterial> materials;
    int defaultMaterial = -1;  ///< first material that a face uses; −1: none

    /// OBJ: all faces and lines in file order; face i has the corners faceStart[i] .. faceStart[i+1] of `faceCorners`.
    Vector<Index> faceStart;
    Vector<FaceCorner> faceCorners;
    Vector<Vec2> texCoordDefinitions;  ///< OBJ: the `vt` lines, in order
    Vector<Vec3> normalDefinitions;    ///< OBJ: the `vn` lines, in order
    /// OBJ with seams handled and vertices duplicated for them: the position (`v` line) of each vertex, and an index
    /// that two vertices of one position share exactly if they share their normal.
    Vector<Index> vertexPositionIndex, vertexNormalIndex;

    std::vector<DataArray> pointData, cellData;
    std::vector<CellOrigin> cellOrigins;  ///< VTK: see CellOrigin

    Vector<double> radii;  ///< sphere lists: radius [same unit as the positions] of the sphere at each position

    /// What the reader left out or had to assume, each with its place in the file; to be shown as warnings.
    std::vector<std::string> notes;

    /// Number of cells of a kind.
    std::size_t cellCount(CellKind kind) const;
};

/// Choices for the readers; every reader ignores those that do not concern its format.
struct MeshReadOptions
{
    bool triangulate = false;        ///< divide quads into triangles
    bool flipNormals = false;        ///< reverse the corners of triangles, quads and polygons
    bool handleSeams = false;        ///< OBJ: one vertex per distinct position/texture coordinate/normal triplet
    bool loadMaterials = true;       ///< OBJ: read the material libraries
    bool stlMergePoints = true;      ///< STL: merge corners at exactly the same place
    std::size_t stlHeaderSize = 80;  ///< STL, binary: bytes before the number of facets
    bool stlForceBinary = false;     ///< STL: binary even if the file starts with "solid"
    /// Largest number of points of a grid that a file gives by its dimensions alone (a guard against corrupt files).
    std::size_t maxImplicitPoints = std::size_t{1} << 24;
};

/// Appends the fan of triangles (c0, c[j−1], c[j]) of a convex polygon; records it in `polygons` above four corners.
void addPolygon(MeshData& mesh, const Index* corners, std::size_t n);

/// Counts a cell, which is the last of its kind so far, to the last of the ranges of that kind if it has the same group
/// and material, else begins a range with it.
void extendRanges(std::vector<CellRange>& ranges, Index cell, std::string_view group, std::string_view material,
                  int materialId = -1);

/// Sorts cells by the tags that a file gives them; each tag becomes a group, in increasing order.
class TaggedCells
{
public:
    void add(CellKind kind, int tag, Index cell) { m_cells[tag][static_cast<std::size_t>(kind)].push_back(cell); }
    /// Appends the groups. Nothing is left here.
    void makeGroups(MeshData& mesh, int dimension);

private:
    std::map<int, std::array<Vector<Index>, CellKindCount>> m_cells;
};

/// Collects midside nodes, those of each edge once.
class HighOrderEdges
{
public:
    explicit HighOrderEdges(MeshData& mesh) : m_mesh(mesh) {}
    /// A second-order edge element (a, b) that is itself an edge of the mesh.
    void addEdgeElement(Index a, Index b, Index node);
    /// The edge a–b of a face or cell, with its midside node; ignored where that edge is known.
    void addSide(Index a, Index b, Index node);

private:
    MeshData& m_mesh;
    std::unordered_set<Edge, ElementHash<2>> m_known;  // membership only: its order is never used
};

/// Puts second-order cells together again, for writers.
class SecondOrderCells
{
public:
    /// Vertices, and behind them the midside nodes of the edges 01, of triangles 01 12 20, of tetrahedra 01 12 02 03 13
    /// 23: the order of VTK.
    using Nodes = std::vector<Index>;

    explicit SecondOrderCells(const MeshData& mesh);
    /// The nodes of an edge, triangle or tetrahedron; none if one of its edges has no midside node, or for another
    /// cell.
    Nodes nodes(CellKind kind, const Index* vertices) const;

private:
    std::unordered_map<Edge, Index, ElementHash<2>> m_nodes;
};

}  // namespace sofa::core::io
