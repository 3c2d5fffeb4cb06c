// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "PluginNamePairMapping.h"

#include "core/factory/Registry.h"
#include "core/objectmodel/Node.h"

namespace sofa::component {

using namespace sofa::core;

void PluginNamePairMapping::init()
{
    if (!l_output) l_output.set(node()->get<State>(Search::Local));
    if (!l_input1 || !l_input2) return fail("it needs two inputs: input1=\"@...\" and input2=\"@...\"");
    if (!l_output) return fail("it needs an output: a state of points in its node");
    const Index n = l_input1->size();
    if (l_input2->size() != n)
        return fail("its inputs have " + std::to_string(n) + " and " + std::to_string(l_input2->size()) +
                    " points: expected as many of both");
    setMechanical(l_output->isMechanical() && l_input1->isMechanical() && l_input2->isMechanical());
    l_output->resize(n);
    for (std::size_t k = 0; k < 2; ++k) {
        m_jacobians[k].clear();
        for (Index i = 0; i < n; ++i) {
            m_jacobians[k].appendRow();
            m_jacobians[k].append(i, Mat3::identity() * (k == 0 ? 1. - *d_weight : *d_weight));
        }
    }
    const MechanicalParams mp;
    apply(mp, vec_id::position, vec_id::position);
    if (isMechanical()) applyJ(mp, vec_id::velocity, vec_id::velocity);
}

void PluginNamePairMapping::apply(const MechanicalParams&, const MultiVecCoordId& out, const MultiVecCoordId& in)
{
    const auto [one, other] = states();
    const auto &a = one->read(in.at(*one)), &b = other->read(in.at(*other));
    const auto x = l_output->write(out.at(*l_output));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = a[i] * (1. - *d_weight) + b[i] * *d_weight;
}

void PluginNamePairMapping::applyJ(const MechanicalParams&, const MultiVecDerivId& out, const MultiVecDerivId& in)
{
    const auto v = l_output->write(out.at(*l_output));
    for (std::size_t k = 0; k < 2; ++k) {
        State& s = *states()[k];
        m_jacobians[k].multiply(*v, s.read(in.at(s)), k > 0);
    }
}

void PluginNamePairMapping::applyJT(const MechanicalParams&, const MultiVecDerivId& in, const MultiVecDerivId& out)
{
    const auto& f = l_output->read(out.at(*l_output));
    for (std::size_t k = 0; k < 2; ++k) {
        State& s = *states()[k];
        m_jacobians[k].addTransposed(*s.write(in.at(s)), f);
    }
}

static const RegisterComponent registered = RegisterComponent("PluginNamePairMapping", "Mapping", "PluginName")
                                                .help("Points between those of two states")
                                                .example("PluginName.scn")
                                                .add<PluginNamePairMapping>();

}  // namespace sofa::component
