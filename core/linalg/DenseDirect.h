// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"

namespace sofa::core {

/// DenseLu and DenseCholesky behind the common interface: for systems of a few unknowns, whatever their pattern. A
/// column whose pivot is below 1e-11 of its largest entry makes the matrix nearly singular (Cholesky: of its entry on
/// the diagonal). `method` is denseLu or denseCholesky.
std::unique_ptr<Factorization> makeDenseFactorization(FactorizationMethod method);

/// The entries of a matrix, row-major; those that are not stored are zero.
void denseEntries(const BlockCsrMatrix& a, Vector<double>& entries);

}  // namespace sofa::core
