// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/PairedBlocks.h"

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

constexpr std::size_t rowGrain = 256;

#if defined(__x86_64__)

#define SOFA_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma"), gnu::always_inline]] inline

/// Two points, one in each half.
SOFA_AVX512 __m512d points(const double* a, const double* b)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(a)), _mm256_load_pd(b), 1);
}

/// Three rows of two blocks.
struct BlockPair
{
    __m512d r0, r1, r2;
};

SOFA_AVX512 BlockPair blocksAt(const double* v)
{
    BlockPair b{_mm512_load_pd(v), _mm512_load_pd(v + 8), _mm512_load_pd(v + 16)};
    __asm__("" : "+v"(b.r0), "+v"(b.r1), "+v"(b.r2));  // compilers would read each of them twice
    return b;
}

/// Sums of the row whose pairs are [pair, end): its own from the even blocks in the lower halves, from the odd ones in
/// the upper halves; the transposed blocks go to the window.
SOFA_AVX512 BlockPair rowOf(const double* v, const int* columns, std::size_t count, const double* x, const double* own,
                            double* window)
{
    const __m512d x0 = _mm512_set1_pd(own[0]), x1 = _mm512_set1_pd(own[1]), x2 = _mm512_set1_pd(own[2]);
    // The first block is that of the diagonal, which is not transposed.
    BlockPair b = blocksAt(v);
    const std::size_t second = static_cast<std::size_t>(columns[1]);
    const __m512d first = points(own, x + second), zero = _mm512_setzero_pd();
    BlockPair sum{_mm512_fmadd_pd(b.r0, first, zero), _mm512_fmadd_pd(b.r1, first, zero),
                  _mm512_fmadd_pd(b.r2, first, zero)};
    __m512d t = _mm512_fmadd_pd(b.r0, x0, _mm512_insertf64x4(zero, _mm256_load_pd(window + second), 1));
    t = _mm512_fmadd_pd(b.r1, x1, t);
    t = _mm512_fmadd_pd(b.r2, x2, t);
    _mm256_store_pd(window + second, _mm512_extractf64x4_pd(t, 1));
    for (std::size_t k = 1; k < count; ++k) {
        const std::size_t i = static_cast<std::size_t>(columns[2 * k]),
                          j = static_cast<std::size_t>(columns[2 * k + 1]);
        b = blocksAt(v + 24 * k);
        const __m512d p = points(x + i, x + j);
        sum.r0 = _mm512_fmadd_pd(b.r0, p, sum.r0);
        sum.r1 = _mm512_fmadd_pd(b.r1, p, sum.r1);
        sum.r2 = _mm512_fmadd_pd(b.r2, p, sum.r2);
        t = _mm512_fmadd_pd(b.r0, x0, points(window + i, window + j));
        t = _mm512_fmadd_pd(b.r1, x1, t);
        t = _mm512_fmadd_pd(b.r2, x2, t);
        _mm256_store_pd(window + i, _mm512_castpd512_pd256(t));
        _mm256_store_pd(window + j, _mm512_extractf64x4_pd(t, 1));
    }
    return sum;
}

/// Lower plus upper half, for two rows.
SOFA_AVX512 __m512d halves(__m512d a, __m512d b)
{
    return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x44), _mm512_shuffle_f64x2(a, b, 0xee));
}

