// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/SurfaceIncision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mesh/ElementsAround.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/Geometry.h"

namespace sofa::core {

namespace {

Vec3 placeOf(const Vector<Vec3>& x, std::span<const Index> v, const Vec3& weights)
{
    return x[v[0]] * weights[0] + x[v[1]] * weights[1] + x[v[2]] * weights[2];
}

geometry::Nearest<3> nearestOn(const Vector<Vec3>& x, std::span<const Index> v, const Vec3& p)
{
    return geometry::nearestOnTriangle(p, x[v[0]], x[v[1]], x[v[2]]);
}

void checkPoint(const Vec3& p)
{
    if (!std::isfinite(p[0] + p[1] + p[2])) throw std::runtime_error("a point of the path is not finite");
}

class Inciser
{
public:
    Inciser(TopologyTransaction& change, StoredTopology& mesh, Vector<Vec3> x, const IncisionSnap& snap)
        : m_change(change),
          m_mesh(mesh),
          m_list(*mesh.list(ElementType::Triangles)),
          m_x(std::move(x)),
          m_snap(snap),
          m_old(static_cast<Index>(m_x.size()))
    {
    }

    Incision along(const std::vector<SurfacePlace>& path)
    {
        // Triangles are divided by what comes before: a place stands for a point in what is left of its triangle.
        struct Target
        {
            std::array<Index, 3> corners;
            Vec3 at;
        };
        std::vector<Target> targets;
        for (const SurfacePlace& p : path) {
            if (p.triangle >= m_list.size())
                throw std::runtime_error("there is no triangle " + std::to_string(p.triangle) + " in '" +
                                         m_mesh.pathName() + "'");
            const auto v = m_list.element(p.triangle);
            const bool atEnd = &p == &path.front() || &p == &path.back();
            targets.push_back({{v[0], v[1], v[2]}, placeOf(m_x, v, atEnd ? onBorder(v, p.weights) : p.weights)});
        }
        Vector<Index> points;
        for (const Target& t : targets) {
            const Index p = pointAt(t.corners, t.at);
            if (points.empty() || points.back() != p) points.push_back(p);
        }
        if (points.size() < 2) throw std::runtime_error("a cut needs two points of the mesh that differ");
        m_done.path.push_back(points[0]);
        for (std::size_t i = 1; i < points.size(); ++i) cut(points[i - 1], points[i]);
        divideSingleEdges();
        m_done.opened = open(m_change, m_mesh, m_sides);
        return std::move(m_done);
    }

private:
    static Vector<Index> side(Index a, Index b) { return a < b ? Vector<Index>{a, b} : Vector<Index>{b, a}; }

    std::size_t trianglesOn(Index a, Index b) const
    {
        std::size_t n = 0;
        for (const Index e : m_list.around(a)) n += hasAll(m_list.element(e), std::array{b}) ? 1 : 0;
        return n;
    }

    bool onBorder(Index p) const
    {
        for (const Index e : m_list.around(p))
            for (const Index v : m_list.element(e))
                if (v != p && trianglesOn(p, v) == 1) return true;
        return false;
    }

    /// Weights moved to an edge of the border that is near.
    Vec3 onBorder(std::span<const Index> v, Vec3 weights) const
    {
        std::size_t nearest = 3;
        for (std::size_t i = 0; i < 3; ++i)
            if (weights[i] < m_snap.border && trianglesOn(v[(i + 1) % 3], v[(i + 2) % 3]) == 1 &&
                (nearest == 3 || weights[i] < weights[nearest]))
                nearest = i;
        if (nearest == 3 || weights[nearest] >= 1.) return weights;
        const double rest = 1. - weights[nearest];
        weights[nearest] = 0.;
        return weights / rest;
    }

    Index divide(Index a, Index b, double t)
    {
        const Index p = splitEdge(m_change, m_mesh, a, b, t);
        m_x.push_back(m_x[a] * (1. - t) + m_x[b] * t);
        if (m_sides.erase(side(a, b)) > 0) {
            m_sides.insert(side(a, p));
            m_sides.insert(side(p, b));
        }
        return p;
    }

