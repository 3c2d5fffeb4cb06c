// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/linalg/BlockCsrMatrix.h"

namespace sofa::core {

/// Incomplete Cholesky factorisation without fill, A ≈ L Lᵀ, block by block: L has the pattern of the blocks on and
/// left of the diagonal of A (Meijerink and van der Vorst, Math. Comp. 31, 1977). Of a symmetric positive definite A
/// only these blocks are read.
///
/// A pivot may fail although A is positive definite. Then D + α D takes the place of the diagonal D of A, with the
/// smallest α of 10⁻³, 2·10⁻³, 4·10⁻³, ... for which none fails (Manteuffel, Math. Comp. 34, 1980; Lin and Moré, SIAM
/// J. Sci. Comput. 21, 1999). Sequential: the bits do not depend on threads.
class IncompleteCholesky
{
public:
    /// Throws std::runtime_error if A is not square, a diagonal block is not stored, an entry of the diagonal is not
    /// positive, or no α up to 1 will do.
    void factorize(const BlockCsrMatrix& a);
    /// z = (L Lᵀ)⁻¹ r, for arrays of as many numbers as A has rows; z may be r.
    void apply(std::span<const double> r, std::span<double> z) const;

    /// α of the last factorisation, 0 where it needed none.
    double shift() const { return m_shift; }
    /// Numbers that are stored.
    std::size_t nonZeros() const { return m_values.size(); }

private:
    template <int B>
    bool factorizeBlocks(const BlockCsrMatrix& a);
    template <int B>
    void applyBlocks(double* z) const;

    int m_blockSize = 3;
    double m_shift = 0.;
    Vector<int> m_rowPtr, m_columns;  ///< of the blocks left of the diagonal
    /// Row by row the blocks left of the diagonal, then for the diagonal the inverse of its lower triangle.
    Vector<double> m_values;
};

}  // namespace sofa::core
