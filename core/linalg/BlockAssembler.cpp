// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/BlockAssembler.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/parallel/Parallel.h"
#include "core/parallel/SimdLevel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sofa::core {

namespace {

constexpr int endOfRecord = -1;
constexpr int symmetricCall = -2;
constexpr int identitiesCall = -3;

/// What the sweep over a symmetric matrix needs.
struct SymmetricSweep
{
    const std::size_t* rowStart;  ///< of the pattern
    std::size_t entries;
    const std::uint32_t* packed;  ///< per entry, twice its pair, plus one if transposed
    PairBlocks pairs;
    double factor;
    const int *slots, *diagonals;
    const int* starts;  ///< per row, its first block
    double* values;
    bool upper;  ///< blocks left of the diagonal are left out
};

/// factor × the symmetric part of `sum`, to be added to the diagonal block.
inline double diagonalEntry(const SymmetricSweep& in, const double* sum, int i, int j)
{
    return in.factor * ((sum[3 * i + j] + sum[3 * j + i]) * 0.5);
}

/// How the blocks of a row of factor × a symmetric matrix go to the values of the matrix, one after the other.
///
/// Rows that have the blocks of the pattern and no others are set. The bits are those of adding to zeros.
class SetRow
{
public:
    static constexpr bool adds = false;
    SetRow(const SymmetricSweep& in, std::size_t v) : m_next(in.values + static_cast<std::size_t>(in.starts[v]) * 9) {}
    /// Where the block of entry k goes.
    double* block(std::size_t)
    {
        double* to = m_next;
        m_next += 9;
        return to;
    }
    /// Where that of the diagonal goes.
    double* diagonal(std::size_t) { return block(0); }

private:
    double* m_next;
};
/// Other rows are added to the blocks at the given slots.
class AddRow
{
public:
    static constexpr bool adds = true;
    AddRow(const SymmetricSweep& in, std::size_t) : m_in(in) {}
    double* block(std::size_t k) { return m_in.values + static_cast<std::size_t>(m_in.slots[k]) * 9; }
    double* diagonal(std::size_t v)
    {
        return m_in.diagonals[v] < 0 ? nullptr : m_in.values + static_cast<std::size_t>(m_in.diagonals[v]) * 9;
    }

private:
    const SymmetricSweep& m_in;
};

template <class Row>
void putRows(const SymmetricSweep& in, const RowList& rows)
{
    for (std::size_t r = rows.first; r < rows.last; ++r) {
        const std::size_t v = rows[r], end = in.rowStart[v + 1];
        Row row(in, v);
        double sum[9] = {};
        const auto put = [&](std::size_t k, const Mat3& b, bool isLeft) {
            double* to = isLeft && in.upper ? nullptr : row.block(k);
            for (std::size_t i = 0; i < 9; ++i) {
                sum[i] -= b.data()[i];
                if (to) to[i] = (Row::adds ? to[i] : 0.) + in.factor * b.data()[i];
            }
        };
        std::size_t k = in.rowStart[v];
        for (; k < end && (in.packed[k] & 1); ++k) put(k, in.pairs.at(in.packed[k] >> 1).transposed(), true);
        double* diagonal = row.diagonal(v);
        for (; k < end; ++k) put(k, in.pairs.at(in.packed[k] >> 1), false);
        for (int i = 0; diagonal && i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                diagonal[3 * i + j] = (Row::adds ? diagonal[3 * i + j] : 0.) + diagonalEntry(in, sum, i, j);
    }
}

#if defined(__x86_64__)

/// Blocks of the pairs of later entries are fetched this many entries ahead.
constexpr std::size_t ahead = 24;

/// to = (to or 0) + f × the block (low, high, corner).
template <class Row>
[[gnu::target("avx2")]] inline void putBlock(double* to, double factor, __m256d low, __m256d high, double corner)
{
    const __m256d f = _mm256_set1_pd(factor), zero = _mm256_setzero_pd();
    _mm256_storeu_pd(to, _mm256_add_pd(Row::adds ? _mm256_loadu_pd(to) : zero, _mm256_mul_pd(f, low)));
    _mm256_storeu_pd(to + 4, _mm256_add_pd(Row::adds ? _mm256_loadu_pd(to + 4) : zero, _mm256_mul_pd(f, high)));
    to[8] = (Row::adds ? to[8] : 0.) + factor * corner;
}

/// A block but for its last number.
struct BlockMost
{
    __m256d low, high;
};
[[gnu::target("avx2")]] inline BlockMost transposed(const BlockMost& b)
{
    return {_mm256_permute4x64_pd(_mm256_blend_pd(b.low, b.high, 4), 0x6c),
            _mm256_permute4x64_pd(_mm256_blend_pd(b.high, b.low, 4), 0x6c)};
}

template <class Row>
[[gnu::target("avx2")]] void putRowsAvx2(const SymmetricSweep& in, const RowList& rows)
{
    const __m256d zero = _mm256_setzero_pd();
    const std::size_t all = in.entries;
    for (std::size_t r = rows.first; r < rows.last; ++r) {
        const std::size_t v = rows[r];
        Row row(in, v);
        __m256d low = zero, high = zero;
        double corner = 0.;
        std::size_t k = in.rowStart[v];
        const std::size_t end = in.rowStart[v + 1];
        for (; k < end && (in.packed[k] & 1); ++k) {
            _mm_prefetch(in.pairs[in.packed[std::min(k + ahead, all - 1)] >> 1], _MM_HINT_T0);
            const double* b = in.pairs[in.packed[k] >> 1];
            const double last = in.pairs.corner(in.packed[k] >> 1);
            const BlockMost block = transposed({_mm256_loadu_pd(b), _mm256_loadu_pd(b + 4)});
            low = _mm256_sub_pd(low, block.low);
            high = _mm256_sub_pd(high, block.high);
            corner -= last;
            if (!in.upper) putBlock<Row>(row.block(k), in.factor, block.low, block.high, last);
        }
        double* diagonal = row.diagonal(v);
        for (; k < end; ++k) {
            const double* b = in.pairs[in.packed[k] >> 1];
            const double last = in.pairs.corner(in.packed[k] >> 1);
            const __m256d blockLow = _mm256_loadu_pd(b), blockHigh = _mm256_loadu_pd(b + 4);
            low = _mm256_sub_pd(low, blockLow);
            high = _mm256_sub_pd(high, blockHigh);
            corner -= last;
            putBlock<Row>(row.block(k), in.factor, blockLow, blockHigh, last);
        }
        if (!diagonal) continue;
        const BlockMost image = transposed({low, high});
        const __m256d half = _mm256_set1_pd(0.5);
        putBlock<Row>(diagonal, in.factor, _mm256_mul_pd(_mm256_add_pd(low, image.low), half),
                      _mm256_mul_pd(_mm256_add_pd(high, image.high), half), (corner + corner) * 0.5);
    }
}

template <class Row>
[[gnu::target("avx512f")]] inline void putBlock(double* to, double factor, __m512d most, double corner)
{
    const __m512d before = Row::adds ? _mm512_loadu_pd(to) : _mm512_setzero_pd();
    _mm512_storeu_pd(to, _mm512_add_pd(before, _mm512_mul_pd(_mm512_set1_pd(factor), most)));
    to[8] = (Row::adds ? to[8] : 0.) + factor * corner;
}

template <class Row>
[[gnu::target("avx512f")]] void putRowsAvx512(const SymmetricSweep& in, const RowList& rows)
{
    const __m512i transposed = _mm512_set_epi64(5, 2, 7, 4, 1, 6, 3, 0);
    const std::size_t all = in.entries;
    for (std::size_t r = rows.first; r < rows.last; ++r) {
        const std::size_t v = rows[r];
        Row row(in, v);
        __m512d most = _mm512_setzero_pd();
        double corner = 0.;
        std::size_t k = in.rowStart[v];
        const std::size_t end = in.rowStart[v + 1];
        for (; k < end && (in.packed[k] & 1); ++k) {
            _mm_prefetch(in.pairs[in.packed[std::min(k + ahead, all - 1)] >> 1], _MM_HINT_T0);
            const double last = in.pairs.corner(in.packed[k] >> 1);
            const __m512d block =
                _mm512_maskz_permutexvar_pd(0xff, transposed, _mm512_loadu_pd(in.pairs[in.packed[k] >> 1]));
            most = _mm512_sub_pd(most, block);
            corner -= last;
            if (!in.upper) putBlock<Row>(row.block(k), in.factor, block, last);
        }
        double* diagonal = row.diagonal(v);
        for (; k < end; ++k) {
            const double last = in.pairs.corner(in.packed[k] >> 1);
            const __m512d block = _mm512_loadu_pd(in.pairs[in.packed[k] >> 1]);
            most = _mm512_sub_pd(most, block);
            corner -= last;
            putBlock<Row>(row.block(k), in.factor, block, last);
        }
        if (!diagonal) continue;
        const __m512d image = _mm512_maskz_permutexvar_pd(0xff, transposed, most);
        putBlock<Row>(diagonal, in.factor, _mm512_mul_pd(_mm512_add_pd(most, image), _mm512_set1_pd(0.5)),
                      (corner + corner) * 0.5);
    }
}

#endif

#if defined(__x86_64__)

/// Writes `count` numbers, whole cache lines, by non-temporal stores.
[[gnu::target("avx2")]] void streamLinesAvx2(const double* from, double* to, std::size_t count)
{
    for (std::size_t k = 0; k < count; k += 4) _mm256_stream_pd(to + k, _mm256_load_pd(from + k));
}

[[gnu::target("avx512f")]] void streamLinesAvx512(const double* from, double* to, std::size_t count)
{
    for (std::size_t k = 0; k < count; k += 8) _mm512_stream_pd(to + k, _mm512_load_pd(from + k));
}

/// Sets rows in a buffer that the cache holds and writes whole cache lines of it by non-temporal stores: for matrices
/// that no cache holds, so that their old values need not be read. Nothing waits for these stores here (see
/// streamedBytes): a fence after each list of rows would cost as much as the stores.
template <void (*setThem)(const SymmetricSweep&, const RowList&),
          void (*streamLines)(const double*, double*, std::size_t)>
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
        streamLines(from + head, to + head, whole - head);
        std::copy_n(from + whole, count - whole, to + whole);
    }
}

