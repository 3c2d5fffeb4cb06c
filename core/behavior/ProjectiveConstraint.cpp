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
SOFA_INSTANTIATE(Vec1Types)
SOFA_INSTANTIATE(Vec2Types)
SOFA_INSTANTIATE(Vec3Types)
SOFA_INSTANTIATE(Vec6Types)
SOFA_INSTANTIATE(Rigid2Types)
SOFA_INSTANTIATE(Rigid3Types)
#undef SOFA_INSTANTIATE

}  // namespace sofa::core
