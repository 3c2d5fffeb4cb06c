// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.

// Compliance of constraints by the supernodal factorisation: W = H A⁻¹ Hᵀ = Yᵀ D⁻¹ Y with Y = L⁻¹ P Hᵀ.
//
// Columns of Y are solved in chunks of rhsWidth. No operation mixes columns, and where a column is zero its terms leave
// every sum as it is, so that neither Y nor a product of two columns depends on what else is in their chunks. (Signs of
// zeros may; the sums begin with +0 and cannot show them.) That is what lets a cache keep them. The product of rows
// i > j has the terms fma(−(y_i / d), y_j, sum): of two rows the later one is the left factor.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/linalg/SupernodalLdlt.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

constexpr auto chunkWidth = static_cast<std::size_t>(dense::rhsWidth);
static_assert(chunkWidth <= 8, "a byte tells which columns of a chunk are touched");

using supernodal::at;
std::size_t chunksOf(std::size_t columns) { return (columns + chunkWidth - 1) / chunkWidth; }

template <class V>
void grow(V& v, std::size_t size)
{
    if (v.size() < size) v.resize(size);
}

unsigned char bit(std::size_t lane) { return static_cast<unsigned char>(1u << lane); }

}  // namespace

SupernodalLdlt::Columns SupernodalLdlt::chunk(Columns all, std::size_t c) const
{
    return {all.values + c * at(m_rows) * chunkWidth, all.touched + c * m_fronts.size()};
}

void SupernodalLdlt::solveRows(const SparseRows& h, const int* rows, std::size_t count, Columns y) const
{
    const auto& nodes = m_structure.supernodes;
    const std::size_t chunks = chunksOf(count), b = at(m_blockSize), fronts = nodes.size(),
                      frontSize = at(m_largestFront) * chunkWidth;
    grow(m_chunkFronts, chunks * frontSize);
    // Scatter, then eliminate on the paths from the touched supernodes to the roots. Only the touched parts of a chunk
    // are ever read, so only they are cleared.
    parallelFor(0, chunks, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const Columns target = chunk(y, c);
            std::fill_n(target.touched, fronts, static_cast<unsigned char>(0));
            const std::size_t lanes = std::min(chunkWidth, count - c * chunkWidth);
            const auto forEntries = [&](auto&& f) {
                for (std::size_t r = 0; r < lanes; ++r) {
                    const std::size_t row = rows ? at(rows[c * chunkWidth + r]) : c * chunkWidth + r;
                    for (int k = h.ptr[row]; k < h.ptr[row + 1]; ++k) {
                        const auto column = at(h.columns[at(k)]);
                        f(r, at(m_place[column / b]) * b + column % b, h.values[at(k)]);
                    }
                }
            };
            forEntries([&](std::size_t r, std::size_t position, double) {
                target.touched[m_supernodeOf[position / b]] |= bit(r);
            });
            for (std::size_t s = 0; s < fronts; ++s)
                if (target.touched[s]) {
                    if (nodes[s].parent >= 0) target.touched[at(nodes[s].parent)] |= target.touched[s];
                    std::fill_n(target.values + at(nodes[s].firstColumn) * b * chunkWidth,
                                at(m_fronts[s].pivots) * chunkWidth, 0.);
                }
            forEntries(
                [&](std::size_t r, std::size_t position, double v) { target.values[position * chunkWidth + r] += v; });
            for (std::size_t s = 0; s < fronts; ++s)
                if (target.touched[s]) forwardFront(s, target.values, m_chunkFronts.data() + c * frontSize);
        }
    });
}

bool SupernodalLdlt::subtractProducts(Columns a, Columns b, double* sum) const
{
    const auto& nodes = m_structure.supernodes;
    const std::size_t count = nodes.size();
    bool any = false;
    for (std::size_t s = 0; s < count; ++s) {
        // Most supernodes of many small bodies are touched by neither: eight at a time.
        if (s % 8 == 0 && s + 8 <= count) {
            std::uint64_t inA = 0, inB = 0;
            std::memcpy(&inA, a.touched + s, 8);
            std::memcpy(&inB, b.touched + s, 8);
            if (inA == 0 || inB == 0) {
                s += 7;
                continue;
            }
        }
        if (!a.touched[s] || !b.touched[s]) continue;
        any = true;
        const std::size_t first = at(nodes[s].firstColumn) * at(m_blockSize);
        m_kernels->subtractProducts(a.values + first * chunkWidth, b.values + first * chunkWidth,
                                    m_inverse.data() + first, m_fronts[s].pivots, sum);
    }
    return any;
}