#endif

using RowsFunction = void (*)(const SymmetricSweep&, const RowList&);

RowsFunction setRowsFunction([[maybe_unused]] std::size_t bytes)
{
#if defined(__x86_64__)
    if (bytes > streamedBytes)
        return ofSimdLevel<RowsFunction>(putRows<SetRow>, streamRows<putRowsAvx2<SetRow>, streamLinesAvx2>,
                                         streamRows<putRowsAvx512<SetRow>, streamLinesAvx512>);
#endif
    return SOFA_OF_SIMD_LEVEL(putRows<SetRow>, putRowsAvx2<SetRow>, putRowsAvx512<SetRow>);
}

RowsFunction addRowsFunction()
{
    return SOFA_OF_SIMD_LEVEL(putRows<AddRow>, putRowsAvx2<AddRow>, putRowsAvx512<AddRow>);
}

std::string place(int row, int col) { return "(" + std::to_string(row) + ", " + std::to_string(col) + ")"; }

}  // namespace

void BlockAssembler::begin(int nbScalarRows, int nbScalarCols, int blockSize)
{
    if (blockSize != 1 && blockSize != 2 && blockSize != 3 && blockSize != 6)
        throw std::runtime_error("BlockAssembler::begin: block size " + std::to_string(blockSize) +
                                 " is not one of 1, 2, 3, 6");
    if (nbScalarRows < 0 || nbScalarCols < 0 || nbScalarRows % blockSize != 0 || nbScalarCols % blockSize != 0)
        throw std::runtime_error("BlockAssembler::begin: " + std::to_string(nbScalarRows) + " × " +
                                 std::to_string(nbScalarCols) + " scalars cannot be cut into blocks of " +
                                 std::to_string(blockSize));
    const bool recordComplete = m_patternVersion != 0 && !(m_open && m_recording);
    m_open = true;
    m_isUpper = false;
    m_cursor = 0;
    m_eliminationCount = 0;
    m_recorded.clear();
    const bool upper = m_upperOnly && m_pairsOnly && blockSize == 3 && nbScalarRows == nbScalarCols;
    if (recordComplete && nbScalarRows == m_rows && nbScalarCols == m_cols && blockSize == m_blockSize &&
        (upper || !m_recordIsUpper)) {
        m_recording = false;
        m_zeroPending = true;
        if (upper && !m_recordIsUpper) useUpper();
        m_isUpper = m_recordIsUpper;
        m_values = (m_isUpper ? m_upper : m_matrix).values().data();
        return;
    }
    m_zeroPending = false;
    m_rows = nbScalarRows;
    m_cols = nbScalarCols;
    m_blockSize = blockSize;
    m_recording = true;
    m_record.clear();
    m_symmetric.clear();
    m_identities.clear();
}

