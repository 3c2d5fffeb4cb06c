// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/topology/MeshCut.h"

#include <algorithm>
#include <optional>

#include "core/geometry/Bvh.h"
#include "core/geometry/Proximity.h"
#include "core/topology/ElementsOf.h"
#include "core/topology/Geometry.h"
#include "core/topology/PresentPositions.h"
#include "core/topology/Subdivision.h"

namespace sofa::core {

namespace {

using List = StoredTopology::List;

/// How finely the motion of the material along a line of a blade is seen.
constexpr std::size_t piecesOfLine = 16;

/// The surface along which is cut.
class Surface
{
public:
    Surface(const Vector<Vec3>& points, const Vector<Triangle>& triangles)
        : m_points(points), m_triangles(withArea(points, triangles))
    {
        if (m_triangles.empty()) return;
        Vector<geometry::Aabb> boxes;
        for (const Triangle& t : m_triangles) {
            geometry::Aabb& box = boxes.emplace_back();
            for (const Index v : t) box.include(m_points[v]);
        }
        m_bvh.build(boxes);
    }
    bool empty() const { return m_triangles.empty(); }
    const geometry::Aabb& bounds() const { return m_bvh.bounds(); }

    struct Place
    {
        double at;  ///< in [0, 1]
        Index triangle;
    };
    /// Where the segment p–q crosses the surface first, if it does.
    std::optional<Place> crossing(const Vec3& p, const Vec3& q)
    {
        geometry::Aabb box;
        box.include(p);
        box.include(q);
        m_bvh.boxQuery(box, 0., m_found);
        std::optional<Place> first;
        for (const Index i : m_found) {
            const Triangle& t = m_triangles[i];
            const auto c = geometry::segmentCrossesTriangle(p, q, m_points[t[0]], m_points[t[1]], m_points[t[2]]);
            if (c && (!first || c->s < first->at)) first = {c->s, i};
        }
        return first;
    }
    /// Unit normal of a triangle.
    Vec3 normal(Index i) const
    {
        const Triangle& t = m_triangles[i];
        return normalized(cross(m_points[t[1]] - m_points[t[0]], m_points[t[2]] - m_points[t[0]]));
    }

private:
    static Vector<Triangle> withArea(const Vector<Vec3>& x, const Vector<Triangle>& triangles)
    {
        Vector<Triangle> out;
        for (const Triangle& t : triangles) {
            const Vec3 a = x[t[1]] - x[t[0]], b = x[t[2]] - x[t[0]];
            if (norm2(cross(a, b)) > 1e-16 * norm2(a) * norm2(b)) out.push_back(t);
        }
        return out;
    }

    const Vector<Vec3>& m_points;
    Vector<Triangle> m_triangles;
    geometry::Bvh m_bvh;
    Vector<Index> m_found;
};

/// Elements whose box meets another one.
Vector<Index> elementsMeeting(const StoredTopology& mesh, ElementType type, const geometry::Aabb& box)
{
    const PresentPositions position(mesh);
    Vector<unsigned char> beyond(mesh.nbPoints());  // a bit for each side of the box
    for (Index i = 0; i < beyond.size(); ++i) {
        const Vec3 x = position(i);
        unsigned bits = 0;
        for (unsigned k = 0; k < 3; ++k)
            bits |= (x[k] < box.lower[k] ? 1u << k : 0u) | (x[k] > box.upper[k] ? 8u << k : 0u);
        beyond[i] = static_cast<unsigned char>(bits);
    }
    const auto vertices = verticesOf(mesh, type);
    const std::size_t n = nodeCount(type);
    Vector<Index> found;
    for (std::size_t e = 0; e * n < vertices.size(); ++e) {
        unsigned all = 0xff;
        for (std::size_t k = 0; k < n; ++k) all &= beyond[vertices[e * n + k]];
        if (all == 0) found.push_back(static_cast<Index>(e));
    }
    return found;
}

}  // namespace

/// One piece of a cut.
class MeshCut::Piece
{
public:
    Piece(StoredTopology& mesh, Surface& surface, std::map<Index, NearPoint>& sides, double snap)
        : m_mesh(mesh),
          position(mesh),
          m_surface(surface),
          m_sides(sides),
          m_snap(snap),
          m_list(*mesh.list(divisibleElements(mesh)))
    {
    }

    Result cut()
    {
        // Parts of elements may be crossed again where the surface is bent.
        Vector<Index> elements = elementsMeeting(m_mesh, m_list.type(), m_surface.bounds());
        for (int pass = 0; pass < 10 && !elements.empty(); ++pass) {
            divide(crossedEdges(elements));
            elements = m_new.empty() ? Vector<Index>() : elementsAround(m_new);
            m_new.clear();
        }
        if (m_touched.empty()) return m_result;
        openSides();
        if (m_change) m_change->commit();
        return m_result;
    }

private:
    struct Crossing
    {
        Index a, b;
        double length2, at;
        Vec3 normal;    ///< of the surface there
        double height;  ///< of a above b along it
    };

