// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/io/MeshOperations.h"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_set>

#include "core/io/MeshError.h"
#include "core/math/Quat.h"
#include "core/mesh/SubElements.h"

namespace sofa::core::io {

AffineTransform makeTransform(const Vec3& scale, const Vec3& rotationDegrees, const Vec3& translation)
{
    const Vec3 angles = rotationDegrees * std::numbers::pi / 180.;
    return {Quat::fromEulerXYZ(angles).toMatrix() * Mat3::diagonal(scale), translation};
}

void applyTransform(MeshData& mesh, const AffineTransform& t)
{
    for (auto& p : mesh.positions) p = t(p);
    const Mat3& a = t.linear;
    // The cofactor matrix is det(A) A⁻ᵀ; its sign is divided out so that a reflection does not flip the normals twice.
    const Mat3 cofactor = Mat3::fromRows(cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1]));
    const double det = dot(a[0], cofactor[0]);
    if (det == 0. || !std::isfinite(det)) return;
    for (auto& n : mesh.normals) n = normalized(cofactor * n * (det < 0. ? -1. : 1.));
}

void flipNormals(MeshData& mesh)
{
    for (auto& t : mesh.triangles) std::reverse(t.begin(), t.end());
    for (auto& q : mesh.quads) std::reverse(q.begin(), q.end());
    for (auto& p : mesh.polygons) std::reverse(p.begin(), p.end());
    for (auto& n : mesh.normals) n = -n;
}

void triangulate(MeshData& mesh)
{
    constexpr auto T = static_cast<std::size_t>(CellKind::Triangle), Q = static_cast<std::size_t>(CellKind::Quad);
    const auto offset = static_cast<Index>(mesh.triangles.size());
    for (const auto& q : mesh.quads) {
        mesh.triangles.push_back({q[0], q[1], q[2]});
        mesh.triangles.push_back({q[0], q[2], q[3]});
    }
    for (auto r : mesh.ranges[Q]) {
        r.first = offset + 2 * r.first;
        r.count *= 2;
        mesh.ranges[T].push_back(r);
    }
    for (auto& g : mesh.groups) {
        for (const Index i : g.cells[Q])
            for (Index k = 0; k < 2; ++k) g.cells[T].push_back(offset + 2 * i + k);
        g.cells[Q].clear();
    }
    for (auto& o : mesh.cellOrigins)
        if (o.kind == CellKind::Quad) o = {CellKind::Triangle, offset + 2 * o.first, 2 * o.count};
    mesh.ranges[Q].clear();
    mesh.quads.clear();
}

namespace {

/// Appends cells of N vertices that are not there yet.
template <std::size_t N>
class MissingCells
{
public:
    explicit MissingCells(Vector<std::array<Index, N>>& cells) : m_cells(cells)
    {
        m_known.reserve(2 * cells.size());
        for (const auto& c : cells) m_known.insert(sortedVertices(c));
    }
    void add(const std::array<Index, N>& c)
    {
        if (m_known.insert(sortedVertices(c)).second) m_cells.push_back(c);
    }

private:
    Vector<std::array<Index, N>>& m_cells;
    std::unordered_set<std::array<Index, N>, ElementHash<N>> m_known;  // membership only
};

}  // namespace

void createSubelements(MeshData& mesh)
{
    if (!mesh.hexahedra.empty() || !mesh.prisms.empty() || !mesh.pyramids.empty() || !mesh.tetrahedra.empty()) {
        MissingCells<4> quads(mesh.quads);
        MissingCells<3> triangles(mesh.triangles);
        for (const auto& h : mesh.hexahedra) {
            quads.add({h[0], h[3], h[2], h[1]});
            quads.add({h[4], h[5], h[6], h[7]});
            quads.add({h[0], h[1], h[5], h[4]});
            quads.add({h[1], h[2], h[6], h[5]});
            quads.add({h[2], h[3], h[7], h[6]});
            quads.add({h[3], h[0], h[4], h[7]});
        }
        for (const auto& p : mesh.prisms) {
            quads.add({p[0], p[3], p[4], p[1]});
            quads.add({p[0], p[2], p[5], p[3]});
            quads.add({p[1], p[4], p[5], p[2]});
            triangles.add({p[0], p[1], p[2]});
            triangles.add({p[4], p[3], p[5]});
        }
        for (const auto& p : mesh.pyramids) {
            quads.add({p[0], p[3], p[2], p[1]});
            triangles.add({p[0], p[1], p[4]});
            triangles.add({p[1], p[2], p[4]});
            triangles.add({p[3], p[4], p[2]});
            triangles.add({p[0], p[4], p[3]});
        }
        for (const auto& t : mesh.tetrahedra) {
            triangles.add({t[0], t[2], t[1]});
            triangles.add({t[0], t[1], t[3]});
            triangles.add({t[0], t[3], t[2]});
            triangles.add({t[1], t[2], t[3]});
        }
    }
    if (!mesh.quads.empty() || !mesh.triangles.empty()) {
        MissingCells<2> edges(mesh.edges);
        for (const auto& q : mesh.quads)
            for (std::size_t j = 0; j < 4; ++j) edges.add({q[(j + 1) % 4], q[(j + 2) % 4]});
        for (const auto& t : mesh.triangles)
            for (std::size_t j = 0; j < 3; ++j) edges.add({t[(j + 1) % 3], t[(j + 2) % 3]});
    }
}

