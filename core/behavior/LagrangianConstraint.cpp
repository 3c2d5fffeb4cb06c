// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/LagrangianConstraint.h"

#include "core/behavior/StateLookup.h"

namespace sofa::core {

bool BaseLagrangianConstraint::isActive() const
{
    return d_endTime.value() < 0. || !node() || d_endTime.value() > node()->time();
}

void BaseLagrangianConstraint::freeViolation(const ConstraintParams& p, std::span<const double> hv, std::span<double> d)
{
    if (p.order == ConstraintOrder::positionAndVelocity) return violation(p, p.freeX, d);
    violation(p, vec_id::position, d);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = d[i] / p.dt + hv[i];
}

template <class D>
void LagrangianConstraint<D>::init()
{
    std::string error;
    if (!l_state.resolve(error)) return fail("mstate: " + error);
    if (!l_state) l_state.set(findMechanicalState<State<D>>(*node(), Search::Up));
    if (!l_state) fail("it needs a MechanicalObject of type " + std::string(D::name()) + " in its node or above");
}

template <class D>
void PairLagrangianConstraint<D>::init()
{
    std::string error;
    if (!l_state1.resolve(error)) return fail("object1: " + error);
    if (!l_state2.resolve(error)) return fail("object2: " + error);
    if (!l_state1) l_state1.set(findMechanicalState<State<D>>(*node(), Search::Up));
    if (!l_state2) l_state2.set(l_state1.get());
    if (!l_state1) fail("it needs two states of type " + std::string(D::name()) + ": object1 and object2");
}

template <class D>
std::vector<BaseState*> PairLagrangianConstraint<D>::states() const
{
    if (l_state1.get() == l_state2.get()) return {l_state1.get()};
    return {l_state1.get(), l_state2.get()};
}

#define SOFA_INSTANTIATE(D)                 \
    template class LagrangianConstraint<D>; \
    template class PairLagrangianConstraint<D>;
SOFA_INSTANTIATE(Vec1Types)
SOFA_INSTANTIATE(Vec2Types)
SOFA_INSTANTIATE(Vec3Types)
SOFA_INSTANTIATE(Vec6Types)
SOFA_INSTANTIATE(Rigid2Types)
SOFA_INSTANTIATE(Rigid3Types)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
