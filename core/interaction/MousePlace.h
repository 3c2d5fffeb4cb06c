// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <optional>

#include "core/interaction/Picking.h"

namespace sofa::core {

/// Where the mouse of a window was when an event happened, and which of its buttons were down then. A mouse that is
/// read as a device has no place.
struct MousePlace
{
    int x = 0, y = 0;                                  ///< from the upper left corner of the view [pixel]
    std::optional<PickRay> ray;                        ///< into the scene; nothing for a device
    bool left = false, middle = false, right = false;  ///< buttons that are down after the event
};

}  // namespace sofa::core
