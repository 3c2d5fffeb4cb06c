// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/meshgen/LatticeMesher.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "core/io/MeshOperations.h"

namespace meshgen {

using sofa::core::cross;
using sofa::core::dot;
using sofa::core::Edge;
using sofa::core::norm;
using sofa::core::norm2;
using sofa::core::normalized;
using sofa::core::sortedVertices;
using sofa::core::Tetrahedron;
using sofa::core::Triangle;

Vec3 ImplicitSolid::gradient(const Vec3& x) const
{
    const double d = 1e-5 * norm(upper - lower);
    Vec3 g;
    for (std::size_t k = 0; k < 3; ++k) g[k] = (value(x + Vec3::unit(k) * d) - value(x - Vec3::unit(k) * d)) / (2. * d);
    return g;
}

Vec3 ImplicitSolid::project(const Vec3& start) const
{
    Vec3 x = start;
    for (int i = 0; i < 20; ++i) {
        const Vec3 g = gradient(x);
        const double g2 = norm2(g);
        if (g2 == 0.) break;
        x -= g * (value(x) / g2);
    }
    return x;
}

double orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    return dot(cross(b - a, c - a), d - a);
}

double smallestDihedralAngle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    // Outward normals of the faces opposite to each vertex; the dihedral angle is π minus the angle between two.
    const Vec3 n[4] = {normalized(cross(c - b, d - b)), normalized(cross(d - a, c - a)),
                       normalized(cross(b - a, d - a)), normalized(cross(c - a, b - a))};
    double smallest = std::numbers::pi;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            smallest = std::min(smallest, std::numbers::pi - std::acos(std::clamp(dot(n[i], n[j]), -1., 1.)));
    return smallest;
}

Vector<Triangle> boundaryTriangles(const Vector<Tetrahedron>& tetrahedra)
{
    std::map<Triangle, int> uses;
    Vector<Triangle> all;
    for (const auto& t : tetrahedra)
        for (const Triangle& f : {Triangle{t[0], t[2], t[1]}, Triangle{t[0], t[1], t[3]}, Triangle{t[0], t[3], t[2]},
                                  Triangle{t[1], t[2], t[3]}}) {
            all.push_back(f);
            ++uses[sortedVertices(f)];
        }
    std::erase_if(all, [&](const Triangle& f) { return uses[sortedVertices(f)] != 1; });
    return all;
}

void roundCoordinates(MeshData& mesh)
{
    const auto round = [](auto& vectors) {
        for (auto& v : vectors)
            for (auto& c : v) c = std::round(c * 1e6) / 1e6 + 0.;  // no negative zeros
    };
    round(mesh.positions);
    round(mesh.normals);
    round(mesh.texCoords);
    round(mesh.normalDefinitions);
    round(mesh.texCoordDefinitions);
}

namespace {

/// The body-centred cubic lattice over a solid, and its conversion to tetrahedra.
class Lattice
{
public:
    Lattice(const ImplicitSolid& solid, double h);
    void warp();
    MeshData clip();

private:
    const ImplicitSolid& m_solid;
    std::size_t m_n[3] = {};    // cells along the axes
    std::size_t m_corners = 0;  // lattice points 0 .. m_corners−1 are corners of cubes, the others centres
    Vector<Vec3> m_x;
    Vector<double> m_f;  // value; exactly 0 at points on the surface
    Vector<char> m_parity;
    Vector<Tetrahedron> m_tetrahedra;
    std::map<Edge, Index> m_cuts;  // edge with a sign change → vertex of the output
    MeshData m_out;
    Vector<Index> m_outIndex;

    /// Long edges join two corners or two centres.
    bool isLong(Index a, Index b) const { return (a < m_corners) == (b < m_corners); }
    bool isCut(Index a, Index b) const { return m_f[a] * m_f[b] < 0.; }
    /// Zero of the solid's function between the lattice points, as fraction from a to b.
    double zero(Index a, Index b) const;

