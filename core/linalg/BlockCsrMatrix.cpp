// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockCsrMatrix.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>

#include "core/math/Reuse.h"
#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

/// What a row kernel needs of the matrix.
struct RowKernelInput
{
    const int* rowPtr;
    const int* colIdx;
    const double* values;
    const double* x;
    double* y;
    double s;
};

template <bool Add>
inline void store(double& y, double sum, double s)
{
    if constexpr (Add)
        y += s * sum;
    else
        y = sum;
}

template <int B, bool Add>
void rowsScalar(const RowKernelInput& in, std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i < end; ++i) {
        double acc[2][B][B] = {};
        const int first = in.rowPtr[i];
        for (int k = first; k < in.rowPtr[i + 1]; ++k) {
            const double* a = in.values + static_cast<std::size_t>(k) * (B * B);
            const double* x = in.x + static_cast<std::size_t>(in.colIdx[k]) * B;
            auto& s = acc[(k - first) & 1];
            for (int r = 0; r < B; ++r)
                for (int j = 0; j < B; ++j) s[r][j] += a[r * B + j] * x[j];
        }
        for (int r = 0; r < B; ++r) {
            double sum = acc[0][r][0] + acc[1][r][0];
            for (int j = 1; j < B; ++j) sum += acc[0][r][j] + acc[1][r][j];
            store<Add>(in.y[i * B + static_cast<std::size_t>(r)], sum, in.s);
        }
    }
}

#if defined(__x86_64__)

// The row r of a block times x takes the lanes 0, 1, 2 of one register; lane 3 has whatever comes next in memory and is
// dropped. Only the last block of a row may be the last one of the matrix, or meet the last numbers of x, so that there
// nothing may be read beyond: it is loaded under a mask. Multiplication and addition stay separate, so the rounding is
// that of the scalar code. Registers of eight lanes would be slower: two ports instead of three take them.

/// Accumulators of the three rows of a block row, of its even or its odd blocks.
struct Row3Avx2
{
    __m256d r0, r1, r2;
};

[[gnu::target("avx2"), gnu::always_inline]] inline void addBlock3(Row3Avx2& s, const double* a, const double* x)
{
    const __m256d v = _mm256_loadu_pd(x);
    s.r0 = _mm256_add_pd(s.r0, _mm256_mul_pd(_mm256_loadu_pd(a), v));
    s.r1 = _mm256_add_pd(s.r1, _mm256_mul_pd(_mm256_loadu_pd(a + 3), v));
    s.r2 = _mm256_add_pd(s.r2, _mm256_mul_pd(_mm256_loadu_pd(a + 6), v));
}
[[gnu::target("avx2"), gnu::always_inline]] inline void addLastBlock3(Row3Avx2& s, const double* a, const double* x)
{
    const __m256i three = _mm256_set_epi64x(0, -1, -1, -1);
    const __m256d v = _mm256_maskload_pd(x, three);
    s.r0 = _mm256_add_pd(s.r0, _mm256_mul_pd(_mm256_loadu_pd(a), v));
    s.r1 = _mm256_add_pd(s.r1, _mm256_mul_pd(_mm256_loadu_pd(a + 3), v));
    s.r2 = _mm256_add_pd(s.r2, _mm256_mul_pd(_mm256_maskload_pd(a + 6, three), v));
}
/// The first three lanes of a + b, from the left.
[[gnu::target("avx2"), gnu::always_inline]] inline double sum3(__m256d a, __m256d b)
{
    const __m256d s = _mm256_add_pd(a, b);
    const __m128d low = _mm256_castpd256_pd128(s);
    return _mm_cvtsd_f64(low) + _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)) + _mm_cvtsd_f64(_mm256_extractf128_pd(s, 1));
}

/// Values are fetched into the first-level cache this many numbers ahead: a fifth faster for matrices that the second
/// level holds, and no slower for larger ones.
constexpr std::size_t ahead = 384;