    CutSide side(Index i) const
    {
        const auto it = m_sides.find(i);
        return it == m_sides.end() ? CutSide::Unknown : it->second.side;
    }

    Vector<Index> elementsAround(const std::set<Index>& points) const
    {
        std::set<Index> all;
        for (const Index p : points) {
            const auto around = m_list.around(p);
            all.insert(around.begin(), around.end());
        }
        return {all.begin(), all.end()};
    }

    /// Edges that are to be divided. Points near to which one is crossed are on the cut instead.
    std::vector<Crossing> crossedEdges(const Vector<Index>& elements)
    {
        std::vector<std::pair<Index, Index>> edges;
        for (const Index e : elements) {
            const auto v = m_list.element(e);
            for (std::size_t i = 0; i < v.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) edges.emplace_back(std::min(v[i], v[j]), std::max(v[i], v[j]));
        }
        std::ranges::sort(edges);
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        std::vector<Crossing> crossed;
        for (const auto& [a, b] : edges) {
            const Vec3 p = position(a), q = position(b);
            if (const auto place = m_surface.crossing(p, q)) {
                const Vec3 normal = m_surface.normal(place->triangle);
                crossed.push_back({a, b, norm2(q - p), place->at, normal, dot(normal, p - q)});
            }
        }
        for (const Crossing& c : crossed)
            for (const auto& [point, positive] : {std::pair{c.a, c.height > 0.}, std::pair{c.b, c.height < 0.}})
                if (side(point) != CutSide::On) m_sides[point].side = positive ? CutSide::Positive : CutSide::Negative;
        for (const Crossing& c : crossed) {
            if (c.at < m_snap) touch(c.a, c.normal, c.at * std::abs(c.height));
            if (c.at > 1. - m_snap) touch(c.b, c.normal, (1. - c.at) * std::abs(c.height));
        }
        std::erase_if(crossed, [this](const Crossing& c) {
            return isOnCut(c.a, c.at * std::abs(c.height)) || isOnCut(c.b, (1. - c.at) * std::abs(c.height));
        });
        return crossed;
    }
    void touch(Index point, const Vec3& normal, double height)
    {
        NearPoint& p = m_sides[point];
        if (p.side == CutSide::On) height = std::max(height, p.height);
        p = {CutSide::On, normal, height};
        m_touched.insert(point);
    }
    /// Whether the end of an edge that is crossed at this distance from it is on that part of the cut, not on another.
    bool isOnCut(Index end, double height)
    {
        if (side(end) != CutSide::On || height > 2. * m_sides[end].height) return false;
        m_touched.insert(end);
        return true;
    }

    void divide(std::vector<Crossing> crossed)
    {
        std::ranges::stable_sort(crossed, std::greater<>(), &Crossing::length2);
        for (const Crossing& c : crossed) {
            if (!m_change) m_change.emplace(m_mesh);
            const Index x = splitEdge(*m_change, m_mesh, c.a, c.b, c.at);
            touch(x, c.normal, 0.);
            m_new.insert(x);
            ++m_result.divided;
        }
    }

    void openSides()
    {
        // Sides that are on the cut since earlier pieces open with those that came.
        std::set<Index> points;
        for (const Index e : elementsAround(m_touched))
            for (const Index v : m_list.element(e))
                if (side(v) == CutSide::On) points.insert(v);
        const Vector<Index> elements = elementsAround(points);
        std::map<Vector<Index>, CutSide> firstOn;
        Sides cut;
        for (const Index e : elements) {
            const auto vertices = m_list.element(e);
            for (const Index apex : vertices) {
                Vector<Index> s;
                for (const Index v : vertices)
                    if (v != apex && side(v) == CutSide::On) s.push_back(v);
                if (s.size() + 1 < vertices.size()) continue;
                std::ranges::sort(s);
                const CutSide of = sideOf(apex, s);
                const auto [other, isFirst] = firstOn.emplace(s, of);
                if (!isFirst && other->second != of) cut.insert(std::move(s));
            }
        }
        if (cut.empty()) return;
        if (!m_change) m_change.emplace(m_mesh);
        for (const OpenedPoint& o : open(*m_change, m_mesh, cut)) {
            for (const Index copy : o.copies) m_sides[copy] = m_sides.at(o.point);
            m_result.opened.push_back(o.point);
            m_result.opened.insert(m_result.opened.end(), o.copies.begin(), o.copies.end());
        }
    }
    /// On which side an element is that has a side on the cut.
    CutSide sideOf(Index apex, const Vector<Index>& onCut) const
    {
        const CutSide known = side(apex);
        if (known == CutSide::Positive || known == CutSide::Negative) return known;
        // One that lies in the cut counts as on the positive side, from wherever it is seen.
        if (known == CutSide::On && std::ranges::all_of(onCut, [&](Index v) {
                return dot(m_sides.at(v).normal, m_sides.at(apex).normal) > 0.;
            }))
            return CutSide::Positive;
        double d = 0.;
        for (const Index v : onCut) d += dot(m_sides.at(v).normal, position(apex) - position(v));
        return d > 0. ? CutSide::Positive : CutSide::Negative;
    }

