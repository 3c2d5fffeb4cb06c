// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricProduct.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

constexpr std::size_t chunkBlocks = 7168;  ///< about half a megabyte
// Measured: matrices that the caches hold gain a fifth to a half. Beyond, those of hexahedra (27 blocks in a row) gain
// a third; of the rows of tetrahedra (15 blocks), whose halves are some hundred bytes each with gaps between them, the
// memory reads the gaps as well, and nothing is gained.
constexpr std::size_t cachedBlocks = std::size_t{1} << 17, longRow = 20;
/// Number of blocks up to which pairs in registers of eight pay: while three quarters of the second-level cache hold
/// them, 96 bytes each. 2 MiB where the system does not tell its size.
std::size_t pairedBlocks()
{
    static const std::size_t blocks = [] {
        long cache = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE)
        cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
        return (cache > 0 ? static_cast<std::size_t>(cache) : std::size_t{1} << 21) / 128;
    }();
    return blocks;
}
constexpr unsigned productsToPair = 12;  ///< that pay for the copy of PairedBlocks
constexpr std::size_t rowGrain = 1024;   ///< rows in a piece of the parallel loops over vectors

struct Input
{
    const int* rowPtr;
    const int* colIdx;
    const int* diagonal;
    const double* values;
    const double* x;  ///< four numbers for each point
};

/// window[v - first] += what the rows [first, last) and their transposes give.
void rowsScalar(const Input& in, std::size_t first, std::size_t last, double* window)
{
    for (std::size_t i = first; i < last; ++i) {
        const double* xi = in.x + 4 * i;
        double sum[2][3][3] = {};  // of the even and of the odd blocks, the diagonal one being the first
        const auto diagonal = static_cast<std::size_t>(in.diagonal[i]);
        for (std::size_t k = diagonal; k < static_cast<std::size_t>(in.rowPtr[i + 1]); ++k) {
            const auto j = static_cast<std::size_t>(in.colIdx[k]);
            const double *b = in.values + 9 * k, *xj = in.x + 4 * j;
            auto& s = sum[(k - diagonal) & 1];
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c) s[r][c] = std::fma(b[3 * r + c], xj[c], s[r][c]);
            if (k == diagonal) continue;
            double* to = window + 4 * (j - first);
            for (std::size_t c = 0; c < 3; ++c)
                for (std::size_t r = 0; r < 3; ++r) to[c] = std::fma(b[3 * r + c], xi[r], to[c]);
        }
        double* to = window + 4 * (i - first);
        for (std::size_t r = 0; r < 3; ++r) {
            const double s0 = sum[0][r][0] + sum[1][r][0], s1 = sum[0][r][1] + sum[1][r][1],
                         s2 = sum[0][r][2] + sum[1][r][2];
            to[r] += s0 + s1 + s2;
        }
    }
}

void padScalar(const double* x, double* to, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < 3; ++c) to[4 * i + c] = x[3 * i + c];
}
void unpadScalar(const double* x, double* to, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < 3; ++c) to[3 * i + c] = 0. + x[4 * i + c];
}

#if defined(__x86_64__)

#define SOFA_AVX2 [[gnu::target("avx2,fma"), gnu::always_inline]] inline

/// Sums of a row, and its point.
struct Row3
{
    __m256d r0, r1, r2;
};
struct Point3
{
    __m256d x0, x1, x2;
};

/// What block b does to its row, and to the point `to` of its column, where x is that of the column.
SOFA_AVX2 void addBlock(Row3& s, const double* b, const Point3& own, const double* x, double* to)
{
    __m256d b0 = _mm256_loadu_pd(b), b1 = _mm256_loadu_pd(b + 3), b2 = _mm256_loadu_pd(b + 6);
    __asm__("" : "+x"(b0), "+x"(b1), "+x"(b2));  // compilers would read each of them twice
    const __m256d v = _mm256_loadu_pd(x);
    s.r0 = _mm256_fmadd_pd(b0, v, s.r0);
    s.r1 = _mm256_fmadd_pd(b1, v, s.r1);
    s.r2 = _mm256_fmadd_pd(b2, v, s.r2);
    __m256d t = _mm256_fmadd_pd(b0, own.x0, _mm256_loadu_pd(to));
    t = _mm256_fmadd_pd(b1, own.x1, t);
    _mm256_storeu_pd(to, _mm256_fmadd_pd(b2, own.x2, t));
}