    /// A point of the mesh at a place in what is left of a triangle.
    Index pointAt(const std::array<Index, 3>& corners, const Vec3& at)
    {
        // The parts of a triangle have its corners and points that are new.
        const auto isPart = [&](std::span<const Index> v) {
            return std::ranges::all_of(v, [&](Index i) { return i >= m_old || std::ranges::count(corners, i) > 0; });
        };
        std::set<Index> candidates;
        const auto addAround = [&](Index p) {
            for (const Index e : m_list.around(p))
                if (isPart(m_list.element(e))) candidates.insert(e);
        };
        for (const Index p : corners) addAround(p);
        for (Index p = m_old; p < m_x.size(); ++p) addAround(p);
        Index triangle = InvalidIndex;
        geometry::Nearest<3> best{{}, {}, std::numeric_limits<double>::infinity()};
        for (const Index e : candidates) {
            const auto n = nearestOn(m_x, m_list.element(e), at);
            if (n.distance < best.distance) {
                best = n;
                triangle = e;
            }
        }
        if (triangle == InvalidIndex) throw std::runtime_error("a triangle of the path has no area");
        const auto element = m_list.element(triangle);
        const std::array v{element[0], element[1], element[2]};
        const Vec3& w = best.weights;
        // Weights that round to nothing are nothing, however exact the cut is to be.
        const double least = std::max(m_snap.path, 1e-9);
        std::size_t low = 0, high = 0;
        for (std::size_t i = 1; i < 3; ++i) {
            if (w[i] < w[low]) low = i;
            if (w[i] >= w[high]) high = i;
        }
        if (low == high) high = (low + 1) % 3;
        if (w[low] >= least) {
            const Index p = splitTriangle(m_change, m_mesh, triangle, w);
            m_x.push_back(placeOf(m_x, v, w));
            return p;
        }
        const std::size_t mid = 3 - low - high;
        const double t = w[mid] / (w[mid] + w[high]);
        return t < least ? v[high] : divide(v[high], v[mid], t);
    }

    Vec3 normalAt(Index p) const
    {
        Vec3 sum;
        for (const Index e : m_list.around(p)) {
            const auto v = m_list.element(e);
            sum += geometry::triangleNormal(m_x[v[0]], m_x[v[1]], m_x[v[2]]);
        }
        return sum;
    }

    /// The next point from p towards b, a neighbour; InvalidIndex where the mesh ends.
    Index next(Index p, Index b, const std::set<Index>& seen)
    {
        if (trianglesOn(p, b) > 0) return b;
        const Vec3 ahead = m_x[b] - m_x[p];
        const double length = norm(ahead);
        // Points of two sides of an earlier cut have the same place.
        if (!(length > 0.)) return InvalidIndex;
        Vec3 plane = cross(ahead, normalAt(p) + normalAt(b));
        if (!(norm(plane) > 1e-9 * length)) plane = cross(ahead, normalAt(p));
        if (!(norm(plane) > 1e-9 * length))
            throw std::runtime_error("the path stands upright on the surface between two points");
        plane = normalized(plane);
        struct Crossing
        {
            Index a = InvalidIndex, b = InvalidIndex;
            double t = 0., ahead = 0., distance = 0.;
        } best;
        for (const Index e : m_list.around(p)) {
            const auto v = m_list.element(e);
            const std::size_t i = v[0] == p ? 0 : v[1] == p ? 1 : 2;
            const Index q = v[(i + 1) % 3], r = v[(i + 2) % 3];
            double dq = dot(m_x[q] - m_x[p], plane), dr = dot(m_x[r] - m_x[p], plane);
            const double nothing = 1e-12 * (norm(m_x[q] - m_x[p]) + norm(m_x[r] - m_x[p]));
            if (std::abs(dq) <= nothing) dq = 0.;
            if (std::abs(dr) <= nothing) dr = 0.;
            if ((dq > 0. && dr > 0.) || (dq < 0. && dr < 0.) || (dq == 0. && dr == 0.)) continue;
            const double t = dq / (dq - dr);
            const Vec3 way = m_x[q] * (1. - t) + m_x[r] * t - m_x[p];
            const double cosine = dot(way, ahead) / (norm(way) * length);
            if (cosine > 1e-9 && cosine > best.ahead) best = {q, r, t, cosine, norm(way)};
        }
        // What is nearer than the triangle goes, and no corner of it, lies on the other side of an earlier cut.
        if ((best.a == InvalidIndex || best.distance > length * (1. + 1e-9)) && onBorder(p)) return InvalidIndex;
        if (best.a == InvalidIndex) throw std::runtime_error("the surface turns away from the path between two points");
        const double least = std::max(m_snap.path, 1e-9);
        // A point that is near is not taken if the cut would come back by it.
        const auto isAhead = [&](Index q) { return !seen.contains(q) && norm(m_x[b] - m_x[q]) < length; };
        if (best.t < 1e-9 || (best.t < least && isAhead(best.a))) return best.a;
        if (best.t > 1. - 1e-9 || (best.t > 1. - least && isAhead(best.b))) return best.b;
        return divide(best.a, best.b, best.t);
    }

