// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/meshgen/Shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "core/mesh/SubElements.h"

namespace meshgen {

using sofa::core::Edge;
using sofa::core::InvalidIndex;
using sofa::core::norm;
using sofa::core::norm2;
using sofa::core::normalized;
using sofa::core::Quad;
using sofa::core::sortedVertices;
using sofa::core::Tetrahedron;
using sofa::core::Triangle;

namespace {

constexpr double pi = std::numbers::pi;

Index size32(std::size_t n) { return static_cast<Index>(n); }

}  // namespace

ImplicitSolid organ()
{
    struct Bell
    {
        Vec3 centre, radii;
        double weight;
    };
    static const Bell bells[] = {
        {{-1.1, 0.1, 0.}, {1.75, 1.7, 1.35}, 1.},
        {{0.9, 0.35, 0.1}, {1.6, 1.15, 1.}, 0.9},
        {{2.1, 0.6, 0.2}, {1.1, 0.8, 0.75}, 0.45},
        {{-0.6, -1.0, -0.1}, {1.1, 0.9, 0.9}, 0.5},
    };
    ImplicitSolid s;
    s.value = [](const Vec3& x) {
        double f = -0.42;
        for (const auto& b : bells) {
            const Vec3 d = x - b.centre;
            f += b.weight *
                 std::exp(-(d[0] * d[0] / (b.radii[0] * b.radii[0]) + d[1] * d[1] / (b.radii[1] * b.radii[1]) +
                            d[2] * d[2] / (b.radii[2] * b.radii[2])));
        }
        return f;
    };
    s.lower = {-3.2, -2.6, -1.8};
    s.upper = {3.6, 2.2, 1.8};
    return s;
}

ImplicitSolid ball()
{
    return {[](const Vec3& x) { return 1. - norm(x); }, {-1., -1., -1.}, {1., 1., 1.}};
}

ImplicitSolid torus()
{
    return {[](const Vec3& x) {
                const double r = std::sqrt(x[0] * x[0] + x[1] * x[1]) - 1.;
                return 0.4 - std::sqrt(r * r + x[2] * x[2]);
            },
            {-1.4, -1.4, -0.4},
            {1.4, 1.4, 0.4}};
}

ImplicitSolid bridge()
{
    ImplicitSolid s;
    s.value = [](const Vec3& x) {
        constexpr double middle = 6., span = 5.4, top = 2.8, foot = 0.2, side = 0.78, rib = 0.2, bar = 0.15;
        const auto height = [](double at) {  // of the axis of a rib
            const double u = (at - middle) / span;
            return foot + (top - foot) * (1. - u * u);
        };
        const double z = std::abs(x[2]), along = std::abs(x[0] - middle);
        // Signed distances, positive inside.
        const auto box = [](const Vec3& d) {
            const Vec3 out{std::max(d[0], 0.), std::max(d[1], 0.), std::max(d[2], 0.)};
            return -norm(out) - std::min(std::max({d[0], d[1], d[2]}), 0.);
        };
        const double deck = box({along - middle, std::abs(x[1] - 0.2) - 0.2, z - 1.});
        const double slope = 2. * (top - foot) * along / (span * span);
        const double across = (x[1] - height(x[0])) / std::sqrt(1. + slope * slope);
        const double ribs = std::min(rib - std::hypot(across, z - side), x[1] - 0.1);
        const double nearest = std::min(4., 2. * std::round(along / 2.));  // hanger: 0, 2 or 4 from the middle
        const double hanger = bar - std::hypot(along - nearest, z - side);
        const double hangers = std::min({hanger, x[1] - 0.1, height(middle + nearest) - x[1]});
        const double joined = std::min(nearest, 2.);
        const double beams = std::min(bar - std::hypot(along - joined, x[1] - height(middle + joined)), side - z);
        // A soft maximum rounds the joints: k log Σ exp(f/k).
        constexpr double k = 0.02;
        const double most = std::max({deck, ribs, hangers, beams});
        double sum = 0.;
        for (const double f : {deck, ribs, hangers, beams}) sum += std::exp((f - most) / k);
        return most + k * std::log(sum);
    };
    s.lower = {-0.05, -0.05, -1.05};
    s.upper = {12.05, 3.05, 1.05};
    return s;
}

MeshData gridPoints(const Vec3& lower, const Vec3& upper, std::size_t nx, std::size_t ny, std::size_t nz)
{
    MeshData m;
    const auto at = [&](std::size_t axis, std::size_t i, std::size_t n) {
        return lower[axis] + (upper[axis] - lower[axis]) * static_cast<double>(i) / static_cast<double>(n);
    };
    for (std::size_t k = 0; k <= nz; ++k)
        for (std::size_t j = 0; j <= ny; ++j)
            for (std::size_t i = 0; i <= nx; ++i) m.positions.push_back({at(0, i, nx), at(1, j, ny), at(2, k, nz)});
    return m;
}

namespace {

template <class F>
void forEachCube(std::size_t nx, std::size_t ny, std::size_t nz, F f)
{
    for (std::size_t k = 0; k < nz; ++k)
        for (std::size_t j = 0; j < ny; ++j)
            for (std::size_t i = 0; i < nx; ++i) {
                std::array<Index, 8> c;
                constexpr std::size_t d[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
                for (std::size_t v = 0; v < 8; ++v)
                    c[v] = size32(i + d[v][0] + (nx + 1) * (j + d[v][1] + (ny + 1) * (k + d[v][2])));
                f(c, (i + j + k) % 2 == 0);
            }
}

}  // namespace

void addGridHexahedra(MeshData& mesh, std::size_t nx, std::size_t ny, std::size_t nz)
{
    forEachCube(nx, ny, nz, [&](const std::array<Index, 8>& c, bool) { mesh.hexahedra.push_back(c); });
}

void addGridTetrahedra(MeshData& mesh, std::size_t nx, std::size_t ny, std::size_t nz)
{
    static constexpr std::size_t even[5][4] = {{0, 1, 2, 5}, {0, 2, 3, 7}, {0, 5, 7, 4}, {2, 7, 5, 6}, {0, 2, 7, 5}};
    static constexpr std::size_t odd[5][4] = {{1, 3, 0, 4}, {1, 2, 3, 6}, {1, 6, 4, 5}, {3, 4, 6, 7}, {1, 3, 4, 6}};
    forEachCube(nx, ny, nz, [&](const std::array<Index, 8>& c, bool isEven) {
        for (const auto& t : isEven ? even : odd) {
            Tetrahedron e{c[t[0]], c[t[1]], c[t[2]], c[t[3]]};
            const auto& x = mesh.positions;
            if (orientation(x[e[0]], x[e[1]], x[e[2]], x[e[3]]) < 0.) std::swap(e[2], e[3]);
            mesh.tetrahedra.push_back(e);
        }
    });
}

MeshData boxSurface(const Vec3& lower, const Vec3& upper, const std::array<std::size_t, 3>& n)
{
    MeshData m;
    m.faceStart.push_back(0);
    std::map<std::array<std::size_t, 3>, Index> vertices;
    const auto vertex = [&](const std::array<std::size_t, 3>& g) {
        const auto [it, isNew] = vertices.try_emplace(g, size32(m.positions.size()));
        if (isNew) {
            Vec3 p;
            for (std::size_t k = 0; k < 3; ++k)
                p[k] = lower[k] + (upper[k] - lower[k]) * static_cast<double>(g[k]) / static_cast<double>(n[k]);
            m.positions.push_back(p);
        }
        return it->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool top : {false, true}) {
            // u, v and the outward normal form a right-handed frame.
            const std::size_t u = top ? (axis + 1) % 3 : (axis + 2) % 3, v = top ? (axis + 2) % 3 : (axis + 1) % 3;
            m.normalDefinitions.push_back(Vec3::unit(axis) * (top ? 1. : -1.));
            const Index firstT = size32(m.texCoordDefinitions.size());
            for (std::size_t j = 0; j <= n[v]; ++j)
                for (std::size_t i = 0; i <= n[u]; ++i)
                    m.texCoordDefinitions.push_back({static_cast<double>(i) / static_cast<double>(n[u]),
                                                     static_cast<double>(j) / static_cast<double>(n[v])});
            for (std::size_t j = 0; j < n[v]; ++j)
                for (std::size_t i = 0; i < n[u]; ++i) {
                    Quad q{};
                    constexpr std::size_t du[4] = {0, 1, 1, 0}, dv[4] = {0, 0, 1, 1};
                    for (std::size_t c = 0; c < 4; ++c) {
                        std::array<std::size_t, 3> g{};
                        g[axis] = top ? n[axis] : 0;
                        g[u] = i + du[c];
                        g[v] = j + dv[c];
                        q[c] = vertex(g);
                        m.faceCorners.push_back(
                            {q[c], firstT + size32(g[u] + (n[u] + 1) * g[v]), size32(m.normalDefinitions.size() - 1)});
                    }
                    m.quads.push_back(q);
                    m.faceStart.push_back(size32(m.faceCorners.size()));
                }
        }
    return m;
}

MeshData floorSurface(double size, std::size_t n)
{
    MeshData m;
    const auto at = [&](std::size_t i) { return static_cast<double>(i) / static_cast<double>(n); };
    for (std::size_t j = 0; j <= n; ++j)
        for (std::size_t i = 0; i <= n; ++i) {
            m.positions.push_back({size * (at(i) - 0.5), 0., size * (0.5 - at(j))});
            m.normals.push_back({0., 1., 0.});
            m.texCoords.push_back({at(i), at(j)});
        }
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) {
            const Index a = size32(i + (n + 1) * j), up = size32(n + 1);
            m.quads.push_back({a, a + 1, a + 1 + up, a + up});
        }
    addFaceCorners(m);
    return m;
}

MeshData torusSurface(std::size_t around, std::size_t across)
{
    MeshData m;
    for (std::size_t i = 0; i < around; ++i)
        for (std::size_t j = 0; j < across; ++j) {
            const double a = 2. * pi * static_cast<double>(i) / static_cast<double>(around);
            const double b = 2. * pi * static_cast<double>(j) / static_cast<double>(across);
            const Vec3 n(std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b));
            m.positions.push_back(Vec3(std::cos(a), std::sin(a), 0.) + n * 0.4);
            m.normalDefinitions.push_back(n);
        }
    for (std::size_t i = 0; i <= around; ++i)
        for (std::size_t j = 0; j <= across; ++j)
            m.texCoordDefinitions.push_back({static_cast<double>(i) / static_cast<double>(around),
                                             static_cast<double>(j) / static_cast<double>(across)});
    m.faceStart.push_back(0);
    const auto corner = [&](std::size_t i, std::size_t j) {
        const Index p = size32(i % around * across + j % across);
        return sofa::core::io::FaceCorner{p, size32(i * (across + 1) + j), p};
    };
    for (std::size_t i = 0; i < around; ++i)
        for (std::size_t j = 0; j < across; ++j) {
            const auto a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
            for (const auto& t : {std::array{a, b, c}, std::array{a, c, d}}) {
                m.triangles.push_back({t[0].position, t[1].position, t[2].position});
                m.faceCorners.insert(m.faceCorners.end(), t.begin(), t.end());
                m.faceStart.push_back(size32(m.faceCorners.size()));
            }
        }
    return m;
}