void BlockAssembler::clearValues()
{
    for (std::size_t k = 0; k < m_cleared.size(); k += 2)
        std::fill(m_values + m_cleared[k], m_values + m_cleared[k + 1], 0.);
    m_zeroPending = false;
}

void BlockAssembler::startRecording()
{
    if (!m_open) throw std::runtime_error("BlockAssembler::add: called outside begin … end");
    if (m_zeroPending) clearValues();
    // What would have been written from here on has the values of the pass before.
    for (std::size_t k = m_cursor; k < recordedCalls(); ++k) {
        if (m_record[k].row != symmetricCall) continue;
        const Symmetric& s = m_symmetric[static_cast<std::size_t>(m_record[k].slot)];
        const auto [first, last] = valuesOf(s);
        if (s.writes) std::fill(m_values + first, m_values + last, 0.);
    }
    if (m_cursor > 0) complete();
    m_isUpper = false;
    // The entries before the cursor stay; their sums are in the matrix and are carried over by buildPattern.
    m_recording = true;
    m_record.resize(m_cursor);
    const auto calls = [&](int kind) {
        return static_cast<std::size_t>(std::ranges::count(m_record, kind, &Entry::row));
    };
    m_symmetric.resize(calls(symmetricCall));
    m_identities.resize(calls(identitiesCall));
}

void BlockAssembler::useUpper()
{
    m_upper = m_matrix.upperPattern();
    const auto diagonals = m_matrix.diagonals(), start = m_upper.rowPtr();
    const auto toUpper = [&](int& slot, std::size_t row) {
        slot = slot < diagonals[row] ? -1 : slot - diagonals[row] + start[row];
    };
    for (Entry& e : m_record)
        if (e.row >= 0) toUpper(e.slot, static_cast<std::size_t>(e.row / 3));
    for (Identities& s : m_identities)
        for (Entry& e : s.places) toUpper(e.slot, static_cast<std::size_t>(e.row / 3));
    for (Symmetric& s : m_symmetric) {
        int* slot = s.slots.data();
        for (const Entry& e : s.places) {
            const auto row = static_cast<std::size_t>(e.row / 3);
            toUpper(e.row == e.col ? s.diagonals[row - static_cast<std::size_t>(s.offset / 3)] : *slot++, row);
        }
    }
    m_recordIsUpper = true;
    findCleared();
}

