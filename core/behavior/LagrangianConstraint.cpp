// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/LagrangianConstraint.h"

#include "core/math/Fingerprint.h"

namespace sofa::core {

bool BaseLagrangianConstraint::isActive() const
{
    return d_endTime.value() < 0. || !node() || d_endTime.value() > node()->time();
}

std::uint64_t BaseLagrangianConstraint::fingerprint() const
{
    Fingerprint f(1);
    for (const BaseData* d : data())
        if (!d->isReadOnly()) f.add(d->text());
    return f.value();
}

void BaseLagrangianConstraint::freeViolation(const ConstraintParams& p, std::span<const double> hv, std::span<double> d)
{
    if (p.order == ConstraintOrder::positionAndVelocity) return violation(p, p.freeX, d);
    violation(p, vec_id::position, d);
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = d[i] / p.dt + hv[i];
}

#define SOFA_INSTANTIATE(D)                                  \
    template class OnState<BaseLagrangianConstraint, D>;     \
    template class OnTwoStates<BaseLagrangianConstraint, D>; \
    template class LagrangianConstraint<D>;                  \
    template class PairLagrangianConstraint<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
