// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/linearsolver/WholeProduct.h"

#include <algorithm>

namespace sofa::component {

using namespace core;

namespace {

/// True if there is one unknown state, and all forces and masses act on it alone.
bool actOnOneState(const ExecutionPlan& plan)
{
    const auto& independent = plan.independentStates();
    return independent.size() == 1 && std::ranges::all_of(plan.forceFields(), [&](const BaseForceField* f) {
               const auto states = f->states();
               return states.size() == 1 && states[0] == independent[0];
           });
}

/// The scalars of a state that constraints fix; says where they do something else.
class FixedScalars final : public EliminationSink
{
public:
    FixedScalars(const BaseState& state, Vector<std::size_t>& scalars) : m_state(state), m_scalars(scalars) {}
    void eliminate(const BaseState& s, Index i, std::size_t k) override
    {
        if (&s == &m_state) m_scalars.push_back(s.derivSize() * i + k);
    }
    void project(const BaseState& s, Index, const double*) override { m_onlyFixed = m_onlyFixed && &s != &m_state; }
    bool onlyFixed() const { return m_onlyFixed; }

private:
    const BaseState& m_state;
    Vector<std::size_t>& m_scalars;
    bool m_onlyFixed = true;
};

}  // namespace

SystemProduct* WholeProduct::prepare(Node& scope, const MechanicalParams& mp)
{
    const ExecutionPlan& plan = ExecutionPlan::of(scope);
    if (m_known != std::pair(static_cast<const Node*>(&scope), scope.version())) {
        m_known = {&scope, scope.version()};
        m_onOneState = actOnOneState(plan);
    }
    const auto carriesForces = [](const BaseMapping* m) { return m->carriesForces(); };
    if (!m_onOneState || std::ranges::any_of(plan.mappings(), carriesForces)) return nullptr;
    FastProduct* fast = nullptr;
    for (BaseForceField* f : plan.forceFields()) {
        if (dynamic_cast<BaseMass*>(f)) continue;
        if (fast || (mp.bFactor != 0. && f->hasDamping())) return nullptr;
        fast = dynamic_cast<FastProduct*>(f);
        if (!fast) return nullptr;
        m_terms.stiffness = mp.stiffnessFactor(f->d_rayleighStiffness.value());
    }
    SystemProduct* product = fast ? fast->systemProduct() : nullptr;
    if (!product || !takeMasses(plan, mp, *fast, *product)) return nullptr;
    m_terms.fixed.clear();
    FixedScalars fixed(*plan.independentStates()[0], m_terms.fixed);
    for (const BaseProjectiveConstraint* p : plan.constraints()) p->eliminate(fixed);
    if (!fixed.onlyFixed()) return nullptr;
    product->prepare(m_terms);
    return product;
}

bool WholeProduct::takeMasses(const ExecutionPlan& plan, const MechanicalParams& mp, FastProduct& fast,
                              const SystemProduct& product)
{
    const Index points = plan.independentStates()[0]->size();
    m_terms.elementMass = {};
    m_terms.pointMass.clear();
    for (BaseMass* m : plan.masses()) {
        const double factor = mp.massFactor(m->rayleighMass());
        if (const auto* ofElements = dynamic_cast<const EqualElementMass*>(m)) {
            const Mat<8>* matrix = ofElements->elementMatrix(fast.systemElements());
            if (!matrix || !product.takes(*matrix)) return false;
            m_terms.elementMass += *matrix * factor;
        } else if (m->isDiagonal()) {
            m_terms.pointMass.resize(points, 0.);
            for (Index i = 0; i < points; ++i) m_terms.pointMass[i] += factor * m->pointMass(i);
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace sofa::component
