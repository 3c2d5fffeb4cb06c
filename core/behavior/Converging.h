// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

namespace sofa::core {

/// A solver whose result is worth nothing where it did not converge: that of an equilibrium. A run that ends so fails.
class Converging
{
public:
    virtual ~Converging() = default;
    /// Whether the last solve found what it looked for; true before the first.
    virtual bool converged() const = 0;
};

}  // namespace sofa::core
