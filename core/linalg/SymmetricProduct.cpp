// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/SymmetricProduct.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/linalg/VectorKernels.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

constexpr std::size_t chunkBlocks = 8192;  ///< of a chunk, half as many more at most: about half a megabyte
/// Chunks at most: windows of many would be read and written as often as the matrix.
constexpr std::size_t mostChunks = 64;
/// The same where each window reaches far.
constexpr std::size_t fewChunks = 8;
// Measured: matrices that the caches hold gain a fifth to a half. Beyond, those of hexahedra (27 blocks in a row) gain
// a third; of the rows of tetrahedra (15 blocks), whose halves are some hundred bytes each with gaps between them, the
// memory reads the gaps as well, and nothing is gained.
constexpr std::size_t cachedBlocks = std::size_t{1} << 17, longRow = 20;
constexpr std::size_t rowGrain = 1024;  ///< rows in a piece of the parallel loops over vectors
constexpr std::size_t pagePoints = 16;  ///< of a page of a window

struct Input
{
    const int* rowEnd;
    const int* colIdx;
    const int* diagonal;
    const double* values;
    const double* x;  ///< four numbers for each point
};

/// window[v - first] += what the rows [first, last) and their transposes give. Fourth numbers of these rows become
/// zero, those of other points are of no meaning. Returns x · window over these rows, which is that of the result where
/// no other rows add to it: the sum over the even rows and that over the odd ones, component by component.
double rowsScalar(const Input& in, std::size_t first, std::size_t last, double* window)
{
    double products[2][3] = {};
    for (std::size_t i = first; i < last; ++i) {
        const double* xi = in.x + 4 * i;
        double sum[2][3][3] = {};  // of the even and of the odd blocks, the diagonal one being the first
        const auto diagonal = static_cast<std::size_t>(in.diagonal[i]);
        for (std::size_t k = diagonal; k < static_cast<std::size_t>(in.rowEnd[i]); ++k) {
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
            double& p = products[(i - first) & 1][r];
            p = std::fma(xi[r], to[r], p);
        }
    }
    const auto component = [&](std::size_t r) { return products[0][r] + products[1][r]; };
    return component(0) + component(1) + component(2);
}

