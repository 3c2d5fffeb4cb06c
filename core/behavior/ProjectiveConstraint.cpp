// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/ProjectiveConstraint.h"

#include "core/behavior/StateLookup.h"

namespace sofa::core {

bool BaseProjectiveConstraint::isActive() const
{
    return d_endTime.value() < 0. || !node() || d_endTime.value() > node()->time();
}

template <class D>
void ProjectiveConstraint<D>::init()
{
    std::string error;
    if (!l_state.resolve(error)) return fail("mstate: " + error);
    if (!l_state) l_state.set(findMechanicalState<State<D>>(*node(), Search::Up));
    if (!l_state) fail("it needs a MechanicalObject of type " + std::string(D::name()) + " in its node or above");
}

template class ProjectiveConstraint<Vec1Types>;
template class ProjectiveConstraint<Vec2Types>;
template class ProjectiveConstraint<Vec3Types>;
template class ProjectiveConstraint<Vec6Types>;
template class ProjectiveConstraint<Rigid2Types>;
template class ProjectiveConstraint<Rigid3Types>;

}  // namespace sofa::core
