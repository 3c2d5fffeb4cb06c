// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <utility>

#include "core/linalg/SymmetricPattern.h"

namespace sofa::core {

/// The pattern of some pairs of points, the lower one first, by increasing lower and then higher one; `rows` is the
/// number of points. Uses the memory of `pattern`.
void setPairs(SymmetricPattern& pattern, const Vector<std::pair<Index, Index>>& pairs, Index rows);

}  // namespace sofa::core
