// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/VecId.h"

namespace sofa::core {

/// What the forces of Lagrangian constraints make vanish at the end of a step.
enum class ConstraintOrder
{
    positionAndVelocity,  ///< violations of positions [m]; positions and velocities are corrected by one force
    velocity              ///< violations of velocities [m/s]; positions follow by x = x + dt v
};

/// Context of a constraint resolution: the motion without constraint forces ("free"), and what is to be corrected.
struct ConstraintParams
{
    double dt = 0.01;  ///< [s]
    ConstraintOrder order = ConstraintOrder::positionAndVelocity;
    /// At an impact within a step, the time to its end [s]; else 0. By velocities only: contacts that are open may
    /// close in that time; what is to be pushed out has a whole step for it.
    double remaining = 0.;
    MultiVecCoordId freeX = vec_id::freePosition;
    MultiVecDerivId freeV = vec_id::freeVelocity;
};

}  // namespace sofa::core