template <bool Add>
[[gnu::target("avx2")]] void rows3Avx2(const RowKernelInput& in, std::size_t begin, std::size_t end)
{
    const double* const x = in.x;
    const int* const columns = in.colIdx;
    for (std::size_t i = begin; i < end; ++i) {
        const __m256d zero = _mm256_setzero_pd();
        Row3Avx2 even{zero, zero, zero}, odd = even;
        std::size_t k = static_cast<std::size_t>(in.rowPtr[i]);
        const auto last = static_cast<std::size_t>(in.rowPtr[i + 1]);
        const double* a = in.values + k * 9;
        for (; k + 2 < last; k += 2, a += 18) {
            _mm_prefetch(a + ahead, _MM_HINT_T0);
            _mm_prefetch(a + ahead + 8, _MM_HINT_T0);
            addBlock3(even, a, x + static_cast<std::size_t>(columns[k]) * 3);
            addBlock3(odd, a + 9, x + static_cast<std::size_t>(columns[k + 1]) * 3);
        }
        if (k + 1 < last) {
            addBlock3(even, a, x + static_cast<std::size_t>(columns[k]) * 3);
            addLastBlock3(odd, a + 9, x + static_cast<std::size_t>(columns[k + 1]) * 3);
        } else if (k < last) {
            addLastBlock3(even, a, x + static_cast<std::size_t>(columns[k]) * 3);
        }
        double* y = in.y + i * 3;
        store<Add>(y[0], sum3(even.r0, odd.r0), in.s);
        store<Add>(y[1], sum3(even.r1, odd.r1), in.s);
        store<Add>(y[2], sum3(even.r2, odd.r2), in.s);
    }
}

/// Blocks of 2 × 2 are one register, with rows 0 and 1 in its halves.
[[gnu::target("avx2"), gnu::always_inline]] inline void addBlock2(__m256d& sum, const double* a, const double* x)
{
    const __m256d v = _mm256_broadcast_pd(reinterpret_cast<const __m128d*>(x));
    sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_loadu_pd(a), v));
}

template <bool Add>
[[gnu::target("avx2")]] void rows2Avx2(const RowKernelInput& in, std::size_t begin, std::size_t end)
{
    for (std::size_t i = begin; i < end; ++i) {
        __m256d even = _mm256_setzero_pd(), odd = even;
        const auto first = static_cast<std::size_t>(in.rowPtr[i]), last = static_cast<std::size_t>(in.rowPtr[i + 1]);
        const auto point = [&](std::size_t k) { return in.x + static_cast<std::size_t>(in.colIdx[k]) * 2; };
        std::size_t k = first;
        for (; k + 1 < last; k += 2) {
            addBlock2(even, in.values + 4 * k, point(k));
            addBlock2(odd, in.values + 4 * k + 4, point(k + 1));
        }
        if (k < last) addBlock2(even, in.values + 4 * k, point(k));
        double sums[4];
        _mm256_storeu_pd(sums, _mm256_add_pd(even, odd));
        store<Add>(in.y[2 * i], sums[0] + sums[1], in.s);
        store<Add>(in.y[2 * i + 1], sums[2] + sums[3], in.s);
    }
}

#endif

using RowKernel = void (*)(const RowKernelInput&, std::size_t, std::size_t);

template <bool Add>
RowKernel rowKernel(int blockSize)
{
    switch (blockSize) {
        case 1:
            return rowsScalar<1, Add>;
        case 2:
            return SOFA_OF_SIMD_LEVEL((rowsScalar<2, Add>), rows2Avx2<Add>, rows2Avx2<Add>);
        case 6:
            return rowsScalar<6, Add>;
        default:
            return SOFA_OF_SIMD_LEVEL((rowsScalar<3, Add>), rows3Avx2<Add>, rows3Avx2<Add>);
    }
}

void writeNumber(std::ostream& out, double v)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, v).ptr;
    out.write(text, end - text);
}

/// Rows per parallel chunk, so that a chunk streams some hundreds of kilobytes.
std::size_t rowGrain(std::size_t rows, std::size_t scalars)
{
    constexpr std::size_t scalarsPerChunk = 1 << 16;
    return std::max<std::size_t>(16, rows * scalarsPerChunk / std::max<std::size_t>(scalars, 1));
}

}  // namespace