MeshData sphereSurface(int levels)
{
    MeshData m;
    // Vertices of an icosahedron: the corners of three golden rectangles.
    const double g = std::numbers::phi;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const double s : {-1., 1.})
            for (const double t : {-g, g}) {
                Vec3 p;
                p[axis] = s;
                p[(axis + 1) % 3] = t;
                m.positions.push_back(normalized(p));
            }
    // Its faces: three vertices at the smallest distance from each other.
    const double edge = 2. / norm(Vec3(1., g, 0.));
    const auto near = [&](Index a, Index b) { return norm(m.positions[a] - m.positions[b]) < 1.01 * edge; };
    for (Index a = 0; a < 12; ++a)
        for (Index b = a + 1; b < 12; ++b)
            for (Index c = b + 1; c < 12; ++c)
                if (near(a, b) && near(b, c) && near(c, a)) {
                    const auto& x = m.positions;
                    const bool outward = dot(cross(x[b] - x[a], x[c] - x[a]), x[a]) > 0.;
                    m.triangles.push_back(outward ? Triangle{a, b, c} : Triangle{a, c, b});
                }
    for (int level = 0; level < levels; ++level) {
        std::map<Edge, Index> middles;
        const auto middle = [&](Index a, Index b) {
            const auto [it, isNew] = middles.try_emplace(sortedVertices(Edge{a, b}), size32(m.positions.size()));
            if (isNew) m.positions.push_back(normalized(m.positions[a] + m.positions[b]));
            return it->second;
        };
        Vector<Triangle> finer;
        for (const auto& t : m.triangles) {
            const Index a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
            for (const Triangle& f :
                 {Triangle{t[0], a, c}, Triangle{a, t[1], b}, Triangle{c, b, t[2]}, Triangle{a, b, c}})
                finer.push_back(f);
        }
        m.triangles = finer;
    }
    m.normals = m.positions;
    addSphericalTexture(m);
    return m;
}

