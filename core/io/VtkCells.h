// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/io/MeshData.h"
#include "core/io/TextScanner.h"

namespace sofa::core::io {

/// Number types of VTK files.
enum class VtkType
{
    Bit,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Float32,
    Float64,
    String
};

/// The type that a legacy ("unsigned_char", "vtkIdType", ...) or XML ("UInt8", ...) file names, in any case.
std::optional<VtkType> vtkType(std::string_view name);
/// Bytes of one value; 0 for Bit and String.
std::size_t vtkTypeSize(VtkType type);
/// The value of `type` (not Bit or String) at `p`, its bytes reversed where `swap`; 64-bit integers are exact up to
/// 2⁵³ as double.
template <class T>
T vtkValue(VtkType type, const char* p, bool swap);

/// Cell types of VTK (vtkCellType.h), those that a mesh is made of here.
enum VtkCellType : int
{
    VtkVertex = 1,
    VtkPolyVertex = 2,
    VtkLine = 3,
    VtkPolyLine = 4,
    VtkTriangle = 5,
    VtkTriangleStrip = 6,
    VtkPolygon = 7,
    VtkPixel = 8,
    VtkQuad = 9,
    VtkTetra = 10,
    VtkVoxel = 11,
    VtkHexahedron = 12,
    VtkWedge = 13,
    VtkPyramid = 14
};

/// Sorts the cells of a VTK dataset into a MeshData.
///
/// A pixel becomes a quad and a voxel a hexahedron, with their corners turned into cyclic order; a polygon becomes a
/// fan of triangles; a strip its triangles, all with the orientation of its first; a polyline stays one. Second-order
/// edges, triangles and tetrahedra give corners and midside nodes; other high-order cells give their corners. Each
/// cell of the file has an entry in `cellOrigins`; those that cannot be represented an empty one, and a note.
class VtkCells
{
public:
    VtkCells(MeshData& mesh, std::string path) : m_mesh(mesh), m_edges(mesh), m_path(std::move(path)) {}

    /// Adds a cell. The point indices must be valid. Returns false, adding nothing, where `n` is too small for it.
    bool add(int type, const Index* ids, std::size_t n);
    /// Fewest points of a cell of the given type.
    static std::size_t minimumPoints(int type);
    /// Cells of a grid of nx × ny × nz points, the first index running fastest: hexahedra, or quads, edges or points
    /// where one or more of the dimensions are 1.
    void addGrid(std::size_t nx, std::size_t ny, std::size_t nz);
    /// Appends the notes on what was left out or simplified.
    void finish();

private:
    MeshData& m_mesh;
    HighOrderEdges m_edges;
    std::string m_path;
    std::map<int, std::size_t> m_reduced, m_unknown;
};

/// The order of cells in a VtkCellList, and so of the values in MeshData::cellData: by kind.
inline constexpr std::array<CellKind, CellKindCount> cellOrder{
    CellKind::Point,       CellKind::Edge,       CellKind::Polyline, CellKind::Triangle, CellKind::Quad,
    CellKind::Tetrahedron, CellKind::Hexahedron, CellKind::Prism,    CellKind::Pyramid};

/// The cells of a mesh in the flat form of VTK, those with midside nodes as ones of the second order.
struct VtkCellList
{
    Vector<std::int64_t> connectivity;
    Vector<std::int64_t> offsets;  ///< end of each cell in `connectivity`
    Vector<std::uint8_t> types;

    explicit VtkCellList(const MeshData& mesh);
    std::size_t size() const { return types.size(); }
    /// `data`, which belongs to the mesh's cellOrigins or has one tuple per cell in this order, in this order.
    /// \throws MeshError for `path` where the numbers do not fit
    Vector<double> ordered(const MeshData& mesh, const DataArray& data, const std::string& path) const;
};

}  // namespace sofa::core::io