MeshData withBorder(const MeshData& mesh)
{
    MeshData out = mesh;
    if (!mesh.triangles.empty() || !mesh.quads.empty()) return out;
    static constexpr Index none = InvalidIndex;
    static constexpr Quad tetrahedron[] = {{0, 1, 2, none}, {0, 1, 3, none}, {0, 2, 3, none}, {1, 2, 3, none}};
    static constexpr Quad pyramid[] = {
        {0, 1, 2, 3}, {0, 1, 4, none}, {1, 2, 4, none}, {2, 3, 4, none}, {3, 0, 4, none}};
    static constexpr Quad prism[] = {{0, 1, 2, none}, {3, 4, 5, none}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    struct Face
    {
        Quad sorted, corners;
        Vec3 middle;  ///< of its volume
        bool isShared = false;
    };
    std::vector<Face> faces;
    const auto add = [&](const auto& volumes, std::span<const Quad> sides) {
        for (const auto& volume : volumes) {
            Vec3 middle;
            for (const Index v : volume) middle += mesh.positions[v] / static_cast<double>(volume.size());
            for (const Quad& side : sides) {
                Quad corners{};
                for (std::size_t k = 0; k < 4; ++k) corners[k] = side[k] == none ? none : volume[side[k]];
                faces.push_back({sortedVertices(corners), corners, middle});
            }
        }
    };
    add(mesh.tetrahedra, tetrahedron);
    add(mesh.hexahedra, hexahedronFaces);
    add(mesh.prisms, prism);
    add(mesh.pyramids, pyramid);
    Vector<std::size_t> order(faces.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](const std::size_t& f) { return std::tie(faces[f].sorted, f); });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (faces[order[i]].sorted == faces[order[i - 1]].sorted)
            faces[order[i]].isShared = faces[order[i - 1]].isShared = true;
    for (Face& f : faces) {
        if (f.isShared) continue;
        const Vec3 &a = mesh.positions[f.corners[0]], &b = mesh.positions[f.corners[1]],
                   &c = mesh.positions[f.corners[2]];
        const bool isTriangle = f.corners[3] == none;
        if (dot(cross(b - a, c - a), a - f.middle) < 0.) std::reverse(&f.corners[0], &f.corners[isTriangle ? 3 : 4]);
        if (isTriangle)
            out.triangles.push_back({f.corners[0], f.corners[1], f.corners[2]});
        else
            out.quads.push_back(f.corners);
    }
    return out;
}

void requirePoints(const std::filesystem::path& path, const MeshData& mesh)
{
    const std::size_t n = mesh.positions.size();
    const auto check = [&](const char* kind, std::size_t number, const auto& corners) {
        for (const Index v : corners)
            if (v >= n)
                throw MeshError(path.string(), "not written: the " + std::string(kind) + " " + std::to_string(number) +
                                                   " has the point " + std::to_string(v) + ", but there are only " +
                                                   std::to_string(n) + " points");
    };
    const auto checkAll = [&](CellKind kind, const auto& cells) {
        for (std::size_t c = 0; c < cells.size(); ++c) check(cellKindName(kind), c, cells[c]);
    };
    for (std::size_t c = 0; c < mesh.points.size(); ++c)
        check(cellKindName(CellKind::Point), c, std::array{mesh.points[c]});
    checkAll(CellKind::Edge, mesh.edges);
    checkAll(CellKind::Triangle, mesh.triangles);
    checkAll(CellKind::Quad, mesh.quads);
    checkAll(CellKind::Tetrahedron, mesh.tetrahedra);
    checkAll(CellKind::Hexahedron, mesh.hexahedra);
    checkAll(CellKind::Prism, mesh.prisms);
    checkAll(CellKind::Pyramid, mesh.pyramids);
    checkAll(CellKind::Polyline, mesh.polylines);
    for (std::size_t c = 0; c < mesh.polygons.size(); ++c) check("polygon", c, mesh.polygons[c]);
}