    Index vertex(Index latticePoint);
    Index cut(Index a, Index b);
    void emit(Index a, Index b, Index c, Index d);
    void clipTetrahedron(Tetrahedron t);
    /// Whether the diagonal of the quad p, q, cut(q, r), cut(p, r) starts at p (and ends on the edge q r).
    bool diagonalFrom(Index p, Index q, Index r) const;
    /// Prism with the triangles a and b. diagonal[i]: on the side of columns i and (i+1)%3, −1: free; 1: from
    /// b[i] to a[i+1]; 0: from a[i] to b[i+1].
    void prism(const std::array<Index, 3>& a, const std::array<Index, 3>& b, const std::array<int, 3>& diagonal);
};

Lattice::Lattice(const ImplicitSolid& solid, double h) : m_solid(solid)
{
    Vec3 origin;
    for (std::size_t k = 0; k < 3; ++k) {
        // One more cube on either side, so that the solid stays inside.
        m_n[k] = static_cast<std::size_t>(std::ceil((solid.upper[k] - solid.lower[k]) / h)) + 2;
        origin[k] = 0.5 * (solid.lower[k] + solid.upper[k] - h * static_cast<double>(m_n[k]));
    }
    const auto corner = [&](std::size_t i, std::size_t j, std::size_t k) {
        return static_cast<Index>(i + (m_n[0] + 1) * (j + (m_n[1] + 1) * k));
    };
    m_corners = (m_n[0] + 1) * (m_n[1] + 1) * (m_n[2] + 1);
    const auto centre = [&](std::size_t i, std::size_t j, std::size_t k) {
        return static_cast<Index>(m_corners + i + m_n[0] * (j + m_n[1] * k));
    };
    for (const std::size_t extra : {1u, 0u})
        for (std::size_t k = 0; k < m_n[2] + extra; ++k)
            for (std::size_t j = 0; j < m_n[1] + extra; ++j)
                for (std::size_t i = 0; i < m_n[0] + extra; ++i) {
                    const double shift = extra ? 0. : 0.5;
                    m_x.push_back(origin + Vec3(static_cast<double>(i) + shift, static_cast<double>(j) + shift,
                                                static_cast<double>(k) + shift) *
                                               h);
                    m_parity.push_back((i + j + k) % 2);
                }
    for (const auto& x : m_x) m_f.push_back(solid.value(x));

    // Four tetrahedra around each segment between the centres of two cubes that share a face.
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::size_t c[3];
        for (c[2] = 0; c[2] < m_n[2]; ++c[2])
            for (c[1] = 0; c[1] < m_n[1]; ++c[1])
                for (c[0] = 0; c[0] < m_n[0]; ++c[0]) {
                    if (c[axis] == 0) continue;
                    std::size_t below[3] = {c[0], c[1], c[2]};
                    --below[axis];
                    Index face[4];
                    constexpr std::size_t du[4] = {0, 1, 1, 0}, dv[4] = {0, 0, 1, 1};
                    for (std::size_t i = 0; i < 4; ++i) {
                        std::size_t p[3] = {c[0], c[1], c[2]};
                        p[u] += du[i];
                        p[v] += dv[i];
                        face[i] = corner(p[0], p[1], p[2]);
                    }
                    for (std::size_t i = 0; i < 4; ++i)
                        m_tetrahedra.push_back({centre(below[0], below[1], below[2]), centre(c[0], c[1], c[2]), face[i],
                                                face[(i + 1) % 4]});
                }
    }
    m_outIndex.assign(m_x.size(), sofa::core::InvalidIndex);
}

double Lattice::zero(Index a, Index b) const
{
    double lo = 0., hi = 1.;
    const bool positive = m_f[a] > 0.;
    for (int i = 0; i < 50; ++i) {
        const double t = 0.5 * (lo + hi);
        ((m_solid.value(m_x[a] + (m_x[b] - m_x[a]) * t) > 0.) == positive ? lo : hi) = t;
    }
    return 0.5 * (lo + hi);
}

