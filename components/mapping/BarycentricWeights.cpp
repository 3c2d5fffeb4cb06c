// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricWeights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "components/mapping/BarycentricCell.h"
#include "core/fem/elements/BezierShape.h"

namespace sofa::component {

namespace {

/// The best element so far.
struct Nearest
{
    double distance = std::numeric_limits<double>::infinity();
    Index cell = InvalidIndex;
    Vec3 local;

    void consider(const std::vector<Cell>& cells, Index i, const Vec3& point)
    {
        const Cell& c = cells[i];
        if (!c.valid) return;
        const Vec3 v = c.local(point);
        double d = c.violation(v);
        if (d > 0.) d = norm2(point - c.center);
        if (!(d < distance)) return;
        distance = d;
        cell = i;
        local = v;
    }
};

/// Elements by the cells of an unbounded regular grid that their boxes overlap.
class HashGrid
{
public:
    using Key = std::array<int, 3>;

    explicit HashGrid(double cellSize) : m_factor(1. / cellSize) {}

    Key key(const Vec3& p) const
    {
        Key k{};
        for (std::size_t i = 0; i < 3; ++i) k[i] = static_cast<int>(std::clamp(std::floor(p[i] * m_factor), -1e9, 1e9));
        return k;
    }
    /// False if the box covers so many cells that a grid of this cell size is of no use.
    bool insert(Index element, const Vec3& low, const Vec3& high)
    {
        const Key a = key(low), b = key(high);
        double count = static_cast<double>(m_entries.size());
        count += (1. + b[0] - a[0]) * (1. + b[1] - a[1]) * (1. + b[2] - a[2]);
        if (!(count < 5e7)) return false;
        for (int i = a[0]; i <= b[0]; ++i)
            for (int j = a[1]; j <= b[1]; ++j)
                for (int k = a[2]; k <= b[2]; ++k) m_entries.push_back({{i, j, k}, element});
        return true;
    }
    void finish() { std::sort(m_entries.begin(), m_entries.end()); }
    /// Calls f(element) for the elements of a cell, in increasing order.
    template <class F>
    void forEach(const Key& k, F f) const
    {
        auto it = std::lower_bound(m_entries.begin(), m_entries.end(), Entry{k, 0});
        for (; it != m_entries.end() && it->first == k; ++it) f(it->second);
    }

private:
    using Entry = std::pair<Key, Index>;
    std::vector<Entry> m_entries;
    double m_factor;
};

/// Search in a topology container.
class ContainerSearch
{
public:
    ContainerSearch(const std::vector<Cell>& cells, const BaseMeshTopology& topology, const Vector<Vec3>& x)
        : m_cells(cells), m_cellSize(meanEdgeLength(cells, topology, x)), m_grid(m_cellSize)
    {
        m_useGrid = m_cellSize > 0. && std::isfinite(m_cellSize);
        for (Index i = 0; m_useGrid && i < cells.size(); ++i) {
            Vec3 low = cells[i].origin, high = low;
            for (std::size_t n = 0; n < cells[i].count; ++n)
                for (std::size_t k = 0; k < 3; ++k) {
                    low[k] = std::min(low[k], x[cells[i].nodes[n]][k]);
                    high[k] = std::max(high[k], x[cells[i].nodes[n]][k]);
                }
            m_useGrid = m_grid.insert(i, low, high);
        }
        if (m_useGrid) m_grid.finish();
    }

    Nearest find(const Vec3& p) const
    {
        Nearest best;
        const auto consider = [&](Index i) { best.consider(m_cells, i, p); };
        const HashGrid::Key k = m_useGrid ? m_grid.key(p) : HashGrid::Key{};
        if (m_useGrid) m_grid.forEach(k, consider);
        if (best.cell == InvalidIndex) {
            for (Index i = 0; i < m_cells.size(); ++i) consider(i);
        } else if (std::abs(best.distance) > m_cellSize / 2.) {
            for (int i = -1; i <= 1; ++i)
                for (int j = -1; j <= 1; ++j)
                    for (int l = -1; l <= 1; ++l) m_grid.forEach({k[0] + i, k[1] + j, k[2] + l}, consider);
        }
        return best;
    }

private:
    static double meanEdgeLength(const std::vector<Cell>& cells, const BaseMeshTopology& topology,
                                 const Vector<Vec3>& x)
    {
        double sum = 0.;
        const Vector<Edge>& edges = topology.edges();
        for (const Edge& e : edges) sum += norm(x[e[0]] - x[e[1]]);
        if (!edges.empty()) return sum / static_cast<double>(edges.size());
        for (const Cell& c : cells) sum += norm(x[c.nodes[0]] - x[c.nodes[1]]);
        return sum / static_cast<double>(cells.size());
    }

