// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/DefaultAnimationLoop.h"

#include "components/animation/StepPhases.h"
#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/objectmodel/ActiveNodes.h"

namespace sofa::component {

using namespace core;

void DefaultAnimationLoop::step(double dt)
{
    Node& target = l_targetNode ? *l_targetNode : *node();
    if (dt == 0.) dt = target.dt();
    phases::begin(target, dt);
    computeCollisions(target, dt);
    phases::integrate(target, dt, vec_id::position, vec_id::velocity);
    phases::projectAndPropagate(target, dt);
    phases::end(target, dt);
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
        if (m_nodes.update(target)) {
            m_models.clear();
            for (Node* n : m_nodes.nodes())
                for (auto* v : n->getAll<VisualModel>()) m_models.push_back(v);
        }
        for (auto* v : m_models) v->updateVisual();
    }

private:
    ActiveNodes m_nodes;
    std::vector<VisualModel*> m_models;
};

const RegisterComponent registeredDefaultAnimationLoop =
    RegisterComponent("DefaultAnimationLoop", "AnimationLoop", "Sofa.Simulation.Core")
        .help("Time step without constraint solver; scenes without an animation loop get this one")
        .example("component/animation/DefaultAnimationLoop.scn")
        .makeDefault()
        .add<DefaultAnimationLoop>();
const RegisterComponent registeredDefaultVisualManagerLoop =
    RegisterComponent("DefaultVisualManagerLoop", "VisualLoop", "Sofa.Simulation.Core")
        .help("Updates the visual models; scenes without a visual loop get this one. It draws only in a GUI")
        .example("component/animation/DefaultAnimationLoop.scn")
        .makeDefault()
        .add<DefaultVisualManagerLoop>();

}  // namespace

}  // namespace sofa::component
