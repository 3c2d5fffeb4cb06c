// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricWeights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "components/mapping/BarycentricCell.h"
#include "core/topology/BezierTopology.h"

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
    std::array<double, 10> b{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            const std::size_t k = bezierControl[i][j];
            if (!middles.isMiddle(t[k])) {
                b[k] += alpha[i] * alpha[j];
                continue;
            }
            b[i] += 0.5 * alpha[i] * alpha[j];
            b[j] += 0.5 * alpha[i] * alpha[j];
        }
    std::array<Index, 10> nodes{};
    std::size_t count = 0;
    for (std::size_t k = 0; k < 10; ++k) {
        if (middles.isMiddle(t[k])) continue;
        nodes[count] = t[k];
        b[count++] = b[k];
    }
    w.append({nodes.data(), count}, {b.data(), count});
}

namespace {

/// Of points in the tetrahedra of corners, with their barycentric coordinates as weights, those of all control points.
BarycentricWeights withControlPoints(const BarycentricWeights& corners, const Vector<PlaceInElement>& places,
                                     const BezierTopology& mesh)
{
    BarycentricWeights w;
    for (Index i = 0; i < corners.rows(); ++i)
        appendBezierPoint(w, &corners.weights[corners.rowStart[i]], mesh.bezierTetrahedra()[places[i].element],
                          mesh.middlePoints());
    return w;
}

}  // namespace

BarycentricWeights computeBarycentricWeights(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                             const Vector<Vec3>& points, Vector<Index>* elements)
{
    const auto* curved = dynamic_cast<const BezierTopology*>(&topology);
    if (curved && curved->bezierTetrahedra().size() != topology.tetrahedra().size())
        throw std::runtime_error("the elements of '" + topology.pathName() + "' lack their control points");
    const std::size_t n = vertices.size();
    const Vector<Hexahedron>& hexahedra = topology.hexahedra();
    checkElements(hexahedra, n, "hexahedron");
    checkFinite(vertices, "input");
    checkFinite(points, "output");
    Vector<PlaceInElement> places;
    Vector<PlaceInElement>* const kept = elements || curved ? &places : nullptr;
    // Elements of the kinds that are numbered before those that are used.
    const auto numbered = [&](BarycentricWeights w, std::size_t before) {
        for (std::size_t i = 0; elements && i < places.size(); ++i)
            elements->push_back(static_cast<Index>(before) + places[i].element);
        return curved ? withControlPoints(w, places, *curved) : w;
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