    const std::vector<Cell>& m_cells;
    double m_cellSize;
    HashGrid m_grid;
    bool m_useGrid = false;
};

/// Search among all elements of a mesh. An element that holds the point is better than any that does not, so the
/// elements whose box holds the point are tried first; only a point outside all of them compares every centre.
class MeshSearch
{
public:
    explicit MeshSearch(const std::vector<Cell>& cells) : m_cells(cells), m_grid(meanExtent(cells))
    {
        m_useGrid = m_size > 0. && std::isfinite(m_size);
        for (Index i = 0; m_useGrid && i < cells.size(); ++i) {
            if (!cells[i].valid) continue;
            const BoundingBox box = regionOf(cells[i]);
            m_useGrid = !box.valid() || m_grid.insert(i, box.low, box.high);
        }
        if (m_useGrid) m_grid.finish();
    }

    Nearest find(const Vec3& p) const
    {
        Nearest best;
        const auto consider = [&](Index i) { best.consider(m_cells, i, p); };
        if (m_useGrid) m_grid.forEach(m_grid.key(p), consider);
        if (best.cell != InvalidIndex && best.distance <= 0.) return best;
        best = {};
        for (Index i = 0; i < m_cells.size(); ++i) consider(i);
        return best;
    }

private:
    /// Box around the places that count as inside, with a margin for rounding.
    static BoundingBox regionOf(const Cell& c)
    {
        BoundingBox box;
        c.forEachCorner([&](const Vec3& p) { box.include(p); });
        const Vec3 margin = Vec3::filled(1e-6 * norm(box.high - box.low));
        box.low -= margin;
        box.high += margin;
        return box;
    }
    double meanExtent(const std::vector<Cell>& cells)
    {
        double sum = 0.;
        std::size_t n = 0;
        for (const Cell& c : cells) {
            if (!c.valid) continue;
            const BoundingBox box = regionOf(c);
            const Vec3 e = box.high - box.low;
            sum += std::max(e[0], std::max(e[1], e[2]));
            ++n;
        }
        m_size = n ? sum / static_cast<double>(n) : 0.;
        return m_size > 0. ? m_size : 1.;
    }

