// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/Embedding.h"

#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "components/mapping/BarycentricCell.h"
#include "core/mesh/Adjacency.h"
#include "core/topology/ElementsOf.h"

namespace sofa::component {

namespace {

constexpr std::array carrierShapes{Shape::Tetrahedron, Shape::Hexahedron, Shape::Triangle, Shape::Quad, Shape::Edge};

/// The elements that can carry points, by their numbers.
class Carriers
{
public:
    /// The volumes, else the faces, else the edges, and at least the first kinds.
    explicit Carriers(const BaseMeshTopology& t, std::size_t kinds = 0) : m_topology(&t)
    {
        for (const std::size_t end : {2u, 4u, 5u}) {
            while (m_starts.size() <= end)
                m_starts.push_back(m_starts.back() +
                                   static_cast<Index>(elementCount(t, carrierKinds[m_starts.size() - 1])));
            if (end >= kinds && m_starts.back() > 0) break;
        }
    }
    Index size() const { return m_starts.back(); }
    std::span<const Index> vertices(Index e) const
    {
        const std::size_t k = kindOf(e), n = nodeCount(carrierKinds[k]);
        return verticesOf(*m_topology, carrierKinds[k]).subspan((e - m_starts[k]) * n, n);
    }
    Cell cell(Index e, const Vector<Vec3>& x) const { return {carrierShapes[kindOf(e)], vertices(e), x}; }

private:
    std::size_t kindOf(Index e) const
    {
        std::size_t k = 0;
        while (e >= m_starts[k + 1]) ++k;
        return k;
    }

    const BaseMeshTopology* m_topology;
    Vector<Index> m_starts{0};
};

}  // namespace

Vec3 Embedding::position(Index i, const Vector<Vec3>& x) const
{
    const Vec3 p = weighted(x, vertices(i), weightsOf(i));
    return offsets.empty() ? p : offsets[i] + p;
}

// As text, five lists of numbers.
bool readValue(TextCursor& c, Embedding& e)
{
    Vector<Vector<double>> lists;
    if (!readValue(c, lists)) return false;
    if (lists.size() != 5) return c.fail("five lists");
    const auto numbers = [](const Vector<double>& list) { return Vector<Index>(list.begin(), list.end()); };
    e.weights = {numbers(lists[0]), numbers(lists[1]), std::move(lists[2])};
    e.elements = numbers(lists[3]);
    e.offsets.resize(lists[4].size() / 3);
    for (std::size_t i = 0; i < e.offsets.size(); ++i)
        e.offsets[i] = {lists[4][3 * i], lists[4][3 * i + 1], lists[4][3 * i + 2]};
    return true;
}

void writeValue(std::string& out, const Embedding& e)
{
    const auto numbers = [](const Vector<Index>& list) { return Vector<double>(list.begin(), list.end()); };
    Vector<double> offsets;
    for (const Vec3& o : e.offsets) offsets.insert(offsets.end(), o.begin(), o.end());
    writeValue(out, Vector<Vector<double>>{numbers(e.weights.rowStart), numbers(e.weights.columns), e.weights.weights,
                                           numbers(e.elements), offsets});
}

Vector<Index> elementsOfWeights(const BarycentricWeights& w, const BaseMeshTopology& topology, Index vertexCount)
{
    const Carriers carriers(topology);
    const Adjacency around(vertexCount, carriers.size(), [&](std::size_t e) { return carriers.vertices(Index(e)); });
    Vector<Index> elements;
    for (Index i = 0; i < w.rows(); ++i) {
        const std::span nodes(w.columns.data() + w.rowStart[i], w.columns.data() + w.rowStart[i + 1]);
        Index found = InvalidIndex;
        for (const Index e : nodes.empty() ? std::span<const Index>() : around[nodes[0]]) {
            const auto vertices = carriers.vertices(e);
            if (!std::ranges::all_of(nodes, [&](Index v) { return std::ranges::count(vertices, v) > 0; })) continue;
            found = e;
            break;
        }
        elements.push_back(found);
    }
    return elements;
}

Vector<Index> partsOf(const BaseMeshTopology& topology, Index vertexCount)
{
    Vector<Index> part(vertexCount);
    std::iota(part.begin(), part.end(), Index{0});
    const auto root = [&part](Index v) {
        while (part[v] != v) v = part[v] = part[part[v]];
        return v;
    };
    const Carriers carriers(topology);
    for (Index e = 0; e < carriers.size(); ++e) {
        const auto vertices = carriers.vertices(e);
        for (const Index v : vertices) {
            const Index a = root(vertices[0]), b = root(v);
            part[std::max(a, b)] = std::min(a, b);
        }
    }
    for (Index v = 0; v < vertexCount; ++v) part[v] = root(v);
    return part;
}

namespace {

class Following
{
public:
    Following(const Embedding& e, const EmbeddingChange& c)
        : m_old(e),
          m_change(c),
          m_elementsNow(numbersNow(c.elements)),
          m_verticesNow(numbersNow(c.vertices)),
          m_carriers(c.topology, c.kinds)
    {
    }

