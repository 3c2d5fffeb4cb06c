// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"

namespace sofa::core {

/// The solvers of Eigen behind the common interface; `method` is one of the eigen… values.
std::unique_ptr<Factorization> makeEigenFactorization(FactorizationMethod method, OrderingMethod ordering);

}  // namespace sofa::core
