// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/linalg/UpperAssembler.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/linalg/SymmetricStores.h"
#include "core/parallel/Parallel.h"

namespace sofa::core {

namespace {

/// Of a pattern (FNV-1a, by numbers); not zero.
std::uint64_t hashOf(const BlockCsrMatrix& a)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&hash](int k) { hash = (hash ^ static_cast<std::uint32_t>(k)) * 0x100000001b3; };
    for (const int k : a.rowPtr()) add(k);
    for (const int k : a.colIdx()) add(k);
    return std::max<std::uint64_t>(hash, 1);
}

}  // namespace

void UpperAssembler::begin(int rows)
{
    if (std::exchange(m_open, true)) {  // what was dropped may have been half done
        m_matrix = BlockCsrMatrix();
        m_touched.clear();
        m_coupled.clear();
        m_parts.clear();
        m_eliminations.clear();
        m_hash = 0;
        ++m_version;
    }
    if (m_matrix.blockSize() != 3) {
        Vector<int> start(1, 0), none;
        m_matrix.setPattern(0, 0, 3, start, none);
    }
    m_resized = rows != m_matrix.blockRows();
    if (m_resized) resize(rows);
    if (++m_pass == 0) {
        std::ranges::fill(m_touched, 0u);
        m_pass = 1;
    }
    m_cursor = 0;
    m_eliminationCount = 0;
    m_deviates = false;
    m_changed.clear();
    m_replayed = true;
}

void UpperAssembler::resize(int rows)
{
    const auto n = static_cast<std::size_t>(rows);
    for (int i = rows; i < m_matrix.blockRows(); ++i) setRow(i, {&i, 1});
    m_matrix.resizeSquare(rows);
    m_touched.resize(n, 0);
    m_coupled.resize(n, 0);
    ++m_version;
    ++m_layout;
    m_hash = 0;
}

void UpperAssembler::setRow(int row, std::span<const int> columns)
{
    const auto r = static_cast<std::size_t>(row);
    const auto count = [&](std::span<const int> all, int change) {
        for (const int c : all) {
            if (c == row) continue;
            m_coupled[r] += change;
            if (const auto other = static_cast<std::size_t>(c); other < m_coupled.size()) m_coupled[other] += change;
        }
    };
    const int first = m_matrix.rowStarts()[r], last = m_matrix.rowEnds()[r];
    count(m_matrix.colIdx().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)), -1);
    m_matrix.setRow(row, columns);
    count(columns, 1);
}

void UpperAssembler::changeRow(int row, std::span<const int> columns)
{
    const auto r = static_cast<std::size_t>(row);
    const auto first = static_cast<std::size_t>(m_matrix.rowStarts()[r]),
               last = static_cast<std::size_t>(m_matrix.rowEnds()[r]);
    if (std::ranges::equal(m_matrix.colIdx().subspan(first, last - first), columns)) return;
    setRow(row, columns);
    ++m_version;
    m_hash = 0;
}

void UpperAssembler::clear(int row)
{
    const auto r = static_cast<std::size_t>(row);
    const int first = m_matrix.rowStarts()[r], last = m_matrix.rowEnds()[r];
    std::fill_n(m_matrix.block(static_cast<std::size_t>(first)), 9 * static_cast<std::size_t>(last - first), 0.);
    m_touched[r] = m_pass;
}

void UpperAssembler::addSymmetric(int row, const SymmetricPattern& pattern, SymmetricSource& source, double factor)
{
    put(take(partOf(row, pattern)), source, factor);
}

UpperAssembler::Part UpperAssembler::partOf(int row, const SymmetricPattern& pattern)
{
    Part next;
    next.first = row;
    next.rows = pattern.rows();
    next.id = pattern.id;
    next.pattern = &pattern;
    return next;
}

