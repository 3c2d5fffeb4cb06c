// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#pragma once

#include <functional>
#include <span>

#include "core/visual/DrawElements.h"

namespace sofa::component {

/// Centre [m] of points with masses; nothing if they have none.
std::optional<core::Vec3> centerOfMass(std::span<const core::Vec3> points,
                                       const std::function<double(core::Index)>& mass);

/// A cross at the centre, `size` [m] to either side.
void drawCenterOfMass(core::DrawTool& tool, std::span<const core::Vec3> points,
                      const std::function<double(core::Index)>& mass, double size, const core::Color& color);

}  // namespace sofa::component
