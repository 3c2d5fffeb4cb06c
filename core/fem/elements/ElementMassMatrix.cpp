// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/fem/elements/ElementMassMatrix.h"

#include <algorithm>

#include "core/behavior/ScalarBlockSink.h"

namespace sofa::core {

void ElementMassMatrix::begin(std::size_t points, bool lumped)
{
    m_lumped = lumped;
    m_rows.assign(points, {});
}

void ElementMassMatrix::add(Index row, Index column, double mass) { m_rows[row][m_lumped ? row : column] += mass; }

void ElementMassMatrix::end()
{
    m_rowStart.assign(1, 0);
    m_columns.clear();
    m_values.clear();
    m_rowSums.assign(m_rows.size(), 0.);
    Vector<ScalarBlockMatrix::Place> places;
    m_matrix.values.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        for (const auto& [column, value] : m_rows[i]) {
            if (m_lumped && !(value > 0.)) continue;
            m_columns.push_back(column);
            m_values.push_back(value);
            m_rowSums[i] += value;
            if (column < i) continue;
            places.push_back({static_cast<Index>(i), column});
            m_matrix.values.push_back(value);
        }
        m_rowStart.push_back(m_values.size());
    }
    m_rows.clear();
    // The density alone may have changed.
    if (m_matrix.id != 0 && m_matrix.places == places) return;
    m_matrix.places = std::move(places);
    m_matrix.id = SymmetricPattern::newId();
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
