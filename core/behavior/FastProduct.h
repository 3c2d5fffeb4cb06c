// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// A force field whose addDForce may take no longer than the product with the blocks of its stiffness once they are
/// assembled: iterative solvers that find only such force fields need no matrix.
class FastProduct
{
public:
    virtual ~FastProduct() = default;
    /// Whether it is so for the elements that it has now.
    virtual bool hasFastProduct() const = 0;
    /// Whether its stiffness couples every point with every other: its blocks would take the square of what its product
    /// takes, so that iterative solvers that are not told to assemble need no matrix whatever else there is.
    virtual bool couplesAllPoints() const { return false; }
};

}  // namespace sofa::core
