// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include "core/objectmodel/Node.h"

namespace sofa::core {

/// Applies the projective constraints at or below `scope` to positions and velocities that were set from outside.
void projectState(Node& scope);
/// Applies all mappings at or below `scope` to positions and velocities, those of visual models included.
void propagateState(Node& scope);

}  // namespace sofa::core
