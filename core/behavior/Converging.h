// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

namespace sofa::core {

/// A solver whose result is worth nothing where it did not converge: that of an equilibrium, or of the nonlinear
/// equation of a step. A run that ends so fails.
class Converging
{
public:
    virtual ~Converging() = default;
    /// Whether the solves that count found what they looked for; true before the first.
    virtual bool converged() const = 0;
    /// What went wrong, and what it means: the rest of a sentence that begins with the name of the solver.
    virtual std::string failure() const = 0;
};

}  // namespace sofa::core