// Rows of a block take the lanes 0, 1, 2 of one register; lane 3 has what comes next in memory, which meets a zero in x
// or lands in the unused fourth number of a point. The last row of a diagonal block, behind which the matrix may end,
// is loaded under a mask.
[[gnu::target("avx2,fma")]] void rowsAvx2(const Input& in, std::size_t first, std::size_t last, double* window)
{
    // Copies, which need not be read again after each store.
    const int *const rowPtr = in.rowPtr, *const colIdx = in.colIdx, *const diagonals = in.diagonal;
    const double *const values = in.values, *const x = in.x;
    window -= 4 * first;
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    const __m256d zero = _mm256_setzero_pd();
    for (std::size_t i = first; i < last; ++i) {
        const auto diagonal = static_cast<std::size_t>(diagonals[i]);
        const double* b = values + 9 * diagonal;
        // Blocks of the row after the next are on their way.
        const double* next = values + 9 * static_cast<std::size_t>(diagonals[std::min(i + 2, last - 1)]);
        const double* xi = x + 4 * i;
        const Point3 own{_mm256_broadcast_sd(xi), _mm256_broadcast_sd(xi + 1), _mm256_broadcast_sd(xi + 2)};
        const __m256d point = _mm256_loadu_pd(xi);
        Row3 even{_mm256_fmadd_pd(_mm256_loadu_pd(b), point, zero),
                  _mm256_fmadd_pd(_mm256_loadu_pd(b + 3), point, zero),
                  _mm256_fmadd_pd(_mm256_maskload_pd(b + 6, three), point, zero)};
        Row3 odd{zero, zero, zero};
        _mm_prefetch(next, _MM_HINT_T0);
        const int *column = colIdx + diagonal + 1, *const end = colIdx + rowPtr[i + 1];
        for (; column + 1 < end; column += 2) {
            b += 9;
            next += 18;
            _mm_prefetch(next - 9, _MM_HINT_T0);
            _mm_prefetch(next, _MM_HINT_T0);
            const std::size_t j = 4 * static_cast<std::size_t>(column[0]), k = 4 * static_cast<std::size_t>(column[1]);
            addBlock(odd, b, own, x + j, window + j);
            b += 9;
            addBlock(even, b, own, x + k, window + k);
        }
        if (column < end) {
            const std::size_t j = 4 * static_cast<std::size_t>(*column);
            addBlock(odd, b + 9, own, x + j, window + j);
        }
        const __m256d r0 = _mm256_add_pd(even.r0, odd.r0), r1 = _mm256_add_pd(even.r1, odd.r1),
                      r2 = _mm256_add_pd(even.r2, odd.r2);
        // Columns of the three sums, added from the left.
        const __m256d low01 = _mm256_unpacklo_pd(r0, r1), high01 = _mm256_unpackhi_pd(r0, r1),
                      low2 = _mm256_unpacklo_pd(r2, zero), high2 = _mm256_unpackhi_pd(r2, zero);
        const __m256d c0 = _mm256_permute2f128_pd(low01, low2, 0x20), c1 = _mm256_permute2f128_pd(high01, high2, 0x20),
                      c2 = _mm256_permute2f128_pd(low01, low2, 0x31);
        double* to = window + 4 * i;
        _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), _mm256_add_pd(_mm256_add_pd(c0, c1), c2)));
    }
}

