// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Factorization.h"

namespace sofa::core {

/// DenseLu behind the common interface: for systems of a few unknowns, whatever their pattern. A column whose largest
/// pivot is below 1e-11 of its entries makes the matrix nearly singular.
std::unique_ptr<Factorization> makeDenseFactorization();

}  // namespace sofa::core
