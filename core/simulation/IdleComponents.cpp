// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/IdleComponents.h"

#include <algorithm>
#include <unordered_set>

#include "core/behavior/ConstraintCorrection.h"
#include "core/behavior/LagrangianConstraint.h"
#include "core/objectmodel/Engine.h"
#include "core/objectmodel/Transient.h"
#include "core/visitor/ExecutionPlan.h"

namespace sofa::core {

namespace {

/// An engine that was given nothing to work on: neither an input nor an object that a link names.
void warnOfMissingInput(const Engine& e)
{
    std::string names;
    for (const DdgNode* in : e.inputs()) {
        const auto* d = dynamic_cast<const BaseData*>(in);
        if (!d || d->owner() != &e || d->isSet() || d->parent()) return;
        names += (names.empty() ? "" : ", ") + d->name();
    }
    if (names.empty() ||
        std::ranges::any_of(e.links(), [](const BaseLink* l) { return l->isSet() || !l->targets().empty(); }))
        return;
    e.msgWarning() << "none of its inputs is given (" << names << "): what it computes follows from nothing";
}

/// A state below one that a mapping moves, with neither a mapping nor a solver of its own: mostly a mapping was
/// forgotten, and what was to follow stays behind.
void warnOfLooseStates(Node& root)
{
    const ExecutionPlan& plan = ExecutionPlan::of(root);
    for (const BaseState* s : plan.independentStates()) {
        for (const Node* n : s->node()->ancestors()) {
            if (n->get<OdeSolver>(Search::Local)) break;
            const auto* above = n == s->node() ? nullptr : n->get<BaseState>(Search::Local);
            if (!above || !above->isMechanical()) continue;
            if (!plan.isIndependent(*above))
                s->msgWarning() << "it lies below " << above->pathName()
                                << ", which a mapping moves, but no mapping moves it: it has degrees of freedom of its "
                                   "own that follow nothing";
            break;
        }
    }
}

/// Those at and below a node that take part.
template <class T>
std::vector<T*> allActive(Node& root)
{
    std::vector<T*> all;
    for (const Node* n : root.descendants())
        for (T* c : n->getAll<T>(Search::Local))
            if (!isTransient(*c)) all.push_back(c);
    return all;
}

using Objects = std::unordered_set<const Base*>;  ///< to look them up, never to go through

/// "/a/solver (EulerImplicitSolver)"
std::string nameOf(const Component& c) { return c.pathName() + " (" + c.className() + ')'; }

/// Integrators that no step calls, or that step the same states a second time. Collects the states that move.
void warnOfIntegrators(Node& root, Objects& moved)
{
    for (const OdeSolver* s : allActive<OdeSolver>(root)) {
        const OdeSolver* above = nullptr;
        for (const Node* n : s->node()->ancestors())
            if (n != s->node() && !above) above = n->get<OdeSolver>(Search::Local);
        if (above) {
            s->msgWarning() << "no step calls it: " << nameOf(*above) << " above integrates all that is below";
            continue;
        }
        const ExecutionPlan& plan = ExecutionPlan::of(s->scope());
        if (plan.independentStates().empty())
            s->msgWarning() << "there is no state in its node or below that it could integrate";
        if (s->couplingRank() == 0) continue;  // a stage after an integrator
        bool again = false;
        for (const BaseState* state : plan.independentStates()) again = !moved.insert(state).second || again;
        for (const BaseState* state : plan.mappedStates()) moved.insert(state);
        if (again)
            s->msgWarning() << "another integrator of its node integrates the same states: each of them moves them by "
                               "a time step; keep one of them, or give each its tags";
    }
}

/// Force fields and masses none of whose states moves.
void warnOfForces(Node& root, const Objects& moved)
{
    const auto moves = [&moved](const BaseState* s) { return moved.contains(s); };
    Objects told;
    const auto warn = [&](const Component& c, const std::vector<BaseState*>& states) {
        if (states.empty() || std::ranges::any_of(states, moves) || !told.insert(&c).second) return;
        c.msgWarning() << "no integrator moves " << states.front()->pathName()
                       << ": it acts on nothing; an integrator (EulerImplicitSolver, ...) is needed in node '"
                       << c.node()->pathName() << "' or above";
    };
    for (const BaseForceField* f : allActive<BaseForceField>(root)) warn(*f, f->states());
}

/// Linear solvers to which no integrator, constraint correction or other solver has a link.
void warnOfLinearSolvers(Node& root)
{
    Objects used;
    for (const Component* c : root.getAll<Component>(Search::Down))
        for (const BaseLink* l : c->links())
            for (const Base* target : l->targets()) used.insert(target);
    for (const LinearSolver* s : allActive<LinearSolver>(root))
        if (!used.contains(s))
            s->msgWarning() << "nothing uses it: no integrator (EulerImplicitSolver, ...), constraint correction or "
                               "other solver of its node takes it";
}

/// Constraints whose forces nobody computes.
void warnOfConstraints(Node& root)
{
    const auto* loop = root.get<AnimationLoop>(Search::Local);
    if (!loop || loop->hasFreeMotion()) return;
    const auto warn = [loop](const Component& c, const char* what) {
        c.msgWarning() << "the animation loop " << nameOf(*loop) << " solves no constraints by forces: " << what
                       << "; a FreeMotionAnimationLoop is needed in the root node";
    };
    for (const auto* c : allActive<BaseLagrangianConstraint>(root)) warn(*c, "it holds nothing");
    for (const auto* s : allActive<ConstraintSolver>(root)) warn(*s, "nothing calls it");
}

}  // namespace

void warnOfIdleComponents(Node& root)
{
    for (const Engine* e : allActive<Engine>(root)) warnOfMissingInput(*e);
    warnOfLooseStates(root);
    Objects moved;
    warnOfIntegrators(root, moved);
    warnOfForces(root, moved);
    warnOfLinearSolvers(root);
    warnOfConstraints(root);
}

}  // namespace sofa::core
