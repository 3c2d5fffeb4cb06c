// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/mapping/VoidMapping.h"

#include "core/behavior/StateLookup.h"
#include "core/factory/Registry.h"

namespace sofa::component {

VoidMapping::VoidMapping()
{
    for (Data<bool>* d : {&d_mapForces, &d_mapConstraints, &d_mapMasses}) d->setDefault(false);
}

void VoidMapping::init()
{
    std::string error;
    if (!l_input.resolve(error)) return fail("input: " + error);
    if (!l_output.resolve(error)) return fail("output: " + error);
    if (!l_output) l_output.set(node()->get<BaseState>(Search::Local));
    if (!l_output) return fail("it needs an output: a state before it in its node");
    if (!l_input)
        for (const Node* n : node()->ancestors())
            if (BaseState* above = n == node() ? nullptr : findMechanicalState<BaseState>(*n, Search::Local)) {
                l_input.set(above);
                break;
            }
    if (l_input.get() == l_output.get()) return fail("input and output are the same state");
    m_mechanical = l_output->isMechanical();
}

std::vector<BaseState*> VoidMapping::inputs() const
{
    if (!l_input) return {};
    return {l_input.get()};
}

void VoidMapping::apply(const MechanicalParams&, const MultiVecCoordId& out, const MultiVecCoordId&)
{
    const VecCoordId to = out.at(*l_output);
    if (to != vec_id::position) l_output->copy(to, vec_id::position);
}

void VoidMapping::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId&)
{
    const VecDerivId to = out.at(*l_output);
    if (to == vec_id::velocity) return;
    if (to == vec_id::freeVelocity)
        l_output->copy(to, vec_id::velocity);
    else
        l_output->clear(to);
}

static const RegisterComponent registeredVoidMapping =
    RegisterComponent("VoidMapping", "Mapping", "Sofa.Component.Mapping.Linear")
        .help("Maps nothing, between any states: its output is moved by nothing but what writes to it")
        .example("component/mapping/VoidMapping.scn")
        .add<VoidMapping>();

}  // namespace sofa::component
