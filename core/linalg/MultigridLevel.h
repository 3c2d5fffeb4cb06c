// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <memory>

#include "core/linalg/Aggregation.h"

namespace sofa::core {

/// One level of AggregationMultigrid but the coarsest: matrix, smoother and prolongation in single precision, and the
/// matrix of the next level in double precision. Vectors have a few numbers more than unknowns, which are zero.
class MultigridLevel
{
public:
    virtual ~MultigridLevel() = default;
    MultigridLevel(const MultigridLevel&) = delete;
    MultigridLevel& operator=(const MultigridLevel&) = delete;

    /// The next level in double precision.
    const BlockCsrMatrix& coarse() const { return m_aggregation.coarse; }
    const Aggregation& aggregation() const { return m_aggregation; }
    /// Numbers that this level stores, in bytes.
    std::size_t bytes() const;

    /// Makes the values of this level and of the next matrix from the values of A, which has the pattern of the
    /// construction. `scale` · A is what is stored. `modes` are rows of near null vectors for the scalars of A and
    /// become those of the next level. Throws std::runtime_error if a diagonal block is not positive definite.
    virtual void refresh(const BlockCsrMatrix& a, double scale, Vector<double>& modes) = 0;

    /// Solution ≈ A⁻¹ residual by the polynomial of `degree`; then residual −= A solution.
    virtual void smoothDown(int degree) = 0;
    /// to = Pᵀ residual
    virtual void restrictTo(Vector<float>& to) const = 0;
    /// solution += P correction, and smooths again. The residual is not valid any more.
    virtual void smoothUp(const Vector<float>& correction, int degree) = 0;
    /// to = P from: for tests.
    virtual void prolong(const Vector<float>& from, Vector<float>& to) const = 0;

    Vector<float> solution, residual;

    /// Numbers behind the end of vectors and values, so that kernels may read whole vectors of four.
    static constexpr std::size_t padding = 4;

protected:
    MultigridLevel(const BlockCsrMatrix& a, std::span<const std::uint8_t> fixed, int modes)
        : m_aggregation(a, fixed, modes)
    {
    }

    Aggregation m_aggregation;
    Vector<int> m_rowStart, m_columns;
    Vector<float> m_values, m_inverse;  ///< blocks of A, inverse diagonal blocks
    Vector<float> m_prolongation;       ///< blocks of P
    Vector<float> m_restriction;        ///< the same blocks, in the order of the rows of Pᵀ
    Vector<double> m_product;           ///< blocks of A P
    double m_radius = 1.;               ///< upper bound of the eigenvalues of D⁻¹ A
};

/// Level for a matrix with blocks of 1, 2, 3 or 6 scalars and 3 or 6 modes, of which blocks of 6 need 6.
std::unique_ptr<MultigridLevel> makeMultigridLevel(const BlockCsrMatrix& a, std::span<const std::uint8_t> fixed,
                                                   int modes);

}  // namespace sofa::core
