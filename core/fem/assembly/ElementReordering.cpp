// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/assembly/ElementReordering.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/mesh/Renumbering.h"

namespace sofa::core {

namespace {

/// Number of vertices from which on a mesh may be renumbered.
constexpr double smallMesh = 512.;

/// Elements, and the elements around each vertex.
struct Mesh
{
    const Index* elements;
    std::size_t count, n;
    Index points;
    Vector<std::size_t> start;  ///< per vertex, into `around`
    Vector<Index> around;

    Mesh(const Index* e, std::size_t c, std::size_t perElement, Index p)
        : elements(e), count(c), n(perElement), points(p), start(p + std::size_t{1}, 0), around(c * perElement)
    {
        for (std::size_t s = 0; s < count * n; ++s) ++start[elements[s] + std::size_t{1}];
        for (std::size_t v = 0; v < points; ++v) start[v + 1] += start[v];
        Vector<std::size_t> next(start.begin(), start.end() - 1);
        for (std::size_t s = 0; s < count * n; ++s) around[next[elements[s]]++] = static_cast<Index>(s / n);
    }
    std::size_t degree(Index v) const { return start[v + std::size_t{1}] - start[v]; }
};

/// Lowest and highest rank of an element's vertices.
std::pair<Index, Index> extent(const Mesh& m, std::size_t e, const Vector<Index>& rank)
{
    std::pair<Index, Index> r{InvalidIndex, 0};
    for (std::size_t k = e * m.n; k < (e + 1) * m.n; ++k) {
        const Index v = rank.empty() ? m.elements[k] : rank[m.elements[k]];
        r = {std::min(r.first, v), std::max(r.second, v)};
    }
    return r;
}

/// Most ranks that lie between the lowest vertex still in use and the highest one used, if elements come in the order
/// of their lowest ranks.
std::size_t sortedWindow(const Mesh& m, const Vector<Index>& rank)
{
    Vector<Index> highest(m.points, 0);  // of the elements with a lowest rank
    for (std::size_t e = 0; e < m.count; ++e) {
        const auto [low, high] = extent(m, e, rank);
        highest[low] = std::max(highest[low], high);
    }
    std::size_t window = 0, reached = 0;
    for (std::size_t v = 0; v < m.points; ++v) {
        reached = std::max<std::size_t>(reached, highest[v]);
        if (reached > v) window = std::max(window, reached - v);
    }
    return window;
}

/// The same for the order of the mesh.
std::size_t meshWindow(const Mesh& m)
{
    Vector<Index> lowest(m.count + 1, InvalidIndex);  // of this element and all later ones
    for (std::size_t e = m.count; e-- > 0;) lowest[e] = std::min(lowest[e + 1], extent(m, e, {}).first);
    std::size_t window = 0, reached = 0;
    for (std::size_t e = 0; e < m.count; ++e) {
        reached = std::max<std::size_t>(reached, extent(m, e, {}).second);
        window = std::max(window, reached - lowest[e]);
    }
    return window;
}

/// Cuthill and McKee's ordering, component by component, from ends of their longest paths (nearly: George and Liu, "An
/// implementation of a pseudoperipheral node finder", 1979).
class CuthillMcKee
{
public:
    explicit CuthillMcKee(const Mesh& mesh) : m_mesh(mesh), m_vertexMarks(mesh.points, 0), m_elementMarks(mesh.count, 0)
    {
        m_order.reserve(mesh.points);
    }

    /// Vertices by rank, reversed; those without elements come last.
    Vector<Index> run()
    {
        Vector<char> done(m_mesh.points, 0);
        for (Index root = 0; root < m_mesh.points; ++root) {
            if (done[root] || m_mesh.degree(root) == 0) continue;
            const std::size_t first = m_order.size();
            Levels levels = search(root);
            for (int attempt = 0; attempt < 4; ++attempt) {
                const Index end =
                    *std::min_element(m_order.begin() + static_cast<std::ptrdiff_t>(levels.last), m_order.end(),
                                      [this](Index a, Index b) { return m_mesh.degree(a) < m_mesh.degree(b); });
                m_order.resize(first);
                const Levels found = search(end);
                if (found.count <= levels.count) break;
                levels = found;
            }
            for (std::size_t k = first; k < m_order.size(); ++k) done[m_order[k]] = 1;
        }
        std::reverse(m_order.begin(), m_order.end());
        for (Index v = 0; v < m_mesh.points; ++v)
            if (m_mesh.degree(v) == 0) m_order.push_back(v);
        return std::move(m_order);
    }

private:
    struct Levels
    {
        std::size_t count = 1;
        std::size_t last;  ///< where the last one begins
    };

    /// Appends the component of `root`, breadth first, neighbours by increasing degree.
    Levels search(Index root)
    {
        ++m_mark;
        Levels levels{1, m_order.size()};
        m_vertexMarks[root] = m_mark;
        m_order.push_back(root);
        for (std::size_t k = levels.last, levelEnd = k + 1; k < m_order.size(); ++k) {
            if (k == levelEnd) {
                ++levels.count;
                levels.last = k;
                levelEnd = m_order.size();
            }
            const Index v = m_order[k];
            const auto first = static_cast<std::ptrdiff_t>(m_order.size());
            for (std::size_t s = m_mesh.start[v]; s < m_mesh.start[v + std::size_t{1}]; ++s) {
                const Index e = m_mesh.around[s];
                if (m_elementMarks[e] == m_mark) continue;  // all its vertices have been met
                m_elementMarks[e] = m_mark;
                for (std::size_t j = e * m_mesh.n; j < (e + std::size_t{1}) * m_mesh.n; ++j) {
                    const Index w = m_mesh.elements[j];
                    if (m_vertexMarks[w] == m_mark) continue;
                    m_vertexMarks[w] = m_mark;
                    m_order.push_back(w);
                }
            }
            std::sort(m_order.begin() + first, m_order.end(), [this](Index a, Index b) {
                return std::pair(m_mesh.degree(a), a) < std::pair(m_mesh.degree(b), b);
            });
        }
        return levels;
    }