/// Points of three numbers become points of four, the last one zero.
[[gnu::target("avx2")]] void padAvx2(const double* x, double* to, std::size_t n)
{
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    const __m256d mask = _mm256_castsi256_pd(three);
    for (std::size_t i = 0; i + 1 < n; ++i)
        _mm256_storeu_pd(to + 4 * i, _mm256_and_pd(_mm256_loadu_pd(x + 3 * i), mask));
    _mm256_storeu_pd(to + 4 * (n - 1), _mm256_maskload_pd(x + 3 * (n - 1), three));
}
/// The reverse; what is beyond the last point stays.
[[gnu::target("avx2")]] void unpadAvx2(const double* x, double* to, std::size_t n)
{
    for (std::size_t i = 0; i + 1 < n; ++i)  // the fourth number is overwritten by the next point
        _mm256_storeu_pd(to + 3 * i, _mm256_add_pd(_mm256_setzero_pd(), _mm256_loadu_pd(x + 4 * i)));
    _mm256_maskstore_pd(to + 3 * (n - 1), _mm256_set_epi64x(0, -1, -1, -1),
                        _mm256_add_pd(_mm256_setzero_pd(), _mm256_loadu_pd(x + 4 * (n - 1))));
}

#undef SOFA_AVX2

/// Both for four points at once.
[[gnu::target("avx512f,avx2")]] void padAvx512(const double* x, double* to, std::size_t n)
{
    const __m512i first = _mm512_set_epi64(0, 5, 4, 3, 0, 2, 1, 0), second = _mm512_set_epi64(0, 7, 6, 5, 0, 4, 3, 2);
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        _mm512_storeu_pd(to + 4 * i, _mm512_maskz_permutexvar_pd(0x77, first, _mm512_loadu_pd(x + 3 * i)));
        _mm512_storeu_pd(to + 4 * i + 8, _mm512_maskz_permutexvar_pd(0x77, second, _mm512_loadu_pd(x + 3 * i + 4)));
    }
    if (i < n) padAvx2(x + 3 * i, to + 4 * i, n - i);
}
[[gnu::target("avx512f,avx2")]] void unpadAvx512(const double* x, double* to, std::size_t n)
{
    const __m512i first = _mm512_set_epi64(9, 8, 6, 5, 4, 2, 1, 0), second = _mm512_set_epi64(0, 0, 0, 0, 6, 5, 4, 2);
    const __m512d zero = _mm512_setzero_pd();
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m512d a = _mm512_add_pd(zero, _mm512_loadu_pd(x + 4 * i)),
                      b = _mm512_add_pd(zero, _mm512_loadu_pd(x + 4 * i + 8));
        _mm512_storeu_pd(to + 3 * i, _mm512_permutex2var_pd(a, first, b));
        _mm512_mask_storeu_pd(to + 3 * i + 8, 0x0f, _mm512_maskz_permutexvar_pd(0x0f, second, b));
    }
    if (i < n) unpadAvx2(x + 4 * i, to + 3 * i, n - i);
}

#endif

}  // namespace

void SymmetricProduct::analyse(const BlockCsrMatrix& a)
{
    m_suits = m_layoutReady = false;
    if (a.blockSize() != 3 || a.blockRows() != a.blockCols() || a.blockRows() == 0) return;
    const auto n = static_cast<std::size_t>(a.blockRows());
    const auto rowPtr = a.rowPtr(), colIdx = a.colIdx();
    for (int i = 0; i < a.blockRows(); ++i)
        if (a.diagonal(i) < 0) return;

    m_chunks.clear();
    std::size_t first = 0, blocks = 0, end = 0, offset = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto rowEnd = static_cast<std::size_t>(rowPtr[i + 1]);
        const std::size_t ofRow = rowEnd - static_cast<std::size_t>(a.diagonal(static_cast<int>(i)));
        blocks += ofRow;
        all += ofRow - 1;
        end = std::max(end, static_cast<std::size_t>(colIdx[rowEnd - 1]) + 1);
        if (blocks < chunkBlocks && i + 1 < n) continue;
        m_chunks.push_back({first, i + 1, end, offset});
        offset += end - first + 1;  // one more point, which pairs of rows write
        first = i + 1;
        blocks = 0;
        end = 0;
    }
    // What windows cost, about six numbers for each point, against the half of the values that is saved.
    if (a.blockCount() > cachedBlocks && a.blockCount() < longRow * n) return;
    m_suits = m_chunks.size() == 1 || offset * 6 < all * 9 / 2;
    if (!m_suits) return;
    m_x.assign(4 * (n + 1), 0.);
    m_windows.resize(4 * offset);
}