Vector<std::array<Index, 4>> highOrderEdgePositions(MeshData& mesh)
{
    Vector<std::array<Index, 4>> list;
    if (mesh.midsideNodes.empty()) return list;
    std::unordered_map<Edge, Index, ElementHash<2>> known;
    for (Index e = 0; e < mesh.edges.size(); ++e) known.try_emplace(sortedVertices(mesh.edges[e]), e);
    list.reserve(mesh.midsideNodes.size());
    for (const MidsideNode& m : mesh.midsideNodes) {
        const auto [edge, isNew] = known.try_emplace(sortedVertices(m.ends), static_cast<Index>(mesh.edges.size()));
        if (isNew) mesh.edges.push_back(m.ends);
        list.push_back({m.node, edge->second, 1, 1});
    }
    return list;
}

Vector<Index> removeUnattachedPoints(MeshData& mesh)
{
    const std::size_t n = mesh.positions.size();
    Vector<Index> kept;
    Vector<char> used(n, mesh.radii.empty() ? 0 : 1);
    forEachCellArray(mesh, [&](const auto& cells) {
        for (const auto& c : cells)
            for (const Index i : c) used[i] = 1;
    });
    for (const Index i : mesh.points) used[i] = 1;
    for (const auto& l : mesh.polylines)
        for (const Index i : l) used[i] = 1;
    for (const auto& p : mesh.polygons)
        for (const Index i : p) used[i] = 1;
    Vector<Index> newIndex(n, InvalidIndex);
    for (std::size_t i = 0; i < n; ++i)
        if (used[i]) {
            newIndex[i] = static_cast<Index>(kept.size());
            kept.push_back(static_cast<Index>(i));
        }
    if (kept.size() == n) return kept;

    const auto pack = [&](auto& values) {
        if (values.size() != n) return;
        for (std::size_t i = 0; i < kept.size(); ++i) values[i] = values[kept[i]];
        values.resize(kept.size());
    };
    pack(mesh.positions);
    pack(mesh.normals);
    pack(mesh.texCoords);
    pack(mesh.vertexPositionIndex);
    pack(mesh.vertexNormalIndex);
    for (auto& d : mesh.pointData) {
        if (d.tuples() != n) continue;
        for (std::size_t i = 0; i < kept.size(); ++i)
            for (std::size_t k = 0; k < d.components; ++k)
                d.values[i * d.components + k] = d.values[kept[i] * d.components + k];
        d.values.resize(kept.size() * d.components);
    }
    forEachCellArray(mesh, [&](auto& cells) {
        for (auto& c : cells)
            for (Index& i : c) i = newIndex[i];
    });
    for (Index& i : mesh.points) i = newIndex[i];
    for (auto& l : mesh.polylines)
        for (Index& i : l) i = newIndex[i];
    for (auto& p : mesh.polygons)
        for (Index& i : p) i = newIndex[i];
    for (PointSet& s : mesh.pointSets)
        std::erase_if(s.points, [&](Index& i) { return (i = newIndex[i]) == InvalidIndex; });
    // Midside nodes belong to no first-order cell: those that went take their entry with them.
    std::erase_if(mesh.midsideNodes, [&](MidsideNode& m) {
        for (Index& end : m.ends) end = newIndex[end];
        return (m.node = newIndex[m.node]) == InvalidIndex;
    });
    if (mesh.vertexPositionIndex.empty())
        for (auto& c : mesh.faceCorners) c.position = newIndex[c.position];
    return kept;
}

void computeNormals(MeshData& mesh)
{
    const auto& x = mesh.positions;
    mesh.normals.assign(x.size(), Vec3());
    for (const auto& t : mesh.triangles) {
        const Vec3 n = normalized(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]));
        for (const Index i : t) mesh.normals[i] += n;
    }
    for (const auto& q : mesh.quads)
        for (std::size_t j = 0; j < 4; ++j) {
            const Vec3 &here = x[q[j]], &next = x[q[(j + 1) % 4]], &last = x[q[(j + 3) % 4]];
            mesh.normals[q[j]] += normalized(cross(next - here, last - here));
        }
    for (auto& n : mesh.normals) n = normalized(n);
}

}  // namespace sofa::core::io
