// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/math/Vector.h"

namespace sofa::core {

/// Direct solvers for small dense systems (say, up to a few hundred unknowns). Matrices are n × n, row-major; plain
/// sequential loops, so results are the same on every machine. `factorize` copies the matrix and does not allocate when
/// n does not grow; it returns false, and `solve` then throws std::runtime_error, if the matrix is not fit for the
/// method. Wrong sizes throw std::runtime_error. Right-hand side and solution may be the same memory.

/// A = L Lᵀ for symmetric positive definite A; reads the lower triangle. False unless all pivots are positive.
class DenseCholesky
{
public:
    bool factorize(int n, std::span<const double> a);
    void solve(std::span<const double> b, std::span<double> x) const;
    /// Row-major L; the upper triangle is zero.
    std::span<const double> factor() const { return m_l; }
    /// Square of entry k of the diagonal of L; and the column at which the last factorisation found no positive pivot,
    /// −1 if it found all.
    double pivot(int k) const
    {
        const double l = m_l[static_cast<std::size_t>(k) * static_cast<std::size_t>(m_size + 1)];
        return l * l;
    }
    int failedColumn() const { return m_failed; }

private:
    int m_size = 0;
    int m_failed = -1;
    bool m_ok = false;
    Vector<double> m_l;
};

/// A = L D Lᵀ for symmetric A, without pivoting; reads the lower triangle. Columns in their order, sums over k
/// increasing: the textbook scalar algorithm (Golub, Van Loan, "Matrix Computations", algorithm 4.1.2), and the
/// reference for the sparse ones. False if a pivot is zero or not finite.
class DenseLdlt
{
public:
    bool factorize(int n, std::span<const double> a);
    void solve(std::span<const double> b, std::span<double> x) const;
    /// Row-major L with unit diagonal, and the diagonal of D.
    std::span<const double> factor() const { return m_l; }
    std::span<const double> pivots() const { return m_d; }
    /// Number of negative pivots, which is that of negative eigenvalues.
    int negativePivots() const;

private:
    int m_size = 0;
    bool m_ok = false;
    Vector<double> m_l, m_d;
};

/// P A = L U with partial pivoting for any regular A. False if a pivot is zero or not finite.
class DenseLu
{
public:
    bool factorize(int n, std::span<const double> a);
    void solve(std::span<const double> b, std::span<double> x) const;
    /// Entry k of the diagonal of U, which belongs to column k of A; and the column at which the last factorisation
    /// found no pivot, −1 if it found all.
    double pivot(int k) const { return m_lu[static_cast<std::size_t>(k) * static_cast<std::size_t>(m_size + 1)]; }
    int failedColumn() const { return m_failed; }
    /// Determinant of A; zero after a failed factorisation.
    double determinant() const;

private:
    int m_size = 0;
    int m_failed = -1;
    bool m_ok = false;
    Vector<double> m_lu;
    Vector<int> m_order;  ///< row of A that became row i
    bool m_oddPermutation = false;
    mutable Vector<double> m_x;
};

}  // namespace sofa::core