    StoredTopology& m_mesh;
    const PresentPositions position;
    Surface& m_surface;
    std::map<Index, NearPoint>& m_sides;
    double m_snap;
    const List& m_list;
    std::set<Index> m_touched;  ///< points on this piece of the cut
    std::set<Index> m_new;      ///< of these, those made in the last pass
    std::optional<TopologyTransaction> m_change;
    Result m_result;
};

void MeshCut::setSnap(double snap)
{
    if (!(snap >= 0.001 && snap < 0.5)) throw std::invalid_argument("snap must be in [0.001, 0.5)");
    m_snap = snap;
}

MeshCut::Result MeshCut::along(StoredTopology& mesh, const Vector<Vec3>& points, const Vector<Triangle>& surface)
{
    divisibleElements(mesh);
    Surface s(points, surface);
    if (s.empty()) return {};
    auto sides = m_sides;
    const Result result = Piece(mesh, s, sides, m_snap).cut();
    m_sides = std::move(sides);
    return result;
}

MeshCut::Anchor MeshCut::anchorOf(const StoredTopology& mesh, ElementType type, const Vector<Index>& near,
                                  const Vec3& a, const Vec3& b)
{
    const Vec3 middle = (a + b) / 2.;
    const geometry::Aabb blade = geometry::Aabb::of(a, b);
    const PresentPositions position(mesh);
    Anchor best;
    for (const Index e : near) {
        const auto v = mesh.list(type)->element(e);
        const auto x = [&](std::size_t i) { return position(v[i]); };
        // Most elements are farther away than another one.
        geometry::Aabb box;
        for (std::size_t i = 0; i < v.size(); ++i) box.include(x(i));
        if (best.vertexCount > 0 && !box.overlaps(blade, best.distance)) continue;
        Anchor anchor{static_cast<Index>(v.size()), {}, {}, {}, 0.};
        std::ranges::copy(v, anchor.vertices.begin());
        if (type == ElementType::Tetrahedra) {
            const auto nearest = geometry::nearestOnTetrahedron(middle, x(0), x(1), x(2), x(3));
            anchor.place = nearest.point;
            anchor.weights = nearest.weights;
            anchor.distance = nearest.distance;
        } else {
            // Where the blade crosses the plane of the triangle, if it does.
            const Vec3 n = cross(x(1) - x(0), x(2) - x(0));
            const double atA = dot(n, a - x(0)), atB = dot(n, b - x(0));
            const Vec3 p = atA * atB <= 0. && atA != atB ? a + (b - a) * (atA / (atA - atB)) : middle;
            const auto nearest = geometry::nearestOnTriangle(p, x(0), x(1), x(2));
            anchor.place = nearest.point;
            anchor.weights = {nearest.weights[0], nearest.weights[1], nearest.weights[2], 0.};
            anchor.distance = nearest.distance;
        }
        if (best.vertexCount == 0 || anchor.distance < best.distance) best = anchor;
        if (best.distance == 0.) break;
    }
    return best;
}

Vector<Vec3> MeshCut::movedBlade(const StoredTopology& mesh) const
{
    const std::size_t pieces = m_anchors.size();
    const PresentPositions position(mesh);
    Vector<Vec3> motions(pieces, Vec3());
    for (std::size_t i = 0; i < pieces; ++i) {
        const Anchor& anchor = m_anchors[i];
        for (std::size_t k = 0; k < anchor.vertexCount; ++k)
            motions[i] += (position(anchor.vertices[k]) - anchor.place) * anchor.weights[k];
    }
    // Points between two pieces move as both.
    Vector<Vec3> moved = m_blade;
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const std::size_t line = i / (piecesOfLine + 1) * piecesOfLine, place = i % (piecesOfLine + 1);
        moved[i] +=
            (motions[line + (place == 0 ? 0 : place - 1)] + motions[line + std::min(place, piecesOfLine - 1)]) / 2.;
    }
    return moved;
}