    Embedding run()
    {
        const ElementSource& points = m_change.points;
        Vector<Index> from(points.same ? m_old.weights.rows() : Index(m_change.pointsAtRest.size()), InvalidIndex);
        if (points.same) std::iota(from.begin(), from.end(), Index{0});
        const Vector<Index> pointsNow = numbersNow(points);
        for (Index r = 0; r < pointsNow.size(); ++r)
            if (pointsNow[r] != InvalidIndex) from[pointsNow[r]] = r;
        for (Index i = 0; i < from.size(); ++i) {
            if (from[i] == InvalidIndex)
                placeNew(i);
            else if (!keeps(from[i]))
                moves(from[i]);
        }
        return std::move(m_new);
    }

private:
    /// Empty where nothing changed.
    static Vector<Index> numbersNow(const ElementSource& s) { return s.same ? Vector<Index>() : s.inverse(); }
    static Index now(Index i, const Vector<Index>& numbers)
    {
        if (numbers.empty()) return i;
        return i < numbers.size() ? numbers[i] : InvalidIndex;
    }
    bool hasMoved(Index v) const
    {
        const Index n = now(v, m_verticesNow);
        return n != InvalidIndex && !(m_change.before[v] == m_change.now[n]);
    }

    /// Keeps a point where it is, if it can stay there.
    bool keeps(Index r)
    {
        const auto vertices = m_old.vertices(r);
        const auto weights = m_old.weightsOf(r);
        const Index was = m_old.elements[r];
        Index element = now(was, m_elementsNow);
        if (was != InvalidIndex && element == InvalidIndex && !descendants(was).empty()) return false;
        // Without an element only vertices that carry it count.
        for (std::size_t k = 0; k < vertices.size() && !m_verticesNow.empty(); ++k)
            if ((element != InvalidIndex || weights[k] != 0.) && hasMoved(vertices[k])) return false;
        Vector<Index> nodes;
        for (const Index v : vertices) nodes.push_back(now(v, m_verticesNow));
        if (std::ranges::count(nodes, InvalidIndex) > 0) {
            // What no vertex moves needs none of them.
            if (std::ranges::any_of(weights, [](double w) { return w != 0.; })) return false;
            nodes.clear();
        }
        append(nodes, nodes.empty() ? std::span<const double>() : weights, element,
               m_old.offsets.empty() ? Vec3() : m_old.offsets[r]);
        return true;
    }

    /// Finds another element for a point.
    void moves(Index r)
    {
        const Vec3 x = m_old.position(r, m_change.before);
        const Index was = m_old.elements[r], element = now(was, m_elementsNow);
        std::optional<Cell> best;
        if (element != InvalidIndex)
            best = nearest(x, around(element));
        else if (was != InvalidIndex)
            best = nearest(x, descendants(was));
        place(x, best ? *best : nearestOfPart(r, x));
    }

