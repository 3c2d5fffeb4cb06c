// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <algorithm>
#include <unordered_set>

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
    /// States of bodies that sleep, mapped ones too, to look up: what acts on them takes no part; nullptr: none sleep.
    const std::unordered_set<const BaseState*>* asleep = nullptr;

    bool isAsleep(const BaseState& s) const { return asleep && asleep->contains(&s); }
    /// Whether one of the states on which a constraint or a correction acts sleeps; the others then sleep too, or do
    /// not move.
    template <class C>
    bool sleeps(const C& component) const
    {
        return asleep && std::ranges::any_of(component.states(), [this](const BaseState* s) { return isAsleep(*s); });
    }
};

}  // namespace sofa::core