void BlockAssembler::addScalarBlocks(int offset, const ScalarBlockMatrix& m, double factor)
{
    if (!m_recording) [[likely]] {
        const Entry& e = m_record[m_cursor];
        if (e.row == identitiesCall && e.col == offset && m_identities[static_cast<std::size_t>(e.slot)].id == m.id)
            [[likely]] {
            ++m_cursor;
            if (m_zeroPending) clearValues();
            const Entry* to = m_identities[static_cast<std::size_t>(e.slot)].places.data();
            const auto add = [this](int slot, double value) {
                double* v = m_values + static_cast<std::size_t>(slot) * 9;
                v[0] += value;
                v[4] += value;
                v[8] += value;
            };
            for (std::size_t k = 0; k < m.places.size(); ++k) {
                const double value = factor * m.values[k];
                const bool isMirrored = to->row != to->col;
                add(to++->slot, value);
                if (!isMirrored) continue;
                if (!m_isUpper) add(to->slot, value);
                ++to;
            }
            return;
        }
        startRecording();
    }
    if (!m_open) throw std::runtime_error("BlockAssembler::addScalarBlocks: called outside begin … end");
    if (m_blockSize != 3 || offset % 3 != 0) misaligned(offset, offset, 3, 3);
    m_record.push_back({identitiesCall, offset, static_cast<int>(m_identities.size())});
    Identities& s = m_identities.emplace_back();
    s.id = m.id;
    s.places.reserve(2 * m.places.size());
    for (std::size_t k = 0; k < m.places.size(); ++k) {
        const int row = offset + 3 * static_cast<int>(m.places[k].row),
                  col = offset + 3 * static_cast<int>(m.places[k].column);
        if (row < 0 || col < row || col + 3 > m_rows || col + 3 > m_cols)
            throw std::runtime_error(
                "BlockAssembler::addScalarBlocks: no block on or right of the diagonal of a matrix of " +
                std::to_string(m_rows) + " × " + std::to_string(m_cols) + " is at " + place(row, col));
        s.places.push_back({row, col, 0});
        if (row != col) s.places.push_back({col, row, 0});
        m_recorded.push_back(factor * m.values[k]);
    }
}

void BlockAssembler::addSymmetric(int offset, const SymmetricPattern& p, SymmetricSource& pairs, double factor)
{
    if (!m_recording) [[likely]] {
        const Entry& e = m_record[m_cursor];
        if (e.row == symmetricCall && e.col == offset && m_symmetric[static_cast<std::size_t>(e.slot)].id == p.id)
            [[likely]] {
            ++m_cursor;
            const Symmetric& to = m_symmetric[static_cast<std::size_t>(e.slot)];
            if (m_zeroPending) clearValues();
            const RowsFunction rows = to.writes ? setRowsFunction(8 * stored().nonZeros()) : addRowsFunction();
            const int* starts = stored().rowPtr().data() + offset / 3;
            pairs.forEachRows([&](const RowList& some, const PairBlocks& blocks) {
                rows({p.rowStart.data(), p.entries.size(), to.packed.data(), blocks, factor, to.slots.data(),
                      to.diagonals.data(), starts, m_values, m_isUpper},
                     some);
            });
            return;
        }
        startRecording();
    }
    recordSymmetric(offset, p, pairs, factor);
}

void BlockAssembler::recordSymmetric(int offset, const SymmetricPattern& p, SymmetricSource& pairs, double factor)
{
    if (!m_open) throw std::runtime_error("BlockAssembler::addSymmetric: called outside begin … end");
    const int size = 3 * static_cast<int>(p.rows());
    if (m_blockSize != 3 || offset % 3 != 0) misaligned(offset, offset, size, size);
    if (offset < 0 || offset + size > m_rows || offset + size > m_cols)
        throw std::runtime_error("BlockAssembler::addSymmetric: a matrix of " + std::to_string(size) +
                                 " scalars from " + place(offset, offset) + " on is outside one of " +
                                 std::to_string(m_rows) + " × " + std::to_string(m_cols));
    m_record.push_back({symmetricCall, offset, static_cast<int>(m_symmetric.size())});
    Symmetric& s = m_symmetric.emplace_back();
    s.id = p.id;
    s.offset = offset;
    s.rows = p.rows();
    s.rowStart = p.rowStart;
    s.factor = factor;
    s.places.reserve(p.entries.size() + p.rows());
    s.packed.resize(p.entries.size());
    std::size_t& pairCount = s.pairCount;
    for (std::size_t v = 0; v < p.rows(); ++v) {
        const std::size_t end = p.rowStart[v + 1];
        const int row = offset + 3 * static_cast<int>(v);
        bool hasDiagonal = p.rowStart[v] == end;  // rows without blocks have none there either
        for (std::size_t k = p.rowStart[v]; k < end; ++k) {
            const SymmetricPattern::Entry& e = p.entries[k];
            if (!e.transposed && !std::exchange(hasDiagonal, true)) s.places.push_back({row, row, 0});
            s.places.push_back({row, offset + 3 * static_cast<int>(e.column), 0});
            s.packed[k] = 2 * e.pair + e.transposed;
            pairCount = std::max<std::size_t>(pairCount, e.pair + std::size_t{1});
        }
        if (!hasDiagonal) s.places.push_back({row, row, 0});
    }
    // With room for masses, which mostly follow.
    if (const std::size_t wanted = m_recorded.size() + 9 * (pairCount + p.rows()); wanted > m_recorded.capacity())
        m_recorded.reserve(std::max(wanted, 2 * m_recorded.capacity()));
    m_recorded.resize(m_recorded.size() + 9 * pairCount);
    double* const to = m_recorded.data() + m_recorded.size() - 9 * pairCount;
    pairs.forEachRows([&](const RowList& rows, const PairBlocks& blocks) {
        for (std::size_t r = rows.first; r < rows.last; ++r)
            for (std::size_t k = p.rowStart[rows[r]]; k < p.rowStart[rows[r] + 1]; ++k) {
                if (p.entries[k].transposed) continue;
                const std::size_t pair = p.entries[k].pair;
                std::copy_n(blocks[pair], 8, to + 9 * pair);
                to[9 * pair + 8] = blocks.corner(pair);
            }
    });
}

