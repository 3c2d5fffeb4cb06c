// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/FreeMotionAnimationLoop.h"

#include <algorithm>

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
    createConstraintSolver({});
    msgWarning() << "there is no constraint solver: a " << l_constraintSolver->className()
                 << " with default values is used";
}

void FreeMotionAnimationLoop::createConstraintSolver(const std::vector<std::pair<std::string, std::string>>& values)
{
    ComponentDescription description;
    const auto solver = Registry::instance().defaultOf("ConstraintSolver");
    if (!solver) throw std::runtime_error("there is no constraint solver, and none is registered as the default");
    description.type = solver->name;
    description.where = location;
    for (const auto& [name, value] : values) description.set(name, value, location);
    const auto created = Registry::instance().createIn(*node(), description);
    l_constraintSolver.set(dynamic_cast<ConstraintSolver*>(created.get()));
}

void FreeMotionAnimationLoop::computeFreeMotion(Node& target, const ConstraintParams& p)
{
    VectorOperations vop(target);
    vop.allocate(vec_id::freePosition);
    vop.allocate(vec_id::freeVelocity);
    vop.copy(vec_id::freePosition, vec_id::position);
    vop.copy(vec_id::freeVelocity, vec_id::velocity);
    const auto rests = [&](Node& body) { return sleeps() && m_sleep.rests(body, p.dt); };
    phases::integrate(target, p.dt, vec_id::freePosition, vec_id::freeVelocity, rests);
    propagateFreeMotion(target, p);
}

bool FreeMotionAnimationLoop::wake(Node& target, ConstraintParams& p, bool later)
{
    if (!sleeps()) return false;
    const std::vector<Node*> woken = m_sleep.wakeIslands(target, later);
    p.asleep = m_sleep.states();
    for (Node* n : woken) {
        for (BaseState* s : ExecutionPlan::of(*n).independentStates()) {
            s->copy(vec_id::freePosition, vec_id::position);
            s->copy(vec_id::freeVelocity, vec_id::velocity);
        }
        phases::integrateNode(*n, p.dt, vec_id::freePosition, vec_id::freeVelocity);
    }
    if (!woken.empty()) propagateFreeMotion(target, p);
    return !woken.empty();
}

void FreeMotionAnimationLoop::archive(Archive& a)
{
    // Nothing where nothing can sleep.
    if (a.loading() && a.atEnd()) m_sleep.clear();
    if (a.loading() ? !a.atEnd() : sleeps()) m_sleep.archive(a);
    if (a.loading()) d_sleepingBodies.setValue(m_sleep.count());
}

namespace {

/// Whether an integrator turned bodies whose inertia turns with them: their free positions are more than a velocity
/// times the step.
bool turnsFreely(const RotatingBodies& bodies, const BaseState& s)
{
    return bodies.contains(s) && s.node()->get<OdeSolver>(Search::Up);
}

}  // namespace

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
    const RotatingBodies turning(mop.plan());
    // Mapped points move along straight lines here: the violation is linearised as its rows are.
    if (p.order == ConstraintOrder::positionAndVelocity)
        for (auto* list : {&mop.plan().independentStates(), &mop.plan().mappedStates()})
            for (BaseState* s : *list)
                if (!turnsFreely(turning, *s))
                    s->add(vec_id::freePosition, vec_id::position, vec_id::freeVelocity, p.dt);
}

namespace {

/// The largest number that a pipeline below the node gives.
int most(Node& target, int (CollisionPipeline::*number)() const)
{
    int largest = 0;
    for (const auto* pipeline : target.getAll<CollisionPipeline>(Search::Down))
        largest = std::max(largest, (pipeline->*number)());
    return largest;
}

/// Part of a motion before bodies come too near to each other; 1 if none do.
double firstPassage(Node& target, const CollisionUpdate& motion)
{
    const ScopedTimer t("TimesOfImpact");
    double first = 1.;
    for (auto* pipeline : target.getAll<CollisionPipeline>(Search::Down))
        first = std::min(first, pipeline->firstPassage(motion));
    return first;
}

}  // namespace