/// y += the window of points [first, last), whose fourth numbers become zero in y.
void merge(const double* window, double* y, std::size_t points)
{
    for (std::size_t i = 0; i < points; ++i) {
        for (std::size_t c = 0; c < 3; ++c) y[4 * i + c] += window[4 * i + c];
        y[4 * i + 3] = 0.;
    }
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

/// The three rows of a block, and what is behind it.
struct Block3
{
    __m256d b0, b1, b2;
};
SOFA_AVX2 Block3 blockAt(const double* b)
{
    Block3 block{_mm256_loadu_pd(b), _mm256_loadu_pd(b + 3), _mm256_loadu_pd(b + 6)};
    __asm__("" : "+x"(block.b0), "+x"(block.b1), "+x"(block.b2));  // compilers would read each of them twice
    return block;
}
/// What a block does to its row, and to the point `to` of its column, where x is that of the column.
SOFA_AVX2 void addBlock(Row3& s, const Block3& b, const Point3& own, const double* x, double* to)
{
    const __m256d v = _mm256_loadu_pd(x);
    s.r0 = _mm256_fmadd_pd(b.b0, v, s.r0);
    s.r1 = _mm256_fmadd_pd(b.b1, v, s.r1);
    s.r2 = _mm256_fmadd_pd(b.b2, v, s.r2);
    __m256d t = _mm256_fmadd_pd(b.b0, own.x0, _mm256_loadu_pd(to));
    t = _mm256_fmadd_pd(b.b1, own.x1, t);
    _mm256_storeu_pd(to, _mm256_fmadd_pd(b.b2, own.x2, t));
}

/// Columns of the three sums, added from the left.
SOFA_AVX2 __m256d columnSums(__m256d r0, __m256d r1, __m256d r2)
{
    const __m256d zero = _mm256_setzero_pd();
    const __m256d low01 = _mm256_unpacklo_pd(r0, r1), high01 = _mm256_unpackhi_pd(r0, r1),
                  low2 = _mm256_unpacklo_pd(r2, zero), high2 = _mm256_unpackhi_pd(r2, zero);
    const __m256d c0 = _mm256_permute2f128_pd(low01, low2, 0x20), c1 = _mm256_permute2f128_pd(high01, high2, 0x20),
                  c2 = _mm256_permute2f128_pd(low01, low2, 0x31);
    return _mm256_add_pd(_mm256_add_pd(c0, c1), c2);
}

/// How the blocks of rows are reached.
enum class Reach
{
    Gaps,  ///< those left of the diagonal are between them
    Contiguous,
    Streaming  ///< the same, from memory
};

/// Gives the blocks of a row right of the diagonal.
template <Reach reach>
struct Blocks
{
    const double *block, *next;  ///< what comes next, and what is fetched ahead

    SOFA_AVX2 Block3 take()
    {
        const Block3 b = blockAt(block);
        block += 9;
        if constexpr (reach == Reach::Gaps) _mm_prefetch(next += 9, _MM_HINT_T0);
        if constexpr (reach == Reach::Streaming) _mm_prefetch(block + 400, _MM_HINT_T0);
        return b;
    }
};

// Rows of a block take the lanes 0, 1, 2 of one register; lane 3 has what comes next in memory, which lands in the
// unused fourth number of a point and is cleared at the end of its row. The last row of a diagonal block, behind which
// the matrix may end, is loaded with what is before it.
template <Reach reach>
[[gnu::target("avx2,fma")]] double rowsAvx2(const Input& in, std::size_t first, std::size_t last, double* window)
{
    // Copies, which need not be read again after each store.
    const int *const rowEnd = in.rowEnd, *const colIdx = in.colIdx, *const diagonals = in.diagonal;
    const double *const values = in.values, *const x = in.x;
    window -= 4 * first;
    const __m256d zero = _mm256_setzero_pd();
    __m256d products[2] = {zero, zero};
    const int* column = colIdx + diagonals[first];
    const double* b = values + 9 * static_cast<std::size_t>(diagonals[first]);
    for (std::size_t i = first; i < last; ++i) {
        const double* next = nullptr;
        if constexpr (reach == Reach::Gaps) {
            column = colIdx + diagonals[i];
            b = values + 9 * static_cast<std::size_t>(diagonals[i]);
            // Blocks of the row after the next are on their way.
            next = values + 9 * static_cast<std::size_t>(diagonals[std::min(i + 2, last - 1)]);
            _mm_prefetch(next, _MM_HINT_T0);
        }
        const double* xi = x + 4 * i;
        const Point3 own{_mm256_broadcast_sd(xi), _mm256_broadcast_sd(xi + 1), _mm256_broadcast_sd(xi + 2)};
        const __m256d point = _mm256_loadu_pd(xi);
        const Block3 d{_mm256_loadu_pd(b), _mm256_loadu_pd(b + 3), _mm256_permute4x64_pd(_mm256_loadu_pd(b + 5), 0x39)};
        Row3 even{_mm256_mul_pd(d.b0, point), _mm256_mul_pd(d.b1, point), _mm256_mul_pd(d.b2, point)};
        Row3 odd{zero, zero, zero};
        Blocks<reach> blocks{b + 9, next};
        const int* const end = colIdx + rowEnd[i];
        for (++column; column + 1 < end; column += 2) {
            const std::size_t j = 4 * static_cast<std::size_t>(column[0]), k = 4 * static_cast<std::size_t>(column[1]);
            addBlock(odd, blocks.take(), own, x + j, window + j);
            addBlock(even, blocks.take(), own, x + k, window + k);
        }
        if (column < end) {
            const std::size_t j = 4 * static_cast<std::size_t>(*column++);
            addBlock(odd, blocks.take(), own, x + j, window + j);
        }
        b = blocks.block;
        double* to = window + 4 * i;
        const __m256d row =
            columnSums(_mm256_add_pd(even.r0, odd.r0), _mm256_add_pd(even.r1, odd.r1), _mm256_add_pd(even.r2, odd.r2));
        const __m256d result = _mm256_blend_pd(_mm256_add_pd(_mm256_loadu_pd(to), row), zero, 8);
        _mm256_storeu_pd(to, result);
        __m256d& p = products[(i - first) & 1];
        p = _mm256_fmadd_pd(point, result, p);
    }
    alignas(32) double p[4];
    _mm256_store_pd(p, _mm256_add_pd(products[0], products[1]));
    return p[0] + p[1] + p[2];
}

#undef SOFA_AVX2

#endif

}  // namespace