    /// Points from a towards b: to b or where the mesh ends.
    Vector<Index> walk(Index a, Index b)
    {
        Vector<Index> way{a};
        std::set<Index> seen{a};
        while (way.back() != b) {
            const Index p = next(way.back(), b, seen);
            if (p == InvalidIndex) break;
            if (!seen.insert(p).second || way.size() > m_list.size() + 1)
                throw std::runtime_error("a path between two points turns in a circle");
            m_sides.insert(side(way.back(), p));
            way.push_back(p);
        }
        return way;
    }

    void cut(Index a, Index b)
    {
        Vector<Index> way = walk(a, b);
        m_done.path.insert(m_done.path.end(), way.begin() + 1, way.end());
        if (way.back() == b) return;
        // It left the mesh: so does what comes from the other end, or it reaches what was cut.
        way = walk(b, way.back());
        std::ranges::reverse(way);
        if (way.front() != m_done.path.back()) {
            m_done.path.push_back(InvalidIndex);
            m_done.path.push_back(way.front());
        }
        m_done.path.insert(m_done.path.end(), way.begin() + 1, way.end());
    }

    /// An edge that touches no other edge of the cut and no border would not open.
    void divideSingleEdges()
    {
        std::map<Index, int> count;
        for (const Vector<Index>& s : m_sides)
            for (const Index p : s) ++count[p];
        const Sides sides = m_sides;
        for (const Vector<Index>& s : sides)
            if (count[s[0]] == 1 && count[s[1]] == 1 && !onBorder(s[0]) && !onBorder(s[1])) {
                const Index p = divide(s[0], s[1], 0.5);
                const auto at = std::ranges::find_if(m_done.path, [&](Index i) { return i == s[0] || i == s[1]; });
                m_done.path.insert(at + 1, p);
            }
    }

    TopologyTransaction& m_change;
    StoredTopology& m_mesh;
    const StoredTopology::List& m_list;
    Vector<Vec3> m_x;
    IncisionSnap m_snap;
    Index m_old;  ///< number of points before
    Sides m_sides;
    Incision m_done;
};

}  // namespace

SurfacePlace placeOn(const StoredTopology& mesh, const Vector<Vec3>& x, const Vec3& point, Index triangle)
{
    checkPoint(point);
    if (triangle >= mesh.triangles().size())
        throw std::runtime_error("there is no triangle " + std::to_string(triangle) + " in '" + mesh.pathName() + "'");
    return {triangle, nearestOn(x, mesh.triangles()[triangle], point).weights};
}

SurfacePlace nearestPlace(const StoredTopology& mesh, const Vector<Vec3>& x, const Vec3& point)
{
    checkPoint(point);
    SurfacePlace best;
    double distance = std::numeric_limits<double>::infinity();
    const auto& triangles = mesh.triangles();
    for (Index t = 0; t < triangles.size(); ++t) {
        const auto n = nearestOn(x, triangles[t], point);
        if (!(n.distance < distance)) continue;
        distance = n.distance;
        best = {t, n.weights};
    }
    if (best.triangle == InvalidIndex) throw std::runtime_error("'" + mesh.pathName() + "' has no triangles");
    return best;
}

Incision incise(TopologyTransaction& change, StoredTopology& mesh, const Vector<Vec3>& x,
                const std::vector<SurfacePlace>& path, const IncisionSnap& snap)
{
    if (divisibleElements(mesh) != ElementType::Triangles)
        throw std::runtime_error("'" + mesh.pathName() + "' has tetrahedra: a path cuts surfaces of triangles");
    if (x.size() != mesh.nbPoints())
        throw std::runtime_error("'" + mesh.pathName() + "' has " + std::to_string(mesh.nbPoints()) + " points, and " +
                                 std::to_string(x.size()) + " places are given");
    if (!(snap.path >= 0. && snap.path <= 0.5) || !(snap.border >= 0. && snap.border <= 1.))
        throw std::runtime_error("a path can snap to points within 0 to 0.5 of an edge, to borders within 0 to 1");
    return Inciser(change, mesh, x, snap).along(path);
}

}  // namespace sofa::core
