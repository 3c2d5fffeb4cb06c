// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/simulation/SceneForces.h"

#include <set>

namespace sofa::core {

thread_local SceneForces* SceneForces::s_innermost = nullptr;

SceneForces::SceneForces(Node& root) : m_root(root), m_outer(s_innermost) { s_innermost = this; }

SceneForces::~SceneForces() { s_innermost = m_outer; }

VecDerivId SceneForces::total()
{
    if (!m_total) {
        VectorOperations vop(m_root);
        m_total.emplace(vop);
        MechanicalOperations(m_root, MechanicalParams()).computeForce(*m_total);
    }
    return *m_total;
}

VecDerivId SceneForces::contacts()
{
    if (m_contacts) return *m_contacts;
    VectorOperations vop(m_root);
    const VecDerivId f = m_contacts.emplace(vop);
    const ExecutionPlan& plan = ExecutionPlan::of(m_root);
    const Vector<ContactForce> all = contactForces(m_root);
    std::set<BaseState*> states;
    for (const auto* list : {&plan.independentStates(), &plan.mappedStates()})
        states.insert(list->begin(), list->end());
    for (const ContactForce& c : all) states.insert({c.state1, c.state2});
    for (BaseState* s : states) {
        s->allocate(f);
        s->clear(f);
    }
    for (const ContactForce& c : all) {
        (*c.state1->write(f))[c.point1] -= c.force;
        (*c.state2->write(f))[c.point2] += c.force;
    }
    const MechanicalParams params;
    for (auto it = plan.mappings().rbegin(); it != plan.mappings().rend(); ++it)
        if ((*it)->carriesForces()) (*it)->applyJT(params, f, f);
    return f;
}

Vector<ContactForce> contactForces(Node& root)
{
    Vector<ContactForce> all;
    for (const ContactManager* m : root.getAll<ContactManager>(Search::Down))
        for (const ContactResponse* r : m->responses()) r->appendForces(all);
    return all;
}

}  // namespace sofa::core
