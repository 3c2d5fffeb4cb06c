// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstdint>

#include "core/math/Vector.h"

namespace sofa::core {

/// Symmetric matrix whose blocks are multiples of the identity, as that of a consistent mass: the block of row i and
/// column j, and that of row j and column i, are m_ij times the identity.
struct ScalarBlockMatrix
{
    /// Row ≤ column; no two places are the same.
    struct Place
    {
        Index row, column;
        friend bool operator==(const Place&, const Place&) = default;
    };
    Vector<Place> places;
    Vector<double> values;  ///< m_ij, per place
    std::uint64_t id = 0;   ///< of the places: see SymmetricPattern::newId
};

}  // namespace sofa::core