    void placeNew(Index i)
    {
        const Ancestors& from = m_change.points.ancestorsOf(i);
        if (from.empty()) return place(m_change.pointsAtRest[i], nearestOfAll(m_change.pointsAtRest[i], i));
        Vec3 x;
        Vector<Index> candidates;
        for (const Ancestor& a : from) {
            x += m_old.position(a.index, m_change.before) * a.weight;
            const Index was = m_old.elements[a.index], element = now(was, m_elementsNow);
            if (element != InvalidIndex)
                candidates.push_back(element);
            else if (was != InvalidIndex)
                candidates.insert(candidates.end(), descendants(was).begin(), descendants(was).end());
        }
        const auto first = nearest(x, candidates);
        const bool inside = first && m_found.distance <= 1e-18 * norm2(first->center - m_change.now[first->nodes[0]]);
        place(x, inside ? *first : nearestOfAll(x, i));
    }

    void append(std::span<const Index> nodes, std::span<const double> weights, Index element, const Vec3& offset)
    {
        m_new.weights.append(nodes, weights);
        m_new.elements.push_back(element);
        if (!m_old.offsets.empty()) m_new.offsets.push_back(offset);
    }
    /// Embeds a place at rest in the cell that was found last.
    void place(const Vec3& x, const Cell& c)
    {
        const std::array<double, 8> w = shapeWeights(c.shape, exactLocal(c, m_change.now, x));
        const std::span<const double> weights(w.data(), c.count);
        append(c.vertices(), weights, m_found.element, x - weighted(m_change.now, c.vertices(), weights));
    }

    // --- Candidates
    // ---------------------------------------------------------------------------------------------------

