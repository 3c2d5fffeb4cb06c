// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricRows.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

/// Blocks of the pairs of later entries are fetched this many entries ahead.
constexpr std::size_t ahead = 24;

struct Block
{
    double v[9];
};

[[gnu::always_inline]] inline Block read(const PairBlocks& pairs, std::size_t pair)
{
    const double* b = pairs[pair];
    return {{b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], pairs.corner(pair)}};
}
[[gnu::always_inline]] inline Block transposed(const Block& b)
{
    return {{b.v[0], b.v[3], b.v[6], b.v[1], b.v[4], b.v[7], b.v[2], b.v[5], b.v[8]}};
}
template <bool adds>
[[gnu::always_inline]] inline void put(double* to, double factor, const Block& b)
{
    for (std::size_t i = 0; i < 9; ++i) to[i] = (adds ? to[i] : 0.) + factor * b.v[i];
}

/// Adds or sets rows. The diagonal block is minus the symmetric part of the sum of the others.
template <bool adds>
[[gnu::always_inline]] inline void putRows(const SymmetricSweep& in, const RowList& rows)
{
    for (std::size_t r = rows.first; r < rows.last; ++r) {
        const std::size_t v = rows[r], end = in.rowStart[v + 1];
        double* next = adds ? nullptr : in.values + static_cast<std::size_t>(in.starts[v]) * 9;
        const auto place = [&](int slot) __attribute__((always_inline))
        {
            if constexpr (adds) return in.values + static_cast<std::size_t>(slot) * 9;
            return std::exchange(next, next + 9);
        };
        Block sum{};
        std::size_t k = in.rowStart[v];
        for (; k < end && (in.packed[k] & 1); ++k) {
            __builtin_prefetch(in.pairs[in.packed[std::min(k + ahead, in.entries - 1)] >> 1]);
            const Block b = transposed(read(in.pairs, in.packed[k] >> 1));
            for (std::size_t i = 0; i < 9; ++i) sum.v[i] -= b.v[i];
            if (!in.upper) put<adds>(place(in.slots[k]), in.factor, b);
        }
        double* const diagonal = adds && in.diagonals[v] < 0 ? nullptr : place(in.diagonals[v]);
        for (; k < end; ++k) {
            const Block b = read(in.pairs, in.packed[k] >> 1);
            for (std::size_t i = 0; i < 9; ++i) sum.v[i] -= b.v[i];
            put<adds>(place(in.slots[k]), in.factor, b);
        }
        if (!diagonal) continue;
        const Block image = transposed(sum);
        for (std::size_t i = 0; i < 9; ++i) sum.v[i] = (sum.v[i] + image.v[i]) * 0.5;
        put<adds>(diagonal, in.factor, sum);
    }
}

template <bool adds>
void putRowsScalar(const SymmetricSweep& in, const RowList& rows)
{
    putRows<adds>(in, rows);
}

#if defined(__x86_64__)

template <bool adds>
[[gnu::target("avx2")]] void putRowsAvx2(const SymmetricSweep& in, const RowList& rows)
{
    putRows<adds>(in, rows);
}

template <bool adds>
[[gnu::target("avx512f,avx512dq,avx512vl,avx2")]] void putRowsAvx512(const SymmetricSweep& in, const RowList& rows)
{
    putRows<adds>(in, rows);
}

/// Sets rows in a buffer that the cache holds and writes whole cache lines of it by non-temporal stores: for matrices
/// that no cache holds, so that their old values need not be read. Nothing waits for these stores here (see
/// streamedBytes): a fence after each list of rows would cost as much as the stores.
template <RowsFunction setThem>
void streamRows(const SymmetricSweep& in, const RowList& rows)
{
    constexpr std::size_t capacity = 4096, line = 8;
    alignas(64) double buffer[capacity + line];
    const auto start = [&](std::size_t v) { return static_cast<std::size_t>(in.starts[v]) * 9; };
    for (std::size_t first = rows.first; first < rows.last;) {
        // Rows that follow one another and fit into the buffer.
        const std::size_t begin = start(rows[first]);
        std::size_t next = first + 1;
        while (next < rows.last && rows[next] == rows[next - 1] + 1 && start(rows[next] + 1) - begin <= capacity)
            ++next;
        const std::size_t count = start(rows[next - 1] + 1) - begin;
        const RowList some{first, next, rows.rows};
        first = next;
        if (count > capacity) {
            setThem(in, some);
            continue;
        }
        double* to = in.values + begin;
        const std::size_t shift = reinterpret_cast<std::uintptr_t>(to) / sizeof(double) % line;
        double* from = buffer + shift;  // aligned like its destination
        SymmetricSweep staged = in;
        staged.values = from - begin;
        setThem(staged, some);
        const std::size_t head = std::min(count, (line - shift) % line), whole = head + (count - head) / line * line;
        std::copy_n(from, head, to);
        for (std::size_t k = head; k < whole; k += 2) _mm_stream_pd(to + k, _mm_load_pd(from + k));
        std::copy_n(from + whole, count - whole, to + whole);
    }
}

#endif

}  // namespace

RowsFunction addRows() { return SOFA_OF_SIMD_LEVEL(putRowsScalar<true>, putRowsAvx2<true>, putRowsAvx512<true>); }

RowsFunction setRows([[maybe_unused]] std::size_t bytes)
{
#if defined(__x86_64__)
    if (bytes > streamedBytes)
        return ofSimdLevel<RowsFunction>(putRowsScalar<false>, streamRows<putRowsAvx2<false>>,
                                         streamRows<putRowsAvx512<false>>);
#endif
    return SOFA_OF_SIMD_LEVEL(putRowsScalar<false>, putRowsAvx2<false>, putRowsAvx512<false>);
}

}  // namespace sofa::core