bool SymmetricProduct::findGroup(const BlockCsrMatrix& a, std::size_t group)
{
    const auto ends = a.rowEnds(), columns = a.colIdx(), diagonals = a.diagonals();
    const std::size_t first = group * BlockCsrMatrix::rowGroup,
                      last = std::min(first + BlockCsrMatrix::rowGroup, static_cast<std::size_t>(a.blockRows()));
    Group& g = m_groups[group];
    m_half -= g.blocks;
    g = {};
    for (std::size_t i = first; i < last; ++i) {
        if (diagonals[i] < 0) return false;
        g.blocks += static_cast<std::uint32_t>(ends[i] - diagonals[i]);
        g.end = std::max(g.end, static_cast<std::uint32_t>(columns[static_cast<std::size_t>(ends[i]) - 1]) + 1);
    }
    m_half += g.blocks;
    return true;
}

void SymmetricProduct::analyse(const BlockCsrMatrix& a)
{
    m_suits = m_prefersUpper = false;
    if (a.blockSize() != 3 || a.blockRows() != a.blockCols() || a.blockRows() == 0) return;
    const auto n = static_cast<std::size_t>(a.blockRows());
    const bool follows = &a == m_matrix && a.patternId() == m_patternId && m_isComplete;
    if (!follows) {
        m_groups.clear();
        m_half = 0;
    }
    const std::size_t groups = (n + BlockCsrMatrix::rowGroup - 1) / BlockCsrMatrix::rowGroup, before = m_groups.size();
    for (std::size_t g = groups; g < before; ++g) m_half -= m_groups[g].blocks;
    m_groups.resize(groups);
    m_isComplete = true;
    const auto isChanged = [&](std::size_t g) { return !follows || g >= before || a.changedSince(g, m_changes); };
    for (std::size_t g = 0; g < groups && m_isComplete; ++g)
        if (isChanged(g)) m_isComplete = findGroup(a, g);
    if (!m_isComplete) return;

    // Windows may take as much memory as the values.
    std::vector<Chunk> last = std::move(m_chunks);
    if (!follows) last.clear();
    const std::size_t most = m_half * 9 / 4;
    std::size_t windows = cut(n, mostChunks);
    if (windows > most) windows = cut(n, fewChunks);
    if (windows <= most) {
        // What they cost, about six numbers for each point that is used, against the half of the values that is saved.
        std::size_t used = m_chunks[0].end;
        Vector<char> pages(n / pagePoints + 1, 0);
        auto known = last.begin();
        for (std::size_t c = 1; c < m_chunks.size(); ++c) {
            Chunk& chunk = m_chunks[c];
            while (known != last.end() && known->first < chunk.first) ++known;
            bool changed = known == last.end() || known->first != chunk.first || known->last != chunk.last;
            for (std::size_t g = chunk.first / BlockCsrMatrix::rowGroup;
                 !changed && g * BlockCsrMatrix::rowGroup < chunk.last; ++g)
                changed = isChanged(g);
            if (changed)
                findUsed(chunk, a, pages);
            else
                chunk.used = std::move(known->used);
            for (const Run& r : chunk.used) used += r.last - r.first;
        }
        m_prefersUpper = m_chunks.size() == 1 || used * 6 < (m_half - n) * 9 / 2;
    }
    m_patternId = a.patternId();
    m_changes = a.changes();
    m_suits = m_prefersUpper &&
              (m_stored == Stored::Upper || a.blockCount() <= cachedBlocks || a.blockCount() >= longRow * n);
    if (!m_suits) return;
    for (Vector<double>* v : {&m_x, &m_y}) {
        v->resize(4 * (n + 1));
        std::fill(v->end() - 4, v->end(), 0.);
    }
    m_windows.resize(4 * windows);
}

