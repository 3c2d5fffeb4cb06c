// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/behavior/Mapping.h"

/// The pairs (input type, output type) for which Mapping<In, Out> is compiled once, in the core.
#define SOFA_MAPPING_INSTANCES(X) \
    X(Vec1Types, Vec1Types)       \
    X(Vec2Types, Vec2Types)       \
    X(Vec3Types, Vec3Types)       \
    X(Vec6Types, Vec6Types)       \
    X(Rigid2Types, Rigid2Types)   \
    X(Rigid3Types, Rigid3Types)   \
    X(Vec1Types, Vec2Types)       \
    X(Vec1Types, Vec3Types)       \
    X(Vec2Types, Vec1Types)       \
    X(Vec2Types, Vec3Types)       \
    X(Vec3Types, Vec1Types)       \
    X(Vec3Types, Vec2Types)       \
    X(Vec6Types, Vec3Types)       \
    X(Vec6Types, Vec1Types)       \
    X(Vec3Types, Rigid3Types)     \
    X(Rigid3Types, Vec1Types)     \
    X(Rigid3Types, Vec3Types)     \
    X(Rigid3Types, Vec6Types)     \
    X(Rigid2Types, Vec2Types)     \
    X(Rigid2Types, Vec1Types)

namespace sofa::core {
#define SOFA_EXTERN(A, B) extern template class Mapping<A, B>;
SOFA_MAPPING_INSTANCES(SOFA_EXTERN)
#undef SOFA_EXTERN
}  // namespace sofa::core