    const Vector<Index>& descendants(Index element)
    {
        if (m_descendants.empty()) {
            m_descendants.resize(m_change.elements.before);
            Vector<char> isOld(m_carriers.size(), false);
            for (const Index e : m_elementsNow)
                if (e < isOld.size()) isOld[e] = true;
            for (Index e = 0; e < isOld.size(); ++e)
                if (!isOld[e])
                    for (const Ancestor& a : m_change.elements.ancestorsOf(e)) m_descendants[a.index].push_back(e);
        }
        return m_descendants[element];
    }
    /// The elements that share a vertex with one.
    Vector<Index> around(Index element)
    {
        if (!m_around)
            m_around.emplace(m_change.now.size(), m_carriers.size(),
                             [this](std::size_t e) { return m_carriers.vertices(Index(e)); });
        Vector<Index> all;
        for (const Index v : m_carriers.vertices(element)) {
            const auto more = (*m_around)[v];
            all.insert(all.end(), more.begin(), more.end());
        }
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
    std::optional<Cell> nearest(const Vec3& x, const Vector<Index>& candidates)
    {
        std::optional<Cell> best;
        m_found = {};
        for (const Index e : candidates)
            if (Cell c = m_carriers.cell(e, m_change.now); m_found.consider(c, e, x, m_change.now)) best = c;
        return best;
    }
    template <class Admits>
    const Cell* nearestCell(const Vec3& x, Admits admits)
    {
        if (m_cells.empty())
            for (Index e = 0; e < m_carriers.size(); ++e) {
                m_cells.push_back(m_carriers.cell(e, m_change.now));
                double radius2 = 0.;
                for (const Index v : m_cells.back().vertices())
                    radius2 = std::max(radius2, norm2(m_change.now[v] - m_cells.back().center));
                m_radius.push_back(std::sqrt(radius2));
            }
        const Cell* best = nullptr;
        m_found = {};
        for (Index e = 0; e < m_cells.size(); ++e) {
            const double least = norm(x - m_cells[e].center) - m_radius[e];
            if (least > 0. && least * least > m_found.distance) continue;
            if (admits(m_cells[e]) && m_found.consider(m_cells[e], e, x, m_change.now)) best = &m_cells[e];
        }
        return best;
    }
    const Cell& nearestOfAll(const Vec3& x, Index point)
    {
        if (const Cell* c = nearestCell(x, [](const Cell&) { return true; })) return *c;
        throw std::runtime_error("no element is left that could carry point " + std::to_string(point));
    }
    /// Of the parts that hold what is left of the vertices of a point, or of its piece.
    const Cell& nearestOfPart(Index r, const Vec3& x)
    {
        if (m_parts.empty()) m_parts = partsOf(m_change.topology, static_cast<Index>(m_change.now.size()));
        Vector<char> admitted(m_parts.size(), false);
        const auto inAdmitted = [&](const Cell& c) { return admitted[m_parts[c.nodes[0]]] != 0; };
        for (const Index v : m_old.vertices(r))
            if (const Index n = now(v, m_verticesNow); n != InvalidIndex) admitted[m_parts[n]] = true;
        if (const Cell* c = nearestCell(x, inAdmitted)) return *c;
        const Vector<Index>& then = m_change.partsBefore;
        for (Index v = 0; v < then.size() && v < m_change.before.size(); ++v)
            if (const Index n = now(v, m_verticesNow); n != InvalidIndex && then[v] == then[m_old.vertices(r)[0]])
                admitted[m_parts[n]] = true;
        if (const Cell* c = nearestCell(x, inAdmitted)) return *c;
        return nearestOfAll(x, r);
    }

    struct Found
    {
        double distance = std::numeric_limits<double>::infinity();  ///< squared
        Index element = InvalidIndex;

        bool consider(const Cell& c, Index e, const Vec3& x, const Vector<Vec3>& vertices)
        {
            const double d = c.valid ? distance2(c, vertices, x) : distance;
            if (!(d < distance)) return false;
            *this = {d, e};
            return true;
        }
    };

    const Embedding& m_old;
    const EmbeddingChange& m_change;
    Vector<Index> m_elementsNow, m_verticesNow;
    Carriers m_carriers;
    Embedding m_new;
    Found m_found;
    Vector<Vector<Index>> m_descendants;
    std::optional<Adjacency> m_around;
    std::vector<Cell> m_cells;
    Vector<double> m_radius;
    Vector<Index> m_parts;
};

/// Points in Bézier tetrahedra, some of which have other degrees: they stay where they are at rest.
Embedding withDegrees(const Embedding& e, const EmbeddingChange& change, const BezierTopology& mesh)
{
    if (!change.points.same) throw std::runtime_error("points in Bézier elements do not come or go");
    if (!mesh.bezierTriangles().empty())
        throw std::runtime_error("points in Bézier triangles do not follow changes of degree");
    Embedding out;
    out.elements = e.elements;
    out.offsets = e.offsets;
    Vector<Vec3> memory;
    const Vector<Vec3>& now = mesh.middlePoints().extended(change.now, memory);
    for (Index i = 0; i < e.weights.rows(); ++i) {
        const Index t = e.elements[i];
        if (t == InvalidIndex) throw std::runtime_error("point " + std::to_string(i) + " is in no Bézier element");
        const BezierTetrahedron& element = mesh.bezierTetrahedra()[t];
        std::array<Vec3, 10> control;
        for (std::size_t k = 0; k < 10; ++k) control[k] = now[element[k]];
        const auto alpha = bezierCoordinates(control, weighted(change.before, e.vertices(i), e.weightsOf(i)));
        if (!alpha) throw std::runtime_error("point " + std::to_string(i) + " has no coordinates in its element");
        appendBezierPoint(out.weights, alpha->data(), element, mesh.middlePoints());
    }
    return out;
}

}  // namespace

Embedding followed(const Embedding& e, const EmbeddingChange& change)
{
    const auto* curved = dynamic_cast<const BezierTopology*>(&change.topology);
    return curved ? withDegrees(e, change, *curved) : Following(e, change).run();
}

}  // namespace sofa::component
