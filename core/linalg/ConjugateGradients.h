// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/KrylovControl.h"

namespace sofa::core {

/// The method of conjugate gradients (Hestenes and Stiefel 1952), preconditioned where the caller has M⁻¹ (Shewchuk,
/// "An introduction to the conjugate gradient method without the agonizing pain", 1994, B3).
///
/// Results have the same bits for any number of threads if the products have.
class ConjugateGradients
{
public:
    /// Begins with r = b, for `x` = 0 or after startFrom.
    Vector<double>& residual() { return m_r; }
    /// r −= A x, for a start from another x.
    void startFrom(LinearOperator& a, const Vector<double>& x);
    /// Brings x, of a.size() numbers, nearer to the solution until `control` says that it is enough. Returns what it
    /// was told last.
    KrylovControl::Progress solve(LinearOperator& a, KrylovControl& control, Vector<double>& x);

private:
    Vector<double> m_r, m_p, m_q;  ///< residual, direction, and its product
};

}  // namespace sofa::core