void SymmetricProduct::prepare(const BlockCsrMatrix& a, std::uint64_t patternVersion, bool symmetric)
{
    m_half = m_paired = m_mayPair = false;
    m_pairAt = std::exchange(m_products, 0u) >= productsToPair ? 0u : productsToPair;
    if (!symmetric) return;
    if (&a != m_matrix || patternVersion != m_version) analyse(a);
    m_matrix = &a;
    m_version = patternVersion;
    if (!m_suits) return;
    for (const int k : a.diagonals()) {
        const double* d = a.block(static_cast<std::size_t>(k));
        if (d[1] != d[3] || d[2] != d[6] || d[5] != d[7]) return;
    }
    m_half = true;
    m_mayPair = PairedBlocks::isAvailable() && a.blockCount() <= 2 * pairedBlocks();
}

void SymmetricProduct::multiply(const BlockCsrMatrix& a, const Vector<double>& x, Vector<double>& y)
{
    const auto n = static_cast<std::size_t>(a.blockRows());
    if (!m_half || x.size() != 3 * n || y.size() != 3 * n || m_x.size() != 4 * (n + 1)) return a.multiply(x, y);
    const bool pairs = PairedBlocks::isAvailable() && (m_paired || (m_mayPair && m_products >= m_pairAt));
    const bool copies = pairs && !m_paired;
    if (copies && !m_layoutReady) m_pairs.layOut(a);
    if (copies) m_layoutReady = m_paired = true;
    ++m_products;
    auto* kernel = rowsScalar;
    auto* pad = padScalar;
    auto* unpad = unpadScalar;
#if defined(__x86_64__)
    if (simdLevel() != SimdLevel::scalar) {
        kernel = rowsAvx2;
        pad = padAvx2;
        unpad = unpadAvx2;
    }
    if (simdLevel() == SimdLevel::avx512) {
        pad = padAvx512;
        unpad = unpadAvx512;
    }
#endif
    parallelFor(0, n, rowGrain, [&](std::size_t first, std::size_t last) {
        pad(x.data() + 3 * first, m_x.data() + 4 * first, last - first);
    });
    const Input in{a.rowPtr().data(), a.colIdx().data(), a.diagonals().data(), a.values().data(), m_x.data()};
    parallelFor(0, m_chunks.size(), 1, [&](std::size_t from, std::size_t to) {
        for (std::size_t c = from; c < to; ++c) {
            const Chunk& chunk = m_chunks[c];
            double* window = m_windows.data() + 4 * chunk.offset;
            std::fill_n(window, 4 * (chunk.end - chunk.first), 0.);
            if (copies)
                m_pairs.copyAndAddRows(a, chunk.first, chunk.last, m_x.data(), window);
            else if (pairs)
                m_pairs.addRows(chunk.first, chunk.last, m_x.data(), window);
            else
                kernel(in, chunk.first, chunk.last, window);
        }
    });
    if (m_chunks.size() == 1) return unpad(m_windows.data(), y.data(), n);
    parallelFor(0, n, rowGrain, [&](std::size_t first, std::size_t last) {
        // Chunks begin one after the other; those before the one of a row may reach it.
        std::fill(y.begin() + static_cast<std::ptrdiff_t>(3 * first), y.begin() + static_cast<std::ptrdiff_t>(3 * last),
                  0.);
        for (const Chunk& c : m_chunks) {
            if (c.first >= last) break;
            for (std::size_t i = std::max(first, c.first); i < std::min(last, c.end); ++i)
                for (std::size_t k = 0; k < 3; ++k) y[3 * i + k] += m_windows[4 * (c.offset + i - c.first) + k];
        }
    });
}

}  // namespace sofa::core