void Lattice::warp()
{
    constexpr double alphaLong = 0.24999, alphaShort = 0.41189;
    Vector<Edge> edges;
    for (const auto& t : m_tetrahedra)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j)
                if (isCut(t[i], t[j])) edges.push_back(sortedVertices(Edge{t[i], t[j]}));
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    // Per lattice point: the neighbour whose cut point comes nearest in terms of its limit, and where it is.
    struct Cut
    {
        Index neighbour;
        double t;
    };
    std::map<Index, Vector<Cut>> cuts;
    for (const auto& e : edges) {
        const double t = zero(e[0], e[1]);
        cuts[e[0]].push_back({e[1], t});
        cuts[e[1]].push_back({e[0], 1. - t});
    }
    const Vector<Vec3> original = m_x;
    for (const auto& [p, list] : cuts) {
        double nearest = 1.;
        const Cut* chosen = nullptr;
        for (const auto& c : list) {
            if (m_f[c.neighbour] == 0.) continue;  // moved already: that edge is not cut any more
            const double ratio = c.t / (isLong(p, c.neighbour) ? alphaLong : alphaShort);
            if (ratio < nearest) {
                nearest = ratio;
                chosen = &c;
            }
        }
        if (!chosen) continue;
        m_x[p] = original[p] + (original[chosen->neighbour] - original[p]) * chosen->t;
        m_f[p] = 0.;
    }
}

Index Lattice::vertex(Index p)
{
    if (m_outIndex[p] == sofa::core::InvalidIndex) {
        m_outIndex[p] = static_cast<Index>(m_out.positions.size());
        m_out.positions.push_back(m_x[p]);
    }
    return m_outIndex[p];
}

Index Lattice::cut(Index a, Index b)
{
    const auto e = sortedVertices(Edge{a, b});
    const auto [it, isNew] = m_cuts.try_emplace(e, static_cast<Index>(m_out.positions.size()));
    if (isNew) m_out.positions.push_back(m_x[e[0]] + (m_x[e[1]] - m_x[e[0]]) * zero(e[0], e[1]));
    return it->second;
}

void Lattice::emit(Index a, Index b, Index c, Index d)
{
    const auto& x = m_out.positions;
    if (orientation(x[a], x[b], x[c], x[d]) < 0.) std::swap(c, d);
    m_out.tetrahedra.push_back({a, b, c, d});
}

bool Lattice::diagonalFrom(Index p, Index q, Index r) const
{
    // The long edge is bisected from the opposite vertex; where it is p q itself, the lattice point's parity decides.
    if (isLong(q, r)) return true;
    if (isLong(p, r)) return false;
    return m_parity[p] == 0;
}

void Lattice::prism(const std::array<Index, 3>& a, const std::array<Index, 3>& b, const std::array<int, 3>& diagonal)
{
    // Replacing a by b column by column in the order o gives three tetrahedra, and the diagonal from b of the earlier
    // to a of the later column on each side.
    static constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const auto& x = m_out.positions;
    double best = -1.;
    std::array<Tetrahedron, 3> chosen{};
    for (const auto& o : orders) {
        std::array<int, 3> place{};
        for (int s = 0; s < 3; ++s) place[static_cast<std::size_t>(o[s])] = s;
        bool fits = true;
        for (std::size_t i = 0; i < 3; ++i)
            if (diagonal[i] >= 0 && (place[i] < place[(i + 1) % 3]) != (diagonal[i] == 1)) fits = false;
        if (!fits) continue;
        std::array<Index, 3> now = a;
        std::array<Tetrahedron, 3> t{};
        double quality = 4.;
        for (std::size_t s = 0; s < 3; ++s) {
            const auto c = static_cast<std::size_t>(o[s]);
            t[s] = {now[0], now[1], now[2], b[c]};
            if (orientation(x[t[s][0]], x[t[s][1]], x[t[s][2]], x[t[s][3]]) < 0.) std::swap(t[s][0], t[s][1]);
            quality = std::min(quality, smallestDihedralAngle(x[t[s][0]], x[t[s][1]], x[t[s][2]], x[t[s][3]]));
            now[c] = b[c];
        }
        if (quality > best) {
            best = quality;
            chosen = t;
        }
    }
    for (const auto& t : chosen) emit(t[0], t[1], t[2], t[3]);
}

