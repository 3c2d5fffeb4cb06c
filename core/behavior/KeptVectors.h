// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/SceneChange.h"

namespace sofa::core {

/// Generation of the identifiers of vectors that components of a scene keep (KeptVector). It is that of no other scene,
/// so that a state that came from one does not take a vector of it for one of its new scene.
inline std::uint32_t keptGeneration(const SceneState& scene)
{
    return 0x80000000u | static_cast<std::uint32_t>(scene.lineage);
}
inline bool isKept(std::uint32_t generation) { return (generation & 0x80000000u) != 0; }

}  // namespace sofa::core
