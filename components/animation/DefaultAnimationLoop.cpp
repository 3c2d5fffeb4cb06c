// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/DefaultAnimationLoop.h"

#include <algorithm>

#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

using namespace core;

void DefaultAnimationLoop::solve(Node& n, double dt, std::vector<const Node*>& done)
{
    if (!n.isActive() || std::find(done.begin(), done.end(), &n) != done.end()) return;
    done.push_back(&n);
    const auto solvers = n.getAll<OdeSolver>();
    if (!solvers.empty()) {
        for (OdeSolver* s : solvers) {
            ScopedTimer t([s] { return s->name(); });
            s->solve(dt, vec_id::position, vec_id::velocity);
        }
        return;
    }
    MechanicalParams mp;
    mp.dt = dt;
    for (BaseForceField* f : n.getAll<BaseForceField>()) {
        if (!f->isInteraction()) continue;
        for (BaseState* s : f->states()) s->allocate(vec_id::externalForce);
        f->addForce(mp, vec_id::externalForce);
    }
    for (const auto& c : n.children()) solve(*c, dt, done);
}

void DefaultAnimationLoop::step(double dt)
{
    Node& target = l_targetNode ? *l_targetNode : *node();
    if (dt == 0.) dt = target.dt();
    target.propagateEvent(AnimateBeginEvent(dt));

    for (Node* n : target.descendants())
        for (auto* b : n->getAll<BehaviorModel>()) b->updatePosition(dt);

    computeCollisions(target, dt);

    target.propagateEvent(IntegrateBeginEvent(dt));
    {
        ScopedTimer t("Solve");
        std::vector<const Node*> done;
        solve(target, dt, done);
    }
    MechanicalParams mp;
    mp.dt = dt;
    MechanicalOperations mop(target, mp);
    {
        ScopedTimer t("ProjectAndPropagate");
        mop.projectPosition(vec_id::position);
        mop.projectVelocity(vec_id::velocity);
        mop.propagateXAndV(vec_id::position, vec_id::velocity);
    }
    for (auto* list : {&mop.plan().independentStates(), &mop.plan().mappedStates()})
        for (BaseState* s : *list)
            if (s->isAllocated(vec_id::externalForce)) s->clear(vec_id::externalForce);
    target.propagateEvent(IntegrateEndEvent(dt));

    target.root().d_time.setValue(target.time() + dt);
    target.propagateEvent(AnimateEndEvent(dt));

    ScopedTimer t("UpdateMapping");
    for (Node* n : target.descendants())
        for (auto* m : n->getAll<BaseMapping>())
            if (!m->isMechanical()) m->apply(mp, vec_id::position, vec_id::position);
    target.propagateEvent(UpdateMappingEndEvent(dt));
}

namespace {

/// Updates the visual models of the graph; drawing itself belongs to GUIs.
class DefaultVisualManagerLoop final : public VisualLoop
{
public:
    Data<bool> d_enable{this, {.name = "enable", .help = "Whether visual models are updated"}, true};
    Link<Node> l_targetNode{this,
                            {"targetNode", "Node whose visual models are updated; default: the node of the loop"}};
    void update() override
    {
        if (!d_enable.value()) return;
        Node& target = l_targetNode ? *l_targetNode : *node();
        for (Node* n : target.descendants())
            for (auto* v : n->getAll<VisualModel>()) v->updateVisual();
    }
};

const RegisterComponent animation =
    RegisterComponent("DefaultAnimationLoop", "AnimationLoop", "Sofa.Simulation.Core")
        .help("Time step without constraint solver; scenes without an animation loop get this one")
        .example("component/animation/DefaultAnimationLoop.scn")
        .add<DefaultAnimationLoop>();
const RegisterComponent visual =
    RegisterComponent("DefaultVisualManagerLoop", "VisualLoop", "Sofa.Simulation.Core")
        .help("Updates the visual models; scenes without a visual loop get this one. It draws only in a GUI")
        .example("component/animation/DefaultAnimationLoop.scn")
        .add<DefaultVisualManagerLoop>();

}  // namespace

}  // namespace sofa::component
