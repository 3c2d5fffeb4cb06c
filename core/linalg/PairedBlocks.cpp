// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/PairedBlocks.h"

#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

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

/// Pairs of blocks that have been copied.
struct Copied
{
    const double* values;

    SOFA_AVX512 BlockPair operator[](std::size_t k) const { return blocksAt(values + 24 * k); }
};

/// Pairs of blocks of a row of the matrix, which are copied when they are taken.
struct Copying
{
    const double* blocks;  ///< of the row, from the diagonal on
    std::size_t count;
    double* values;

    SOFA_AVX512 BlockPair operator[](std::size_t k) const
    {
        double* const v = values + 24 * k;
        const double* b = blocks + 18 * k;
        const __mmask8 second = 2 * k + 1 < count ? 7 : 0;
        const BlockPair pair{row(b, second), row(b + 3, second), row(b + 6, second)};
        _mm512_store_pd(v, pair.r0);
        _mm512_store_pd(v + 8, pair.r1);
        _mm512_store_pd(v + 16, pair.r2);
        return pair;
    }
    SOFA_AVX512 static __m512d row(const double* b, __mmask8 second)
    {
        return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_maskz_loadu_pd(7, b)),
                                  _mm256_maskz_loadu_pd(second, b + 9), 1);
    }
};

/// Sums of the row with `count` pairs of blocks: its own from the even blocks in the lower halves, from the odd ones in
/// the upper halves; the transposed blocks go to the window.
template <class Blocks>
SOFA_AVX512 BlockPair rowOf(const Blocks& blocks, const int* columns, std::size_t count, const double* x,
                            const double* own, double* window)
{
    const __m512d x0 = _mm512_set1_pd(own[0]), x1 = _mm512_set1_pd(own[1]), x2 = _mm512_set1_pd(own[2]);
    // The first block is that of the diagonal, which is not transposed.
    BlockPair b = blocks[0];
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
        b = blocks[k];
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

/// `blocksOf(i, k)` are the blocks of row i, whose first pair is k, as rowOf wants them.
/// Returns x · window over the rows.
template <class BlocksOf>
SOFA_AVX512 double addRowsOf(const BlocksOf& blocksOf, const int* start, const int* columns, std::size_t first,
                             std::size_t last, const double* x, double* window)
{
    const __m512d zero = _mm512_setzero_pd();
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    window -= 4 * first;
    __m512d products = zero;
    for (std::size_t i = first; i < last; i += 2) {
        const auto k = static_cast<std::size_t>(start[i]), end = static_cast<std::size_t>(start[i + 1]);
        const BlockPair a = rowOf(blocksOf(i, k), columns + 2 * k, end - k, x, x + 4 * i, window);
        BlockPair b{zero, zero, zero};
        if (i + 1 < last)
            b = rowOf(blocksOf(i + 1, end), columns + 2 * end, static_cast<std::size_t>(start[i + 2]) - end, x,
                      x + 4 * (i + 1), window);
        const __m512d r0 = halves(a.r0, b.r0), r1 = halves(a.r1, b.r1), r2 = halves(a.r2, b.r2);
        // Columns of the three sums, added from the left.
        const __m512d low01 = _mm512_unpacklo_pd(r0, r1), high01 = _mm512_unpackhi_pd(r0, r1),
                      low2 = _mm512_unpacklo_pd(r2, zero), high2 = _mm512_unpackhi_pd(r2, zero);
        const __m512d c0 = _mm512_permutex2var_pd(low01, low, low2), c1 = _mm512_permutex2var_pd(high01, low, high2),
                      c2 = _mm512_permutex2var_pd(low01, high, low2);
        double* to = window + 4 * i;
        const __m512d result = _mm512_add_pd(_mm512_loadu_pd(to), _mm512_add_pd(_mm512_add_pd(c0, c1), c2));
        _mm512_storeu_pd(to, result);
        products = _mm512_fmadd_pd(_mm512_loadu_pd(x + 4 * i), result, products);
    }
    alignas(64) double p[8];
    _mm512_store_pd(p, products);
    return (p[0] + p[4]) + (p[1] + p[5]) + (p[2] + p[6]);
}

[[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]] double addRowsAvx512(const int* start, const int* columns,
                                                                           const double* values, std::size_t first,
                                                                           std::size_t last, const double* x,
                                                                           double* window)
{
    struct OfCopy
    {
        const double* values;
        SOFA_AVX512 Copied operator()(std::size_t, std::size_t pair) const { return {values + 24 * pair}; }
    };
    return addRowsOf(OfCopy{values}, start, columns, first, last, x, window);
}

[[gnu::target("avx512f,avx512dq,avx512vl,avx2,fma")]] double copyRowsAvx512(const BlockCsrMatrix& a, const int* start,
                                                                            const int* columns, double* values,
                                                                            std::size_t first, std::size_t last,
                                                                            const double* x, double* window)
{
    struct OfMatrix
    {
        const double* blocks;
        const int *rowPtr, *diagonals;
        double* values;
        SOFA_AVX512 Copying operator()(std::size_t i, std::size_t pair) const
        {
            const auto diagonal = static_cast<std::size_t>(diagonals[i]);
            return {blocks + 9 * diagonal, static_cast<std::size_t>(rowPtr[i + 1]) - diagonal, values + 24 * pair};
        }
    };
    return addRowsOf(OfMatrix{a.values().data(), a.rowPtr().data(), a.diagonals().data(), values}, start, columns,
                     first, last, x, window);
}

#undef SOFA_AVX512

#endif

}  // namespace

bool PairedBlocks::isAvailable()
{
#if defined(__x86_64__)
    return simdLevel() == SimdLevel::avx512 && !__builtin_cpu_is("amd");
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

double PairedBlocks::copyAndAddRows(const BlockCsrMatrix& a, std::size_t first, std::size_t last, const double* x,
                                    double* window)
{
#if defined(__x86_64__)
    return copyRowsAvx512(a, m_start.data(), m_columns.data(), m_values.data(), first, last, x, window);
#else
    (void)a, (void)first, (void)last, (void)x, (void)window;
    return 0.;
#endif
}

double PairedBlocks::addRows(std::size_t first, std::size_t last, const double* x, double* window) const
{
#if defined(__x86_64__)
    return addRowsAvx512(m_start.data(), m_columns.data(), m_values.data(), first, last, x, window);
#else
    (void)first, (void)last, (void)x, (void)window;
    return 0.;
#endif
}

}  // namespace sofa::core