void UpperAssembler::addScalarBlocks(int row, const ScalarBlockMatrix& m, double factor)
{
    const Part& part = take(partOf(row, m.pattern));
    for (std::size_t v = 0; v < part.rows; ++v) {
        double* const blocks = touched(row + static_cast<int>(v));
        const auto add = [&](std::size_t block, double value) {
            double* const to = blocks + 9 * block;
            to[0] += factor * value;
            to[4] += factor * value;
            to[8] += factor * value;
        };
        const std::span<const double> values = m.values[v];
        const bool exact = part.positions.empty() || isExact(part, v);
        add(0, values[0]);
        for (std::size_t k = 1; k < values.size(); ++k)
            add(exact ? k : static_cast<std::size_t>(part.positions[v][k - 1]), values[k]);
    }
}

UpperAssembler::Part& UpperAssembler::take(const Part& next)
{
    if (!m_deviates && m_cursor < m_parts.size()) {
        Part& part = m_parts[m_cursor];
        const bool isSame = part.first == next.first && part.id == next.id,
                   follows = part.first == next.first && !isSame && next.pattern->previous == part.id;
        if (isSame || follows) {
            part.pattern = next.pattern;
            if (follows)
                follow(part, *next.pattern);
            else
                relocate(part);
            ++m_cursor;
            return part;
        }
    }
    if (!m_deviates) m_parts.shrink(m_cursor);
    m_deviates = true;
    ++m_cursor;
    Part& part = m_parts.next();
    part.first = next.first;
    part.rows = next.rows;
    part.id = next.id;
    part.pattern = next.pattern;
    if (m_cursor == 1)
        makeRows(part);
    else
        insert(part);
    ++m_layout;
    locate(part);
    return part;
}

