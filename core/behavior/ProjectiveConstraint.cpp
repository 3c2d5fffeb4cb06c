// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ProjectiveConstraint.h"

namespace sofa::core {

bool BaseProjectiveConstraint::isActive() const
{
    return d_endTime.value() < 0. || !node() || d_endTime.value() > node()->time();
}

#define SOFA_INSTANTIATE(D)                              \
    template class OnState<BaseProjectiveConstraint, D>; \
    template class ProjectiveConstraint<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
