// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/FreeMotionAnimationLoop.h"

#include "components/animation/StepPhases.h"
#include "core/collision/CollisionDetection.h"
#include "core/factory/Registry.h"
#include "core/log/Timer.h"
#include "core/visitor/Operations.h"

namespace sofa::component {

using namespace core;

void FreeMotionAnimationLoop::init()
{
    std::string error;
    if (!l_targetNode.resolve(error)) return fail("targetNode: " + error);
    if (!l_constraintSolver.resolve(error)) return fail("constraintSolver: " + error);
    if (!l_constraintSolver) l_constraintSolver.set(node()->get<ConstraintSolver>(Search::Down));
    if (l_constraintSolver) return;
    msgWarning() << "there is no constraint solver: a BlockGaussSeidelConstraintSolver with default values is used";
    createConstraintSolver({});
}

void FreeMotionAnimationLoop::createConstraintSolver(const std::vector<std::pair<std::string, std::string>>& values)
{
    ComponentDescription description;
    description.type = "BlockGaussSeidelConstraintSolver";
    description.where = location;
    for (const auto& [name, value] : values) description.set(name, value);
    auto created = std::dynamic_pointer_cast<ConstraintSolver>(Registry::instance().create(node(), description));
    created->location = location;
    created->parse(description);
    node()->addComponent(created);
    l_constraintSolver.set(created.get());
}

void FreeMotionAnimationLoop::computeFreeMotion(Node& target, const ConstraintParams& p)
{
    VectorOperations vop(target);
    vop.allocate(vec_id::freePosition);
    vop.allocate(vec_id::freeVelocity);
    vop.copy(vec_id::freePosition, vec_id::position);
    vop.copy(vec_id::freeVelocity, vec_id::velocity);
    phases::integrate(target, p.dt, vec_id::freePosition, vec_id::freeVelocity);
    propagateFreeMotion(target, p);
}

void FreeMotionAnimationLoop::propagateFreeMotion(Node& target, const ConstraintParams& p)
{
    ScopedTimer t("FreePositions");
    VectorOperations vop(target);
    vop.allocate(vec_id::freePosition);
    vop.allocate(vec_id::freeVelocity);
    MechanicalParams mp;
    mp.dt = p.dt;
    MechanicalOperations mop(target, mp);
    mop.projectResponse(vec_id::freeVelocity);
    mop.propagateV(vec_id::freeVelocity);
    // Mapped points move along straight lines here: the violation is linearised as its rows are.
    if (p.order == ConstraintOrder::positionAndVelocity)
        for (auto* list : {&mop.plan().independentStates(), &mop.plan().mappedStates()})
            for (BaseState* s : *list) s->add(vec_id::freePosition, vec_id::position, vec_id::freeVelocity, p.dt);
}

void FreeMotionAnimationLoop::step(double dt)
{
    Node& target = l_targetNode ? *l_targetNode : *node();
    if (dt == 0.) dt = target.dt();
    ConstraintParams p;
    p.dt = dt;
    p.order = d_solveVelocityConstraintFirst.value() ? ConstraintOrder::velocity : ConstraintOrder::positionAndVelocity;

    phases::begin(target, dt);
    if (collidesFirst()) computeCollisions(target, dt);
    {
        ScopedTimer t("FreeMotion");
        computeFreeMotion(target, p);
    }
    computeCollisions(target, dt);  // new contact points follow the free motion by themselves
    {
        ScopedTimer t("ConstraintSolver");
        l_constraintSolver->solveConstraint(p, vec_id::position, vec_id::velocity);
        if (p.order == ConstraintOrder::velocity)
            VectorOperations(target).add(vec_id::position, vec_id::position, vec_id::velocity, dt);
    }
    phases::projectAndPropagate(target, dt);
    phases::end(target, dt);
}

static const RegisterComponent registered =
    RegisterComponent("FreeMotionAnimationLoop", "AnimationLoop", "Sofa.Component.AnimationLoop")
        .help("Time step with Lagrangian constraints: free motion, constraint forces, correction")
        .example("component/animation/FreeMotionAnimationLoop.scn")
        .add<FreeMotionAnimationLoop>();

}  // namespace sofa::component