void BlockAssembler::recordBlock(int row, int col, const double* block, int ld, double factor)
{
    if (!m_open) throw std::runtime_error("BlockAssembler::add: called outside begin … end");
    const int b = m_blockSize;
    if (row < 0 || col < 0 || row + b > m_rows || col + b > m_cols)
        throw std::runtime_error("BlockAssembler::add: block at " + place(row, col) + " is outside a matrix of " +
                                 std::to_string(m_rows) + " × " + std::to_string(m_cols));
    if (row % b != 0 || col % b != 0) misaligned(row, col, b, b);
    m_record.push_back({row, col, 0});
    for (int i = 0; i < b; ++i)
        for (int j = 0; j < b; ++j) m_recorded.push_back(factor * block[i * ld + j]);
}

void BlockAssembler::addOther(int row, int col, const double* block, int nr, int nc, int ld, double factor)
{
    switch (m_blockSize) {
        case 1:
            addBlocks<1>(row, col, block, nr, nc, ld, factor);
            break;
        case 2:
            addBlocks<2>(row, col, block, nr, nc, ld, factor);
            break;
        case 6:
            addBlocks<6>(row, col, block, nr, nc, ld, factor);
            break;
        default:
            throw std::runtime_error("BlockAssembler::add: called before begin");
    }
}

void BlockAssembler::misaligned(int row, int col, int nr, int nc) const
{
    throw std::runtime_error("BlockAssembler::add: a block of " + std::to_string(nr) + " × " + std::to_string(nc) +
                             " scalars at " + place(row, col) + " is not aligned to blocks of " +
                             std::to_string(m_blockSize));
}

const BlockCsrMatrix& BlockAssembler::end()
{
    if (!m_open) throw std::runtime_error("BlockAssembler::end: called without begin");
    // A pass that stops early has another sequence too.
    if (!m_recording && m_cursor != recordedCalls()) startRecording();
    if (m_recording) buildPattern();
    if (m_zeroPending) clearValues();
    m_open = false;
    return m_matrix;
}

