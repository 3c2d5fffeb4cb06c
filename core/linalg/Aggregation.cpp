// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/Aggregation.h"

#include <algorithm>

#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

std::span<const int> rowOf(const BlockCsrMatrix& a, std::size_t i)
{
    const auto first = static_cast<std::size_t>(a.rowPtr()[i]), last = static_cast<std::size_t>(a.rowPtr()[i + 1]);
    return a.colIdx().subspan(first, last - first);
}

/// Sorted union of what `visit(i, add)` adds, for each row.
template <class Visit>
IndexRows unionOf(std::size_t rows, std::size_t columns, Visit&& visit)
{
    constexpr std::size_t grain = 4096;
    std::vector<Vector<int>> parts((rows + grain - 1) / grain);
    IndexRows all;
    all.start.assign(rows + 1, 0);
    parallelFor(0, rows, grain, [&](std::size_t first, std::size_t last) {
        Vector<int>& part = parts[first / grain];
        Vector<int> seen(columns, -1);
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t begin = part.size();
            visit(i, [&](int column) {
                int& row = seen[static_cast<std::size_t>(column)];
                if (row == static_cast<int>(i)) return;
                row = static_cast<int>(i);
                part.push_back(column);
            });
            std::sort(part.begin() + static_cast<std::ptrdiff_t>(begin), part.end());
            all.start[i + 1] = static_cast<int>(part.size() - begin);
        }
    });
    for (std::size_t i = 0; i < rows; ++i) all.start[i + 1] += all.start[i];
    all.values.reserve(static_cast<std::size_t>(all.start[rows]));
    for (const Vector<int>& part : parts) all.values.insert(all.values.end(), part.begin(), part.end());
    return all;
}

/// Rows of the transposed pattern; `entry` gets where each of them stands in `p`.
IndexRows transposed(const IndexRows& p, std::size_t columns, Vector<int>& entry)
{
    IndexRows t;
    t.start.assign(columns + 1, 0);
    for (const int c : p.values) ++t.start[static_cast<std::size_t>(c) + 1];
    for (std::size_t c = 0; c < columns; ++c) t.start[c + 1] += t.start[c];
    t.values.resize(p.values.size());
    entry.resize(p.values.size());
    Vector<int> next(t.start.begin(), t.start.end() - 1);
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (int k = p.start[i]; k < p.start[i + 1]; ++k) {
            const auto at =
                static_cast<std::size_t>(next[static_cast<std::size_t>(p.values[static_cast<std::size_t>(k)])]++);
            t.values[at] = static_cast<int>(i);
            entry[at] = k;
        }
    return t;
}

/// Sets the aggregate of each node; returns their number.
int aggregateNodes(const BlockCsrMatrix& a, std::span<const std::uint8_t> fixed, Vector<int>& aggregate)
{
    const auto n = static_cast<std::size_t>(a.blockRows());
    aggregate.assign(n, -1);
    const auto forNeighbours = [&](std::size_t i, auto&& f) {
        for (const int j : rowOf(a, i))
            if (static_cast<std::size_t>(j) != i && !fixed[static_cast<std::size_t>(j)]) f(static_cast<std::size_t>(j));
    };
    int count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (fixed[i]) continue;
        bool free = aggregate[i] < 0, any = false;
        forNeighbours(i, [&](std::size_t j) {
            any = true;
            free = free && aggregate[j] < 0;
        });
        if (!free || !any) continue;
        aggregate[i] = count;
        forNeighbours(i, [&](std::size_t j) { aggregate[j] = count; });
        ++count;
    }
    const Vector<int> first = aggregate;
    Vector<int> near;
    for (std::size_t i = 0; i < n; ++i) {
        if (fixed[i] || first[i] >= 0) continue;
        near.clear();
        forNeighbours(i, [&](std::size_t j) {
            if (first[j] >= 0) near.push_back(first[j]);
        });
        std::sort(near.begin(), near.end());
        std::ptrdiff_t most = 0;
        for (auto it = near.begin(); it != near.end();) {
            const auto end = std::upper_bound(it, near.end(), *it);
            if (end - it > most) {
                most = end - it;
                aggregate[i] = *it;
            }
            it = end;
        }
    }
    return count;
}

}  // namespace

Aggregation::Aggregation(const BlockCsrMatrix& a, std::span<const std::uint8_t> fixed, int coarseBlock)
{
    const auto n = static_cast<std::size_t>(a.blockRows());
    count = aggregateNodes(a, fixed, aggregate);
    const auto columns = static_cast<std::size_t>(count);
    nodes = [&] {
        IndexRows of;
        of.start.assign(1, 0);
        for (const int g : aggregate) {
            if (g >= 0) of.values.push_back(g);
            of.start.push_back(static_cast<int>(of.values.size()));
        }
        Vector<int> entry;
        return transposed(of, columns, entry);
    }();
    prolongation = unionOf(n, columns, [&](std::size_t i, auto&& add) {
        if (fixed[i]) return;
        for (const int j : rowOf(a, i))
            if (aggregate[static_cast<std::size_t>(j)] >= 0) add(aggregate[static_cast<std::size_t>(j)]);
    });
    rowsOf = transposed(prolongation, columns, entryOf);
    product = unionOf(n, columns, [&](std::size_t i, auto&& add) {
        if (prolongation[i].empty()) return;
        for (const int k : rowOf(a, i))
            for (const int g : prolongation[static_cast<std::size_t>(k)]) add(g);
    });
    const IndexRows rows = unionOf(columns, columns, [&](std::size_t g, auto&& add) {
        for (const int i : rowsOf[g])
            for (const int h : product[static_cast<std::size_t>(i)]) add(h);
    });
    coarse = BlockCsrMatrix(count, count, coarseBlock, rows.start, rows.values);
}

}  // namespace sofa::core
