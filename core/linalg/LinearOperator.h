// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/linalg/Ownership.h"

namespace sofa::core {

/// A symmetric matrix as Krylov methods see it: its products with vectors, and sums over them. Order and padding of the
/// vectors are those of the operator; numbers that belong to no unknown are zero and stay so.
class LinearOperator
{
public:
    virtual ~LinearOperator() = default;
    /// Numbers in its vectors.
    virtual std::size_t size() const = 0;
    /// y = A x, for vectors of size() numbers; returns x · y, as ownership() sums it.
    virtual double multiply(const Vector<double>& x, Vector<double>& y) = 0;
    /// Which of the numbers count in sums: all, unless some are copies of others.
    virtual const Ownership& ownership() const
    {
        static const Ownership all;
        return all;
    }
};

}  // namespace sofa::core
