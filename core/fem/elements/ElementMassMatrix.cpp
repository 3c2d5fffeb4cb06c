// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/ElementMassMatrix.h"

#include <algorithm>

#include "core/behavior/ScalarBlockSink.h"

namespace sofa::core {

void ElementMassMatrix::begin(std::size_t points, bool lumped)
{
    m_lumped = lumped;
    m_all = true;
    m_terms.clear();
    m_rows.clear();
    m_rows.resize(points);
}

void ElementMassMatrix::beginRows(std::size_t points, Vector<Index> rows)
{
    m_all = false;
    m_toSet = std::move(rows);
    m_terms.clear();
    m_rows.resize(points);
}

void ElementMassMatrix::add(Index row, Index column, double mass)
{
    if (!m_all && !std::ranges::binary_search(m_toSet, row)) return;
    if (m_lumped && !m_terms.empty() && m_terms.back().row == row)
        m_terms.back().mass += mass;
    else
        m_terms.push_back({row, m_lumped ? row : column, mass});
}

void ElementMassMatrix::setRow(Index row, std::span<const Term> terms)
{
    m_entries.clear();
    for (const Term& t : terms) {
        std::uint32_t k = m_entryOf[t.column];  // of an earlier row, perhaps
        if (k >= m_entries.size() || m_entries[k].column != t.column) {
            k = m_entryOf[t.column] = static_cast<std::uint32_t>(m_entries.size());
            m_entries.push_back({t.column, 0.});
        }
        m_entries[k].mass += t.mass;
    }
    if (m_lumped) std::erase_if(m_entries, [](const Entry& e) { return !(e.mass > 0.); });
    std::ranges::sort(m_entries, {}, &Entry::column);
    m_rowSums[row] = 0.;
    m_columns.clear();
    m_values.assign(1, 0.);
    for (const auto& [column, mass] : m_entries) {
        m_rowSums[row] += mass;
        if (column == row) m_values[0] = mass;
        if (column <= row) continue;
        m_columns.push_back(column);
        m_values.push_back(mass);
    }
    m_rows.set(row, m_entries);
    m_matrix.pattern.columns.set(row, m_columns);
    m_matrix.values.set(row, m_values);
}

void ElementMassMatrix::end()
{
    const std::size_t points = m_rows.size();
    SymmetricPattern& p = m_matrix.pattern;
    PiecewiseRows<std::uint32_t> before;
    if (m_all) {
        std::swap(p.columns, before);
        m_matrix.values.clear();
        m_rowSums.clear();
    }
    p.columns.resize(points);
    m_matrix.values.resize(points);
    m_rowSums.resize(points);
    m_entryOf.resize(points);
    // Terms row by row, in their order.
    const std::size_t rows = m_all ? points : m_toSet.size();
    const auto placeOf = [this](Index row) {
        return m_all ? row : static_cast<std::size_t>(std::ranges::lower_bound(m_toSet, row) - m_toSet.begin());
    };
    Vector<std::size_t> start(rows + 1, 0);
    for (const Term& t : m_terms) ++start[placeOf(t.row) + 1];
    for (std::size_t i = 0; i < rows; ++i) start[i + 1] += start[i];
    m_ordered.resize(m_terms.size());
    Vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const Term& t : m_terms) m_ordered[next[placeOf(t.row)]++] = t;
    m_terms.clear();
    for (std::size_t i = 0; i < rows; ++i)
        setRow(m_all ? static_cast<Index>(i) : m_toSet[i],
               std::span(m_ordered).subspan(start[i], start[i + 1] - start[i]));
    if (!m_all) {
        p.previous = p.id;
        p.id = SymmetricPattern::newId();
        p.changed = std::move(m_toSet);
        return;
    }
    const std::uint64_t id = p.id;
    p.columnsWere(before);
    // The density alone may have changed.
    if (p.previous == id && id != 0 && p.changed.empty() && before.size() == points) p.id = id;
}

void ElementMassMatrix::build(BlockSink& sink, std::size_t d) const { addScalarBlocks(sink, m_matrix, d); }

void EqualHexahedra::begin()
{
    m_elements.clear();
    m_isFirst = true;
    m_deviation = m_largest = 0.;
}

void EqualHexahedra::add(const Mat<8>& matrix)
{
    if (m_isFirst) m_matrix = matrix;
    m_isFirst = false;
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j) {
            m_largest = std::max(m_largest, matrix[i][j]);
            m_deviation = std::max(m_deviation, std::abs(matrix[i][j] - m_matrix[i][j]));
        }
}

void EqualHexahedra::end(const Vector<Hexahedron>& elements)
{
    constexpr double rounding = 1e-12;  // of rest positions
    if (m_deviation <= rounding * m_largest) m_elements = elements;
}

const Mat<8>* EqualHexahedra::matrix(const Vector<Hexahedron>& elements) const
{
    return !elements.empty() && elements == m_elements ? &m_matrix : nullptr;
}

}  // namespace sofa::core