void Lattice::clipTetrahedron(Tetrahedron t)
{
    // Positive vertices first, then those on the surface, then negative ones; by index within a group.
    const auto group = [&](Index p) { return m_f[p] > 0. ? 0 : m_f[p] == 0. ? 1 : 2; };
    std::sort(t.begin(), t.end(), [&](Index a, Index b) { return std::pair(group(a), a) < std::pair(group(b), b); });
    const auto count = [&](int g) { return std::count_if(t.begin(), t.end(), [&](Index p) { return group(p) == g; }); };
    const auto inside = count(0), on = count(1), outside = count(2);
    const Index p = t[0], q = t[1], r = t[2], s = t[3];
    if (inside == 0) return;
    if (outside == 0) {
        emit(vertex(p), vertex(q), vertex(r), vertex(s));
    } else if (inside == 1) {
        const auto end = [&](Index v) { return m_f[v] == 0. ? vertex(v) : cut(p, v); };
        emit(vertex(p), end(q), end(r), end(s));
    } else if (inside == 2 && on == 1) {
        // A pyramid: the quad p, q, cut(q, s), cut(p, s), and r on the surface.
        const Index a = vertex(p), b = vertex(q), c = cut(q, s), d = cut(p, s), apex = vertex(r);
        if (diagonalFrom(p, q, s)) {
            emit(a, b, c, apex);
            emit(a, c, d, apex);
        } else {
            emit(a, b, d, apex);
            emit(b, c, d, apex);
        }
    } else if (inside == 2) {
        // Columns p→q, cut(p, r)→cut(q, r), cut(p, s)→cut(q, s); the side between the last two is on the surface.
        prism({vertex(p), cut(p, r), cut(p, s)}, {vertex(q), cut(q, r), cut(q, s)},
              {diagonalFrom(q, p, r) ? 1 : 0, -1, diagonalFrom(p, q, s) ? 1 : 0});
    } else {
        // inside == 3: columns p→cut(p, s), q→cut(q, s), r→cut(r, s). The diagonal from b of column p to a of column q
        // is the one that starts at q.
        const auto side = [&](Index u, Index v) { return diagonalFrom(v, u, s) ? 1 : 0; };
        prism({vertex(p), vertex(q), vertex(r)}, {cut(p, s), cut(q, s), cut(r, s)},
              {side(p, q), side(q, r), side(r, p)});
    }
}

MeshData Lattice::clip()
{
    for (const auto& t : m_tetrahedra) clipTetrahedron(t);
    return std::move(m_out);
}

/// Moves vertices towards the mean of their neighbours where the worst angle around them grows.
void smooth(const ImplicitSolid& solid, MeshData& mesh, int passes)
{
    auto& x = mesh.positions;
    Vector<char> onSurface(x.size(), 0);
    std::vector<Vector<Index>> tetrahedraOf(x.size()), neighbours(x.size());
    for (const auto& f : boundaryTriangles(mesh.tetrahedra))
        for (std::size_t i = 0; i < 3; ++i) {
            onSurface[f[i]] = 1;
            // Along the surface only.
            neighbours[f[i]].push_back(f[(i + 1) % 3]);
        }
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
        for (const Index i : mesh.tetrahedra[t]) {
            tetrahedraOf[i].push_back(static_cast<Index>(t));
            if (!onSurface[i])
                for (const Index j : mesh.tetrahedra[t])
                    if (j != i) neighbours[i].push_back(j);
        }
    for (auto& n : neighbours) {
        std::sort(n.begin(), n.end());
        n.erase(std::unique(n.begin(), n.end()), n.end());
    }
    const auto worst = [&](Index i) {
        double w = 4.;
        for (const Index t : tetrahedraOf[i]) {
            const auto& [a, b, c, d] = mesh.tetrahedra[t];
            if (orientation(x[a], x[b], x[c], x[d]) <= 0.) return -1.;
            w = std::min(w, smallestDihedralAngle(x[a], x[b], x[c], x[d]));
        }
        return w;
    };
    for (int pass = 0; pass < passes; ++pass)
        for (Index i = 0; i < x.size(); ++i) {
            Vec3 mean;
            for (const Index j : neighbours[i]) mean += x[j];
            mean /= static_cast<double>(neighbours[i].size());
            double best = worst(i);
            const Vec3 start = x[i];
            Vec3 chosen = start;
            for (const double step : {1., 0.5, 0.25, 0.1}) {
                x[i] = start + (mean - start) * step;
                if (onSurface[i]) x[i] = solid.project(x[i]);
                if (const double w = worst(i); w > best) {
                    best = w;
                    chosen = x[i];
                }
            }
            x[i] = chosen;
        }
}

}  // namespace