BlockCsrMatrix::BlockCsrMatrix(int blockRows, int blockCols, int blockSize, std::span<const int> rowPtr,
                               std::span<const int> colIdx, Values values)
    : m_blockRows(blockRows),
      m_blockCols(blockCols),
      m_blockSize(blockSize),
      m_rowPtr(rowPtr.begin(), rowPtr.end()),
      m_colIdx(colIdx.begin(), colIdx.end())
{
    checkPattern();
    makeValues(values);
}

void BlockCsrMatrix::makeValues(Values values)
{
    if (values == Values::None)
        m_values.clear();
    else if (values == Values::Zero || nonZeros() > m_values.capacity())
        setZero();
    else
        m_values.resize(nonZeros());
}

void BlockCsrMatrix::setPattern(int blockRows, int blockCols, int blockSize, Vector<int>& rowPtr, Vector<int>& colIdx,
                                Values values)
{
    m_blockRows = blockRows;
    m_blockCols = blockCols;
    m_blockSize = blockSize;
    m_rowPtr.swap(rowPtr);
    m_colIdx.swap(colIdx);
    m_rowEnd.clear();
    m_capacity.clear();
    checkPattern();
    makeValues(values);
}

void BlockCsrMatrix::checkPattern()
{
    static std::atomic<std::uint64_t> last{0};
    m_patternId = ++last;
    m_changes = 0;
    m_changedAt.clear();
    const auto fail = [](const std::string& why) { throw std::runtime_error("BlockCsrMatrix: " + why); };
    if (m_blockSize != 1 && m_blockSize != 2 && m_blockSize != 3 && m_blockSize != 6)
        fail("block size " + std::to_string(m_blockSize) + " is not one of 1, 2, 3, 6");
    if (m_blockRows < 0 || m_blockCols < 0) fail("negative size");
    if (m_rowPtr.size() != static_cast<std::size_t>(m_blockRows) + 1)
        fail("rowPtr has " + std::to_string(m_rowPtr.size()) + " entries, expected " + std::to_string(m_blockRows + 1));
    if (m_rowPtr.front() != 0 || static_cast<std::size_t>(m_rowPtr.back()) != m_colIdx.size())
        fail("rowPtr does not span colIdx");
    if (!std::ranges::is_sorted(m_rowPtr)) fail("rowPtr decreases");
    makeRoom(m_diagonal, static_cast<std::size_t>(m_blockRows));
    m_diagonal.resize(static_cast<std::size_t>(m_blockRows), -1);
    for (int i = 0; i < m_blockRows; ++i) {
        const auto r = static_cast<std::size_t>(i);
        int previous = -1;
        for (int k = m_rowPtr[r]; k < m_rowPtr[r + 1]; ++k) {
            const int c = m_colIdx[static_cast<std::size_t>(k)];
            if (c <= previous || c >= m_blockCols)
                fail("columns of row " + std::to_string(i) + " are not increasing or out of range");
            previous = c;
            if (c == i) m_diagonal[r] = k;
        }
    }
}

int BlockCsrMatrix::find(int i, int j) const
{
    const int* begin = m_colIdx.data() + rowStarts()[static_cast<std::size_t>(i)];
    const int* end = m_colIdx.data() + rowEnds()[static_cast<std::size_t>(i)];
    const int* p = std::lower_bound(begin, end, j);
    return p != end && *p == j ? static_cast<int>(p - m_colIdx.data()) : -1;
}

void BlockCsrMatrix::throwGaps() { throw std::logic_error("BlockCsrMatrix: rows have gaps"); }

void BlockCsrMatrix::loosen()
{
    if (hasGaps()) return;
    m_rowEnd.assign(m_rowPtr.begin() + 1, m_rowPtr.end());
    m_capacity.resize(m_rowEnd.size());
    for (std::size_t i = 0; i < m_rowEnd.size(); ++i) m_capacity[i] = m_rowEnd[i] - m_rowPtr[i];
    m_count = m_colIdx.size();
}

