// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/KrylovControl.h"

namespace sofa::core {

/// The method of minimal residuals (MINRES; Paige and Saunders, "Solution of sparse indefinite systems of linear
/// equations", SIAM J. Numer. Anal. 12, 1975) for symmetric matrices, which need not be positive definite: Lanczos
/// vectors, and a QR factorisation of their tridiagonal matrix by rotations. The norm of the residual falls at each
/// iteration. There is no preconditioner.
///
/// Results have the same bits for any number of threads if the products have.
class MinimalResidual
{
public:
    /// Brings x, of a.size() numbers and zero at first, nearer to the solution for the right-hand side b until
    /// `control` says that it is enough. Of a singular matrix the solution is one that makes the residual smallest.
    KrylovControl::Progress solve(LinearOperator& a, KrylovControl& control, const Vector<double>& b,
                                  Vector<double>& x);

private:
    /// Lanczos vectors, the product with the last one, and the last two directions.
    Vector<double> m_v, m_before, m_q, m_d, m_dBefore;
};

}  // namespace sofa::core