MeshData fillSolid(const ImplicitSolid& solid, double h, int passes)
{
    Lattice lattice(solid, h);
    lattice.warp();
    MeshData mesh = lattice.clip();
    smooth(solid, mesh, passes);
    return mesh;
}

MeshData fillVoxels(const ImplicitSolid& solid, double h)
{
    std::array<std::size_t, 3> n{};
    for (std::size_t k = 0; k < 3; ++k)
        n[k] = static_cast<std::size_t>(std::ceil((solid.upper[k] - solid.lower[k]) / h - 1e-9));
    const std::size_t stride[3] = {1, n[0], n[0] * n[1]};
    // 0: outside; 1: inside, not visited yet; 2 and on: number of its part.
    Vector<Index> part(n[0] * n[1] * n[2], 0);
    const auto place = [&](std::size_t cell) {
        return std::array<std::size_t, 3>{cell % n[0], cell / n[0] % n[1], cell / stride[2]};
    };
    for (std::size_t cell = 0; cell < part.size(); ++cell) {
        const auto c = place(cell);
        Vec3 centre = solid.lower;
        for (std::size_t k = 0; k < 3; ++k) centre[k] += h * (static_cast<double>(c[k]) + 0.5);
        part[cell] = solid.value(centre) > 0. ? 1 : 0;
    }
    Index parts = 1, largest = 0;
    std::size_t most = 0;
    for (std::size_t seed = 0; seed < part.size(); ++seed) {
        if (part[seed] != 1) continue;
        part[seed] = ++parts;
        Vector<std::size_t> front{seed};
        std::size_t size = 0;
        while (!front.empty()) {
            const std::size_t cell = front.back();
            front.pop_back();
            ++size;
            const auto c = place(cell);
            for (std::size_t k = 0; k < 3; ++k)
                for (const bool up : {false, true}) {
                    if (up ? c[k] + 1 == n[k] : c[k] == 0) continue;
                    const std::size_t next = up ? cell + stride[k] : cell - stride[k];
                    if (part[next] != 1) continue;
                    part[next] = parts;
                    front.push_back(next);
                }
        }
        if (size > most) {
            most = size;
            largest = parts;
        }
    }
    MeshData m;
    std::map<std::array<std::size_t, 3>, Index> vertices;
    constexpr std::size_t corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                          {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (std::size_t cell = 0; cell < part.size(); ++cell) {
        if (part[cell] != largest || most == 0) continue;
        const auto c = place(cell);
        sofa::core::Hexahedron hexahedron{};
        for (std::size_t v = 0; v < 8; ++v) {
            const std::array<std::size_t, 3> at{c[0] + corner[v][0], c[1] + corner[v][1], c[2] + corner[v][2]};
            const auto [it, isNew] = vertices.try_emplace(at, static_cast<Index>(m.positions.size()));
            if (isNew)
                m.positions.push_back(
                    solid.lower +
                    Vec3(static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])) * h);
            hexahedron[v] = it->second;
        }
        m.hexahedra.push_back(hexahedron);
    }
    return m;
}

MeshData coverSolid(const ImplicitSolid& solid, double h)
{
    MeshData mesh = fillSolid(solid, h, 0);
    mesh.triangles = boundaryTriangles(mesh.tetrahedra);
    mesh.tetrahedra.clear();
    removeUnattachedPoints(mesh);
    auto& x = mesh.positions;
    std::vector<Vector<Index>> next(x.size());
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i) next[t[i]].push_back(t[(i + 1) % 3]);
    for (int pass = 0; pass < 10; ++pass) {
        Vector<Vec3> mean(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            for (const Index j : next[i]) mean[i] += x[j];
            mean[i] /= static_cast<double>(next[i].size());
        }
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = solid.project(x[i] * 0.5 + mean[i] * 0.5);
    }
    for (const auto& p : x) mesh.normals.push_back(normalized(-solid.gradient(p)));
    return mesh;
}

}  // namespace meshgen
