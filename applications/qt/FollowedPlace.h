// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <optional>

#include "core/interaction/Picking.h"

namespace sofa::qt {

using namespace sofa::core;

/// Finds the place that was picked again as what it lies on moves: at the same parts of the points of its primitive, or
/// at the same place in a rigid frame. To be called in the thread of the simulation; nothing when the points are gone.
std::function<std::optional<Vec3>()> placeOn(const Picked& picked);

}  // namespace sofa::qt
