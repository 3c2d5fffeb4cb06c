// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/geometry/Voxelization.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace sofa::core::geometry {

Index CellGrid::find(const Vec3& x) const
{
    const Vec3 c = coordinates(x);
    Vec<3, int> p;
    for (std::size_t a = 0; a < 3; ++a) {
        if (!(c[a] >= 0. && c[a] < cells[a])) return InvalidIndex;
        p[a] = static_cast<int>(c[a]);
    }
    return number(p[0], p[1], p[2]);
}

Vec<3, int> CellGrid::clampedPlace(const Vec3& x) const
{
    const Vec3 c = coordinates(x);
    Vec<3, int> p;
    for (std::size_t a = 0; a < 3; ++a)
        p[a] = static_cast<int>(std::clamp(std::floor(c[a]), 0., static_cast<double>(cells[a] - 1)));
    return p;
}

namespace {

/// Whether the projections of three numbers and of an interval around zero are apart.
bool apart(double p, double q, double r, double radius)
{
    return std::min({p, q, r}) > radius || std::max({p, q, r}) < -radius;
}

/// Calls f with the corners of the triangles of all polygons.
template <class F>
void forEachTriangle(const PolygonSurface& surface, F f)
{
    for (std::size_t i = 0; i < surface.faces(); ++i) {
        const std::span<const Index> face = surface.face(i);
        for (const Index v : face)
            if (v >= surface.positions.size())
                throw std::runtime_error("face " + std::to_string(i) + " refers to point " + std::to_string(v) +
                                         ", but there are " + std::to_string(surface.positions.size()) + " points");
        for (std::size_t j = 2; j < face.size(); ++j) f(face[0], face[j - 1], face[j]);
    }
}

/// The cells that the surface touches.
class BoundaryMarker
{
public:
    BoundaryMarker(const CellGrid& grid, const PolygonSurface& surface, Vector<CellFill>& fill)
        : m_grid(grid), m_surface(surface), m_fill(fill)
    {
    }

    void markVertices()
    {
        m_places.reserve(m_surface.positions.size());
        for (std::size_t i = 0; i < m_surface.positions.size(); ++i) {
            const Vec3& x = m_surface.positions[i];
            if (!isFinite(x)) throw std::runtime_error("position " + std::to_string(i) + " is not finite");
            const Index cell = m_grid.find(x);
            if (cell != InvalidIndex) m_fill[cell] = CellFill::Boundary;
            m_places.push_back(cell != InvalidIndex ? m_grid.place(cell) : m_grid.clampedPlace(nudgedInto(x)));
        }
    }

    void markFaces()
    {
        forEachTriangle(m_surface, [this](Index a, Index b, Index c) { markTriangle(a, b, c); });
    }

private:
    /// A vertex at most the precision of a float inside of the grid's border counts as outside, and one outside stands
    /// for the middle of the border's cell.
    Vec3 nudgedInto(Vec3 x) const
    {
        constexpr double margin = std::numeric_limits<float>::epsilon();
        for (std::size_t a = 0; a < 3; ++a) {
            const double low = m_grid.origin[a], high = low + m_grid.spacing[a] * m_grid.cells[a];
            if (x[a] - margin < low)
                x[a] = low + m_grid.spacing[a] / 2.;
            else if (x[a] + margin > high)
                x[a] = high - m_grid.spacing[a] / 2.;
        }
        return x;
    }

    void markTriangle(Index a, Index b, Index c)
    {
        Vec<3, int> low, high;
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min({m_places[a][k], m_places[b][k], m_places[c][k]});
            high[k] = std::max({m_places[a][k], m_places[b][k], m_places[c][k]});
        }
        for (int k = low[2]; k <= high[2]; ++k)
            for (int j = low[1]; j <= high[1]; ++j)
                for (int i = low[0]; i <= high[0]; ++i) {
                    CellFill& fill = m_fill[m_grid.number(i, j, k)];
                    if (fill != CellFill::Boundary && overlaps(i, j, k, a, b, c)) fill = CellFill::Boundary;
                }
    }

    bool overlaps(int i, int j, int k, Index a, Index b, Index c) const
    {
        const Vec3 first = m_grid.corner(i, j, k), diagonal = m_grid.corner(i + 1, j + 1, k + 1) - first;
        const Vec3 center = first + diagonal * 0.5;
        const auto inUnits = [&](Index v) {
            Vec3 x = m_surface.positions[v] - center;
            for (std::size_t d = 0; d < 3; ++d) x[d] = static_cast<double>(static_cast<float>(x[d] / diagonal[d]));
            return x;
        };
        return overlapsBox(inUnits(a), inUnits(b), inUnits(c), Vec3::filled(0.5));
    }

    const CellGrid& m_grid;
    const PolygonSurface& m_surface;
    Vector<CellFill>& m_fill;
    Vector<Vec<3, int>> m_places;  ///< cell of each vertex
};

/// Turns to Outside what the border of the grid reaches through faces of cells.
void flood(const CellGrid& grid, Vector<CellFill>& fill)
{
    std::vector<Index> waiting;
    const auto visit = [&](int i, int j, int k) {
        const Index cell = grid.number(i, j, k);
        if (fill[cell] != CellFill::Inside) return;
        fill[cell] = CellFill::Outside;
        waiting.push_back(cell);
    };
    const Vec<3, int> n = grid.cells;
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j) {
            const bool border = k == 0 || k == n[2] - 1 || j == 0 || j == n[1] - 1;
            for (int i = 0; i < n[0]; i += border ? 1 : std::max(n[0] - 1, 1)) visit(i, j, k);
        }
    while (!waiting.empty()) {
        const Vec<3, int> p = grid.place(waiting.back());
        waiting.pop_back();
        for (std::size_t a = 0; a < 3; ++a)
            for (const int step : {-1, 1}) {
                Vec<3, int> q = p;
                q[a] += step;
                if (q[a] >= 0 && q[a] < n[a]) visit(q[0], q[1], q[2]);
            }
    }
}

