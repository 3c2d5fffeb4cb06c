// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <string>

#include "core/scene/SceneLoader.h"

namespace sofa::core {

/// Loads a scene and initialises it, without a step, and returns all that was found. Never throws for a fault of the
/// scene: one that cannot be read at all is an error in the report. Every message is emitted to MessageLog too.
LoadReport checkScene(const std::string& path, const LoadOptions& options = {});

}  // namespace sofa::core
