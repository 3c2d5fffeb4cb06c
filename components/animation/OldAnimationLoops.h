// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "components/animation/FreeMotionAnimationLoop.h"

namespace sofa::component {

/// One animation step in parts: `collisionSteps` times collisions are detected, and after each `integrationSteps` times
/// the integrators advance by dt / (collisionSteps · integrationSteps). Otherwise as DefaultAnimationLoop.
class MultiStepAnimationLoop final : public core::AnimationLoop
{
public:
    core::Data<int> d_collisionSteps{this,
                                     {.name = "collisionSteps",
                                      .help = "Number of detections of collisions in an animation step",
                                      .range = core::Range::closed(1., 1e9)},
                                     1};
    core::Data<int> d_integrationSteps{this,
                                       {.name = "integrationSteps",
                                        .help = "Number of time steps after each detection of collisions",
                                        .range = core::Range::closed(1., 1e9)},
                                       1};
    core::Link<core::Node> l_targetNode{this, {"targetNode", "Node that is animated; default: the node of the loop"}};

    MultiStepAnimationLoop()
    {
        ignoreAttribute("computeBoundingBox", "bounding boxes are computed when something asks for them");
    }

    void init() override;
    void step(double dt) override;
};

/// The loop of old scenes with Lagrangian constraints: a FreeMotionAnimationLoop with a Gauss-Seidel solver of its own.
class ConstraintAnimationLoop final : public FreeMotionAnimationLoop
{
public:
    core::Data<double> d_tolerance{
        this,
        {.name = "tolerance",
         .help = "The iterations stop when the last one changed the violations by less than this",
         .unit = "m",
         .range = core::Range::nonNegative()},
        1e-5};
    core::Data<int> d_maxIterations{
        this,
        {.name = "maxIterations", .help = "Largest number of iterations", .range = core::Range::closed(0., 1e9)},
        1000};
    core::Data<bool> d_doCollisionsFirst{
        this,
        {.name = "doCollisionsFirst",
         .help = "Detect collisions before the free motion, so that penalty contacts take part in it"},
        false};
    core::Data<bool> d_scaleTolerance{
        this,
        {.name = "scaleTolerance",
         .help =
             "Multiply the tolerance by the number of rows that have a force; with compatibility=\"sofa\" by that of "
             "all rows"},
        true};
    core::Data<bool> d_allVerified{
        this, {.name = "allVerified", .help = "Stop only when each row by itself is below the tolerance"}, false};
    core::Data<double> d_sor{this,
                             {.name = "sor",
                              .help = "Relaxation of each iteration: 1 none, below damped, above over-relaxed",
                              .unit = "1",
                              .range = core::Range::closed(0., 2.)},
                             1.};

    ConstraintAnimationLoop();
    void init() override;

protected:
    bool collidesFirst() const override { return d_doCollisionsFirst.value(); }
};

}  // namespace sofa::component
