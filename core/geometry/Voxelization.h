// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>
#include <span>

#include "core/math/Vec.h"
#include "core/math/Vector.h"
#include "core/mesh/Elements.h"

namespace sofa::core::geometry {

/// Equal boxes side by side along the axes. Cell (i, j, k) has the number i + nx (j + ny k) and reaches from
/// origin + (i hx, j hy, k hz) to the same with i + 1, j + 1, k + 1.
struct CellGrid
{
    Vec<3, int> cells{1, 1, 1};  ///< numbers of cells along x, y and z, at least 1
    Vec3 origin;                 ///< corner with the least coordinates [m]
    Vec3 spacing{1., 1., 1.};    ///< size of a cell [m], > 0

    std::size_t size() const
    {
        return static_cast<std::size_t>(cells[0]) * static_cast<std::size_t>(cells[1]) *
               static_cast<std::size_t>(cells[2]);
    }
    Index number(int i, int j, int k) const { return static_cast<Index>(i + cells[0] * (j + cells[1] * k)); }
    Vec<3, int> place(Index cell) const
    {
        const int c = static_cast<int>(cell);
        return {c % cells[0], (c / cells[0]) % cells[1], c / (cells[0] * cells[1])};
    }
    /// Corner (i, j, k): the least one of cell (i, j, k).
    Vec3 corner(int i, int j, int k) const
    {
        return {origin[0] + spacing[0] * i, origin[1] + spacing[1] * j, origin[2] + spacing[2] * k};
    }
    Vec3 center(Index cell) const
    {
        const Vec<3, int> p = place(cell);
        return (corner(p[0], p[1], p[2]) + corner(p[0] + 1, p[1] + 1, p[2] + 1)) * 0.5;
    }
    /// Place of a point in units of cells. The order of operations is SOFA's, so that points on the border of two cells
    /// belong to the same one.
    Vec3 coordinates(const Vec3& x) const
    {
        Vec3 c;
        for (std::size_t a = 0; a < 3; ++a) c[a] = (x[a] - origin[a]) * spacing[a] * (1. / (spacing[a] * spacing[a]));
        return c;
    }
    /// Cell that contains a point: a cell is closed below and open above. InvalidIndex outside.
    Index find(const Vec3& x) const;
    /// The cell at the point's place, or at the nearest one of the grid.
    Vec<3, int> clampedPlace(const Vec3& x) const;
};

/// What a cell has of a solid that a closed surface bounds.
enum class CellFill : std::uint8_t
{
    Outside,
    Inside,
    Boundary  ///< the surface touches it
};

/// A surface of polygons: face f has the corners faceStart[f] to faceStart[f + 1], numbers of positions.
struct PolygonSurface
{
    Vector<Vec3> positions;
    Vector<Index> faceStart{0};
    Vector<Index> corners;

    void addFace(std::span<const Index> face)
    {
        corners.insert(corners.end(), face.begin(), face.end());
        faceStart.push_back(static_cast<Index>(corners.size()));
    }
    std::size_t faces() const { return faceStart.size() - 1; }
    std::span<const Index> face(std::size_t f) const
    {
        return std::span<const Index>(corners).subspan(faceStart[f], faceStart[f + 1] - faceStart[f]);
    }
};

/// Whether a triangle and the box −half ≤ x ≤ half have a point in common: separating axes (S. Gottschalk, M. C. Lin
/// and D. Manocha, "OBBTree", 1996, for a triangle and a box). Touching counts; the box may be flat. Where the
/// coordinates have single precision and are below 2⁵, the projections are exact.
bool overlapsBox(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& half);

/// Fills the cells that a surface touches and those that it encloses, as SOFA's sparse grids do.
///
/// Boundary: the cell of each vertex; and of each triangle (polygons are fans around their first corner) the cells that
/// it overlaps, within the box of the cells of its three vertices. Coordinates within a cell are rounded to single
/// precision first, as in SOFA: what is nearer to a face than 3e-8 of the cell touches it. A vertex outside the grid
/// stands for the nearest cell. Of the others, those are Outside from which a way through faces leads to the border of
/// the grid without a Boundary cell.
/// \throws std::runtime_error where a position is not finite or a corner is no position.
Vector<CellFill> voxelize(const CellGrid& grid, const PolygonSurface& surface);

/// The faces of cells that the surface touches: bit a of an entry stands for the face between that cell and the lower
/// one along axis a. \throws what voxelize throws
Vector<std::uint8_t> touchedFaces(const CellGrid& grid, const PolygonSurface& surface);

/// The same for those through which an edge of the surface passes, as SOFA sees it: an edge from p to q counts from
/// 2 p − q on, the edge from the last corner of a polygon to its first one does not count, nor does an edge within the
/// plane of the face.
Vector<std::uint8_t> facesCrossedByEdges(const CellGrid& grid, const PolygonSurface& surface);

}  // namespace sofa::core::geometry