bool BlockAssembler::findOrderedPattern(Vector<int>& rowPtr, Vector<int>& colIdx)
{
    if (m_symmetric.empty() || m_rows != m_cols) return false;
    int end = 0;
    std::size_t blocks = 0;
    for (const Entry& e : m_record) {
        if (e.row == identitiesCall) continue;
        if (e.row != symmetricCall) {
            if (e.row != e.col) return false;
            continue;
        }
        const Symmetric& s = m_symmetric[static_cast<std::size_t>(e.slot)];
        if (s.offset < end) return false;
        end = s.offset + 3 * static_cast<int>(s.rows);
        blocks += s.places.size();
    }
    const auto blockRows = static_cast<std::size_t>(m_rows / m_blockSize);
    if (blocks + blockRows > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
    Vector<int> diagonals(blockRows, -1);
    rowPtr.assign(blockRows + 1, 0);
    colIdx.clear();
    colIdx.reserve(blocks + blockRows);
    std::size_t row = 0;
    const auto addDiagonal = [&] {
        diagonals[row] = static_cast<int>(colIdx.size());
        colIdx.push_back(static_cast<int>(row));
    };
    const auto addRowsWithoutOthers = [&](std::size_t last) {
        for (; row < last; ++row) {
            addDiagonal();
            rowPtr[row + 1] = static_cast<int>(colIdx.size());
        }
    };
    for (Symmetric& s : m_symmetric) {
        addRowsWithoutOthers(static_cast<std::size_t>(s.offset / 3));
        Entry* place = s.places.data();
        const Entry* const last = place + s.places.size();
        for (const std::size_t behind = row + s.rows; row < behind; ++row) {
            const int scalar = 3 * static_cast<int>(row);
            for (; place != last && place->row == scalar; ++place) {
                if (place->col == scalar) diagonals[row] = static_cast<int>(colIdx.size());
                place->slot = static_cast<int>(colIdx.size());
                colIdx.push_back(place->col / 3);
            }
            if (diagonals[row] < 0) addDiagonal();  // of a row without blocks
            rowPtr[row + 1] = static_cast<int>(colIdx.size());
        }
    }
    addRowsWithoutOthers(blockRows);
    for (Entry& e : m_record)
        if (e.row >= 0) e.slot = diagonals[static_cast<std::size_t>(e.row / m_blockSize)];
    return true;
}

void BlockAssembler::sortPattern(const std::vector<Entry*>& entries, Vector<int>& rowPtr, Vector<int>& colIdx) const
{
    const int b = m_blockSize;
    const auto blockRows = static_cast<std::size_t>(m_rows / b);
    const std::size_t count = entries.size(), diagonals = static_cast<std::size_t>(std::min(m_rows, m_cols) / b);
    // Entries bucketed by row; entry `count + i` stands for the diagonal block of row i.
    Vector<int> bucket(blockRows + 1, 0);
    for (const Entry* e : entries) ++bucket[static_cast<std::size_t>(e->row / b) + 1];
    for (std::size_t i = 0; i < diagonals; ++i) ++bucket[i + 1];
    for (std::size_t i = 0; i < blockRows; ++i) bucket[i + 1] += bucket[i];
    struct Place
    {
        int col;
        int entry;
    };
    Vector<Place> places(count + diagonals);
    {
        Vector<int> next(bucket.begin(), bucket.end() - 1);
        for (std::size_t k = 0; k < count; ++k) {
            const auto r = static_cast<std::size_t>(entries[k]->row / b);
            places[static_cast<std::size_t>(next[r]++)] = {entries[k]->col / b, static_cast<int>(k)};
        }
        for (std::size_t i = 0; i < diagonals; ++i)
            places[static_cast<std::size_t>(next[i]++)] = {static_cast<int>(i), static_cast<int>(count + i)};
    }

    rowPtr.assign(blockRows + 1, 0);
    colIdx.clear();
    colIdx.reserve(places.size());
    for (std::size_t i = 0; i < blockRows; ++i) {
        const auto first = places.begin() + bucket[i], last = places.begin() + bucket[i + 1];
        const auto less = [](const Place& p, const Place& q) { return p.col < q.col; };
        if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
        int previous = -1;
        for (auto p = first; p != last; ++p) {
            if (p->col != previous) colIdx.push_back(previous = p->col);
            if (static_cast<std::size_t>(p->entry) < count)
                entries[static_cast<std::size_t>(p->entry)]->slot = static_cast<int>(colIdx.size()) - 1;
        }
        rowPtr[i + 1] = static_cast<int>(colIdx.size());
    }
}

bool BlockAssembler::placeIdentities(const Vector<int>& rowPtr, const Vector<int>& colIdx)
{
    if (m_identities.empty()) return true;
    // Where the last search in each row ended; the places mostly come by rows.
    Vector<int> next(rowPtr.begin(), rowPtr.end() - 1);
    for (Identities& s : m_identities)
        for (Entry& e : s.places) {
            const auto row = static_cast<std::size_t>(e.row / 3);
            const int column = e.col / 3;
            int& k = next[row];
            if (k == rowPtr[row + 1] || colIdx[static_cast<std::size_t>(k)] > column) k = rowPtr[row];
            while (k < rowPtr[row + 1] && colIdx[static_cast<std::size_t>(k)] < column) ++k;
            if (k == rowPtr[row + 1] || colIdx[static_cast<std::size_t>(k)] != column) return false;
            e.slot = k;
        }
    return true;
}

void BlockAssembler::addPairs(const Symmetric& s, const double* pairs, BlockCsrMatrix& to, bool isUpper)
{
    const RowsFunction rows = addRowsFunction();
    const SymmetricSweep sweep{s.rowStart.data(), s.packed.size(),    s.packed.data(), {pairs, pairs + 8}, s.factor,
                               s.slots.data(),    s.diagonals.data(), nullptr,         to.values().data(), isUpper};
    parallelFor(0, s.rows, 1024, [&](std::size_t first, std::size_t last) { rows(sweep, {first, last}); });
}

void BlockAssembler::addRecorded(BlockCsrMatrix& to) const
{
    const auto area = static_cast<std::size_t>(m_blockSize * m_blockSize);
    const double* v = m_recorded.data();
    const auto addBlock = [&](const Entry& e) {
        double* a = to.block(static_cast<std::size_t>(e.slot));
        for (std::size_t j = 0; j < area; ++j) a[j] += *v++;
    };
    for (std::size_t k = m_cursor; k < m_record.size(); ++k) {
        const Entry& e = m_record[k];
        if (e.row == symmetricCall) {
            const Symmetric& s = m_symmetric[static_cast<std::size_t>(e.slot)];
            addPairs(s, v, to, m_isUpper);
            v += 9 * s.pairCount;
        } else if (e.row == identitiesCall) {
            for (const Entry& p : m_identities[static_cast<std::size_t>(e.slot)].places) {
                double* a = p.slot < 0 ? nullptr : to.block(static_cast<std::size_t>(p.slot));
                for (std::size_t j = 0; a && j < 9; j += 4) a[j] += *v;
                if (p.row >= p.col) ++v;  // of the mirror image, or on the diagonal
            }
        } else {
            addBlock(e);
        }
    }
}

void BlockAssembler::buildPattern()
{
    const int b = m_blockSize;
    const auto area = static_cast<std::size_t>(b * b);
    const auto blockRows = static_cast<std::size_t>(m_rows / b);
    const auto blockCols = static_cast<std::size_t>(m_cols / b);
    const std::size_t diagonals = std::min(blockRows, blockCols);
    Vector<int> rowPtr, colIdx;
    if (!findOrderedPattern(rowPtr, colIdx) || !placeIdentities(rowPtr, colIdx)) {
        std::vector<Entry*> entries;
        for (Entry& e : m_record)
            if (e.row == symmetricCall)
                for (Entry& p : m_symmetric[static_cast<std::size_t>(e.slot)].places) entries.push_back(&p);
            else if (e.row == identitiesCall)
                for (Entry& p : m_identities[static_cast<std::size_t>(e.slot)].places) entries.push_back(&p);
            else
                entries.push_back(&e);
        if (entries.size() + diagonals > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw std::runtime_error("BlockAssembler: more than 2^31 sub-blocks");
        sortPattern(entries, rowPtr, colIdx);
    }

    const bool pairsOnly = std::ranges::all_of(m_record, [](const Entry& e) { return e.row < 0 || e.row == e.col; });
    // Nobody reads the values of the whole matrix then.
    const bool upper = m_upperOnly && pairsOnly && b == 3 && m_rows == m_cols && m_cursor == 0;
    BlockCsrMatrix fresh(static_cast<int>(blockRows), static_cast<int>(blockCols), b, rowPtr, colIdx,
                         upper ? BlockCsrMatrix::Values::None : BlockCsrMatrix::Values::Zero);
    const bool samePattern = m_patternVersion != 0 && fresh.samePattern(m_matrix);
    // Sums of the replayed beginning of the pass.
    if (m_cursor > 0 && samePattern) {
        std::ranges::copy(m_matrix.values(), fresh.values().begin());
    } else if (m_cursor > 0) {
        for (std::size_t i = 0; i < blockRows; ++i)
            for (int k = rowPtr[i]; k < rowPtr[i + 1]; ++k) {
                const int old = m_matrix.find(static_cast<int>(i), colIdx[static_cast<std::size_t>(k)]);
                if (old >= 0)
                    std::copy_n(m_matrix.block(static_cast<std::size_t>(old)), area,
                                fresh.block(static_cast<std::size_t>(k)));
            }
    }
    for (Symmetric& to : m_symmetric) {
        to.slots.clear();
        to.slots.reserve(to.places.size());
        to.diagonals.assign(to.rows, -1);
        for (const Entry& e : to.places)
            if (e.row == e.col)
                to.diagonals[static_cast<std::size_t>((e.row - to.offset) / 3)] = e.slot;
            else
                to.slots.push_back(e.slot);
    }
    m_matrix = std::move(fresh);
    m_pairsOnly = pairsOnly;
    findWritten();
    m_recordIsUpper = m_isUpper = upper;
    if (upper) {
        useUpper();
    } else {
        m_upper = BlockCsrMatrix();
        findCleared();
    }
    BlockCsrMatrix& to = upper ? m_upper : m_matrix;
    m_values = to.values().data();
    addRecorded(to);
    m_record.push_back({endOfRecord, endOfRecord, 0});
    if (!samePattern) ++m_patternVersion;
}

void BlockAssembler::findWritten()
{
    const auto rowPtr = m_matrix.rowPtr();
    Vector<char> touched(static_cast<std::size_t>(m_matrix.blockRows()), 0);
    for (const Entry& e : m_record) {
        if (e.row == identitiesCall) {
            for (const Entry& p : m_identities[static_cast<std::size_t>(e.slot)].places)
                touched[static_cast<std::size_t>(p.row / 3)] = 1;
            continue;
        }
        if (e.row != symmetricCall) {
            touched[static_cast<std::size_t>(e.row / m_blockSize)] = 1;
            continue;
        }
        Symmetric& s = m_symmetric[static_cast<std::size_t>(e.slot)];
        const auto row = static_cast<std::size_t>(s.offset / 3);
        const auto rows = std::span(touched).subspan(row, s.rows);
        const auto blocks = static_cast<std::size_t>(rowPtr[row + s.rows] - rowPtr[row]);
        // Each of its blocks has a place of its own.
        s.writes = s.places.size() == blocks && std::ranges::none_of(rows, [](char t) { return t != 0; });
        std::ranges::fill(rows, 1);
    }
}

std::pair<std::size_t, std::size_t> BlockAssembler::valuesOf(const Symmetric& s) const
{
    const auto rowPtr = (m_recordIsUpper ? m_upper : m_matrix).rowPtr();
    const auto row = static_cast<std::size_t>(s.offset / 3);
    return {9 * static_cast<std::size_t>(rowPtr[row]), 9 * static_cast<std::size_t>(rowPtr[row + s.rows])};
}

void BlockAssembler::findCleared()
{
    std::vector<const Symmetric*> written;
    for (const Symmetric& s : m_symmetric)
        if (s.writes) written.push_back(&s);
    std::ranges::sort(written, {}, &Symmetric::offset);
    m_cleared.clear();
    std::size_t begin = 0;
    for (const Symmetric* s : written) {
        const auto [first, last] = valuesOf(*s);
        if (begin != first) m_cleared.insert(m_cleared.end(), {begin, first});
        begin = last;
    }
    const std::size_t end = (m_recordIsUpper ? m_upper : m_matrix).nonZeros();
    if (begin != end) m_cleared.insert(m_cleared.end(), {begin, end});
}

void BlockAssembler::complete()
{
    if (!m_isUpper) return;
    m_isUpper = false;
    if (m_matrix.values().empty()) m_matrix.setZero();
    m_values = m_matrix.values().data();
    const auto rowPtr = m_matrix.rowPtr(), diagonals = m_matrix.diagonals(), columns = m_upper.colIdx();
    // Of each row, the next block left of the diagonal: by rows of their counterparts these come in order.
    Vector<int> next(rowPtr.begin(), rowPtr.end() - 1);
    std::size_t k = 0;
    for (std::size_t i = 0; i < diagonals.size(); ++i)
        for (int to = diagonals[i]; to < rowPtr[i + 1]; ++to, ++k) {
            const double* from = m_upper.block(k);
            std::copy_n(from, 9, m_matrix.block(static_cast<std::size_t>(to)));
            if (to == diagonals[i]) continue;
            double* image = m_matrix.block(static_cast<std::size_t>(next[static_cast<std::size_t>(columns[k])]++));
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) image[3 * r + c] = from[3 * c + r];
        }
}

void BlockAssembler::eliminate(std::span<const int> scalarDofs)
{
    if (m_open || m_patternVersion == 0) throw std::runtime_error("BlockAssembler::eliminate: called before end");
    if (m_eliminationCount == m_eliminations.size()) m_eliminations.emplace_back();
    Elimination& e = m_eliminations[m_eliminationCount++];
    if (e.patternVersion != m_patternVersion || e.isUpper != m_isUpper || !std::ranges::equal(e.dofs, scalarDofs))
        buildElimination(e, scalarDofs);
    for (const Elimination::Run& r : e.zeros) std::fill_n(m_values + r.first, r.count, 0.);
    for (const std::size_t k : e.ones) m_values[k] = 1.;
}

void BlockAssembler::project(int first, int n, const double* p)
{
    if (m_open || m_patternVersion == 0) throw std::runtime_error("BlockAssembler::project: called before end");
    const int b = m_blockSize;
    complete();
    if (first % b != 0 || n % b != 0 || first < 0 || first + n > m_rows || n > 6)
        throw std::runtime_error("BlockAssembler::project: scalars " + std::to_string(first) + " to " +
                                 std::to_string(first + n) + " are no blocks of the matrix");
    const auto rowPtr = m_matrix.rowPtr();
    const auto colIdx = m_matrix.colIdx();
    const int begin = first / b, end = (first + n) / b;
    const auto find = [&](int row, int col) -> double* {
        const auto from = colIdx.begin() + rowPtr[static_cast<std::size_t>(row)],
                   to = colIdx.begin() + rowPtr[static_cast<std::size_t>(row) + 1];
        const auto at = std::lower_bound(from, to, col);
        return at != to && *at == col ? m_values + (at - colIdx.begin()) * (b * b) : nullptr;
    };
    Vector<int> columns;
    for (int i = begin; i < end; ++i)
        for (int k = rowPtr[static_cast<std::size_t>(i)]; k < rowPtr[static_cast<std::size_t>(i) + 1]; ++k)
            columns.push_back(colIdx[static_cast<std::size_t>(k)]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    double in[6], out[6];
    // Left: the n scalars of a column of A, for each column of the row; right: those of a row, for each row (the
    // pattern is symmetric).
    for (const bool left : {true, false}) {
        for (const int other : columns) {
            for (int c = 0; c < b; ++c) {
                const auto entry = [&](int i) -> double* {
                    double* block = left ? find(begin + i / b, other) : find(other, begin + i / b);
                    return block ? block + (left ? (i % b) * b + c : c * b + i % b) : nullptr;
                };
                for (int i = 0; i < n; ++i) {
                    const double* e = entry(i);
                    in[i] = e ? *e : 0.;
                }
                for (int i = 0; i < n; ++i) {
                    out[i] = 0.;
                    for (int j = 0; j < n; ++j) out[i] += (left ? p[i * n + j] : p[j * n + i]) * in[j];
                }
                for (int i = 0; i < n; ++i)
                    if (double* e = entry(i)) *e = out[i];
            }
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (double* block = find(begin + i / b, begin + j / b))
                block[(i % b) * b + j % b] += (i == j ? 1. : 0.) - p[i * n + j];
}

void BlockAssembler::buildElimination(Elimination& e, std::span<const int> scalarDofs) const
{
    const int b = m_blockSize;
    Vector<char> fixed(static_cast<std::size_t>(std::max(m_rows, m_cols)), 0);
    for (const int d : scalarDofs) {
        if (d < 0 || static_cast<std::size_t>(d) >= fixed.size())
            throw std::runtime_error("BlockAssembler::eliminate: degree of freedom " + std::to_string(d) +
                                     " is outside a matrix of " + std::to_string(m_rows) + " × " +
                                     std::to_string(m_cols));
        fixed[static_cast<std::size_t>(d)] = 1;
    }
    e.patternVersion = m_patternVersion;
    e.isUpper = m_isUpper;
    e.dofs.assign(scalarDofs.begin(), scalarDofs.end());
    e.zeros.clear();
    e.ones.clear();
    if (scalarDofs.empty()) return;
    const auto rowPtr = stored().rowPtr(), colIdx = stored().colIdx();
    Vector<char> touched(fixed.size() / static_cast<std::size_t>(b), 0);  // blocks with a fixed scalar
    for (const int d : scalarDofs) touched[static_cast<std::size_t>(d / b)] = 1;
    for (int i = 0; i < m_matrix.blockRows(); ++i)
        for (int k = rowPtr[static_cast<std::size_t>(i)]; k < rowPtr[static_cast<std::size_t>(i) + 1]; ++k) {
            const int j = colIdx[static_cast<std::size_t>(k)];
            if (!touched[static_cast<std::size_t>(i)] && !touched[static_cast<std::size_t>(j)]) continue;
            for (int r = 0; r < b; ++r)
                for (int c = 0; c < b; ++c) {
                    const int row = i * b + r, col = j * b + c;
                    if (!fixed[static_cast<std::size_t>(row)] && !fixed[static_cast<std::size_t>(col)]) continue;
                    const auto position = static_cast<std::size_t>(k) * static_cast<std::size_t>(b * b) +
                                          static_cast<std::size_t>(r * b + c);
                    if (row == col) e.ones.push_back(position);
                    if (!e.zeros.empty() && e.zeros.back().first + e.zeros.back().count == position)
                        ++e.zeros.back().count;
                    else if (row != col)
                        e.zeros.push_back({position, 1});
                }
        }
}

std::size_t BlockAssembler::bytes() const
{
    std::size_t sum = m_matrix.bytes() + m_upper.bytes() + bytesOf(m_record) + bytesOf(m_recorded);
    for (const Symmetric& s : m_symmetric)
        sum += bytesOf(s.rowStart) + bytesOf(s.places) + bytesOf(s.diagonals) + bytesOf(s.slots) + bytesOf(s.packed);
    for (const Identities& i : m_identities) sum += bytesOf(i.places);
    return sum;
}

}  // namespace sofa::core