MeshData curvedBall()
{
    const MeshData surface = sphereSurface(0);
    MeshData m;
    m.positions = surface.positions;
    const Index centre = size32(m.positions.size());
    m.positions.push_back({});
    for (const Triangle& t : surface.triangles) m.tetrahedra.push_back({centre, t[0], t[1], t[2]});
    const Vector<Edge> edges = sofa::core::edgesOf(m.tetrahedra, Vector<sofa::core::Hexahedron>());
    for (const Edge& e : edges) {
        const Vec3 middle = (m.positions[e[0]] + m.positions[e[1]]) * 0.5;
        m.midsideNodes.push_back({sortedVertices(e), size32(m.positions.size())});
        m.positions.push_back(std::max(e[0], e[1]) == centre ? middle : normalized(middle));
    }
    return m;
}

MeshData plateTriangles(std::size_t nx, std::size_t ny)
{
    // Each tile is a fan of rings between its hole and its border. Points on borders are shared with the neighbours:
    // they are found by their place in a grid of `cells` cells per tile.
    constexpr std::size_t sides = 20, rings = 3;
    constexpr long cells = sides / 4;
    constexpr double radius = 0.25;
    MeshData m;
    std::map<std::pair<long, long>, Index> border;
    for (std::size_t ty = 0; ty < ny; ++ty)
        for (std::size_t tx = 0; tx < nx; ++tx) {
            const Vec3 centre(static_cast<double>(tx) + 0.5, static_cast<double>(ty) + 0.5, 0.);
            Index id[rings + 1][sides];
            for (std::size_t s = 0; s < sides; ++s) {
                // Evenly along the border, counter-clockwise from the lower left corner.
                const long along = static_cast<long>(s) % cells, side = static_cast<long>(s) / cells;
                const long bx[4] = {along, cells, cells - along, 0}, by[4] = {0, along, cells, cells - along};
                const Vec3 outer(static_cast<double>(bx[side]) / cells - 0.5,
                                 static_cast<double>(by[side]) / cells - 0.5, 0.);
                const double angle = 2. * pi * static_cast<double>(s) / static_cast<double>(sides) - 0.75 * pi;
                const Vec3 inner = Vec3(std::cos(angle), std::sin(angle), 0.) * radius;
                for (std::size_t r = 0; r <= rings; ++r) {
                    const double f = static_cast<double>(r) / static_cast<double>(rings);
                    const Vec3 p = centre + inner * (1. - f) + outer * f;
                    if (r < rings) {
                        id[r][s] = size32(m.positions.size());
                        m.positions.push_back(p);
                    } else {
                        const std::pair key(cells * static_cast<long>(tx) + bx[side],
                                            cells * static_cast<long>(ty) + by[side]);
                        const auto [it, isNew] = border.try_emplace(key, size32(m.positions.size()));
                        if (isNew) m.positions.push_back(p);
                        id[r][s] = it->second;
                    }
                }
            }
            for (std::size_t r = 0; r < rings; ++r)
                for (std::size_t s = 0; s < sides; ++s) {
                    const std::size_t n = (s + 1) % sides;
                    const Index a = id[r][s], b = id[r + 1][s], c = id[r + 1][n], d = id[r][n];
                    // The shorter diagonal.
                    const auto& x = m.positions;
                    if (norm2(x[a] - x[c]) <= norm2(x[b] - x[d])) {
                        m.triangles.push_back({a, b, c});
                        m.triangles.push_back({a, c, d});
                    } else {
                        m.triangles.push_back({a, b, d});
                        m.triangles.push_back({b, c, d});
                    }
                }
        }
    for (const auto& p : m.positions) {
        m.normals.push_back({0., 0., 1.});
        m.texCoords.push_back({p[0] / static_cast<double>(nx), p[1] / static_cast<double>(ny)});
    }
    addFaceCorners(m);
    return m;
}