    const std::vector<Cell>& m_cells;
    double m_size = 0.;
    HashGrid m_grid;
    bool m_useGrid = false;
};

template <class Search>
BarycentricWeights embed(const std::vector<Cell>& cells, const Search& search, const Vector<Vec3>& points,
                         Vector<PlaceInElement>* places = nullptr)
{
    BarycentricWeights out;
    for (const Vec3& p : points) {
        const Nearest best = search.find(p);
        if (best.cell == InvalidIndex) throw std::runtime_error("every element of the input's topology is degenerate");
        const Cell& c = cells[best.cell];
        const std::array<double, 8> w = shapeWeights(c.shape, best.local);
        out.append(c.vertices(), {w.data(), c.count});
        if (places) places->push_back({best.cell, best.local});
    }
    return out;
}

void appendOnEdge(BarycentricWeights& out, const Edge& e, double s)
{
    const double w[2] = {1. - s, s};
    out.append(e, w);
}

/// On a mesh of edges: the first edge onto whose extent the point projects, else the last edge, as in SOFA.
BarycentricWeights embedInLines(const Vector<Edge>& edges, const Vector<Vec3>& x, const Vector<Vec3>& points,
                                Vector<PlaceInElement>* places = nullptr)
{
    BarycentricWeights out;
    for (const Vec3& p : points) {
        double s = 0.;
        std::size_t e = 0;
        for (; e < edges.size(); ++e) {
            const Vec3 d = x[edges[e][1]] - x[edges[e][0]];
            const double length = norm(d);
            if (length == 0.) continue;
            s = dot(d / length, p - x[edges[e][0]]) / length;
            if (s >= 0. && s <= 1.) break;
        }
        e = std::min(e, edges.size() - 1);
        appendOnEdge(out, edges[e], s);
        if (places) places->push_back({static_cast<Index>(e), {s, 0., 0.}});
    }
    return out;
}

/// In a container of edges: the edge nearest to the point. (SOFA leaves this case undefined.)
BarycentricWeights embedInNearestEdge(const Vector<Edge>& edges, const Vector<Vec3>& x, const Vector<Vec3>& points,
                                      Vector<PlaceInElement>* places)
{
    BarycentricWeights out;
    for (const Vec3& p : points) {
        double best = std::numeric_limits<double>::infinity(), coordinate = 0.;
        std::size_t edge = 0;
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const Vec3 d = x[edges[e][1]] - x[edges[e][0]];
            const double l2 = norm2(d);
            const double s = l2 > 0. ? dot(d, p - x[edges[e][0]]) / l2 : 0.;
            const double distance = norm2(p - x[edges[e][0]] - d * std::clamp(s, 0., 1.));
            if (!(distance < best)) continue;
            best = distance;
            coordinate = s;
            edge = e;
        }
        appendOnEdge(out, edges[edge], coordinate);
        if (places) places->push_back({static_cast<Index>(edge), {coordinate, 0., 0.}});
    }
    return out;
}

BarycentricWeights embedInGrid(const BaseMeshTopology& grid, const Vector<Vec3>& points, Vector<PlaceInElement>* places)
{
    const Vector<Hexahedron>& hexahedra = grid.hexahedra();
    BarycentricWeights out;
    for (const Vec3& p : points) {
        const BaseMeshTopology::CellLocation at = grid.locateCell(p);
        if (at.cell >= hexahedra.size()) throw std::runtime_error("the input's grid has no cells");
        out.append(hexahedra[at.cell], shapeWeights(Shape::Hexahedron, at.local));
        if (places) places->push_back({at.cell, at.local});
    }
    return out;
}

template <class Element>
void checkElements(const Vector<Element>& elements, std::size_t vertices, const char* kind)
{
    for (std::size_t i = 0; i < elements.size(); ++i)
        for (const Index n : elements[i])
            if (n >= vertices)
                throw std::runtime_error(std::string(kind) + ' ' + std::to_string(i) +
                                         " of the input's topology refers to point " + std::to_string(n) +
                                         ", but the input has " + std::to_string(vertices) + " points");
}

void checkFinite(const Vector<Vec3>& x, const char* whose)
{
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!isFinite(x[i]))
            throw std::runtime_error(std::string("position ") + std::to_string(i) + " of the " + whose +
                                     " is not finite");
}

/// The volumes of a mesh, else its faces.
std::vector<Cell> cellsOfMesh(const BaseMeshTopology& topology, const Vector<Vec3>& vertices)
{
    std::vector<Cell> cells;
    const auto add = [&](Shape shape, const auto& elements, const char* kind) {
        checkElements(elements, vertices.size(), kind);
        for (const auto& e : elements) cells.emplace_back(shape, e, vertices);
    };
    add(Shape::Tetrahedron, topology.tetrahedra(), "tetrahedron");
    add(Shape::Hexahedron, topology.hexahedra(), "hexahedron");
    if (!cells.empty()) return cells;
    add(Shape::Triangle, topology.triangles(), "triangle");
    add(Shape::Quad, topology.quads(), "quad");
    return cells;
}

}  // namespace

BarycentricWeights computeMeshWeights(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                      const Vector<Vec3>& points, Vector<PlaceInElement>& places)
{
    places.clear();
    checkFinite(vertices, "input");
    checkFinite(points, "output");
    const std::vector<Cell> cells = cellsOfMesh(topology, vertices);
    if (!cells.empty()) return embed(cells, MeshSearch(cells), points, &places);
    const Vector<Edge>& edges = topology.edges();
    checkElements(edges, vertices.size(), "edge");
    if (edges.empty()) throw std::runtime_error("the input's topology '" + topology.pathName() + "' has no elements");
    return embedInLines(edges, vertices, points, &places);
}

