// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <span>

#include "core/math/Mat.h"

namespace sofa::core {

/// The part of a symmetric matrix that belongs to its negative eigenvalues, Σ min(λ, 0) v vᵀ: what a stabilized
/// geometric stiffness keeps. Only the lower triangle is read. M: 3, 6, 9 or 12.
template <std::size_t M>
Mat<M, M> negativePart(const Mat<M, M>& k);

/// Puts that part of the symmetric part ½ (K + Kᵀ) of any matrix of n × n numbers, row by row, in its place. Throws
/// std::invalid_argument if there are not n² numbers.
void takeNegativePart(std::span<double> k, std::size_t n);

}  // namespace sofa::core
