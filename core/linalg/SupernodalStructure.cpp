// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SupernodalStructure.h"

#include <algorithm>

namespace sofa::core {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Forest given by parents, with the children of every node in increasing order.
struct Forest
{
    explicit Forest(const Vector<int>& parent) : first(parent.size(), -1), next(parent.size(), -1)
    {
        for (int i = static_cast<int>(parent.size()) - 1; i >= 0; --i) {
            int& head = parent[at(i)] < 0 ? root : first[at(parent[at(i)])];
            next[at(i)] = head;
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
    for (int r = forest.root; r >= 0; r = forest.next[at(r)]) {
        stack.push_back(r);
        while (!stack.empty()) {
            const int v = stack.back();
            const int child = forest.first[at(v)];
            if (child < 0) {
                order.push_back(v);
                stack.pop_back();
            } else {
                forest.first[at(v)] = forest.next[at(child)];
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
        for (const int v : g.of(order[at(k)])) {
            // From each earlier neighbour up to the root of its tree, whose parent k becomes.
            for (int i = place[at(v)]; i < k;) {
                const int up = ancestor[at(i)];
                ancestor[at(i)] = k;
                if (up < 0) {
                    parent[at(i)] = k;
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
        seen[at(k)] = k;
        for (const int v : g.of(order[at(k)]))
            for (int i = place[at(v)]; i < k && seen[at(i)] != k; i = parent[at(i)]) {
                seen[at(i)] = k;
                ++count[at(i)];
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
    while (c[at(s)].mergedInto >= 0) s = c[at(s)].mergedInto;
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
            newOrder[at(k)] = order[at(post[at(k)])];
            const int p = parent[at(post[at(k)])];
            newParent[at(k)] = p < 0 ? -1 : label[at(p)];
        }
        order = std::move(newOrder);
        parent = std::move(newParent);
        place = inversePermutation(order);
    }
    const Vector<int> count = columnCounts(graph, order, place, parent);

    // Fundamental supernodes.
    Vector<int> childCount(order.size(), 0);
    for (const int p : parent)
        if (p >= 0) ++childCount[at(p)];
    Vector<int> first;  // first column of each
    Vector<int> supernodeOf(order.size());
    for (int j = 0; j < n; ++j) {
        const bool continues =
            j > 0 && parent[at(j - 1)] == j && count[at(j - 1)] == count[at(j)] + 1 && childCount[at(j)] == 1;
        if (!continues) first.push_back(j);
        supernodeOf[at(j)] = static_cast<int>(first.size()) - 1;
    }
    const int fundamental = static_cast<int>(first.size());
    first.push_back(n);
    Vector<Candidate> candidates(at(fundamental));
    Vector<int> superParent(at(fundamental));
    for (int q = 0; q < fundamental; ++q) {
        const int last = first[at(q + 1)] - 1;
        candidates[at(q)].columns = last + 1 - first[at(q)];
        candidates[at(q)].rowCount = count[at(last)];
        superParent[at(q)] = parent[at(last)] < 0 ? -1 : supernodeOf[at(parent[at(last)])];
    }

    // Amalgamation, from the leaves up: each supernode takes in those of its children that cost least.
    {
        const Forest forest(superParent);
        Vector<int> children;
        for (int p = 0; p < fundamental; ++p) {
            children.clear();
            for (int c = forest.first[at(p)]; c >= 0; c = forest.next[at(c)]) children.push_back(c);
            std::sort(children.begin(), children.end(), [&](int a, int b) {
                const int ra = candidates[at(a)].rowCount, rb = candidates[at(b)].rowCount;
                return ra != rb ? ra > rb : a < b;
            });
            for (const int c : children) {
                double zeros = 0.;
                Candidate& child = candidates[at(c)];
                Candidate& target = candidates[at(p)];
                if (!worthMerging(child, target, blockSize, zeros)) continue;
                child.mergedInto = p;
                target.columns += child.columns;
                target.zeros = zeros;
            }
        }
    }

    // Tree of the merged supernodes.
    Vector<int> merged(at(fundamental), -1), representative;
    for (int q = 0; q < fundamental; ++q)
        if (candidates[at(q)].mergedInto < 0) {
            merged[at(q)] = static_cast<int>(representative.size());
            representative.push_back(q);
        }
    const int total = static_cast<int>(representative.size());
    for (int q = 0; q < fundamental; ++q) merged[at(q)] = merged[at(find(candidates, q))];
    Vector<int> mergedParent(at(total), -1);
    for (int q = 0; q < total; ++q) {
        const int p = superParent[at(representative[at(q)])];
        mergedParent[at(q)] = p < 0 ? -1 : merged[at(p)];
    }

    // Order of the children: a subtree needs memory `peak` while it is worked on and leaves `rest`. The sum is least if
    // the children come in order of decreasing peak − rest.
    Vector<int> traversal;
    {
        Vector<double> peak(at(total)), rest(at(total));
        Forest forest(mergedParent);
        const auto squared = [](double x) { return x * x; };
        Vector<Vector<int>> children(at(total));
        Vector<int> roots;
        for (int q = 0; q < total; ++q)
            (mergedParent[at(q)] < 0 ? roots : children[at(mergedParent[at(q)])]).push_back(q);
        for (int q = 0; q < total; ++q) {
            auto& list = children[at(q)];
            std::sort(list.begin(), list.end(), [&](int a, int b) {
                const double da = peak[at(a)] - rest[at(a)], db = peak[at(b)] - rest[at(b)];
                return da != db ? da > db : a < b;
            });
            double held = 0., highest = 0.;
            for (const int c : list) {
                highest = std::max(highest, held + peak[at(c)]);
                held += rest[at(c)];
            }
            rest[at(q)] = squared(candidates[at(representative[at(q)])].rowCount);
            peak[at(q)] = std::max(highest, held + rest[at(q)]);
        }
        Vector<std::pair<int, std::size_t>> stack;
        for (const int r : roots) {
            stack.emplace_back(r, 0);
            while (!stack.empty()) {
                const int v = stack.back().first;
                const auto& list = children[at(v)];
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
    s.supernodes.resize(at(total));
    for (int j = 0; j < n; ++j) ++s.supernodes[at(rank[at(merged[at(supernodeOf[at(j)])])])].columns;
    {
        int column = 0;
        for (auto& node : s.supernodes) {
            node.firstColumn = column;
            column += node.columns;
        }
        Vector<int> next(at(total));
        for (int q = 0; q < total; ++q) next[at(q)] = s.supernodes[at(q)].firstColumn;
        s.order.resize(order.size());
        for (int j = 0; j < n; ++j) s.order[at(next[at(rank[at(merged[at(supernodeOf[at(j)])])])]++)] = order[at(j)];
    }
    for (int q = 0; q < total; ++q) {
        const int p = mergedParent[at(traversal[at(q)])];
        s.supernodes[at(q)].parent = p < 0 ? -1 : rank[at(p)];
        s.supernodes[at(q)].firstDescendant = q;
    }
    for (int q = 0; q < total; ++q) {
        const int p = s.supernodes[at(q)].parent;
        if (p >= 0)
            s.supernodes[at(p)].firstDescendant =
                std::min(s.supernodes[at(p)].firstDescendant, s.supernodes[at(q)].firstDescendant);
    }

    // Rows of the fronts: those of the matrix and those of the children, beyond the own pivots.
    place = inversePermutation(s.order);
    Vector<int> seen(order.size(), -1);
    Vector<Vector<int>> childList(at(total));
    for (int q = 0; q < total; ++q)
        if (s.supernodes[at(q)].parent >= 0) childList[at(s.supernodes[at(q)].parent)].push_back(q);
    for (int q = 0; q < total; ++q) {
        auto& node = s.supernodes[at(q)];
        const int end = node.firstColumn + node.columns;
        node.rowBegin = static_cast<int>(s.rows.size());
        const auto take = [&](int row) {
            if (row < end || seen[at(row)] == q) return;
            seen[at(row)] = q;
            s.rows.push_back(row);
        };
        for (int j = node.firstColumn; j < end; ++j)
            for (const int v : graph.of(s.order[at(j)])) take(place[at(v)]);
        for (const int c : childList[at(q)]) {
            const auto& child = s.supernodes[at(c)];
            for (int k = 0; k < child.rowCount; ++k) take(s.rows[at(child.rowBegin + k)]);
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

}  // namespace sofa::core