std::size_t SymmetricProduct::cut(std::size_t rows, std::size_t most)
{
    const std::size_t pieces = std::clamp<std::size_t>(m_half / chunkBlocks, 1, most);
    // Rounded, so that chunks stay when some blocks come and go.
    const std::size_t perChunk =
        ((m_half + pieces - 1) / pieces + chunkBlocks / 8 - 1) / (chunkBlocks / 8) * (chunkBlocks / 8);
    m_chunks.clear();
    std::size_t first = 0, blocks = 0, end = 0, offset = 0;
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        blocks += m_groups[g].blocks;
        end = std::max<std::size_t>(end, m_groups[g].end);
        if (blocks < perChunk && g + 1 < m_groups.size()) continue;
        const std::size_t last = std::min((g + 1) * BlockCsrMatrix::rowGroup, rows);
        m_chunks.push_back({first, last, end, offset, {}});
        if (first > 0) offset += end - first;
        first = last;
        blocks = 0;
        end = 0;
    }
    return offset;
}

void SymmetricProduct::findUsed(Chunk& chunk, const BlockCsrMatrix& a, Vector<char>& pages)
{
    const auto rowEnds = a.rowEnds(), colIdx = a.colIdx(), diagonals = a.diagonals();
    for (std::size_t i = chunk.first; i < chunk.last; ++i)
        for (int k = diagonals[i]; k < rowEnds[i]; ++k)
            pages[static_cast<std::size_t>(colIdx[static_cast<std::size_t>(k)]) / pagePoints] = 1;
    for (std::size_t page = chunk.first / pagePoints; page * pagePoints < chunk.end; ++page) {
        if (!std::exchange(pages[page], char{0})) continue;
        const Run run{std::max(page * pagePoints, chunk.first), std::min((page + 1) * pagePoints, chunk.end)};
        if (!chunk.used.empty() && chunk.used.back().last == run.first)
            chunk.used.back().last = run.last;
        else
            chunk.used.push_back(run);
    }
}

void SymmetricProduct::prepare(const BlockCsrMatrix& a, std::uint64_t patternVersion, Stored stored)
{
    m_usesUpper = false;
    if (stored == Stored::Any) {
        m_prefersUpper = false;
        return;
    }
    if (&a != m_matrix || patternVersion != m_version || stored != m_stored) {
        m_stored = stored;
        analyse(a);
    }
    m_matrix = &a;
    m_version = patternVersion;
    m_usesUpper = m_suits;
}

double SymmetricProduct::addChunks(const BlockCsrMatrix& a, const double* x, double* y)
{
    const Input in{a.rowEnds().data(), a.colIdx().data(), a.diagonals().data(), a.values().data(), x};
    auto* kernel = rowsScalar;
#if defined(__x86_64__)
    if (simdLevel() != SimdLevel::scalar)
        kernel = m_stored != Stored::Upper || a.hasGaps() ? rowsAvx2<Reach::Gaps>
                 : 8 * a.nonZeros() > streamedBytes       ? rowsAvx2<Reach::Streaming>
                                                          : rowsAvx2<Reach::Contiguous>;
#endif
    const auto addChunk = [&](const Chunk& chunk) {
        if (chunk.first == 0) {
            std::fill_n(y, 4 * chunk.end, 0.);
            return kernel(in, 0, chunk.last, y);
        }
        double* const window = m_windows.data() + 4 * chunk.offset;
        for (const Run& r : chunk.used)
            std::fill(window + 4 * (r.first - chunk.first), window + 4 * (r.last - chunk.first), 0.);
        return kernel(in, chunk.first, chunk.last, window);
    };
    if (m_chunks.size() == 1) return addChunk(m_chunks[0]);
    parallelFor(0, m_chunks.size(), 1, [&](std::size_t from, std::size_t to) {
        for (std::size_t c = from; c < to; ++c) (void)addChunk(m_chunks[c]);
    });
    return 0.;
}