    const Mesh& m_mesh;
    Vector<Index> m_order;
    Vector<std::uint32_t> m_vertexMarks, m_elementMarks;  ///< search that met them last
    std::uint32_t m_mark = 0;
};

Vector<Index> inverse(const Vector<Index>& permutation)
{
    Vector<Index> r(permutation.size());
    for (std::size_t k = 0; k < r.size(); ++k) r[permutation[k]] = static_cast<Index>(k);
    return r;
}

void sortElements(const Mesh& m, ElementReordering& order)
{
    Vector<Index> lowest(m.count);
    for (std::size_t e = 0; e < m.count; ++e) lowest[e] = extent(m, e, order.rank).first;
    order.elements.resize(m.count);
    std::iota(order.elements.begin(), order.elements.end(), Index(0));
    std::stable_sort(order.elements.begin(), order.elements.end(),
                     [&](Index a, Index b) { return lowest[a] < lowest[b]; });
    order.places = inverse(order.elements);
}

/// Places of elements, and elements by place, where some come and go: new ones take the places of those that are gone,
/// then come at the end; places that are left are taken by those at the end, which are noted in `moved`. Without places
/// nothing happens.
void followPlaces(Vector<Index>& places, Vector<Index>& elements, const ElementSource& source, Vector<Index>& moved)
{
    if (places.empty()) return;
    Vector<Index> free;
    for (const Index e : source.gone) free.push_back(places[e]);
    std::ranges::sort(free);
    (void)source.update(places, 1, [](const Vector<Index>&, Index, Index) { return InvalidIndex; });
    elements.resize(std::max<std::size_t>(source.before, source.now));
    for (const Index p : free) elements[p] = InvalidIndex;
    std::size_t taken = 0;
    Index end = source.before;
    for (const ElementSource::Moved& m : source.moved) {
        if (m.before == InvalidIndex) places[m.now] = taken < free.size() ? free[taken++] : end++;
        elements[places[m.now]] = m.now;
    }
    for (; end > source.now; --end) {
        const Index last = elements[end - std::size_t{1}];
        if (last == InvalidIndex) continue;
        places[last] = free[taken];
        elements[free[taken++]] = last;
        moved.push_back(last);
    }
    elements.resize(source.now);
}

}  // namespace

ElementReordering elementReordering(const Index* elements, std::size_t count, std::size_t n, Index points,
                                    ElementOrder elementOrder)
{
    const Mesh mesh(elements, count, n, points);
    const bool kept = elementOrder == ElementOrder::Kept;
    double used = 0.;
    for (Index v = 0; v < points; ++v) used += mesh.degree(v) > 0 ? 1. : 0.;
    const double good = std::max(smallMesh, 2. * std::cbrt(used * used));

    ElementReordering order;
    const std::size_t own = kept ? meshWindow(mesh) : sortedWindow(mesh, {});
    bool sorted = !kept;
    if (static_cast<double>(own) > good) {
        // Sorting the elements may be enough.
        const std::size_t asNumbered = kept ? sortedWindow(mesh, {}) : own;
        sorted = sorted || 2 * asNumbered <= own;
        if (static_cast<double>(asNumbered) > good) {
            Vector<Index> vertices = CuthillMcKee(mesh).run();
            Vector<Index> rank = inverse(vertices);
            if (2 * sortedWindow(mesh, rank) <= asNumbered) {
                order.vertices = std::move(vertices);
                order.rank = std::move(rank);
                sorted = true;
            }
        }
    }
    if (sorted) sortElements(mesh, order);
    return order;
}

void followOrder(ElementReordering& order, const ElementSource& elements, const ElementSource& vertices,
                 Vector<Index>& moved, Vector<Index>& movedVertices)
{
    followPlaces(order.places, order.elements, elements, moved);
    followPlaces(order.rank, order.vertices, vertices, movedVertices);
}

std::optional<Vector<Index>> PackOrder::follow(const ElementSource& elements, Vector<Index>& touched)
{
    m_changed += static_cast<Index>(elements.moved.size() + elements.gone.size());
    if (std::size_t{4} * m_changed > elements.now) return std::nullopt;
    followPlaces(m_places.places, m_places.elements, elements, touched);
    Vector<Index> places;
    places.reserve(touched.size());
    for (const Index e : touched) places.push_back(placeOf(e));
    sortUnique(places);
    return places;
}

bool PackOrder::archive(Archive& a, Index elements)
{
    a(m_places.places);
    a(m_changed);
    if (!a.loading()) return true;
    Vector<Index>& inverse = m_places.elements;
    inverse.assign(m_places.places.size(), InvalidIndex);
    const auto isNew = [&](Index place) { return place < elements && inverse[place] == InvalidIndex; };
    bool fits = inverse.empty() || inverse.size() == elements;
    for (Index e = 0; fits && e < inverse.size(); ++e)
        if ((fits = isNew(m_places.places[e]))) inverse[m_places.places[e]] = e;
    return fits;
}

}  // namespace sofa::core