void UpperAssembler::makeRows(const Part& part)
{
    const int rows = m_matrix.blockRows();
    makeRoom(m_starts, static_cast<std::size_t>(rows) + 1);
    makeRoom(m_columns, part.pattern->columns.count() + static_cast<std::size_t>(rows));
    m_coupled.assign(static_cast<std::size_t>(rows), 0);
    m_starts.push_back(0);
    for (int row = 0; row < rows; ++row) {
        m_columns.push_back(row);
        if (row >= part.first && static_cast<std::size_t>(row - part.first) < part.rows)
            for (const std::uint32_t c : part.pattern->columns[static_cast<std::size_t>(row - part.first)]) {
                const int column = part.first + static_cast<int>(c);
                m_columns.push_back(column);
                ++m_coupled[static_cast<std::size_t>(row)];
                ++m_coupled[static_cast<std::size_t>(column)];
            }
        if (m_columns.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            throw std::runtime_error("BlockAssembler: more than 2^31 sub-blocks");
        m_starts.push_back(static_cast<int>(m_columns.size()));
    }
    m_matrix.setPattern(rows, rows, 3, m_starts, m_columns, BlockCsrMatrix::Values::Any);
}

void UpperAssembler::insert(Part& part)
{
    const auto add = [&](int row, std::span<const int> columns) {  // increasing, without the diagonal
        const auto r = static_cast<std::size_t>(row);
        m_columns.assign(1, row);
        if (m_touched[r] == m_pass) {
            const auto first = m_matrix.colIdx().begin() + m_matrix.rowStarts()[r] + 1,
                       last = m_matrix.colIdx().begin() + m_matrix.rowEnds()[r];
            std::set_union(first, last, columns.begin(), columns.end(), std::back_inserter(m_columns));
            if (m_columns.size() == static_cast<std::size_t>(last - first) + 1) return;
        } else {
            m_columns.insert(m_columns.end(), columns.begin(), columns.end());
        }
        setRow(row, m_columns);
    };
    Vector<int> columns;
    for (std::size_t v = 0; v < part.rows; ++v) {
        columns.clear();
        for (const std::uint32_t c : part.pattern->columns[v]) columns.push_back(part.first + static_cast<int>(c));
        add(part.first + static_cast<int>(v), columns);
    }
}

bool UpperAssembler::isExact(const Part& part, std::size_t row) const
{
    const std::size_t r = static_cast<std::size_t>(part.first) + row;
    return static_cast<std::size_t>(m_matrix.rowEnds()[r] - m_matrix.rowStarts()[r]) ==
           part.pattern->columns[row].size() + 1;
}

void UpperAssembler::findPlaces(const Part& part, std::size_t row, Vector<int>& places) const
{
    const std::size_t r = static_cast<std::size_t>(part.first) + row;
    const int* const begin = m_matrix.colIdx().data() + m_matrix.rowStarts()[r];
    const int* const end = m_matrix.colIdx().data() + m_matrix.rowEnds()[r];
    const int* at = begin;
    places.clear();
    for (const std::uint32_t c : part.pattern->columns[row]) {
        at = std::lower_bound(at, end, part.first + static_cast<int>(c));
        places.push_back(static_cast<int>(at - begin));
    }
}

void UpperAssembler::locate(Part& part) const
{
    part.positions.clear();
    std::size_t v = 0;
    while (v < part.rows && isExact(part, v)) ++v;
    if (v == part.rows) return;
    Vector<int> places;
    part.positions.reserve(part.rows, part.pattern->columns.count());
    for (v = 0; v < part.rows; ++v) {
        places.clear();
        if (!isExact(part, v)) findPlaces(part, v, places);
        part.positions.push_back(places);
    }
}

void UpperAssembler::relocate(Part& part)
{
    if (!part.positions.empty()) part.positions.resize(part.rows);
    for (auto row = std::ranges::lower_bound(m_changed, part.first); row != m_changed.end() && *row < part.end();
         ++row) {
        const auto v = static_cast<std::size_t>(*row - part.first);
        m_places.clear();
        if (!isExact(part, v)) {
            part.positions.resize(part.rows);
            findPlaces(part, v, m_places);
        }
        if (!part.positions.empty()) part.positions.set(v, m_places);
    }
}

void UpperAssembler::follow(Part& part, const SymmetricPattern& pattern)
{
    part.id = pattern.id;
    part.rows = pattern.rows();
    for (const Index v : pattern.changed) {
        const int row = part.first + static_cast<int>(v);
        m_places.assign(1, row);
        for (const std::uint32_t c : pattern.columns[v]) m_places.push_back(part.first + static_cast<int>(c));
        m_columns.clear();
        if (part.alone) {
            m_columns.swap(m_places);
        } else {  // what other parts do not have goes at the end of the pass
            const auto r = static_cast<std::size_t>(row);
            const auto all = m_matrix.colIdx().begin();
            std::set_union(all + m_matrix.rowStarts()[r], all + m_matrix.rowEnds()[r], m_places.begin(), m_places.end(),
                           std::back_inserter(m_columns));
        }
        changeRow(row, m_columns);
        m_changed.push_back(row);
    }
    std::ranges::sort(m_changed);
    m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
    m_replayed = false;
    relocate(part);
}

void UpperAssembler::settle()
{
    if (m_changed.empty()) return;
    Vector<char> isChanged(m_touched.size(), 0);
    for (const int row : m_changed) isChanged[static_cast<std::size_t>(row)] = 1;
    Vector<std::pair<int, int>> blocks;
    for (const int row : m_changed) blocks.emplace_back(row, row);
    for (const Part& p : m_parts) {
        for (auto row = std::ranges::lower_bound(m_changed, p.first); row != m_changed.end() && *row < p.end(); ++row)
            for (const std::uint32_t c : p.pattern->columns[static_cast<std::size_t>(*row - p.first)])
                blocks.emplace_back(*row, p.first + static_cast<int>(c));
    }
    std::ranges::sort(blocks);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (std::size_t k = 0, end = 0; k < blocks.size(); k = end) {
        m_columns.clear();
        for (; end < blocks.size() && blocks[end].first == blocks[k].first; ++end)
            m_columns.push_back(blocks[end].second);
        changeRow(blocks[k].first, m_columns);
    }
    if (8 * m_matrix.wasted() > m_matrix.blockCount() + 8192) m_matrix.pack();
    for (Part& p : m_parts) {
        relocate(p);
        std::size_t v = 0;
        while (v < p.positions.size() && isExact(p, v)) ++v;
        if (v == p.positions.size()) p.positions.clear();
    }
    ++m_layout;
    for (Elimination& e : m_eliminations) {
        if (e.scalars.empty()) continue;
        std::erase_if(e.couplings, [&](const auto& c) {
            const auto row = static_cast<std::size_t>(c.first);
            return row >= isChanged.size() || isChanged[row];
        });
        e.fixed.resize(3 * m_touched.size(), 0);
        for (const int row : m_changed) findCouplings(e, row);
    }
}

void UpperAssembler::restructure()
{
    struct Start
    {
        int first, last;
        const Part* part;
    };
    std::vector<Start> starts;
    for (const Part& p : m_parts) starts.push_back({p.first, p.end(), &p});
    std::ranges::stable_sort(starts, {}, &Start::first);
    std::vector<Start> here;
    std::size_t next = 0;
    for (int row = 0; row < m_matrix.blockRows(); ++row) {
        std::erase_if(here, [row](const Start& s) { return s.last <= row; });
        for (; next < starts.size() && starts[next].first <= row; ++next)
            if (starts[next].last > row) here.push_back(starts[next]);
        m_columns.assign(1, row);
        for (const Start& s : here)
            for (const std::uint32_t c : s.part->pattern->columns[static_cast<std::size_t>(row - s.first)])
                m_columns.push_back(s.first + static_cast<int>(c));
        if (here.size() > 1) {
            std::ranges::sort(m_columns);
            m_columns.erase(std::unique(m_columns.begin(), m_columns.end()), m_columns.end());
        }
        const auto r = static_cast<std::size_t>(row);
        const auto columns =
            m_matrix.colIdx().subspan(static_cast<std::size_t>(m_matrix.rowStarts()[r]),
                                      static_cast<std::size_t>(m_matrix.rowEnds()[r] - m_matrix.rowStarts()[r]));
        if (!std::ranges::equal(columns, m_columns)) setRow(row, m_columns);
    }
    m_matrix.pack();
    if (const std::uint64_t hash = hashOf(m_matrix); hash != m_hash) {
        m_hash = hash;
        ++m_version;
    }
    ++m_layout;
    ++m_structure;
    std::vector<Part*> parts;
    for (Part& p : m_parts) {
        locate(p);
        p.alone = true;
        parts.push_back(&p);
    }
    std::ranges::stable_sort(parts, {}, [](const Part* p) { return p->first; });
    Part* widest = nullptr;  // the one that reaches furthest so far
    for (Part* p : parts) {
        if (widest && p->first < widest->end()) {
            p->alone = false;
            widest->alone = false;
        }
        if (!widest || p->end() > widest->end()) widest = p;
    }
}

void UpperAssembler::pack()
{
    if (!m_matrix.hasGaps()) return;
    m_matrix.pack();
    ++m_layout;
}

void UpperAssembler::end()
{
    if (m_cursor != m_parts.size()) {
        m_parts.shrink(m_cursor);
        m_deviates = true;
    }
    for (int row = 0; row < m_matrix.blockRows(); ++row)
        if (m_touched[static_cast<std::size_t>(row)] != m_pass) clear(row);
    if (m_deviates)
        restructure();
    else
        settle();
    m_open = false;
    m_replayed = m_replayed && !m_deviates && !m_resized;
}

void UpperAssembler::put(const Part& part, SymmetricSource& source, double factor)
{
    const SymmetricPattern& p = *part.pattern;
    const std::span touched = std::span(m_touched).subspan(static_cast<std::size_t>(part.first), part.rows);
    const bool isFirst = std::ranges::none_of(touched, [this](std::uint32_t t) { return t == m_pass; });
    const bool exact = part.positions.empty();
    for (std::size_t v = 0; v < part.rows; ++v)
        if (touched[v] != m_pass && !(isFirst && isExact(part, v))) clear(part.first + static_cast<int>(v));
    std::ranges::fill(touched, m_pass);
    const int* const starts = m_matrix.rowStarts().data() + part.first;
    double* const values = m_matrix.values().data();
    const auto store = isFirst ? ofStores(8 * m_matrix.nonZeros()) : addScaled;
    source.forEachRows([&](std::size_t first, std::size_t last, const double* blocks) {
        const auto lacksSome = [&](std::size_t v) { return !exact && !isExact(part, v); };
        for (std::size_t r = first; r < last;) {
            const std::size_t v = p.vertexAt(r);
            const auto begin = static_cast<std::size_t>(starts[v]);
            if (lacksSome(v)) {
                addScaled(values + 9 * begin, blocks, factor, 9);
                blocks += 9;
                for (const int place : part.positions[v]) {
                    addScaled(values + 9 * (begin + static_cast<std::size_t>(place)), blocks, factor, 9);
                    blocks += 9;
                }
                ++r;
                continue;
            }
            // Rows that follow each other in memory are stored at once.
            std::size_t end = begin;
            for (; r < last && static_cast<std::size_t>(starts[p.vertexAt(r)]) == end && !lacksSome(p.vertexAt(r)); ++r)
                end += p.columns[p.vertexAt(r)].size() + 1;
            store(values + 9 * begin, blocks, factor, 9 * (end - begin));
            blocks += 9 * (end - begin);
        }
    });
}

void UpperAssembler::isolatedRows(Vector<int>& rows) const
{
    rows.clear();
    for (std::size_t r = 0; r < m_coupled.size(); ++r)
        if (m_coupled[r] == 0) rows.push_back(static_cast<int>(r));
}

void UpperAssembler::findCouplings(Elimination& e, int row) const
{
    const auto isFixed = [&](int block) {
        const auto s = 3 * static_cast<std::size_t>(block);
        return e.fixed[s] || e.fixed[s + 1] || e.fixed[s + 2];
    };
    const auto r = static_cast<std::size_t>(row);
    const bool whole = isFixed(row);
    for (int k = m_matrix.rowStarts()[r]; k < m_matrix.rowEnds()[r]; ++k) {
        const int column = m_matrix.colIdx()[static_cast<std::size_t>(k)];
        if (column != row && (whole || isFixed(column))) e.couplings.emplace_back(row, column);
    }
}

void UpperAssembler::findPositions(Elimination& e) const
{
    e.layout = m_layout;
    e.zeros.clear();
    e.ones.clear();
    const auto add = [&](int row, int column) {
        const std::size_t block = 9 * static_cast<std::size_t>(m_matrix.find(row, column));
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                if (e.fixed[3 * static_cast<std::size_t>(row) + i] || e.fixed[3 * static_cast<std::size_t>(column) + j])
                    e.zeros.push_back(block + 3 * i + j);
    };
    for (const auto& [row, column] : e.couplings) add(row, column);
    int last = -1;
    for (const int s : e.scalars) {
        if (s / 3 != last) add(s / 3, s / 3);
        last = s / 3;
        e.ones.push_back(9 * static_cast<std::size_t>(m_matrix.diagonal(s / 3)) +
                         static_cast<std::size_t>(4 * (s % 3)));
    }
}

void UpperAssembler::eliminate(std::span<const int> scalars)
{
    if (m_eliminationCount == m_eliminations.size()) m_eliminations.emplace_back();
    Elimination& e = m_eliminations[m_eliminationCount++];
    if (!std::ranges::equal(e.scalars, scalars) || e.fixed.size() != 3 * m_touched.size() ||
        e.structure != m_structure) {
        e.structure = m_structure;
        e.fixed.assign(3 * m_touched.size(), 0);
        for (const int s : scalars) e.fixed[static_cast<std::size_t>(s)] = 1;
        e.scalars.assign(scalars.begin(), scalars.end());
        e.couplings.clear();
        if (!scalars.empty())
            for (int row = 0; row < m_matrix.blockRows(); ++row) findCouplings(e, row);
        e.layout = 0;
    }
    if (e.layout != m_layout) findPositions(e);
    double* const values = m_matrix.values().data();
    for (const std::size_t k : e.zeros) values[k] = 0.;
    for (const std::size_t k : e.ones) values[k] = 1.;
}

std::size_t UpperAssembler::bytes() const
{
    std::size_t sum = m_matrix.bytes() + bytesOf(m_touched) + bytesOf(m_coupled);
    for (const Part& p : m_parts) sum += p.positions.bytes();
    for (const Elimination& e : m_eliminations)
        sum += bytesOf(e.fixed) + bytesOf(e.couplings) + bytesOf(e.zeros) + bytesOf(e.ones);
    return sum;
}

}  // namespace sofa::core