void SupernodalLdlt::addProducts(const int* rows, std::size_t count, Columns y, double* w, std::size_t size,
                                 double factor) const
{
    // Pairs of chunks, the lower triangle; mirrored.
    const std::size_t chunks = chunksOf(count);
    parallelFor(0, chunks * (chunks + 1) / 2, 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t pair = begin; pair < end; ++pair) {
            std::size_t i = 0;
            while ((i + 1) * (i + 2) / 2 <= pair) ++i;
            const std::size_t j = pair - i * (i + 1) / 2;
            double sum[chunkWidth * chunkWidth] = {};
            if (!subtractProducts(chunk(y, i), chunk(y, j), sum)) continue;
            for (std::size_t r = 0; r < chunkWidth && i * chunkWidth + r < count; ++r)
                for (std::size_t c = 0; c < chunkWidth && j * chunkWidth + c <= i * chunkWidth + r; ++c) {
                    std::size_t row = i * chunkWidth + r, column = j * chunkWidth + c;
                    if (rows) {
                        row = at(rows[row]);
                        column = at(rows[column]);
                    }
                    const double value = -factor * sum[r * chunkWidth + c];
                    w[row * size + column] += value;
                    if (row != column) w[column * size + row] += value;
                }
        }
    });
}

void SupernodalLdlt::addProducts(std::span<const int> rows, Columns y, std::span<const int> owner, Columns slots,
                                 double* w, std::size_t size, double factor) const
{
    const std::size_t chunks = chunksOf(rows.size()), slotChunks = chunksOf(owner.size());
    parallelFor(0, chunks * slotChunks, 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t pair = begin; pair < end; ++pair) {
            const std::size_t i = pair % chunks, j = pair / chunks;
            const auto fresh = rows.subspan(i * chunkWidth, std::min(chunkWidth, rows.size() - i * chunkWidth));
            const auto kept = owner.subspan(j * chunkWidth, std::min(chunkWidth, owner.size() - j * chunkWidth));
            int first = std::numeric_limits<int>::max(), last = -1;  // of the kept rows
            for (const int row : kept) {
                if (row < 0) continue;
                first = std::min(first, row);
                last = std::max(last, row);
            }
            if (last < 0) continue;
            for (const bool freshIsLater : {true, false}) {
                if (freshIsLater ? fresh.back() < first : fresh.front() > last) continue;
                double sum[chunkWidth * chunkWidth] = {};
                const Columns a = chunk(y, i), b = chunk(slots, j);
                if (!subtractProducts(freshIsLater ? a : b, freshIsLater ? b : a, sum)) break;
                for (std::size_t r = 0; r < fresh.size(); ++r)
                    for (std::size_t c = 0; c < kept.size(); ++c) {
                        if (kept[c] < 0 || (fresh[r] > kept[c]) != freshIsLater) continue;
                        const double value = -factor * sum[freshIsLater ? r * chunkWidth + c : c * chunkWidth + r];
                        const std::size_t row = at(fresh[r]), column = at(kept[c]);
                        w[row * size + column] += value;
                        w[column * size + row] += value;
                    }
            }
        }
    });
}

void SupernodalLdlt::addCompliance(const SparseRows& h, std::span<double> w, double factor) const
{
    checkCompliance(m_rows, m_factorized, h, w.size());
    if (m_report.status == FactorizationStatus::notFinite) return;
    const std::size_t m = at(h.size()), chunks = chunksOf(m);
    grow(m_chunks, chunks * at(m_rows) * chunkWidth);
    grow(m_touched, chunks * m_fronts.size());
    const Columns y{m_chunks.data(), m_touched.data()};
    solveRows(h, nullptr, m, y);
    addProducts(nullptr, m, y, w.data(), m, factor);
}

void SupernodalLdlt::eraseColumn(Columns to, std::size_t lane) const
{
    const auto& nodes = m_structure.supernodes;
    for (std::size_t s = 0; s < nodes.size(); ++s) {
        if (!(to.touched[s] & bit(lane))) continue;
        to.touched[s] = static_cast<unsigned char>(to.touched[s] & ~bit(lane));
        double* v = to.values + at(nodes[s].firstColumn) * at(m_blockSize) * chunkWidth + lane;
        for (std::size_t k = 0; k < at(m_fronts[s].pivots); ++k) v[k * chunkWidth] = 0.;
    }
}

