// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/visitor/StatePropagation.h"

#include "core/visitor/Operations.h"

namespace sofa::core {

void projectState(Node& scope)
{
    MechanicalOperations mop(scope, MechanicalParams());
    mop.projectPosition(vec_id::position);
    mop.projectVelocity(vec_id::velocity);
}

void propagateState(Node& scope)
{
    MechanicalOperations mop(scope, MechanicalParams());
    mop.propagateXAndV(vec_id::position, vec_id::velocity);
    for (Node* n : scope.descendants())
        for (auto* m : n->getAll<BaseMapping>())
            if (!m->isMechanical()) m->apply(mop.mp, vec_id::position, vec_id::position);
}

}  // namespace sofa::core
