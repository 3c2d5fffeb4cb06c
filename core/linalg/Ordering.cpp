// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/Ordering.h"

#include <metis.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/linalg/BlockCsrMatrix.h"

namespace sofa::core {

namespace {

constexpr std::string_view orderingNames[] = {"automatic", "natural", "AMD", "RCM", "METIS", "COLAMD"};

Vector<int> naturalOrder(int n)
{
    Vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

using Pattern = Eigen::SparseMatrix<double>;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

/// With the diagonal: Eigen treats vertices without an entry there as dense ones and leaves them to the end.
Pattern patternOf(const Graph& g)
{
    Pattern pattern(g.size(), g.size());
    pattern.resizeNonZeros(static_cast<Eigen::Index>(g.neighbours.size() + static_cast<std::size_t>(g.size())));
    int* out = pattern.innerIndexPtr();
    for (int i = 0; i < g.size(); ++i) {
        pattern.outerIndexPtr()[i] = static_cast<int>(out - pattern.innerIndexPtr());
        const auto neighbours = g.of(i);
        const auto middle = std::lower_bound(neighbours.begin(), neighbours.end(), i);
        out = std::copy(neighbours.begin(), middle, out);
        *out++ = i;
        out = std::copy(middle, neighbours.end(), out);
    }
    pattern.outerIndexPtr()[g.size()] = static_cast<int>(out - pattern.innerIndexPtr());
    std::fill_n(pattern.valuePtr(), pattern.nonZeros(), 1.);
    return pattern;
}

Vector<int> minimumDegreeOrder(const Graph& g)
{
    Permutation p;
    Eigen::AMDOrdering<int>()(patternOf(g), p);
    return {p.indices().data(), p.indices().data() + g.size()};
}

/// Eigen gives the places of this order.
Vector<int> columnMinimumDegreeOrder(const Graph& g)
{
    Permutation p;
    Eigen::COLAMDOrdering<int>()(patternOf(g), p);
    return inversePermutation(std::span(p.indices().data(), static_cast<std::size_t>(g.size())));
}

/// Breadth-first levels from a root, inside its connected component.
class Levels
{
public:
    explicit Levels(const Graph& g) : m_graph(g), m_seen(static_cast<std::size_t>(g.size()), 0) {}

    /// Visits the component of `root`; afterwards `vertices` holds it level by level and `lastLevel` the first
    /// vertex of the deepest level.
    void run(int root)
    {
        ++m_stamp;
        vertices.assign(1, root);
        m_seen[static_cast<std::size_t>(root)] = m_stamp;
        depth = 0;
        lastLevel = 0;
        std::size_t levelEnd = 1;
        for (std::size_t k = 0; k < vertices.size(); ++k) {
            if (k == levelEnd) {
                ++depth;
                lastLevel = levelEnd;
                levelEnd = vertices.size();
            }
            for (const int j : m_graph.of(vertices[k]))
                if (m_seen[static_cast<std::size_t>(j)] != m_stamp) {
                    m_seen[static_cast<std::size_t>(j)] = m_stamp;
                    vertices.push_back(j);
                }
        }
    }

    Vector<int> vertices;
    std::size_t lastLevel = 0;
    int depth = 0;

private:
    const Graph& m_graph;
    Vector<int> m_seen;
    int m_stamp = 0;
};

Vector<int> reverseCuthillMckeeOrder(const Graph& g)
{
    const auto degree = [&](int i) { return g.of(i).size(); };
    Vector<int> order;
    order.reserve(static_cast<std::size_t>(g.size()));
    Vector<char> placed(static_cast<std::size_t>(g.size()), 0);
    Levels levels(g);
    Vector<int> next;
    for (int seed = 0; seed < g.size(); ++seed) {
        if (placed[static_cast<std::size_t>(seed)]) continue;
        // A vertex of nearly largest eccentricity: move to the vertex of least degree of the last level while the
        // number of levels grows.
        int root = seed;
        for (int depth = -1;;) {
            levels.run(root);
            if (levels.depth <= depth) break;
            depth = levels.depth;
            root = *std::min_element(
                levels.vertices.begin() + static_cast<std::ptrdiff_t>(levels.lastLevel), levels.vertices.end(),
                [&](int a, int b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; });
        }
        std::size_t k = order.size();
        order.push_back(root);
        placed[static_cast<std::size_t>(root)] = 1;
        for (; k < order.size(); ++k) {
            next.clear();
            for (const int j : g.of(order[k]))
                if (!placed[static_cast<std::size_t>(j)]) {
                    placed[static_cast<std::size_t>(j)] = 1;
                    next.push_back(j);
                }
            std::sort(next.begin(), next.end(),
                      [&](int a, int b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; });
            order.insert(order.end(), next.begin(), next.end());
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

Vector<int> nestedDissectionOrder(const Graph& g)
{
    // METIS does not take graphs without vertices, and graphs without edges need no order.
    if (g.neighbours.empty()) return naturalOrder(g.size());
    Vector<idx_t> ptr(g.ptr.begin(), g.ptr.end()), neighbours(g.neighbours.begin(), g.neighbours.end());
    idx_t n = g.size();
    Vector<idx_t> order(static_cast<std::size_t>(n)), place(static_cast<std::size_t>(n));
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    // METIS seeds the random numbers of the C library, which are shared by all threads.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const int status = METIS_NodeND(&n, ptr.data(), neighbours.data(), nullptr, options, order.data(), place.data());
    if (status != METIS_OK)
        throw std::runtime_error("METIS failed to order a graph of " + std::to_string(n) + " vertices (status " +
                                 std::to_string(status) + ")");
    return {order.begin(), order.end()};
}

}  // namespace

Graph adjacencyGraph(const BlockCsrMatrix& a)
{
    if (a.blockRows() != a.blockCols())
        throw std::runtime_error("a matrix of " + std::to_string(a.rows()) + " × " + std::to_string(a.cols()) +
                                 " has no adjacency graph: it is not square");
    const auto n = static_cast<std::size_t>(a.blockRows());
    const auto rowPtr = a.rowPtr();
    const auto colIdx = a.colIdx();
    // Both directions of every entry, by counting; rows are then sorted and made unique.
    Vector<int> ptr(n + 1, 0);
    const auto forEachEdge = [&](auto&& f) {
        for (std::size_t i = 0; i < n; ++i)
            for (int k = rowPtr[i]; k < rowPtr[i + 1]; ++k) {
                const auto j = static_cast<std::size_t>(colIdx[static_cast<std::size_t>(k)]);
                if (i != j) f(i, j);
            }
    };
    forEachEdge([&](std::size_t i, std::size_t j) {
        ++ptr[i + 1];
        ++ptr[j + 1];
    });
    std::partial_sum(ptr.begin(), ptr.end(), ptr.begin());
    Vector<int> all(static_cast<std::size_t>(ptr.back()));
    Vector<int> next(ptr.begin(), ptr.end() - 1);
    forEachEdge([&](std::size_t i, std::size_t j) {
        all[static_cast<std::size_t>(next[i]++)] = static_cast<int>(j);
        all[static_cast<std::size_t>(next[j]++)] = static_cast<int>(i);
    });
    Graph g;
    g.ptr.reserve(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const auto begin = all.begin() + ptr[i], end = all.begin() + ptr[i + 1];
        std::sort(begin, end);
        g.neighbours.insert(g.neighbours.end(), begin, std::unique(begin, end));
        g.ptr.push_back(static_cast<int>(g.neighbours.size()));
    }
    return g;
}

std::string_view name(OrderingMethod method) { return orderingNames[static_cast<int>(method)]; }

std::optional<OrderingMethod> orderingMethod(std::string_view name)
{
    for (int i = 0; i < static_cast<int>(std::size(orderingNames)); ++i)
        if (orderingNames[i] == name) return static_cast<OrderingMethod>(i);
    return std::nullopt;
}

Vector<int> computeOrdering(const Graph& graph, OrderingMethod method)
{
    if (graph.size() == 0) return {};
    switch (method) {
        case OrderingMethod::natural:
            return naturalOrder(graph.size());
        case OrderingMethod::reverseCuthillMckee:
            return reverseCuthillMckeeOrder(graph);
        case OrderingMethod::nestedDissection:
            return nestedDissectionOrder(graph);
        case OrderingMethod::columnMinimumDegree:
            return columnMinimumDegreeOrder(graph);
        case OrderingMethod::automatic:
        case OrderingMethod::minimumDegree:
            break;
    }
    return minimumDegreeOrder(graph);
}

Vector<int> inversePermutation(std::span<const int> order)
{
    Vector<int> place(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto i = static_cast<std::size_t>(order[k]);
        if (order[k] < 0 || i >= order.size() || place[i] >= 0)
            throw std::runtime_error("not a permutation: entry " + std::to_string(k) + " is " +
                                     std::to_string(order[k]));
        place[i] = static_cast<int>(k);
    }
    return place;
}

int bandwidth(const Graph& graph, std::span<const int> order)
{
    const Vector<int> place = inversePermutation(order);
    int width = 0;
    for (int i = 0; i < graph.size(); ++i)
        for (const int j : graph.of(i))
            width = std::max(width, std::abs(place[static_cast<std::size_t>(i)] - place[static_cast<std::size_t>(j)]));
    return width;
}

}  // namespace sofa::core
