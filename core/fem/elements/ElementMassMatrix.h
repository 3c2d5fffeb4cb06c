// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cmath>
#include <map>
#include <vector>

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
    /// Adds an entry of the matrix of an element.
    void add(Index row, Index column, double mass);
    /// Sums up; only then is the matrix ready for what follows.
    void end();

    bool isEmpty() const { return m_rowStart.empty(); }
    bool isLumped() const { return m_lumped; }
    /// [kg]; 0 beyond the last point.
    double rowSum(Index i) const { return i < m_rowSums.size() ? m_rowSums[i] : 0.; }
    const Vector<double>& rowSums() const { return m_rowSums; }

    /// f += factor M dx
    template <class VecDeriv>
    void addProduct(VecDeriv& f, const VecDeriv& dx, double factor) const
    {
        for (std::size_t i = 0; i + 1 < m_rowStart.size(); ++i) {
            auto sum = f[i];
            for (std::size_t k = m_rowStart[i]; k < m_rowStart[i + 1]; ++k)
                sum += dx[m_columns[k]] * (factor * m_values[k]);
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
    bool m_lumped = false;
    std::vector<std::map<Index, double>> m_rows;  ///< between begin() and end()
    /// Entries row by row with increasing columns; row i has those from m_rowStart[i] on.
    Vector<std::size_t> m_rowStart;
    Vector<Index> m_columns;
    Vector<double> m_values;
    Vector<double> m_rowSums;
    ScalarBlockMatrix m_matrix;  ///< the same, for sinks
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
