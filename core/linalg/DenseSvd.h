// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"

namespace sofa::core {

/// Dense singular value decomposition A = U Σ Vᵀ (Golub and Van Loan, Matrix Computations, section 2.4) behind the
/// common interface: for systems of up to some hundred unknowns, whatever their rank. Solves by the pseudo-inverse
/// x = Σ v (u·b)/σ over the singular values σ that count as non-zero: least squares, and of these solutions the
/// shortest. Symmetric matrices are decomposed by their eigenvalues, σ = |λ|, several times faster (Eigen).
///
/// A deficient rank is no failure: the status stays `ok`; report().zeroPivots is the number of singular values that do
/// not count, and zeroPivotRows has the scalar in which the vector of each moves most.
class DenseSvd final : public Factorization
{
public:
    DenseSvd();
    ~DenseSvd() override;

    /// Singular values count from the next factorisation on if they are above `bound`: a fraction of the largest one,
    /// or, if `absolute`, a number in the unit of the matrix.
    void setSmallest(double bound, bool absolute);

    void analyze(const BlockCsrMatrix& a) override;
    FactorizationStatus factorize(const BlockCsrMatrix& a) override;
    void solve(std::span<const double> b, std::span<double> x, int nrhs = 1) const override;

    /// Of the last matrix, decreasing.
    std::span<const double> singularValues() const { return m_values; }
    int rank() const { return m_rank; }
    /// σ₁/σₙ; infinite for a singular matrix, 1 without unknowns.
    double conditionNumber() const;

protected:
    int unknowns() const override { return m_rows; }
    bool factorized() const override { return m_factorized; }

private:
    struct Vectors;

    void decompose(bool symmetric);

    std::unique_ptr<Vectors> m_vectors;
    Vector<double> m_entries;
    Vector<double> m_values;
    double m_bound = 1e-13;
    bool m_absolute = false;
    int m_rows = 0, m_rank = 0;
    bool m_factorized = false;
};

}  // namespace sofa::core