MeshData extrude(const MeshData& flat, double thickness, std::size_t layers)
{
    MeshData m;
    const Index n = size32(flat.positions.size());
    for (std::size_t l = 0; l <= layers; ++l)
        for (const auto& p : flat.positions)
            m.positions.push_back(p + Vec3(0., 0., thickness * static_cast<double>(l) / static_cast<double>(layers)));
    for (std::size_t l = 0; l < layers; ++l)
        for (auto t : flat.triangles) {
            // Columns in the order of their indices: the same diagonal from both sides of every quad.
            t = sortedVertices(t);
            Triangle now{};
            for (std::size_t i = 0; i < 3; ++i) now[i] = t[i] + size32(l) * n;
            for (std::size_t i = 0; i < 3; ++i) {
                Tetrahedron e{now[0], now[1], now[2], now[i] + n};
                const auto& x = m.positions;
                if (orientation(x[e[0]], x[e[1]], x[e[2]], x[e[3]]) < 0.) std::swap(e[0], e[1]);
                m.tetrahedra.push_back(e);
                now[i] += n;
            }
        }
    return m;
}

void pinPoles(MeshData& mesh, const ImplicitSolid& solid)
{
    for (const double side : {-1., 1.}) {
        std::size_t nearest = 0;
        double best = 1e300;
        for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
            const Vec3& p = mesh.positions[i];
            const double d = p[0] * p[0] + p[1] * p[1];
            if (p[2] * side > 0. && d < best) {
                best = d;
                nearest = i;
            }
        }
        // The solid is star-shaped about the origin: its function changes sign once along the half axis.
        double inside = 0., outside = side > 0. ? solid.upper[2] : solid.lower[2];
        for (int i = 0; i < 60; ++i) {
            const double z = 0.5 * (inside + outside);
            (solid.value({0., 0., z}) > 0. ? inside : outside) = z;
        }
        mesh.positions[nearest] = {0., 0., inside};
        if (!mesh.normals.empty()) mesh.normals[nearest] = normalized(-solid.gradient(mesh.positions[nearest]));
    }
}

