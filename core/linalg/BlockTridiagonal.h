// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/linalg/BlockCsrMatrix.h"
#include "core/linalg/DenseFactorization.h"

namespace sofa::core {

/// Direct solver for block tridiagonal matrices by the block form of Thomas' algorithm (Conte and de Boor, Elementary
/// Numerical Analysis, 1972; Golub and Van Loan, Matrix Computations, section 4.5):
///
///     M = [ A₀ C₀       ]      α₀ = A₀,   λ_i = α_i⁻¹ C_i,   α_i = A_i − B_i λ_{i−1},
///         [ B₁ A₁ C₁    ]      y_i = α_i⁻¹ (b_i − B_i y_{i−1}),   x_i = y_i − λ_i x_{i+1}.
///         [    B₂ A₂ C₂ ]
///         [       ⋱     ]
///
/// Time and memory are linear in the number of blocks. Rows are exchanged within the blocks α only, which is enough for
/// symmetric positive definite matrices and diagonally dominant ones. M need not be symmetric.
class BlockTridiagonal
{
public:
    /// Blocks are of this many scalars; a last block that is not full is filled up with the identity.
    explicit BlockTridiagonal(int blockSize) : m_size(static_cast<std::size_t>(blockSize)) {}

    struct Entry
    {
        int row, column;
    };
    /// Takes the blocks on and beside the diagonal of a square matrix. The first number other than zero that stands
    /// elsewhere, and is left out, is returned.
    std::optional<Entry> assign(const BlockCsrMatrix& m);
    /// False if a block α is singular; failedRow() is then its first row without a pivot.
    bool factorize();
    int failedRow() const { return m_failedRow; }
    /// x = M⁻¹ b, of rows() scalars each; they may be the same memory. Throws std::runtime_error without a
    /// factorisation or on wrong sizes.
    void solve(std::span<const double> b, std::span<double> x) const;
    int rows() const { return m_rows; }

private:
    std::size_t area() const { return m_size * m_size; }

    std::size_t m_size;
    int m_rows = 0;
    int m_failedRow = -1;
    bool m_ok = false;
    Vector<double> m_lower, m_diagonal, m_upper;  ///< B, A and C of each block row, row-major
    Vector<double> m_lambda;                      ///< of each block row, column-major
    std::vector<DenseLu> m_alpha;
    mutable Vector<double> m_y;
};

}  // namespace sofa::core
