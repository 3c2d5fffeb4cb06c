// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricPairs.h"

#include <algorithm>

#include "core/parallel/SimdLevel.h"

namespace sofa::core {

namespace {

constexpr std::size_t grain = 1024;  ///< rows in a piece of parallel loops

struct Sweep
{
    const SymmetricPairs::Entries& entries;
    const PairBlocks& blocks;
};

[[gnu::always_inline]] inline double* putRows(const Sweep& in, std::size_t first, std::size_t last, double* out)
{
    for (std::size_t r = first; r < last; ++r) {
        double sum[9] = {};
        double* const diagonal = out;
        out += 9;
        const std::span<const std::uint32_t> row = in.entries[r];
        const std::uint32_t *k = row.data(), *const end = k + row.size();
        const auto next = [&](double(&v)[9]) __attribute__((always_inline))
        {
            __builtin_prefetch(in.blocks[k[SymmetricPairs::ahead - 1] >> 1]);
            const std::size_t pair = *k++ >> 1;
            const double* b = in.blocks[pair];
            for (int i = 0; i < 8; ++i) v[i] = b[i];
            v[8] = in.blocks.corner(pair);
        };
        double v[9];
        while (k < end && (*k & 1)) {
            next(v);
            const double t[9] = {v[0], v[3], v[6], v[1], v[4], v[7], v[2], v[5], v[8]};
            for (int i = 0; i < 9; ++i) sum[i] -= t[i];
        }
        while (k < end) {
            next(v);
            for (int i = 0; i < 9; ++i) {
                sum[i] -= v[i];
                out[i] = v[i];
            }
            out += 9;
        }
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) diagonal[3 * i + j] = (sum[3 * i + j] + sum[3 * j + i]) * 0.5;
    }
    return out;
}

void putRowsScalar(const Sweep& in, std::size_t first, std::size_t last, double* out) { putRows(in, first, last, out); }

#if defined(__x86_64__)

[[gnu::target("avx2")]] void putRowsAvx2(const Sweep& in, std::size_t first, std::size_t last, double* out)
{
    putRows(in, first, last, out);
}

[[gnu::target("avx512f,avx512dq,avx512vl,avx2")]] void putRowsAvx512(const Sweep& in, std::size_t first,
                                                                     std::size_t last, double* out)
{
    putRows(in, first, last, out);
}

#endif

}  // namespace

void SymmetricPairs::build(std::span<const std::pair<Index, Index>> pairs, Index points, const Vector<Index>& vertices)
{
    SymmetricPattern& p = m_pattern;
    p.vertices = vertices;
    const bool reordered = !vertices.empty();
    Vector<Index> rankOf(reordered ? points : 0);
    for (std::size_t r = 0; r < rankOf.size(); ++r) rankOf[vertices[r]] = static_cast<Index>(r);
    const auto rank = [&](Index v) { return reordered ? rankOf[v] : v; };

    // With rows in the order of the points: first the lower points, then the higher ones.
    Vector<std::size_t> start(points + std::size_t{1}, 0);
    for (const auto& [v, w] : pairs) {
        ++start[rank(v) + std::size_t{1}];
        ++start[rank(w) + std::size_t{1}];
    }
    for (std::size_t r = 0; r < points; ++r) start[r + 1] += start[r];
    Vector<std::uint32_t> entries(2 * pairs.size());
    Vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t k = 0; k < pairs.size(); ++k)
        entries[next[rank(pairs[k].second)]++] = static_cast<std::uint32_t>(2 * k + 1);
    for (std::size_t k = 0; k < pairs.size(); ++k)
        entries[next[rank(pairs[k].first)]++] = static_cast<std::uint32_t>(2 * k);
    const auto other = [&](std::uint32_t entry) {
        return entry & 1 ? pairs[entry >> 1].first : pairs[entry >> 1].second;
    };

    PiecewiseRows<std::uint32_t> before;
    std::swap(p.columns, before);
    p.columns.reserve(points, pairs.size());
    if (reordered) p.columns.resize(points);
    m_entries.clear();
    m_entries.reserve(points, entries.size());
    Vector<std::uint32_t> columns;
    for (std::size_t r = 0; r < points; ++r) {
        const std::span row(entries.data() + start[r], start[r + 1] - start[r]);
        if (reordered) std::ranges::sort(row, {}, other);
        m_entries.push_back(row);
        columns.clear();
        for (const std::uint32_t entry : row)
            if (!(entry & 1)) columns.push_back(other(entry));
        if (reordered)
            p.columns.set(vertices[r], columns);
        else
            p.columns.push_back(columns);
    }
    p.columnsWere(before);
}

void SymmetricPairs::rows(std::size_t first, std::size_t last, const PairBlocks& blocks, double* out) const
{
    const auto put = SOFA_OF_SIMD_LEVEL(putRowsScalar, putRowsAvx2, putRowsAvx512);
    put({m_entries, blocks}, first, last, out);
}

void StoredPairs::forEachRows(const Rows& rows)
{
    parallelFor(0, m_pairs.pattern().rows(), grain, [&](std::size_t first, std::size_t last) {
        forEachRowsBuffered(
            first, last, rows, [&](std::size_t b, std::size_t e) { return m_pairs.blocksOf(b, e); },
            [&](std::size_t b, std::size_t e, double* out) { m_pairs.rows(b, e, m_blocks, out); });
    });
}

}  // namespace sofa::core