void SupernodalLdlt::copyColumn(Columns from, std::size_t fromLane, Columns to, std::size_t lane) const
{
    const auto& nodes = m_structure.supernodes;
    for (std::size_t s = 0; s < nodes.size(); ++s) {
        if (!(from.touched[s] & bit(fromLane))) continue;
        const std::size_t first = at(nodes[s].firstColumn) * at(m_blockSize) * chunkWidth, n = at(m_fronts[s].pivots);
        double* v = to.values + first;
        const double* source = from.values + first + fromLane;
        if (!to.touched[s]) std::fill_n(v, n * chunkWidth, 0.);
        to.touched[s] |= bit(lane);
        for (std::size_t k = 0; k < n; ++k) v[k * chunkWidth + lane] = source[k * chunkWidth];
    }
}

void SupernodalLdlt::updateCompliance(const SparseRows& h, double factor, ComplianceCache& cache) const
{
    const std::size_t m = at(h.size());
    checkCompliance(m_rows, m_factorized, h, m * m);
    if (m_report.status == FactorizationStatus::notFinite) cache.clear();
    if (cache.begin(h)) return;
    ComplianceCache::Solutions& s = cache.solutions();
    // Slots far apart make products with empty ones.
    if (s.hasKept && s.owner.size() > 2 * m + 8 * chunkWidth) cache.dropKept();
    const auto fresh = cache.fresh();
    if (fresh.size() == m) s.hasKept = false;
    if (m_report.status == FactorizationStatus::notFinite) return cache.finish();

    if (!s.hasKept) {
        const std::size_t chunks = chunksOf(m);
        grow(s.values, chunks * at(m_rows) * chunkWidth);
        grow(s.touched, chunks * m_fronts.size());
        const Columns y{s.values.data(), s.touched.data()};
        solveRows(h, nullptr, m, y);
        addProducts(nullptr, m, y, cache.values().data(), m, factor);
        s.slot.resize(m);
        for (std::size_t i = 0; i < m; ++i) s.slot[i] = static_cast<int>(i);
        s.owner = s.slot;
        s.hasKept = true;
        return cache.finish();
    }

    // Slots of the rows that are kept; the columns of the others go.
    const auto source = cache.source();
    s.nextSlot.assign(m, -1);
    s.rejected.assign(s.owner.begin(), s.owner.end());
    std::fill(s.owner.begin(), s.owner.end(), -1);
    for (std::size_t i = 0; i < m; ++i) {
        if (source[i] < 0) continue;
        s.nextSlot[i] = s.slot[at(source[i])];
        s.owner[at(s.nextSlot[i])] = static_cast<int>(i);
    }
    const auto slotChunk = [&](std::size_t slot) {
        return chunk({s.values.data(), s.touched.data()}, slot / chunkWidth);
    };
    for (std::size_t k = 0; k < s.owner.size(); ++k)
        if (s.owner[k] < 0 && s.rejected[k] >= 0) eraseColumn(slotChunk(k), k % chunkWidth);

    if (!fresh.empty()) {
        const std::size_t chunks = chunksOf(fresh.size());
        grow(m_chunks, chunks * at(m_rows) * chunkWidth);
        grow(m_touched, chunks * m_fronts.size());
        const Columns y{m_chunks.data(), m_touched.data()};
        solveRows(h, fresh.data(), fresh.size(), y);
        addProducts(fresh.data(), fresh.size(), y, cache.values().data(), m, factor);
        addProducts(fresh, y, s.owner, {s.values.data(), s.touched.data()}, cache.values().data(), m, factor);

        std::size_t k = 0;  // next slot that may be free
        for (std::size_t f = 0; f < fresh.size(); ++f) {
            while (k < s.owner.size() && s.owner[k] >= 0) ++k;
            if (k == s.owner.size()) {
                // A chunk that has not been used yet has no touched parts.
                if (k % chunkWidth == 0) {
                    grow(s.values, (k / chunkWidth + 1) * at(m_rows) * chunkWidth);
                    grow(s.touched, (k / chunkWidth + 1) * m_fronts.size());
                    std::fill_n(slotChunk(k).touched, m_fronts.size(), static_cast<unsigned char>(0));
                }
                s.owner.push_back(-1);
            }
            copyColumn(chunk(y, f / chunkWidth), f % chunkWidth, slotChunk(k), k % chunkWidth);
            s.owner[k] = fresh[f];
            s.nextSlot[at(fresh[f])] = static_cast<int>(k);
        }
    }
    s.slot.swap(s.nextSlot);
    cache.finish();
}

}  // namespace sofa::core