void MeshCut::place(const StoredTopology& mesh, ElementType type, Vector<Vec3> blade)
{
    geometry::Aabb box;
    for (const Vec3& p : blade) box.include(p);
    // Material that comes within a step from beyond this is not seen to have moved.
    const Vector<Index> near = elementsMeeting(mesh, type, box.inflated(0.05 * norm(box.upper - box.lower)));
    m_anchors.clear();
    for (std::size_t i = 0; i + 1 < blade.size(); ++i)
        if (i % (piecesOfLine + 1) != piecesOfLine)
            m_anchors.push_back(anchorOf(mesh, type, near, blade[i], blade[i + 1]));
    m_blade = std::move(blade);
}

MeshCut::Result MeshCut::moveBlade(StoredTopology& mesh, const Vector<Vec3>& points, const Vector<Edge>& lines)
{
    const ElementType type = divisibleElements(mesh);
    Vector<Vec3> now;
    double longest2 = 0.;
    for (const Edge& line : lines) {
        const Vec3 a = points[line[0]], b = points[line[1]];
        longest2 = std::max(longest2, norm2(b - a));
        for (std::size_t k = 0; k <= piecesOfLine; ++k)
            now.push_back(a + (b - a) * (static_cast<double>(k) / piecesOfLine));
    }
    Result result;
    if (m_blade.size() == now.size()) {
        Vector<Vec3> surface = movedBlade(mesh);
        double motion2 = 0.;
        for (std::size_t i = 0; i < now.size(); ++i) motion2 = std::max(motion2, norm2(now[i] - surface[i]));
        if (!(motion2 > 1e-6 * longest2)) {  // in no direction yet
            place(mesh, type, std::move(surface));
            return result;
        }
        const auto n = static_cast<Index>(now.size());
        Vector<Vec3> normals;
        double agreeing = 0.;
        for (Index i = 0; i + 1 < n; ++i) {
            normals.push_back(cross(now[i + 1] - now[i], now[i] - surface[i] + now[i + 1] - surface[i + 1]));
            if (m_normals.size() + 1 == n) agreeing += dot(normals[i], m_normals[i]);
        }
        // A blade that comes back sweeps the other side of what it swept before.
        const bool back = agreeing < 0.;
        if (back)
            for (Vec3& normal : normals) normal = -normal;
        surface.insert(surface.end(), now.begin(), now.end());
        Vector<Triangle> triangles;
        for (Index i = 0; i + 1 < n; ++i) {
            if (i % (piecesOfLine + 1) == piecesOfLine) continue;
            triangles.push_back({i, i + 1, n + i + 1});
            triangles.push_back({i, n + i + 1, n + i});
        }
        if (back)
            for (Triangle& t : triangles) std::swap(t[1], t[2]);
        result = along(mesh, surface, triangles);
        m_normals = std::move(normals);
    }
    place(mesh, type, std::move(now));
    return result;
}

void MeshCut::end()
{
    m_sides.clear();
    m_blade.clear();
    m_anchors.clear();
    m_normals.clear();
}

void MeshCut::follow(const ElementSource& points)
{
    std::map<Index, Index> now;
    for (const auto& [before, after] : points.renumberings()) now[before] = after;
    const auto isGone = [&points](Index v) { return std::ranges::binary_search(points.gone, v); };
    const auto numberOf = [&now](Index v) {
        const auto it = now.find(v);
        return it == now.end() ? v : it->second;
    };
    std::map<Index, NearPoint> sides;
    for (const auto& [v, side] : m_sides)
        if (!isGone(v)) sides[numberOf(v)] = side;
    m_sides = std::move(sides);
    for (Anchor& a : m_anchors)
        for (Index k = 0; k < a.vertexCount; ++k) {
            if (isGone(a.vertices[k])) {
                a.vertexCount = 0;
                break;
            }
            a.vertices[k] = numberOf(a.vertices[k]);
        }
}

void MeshCut::archive(Archive& a)
{
    Vector<Index> points;
    Vector<CutSide> sides;
    Vector<Vec4> where;
    for (const auto& [v, p] : m_sides) {
        points.push_back(v);
        sides.push_back(p.side);
        where.push_back({p.normal[0], p.normal[1], p.normal[2], p.height});
    }
    a(points);
    a(sides);
    a(where);
    a(m_blade);
    a(m_normals);
    a(m_anchors);
    if (!a.loading()) return;
    m_sides.clear();
    for (std::size_t i = 0; i < points.size(); ++i)
        m_sides[points[i]] = {sides.at(i), {where.at(i)[0], where[i][1], where[i][2]}, where[i][3]};
}

}  // namespace sofa::core
