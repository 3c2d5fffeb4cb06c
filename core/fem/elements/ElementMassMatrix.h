// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cmath>
#include <span>

#include "core/fem/elements/FiniteElements.h"
#include "core/linalg/ScalarBlockMatrix.h"
#include "core/math/Mat.h"

namespace sofa::core {

class BlockSink;

/// Consistent mass matrix m_ij = Σ_q w_q ρ(ξ_q) |J(ξ_q)| Nᵢ(ξ_q) Nⱼ(ξ_q) [kg] of an element with nodes at x.
/// `densityAt(n)` is the density [kg/m³] where the shape functions are n.
template <class Shape, class Points, class Rule, class Density>
Mat<Shape::nodes> elementMassMatrix(const Points& x, const Rule& rule, Density&& densityAt)
{
    Mat<Shape::nodes> matrix;
    for (const auto& [q, weight] : rule) {
        const std::array<double, Shape::nodes> n = Shape::values(q);
        const double factor =
            weight * densityAt(n.data()) * std::abs(elementMeasure(elementJacobian(x, Shape::gradients(q))));
        for (std::size_t i = 0; i < Shape::nodes; ++i)
            for (std::size_t j = 0; j < Shape::nodes; ++j) matrix[i][j] += factor * (n[i] * n[j]);
    }
    return matrix;
}

/// Mass matrix of a state, summed over elements: scalars m_ij [kg] that count alike in all directions.
class ElementMassMatrix
{
public:
    /// Begins anew, for this number of points. With `lumped` each row stands as its sum on the diagonal.
    void begin(std::size_t points, bool lumped);
    /// Begins anew in these rows, in increasing order; all that are new are among them. The others stay.
    void beginRows(std::size_t points, Vector<Index> rows);
    /// Adds an entry of the matrix of an element; in rows that stay it is left out.
    void add(Index row, Index column, double mass);
    /// Sums up; only then is the matrix ready for what follows.
    void end();

    bool isEmpty() const { return m_rows.empty(); }
    bool isLumped() const { return m_lumped; }
    /// [kg]; 0 beyond the last point.
    double rowSum(Index i) const { return i < m_rowSums.size() ? m_rowSums[i] : 0.; }
    const Vector<double>& rowSums() const { return m_rowSums; }

    /// f += factor M dx
    template <class VecDeriv>
    void addProduct(VecDeriv& f, const VecDeriv& dx, double factor) const
    {
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            auto sum = f[i];
            for (const auto& [column, mass] : m_rows[i]) sum += dx[column] * (factor * mass);
            f[i] = sum;
        }
    }
    /// a = M⁻¹ f where the matrix is lumped; 0 at points without a mass.
    template <class VecDeriv>
    void divide(VecDeriv& a, const VecDeriv& f) const
    {
        for (std::size_t i = 0; i < m_rowSums.size(); ++i)
            a[i] = m_rowSums[i] > 0. ? f[i] * (1. / m_rowSums[i]) : typename VecDeriv::value_type();
    }
    /// Adds the blocks of d × d scalars.
    void build(BlockSink& sink, std::size_t d) const;

private:
    struct Entry
    {
        Index column;
        double mass;
    };
    struct Term
    {
        Index row, column;
        double mass;
    };
    /// Sets a row from terms, which are added in their order.
    void setRow(Index row, std::span<const Term> terms);

    bool m_lumped = false, m_all = true;
    Vector<Term> m_terms;         ///< between begin() and end()
    Vector<Term> m_ordered;       ///< by row
    Vector<Index> m_toSet;        ///< rows, unless all
    PiecewiseRows<Entry> m_rows;  ///< with increasing columns
    Vector<double> m_rowSums;
    ScalarBlockMatrix m_matrix;  ///< the same, for sinks

    // Of one row.
    Vector<Entry> m_entries;
    Vector<std::uint32_t> m_entryOf;  ///< per column, in m_entries, if it is one
    Vector<std::uint32_t> m_columns;
    Vector<double> m_values;
};

/// Whether the matrices of hexahedra are equal, which solvers on grids ask (EqualElementMass).
class EqualHexahedra
{
public:
    void begin();
    void add(const Mat<8>& matrix);
    /// These were the elements.
    void end(const Vector<Hexahedron>& elements);
    /// The matrix that these elements share; null if they are others, or have different ones.
    const Mat<8>* matrix(const Vector<Hexahedron>& elements) const;

private:
    Vector<Hexahedron> m_elements;  ///< none if their matrices differ
    Mat<8> m_matrix;
    bool m_isFirst = true;
    double m_deviation = 0., m_largest = 0.;  ///< from the first matrix; of an entry
};

}  // namespace sofa::core
