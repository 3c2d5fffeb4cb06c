// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>

namespace sofa::core {

/// Stores `count` numbers times a factor.
using StoreFunction = void (*)(double* to, const double* from, double factor, std::size_t count);

/// to += factor from; to = 0 + factor from, the bits of adding to zeros.
void addScaled(double* to, const double* from, double factor, std::size_t count);
void setScaled(double* to, const double* from, double factor, std::size_t count);
/// setScaled for an array of so many bytes: what no cache holds is written by non-temporal stores.
StoreFunction ofStores(std::size_t bytes);

}  // namespace sofa::core
