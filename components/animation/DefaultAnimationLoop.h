// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Solvers.h"

namespace sofa::component {

/// One time step: events, behaviour models, then every ODE solver integrates its sub-graph; projective constraints are
/// imposed on the result and mapped states follow; time advances; visual mappings and bounding boxes are updated.
///
/// Force fields outside every solver's scope that act on states inside add their force to the external forces first.
class DefaultAnimationLoop : public core::AnimationLoop
{
public:
    core::Link<core::Node> l_targetNode{this, {"targetNode", "Node that is animated; default: the node of the loop"}};

    DefaultAnimationLoop()
    {
        ignoreAttribute("computeBoundingBox", "bounding boxes are computed when something asks for them");
        ignoreAttribute("parallelODESolving", "integrators run one after the other, each in parallel inside");
    }

    void step(double dt) override;
};

}  // namespace sofa::component
