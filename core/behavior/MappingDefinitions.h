// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/JacobianCheck.h"
#include "core/behavior/Mapping.h"
#include "core/behavior/StateLookup.h"

/// The functions of Mapping<In, Out>, for the one file that instantiates a pair of types that the core does not have
/// (core/behavior/Mapping.cpp has them). A plugin writes
///
///     #include "core/behavior/MappingDefinitions.h"
///     template class sofa::core::Mapping<sofa::core::Vec6Types, sofa::core::Rigid3Types>;
///
/// in the .cpp of its mapping; everybody else includes core/behavior/Mapping.h.
namespace sofa::core {

namespace mapping_detail {

/// State above the node: the nearest ancestor's, of several parents the first that has one.
template <class S>
S* stateAbove(const Node* node)
{
    if (!node) return nullptr;
    for (const Node* n : node->ancestors()) {
        if (n == node) continue;
        if (auto* s = findMechanicalState<BaseState>(*n, Search::Local)) return dynamic_cast<S*>(s);
    }
    return nullptr;
}

}  // namespace mapping_detail

template <class In, class Out>
Mapping<In, Out>::Mapping()
{
    addAlias(l_input, "object1");
    addAlias(l_output, "object2");
    declareAttribute("isMechanical", "Whether forces, masses and constraints are carried back");
}

template <class In, class Out>
void Mapping<In, Out>::setDeclared(std::string_view name, std::string_view text)
{
    if (name != "isMechanical") return BaseMapping::setDeclared(name, text);
    bool on = true;
    std::string error;
    if (!parseText(text, on, error)) throw std::runtime_error(error);
    for (Data<bool>* d : {&d_mapForces, &d_mapConstraints, &d_mapMasses, &d_mapMatrices}) d->setValue(on);
}

template <class In, class Out>
bool Mapping<In, Out>::canCreate(const Node* node, const ComponentDescription& desc, std::string& why)
{
    const bool hasInput = desc.find("input") || desc.find("object1");
    if (hasInput) {
        if (!stateHasType<In>(node, desc, desc.find("input") ? "input" : "object1", why)) return false;
    } else {
        auto* s = mapping_detail::stateAbove<BaseState>(node);
        if (!dynamic_cast<State<In>*>(s)) {
            why = s ? "the state '" + s->pathName() + "' above it is of type " + s->templateName() + ", not " +
                          std::string(In::name())
                    : "it needs an input: a state in a node above";
            return false;
        }
    }
    for (const char* link : {"output", "object2"})
        if (desc.find(link)) return stateHasType<Out>(node, desc, link, why);
    if (node->get<State<Out>>(Search::Local)) return true;  // a state that is only shown will do
    const auto* other = node->get<BaseState>(Search::Local);
    why = other ? "the state '" + other->pathName() + "' is of type " + other->templateName() + ", not " +
                      std::string(Out::name())
                : "it needs an output: a state before it in its node";
    return false;
}

template <class In, class Out>
bool Mapping<In, Out>::findStates()
{
    std::string error;
    if (!l_input.resolve(error)) {
        fail("input: " + error);
        return false;
    }
    if (!l_output.resolve(error)) {
        fail("output: " + error);
        return false;
    }
    if (!l_input) l_input.set(mapping_detail::stateAbove<State<In>>(node()));
    if (!l_output) l_output.set(node()->template get<State<Out>>(Search::Local));
    if (!l_input) fail("it needs an input state of type " + std::string(In::name()) + " in a node above");
    if (!l_output) fail("it needs an output state of type " + std::string(Out::name()) + " in its node");
    if (!l_input || !l_output) return false;
    if (static_cast<BaseState*>(l_input.get()) == static_cast<BaseState*>(l_output.get())) {
        fail("input and output are the same state");
        return false;
    }
    m_mechanical = l_output->isMechanical() && l_input->isMechanical();
    return true;
}

template <class In, class Out>
void Mapping<In, Out>::init()
{
    if ((!l_input || !l_output) && !findStates()) return;
    m_mechanical = l_output->isMechanical() && l_input->isMechanical();
    const MechanicalParams mp;
    apply(mp, vec_id::position, vec_id::position);
    if (m_mechanical && output().isAllocated(vec_id::velocity) && input().isAllocated(vec_id::velocity))
        applyJ(mp, vec_id::velocity, vec_id::velocity);
    if (d_applyRestPosition.value() && input().isAllocated(vec_id::restPosition)) {
        output().allocate(vec_id::restPosition);
        apply(mp, vec_id::restPosition, vec_id::restPosition);
        if (!isLinear()) apply(mp, vec_id::position, vec_id::position);  // the Jacobian is that of the present position
    }
}

template <class In, class Out>
void Mapping<In, Out>::apply(const MechanicalParams&, const MultiVecCoordId& out, const MultiVecCoordId& in)
{
    State<In>& i = input();
    State<Out>& o = output();
    const InVecCoord& x = i.read(in.at(i));
    const auto y = o.write(out.at(o));
    apply(y, x);
    if (!m_mechanical) return;
    if (!m_jacobianBuilt || !isLinear()) {
        buildJacobian(m_jacobian, x);
        m_jacobianBuilt = true;
    }
    if (d_checkJacobian.value()) {
        JacobianProbe<In> probe({&x});
        OutVecDeriv jd((*y).size());
        m_jacobian.multiply(jd, probe.directions()[0]);
        checkJacobian<Out>(
            *this, *y, jd, [&](auto at) { apply(*y, *at[0]); }, probe);
    }
}

template <class In, class Out>
void Mapping<In, Out>::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId& in)
{
    State<In>& i = input();
    State<Out>& o = output();
    m_jacobian.multiply(*o.write(out.at(o)), i.read(in.at(i)));
}

template <class In, class Out>
void Mapping<In, Out>::applyJT(const MechanicalParams&, const MultiVecDerivId& in, const MultiVecDerivId& out)
{
    State<In>& i = input();
    State<Out>& o = output();
    m_jacobian.addTransposed(*i.write(in.at(i)), o.read(out.at(o)));
}

template <class In, class Out>
void Mapping<In, Out>::buildGeometricStiffness(const MechanicalParams& mp, MatrixAccumulator& k)
{
    if (!hasGeometricStiffness()) return;
    State<In>& i = input();
    State<Out>& o = output();
    buildGeometricStiffness(k.sink(i, i), o.read(mp.f.at(o)), i.read(mp.x.at(i)));
}

}  // namespace sofa::core