void BlockCsrMatrix::setRow(int i, std::span<const int> columns)
{
    loosen();
    const auto r = static_cast<std::size_t>(i);
    if (m_changedAt.size() <= r / rowGroup) m_changedAt.resize(r / rowGroup + 1, 0);
    m_changedAt[r / rowGroup] = ++m_changes;
    const auto area = blockArea();
    const auto count = static_cast<int>(columns.size());
    const auto from = static_cast<std::size_t>(m_rowPtr[r]), had = static_cast<std::size_t>(m_rowEnd[r]) - from;
    m_count += columns.size() - had;
    Vector<int> keptColumns;
    Vector<double> keptValues;
    if (count > m_capacity[r]) {
        m_rowPtr[r] = static_cast<int>(m_colIdx.size());
        m_capacity[r] = count + count / 4 + 1;
        const std::size_t size = m_colIdx.size() + static_cast<std::size_t>(m_capacity[r]);
        if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw std::runtime_error("BlockCsrMatrix: more than 2^31 blocks");
        if (size > m_colIdx.capacity() || size * area > m_values.capacity()) {
            m_colIdx.reserve(size + size / 8);
            m_values.reserve((size + size / 8) * area);
        }
        m_colIdx.resize(size);
        m_values.resize(size * area);
    } else {  // what is written over
        keptColumns.assign(m_colIdx.data() + from, m_colIdx.data() + from + had);
        keptValues.assign(block(from), block(from + had));
    }
    const bool moved = keptColumns.empty();
    const int* const before = moved ? m_colIdx.data() + from : keptColumns.data();
    const double* const values = moved ? block(from) : keptValues.data();
    m_rowEnd[r] = m_rowPtr[r] + count;
    m_diagonal[r] = -1;
    const int* old = before;
    int k = m_rowPtr[r];
    for (const int column : columns) {
        if (column == i) m_diagonal[r] = k;
        old = std::lower_bound(old, before + had, column);
        double* const to = block(static_cast<std::size_t>(k));
        if (old != before + had && *old == column)
            std::copy_n(values + static_cast<std::size_t>(old - before) * area, area, to);
        else
            std::fill_n(to, area, 0.);
        m_colIdx[static_cast<std::size_t>(k++)] = column;
    }
}

void BlockCsrMatrix::resizeSquare(int blockRows)
{
    const int before = m_blockRows;
    if (blockRows == before) return;
    loosen();
    const auto n = static_cast<std::size_t>(blockRows);
    if (n < m_rowEnd.size()) {  // the group of the last row has others
        m_changedAt.resize((n + rowGroup - 1) / rowGroup, 0);
        if (n > 0) m_changedAt.back() = ++m_changes;
    }
    for (std::size_t r = n; r < m_rowEnd.size(); ++r) m_count -= static_cast<std::size_t>(m_rowEnd[r] - m_rowPtr[r]);
    m_blockRows = m_blockCols = blockRows;
    m_rowPtr.resize(n + 1, 0);
    m_rowEnd.resize(n, 0);
    m_capacity.resize(n, 0);
    m_diagonal.resize(n, -1);
    for (int i = before; i < blockRows; ++i) {
        m_rowPtr[static_cast<std::size_t>(i)] = 0;
        setRow(i, {&i, 1});
    }
    if (n == 0) pack();
}

void BlockCsrMatrix::pack()
{
    if (!hasGaps()) return;
    // With room for rows that change later.
    Vector<int> columns;
    Vector<double> values;
    columns.reserve(m_count + m_count / 8);
    values.reserve((m_count + m_count / 8) * blockArea());
    columns.resize(m_count);
    values.resize(m_count * blockArea());
    std::size_t end = 0;
    for (std::size_t r = 0; r < m_rowEnd.size(); ++r) {
        const auto first = static_cast<std::size_t>(m_rowPtr[r]), count = static_cast<std::size_t>(m_rowEnd[r]) - first;
        std::copy_n(m_colIdx.data() + first, count, columns.data() + end);
        std::copy_n(block(first), count * blockArea(), values.data() + end * blockArea());
        if (m_diagonal[r] >= 0) m_diagonal[r] += static_cast<int>(end) - m_rowPtr[r];
        m_rowPtr[r] = static_cast<int>(end);
        end += count;
    }
    m_rowPtr[m_rowEnd.size()] = static_cast<int>(end);
    m_colIdx.swap(columns);
    m_values.swap(values);
    m_rowEnd.clear();
    m_capacity.clear();
}