[[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]] void addRowsAvx512(const int* start, const int* columns,
                                                                         const double* values, std::size_t first,
                                                                         std::size_t last, const double* x,
                                                                         double* window)
{
    const __m512d zero = _mm512_setzero_pd();
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    window -= 4 * first;
    for (std::size_t i = first; i < last; i += 2) {
        const auto k = static_cast<std::size_t>(start[i]), end = static_cast<std::size_t>(start[i + 1]);
        const BlockPair a = rowOf(values + 24 * k, columns + 2 * k, end - k, x, x + 4 * i, window);
        BlockPair b{zero, zero, zero};
        if (i + 1 < last)
            b = rowOf(values + 24 * end, columns + 2 * end, static_cast<std::size_t>(start[i + 2]) - end, x,
                      x + 4 * (i + 1), window);
        const __m512d r0 = halves(a.r0, b.r0), r1 = halves(a.r1, b.r1), r2 = halves(a.r2, b.r2);
        // Columns of the three sums, added from the left.
        const __m512d low01 = _mm512_unpacklo_pd(r0, r1), high01 = _mm512_unpackhi_pd(r0, r1),
                      low2 = _mm512_unpacklo_pd(r2, zero), high2 = _mm512_unpackhi_pd(r2, zero);
        const __m512d c0 = _mm512_permutex2var_pd(low01, low, low2), c1 = _mm512_permutex2var_pd(high01, low, high2),
                      c2 = _mm512_permutex2var_pd(low01, high, low2);
        double* to = window + 4 * i;
        _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), _mm512_add_pd(_mm512_add_pd(c0, c1), c2)));
    }
}

[[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]] void fillAvx512(const BlockCsrMatrix& a, const int* start,
                                                                      double* values, std::size_t first,
                                                                      std::size_t last)
{
    const double* from = a.values().data();
    const auto rowPtr = a.rowPtr(), diagonals = a.diagonals();
    for (std::size_t i = first; i < last; ++i) {
        const auto diagonal = static_cast<std::size_t>(diagonals[i]), end = static_cast<std::size_t>(rowPtr[i + 1]);
        double* to = values + 24 * static_cast<std::size_t>(start[i]);
        for (std::size_t k = diagonal; k < end; ++k) {
            const double* b = from + 9 * k;
            double* block = to + 24 * ((k - diagonal) / 2) + 4 * ((k - diagonal) & 1);
            for (std::size_t r = 0; r < 3; ++r) _mm256_store_pd(block + 8 * r, _mm256_maskz_loadu_pd(7, b + 3 * r));
        }
    }
}

#undef SOFA_AVX512

#endif

}  // namespace

bool PairedBlocks::isAvailable()
{
#if defined(__x86_64__)
    return simdLevel() == SimdLevel::avx512;
#else
    return false;
#endif
}

void PairedBlocks::clear()
{
    m_start.clear();
    m_columns.clear();
    m_values.clear();
}

void PairedBlocks::layOut(const BlockCsrMatrix& a)
{
    clear();
    const auto n = static_cast<std::size_t>(a.blockRows());
    const auto rowPtr = a.rowPtr(), columns = a.colIdx(), diagonals = a.diagonals();
    m_start.reserve(n + 1);
    m_start.push_back(0);
    for (std::size_t i = 0; i < n; ++i) {
        for (auto k = static_cast<std::size_t>(diagonals[i]); k < static_cast<std::size_t>(rowPtr[i + 1]); ++k)
            m_columns.push_back(4 * columns[k]);
        if (m_columns.size() % 2 != 0) m_columns.push_back(4 * static_cast<int>(i));
        m_start.push_back(static_cast<int>(m_columns.size() / 2));
    }
    m_values.assign(12 * m_columns.size(), 0.);  // what is no entry of a block stays zero
}

void PairedBlocks::fill(const BlockCsrMatrix& a)
{
#if defined(__x86_64__)
    parallelFor(0, m_start.size() - 1, rowGrain, [&](std::size_t first, std::size_t last) {
        fillAvx512(a, m_start.data(), m_values.data(), first, last);
    });
#else
    (void)a;
#endif
}

void PairedBlocks::addRows(std::size_t first, std::size_t last, const double* x, double* window) const
{
#if defined(__x86_64__)
    addRowsAvx512(m_start.data(), m_columns.data(), m_values.data(), first, last, x, window);
#else
    (void)first, (void)last, (void)x, (void)window;
#endif
}

}  // namespace sofa::core
