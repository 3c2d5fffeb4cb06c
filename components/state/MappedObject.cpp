// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "components/state/MappedObject.h"

#include "core/factory/Registry.h"

namespace sofa::component {

template <class D>
MappedObject<D>::MappedObject()
{
    this->bind(vec_id::position, d_position);
    this->bind(vec_id::velocity, d_velocity);
}

template <class D>
void MappedObject<D>::init()
{
    resize(static_cast<Index>(d_position.value().size()));
}

template <class D>
void MappedObject<D>::resize(Index n)
{
    this->setSize(n);
    if (d_position.value().size() != n) d_position.edit()->resize(n);
    if (d_velocity.value().size() != n) d_velocity.edit()->resize(n);
}

static const RegisterComponent registeredMappedObject =
    RegisterComponent("MappedObject", "State", "Sofa.Component.StateContainer")
        .help("Points that follow a mapping and have no dynamics of their own")
        .example("component/state/MappedObject.scn")
        .add<MappedObject, Vec3Types, Vec2Types, Vec1Types, Vec6Types, Rigid3Types, Rigid2Types>();

#define SOFA_INSTANTIATE(D) template class MappedObject<D>;
SOFA_STATE_TYPES(SOFA_INSTANTIATE)
#undef SOFA_INSTANTIATE

}  // namespace sofa::component
