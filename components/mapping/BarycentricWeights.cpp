// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/BarycentricWeights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace sofa::component {

namespace {

/// Inverse of the matrix with columns a, b, c. The operations and their order decide on which side of a face a point of
/// that face is found, and so which element it gets; they are those of SOFA.
bool inverseOfColumns(const Vec3& a, const Vec3& b, const Vec3& c, Mat3& out)
{
    const double det = a[0] * b[1] * c[2] + a[1] * b[2] * c[0] + a[2] * b[0] * c[1] - a[0] * b[2] * c[1] -
                       a[1] * b[0] * c[2] - a[2] * b[1] * c[0];
    if (det == 0. || !std::isfinite(det)) return false;
    out[0] = {(b[1] * c[2] - b[2] * c[1]) / det, (b[2] * c[0] - b[0] * c[2]) / det, (b[0] * c[1] - b[1] * c[0]) / det};
    out[1] = {(c[1] * a[2] - c[2] * a[1]) / det, (c[2] * a[0] - c[0] * a[2]) / det, (c[0] * a[1] - c[1] * a[0]) / det};
    out[2] = {(a[1] * b[2] - a[2] * b[1]) / det, (a[2] * b[0] - a[0] * b[2]) / det, (a[0] * b[1] - a[1] * b[0]) / det};
    return std::isfinite(out[0][0]) && std::isfinite(out[1][1]) && std::isfinite(out[2][2]);
}

enum class Shape
{
    Triangle,
    Quad,
    Tetrahedron,
    Hexahedron
};

/// An element prepared for the search.
struct Cell
{
    Shape shape = Shape::Tetrahedron;
    bool valid = false;
    std::array<Index, 8> nodes{};
    std::size_t count = 0;
    Mat3 base;
    Vec3 origin, center;

    /// Largest violation of the bounds of local coordinates; negative inside.
    double violation(const Vec3& v) const
    {
        const double low = std::max(-v[0], -v[1]);
        switch (shape) {
            case Shape::Triangle:
                return std::max(low, std::max(std::abs(v[2]) - 0.01, v[0] + v[1] - 1.));
            case Shape::Quad:
                return std::max(low, std::max(std::max(v[1] - 1., v[0] - 1.), std::abs(v[2]) - 0.01));
            case Shape::Tetrahedron:
                return std::max(low, std::max(-v[2], v[0] + v[1] + v[2] - 1.));
            default:
                return std::max(low, std::max(std::max(-v[2], v[0] - 1.), std::max(v[1] - 1., v[2] - 1.)));
        }
    }

    /// Corners of the region where the violation is not positive: what a box around it has to contain.
    template <class F>
    void forEachCorner(F f) const
    {
        const Mat3 edges = inverse(base);
        const double low = shape == Shape::Triangle || shape == Shape::Quad ? -0.01 : 0.;
        const double high = low < 0. ? 0.01 : 1.;
        for (const double x : {0., 1.})
            for (const double y : {0., 1.})
                for (const double z : {low, high}) f(origin + edges * Vec3{x, y, z});
    }
};

/// Weights of the nodes of a cell at local coordinates v, in the order of its nodes.
std::array<double, 8> shapeWeights(Shape shape, const Vec3& v)
{
    const double x = v[0], y = v[1], z = v[2];
    switch (shape) {
        case Shape::Triangle:
            return {1 - x - y, x, y};
        case Shape::Quad:
            return {(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y};
        case Shape::Tetrahedron:
            return {1 - x - y - z, x, y, z};
        default:
            return {(1 - x) * (1 - y) * (1 - z), x * (1 - y) * (1 - z), x * y * (1 - z), (1 - x) * y * (1 - z),
                    (1 - x) * (1 - y) * z,       x * (1 - y) * z,       x * y * z,       (1 - x) * y * z};
    }
}

template <class Element>
void addCells(std::vector<Cell>& cells, Shape shape, const Vector<Element>& elements, const Vector<Vec3>& x)
{
    for (const Element& e : elements) {
        Cell& c = cells.emplace_back();
        c.shape = shape;
        c.count = e.size();
        std::copy(e.begin(), e.end(), c.nodes.begin());
        c.origin = x[e[0]];
        const bool four = shape == Shape::Quad || shape == Shape::Hexahedron;
        const Vec3 a = x[e[1]] - x[e[0]];
        const Vec3 b = x[e[four ? 3 : 2]] - x[e[0]];
        Vec3 third = cross(a, b);
        if (shape == Shape::Tetrahedron) third = x[e[3]] - x[e[0]];
        if (shape == Shape::Hexahedron) third = x[c.nodes[4]] - x[e[0]];
        c.valid = inverseOfColumns(a, b, third, c.base);
        c.center = x[e[0]];
        for (std::size_t k = 1; k < c.count; ++k) c.center += x[c.nodes[k]];
        if (shape == Shape::Triangle)
            c.center /= 3.;
        else
            c.center *= 1. / static_cast<double>(c.count);
    }
}

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
        const Vec3 v = c.base * (point - c.origin);
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
        out.append({c.nodes.data(), c.count}, {w.data(), c.count});
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
BarycentricWeights embedInNearestEdge(const Vector<Edge>& edges, const Vector<Vec3>& x, const Vector<Vec3>& points)
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
    }
    return out;
}

BarycentricWeights embedInGrid(const BaseMeshTopology& grid, const Vector<Vec3>& points)
{
    const Vector<Hexahedron>& hexahedra = grid.hexahedra();
    BarycentricWeights out;
    for (const Vec3& p : points) {
        const BaseMeshTopology::CellLocation at = grid.locateCell(p);
        if (at.cell >= hexahedra.size()) throw std::runtime_error("the input's grid has no cells");
        out.append(hexahedra[at.cell], shapeWeights(Shape::Hexahedron, at.local));
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
        addCells(cells, shape, elements, vertices);
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

BarycentricWeights computeBarycentricWeights(const BaseMeshTopology& topology, const Vector<Vec3>& vertices,
                                             const Vector<Vec3>& points)
{
    const std::size_t n = vertices.size();
    const Vector<Hexahedron>& hexahedra = topology.hexahedra();
    checkElements(hexahedra, n, "hexahedron");
    checkFinite(vertices, "input");
    checkFinite(points, "output");
    if (topology.locatesCells() && !hexahedra.empty()) return embedInGrid(topology, points);

    const bool container = topology.isContainer();
    std::vector<Cell> cells;
    const auto add = [&](Shape shape, const auto& elements, const char* kind) {
        checkElements(elements, n, kind);
        addCells(cells, shape, elements, vertices);
    };
    if (container) {
        if (!hexahedra.empty())
            add(Shape::Hexahedron, hexahedra, "hexahedron");
        else if (!topology.tetrahedra().empty())
            add(Shape::Tetrahedron, topology.tetrahedra(), "tetrahedron");
        else if (!topology.quads().empty())
            add(Shape::Quad, topology.quads(), "quad");
        else if (!topology.triangles().empty())
            add(Shape::Triangle, topology.triangles(), "triangle");
    } else {
        cells = cellsOfMesh(topology, vertices);
    }
    const Vector<Edge>& edges = topology.edges();
    checkElements(edges, n, "edge");
    if (!cells.empty())
        return container ? embed(cells, ContainerSearch(cells, topology, vertices), points)
                         : embed(cells, MeshSearch(cells), points);
    if (edges.empty()) throw std::runtime_error("the input's topology '" + topology.pathName() + "' has no elements");
    return container ? embedInNearestEdge(edges, vertices, points) : embedInLines(edges, vertices, points);
}

}  // namespace sofa::component