void appendBezierPoint(BarycentricWeights& w, const double* alpha, const BezierTetrahedron& t,
                       const MiddlePoints& middles)
{
    w.append(bezierPoint(std::span<const double, 4>(alpha, 4), t, middles));
}

std::optional<std::array<double, 4>> bezierCoordinates(const std::array<Vec3, 10>& control, const Vec3& x)
{
    using S = BezierTetrahedronShape;
    const Vec3 a = control[1] - control[0], b = control[2] - control[0], c = control[3] - control[0];
    const double size = std::max({norm(a), norm(b), norm(c)});
    Vec3 q = inverse(Mat3::fromColumns(a, b, c)) * (x - control[0]);
    for (int iteration = 0; iteration < 50; ++iteration) {
        const std::array<double, 10> n = S::values(q);
        const std::array<Vec3, 10> g = S::gradients(q);
        Vec3 missing = x, du, dv, dw;
        for (std::size_t k = 0; k < 10; ++k) {
            missing -= control[k] * n[k];
            du += control[k] * g[k][0];
            dv += control[k] * g[k][1];
            dw += control[k] * g[k][2];
        }
        const double error = norm(missing);
        if (error <= 1e-14 * size) return S::barycentric(q);
        Vec3 step = inverse(Mat3::fromColumns(du, dv, dw)) * missing;
        if (!isFinite(step)) return {};
        if (norm(step) <= 1e-15) return error <= 1e-12 * size ? std::optional(S::barycentric(q)) : std::nullopt;
        if (const double length = norm(step); length > 0.5) step *= 0.5 / length;  // far from where it is quadratic
        q += step;
    }
    return {};
}

namespace {

/// Of points in the tetrahedra of corners, with their barycentric coordinates as weights, those of all control points.
/// Where elements are curved, `places` are corrected. Throws std::runtime_error for a point that has no coordinates.
BarycentricWeights withControlPoints(const BarycentricWeights& corners, Vector<PlaceInElement>& places,
                                     const BezierTopology& mesh, const Vector<Vec3>& vertices,
                                     const Vector<Vec3>& points)
{
    const Vector<BezierTetrahedron>& elements = mesh.bezierTetrahedra();
    const Vector<BezierTriangle>& triangles = mesh.bezierTriangles();
    BarycentricWeights w;
    Vector<Vec3> memory;
    const Vector<Vec3>& x = mesh.middlePoints().extended(vertices, memory);
    for (const BezierTriangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k)
            if (!isStraightEdge(x[t[bezierTriangleEdges[k][0]]], x[t[3 + k]], x[t[bezierTriangleEdges[k][1]]]))
                throw std::runtime_error(
                    "points are not embedded in triangles whose rest shapes are curved: embed them "
                    "in the flat ones of a BezierSurfaceTopologicalMapping");
    if (!triangles.empty()) {
        for (Index i = 0; i < corners.rows(); ++i)
            w.append(bezierPoint(std::span<const double, 3>(&corners.weights[corners.rowStart[i]], 3),
                                 triangles[places[i].element], mesh.middlePoints()));
        return w;
    }
    const auto controlOf = [&](Index e) {
        std::array<Vec3, 10> control;
        for (std::size_t k = 0; k < 10; ++k) control[k] = x[elements[e][k]];
        return control;
    };
    Vector<BoundingBox> hulls(elements.size());
    bool isCurved = false;
    double extent = 0.;
    for (Index e = 0; e < elements.size(); ++e) {
        const std::array<Vec3, 10> control = controlOf(e);
        for (std::size_t k = 0; k < bezierEdges.size(); ++k)
            isCurved =
                isCurved || !isStraightEdge(control[bezierEdges[k][0]], control[4 + k], control[bezierEdges[k][1]]);
        for (const Vec3& p : control) hulls[e].include(p);
        extent += norm(hulls[e].high - hulls[e].low) / static_cast<double>(elements.size());
    }
    if (!isCurved) {
        for (Index i = 0; i < corners.rows(); ++i)
            appendBezierPoint(w, &corners.weights[corners.rowStart[i]], elements[places[i].element],
                              mesh.middlePoints());
        return w;
    }
    HashGrid grid(extent > 0. ? extent : 1.);
    bool useGrid = true;
    for (Index e = 0; e < hulls.size() && useGrid; ++e) useGrid = grid.insert(e, hulls[e].low, hulls[e].high);
    grid.finish();
    for (Index i = 0; i < corners.rows(); ++i) {
        std::optional<std::array<double, 4>> best;
        PlaceInElement at = places[i];
        const auto consider = [&](Index e) {
            const auto alpha = bezierCoordinates(controlOf(e), points[i]);
            if (!alpha || (best && *std::ranges::min_element(*alpha) <= *std::ranges::min_element(*best))) return;
            best = alpha;
            at = {e, {(*alpha)[1], (*alpha)[2], (*alpha)[3]}};
        };
        if (useGrid) grid.forEach(grid.key(points[i]), consider);
        if (!best || *std::ranges::min_element(*best) < 0.) consider(places[i].element);
        if (!best)
            throw std::runtime_error("position " + std::to_string(i) + " of the output is too far from the curved " +
                                     "elements of '" + dynamic_cast<const BaseMeshTopology&>(mesh).pathName() +
                                     "' to have coordinates in one");
        places[i] = at;
        appendBezierPoint(w, best->data(), elements[at.element], mesh.middlePoints());
    }
    return w;
}

}  // namespace

