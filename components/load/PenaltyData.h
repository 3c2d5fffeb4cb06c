// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Data.h"

namespace sofa::component {

/// The Data of force fields that push points out of where they must not be: f = −k δ n + c δ v, δ being the depth.

inline core::DataInfo penaltyStiffness()
{
    return {.name = "stiffness", .help = "Force per depth", .unit = "N/m", .range = core::Range::nonNegative()};
}

inline core::DataInfo penaltyDamping()
{
    return {.name = "damping",
            .help = "Force per depth and velocity",
            .unit = "N s/m^2",
            .range = core::Range::nonNegative()};
}

inline core::DataInfo penaltyTangent()
{
    return {.name = "tangent",
            .help =
                "State the derivatives of the damping, and of a force at its limit, which are not symmetric, so that "
                "Newton's method converges quadratically"};
}

}  // namespace sofa::component
