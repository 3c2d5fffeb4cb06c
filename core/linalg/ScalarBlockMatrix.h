// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/SymmetricPattern.h"

namespace sofa::core {

/// Symmetric matrix whose blocks are multiples of the identity, as that of a consistent mass: the block of row i and
/// column j, and that of row j and column i, are m_ij times the identity.
struct ScalarBlockMatrix
{
    SymmetricPattern pattern;
    PiecewiseRows<double> values;  ///< m_ij, per point: that of the diagonal, and those of its columns
};

}  // namespace sofa::core