BarycentricWeights computeBarycentricWeights(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                             const Vector<Vec3>& points, Vector<Index>* elements)
{
    const BezierTopology* curved = nullptr;  // without triangles and tetrahedra points are embedded in its edges
    if (dynamic_cast<const BezierTopology*>(&topology) &&
        !(topology.tetrahedra().empty() && topology.triangles().empty()))
        curved = &completeBezierTopologyOf(topology);
    const std::size_t n = vertices.size();
    const Vector<Hexahedron>& hexahedra = topology.hexahedra();
    checkElements(hexahedra, n, "hexahedron");
    checkFinite(vertices, "input");
    checkFinite(points, "output");
    Vector<PlaceInElement> places;
    Vector<PlaceInElement>* const kept = elements || curved ? &places : nullptr;
    // Elements of the kinds that are numbered before those that are used.
    const auto numbered = [&](BarycentricWeights w, std::size_t before) {
        if (curved) w = withControlPoints(w, places, *curved, vertices, points);
        for (std::size_t i = 0; elements && i < places.size(); ++i)
            elements->push_back(static_cast<Index>(before) + places[i].element);
        return w;
    };
    if (elements) elements->clear();
    const std::size_t tetrahedra = topology.tetrahedra().size();
    if (topology.locatesCells() && !hexahedra.empty()) return numbered(embedInGrid(topology, points, kept), tetrahedra);

    const bool container = topology.isContainer();
    std::vector<Cell> cells;
    std::size_t before = 0;
    const auto add = [&](Shape shape, const auto& list, const char* kind) {
        checkElements(list, n, kind);
        for (const auto& e : list) cells.emplace_back(shape, e, vertices);
    };
    if (container) {
        if (!hexahedra.empty()) {
            before = tetrahedra;
            add(Shape::Hexahedron, hexahedra, "hexahedron");
        } else if (tetrahedra > 0) {
            add(Shape::Tetrahedron, topology.tetrahedra(), "tetrahedron");
        } else if (!topology.quads().empty()) {
            before = topology.triangles().size();
            add(Shape::Quad, topology.quads(), "quad");
        } else if (!topology.triangles().empty()) {
            add(Shape::Triangle, topology.triangles(), "triangle");
        }
    } else {
        cells = cellsOfMesh(topology, vertices);
    }
    const Vector<Edge>& edges = topology.edges();
    checkElements(edges, n, "edge");
    if (!cells.empty())
        return numbered(container ? embed(cells, ContainerSearch(cells, topology, vertices), points, kept)
                                  : embed(cells, MeshSearch(cells), points, kept),
                        before);
    if (edges.empty()) throw std::runtime_error("the input's topology '" + topology.pathName() + "' has no elements");
    return numbered(
        container ? embedInNearestEdge(edges, vertices, points, kept) : embedInLines(edges, vertices, points, kept), 0);
}

}  // namespace sofa::component
