// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
// How BlockAssembler makes a pattern, and the slots of all that was recorded, from the record of a pass.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/linalg/BlockAssembler.h"

namespace sofa::core {

bool BlockAssembler::findOrderedPattern()
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
    makeRoom(m_rowPtr, blockRows + 1);
    m_rowPtr.resize(blockRows + 1);
    makeRoom(m_colIdx, blocks + blockRows);
    std::size_t row = 0;
    const auto addDiagonal = [&] {
        diagonals[row] = static_cast<int>(m_colIdx.size());
        m_colIdx.push_back(static_cast<int>(row));
    };
    const auto addRowsWithoutOthers = [&](std::size_t last) {
        for (; row < last; ++row) {
            addDiagonal();
            m_rowPtr[row + 1] = static_cast<int>(m_colIdx.size());
        }
    };
    for (Symmetric& s : m_symmetric) {
        addRowsWithoutOthers(static_cast<std::size_t>(s.offset / 3));
        Entry* place = s.places.data();
        const Entry* const last = place + s.places.size();
        for (const std::size_t behind = row + s.rows; row < behind; ++row) {
            const int scalar = 3 * static_cast<int>(row);
            for (; place != last && place->row == scalar; ++place) {
                if (place->col == scalar) diagonals[row] = static_cast<int>(m_colIdx.size());
                place->slot = static_cast<int>(m_colIdx.size());
                m_colIdx.push_back(place->col / 3);
            }
            if (diagonals[row] < 0) addDiagonal();  // of a row without blocks
            m_rowPtr[row + 1] = static_cast<int>(m_colIdx.size());
        }
    }
    addRowsWithoutOthers(blockRows);
    for (Entry& e : m_record)
        if (e.row >= 0) e.slot = diagonals[static_cast<std::size_t>(e.row / m_blockSize)];
    return true;
}

void BlockAssembler::sortPattern(const std::vector<Entry*>& entries)
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

    makeRoom(m_rowPtr, blockRows + 1);
    m_rowPtr.resize(blockRows + 1);
    makeRoom(m_colIdx, places.size());
    for (std::size_t i = 0; i < blockRows; ++i) {
        const auto first = places.begin() + bucket[i], last = places.begin() + bucket[i + 1];
        const auto less = [](const Place& p, const Place& q) { return p.col < q.col; };
        if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
        int previous = -1;
        for (auto p = first; p != last; ++p) {
            if (p->col != previous) m_colIdx.push_back(previous = p->col);
            if (static_cast<std::size_t>(p->entry) < count)
                entries[static_cast<std::size_t>(p->entry)]->slot = static_cast<int>(m_colIdx.size()) - 1;
        }
        m_rowPtr[i + 1] = static_cast<int>(m_colIdx.size());
    }
}

bool BlockAssembler::placeIdentities()
{
    if (m_identities.empty()) return true;
    // Where the last search in each row ended; the places mostly come by rows.
    Vector<int> next(m_rowPtr.begin(), m_rowPtr.end() - 1);
    for (Identities& s : m_identities)
        for (Entry& e : s.places) {
            const auto row = static_cast<std::size_t>(e.row / 3);
            const int column = e.col / 3;
            int& k = next[row];
            if (k == m_rowPtr[row + 1] || m_colIdx[static_cast<std::size_t>(k)] > column) k = m_rowPtr[row];
            while (k < m_rowPtr[row + 1] && m_colIdx[static_cast<std::size_t>(k)] < column) ++k;
            if (k == m_rowPtr[row + 1] || m_colIdx[static_cast<std::size_t>(k)] != column) return false;
            e.slot = k;
        }
    return true;
}

bool BlockAssembler::takePattern(BlockCsrMatrix::Values values)
{
    const int b = m_blockSize, rows = m_rows / b, cols = m_cols / b;
    const bool same = m_patternVersion != 0 && m_matrix.hasPattern(cols, b, m_rowPtr, m_colIdx);
    if (m_cursor == 0) {
        m_matrix.setPattern(rows, cols, b, m_rowPtr, m_colIdx, values);
    } else if (!same) {
        std::swap(m_matrix, m_before);
        m_matrix.setPattern(rows, cols, b, m_rowPtr, m_colIdx, values);
        const auto start = m_matrix.rowPtr(), columns = m_matrix.colIdx();
        for (int i = 0; i < rows; ++i)
            for (auto k = static_cast<std::size_t>(start[static_cast<std::size_t>(i)]);
                 k < static_cast<std::size_t>(start[static_cast<std::size_t>(i) + 1]); ++k)
                if (const int old = m_before.find(i, columns[k]); old >= 0)
                    std::copy_n(m_before.block(static_cast<std::size_t>(old)), b * b, m_matrix.block(k));
    }
    return same;
}

void BlockAssembler::buildPattern()
{
    const auto diagonals = static_cast<std::size_t>(std::min(m_rows, m_cols) / m_blockSize);
    if (!findOrderedPattern() || !placeIdentities()) {
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
        sortPattern(entries);
    }

    const bool pairsOnly = std::ranges::all_of(m_record, [](const Entry& e) { return e.row < 0 || e.row == e.col; });
    // Nobody reads the values of the whole matrix then.
    const bool upper = m_upperOnly && pairsOnly && m_blockSize == 3 && m_rows == m_cols && m_cursor == 0;
    using enum BlockCsrMatrix::Values;
    const bool samePattern = takePattern(upper ? None : m_cursor == 0 ? Any : Zero);
    for (Symmetric& to : m_symmetric) {
        makeRoom(to.slots, to.places.size());
        makeRoom(to.diagonals, to.rows);
        to.diagonals.resize(to.rows, -1);
        for (const Entry& e : to.places)
            if (e.row == e.col)
                to.diagonals[static_cast<std::size_t>((e.row - to.offset) / 3)] = e.slot;
            else
                to.slots.push_back(e.slot);
    }
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
    if (m_cursor == 0) clearValues();
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

}  // namespace sofa::core