bool FreeMotionAnimationLoop::keepStart(Node& target)
{
    if (most(target, &CollisionPipeline::maxImpacts) == 0 && most(target, &CollisionPipeline::maxCorrections) == 0)
        return false;
    VectorOperations vop(target);
    m_start.emplace(vop);
    vop.copy(m_start->position, vec_id::position);
    vop.copy(m_start->velocity, vec_id::velocity);
    vop.copy(m_start->freePosition, vec_id::freePosition);
    return true;
}

bool FreeMotionAnimationLoop::addEndContacts(Node& target, ConstraintParams& p)
{
    // Mapped states are still where the step began; those of new contacts may have no free positions.
    VectorOperations vop(target);
    vop.allocate(vec_id::freePosition);
    vop.copy(vec_id::freePosition, vec_id::position);
    vop.copy(vec_id::position, m_start->position);
    MechanicalParams mp;
    mp.dt = p.dt;
    MechanicalOperations(target, mp).propagateX(vec_id::freePosition);
    const auto pipelines = target.getAll<CollisionPipeline>(Search::Down);
    std::size_t added = 0;
    for (auto* pipeline : pipelines)
        added += pipeline->addEndContacts({.motion = CollisionMotion::FreeMotion, .dt = p.dt});
    if (added == 0) {
        vop.copy(vec_id::position, vec_id::freePosition);
        return false;
    }
    vop.copy(vec_id::freePosition, m_start->freePosition);
    vop.copy(vec_id::velocity, m_start->velocity);
    propagateFreeMotion(target, p);
    const auto respond = [&] {
        for (auto* pipeline : pipelines) {
            pipeline->computeCollisionReset();
            pipeline->computeCollisionResponse();
        }
    };
    respond();
    if (wake(target, p, true)) {
        vop.copy(m_start->freePosition, vec_id::freePosition);
        respond();
    }
    return true;
}

bool FreeMotionAnimationLoop::isNonPenetrating(Node& target, double dt)
{
    // Mapped states are still where the step began; those of new contacts may have no free positions.
    VectorOperations vop(target);
    vop.allocate(vec_id::freePosition);
    vop.copy(vec_id::freePosition, vec_id::position);
    vop.copy(vec_id::position, m_start->position);
    MechanicalParams mp;
    mp.dt = dt;
    MechanicalOperations(target, mp).propagateX(vec_id::freePosition);
    const bool holds = firstPassage(target, {.motion = CollisionMotion::FreeMotion, .dt = dt}) >= 1.;
    vop.copy(vec_id::position, vec_id::freePosition);
    return holds;
}

void FreeMotionAnimationLoop::resolveImpacts(Node& target, const ConstraintParams& p)
{
    const int largest = most(target, &CollisionPipeline::maxImpacts);
    // What has no correction does not move here either.
    std::vector<BaseState*> moved;
    for (const ConstraintCorrection* c : target.getAll<ConstraintCorrection>(Search::Down))
        if (c->isActive())
            for (BaseState* s : c->states()) moved.push_back(s);
    MechanicalParams mp;
    mp.dt = p.dt;
    // Contacts come and go, and the scene with them: the plan is asked for each time.
    const auto follow = [&](const MultiVecCoordId& x, const MultiVecDerivId& v) {
        MechanicalOperations(target, mp).propagateXAndV(x, v);
    };
    VectorOperations(target).copy(vec_id::position, m_start->position);
    for (BaseState* s : moved)
        if (!p.isAsleep(*s)) s->copy(vec_id::velocity, vec_id::freeVelocity);
    follow(vec_id::position, vec_id::velocity);
    ConstraintParams impact = p;
    impact.order = ConstraintOrder::velocity;
    impact.remaining = p.dt;
    for (int count = 0;; ++count) {
        d_impacts.setValue(count);
        CollisionUpdate motion{.motion = CollisionMotion::Inertia, .dt = impact.remaining};
        const double part = firstPassage(target, motion);
        for (BaseState* s : moved) s->add(vec_id::position, vec_id::position, vec_id::velocity, part * motion.dt);
        if (part >= 1.) return;
        impact.remaining -= part * motion.dt;
        if (count == largest) break;
        follow(vec_id::position, vec_id::velocity);
        VectorOperations vop(target);
        vop.allocate(vec_id::freePosition);
        vop.allocate(vec_id::freeVelocity);
        vop.copy(vec_id::freePosition, vec_id::position);
        vop.copy(vec_id::freeVelocity, vec_id::velocity);
        follow(vec_id::freePosition, vec_id::freeVelocity);
        motion.dt = impact.remaining;
        motion.impact = true;
        computeCollisions(target, impact.remaining, motion);
        if (wake(target, impact, true)) {
            // They begin to move at this impact.
            VectorOperations again(target);
            again.copy(vec_id::freePosition, vec_id::position);
            again.copy(vec_id::freeVelocity, vec_id::velocity);
            follow(vec_id::freePosition, vec_id::freeVelocity);
        }
        l_constraintSolver->solveConstraint(impact, vec_id::position, vec_id::velocity);
        MechanicalOperations(target, mp).propagateV(vec_id::velocity);
    }
    if (!m_lostReported)
        msgWarning() << "after " << largest << " impacts within the step that begins at " << target.time()
                     << " s, the last " << impact.remaining
                     << " s of it are left out, so that nothing passes through anything: the time "
                     << "step is long against the spin of the bodies, or maxImpacts of the intersection method small";
    m_lostReported = true;
}