void addSphericalTexture(MeshData& mesh)
{
    mesh.normalDefinitions = mesh.normals;
    mesh.faceStart.assign(1, 0);
    mesh.faceCorners.clear();
    std::map<std::pair<Index, double>, Index> ids;  // (vertex, u) → texture coordinate
    for (const auto& t : mesh.triangles) {
        double u[3], v[3];
        bool pole[3];
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 d = normalized(mesh.positions[t[i]]);
            pole[i] = d[0] * d[0] + d[1] * d[1] < 1e-12;
            u[i] = 0.5 + std::atan2(d[1], d[0]) / (2. * pi);
            v[i] = 0.5 + std::asin(std::clamp(d[2], -1., 1.)) / pi;
        }
        // Across the seam, the lower values continue above 1; a pole takes the mean of the two other corners.
        const double top = std::max({u[0], u[1], u[2]});
        for (std::size_t i = 0; i < 3; ++i)
            if (!pole[i] && top - u[i] > 0.5) u[i] += 1.;
        for (std::size_t i = 0; i < 3; ++i)
            if (pole[i]) u[i] = 0.5 * (u[(i + 1) % 3] + u[(i + 2) % 3]);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto [it, isNew] =
                ids.try_emplace({t[i], std::round(u[i] * 1e6)}, size32(mesh.texCoordDefinitions.size()));
            if (isNew) mesh.texCoordDefinitions.push_back({u[i], v[i]});
            mesh.faceCorners.push_back({t[i], it->second, mesh.normals.empty() ? InvalidIndex : t[i]});
        }
        mesh.faceStart.push_back(size32(mesh.faceCorners.size()));
    }
}

void addFaceCorners(MeshData& mesh)
{
    mesh.texCoordDefinitions = mesh.texCoords;
    mesh.normalDefinitions = mesh.normals;
    mesh.faceStart.assign(1, 0);
    mesh.faceCorners.clear();
    const auto face = [&](const auto& f) {
        for (const Index i : f)
            mesh.faceCorners.push_back(
                {i, mesh.texCoords.empty() ? InvalidIndex : i, mesh.normals.empty() ? InvalidIndex : i});
        mesh.faceStart.push_back(size32(mesh.faceCorners.size()));
    };
    for (const auto& t : mesh.triangles) face(t);
    for (const auto& q : mesh.quads) face(q);
}

}  // namespace meshgen