/// Marks the faces across one axis that a segment passes through.
class FaceMarker
{
public:
    FaceMarker(const CellGrid& grid, std::size_t axis, Vector<std::uint8_t>& crossed)
        : m_grid(grid), m_axis(axis), m_crossed(crossed)
    {
    }

    /// From p to q, both in units of cells.
    void mark(const Vec3& p, const Vec3& q) const
    {
        const double low = std::min(p[m_axis], q[m_axis]), high = std::max(p[m_axis], q[m_axis]);
        if (!(low < high)) return;
        const int first = static_cast<int>(std::max(std::ceil(low), 1.));
        const int last = static_cast<int>(std::min(std::floor(high), m_grid.cells[m_axis] - 1.));
        for (int plane = first; plane <= last; ++plane)
            markAt(p + (q - p) * ((plane - p[m_axis]) / (q[m_axis] - p[m_axis])), plane);
    }

private:
    /// A place on the border of two faces belongs to both.
    void markAt(const Vec3& x, int plane) const
    {
        const std::size_t b = (m_axis + 1) % 3, c = (m_axis + 2) % 3;
        for (const double u : {std::ceil(x[b]) - 1., std::floor(x[b])})
            for (const double v : {std::ceil(x[c]) - 1., std::floor(x[c])}) {
                if (!(u >= 0. && u < m_grid.cells[b] && v >= 0. && v < m_grid.cells[c])) continue;
                Vec<3, int> cell;
                cell[m_axis] = plane;
                cell[b] = static_cast<int>(u);
                cell[c] = static_cast<int>(v);
                m_crossed[m_grid.number(cell[0], cell[1], cell[2])] |= static_cast<std::uint8_t>(1u << m_axis);
            }
    }

    const CellGrid& m_grid;
    std::size_t m_axis;
    Vector<std::uint8_t>& m_crossed;
};

}  // namespace

bool overlapsBox(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& half)
{
    for (std::size_t k = 0; k < 3; ++k)
        if (apart(a[k], b[k], c[k], half[k])) return false;
    const Vec3 edges[3] = {b - a, c - b, a - c};
    const Vec3 normal = cross(edges[0], edges[1]);
    const auto radius = [&](const Vec3& axis) {
        return half[0] * std::abs(axis[0]) + half[1] * std::abs(axis[1]) + half[2] * std::abs(axis[2]);
    };
    if (std::abs(dot(normal, a)) > radius(normal)) return false;
    for (const Vec3& e : edges)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 axis = cross(Vec3::unit(k), e);
            if (apart(dot(axis, a), dot(axis, b), dot(axis, c), radius(axis))) return false;
        }
    return true;
}

Vector<CellFill> voxelize(const CellGrid& grid, const PolygonSurface& surface)
{
    Vector<CellFill> fill(grid.size(), CellFill::Inside);
    BoundaryMarker marker(grid, surface, fill);
    marker.markVertices();
    marker.markFaces();
    flood(grid, fill);
    return fill;
}

Vector<std::uint8_t> touchedFaces(const CellGrid& grid, const PolygonSurface& surface)
{
    Vector<std::uint8_t> touched(grid.size(), 0);
    Vector<Vec3> x;
    for (const Vec3& p : surface.positions) {
        if (!isFinite(p)) throw std::runtime_error("position " + std::to_string(x.size()) + " is not finite");
        x.push_back(grid.coordinates(p));
    }
    const auto mark = [&](int i, int j, int k, Index a, Index b, Index c) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Vec3 center{i + 0.5, j + 0.5, k + 0.5}, half = Vec3::filled(0.5);
            center[axis] -= 0.5;
            half[axis] = 0.;
            if (overlapsBox(x[a] - center, x[b] - center, x[c] - center, half))
                touched[grid.number(i, j, k)] |= static_cast<std::uint8_t>(1u << axis);
        }
    };
    forEachTriangle(surface, [&](Index a, Index b, Index c) {
        Vec<3, int> low, high;
        for (std::size_t d = 0; d < 3; ++d) {
            const double last = grid.cells[d] - 1.;
            low[d] = static_cast<int>(std::clamp(std::ceil(std::min({x[a][d], x[b][d], x[c][d]})) - 1., 0., last));
            high[d] = static_cast<int>(std::clamp(std::floor(std::max({x[a][d], x[b][d], x[c][d]})), 0., last));
        }
        for (int k = low[2]; k <= high[2]; ++k)
            for (int j = low[1]; j <= high[1]; ++j)
                for (int i = low[0]; i <= high[0]; ++i) mark(i, j, k, a, b, c);
    });
    return touched;
}

Vector<std::uint8_t> facesCrossedByEdges(const CellGrid& grid, const PolygonSurface& surface)
{
    Vector<std::uint8_t> crossed(grid.size(), 0);
    for (std::size_t f = 0; f < surface.faces(); ++f) {
        const std::span<const Index> face = surface.face(f);
        for (std::size_t j = 1; j < face.size(); ++j) {
            const Vec3 p = grid.coordinates(surface.positions[face[j - 1]]);
            const Vec3 q = grid.coordinates(surface.positions[face[j]]);
            for (std::size_t axis = 0; axis < 3; ++axis) FaceMarker(grid, axis, crossed).mark(p * 2. - q, q);
        }
    }
    return crossed;
}

}  // namespace sofa::core::geometry
