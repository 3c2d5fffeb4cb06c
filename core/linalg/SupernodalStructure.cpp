// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SupernodalStructure.h"

#include <algorithm>

namespace sofa::core {

namespace {

std::size_t ix(int i) { return static_cast<std::size_t>(i); }

/// Forest given by parents, with the children of every node in increasing order.
struct Forest
{
    explicit Forest(const Vector<int>& parent) : first(parent.size(), -1), next(parent.size(), -1)
    {
        for (int i = static_cast<int>(parent.size()) - 1; i >= 0; --i) {
            int& head = parent[ix(i)] < 0 ? root : first[ix(parent[ix(i)])];
            next[ix(i)] = head;
            head = i;
        }
    }
    int root = -1;
    Vector<int> first;
    Vector<int> next;
};

/// Nodes in postorder.
Vector<int> postorder(const Vector<int>& parent)
{
    Forest forest(parent);
    Vector<int> order, stack;
    order.reserve(parent.size());
    for (int r = forest.root; r >= 0; r = forest.next[ix(r)]) {
        stack.push_back(r);
        while (!stack.empty()) {
            const int v = stack.back();
            const int child = forest.first[ix(v)];
            if (child < 0) {
                order.push_back(v);
                stack.pop_back();
            } else {
                forest.first[ix(v)] = forest.next[ix(child)];
                stack.push_back(child);
            }
        }
    }
    return order;
}

Vector<int> eliminationTree(const Graph& g, const Vector<int>& order, const Vector<int>& place)
{
    Vector<int> parent(order.size(), -1), ancestor(order.size(), -1);
    for (int k = 0; k < static_cast<int>(order.size()); ++k)
        for (const int v : g.of(order[ix(k)])) {
            // From each earlier neighbour up to the root of its tree, whose parent k becomes.
            for (int i = place[ix(v)]; i < k;) {
                const int up = ancestor[ix(i)];
                ancestor[ix(i)] = k;
                if (up < 0) {
                    parent[ix(i)] = k;
                    break;
                }
                if (up == k) break;
                i = up;
            }
        }
    return parent;
}

/// Number of entries of each column of L below its diagonal.
Vector<int> columnCounts(const Graph& g, const Vector<int>& order, const Vector<int>& place, const Vector<int>& parent)
{
    Vector<int> count(order.size(), 0), seen(order.size(), -1);
    for (int k = 0; k < static_cast<int>(order.size()); ++k) {
        seen[ix(k)] = k;
        for (const int v : g.of(order[ix(k)]))
            for (int i = place[ix(v)]; i < k && seen[ix(i)] != k; i = parent[ix(i)]) {
                seen[ix(i)] = k;
                ++count[ix(i)];
            }
    }
    return count;
}

/// A supernode while supernodes are being merged.
struct Candidate
{
    int columns = 0;
    int rowCount = 0;
    double zeros = 0.;  ///< explicit zero blocks so far
    int mergedInto = -1;
};

double frontBlocks(double columns, double rows) { return columns * (columns + 1.) / 2. + columns * rows; }

/// Whether `child` and `parent` are better treated as one front: it costs zeros and saves work around small fronts.
bool worthMerging(const Candidate& child, const Candidate& parent, int blockSize, double& zeros)
{
    const double columns = child.columns + parent.columns;
    const double total = frontBlocks(columns, parent.rowCount);
    zeros = total - frontBlocks(child.columns, child.rowCount) - frontBlocks(parent.columns, parent.rowCount) +
            child.zeros + parent.zeros;
    const double scalars = columns * blockSize, share = zeros / total;
    if (zeros == 0.) return true;
    if (scalars <= 12.) return share < 0.6;
    if (scalars <= 24.) return share < 0.35;
    if (scalars <= 60.) return share < 0.15;
    return share < 0.05;
}

int find(Vector<Candidate>& c, int s)
{
    while (c[ix(s)].mergedInto >= 0) s = c[ix(s)].mergedInto;
    return s;
}

}  // namespace

double SupernodalStructure::frontOperations(double p, double r)
{
    // Σ over pivots k of the lower triangle of m × m, m = p − k − 1 + r: m (m + 1) for the update (two operations per
    // entry) and m for the division, in closed form.
    const auto sum = [](double m) { return m * (m + 1.) * (m + 2.) / 3. + m * (m + 1.) / 2.; };
    return sum(p + r - 1.) - sum(r - 1.);
}

SupernodalStructure analyzeSupernodes(const Graph& graph, std::span<const int> initialOrder, int blockSize)
{
    SupernodalStructure s;
    s.blockSize = blockSize;
    const int n = graph.size();
    Vector<int> order(initialOrder.begin(), initialOrder.end());
    Vector<int> place = inversePermutation(order);

    // Elimination tree, renumbered in postorder.
    Vector<int> parent = eliminationTree(graph, order, place);
    {
        const Vector<int> post = postorder(parent);
        const Vector<int> label = inversePermutation(post);
        Vector<int> newOrder(order.size()), newParent(order.size());
        for (int k = 0; k < n; ++k) {
            newOrder[ix(k)] = order[ix(post[ix(k)])];
            const int p = parent[ix(post[ix(k)])];
            newParent[ix(k)] = p < 0 ? -1 : label[ix(p)];
        }
        order = std::move(newOrder);
        parent = std::move(newParent);
        place = inversePermutation(order);
    }
    const Vector<int> count = columnCounts(graph, order, place, parent);

    // Fundamental supernodes.
    Vector<int> childCount(order.size(), 0);
    for (const int p : parent)
        if (p >= 0) ++childCount[ix(p)];
    Vector<int> first;  // first column of each
    Vector<int> supernodeOf(order.size());
    for (int j = 0; j < n; ++j) {
        const bool continues =
            j > 0 && parent[ix(j - 1)] == j && count[ix(j - 1)] == count[ix(j)] + 1 && childCount[ix(j)] == 1;
        if (!continues) first.push_back(j);
        supernodeOf[ix(j)] = static_cast<int>(first.size()) - 1;
    }
    const int fundamental = static_cast<int>(first.size());
    first.push_back(n);
    Vector<Candidate> candidates(ix(fundamental));
    Vector<int> superParent(ix(fundamental));
    for (int q = 0; q < fundamental; ++q) {
        const int last = first[ix(q + 1)] - 1;
        candidates[ix(q)].columns = last + 1 - first[ix(q)];
        candidates[ix(q)].rowCount = count[ix(last)];
        superParent[ix(q)] = parent[ix(last)] < 0 ? -1 : supernodeOf[ix(parent[ix(last)])];
    }

    // Amalgamation, from the leaves up: each supernode takes in those of its children that cost least.
    {
        const Forest forest(superParent);
        Vector<int> children;
        for (int p = 0; p < fundamental; ++p) {
            children.clear();
            for (int c = forest.first[ix(p)]; c >= 0; c = forest.next[ix(c)]) children.push_back(c);
            std::sort(children.begin(), children.end(), [&](int a, int b) {
                const int ra = candidates[ix(a)].rowCount, rb = candidates[ix(b)].rowCount;
                return ra != rb ? ra > rb : a < b;
            });
            for (const int c : children) {
                double zeros = 0.;
                Candidate& child = candidates[ix(c)];
                Candidate& target = candidates[ix(p)];
                if (!worthMerging(child, target, blockSize, zeros)) continue;
                child.mergedInto = p;
                target.columns += child.columns;
                target.zeros = zeros;
            }
        }
    }

    // Tree of the merged supernodes.
    Vector<int> merged(ix(fundamental), -1), representative;
    for (int q = 0; q < fundamental; ++q)
        if (candidates[ix(q)].mergedInto < 0) {
            merged[ix(q)] = static_cast<int>(representative.size());
            representative.push_back(q);
        }
    const int total = static_cast<int>(representative.size());
    for (int q = 0; q < fundamental; ++q) merged[ix(q)] = merged[ix(find(candidates, q))];
    Vector<int> mergedParent(ix(total), -1);
    for (int q = 0; q < total; ++q) {
        const int p = superParent[ix(representative[ix(q)])];
        mergedParent[ix(q)] = p < 0 ? -1 : merged[ix(p)];
    }

    // Order of the children: a subtree needs memory `peak` while it is worked on and leaves `rest`. The sum is least if
    // the children come in order of decreasing peak − rest.
    Vector<int> traversal;
    {
        Vector<double> peak(ix(total)), rest(ix(total));
        Forest forest(mergedParent);
        const auto squared = [](double x) { return x * x; };
        Vector<Vector<int>> children(ix(total));
        Vector<int> roots;
        for (int q = 0; q < total; ++q)
            (mergedParent[ix(q)] < 0 ? roots : children[ix(mergedParent[ix(q)])]).push_back(q);
        for (int q = 0; q < total; ++q) {
            auto& list = children[ix(q)];
            std::sort(list.begin(), list.end(), [&](int a, int b) {
                const double da = peak[ix(a)] - rest[ix(a)], db = peak[ix(b)] - rest[ix(b)];
                return da != db ? da > db : a < b;
            });
            double held = 0., highest = 0.;
            for (const int c : list) {
                highest = std::max(highest, held + peak[ix(c)]);
                held += rest[ix(c)];
            }
            rest[ix(q)] = squared(candidates[ix(representative[ix(q)])].rowCount);
            peak[ix(q)] = std::max(highest, held + rest[ix(q)]);
        }
        Vector<std::pair<int, std::size_t>> stack;
        for (const int r : roots) {
            stack.emplace_back(r, 0);
            while (!stack.empty()) {
                const int v = stack.back().first;
                const auto& list = children[ix(v)];
                if (stack.back().second < list.size())
                    stack.emplace_back(list[stack.back().second++], 0);
                else {
                    traversal.push_back(v);
                    stack.pop_back();
                }
            }
        }
    }

    // Final numbering: supernodes in the order of the traversal, the columns of each in their former order.
    const Vector<int> rank = inversePermutation(traversal);
    s.supernodes.resize(ix(total));
    for (int j = 0; j < n; ++j) ++s.supernodes[ix(rank[ix(merged[ix(supernodeOf[ix(j)])])])].columns;
    {
        int column = 0;
        for (auto& node : s.supernodes) {
            node.firstColumn = column;
            column += node.columns;
        }
        Vector<int> next(ix(total));
        for (int q = 0; q < total; ++q) next[ix(q)] = s.supernodes[ix(q)].firstColumn;
        s.order.resize(order.size());
        for (int j = 0; j < n; ++j) s.order[ix(next[ix(rank[ix(merged[ix(supernodeOf[ix(j)])])])]++)] = order[ix(j)];
    }
    for (int q = 0; q < total; ++q) {
        const int p = mergedParent[ix(traversal[ix(q)])];
        s.supernodes[ix(q)].parent = p < 0 ? -1 : rank[ix(p)];
        s.supernodes[ix(q)].firstDescendant = q;
    }
    for (int q = 0; q < total; ++q) {
        const int p = s.supernodes[ix(q)].parent;
        if (p >= 0)
            s.supernodes[ix(p)].firstDescendant =
                std::min(s.supernodes[ix(p)].firstDescendant, s.supernodes[ix(q)].firstDescendant);
    }

    // Rows of the fronts: those of the matrix and those of the children, beyond the own pivots.
    place = inversePermutation(s.order);
    Vector<int> seen(order.size(), -1);
    Vector<Vector<int>> childList(ix(total));
    for (int q = 0; q < total; ++q)
        if (s.supernodes[ix(q)].parent >= 0) childList[ix(s.supernodes[ix(q)].parent)].push_back(q);
    for (int q = 0; q < total; ++q) {
        auto& node = s.supernodes[ix(q)];
        const int end = node.firstColumn + node.columns;
        node.rowBegin = static_cast<int>(s.rows.size());
        const auto take = [&](int row) {
            if (row < end || seen[ix(row)] == q) return;
            seen[ix(row)] = q;
            s.rows.push_back(row);
        };
        for (int j = node.firstColumn; j < end; ++j)
            for (const int v : graph.of(s.order[ix(j)])) take(place[ix(v)]);
        for (const int c : childList[ix(q)]) {
            const auto& child = s.supernodes[ix(c)];
            for (int k = 0; k < child.rowCount; ++k) take(s.rows[ix(child.rowBegin + k)]);
        }
        node.rowCount = static_cast<int>(s.rows.size()) - node.rowBegin;
        std::sort(s.rows.begin() + node.rowBegin, s.rows.end());
        const double p = node.columns * static_cast<double>(blockSize),
                     r = node.rowCount * static_cast<double>(blockSize);
        s.nonZeros += static_cast<std::size_t>(p * (p + 1.) / 2. + p * r);
        s.operations += SupernodalStructure::frontOperations(p, r);
    }
    return s;
}

SupernodalStructure analyzeBand(const Graph& graph, std::span<const int> order, int blockSize, int columns,
                                int rowGroup)
{
    SupernodalStructure s;
    s.blockSize = blockSize;
    s.order.assign(order.begin(), order.end());
    const Vector<int> place = inversePermutation(order);
    const int n = graph.size(), blocks = columns / blockSize, panels = (n + blocks - 1) / blocks,
              groups = columns / rowGroup;
    // Groups that only the last panel's padding has begin on their diagonal.
    s.envelope.resize(ix(panels * groups));
    for (std::size_t g = 0; g < s.envelope.size(); ++g) s.envelope[g] = static_cast<int>(g) * rowGroup;
    Vector<int> reach(ix(panels), 0);  // last row, exclusive
    for (int i = 0; i < n; ++i) {
        int first = i;
        for (const int v : graph.of(order[ix(i)])) first = std::min(first, place[ix(v)]);
        for (int r = i * blockSize; r < (i + 1) * blockSize; ++r)
            s.envelope[ix(r / rowGroup)] = std::min(s.envelope[ix(r / rowGroup)], first * blockSize);
        reach[ix(first / blocks)] = i + 1;
    }
    int last = 0;
    for (int p = 0; p < panels; ++p) {
        SupernodalStructure::Supernode node;
        node.firstColumn = p * blocks;
        node.columns = std::min(blocks, n - node.firstColumn);
        const int end = node.firstColumn + node.columns;
        last = std::max({last, reach[ix(p)], end});
        node.rowBegin = static_cast<int>(s.rows.size());
        node.rowCount = last - end;
        for (int r = end; r < last; ++r) s.rows.push_back(r);
        const bool continues = p > 0 && s.supernodes.back().rowCount > 0;
        node.firstDescendant = continues ? s.supernodes.back().firstDescendant : p;
        node.parent = node.rowCount > 0 ? p + 1 : -1;
        s.supernodes.push_back(node);

        const double width = node.columns * static_cast<double>(blockSize),
                     rows = node.rowCount * static_cast<double>(blockSize);
        s.nonZeros += static_cast<std::size_t>(width * (width + 1.) / 2. + width * rows);
        // Below the diagonal block, and half of that.
        const int column = p * columns;
        for (int g = p * groups; g * rowGroup < last * blockSize; ++g) {
            const double before = std::max(0, column - s.envelope[ix(g)]),
                         share = g < (p + 1) * groups ? (g - p * groups + 1.) / groups : 1.;
            if (s.envelope[ix(g)] < column + columns) s.operations += rowGroup * width * (2. * before + width) * share;
        }
    }
    return s;
}

}  // namespace sofa::core
