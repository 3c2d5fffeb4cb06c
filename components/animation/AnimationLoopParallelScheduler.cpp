// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/AnimationLoopParallelScheduler.h"

#include <algorithm>

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace core;

std::vector<AnimationLoop*> AnimationLoopParallelScheduler::parts() const
{
    std::vector<AnimationLoop*> out;
    for (const auto& c : target().children())
        if (c->isActive())
            if (auto* loop = c->get<AnimationLoop>(Search::Local)) out.push_back(loop);
    return out;
}

void AnimationLoopParallelScheduler::init()
{
    std::string error;
    if (!l_targetNode.resolve(error)) return fail("targetNode: " + error);
    if (d_taskSchedulerType.value() != "_default")
        msgWarning() << "taskSchedulerType: there is no '" << d_taskSchedulerType.value()
                     << "'; the one that there is, _default, is used";
    m_threads.ask(d_nbThreads.value());
}

void AnimationLoopParallelScheduler::reinit() { m_threads.ask(d_nbThreads.value()); }

void AnimationLoopParallelScheduler::bwdInit()
{
    if (!isValid()) return;
    const auto loops = parts();
    if (loops.empty())
        return fail("no child of node '" + target().pathName() +
                    "' has an animation loop: it steps those that have one, each as a part of its own");
    for (const OdeSolver* s : target().getAll<OdeSolver>(Search::Down))
        if (std::ranges::none_of(loops, [s](const AnimationLoop* l) { return l->node()->contains(*s->node()); }))
            msgWarning() << "the integrator '" << s->pathName()
                         << "' is below no child with an animation loop: what it integrates does not move";
}

bool AnimationLoopParallelScheduler::hasFreeMotion() const
{
    return std::ranges::any_of(parts(), &AnimationLoop::hasFreeMotion);
}

void AnimationLoopParallelScheduler::step(double dt)
{
    Node& scene = target();
    if (dt == 0.) dt = scene.dt();
    const double start = scene.time();
    for (AnimationLoop* part : parts()) {
        // Each moves the time of the whole scene.
        scene.root().d_time.setValue(start);
        part->step(dt);
    }
    scene.root().d_time.setValue(start + dt);
    scene.propagateEvent(DataExchangeEvent(dt));
}

static const RegisterComponent registeredAnimationLoopParallelScheduler =
    RegisterComponent("AnimationLoopParallelScheduler", "AnimationLoop", "MultiThreading")
        .help("Steps the children that have animation loops as scenes of their own, side by side")
        .example("component/animation/AnimationLoopParallelScheduler.scn")
        .add<AnimationLoopParallelScheduler>();

}  // namespace sofa::component