BlockCsrMatrix BlockCsrMatrix::upperPattern() const
{
    Vector<int> start{0}, columns;
    for (std::size_t i = 0; i < m_diagonal.size(); ++i) {
        if (m_diagonal[i] < 0)
            throw std::runtime_error("BlockCsrMatrix::upperPattern: row " + std::to_string(i) +
                                     " has no block on the diagonal");
        columns.insert(columns.end(), m_colIdx.begin() + m_diagonal[i], m_colIdx.begin() + rowEnds()[i]);
        start.push_back(static_cast<int>(columns.size()));
    }
    return {m_blockRows, m_blockCols, m_blockSize, start, columns};
}

double BlockCsrMatrix::value(int row, int col) const
{
    if (row < 0 || row >= rows() || col < 0 || col >= cols())
        throw std::runtime_error("BlockCsrMatrix: entry (" + std::to_string(row) + ", " + std::to_string(col) +
                                 ") is outside a matrix of " + std::to_string(rows()) + " × " + std::to_string(cols()));
    const int k = find(row / m_blockSize, col / m_blockSize);
    if (k < 0) return 0.;
    return block(static_cast<std::size_t>(k))[(row % m_blockSize) * m_blockSize + col % m_blockSize];
}

void BlockCsrMatrix::setZero()
{
    const std::size_t size = m_colIdx.size() * blockArea();
    makeRoom(m_values, size);
    m_values.resize(size);
}

void BlockCsrMatrix::checkSizes(std::size_t x, std::size_t y, int expectedX, int expectedY) const
{
    if (x != static_cast<std::size_t>(expectedX) || y != static_cast<std::size_t>(expectedY))
        throw std::runtime_error("BlockCsrMatrix: product of a " + std::to_string(rows()) + " × " +
                                 std::to_string(cols()) + " matrix: vectors of sizes " + std::to_string(x) + " and " +
                                 std::to_string(y) + ", expected " + std::to_string(expectedX) + " and " +
                                 std::to_string(expectedY));
}

template <bool Add>
void BlockCsrMatrix::product(const double* x, double* y, double s) const
{
    const RowKernelInput in{rowPtr().data(), m_colIdx.data(), m_values.data(), x, y, s};
    const RowKernel kernel = rowKernel<Add>(m_blockSize);
    const auto n = static_cast<std::size_t>(m_blockRows);
    parallelFor(0, n, rowGrain(n, m_values.size()), [&](std::size_t b, std::size_t e) { kernel(in, b, e); });
}

void BlockCsrMatrix::multiply(std::span<const double> x, std::span<double> y) const
{
    checkSizes(x.size(), y.size(), cols(), rows());
    product<false>(x.data(), y.data(), 1.);
}

void BlockCsrMatrix::addMultiply(std::span<const double> x, std::span<double> y, double s) const
{
    checkSizes(x.size(), y.size(), cols(), rows());
    product<true>(x.data(), y.data(), s);
}

void BlockCsrMatrix::addTransposeMultiply(std::span<const double> x, std::span<double> y, double s) const
{
    checkSizes(x.size(), y.size(), rows(), cols());
    const auto n = static_cast<std::size_t>(m_blockSize);
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_blockRows); ++i)
        for (int k = rowPtr()[i]; k < rowPtr()[i + 1]; ++k) {
            const double* a = block(static_cast<std::size_t>(k));
            double* out = y.data() + static_cast<std::size_t>(m_colIdx[static_cast<std::size_t>(k)]) * n;
            for (std::size_t r = 0; r < n; ++r) {
                const double f = s * x[i * n + r];
                for (std::size_t c = 0; c < n; ++c) out[c] += f * a[r * n + c];
            }
        }
}

