// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/DataExchange.h"
#include "core/behavior/Solvers.h"
#include "core/parallel/ThreadRequest.h"

namespace sofa::component {

/// Steps parts of a scene side by side: the child nodes that have an animation loop of their own, each over the same
/// time step, as if it were alone. Then DataExchange components copy what one part tells another. What stands in the
/// node itself, and children without a loop, do not move; a message says so.
///
/// Parts are stepped one after the other here, each in parallel inside: the results are those of SOFA's loop, which
/// gives each part to a task, and do not depend on the number of threads.
class AnimationLoopParallelScheduler final : public core::AnimationLoop, public core::DataExchangeSender
{
public:
    core::Data<int> d_nbThreads{this,
                                {.name = "nbThreads",
                                 .help = "Number of threads: 0 all cores, -n all but n; ignored where the program was "
                                         "told how many",
                                 .range = core::Range::closed(-4096., 4096.),
                                 .group = "Multithreading"},
                                0};
    core::Data<std::string> d_taskSchedulerType{this,
                                                {.name = "taskSchedulerType",
                                                 .help = "Name of SOFA's task scheduler; there is one, _default",
                                                 .group = "Multithreading",
                                                 .displayed = false},
                                                "_default"};
    core::Link<core::Node> l_targetNode{
        this, {"targetNode", "Node whose children are animated; default: the node of the loop"}};

    AnimationLoopParallelScheduler()
    {
        ignoreAttribute("computeBoundingBox", "bounding boxes are computed when something asks for them");
    }

    void init() override;
    void bwdInit() override;
    void reinit() override;
    void step(double dt) override;
    bool hasFreeMotion() const override;

private:
    core::Node& target() const { return l_targetNode ? *l_targetNode : *node(); }
    /// Those of the children, in the order of the scene.
    std::vector<core::AnimationLoop*> parts() const;

    core::ThreadRequest m_threads;
};

}  // namespace sofa::component