void SymmetricProduct::mergeWindows(double* y)
{
    const std::size_t n = m_x.size() / 4 - 1, reached = m_chunks[0].end;
    parallelFor(m_chunks[0].last, n, rowGrain, [&](std::size_t first, std::size_t last) {
        if (reached < last) {
            const std::size_t begin = std::max(first, reached);
            std::fill(y + 4 * begin, y + 4 * last, 0.);
        }
        // Chunks begin one after the other; those before the one of a row may reach it.
        for (std::size_t c = 1; c < m_chunks.size() && m_chunks[c].first < last; ++c) {
            const Chunk& chunk = m_chunks[c];
            auto run = std::ranges::upper_bound(chunk.used, first, {}, &Run::last);
            for (; run != chunk.used.end() && run->first < last; ++run) {
                const std::size_t begin = std::max(first, run->first), end = std::min(last, run->last);
                merge(m_windows.data() + 4 * (chunk.offset + begin - chunk.first), y + 4 * begin, end - begin);
            }
        }
    });
}

double SymmetricProduct::multiplyPadded(const BlockCsrMatrix& a, const Vector<double>& x, Vector<double>& y)
{
    if (!m_usesUpper || x.size() != m_x.size() || y.size() != m_x.size() ||
        m_x.size() != 4 * (static_cast<std::size_t>(a.blockRows()) + 1))
        throw std::runtime_error("SymmetricProduct::multiplyPadded: vectors of " + std::to_string(x.size()) + " and " +
                                 std::to_string(y.size()) + " numbers do not fit a matrix of " +
                                 std::to_string(a.blockRows()) + " rows of blocks, of which the half is known");
    const double product = addChunks(a, x.data(), y.data());
    if (m_chunks.size() == 1) return product;
    mergeWindows(y.data());
    return vector::dot(x, y);
}

void SymmetricProduct::multiply(const BlockCsrMatrix& a, const Vector<double>& x, Vector<double>& y)
{
    const auto n = 3 * static_cast<std::size_t>(a.blockRows());
    if (!m_usesUpper && m_stored == Stored::Upper && &a == m_matrix)
        throw std::runtime_error(
            "SymmetricProduct::multiply: half of a matrix of a pattern whose products need the whole");
    if (!m_usesUpper || x.size() != n || y.size() != n || m_x.size() != 4 * (n / 3 + 1)) return a.multiply(x, y);
    pad(x.data(), m_x);
    (void)multiplyPadded(a, m_x, m_y);
    unpad(m_y, y.data());
}

void SymmetricProduct::pad(const double* x, Vector<double>& padded) const
{
    padded.resize(m_x.size());
    parallelFor(0, m_x.size() / 4 - 1, rowGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            for (std::size_t c = 0; c < 4; ++c) padded[4 * i + c] = c < 3 ? x[3 * i + c] : 0.;
    });
    std::fill(padded.end() - 4, padded.end(), 0.);
}

void SymmetricProduct::unpad(const Vector<double>& padded, double* x) const
{
    parallelFor(0, m_x.size() / 4 - 1, rowGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            for (std::size_t c = 0; c < 3; ++c) x[3 * i + c] = 0. + padded[4 * i + c];
    });
}

}  // namespace sofa::core