void BlockCsrMatrix::getDiagonal(std::span<double> d) const
{
    if (d.size() != static_cast<std::size_t>(rows()))
        throw std::runtime_error("BlockCsrMatrix::getDiagonal: vector of size " + std::to_string(d.size()) +
                                 ", expected " + std::to_string(rows()));
    const auto n = static_cast<std::size_t>(m_blockSize);
    for (std::size_t i = 0; i < m_diagonal.size(); ++i)
        for (std::size_t r = 0; r < n; ++r)
            d[i * n + r] = m_diagonal[i] < 0 ? 0. : block(static_cast<std::size_t>(m_diagonal[i]))[r * n + r];
}

double BlockCsrMatrix::frobeniusNorm() const
{
    const double sum = parallelSum(0, m_values.size(), 1 << 16, 0., [&](std::size_t b, std::size_t e) {
        double s = 0.;
        for (std::size_t k = b; k < e; ++k) s += m_values[k] * m_values[k];
        return s;
    });
    return std::sqrt(sum);
}

double BlockCsrMatrix::infinityNorm() const
{
    const auto n = static_cast<std::size_t>(m_blockSize);
    double largest = 0.;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m_blockRows); ++i)
        for (std::size_t r = 0; r < n; ++r) {
            double s = 0.;
            for (int k = rowPtr()[i]; k < rowPtr()[i + 1]; ++k)
                for (std::size_t c = 0; c < n; ++c) s += std::abs(block(static_cast<std::size_t>(k))[r * n + c]);
            if (!(s <= largest)) largest = s;
        }
    return largest;
}

double BlockCsrMatrix::asymmetry() const
{
    if (m_blockRows != m_blockCols) return std::numeric_limits<double>::infinity();
    const auto n = static_cast<std::size_t>(m_blockSize);
    double largest = 0.;
    for (int i = 0; i < m_blockRows; ++i)
        for (int k = rowPtr()[static_cast<std::size_t>(i)]; k < rowPtr()[static_cast<std::size_t>(i) + 1]; ++k) {
            const int t = find(m_colIdx[static_cast<std::size_t>(k)], i);
            const double* a = block(static_cast<std::size_t>(k));
            const double* b = t < 0 ? nullptr : block(static_cast<std::size_t>(t));
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t c = 0; c < n; ++c) {
                    const double d = std::abs(a[r * n + c] - (b ? b[c * n + r] : 0.));
                    if (!(d <= largest)) largest = d;
                }
        }
    return largest;
}

bool BlockCsrMatrix::isSymmetric(double tolerance) const { return asymmetry() <= tolerance * maxAbs(); }

double BlockCsrMatrix::maxAbs() const
{
    double largest = 0.;
    for (const double v : m_values)
        if (!(std::abs(v) <= largest)) {
            if (std::isnan(v)) return v;
            largest = std::abs(v);
        }
    return largest;
}

bool BlockCsrMatrix::isFinite() const
{
    return std::all_of(m_values.begin(), m_values.end(), [](double v) { return std::isfinite(v); });
}

void BlockCsrMatrix::writeMatrixMarket(std::ostream& out) const
{
    out << "%%MatrixMarket matrix coordinate real general\n" << rows() << ' ' << cols() << ' ' << nonZeros() << '\n';
    for (int i = 0; i < m_blockRows; ++i)
        for (int r = 0; r < m_blockSize; ++r)
            for (int k = rowPtr()[static_cast<std::size_t>(i)]; k < rowPtr()[static_cast<std::size_t>(i) + 1]; ++k)
                for (int c = 0; c < m_blockSize; ++c) {
                    out << i * m_blockSize + r + 1 << ' ' << m_colIdx[static_cast<std::size_t>(k)] * m_blockSize + c + 1
                        << ' ';
                    writeNumber(out, block(static_cast<std::size_t>(k))[r * m_blockSize + c]);
                    out << '\n';
                }
}

void BlockCsrMatrix::writeDense(std::ostream& out) const
{
    for (int r = 0; r < rows(); ++r)
        for (int c = 0; c < cols(); ++c) {
            writeNumber(out, value(r, c));
            out << (c + 1 < cols() ? ' ' : '\n');
        }
}

}  // namespace sofa::core
