// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/animation/StepPhases.h"

#include <algorithm>
#include <unordered_set>

#include "core/log/Timer.h"
#include "core/visitor/Operations.h"

namespace sofa::component::phases {

using namespace core;

void begin(Node& target, double dt)
{
    target.propagateEvent(AnimateBeginEvent(dt));
    for (BehaviorModel* b : std::vector(ExecutionPlan::of(target).behaviors())) b->updatePosition(dt);
}

namespace {

/// Visits nodes from the top down: `integrated` those with solvers, below which it does not go, `outer` all others.
void visit(Node& n, FunctionRef<void(Node&)> outer, FunctionRef<void(Node&)> integrated,
           std::unordered_set<const Node*>& done)
{
    if (!n.isActive()) return;
    if (n.parents().size() > 1 && !done.insert(&n).second) return;  // only such a node can be reached twice
    const auto solvers = n.getAll<OdeSolver>();
    if (!solvers.empty()) {
        if (!std::ranges::all_of(solvers, &OdeSolver::isSuspended)) integrated(n);
        return;
    }
    outer(n);
    for (const auto& c : n.children()) visit(*c, outer, integrated, done);
}

}  // namespace

std::vector<Node*> integratedNodes(Node& target)
{
    std::vector<Node*> nodes;
    std::unordered_set<const Node*> done;
    visit(
        target, [](Node&) {}, [&nodes](Node& n) { nodes.push_back(&n); }, done);
    return nodes;
}

void integrateNode(Node& n, double dt, const MultiVecCoordId& x, const MultiVecDerivId& v, SolverChoice takes)
{
    for (OdeSolver* s : n.getAll<OdeSolver>()) {
        if (s->isSuspended() || !takes(*s)) continue;
        ScopedTimer t([s] { return s->name(); });
        s->solve(dt, x, v);
    }
}

namespace {

/// Forces between states that several solvers of one node integrate: those that no solver has.
std::vector<BaseForceField*> forcesBetween(Node& n)
{
    std::vector<BaseForceField*> between;
    const std::vector<OdeSolver*> solvers = n.getAll<OdeSolver>();
    if (std::ranges::any_of(solvers, [](const OdeSolver* s) { return s->d_tags.value().empty(); })) return between;
    const auto has = [](const OdeSolver* s, const BaseForceField* f) {
        const auto& own = ExecutionPlan::of(s->scope()).forceFields();
        return std::ranges::find(own, f) != own.end();
    };
    for (BaseForceField* f : ExecutionPlan::of(n).forceFields())
        if (f->isInteraction() && std::ranges::none_of(solvers, [&](const OdeSolver* s) { return has(s, f); }))
            between.push_back(f);
    return between;
}

}  // namespace

void integrate(Node& target, double dt, const MultiVecCoordId& x, const MultiVecDerivId& v,
               FunctionRef<bool(Node&)> rests, SolverChoice takes)
{
    target.propagateEvent(IntegrateBeginEvent(dt));
    ScopedTimer t("Solve");
    MechanicalParams mp;
    mp.dt = dt;
    const auto addForce = [&mp](BaseForceField& f) {
        for (BaseState* s : f.states()) s->allocate(vec_id::externalForce);
        f.addForce(mp, vec_id::externalForce);
    };
    const auto addForces = [&](Node& n) {
        for (BaseForceField* f : n.getAll<BaseForceField>())
            if (f->isInteraction()) addForce(*f);
    };
    std::unordered_set<const Node*> done;
    visit(
        target, addForces,
        [&](Node& n) {
            if (rests(n)) return;
            for (BaseForceField* f : forcesBetween(n)) addForce(*f);
            integrateNode(n, dt, x, v, takes);
        },
        done);
}

void projectAndPropagate(const SolverScope& target, double dt)
{
    ScopedTimer t("ProjectAndPropagate");
    MechanicalParams mp;
    mp.dt = dt;
    MechanicalOperations mop(target, mp);
    mop.projectPosition(vec_id::position);
    mop.projectVelocity(vec_id::velocity);
    mop.propagateXAndV(vec_id::position, vec_id::velocity);
}

void endIntegration(Node& target, double dt)
{
    const ExecutionPlan& plan = ExecutionPlan::of(target);
    for (auto* list : {&plan.independentStates(), &plan.mappedStates()})
        for (BaseState* s : *list)
            if (s->isAllocated(vec_id::externalForce)) s->clear(vec_id::externalForce);
    target.propagateEvent(IntegrateEndEvent(dt));
}

void finish(Node& target, double dt)
{
    target.propagateEvent(AnimateEndEvent(dt));

    ScopedTimer t("UpdateMapping");
    MechanicalParams mp;
    mp.dt = dt;
    for (BaseMapping* m : ExecutionPlan::of(target).otherMappings()) m->apply(mp, vec_id::position, vec_id::position);
    target.propagateEvent(UpdateMappingEndEvent(dt));
}

void end(Node& target, double dt)
{
    endIntegration(target, dt);
    target.root().d_time.setValue(target.time() + dt);
    finish(target, dt);
}

}  // namespace sofa::component::phases