namespace {

/// Positions from velocities that constraint forces have changed.
void addVelocity(Node& target, const ConstraintParams& p)
{
    ExecutionPlan& plan = ExecutionPlan::of(target);
    const RotatingBodies turning(plan);
    for (BaseState* s : plan.independentStates()) {
        if (p.isAsleep(*s)) continue;
        if (turnsFreely(turning, *s)) {
            s->allocate(vec_id::dx);
            s->add(vec_id::dx, vec_id::velocity, vec_id::freeVelocity, -1.);
            s->add(vec_id::position, vec_id::freePosition, vec_id::dx, p.dt);
        } else {
            s->add(vec_id::position, vec_id::position, vec_id::velocity, p.dt);
        }
    }
}

}  // namespace

void FreeMotionAnimationLoop::solveConstraints(Node& target, const ConstraintParams& p)
{
    l_constraintSolver->solveConstraint(p, vec_id::position, vec_id::velocity);
    if (p.order == ConstraintOrder::velocity) addVelocity(target, p);
}

void FreeMotionAnimationLoop::step(double dt)
{
    Node& target = l_targetNode ? *l_targetNode : *node();
    if (dt == 0.) dt = target.dt();
    ConstraintParams p;
    p.dt = dt;
    p.order = d_solveVelocityConstraintFirst.value() ? ConstraintOrder::velocity : ConstraintOrder::positionAndVelocity;

    phases::begin(target, dt);
    if (sleeps())
        m_sleep.begin(target);
    else
        m_sleep.clear();
    if (collidesFirst()) computeCollisions(target, dt);
    {
        ScopedTimer t("FreeMotion");
        computeFreeMotion(target, p);
    }
    computeCollisions(target, dt);  // new contact points follow the free motion by themselves
    while (wake(target, p, false)) computeCollisions(target, dt);
    const bool checks = keepStart(target);
    {
        ScopedTimer t("ConstraintSolver");
        solveConstraints(target, p);
        const int corrections = checks ? most(target, &CollisionPipeline::maxCorrections) : 0;
        int count = 0;
        for (; count < corrections && addEndContacts(target, p); ++count) solveConstraints(target, p);
        d_corrections.setValue(count);
        d_impacts.setValue(0);
        if (checks && most(target, &CollisionPipeline::maxImpacts) > 0 && !isNonPenetrating(target, dt))
            resolveImpacts(target, p);
    }
    m_start.reset();
    if (sleeps()) m_sleep.end(dt, {d_sleepAfter.value(), d_sleepSpeed.value(), d_sleepSpin.value()});
    if (const int count = m_sleep.count(); count != d_sleepingBodies.value()) {
        if (d_printLog.value()) msgInfo() << "at " << target.time() << " s, " << count << " bodies sleep";
        d_sleepingBodies.setValue(count);
    }
    phases::projectAndPropagate(target, dt);
    phases::end(target, dt);
}

static const RegisterComponent registeredFreeMotionAnimationLoop =
    RegisterComponent("FreeMotionAnimationLoop", "AnimationLoop", "Sofa.Component.AnimationLoop")
        .help("Time step with Lagrangian constraints: free motion, constraint forces, correction")
        .example("component/animation/FreeMotionAnimationLoop.scn")
        .add<FreeMotionAnimationLoop>();

}  // namespace sofa::component
