// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <cstddef>

#include "core/math/Vector.h"

namespace sofa::core {

/// A symmetric matrix as Krylov methods see it: its products with vectors. Order and padding of the vectors are those
/// of the operator; numbers that belong to no unknown are zero and stay so.
class LinearOperator
{
public:
    virtual ~LinearOperator() = default;
    /// Numbers in its vectors.
    virtual std::size_t size() const = 0;
    /// y = A x, for vectors of size() numbers; returns x · y.
    virtual double multiply(const Vector<double>& x, Vector<double>& y) = 0;
};

}  // namespace sofa::core
