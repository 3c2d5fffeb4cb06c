// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"

namespace cholmod {

/// Which of CHOLMOD's two codes factorises.
enum class Code
{
    Automatic,   ///< supernodal where it has enough operations for each number
    Simplicial,  ///< L D Lᵀ, row by row
    Supernodal   ///< L Lᵀ in dense blocks by BLAS
};

/// CHOLMOD (Chen, Davis, Hager, Rajamanickam, "Algorithm 887: CHOLMOD, supernodal sparse Cholesky factorization and
/// update/downdate", 2008) behind the interface of the framework, for symmetric positive definite matrices; the
/// simplicial code also takes indefinite ones whose pivots do not vanish. `automatic` ordering: AMD, and METIS where
/// AMD's factor is large. Results depend on the BLAS that CHOLMOD uses.
std::unique_ptr<sofa::core::Factorization> makeFactorization(Code code, sofa::core::OrderingMethod ordering);

}  // namespace cholmod
