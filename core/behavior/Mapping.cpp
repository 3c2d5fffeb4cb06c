// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "core/behavior/Mapping.h"

#include "core/behavior/MappingDefinitions.h"

namespace sofa::core {

template class Mapping<Vec1Types, Vec1Types>;
template class Mapping<Vec2Types, Vec2Types>;
template class Mapping<Vec3Types, Vec3Types>;
template class Mapping<Vec6Types, Vec6Types>;
template class Mapping<Rigid2Types, Rigid2Types>;
template class Mapping<Rigid3Types, Rigid3Types>;
template class Mapping<Vec1Types, Vec2Types>;
template class Mapping<Vec1Types, Vec3Types>;
template class Mapping<Vec2Types, Vec1Types>;
template class Mapping<Vec2Types, Vec3Types>;
template class Mapping<Vec3Types, Vec1Types>;
template class Mapping<Vec3Types, Vec2Types>;
template class Mapping<Vec6Types, Vec3Types>;
template class Mapping<Vec6Types, Vec1Types>;
template class Mapping<Vec3Types, Rigid3Types>;
template class Mapping<Rigid3Types, Vec1Types>;
template class Mapping<Rigid3Types, Vec3Types>;
template class Mapping<Rigid3Types, Vec6Types>;
template class Mapping<Rigid2Types, Vec2Types>;
template class Mapping<Rigid2Types, Vec1Types>;

}  // namespace sofa::core
